// api_viewport.h: viewports in Lua.
#pragma once
#include "script/script_private.h"

enum { CT_VIEWPORT_NAME_BYTES = 64 };

// How to render a world into the back buffer. Its handle's `data` is the world.
typedef struct ct_script_viewport {
    ct_string_id32 viewport;           // of the render config
    char name[CT_VIEWPORT_NAME_BYTES]; // the same for errors, cut
    float rectangle[4];                // x, y, width, height as fractions of the back buffer
} ct_script_viewport;

extern const ct_lua_object_type ct_type_viewport;
