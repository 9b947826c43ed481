// Making and ending actors; their shapes, materials and filters.
#include <math.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "physics/actor/trigger_finder.h"
#include "resource/blob/content_hash.h"

void ct_actor_nudge(const ct_actor_slot *s) {
    if (s->body && ct_bullet_body_is_moved(s->body))
        ct_bullet_body_move_to(s->body, ct_bullet_body_pose(s->body));
}

// --- What actors are made of ---------------------------------------------------------------------

ct_rigid_pose ct_actor_node_pose(const ct_physics_world *p, ct_entity e, uint32_t node,
                                 ct_vec3 *scale, uint64_t *seen) {
    const ct_mat4 world = ct_scene_graph_world(p->graphs, e, node);
    ct_rigid_pose pose;
    if (seen)
        *seen = ct_content_hash(&world, sizeof(world));
    ct_mat4_decompose(&world, &pose.position, &pose.rotation, scale);
    return pose;
}

bool ct_actor_check_pose(const ct_rigid_pose *pose, ct_error *error) {
    for (uint32_t i = 0; i < 3; ++i) {
        if (!(fabsf(pose->position.raw[i]) < 1e9f))
            return ct_error_set(error, "it is at %g along %c; expected numbers below 1e9",
                                (double)pose->position.raw[i], "xyz"[i]);
    }
    return ct_quat_is_rotation(pose->rotation) ||
           ct_error_set(error, "its rotation is not a finite one of length 1");
}

// Returns the position of a material or filter, which is 0, that of "default", for a name that the
// physics resource does not have.
static uint32_t place_of(const ct_physics_world *p, ct_physics_name kind, ct_string_id32 name) {
    const uint32_t found = name.value ? ct_actor_find_name(p, kind, name) : 0;
    return found != UINT32_MAX ? found : 0;
}

static void tell_if_missing(const ct_physics_world *p, const ct_actor_slot *s, ct_physics_name kind,
                            ct_string_id32 name) {
    if (name.value && ct_actor_find_name(p, kind, name) == UINT32_MAX)
        ct_actor_log_missing(p, s, kind, name, 1);
}

static const ct_physics_material *material_of(const ct_physics_world *p, const ct_actor_extra *x) {
    const ct_physics_material *const materials =
        ct_blob_at(p->resource, p->resource->materials.offset);
    return &materials[x->material];
}

static uint32_t collides_of(const ct_physics_world *p, const ct_actor_extra *x) {
    const ct_physics_filter *const filters = ct_blob_at(p->resource, p->resource->filters.offset);
    return filters[x->filter].collides;
}

static uint32_t kind_of(const ct_actor_slot *s, const ct_actor_extra *x) {
    if (s->flags & CT_ACTOR_TRIGGER)
        return CT_BULLET_SENSOR;
    switch (x->data.body) {
    case CT_ACTOR_STATIC:
        return CT_BULLET_STATIC;
    case CT_ACTOR_DYNAMIC:
        return CT_BULLET_DYNAMIC;
    default:
        return CT_BULLET_KINEMATIC;
    }
}

// Whether it is or may become dynamic, and needs a mass.
static bool has_mass(const ct_actor_slot *s, const ct_actor_extra *x) {
    return !(s->flags & CT_ACTOR_TRIGGER) &&
           (x->data.body == CT_ACTOR_DYNAMIC || x->data.body == CT_ACTOR_KINEMATIC);
}

static uint32_t flags_of(const ct_actor_extra *x) {
    return (x->data.has_gravity ? 0 : CT_BULLET_NO_GRAVITY) |
           (x->data.is_scene_query_enabled ? 0 : CT_BULLET_NO_QUERIES) |
           (x->data.is_collision_enabled ? 0 : CT_BULLET_NO_COLLISION) |
           (x->data.is_continuous ? CT_BULLET_CONTINUOUS : 0) |
           (x->data.starts_asleep ? CT_BULLET_STARTS_ASLEEP : 0);
}

static ct_vec3 free_axes(const char locked[4]) {
    ct_vec3 out = {{1, 1, 1}};
    for (uint32_t i = 0; i < 4 && locked[i]; ++i)
        out.raw[locked[i] - 'x'] = 0;
    return out;
}

static float mass_of(const ct_physics_world *p, const ct_actor_extra *x, float volume) {
    const float density = x->data.density > 0 ? x->data.density : material_of(p, x)->density;
    const float mass = x->data.mass > 0 ? x->data.mass : density * volume;
    return mass > 1e-6f ? mass : 1e-6f;
}

// Takes the shape of an actor. NULL with `error` when it cannot be made now.
static ct_physics_shape *take_shape(ct_physics_world *p, const ct_actor_slot *s,
                                    const ct_actor_extra *x, ct_error *error) {
    const bool is_dynamic = has_mass(s, x);
    if (x->num_parts > 0)
        return ct_physics_shape_take(p->system, x->parts, x->num_parts, x->scale, is_dynamic,
                                     error);
    ct_actor_shape_data part = {.type = CT_ACTOR_SHAPE_MESH, .rotation = {0, 0, 0, 1}};
    if (s->entity.id && p->entities.mesh)
        part.resource = p->entities.mesh(p->entities.user, s->entity);
    if (part.resource.value)
        return ct_physics_shape_take(p->system, &part, 1, x->scale, is_dynamic, error);
    ct_error_set(error, "it has no shape: expected `shapes`, or a mesh component with collision "
                        "shapes");
    return NULL;
}

// Gives the actor a body at `pose`. Returns false with `error`.
static bool make_body(ct_physics_world *p, ct_actor_slot *s, ct_rigid_pose pose, ct_error *error) {
    ct_actor_extra *const x = ct_actor_extra_of(p, s);
    if (!ct_actor_check_pose(&pose, error))
        return false;
    x->shape = take_shape(p, s, x, error);
    if (!x->shape)
        return false;
    ct_bullet_shape *const shape = ct_physics_shape_bullet(x->shape);
    const ct_bullet_mass mass = ct_bullet_shape_mass(shape);
    const ct_physics_material *const material = material_of(p, x);
    const ct_bullet_body_desc desc = {
        .id = ct_actor_at(p, (uint32_t)(s - p->slots.items)).id,
        .kind = kind_of(s, x),
        .flags = flags_of(x),
        .shape = shape,
        .pose = pose,
        .mass = has_mass(s, x) ? mass_of(p, x, mass.volume) : 0,
        .linear_damping = x->data.linear_damping,
        .angular_damping = x->data.angular_damping,
        .friction = material->friction,
        .restitution = material->restitution,
        .rolling_friction = material->rolling_friction,
        .spinning_friction = material->spinning_friction,
        .linear_factor = free_axes(x->data.lock_position),
        .angular_factor = free_axes(x->data.lock_rotation),
        .sleep_linear = p->resource->sleep_linear,
        .sleep_angular = p->resource->sleep_angular,
        .filter = x->filter,
        .collides = collides_of(p, x),
    };
    s->body = ct_bullet_body_create(ct_physics_world_bullet(p), &desc);
    s->before = s->after = pose;
    ct_actor_nudge(s);
    return true;
}

static void end_body(ct_physics_world *p, ct_actor_slot *s) {
    ct_actor_extra *const x = ct_actor_extra_of(p, s);
    ct_physics_wake_pairs(p, s);
    ct_bullet_body_destroy(s->body);
    s->body = NULL;
    ct_physics_shape_give(p->system, x->shape);
    x->shape = NULL;
}

// As make_body, but not among so many others that a step would take seconds.
static bool make_first_body(ct_physics_world *p, ct_actor_slot *s, ct_rigid_pose pose,
                            ct_error *error) {
    if (!make_body(p, s, pose, error))
        return false;
    if (!ct_bullet_body_is_crowded(s->body))
        return true;
    end_body(p, s);
    return ct_error_set(error, "more than %d others are at its place; spread them out",
                        CT_BULLET_MOST_IN_ONE_PLACE);
}

// --- Slots ---------------------------------------------------------------------------------------

static uint32_t take_slot(ct_physics_world *p) {
    if (p->first_free) {
        const uint32_t slot = p->first_free;
        p->first_free = p->slots.items[slot].next;
        return slot;
    }
    if (p->slots.count > CT_MAX_ACTORS)
        return 0;
    ct_array_push(&p->slots, (ct_actor_slot){.generation = 0});
    ct_array_push(&p->extras, (ct_actor_extra){.parts = NULL});
    return p->slots.count - 1;
}

// Links an actor behind the others of its entity.
static void link_actor(ct_physics_world *p, uint32_t slot) {
    const ct_entity e = p->slots.items[slot].entity;
    if (!e.id)
        return;
    ct_trigger_finder_note(p, e);
    uint32_t last = (uint32_t)ct_hash_map_get(&p->first_of, e.id, 0);
    if (!last) {
        ct_hash_map_set(&p->first_of, e.id, slot);
        return;
    }
    while (p->slots.items[last].next)
        last = p->slots.items[last].next;
    p->slots.items[last].next = slot;
}

static void unlink_actor(ct_physics_world *p, uint32_t slot) {
    ct_actor_slot *const s = &p->slots.items[slot];
    if (!s->entity.id)
        return;
    ct_trigger_finder_note(p, s->entity);
    uint32_t at = (uint32_t)ct_hash_map_get(&p->first_of, s->entity.id, 0);
    if (at != slot) {
        while (p->slots.items[at].next != slot)
            at = p->slots.items[at].next;
        p->slots.items[at].next = s->next;
    } else if (s->next) {
        ct_hash_map_set(&p->first_of, s->entity.id, s->next);
    } else {
        ct_hash_map_erase(&p->first_of, s->entity.id);
    }
}

// Actors at nodes that something else moves are looked at in each step.
static void watch_node(ct_physics_world *p, uint32_t slot) {
    if (p->slots.items[slot].node == 0)
        return;
    ct_array_push(&p->node_actors, slot);
    p->extras.items[slot].node_place = p->node_actors.count;
}

static void forget_node(ct_physics_world *p, uint32_t slot) {
    const uint32_t place = p->extras.items[slot].node_place;
    if (!place)
        return;
    p->extras.items[slot].node_place = 0;
    ct_array_swap_erase(&p->node_actors, place - 1);
    if (place <= p->node_actors.count)
        p->extras.items[p->node_actors.items[place - 1]].node_place = place;
}

static void end_actor(ct_physics_world *p, uint32_t slot) {
    ct_actor_slot *const s = &p->slots.items[slot];
    ct_actor_extra *const x = &p->extras.items[slot];
    ct_trigger_finder_end(p, slot);
    end_body(p, s);
    unlink_actor(p, slot);
    forget_node(p, slot);
    ct_free(p->allocator, x->parts);
    ct_free(p->allocator, x->tags);
    *x = (ct_actor_extra){.parts = NULL};
    const uint32_t generation = s->generation;
    // Lists leave it out later.
    *s = (ct_actor_slot){.generation = generation, .flags = s->flags & CT_ACTOR_LISTED};
    --p->num_actors;
    if (generation < CT_ACTOR_LAST_GENERATION) { // else the slot is never used again
        s->next = p->first_free;
        p->first_free = slot;
    }
}

// --- Making actors -------------------------------------------------------------------------------

// Fills a slot. The actor has no body yet. Returns 0 with `error` when there is no room.
static uint32_t add_actor(ct_physics_world *p, const ct_actor_desc *desc, ct_error *error) {
    const uint32_t slot = take_slot(p);
    if (!slot) {
        ct_error_set(error, "a world has at most %d actors", CT_MAX_ACTORS);
        return 0;
    }
    ct_actor_slot *const s = &p->slots.items[slot];
    ct_actor_extra *const x = &p->extras.items[slot];
    const uint32_t generation = s->generation + 1;
    *s = (ct_actor_slot){.generation = generation,
                         .flags = CT_ACTOR_ALIVE | (desc->is_trigger ? CT_ACTOR_TRIGGER : 0) |
                                  (s->flags & CT_ACTOR_LISTED),
                         .entity = desc->entity,
                         .before = desc->pose,
                         .after = desc->pose};
    const ct_string_id32 template_name = desc->data->template_name;
    const uint32_t place =
        template_name.value ? ct_physics_find_template(p->resource, template_name) : UINT32_MAX;
    const ct_physics_template *const templates =
        ct_blob_at(p->resource, p->resource->templates.offset);
    ct_actor_data_combine(place != UINT32_MAX ? &templates[place].actor : NULL, desc->data,
                          &x->data);
    x->component_id = desc->component_id;
    x->num_parts = desc->shapes ? desc->num_shapes : desc->data->num_shapes;
    if (x->num_parts > 0) {
        const uint64_t size_bytes = sizeof(*x->parts) * x->num_parts;
        x->parts = ct_alloc(p->allocator, size_bytes);
        memcpy(x->parts, desc->shapes ? desc->shapes : ct_actor_shapes(desc->data), size_bytes);
    }
    x->material = place_of(p, CT_PHYSICS_NAME_MATERIAL, x->data.material);
    x->filter = place_of(p, CT_PHYSICS_NAME_FILTER, x->data.filter);
    x->scale = (ct_vec3){{1, 1, 1}};
    if (s->entity.id) {
        s->node = ct_scene_graph_node_of(p->graphs, s->entity, x->data.node);
        s->after = ct_actor_node_pose(p, s->entity, s->node, &x->scale, &s->seen);
    }
    if (desc->is_trigger && desc->num_tags > 0) {
        const uint64_t size_bytes = sizeof(*x->tags) * desc->num_tags;
        x->tags = memcpy(ct_alloc(p->allocator, size_bytes), desc->tags, size_bytes);
        x->num_tags = desc->num_tags;
        ct_trigger_finder_add(p, slot);
    }
    ++p->num_actors;
    link_actor(p, slot);
    tell_if_missing(p, s, CT_PHYSICS_NAME_TEMPLATE, template_name);
    tell_if_missing(p, s, CT_PHYSICS_NAME_MATERIAL, x->data.material);
    tell_if_missing(p, s, CT_PHYSICS_NAME_FILTER, x->data.filter);
    watch_node(p, slot);
    return slot;
}

ct_actor ct_actor_create(ct_physics_world *p, const ct_actor_desc *desc, ct_error *error) {
    const uint32_t slot = add_actor(p, desc, error);
    if (!slot)
        return (ct_actor){0};
    ct_actor_slot *const s = &p->slots.items[slot];
    ct_error reason = {0};
    if (make_first_body(p, s, s->after, &reason))
        return ct_actor_at(p, slot);
    char actor[CT_ACTOR_TEXT_BYTES];
    ct_actor_describe(p, s, actor, sizeof(actor));
    ct_error_set(error, "%s: %s", actor, reason.message);
    end_actor(p, slot);
    return (ct_actor){0};
}

// Makes an actor of a component. One that has no shape now waits for it.
static void spawn_actor(ct_physics_world *p, const ct_actor_desc *desc) {
    ct_error error = {0};
    const uint32_t slot = add_actor(p, desc, &error);
    if (!slot) {
        ct_log_error("physics", "actor", "%s", error.message);
        return;
    }
    ct_actor_slot *const s = &p->slots.items[slot];
    if (!make_first_body(p, s, s->after, &error))
        ct_actor_log_error(p, s, &error);
}

void ct_actor_destroy(ct_physics_world *p, ct_actor a) {
    if (ct_actor_find(p, a))
        end_actor(p, ct_actor_slot_of(a));
}

// --- Components ----------------------------------------------------------------------------------

static const void *spawn_bytes(const ct_component_spawn *spawn, uint32_t i) {
    const uint32_t data = ct_component_spawn_data(spawn, i);
    return (const char *)spawn->data + spawn->offsets[data];
}

static void spawn_actors(void *manager, const ct_component_spawn *spawn) {
    for (uint32_t i = 0; i < ct_component_spawn_count(spawn); ++i) {
        const ct_actor_desc desc = {.entity = spawn->owners[i],
                                    .component_id = spawn->ids[i],
                                    .data = spawn_bytes(spawn, i)};
        spawn_actor(manager, &desc);
    }
}

static void spawn_triggers(void *manager, const ct_component_spawn *spawn) {
    for (uint32_t i = 0; i < ct_component_spawn_count(spawn); ++i) {
        const ct_trigger_data *const trigger = spawn_bytes(spawn, i);
        const ct_actor_data data = ct_trigger_actor_data(trigger);
        const ct_actor_desc desc = {.entity = spawn->owners[i],
                                    .component_id = spawn->ids[i],
                                    .data = &data,
                                    .shapes = ct_trigger_shapes(trigger),
                                    .num_shapes = trigger->num_shapes,
                                    .is_trigger = true,
                                    .tags = ct_trigger_tags(trigger),
                                    .num_tags = trigger->num_tags};
        spawn_actor(manager, &desc);
    }
}

ct_actor_data ct_trigger_actor_data(const ct_trigger_data *trigger) {
    const ct_actor_data none = {.given = 0};
    ct_actor_data data;
    ct_actor_data_combine(NULL, &none, &data);
    data.name = trigger->name;
    data.node = trigger->node;
    data.body = CT_ACTOR_KEYFRAMED;
    data.filter = trigger->filter;
    data.is_collision_enabled = trigger->is_enabled;
    data.is_scene_query_enabled = 0;
    data.given = CT_ACTOR_GIVEN_MASK;
    return data;
}

// Ends actors and triggers of entities: those of both component types.
static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_physics_world *const p = manager;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t slot;
        while ((slot = (uint32_t)ct_hash_map_get(&p->first_of, entities[i].id, 0)))
            end_actor(p, slot);
    }
    ct_trigger_finder_forget(p, entities, count);
}

// Positions and velocities of what can move, and whether it sleeps; what is inside triggers.
static void hash_actors(const void *manager, ct_state_hash *hash) {
    const ct_physics_world *const p = manager;
    for (uint32_t slot = 1; slot < p->slots.count; ++slot) {
        const ct_actor_slot *const s = &p->slots.items[slot];
        if (!s->body || !s->entity.id)
            continue;
        float state[19];
        ct_bullet_body_transform(s->body, state);
        const ct_vec3 v = ct_bullet_body_velocity(s->body);
        const ct_vec3 w = ct_bullet_body_angular_velocity(s->body);
        memcpy(state + 12, v.raw, sizeof(v));
        memcpy(state + 15, w.raw, sizeof(w));
        state[18] = ct_bullet_body_is_asleep(s->body) ? 1 : 0;
        const uint64_t what = CT_ID32("actor", 0x13958a55).value |
                              (uint64_t)ct_actor_extra_of(p, s)->component_id << 32;
        ct_state_hash_add(hash, s->entity, what, state, sizeof(state));
    }
    ct_physics_hash_inside(p, hash);
    ct_trigger_finder_hash(p, hash);
}

static void destroy_world(void *manager) {
    ct_physics_world_destroy(manager);
}

ct_component_manager ct_actor_component_manager(ct_physics_world *p) {
    return (ct_component_manager){.type_name = "actor",
                                  .manager = p,
                                  .spawn = spawn_actors,
                                  .entities_destroyed = entities_destroyed,
                                  .hash = hash_actors,
                                  .destroy = destroy_world};
}

static void nothing_to_destroy(void *manager) {
    (void)manager; // actors own the physics
}

ct_component_manager ct_trigger_component_manager(ct_physics_world *p) {
    return (ct_component_manager){.type_name = "trigger",
                                  .manager = p,
                                  .spawn = spawn_triggers,
                                  .destroy = nothing_to_destroy};
}

// --- Changes of resources ------------------------------------------------------------------------

// Its mass follows the volume of its shape and the density of its material, unless it has its own.
static void apply_mass(ct_physics_world *p, const ct_actor_slot *s, const ct_actor_extra *x) {
    if (has_mass(s, x))
        ct_bullet_body_set_mass(
            s->body, mass_of(p, x, ct_bullet_shape_mass(ct_physics_shape_bullet(x->shape)).volume));
}

// Gives an actor with a body the shape that its parts have now. Without one it waits.
static void take_new_shape(ct_physics_world *p, ct_actor_slot *s, ct_actor_extra *x) {
    ct_error error = {0};
    ct_physics_shape *const shape = take_shape(p, s, x, &error);
    if (shape == x->shape) {
        ct_physics_shape_give(p->system, shape);
        return;
    }
    if (shape) {
        ct_physics_wake_pairs(p, s);
        ct_bullet_body_set_shape(s->body, ct_physics_shape_bullet(shape));
        ct_physics_shape_give(p->system, x->shape);
        x->shape = shape;
        apply_mass(p, s, x);
        ct_actor_nudge(s);
        return;
    }
    ct_actor_log_error(p, s, &error);
    end_body(p, s);
}

void ct_actors_take_shapes(ct_physics_world *p) {
    for (uint32_t slot = 1; slot < p->slots.count; ++slot) {
        ct_actor_slot *const s = &p->slots.items[slot];
        ct_error ignored = {0}; // said when it was made
        if (!(s->flags & CT_ACTOR_ALIVE))
            continue;
        ct_actor_extra *const x = &p->extras.items[slot];
        if (s->body)
            take_new_shape(p, s, x);
        else
            make_first_body(p, s,
                            s->entity.id
                                ? ct_actor_node_pose(p, s->entity, s->node, &x->scale, &s->seen)
                                : s->after,
                            &ignored);
    }
}

static void apply_material(ct_physics_world *p, ct_actor_slot *s, const ct_actor_extra *x) {
    const ct_physics_material *const m = material_of(p, x);
    if (!s->body)
        return;
    ct_bullet_body_set_material(s->body, m->friction, m->restitution, m->rolling_friction,
                                m->spinning_friction);
    apply_mass(p, s, x);
}

// A name that the physics resource does not have, and the actors that have it.
typedef struct missing_name {
    ct_physics_name kind;
    ct_string_id32 name;
    uint32_t first, count; // the slot of the first
} missing_name;

typedef struct missing_names {
    CT_ARRAY(missing_name) items;
    ct_hash_map places; // from kind and name to the position in `items`, from 1
} missing_names;

static void count_missing(const ct_physics_world *p, missing_names *m, uint32_t slot,
                          ct_physics_name kind, ct_string_id32 name) {
    if (!name.value || ct_actor_find_name(p, kind, name) != UINT32_MAX)
        return;
    const uint64_t key = (uint64_t)kind << 32 | name.value;
    const uint32_t place = (uint32_t)ct_hash_map_get(&m->places, key, 0);
    if (place) {
        ++m->items.items[place - 1].count;
        return;
    }
    ct_array_push(&m->items, (missing_name){kind, name, slot, 1});
    ct_hash_map_set(&m->places, key, m->items.count);
}

// Tells each name that is missing now once, however many actors have it.
static void tell_missing(const ct_physics_world *p) {
    missing_names m;
    ct_array_init(&m.items, p->allocator);
    ct_hash_map_init(&m.places, p->allocator);
    for (uint32_t slot = 1; slot < p->slots.count; ++slot) {
        const ct_actor_extra *const x = &p->extras.items[slot];
        if (!(p->slots.items[slot].flags & CT_ACTOR_ALIVE))
            continue;
        count_missing(p, &m, slot, CT_PHYSICS_NAME_MATERIAL, x->data.material);
        count_missing(p, &m, slot, CT_PHYSICS_NAME_FILTER, x->data.filter);
    }
    for (uint32_t i = 0; i < m.items.count; ++i) {
        const missing_name *const one = &m.items.items[i];
        ct_actor_log_missing(p, &p->slots.items[one->first], one->kind, one->name, one->count);
    }
    ct_array_free(&m.items);
    ct_hash_map_free(&m.places);
}

void ct_actors_take_physics(ct_physics_world *p) {
    tell_missing(p);
    for (uint32_t slot = 1; slot < p->slots.count; ++slot) {
        ct_actor_slot *const s = &p->slots.items[slot];
        ct_actor_extra *const x = &p->extras.items[slot];
        if (!(s->flags & CT_ACTOR_ALIVE))
            continue;
        x->material = place_of(p, CT_PHYSICS_NAME_MATERIAL, x->data.material);
        x->filter = place_of(p, CT_PHYSICS_NAME_FILTER, x->data.filter);
        apply_material(p, s, x);
        if (!s->body)
            continue;
        // What rests on a slope may slide now.
        ct_physics_wake_pairs(p, s);
        ct_bullet_body_set_filter(s->body, x->filter, collides_of(p, x));
        ct_bullet_body_set_sleep(s->body, p->resource->sleep_linear, p->resource->sleep_angular);
        ct_bullet_body_wake(s->body);
        ct_actor_nudge(s);
    }
}

bool ct_actor_set_filter(ct_physics_world *p, ct_actor a, ct_string_id32 filter) {
    const uint32_t place = ct_physics_find_filter(p->resource, filter);
    ct_actor_slot *const s = ct_actor_find(p, a);
    if (place == UINT32_MAX || !s)
        return place != UINT32_MAX;
    ct_actor_extra *const x = ct_actor_extra_of(p, s);
    x->data.filter = filter;
    x->filter = place;
    if (!s->body)
        return true;
    ct_physics_wake_pairs(p, s);
    ct_bullet_body_set_filter(s->body, place, collides_of(p, x));
    ct_actor_nudge(s);
    return true;
}

bool ct_actor_set_material(ct_physics_world *p, ct_actor a, ct_string_id32 material) {
    const uint32_t place = ct_physics_find_material(p->resource, material);
    ct_actor_slot *const s = ct_actor_find(p, a);
    if (place == UINT32_MAX || !s)
        return place != UINT32_MAX;
    ct_actor_extra *const x = ct_actor_extra_of(p, s);
    x->data.material = material;
    x->material = place;
    apply_material(p, s, x);
    if (s->body)
        ct_bullet_body_wake(s->body);
    return true;
}

// --- Settings ------------------------------------------------------------------------------------

static void apply_flags(ct_physics_world *p, ct_actor_slot *s) {
    if (s->body)
        ct_bullet_body_set_flags(s->body, flags_of(ct_actor_extra_of(p, s)));
}

// From now on it is where its body is, not on its way to its node.
static void stop_following(ct_actor_slot *s) {
    s->before = s->after = ct_bullet_body_pose(s->body);
    s->target_time = 0;
}

bool ct_actor_set_body(ct_physics_world *p, ct_actor a, ct_actor_body body, ct_error *error) {
    ct_actor_slot *const s = ct_actor_find(p, a);
    if (!s || (s->flags & CT_ACTOR_TRIGGER))
        return true;
    ct_actor_extra *const x = ct_actor_extra_of(p, s);
    const ct_actor_data before = x->data;
    const bool had_mass = has_mass(s, x);
    x->data.body = body;
    ct_trigger_finder_note(p, s->entity);
    if (!s->body)
        return true;
    if (had_mass == has_mass(s, x)) {
        stop_following(s);
        ct_physics_wake_pairs(p, s);
        ct_bullet_body_set_kind(s->body, kind_of(s, x));
        ct_actor_nudge(s);
        return true;
    }
    const ct_rigid_pose pose = ct_bullet_body_pose(s->body);
    // A mass needs another shape, or none is needed any more.
    ct_physics_shape *const shape =
        ct_actor_check_pose(&pose, error) ? take_shape(p, s, x, error) : NULL;
    if (!shape) {
        x->data = before;
        return false;
    }
    stop_following(s);
    end_body(p, s);
    const bool is_made = make_body(p, s, pose, error); // of the shape that was taken
    CT_ASSERT(is_made, "a shape that was taken makes no body: %s", error->message);
    ct_physics_shape_give(p->system, shape);
    return true;
}

void ct_actor_set_damping(ct_physics_world *p, ct_actor a, float linear, float angular) {
    ct_actor_slot *const s = ct_actor_find(p, a);
    if (!s)
        return;
    ct_actor_extra *const x = ct_actor_extra_of(p, s);
    x->data.linear_damping = linear;
    x->data.angular_damping = angular;
    if (s->body)
        ct_bullet_body_set_damping(s->body, linear, angular);
}

void ct_actor_set_gravity_enabled(ct_physics_world *p, ct_actor a, bool is_enabled) {
    ct_actor_slot *const s = ct_actor_find(p, a);
    if (!s)
        return;
    ct_actor_extra_of(p, s)->data.has_gravity = is_enabled;
    apply_flags(p, s);
}

void ct_actor_set_collision_enabled(ct_physics_world *p, ct_actor a, bool is_enabled) {
    ct_actor_slot *const s = ct_actor_find(p, a);
    if (!s)
        return;
    ct_actor_extra_of(p, s)->data.is_collision_enabled = is_enabled;
    ct_physics_wake_pairs(p, s);
    apply_flags(p, s);
    ct_actor_nudge(s);
}

void ct_actor_set_scene_query_enabled(ct_physics_world *p, ct_actor a, bool is_enabled) {
    ct_actor_slot *const s = ct_actor_find(p, a);
    if (!s)
        return;
    ct_actor_extra_of(p, s)->data.is_scene_query_enabled = is_enabled;
    apply_flags(p, s);
}
