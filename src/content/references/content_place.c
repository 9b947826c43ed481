#include "content/references/content_place.h"

#include <string.h>

#include "resource/types/component_resource.h"
#include "resource/types/resource_types.h"

ct_content_place ct_content_place_of_file(const char *path) {
    const char *const slash = strrchr(path, '/');
    const char *const dot = strrchr(slash ? slash : path, '.');
    const ct_resource_type *const type = dot ? ct_resource_type_named(dot + 1) : NULL;
    return (ct_content_place){.schema = type ? type->schema : NULL};
}

ct_content_place ct_content_place_of_member(ct_content_place object, const char *key) {
    if (object.field && object.field->type == CT_FIELD_TYPE_MAP)
        return (ct_content_place){.schema = object.field->schema};
    const ct_field *field = object.schema ? ct_schema_find_key(object.schema, key) : NULL;
    for (uint32_t i = 0; !field && object.schemas && object.schemas[i]; ++i)
        field = ct_schema_find_key(object.schemas[i], key);
    return (ct_content_place){.field = field};
}

ct_content_place ct_content_place_of_element(ct_content_place array, ct_content_value element) {
    if (!array.field || array.field->type != CT_FIELD_TYPE_ARRAY)
        return (ct_content_place){0};
    if (array.field->schema)
        return (ct_content_place){.schema = array.field->schema};
    if (ct_content_value_type(element) != CT_SJSON_TYPE_OBJECT)
        return (ct_content_place){0};
    const ct_sjson_value type = ct_sjson_find(element.doc, element.value, "type");
    const char *const name = type.entry ? ct_sjson_string(element.doc, type, NULL) : NULL;
    const ct_component_type *const component = name ? ct_component_type_named(name) : NULL;
    if (!component)
        return (ct_content_place){.schemas = array.field->schemas};
    return (ct_content_place){.schema = component->schema};
}
