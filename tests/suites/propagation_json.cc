// Suites of propagation: the shardings of the report against those that XLA chose, as blocks per device.
#include <map>
#include <nlohmann/json.hpp>

#include "llvm/ADT/SmallVector.h"
#include "suites/blocks.h"
#include "suites/suite.h"

namespace spmdc::suites {

namespace {

using Json = nlohmann::json;

std::vector<NamedAxis> AxesOf(const Json& list) {
  std::vector<NamedAxis> axes;
  for (const Json& axis : list) {
    axes.push_back({axis[0].get<std::string>(), axis[1].get<int64_t>()});
  }
  return axes;
}

// The report by value name and result number; a value that exists several times has several shardings.
class Shardings {
 public:
  Shardings(const Json& report, int64_t num_devices) : num_devices_(num_devices) {
    for (const Json& mesh : report.at("meshes")) {
      meshes_[mesh.at("name").get<std::string>()] = &mesh;
    }
    for (const Json& function : report.at("functions")) {
      if (main_ == nullptr || function.at("name") == "main") {
        main_ = &function;
      }
      for (const char* kind : {"values", "args"}) {
        for (const Json& value : function.at(kind)) {
          Add(value);
        }
      }
    }
  }

  const std::vector<const Json*>* Find(const std::string& name, size_t result) const {
    auto it = values_.find({name, result});
    return it == values_.end() ? nullptr : &it->second;
  }
  const Json* Boundary(const char* kind, size_t i) const {
    return i < main_->at(kind).size() ? &main_->at(kind)[i].at("sharding") : nullptr;
  }

  Blocks BlocksOf(const Json& sharding, size_t rank) const {
    Blocks none;
    none.counts.assign(rank, 1);
    none.devices.assign(static_cast<size_t>(num_devices_), std::vector<int64_t>(rank, 0));
    auto mesh = sharding.is_null() ? meshes_.end() : meshes_.find(sharding.at("mesh").get<std::string>());
    if (mesh == meshes_.end()) {
      return none;
    }
    auto dims = sharding.at("dims").get<std::vector<std::vector<std::string>>>();
    std::vector<int64_t> ids;
    if (!mesh->second->at("device_ids").is_null()) {
      ids = mesh->second->at("device_ids").get<std::vector<int64_t>>();
    }
    bool any = false;
    for (const auto& dim : dims) {
      any = any || !dim.empty();
    }
    return any ? BlocksOfAxes(dims, AxesOf(mesh->second->at("axes")), ids) : none;
  }

 private:
  void Add(const Json& value) {
    auto name = value.at("name").get<std::string>();
    size_t result = value.contains("result") ? value.at("result").get<size_t>() : 0;
    size_t hash = name.rfind('#');
    if (hash != std::string::npos) {
      result = std::stoul(name.substr(hash + 1));
      name.resize(hash);
    }
    values_[{name, result}].push_back(&value.at("sharding"));
  }

  int64_t num_devices_;
  std::map<std::string, const Json*> meshes_;
  std::map<std::pair<std::string, size_t>, std::vector<const Json*>> values_;
  const Json* main_ = nullptr;
};

class Case {
 public:
  explicit Case(const Json& c) : case_(c), mesh_(AxesOf(c.at("expect").at("mesh"))) {
    verdict_.name = c.at("name").get<std::string>();
    for (const NamedAxis& axis : mesh_) {
      num_devices_ *= axis.size;
    }
  }

  Verdict Judge() {
    std::vector<std::string> args = {"explain", "--json", "--stop-after=propagate", "-"};
    if (case_.value("propagation", "") == "gspmd") {
      args.push_back("--propagation=gspmd");
    }
    std::string out, err;
    int code = RunTool(args, case_.at("program").get<std::string>(), out, err);
    Json report = code == 0 ? Json::parse(out, nullptr, /*allow_exceptions=*/false) : Json();
    if (!report.is_object()) {
      verdict_.why = "exit " + std::to_string(code) + ": " + err.substr(0, 200);
      return verdict_;
    }
    Shardings got(report, num_devices_);
    for (const char* kind : {"args", "results"}) {
      const Json& expect = case_.at("expect");
      for (size_t i = 0; expect.contains(kind) && i < expect.at(kind).size(); ++i) {
        const Json& dims = expect.at(kind)[i];
        const Json* sharding = got.Boundary(kind, i);
        if (!dims.empty()) {
          Compare(std::string(kind) + " " + std::to_string(i), {Named(dims)},
                  sharding == nullptr ? nullptr : &(one_ = {sharding}), got);
        }
      }
    }
    for (const Json& value : case_.at("expect").at("values")) {
      value.contains("tile") || value.contains("any_tile") ? CompareTiles(value, got) : CompareAxes(value, got);
    }
    verdict_.good = verdict_.right == verdict_.checks;
    return verdict_;
  }

 private:
  Blocks Named(const Json& dims) const {
    return BlocksOfAxes(dims.get<std::vector<std::vector<std::string>>>(), mesh_, {});
  }

  void CompareAxes(const Json& value, const Shardings& got) {
    auto name = value.at("name").get<std::string>();
    size_t hash = name.rfind('#'), result = 0;
    if (hash != std::string::npos) {
      result = std::stoul(name.substr(hash + 1));
    }
    std::vector<Blocks> wanted;
    for (const Json& dims : value.contains("any") ? value.at("any") : Json::array({value.at("dims")})) {
      wanted.push_back(Named(dims));
    }
    Compare(name, wanted, got.Find(name.substr(0, hash), result), got);
  }

  void CompareTiles(const Json& value, const Shardings& got) {
    auto name = value.at("name").get<std::string>();
    Json alternatives = value.contains("any_tile") ? value.at("any_tile") : Json::array({value.at("tile")});
    for (size_t k = 0; k < value.at("ranks").size(); ++k) {
      auto rank = value.at("ranks")[k].get<size_t>();
      std::vector<Blocks> wanted;
      for (const Json& tile : alternatives) {
        std::vector<std::string> leaves = SplitTuple(tile.is_null() ? "{replicated}" : tile.get<std::string>());
        auto blocks = BlocksOfTiles(leaves[leaves.size() == value.at("ranks").size() ? k : 0], rank, num_devices_);
        if (blocks) {
          wanted.push_back(std::move(*blocks));
        }
      }
      if (rank != 0 && wanted.size() == alternatives.size()) {
        Compare(name + "#" + std::to_string(k), wanted, got.Find(name, k), got);
      }
    }
  }

  void Compare(const std::string& what, const std::vector<Blocks>& wanted, const std::vector<const Json*>* found,
               const Shardings& got) {
    ++verdict_.checks;
    bool good = found != nullptr;
    for (size_t i = 0; good && i < found->size(); ++i) {
      Blocks blocks = got.BlocksOf(*(*found)[i], wanted[0].counts.size());
      good = std::find(wanted.begin(), wanted.end(), blocks) != wanted.end();
    }
    verdict_.right += good ? 1 : 0;
    if (!good && verdict_.why.empty()) {
      verdict_.why = what + (found == nullptr ? " is not in the report" : " is elsewhere: " + (*found)[0]->dump());
    }
  }

  const Json& case_;
  std::vector<NamedAxis> mesh_;
  int64_t num_devices_ = 1;
  std::vector<const Json*> one_;
  Verdict verdict_;
};

}  // namespace

}  // namespace spmdc::suites

int main(int argc, char** argv) {
  using spmdc::suites::Json;
  return spmdc::suites::RunSuite(argc, argv, [](llvm::StringRef line) {
    Json c = Json::parse(line.begin(), line.end(), nullptr, /*allow_exceptions=*/false);
    return c.is_object() && c.contains("program") ? spmdc::suites::Case(c).Judge() : spmdc::suites::Verdict();
  });
}
