// compiler_types.h: the one table of what can be compiled.
//
// Built twice from one source: in cuttle-worker with the compile functions, in cuttle without them
// (NULL), so that the driver knows names and versions and links no import library.
#pragma once
#include "compiler/protocol/compile.h"

typedef struct ct_compiler_type {
    const char *name;             // of the resource type and the source's extension
    uint32_t version;             // of the compile function: raise it when its output changes
    bool needs_listing;           // sees the names of all resources; they are part of its key
    bool is_slow;                 // one may take long: each is asked for alone
    bool has_tables;              // the first one in a worker makes tables that the others use
    ct_compile_function function; // NULL in the driver
} ct_compiler_type;

// All types; `count` is set.
const ct_compiler_type *ct_compiler_types(uint32_t *count);

// The type of this name, or NULL.
const ct_compiler_type *ct_compiler_type_named(const char *name);

// The compile functions, one file each: `<type>_compiler.c`.
bool ct_compile_config(ct_compile *c);
bool ct_compile_input(ct_compile *c);
bool ct_compile_level(ct_compile *c);
bool ct_compile_lua(ct_compile *c);
bool ct_compile_material(ct_compile *c);
bool ct_compile_mesh(ct_compile *c);
bool ct_compile_package(ct_compile *c);
bool ct_compile_render_config(ct_compile *c);
bool ct_compile_shader(ct_compile *c);
bool ct_compile_strings(ct_compile *c);
bool ct_compile_texture(ct_compile *c);
bool ct_compile_unit(ct_compile *c);
