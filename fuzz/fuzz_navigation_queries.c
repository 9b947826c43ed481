// Saved path queries: whatever restoring accepts of damaged bytes is searched and answered without harm.
#include "navigation/navigation_path.h"
#include "support/edited_blob.h"
#include "support/fuzzed_navigation.h"

enum { NUM_QUERIES = 12 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return fuzzed_navigation_setup();
}

static ct_navigation_paths *make_paths(const ct_navigation_mesh *m) {
    ct_navigation_paths *const p = ct_navigation_paths_create(
        &(ct_navigation_paths_desc){.allocator = test_heap(), .mesh = m, .budget = 32});
    const ct_navigation_filter filter = ct_navigation_filter_of(m);
    for (uint32_t i = 0; i < NUM_QUERIES; ++i)
        ct_navigation_paths_add(
            p, &(ct_navigation_path_desc){.from = {{0.5f + (float)(i % 4), 0.5f, 0}},
                                          .to = {{9.5f - (float)(i % 3), 7.5f, 0}},
                                          .filter = i % 3 ? NULL : &filter,
                                          .deadline = i % 4 ? 0 : 9,
                                          .allows_partial = i % 2});
    for (uint32_t i = 0; i < 3; ++i)
        ct_navigation_paths_update(p);
    return p;
}

// Answers what there is, and reads it.
static void drain(ct_navigation_paths *p, const ct_navigation_mesh *m) {
    for (uint32_t i = 0; i < 40 && ct_navigation_paths_count(p); ++i) {
        ct_navigation_paths_update(p);
        ct_navigation_query q[NUM_QUERIES];
        const uint32_t count = ct_navigation_paths_answered(p, q, NUM_QUERIES);
        for (uint32_t k = 0; k < count; ++k) {
            const ct_navigation_path *const path = ct_navigation_paths_answer(p, q[k], NULL);
            if (path->status >= CT_NAVIGATION_STATUS_COUNT)
                abort();
            for (uint32_t c = 0; c < path->num_polygons; ++c)
                (void)ct_navigation_is_live(m, path->polygons[c]);
            ct_navigation_paths_take(p, q[k]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!edited_blob_input(data, size))
        return 0;
    ct_navigation_mesh *const m = fuzzed_navigation_mesh();
    ct_navigation_paths *const p = make_paths(m);
    const uint64_t bytes = ct_navigation_paths_save(p, NULL);
    uint8_t *const saved = malloc(bytes);
    ct_navigation_paths_save(p, saved);
    for (uint32_t i = 0; i < data[0] % 16u; ++i)
        edited_blob_edit(saved, (uint32_t)bytes, data + 1 + 4 * i);
    ct_error error = {0};
    if (!ct_navigation_paths_restore(p, saved, bytes, &error) && !error.message[0])
        abort();
    ct_navigation_mesh_remove_tile(m, 0);
    ct_navigation_mesh_update(m, 9);
    drain(p, m);
    free(saved);
    ct_navigation_paths_destroy(p);
    ct_navigation_mesh_destroy(m);
    return 0;
}
