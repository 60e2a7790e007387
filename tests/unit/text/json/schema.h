// JSON Schema, as far as the schemas in docs/ use it.
#pragma once

#include <string>

namespace spmdc::text::json {

// Why a document is not what a schema says, or an empty string. Keywords that this does not know are an error too.
std::string Violation(const std::string& schema, const std::string& document);

}  // namespace spmdc::text::json
