// compiler_bases.h: a source and those that it builds upon: its base, the base of that one, …
//
// For resources that name one other of their type, whose members they take over. Workers only.
#pragma once
#include "compiler/protocol/compile.h"

enum { CT_COMPILE_MAX_CHAIN = 32 }; // sources

// What the sources of a type are like, for ct_compile_read_chain.
typedef struct ct_compile_chain_desc {
    const char *type; // "gui_theme"
    // Of errors: what comes before the way of a circle ("a theme cannot be its own base"), and before the
    // greatest count of sources when there are more ("themes are based on each other").
    const char *circle, *too_deep;
    uint32_t most; // sources, 1 to CT_COMPILE_MAX_CHAIN
    // Reads source number `place` (0: the one that is compiled), and sets `base` to the value that
    // names the next, or leaves it {0} at the last. Returns false after an error.
    bool (*read)(void *user, const ct_sjson *doc, uint32_t place, ct_sjson_value *base);
    void *user;
} ct_compile_chain_desc;

// The sources, and in each the value that names the next. `docs` are the compile's.
typedef struct ct_compile_chain {
    const ct_sjson *docs[CT_COMPILE_MAX_CHAIN];
    ct_sjson_value bases[CT_COMPILE_MAX_CHAIN];
    uint32_t count;
} ct_compile_chain;

// Reads the source that is compiled and, by ct_compile_read_base, all that it builds upon. Returns false
// after an error: of a read, a source that is missing, a circle (compiler_circle.h), or too many.
bool ct_compile_read_chain(ct_compile *c, const ct_compile_chain_desc *desc,
                           ct_compile_chain *chain);
