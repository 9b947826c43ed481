// The physics resource, meshes and height fields were loaded, loaded again, or unloaded.
#include "foundation/error.h"
#include "foundation/log.h"
#include "physics/actor/physics_world_private.h"

// --- The physics resource ------------------------------------------------------------------------

static void take_physics(ct_physics_world *p) {
    const ct_physics_resource *const r = ct_physics_system_resource(p->system);
    if (!p->has_gravity)
        ct_bullet_world_set_gravity(p->bullet,
                                    ct_vec3_make(r->gravity[0], r->gravity[1], r->gravity[2]));
    for (uint32_t slot = 1; slot < p->soa.count; ++slot) {
        if (!p->body[slot])
            continue;
        ct_physics_wake_touches(p, slot, false);
        ct_physics_apply_material(p, slot);
        ct_physics_apply_filter(p, slot);
        ct_bullet_body_wake(p->body[slot]);
    }
}

// --- Shapes --------------------------------------------------------------------------------------

// The resource is gone, or has no such shape any more: the actor ends, and waits for another.
static void leave_out(ct_physics_world *p, uint32_t slot, const ct_error *error) {
    const ct_actor_record *const r = &p->record[slot];
    char what[256];
    ct_physics_describe(p, r->data.name, p->entity[slot], r->is_trigger, what);
    ct_log_warning("physics", "actor_left_out", "%s ends: %s", what, error->message);
    const ct_actor_desc desc = {.entity = p->entity[slot],
                                .component_id = r->component_id,
                                .data = &r->data,
                                .shapes = r->shape->parts,
                                .num_shapes = r->shape->num_parts,
                                .is_trigger = r->is_trigger};
    if (desc.entity.id)
        ct_physics_wait(p, &desc);
    ct_actor_destroy(p, ct_physics_actor_at(p, slot));
}

static void take_shape(ct_physics_world *p, uint32_t slot) {
    ct_actor_record *const r = &p->record[slot];
    ct_error error = {0};
    ct_physics_shape *const shape = ct_physics_shape_take(
        p->system, r->shape->parts, r->shape->num_parts, r->scale, r->shape->is_dynamic, &error);
    if (!shape) {
        leave_out(p, slot, &error);
        return;
    }
    ct_physics_wake_touches(p, slot, true);
    ct_bullet_body_set_shape(p->body[slot], ct_physics_shape_bullet(shape));
    ct_physics_shape_give(p->system, r->shape);
    r->shape = shape;
}

static void take_shapes(ct_physics_world *p) {
    for (uint32_t slot = 1; slot < p->soa.count; ++slot) {
        if (p->body[slot] && p->record[slot].shape->is_stale)
            take_shape(p, slot);
    }
    ct_physics_retry_waiting(p);
}

void ct_physics_changed(void *user, bool changed_physics, bool changed_shapes) {
    ct_physics_world *const p = user;
    if (changed_physics)
        take_physics(p);
    if (changed_shapes)
        take_shapes(p);
}
