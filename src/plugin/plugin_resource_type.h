// plugin_resource_type.h: what both programs do with resource types of plugins
// (include/cuttle/resource_types.h).
#pragma once
#include "foundation/error.h"
#include "foundation/types.h"

#include <cuttle/resource_types.h>

// Checks name and schema of a type. Returns false with `error`.
bool ct_plugin_resource_type_check(const cuttle_resource_type *type, ct_error *error);

// Implements cuttle_resource_types_api_1.name_id.
cuttle_id64 ct_plugin_name_id(const char *name);
