// Programs written as StableHLO, propagated, and asked for shardings by name.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "op/verify.h"
#include "propagate/propagate.h"
#include "source/source_manager.h"
#include "text/stablehlo/reader.h"

namespace spmdc::propagate::testing {

// One program and what became of it.
class Propagated {
 public:
  Propagated(const std::string& text, Options::Mode mode) : diags_(&sources_) {
    source::FileId file = sources_.Add("test.mlir", text);
    std::optional<ir::Module> read = text::stablehlo::Read(file, diags_);
    if (read.has_value()) {
      Run(*read, mode);
    }
    if (!out.has_value()) {
      ADD_FAILURE() << diag::RenderText(diags_, false);
    }
  }

  void Run(const ir::Module& module, Options::Mode mode) {
    Options options;
    options.mode = mode;
    out = Propagate(module, options, diags_);
    EXPECT_TRUE(!out.has_value() || op::Verify(*out, diags_)) << diag::RenderText(diags_, false);
  }

  // The axes of a value's dims: `x y,,z`; of the given copy of the function it stands in.
  std::string operator[](const std::string& name) const { return Find(name, 0); }
  std::string Find(const std::string& name, int32_t instance) const {
    for (const ir::Function& f : out->functions) {
      for (const ir::Value& value : f.values) {
        if (value.name == name && f.instance == instance) {
          return Show(value.sharding);
        }
      }
    }
    return "no such value";
  }
  // Of all values of all functions, in order.
  std::vector<std::string> All() const {
    std::vector<std::string> all;
    for (const ir::Function& f : out->functions) {
      for (const ir::Value& value : f.values) {
        all.push_back(Show(value.sharding));
      }
    }
    return all;
  }
  std::string Result(size_t i) const { return Show(out->functions[out->entry].result_info[i].sharding); }
  std::string Arg(size_t i) const { return Show(out->functions[out->entry].arg_info[i].sharding); }

  std::string Show(mesh::ShardingId id) const {
    if (!id.valid()) {
      return "none";
    }
    const mesh::Sharding& sharding = out->tables->shardings[id];
    std::string text;
    for (size_t d = 0; d < sharding.dims.size(); ++d) {
      text += d == 0 ? "" : ",";
      for (size_t i = 0; i < sharding.dims[d].axes.size(); ++i) {
        text += (i == 0 ? "" : " ") + mesh::ToString(out->tables->meshes[sharding.mesh], sharding.dims[d].axes[i]);
      }
      text += sharding.dims[d].open ? "?" : "";
    }
    return text;
  }

  // `data from arg 0; model from constraint v5`: of a value of the entry.
  std::string Origins(const std::string& name) const {
    const ir::Function& f = out->functions[out->entry];
    std::string text;
    for (ir::ValueId v : f.values.ids()) {
      if (f.values[v].name != name) {
        continue;
      }
      const mesh::Mesh& mesh = out->tables->meshes[out->mesh];
      for (const ir::Origin& origin : out->origins.Get(out->entry).Get(v)) {
        text +=
            (text.empty() ? "" : "; ") + mesh::ToString(mesh, origin.axis) + " from " + out->annotation(origin)->from;
      }
    }
    return text;
  }

  size_t warnings() const {
    size_t n = 0;
    for (const diag::Diagnostic& d : diags_.all()) {
      n += d.severity == diag::Severity::Warning ? 1 : 0;
    }
    return n;
  }

  std::optional<ir::Module> out;

 private:
  source::SourceManager sources_;
  diag::Engine diags_;
};

}  // namespace spmdc::propagate::testing
