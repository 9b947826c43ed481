#include "world/world_actors.h"

#include "foundation/math/math.h"
#include "resource/load/resource_manager.h"
#include "resource/types/unit_resource.h"

static const ct_component_instances *actors_of(const ct_unit_resource *unit) {
    const ct_component_instances *const types =
        ct_blob_at(unit, unit->entities.component_types.offset);
    const ct_string_id32 type = ct_string_id32_of("actor");
    for (uint32_t i = 0; i < unit->entities.component_types.count; ++i) {
        if (types[i].type.value == type.value && types[i].instance_bytes == 0)
            return &types[i];
    }
    return NULL;
}

static const ct_actor_data *data_at(const ct_unit_resource *unit, const ct_component_instances *c,
                                    uint32_t i) {
    const uint32_t *const index = ct_blob_at(unit, c->data_index.offset);
    const uint32_t *const offsets = ct_blob_at(unit, c->offsets.offset);
    const char *const data = ct_blob_at(unit, c->data.offset);
    return (const ct_actor_data *)(const void *)(data +
                                                 offsets[c->data_index.count ? index[i] : i]);
}

ct_described_actor ct_world_described_actor(const ct_world *w, ct_entity unit, ct_string_id32 name,
                                            uint32_t number) {
    const ct_unit_resource *const resource = ct_resource_manager_get(
        ct_world_system_resources(ct_world_system_of(w)), "unit", ct_world_unit_resource(w, unit));
    const ct_component_instances *const c = resource ? actors_of(resource) : NULL;
    uint32_t place = 0;
    for (uint32_t i = 0; c && i < c->entity_index.count; ++i) {
        const ct_actor_data *const data = data_at(resource, c, i);
        if (((const uint32_t *)ct_blob_at(resource, c->entity_index.offset))[i] != 0)
            continue;
        ++place;
        if (number ? place == number : data->name.value == name.value)
            return (ct_described_actor){data,
                                        ((const uint32_t *)ct_blob_at(resource, c->ids.offset))[i]};
    }
    return (ct_described_actor){NULL, 0};
}

bool ct_world_has_described_actor(const ct_world *w, ct_entity unit,
                                  const ct_described_actor *described) {
    const ct_physics_world *const p = ct_world_physics(w);
    ct_actor a = ct_actor_first(p, unit);
    while (a.id && ct_actor_component_id(p, a) != described->component_id)
        a = ct_actor_next(p, a);
    return a.id != 0;
}

void ct_world_inherit_velocity(const ct_world *w, ct_entity unit, ct_actor a, float share) {
    const ct_physics_world *const p = ct_world_physics(w);
    const ct_actor first = ct_actor_first(p, unit);
    ct_bullet_body *const body = ct_actor_bullet(p, a), *const other = ct_actor_bullet(p, first);
    if (first.id == a.id || !body || !other)
        return;
    const ct_vec3 v = ct_bullet_body_velocity_at(other, ct_bullet_body_center(body));
    ct_bullet_body_set_velocity(body, ct_vec3_scale(v, share));
}
