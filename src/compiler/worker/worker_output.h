// worker_output.h: writes what was compiled to the files that a request names.
#pragma once
#include "compiler/protocol/compiler_protocol.h"

// Writes blob and stream of an answer to files, unless these are there already, and replaces them
// in the answer by what the files hold. When a file cannot be written, no file stays and the answer
// says why. Does nothing for an answer with errors, or when `output` has no folder.
void ct_worker_write_output(const ct_compile_output *output, ct_compile_answer *answer);
