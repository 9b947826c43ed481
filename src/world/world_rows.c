// The engine's own systems of worlds: a row and an accessor for each. Managers are made, components
// spawned, and the steps of a phase run in the order of the rows.
#include <stdio.h>
#include <string.h>

#include "foundation/math/math.h"
#include "world/world_private.h"
#include "world/world_skins.h"
#include "world/world_sound.h"

enum { MOST_TIDY_LOOKS = 2048, MOST_TIDY_SWAPS = 64 }; // some microseconds of a frame

// Places in `rows`.
enum {
    ROW_WORLD,
    ROW_TRANSFORM,
    ROW_NEW_CHARACTERS, // before the scene graphs are updated
    ROW_SCENE_GRAPH,
    ROW_MESH,
    ROW_CAMERA,
    ROW_LIGHT,
    ROW_RENDER_DATA, // after the meshes that it gives values to
    ROW_ANIMATION,
    ROW_NAVIGATION,       // owns the meshes
    ROW_NAVIGATION_AGENT, // before the physics, as movers get velocities
    ROW_ACTOR,            // owns the physics
    ROW_TRIGGER,
    ROW_MOVER,
    ROW_PARTICLES, // after the scene graphs that effects follow, and the physics they collide with
    ROW_SOUND_SOURCE, // after the scene graphs that sounds follow; owns the sounds
    ROW_SOUND_LISTENER,
    ROW_CHANGES,
    NUM_ROWS,
};

// --- The world itself ----------------------------------------------------------------------------

static void continue_levels(ct_world *w, void *manager, double dt) {
    (void)manager, (void)dt;
    ct_world_continue_levels(w);
}

static void collect_garbage_of(const ct_component_registry *r, const ct_entity_manager *entities) {
    for (uint32_t i = 0; i < r->count; ++i) {
        if (r->managers[i].collect_garbage)
            r->managers[i].collect_garbage(r->managers[i].manager, entities);
    }
}

static void collect_garbage(ct_world *w, void *manager, double dt) {
    (void)manager, (void)dt;
    collect_garbage_of(&w->registry, w->system->entities);
    collect_garbage_of(&w->system->shared, w->system->entities);
}

static void send_time(ct_world *w, void *manager, double dt) {
    (void)manager, (void)dt;
    ct_render_world_set_time(w->system->renderer, w->render_world, w->time);
}

// --- Transforms and scene graphs -----------------------------------------------------------------

static void *create_transforms(ct_world *w, ct_component_manager *component) {
    ct_transform_manager *const m = ct_transform_manager_create(w->allocator);
    *component = ct_transform_component_manager(m);
    return m;
}

static void tidy_transforms(ct_world *w, void *manager, double dt) {
    (void)w, (void)dt;
    ct_transform_tidy(manager, MOST_TIDY_LOOKS, MOST_TIDY_SWAPS);
}

static void *create_scene_graphs(ct_world *w, ct_component_manager *component) {
    ct_scene_graph_manager *const m =
        ct_scene_graph_manager_create(w->allocator, ct_world_transforms(w));
    *component = ct_scene_graph_component_manager(m);
    return m;
}

static void update_scene_graphs(ct_world *w, void *manager, double dt) {
    (void)w, (void)dt;
    ct_scene_graph_update(manager);
}

static void clear_changed_poses(ct_world *w, void *manager, double dt) {
    (void)manager, (void)dt;
    ct_scene_graph_clear_changed(ct_world_scene_graphs(w));
}

// --- Meshes, cameras, lights ---------------------------------------------------------------------

static void *create_meshes(ct_world *w, ct_component_manager *component) {
    ct_mesh_manager *const m =
        ct_mesh_manager_create(w->allocator, w->system->renderer, w->render_world,
                               ct_world_transforms(w), ct_world_scene_graphs(w));
    *component = ct_mesh_component_manager(m);
    return m;
}

static void send_mesh_poses(ct_world *w, void *manager, double dt) {
    (void)w, (void)dt;
    ct_mesh_send_poses(manager);
}

static void *create_cameras(ct_world *w, ct_component_manager *component) {
    ct_camera_manager *const m = ct_camera_manager_create(w->allocator, ct_world_scene_graphs(w));
    *component = ct_camera_component_manager(m);
    return m;
}

static void *create_lights(ct_world *w, ct_component_manager *component) {
    ct_light_manager *const m =
        ct_light_manager_create(w->allocator, w->system->renderer, w->render_world,
                                ct_world_transforms(w), ct_world_scene_graphs(w));
    *component = ct_light_component_manager(m);
    return m;
}

static void send_light_changes(ct_world *w, void *manager, double dt) {
    (void)w, (void)dt;
    ct_light_send_changes(manager);
}

static void *create_render_data(ct_world *w, ct_component_manager *component) {
    ct_render_data_manager *const m =
        ct_render_data_manager_create(w->allocator, ct_world_meshes(w));
    *component = ct_render_data_component_manager(m);
    return m;
}

// --- Animation -----------------------------------------------------------------------------------

static void *create_animations(ct_world *w, ct_component_manager *component) {
    if (!w->system->animation)
        return NULL;
    ct_animation_manager *const m = ct_animation_manager_create(
        w->allocator, w->system->animation, ct_world_transforms(w), ct_world_scene_graphs(w));
    *component = ct_animation_component_manager(m);
    return m;
}

static void animate(ct_world *w, void *manager, double dt) {
    (void)w;
    if (manager)
        ct_animation_update(manager, dt);
}

static void send_skins(ct_world *w, void *manager, double dt) {
    (void)manager, (void)dt;
    ct_world_send_skins(w);
}

static void pose_new_characters(ct_world *w, void *manager, double dt) {
    (void)manager, (void)dt;
    if (ct_world_animations(w))
        ct_animation_pose_new(ct_world_animations(w));
}

void ct_world_add_view(ct_world *w, const ct_render_view *view) {
    ct_world_add_physics_view(w, ct_mat4_position(view->pose));
    if (ct_world_particles(w))
        ct_particles_add_view(ct_world_particles(w), ct_mat4_position(view->pose));
    if (!ct_world_animations(w))
        return;
    const ct_mat4 to_clip = ct_mat4_mul(view->projection, ct_mat4_inverse_affine(&view->pose));
    const ct_frustum frustum = ct_frustum_from(&to_clip);
    ct_animation_add_view(ct_world_animations(w), &frustum, ct_mat4_position(view->pose));
}

// --- Navigation ----------------------------------------------------------------------------------

static void *create_navigation(ct_world *w, ct_component_manager *component) {
    (void)component;
    return ct_navigation_world_create(
        &(ct_navigation_world_desc){.allocator = w->allocator,
                                    .tasks = w->system->tasks,
                                    .settings = w->system->navigation_settings});
}

static void destroy_navigation(void *manager) {
    ct_navigation_world_destroy(manager);
}

// While it is spawned, an entity is not of a unit yet.
static void describe_entity(void *user, ct_entity e, char *text, uint32_t size_bytes) {
    const ct_world *const w = user;
    const ct_entity unit = ct_world_unit_of(w, e);
    const ct_string_id64 resource = unit.id ? ct_world_unit_resource(w, unit) : w->spawning;
    if (unit.id && resource.value)
        snprintf(text, size_bytes, "the unit \"%s\"", ct_string_id64_name(resource));
    else if (resource.value)
        snprintf(text, size_bytes, "\"%s\"", ct_string_id64_name(resource));
    else
        snprintf(text, size_bytes, "the entity 0x%x", e.id);
}

static void *create_navigation_agents(ct_world *w, ct_component_manager *component) {
    ct_navigation_agent_manager *const m = ct_navigation_agent_manager_create(
        w->allocator, ct_world_navigation(w), ct_world_transforms(w));
    ct_navigation_agent_set_describe(m, describe_entity, w);
    *component = ct_navigation_agent_component_manager(m);
    return m;
}

// --- Physics -------------------------------------------------------------------------------------

// Actors without shapes of their own have those of the first mesh.
static ct_string_id64 mesh_of(void *user, ct_entity e) {
    const ct_mesh_manager *const meshes = ct_world_meshes(user);
    const ct_mesh_instance first = ct_mesh_first(meshes, e);
    return first.index ? ct_mesh_name(meshes, first) : (ct_string_id64){0};
}

// The bounds of the first mesh.
static bool box_of(void *user, ct_entity e, ct_aabb *bounds, uint32_t *node) {
    const ct_world *const w = user;
    const ct_mesh_manager *const meshes = ct_world_meshes(w);
    const ct_mesh_instance first = ct_mesh_first(meshes, e);
    const ct_mesh_resource *const mesh =
        first.index
            ? ct_resource_manager_get(w->system->resources, "mesh", ct_mesh_name(meshes, first))
            : NULL;
    if (!mesh)
        return false;
    *node = ct_mesh_node(meshes, first);
    memcpy(bounds->min.raw, mesh->bounds_min, sizeof(mesh->bounds_min));
    memcpy(bounds->max.raw, mesh->bounds_max, sizeof(mesh->bounds_max));
    return true;
}

static void *create_physics(ct_world *w, ct_component_manager *component) {
    if (!w->system->physics)
        return NULL;
    ct_physics_world *const p = ct_physics_world_create(
        w->allocator, w->system->physics, ct_world_transforms(w), ct_world_scene_graphs(w));
    ct_physics_world_set_entities(p, &(ct_physics_entities){.user = w,
                                                            .mesh = mesh_of,
                                                            .describe = describe_entity,
                                                            .box = box_of,
                                                            .tags = w->system->tags,
                                                            .alive = w->system->entities});
    *component = ct_actor_component_manager(p);
    return p;
}

static void simulate(ct_world *w, void *manager, double dt) {
    (void)w;
    if (manager)
        ct_physics_world_update(manager, dt);
}

static void *create_triggers(ct_world *w, ct_component_manager *component) {
    ct_physics_world *const p = ct_world_physics(w);
    if (p)
        *component = ct_trigger_component_manager(p);
    return p;
}

// By the poses after physics and animation.
static void find_tagged(ct_world *w, void *manager, double dt) {
    (void)w, (void)dt;
    if (manager)
        ct_physics_world_find_tagged(manager);
}

static void *create_movers(ct_world *w, ct_component_manager *component) {
    ct_physics_world *const p = ct_world_physics(w);
    if (!p)
        return NULL;
    ct_mover_manager *const m =
        ct_mover_manager_create(w->allocator, w->system->physics, p, ct_world_transforms(w));
    *component = ct_mover_component_manager(m);
    return m;
}

// --- Particles -----------------------------------------------------------------------------------

static void *create_particles(ct_world *w, ct_component_manager *component) {
    if (!w->system->particles)
        return NULL;
    const ct_particles_components_desc desc = {.allocator = w->allocator,
                                               .system = w->system->particles,
                                               .render_world = w->render_world,
                                               .physics = ct_world_physics(w),
                                               .transforms = ct_world_transforms(w),
                                               .graphs = ct_world_scene_graphs(w)};
    ct_particles_components *const m = ct_particles_components_create(&desc);
    *component = ct_particles_component_manager(m);
    return m;
}

static void forget_ended_effects(ct_world *w, void *manager, double dt) {
    (void)w, (void)dt;
    if (manager)
        ct_particle_links_clear_ended(ct_particles_components_links(manager));
}

// Effects follow current poses of nodes: after the scene graphs.
static void simulate_particles(ct_world *w, void *manager, double dt) {
    (void)w;
    if (manager)
        ct_particles_components_update(manager, dt);
}

static void send_particles(ct_world *w, void *manager, double dt) {
    (void)w, (void)dt;
    if (manager)
        ct_particles_send(ct_particles_components_world(manager));
}

// --- Sound ---------------------------------------------------------------------------------------

static void *create_sound_sources(ct_world *w, ct_component_manager *component) {
    if (!w->system->sound)
        return NULL;
    const ct_sound_source_components_desc desc = {.allocator = w->allocator,
                                                  .system = w->system->sound,
                                                  .occlude = ct_world_occlude_sounds,
                                                  .user = w,
                                                  .seed = ++w->system->last_sound_seed,
                                                  .transforms = ct_world_transforms(w),
                                                  .graphs = ct_world_scene_graphs(w)};
    ct_sound_source_components *const m = ct_sound_source_components_create(&desc);
    *component = ct_sound_source_component_manager(m);
    return m;
}

static void *create_sound_listeners(ct_world *w, ct_component_manager *component) {
    if (!w->system->sound)
        return NULL;
    ct_sound_listener_components *const m = ct_sound_listener_components_create(
        w->allocator, ct_world_sounds(w), ct_world_transforms(w), ct_world_scene_graphs(w));
    *component = ct_sound_listener_component_manager(m);
    return m;
}

static void forget_sound_events(ct_world *w, void *manager, double dt) {
    (void)manager, (void)dt;
    if (ct_world_sound_sources(w))
        ct_sound_links_clear_events(ct_sound_source_components_links(ct_world_sound_sources(w)));
}

// Sounds and listeners follow current poses of nodes: after the scene graphs.
static void update_sounds(ct_world *w, void *manager, double dt) {
    if (!manager)
        return;
    ct_sound_listeners_update(manager);
    ct_world_send_to_reverb(w, dt);
    ct_sound_source_components_update(ct_world_sound_sources(w), dt);
}

// --- The table -----------------------------------------------------------------------------------

static const ct_world_row rows[NUM_ROWS] = {
    [ROW_WORLD] = {.name = "world",
                   .steps = {{"levels", CT_WORLD_PHASE_SPAWN, continue_levels, false},
                             {"collect garbage", CT_WORLD_PHASE_COLLECT, collect_garbage, false},
                             {"time", CT_WORLD_PHASE_REACT, send_time, false}}},
    [ROW_TRANSFORM] = {.name = "transform",
                       .create = create_transforms,
                       .steps = {{"tidy transforms", CT_WORLD_PHASE_COLLECT, tidy_transforms,
                                  false}}},
    [ROW_NEW_CHARACTERS] = {.name = "new_characters",
                            .steps = {{"pose new characters", CT_WORLD_PHASE_POSE,
                                       pose_new_characters, false}}},
    [ROW_SCENE_GRAPH] = {.name = "scene_graph",
                         .create = create_scene_graphs,
                         .steps = {{"scene graphs", CT_WORLD_PHASE_POSE, update_scene_graphs,
                                    false}}},
    [ROW_MESH] = {.name = "mesh",
                  .create = create_meshes,
                  .steps = {{"meshes", CT_WORLD_PHASE_SEND, send_mesh_poses, false}}},
    [ROW_CAMERA] = {.name = "camera", .create = create_cameras},
    [ROW_LIGHT] = {.name = "light",
                   .create = create_lights,
                   .steps = {{"lights", CT_WORLD_PHASE_SEND, send_light_changes, false}}},
    [ROW_RENDER_DATA] = {.name = "render_data", .create = create_render_data},
    [ROW_ANIMATION] = {.name = "animation",
                       .create = create_animations,
                       .steps = {{"characters", CT_WORLD_PHASE_ANIMATE, animate, false},
                                 {"skins", CT_WORLD_PHASE_SEND, send_skins, false}}},
    [ROW_NAVIGATION] = {.name = "navigation",
                        .create = create_navigation,
                        .destroy = destroy_navigation,
                        .steps = {{"navigation", CT_WORLD_PHASE_SIMULATE, ct_world_step_navigation,
                                   false}},
                        .level_started = ct_world_start_navigation,
                        .level_destroyed = ct_world_end_navigation},
    [ROW_NAVIGATION_AGENT] = {.name = "navigation_agent", .create = create_navigation_agents},
    [ROW_ACTOR] = {.name = "actor",
                   .create = create_physics,
                   .steps = {{"physics", CT_WORLD_PHASE_SIMULATE, simulate, true}}},
    [ROW_TRIGGER] = {.name = "trigger",
                     .create = create_triggers,
                     .steps = {{"triggers", CT_WORLD_PHASE_REACT, find_tagged, false}}},
    [ROW_MOVER] = {.name = "mover",
                   .create = create_movers,
                   .steps = {{"physics lines", CT_WORLD_PHASE_SEND, ct_world_send_physics_lines,
                              false}}},
    [ROW_PARTICLES] = {.name = "particles",
                       .create = create_particles,
                       .steps = {{"forget ended effects", CT_WORLD_PHASE_REACT,
                                  forget_ended_effects, false},
                                 {"particles", CT_WORLD_PHASE_POSE, simulate_particles, false},
                                 {"send particles", CT_WORLD_PHASE_SEND, send_particles, false}}},
    [ROW_SOUND_SOURCE] = {.name = "sound_source", .create = create_sound_sources},
    [ROW_SOUND_LISTENER] = {.name = "sound_listener",
                            .create = create_sound_listeners,
                            .steps = {{"forget sound events", CT_WORLD_PHASE_REACT,
                                       forget_sound_events, false},
                                      {"sounds", CT_WORLD_PHASE_POSE, update_sounds, false}}},
    [ROW_CHANGES] = {.name = "changes",
                     .steps = {{"clear changes", CT_WORLD_PHASE_CLEAR, clear_changed_poses,
                                false}}},
};

void ct_world_schedule_init(ct_world_schedule *schedule) {
    *schedule = (ct_world_schedule){0};
    for (uint32_t i = 0; i < NUM_ROWS; ++i)
        ct_world_schedule_add(schedule, &rows[i]);
}

ct_transform_manager *ct_world_transforms(const ct_world *w) {
    return w->managers[ROW_TRANSFORM];
}

ct_scene_graph_manager *ct_world_scene_graphs(const ct_world *w) {
    return w->managers[ROW_SCENE_GRAPH];
}

ct_mesh_manager *ct_world_meshes(const ct_world *w) {
    return w->managers[ROW_MESH];
}

ct_camera_manager *ct_world_cameras(const ct_world *w) {
    return w->managers[ROW_CAMERA];
}

ct_light_manager *ct_world_lights(const ct_world *w) {
    return w->managers[ROW_LIGHT];
}

ct_render_data_manager *ct_world_render_data(const ct_world *w) {
    return w->managers[ROW_RENDER_DATA];
}

ct_animation_manager *ct_world_animations(const ct_world *w) {
    return w->managers[ROW_ANIMATION];
}

ct_navigation_world *ct_world_navigation(const ct_world *w) {
    return w->managers[ROW_NAVIGATION];
}

ct_navigation_agent_manager *ct_world_navigation_agents(const ct_world *w) {
    return w->managers[ROW_NAVIGATION_AGENT];
}

ct_physics_world *ct_world_physics(const ct_world *w) {
    return w->managers[ROW_ACTOR];
}

ct_mover_manager *ct_world_movers(const ct_world *w) {
    return w->managers[ROW_MOVER];
}

ct_particles_components *ct_world_particles_components(const ct_world *w) {
    return w->managers[ROW_PARTICLES];
}

ct_particle_world *ct_world_particles(const ct_world *w) {
    const ct_particles_components *const m = ct_world_particles_components(w);
    return m ? ct_particles_components_world(m) : NULL;
}

ct_sound_source_components *ct_world_sound_sources(const ct_world *w) {
    return w->managers[ROW_SOUND_SOURCE];
}

ct_sound_world *ct_world_sounds(const ct_world *w) {
    const ct_sound_source_components *const m = ct_world_sound_sources(w);
    return m ? ct_sound_source_components_world(m) : NULL;
}

ct_sound_listener_components *ct_world_sound_listeners(const ct_world *w) {
    return w->managers[ROW_SOUND_LISTENER];
}
