// Saved agents: whatever restoring accepts of damaged bytes walks on without harm, and can be saved again.
#include "foundation/math/math.h"
#include "navigation/navigation_agents.h"
#include "support/edited_blob.h"
#include "support/fuzzed_navigation.h"

enum { HASH_AT = 16, PAYLOAD_AT = 56, NUM_AGENTS = 6 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return fuzzed_navigation_setup();
}

typedef struct world {
    ct_navigation_mesh *mesh;
    ct_navigation_paths *paths;
    ct_navigation_agents *agents;
} world;

static void step(const world *w, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        ct_navigation_mesh_update(w->mesh, 2);
        ct_navigation_paths_update(w->paths);
        ct_navigation_agents_update(w->agents, 1.0 / 30);
        uint32_t num_events;
        const ct_navigation_event *const events =
            ct_navigation_agents_events(w->agents, &num_events);
        for (uint32_t k = 0; k < num_events; ++k)
            if (events[k].type == CT_NAVIGATION_EVENT_LINK)
                ct_navigation_agents_end_link(w->agents, events[k].agent);
    }
}

static world make_world(uint32_t num_steps) {
    world w;
    w.mesh = fuzzed_navigation_mesh();
    w.paths = ct_navigation_paths_create(
        &(ct_navigation_paths_desc){.allocator = test_heap(), .mesh = w.mesh});
    w.agents = ct_navigation_agents_create(
        &(ct_navigation_agents_desc){.allocator = test_heap(), .mesh = w.mesh, .paths = w.paths});
    for (uint32_t i = 0; i < NUM_AGENTS; ++i) {
        const ct_navigation_agent_desc d = {.position = {{0.5f + (float)i, 0.5f, 0}},
                                            .speed = 1.4f};
        const ct_navigation_agent a = ct_navigation_agents_add(w.agents, &d, NULL);
        const ct_vec3 goal = ct_vec3_make(9.5f - (float)i, 7.5f, 0);
        if (i != 2)
            ct_navigation_agents_move_to(w.agents, &a, &goal, 1);
    }
    step(&w, num_steps);
    return w;
}

static void free_world(const world *w) {
    ct_navigation_agents_destroy(w->agents);
    ct_navigation_paths_destroy(w->paths);
    ct_navigation_mesh_destroy(w->mesh);
}

static uint8_t *save(const world *w, uint64_t *bytes) {
    *bytes = ct_navigation_agents_save(w->agents, NULL);
    uint8_t *const saved = malloc(*bytes);
    if (ct_navigation_agents_save(w->agents, saved) != *bytes)
        abort();
    return saved;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!edited_blob_input(data, size))
        return 0;
    const world w = make_world(size > 1 ? data[1] % 64u : 0), other = make_world(1);
    uint64_t bytes;
    uint8_t *const saved = save(&w, &bytes);
    for (uint32_t i = 0; i < data[0] % 16u; ++i)
        edited_blob_edit(saved + PAYLOAD_AT, (uint32_t)bytes - PAYLOAD_AT, data + 1 + 4 * i);
    const uint64_t hash = ct_content_hash(saved + PAYLOAD_AT, bytes - PAYLOAD_AT);
    memcpy(saved + HASH_AT, &hash, sizeof(hash));
    ct_error error = {0};
    if (!ct_navigation_agents_restore(other.agents, saved, bytes, &error) && !error.message[0])
        abort();
    free(saved);
    step(&other, 12);
    free(save(&other, &bytes));
    free_world(&w);
    free_world(&other);
    return 0;
}
