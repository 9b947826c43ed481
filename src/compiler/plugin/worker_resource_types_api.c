#include "compiler/plugin/worker_interfaces.h"
#include "foundation/error.h"
#include "plugin/plugin_interfaces.h"
#include "plugin/plugin_resource_type.h"
#include "plugin/plugin_schema.h"
#include "resource/types/resource_types.h"

// --- The kind ------------------------------------------------------------------------------------

static bool check(const ct_plugin_addition *a, ct_error *error) {
    return ct_plugin_resource_type_check(a->desc, error);
}

static bool add_type(ct_plugin_addition *a, ct_error *error) {
    ct_allocator *const allocator = ct_worker_plugins_allocator();
    const cuttle_resource_type *const desc = a->desc;
    if (!ct_resource_type_register(desc->name, error))
        return false;
    ct_worker_resource_type *const type = CT_NEW(allocator, ct_worker_resource_type);
    *type = (ct_worker_resource_type){.addition = a};
    if (desc->schema) {
        type->schema = ct_plugin_schema_copy(allocator, desc->schema, 0);
        type->hash = ct_plugin_schema_hash(allocator, desc->schema);
    }
    a->user = type;
    return true;
}

static void remove_type(ct_plugin_addition *a) {
    ct_allocator *const allocator = ct_worker_plugins_allocator();
    ct_worker_resource_type *const type = a->user;
    ct_plugin_schema_free(allocator, (ct_schema *)(uintptr_t)type->schema);
    ct_free(allocator, type);
}

const ct_plugin_kind ct_worker_resource_kind = {
    .name = "resource type",
    .desc_bytes = sizeof(cuttle_resource_type),
    .check = check,
    .add = add_type,
    .remove = remove_type,
};

// --- The interface -------------------------------------------------------------------------------

static bool add(cuttle_plugin *self, const cuttle_resource_type *type, cuttle_error *error) {
    ct_error own = {0};
    if (!type || !type->name)
        ct_error_set(&own, "a resource type needs a name");
    else if (ct_plugin_add(self, &ct_worker_resource_kind, type->name, type, &own))
        return true;
    return ct_plugin_give_error(error, &own);
}

static const void *get(cuttle_plugin *self, const char *type, cuttle_id64 name,
                       uint64_t *size_bytes) {
    (void)self;
    (void)type;
    (void)name;
    if (size_bytes)
        *size_bytes = 0;
    return NULL; // nothing is loaded here
}

const cuttle_resource_types_api_1 ct_worker_resource_types_api_1 = {
    .add = add,
    .name_id = ct_plugin_name_id,
    .get = get,
};
