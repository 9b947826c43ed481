// worker_output.h: writes what was compiled to the files that a request names.
#pragma once
#include "compiler/protocol/compiler_protocol.h"

// Writes blob and stream of an answer, unless they are there already, and puts what the files hold
// into their place. Where a file cannot be written none stays and the answer says why. Does nothing
// for an answer with errors, or when `output` has no folder.
void ct_worker_write_output(const ct_compile_output *output, ct_compile_answer *answer);
