// sound_unit.h: a world's sounds and their components, with entities that have transforms and scene
// graphs. The event "hum" loops; "knock" lasts 0.2 s; both have the parameters force and material.
#pragma once
#include "foundation/math/math.h"
#include "sound/component/sound_listener_component.h"
#include "sound/component/sound_source_component.h"
#include "sound/sound_play.h"

typedef struct sound_unit {
    sound_play play; // its world is of the components
    ct_entity_manager *entities;
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
    ct_sound_source_components *components;
    ct_sound_listener_components *listeners;
    ct_sound_world *world;
    ct_sound_links *links;
} sound_unit;

static inline void sound_unit_event(sound_unit *u, event_fixture *f) {
    f->data.fade_out = 0.05f;
    event_fixture_spatial(f, 1, 100);
    event_fixture_parameter_number(f, "force", 1);
    event_fixture_parameter_text(f, "material", "wood");
    sound_play_event(&u->play, event_fixture_end(f));
}

static inline sound_unit sound_unit_start(void) {
    sound_unit u = {.play = sound_play_start(NULL)};
    ct_sound_world_destroy(u.play.world);
    u.entities = ct_entity_manager_create(test_heap());
    u.transforms = ct_transform_manager_create(test_heap());
    u.graphs = ct_scene_graph_manager_create(test_heap(), u.transforms);
    u.components = ct_sound_source_components_create(
        &(ct_sound_source_components_desc){.allocator = test_heap(),
                                           .system = u.play.system,
                                           .seed = 1,
                                           .transforms = u.transforms,
                                           .graphs = u.graphs});
    u.play.world = u.world = ct_sound_source_components_world(u.components);
    u.links = ct_sound_source_components_links(u.components);
    u.listeners = ct_sound_listener_components_create(test_heap(), u.world, u.transforms, u.graphs);
    sound_play_level(&u.play, "steady", 0.25f, 1, 1);
    sound_play_level(&u.play, "short", 0.25f, 0.2f, 1);
    sound_unit_event(&u, sound_play_loop("hum", "steady"));
    event_fixture *const knock = event_fixture_begin("knock");
    event_fixture_sound(knock, CT_SOUND_NO_NODE, "short");
    event_fixture_marker(knock, 0.1f, "crack", NULL);
    sound_unit_event(&u, knock);
    return u;
}

static inline void sound_unit_stop(sound_unit *u) {
    ct_sound_listener_components_destroy(u->listeners);
    ct_sound_source_components_destroy(u->components);
    u->play.world = NULL;
    ct_scene_graph_manager_destroy(u->graphs);
    ct_transform_manager_destroy(u->transforms);
    ct_entity_manager_destroy(u->entities);
    sound_play_stop(&u->play);
}

// Makes an entity at a place.
static inline ct_entity sound_unit_entity(const sound_unit *u, float x, float y, float z) {
    ct_entity e;
    ct_entity_create(u->entities, &e, 1);
    ct_transform_create(u->transforms, e, ct_vec3_make(x, y, z), ct_quat_identity(),
                        ct_vec3_make(1, 1, 1));
    return e;
}

// Gives it a scene graph: a chain of `count` nodes n1, n2, …, each a metre up.
static inline void sound_unit_graph(const sound_unit *u, ct_entity e, uint32_t count) {
    ct_scene_graph_node_data nodes[8];
    assert_in_range(count, 1, CT_COUNT_OF(nodes));
    for (uint32_t i = 0; i < count; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "n%u", i + 1);
        nodes[i] = (ct_scene_graph_node_data){.name = ct_string_id32_of(name),
                                              .parent = i,
                                              .position = {0, 0, 1},
                                              .rotation = {0, 0, 0, 1},
                                              .scale = {1, 1, 1}};
    }
    ct_scene_graph_create(u->graphs, e, 1, nodes, count);
}

static inline void sound_unit_move(const sound_unit *u, ct_entity e, float x, float y, float z) {
    ct_transform_set_local_position(u->transforms, ct_transform_lookup(u->transforms, e),
                                    ct_vec3_make(x, y, z));
}

// Ends an entity, as a world does.
static inline void sound_unit_kill(const sound_unit *u, ct_entity e) {
    const ct_component_manager rows[] = {ct_sound_source_component_manager(u->components),
                                         ct_sound_listener_component_manager(u->listeners)};
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i)
        rows[i].entities_destroyed(rows[i].manager, &e, 1);
    ct_scene_graph_destroy(u->graphs, &e, 1);
    ct_transform_destroy(u->transforms, &e, 1);
    ct_entity_destroy(u->entities, &e, 1);
}

// A step of `dt` seconds of a world; 0.02 s are mixed then.
static inline void sound_unit_step_by(sound_unit *u, double dt) {
    uint64_t num_frames;
    ct_sound_links_clear_events(u->links);
    ct_scene_graph_update(u->graphs);
    ct_sound_system_update(u->play.system, 0.02);
    ct_sound_listeners_update(u->listeners);
    ct_sound_source_components_update(u->components, dt);
    ct_scene_graph_clear_changed(u->graphs);
    ct_sound_system_render(u->play.system, 0.02, &num_frames);
}

static inline void sound_unit_step(sound_unit *u) {
    sound_unit_step_by(u, 0.02);
}

static inline void sound_unit_run(sound_unit *u, double seconds) {
    const uint32_t count = (uint32_t)(seconds / 0.02 + 0.5);
    for (uint32_t i = 0; i < count; ++i)
        sound_unit_step(u);
}

static inline bool sound_unit_plays(const sound_unit *u, ct_sound_instance i) {
    return ct_sound_is_playing(u->play.system, i);
}

static inline void sound_unit_assert_at(const sound_unit *u, ct_sound_instance i, float x, float y,
                                        float z) {
    const ct_vec3 at = sound_play_info(&u->play, i).position;
    if (ct_vec3_length(ct_vec3_sub(at, ct_vec3_make(x, y, z))) > 1e-4f)
        fail_msg("the sound is at %g %g %g", (double)at.x, (double)at.y, (double)at.z);
}

static inline ct_sound_source_data sound_unit_data(const char *event) {
    ct_sound_source_data data;
    ct_schema_defaults(&ct_sound_source_data_head_schema, &data);
    data.event = ct_string_id64_of(event);
    return data;
}
