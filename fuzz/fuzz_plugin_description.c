// The description of plugins that the driver keeps: whatever it says, what is taken from it is sound, and goes
// again.
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "plugin/plugin_description.h"
#include "resource/types/component_resource.h"
#include "resource/types/resource_types.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_schema(const ct_schema *schema) {
    uint8_t bytes[1 << 16];
    CT_ASSERT(schema->size_bytes <= sizeof(bytes), "%u bytes", schema->size_bytes);
    ct_schema_defaults(schema, bytes);
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const ct_field *const f = &schema->fields[i];
        CT_ASSERT(f->name && f->doc && f->offset + f->size_bytes <= schema->size_bytes, "field %u",
                  i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t before, count;
    static bool is_ready;
    if (!is_ready)
        ct_memory_init();
    is_ready = true;
    ct_component_types(&before);
    ct_plugin_description_use_text((const char *)data, size);
    const ct_component_type *const components = ct_component_types(&count);
    for (uint32_t i = before; i < count; ++i)
        check_schema(components[i].schema);
    const ct_resource_type *const types = ct_resource_types(&count);
    for (uint32_t i = 0; i < count; ++i)
        if (ct_resource_type_is_registered(&types[i]) && types[i].schema)
            check_schema(types[i].schema);
    ct_plugin_description_end();
    ct_component_types(&count);
    CT_ASSERT(count == before, "%u types, before %u", count, before);
    return 0;
}
