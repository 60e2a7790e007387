// The prelude's text. `@export('jnp nn', ...)` makes a function known in those modules; others are the prelude's own.
#include "text/native/prelude.h"

namespace spmdc::text::native {

std::string PreludeText() {
  std::string text;
  for (const char* part : {
#include "text/native/prelude.inc"
       }) {
    text += part;
  }
  return text;
}

}  // namespace spmdc::text::native
