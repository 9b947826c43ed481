// The one place that fixes in which order a world's managers are updated.
#include "foundation/profiler/profiler.h"
#include "world/world_private.h"

enum { MOST_TIDY_LOOKS = 2048, MOST_TIDY_SWAPS = 64 }; // some microseconds of a frame

static void collect_garbage_of(const ct_component_registry *r, const ct_entity_manager *entities) {
    for (uint32_t i = 0; i < r->count; ++i) {
        if (r->managers[i].collect_garbage)
            r->managers[i].collect_garbage(r->managers[i].manager, entities);
    }
}

static void collect_garbage(ct_world *w) {
    collect_garbage_of(&w->registry, w->system->entities);
    collect_garbage_of(&w->system->shared, w->system->entities);
}

static void tidy_transforms(ct_world *w) {
    ct_transform_tidy(w->transforms, MOST_TIDY_LOOKS, MOST_TIDY_SWAPS);
}

static void update_scene_graphs(ct_world *w) {
    ct_scene_graph_update(w->graphs);
}

static void send_mesh_poses(ct_world *w) {
    ct_mesh_send_poses(w->meshes);
}

static void send_light_changes(ct_world *w) {
    ct_light_send_changes(w->lights);
}

static void send_time(ct_world *w) {
    ct_render_world_set_time(w->system->renderer, w->render_world, w->time);
}

static void clear_changed_poses(ct_world *w) {
    ct_scene_graph_clear_changed(w->graphs);
}

typedef enum ct_update_phase {
    CT_UPDATE_PHASE_ADVANCE, // once for each step of the world
    CT_UPDATE_PHASE_SEND,    // after it, and again before the world is rendered
} ct_update_phase;

static const struct {
    const char *name; // in recordings
    ct_update_phase phase;
    void (*run)(ct_world *w);
} steps[] = {
    {"levels", CT_UPDATE_PHASE_ADVANCE, ct_world_continue_levels},
    {"collect garbage", CT_UPDATE_PHASE_ADVANCE, collect_garbage},
    {"tidy transforms", CT_UPDATE_PHASE_ADVANCE, tidy_transforms},
    {"time", CT_UPDATE_PHASE_ADVANCE, send_time},
    {"scene graphs", CT_UPDATE_PHASE_SEND, update_scene_graphs}, // before those who take poses
    {"meshes", CT_UPDATE_PHASE_SEND, send_mesh_poses},
    {"lights", CT_UPDATE_PHASE_SEND, send_light_changes},
    {"clear changes", CT_UPDATE_PHASE_SEND, clear_changed_poses}, // when all have seen them
};

static void run_step(ct_world *w, uint32_t i) {
    CT_PROFILER_SCOPE(steps[i].name);
    steps[i].run(w);
}

void ct_world_advance(ct_world *w, double dt) {
    CT_PROFILER_SCOPE("world");
    w->delta_time = dt;
    w->time += dt;
    for (uint32_t i = 0; i < CT_COUNT_OF(steps); ++i)
        run_step(w, i);
}

void ct_world_send_changes(ct_world *w) {
    CT_PROFILER_SCOPE("send changes");
    for (uint32_t i = 0; i < CT_COUNT_OF(steps); ++i) {
        if (steps[i].phase == CT_UPDATE_PHASE_SEND)
            run_step(w, i);
    }
}
