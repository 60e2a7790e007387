// Syntax tree of a native program: flat tables of expressions, statements and functions, addressed by ids.
//
// An expression has up to three operands and a list of children; what they are depends on its kind (see ExprKind). The
// parser bounds the depth of trees, but for left-leaning chains of operators (`a + b + c ...`), which readers of the tree
// walk in a loop.
#pragma once

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "source/span.h"
#include "support/store.h"

namespace spmdc::text::native {

using ExprId = Id<struct ExprTag>;
using StmtId = Id<struct StmtTag>;
using FunctionId = Id<struct FunctionTag>;
// An interned identifier.
using NameId = Id<struct NameTag>;
// A string of the program.
using StringId = Id<struct StringTag>;

enum class ExprKind : uint8_t {
  Error,  // reported already
  Int,
  Float,
  Imag,     // string: the digits as written, without underscores
  String,   // string
  FString,  // items: String and Field
  Field,    // a: expression; b: format spec (an FString) or none; op: 0, 'r', 's' or 'a'; string: `x=` text if any
  True,
  False,
  None,
  Ellipsis,
  Name,           // name
  Attribute,      // a: object; name
  Subscript,      // a: object; b: index (a Tuple if there are commas)
  Slice,          // a, b, c: lower, upper, step, each may be none
  Call,           // a: function; items: arguments in order, some of them Starred, Keyword, DoubleStarred
  Keyword,        // name, a: value
  Starred,        // a
  DoubleStarred,  // a; also an entry of a Dict
  Unary,          // op: Operator; a
  Binary,         // op: Operator; a, b
  And,
  Or,           // items: at least two
  Compare,      // items: operands, one more than operators; op of the k-th comparison: list entry of Compare (see Ast)
  Conditional,  // a if b else c
  Lambda,       // function
  Tuple,
  List,
  Set,   // items
  Dict,  // items: key, value, key, value, ... ; a DoubleStarred takes one place, followed by none
  ListComp,
  SetComp,
  GeneratorComp,  // a: element; items: Clause
  DictComp,       // a: key, b: value; items: Clause
  Clause,         // for a in b; items: conditions
};

enum class Operator : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  MatMul,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,  // binary
  Neg,
  Pos,
  Invert,
  Not,  // unary
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  In,
  NotIn,
  Is,
  IsNot,  // comparisons
};
llvm::StringRef Spelling(Operator op);

// A run of entries in one of the tree's lists.
struct ListRange {
  uint32_t first = 0;
  uint32_t count = 0;
};

struct Expr {
  ExprKind kind = ExprKind::Error;
  bool parenthesized = false;
  uint8_t op = 0;
  uint16_t depth = 1;  // of the tree; a left operand of an operator does not add to it
  source::Span span;
  ExprId a, b, c;
  ListRange items;
  int32_t data = -1;  // the index of a name, a string or a function

  NameId name() const { return {data}; }
  StringId string() const { return {data}; }
  FunctionId function() const { return {data}; }
  Operator oper() const { return static_cast<Operator>(op); }
};

enum class StmtKind : uint8_t {
  Expression,  // a
  Assign,      // targets: items, left to right; a: value
  AugAssign,   // op: Operator; a: target, b: value
  AnnAssign,   // a: target, b: annotation, c: value or none
  Return,      // a or none
  Assert,      // a: condition, b: message or none
  If,          // a: condition; body, orelse
  For,         // a: target, b: iterable; body
  With,        // items: context, target or none, context, ...; body
  Def,         // function
  Import,      // imports
  Pass,
  Break,
  Continue,
};

struct Stmt {
  StmtKind kind = StmtKind::Pass;
  uint8_t op = 0;
  source::Span span;  // of the statement, or of its header if it has a body
  ExprId a, b, c;
  ListRange items;         // expressions
  ListRange body, orelse;  // statements
  int32_t data = -1;       // Def: function; Import: index into Ast::imports

  FunctionId function() const { return {data}; }
  Operator oper() const { return static_cast<Operator>(op); }
};

enum class ParamKind : uint8_t { PositionalOnly, Normal, Star, KeywordOnly, DoubleStar };

struct Param {
  NameId name;
  ParamKind kind = ParamKind::Normal;
  ExprId annotation, default_value;
  source::Span span;  // of the name
};

// A `def` or a `lambda`.
struct Function {
  NameId name;        // none for a lambda
  source::Span span;  // of the header
  source::Span name_span;
  llvm::SmallVector<Param, 4> params;
  llvm::SmallVector<ExprId, 1> decorators;
  ExprId returns;  // annotation or none
  ExprId value;    // of a lambda
  ListRange body;  // of a def
  // Names that belong to the function because something in it assigns them (parameters too). Others are looked up outside.
  llvm::SmallDenseSet<NameId, 8> locals;
};

// `import a.b as c` (module a.b, no member), `from a.b import d as c`.
struct Import {
  std::string module;
  std::string member;
  NameId bound;  // the name that it defines
  bool aliased = false;
  source::Span span;
};

class Ast {
 public:
  Store<ExprId, Expr> exprs;
  Store<StmtId, Stmt> stmts;
  Store<FunctionId, Function> functions;
  std::vector<llvm::SmallVector<Import, 2>> imports;
  ListRange body;  // of the file

  const Expr& operator[](ExprId id) const { return exprs[id]; }
  const Stmt& operator[](StmtId id) const { return stmts[id]; }
  const Function& operator[](FunctionId id) const { return functions[id]; }

  llvm::ArrayRef<ExprId> Items(const Expr& e) const {
    return llvm::ArrayRef<ExprId>(expr_lists_).slice(e.items.first, e.items.count);
  }
  llvm::ArrayRef<ExprId> Items(const Stmt& s) const {
    return llvm::ArrayRef<ExprId>(expr_lists_).slice(s.items.first, s.items.count);
  }
  llvm::ArrayRef<StmtId> Stmts(ListRange range) const {
    return llvm::ArrayRef<StmtId>(stmt_lists_).slice(range.first, range.count);
  }
  // The operators of a Compare, one fewer than its items.
  llvm::ArrayRef<Operator> Operators(const Expr& compare) const {
    return llvm::ArrayRef<Operator>(operator_lists_).slice(static_cast<size_t>(compare.data), compare.items.count - 1);
  }

  ListRange AddList(llvm::ArrayRef<ExprId> items);
  ListRange AddList(llvm::ArrayRef<StmtId> items);
  int32_t AddOperators(llvm::ArrayRef<Operator> operators);

  NameId Intern(llvm::StringRef name);
  // None if nothing in the program has this name.
  NameId Find(llvm::StringRef name) const;
  llvm::StringRef text(NameId name) const { return names_[static_cast<size_t>(name.index)]; }
  size_t num_names() const { return names_.size(); }
  StringId AddString(std::string text);
  const std::string& text(StringId string) const { return strings_[static_cast<size_t>(string.index)]; }

 private:
  std::vector<ExprId> expr_lists_;
  std::vector<StmtId> stmt_lists_;
  std::vector<Operator> operator_lists_;
  std::vector<llvm::StringRef> names_;  // keys of name_ids_
  llvm::StringMap<int32_t> name_ids_;
  std::vector<std::string> strings_;
};

}  // namespace spmdc::text::native
