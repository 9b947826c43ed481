// platform.h: the platforms that data can be compiled for.
//
// A destination platform fixes byte order and layout of compiled data. The words of source
// platforms (docs/formats/settings.md: `platforms`) choose among variants of resources; every
// destination's name is such a word too. From "Platform Specific Resources" (Bitsquid blog,
// 2011-12-22).
#pragma once
#include "resource/blob/blob_writer.h"

// A platform: its name, and how it stores numbers.
typedef struct ct_platform {
    const char *name;
    ct_byte_order byte_order;
} ct_platform;

// The platform that this program runs on.
#define CT_PLATFORM_HOST "linux"

// Returns all destinations; sets `count`.
const ct_platform *ct_platforms(uint32_t *count);

// Returns the destination of this name, or NULL.
const ct_platform *ct_platform_named(const char *name);
