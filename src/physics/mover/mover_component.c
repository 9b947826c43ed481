#include "physics/mover/mover_component.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "physics/mover/mover_component_private.h"

static const ct_soa_array arrays[] = {
    CT_NUMBERED_INSTANCE_TABLE_ARRAYS(ct_mover_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_mover_manager, data, 64),
    CT_SOA_ARRAY_ALIGNED(ct_mover_manager, state, 64),
    CT_SOA_ARRAY_ALIGNED(ct_mover_manager, left_at, 64),
    CT_SOA_ARRAY_ALIGNED(ct_mover_manager, teleports, 64),
    CT_SOA_ARRAY_ALIGNED(ct_mover_manager, kind, 64),
    CT_SOA_ARRAY_ALIGNED(ct_mover_manager, actor, 64),
};

// --- Kinds ---------------------------------------------------------------------------------------

static ct_mover_shape shape_of(const ct_mover_manager *m, const ct_mover_data *data) {
    return (ct_mover_shape){
        .radius = data->radius,
        .height = data->height,
        .skin = data->skin,
        .step_height = data->step_height,
        .max_slope_angle = data->max_slope_angle,
        .mass = data->mass,
        .push_force = data->push_force,
        .up = m->up,
    };
}

static bool are_equal(const ct_mover_shape *a, const ct_mover_shape *b) {
    return a->radius == b->radius && a->height == b->height && a->skin == b->skin &&
           a->step_height == b->step_height && a->max_slope_angle == b->max_slope_angle &&
           a->mass == b->mass && a->push_force == b->push_force;
}

// Returns the kind of these settings, made or shared, and counts a user.
static uint32_t take_kind(ct_mover_manager *m, const ct_mover_data *data) {
    const ct_mover_shape shape = shape_of(m, data);
    uint32_t free_kind = m->kinds.count;
    for (uint32_t k = 0; k < m->kinds.count; ++k) {
        if (m->kinds.items[k].num_users == 0)
            free_kind = k;
        else if (are_equal(ct_mover_tools_shape(m->kinds.items[k].tools), &shape))
            return ++m->kinds.items[k].num_users, k;
    }
    if (free_kind == m->kinds.count)
        ct_array_push(&m->kinds, (ct_mover_kind){0});
    m->kinds.items[free_kind] = (ct_mover_kind){ct_mover_tools_create(m->allocator, &shape), 1};
    return free_kind;
}

static void give_kind(ct_mover_manager *m, uint32_t k) {
    ct_mover_kind *const kind = &m->kinds.items[k];
    if (--kind->num_users > 0)
        return;
    ct_mover_tools_destroy(kind->tools);
    kind->tools = NULL;
}

void ct_mover_take_gravity(ct_mover_manager *m) {
    const ct_vec3 gravity = ct_bullet_world_gravity(ct_physics_world_bullet(m->physics));
    const float length = ct_vec3_length(gravity);
    if (length < 1e-6f)
        return;
    const ct_vec3 up = ct_vec3_scale(gravity, -1 / length);
    if (memcmp(&up, &m->up, sizeof(up)) == 0)
        return;
    m->up = up;
    for (uint32_t k = 0; k < m->kinds.count; ++k) {
        if (!m->kinds.items[k].tools)
            continue;
        ct_mover_shape shape = *ct_mover_tools_shape(m->kinds.items[k].tools);
        shape.up = up;
        ct_mover_tools_set(m->kinds.items[k].tools, &shape);
    }
    for (uint32_t i = 1; i < m->table.soa.count; ++i) { // what others collide with turns, too
        if (!m->actor[i].id)
            continue;
        ct_mover_end_actor(m, i);
        ct_mover_make_actor(m, i);
    }
}

const char *ct_mover_entity_name(const ct_mover_manager *m, ct_entity e, char *text,
                                 uint32_t size_bytes) {
    ct_physics_world_describe(m->physics, e, text, size_bytes);
    return text;
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_mover_manager *ct_mover_manager_create(ct_allocator *a, ct_physics_system *system,
                                          ct_physics_world *physics,
                                          ct_transform_manager *transforms) {
    ct_mover_manager *const m = CT_NEW(a, ct_mover_manager);
    m->allocator = a;
    m->system = system;
    m->physics = physics;
    m->transforms = transforms;
    m->up = ct_vec3_make(0, 0, 1);
    ct_array_init(&m->kinds, a);
    ct_array_init(&m->touches, a);
    ct_array_init(&m->taken, a);
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_HASH);
    return m;
}

void ct_mover_manager_destroy(ct_mover_manager *m) {
    if (!m)
        return;
    // The actors end with the physics.
    for (uint32_t k = 0; k < m->kinds.count; ++k)
        ct_mover_tools_destroy(m->kinds.items[k].tools);
    ct_array_free(&m->kinds);
    ct_array_free(&m->touches);
    ct_array_free(&m->taken);
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

uint32_t ct_mover_checked(const ct_mover_manager *m, ct_mover_instance i) {
    ct_instance_table_check(&m->table, i.index);
    return i.index;
}

ct_mover_state ct_mover_state_at(const ct_mover_manager *m, ct_vec3 position) {
    return (ct_mover_state){
        .position = position,
        .contacts = {.ground = UINT32_MAX, .ground_normal = m->up, .ground_position = position},
    };
}

// Moves a member of `data`, the mover of an entity, into its range, with a warning.
static void clamp_member(const ct_mover_manager *m, ct_entity e, const ct_mover_data *data,
                         const char *member, float *value, float least, float most) {
    const float found = *value;
    *value = fminf(fmaxf(found, least), most);
    if (found == *value)
        return;
    char name[256];
    ct_log_warning("physics", "mover_size",
                   "the mover \"%s\" of %s: %s: found %g, expected %g to %g; it is %g",
                   ct_string_id32_name(data->name), ct_mover_entity_name(m, e, name, sizeof(name)),
                   member, (double)found, (double)least, (double)most, (double)*value);
}

// Moves sizes from outside into their range.
static void clamp_data(const ct_mover_manager *m, ct_entity e, ct_mover_data *d) {
    clamp_member(m, e, d, "radius", &d->radius, 0.01f, 1000);
    clamp_member(m, e, d, "height", &d->height, 2 * d->radius, 5000);
    clamp_member(m, e, d, "skin", &d->skin, 0.001f, d->radius / 2);
    clamp_member(m, e, d, "step_height", &d->step_height, 0, 1000);
    clamp_member(m, e, d, "max_slope_angle", &d->max_slope_angle, 0, CT_MOVER_MOST_SLOPE);
    clamp_member(m, e, d, "mass", &d->mass, 0, 1e9f);
    clamp_member(m, e, d, "push_force", &d->push_force, 0, 1e9f);
}

ct_mover_instance ct_mover_create(ct_mover_manager *m, ct_entity e, uint32_t id,
                                  const ct_mover_data *data) {
    CT_ASSERT(ct_transform_lookup(m->transforms, e).index, "entity %u has no transform", e.id);
    ct_mover_data copy = *data; // it may be that of another instance, which is about to move
    clamp_data(m, e, &copy);
    ct_mover_take_gravity(m);
    const bool takes = copy.is_active && !ct_mover_active(m, e).index;
    const uint32_t i = ct_instance_table_add(&m->table, e, id);
    m->data[i] = copy;
    m->left_at[i] = ct_mover_entity_position(m, e);
    m->state[i] = ct_mover_state_at(m, m->left_at[i]);
    m->teleports[i] = 0;
    m->actor[i] = (ct_actor){0};
    m->kind[i] = take_kind(m, &copy);
    m->data[i].is_active = takes;
    if (takes)
        ct_mover_make_actor(m, i);
    return (ct_mover_instance){i};
}

void ct_mover_destroy(ct_mover_manager *m, ct_mover_instance i) {
    ct_mover_checked(m, i);
    ct_mover_end_actor(m, i.index);
    give_kind(m, m->kind[i.index]);
    ct_instance_table_end(&m->table, i.index);
}

// --- Instances -----------------------------------------------------------------------------------

ct_mover_instance ct_mover_first(const ct_mover_manager *m, ct_entity e) {
    return (ct_mover_instance){ct_instance_table_first(&m->table, e)};
}

ct_mover_instance ct_mover_next(const ct_mover_manager *m, ct_mover_instance i) {
    return (ct_mover_instance){m->table.next[ct_mover_checked(m, i)]};
}

ct_mover_instance ct_mover_named(const ct_mover_manager *m, ct_entity e, ct_string_id32 name) {
    for (uint32_t i = ct_instance_table_first(&m->table, e); i; i = m->table.next[i])
        if (m->data[i].name.value == name.value)
            return (ct_mover_instance){i};
    return (ct_mover_instance){0};
}

ct_mover_instance ct_mover_active(const ct_mover_manager *m, ct_entity e) {
    for (uint32_t i = ct_instance_table_first(&m->table, e); i; i = m->table.next[i])
        if (m->data[i].is_active)
            return (ct_mover_instance){i};
    return (ct_mover_instance){0};
}

uint32_t ct_mover_count_of(const ct_mover_manager *m, ct_entity e) {
    uint32_t count = 0;
    for (uint32_t i = ct_instance_table_first(&m->table, e); i; i = m->table.next[i])
        ++count;
    return count;
}

uint32_t ct_mover_count(const ct_mover_manager *m) {
    return ct_instance_table_count(&m->table);
}

uint32_t ct_mover_number(const ct_mover_manager *m, ct_mover_instance i) {
    return m->table.number[ct_mover_checked(m, i)];
}

ct_mover_instance ct_mover_with_number(const ct_mover_manager *m, ct_entity e, uint32_t number,
                                       uint32_t num_bits) {
    return (ct_mover_instance){ct_instance_table_with_number(&m->table, e, number, num_bits)};
}

const ct_mover_data *ct_mover_data_of(const ct_mover_manager *m, ct_mover_instance i) {
    return &m->data[ct_mover_checked(m, i)];
}

bool ct_mover_is_active(const ct_mover_manager *m, ct_mover_instance i) {
    return m->data[ct_mover_checked(m, i)].is_active;
}

ct_actor ct_mover_actor(const ct_mover_manager *m, ct_mover_instance i) {
    return m->actor[ct_mover_checked(m, i)];
}

const ct_mover_contacts *ct_mover_contacts_of(const ct_mover_manager *m, ct_mover_instance i) {
    return &m->state[ct_mover_checked(m, i)].contacts;
}

ct_actor ct_mover_ground(const ct_mover_manager *m, ct_mover_instance i) {
    const ct_mover_contacts *const c = ct_mover_contacts_of(m, i);
    const ct_actor ground = {c->ground};
    const bool stands = c->down && c->ground != UINT32_MAX;
    return stands && ct_actor_is_alive(m->physics, ground) ? ground : (ct_actor){0};
}

uint32_t ct_mover_standing_frames(const ct_mover_manager *m, ct_mover_instance i) {
    return m->state[ct_mover_checked(m, i)].standing_frames;
}

uint32_t ct_mover_flying_frames(const ct_mover_manager *m, ct_mover_instance i) {
    return m->state[ct_mover_checked(m, i)].flying_frames;
}

// --- Settings ------------------------------------------------------------------------------------

bool ct_mover_set_filter(ct_mover_manager *m, ct_mover_instance i, ct_string_id32 filter) {
    ct_mover_checked(m, i);
    const ct_physics_resource *const r = ct_physics_system_resource(m->system);
    if (ct_physics_find_filter(r, filter) == UINT32_MAX)
        return false;
    m->data[i.index].filter = filter;
    if (m->actor[i.index].id)
        ct_actor_set_filter(m->physics, m->actor[i.index], filter);
    return true;
}

void ct_mover_set_max_slope_angle(ct_mover_manager *m, ct_mover_instance i, float angle) {
    CT_ASSERT(angle >= 0 && angle <= CT_MOVER_MOST_SLOPE, "a slope of %g radians", (double)angle);
    ct_mover_checked(m, i);
    m->data[i.index].max_slope_angle = angle;
    give_kind(m, m->kind[i.index]);
    m->kind[i.index] = take_kind(m, &m->data[i.index]);
}

// --- Registry ------------------------------------------------------------------------------------

static void spawn_movers(void *manager, const ct_component_spawn *spawn) {
    ct_mover_manager *const m = manager;
    const ct_mover_data *const data = spawn->data;
    const uint32_t count = ct_component_spawn_count(spawn);
    ct_instance_table_reserve(&m->table, count);
    for (uint32_t k = 0; k < count; ++k) {
        // The compiler makes no such template; damaged data may be one.
        if (ct_transform_lookup(m->transforms, spawn->owners[k]).index)
            ct_mover_create(m, spawn->owners[k], spawn->ids[k],
                            &data[ct_component_spawn_data(spawn, k)]);
        else
            ct_log_error("physics", "mover_without_transform",
                         "left out a mover: its entity has no transform");
    }
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_mover_manager *const m = manager;
    for (uint32_t k = 0; k < count && ct_mover_count(m); ++k) {
        uint32_t i;
        while ((i = ct_instance_table_first(&m->table, entities[k])))
            ct_mover_destroy(m, (ct_mover_instance){i});
    }
    ct_instance_table_forget(&m->table, entities, count);
}

// What of a mover decides its next move, besides where its entity is.
typedef struct mover_hash {
    uint32_t number, down, standing_frames, flying_frames;
    // The ground by what is the same in every run: ids of actors need not be.
    uint32_t ground_entity, ground_component, ground_name, has_ground_pose, has_jumped;
    float position[3], ahead, ground_normal[3], ground_position[3];
    float ground_pose[7];
} mover_hash;

static mover_hash hash_of(const ct_mover_manager *m, uint32_t i) {
    const ct_mover_state *const s = &m->state[i];
    const ct_mover_contacts *const c = &s->contacts;
    const ct_actor ground = ct_mover_ground(m, (ct_mover_instance){i});
    mover_hash h = {
        .number = m->table.number[i],
        .down = c->down,
        .standing_frames = s->standing_frames,
        .flying_frames = s->flying_frames,
        .ground_entity = ct_actor_entity(m->physics, ground).id,
        .ground_component = ct_actor_component_id(m->physics, ground),
        .ground_name = ct_actor_name(m->physics, ground).value,
        .has_ground_pose = s->has_ground_pose,
        .has_jumped = ct_actor_teleports(m->physics, ground) != m->teleports[i],
        .ahead = s->ahead,
    };
    memcpy(h.position, s->position.raw, sizeof(h.position));
    memcpy(h.ground_normal, c->ground_normal.raw, sizeof(h.ground_normal));
    memcpy(h.ground_position, c->ground_position.raw, sizeof(h.ground_position));
    if (s->has_ground_pose) {
        memcpy(h.ground_pose, s->ground_pose.position.raw, 3 * sizeof(float));
        memcpy(h.ground_pose + 3, &s->ground_pose.rotation, 4 * sizeof(float));
    }
    return h;
}

static void hash_movers(const void *manager, ct_state_hash *hash) {
    const ct_mover_manager *const m = manager;
    for (uint32_t i = 1; i < m->table.soa.count; ++i) {
        if (!m->data[i].is_active)
            continue;
        const mover_hash h = hash_of(m, i);
        ct_state_hash_add(hash, m->table.entity[i], 0x6d6f766572ull, &h, sizeof(h));
    }
}

static void destroy_manager(void *manager) {
    ct_mover_manager_destroy(manager);
}

ct_component_manager ct_mover_component_manager(ct_mover_manager *m) {
    return (ct_component_manager){
        .type_name = "mover",
        .schema = &ct_mover_schema,
        .manager = m,
        .spawn = spawn_movers,
        .entities_destroyed = entities_destroyed,
        .hash = hash_movers,
        .destroy = destroy_manager,
    };
}
