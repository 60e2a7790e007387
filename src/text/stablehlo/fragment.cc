// Ops without a function, as logs and messages quote them. What they use and do not define are arguments, of the types that
// the ops say; the results are those of the last op.
//
//   %5 = "stablehlo.all_gather"(%4) <{...}> : (tensor<4x8xf32>) -> tensor<16x8xf32>         %4 is tensor<4x8xf32>
#include "llvm/ADT/STLExtras.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {
namespace {

// The values that an op uses outside its regions and attributes, each as often as it stands there, and where its types begin
// (npos where there are none).
struct Uses {
  llvm::SmallVector<llvm::StringRef, 4> names;
  size_t types = llvm::StringRef::npos;
};

Uses UsesOf(llvm::StringRef text, size_t begin, size_t end) {
  Uses uses;
  Lexer scan(text.take_front(end));
  scan.set_pos(begin);
  int depth = 0;
  while (scan.pos() < end) {
    char c = text[scan.pos()];
    size_t at = scan.pos();
    if (c == '{' || c == '<' || c == '"') {
      if (c == '"' ? scan.Quoted().empty() : !scan.SkipBalanced()) {
        return uses;  // it does not end, which reading tells
      }
      continue;
    }
    scan.set_pos(at + 1);
    if (c == '%') {
      uses.names.push_back(scan.ValueName());
    } else if (c == ':' && depth == 0) {
      uses.types = at + 1;
    }
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
  }
  return uses;
}

}  // namespace

llvm::StringRef DialectOfOp(llvm::StringRef text) {
  text.consume_front("\"");
  for (llvm::StringRef dialect : {"stablehlo", "mhlo", "chlo", "sdy"}) {
    if (StartsWith(text, dialect) && StartsWith(text.drop_front(dialect.size()), ".")) {
      return text.take_front(dialect.size());
    }
  }
  return "";
}

// Behind blanks. Of Shardy's ops, meshes stand in modules, and the others have results.
bool Parser::AtOpOfDialect() {
  llvm::StringRef dialect = DialectOfOp(lex_.text().drop_front(lex_.pos()));
  return !dialect.empty() && dialect != "sdy";
}

// `%a:2, %b =` of an op of a fragment; what else begins with a value is told when it is read.
void Parser::SkipBinders(llvm::DenseSet<llvm::StringRef>& defined) {
  while (lex_.Take('%')) {
    defined.insert(lex_.ValueName());
    if (lex_.Take(':')) {
      lex_.Digits();
    }
    lex_.Take(',');
  }
  lex_.Take('=');
}

// The arguments that an op needs, by its types. Where these do not tell, the use is told as undefined later.
bool Parser::AddFragmentArgs(Scope& scope, llvm::DenseSet<llvm::StringRef>& defined) {
  llvm::DenseSet<llvm::StringRef> made;
  SkipBinders(made);
  size_t begin = lex_.pos();
  lex_.SkipOp();
  size_t end = lex_.pos();
  Uses uses = UsesOf(lex_.text(), begin, end);
  bool missing = llvm::any_of(uses.names, [&](llvm::StringRef name) { return defined.count(name) == 0; });
  if (missing && uses.types != llvm::StringRef::npos) {
    llvm::SmallVector<ir::TypeId, 4> from, to;
    lex_.set_pos(uses.types);
    bool function = lex_.Peek() == '(';
    if (!(function ? ReadFunctionType(from, to) : ReadTypeList(from))) {
      return false;
    }
    if (!function && from.size() == 1) {
      from.assign(uses.names.size(), from[0]);
    }
    for (size_t i = 0; i < uses.names.size() && from.size() == uses.names.size(); ++i) {
      if (defined.insert(uses.names[i]).second) {
        ir::BoundaryInfo info;
        info.span = SpanOf(uses.names[i]);
        Define(scope, uses.names[i], {AddArg(scope, uses.names[i], from[i], std::move(info))});
      }
    }
    lex_.set_pos(end);
  }
  defined.insert(made.begin(), made.end());
  return true;
}

bool Parser::ReadFragment() {
  size_t begin = lex_.pos();
  Scope scope;
  scope.id = FunctionByName("main", SpanHere());
  scope.function.name = "main";
  scope.function.span = SpanHere();
  function_of_name_["main"].defined = true;
  function_names_.push_back("main");
  llvm::DenseSet<llvm::StringRef> defined;
  while (!lex_.AtEnd() && lex_.Peek() != '}') {
    size_t at = lex_.pos();
    if (!AddFragmentArgs(scope, defined)) {
      return false;
    }
    if (lex_.pos() == at) {
      break;  // no op begins here, which reading tells
    }
  }
  lex_.set_pos(begin);
  ReadOps(scope);
  if (scope.broken) {
    return true;  // told already
  }
  ir::Function& function = scope.function;
  if (!scope.ended && !function.insts.empty()) {
    const ir::Inst& last = function.insts[ir::InstId{static_cast<int32_t>(function.insts.size()) - 1}];
    for (size_t i = 0; i < last.num_results; ++i) {
      function.results.push_back(function.result(last, i));
    }
    function.result_info.resize(function.results.size());
  }
  module_.functions[scope.id] = std::move(function);
  return true;
}

}  // namespace spmdc::text::stablehlo
