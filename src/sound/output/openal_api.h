// openal_api.h: the functions of OpenAL Soft that outputs use, found at run time: `cuttle` does not
// link OpenAL, and runs without it.
//
// Any thread.
#pragma once
#define AL_ALEXT_PROTOTYPES // declares the functions of extensions; nothing links them
#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>

#include "foundation/types.h"

#define CT_OPENAL_FUNCTIONS(X)                                                                     \
    X(alBufferData)                                                                                \
    X(alDeleteBuffers)                                                                             \
    X(alDeleteSources)                                                                             \
    X(alGenBuffers)                                                                                \
    X(alGenSources)                                                                                \
    X(alGetError)                                                                                  \
    X(alGetSourcei)                                                                                \
    X(alIsExtensionPresent)                                                                        \
    X(alSourcePlay)                                                                                \
    X(alSourceQueueBuffers)                                                                        \
    X(alSourceRewind)                                                                              \
    X(alSourceUnqueueBuffers)                                                                      \
    X(alSourcei)                                                                                   \
    X(alcCloseDevice)                                                                              \
    X(alcCreateContext)                                                                            \
    X(alcDestroyContext)                                                                           \
    X(alcGetIntegerv)                                                                              \
    X(alcGetString)                                                                                \
    X(alcIsExtensionPresent)                                                                       \
    X(alcLoopbackOpenDeviceSOFT)                                                                   \
    X(alcOpenDevice)                                                                               \
    X(alcRenderSamplesSOFT)                                                                        \
    X(alcSetThreadContext)

// OpenAL's functions.
typedef struct ct_openal_api {
#define CT_OPENAL_POINTER(name) __typeof__(&name) name;
    CT_OPENAL_FUNCTIONS(CT_OPENAL_POINTER)
#undef CT_OPENAL_POINTER
} ct_openal_api;

// Opens OpenAL Soft and fills `api`. The first call of a process loads it. Returns false with an
// `error` that says what to install.
bool ct_openal_load(ct_openal_api *api, ct_error *error);
