// The parser's state and its functions; private to parser_*.cc.
#pragma once

#include <vector>

#include "llvm/ADT/DenseSet.h"
#include "text/native/lexer.h"
#include "text/native/parser.h"

namespace spmdc::text::native {

// Parse functions return an ExprKind::Error node, or false, after they have reported something; the statement is then given
// up. One statement reports one syntax error.
class Parser {
 public:
  Parser(source::FileId file, Ast& ast, diag::Engine& diags) : file_(file), ast_(ast), diags_(diags) {}
  void ParseFile();

 private:
  // A function (or the file) being parsed: what its body assigns.
  struct Scope {
    bool is_function = false;
    int loops = 0;
    llvm::SmallDenseSet<NameId, 8> locals;
  };

  // Tokens.
  const Token& Peek(size_t ahead = 0) const {
    size_t i = at_ + ahead;
    return tokens_[i < tokens_.size() ? i : tokens_.size() - 1];
  }
  bool Is(Tok kind) const { return Peek().kind == kind; }
  bool Accept(Tok kind);
  bool Expect(Tok kind, const char* context);
  Token Take() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_.back(); }
  llvm::StringRef Text(const Token& token) const { return diags_.sources().text(file_).slice(token.begin, token.end); }
  source::Span SpanOf(const Token& token) const { return {file_, token.begin, token.end}; }
  source::Span SpanFrom(uint32_t begin) const {
    return {file_, begin, at_ == 0 ? begin : std::max(begin, tokens_[at_ - 1].end)};
  }
  // Reports the first syntax error of a statement; later ones are consequences.
  bool Error(source::Span span, std::string message, std::string help = "");
  bool ErrorHere(const std::string& expected);
  bool TooDeep();

  // Statements (parser_stmt.cc, parser_compound.cc).
  ListRange ParseBlock();
  ListRange ParseStatements(bool file);
  void ParseLine(llvm::SmallVectorImpl<StmtId>& out);
  void Recover();
  bool ParseSimple(llvm::SmallVectorImpl<StmtId>& out);
  bool ParseExpressionStatement(llvm::SmallVectorImpl<StmtId>& out);
  bool ParseCompound(llvm::SmallVectorImpl<StmtId>& out);
  bool ParseIf(llvm::SmallVectorImpl<StmtId>& out);
  bool ParseFor(llvm::SmallVectorImpl<StmtId>& out);
  bool ParseWith(llvm::SmallVectorImpl<StmtId>& out);
  bool ParseWithItems(llvm::SmallVectorImpl<ExprId>& items, bool in_brackets);
  bool ParseDef(llvm::SmallVectorImpl<StmtId>& out);
  bool ParseParams(Function& function, Tok close, bool annotated);
  bool ParseParam(Function& function, ParamKind kind, bool annotated);
  bool CheckParams(const Function& function);
  bool ParseImport(llvm::SmallVectorImpl<StmtId>& out);
  bool ParseFromImport(Stmt& stmt);
  bool ParseModule(std::string& module, source::Span& span);
  bool RefuseStatement();
  void SkipCompound();
  bool IsMatchStatement() const;
  // Checks that an expression may be assigned to, and makes its names local to the scope.
  bool CheckTarget(ExprId target, bool augmented = false);
  void Assigns(NameId name);
  StmtId AddStmt(Stmt stmt) { return ast_.stmts.Add(stmt); }

  // Expressions (parser_expr.cc, parser_postfix.cc, parser_atom.cc, parser_comprehension.cc).
  ExprId ParseExpression();                                 // conditional expression or lambda
  ExprId ParseExpressionList(bool star, const char* what);  // a, b, *c: a tuple if there is a comma
  ExprId ParseDisjunction();
  ExprId ParseConjunction();
  ExprId ParseNot();
  ExprId ParseComparison();
  ExprId ParseBinary(int loosest);
  ExprId ParseUnary();
  ExprId ParsePower();
  ExprId ParsePostfix();
  ExprId ParseAtom();
  ExprId ParseName();
  ExprId ParseLambda();
  ExprId ParseParenthesized();
  ExprId ParseListDisplay();
  ExprId ParseBraces();
  // What a list or a set ends in and becomes.
  struct Display {
    Tok close;
    const char* to_close;
    ExprKind kind, comprehension;
  };
  ExprId ParseDisplay(uint32_t begin, const Display& display);
  ExprId ParseDictRest(uint32_t begin, llvm::SmallVector<ExprId, 8> entries);
  ExprId ParseNumber();
  ExprId ParseStrings();
  bool ParseFStringParts(Token token, llvm::SmallVectorImpl<ExprId>& parts);
  bool ParseFStringBody(uint32_t begin, uint32_t end, bool raw, bool spec, llvm::SmallVectorImpl<ExprId>& parts);
  bool ParseField(uint32_t begin, uint32_t end, bool raw, llvm::SmallVectorImpl<ExprId>& parts);
  ExprId ParseCall(ExprId function, uint32_t begin);
  // The arguments of one call, and what order and names of those before ask of the next one.
  struct Arguments {
    llvm::SmallVector<ExprId, 8> list;
    llvm::DenseSet<int32_t> keywords;  // names
    bool unpacked = false;             // a ** among them
  };
  bool ParseArgument(Arguments& arguments);
  ExprId ParseSubscript(ExprId object, uint32_t begin);
  ExprId ParseIndex();
  ExprId ParseStarOrExpression();
  ExprId ParseTargets();  // behind `for`: a, (b, c), *d
  bool ParseClauses(llvm::SmallVectorImpl<ExprId>& clauses);
  ExprId Comprehension(ExprKind kind, uint32_t begin, ExprId element, ExprId value);
  bool AtExpressionStart() const;

  // Makes a node; reports trees that are too deep.
  ExprId Add(Expr e);
  ExprId Fail() { return ast_.exprs.Add({}); }
  bool failed(ExprId id) const { return ast_.exprs[id].kind == ExprKind::Error; }
  const Expr& expr(ExprId id) const { return ast_.exprs[id]; }

  source::FileId file_;
  Ast& ast_;
  diag::Engine& diags_;
  std::vector<Token> tokens_;
  uint32_t unclosed_ = UINT32_MAX;  // where a bracket opens that is never closed: what follows is not worth an error
  size_t at_ = 0;
  int nesting_ = 0;
  bool statement_failed_ = false;
  bool too_deep_told_ = false;
  llvm::SmallVector<Scope, 4> scopes_;

  friend class Nested;
};

// Counts one level of recursion while it lives.
class Nested {
 public:
  explicit Nested(Parser& parser) : parser_(parser) { ++parser_.nesting_; }
  ~Nested() { --parser_.nesting_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;
  bool too_deep() const { return parser_.nesting_ > kMaxNesting; }

 private:
  Parser& parser_;
};

}  // namespace spmdc::text::native
