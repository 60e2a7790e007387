// Ops that this tool does not know, kept as text, and custom calls.
#include "ops/opaque.h"
#include "llvm/ADT/STLExtras.h"
#include "ops/sharding.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

// The op sets of StableHLO 1.x, Shardy and CHLO, sorted.
bool IsKnownOpName(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kStablehlo[] = {"abs",
                                                       "add",
                                                       "after_all",
                                                       "all_gather",
                                                       "all_reduce",
                                                       "all_to_all",
                                                       "and",
                                                       "atan2",
                                                       "batch_norm_grad",
                                                       "batch_norm_inference",
                                                       "batch_norm_training",
                                                       "bitcast_convert",
                                                       "broadcast",
                                                       "broadcast_in_dim",
                                                       "case",
                                                       "cbrt",
                                                       "ceil",
                                                       "cholesky",
                                                       "clamp",
                                                       "collective_broadcast",
                                                       "collective_permute",
                                                       "compare",
                                                       "complex",
                                                       "composite",
                                                       "concatenate",
                                                       "constant",
                                                       "convert",
                                                       "convolution",
                                                       "cosine",
                                                       "count_leading_zeros",
                                                       "create_token",
                                                       "custom_call",
                                                       "divide",
                                                       "dot",
                                                       "dot_general",
                                                       "dynamic_broadcast_in_dim",
                                                       "dynamic_conv",
                                                       "dynamic_gather",
                                                       "dynamic_iota",
                                                       "dynamic_pad",
                                                       "dynamic_reshape",
                                                       "dynamic_slice",
                                                       "dynamic_update_slice",
                                                       "einsum",
                                                       "exponential",
                                                       "exponential_minus_one",
                                                       "fft",
                                                       "floor",
                                                       "gather",
                                                       "get_dimension_size",
                                                       "get_tuple_element",
                                                       "if",
                                                       "imag",
                                                       "infeed",
                                                       "iota",
                                                       "is_finite",
                                                       "log",
                                                       "log_plus_one",
                                                       "logistic",
                                                       "map",
                                                       "maximum",
                                                       "minimum",
                                                       "multiply",
                                                       "negate",
                                                       "not",
                                                       "optimization_barrier",
                                                       "or",
                                                       "outfeed",
                                                       "pad",
                                                       "partition_id",
                                                       "popcnt",
                                                       "power",
                                                       "real",
                                                       "real_dynamic_slice",
                                                       "recv",
                                                       "reduce",
                                                       "reduce_precision",
                                                       "reduce_scatter",
                                                       "reduce_window",
                                                       "remainder",
                                                       "replica_id",
                                                       "reshape",
                                                       "return",
                                                       "reverse",
                                                       "rng",
                                                       "rng_bit_generator",
                                                       "round_nearest_afz",
                                                       "round_nearest_even",
                                                       "rsqrt",
                                                       "scatter",
                                                       "select",
                                                       "select_and_scatter",
                                                       "send",
                                                       "set_dimension_size",
                                                       "shift_left",
                                                       "shift_right_arithmetic",
                                                       "shift_right_logical",
                                                       "sign",
                                                       "sine",
                                                       "slice",
                                                       "sort",
                                                       "sqrt",
                                                       "subtract",
                                                       "tan",
                                                       "tanh",
                                                       "torch_index_select",
                                                       "transpose",
                                                       "triangular_solve",
                                                       "tuple",
                                                       "unary_einsum",
                                                       "uniform_dequantize",
                                                       "uniform_quantize",
                                                       "while",
                                                       "xor"};
  static constexpr llvm::StringLiteral kSdy[] = {"all_gather",
                                                 "all_reduce",
                                                 "all_slice",
                                                 "all_to_all",
                                                 "collective_permute",
                                                 "constant",
                                                 "data_flow_edge",
                                                 "manual_computation",
                                                 "mesh",
                                                 "named_computation",
                                                 "propagation_barrier",
                                                 "reduce_scatter",
                                                 "replicated_to_unreduced",
                                                 "reshard",
                                                 "return",
                                                 "sharded_to_unreduced",
                                                 "sharding_constraint",
                                                 "sharding_group"};
  static constexpr llvm::StringLiteral kChlo[] = {"acos",          "acosh",
                                                  "asin",          "asin_acos_kernel",
                                                  "asinh",         "atan",
                                                  "atanh",         "bessel_i1e",
                                                  "conj",          "constant",
                                                  "constant_like", "cosh",
                                                  "digamma",       "dynamic_reshape",
                                                  "erf",           "erf_inv",
                                                  "erfc",          "is_inf",
                                                  "is_neg_inf",    "is_pos_inf",
                                                  "lgamma",        "minimum_broadcast_shapes",
                                                  "mulhi",         "next_after",
                                                  "polygamma",     "ragged_dot",
                                                  "scan",          "sinh",
                                                  "square",        "tan",
                                                  "top_k",         "zeta"};
  auto [dialect, mnemonic] = name.split('.');
  if (dialect == "stablehlo") {
    return llvm::is_contained(kStablehlo, mnemonic);
  }
  if (dialect == "sdy") {
    return llvm::is_contained(kSdy, mnemonic);
  }
  return dialect == "chlo" && (llvm::is_contained(kChlo, mnemonic) || mnemonic.startswith("broadcast_"));
}

namespace {

// Where the types of a pretty form begin: behind the last ` : ` outside brackets and strings. npos if there is none.
size_t TypesOf(llvm::StringRef text) {
  size_t found = llvm::StringRef::npos;
  Lexer lex(text);
  while (lex.pos() < text.size()) {
    char c = text[lex.pos()];
    if (c == '"') {
      if (lex.Quoted().empty()) {
        return found;
      }
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      if (!lex.SkipBalanced()) {
        return found;
      }
    } else {
      if (c == ':') {
        found = lex.pos() + 1;
      }
      lex.set_pos(lex.pos() + 1);
    }
  }
  return found;
}

}  // namespace

// To the end of the line, or of the last bracket that opens on it. Operands are the `%names` on the way.
bool OpReader::ReadOpaquePretty() {
  Lexer& lex = parser_.lex_;
  size_t begin = lex.pos();
  lex.SkipOp();
  llvm::StringRef text = lex.Slice(begin, lex.pos());
  size_t loc = text.rfind(" loc(");
  text = text.substr(0, loc).rtrim();
  size_t types = TypesOf(text);
  if (types == llvm::StringRef::npos) {
    return Fail(diag::Kind::Syntax, "has no type");
  }
  // Operands stand in front of the attributes' braces.
  lex.set_pos(begin);
  llvm::StringRef head = text.substr(0, types - 1);
  size_t last_operand = 0;
  for (size_t at = head.find('%'); at != llvm::StringRef::npos; at = head.find('%', at + 1)) {
    lex.set_pos(begin + at);
    if (!Operand()) {
      return false;
    }
    last_operand = lex.pos() - begin;
  }
  lex.set_pos(begin + types);
  llvm::StringRef rest = head.substr(last_operand);
  if (lex.Peek() == '(') {
    if (!parser_.ReadFunctionType(operand_type_ids_, result_type_ids_)) {
      return false;
    }
  } else {
    lex.set_pos(begin + types - 1);
    if (!ColonTypes()) {
      return false;
    }
  }
  if (operand_type_ids_.size() != operands_.size()) {
    operand_type_ids_.clear();
    for (ir::ValueId id : operands_) {
      operand_type_ids_.push_back(id.valid() ? scope_.function.values[id].type : ir::TypeId());
    }
  }
  return MakeOpaque(rest.trim().str());
}

// `@target(%a, %b) {attrs} : types`
bool OpReader::ReadCustomCall() {
  Lexer& lex = parser_.lex_;
  if (lex.Peek() != '@') {
    return parser_.FailExpected("the target of a custom call");
  }
  auto target = parser_.ReadSymbolAttr();
  if (!target || !Expect("(") || !OperandList(")") || !Expect(")")) {
    return false;
  }
  size_t begin = lex.pos();
  if (!ColonTypes()) {
    return false;
  }
  return target->text == "Sharding" ? MakeConstraint()
                                    : MakeOpaque("@" + target->text + lex.Slice(begin, lex.last_end()).str());
}

// A custom call "Sharding" is how a constraint is written without sdy.
bool OpReader::MakeConstraint() {
  if (operands_.size() != 1 || result_type_ids_.size() != 1) {
    return Fail(diag::Kind::OperandCount, "a call of Sharding has one operand and one result");
  }
  const op::MlirAttr& text = attr("mhlo.sharding");
  std::optional<mesh::ShardingId> id;
  if (text) {
    id = parser_.HloSharding(text.text, parser_.type(result_type_ids_[0]).rank(), text.span);
  } else if (dict_.shardings.size() == 1) {
    id = dict_.shardings[0];
  } else {
    return Fail(diag::Kind::Annotation, "a call of Sharding needs one sharding");
  }
  if (!id) {
    return false;
  }
  dict_.shardings.clear();
  llvm::erase_if(dict_.fields, [](const auto& field) { return field.first == "mhlo.sharding"; });
  SetKind(ir::OpKind::ShardingConstraint);
  SetAttrs(module().tables->attrs.Add(ops::ShardingConstraintAttrs{*id}));
  return true;
}

bool OpReader::MakeOpaque(std::string text) {
  ops::OpaqueAttrs attrs;
  attrs.name = full_name_;
  attrs.text = std::move(text);
  for (const ir::Type& type : result_types()) {
    attrs.result_types.push_back(type);
  }
  SetKind(ir::OpKind::Opaque);
  SetAttrs(module().tables->attrs.Add(std::move(attrs)));
  return true;
}

}  // namespace spmdc::text::stablehlo
