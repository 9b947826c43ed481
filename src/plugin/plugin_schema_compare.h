// plugin_schema_compare.h: whether a new library's schema describes the structs that there are.
#pragma once
#include "plugin/plugin_schema.h"

// Returns what the engine calls a cuttle_field_type; CT_FIELD_TYPE_NONE for other numbers, and for BYTES.
ct_field_type ct_plugin_field_type(uint32_t type);

// Returns whether structs of both have the same fields at the same places, and enums the same names:
// documentation, ranges and defaults may differ. `other` was checked. False with `error`, which names the
// first field that differs.
bool ct_plugin_schema_is_like(const ct_schema *schema, const cuttle_schema *other, ct_error *error);
