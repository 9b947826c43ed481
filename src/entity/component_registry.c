#include "entity/component_registry.h"

#include "foundation/error.h"

void ct_component_registry_add(ct_component_registry *r, const ct_component_manager *manager) {
    const ct_string_id32 type = ct_string_id32_register(manager->type_name);
    CT_REQUIRE(r->count < CT_MAX_COMPONENT_MANAGERS, "no room for the %s manager",
               manager->type_name);
    CT_ASSERT(!ct_component_registry_find(r, type), "there are two %s managers",
              manager->type_name);
    r->types[r->count] = type;
    r->managers[r->count++] = *manager;
}

const ct_component_manager *ct_component_registry_find(const ct_component_registry *r,
                                                       ct_string_id32 type) {
    for (uint32_t i = 0; i < r->count; ++i) {
        if (r->types[i].value == type.value)
            return &r->managers[i];
    }
    return NULL;
}

void ct_component_registry_remove(ct_component_registry *r, ct_string_id32 type) {
    uint32_t place = 0;
    while (place < r->count && r->types[place].value != type.value)
        ++place;
    CT_ASSERT(place < r->count, "there is no %s manager", ct_string_id32_name(type));
    const ct_component_manager removed = r->managers[place];
    --r->count;
    for (uint32_t i = place; i < r->count; ++i) {
        r->managers[i] = r->managers[i + 1];
        r->types[i] = r->types[i + 1];
    }
    if (removed.destroy)
        removed.destroy(removed.manager);
}

bool ct_component_manager_has_room(const ct_component_manager *manager, uint64_t count,
                                   ct_error *error) {
    return !manager->instances ||
           ct_instance_table_has_room(manager->instances, count, manager->type_name, error);
}

void ct_component_registry_destroy_all(ct_component_registry *r) {
    while (r->count) {
        const ct_component_manager *const manager = &r->managers[--r->count];
        if (manager->destroy)
            manager->destroy(manager->manager);
    }
}
