// Moving entities with their movers, and the bodies that others collide with.
#include <math.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "physics/mover/mover_component_private.h"

// An entity that is farther from where its mover left it was moved by other means.
static const float MOVED = 1e-4f;

static const ct_mover_tools *tools_of(const ct_mover_manager *m, uint32_t i) {
    return m->kinds.items[m->kind[i]].tools;
}

// --- What it sees --------------------------------------------------------------------------------

typedef struct sight {
    ct_mover_manager *manager;
    ct_entity entity;
    uint32_t number;      // of the mover
    uint32_t first_touch; // of this move, in `touches`
    ct_vec3 offset;       // of this move
} sight;

// A mover passes through actors of its own entity.
static bool accepts(void *user, uint32_t id) {
    const sight *const s = user;
    return ct_actor_entity(s->manager->physics, (ct_actor){id}).id != s->entity.id;
}

static ct_bullet_body *find_body(void *user, uint32_t id) {
    const sight *const s = user;
    return ct_actor_bullet(s->manager->physics, (ct_actor){id});
}

// Keeps a touch, the first of each actor in a move.
static void keep_touch(void *user, uint32_t id, ct_vec3 position, ct_vec3 normal) {
    const sight *const s = user;
    ct_mover_touch_array *const touches = &s->manager->touches;
    for (uint32_t i = s->first_touch; i < touches->count; ++i)
        if (touches->items[i].actor.id == id)
            return;
    if (touches->count < CT_MOVER_MAX_TOUCHES)
        ct_array_push(touches, (ct_mover_touch){.entity = s->entity,
                                                .number = s->number,
                                                .actor = {id},
                                                .position = position,
                                                .normal = normal,
                                                .offset = s->offset});
}

// Returns what the mover `i` collides with. `s` is used as long as the result.
static ct_bullet_find find_of(ct_mover_manager *m, uint32_t i, sight *s) {
    *s = (sight){.manager = m, .entity = m->table.entity[i], .number = m->table.number[i]};
    const ct_physics_resource *const r = ct_physics_system_resource(m->system);
    uint32_t filter = ct_physics_find_filter(r, m->data[i].filter);
    if (filter == UINT32_MAX) {
        char name[256];
        ct_log_warning("physics", "unknown_filter",
                       "%s: the filter \"%s\" of its mover is not in the physics resource; it uses "
                       "\"default\"",
                       ct_mover_entity_name(m, m->table.entity[i], name, sizeof(name)),
                       ct_string_id32_name(m->data[i].filter));
        filter = 0;
    }
    const ct_physics_filter *const filters = ct_blob_at(r, r->filters.offset);
    return (ct_bullet_find){
        .kinds = CT_BULLET_FIND_SOLID | CT_BULLET_FIND_COLLIDING,
        .filters = filters[filter].collides,
        .accepts = accepts,
        .user = s,
    };
}

// --- Its actor -----------------------------------------------------------------------------------

// Returns the capsule in the space of an entity at `world`: it stands on the entity, upwards.
static ct_actor_shape_data capsule_of(const ct_mover_manager *m, uint32_t i, const ct_mat4 *world) {
    const ct_mover_data *const d = &m->data[i];
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(world, &position, &rotation, &scale);
    // The mover's size is in metres, whatever the entity's scale is.
    const float size = fabsf(scale.x) > 1e-6f ? fabsf(scale.x) : 1;
    const ct_quat back = ct_quat_conjugate(rotation);
    const ct_vec3 center = ct_quat_rotate(back, ct_vec3_scale(m->up, d->height / 2 / size));
    const ct_rigid_pose upright = ct_mover_tools_pose(tools_of(m, i), ct_vec3_make(0, 0, 0));
    const ct_quat turned = ct_quat_normalize(ct_quat_mul(back, upright.rotation));
    return (ct_actor_shape_data){
        // Capsules of actors are longer than spheres.
        .type = d->height > 2.001f * d->radius ? CT_ACTOR_SHAPE_CAPSULE : CT_ACTOR_SHAPE_SPHERE,
        .position = {center.x, center.y, center.z},
        .rotation = {turned.x, turned.y, turned.z, turned.w},
        .radius = d->radius / size,
        .height = d->height / size,
    };
}

void ct_mover_make_actor(ct_mover_manager *m, uint32_t i) {
    const ct_entity e = m->table.entity[i];
    const ct_transform t = ct_transform_lookup(m->transforms, e);
    const ct_actor_shape_data shape = capsule_of(m, i, ct_transform_world(m->transforms, t));
    const ct_string_id32 standard = ct_string_id32_of("default");
    const bool has_filter = ct_physics_find_filter(ct_physics_system_resource(m->system),
                                                   m->data[i].filter) != UINT32_MAX;
    const ct_actor_data data = {
        .name = m->data[i].name,
        .body = CT_ACTOR_KEYFRAMED,
        .material = standard,
        .filter = has_filter ? m->data[i].filter : standard,
        .is_collision_enabled = true,
        .is_scene_query_enabled = true,
        .given = CT_ACTOR_GIVEN_MASK,
    };
    const ct_actor_desc desc = {.entity = e, .data = &data, .shapes = &shape, .num_shapes = 1};
    ct_error error = {0};
    m->actor[i] = ct_actor_create(m->physics, &desc, &error);
    char name[256];
    if (!m->actor[i].id)
        ct_log_error("physics", "mover_actor", "%s: nothing collides with its mover: %s",
                     ct_mover_entity_name(m, e, name, sizeof(name)), error.message);
}

void ct_mover_end_actor(ct_mover_manager *m, uint32_t i) {
    if (m->actor[i].id)
        ct_actor_destroy(m->physics, m->actor[i]);
    m->actor[i] = (ct_actor){0};
}

// --- The entity ----------------------------------------------------------------------------------

ct_vec3 ct_mover_entity_position(const ct_mover_manager *m, ct_entity e) {
    const ct_transform t = ct_transform_lookup(m->transforms, e);
    return t.index ? ct_mat4_position(*ct_transform_world(m->transforms, t))
                   : ct_vec3_make(0, 0, 0);
}

// Takes over where the entity is now.
static void read_entity(ct_mover_manager *m, uint32_t i) {
    ct_mover_state *const s = &m->state[i];
    const ct_vec3 position = ct_mover_entity_position(m, m->table.entity[i]);
    const ct_vec3 moved = ct_vec3_sub(position, m->left_at[i]);
    const ct_actor ground = ct_mover_ground(m, (ct_mover_instance){i});
    if (ct_actor_teleports(m->physics, ground) != m->teleports[i])
        s->has_ground_pose = false; // there was no way that it could go along
    const float length = ct_vec3_length(moved);
    if (length <= MOVED)
        return;
    s->position = m->left_at[i] = position;
    s->has_ground_pose = false;
    // Lifted, or put elsewhere: it is not to be held to the ground that it left.
    const ct_mover_data *const d = &m->data[i];
    if (ct_vec3_dot(moved, m->up) <= d->skin && length <= d->radius)
        return;
    const uint32_t standing = s->standing_frames, flying = s->flying_frames;
    *s = ct_mover_state_at(m, position);
    s->standing_frames = standing;
    s->flying_frames = flying;
}

// Puts the entity, and the body, where the mover is; turns it by an angle about up.
static void write_entity(ct_mover_manager *m, uint32_t i, float turned) {
    const ct_transform t = ct_transform_lookup(m->transforms, m->table.entity[i]);
    if (!t.index)
        return;
    const ct_vec3 position = m->state[i].position;
    const ct_quat turn = ct_quat_axis_angle(m->up, turned);
    if (ct_transform_parent(m->transforms, t).index) {
        ct_vec3 old, scale;
        ct_quat rotation;
        ct_mat4_decompose(ct_transform_world(m->transforms, t), &old, &rotation, &scale);
        const ct_mat4 world =
            ct_mat4_compose(position, ct_quat_normalize(ct_quat_mul(turn, rotation)), scale);
        ct_transform_set_world_pose(m->transforms, t, &world);
    } else {
        ct_transform_set_local_position(m->transforms, t, position);
        if (turned != 0) {
            const ct_quat rotation = ct_transform_local_rotation(m->transforms, t);
            ct_transform_set_local_rotation(m->transforms, t,
                                            ct_quat_normalize(ct_quat_mul(turn, rotation)));
        }
    }
    // A parent's space rounds it. The mover goes on from where it is itself, so that it does not drift.
    m->left_at[i] = ct_mover_entity_position(m, m->table.entity[i]);
    ct_bullet_body *const body = ct_actor_bullet(m->physics, m->actor[i]);
    if (!body)
        return;
    ct_rigid_pose pose = ct_bullet_body_pose(body);
    pose.position = position;
    pose.rotation = ct_quat_normalize(ct_quat_mul(turn, pose.rotation));
    ct_bullet_body_set_pose(body, pose);
}

// --- Moves ---------------------------------------------------------------------------------------

static void move(ct_mover_manager *m, uint32_t i, ct_vec3 offset, float dt) {
    sight s;
    const ct_bullet_find find = find_of(m, i, &s);
    const ct_mover_bodies bodies = {
        .body = find_body, .user = &s, .touched = m->keeps_touches ? keep_touch : NULL};
    s.first_touch = m->touches.count;
    s.offset = offset;
    read_entity(m, i);
    const ct_vec3 before = m->state[i].position;
    ct_mover_move(ct_physics_world_bullet(m->physics), tools_of(m, i), &find, &bodies, &m->state[i],
                  offset, dt);
    m->teleports[i] = ct_actor_teleports(m->physics, ct_mover_ground(m, (ct_mover_instance){i}));
    const ct_vec3 after = m->state[i].position;
    const float turned = m->state[i].contacts.turned;
    if (before.x != after.x || before.y != after.y || before.z != after.z || turned != 0)
        write_entity(m, i, turned);
}

void ct_mover_component_move_many(ct_mover_manager *m, const ct_mover_instance *movers,
                                  const ct_vec3 *offsets, uint32_t count, float dt) {
    ct_mover_take_gravity(m);
    for (uint32_t k = 0; k < count; ++k)
        if (movers[k].index && m->data[ct_mover_checked(m, movers[k])].is_active)
            move(m, movers[k].index, offsets[k], dt);
}

void ct_mover_component_move(ct_mover_manager *m, ct_mover_instance i, ct_vec3 offset, float dt) {
    ct_mover_checked(m, i);
    ct_mover_component_move_many(m, &i, &offset, 1, dt);
}

void ct_mover_keep_touches(ct_mover_manager *m, bool keeps) {
    m->keeps_touches = keeps;
    if (!keeps)
        m->touches.count = 0;
}

const ct_mover_touch *ct_mover_take_touches(ct_mover_manager *m, uint32_t *count) {
    const ct_mover_touch_array taken = m->touches;
    m->touches = m->taken;
    m->touches.count = 0;
    m->taken = taken;
    *count = taken.count;
    return taken.items;
}

ct_vec3 ct_mover_center(const ct_mover_manager *m, ct_mover_instance i) {
    const float height = m->data[ct_mover_checked(m, i)].height;
    return ct_vec3_add(ct_mover_position(m, i), ct_vec3_scale(m->up, height / 2));
}

ct_vec3 ct_mover_position(const ct_mover_manager *m, ct_mover_instance i) {
    return ct_mover_entity_position(m, m->table.entity[ct_mover_checked(m, i)]);
}

void ct_mover_set_position(ct_mover_manager *m, ct_mover_instance i, ct_vec3 position) {
    CT_ASSERT(ct_vec3_is_finite(position), "the mover's position is not finite");
    ct_mover_state *const s = &m->state[ct_mover_checked(m, i)];
    if (!m->data[i.index].is_active)
        return;
    *s = ct_mover_state_at(m, position);
    m->teleports[i.index] = 0;
    write_entity(m, i.index, 0);
    ct_actor_count_teleport(m->physics, m->actor[i.index]);
}

// --- Room ----------------------------------------------------------------------------------------

bool ct_mover_component_fits_at(ct_mover_manager *m, ct_mover_instance i, ct_vec3 position,
                                float allow_move, ct_vec3 *found) {
    ct_mover_checked(m, i);
    ct_mover_take_gravity(m);
    sight s;
    const ct_bullet_find find = find_of(m, i.index, &s);
    return ct_mover_fits_at(ct_physics_world_bullet(m->physics), tools_of(m, i.index), &find,
                            position, allow_move, found);
}

bool ct_mover_set_active(ct_mover_manager *m, ct_entity e, ct_mover_instance i) {
    const uint32_t old = ct_mover_active(m, e).index;
    if (i.index == old)
        return true;
    ct_vec3 left_at = ct_mover_entity_position(m, e);
    ct_mover_state state = ct_mover_state_at(m, left_at);
    uint32_t teleports = 0;
    if (old) {
        read_entity(m, old);
        state = m->state[old];
        left_at = m->left_at[old];
        teleports = m->teleports[old];
    }
    if (i.index) {
        CT_ASSERT(m->table.entity[ct_mover_checked(m, i)].id == e.id,
                  "mover %u is not of entity %u", i.index, e.id);
        ct_vec3 found;
        if (!ct_mover_component_fits_at(m, i, state.position, 0, &found))
            return false;
    }
    if (old) {
        ct_mover_end_actor(m, old);
        m->data[old].is_active = false;
    }
    if (i.index) {
        m->state[i.index] = state;
        m->left_at[i.index] = left_at;
        m->teleports[i.index] = teleports;
        m->data[i.index].is_active = true;
        ct_mover_make_actor(m, i.index);
    }
    return true;
}

bool ct_mover_component_separate(ct_mover_manager *m, ct_mover_instance i, float allow_move,
                                 ct_actor *actor, ct_vec3 *moved) {
    *actor = (ct_actor){0};
    *moved = ct_vec3_make(0, 0, 0);
    if (!m->data[ct_mover_checked(m, i)].is_active)
        return false;
    ct_mover_take_gravity(m);
    sight s;
    const ct_bullet_find find = find_of(m, i.index, &s);
    read_entity(m, i.index);
    uint32_t id;
    const bool was_inside =
        ct_mover_separate(ct_physics_world_bullet(m->physics), tools_of(m, i.index), &find,
                          &m->state[i.index], allow_move, &id, moved);
    if (id != UINT32_MAX)
        *actor = (ct_actor){id};
    if (was_inside)
        write_entity(m, i.index, 0);
    return was_inside;
}

// --- Drawing -------------------------------------------------------------------------------------

// Draws a capsule: rings, and lines along it.
static void draw_capsule(ct_rigid_pose pose, float radius, float height,
                         void (*line)(void *user, ct_vec3 from, ct_vec3 to), void *user) {
    enum { SEGMENTS = 16 };
    const float half = height / 2 - radius;
    for (uint32_t k = 0; k < SEGMENTS; ++k) {
        const float a = 6.2831853f * (float)k / SEGMENTS;
        const float b = 6.2831853f * (float)(k + 1) / SEGMENTS;
        const float shift = sinf((a + b) / 2) > 0 ? half : -half;
        const ct_vec3 lines[][2] = {
            {{{cosf(a), sinf(a), 0}}, {{cosf(b), sinf(b), 0}}},
            {{{cosf(a), 0, sinf(a)}}, {{cosf(b), 0, sinf(b)}}},
            {{{0, cosf(a), sinf(a)}}, {{0, cosf(b), sinf(b)}}},
        };
        for (uint32_t n = 0; n < CT_COUNT_OF(lines) + 1; ++n) {
            ct_vec3 ends[2];
            for (uint32_t end = 0; end < 2; ++end) {
                ends[end] = ct_vec3_scale(lines[n % 3][end], radius);
                ends[end].z += n == 0 ? half : n == 3 ? -half : shift;
                ends[end] = ct_vec3_add(ct_quat_rotate(pose.rotation, ends[end]), pose.position);
            }
            line(user, ends[0], ends[1]);
        }
    }
}

void ct_mover_draw(ct_mover_manager *m, ct_vec3 center, float radius,
                   void (*line)(void *user, ct_vec3 from, ct_vec3 to), void *user) {
    for (uint32_t i = 1; i < m->table.soa.count; ++i) {
        const ct_mover_data *const d = &m->data[i];
        const ct_rigid_pose pose = ct_mover_tools_pose(tools_of(m, i), m->state[i].position);
        const float distance = ct_vec3_length(ct_vec3_sub(pose.position, center));
        if (d->is_active && distance <= radius + d->height)
            draw_capsule(pose, d->radius, d->height, line, user);
    }
}
