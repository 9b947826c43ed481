// turbojpeg_api.h: the functions of libjpeg-turbo that frames use, found at run time: no program links it.
#pragma once
#include <turbojpeg.h>

#include "foundation/types.h"

// The functions, loaded when a client asks for JPEG for the first time.
typedef struct ct_turbojpeg_api {
    __typeof__(&tjInitCompress) tjInitCompress;
    __typeof__(&tjCompress2) tjCompress2;
    __typeof__(&tjDestroy) tjDestroy;
    __typeof__(&tjBufSize) tjBufSize;
    __typeof__(&tjGetErrorStr2) tjGetErrorStr2;
} ct_turbojpeg_api;

// Loads the library, once for the life of the process. Returns NULL with an `error` that says what to
// install. Update thread.
const ct_turbojpeg_api *ct_turbojpeg_load(ct_error *error);
