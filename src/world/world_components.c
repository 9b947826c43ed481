// Components that games and plugins register.
#include <string.h>

#include "foundation/error.h"
#include "world/world_private.h"

static void add_table(ct_world *w, const ct_component_table_desc *desc) {
    const ct_component_manager manager =
        ct_component_table_manager(ct_component_table_create(w->allocator, desc));
    ct_component_registry_add(&w->registry, &manager);
}

void ct_world_add_component_tables(ct_world *w) {
    for (uint32_t i = 0; i < w->system->components.count; ++i)
        add_table(w, &w->system->components.items[i]);
}

bool ct_world_system_register_component(ct_world_system *s, const ct_component_table_desc *desc,
                                        ct_error *error) {
    for (uint32_t i = 0; i < s->worlds.count; ++i) {
        if (s->worlds.items[i]->registry.count == CT_MAX_COMPONENT_MANAGERS)
            return ct_error_set(error, "a world has no room for another component type");
    }
    if (!ct_component_type_register(desc->schema, !desc->is_single, error))
        return false;
    ct_array_push(&s->components, *desc);
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        add_table(s->worlds.items[i], desc);
    return true;
}

void ct_world_system_unregister_component(ct_world_system *s, const ct_schema *schema) {
    CT_ASSERT(s->num_calls == 0, "the component %s was taken away while rows are called",
              schema->name);
    uint32_t place = 0;
    while (place < s->components.count && s->components.items[place].schema != schema)
        ++place;
    if (place == s->components.count)
        return;
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        ct_component_registry_remove(&s->worlds.items[i]->registry,
                                     ct_string_id32_of(schema->name));
    ct_component_type_unregister(schema);
    ct_array_erase(&s->components, place, 1);
}

void ct_world_system_forget_components(ct_world_system *s) {
    for (uint32_t i = 0; i < s->components.count; ++i)
        ct_component_type_unregister(s->components.items[i].schema);
}

ct_component_table *ct_world_component_table(const ct_world *w, const char *type) {
    const ct_world_system *const s = w->system;
    for (uint32_t i = 0; i < s->components.count; ++i) {
        if (strcmp(s->components.items[i].schema->name, type) == 0)
            return ct_component_registry_find(&w->registry, ct_string_id32_of(type))->manager;
    }
    return NULL;
}
