// Parser of the native language: the grammar of LANGUAGE section 2, with Python's precedence and forms.
//
// Python that is not part of the language (class, while, try, `:=`, ...) is refused at its line by name. After an error the
// parser goes on at the next statement, so that one run tells several errors.
#pragma once

#include <memory>

#include "diag/engine.h"
#include "text/native/ast.h"

namespace spmdc::text::native {

// Nesting deeper than this, of brackets, blocks or expressions, is refused (kind `too-deep`).
inline constexpr int kMaxNesting = 200;

// The tree of a file. Adds to `ast`, so that several files (program and prelude) share one table of names. Errors are in
// diags; the tree then holds what could be read.
void Parse(source::FileId file, Ast& ast, diag::Engine& diags);

}  // namespace spmdc::text::native
