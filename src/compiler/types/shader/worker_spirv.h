// worker_spirv.h: what a SPIR-V module needs and gives, through SPIRV-Cross.
#pragma once
#include "compiler/types/shader/worker_glsl.h"
#include "foundation/container/array.h"

typedef enum ct_worker_binding_kind {
    CT_WORKER_BINDING_KIND_OTHER,
    CT_WORKER_BINDING_KIND_UNIFORM_BUFFER,
    CT_WORKER_BINDING_KIND_SAMPLED_IMAGE, // 2D, with its sampler
    CT_WORKER_BINDING_KIND_SAMPLED_ARRAY, // 2D layers
    CT_WORKER_BINDING_KIND_SAMPLED_CUBE,
    CT_WORKER_BINDING_KIND_STORAGE_BUFFER,
    CT_WORKER_BINDING_KIND_STORAGE_IMAGE, // 2D
} ct_worker_binding_kind;

// A descriptor that a module uses.
typedef struct ct_worker_binding {
    uint32_t set, binding;
    ct_worker_binding_kind kind;
} ct_worker_binding;

typedef struct ct_worker_interface {
    CT_ARRAY(ct_worker_binding) bindings;
    bool has_push_constants;
    uint64_t input_locations; // a bit each; all when an input is a block
    uint64_t output_locations;
    uint64_t integer_locations; // of inputs that are not of floats
    uint32_t group_size[3];     // of a compute stage; 0 where a constant says it
} ct_worker_interface;

// Finds the interface of `spirv`. Returns false with `error` when the module cannot be read.
bool ct_worker_spirv_interface(ct_allocator *a, const ct_worker_spirv *spirv,
                               ct_worker_interface *interface, ct_error *error);

// Finds the offsets of the first `count` members of the one uniform block of `spirv`, and the
// block's size, a multiple of 16.
bool ct_worker_spirv_block(const ct_worker_spirv *spirv, uint32_t count, uint32_t *offsets,
                           uint32_t *block_bytes, ct_error *error);
