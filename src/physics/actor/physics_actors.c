// Actors: making, ending and changing them.
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/temp_allocator.h"
#include "physics/actor/physics_world_private.h"
#include "resource/blob/content_hash.h"

// --- Slots ---------------------------------------------------------------------------------------

uint32_t ct_physics_slot(const ct_physics_world *p, ct_actor a) {
    const uint32_t slot = a.id & CT_ACTOR_SLOT_MASK;
    const bool is_alive =
        slot < p->soa.count && p->body[slot] && p->generation[slot] == a.id >> CT_ACTOR_SLOT_BITS;
    return is_alive ? slot : 0;
}

ct_actor ct_physics_actor_at(const ct_physics_world *p, uint32_t slot) {
    return (ct_actor){slot ? p->generation[slot] << CT_ACTOR_SLOT_BITS | slot : 0};
}

static uint32_t take_slot(ct_physics_world *p) {
    uint32_t slot = p->first_free;
    if (slot)
        p->first_free = p->next[slot];
    else
        slot = ct_soa_block_add(&p->soa, 1);
    p->generation[slot] = p->generation[slot] % CT_ACTOR_MOST_GENERATIONS + 1;
    p->next[slot] = p->previous[slot] = 0;
    p->resting[slot] = 0;
    p->lists[slot] &= CT_ACTOR_IN_MOVED | CT_ACTOR_IN_TARGETS; // it may still be in these
    ++p->num_actors;
    return slot;
}

static void give_slot(ct_physics_world *p, uint32_t slot) {
    p->body[slot] = NULL;
    p->entity[slot] = (ct_entity){0};
    p->record[slot] = (ct_actor_record){.shape = NULL};
    p->next[slot] = p->first_free;
    p->first_free = slot;
    --p->num_actors;
}

// --- Of entities ---------------------------------------------------------------------------------

// Appends an actor to those of its entity.
static void link_entity(ct_physics_world *p, uint32_t slot) {
    const ct_entity e = p->entity[slot];
    p->previous[slot] = slot;
    if (e.id == 0)
        return;
    const uint32_t first = (uint32_t)ct_hash_map_get(&p->first, e.id, 0);
    if (!first) {
        ct_hash_map_set(&p->first, e.id, slot);
        return;
    }
    const uint32_t last = p->previous[first];
    p->next[last] = slot;
    p->previous[slot] = last;
    p->previous[first] = slot;
}

static void unlink_entity(ct_physics_world *p, uint32_t slot) {
    const ct_entity e = p->entity[slot];
    if (e.id == 0)
        return;
    const uint32_t first = (uint32_t)ct_hash_map_get(&p->first, e.id, 0);
    const uint32_t next = p->next[slot], previous = p->previous[slot];
    if (slot != first)
        p->next[previous] = next;
    if (next)
        p->previous[next] = previous;
    else if (slot != first)
        p->previous[first] = previous;
    if (slot == first && next)
        ct_hash_map_set(&p->first, e.id, next);
    else if (slot == first)
        ct_hash_map_erase(&p->first, e.id);
}

ct_actor ct_actor_first(const ct_physics_world *p, ct_entity e) {
    return ct_physics_actor_at(p, (uint32_t)ct_hash_map_get(&p->first, e.id, 0));
}

ct_actor ct_actor_next(const ct_physics_world *p, ct_actor a) {
    const uint32_t slot = ct_physics_slot(p, a);
    return ct_physics_actor_at(p, slot ? p->next[slot] : 0);
}

uint32_t ct_actor_count(const ct_physics_world *p) {
    return p->num_actors;
}

// --- Nodes ---------------------------------------------------------------------------------------

bool ct_physics_node_pose(ct_physics_world *p, ct_entity e, uint32_t node, ct_rigid_pose *pose,
                          ct_vec3 *scale, uint64_t *hash) {
    const ct_transform t = ct_transform_lookup(p->transforms, e);
    const ct_mat4 world = node || !t.index ? ct_scene_graph_world(p->graphs, e, node)
                                           : *ct_transform_world(p->transforms, t);
    *hash = ct_content_hash(&world, sizeof(world));
    ct_mat4_decompose(&world, &pose->position, &pose->rotation, scale);
    pose->rotation = ct_quat_normalize(pose->rotation);
    return ct_mat4_is_finite(&world) && ct_quat_is_rotation(pose->rotation) &&
           ct_vec3_is_finite(*scale);
}

// --- What it is like -----------------------------------------------------------------------------

static uint32_t bullet_kind(const ct_actor_record *r) {
    static const uint32_t kinds[] = {
        [CT_ACTOR_STATIC] = CT_BULLET_STATIC,
        [CT_ACTOR_DYNAMIC] = CT_BULLET_DYNAMIC,
        [CT_ACTOR_KINEMATIC] = CT_BULLET_KINEMATIC,
        [CT_ACTOR_KEYFRAMED] = CT_BULLET_KINEMATIC,
    };
    return r->is_trigger ? CT_BULLET_SENSOR : kinds[r->data.body];
}

static uint32_t bullet_flags(const ct_actor_data *d) {
    return (d->has_gravity ? 0u : CT_BULLET_NO_GRAVITY) |
           (d->is_scene_query_enabled ? 0u : CT_BULLET_NO_QUERIES) |
           (d->is_collision_enabled ? 0u : CT_BULLET_NO_COLLISION) |
           (d->starts_asleep ? CT_BULLET_STARTS_ASLEEP : 0u) |
           (d->is_continuous ? CT_BULLET_CONTINUOUS : 0u);
}

// 1 for the axes that are free, 0 for those that are locked.
static ct_vec3 factor(const char locked[4]) {
    return ct_vec3_make(strchr(locked, 'x') ? 0 : 1, strchr(locked, 'y') ? 0 : 1,
                        strchr(locked, 'z') ? 0 : 1);
}

static bool needs_volume(const ct_actor_data *d) {
    return d->body == CT_ACTOR_DYNAMIC || d->body == CT_ACTOR_KINEMATIC;
}

static const ct_physics_material *material_at(const ct_physics_world *p, uint32_t i) {
    const ct_physics_resource *const r = ct_physics_system_resource(p->system);
    return (const ct_physics_material *)ct_blob_at(r, r->materials.offset) + i;
}

static const ct_physics_filter *filter_at(const ct_physics_world *p, uint32_t i) {
    const ct_physics_resource *const r = ct_physics_system_resource(p->system);
    return (const ct_physics_filter *)ct_blob_at(r, r->filters.offset) + i;
}

// Names that went with a change of the resource count as "default", the first.
static uint32_t found_or_default(uint32_t position, const char *what, ct_string_id32 name) {
    if (position != UINT32_MAX)
        return position;
    ct_log_warning("physics", "unknown_name",
                   "actors use the %s \"%s\", which the physics resource does not have any more; "
                   "they have \"default\" instead",
                   what, ct_string_id32_name(name));
    return 0;
}

void ct_physics_apply_material(ct_physics_world *p, uint32_t slot) {
    const ct_string_id32 name = p->record[slot].data.material;
    const uint32_t i = ct_physics_find_material(ct_physics_system_resource(p->system), name);
    p->material[slot] = found_or_default(i, "material", name);
    const ct_physics_material *const m = material_at(p, p->material[slot]);
    ct_bullet_body_set_material(p->body[slot], m->friction, m->restitution, m->rolling_friction,
                                m->spinning_friction);
}

void ct_physics_apply_filter(ct_physics_world *p, uint32_t slot) {
    const ct_string_id32 name = p->record[slot].data.filter;
    const uint32_t i = found_or_default(
        ct_physics_find_filter(ct_physics_system_resource(p->system), name), "filter", name);
    ct_bullet_body_set_filter(p->body[slot], i, filter_at(p, i)->collides);
}

// --- Making --------------------------------------------------------------------------------------

void ct_physics_describe(const ct_physics_world *p, ct_string_id32 name, ct_entity e,
                         bool is_trigger, char text[256]) {
    const ct_string_id64 unit =
        p->unit_name && e.id ? p->unit_name(p->unit_name_user, e) : (ct_string_id64){0};
    const char *const what = is_trigger ? "trigger" : "actor";
    if (unit.value)
        snprintf(text, 256, "the %s \"%.80s\" of the unit \"%.120s\"", what,
                 ct_string_id32_name(name), ct_string_id64_name(unit));
    else if (e.id)
        snprintf(text, 256, "the %s \"%.80s\" of the entity 0x%x", what, ct_string_id32_name(name),
                 e.id);
    else
        snprintf(text, 256, "the %s \"%.80s\"", what, ct_string_id32_name(name));
}

// What is known of an actor before its body is made.
typedef struct making {
    const ct_actor_desc *desc;
    ct_actor_data data; // combined
    uint32_t node;
    ct_rigid_pose pose;
    ct_vec3 scale;
    uint64_t hash;
    uint32_t material, filter;
    ct_physics_shape *shape;
    char what[256];
} making;

static bool no_name(const making *m, const char *kind, ct_string_id32 name, ct_error *error) {
    return ct_error_set(error,
                        "%s: the physics resource has no %s \"%s\"; add it there, or use "
                        "another",
                        m->what, kind, ct_string_id32_name(name));
}

// Looks up the names in the physics resource.
static bool find_names(const ct_physics_world *p, making *m, ct_error *error) {
    const ct_physics_resource *const r = ct_physics_system_resource(p->system);
    const ct_string_id32 name = m->desc->data->template_name;
    const ct_actor_data *base = NULL;
    if (name.value) {
        const uint32_t i = ct_physics_find_template(r, name);
        if (i == UINT32_MAX)
            return no_name(m, "template", name, error);
        base = &((const ct_physics_template *)ct_blob_at(r, r->templates.offset))[i].actor;
    }
    ct_actor_data_combine(base, m->desc->data, &m->data);
    m->material = ct_physics_find_material(r, m->data.material);
    if (m->material == UINT32_MAX)
        return no_name(m, "material", m->data.material, error);
    m->filter = ct_physics_find_filter(r, m->data.filter);
    return m->filter != UINT32_MAX || no_name(m, "filter", m->data.filter, error);
}

static bool find_place(ct_physics_world *p, making *m, ct_error *error) {
    const ct_entity e = m->desc->entity;
    m->scale = ct_vec3_make(1, 1, 1);
    m->pose = m->desc->pose;
    if (e.id == 0)
        return true;
    if (m->data.node.value)
        m->node = ct_scene_graph_node_of(p->graphs, e, m->data.node);
    return ct_physics_node_pose(p, e, m->node, &m->pose, &m->scale, &m->hash) ||
           ct_error_set(error, "%s: its node has a pose that is not finite, or a scale of 0",
                        m->what);
}

// Takes the shape. The parts are copied: shapes are found by their bytes.
static bool find_shape(ct_physics_world *p, making *m, ct_error *error) {
    const ct_actor_desc *const d = m->desc;
    const ct_actor_shape_data *const parts = d->shapes ? d->shapes : ct_actor_shapes(d->data);
    const uint32_t count = d->shapes ? d->num_shapes : d->data->num_shapes;
    ct_error inner = {0};
    m->shape = ct_physics_shape_take(p->system, parts, count, m->scale,
                                     !d->is_trigger && needs_volume(&m->data), &inner);
    return m->shape || ct_error_set(error, "%s: %s", m->what, inner.message);
}

static float mass_of(const making *m, const ct_physics_material *material) {
    if (m->data.mass > 0)
        return m->data.mass;
    const float volume = ct_bullet_shape_mass(ct_physics_shape_bullet(m->shape)).volume;
    const float mass = volume * (m->data.density > 0 ? m->data.density : material->density);
    return volume > 0 ? fminf(fmaxf(mass, 1e-6f), 1e12f) : 0;
}

static ct_bullet_body *make_body(ct_physics_world *p, uint32_t slot, const making *m) {
    const ct_physics_resource *const r = ct_physics_system_resource(p->system);
    const ct_physics_material *const material = material_at(p, m->material);
    const ct_bullet_body_desc desc = {.id = ct_physics_actor_at(p, slot).id,
                                      .kind = bullet_kind(&p->record[slot]),
                                      .flags = bullet_flags(&m->data),
                                      .shape = ct_physics_shape_bullet(m->shape),
                                      .pose = m->pose,
                                      .mass = mass_of(m, material),
                                      .linear_damping = m->data.linear_damping,
                                      .angular_damping = m->data.angular_damping,
                                      .friction = material->friction,
                                      .restitution = material->restitution,
                                      .rolling_friction = material->rolling_friction,
                                      .spinning_friction = material->spinning_friction,
                                      .linear_factor = factor(m->data.lock_position),
                                      .angular_factor = factor(m->data.lock_rotation),
                                      .sleep_linear = r->sleep_linear,
                                      .sleep_angular = r->sleep_angular,
                                      .filter = m->filter,
                                      .collides = filter_at(p, m->filter)->collides};
    return ct_bullet_body_create(p->bullet, &desc);
}

// Bodies that others move sleep: Bullet looks for what they overlap in the next step.
static void nudge(ct_physics_world *p, uint32_t slot) {
    const uint32_t kind = bullet_kind(&p->record[slot]);
    if (kind == CT_BULLET_KINEMATIC || kind == CT_BULLET_SENSOR)
        ct_bullet_body_move_to(p->body[slot], ct_bullet_body_pose(p->body[slot]));
}

ct_actor ct_actor_create(ct_physics_world *p, const ct_actor_desc *desc, ct_error *error) {
    making m = {.desc = desc};
    ct_physics_describe(p, desc->data->name, desc->entity, desc->is_trigger, m.what);
    if (p->num_actors == CT_MAX_ACTORS) {
        ct_error_set(error, "%s: the world has %d actors already, the most that are supported",
                     m.what, (int)CT_MAX_ACTORS);
        return (ct_actor){0};
    }
    if (!find_names(p, &m, error) || !find_place(p, &m, error) || !find_shape(p, &m, error))
        return (ct_actor){0};
    const uint32_t slot = take_slot(p);
    p->entity[slot] = desc->entity;
    p->node[slot] = m.node;
    p->before[slot] = p->after[slot] = p->target[slot] = m.pose;
    p->target_time[slot] = 0;
    p->material[slot] = m.material;
    p->seen[slot] = m.hash;
    p->record[slot] = (ct_actor_record){.data = m.data,
                                        .shape = m.shape,
                                        .scale = m.scale,
                                        .component_id = desc->component_id,
                                        .is_trigger = desc->is_trigger};
    p->body[slot] = make_body(p, slot, &m);
    nudge(p, slot);
    link_entity(p, slot);
    return ct_physics_actor_at(p, slot);
}

void ct_actor_destroy(ct_physics_world *p, ct_actor a) {
    const uint32_t slot = ct_physics_slot(p, a);
    if (!slot)
        return;
    ct_physics_wake_touches(p, slot, true);
    unlink_entity(p, slot);
    ct_bullet_body_destroy(p->body[slot]);
    ct_physics_shape_give(p->system, p->record[slot].shape);
    give_slot(p, slot);
}

// --- Reading -------------------------------------------------------------------------------------

bool ct_actor_is_alive(const ct_physics_world *p, ct_actor a) {
    return ct_physics_slot(p, a) != 0;
}

ct_entity ct_actor_entity(const ct_physics_world *p, ct_actor a) {
    return p->entity[ct_physics_slot(p, a)]; // slot 0 is zero
}

uint32_t ct_actor_component_id(const ct_physics_world *p, ct_actor a) {
    return p->record[ct_physics_slot(p, a)].component_id;
}

ct_string_id32 ct_actor_name(const ct_physics_world *p, ct_actor a) {
    return p->record[ct_physics_slot(p, a)].data.name;
}

uint32_t ct_actor_node(const ct_physics_world *p, ct_actor a) {
    return p->node[ct_physics_slot(p, a)];
}

ct_actor_data ct_actor_data_of(const ct_physics_world *p, ct_actor a) {
    ct_actor_data data = p->record[ct_physics_slot(p, a)].data;
    data.num_shapes = 0;
    return data;
}

bool ct_actor_is_trigger(const ct_physics_world *p, ct_actor a) {
    return p->record[ct_physics_slot(p, a)].is_trigger;
}

ct_bullet_body *ct_actor_bullet(const ct_physics_world *p, ct_actor a) {
    return p->body[ct_physics_slot(p, a)]; // NULL in slot 0
}

ct_rigid_pose ct_actor_pose(const ct_physics_world *p, ct_actor a) {
    const uint32_t slot = ct_physics_slot(p, a);
    if (slot)
        return ct_bullet_body_pose(p->body[slot]);
    return (ct_rigid_pose){.rotation = ct_quat_identity()};
}

// --- Changing ------------------------------------------------------------------------------------

void ct_actor_teleport(ct_physics_world *p, ct_actor a, ct_rigid_pose pose) {
    const uint32_t slot = ct_physics_slot(p, a);
    CT_ASSERT(ct_vec3_is_finite(pose.position) && ct_quat_is_rotation(pose.rotation),
              "an actor's pose is not finite");
    if (!slot)
        return;
    pose.rotation = ct_quat_unit(pose.rotation);
    ct_physics_wake_touches(p, slot, true);
    ct_bullet_body_set_pose(p->body[slot], pose);
    nudge(p, slot);
    p->before[slot] = p->after[slot] = p->target[slot] = pose;
    p->target_time[slot] = 0;
    ct_physics_write_pose(p, slot, pose);
}

// Has a shape with a volume, if the one it has was taken without need for it. False with a warning.
static bool take_volume(ct_physics_world *p, uint32_t slot) {
    ct_actor_record *const r = &p->record[slot];
    if (r->shape->is_dynamic)
        return true;
    char what[256];
    ct_error error = {0};
    ct_physics_describe(p, r->data.name, p->entity[slot], false, what);
    ct_physics_shape *const shape = ct_physics_shape_take(
        p->system, r->shape->parts, r->shape->num_parts, r->scale, true, &error);
    if (!shape) {
        ct_log_warning("physics", "cannot_be_dynamic", "%s cannot become dynamic: %s", what,
                       error.message);
        return false;
    }
    ct_bullet_body_set_shape(p->body[slot], ct_physics_shape_bullet(shape));
    ct_physics_shape_give(p->system, r->shape);
    r->shape = shape;
    return true;
}

void ct_actor_set_body(ct_physics_world *p, ct_actor a, ct_actor_body body) {
    const uint32_t slot = ct_physics_slot(p, a);
    if (!slot || p->record[slot].is_trigger || p->record[slot].data.body == body)
        return;
    if ((body == CT_ACTOR_DYNAMIC || body == CT_ACTOR_KINEMATIC) && !take_volume(p, slot))
        return;
    p->record[slot].data.body = body;
    p->before[slot] = p->after[slot] = p->target[slot] = ct_bullet_body_pose(p->body[slot]);
    p->target_time[slot] = 0;
    ct_physics_wake_touches(p, slot, true);
    ct_bullet_body_set_kind(p->body[slot], bullet_kind(&p->record[slot]));
    nudge(p, slot);
}

bool ct_actor_set_filter(ct_physics_world *p, ct_actor a, ct_string_id32 filter) {
    const uint32_t slot = ct_physics_slot(p, a);
    if (ct_physics_find_filter(ct_physics_system_resource(p->system), filter) == UINT32_MAX)
        return false;
    if (!slot)
        return true;
    p->record[slot].data.filter = filter;
    ct_physics_wake_touches(p, slot, true);
    ct_physics_apply_filter(p, slot);
    nudge(p, slot);
    return true;
}

bool ct_actor_set_material(ct_physics_world *p, ct_actor a, ct_string_id32 material) {
    const uint32_t slot = ct_physics_slot(p, a);
    if (ct_physics_find_material(ct_physics_system_resource(p->system), material) == UINT32_MAX)
        return false;
    if (!slot)
        return true;
    p->record[slot].data.material = material;
    ct_physics_apply_material(p, slot);
    ct_bullet_body_wake(p->body[slot]);
    return true;
}

void ct_actor_set_damping(ct_physics_world *p, ct_actor a, float linear, float angular) {
    const uint32_t slot = ct_physics_slot(p, a);
    CT_ASSERT(linear >= 0 && linear <= 1 && angular >= 0 && angular <= 1, "damping of %g and %g",
              (double)linear, (double)angular);
    if (!slot)
        return;
    p->record[slot].data.linear_damping = linear;
    p->record[slot].data.angular_damping = angular;
    ct_bullet_body_set_damping(p->body[slot], linear, angular);
}

static void apply_flags(ct_physics_world *p, uint32_t slot) {
    ct_bullet_body_set_flags(p->body[slot], bullet_flags(&p->record[slot].data));
}

void ct_actor_set_gravity_enabled(ct_physics_world *p, ct_actor a, bool is_enabled) {
    const uint32_t slot = ct_physics_slot(p, a);
    if (!slot)
        return;
    p->record[slot].data.has_gravity = is_enabled;
    apply_flags(p, slot);
}

void ct_actor_set_collision_enabled(ct_physics_world *p, ct_actor a, bool is_enabled) {
    const uint32_t slot = ct_physics_slot(p, a);
    if (!slot)
        return;
    p->record[slot].data.is_collision_enabled = is_enabled;
    ct_physics_wake_touches(p, slot, true);
    apply_flags(p, slot);
    nudge(p, slot);
}

void ct_actor_set_scene_query_enabled(ct_physics_world *p, ct_actor a, bool is_enabled) {
    const uint32_t slot = ct_physics_slot(p, a);
    if (!slot)
        return;
    p->record[slot].data.is_scene_query_enabled = is_enabled;
    apply_flags(p, slot);
}
