// The parser: trees of every form of the grammar, refusals by name and line, recovery, limits.
#include "text/native/parser.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace spmdc::text::native {
namespace {

// Writes a tree back with all brackets, so that tests see how it was grouped.
class Writer {
 public:
  explicit Writer(const Ast& ast) : ast_(ast) {}

  std::string Body(ListRange range) const {
    std::string out;
    for (StmtId id : ast_.Stmts(range)) {
      out += (out.empty() ? "" : "; ") + Statement(ast_[id]);
    }
    return out;
  }

 private:
  std::string Join(llvm::ArrayRef<ExprId> items) const {
    std::string out;
    for (ExprId id : items) {
      out += (out.empty() ? "" : ", ") + Write(id);
    }
    return out;
  }
  std::string Params(const Function& f) const {
    std::string out;
    for (const Param& p : f.params) {
      static const char* kMarks[] = {"/", "", "*", "kw:", "**"};
      out += (out.empty() ? "" : ", ") + std::string(kMarks[static_cast<int>(p.kind)]) + ast_.text(p.name).str();
      out += p.annotation.valid() ? ": " + Write(p.annotation) : "";
      out += p.default_value.valid() ? "=" + Write(p.default_value) : "";
    }
    return out;
  }
  std::string Statement(const Stmt& s) const;
  std::string Write(ExprId id) const;
  const Ast& ast_;
};

std::string Writer::Statement(const Stmt& s) const {
  switch (s.kind) {
    case StmtKind::Expression:
      return Write(s.a);
    case StmtKind::Assign:
      return Join(ast_.Items(s)) + " = " + Write(s.a);
    case StmtKind::AugAssign:
      return Write(s.a) + " " + Spelling(s.oper()).str() + "= " + Write(s.b);
    case StmtKind::AnnAssign:
      return Write(s.a) + ": " + Write(s.b) + (s.c.valid() ? " = " + Write(s.c) : "");
    case StmtKind::Return:
      return "return" + (s.a.valid() ? " " + Write(s.a) : "");
    case StmtKind::Assert:
      return "assert " + Write(s.a) + (s.b.valid() ? ", " + Write(s.b) : "");
    case StmtKind::If:
      return "if " + Write(s.a) + " {" + Body(s.body) + "} else {" + Body(s.orelse) + "}";
    case StmtKind::For:
      return "for " + Write(s.a) + " in " + Write(s.b) + " {" + Body(s.body) + "}";
    case StmtKind::With: {
      std::string out = "with";
      auto items = ast_.Items(s);
      for (size_t i = 0; i < items.size(); i += 2) {
        out += " " + Write(items[i]) + (items[i + 1].valid() ? " as " + Write(items[i + 1]) : "");
      }
      return out + " {" + Body(s.body) + "}";
    }
    case StmtKind::Def: {
      const Function& f = ast_[s.function()];
      std::string out;
      for (ExprId d : f.decorators) {
        out += "@" + Write(d) + " ";
      }
      return out + "def " + ast_.text(f.name).str() + "(" + Params(f) + ")" +
             (f.returns.valid() ? " -> " + Write(f.returns) : "") + " {" + Body(f.body) + "}";
    }
    case StmtKind::Import: {
      std::string out;
      for (const Import& i : ast_.imports[static_cast<size_t>(s.data)]) {
        out += (out.empty() ? "import " : ", ") + i.module + (i.member.empty() ? "" : ":" + i.member) + " as " +
               ast_.text(i.bound).str();
      }
      return out;
    }
    case StmtKind::Pass:
      return "pass";
    case StmtKind::Break:
      return "break";
    case StmtKind::Continue:
      return "continue";
  }
  return "?";
}

std::string Writer::Write(ExprId id) const {
  if (!id.valid()) {
    return "_";
  }
  const Expr& e = ast_[id];
  switch (e.kind) {
    case ExprKind::Error:
      return "ERROR";
    case ExprKind::Int:
    case ExprKind::Float:
    case ExprKind::Imag:
      return ast_.text(e.string());
    case ExprKind::String:
      return "'" + ast_.text(e.string()) + "'";
    case ExprKind::FString:
      return "f(" + Join(ast_.Items(e)) + ")";
    case ExprKind::Field:
      return "{" + (e.data >= 0 ? "`" + ast_.text(e.string()) + "` " : "") + Write(e.a) +
             (e.op ? std::string("!") + static_cast<char>(e.op) : "") + (e.b.valid() ? ":" + Write(e.b) : "") + "}";
    case ExprKind::True:
      return "True";
    case ExprKind::False:
      return "False";
    case ExprKind::None:
      return "None";
    case ExprKind::Ellipsis:
      return "...";
    case ExprKind::Name:
      return ast_.text(e.name()).str();
    case ExprKind::Attribute:
      return Write(e.a) + "." + ast_.text(e.name()).str();
    case ExprKind::Subscript:
      return Write(e.a) + "[" + Write(e.b) + "]";
    case ExprKind::Slice:
      return Write(e.a) + ":" + Write(e.b) + ":" + Write(e.c);
    case ExprKind::Call:
      return Write(e.a) + "(" + Join(ast_.Items(e)) + ")";
    case ExprKind::Keyword:
      return ast_.text(e.name()).str() + "=" + Write(e.a);
    case ExprKind::Starred:
      return "*" + Write(e.a);
    case ExprKind::DoubleStarred:
      return "**" + Write(e.a);
    case ExprKind::Unary:
      return "(" + Spelling(e.oper()).str() + " " + Write(e.a) + ")";
    case ExprKind::Binary:
      return "(" + Write(e.a) + " " + Spelling(e.oper()).str() + " " + Write(e.b) + ")";
    case ExprKind::And:
      return "and(" + Join(ast_.Items(e)) + ")";
    case ExprKind::Or:
      return "or(" + Join(ast_.Items(e)) + ")";
    case ExprKind::Compare: {
      std::string out = "(" + Write(ast_.Items(e)[0]);
      for (size_t i = 0; i < ast_.Operators(e).size(); ++i) {
        out += " " + Spelling(ast_.Operators(e)[i]).str() + " " + Write(ast_.Items(e)[i + 1]);
      }
      return out + ")";
    }
    case ExprKind::Conditional:
      return "(" + Write(e.a) + " if " + Write(e.b) + " else " + Write(e.c) + ")";
    case ExprKind::Lambda:
      return "lambda(" + Params(ast_[e.function()]) + ": " + Write(ast_[e.function()].value) + ")";
    case ExprKind::Tuple:
      return "(" + Join(ast_.Items(e)) + ",)";
    case ExprKind::List:
      return "[" + Join(ast_.Items(e)) + "]";
    case ExprKind::Set:
      return "{" + Join(ast_.Items(e)) + "}";
    case ExprKind::Dict:
      return "dict(" + Join(ast_.Items(e)) + ")";
    case ExprKind::ListComp:
      return "[" + Write(e.a) + " " + Join(ast_.Items(e)) + "]";
    case ExprKind::SetComp:
      return "{" + Write(e.a) + " " + Join(ast_.Items(e)) + "}";
    case ExprKind::GeneratorComp:
      return "gen(" + Write(e.a) + " " + Join(ast_.Items(e)) + ")";
    case ExprKind::DictComp:
      return "{" + Write(e.a) + ": " + Write(e.b) + " " + Join(ast_.Items(e)) + "}";
    case ExprKind::Clause:
      return "for " + Write(e.a) + " in " + Write(e.b) + (e.items.count ? " if " + Join(ast_.Items(e)) : "");
  }
  return "?";
}

struct Parsed {
  source::SourceManager sources;
  diag::Engine diags{&sources};
  Ast ast;

  explicit Parsed(std::string text) { Parse(sources.Add("t.spmd", std::move(text)), ast, diags); }
  std::string Messages() const {
    std::string out;
    for (const diag::Diagnostic* d : diags.Sorted()) {
      out += std::to_string(sources.Locate(d->span).line) + ": " + d->message + "\n";
    }
    return out;
  }
};

// The tree, or the errors.
std::string Tree(std::string text) {
  Parsed parsed(std::move(text));
  return parsed.diags.has_errors() ? parsed.Messages() : Writer(parsed.ast).Body(parsed.ast.body);
}

TEST(Parser, Precedence) {
  EXPECT_EQ(Tree("a + b * c ** -d @ e"), "(a + ((b * (c ** (- d))) @ e))");
  EXPECT_EQ(Tree("-a ** 2"), "(- (a ** 2))");
  EXPECT_EQ(Tree("a ** b ** c"), "(a ** (b ** c))");
  EXPECT_EQ(Tree("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(Tree("a | b ^ c & d << e + f"), "(a | (b ^ (c & (d << (e + f)))))");
  EXPECT_EQ(Tree("not a == b and c or d"), "or(and((not (a == b)), c), d)");
  EXPECT_EQ(Tree("a < b <= c is not d not in e"), "(a < b <= c is not d not in e)");
  EXPECT_EQ(Tree("a if b else c if d else e"), "(a if b else (c if d else e))");
  EXPECT_EQ(Tree("lambda x, *y, z=1, **k: x + z"), "lambda(x, *y, kw:z=1, **k: (x + z))");
  EXPECT_EQ(Tree("~a.b[c](d).e"), "(~ a.b[c](d).e)");
}

TEST(Parser, CallsAndSubscripts) {
  EXPECT_EQ(Tree("f(a, *b, k=c, **d,)"), "f(a, *b, k=c, **d)");
  EXPECT_EQ(Tree("f(x for x in y if x if z)"), "f(gen(x for x in y if x, z))");
  EXPECT_EQ(Tree("x[1:2, ::k, ..., None, :]"), "x[(1:2:_, _:_:k, ..., None, _:_:_,)]");
  EXPECT_EQ(Tree("x[a]"), "x[a]");
  EXPECT_EQ(Tree("x[a,]"), "x[(a,)]");
  EXPECT_EQ(Tree("x[*a, b]"), "x[(*a, b,)]");
}

TEST(Parser, Displays) {
  EXPECT_EQ(Tree("(), (a), (a,), [], [*a, b], {a, b}, {}, {a: b, **c}"),
            "((,), a, (a,), [], [*a, b], {a, b}, dict(), dict(a, b, **c, _),)");
  EXPECT_EQ(Tree("[a for a, b in c for d in e if d]"), "[a for (a, b,) in c, for d in e if d]");
  EXPECT_EQ(Tree("{a: b for (a, *b) in c}"), "{a: b for (a, *b,) in c}");
  EXPECT_EQ(Tree("{a for a in b}"), "{a for a in b}");
}

TEST(Parser, Strings) {
  EXPECT_EQ(Tree("'a' \"b\""), "'ab'");
  EXPECT_EQ(Tree("f'{{x}} {a + 1!r:>{w}} {d['k']}' 'y'"), "f('{x} ', {(a + 1)!r:f('>', {w})}, ' ', {d['k']}, 'y')");
  EXPECT_EQ(Tree("f'{x=}'"), "f({`x=` x})");
  EXPECT_EQ(Tree("f'{a, b}'"), "f({(a, b,)})");
  EXPECT_EQ(Tree("f'{lambda x: 1}'"), "1: expected `,` between parameters, found the end of the file\n");
}

TEST(Parser, Statements) {
  EXPECT_EQ(Tree("a = b, *c = d"), "a, (b, *c,) = d");
  EXPECT_EQ(Tree("x @= y; x[0] += 1; x: f32[8@data, 512] @ P('x', None) = y"),
            "x @= y; x[0] += 1; x: (f32[((8 @ data), 512,)] @ P('x', None)) = y");
  EXPECT_EQ(Tree("x: 'f32[8]{V:x}'"), "x: 'f32[8]{V:x}'");
  EXPECT_EQ(Tree("if a:\n  b\nelif c: d\nelse:\n  pass\n"), "if a {b} else {if c {d} else {pass}}");
  EXPECT_EQ(Tree("for i, (a, b) in enumerate(c):\n  if a: break\n  continue\n"),
            "for (i, (a, b,),) in enumerate(c) {if a {break} else {}; continue}");
  EXPECT_EQ(Tree("for x in *a, b: pass"), "for x in (*a, b,) {pass}");
  EXPECT_EQ(Tree("with set_mesh(m), mesh as n:\n  x\n"), "with set_mesh(m) mesh as n {x}");
  EXPECT_EQ(Tree("with (a as b, c): x"), "with a as b c {x}");
  EXPECT_EQ(Tree("with (a): x"), "with a {x}");
  EXPECT_EQ(Tree("with (a).b: x"), "with a.b {x}");
  EXPECT_EQ(Tree("assert a, 'b'"), "assert a, 'b'");
}

TEST(Parser, Functions) {
  EXPECT_EQ(Tree("@jit\n@partial(f, 1)\ndef g(a, /, b: (f32, s8)=1, *c, d, e=2, **k) -> f32[2]:\n  '''doc'''\n  return "
                 "a, b\n"),
            "@jit @partial(f, 1) def g(/a, b: (f32, s8,)=1, *c, kw:d, kw:e=2, **k) -> f32[2] {'doc'; return (a, b,)}");
  EXPECT_EQ(Tree("def f(p: {'w': f32[2], 'b': (f32, s32)}, *, q): return"),
            "def f(p: dict('w', f32[2], 'b', (f32, s32,)), kw:q) {return}");
}

TEST(Parser, LocalsAreTheNamesAFunctionAssigns) {
  Parsed parsed(
      "def f(a):\n  b = c\n  for d, e in a: pass\n  def g(): h = 1\n  x.y = z[0] = [i for i in a]\n  import jax\n");
  const Function& f = parsed.ast[parsed.ast[parsed.ast.Stmts(parsed.ast.body)[0]].function()];
  std::set<std::string> names;
  for (NameId name : f.locals) {
    names.insert(parsed.ast.text(name).str());
  }
  EXPECT_EQ(names, (std::set<std::string>{"a", "b", "d", "e", "g", "jax"}));
}

TEST(Parser, Imports) {
  EXPECT_EQ(Tree("import jax, jax.numpy as jnp\nfrom jax.sharding import (Mesh, PartitionSpec as P,)\nimport numpy"),
            "import jax as jax, jax.numpy as jnp; import jax.sharding:Mesh as Mesh, jax.sharding:PartitionSpec as P; "
            "import numpy as numpy");
  EXPECT_EQ(Tree("import os"), "1: the module `os` is not part of the language\n");
  EXPECT_EQ(Tree("from flax import linen"), "1: the module `flax` is not part of the language\n");
  EXPECT_EQ(Tree("from . import a"), "1: relative imports are not part of the language\n");
}

TEST(Parser, PythonThatIsNotPartOfTheLanguage) {
  for (const char* word :
       {"class A: x = 1", "while x: pass", "raise E", "del x", "global x", "async def f(): pass", "await x", "yield x",
        "match x:\n  case 1: pass", "try:\n  x\nexcept E:\n  y\nelse:\n  z\nfinally:\n  w"}) {
    std::string first = llvm::StringRef(word).split(' ').first.split(':').first.str();
    EXPECT_EQ(Tree(std::string("a = 1\n") + word + "\nb = 2\n"), "2: `" + first + "` is not part of the language\n")
        << word;
  }
  EXPECT_EQ(Tree("def f():\n  nonlocal x\n"), "2: `nonlocal` is not part of the language\n");
  EXPECT_EQ(Tree("f(y := 1)"), "1: `:=` is not part of the language\n");
  EXPECT_EQ(Tree("x = yield 1"), "1: `yield` is not part of the language\n");
  EXPECT_EQ(Tree("[x async for x in y]"), "1: `async` is not part of the language\n");
  EXPECT_EQ(Tree("for x in y:\n  pass\nelse:\n  pass\n"), "3: `else` of a `for` is not part of the language\n");
  EXPECT_EQ(Tree("match = 1\nmatch(x)"), "match = 1; match(x)");
}

TEST(Parser, RecoversAtTheNextStatement) {
  EXPECT_EQ(Tree("a = = 1\nb = 2\ndef f(a b):\n  c = )\n  d = 3\nwhile x:\n  return 1\n  e = +\nf = 4 5\n"),
            "1: expected a value, found `=`\n3: expected `,` between parameters, found `b`\n4: `)` closes nothing\n"
            "6: `while` is not part of the language\n8: expected an expression, found the end of the line\n"
            "9: expected the end of the statement, found `5`\n");
}

TEST(Parser, WrongForms) {
  EXPECT_EQ(Tree("f(a b)"), "1: expected `,` between arguments, found `b`\n");
  EXPECT_EQ(Tree("f(k=1, a)"), "1: a positional argument stands behind a keyword argument\n");
  EXPECT_EQ(Tree("f(k=1, k=2)"), "1: the keyword argument `k` is given twice\n");
  EXPECT_EQ(Tree("f() = 1"), "1: cannot assign to a call\n");
  EXPECT_EQ(Tree("1 += x"), "1: cannot assign to a constant\n");
  EXPECT_EQ(Tree("*a = b"), "1: a starred expression must stand in a tuple, a list, a set or a call\n");
  EXPECT_EQ(Tree("*a, *b = c"), "1: an assignment has at most one starred target\n");
  EXPECT_EQ(Tree("def f(a, a): pass"), "1: two parameters are called `a`\n");
  EXPECT_EQ(Tree("def f(a=1, b): pass"), "1: a parameter without default stands behind one with a default\n");
  EXPECT_EQ(Tree("return 1"), "1: `return` stands outside a function\n");
  EXPECT_EQ(Tree("break"), "1: `break` stands outside a loop\n");
  EXPECT_EQ(Tree("for x in y:\n  def f(): break"), "2: `break` stands outside a loop\n");
  EXPECT_EQ(Tree("if x:\ny = 1"), "2: expected an indented block\n");
  EXPECT_EQ(Tree("x = 1\n  y = 2\nz = 3"), "2: unexpected indentation\n");
  EXPECT_EQ(Tree("x = 1 if y"), "1: expected `else` in a conditional expression, found the end of the line\n");
  EXPECT_EQ(Tree("if x = 1: pass"), "1: expected `:` before a block, found `=`\n");
  EXPECT_EQ(Tree("else: pass"), "1: `else` follows no matching statement\n");
  EXPECT_EQ(Tree("f'{a'"), "1: this `{` of an f-string is never closed\n");
  EXPECT_EQ(Tree("f'{}'"), "1: an f-string's field needs an expression\n");
  EXPECT_EQ(Tree("f'}'"), "1: a single `}` stands in an f-string\n");
  EXPECT_EQ(Tree("x = f(a,\n  b\ny = 1\n"), "1: `(` is never closed\n");
}

TEST(Parser, NestingIsLimited) {
  EXPECT_EQ(Tree(std::string(150, '(') + "a" + std::string(150, ')')), "a");
  const std::string too_deep = "1: expressions and blocks may nest 200 deep\n";
  EXPECT_EQ(Tree(std::string(50000, '(') + "a" + std::string(50000, ')')), too_deep);
  EXPECT_EQ(Tree(std::string(50000, '-') + "a"), too_deep);
  EXPECT_EQ(Tree(std::string(50000, '[')).substr(0, 2), "1:");
  std::string calls = "a";
  std::string powers = "a";
  std::string sum = "a";
  std::string nots;
  for (int i = 0; i < 20000; ++i) {
    calls += "()";
    powers += "**a";
    sum += "+a";
    nots += "not ";
  }
  EXPECT_EQ(Tree(calls), too_deep);
  EXPECT_EQ(Tree(powers), too_deep);
  EXPECT_EQ(Tree(nots + "a"), too_deep);
  EXPECT_FALSE(Parsed(sum).diags.has_errors());
  std::string blocks;
  std::string elifs = "if a: b\n";
  for (int i = 0; i < 1000; ++i) {
    blocks += std::string(static_cast<size_t>(i), ' ') + "if a:\n";
    elifs += "elif a: b\n";
  }
  EXPECT_EQ(Parsed(blocks + std::string(1000, ' ') + "b\n").diags.all()[0].kind, diag::Kind::TooDeep);
  EXPECT_EQ(Parsed(elifs).diags.all()[0].kind, diag::Kind::TooDeep);
}

// Every prefix and every single-byte change of a program is read without a crash.
TEST(Parser, SurvivesBrokenText) {
  const std::string program =
      "mesh = make_mesh((4, 2), ('x', 'y'))\n@jit(out_shardings=P('x'))\ndef main(a: f32[8@x, 4] @ P(None), *b, c=1, "
      "**d):\n"
      "  for i, (k, v) in enumerate({'a': [1, *b], **d}.items()):\n    a[1:, ..., ::2] += f'{k!r:>{i}}' if not v else "
      "-a ** 2\n"
      "  with set_mesh(mesh) as m: return lambda x, /, y=[z for z in x if z]: {x, y}\n";
  for (size_t i = 0; i < program.size(); ++i) {
    Parsed prefix(program.substr(0, i));
    for (char c : {'\0', '\n', '(', ']', '\'', '"', ':', '{', '\\', '\xFF', '*', ' '}) {
      std::string changed = program;
      changed[i] = c;
      Parsed parsed(changed);
    }
  }
}

}  // namespace
}  // namespace spmdc::text::native
