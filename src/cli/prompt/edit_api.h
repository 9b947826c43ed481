// edit_api.h: the functions of libedit that the prompt uses, found at run time: `cuttle` does not
// link it, and only an interactive prompt loads it. libedit takes its memory from malloc.
#pragma once
#include <histedit.h>

#include "foundation/types.h"

#define CT_EDIT_FUNCTIONS(X)                                                                       \
    X(el_init)                                                                                     \
    X(el_end)                                                                                      \
    X(el_set)                                                                                      \
    X(el_get)                                                                                      \
    X(el_gets)                                                                                     \
    X(el_line)                                                                                     \
    X(el_insertstr)                                                                                \
    X(el_resize)                                                                                   \
    X(history_init)                                                                                \
    X(history_end)                                                                                 \
    X(history)

// libedit's functions, loaded when the prompt starts.
typedef struct ct_edit_api {
#define CT_EDIT_MEMBER(name) __typeof__(&name) name;
    CT_EDIT_FUNCTIONS(CT_EDIT_MEMBER)
#undef CT_EDIT_MEMBER
} ct_edit_api;

// Loads the library, once. Returns NULL with `error` when it is not installed.
const ct_edit_api *ct_edit_load(ct_error *error);
