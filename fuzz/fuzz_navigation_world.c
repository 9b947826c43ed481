// The navigation of a world: whatever restoring accepts of a damaged save goes on without harm, and what it
// refuses changes nothing.
//
// The input is edits of the save (support/edited_blob.h), which all have the right hashes afterwards.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/navigation_world.h"
#include "navigation/world/navigation_world_damage.h"
#include "support/edited_blob.h"
#include "support/fuzzed_navigation.h"

static char *saved; // of a world in the middle of things
static uint64_t num_saved;

static ct_navigation_world *make_world(void) {
    ct_navigation_world *const w = ct_navigation_world_create(&(ct_navigation_world_desc){
        .allocator = test_heap(), .settings = {.path_polygons = 32, .tiles = 1}});
    ct_error error = {0};
    for (uint32_t i = 0; i < 2; ++i)
        ct_navigation_world_add(
            w,
            &(ct_navigation_instance_desc){
                .resource = fuzzed_navigation_resource, .name = {5}, .pose = ct_mat4_identity()},
            &error);
    return w;
}

static void add_walkers(const ct_navigation_world *w, ct_navigation_instance instance) {
    const ct_navigation_parts parts = ct_navigation_world_parts(w, instance);
    const ct_navigation_obstacle_desc box = {.position = ct_vec3_make(5, 4, -1),
                                             .half_size = ct_vec2_make(0.5f, 0.5f),
                                             .height = 2,
                                             .area = -1};
    ct_error error = {0};
    ct_navigation_add_obstacle(parts.mesh, &box, &error);
    for (uint32_t i = 0; i < 4; ++i) {
        const ct_navigation_agent_desc desc = {
            .position = ct_vec3_make(0.5f + (float)i, 1.5f, 0), .speed = 2, .user = i};
        const ct_navigation_agent a = ct_navigation_agents_add(parts.agents, &desc, &error);
        const ct_vec3 goal = ct_vec3_make(8.5f, 0.5f + (float)i, 0);
        ct_navigation_agents_move_to(parts.agents, &a, &goal, 1);
    }
}

static void check(const ct_navigation_world *w) {
    uint32_t count;
    const ct_navigation_instance *const all = ct_navigation_world_instances(w, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_navigation_agents_view view =
            ct_navigation_agents_all(ct_navigation_world_parts(w, all[i]).agents);
        for (uint32_t k = 0; k < view.count; ++k)
            if (!isfinite(view.positions[k].x + view.positions[k].y + view.positions[k].z))
                abort();
    }
}

static void step(ct_navigation_world *w, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        ct_navigation_world_step(w, 1.0 / 60);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const int failed = fuzzed_navigation_setup();
    ct_navigation_world *const w = make_world();
    uint32_t count;
    const ct_navigation_instance *const all = ct_navigation_world_instances(w, &count);
    add_walkers(w, all[0]);
    step(w, 40);
    add_walkers(w, all[1]);
    step(w, 1);
    num_saved = ct_navigation_world_save(w, NULL);
    saved = malloc(num_saved);
    ct_navigation_world_save(w, saved);
    ct_navigation_world_destroy(w);
    return failed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!edited_blob_input(data, size))
        return 0;
    char *const bytes = malloc(num_saved);
    memcpy(bytes, saved, num_saved);
    // Positions of edits have 14 bits: the first byte behind them says where they count from.
    for (uint32_t i = 0; i < data[0] % 16u; ++i) {
        const uint64_t first = 40 + (num_saved - 40) * (data[3 + 4 * i] & 7) / 8 / 4 * 4;
        edited_blob_edit((uint8_t *)bytes + first, (uint32_t)(num_saved - first), data + 1 + 4 * i);
    }
    damage_sign_all(bytes, num_saved);
    ct_navigation_world *const w = make_world();
    ct_error error = {0};
    if (ct_navigation_world_restore(w, bytes, num_saved, &error)) {
        step(w, 12);
    } else {
        if (!error.message[0] || ct_navigation_world_counts(w).agents)
            abort();
        step(w, 1);
    }
    check(w);
    ct_navigation_world_destroy(w);
    free(bytes);
    return 0;
}
