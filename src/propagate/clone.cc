// A walk over the call tree that copies every function it meets a second time.
#include "propagate/clone.h"

#include "llvm/ADT/StringSet.h"
#include "op/op_def.h"

namespace spmdc::propagate {
namespace {

// How many functions the call tree has, counted before anything is copied. More than a few for each instruction of the
// program: a chain of calls has grown exponentially.
class TreeSize {
 public:
  TreeSize(const ir::Module& module, diag::Engine& diags) : module_(module), diags_(diags) {
    for (const ir::Function& function : module.functions) {
      most_ += 4 * static_cast<int64_t>(function.insts.size());
    }
  }

  // Nothing after a diagnostic: at the instruction with which a function has too many, or calls itself.
  std::optional<int64_t> Of(ir::FuncId id) {
    if (int64_t known = size_.Get(id)) {
      return known;
    }
    open_[id] = true;
    int64_t size = 1;
    const ir::Function& function = module_.functions[id];
    for (const ir::Inst& inst : function.insts) {
      for (ir::FuncId body : function.bodies(inst)) {
        if (open_.Get(body)) {
          diags_.Error(diag::Kind::UnsupportedFeature, inst.span,
                       "function `" + module_.functions[body].name + "` calls itself");
          return std::nullopt;
        }
        std::optional<int64_t> inner = Of(body);
        if (!inner) {
          return std::nullopt;
        }
        size += *inner;
      }
      if (size > most_) {
        diags_.Error(diag::Kind::TooLarge, inst.span,
                     "the calls of this program expand to too many copies of functions");
        return std::nullopt;
      }
    }
    open_[id] = false;
    size_[id] = size;
    return size;
  }

 private:
  const ir::Module& module_;
  diag::Engine& diags_;
  int64_t most_ = 1 << 16;
  IdMap<ir::FuncId, int64_t> size_;
  IdMap<ir::FuncId, char> open_;
};

class Cloner {
 public:
  explicit Cloner(ir::Module& module) : module_(module) {
    for (const ir::Function& f : module.functions) {
      names_.insert(f.name);
    }
  }

  void Visit(ir::FuncId id) {
    taken_[id] = true;
    for (size_t i = 0; i < module_.functions[id].insts.size(); ++i) {
      ir::Inst inst = module_.functions[id].insts[ir::InstId{static_cast<int32_t>(i)}];
      for (uint32_t b = 0; b < inst.num_bodies; ++b) {
        VisitBody(id, inst, inst.first_body + b);
      }
    }
  }

 private:
  void VisitBody(ir::FuncId owner, const ir::Inst& inst, size_t slot) {
    ir::FuncId body = module_.functions[owner].body_pool[slot];
    if (taken_.Get(body)) {
      body = Copy(body);
      module_.functions[owner].body_pool[slot] = body;
    }
    if (op::Def(inst.op).region != op::Region::Call) {
      module_.functions[body].enclosing = owner;
    }
    Visit(body);
  }

  ir::FuncId Copy(ir::FuncId from) {
    ir::Function copy = module_.functions[from];
    if (!copy.clone_of.valid()) {
      copy.clone_of = from;
    }
    copy.instance = ++copies_[copy.clone_of];
    std::string base = module_.functions[copy.clone_of].name;
    for (int32_t n = copy.instance;; ++n) {
      copy.name = base + "_" + std::to_string(n);
      if (names_.insert(copy.name).second) {
        break;
      }
    }
    return module_.functions.Add(std::move(copy));
  }

  ir::Module& module_;
  llvm::StringSet<> names_;
  IdMap<ir::FuncId, char> taken_;
  IdMap<ir::FuncId, int32_t> copies_;
};

}  // namespace

bool CheckCallTree(const ir::Module& module, diag::Engine& diags) {
  return TreeSize(module, diags).Of(module.entry).has_value();
}

void ClonePerCallSite(ir::Module& module) { Cloner(module).Visit(module.entry); }

}  // namespace spmdc::propagate
