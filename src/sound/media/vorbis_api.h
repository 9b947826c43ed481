// vorbis_api.h: the functions of libvorbis that decode, found at run time: games without Vorbis run
// without it.
//
// Any thread.
#pragma once
#include <vorbis/codec.h>

#include "foundation/types.h"

#define CT_VORBIS_FUNCTIONS(X)                                                                     \
    X(vorbis_block_clear)                                                                          \
    X(vorbis_block_init)                                                                           \
    X(vorbis_comment_clear)                                                                        \
    X(vorbis_comment_init)                                                                         \
    X(vorbis_dsp_clear)                                                                            \
    X(vorbis_info_clear)                                                                           \
    X(vorbis_info_init)                                                                            \
    X(vorbis_synthesis)                                                                            \
    X(vorbis_synthesis_blockin)                                                                    \
    X(vorbis_synthesis_headerin)                                                                   \
    X(vorbis_synthesis_init)                                                                       \
    X(vorbis_synthesis_pcmout)                                                                     \
    X(vorbis_synthesis_read)                                                                       \
    X(vorbis_synthesis_restart)

// libvorbis' functions.
typedef struct ct_vorbis_api {
#define CT_VORBIS_POINTER(name) __typeof__(&name) name;
    CT_VORBIS_FUNCTIONS(CT_VORBIS_POINTER)
#undef CT_VORBIS_POINTER
} ct_vorbis_api;

// Opens libvorbis and fills `api`. The first call of a process loads it. Returns false with an
// `error` that says what to install.
bool ct_vorbis_load(ct_vorbis_api *api, ct_error *error);
