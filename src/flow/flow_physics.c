// Events of physics: touches, triggers and what movers ran into, once for each step of a world.
#include "flow/flow_private.h"
#include "flow/nodes/flow_parts.h"
#include "foundation/math/math.h"

// --- Which graphs listen -------------------------------------------------------------------------

enum {
    COLLISIONS = CT_FLOW_LISTENS_COLLISION,
    TRIGGERS = CT_FLOW_LISTENS_TRIGGER,
    MOVERS = CT_FLOW_LISTENS_MOVER_ACTOR | CT_FLOW_LISTENS_MOVER_MOVER,
};

uint32_t ct_flow_listens_of(const ct_flow_graph *g) {
    static const struct {
        const char *name;
        uint32_t listens;
    } kinds[] = {
        {"physics_collision", CT_FLOW_LISTENS_COLLISION},
        {"physics_trigger", CT_FLOW_LISTENS_TRIGGER},
        {"trigger", CT_FLOW_LISTENS_TRIGGER},
        {"mover_actor_collision", CT_FLOW_LISTENS_MOVER_ACTOR},
        {"mover_mover_collision", CT_FLOW_LISTENS_MOVER_MOVER},
    };
    uint32_t listens = 0, count;
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        ct_flow_find_entries(g, ct_string_id32_of(kinds[i].name), &count);
        listens |= count ? kinds[i].listens : 0;
    }
    return listens;
}

// Returns what the graphs with instances listen to.
static uint32_t listens_of(const ct_flow_world *w) {
    uint32_t listens = 0;
    for (uint32_t i = 0; i < w->pools.count; ++i) {
        const ct_flow_graph *const g = w->system->graphs.items[i];
        if (g->listens && ct_flow_pool_room(&w->pools.items[i]) < w->pools.items[i].num_places)
            listens |= g->listens;
    }
    return listens;
}

// --- Touches and triggers ------------------------------------------------------------------------

// One side of an event.
typedef struct actor_touch {
    const ct_world *world;
    const ct_physics_event *event;
    bool is_b; // the unit has the second actor
} actor_touch;

static void prepare_trigger(ct_flow_call *c, void *user) {
    const actor_touch *const t = user;
    const ct_physics_event *const e = t->event;
    ct_flow_set_object(c, 0, ct_flow_object_of_actor(t->world, t->is_b ? e->b : e->a));
    ct_flow_set_object(c, 1, ct_flow_object_of_actor(t->world, t->is_b ? e->a : e->b));
    ct_flow_set_object(c, 2, ct_flow_object_of_unit(t->world, t->is_b ? e->entity_a : e->entity_b));
    ct_flow_physics_state *const state = ct_flow_state(c);
    state->event_out = e->kind == CT_PHYSICS_TRIGGER_LEAVE;
}

// The node Trigger, which may be disabled.
static void prepare_switched_trigger(ct_flow_call *c, void *user) {
    const actor_touch *const t = user;
    ct_flow_physics_state *const state = ct_flow_state(c);
    state->event_out = t->event->kind == CT_PHYSICS_TRIGGER_LEAVE;
    if (state->is_disabled)
        return;
    ct_flow_set_object(c, 0, ct_flow_object_of_actor(t->world, t->event->b));
    ct_flow_set_object(c, 1, ct_flow_object_of_unit(t->world, t->event->entity_b));
}

static void prepare_collision(ct_flow_call *c, void *user) {
    const actor_touch *const t = user;
    const ct_physics_event *const e = t->event;
    const ct_vec3 normal = t->is_b ? ct_vec3_scale(e->normal, -1) : e->normal;
    prepare_trigger(c, user);
    ct_flow_set_vector3(c, 3, e->position);
    ct_flow_set_vector3(c, 4, normal);
    ct_flow_set_number(c, 5, (double)e->distance);
    ct_flow_set_vector3(c, 6, ct_vec3_scale(normal, e->impulse));
    ct_flow_physics_state *const state = ct_flow_state(c);
    state->event_out = e->kind == CT_PHYSICS_TOUCH_BEGIN     ? 0
                       : e->kind == CT_PHYSICS_TOUCH_PERSIST ? 1
                                                             : 2;
}

// Returns whose graph has the events of an entity: its own, or that of its unit.
static ct_entity owner_of(const ct_flow_world *w, ct_entity e) {
    return ct_flow_of_unit(w, e).id ? e : ct_world_unit_of(w->world, e);
}

static void start_touch(ct_flow_world *w, const ct_physics_event *e, bool is_b) {
    const ct_entity unit = owner_of(w, is_b ? e->entity_b : e->entity_a);
    actor_touch t = {w->world, e, is_b};
    if (unit.id)
        ct_flow_start_of_unit(w, unit, CT_ID32("physics_collision", 0xbb8fa83a), prepare_collision,
                              &t);
}

static void start_trigger(ct_flow_world *w, const ct_physics_event *e) {
    const ct_entity unit = owner_of(w, e->entity_a);
    actor_touch t = {w->world, e, false};
    if (!unit.id)
        return;
    ct_flow_start_of_unit(w, unit, CT_ID32("physics_trigger", 0x4934130c), prepare_trigger, &t);
    ct_flow_start_of_unit(w, unit, CT_ID32("trigger", 0xead0b378), prepare_switched_trigger, &t);
}

static void run_touches(ct_flow_world *w, uint32_t listens) {
    const ct_physics_world *const p = ct_world_physics(w->world);
    uint32_t count;
    ct_physics_world_events(p, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_physics_event e = ct_physics_world_events(p, &count)[i];
        const bool is_trigger =
            e.kind == CT_PHYSICS_TRIGGER_ENTER || e.kind == CT_PHYSICS_TRIGGER_LEAVE;
        if (is_trigger && (listens & TRIGGERS))
            start_trigger(w, &e);
        if (is_trigger || !(listens & COLLISIONS))
            continue;
        start_touch(w, &e, false);
        start_touch(w, &e, true);
    }
}

// --- Movers --------------------------------------------------------------------------------------

// A touch of a mover, and the mover that it touched; {0}: an actor.
typedef struct mover_touch {
    const ct_world *world;
    const ct_mover_touch *touch;
    ct_flow_object own, other; // movers
} mover_touch;

static void prepare_mover_actor(ct_flow_call *c, void *user) {
    const mover_touch *const t = user;
    const ct_entity e = ct_actor_entity(ct_world_physics(t->world), t->touch->actor);
    const float length = ct_vec3_length(t->touch->offset);
    ct_flow_set_object(c, 0, ct_flow_object_of_unit(t->world, e));
    ct_flow_set_object(c, 1, ct_flow_object_of_actor(t->world, t->touch->actor));
    ct_flow_set_object(c, 2, t->own);
    ct_flow_set_vector3(c, 3, t->touch->position);
    ct_flow_set_vector3(c, 4, t->touch->normal);
    ct_flow_set_vector3(c, 5, ct_vec3_scale(t->touch->offset, length > 0 ? 1 / length : 0));
    ct_flow_set_number(c, 6, (double)length);
}

static void prepare_mover_mover(ct_flow_call *c, void *user) {
    const mover_touch *const t = user;
    const ct_entity other = {(uint32_t)t->other.entity};
    ct_flow_set_object(c, 0, ct_flow_object_of_unit(t->world, other));
    ct_flow_set_object(c, 1, t->other);
    ct_flow_set_object(c, 2, t->own);
}

// Returns the mover that others collide with as this actor; none: it is not one of a mover.
static ct_flow_object mover_of(const ct_world *w, ct_actor a) {
    const ct_mover_manager *const m = ct_world_movers(w);
    const ct_entity e = ct_actor_entity(ct_world_physics(w), a);
    const ct_mover_instance i = e.id ? ct_mover_active(m, e) : (ct_mover_instance){0};
    return i.index && ct_mover_actor(m, i).id == a.id ? ct_flow_object_of_mover(w, i, e)
                                                      : (ct_flow_object){0};
}

static void run_mover_touch(ct_flow_world *w, const ct_mover_touch *touch) {
    const ct_string_id32 both = CT_ID32("mover_mover_collision", 0x535cbf7e);
    const ct_entity unit = owner_of(w, touch->entity);
    mover_touch t = {.world = w->world,
                     .touch = touch,
                     .own = ct_flow_object_of(touch->entity, touch->number),
                     .other = mover_of(w->world, touch->actor)};
    if (!t.other.entity) {
        if (unit.id)
            ct_flow_start_of_unit(w, unit, CT_ID32("mover_actor_collision", 0x37ce50bc),
                                  prepare_mover_actor, &t);
        return;
    }
    if (unit.id)
        ct_flow_start_of_unit(w, unit, both, prepare_mover_mover, &t);
    const ct_flow_object own = t.own;
    const ct_entity other = owner_of(w, (ct_entity){(uint32_t)t.other.entity});
    t.own = t.other;
    t.other = own;
    if (other.id)
        ct_flow_start_of_unit(w, other, both, prepare_mover_mover, &t);
}

void ct_flow_run_physics_events(ct_flow_world *w) {
    ct_mover_manager *const movers = ct_world_movers(w->world);
    if (!ct_world_physics(w->world))
        return;
    const uint32_t listens = listens_of(w);
    if (listens & (COLLISIONS | TRIGGERS))
        run_touches(w, listens);
    ct_mover_keep_touches(movers, (listens & MOVERS) != 0);
    if (!(listens & MOVERS))
        return;
    uint32_t count;
    const ct_mover_touch *const touches = ct_mover_take_touches(movers, &count);
    for (uint32_t i = 0; i < count; ++i)
        run_mover_touch(w, &touches[i]);
}
