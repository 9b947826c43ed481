#include "resource/types/package_resource.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/string/wildcard.h"

// One list for each type but the package itself; the struct is an array of values.
#define LIST(position, type_name)                                                                  \
    {                                                                                              \
        .name = type_name, .type = CT_FIELD_TYPE_ARRAY,                                            \
        .offset = (position) * sizeof(ct_sjson_value), .size_bytes = sizeof(ct_sjson_value),       \
        .flags = CT_FIELD_SET | CT_FIELD_PATTERNS,                                                 \
        .doc = "Names of resources of type " type_name ". * matches any characters.",              \
        .reference_type = type_name, .element_type = CT_FIELD_TYPE_REFERENCE                       \
    }

static const ct_field fields[] = {
    LIST(0, "config"),      LIST(1, "input"),         LIST(2, "lua"),
    LIST(3, "strings"),     LIST(4, "texture"),       LIST(5, "shader"),
    LIST(6, "material"),    LIST(7, "mesh"),          LIST(8, "render_config"),
    LIST(9, "unit"),        LIST(10, "level"),        LIST(11, "font"),
    LIST(12, "skeleton"),   LIST(13, "animation"),    LIST(14, "state_machine"),
    LIST(15, "physics"),    LIST(16, "height_field"), LIST(17, "environment"),
    LIST(18, "particles"),  LIST(19, "sound_event"),  LIST(20, "sound_bus"),
    LIST(21, "sound"),      LIST(22, "gui_theme"),    LIST(23, "flow"),
    LIST(24, "flow_nodes"), LIST(25, "navigation"),   LIST(26, "network_config"),
};

const ct_schema ct_package_schema = {
    .name = "package",
    .doc = "Resources that are loaded together.",
    .size_bytes = CT_COUNT_OF(fields) * sizeof(ct_sjson_value),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

bool ct_package_pattern_matches(const char *pattern, const char *name) {
    static const char tools[] = "core/tools/";
    const bool is_tool =
        strncmp(name, tools, strlen(tools)) == 0 && strncmp(pattern, tools, strlen(tools)) != 0;
    return !is_tool && ct_wildcard_matches(pattern, name);
}

const ct_blob_layout ct_package_layout =
    CT_BLOB_ROOT(ct_package_resource, "a package",
                 CT_BLOB_ARRAY(ct_package_resource, resources, ct_blob_resource_id_layout));

bool ct_package_validate(const void *blob, ct_error *error) {
    const ct_package_resource *const p = blob;
    if (!ct_blob_check_layout(&ct_package_layout, p, error))
        return false;
    const ct_resource_id *const ids = ct_blob_at(p, p->resources.offset);
    for (uint32_t i = 0; i < p->resources.count; ++i) {
        if (ids[i].type.value == 0 || ids[i].name.value == 0)
            return ct_error_set(error, "resources[%u]: its type or its name is missing", i);
    }
    return true;
}
