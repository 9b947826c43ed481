#include "compiler/plugin/worker_interfaces.h"
#include "foundation/error.h"
#include "plugin/plugin_interfaces.h"
#include "plugin/plugin_schema.h"
#include "resource/types/component_resource.h"

// --- The kind ------------------------------------------------------------------------------------

static const cuttle_component_type *type_of(const ct_plugin_addition *a) {
    return a->desc;
}

static bool check(const ct_plugin_addition *a, ct_error *error) {
    const cuttle_schema *const schema = type_of(a)->schema;
    return (!ct_component_type_named(schema->name) ||
            ct_error_set(error, "the engine has a component type \"%s\"; choose another name",
                         schema->name)) &&
           ct_plugin_schema_check(schema, "component", error);
}

static bool add_type(ct_plugin_addition *a, ct_error *error) {
    ct_allocator *const allocator = ct_worker_plugins_allocator();
    ct_worker_component_type *const type = CT_NEW(allocator, ct_worker_component_type);
    type->schema = ct_plugin_schema_copy(allocator, type_of(a)->schema,
                                         CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED);
    // A unit can have one or several of it: that is part of what is read.
    type->hash = ct_plugin_schema_hash(allocator, type_of(a)->schema) * 2 + type_of(a)->is_single;
    a->user = type;
    if (ct_component_type_register(type->schema, !type_of(a)->is_single, error))
        return true;
    ct_plugin_schema_free(allocator, type->schema);
    ct_free(allocator, type);
    return false;
}

static void remove_type(ct_plugin_addition *a) {
    ct_allocator *const allocator = ct_worker_plugins_allocator();
    ct_worker_component_type *const type = a->user;
    ct_component_type_unregister(type->schema);
    ct_plugin_schema_free(allocator, type->schema);
    ct_free(allocator, type);
}

const ct_plugin_kind ct_worker_component_kind = {
    .name = "component type",
    .desc_bytes = sizeof(cuttle_component_type),
    .check = check,
    .add = add_type,
    .remove = remove_type,
};

// --- The interface -------------------------------------------------------------------------------

static bool add(cuttle_plugin *self, const cuttle_component_type *type, cuttle_error *error) {
    ct_error own = {0};
    if (!type || !type->schema || !type->schema->name)
        ct_error_set(&own, "a component type needs a schema with a name");
    else if (ct_plugin_add(self, &ct_worker_component_kind, type->schema->name, type, &own))
        return true;
    return ct_plugin_give_error(error, &own);
}

const cuttle_component_types_api_1 ct_worker_component_types_api_1 = {.add = add};
