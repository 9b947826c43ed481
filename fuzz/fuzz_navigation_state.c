// Navigation meshes: whatever restoring accepts of a damaged save goes on without harm, and obstacles of any
// numbers cut soundly.
//
// After the edits (support/edited_blob.h) come obstacles of 8 bytes each.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/navigation_mesh.h"
#include "support/edited_blob.h"
#include "support/fuzzed_navigation.h"

enum { HASH_AT = 8, PAYLOAD_AT = 16, MAX_OBSTACLES = 12 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return fuzzed_navigation_setup();
}

static float float_of(uint8_t byte) {
    const uint32_t count = CT_COUNT_OF(edited_floats);
    return byte < count ? edited_floats[byte] : (float)(byte - count) / 20;
}

static void add_obstacle(ct_navigation_mesh *m, const uint8_t d[8]) {
    ct_navigation_obstacle_desc desc = {
        .shape = d[0] % 4,
        .position = {{float_of(d[1]), float_of(d[2]), d[0] & 16 ? float_of(d[3]) : 0}},
        .angle = float_of(d[3]),
        .half_size = {{float_of(d[4]), float_of(d[5])}},
        .height = float_of(d[6]),
        .num_points = d[7] % 14,
        .area = d[0] & 32 ? -1 : d[0] / 64};
    for (uint32_t i = 0; i < CT_NAVIGATION_MAX_OBSTACLE_POINTS; ++i)
        desc.points[i] = ct_vec2_make(cosf((float)i * desc.half_size.y) * desc.half_size.x,
                                      sinf((float)i * desc.half_size.y) * desc.half_size.x);
    ct_error error = {0};
    const ct_navigation_obstacle o = ct_navigation_add_obstacle(m, &desc, &error);
    if (o.id == 0 && !error.message[0])
        abort();
    if (d[0] & 8)
        ct_navigation_move_obstacle(m, o, ct_vec3_make(desc.position.y, desc.position.x, 0),
                                    desc.angle, &error);
}

// Reads all that a search would.
static void walk(const ct_navigation_mesh *m) {
    uint32_t count;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &count);
    for (uint32_t i = 1; i < count; ++i)
        for (uint32_t k = 0; k < tiles[i].num_ways; ++k) {
            const ct_navigation_way *const w = &tiles[i].ways[k];
            if (!ct_navigation_is_live(m, w->to) || !isfinite(w->left.x + w->right.y))
                abort();
        }
    ct_vec3 at;
    const ct_navigation_place p =
        ct_navigation_nearest(m, NULL, ct_vec3_make(3, 3, 0), ct_vec3_make(9, 9, 9), &at);
    if (p && (!isfinite(at.x + at.y + at.z) || !ct_navigation_is_connected(m, p, p)))
        abort();
}

static void restore(ct_navigation_mesh *m, const ct_navigation_mesh *from, const uint8_t *data) {
    const uint64_t bytes = ct_navigation_mesh_save(from, NULL);
    uint8_t *const saved = malloc(bytes);
    ct_navigation_mesh_save(from, saved);
    for (uint32_t i = 0; i < data[0] % 16u; ++i)
        edited_blob_edit(saved + PAYLOAD_AT, (uint32_t)bytes - PAYLOAD_AT, data + 1 + 4 * i);
    const uint64_t hash = ct_content_hash(saved + PAYLOAD_AT, bytes - PAYLOAD_AT);
    memcpy(saved + HASH_AT, &hash, sizeof(hash));
    ct_error error = {0};
    if (!ct_navigation_mesh_restore(m, saved, bytes, &error) && !error.message[0])
        abort();
    free(saved);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t used = edited_blob_input(data, size);
    if (!used)
        return 0;
    ct_navigation_mesh *const m = fuzzed_navigation_mesh(), *const other = fuzzed_navigation_mesh();
    for (size_t i = used, count = 0; i + 8 <= size && count < MAX_OBSTACLES; i += 8, ++count)
        add_obstacle(m, data + i);
    ct_navigation_mesh_update(m, 2);
    ct_navigation_set_obstructed(m, CT_NAVIGATION_PLACE(1, 0), true);
    walk(m);
    restore(other, m, data);
    walk(other);
    ct_navigation_mesh_update(other, 100);
    walk(other);
    ct_navigation_mesh_destroy(m);
    ct_navigation_mesh_destroy(other);
    return 0;
}
