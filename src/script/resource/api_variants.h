// api_variants.h: the functions of Application that choose among variants of resources.
#pragma once
#include "script/script_private.h"

// Application.set_property_preference_order(properties: string[]). The old order stays when a word
// is refused. A word that no resource has is warned about once.
int ct_api_set_property_preference_order(lua_State *L);

// Application.reload_variants().
int ct_api_reload_variants(lua_State *L);
