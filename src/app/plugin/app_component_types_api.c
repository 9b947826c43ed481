// Types of components that plugins add to the game: copies of their schemas are registered with worlds.
#include <cuttle/component_types.h>

#include "app/app_private.h"
#include "app/plugin/app_plugin_check.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "plugin/plugin_addition.h"
#include "plugin/plugin_schema_compare.h"

enum { IDENTITY = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED };

// What worlds know of a type. Tables keep the address of `schema`.
typedef struct registered_type {
    ct_schema schema;
    CT_ARRAY(ct_schema *) copies; // of the schemas of each library so far
    bool is_single;
    uint64_t hash; // of the description that was copied last
} registered_type;

static bool check(const ct_plugin_addition *a, ct_error *error) {
    const cuttle_component_type *const type = a->desc;
    return ct_plugin_schema_check(type->schema, "component", error);
}

static bool can_change(const ct_plugin *plugin, ct_error *error) {
    const ct_world_system *const s = ct_app_worlds_of(plugin);
    return !s || ct_world_system_can_change_rows(s) ||
           ct_error_set(error, "not while a world is updated, or things are spawned or destroyed");
}

// Frees what was made for a type; tables use none of it any more.
static void free_type(ct_plugin_addition *a) {
    ct_app *const app = ct_app_of_plugin(a->plugin);
    registered_type *const r = a->user;
    for (uint32_t i = 0; i < r->copies.count; ++i)
        ct_plugin_schema_free(app->allocator, r->copies.items[i]);
    ct_array_free(&r->copies);
    ct_free_sized(app->allocator, r, sizeof(*r));
    a->user = NULL;
}

// Copies the schema of a description. The copy ends with the type.
static ct_schema *copy_schema(const ct_plugin_addition *a) {
    registered_type *const r = a->user;
    const cuttle_component_type *const type = a->desc;
    ct_schema *const copy =
        ct_plugin_schema_copy(ct_app_of_plugin(a->plugin)->allocator, type->schema, IDENTITY);
    ct_array_push(&r->copies, copy);
    return copy;
}

// Of everything that a copy has: what is read, how it lies, and documentation.
static uint64_t hash_of(const ct_plugin_addition *a) {
    const cuttle_schema *const schema = ((const cuttle_component_type *)a->desc)->schema;
    uint64_t hash = ct_plugin_schema_hash(ct_app_of_plugin(a->plugin)->allocator, schema);
    for (uint32_t i = 0; i <= schema->num_fields; ++i) {
        const char *const doc = i < schema->num_fields ? schema->fields[i].doc : schema->doc;
        hash = hash * 31 + ct_string_id64_of(doc ? doc : "").value;
    }
    return hash;
}

static bool register_type(ct_plugin_addition *a, ct_error *error) {
    ct_app *const app = ct_app_of_plugin(a->plugin);
    const cuttle_component_type *const type = a->desc;
    registered_type *const r = a->user = CT_NEW(app->allocator, registered_type);
    *r = (registered_type){.is_single = type->is_single, .hash = hash_of(a)};
    ct_array_init(&r->copies, app->allocator);
    r->schema = *copy_schema(a);
    const ct_component_table_desc desc = {.schema = &r->schema,
                                          .lookup = CT_INSTANCE_LOOKUP_SPARSE,
                                          .end = CT_COMPONENT_END_AT_ONCE,
                                          .is_single = type->is_single};
    if (ct_world_system_register_component(app->worlds, &desc, error))
        return true;
    free_type(a);
    return false;
}

// When the game ends, the worlds have ended before, and forgotten the type.
static void unregister_type(ct_plugin_addition *a) {
    registered_type *const r = a->user;
    if (!r)
        return;
    if (ct_app_worlds_of(a->plugin))
        ct_world_system_unregister_component(ct_app_worlds_of(a->plugin), &r->schema);
    free_type(a);
}

static bool add(ct_plugin_addition *a, ct_error *error) {
    return can_change(a->plugin, error) && register_type(a, error);
}

// Returns whether the type of a new library has the components that there are.
static bool is_like(const ct_plugin_addition *a, const cuttle_component_type *type,
                    ct_error *error) {
    const registered_type *const r = a->user;
    if (r->is_single != type->is_single)
        return ct_error_set(error, "is_single has changed");
    return ct_plugin_schema_is_like(&r->schema, type->schema, error);
}

static bool can_replace(const ct_plugin_addition *a, const void *desc, ct_error *error) {
    const ct_world_system *const s = ct_app_worlds_of(a->plugin);
    return can_change(a->plugin, error) &&
           (!s || ct_world_system_num_worlds(s) == 0 || !a->user || is_like(a, desc, error));
}

// Where its fields are the same, the components stay; documentation, ranges and defaults are new. (Old
// copies stay: another thread may be checking a unit with one.)
static void replaced(ct_plugin_addition *a) {
    ct_error error = {0};
    registered_type *const r = a->user;
    const cuttle_component_type *const type = a->desc;
    const uint64_t hash = hash_of(a);
    if (r && r->hash == hash && r->is_single == type->is_single)
        return; // most reloads: nothing is copied
    if (r && is_like(a, a->desc, &error)) {
        r->hash = hash;
        const ct_schema *const copy = copy_schema(a);
        r->schema.doc = copy->doc;
        r->schema.fields = copy->fields;
        return;
    }
    unregister_type(a);
    if (!register_type(a, &error))
        ct_log_report("plugin", &error);
}

static bool can_remove(const ct_plugin_addition *a, ct_error *error) {
    const ct_world_system *const s = ct_app_worlds_of(a->plugin);
    return !s || ct_world_system_num_worlds(s) == 0 ||
           ct_error_set(error, "there are worlds that may have such components");
}

static const ct_plugin_kind kind = {.name = "component type",
                                    .desc_bytes = sizeof(cuttle_component_type),
                                    .check = check,
                                    .add = add,
                                    .can_replace = can_replace,
                                    .replaced = replaced,
                                    .can_remove = can_remove,
                                    .remove = unregister_type};

static bool add_type(cuttle_plugin *self, const cuttle_component_type *type, cuttle_error *error) {
    ct_error own = {0};
    if (!type || !type->schema)
        return ct_plugin_error_to(error, &(ct_error){.message = "a component type needs a schema"});
    const char *const name = type->schema->name;
    return ct_plugin_add(self, &kind, name, type, &own) || ct_plugin_error_to(error, &own);
}

const cuttle_component_types_api_1 ct_app_component_types_api_1 = {.add = add_type};
