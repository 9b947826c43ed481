#include "plugin/plugin_resource_type.h"

#include <string.h>

#include "plugin/plugin_schema.h"
#include "resource/types/resource_types.h"

bool ct_plugin_resource_type_check(const cuttle_resource_type *type, ct_error *error) {
    const ct_resource_type *const known = ct_resource_type_named(type->name);
    if (known && !ct_resource_type_is_registered(known))
        return ct_error_set(error, "the engine has a resource type \"%s\"; choose another name",
                            type->name);
    if (!ct_resource_type_is_name(type->name))
        return ct_error_set(
            error,
            "\"%.64s\" is not the name of a resource type; expected 2 to %d of a-z, "
            "0-9 and _, a letter first",
            type->name, CT_RESOURCE_TYPE_NAME_BYTES - 1);
    if (!type->schema)
        return true;
    return ct_plugin_schema_check(type->schema, "resource type", error) &&
           (strcmp(type->schema->name, type->name) == 0 ||
            ct_error_set(error,
                         "the resource type \"%s\" has a schema named \"%s\"; expected its "
                         "own name",
                         type->name, type->schema->name));
}

cuttle_id64 ct_plugin_name_id(const char *name) {
    return (cuttle_id64){name && name[0] ? ct_string_id64_of(name).value : 0};
}
