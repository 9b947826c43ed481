// worker_glsl.h: GLSL to SPIR-V, through shaderc.
//
// The first compilation in a process takes some 70 ms, so what shaderc sets up is kept until the
// process ends.
#pragma once
#include "compiler/protocol/compile.h"
#include "foundation/container/hash_map.h"

// A stage of a pipeline that GLSL is compiled for.
typedef enum ct_worker_stage {
    CT_WORKER_STAGE_VERTEX,
    CT_WORKER_STAGE_FRAGMENT,
    CT_WORKER_STAGE_COMPUTE,
} ct_worker_stage;

// A module; the words come from the job's allocator.
typedef struct ct_worker_spirv {
    uint32_t *words;
    uint32_t num_words;
} ct_worker_spirv;

// The compilations of one job. An error that several variants have is reported once.
typedef struct ct_worker_glsl {
    ct_compile *c;
    ct_hash_map told; // hashes of the errors so far
} ct_worker_glsl;

// Starts the compilations of the job `c`, which is borrowed; memory is the job's.
void ct_worker_glsl_init(ct_worker_glsl *g, ct_compile *c);

// Compiles `glsl` for Vulkan 1.3. With `optimize`, unused parts and names are removed. Returns
// false after reporting errors at the files and lines that `#line` directives give.
bool ct_worker_glsl_compile(ct_worker_glsl *g, ct_worker_stage stage, const char *glsl,
                            bool optimize, ct_worker_spirv *spirv);
