#include "animation/component/animation_component.h"

#include <math.h>
#include <string.h>

#include "animation/component/animation_private.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math_shapes.h"

enum { CHARACTERS_IN_AN_UPDATE = 16 };
static const uint64_t DROPPED_EVENTS = 0x9e3779b97f4a7c15u; // a kind of warning, beside a name

static const ct_soa_array arrays[] = {
    CT_INSTANCE_TABLE_ARRAYS(ct_animation_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_animation_manager, animator, 64),
};

// --- Life cycle ----------------------------------------------------------------------------------

static void release_all(void *user) {
    ct_animation_manager *const m = user;
    for (uint32_t i = 1; i < m->table.soa.count; ++i)
        ct_animation_release_players(m, &m->animator[i]);
}

static void settle_all(void *user) {
    ct_animation_manager *const m = user;
    for (uint32_t i = 1; i < m->table.soa.count; ++i)
        ct_animation_bind(m, i);
}

ct_animation_manager *ct_animation_manager_create(ct_allocator *a, ct_animation_system *system,
                                                  ct_transform_manager *transforms,
                                                  ct_scene_graph_manager *graphs) {
    ct_animation_manager *const m = CT_NEW(a, ct_animation_manager);
    m->allocator = a;
    m->system = system;
    m->transforms = transforms;
    m->graphs = graphs;
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_HASH);
    ct_array_init(&m->events, a);
    ct_array_init(&m->to_pose, a);
    ct_array_init(&m->ended_skins, a);
    ct_hash_map_init(&m->told, a);
    const ct_animation_watcher watcher = {m, release_all, settle_all};
    ct_animation_system_watch(system, &watcher);
    return m;
}

void ct_animation_manager_destroy(ct_animation_manager *m) {
    if (!m)
        return;
    ct_animation_system_unwatch(m->system, m);
    for (uint32_t i = 1; i < m->table.soa.count; ++i)
        ct_animation_unbind(m, &m->animator[i]);
    ct_hash_map_free(&m->told);
    ct_array_free(&m->ended_skins);
    ct_array_free(&m->to_pose);
    ct_array_free(&m->events);
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

// The character `i`, which must exist.
static ct_animator *checked(const ct_animation_manager *m, ct_animation_instance i) {
    ct_instance_table_check(&m->table, i.index);
    return &m->animator[i.index];
}

ct_animation_instance ct_animation_create(ct_animation_manager *m, ct_entity e, uint32_t id,
                                          const ct_animation_data *data) {
    CT_ASSERT(!ct_animation_lookup(m, e).index, "entity %u is animated already", e.id);
    const ct_animation_data copy = *data;
    const uint32_t i = ct_instance_table_add(&m->table, e, id);
    ct_animator *const a = &m->animator[i];
    *a = (ct_animator){.data = copy,
                       .is_machine_enabled = true,
                       .root_mode = (uint8_t)copy.root_mode,
                       .bone_mode = CT_ANIMATION_BONE_MODE_TRANSFORM};
    ct_array_init(&a->clips, m->allocator);
    ct_array_init(&a->resources, m->allocator);
    ct_array_init(&a->players, m->allocator);
    ct_array_init(&a->nodes, m->allocator);
    ct_animation_bind(m, i);
    return (ct_animation_instance){i};
}

void ct_animation_destroy(ct_animation_manager *m, ct_animation_instance i) {
    ct_animator *const a = checked(m, i);
    ct_animation_unbind(m, a);
    if (a->skin.handle)
        ct_array_push(&m->ended_skins,
                      (ct_animation_ended_skin){a->skin.handle, m->table.entity[i.index]});
    ct_instance_table_erase(&m->table, i.index);
}

ct_animation_instance ct_animation_lookup(const ct_animation_manager *m, ct_entity e) {
    return (ct_animation_instance){ct_instance_table_first(&m->table, e)};
}

ct_entity ct_animation_entity(const ct_animation_manager *m, ct_animation_instance i) {
    checked(m, i);
    return m->table.entity[i.index];
}

uint32_t ct_animation_id(const ct_animation_manager *m, ct_animation_instance i) {
    checked(m, i);
    return m->table.id[i.index];
}

uint32_t ct_animation_count(const ct_animation_manager *m) {
    return ct_instance_table_count(&m->table);
}

ct_animation_data ct_animation_data_of(const ct_animation_manager *m, ct_animation_instance i) {
    const ct_animator *const a = checked(m, i);
    ct_animation_data data = a->data;
    data.root_mode = a->root_mode;
    return data;
}

// --- Steps ---------------------------------------------------------------------------------------

void ct_animation_add_view(ct_animation_manager *m, const ct_frustum *frustum, ct_vec3 position) {
    if (m->has_old_views)
        m->num_views = m->next_view = 0;
    m->has_old_views = false;
    m->views[m->next_view] = (ct_animation_view){*frustum, position};
    m->next_view = (m->next_view + 1) % CT_ANIMATION_MAX_VIEWS;
    m->num_views += m->num_views < CT_ANIMATION_MAX_VIEWS;
}

// Whether a view sees the character, or it is near one.
static bool is_seen(const ct_animation_manager *m, uint32_t i) {
    const ct_animator *const a = &m->animator[i];
    const ct_transform t = ct_transform_lookup(m->transforms, m->table.entity[i]);
    if (!t.index)
        return true;
    const ct_mat4 *const world = ct_transform_world(m->transforms, t);
    float scale2 = 0;
    for (uint32_t c = 0; c < 3; ++c) {
        const ct_vec3 axis = ct_vec3_make(world->col[c].x, world->col[c].y, world->col[c].z);
        const float length2 = ct_vec3_dot(axis, axis);
        scale2 = length2 > scale2 ? length2 : scale2;
    }
    const ct_sphere around = {ct_mat4_position(*world), a->skeleton->radius * sqrtf(scale2)};
    for (uint32_t v = 0; v < m->num_views; ++v) {
        const ct_animation_view *const view = &m->views[v];
        const ct_vec3 to = ct_vec3_sub(around.center, view->position);
        const float near_range = CT_ANIMATION_NEAR + around.radius;
        if (ct_vec3_dot(to, to) < near_range * near_range ||
            ct_frustum_intersects_sphere(&view->frustum, around))
            return true;
    }
    return false;
}

// Advances characters: pure but for the characters themselves.
static void advance_range(void *data, uint32_t begin, uint32_t end) {
    ct_animation_manager *const m = data;
    for (uint32_t i = begin + 1; i < end + 1; ++i) {
        ct_animator *const a = &m->animator[i];
        a->is_seen = false;
        if (a->machine && a->is_machine_enabled)
            a->output = ct_state_machine_update(a->machine, m->dt);
        else if (!a->machine && a->crossfade)
            a->output = ct_crossfade_update(a->crossfade, m->dt, a->resources.items);
        else
            a->output.num_events = 0, a->output.root_delta = (ct_animation_root_pose){{0}, 0};
        a->root_delta = a->output.root_delta;
        if (a->skeleton)
            a->is_seen =
                a->data.is_always_posed || a->wants_curves || !a->has_pose || is_seen(m, i);
    }
}

static void apply_root(ct_animation_manager *m, uint32_t i) {
    const ct_animator *const a = &m->animator[i];
    const ct_animation_root_pose *const d = &a->root_delta;
    const ct_transform t = a->root_mode == CT_ANIMATION_ROOT_MODE_IGNORE
                               ? (ct_transform){0}
                               : ct_transform_lookup(m->transforms, m->table.entity[i]);
    if (!t.index)
        return;
    ct_vec3 position = ct_transform_local_position(m->transforms, t);
    ct_quat rotation = ct_transform_local_rotation(m->transforms, t);
    const ct_vec3 scale = ct_transform_local_scale(m->transforms, t);
    if (a->root_mode != CT_ANIMATION_ROOT_MODE_DELTA_ROTATION) {
        const ct_vec3 own =
            ct_vec3_mul(ct_vec3_make(d->position[0], d->position[1], d->position[2]), scale);
        position = ct_vec3_add(position, ct_quat_rotate(rotation, own));
    }
    if (a->root_mode != CT_ANIMATION_ROOT_MODE_DELTA_POSITION)
        rotation = ct_quat_mul(rotation, ct_quat_axis_angle(ct_vec3_make(0, 0, 1), d->heading));
    if (ct_vec3_is_finite(position)) // it has walked too far for numbers
        ct_transform_set_local_pose(m->transforms, t, position, rotation, scale);
}

static void collect_events(ct_animation_manager *m, uint32_t i) {
    ct_state_machine_output *const o = &m->animator[i].output;
    const ct_animation_data *const data = &m->animator[i].data;
    const ct_string_id64 machine = data->state_machine;
    const uint64_t key = (machine.value ? machine : data->skeleton).value ^ DROPPED_EVENTS;
    if (o->num_dropped_events && ct_hash_map_add(&m->told, key, 1))
        ct_log_warning(
            "animation", "events_dropped",
            "a character with the %s \"%s\" had more than %d events in one step; %u were "
            "left out; update in smaller steps",
            machine.value ? "state machine" : "skeleton",
            ct_string_id64_name(machine.value ? machine : data->skeleton),
            CT_STATE_MACHINE_MAX_EVENTS, o->num_dropped_events);
    o->num_dropped_events = 0;
    for (uint32_t k = 0; k < o->num_events; ++k)
        ct_array_push(&m->events, (ct_animation_out_event){m->table.entity[i], o->events[k].name,
                                                           o->events[k].time});
    o->num_events = 0;
}

void ct_animation_update(ct_animation_manager *m, double dt) {
    const uint32_t count = ct_instance_table_count(&m->table);
    m->dt = (float)dt;
    m->events.count = m->to_pose.count = 0;
    ct_animation_system_loop(m->system, "animation states", count, CHARACTERS_IN_AN_UPDATE,
                             advance_range, m);
    m->has_old_views = true;
    for (uint32_t i = 1; i <= count; ++i) {
        const ct_animator *const a = &m->animator[i];
        collect_events(m, i);
        if (a->root_delta.heading != 0 || a->root_delta.position[0] != 0 ||
            a->root_delta.position[1] != 0 || a->root_delta.position[2] != 0)
            apply_root(m, i);
        if (a->is_seen && a->bone_mode != CT_ANIMATION_BONE_MODE_IGNORE)
            ct_array_push(&m->to_pose, i);
    }
    ct_animation_pose_listed(m);
}

void ct_animation_pose_new(ct_animation_manager *m) {
    m->to_pose.count = 0;
    for (uint32_t i = 1; i < m->table.soa.count; ++i) {
        if (!m->animator[i].has_pose && m->animator[i].skeleton)
            ct_array_push(&m->to_pose, i);
    }
    ct_animation_pose_listed(m);
}

const ct_animation_out_event *ct_animation_events(const ct_animation_manager *m, uint32_t *count) {
    *count = m->events.count;
    return m->events.items;
}

// --- State machine -------------------------------------------------------------------------------

ct_state_machine *ct_animation_machine(const ct_animation_manager *m, ct_animation_instance i) {
    const ct_animator *const a = checked(m, i);
    return a->is_machine_enabled ? a->machine : NULL;
}

void ct_animation_set_machine(ct_animation_manager *m, ct_animation_instance i,
                              ct_string_id64 state_machine) {
    ct_animator *const a = checked(m, i);
    ct_animation_release_players(m, a);
    ct_state_machine_destroy(a->machine);
    a->machine = NULL;
    a->machine_resource = NULL;
    a->wants_curves = false;
    a->num_curves = 0;
    ct_crossfade_destroy(a->crossfade);
    a->crossfade = NULL;
    a->clips.count = a->resources.count = 0;
    a->output = (ct_state_machine_output){0};
    a->data.state_machine = state_machine;
    a->is_machine_enabled = true;
    ct_animation_bind(m, i.index);
}

void ct_animation_set_machine_enabled(ct_animation_manager *m, ct_animation_instance i,
                                      bool is_enabled) {
    checked(m, i)->is_machine_enabled = is_enabled;
}

bool ct_animation_is_machine_enabled(const ct_animation_manager *m, ct_animation_instance i) {
    return checked(m, i)->is_machine_enabled;
}

// --- Single clips --------------------------------------------------------------------------------

bool ct_animation_crossfade(ct_animation_manager *m, ct_animation_instance i, ct_string_id64 clip,
                            uint32_t layer, float blend_time, bool loops, bool offsets_phase,
                            uint32_t *id, ct_error *error) {
    ct_animator *const a = checked(m, i);
    const char *const name = ct_string_id64_name(clip);
    if (a->data.state_machine.value)
        return ct_error_set(error,
                            "it has a state machine, which plays its clips; set the state machine "
                            "to \"\" first, or send an event");
    if (!a->skeleton)
        return ct_error_set(error, "its skeleton \"%s\" is not loaded",
                            ct_string_id64_name(a->data.skeleton));
    if (layer >= CT_STATE_MACHINE_MAX_LAYERS)
        return ct_error_set(error, "found layer %u; expected 0 to %d", layer,
                            CT_STATE_MACHINE_MAX_LAYERS - 1);
    const ct_animation_resource *const r =
        ct_animation_clip_resource(m->system, ct_animation_system_clip(m->system, clip));
    if (!r)
        return ct_error_set(error, "the animation \"%s\" is not loaded; add it to a package", name);
    const uint32_t number = ct_animation_add_clip(m, a, clip);
    if (!a->resources.items[number])
        return ct_error_set(
            error, "the animation \"%s\" is for the skeleton \"%s\"; this is \"%s\"", name,
            ct_string_id64_name(r->skeleton), ct_string_id64_name(a->data.skeleton));
    if (!a->crossfade)
        a->crossfade = ct_crossfade_create(m->allocator);
    const ct_crossfade_desc desc = {number, ct_animation_length(r), layer, blend_time,
                                    loops,  offsets_phase};
    *id = ct_crossfade_start(a->crossfade, &desc);
    return true;
}

bool ct_animation_is_crossfading(const ct_animation_manager *m, ct_animation_instance i) {
    const ct_animator *const a = checked(m, i);
    return a->crossfade && ct_crossfade_is_fading(a->crossfade);
}

bool ct_animation_set_crossfade_speed(ct_animation_manager *m, ct_animation_instance i, uint32_t id,
                                      float speed) {
    const ct_animator *const a = checked(m, i);
    return a->crossfade && ct_crossfade_set_speed(a->crossfade, id, speed);
}

bool ct_animation_set_crossfade_time(ct_animation_manager *m, ct_animation_instance i, uint32_t id,
                                     float time) {
    const ct_animator *const a = checked(m, i);
    return a->crossfade && ct_crossfade_set_time(a->crossfade, id, time);
}

// --- Root motion, joints, curves -----------------------------------------------------------------

ct_animation_root_pose ct_animation_root_delta(const ct_animation_manager *m,
                                               ct_animation_instance i) {
    return checked(m, i)->root_delta;
}

void ct_animation_set_root_mode(ct_animation_manager *m, ct_animation_instance i,
                                ct_animation_root_mode mode) {
    checked(m, i)->root_mode = (uint8_t)mode;
}

ct_animation_root_mode ct_animation_root_mode_of(const ct_animation_manager *m,
                                                 ct_animation_instance i) {
    return (ct_animation_root_mode)checked(m, i)->root_mode;
}

void ct_animation_set_bone_mode(ct_animation_manager *m, ct_animation_instance i,
                                ct_animation_bone_mode mode) {
    checked(m, i)->bone_mode = (uint8_t)mode;
}

ct_animation_bone_mode ct_animation_bone_mode_of(const ct_animation_manager *m,
                                                 ct_animation_instance i) {
    return (ct_animation_bone_mode)checked(m, i)->bone_mode;
}

void ct_animation_set_num_joints(ct_animation_manager *m, ct_animation_instance i, uint32_t count) {
    checked(m, i)->num_posed_joints = count;
}

void ct_animation_set_always(ct_animation_manager *m, ct_animation_instance i, bool is_always) {
    checked(m, i)->data.is_always_posed = is_always;
}

bool ct_animator_curve(const ct_animator *a, ct_string_id32 object, ct_string_id32 parameter,
                       float *value) {
    for (uint32_t k = 0; k < a->num_curves; ++k) {
        if (a->curves[k].object.value == object.value &&
            a->curves[k].parameter.value == parameter.value) {
            *value = a->curves[k].value;
            return true;
        }
    }
    return false;
}

bool ct_animation_curve_value(const ct_animation_manager *m, ct_animation_instance i,
                              ct_string_id32 object, ct_string_id32 parameter, float *value) {
    return ct_animator_curve(checked(m, i), object, parameter, value);
}

// --- For skins -----------------------------------------------------------------------------------

const ct_animation_skeleton *ct_animation_skeleton_of(const ct_animation_manager *m,
                                                      ct_animation_instance i) {
    return checked(m, i)->skeleton;
}

uint32_t ct_animation_skeleton_version(const ct_animation_manager *m, ct_animation_instance i) {
    return checked(m, i)->skeleton_version;
}

ct_animation_skin *ct_animation_skin_of(ct_animation_manager *m, ct_animation_instance i) {
    return &checked(m, i)->skin;
}

const ct_animation_ended_skin *ct_animation_ended_skins(const ct_animation_manager *m,
                                                        uint32_t *count) {
    *count = m->ended_skins.count;
    return m->ended_skins.items;
}

void ct_animation_clear_ended(ct_animation_manager *m) {
    m->ended_skins.count = 0;
}

bool ct_animation_must_send(const ct_animation_manager *m, ct_animation_instance i) {
    const ct_animator *const a = checked(m, i);
    if (!a->skeleton || !a->has_pose)
        return false;
    const ct_scene_graph g = ct_scene_graph_lookup(m->graphs, m->table.entity[i.index]);
    return a->must_send || (g.index && ct_scene_graph_is_changed(m->graphs, g));
}

void ct_animation_mark_sent(ct_animation_manager *m, ct_animation_instance i) {
    checked(m, i)->must_send = false;
}

void ct_animation_write_joints(const ct_animation_manager *m, ct_animation_instance i,
                               ct_affine *matrices) {
    const ct_animator *const a = checked(m, i);
    memcpy(matrices, a->models, sizeof(*matrices) * a->skeleton->num_joints);
    const ct_scene_graph g = ct_scene_graph_lookup(m->graphs, m->table.entity[i.index]);
    if (!g.index || a->graph_version != ct_scene_graph_version(m->graphs, g))
        return;
    for (uint32_t j = 0; j < a->skeleton->num_joints; ++j) {
        if (a->nodes.items[j] == CT_ANIMATION_NO_NODE)
            continue;
        const ct_mat4 pose = ct_scene_graph_pose(m->graphs, g, a->nodes.items[j]);
        for (uint32_t r = 0; r < 3; ++r)
            matrices[j].rows[r] = (ct_float4){pose.col[0].raw[r], pose.col[1].raw[r],
                                              pose.col[2].raw[r], pose.col[3].raw[r]};
    }
}

// --- Registry ------------------------------------------------------------------------------------

static void spawn_characters(void *manager, const ct_component_spawn *spawn) {
    ct_animation_manager *const m = manager;
    const ct_animation_data *const data = spawn->data;
    const uint32_t count = ct_component_spawn_count(spawn);
    ct_instance_table_reserve(&m->table, count);
    for (uint32_t k = 0; k < count; ++k) {
        if (!ct_animation_lookup(m, spawn->owners[k]).index)
            ct_animation_create(m, spawn->owners[k], spawn->ids[k],
                                &data[ct_component_spawn_data(spawn, k)]);
    }
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_animation_manager *const m = manager;
    for (uint32_t k = 0; k < count && ct_instance_table_count(&m->table); ++k) {
        const ct_animation_instance i = ct_animation_lookup(m, entities[k]);
        if (i.index)
            ct_animation_destroy(m, i);
    }
}

static void hash_characters(const void *manager, ct_state_hash *hash) {
    const ct_animation_manager *const m = manager;
    for (uint32_t i = 1; i < m->table.soa.count; ++i) {
        const ct_animator *const a = &m->animator[i];
        for (uint32_t k = 0; k < a->output.num_samples; ++k) {
            const ct_state_machine_sample *const s = &a->output.samples[k];
            const float values[2] = {s->time, s->weight};
            ct_state_hash_add(hash, m->table.entity[i],
                              CT_ID32("animation", 0xb02feda6).value + ((uint64_t)k << 32), values,
                              sizeof(values));
        }
    }
}

static void destroy_manager(void *manager) {
    ct_animation_manager_destroy(manager);
}

ct_component_manager ct_animation_component_manager(ct_animation_manager *m) {
    return (ct_component_manager){.type_name = "animation",
                                  .schema = ct_component_type_named("animation")->schema,
                                  .manager = m,
                                  .spawn = spawn_characters,
                                  .entities_destroyed = entities_destroyed,
                                  .hash = hash_characters,
                                  .destroy = destroy_manager};
}
