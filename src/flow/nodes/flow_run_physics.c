// Nodes of the physics of a world, the actors of units, and the events of physics. What starts these is in
// flow_physics.c.
#include <math.h>

#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "foundation/math/math.h"
#include "physics/query/physics_query.h"
#include "resource/types/flow/flow_node_states.h"
#include "resource/types/physics_resource.h"
#include "world/world_actors.h"

// --- The world -----------------------------------------------------------------------------------

// Returns the physics of the world; NULL with an error when it does not exist.
static ct_physics_world *physics_of(ct_flow_call *c) {
    ct_physics_world *const p = ct_world_physics(ct_flow_call_world(c));
    if (!p)
        ct_flow_error(c, "the worlds of this program have no physics");
    return p;
}

static uint32_t set_gravity(ct_flow_call *c, uint32_t event) {
    ct_physics_world *const p = physics_of(c);
    const double most = ct_schema_find(&ct_physics_schema, "gravity")->most;
    ct_vec3 gravity;
    if (p && ct_flow_vector3_in(c, 0, most, &gravity))
        ct_physics_world_set_gravity(p, gravity);
    return event;
}

// --- Rays ----------------------------------------------------------------------------------------

enum { OBJECT_TYPE, FILTER, FROM, DIRECTION, LENGTH };         // inputs
enum { HIT, POSITION, DISTANCE, NORMAL, HIT_UNIT, HIT_ACTOR }; // outputs

static bool find_filter(ct_flow_call *c, const ct_physics_world *p, ct_string_id32 *filter) {
    const ct_physics_resource *const r = ct_physics_world_resource(p);
    const ct_physics_filter *const filters = ct_blob_at(r, r->filters.offset);
    const char *const name = ct_flow_text(c, FILTER);
    const char *names[CT_PHYSICS_MAX_FILTERS];
    uint32_t count = 0;
    *filter = name[0] ? ct_string_id32_of(name) : (ct_string_id32){0};
    if (!name[0] || ct_physics_find_filter(r, *filter) != UINT32_MAX)
        return true;
    for (; count < r->filters.count && count < CT_COUNT_OF(names); ++count)
        names[count] = ct_blob_at(r, filters[count].name_text.offset);
    const char *const nearest = ct_nearest_name(name, names, count);
    ct_flow_error(c, "the physics resource has no collision filter \"%.64s\"%s%s%s", name,
                  nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
    return false;
}

static bool read_ray(ct_flow_call *c, ct_physics_ray *ray) {
    double length;
    if (!ct_flow_vector3_in(c, FROM, CT_PHYSICS_REACH, &ray->from) ||
        !ct_flow_finite_vector3(c, DIRECTION, &ray->direction) ||
        !ct_flow_number_in(c, LENGTH, 0, CT_PHYSICS_REACH, &length))
        return false;
    const float of_direction = ct_vec3_length(ray->direction);
    if (!(of_direction > 1e-12f && isfinite(of_direction))) {
        ct_flow_error(c, "input %d: found a vector of length %g; expected a direction",
                      DIRECTION + 1, (double)of_direction);
        return false;
    }
    ray->direction = ct_vec3_scale(ray->direction, 1 / of_direction);
    ray->length = (float)length;
    return true;
}

static uint32_t raycast(ct_flow_call *c, uint32_t event) {
    static const char *const types[] = {"statics", "dynamics", "both", "triggers", "all", NULL};
    static const uint32_t kinds[] = {CT_BULLET_FIND_STATIC,
                                     CT_BULLET_FIND_DYNAMIC | CT_BULLET_FIND_KINEMATIC,
                                     CT_BULLET_FIND_SOLID, CT_BULLET_FIND_SENSORS,
                                     CT_BULLET_FIND_SOLID | CT_BULLET_FIND_SENSORS};
    const ct_physics_world *const p = physics_of(c);
    const ct_world *const w = ct_flow_call_world(c);
    ct_physics_find find = {0};
    ct_physics_ray ray;
    uint32_t place;
    ct_flow_set_bool(c, HIT, false);
    if (!p || !ct_flow_name_of(c, OBJECT_TYPE, types, &place) || !find_filter(c, p, &find.filter) ||
        !read_ray(c, &ray))
        return event;
    find.kinds = kinds[place];
    ct_physics_hit hit;
    if (!ct_physics_rays(p, &ray, 1, &find, &hit))
        return event;
    ct_flow_set_bool(c, HIT, true);
    ct_flow_set_vector3(c, POSITION, hit.position);
    ct_flow_set_number(c, DISTANCE, (double)hit.distance);
    ct_flow_set_vector3(c, NORMAL, hit.normal);
    ct_flow_set_object(c, HIT_UNIT, ct_flow_object_of_unit(w, ct_actor_entity(p, hit.actor)));
    ct_flow_set_object(c, HIT_ACTOR, ct_flow_object_of_actor(w, hit.actor));
    return event;
}

// --- Actors of units -----------------------------------------------------------------------------

static ct_actor actor_named(const ct_physics_world *p, ct_entity unit, ct_string_id32 name) {
    ct_actor a = ct_actor_first(p, unit);
    while (a.id && ct_actor_name(p, a).value != name.value)
        a = ct_actor_next(p, a);
    return a;
}

// Gives the actor of a unit with a name: {0} while one that its resource describes is not made.
static bool find_named(ct_flow_call *c, const ct_world *w, ct_entity unit, const char *name,
                       ct_actor *actor) {
    const ct_string_id32 id = ct_string_id32_of(name);
    *actor = actor_named(ct_world_physics(w), unit, id);
    if (actor->id || ct_world_described_actor(w, unit, id, 0).data)
        return true;
    ct_flow_error(c, "the unit has no actor \"%.64s\"", name);
    return false;
}

static uint32_t get_num_actors(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world *w;
    ct_entity unit;
    if (ct_flow_unit_with_physics(c, 0, &w, &unit))
        ct_flow_set_number(c, 0, ct_actor_count_of(ct_world_physics(w), unit));
    return CT_FLOW_STOP;
}

static bool find_with_number(ct_flow_call *c, const ct_world *w, ct_entity unit, ct_actor *actor) {
    const ct_physics_world *const p = ct_world_physics(w);
    const uint32_t count = ct_actor_count_of(p, unit);
    const double number = ct_flow_number(c, 1);
    if (!(number >= 1 && number < (double)count + 1)) {
        ct_flow_error(c,
                      count ? "found the actor %g; expected 1 to %u"
                            : "found the actor %g; the unit has %u actors",
                      number, count);
        return false;
    }
    *actor = ct_actor_first(p, unit);
    for (uint32_t i = (uint32_t)number; i > 1; --i)
        *actor = ct_actor_next(p, *actor);
    return true;
}

static uint32_t get_actor(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world *w;
    ct_entity unit;
    ct_actor actor;
    if (!ct_flow_unit_with_physics(c, 0, &w, &unit))
        return CT_FLOW_STOP;
    const char *const name = ct_flow_text(c, 2);
    if (name[0] ? find_named(c, w, unit, name, &actor) : find_with_number(c, w, unit, &actor))
        ct_flow_set_object(c, 0, ct_flow_object_of_actor(w, actor));
    return CT_FLOW_STOP;
}

static uint32_t create_actor(ct_flow_call *c, uint32_t event) {
    ct_world *w;
    ct_entity unit;
    double share;
    if (!ct_flow_unit_with_physics(c, 0, &w, &unit) || !ct_flow_number_in(c, 2, 0, 1e3, &share))
        return event;
    const char *const name = ct_flow_text(c, 1);
    const ct_described_actor described =
        ct_world_described_actor(w, unit, ct_string_id32_of(name), 0);
    if (!described.data) {
        ct_flow_error(c, "the resource of the unit has no actor \"%.64s\" at its root", name);
        return event;
    }
    if (ct_world_has_described_actor(w, unit, &described)) {
        ct_flow_error(c, "the unit already has the actor \"%.64s\"; destroy it first", name);
        return event;
    }
    ct_error error = {0};
    const ct_actor_desc desc = {
        .entity = unit, .component_id = described.component_id, .data = described.data};
    const ct_actor a = ct_actor_create(ct_world_physics(w), &desc, &error);
    if (a.id)
        ct_world_inherit_velocity(w, unit, a, (float)share);
    else
        ct_flow_error(c, "%s", error.message);
    return event;
}

static uint32_t destroy_actor(ct_flow_call *c, uint32_t event) {
    ct_world *w;
    ct_entity unit;
    ct_actor actor;
    if (ct_flow_unit_with_physics(c, 0, &w, &unit) &&
        find_named(c, w, unit, ct_flow_text(c, 1), &actor))
        ct_actor_destroy(ct_world_physics(w), actor); // does nothing while it is not made
    return event;
}

// --- Events --------------------------------------------------------------------------------------

_Static_assert(sizeof(ct_flow_physics_state) == CT_FLOW_PHYSICS_STATE_BYTES, "as the table says");

static uint32_t run_event(ct_flow_call *c, uint32_t event) {
    (void)c, (void)event;
    return 0;
}

static uint32_t run_touch(ct_flow_call *c, uint32_t event) {
    (void)event;
    return ((const ct_flow_physics_state *)ct_flow_state(c))->event_out;
}

static uint32_t run_trigger(ct_flow_call *c, uint32_t event) {
    enum { ENABLE, DISABLE };
    ct_flow_physics_state *const state = ct_flow_state(c);
    if (event == ENABLE || event == DISABLE) {
        state->is_disabled = event == DISABLE;
        return CT_FLOW_STOP;
    }
    return state->is_disabled ? CT_FLOW_STOP : state->event_out;
}

static const ct_flow_function_row rows[] = {
    {"create_unit_actor", create_actor},
    {"destroy_unit_actor", destroy_actor},
    {"get_unit_actor", get_actor},
    {"get_unit_num_actors", get_num_actors},
    {"mover_actor_collision", run_event},
    {"mover_mover_collision", run_event},
    {"physics_collision", run_touch},
    {"physics_trigger", run_touch},
    {"raycast", raycast},
    {"set_world_gravity", set_gravity},
    {"trigger", run_trigger},
};

const ct_flow_functions ct_flow_run_physics = {rows, CT_COUNT_OF(rows)};
