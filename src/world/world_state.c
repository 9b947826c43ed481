#include "entity/state_hash.h"
#include "world/world_private.h"

static bool has_entity(const void *user, ct_entity e) {
    const ct_world *const w = user;
    return ct_world_of(w->system, e) == w;
}

static void add_managers(const ct_component_registry *r, ct_state_hash *hash) {
    for (uint32_t i = 0; i < r->count; ++i) {
        if (r->managers[i].hash)
            r->managers[i].hash(r->managers[i].manager, hash);
    }
}

uint64_t ct_world_state_hash(const ct_world *w) {
    ct_state_hash hash = {.has = has_entity, .user = w};
    for (uint32_t i = 0; i < w->units.count; ++i)
        ct_state_hash_add(&hash, w->units.items[i], CT_ID32("unit", 0x516224cf).value,
                          &w->unit_resources.items[i], sizeof(w->unit_resources.items[i]));
    add_managers(&w->registry, &hash);
    add_managers(&w->system->shared, &hash);
    const ct_physics_world *const physics = ct_world_physics(w);
    return physics ? ct_physics_world_hash(physics, hash.value) : hash.value;
}
