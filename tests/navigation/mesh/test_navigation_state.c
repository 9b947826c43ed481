// test_navigation_state.c: saving and restoring a mesh.
#include "foundation/math/math.h"
#include "navigation/mesh/navigation_mesh_checks.h"
#include "resource/blob/content_hash.h"

static const char *const ROWS[] = {
    "............", //
    "....@.......", //
    "....@....1..", //
    "............", //
    "..@.........", //
    "............", //
};

static ct_navigation_resource *resource(void) {
    const ct_navigation_link link = {
        .id = {7}, .from = {1.5f, 1.5f, 0}, .to = {10.5f, 4.5f, 0}, .radius = 0.5f, .classes = 1};
    return navigation_fixture_make(&(navigation_fixture_desc){.rows = ROWS,
                                                              .width = 12,
                                                              .height = 6,
                                                              .tile_cells = 4,
                                                              .radius = 0.2f,
                                                              .links = &link,
                                                              .num_links = 1});
}

static ct_navigation_obstacle add(ct_navigation_mesh *m, float x, float y, int32_t area) {
    const ct_navigation_obstacle_desc d = {
        .position = {{x, y, 0}}, .half_size = {{0.6f, 0.4f}}, .height = 2, .area = area};
    ct_error error = {.message = ""};
    const ct_navigation_obstacle o = ct_navigation_add_obstacle(m, &d, &error);
    assert_int_not_equal(o.id, 0);
    return o;
}

// A mesh in which everything has happened, with tiles that wait.
static ct_navigation_mesh *used_mesh(const ct_navigation_resource *r) {
    ct_navigation_mesh *const m = navigation_checks_mesh(r);
    const ct_navigation_obstacle a = add(m, 2, 1, -1);
    add(m, 6, 2, -1);
    ct_navigation_remove_obstacle(m, add(m, 1, 1, -1));
    ct_navigation_mesh_update(m, 100);
    add(m, 9, 3, 5);
    ct_navigation_mesh_remove_tile(m, 2);
    ct_navigation_set_link(m, 0, true);
    ct_navigation_set_area(m, 1, true, 0);
    ct_navigation_set_area(m, 2, false, 4);
    ct_navigation_mesh_update(m, 100);
    ct_navigation_set_obstructed(m, CT_NAVIGATION_PLACE(5, 0), true);
    ct_error error = {.message = ""};
    ct_navigation_move_obstacle(m, a, ct_vec3_make(3.5f, 3.5f, 0), 1, &error);
    assert_int_not_equal(ct_navigation_mesh_update(m, 1), 0);
    return m;
}

static void assert_same_state(const ct_navigation_mesh *a, const ct_navigation_mesh *b) {
    uint32_t count, other_count;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(a, &count);
    const ct_navigation_tile *const others = ct_navigation_tiles(b, &other_count);
    navigation_checks_same(a, b);
    assert_int_equal(count, other_count);
    for (uint32_t i = 1; i < count; ++i) {
        assert_int_equal(tiles[i].version, others[i].version);
        for (uint32_t k = 0; k < tiles[i].num_faces; ++k) {
            const ct_navigation_place p = CT_NAVIGATION_PLACE(i, k);
            assert_int_equal(ct_navigation_is_obstructed(a, p), ct_navigation_is_obstructed(b, p));
        }
        for (uint32_t k = 0; k < tiles[i].num_regions; ++k)
            assert_int_equal(tiles[i].regions[k].island, others[i].regions[k].island);
    }
    const ct_navigation_filter f = ct_navigation_filter_of(a), g = ct_navigation_filter_of(b);
    assert_memory_equal(f.costs, g.costs, sizeof(f.costs));
    assert_int_equal(ct_navigation_link_is_closed(a, 0), ct_navigation_link_is_closed(b, 0));
    assert_int_equal(ct_navigation_mesh_version(a), ct_navigation_mesh_version(b));
}

static void restores_into_a_new_mesh(void **state) {
    (void)state;
    ct_navigation_resource *const r = resource();
    ct_navigation_mesh *const m = used_mesh(r);
    const uint64_t bytes = ct_navigation_mesh_save(m, NULL);
    void *const saved = malloc(bytes);
    assert_int_equal(ct_navigation_mesh_save(m, saved), bytes);
    ct_navigation_mesh *const other = navigation_checks_mesh(r);
    ct_error error = {.message = ""};
    assert_true(ct_navigation_mesh_restore(other, saved, bytes, &error));
    navigation_checks_all(other);
    assert_same_state(m, other);
    void *const again = malloc(bytes);
    assert_int_equal(ct_navigation_mesh_save(other, again), bytes);
    assert_memory_equal(saved, again, bytes);
    // Both go on in the same way, also what waited.
    assert_int_equal(ct_navigation_mesh_update(m, 1), ct_navigation_mesh_update(other, 1));
    navigation_checks_same(m, other);
    assert_int_equal(add(m, 5, 5, -1).id, add(other, 5, 5, -1).id);
    ct_navigation_mesh_add_tile(m, 2);
    ct_navigation_mesh_add_tile(other, 2);
    ct_navigation_mesh_update(m, 100);
    ct_navigation_mesh_update(other, 100);
    assert_same_state(m, other);
    free(saved);
    free(again);
    ct_navigation_mesh_destroy(m);
    ct_navigation_mesh_destroy(other);
    free(r);
}

static void goes_back_to_what_it_was(void **state) {
    (void)state;
    ct_navigation_resource *const r = resource();
    ct_navigation_mesh *const m = used_mesh(r), *const copy = navigation_checks_mesh(r);
    const uint64_t bytes = ct_navigation_mesh_save(m, NULL);
    void *const saved = malloc(bytes);
    ct_navigation_mesh_save(m, saved);
    ct_error error = {.message = ""};
    assert_true(ct_navigation_mesh_restore(copy, saved, bytes, &error));
    add(m, 10, 1, -1);
    ct_navigation_mesh_update(m, 100);
    const uint64_t later = ct_navigation_mesh_version(m);
    assert_true(ct_navigation_mesh_restore(m, saved, bytes, &error));
    assert_same_state(m, copy);
    ct_navigation_set_area(m, 3, true, 0);
    assert_true(ct_navigation_mesh_version(m) > later); // no two states have the same version
    free(saved);
    ct_navigation_mesh_destroy(m);
    ct_navigation_mesh_destroy(copy);
    free(r);
}

// With a right checksum, so that what is behind it is looked at.
static void seal(void *bytes, uint64_t count) {
    if (count < 24)
        return;
    const uint64_t hash = ct_content_hash((const char *)bytes + 16, count - 16);
    memcpy((char *)bytes + 8, &hash, sizeof(hash));
}

static void refuses_damage(void **state) {
    (void)state;
    ct_navigation_resource *const r = resource();
    ct_navigation_mesh *const m = used_mesh(r), *const other = navigation_checks_mesh(r);
    const uint64_t bytes = ct_navigation_mesh_save(m, NULL);
    char *const saved = malloc(bytes), *const damaged = malloc(bytes + 8);
    ct_navigation_mesh_save(m, saved);
    const uint64_t version = ct_navigation_mesh_version(other);
    uint32_t seed = 9;
    for (uint64_t i = 0; i < bytes; i += 1 + test_random(&seed) % 32) {
        ct_error error = {.message = ""};
        memcpy(damaged, saved, bytes);
        damaged[i] ^= (char)(1u << test_random(&seed) % 8);
        assert_false(ct_navigation_mesh_restore(other, damaged, bytes, &error));
        assert_string_not_equal(error.message, "");
        error.message[0] = 0;
        assert_false(ct_navigation_mesh_restore(other, saved, i, &error));
        assert_string_not_equal(error.message, "");
    }
    assert_int_equal(ct_navigation_mesh_version(other), version);
    for (uint32_t round = 0; round < test_rounds(500, 20000); ++round) {
        memcpy(damaged, saved, bytes);
        for (uint32_t i = 1 + test_random(&seed) % 3; i-- > 0;) {
            const uint64_t at = 16 + test_random(&seed) % (bytes - 20);
            const uint32_t values[] = {
                0, 1, UINT32_MAX, 0x7f800000, test_random(&seed), test_random(&seed) % 8};
            memcpy(damaged + at / 4 * 4, &values[test_random(&seed) % 6], 4);
        }
        const uint64_t length = test_random(&seed) % 8 ? bytes : test_random(&seed) % bytes;
        seal(damaged, length);
        ct_error error = {.message = ""};
        if (ct_navigation_mesh_restore(other, damaged, length, &error)) {
            navigation_checks_all(other);
            ct_navigation_mesh_update(other, 100);
            navigation_checks_all(other);
        } else {
            assert_string_not_equal(error.message, "");
        }
    }
    free(saved);
    free(damaged);
    ct_navigation_mesh_destroy(m);
    ct_navigation_mesh_destroy(other);
    free(r);
}

static void restores_over_another_blob(void **state) {
    (void)state;
    ct_navigation_resource *const r = resource();
    ct_navigation_mesh *const m = used_mesh(r);
    const uint64_t bytes = ct_navigation_mesh_save(m, NULL);
    void *const saved = malloc(bytes);
    ct_navigation_mesh_save(m, saved);
    const char *rows[6];
    memcpy(rows, ROWS, sizeof(rows));
    rows[0] = "..........@.";
    rows[4] = "@@@@........";
    rows[5] = "@@@@........"; // this tile is gone
    ct_navigation_resource *const next = navigation_fixture_make(&(navigation_fixture_desc){
        .rows = rows, .width = 12, .height = 6, .tile_cells = 4, .radius = 0.2f});
    ct_navigation_mesh *const other = navigation_checks_mesh(next);
    ct_error error = {.message = ""};
    assert_true(ct_navigation_mesh_restore(other, saved, bytes, &error));
    navigation_checks_all(other);
    ct_navigation_mesh_update(other, 100);
    navigation_checks_all(other);
    free(saved);
    ct_navigation_mesh_destroy(m);
    ct_navigation_mesh_destroy(other);
    free(r);
    free(next);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restores_into_a_new_mesh),
        cmocka_unit_test(goes_back_to_what_it_was),
        cmocka_unit_test(refuses_damage),
        cmocka_unit_test(restores_over_another_blob),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
