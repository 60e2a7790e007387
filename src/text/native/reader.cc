// Reading a file: parse, run from top to bottom, trace the entry.
#include "text/native/reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "text/native/evaluator.h"
#include "text/native/jit.h"
#include "text/native/parser.h"
#include "text/native/prelude.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {

Evaluator::Evaluator(Ast& ast, source::FileId file, const ReadOptions& options, diag::Engine& diags,
                     llvm::raw_ostream& print_out, std::shared_ptr<ir::Tables> tables, bool whole_prelude)
    : ast_(ast),
      file_(file),
      options_(options),
      first_diags_(diags),
      diags_(&diags),
      print_out_(print_out),
      tracer_(std::make_unique<Tracer>(*this, tables != nullptr ? std::move(tables) : std::make_shared<ir::Tables>())),
      prelude_(diags.sources().text(file), whole_prelude) {
  file_env_ = heap_.New<Env>();
  prelude_env_ = heap_.New<Env>();
}

Evaluator::~Evaluator() = default;

namespace {

// A message that shows something of the text is no longer than people read: of a long one the beginning and the end.
std::string Shortened(std::string message) {
  constexpr size_t kLongest = 4000, kEnd = 500;
  if (message.size() <= kLongest) {
    return message;
  }
  return message.substr(0, kLongest - kEnd) + " ... " + message.substr(message.size() - kEnd);
}

}  // namespace

Value Evaluator::Fail(diag::Kind kind, std::string message, std::string help) {
  return FailAt(at_, kind, std::move(message), std::move(help));
}

Value Evaluator::FailAt(source::Span span, diag::Kind kind, std::string message, std::string help) {
  if (failed_) {
    return Value::Error();
  }
  failed_ = true;
  diag::Handle handle = diags_->Error(kind, span, Shortened(std::move(message)));
  told_ = handle;
  if (!help.empty()) {
    handle.Help(std::move(help));
  }
  // The calls that led here, innermost first.
  size_t told = 0;
  for (source::Span call : llvm::reverse(call_spans_)) {
    if (call.valid() && !(call == span) && told < 3) {
      handle.Note(call, "called from here");
      ++told;
    }
  }
  return Value::Error();
}

void Evaluator::Tell(const diag::Diagnostic& d) {
  if (d.severity == diag::Severity::Warning) {
    return;
  }
  diag::Handle handle = diags_->Error(d.kind, d.span, d.message);
  for (const diag::Note& note : d.notes) {
    handle.Note(note.span, note.text);
  }
  for (const std::string& help : d.help) {
    handle.Help(help);
  }
  told_ = handle;
  failed_ = true;
}

void Evaluator::NoteLast(source::Span span, std::string text) {
  if (told_) {
    told_->Note(span, std::move(text));
  }
}

bool Evaluator::ReadPrelude() {
  source::SourceManager sources;
  diag::Engine diags(&sources);
  Parse(sources.Add("<prelude>", prelude_.Text()), ast_, diags);
  SPMDC_CHECK(!diags.has_errors(), "the prelude has a syntax error: " + diag::RenderText(diags, false));
  ListRange body = ast_.body;
  prelude_depth_ = 1;
  Value result;
  Flow flow = Run(body, prelude_env_, result);
  prelude_depth_ = 0;
  bare_[1].clear();
  SPMDC_CHECK(flow == Flow::Next && !failed_, "the prelude cannot be run: " + diag::RenderText(*diags_, false));
  return true;
}

namespace {

// Static sizes as the text spells them: an int, a tuple of ints, or a name that was assigned one.
class DeviceCounter {
 public:
  DeviceCounter(const Ast& ast, size_t first_expr, size_t first_stmt)
      : ast_(ast), first_expr_(first_expr), first_stmt_(first_stmt) {}

  int64_t Count() {
    for (size_t i = first_stmt_; i < ast_.stmts.size(); ++i) {
      const Stmt& s = ast_[StmtId{static_cast<int32_t>(i)}];
      if (s.kind == StmtKind::Assign && s.items.count == 1 && ast_[ast_.Items(s)[0]].kind == ExprKind::Name) {
        constants_.try_emplace(ast_[ast_.Items(s)[0]].name(), Sizes(s.a));
      }
    }
    int64_t reshaped = 0, made = 0;
    for (size_t i = first_expr_; i < ast_.exprs.size(); ++i) {
      const Expr& e = ast_[ExprId{static_cast<int32_t>(i)}];
      if (e.kind != ExprKind::Call) {
        continue;
      }
      const Expr& f = ast_[e.a];
      llvm::StringRef name = f.kind == ExprKind::Name || f.kind == ExprKind::Attribute ? ast_.text(f.name()) : "";
      llvm::ArrayRef<ExprId> args = ast_.Items(e);
      if (name == "make_mesh" && !args.empty()) {
        made = std::max(made, Product(Sizes(args[0])));
      } else if (name == "reshape" && f.kind == ExprKind::Attribute && MentionsDevices(f.a)) {
        std::vector<int64_t> all;
        for (ExprId arg : args) {
          std::vector<int64_t> sizes = Sizes(arg);
          all.insert(all.end(), sizes.begin(), sizes.end());
          if (sizes.empty()) {
            all.push_back(0);
          }
        }
        reshaped = std::max(reshaped, Product(all));
      }
    }
    return reshaped > 0 ? reshaped : std::max<int64_t>(made, 8);
  }

 private:
  static int64_t Product(const std::vector<int64_t>& sizes) {
    int64_t total = sizes.empty() ? 0 : 1;
    for (int64_t size : sizes) {
      if (size <= 0 || total > (int64_t{1} << 24) || llvm::MulOverflow(total, size, total) != 0) {
        return 0;
      }
    }
    return total;
  }

  std::vector<int64_t> Sizes(ExprId id) const {
    const Expr& e = ast_[id];
    int64_t value = 0;
    if (e.kind == ExprKind::Int && !llvm::StringRef(ast_.text(e.string())).getAsInteger(0, value)) {
      return {value};
    }
    if (e.kind == ExprKind::Name) {
      auto found = constants_.find(e.name());
      return found == constants_.end() ? std::vector<int64_t>() : found->second;
    }
    std::vector<int64_t> out;
    if (e.kind == ExprKind::Tuple || e.kind == ExprKind::List) {
      for (ExprId item : ast_.Items(e)) {
        std::vector<int64_t> one = Sizes(item);
        if (one.size() != 1) {
          return {};
        }
        out.push_back(one[0]);
      }
    }
    return out;
  }

  bool MentionsDevices(ExprId id) const {
    if (!id.valid()) {
      return false;
    }
    const Expr& e = ast_[id];
    if ((e.kind == ExprKind::Name || e.kind == ExprKind::Attribute) && ast_.text(e.name()) == "devices") {
      return true;
    }
    return MentionsDevices(e.a) || MentionsDevices(e.b) || MentionsDevices(e.c) ||
           llvm::any_of(ast_.Items(e), [&](ExprId item) { return MentionsDevices(item); });
  }

  const Ast& ast_;
  size_t first_expr_, first_stmt_;
  llvm::DenseMap<NameId, std::vector<int64_t>> constants_;
};

// How many devices the meshes of specs need.
int64_t SaidDevices(const specs::Specs* specs) {
  int64_t most = 0;
  for (const specs::MeshSpec& mesh : specs != nullptr ? specs->meshes : std::vector<specs::MeshSpec>()) {
    int64_t total = 1;
    for (const specs::MeshAxis& axis : mesh.axes) {
      total = axis.size > kMaxDevices / total ? kMaxDevices : std::max<int64_t>(total * axis.size, 1);
    }
    most = std::max(most, total);
  }
  return most;
}

}  // namespace

void Evaluator::SetNumDevices(int64_t devices) {
  num_devices_ = options_.devices > 0 ? options_.devices : devices;
  tracer().module().num_devices = std::max(num_devices_, SaidDevices(options_.specs));
}

bool Evaluator::RunFile() {
  FillTables();
  ReadPrelude();
  text_size_ = static_cast<int64_t>(diags_->sources().text(file_).size());
  size_t first_expr = ast_.exprs.size(), first_stmt = ast_.stmts.size();
  Parse(file_, ast_, *diags_);
  if (diags_->has_errors()) {
    return false;
  }
  num_devices_ = options_.devices > 0 ? options_.devices : DeviceCounter(ast_, first_expr, first_stmt).Count();
  // The file still has its own devices, which its text counts on; a mesh that stands in may have more.
  tracer().module().num_devices = std::max(num_devices_, SaidDevices(options_.specs));
  at_ = {file_, 0, 0};
  Value result;
  return RunAll(ast_.body, file_env_, result) != Flow::Fail && !failed_;
}

void Evaluator::StartAgain() {
  failed_ = false;
  steps_ = 0;
  tracer().work = 0;
}

std::optional<ir::Module> Evaluator::Read() {
  std::optional<ir::Module> module = RunFile() ? TraceEntry(*this) : std::nullopt;
  TellLater();
  return module;
}

std::optional<ir::Module> Read(source::FileId file, const ReadOptions& options, diag::Engine& diags,
                               llvm::raw_ostream& print_out) {
  for (bool whole_prelude : {false, true}) {
    Ast ast;
    std::string printed;
    llvm::raw_string_ostream print(printed);
    Evaluator evaluator(ast, file, options, diags, print, nullptr, whole_prelude);
    std::optional<ir::Module> module = evaluator.Read();
    if (whole_prelude || !evaluator.lacks_prelude() || diags.has_errors()) {
      print_out << print.str();
      return module;
    }
  }
  return std::nullopt;
}

}  // namespace spmdc::text::native
