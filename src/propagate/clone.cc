// A walk over the call tree that copies every function it meets a second time.
#include "propagate/clone.h"

#include "llvm/ADT/StringSet.h"
#include "op/op_def.h"

namespace spmdc::propagate {
namespace {

// Beyond this, a chain of calls has grown exponentially.
constexpr size_t kMaxFunctions = 1U << 18;

class Cloner {
 public:
  Cloner(ir::Module& module, diag::Engine& diags) : module_(module), diags_(diags) {
    for (const ir::Function& f : module.functions) {
      names_.insert(f.name);
    }
  }

  bool Visit(ir::FuncId id) {
    taken_[id] = true;
    open_[id] = true;
    for (size_t i = 0; i < module_.functions[id].insts.size(); ++i) {
      ir::Inst inst = module_.functions[id].insts[ir::InstId{static_cast<int32_t>(i)}];
      for (uint32_t b = 0; b < inst.num_bodies; ++b) {
        if (!VisitBody(id, inst, inst.first_body + b)) {
          return false;
        }
      }
    }
    open_[id] = false;
    return true;
  }

 private:
  bool VisitBody(ir::FuncId owner, const ir::Inst& inst, size_t slot) {
    ir::FuncId body = module_.functions[owner].body_pool[slot];
    if (open_.Get(body)) {
      diags_.Error(diag::Kind::UnsupportedFeature, inst.span,
                   "function `" + module_.functions[body].name + "` calls itself");
      return false;
    }
    if (taken_.Get(body)) {
      if (module_.functions.size() >= kMaxFunctions) {
        diags_.Error(diag::Kind::TooLarge, inst.span,
                     "the calls of this program expand to too many copies of functions");
        return false;
      }
      body = Copy(body);
      module_.functions[owner].body_pool[slot] = body;
    }
    if (op::Def(inst.op).region != op::Region::Call) {
      module_.functions[body].enclosing = owner;
    }
    return Visit(body);
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
  diag::Engine& diags_;
  llvm::StringSet<> names_;
  IdMap<ir::FuncId, char> taken_, open_;
  IdMap<ir::FuncId, int32_t> copies_;
};

}  // namespace

bool ClonePerCallSite(ir::Module& module, diag::Engine& diags) { return Cloner(module, diags).Visit(module.entry); }

}  // namespace spmdc::propagate
