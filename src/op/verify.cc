// Walks every function once and asks inference about every instruction.
#include "op/verify.h"

#include "op/form.h"
#include "op/op_def.h"
#include "support/key_table.h"

namespace spmdc::op {
namespace {

bool SameButBounds(const ir::Type& a, const ir::Type& b) {
  return a.dtype == b.dtype && a.dims == b.dims && a.sharding == b.sharding;
}

class Verifier {
 public:
  Verifier(const ir::Module& module, diag::Engine& diags) : module_(module), diags_(diags) {}

  bool Run() {
    bool good = true;
    for (const ir::Function& function : module_.functions) {
      good = Check(function) && good;
    }
    return good;
  }

 private:
  bool Check(const ir::Function& function) {
    bool good = true;
    for (const ir::Inst& inst : function.insts) {
      for (ir::ValueId v : function.operands(inst)) {
        SPMDC_CHECK(v.valid() && v.index < inst.first_result.index, "operand used before its definition");
      }
      good = CheckTypes(function, inst) && good;
    }
    for (ir::ValueId v : function.results) {
      SPMDC_CHECK(v.valid() && static_cast<size_t>(v.index) < function.values.size(), "result is no value");
    }
    for (const ir::Value& value : function.values) {
      good = CheckSize(value) && CheckSharding(value, value.sharding) && good;
    }
    for (size_t i = 0; i < function.args.size(); ++i) {
      good = CheckSharding(function.values[function.args[i]], function.arg_info[i].sharding) && good;
    }
    for (size_t i = 0; i < function.results.size(); ++i) {
      good = CheckSharding(function.values[function.results[i]], function.result_info[i].sharding) && good;
    }
    return good;
  }

  // Byte counts are computed in 64 bits; no array that a machine could hold comes near.
  bool CheckSize(const ir::Value& value) {
    constexpr double kMaxBytes = 1e18;
    if (small_types_.Get(value.type)) {
      return true;
    }
    const ir::Type& type = module_.type(value);
    double bytes = type.is_array() ? static_cast<double>(tensor::ByteWidth(type.dtype)) : 0;
    for (int64_t d : type.dims) {
      bytes *= static_cast<double>(d);
    }
    if (bytes <= kMaxBytes) {
      small_types_[value.type] = 1;
      return true;
    }
    diags_.Error(diag::Kind::TooLarge, value.span,
                 "'" + value.name + "' of type " + ir::ToString(*module_.tables, type) + " has more than 10^18 bytes");
    return false;
  }

  // What is like an instruction that was found good is good.
  bool CheckTypes(const ir::Function& function, const ir::Inst& inst) {
    form_.clear();
    AppendForm(function, inst, form_);
    if (good_forms_.Find(form_) != KeyTable::kUnknown) {
      return true;
    }
    operands_.resize(inst.num_operands);
    for (size_t i = 0; i < operands_.size(); ++i) {
      operands_[i] = module_.type(function, function.operands(inst)[i]);
    }
    InferContext cx(module_, Def(inst.op), operands_, inst.attrs, function.bodies(inst), inst.out_sharding, inst.span,
                    diags_);
    if (!InferTypes(cx)) {
      return false;
    }
    if (cx.results.size() != inst.num_results) {
      return cx.Fail(diag::Kind::ResultType, "has " + std::to_string(inst.num_results) + " results, expected " +
                                                 std::to_string(cx.results.size()));
    }
    for (size_t i = 0; i < cx.results.size(); ++i) {
      const ir::Type& declared = module_.type(function, function.result(inst, i));
      if (!SameButBounds(declared, cx.results[i])) {
        return cx.Fail(diag::Kind::ResultType, "result " + std::to_string(i) + " is declared " + cx.Show(declared) +
                                                   ", but the op makes " + cx.Show(cx.results[i]));
      }
    }
    good_forms_.Insert(form_);
    return true;
  }

  bool CheckSharding(const ir::Value& value, mesh::ShardingId id) {
    if (!id.valid()) {
      return true;
    }
    size_t rank = module_.type(value).rank();
    uint64_t& good_ranks = good_shardings_[id];
    uint64_t bit = rank < 64 ? uint64_t{1} << rank : 0;
    if ((good_ranks & bit) != 0) {
      return true;
    }
    const mesh::Sharding* sharding = &module_.tables->shardings[id];
    const mesh::Mesh& mesh = module_.tables->meshes[sharding->mesh];
    std::string wrong = mesh::Verify(mesh, *sharding, rank);
    if (wrong.empty()) {
      good_ranks |= bit;
      return true;
    }
    diags_.Error(sharding->dims.size() != rank ? diag::Kind::SpecRank : diag::Kind::SpecForm, value.span,
                 "sharding " + mesh::ToSdy(mesh, *sharding) + " of %" + value.name + ": " + wrong);
    return false;
  }

  const ir::Module& module_;
  diag::Engine& diags_;
  llvm::SmallVector<ir::Type, 4> operands_;  // of the instruction that is checked
  llvm::SmallVector<int32_t, 16> form_;      // of the instruction that is checked
  KeyTable good_forms_;
  IdMap<ir::TypeId, char> small_types_;               // 1: found to be of a size to count
  IdMap<mesh::ShardingId, uint64_t> good_shardings_;  // the ranks they were found good for, a bit each
};

}  // namespace

bool Verify(const ir::Module& module, diag::Engine& diags) { return Verifier(module, diags).Run(); }

bool CheckStatic(const ir::Module& module, llvm::StringRef what, diag::Engine& diags) {
  for (const ir::Function& function : module.functions) {
    for (const ir::Value& value : function.values) {
      const ir::Type& type = module.type(value);
      const auto* bound = llvm::find_if(type.bounded, [](uint8_t bounded) { return bounded != 0; });
      if (bound != type.bounded.end()) {
        size_t dim = static_cast<size_t>(bound - type.bounded.begin());
        diags
            .Error(diag::Kind::UnsupportedFeature, value.span,
                   "dim " + std::to_string(dim) + " of %" + value.name + " has any size up to " +
                       std::to_string(type.dims[dim]) + ": such a program is not " + what.str())
            .Help("it can be read and printed as HLO and StableHLO: --stop-after=parse --emit=hlo");
        return false;
      }
    }
  }
  return true;
}

}  // namespace spmdc::op
