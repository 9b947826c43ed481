// Actors and movers, and the ranges of numbers for physics.
#include "flow/nodes/flow_parts.h"

#include <math.h>

static bool has_physics(ct_flow_call *c, const ct_world *w) {
    if (ct_world_physics(w))
        return true;
    ct_flow_error(c, "the worlds of this program have no physics");
    return false;
}

bool ct_flow_unit_with_physics(ct_flow_call *c, uint32_t input, ct_world **world, ct_entity *unit) {
    return ct_flow_unit_of(c, input, world, unit) && has_physics(c, *world);
}

// Fills `a` for a living actor.
static void take_actor(ct_flow_actor *a, ct_world *w, ct_actor actor) {
    *a = (ct_flow_actor){.world = w, .physics = ct_world_physics(w), .actor = actor};
    a->body = ct_actor_bullet(a->physics, actor);
}

bool ct_flow_actor_at(ct_flow_call *c, uint32_t input, ct_flow_actor *actor) {
    const ct_flow_object object = ct_flow_object_at(c, input);
    const ct_entity owner = {(uint32_t)object.entity};
    ct_world *const w = ct_flow_call_world(c);
    if (!has_physics(c, w))
        return false;
    if (!object.entity && !object.part) {
        ct_flow_error(c, "input %u: there is no actor", input + 1);
        return false;
    }
    const ct_physics_world *const p = ct_world_physics(w);
    const ct_actor a = object.part ? (ct_actor){object.part} : ct_actor_first(p, owner);
    if (!ct_actor_is_alive(p, a) || ct_actor_entity(p, a).id != owner.id) {
        ct_flow_error(c, "input %u: the actor has been destroyed, or is in another world",
                      input + 1);
        return false;
    }
    take_actor(actor, w, a);
    return true;
}

bool ct_flow_actor_of(ct_flow_call *c, uint32_t unit, ct_flow_actor *actor) {
    const ct_flow_object object = ct_flow_object_at(c, unit + 1);
    if (object.entity || object.part)
        return ct_flow_actor_at(c, unit + 1, actor);
    ct_world *w;
    ct_entity e;
    if (!ct_flow_unit_with_physics(c, unit, &w, &e))
        return false;
    const ct_actor first = ct_actor_first(ct_world_physics(w), e);
    if (!first.id) {
        ct_flow_error(c, "the unit has no actor");
        return false;
    }
    take_actor(actor, w, first);
    return true;
}

// --- Objects -------------------------------------------------------------------------------------

ct_flow_object ct_flow_object_of_actor(const ct_world *w, ct_actor a) {
    const ct_physics_world *const p = ct_world_physics(w);
    return ct_actor_is_alive(p, a) ? ct_flow_object_of(ct_actor_entity(p, a), a.id)
                                   : (ct_flow_object){0};
}

ct_flow_object ct_flow_object_of_mover(const ct_world *w, ct_mover_instance i, ct_entity e) {
    return i.index ? ct_flow_object_of(e, ct_mover_number(ct_world_movers(w), i))
                   : (ct_flow_object){0};
}

ct_flow_object ct_flow_object_of_unit(const ct_world *w, ct_entity e) {
    return e.id ? ct_flow_object_of(ct_world_unit_of(w, e), 0) : (ct_flow_object){0};
}

// --- Numbers -------------------------------------------------------------------------------------

bool ct_flow_vector3_in(ct_flow_call *c, uint32_t input, double most, ct_vec3 *v) {
    if (!ct_flow_finite_vector3(c, input, v))
        return false;
    if (fabs((double)v->x) <= most && fabs((double)v->y) <= most && fabs((double)v->z) <= most)
        return true;
    ct_flow_error(c, "input %u: found (%g, %g, %g); expected numbers from -%g to %g", input + 1,
                  (double)v->x, (double)v->y, (double)v->z, most, most);
    return false;
}
