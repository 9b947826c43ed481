// worker_compile.h: runs one compile function and collects what it read, refers to and reports.
//
// The other side of compile.h. A worker process calls it for every request; tests call it without
// a process.
#pragma once
#include "compiler/protocol/compiler_protocol.h"

// Compiles `request` to `answer`, which is initialised here and freed with ct_compile_answer_free.
// The answer has a blob or at least one error. A type without a compile function is an error.
void ct_worker_compile(ct_allocator *a, const ct_compile_request *request,
                       ct_compile_answer *answer);
