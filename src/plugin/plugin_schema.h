// plugin_schema.h: schemas of plugins (include/cuttle/schema.h) as the engine has them.
//
// Tables of the engine borrow schemas for longer than a library is open, so a plugin's schema is
// checked and copied with all its texts.
#pragma once
#include "resource/schema/schema.h"

#include <cuttle/schema.h>

enum { CT_PLUGIN_SCHEMA_MAX_FIELDS = 256, CT_PLUGIN_SCHEMA_MAX_BYTES = 64 << 10 };

// Returns whether a schema can describe the source of a `what` ("component"): names, types, places and
// defaults of fields. `identity` is that of ct_schema: fields may not have the names of its members.
// False with `error`, which names the field.
bool ct_plugin_schema_check(const cuttle_schema *schema, const char *what, uint32_t identity,
                            ct_error *error);

// Returns a copy of a schema that was checked, in one allocation.
ct_schema *ct_plugin_schema_copy(ct_allocator *a, const cuttle_schema *schema, uint32_t identity);

// Returns what the engine calls a cuttle_field_type; CT_FIELD_TYPE_NONE for other numbers, and for BYTES.
ct_field_type ct_plugin_field_type(uint32_t type);

// Frees a copy; NULL is fine.
void ct_plugin_schema_free(ct_allocator *a, ct_schema *schema);

// Returns whether structs of both have the same fields at the same places, and enums the same names:
// documentation, ranges and defaults may differ. False with `error`, which names the first field that
// differs.
bool ct_plugin_schema_is_like(const ct_schema *schema, const cuttle_schema *other, ct_error *error);
