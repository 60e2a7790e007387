// A validator: one case a keyword, the first violation told with its path.
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "schema.h"

namespace spmdc::text::json {
namespace {

using Json = nlohmann::json;

class Validator {
 public:
  explicit Validator(const Json& root) : root_(root) {}

  std::string Check(const Json& schema, const Json& value, const std::string& path) {
    for (const auto& [keyword, rule] : schema.items()) {
      auto known = kKeywords.find(keyword);
      if (known == kKeywords.end()) {
        return path + ": the schema says '" + keyword + "', which the validator does not know";
      }
      std::string wrong = (this->*known->second)(rule, value, path);
      if (!wrong.empty()) {
        return wrong;
      }
    }
    if (schema.contains("additionalProperties") && value.is_object()) {
      return Additional(schema, value, path);
    }
    return "";
  }

 private:
  using Keyword = std::string (Validator::*)(const Json&, const Json&, const std::string&);
  static const std::map<std::string, Keyword> kKeywords;

  static std::string If(bool wrong, const std::string& path, const std::string& what) {
    return wrong ? path + ": " + what : "";
  }

  std::string Nothing(const Json& /*rule*/, const Json& /*value*/, const std::string& /*path*/) { return ""; }
  std::string Ref(const Json& rule, const Json& value, const std::string& path) {
    return Check(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, path);
  }
  std::string Type(const Json& rule, const Json& value, const std::string& path) {
    const std::string& type = rule.get_ref<const std::string&>();
    bool good = type == "object"    ? value.is_object()
                : type == "array"   ? value.is_array()
                : type == "string"  ? value.is_string()
                : type == "integer" ? value.is_number_integer()
                : type == "boolean" ? value.is_boolean()
                                    : type == "null" && value.is_null();
    return If(!good, path, "no " + type);
  }
  std::string Const(const Json& rule, const Json& value, const std::string& path) {
    return If(rule != value, path, "not " + rule.dump());
  }
  std::string Enum(const Json& rule, const Json& value, const std::string& path) {
    return If(std::find(rule.begin(), rule.end(), value) == rule.end(), path, "none of " + rule.dump());
  }
  std::string Pattern(const Json& rule, const Json& value, const std::string& path) {
    bool bad = value.is_string() && !std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
    return If(bad, path, "does not match " + rule.dump());
  }
  std::string MinLength(const Json& rule, const Json& value, const std::string& path) {
    return If(value.is_string() && value.get<std::string>().size() < rule, path, "too short");
  }
  std::string Minimum(const Json& rule, const Json& value, const std::string& path) {
    return If(value.is_number() && value < rule, path, "below " + rule.dump());
  }
  std::string MinItems(const Json& rule, const Json& value, const std::string& path) {
    return If(value.is_array() && value.size() < rule, path, "too few");
  }
  std::string MaxItems(const Json& rule, const Json& value, const std::string& path) {
    return If(value.is_array() && value.size() > rule, path, "too many");
  }
  std::string Items(const Json& rule, const Json& value, const std::string& path) {
    for (size_t i = 0; value.is_array() && i < value.size(); ++i) {
      std::string wrong = Check(rule, value[i], path + "/" + std::to_string(i));
      if (!wrong.empty()) {
        return wrong;
      }
    }
    return "";
  }
  std::string PrefixItems(const Json& rule, const Json& value, const std::string& path) {
    for (size_t i = 0; value.is_array() && i < std::min(value.size(), rule.size()); ++i) {
      std::string wrong = Check(rule[i], value[i], path + "/" + std::to_string(i));
      if (!wrong.empty()) {
        return wrong;
      }
    }
    return "";
  }
  std::string Required(const Json& rule, const Json& value, const std::string& path) {
    for (const Json& key : rule) {
      if (value.is_object() && !value.contains(key.get<std::string>())) {
        return path + ": no " + key.dump();
      }
    }
    return "";
  }
  std::string Properties(const Json& rule, const Json& value, const std::string& path) {
    for (const auto& [key, schema] : rule.items()) {
      if (value.is_object() && value.contains(key)) {
        std::string wrong = Check(schema, value[key], path + "/" + key);
        if (!wrong.empty()) {
          return wrong;
        }
      }
    }
    return "";
  }
  std::string PropertyNames(const Json& rule, const Json& value, const std::string& path) {
    for (const auto& [key, member] : value.items()) {
      std::string wrong = value.is_object() ? Check(rule, Json(key), path + "/" + key) : "";
      if (!wrong.empty()) {
        return wrong;
      }
    }
    return "";
  }
  std::string Additional(const Json& schema, const Json& value, const std::string& path) {
    const Json& rule = schema["additionalProperties"];
    for (const auto& [key, member] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(key)) {
        continue;
      }
      std::string wrong = rule == false ? path + ": unknown key " + key : Check(rule, member, path + "/" + key);
      if (!wrong.empty()) {
        return wrong;
      }
    }
    return "";
  }
  std::string AnyOf(const Json& rule, const Json& value, const std::string& path) {
    std::string all;
    for (const Json& schema : rule) {
      std::string wrong = Check(schema, value, path);
      if (wrong.empty()) {
        return "";
      }
      all += "(" + wrong + ")";
    }
    return all;
  }
  std::string AllOf(const Json& rule, const Json& value, const std::string& path) {
    for (const Json& schema : rule) {
      std::string wrong = Check(schema, value, path);
      if (!wrong.empty()) {
        return wrong;
      }
    }
    return "";
  }
  std::string Not(const Json& rule, const Json& value, const std::string& path) {
    return If(Check(rule, value, path).empty(), path, "what must not be: " + rule.dump());
  }

  const Json& root_;
};

const std::map<std::string, Validator::Keyword> Validator::kKeywords = {
    {"$schema", &Validator::Nothing},
    {"$defs", &Validator::Nothing},
    {"title", &Validator::Nothing},
    {"additionalProperties", &Validator::Nothing},  // needs its neighbours: see Check
    {"$ref", &Validator::Ref},
    {"type", &Validator::Type},
    {"const", &Validator::Const},
    {"enum", &Validator::Enum},
    {"pattern", &Validator::Pattern},
    {"minLength", &Validator::MinLength},
    {"minimum", &Validator::Minimum},
    {"minItems", &Validator::MinItems},
    {"maxItems", &Validator::MaxItems},
    {"items", &Validator::Items},
    {"prefixItems", &Validator::PrefixItems},
    {"required", &Validator::Required},
    {"properties", &Validator::Properties},
    {"propertyNames", &Validator::PropertyNames},
    {"anyOf", &Validator::AnyOf},
    {"allOf", &Validator::AllOf},
    {"not", &Validator::Not},
};

}  // namespace

std::string Violation(const std::string& schema, const std::string& document) {
  Json rules = Json::parse(schema, nullptr, /*allow_exceptions=*/false);
  Json value = Json::parse(document, nullptr, /*allow_exceptions=*/false);
  if (rules.is_discarded() || value.is_discarded()) {
    return rules.is_discarded() ? "the schema is no JSON" : "no JSON";
  }
  return Validator(rules).Check(rules, value, "");
}

}  // namespace spmdc::text::json
