// api_variants.h: the functions of Application that choose among variants of resources.
#pragma once
#include "script/script_private.h"

// Application.set_property_preference_order(properties: string[]). The order before stays when one
// of the words is refused; a word that no resource has is warned of, once.
int ct_api_set_property_preference_order(lua_State *L);

// Application.reload_variants().
int ct_api_reload_variants(lua_State *L);
