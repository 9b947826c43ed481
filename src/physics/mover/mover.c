#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "physics/mover/mover_private.h"

// --- Tools ---------------------------------------------------------------------------------------

bool ct_mover_shape_is_valid(const ct_mover_shape *s) {
    const float length = ct_vec3_length(s->up);
    return s->radius > 0 && s->radius < 1e4f && s->height >= 2 * s->radius && s->height < 1e4f &&
           s->skin > 0 && s->skin <= s->radius / 2 && s->step_height >= 0 &&
           s->step_height < 1e4f && s->max_slope_angle >= 0 &&
           s->max_slope_angle <= CT_MOVER_MOST_SLOPE && s->mass >= 0 && s->mass < 1e30f &&
           s->push_force >= 0 && s->push_force < 1e30f && length > 0.999f && length < 1.001f;
}

// Returns the rotation by the smallest angle from z to `up`.
static ct_quat rotation_to(ct_vec3 up) {
    if (up.z < -0.99999f)
        return (ct_quat){{1, 0, 0, 0}};
    const ct_quat q = {{-up.y, up.x, 0, 1 + up.z}};
    return ct_quat_normalize(q);
}

void ct_mover_tools_set(ct_mover_tools *tools, const ct_mover_shape *shape) {
    CT_ASSERT(ct_mover_shape_is_valid(shape),
              "the mover's shape is invalid: radius %g, height %g, skin %g", (double)shape->radius,
              (double)shape->height, (double)shape->skin);
    const bool is_new = !tools->capsule || tools->shape.radius != shape->radius ||
                        tools->shape.height != shape->height;
    tools->shape = *shape;
    tools->shape.up = ct_vec3_normalize(shape->up);
    tools->rotation = rotation_to(tools->shape.up);
    // A ramp of exactly the limit counts as walkable, a wall never.
    tools->cos_slope = fmaxf(cosf(shape->max_slope_angle) - 1e-4f, 1e-3f);
    if (!is_new)
        return;
    ct_bullet_shape_destroy(tools->capsule);
    const ct_bullet_shape_part part = {
        .kind = CT_BULLET_SHAPE_CAPSULE,
        .pose = {.rotation = ct_quat_identity()},
        .size = {{shape->radius, fmaxf(shape->height / 2 - shape->radius, 1e-4f), 0}},
    };
    tools->capsule = ct_bullet_shape_create(&part, 1);
}

ct_mover_tools *ct_mover_tools_create(ct_allocator *a, const ct_mover_shape *shape) {
    ct_mover_tools *const tools = CT_NEW(a, ct_mover_tools);
    tools->allocator = a;
    ct_mover_tools_set(tools, shape);
    return tools;
}

void ct_mover_tools_destroy(ct_mover_tools *tools) {
    if (!tools)
        return;
    ct_bullet_shape_destroy(tools->capsule);
    ct_free_sized(tools->allocator, tools, sizeof(*tools));
}

const ct_mover_shape *ct_mover_tools_shape(const ct_mover_tools *tools) {
    return &tools->shape;
}

ct_bullet_shape *ct_mover_tools_capsule(const ct_mover_tools *tools) {
    return tools->capsule;
}

ct_rigid_pose ct_mover_tools_pose(const ct_mover_tools *tools, ct_vec3 position) {
    const ct_vec3 center = ct_mover_along(position, tools->shape.up, tools->shape.height / 2);
    return (ct_rigid_pose){center, tools->rotation};
}

void ct_mover_tools_set_trace(ct_mover_tools *tools,
                              void (*trace)(void *user, ct_rigid_pose from, ct_vec3 to),
                              void *user) {
    tools->trace = trace;
    tools->trace_user = user;
}

// --- Runs ----------------------------------------------------------------------------------------

static bool accepts(void *user, uint32_t id) {
    const ct_mover_run *const run = user;
    for (uint32_t i = 0; i < run->num_ignored; ++i)
        if (run->ignored[i] == id)
            return false;
    return !run->asked->accepts || run->asked->accepts(run->asked->user, id);
}

void ct_mover_run_init(ct_mover_run *run, ct_bullet_world *w, const ct_mover_tools *tools,
                       const ct_bullet_find *find, ct_mover_contacts *contacts, ct_vec3 position) {
    CT_ASSERT(ct_vec3_is_finite(position), "the mover's position is not finite");
    *run = (ct_mover_run){
        .world = w,
        .tools = tools,
        .shape = &tools->shape,
        .asked = find,
        .find = *find,
        .contacts = contacts,
        .position = position,
        .up = tools->shape.up,
        .ground_normal = tools->shape.up,
        .pushed = UINT32_MAX,
    };
}

bool ct_mover_ignore(ct_mover_run *run, uint32_t id) {
    if (run->num_ignored == CT_MOVER_MAX_IGNORED)
        return false;
    run->ignored[run->num_ignored++] = id;
    run->find.accepts = accepts;
    run->find.user = run;
    return true;
}

ct_bullet_body *ct_mover_body(const ct_mover_run *run, uint32_t id) {
    return run->bodies && id != UINT32_MAX ? run->bodies->body(run->bodies->user, id) : NULL;
}

void ct_mover_note_touch(const ct_mover_run *run, uint32_t id, ct_vec3 position, ct_vec3 normal) {
    if (run->bodies && run->bodies->touched && id != UINT32_MAX)
        run->bodies->touched(run->bodies->user, id, position, normal);
}

// --- Moves ---------------------------------------------------------------------------------------

// Takes what the last move found into this one.
static void start_run(ct_mover_run *run, const ct_mover_state *state) {
    const ct_mover_contacts *const last = &state->contacts;
    const float foot = ct_vec3_dot(state->position, run->up);
    run->was_grounded = run->is_grounded = last->down;
    run->support_height = foot;
    if (!last->down)
        return;
    // Between slopes that are too steep it walks as on flat ground.
    if (ct_vec3_dot(last->ground_normal, run->up) >= run->tools->cos_slope)
        run->ground_normal = last->ground_normal;
    const float support = ct_vec3_dot(last->ground_position, run->up);
    if (fabsf(support - foot) < run->shape->radius)
        run->support_height = support;
}

static void finish_run(const ct_mover_run *run, ct_mover_state *state) {
    ct_mover_contacts *const c = &state->contacts;
    state->position = run->position;
    state->ahead = run->ahead;
    c->down = run->is_grounded;
    if (!c->down) {
        c->ground = UINT32_MAX;
        c->ground_normal = run->up;
        c->ground_position = run->position;
    }
    if (c->down)
        ct_mover_note_touch(run, c->ground, c->ground_position, c->ground_normal);
    const float cosine = ct_vec3_dot(c->ground_normal, run->up);
    c->ground_slope = c->down ? acosf(fminf(fmaxf(cosine, -1), 1)) : 0;
    state->standing_frames = c->down ? state->standing_frames + 1 : 0;
    state->flying_frames = c->down ? 0 : state->flying_frames + 1;
    ct_mover_hold_ground(run, state);
}

void ct_mover_move(ct_bullet_world *w, const ct_mover_tools *tools, const ct_bullet_find *find,
                   const ct_mover_bodies *bodies, ct_mover_state *state, ct_vec3 offset, float dt) {
    CT_ASSERT(ct_vec3_is_finite(offset) && dt > 0, "a mover moves by %g %g %g in %g s",
              (double)offset.x, (double)offset.y, (double)offset.z, (double)dt);
    ct_mover_contacts contacts = {.ground = UINT32_MAX, .ground_normal = tools->shape.up};
    ct_mover_run run;
    ct_mover_run_init(&run, w, tools, find, &contacts, state->position);
    run.bodies = bodies;
    run.dt = dt;
    start_run(&run, state);
    if (bodies) {
        ct_mover_carry(&run, state);
        ct_mover_yield(&run);
    }
    const float rise = ct_vec3_dot(offset, run.up);
    ct_vec3 lateral = ct_mover_flatten(offset, run.up);
    const float length = ct_vec3_length(lateral);
    const bool jumps = rise > 1e-5f + 1e-3f * length;
    run.lateral = lateral;
    run.ahead = length > 0 ? state->ahead : 0;
    const float late = fminf(run.ahead, length / 2);
    if (late > 0) {
        lateral = ct_vec3_scale(lateral, 1 - late / length);
        run.ahead -= late;
    }
    if (run.is_grounded && !jumps) {
        ct_mover_walk(&run, lateral);
        ct_mover_follow_ground(&run, fmaxf(-rise, 0));
    } else {
        run.is_grounded = false;
        ct_mover_fly(&run, lateral, rise);
        if (!run.is_grounded && !jumps)
            ct_mover_find_ground(&run, tools->shape.skin);
    }
    if (bodies && run.is_grounded)
        ct_mover_press_ground(&run);
    state->contacts = contacts;
    finish_run(&run, state);
}
