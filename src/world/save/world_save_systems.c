// Saved kinds: characters, actors, movers, agents, particles, sounds.
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "world/save/world_save_private.h"

#define FIELD(type, name, member, kind)                                                            \
    { name, kind, offsetof(type, member), sizeof(((type *)0)->member) }

static ct_vec3 vector_of(const float *v) {
    return ct_vec3_make(v[0], v[1], v[2]);
}

// --- Characters ----------------------------------------------------------------------------------

typedef struct animation_row {
    ct_string_id64 state_machine;
    uint32_t root_mode, bone_mode, is_enabled, padding;
    ct_saved_bytes machine, fades;
} animation_row;

static const ct_save_field animation_fields[] = {
    FIELD(animation_row, "state_machine", state_machine, CT_SAVE_KIND_ID64),
    FIELD(animation_row, "root_mode", root_mode, CT_SAVE_KIND_U32),
    FIELD(animation_row, "bone_mode", bone_mode, CT_SAVE_KIND_U32),
    FIELD(animation_row, "enabled", is_enabled, CT_SAVE_KIND_U32),
    FIELD(animation_row, "state", machine, CT_SAVE_KIND_BYTES),
    FIELD(animation_row, "clips", fades, CT_SAVE_KIND_BYTES),
};

static uint32_t animation_count(const ct_world *w, void *user) {
    (void)user;
    return ct_world_animations(w) ? ct_animation_count(ct_world_animations(w)) : 0;
}

static uint32_t animation_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_world_animations(w) ? ct_animation_lookup(ct_world_animations(w), e).index : 0;
}

static ct_state_machine *machine_of(ct_animation_manager *m, ct_animation_instance i) {
    return ct_animation_machine(m, i);
}

static void animation_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    ct_animation_manager *const m = ct_world_animations(s->world);
    const ct_animation_instance character = {i};
    animation_row *const r = row;
    ct_animation_fade fades[CT_CROSSFADE_MAX_CLIPS];
    (void)user, (void)e;
    memset(fades, 0, sizeof(fades));
    *r = (animation_row){.state_machine = ct_animation_data_of(m, character).state_machine,
                         .root_mode = ct_animation_root_mode_of(m, character),
                         .bone_mode = ct_animation_bone_mode_of(m, character),
                         .is_enabled = ct_animation_is_machine_enabled(m, character)};
    const uint32_t num_fades = ct_animation_fades(m, character, fades);
    if (num_fades > 0)
        r->fades = ct_world_save_bytes(s, fades, (uint32_t)sizeof(*fades) * num_fades);
    const ct_state_machine *const machine = machine_of(m, character);
    if (!machine)
        return;
    const uint32_t count = ct_state_machine_get_state(machine, NULL, 0);
    ct_byte_array *const state = ct_world_saving_scratch(s);
    ct_array_resize(state, count * (uint32_t)sizeof(uint32_t));
    ct_state_machine_get_state(machine, (uint32_t *)(void *)state->items, count);
    r->machine = ct_world_save_bytes(s, state->items, state->count);
}

static bool animation_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                          ct_error *error) {
    ct_animation_manager *const m = ct_world_animations(l->world);
    const ct_animation_instance character = {i};
    const animation_row *const r = row;
    (void)user, (void)e;
    if (r->root_mode >= CT_ANIMATION_ROOT_MODE_COUNT ||
        r->bone_mode >= CT_ANIMATION_BONE_MODE_COUNT)
        return ct_error_set(error, "its saved modes are out of range");
    if (ct_animation_data_of(m, character).state_machine.value != r->state_machine.value)
        ct_animation_set_machine(m, character, r->state_machine);
    ct_animation_set_root_mode(m, character, (ct_animation_root_mode)r->root_mode);
    ct_animation_set_bone_mode(m, character, (ct_animation_bone_mode)r->bone_mode);
    ct_animation_set_machine_enabled(m, character, true);
    ct_state_machine *const machine = machine_of(m, character);
    const bool has_state = r->machine.size_bytes != UINT32_MAX && r->machine.size_bytes > 0;
    bool is_set = true;
    if (machine && has_state)
        is_set = ct_state_machine_set_state(machine, ct_world_load_bytes(l, r->machine),
                                            r->machine.size_bytes / sizeof(uint32_t), error);
    ct_animation_set_machine_enabled(m, character, r->is_enabled != 0);
    if (r->fades.size_bytes == UINT32_MAX || r->state_machine.value)
        return is_set;
    const uint32_t num_left_out =
        ct_animation_resume_fades(m, character, ct_world_load_bytes(l, r->fades),
                                  r->fades.size_bytes / sizeof(ct_animation_fade));
    return is_set &&
           (num_left_out == 0 || ct_error_set(error, "%u of its clips cannot play", num_left_out));
}

// --- Actors --------------------------------------------------------------------------------------

typedef struct actor_row {
    ct_string_id32 name;
    uint32_t body; // ct_actor_body
    ct_string_id32 material, filter;
    float linear_damping, angular_damping;
    uint32_t has_gravity, is_collision_enabled, is_scene_query_enabled;
    float position[3], rotation[4], velocity[3], angular_velocity[3]; // of dynamic ones
    float transform[12];                                              // as Bullet has it
    uint32_t is_asleep;
} actor_row;

static const ct_save_field actor_fields[] = {
    FIELD(actor_row, "name", name, CT_SAVE_KIND_ID32),
    FIELD(actor_row, "body", body, CT_SAVE_KIND_U32),
    FIELD(actor_row, "material", material, CT_SAVE_KIND_ID32),
    FIELD(actor_row, "filter", filter, CT_SAVE_KIND_ID32),
    FIELD(actor_row, "linear_damping", linear_damping, CT_SAVE_KIND_F32),
    FIELD(actor_row, "angular_damping", angular_damping, CT_SAVE_KIND_F32),
    FIELD(actor_row, "gravity", has_gravity, CT_SAVE_KIND_U32),
    FIELD(actor_row, "collision", is_collision_enabled, CT_SAVE_KIND_U32),
    FIELD(actor_row, "scene_query", is_scene_query_enabled, CT_SAVE_KIND_U32),
    FIELD(actor_row, "position", position, CT_SAVE_KIND_F32),
    FIELD(actor_row, "rotation", rotation, CT_SAVE_KIND_F32),
    FIELD(actor_row, "velocity", velocity, CT_SAVE_KIND_F32),
    FIELD(actor_row, "angular_velocity", angular_velocity, CT_SAVE_KIND_F32),
    FIELD(actor_row, "transform", transform, CT_SAVE_KIND_F32),
    FIELD(actor_row, "asleep", is_asleep, CT_SAVE_KIND_U32),
};

static uint32_t actor_count(const ct_world *w, void *user) {
    (void)user;
    return ct_world_physics(w) ? ct_actor_count(ct_world_physics(w)) : 0;
}

static uint32_t actor_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_world_physics(w) ? ct_actor_first(ct_world_physics(w), e).id : 0;
}

static uint32_t actor_next(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    return ct_actor_next(ct_world_physics(w), (ct_actor){i}).id;
}

static uint32_t actor_id(const ct_world *w, void *user, uint32_t i) {
    (void)user;
    return ct_actor_component_id(ct_world_physics(w), (ct_actor){i});
}

static void actor_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    const ct_physics_world *const p = ct_world_physics(s->world);
    const ct_actor actor = {i};
    const ct_actor_data data = ct_actor_data_of(p, actor);
    const ct_bullet_body *const body = ct_actor_bullet(p, actor);
    actor_row *const r = row;
    (void)user, (void)e;
    *r = (actor_row){.name = data.name,
                     .body = data.body,
                     .material = data.material,
                     .filter = data.filter,
                     .linear_damping = data.linear_damping,
                     .angular_damping = data.angular_damping,
                     .has_gravity = data.has_gravity,
                     .is_collision_enabled = data.is_collision_enabled,
                     .is_scene_query_enabled = data.is_scene_query_enabled,
                     .rotation = {0, 0, 0, 1}};
    if (!body || data.body != CT_ACTOR_DYNAMIC)
        return;
    const ct_rigid_pose pose = ct_bullet_body_pose(body);
    ct_bullet_body_transform(body, r->transform);
    const ct_vec3 velocity = ct_bullet_body_velocity(body);
    const ct_vec3 angular = ct_bullet_body_angular_velocity(body);
    memcpy(r->position, &pose.position, sizeof(r->position));
    memcpy(r->rotation, &pose.rotation, sizeof(r->rotation));
    memcpy(r->velocity, &velocity, sizeof(r->velocity));
    memcpy(r->angular_velocity, &angular, sizeof(r->angular_velocity));
    r->is_asleep = ct_bullet_body_is_asleep(body);
}

static bool set_actor_settings(ct_world_loading *l, ct_actor actor, const actor_row *r,
                               ct_error *error) {
    ct_physics_world *const p = ct_world_physics(l->world);
    const ct_actor_data now = ct_actor_data_of(p, actor);
    bool is_set = true;
    if (now.body != r->body && !ct_actor_is_trigger(p, actor))
        is_set = r->body < CT_ACTOR_BODY_COUNT &&
                 ct_actor_set_body(p, actor, (ct_actor_body)r->body, error);
    if (now.filter.value != r->filter.value && !ct_actor_set_filter(p, actor, r->filter))
        is_set = ct_error_set(error, "its filter \"%s\" does not exist any more",
                              ct_string_id32_name(r->filter));
    if (now.material.value != r->material.value && !ct_actor_set_material(p, actor, r->material))
        is_set = ct_error_set(error, "its material \"%s\" does not exist any more",
                              ct_string_id32_name(r->material));
    if ((now.linear_damping != r->linear_damping || now.angular_damping != r->angular_damping) &&
        r->linear_damping >= 0 && r->linear_damping <= 1 && r->angular_damping >= 0 &&
        r->angular_damping <= 1)
        ct_actor_set_damping(p, actor, r->linear_damping, r->angular_damping);
    if (now.has_gravity != r->has_gravity)
        ct_actor_set_gravity_enabled(p, actor, r->has_gravity != 0);
    if (now.is_collision_enabled != r->is_collision_enabled)
        ct_actor_set_collision_enabled(p, actor, r->is_collision_enabled != 0);
    if (now.is_scene_query_enabled != r->is_scene_query_enabled)
        ct_actor_set_scene_query_enabled(p, actor, r->is_scene_query_enabled != 0);
    return is_set;
}

// Whether a dynamic body has the saved pose and velocities, and sleeps as it did.
static bool is_where(const ct_bullet_body *body, const actor_row *r) {
    const ct_vec3 velocity = ct_bullet_body_velocity(body);
    const ct_vec3 angular = ct_bullet_body_angular_velocity(body);
    float now[12];
    ct_bullet_body_transform(body, now);
    return r->body == CT_ACTOR_DYNAMIC && memcmp(now, r->transform, sizeof(now)) == 0 &&
           memcmp(&velocity, r->velocity, sizeof(r->velocity)) == 0 &&
           memcmp(&angular, r->angular_velocity, sizeof(r->angular_velocity)) == 0 &&
           ct_bullet_body_is_asleep(body) == (r->is_asleep != 0);
}

// Also for an actor that has these values: its neighbours may wake it, and its node may have moved.
static bool actor_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                      ct_error *error) {
    ct_physics_world *const p = ct_world_physics(l->world);
    const ct_actor actor = {i};
    const actor_row *const r = row;
    ct_rigid_pose pose = {.position = vector_of(r->position)};
    (void)user, (void)e;
    memcpy(&pose.rotation, r->rotation, sizeof(pose.rotation));
    const bool is_set = set_actor_settings(l, actor, r, error);
    if (!ct_actor_bullet(p, actor))
        return is_set;
    if (!ct_quat_is_rotation(pose.rotation))
        return ct_error_set(error, "its rotation is not of length 1");
    if (is_where(ct_actor_bullet(p, actor), r)) {
        if (r->is_asleep)
            ct_world_load_sleeping(l, actor);
        return is_set;
    }
    ct_actor_restore(p, actor, pose, r->transform, vector_of(r->velocity),
                     vector_of(r->angular_velocity));
    if (r->is_asleep)
        ct_world_load_sleeping(l, actor);
    return is_set;
}

static void actor_remove(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    ct_actor_destroy(ct_world_physics(w), (ct_actor){i});
}

// --- Movers --------------------------------------------------------------------------------------

typedef struct mover_row {
    ct_string_id32 filter;
    float max_slope_angle;
    uint32_t is_active;
} mover_row;

static const ct_save_field mover_fields[] = {
    FIELD(mover_row, "filter", filter, CT_SAVE_KIND_ID32),
    FIELD(mover_row, "max_slope_angle", max_slope_angle, CT_SAVE_KIND_F32),
    FIELD(mover_row, "active", is_active, CT_SAVE_KIND_U32),
};

static uint32_t mover_count(const ct_world *w, void *user) {
    (void)user;
    return ct_world_movers(w) ? ct_mover_count(ct_world_movers(w)) : 0;
}

static uint32_t mover_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_world_movers(w) ? ct_mover_first(ct_world_movers(w), e).index : 0;
}

static uint32_t mover_next(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    return ct_mover_next(ct_world_movers(w), (ct_mover_instance){i}).index;
}

static uint32_t mover_id(const ct_world *w, void *user, uint32_t i) {
    (void)user;
    return ct_mover_data_of(ct_world_movers(w), (ct_mover_instance){i})->name.value;
}

static void mover_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    const ct_mover_manager *const m = ct_world_movers(s->world);
    const ct_mover_data *const data = ct_mover_data_of(m, (ct_mover_instance){i});
    (void)user, (void)e;
    *(mover_row *)row = (mover_row){data->filter, data->max_slope_angle,
                                    ct_mover_is_active(m, (ct_mover_instance){i})};
}

static bool mover_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                      ct_error *error) {
    ct_mover_manager *const m = ct_world_movers(l->world);
    const ct_mover_instance mover = {i};
    const mover_row *const r = row;
    (void)user;
    if (!(r->max_slope_angle >= 0 && r->max_slope_angle <= CT_MOVER_MOST_SLOPE))
        return ct_error_set(error, "its slope is out of range");
    ct_mover_set_max_slope_angle(m, mover, r->max_slope_angle);
    if (ct_mover_data_of(m, mover)->filter.value != r->filter.value &&
        !ct_mover_set_filter(m, mover, r->filter))
        return ct_error_set(error, "its filter \"%s\" does not exist any more",
                            ct_string_id32_name(r->filter));
    if (r->is_active && !ct_mover_is_active(m, mover) && !ct_mover_set_active(m, e, mover))
        return ct_error_set(error, "there is no room for its mover");
    if (!r->is_active && ct_mover_is_active(m, mover))
        ct_mover_set_active(m, e, (ct_mover_instance){0});
    return true;
}

// --- Agents --------------------------------------------------------------------------------------

typedef struct agent_row {
    float goal[3], speed;
    uint32_t has_goal, plays_links;
} agent_row;

static const ct_save_field agent_fields[] = {
    FIELD(agent_row, "goal", goal, CT_SAVE_KIND_F32),
    FIELD(agent_row, "speed", speed, CT_SAVE_KIND_F32),
    FIELD(agent_row, "has_goal", has_goal, CT_SAVE_KIND_U32),
    FIELD(agent_row, "plays_links", plays_links, CT_SAVE_KIND_U32),
};

static uint32_t agent_count(const ct_world *w, void *user) {
    (void)user;
    return ct_navigation_agent_count(ct_world_navigation_agents(w));
}

static uint32_t agent_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_navigation_agent_has(ct_world_navigation_agents(w), e);
}

static void agent_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    const ct_navigation_agent_manager *const m = ct_world_navigation_agents(s->world);
    const ct_navigation_agent_data *const data = ct_navigation_agent_data_of(m, e);
    ct_navigation_agent_status status;
    agent_row *const r = row;
    (void)user, (void)i;
    *r = (agent_row){.speed = data->speed, .plays_links = data->plays_links};
    if (!ct_navigation_agent_status_of(m, e, &status) || !status.has_goal)
        return;
    r->has_goal = 1;
    memcpy(r->goal, &status.goal, sizeof(r->goal));
}

static bool agent_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                      ct_error *error) {
    ct_navigation_agent_manager *const m = ct_world_navigation_agents(l->world);
    const agent_row *const r = row;
    const ct_vec3 goal = vector_of(r->goal);
    (void)user, (void)i;
    if (!(r->speed >= 0 && r->speed <= 1000))
        return ct_error_set(error, "its speed is out of range");
    ct_navigation_agent_set_speed(m, e, r->speed);
    ct_navigation_agent_set_plays_links(m, e, r->plays_links != 0);
    if (r->has_goal)
        ct_navigation_agent_move_to(m, &e, &goal, 1);
    else
        ct_navigation_agent_stop(m, &e, 1);
    return true;
}

// --- Particles -----------------------------------------------------------------------------------

typedef struct particles_row {
    ct_string_id64 effect;
    uint32_t is_playing, padding;
} particles_row;

static const ct_save_field particles_fields[] = {
    FIELD(particles_row, "effect", effect, CT_SAVE_KIND_ID64),
    FIELD(particles_row, "playing", is_playing, CT_SAVE_KIND_U32),
};

static uint32_t particles_count(const ct_world *w, void *user) {
    (void)user;
    return ct_world_particles_components(w) != NULL;
}

static uint32_t particles_first(const ct_world *w, void *user, ct_entity e) {
    ct_particles_components *const m = ct_world_particles_components(w);
    (void)user;
    return m ? ct_particles_component_first(m, e).index : 0;
}

static uint32_t particles_next(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    return ct_particles_component_next(ct_world_particles_components(w),
                                       (ct_particles_component){i})
        .index;
}

static uint32_t particles_id(const ct_world *w, void *user, uint32_t i) {
    (void)user;
    return ct_particles_component_id(ct_world_particles_components(w), (ct_particles_component){i});
}

static bool plays(const ct_world *w, ct_particles_component c) {
    const ct_particles_components *const m = ct_world_particles_components(w);
    return ct_particles_is_playing(ct_world_particles(w), ct_particles_component_effect(m, c));
}

static void particles_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    const ct_particles_component c = {i};
    (void)user, (void)e;
    *(particles_row *)row = (particles_row){
        .effect = ct_particles_component_data(ct_world_particles_components(s->world), c)->effect,
        .is_playing = plays(s->world, c)};
}

static bool particles_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                          ct_error *error) {
    ct_particles_components *const m = ct_world_particles_components(l->world);
    const ct_particles_component c = {i};
    const particles_row *const r = row;
    ct_particles_data data = *ct_particles_component_data(m, c);
    (void)user, (void)e, (void)error;
    if (data.effect.value != r->effect.value) {
        data.effect = r->effect;
        ct_particles_component_set_data(m, c, &data);
    }
    if (r->is_playing && !plays(l->world, c))
        ct_particles_component_play(m, c);
    if (!r->is_playing && plays(l->world, c))
        ct_particles_destroy(ct_world_particles(l->world), ct_particles_component_effect(m, c));
    return true;
}

static void particles_remove(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    ct_particles_component_remove(ct_world_particles_components(w), (ct_particles_component){i});
}

// --- Sounds --------------------------------------------------------------------------------------

typedef struct sound_row {
    ct_string_id64 event;
    float position[3], volume;
    uint32_t is_playing, padding;
} sound_row;

static const ct_save_field sound_fields[] = {
    FIELD(sound_row, "event", event, CT_SAVE_KIND_ID64),
    FIELD(sound_row, "position", position, CT_SAVE_KIND_F32),
    FIELD(sound_row, "volume", volume, CT_SAVE_KIND_F32),
    FIELD(sound_row, "playing", is_playing, CT_SAVE_KIND_U32),
};

static uint32_t sound_count(const ct_world *w, void *user) {
    (void)user;
    return ct_world_sound_sources(w) != NULL;
}

static uint32_t sound_first(const ct_world *w, void *user, ct_entity e) {
    ct_sound_source_components *const m = ct_world_sound_sources(w);
    (void)user;
    return m ? ct_sound_source_component_first(m, e).index : 0;
}

static uint32_t sound_next(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    return ct_sound_source_component_next(ct_world_sound_sources(w), (ct_sound_source_component){i})
        .index;
}

static uint32_t sound_id(const ct_world *w, void *user, uint32_t i) {
    (void)user;
    return ct_sound_source_component_id(ct_world_sound_sources(w), (ct_sound_source_component){i});
}

static bool sounds(const ct_world *w, ct_sound_source_component c) {
    const ct_sound_source_components *const m = ct_world_sound_sources(w);
    return ct_sound_is_playing(w->system->sound, ct_sound_source_component_instance(m, c));
}

static void sound_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    const ct_sound_source_component c = {i};
    const ct_sound_source_data *const data =
        ct_sound_source_component_data(ct_world_sound_sources(s->world), c);
    sound_row *const r = row;
    (void)user, (void)e;
    r->event = data->event;
    r->volume = data->volume;
    memcpy(r->position, data->position, sizeof(r->position));
    r->is_playing = sounds(s->world, c);
}

static bool sound_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                      ct_error *error) {
    ct_sound_source_components *const m = ct_world_sound_sources(l->world);
    const ct_sound_source_component c = {i};
    const sound_row *const r = row;
    ct_sound_source_data data = *ct_sound_source_component_data(m, c);
    (void)user, (void)e, (void)error;
    if (data.event.value != r->event.value || data.volume != r->volume ||
        memcmp(data.position, r->position, sizeof(r->position)) != 0) {
        data.event = r->event;
        data.volume = r->volume;
        memcpy(data.position, r->position, sizeof(r->position));
        ct_sound_source_component_set_data(m, c, &data);
    }
    if (r->is_playing && !sounds(l->world, c))
        ct_sound_source_component_play(m, c);
    if (!r->is_playing && sounds(l->world, c))
        ct_sound_source_component_stop(m, c, 0);
    return true;
}

static void sound_remove(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    ct_sound_source_component_remove(ct_world_sound_sources(w), (ct_sound_source_component){i});
}

// --- The table -----------------------------------------------------------------------------------

const ct_save_component ct_save_system_kinds[] = {
    {.name = "animation",
     .fields = animation_fields,
     .num_fields = CT_COUNT_OF(animation_fields),
     .row_bytes = sizeof(animation_row),
     .count = animation_count,
     .first = animation_first,
     .get = animation_get,
     .set = animation_set},
    {.name = "mover",
     .fields = mover_fields,
     .num_fields = CT_COUNT_OF(mover_fields),
     .row_bytes = sizeof(mover_row),
     .count = mover_count,
     .first = mover_first,
     .next = mover_next,
     .id = mover_id,
     .get = mover_get,
     .set = mover_set},
    {.name = "actor",
     .fields = actor_fields,
     .num_fields = CT_COUNT_OF(actor_fields),
     .row_bytes = sizeof(actor_row),
     .count = actor_count,
     .first = actor_first,
     .next = actor_next,
     .id = actor_id,
     .get = actor_get,
     .set = actor_set,
     .remove = actor_remove,
     .always_sets = true},
    {.name = "navigation_agent",
     .fields = agent_fields,
     .num_fields = CT_COUNT_OF(agent_fields),
     .row_bytes = sizeof(agent_row),
     .count = agent_count,
     .first = agent_first,
     .get = agent_get,
     .set = agent_set},
    {.name = "particles",
     .fields = particles_fields,
     .num_fields = CT_COUNT_OF(particles_fields),
     .row_bytes = sizeof(particles_row),
     .count = particles_count,
     .first = particles_first,
     .next = particles_next,
     .id = particles_id,
     .get = particles_get,
     .set = particles_set,
     .remove = particles_remove},
    {.name = "sound_source",
     .fields = sound_fields,
     .num_fields = CT_COUNT_OF(sound_fields),
     .row_bytes = sizeof(sound_row),
     .count = sound_count,
     .first = sound_first,
     .next = sound_next,
     .id = sound_id,
     .get = sound_get,
     .set = sound_set,
     .remove = sound_remove},
};
const uint32_t ct_save_num_system_kinds = CT_COUNT_OF(ct_save_system_kinds);
