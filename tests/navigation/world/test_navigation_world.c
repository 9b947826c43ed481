// The navigation meshes of a world: they come and go, take new blobs, share what a step may do, and are saved.
#include <math.h>
#include <stdlib.h>

#include "foundation/math/math.h"
#include "navigation/navigation_fixture.h"
#include "navigation/navigation_world.h"
#include "navigation/world/navigation_world_damage.h"
#include "support/test_support.h"

enum { SIZE = 32 };

// A field of 32 by 32 metres, in tiles of 8; '@' in the rectangle from x0 y0 to x1 y1.
static ct_navigation_resource *make_field(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
    static char cells[SIZE][SIZE + 1];
    const char *rows[SIZE];
    for (uint32_t y = 0; y < SIZE; ++y) {
        memset(cells[y], '.', SIZE);
        for (uint32_t x = x0; x < x1 && y >= y0 && y < y1; ++x)
            cells[y][x] = '@';
        rows[y] = cells[y];
    }
    return navigation_fixture_make(
        &(navigation_fixture_desc){.rows = rows, .width = SIZE, .height = SIZE, .tile_cells = 8});
}

// The same with another name of its class.
static ct_navigation_resource *rename_class(ct_navigation_resource *r, const char *name) {
    ct_navigation_class *const class = (ct_navigation_class *)ct_blob_at(r, r->classes.offset);
    class->id = class->name = ct_string_id32_of(name);
    return r;
}

static const ct_string_id64 FIELD = {77};

static ct_navigation_world *make_world(ct_navigation_settings settings) {
    return ct_navigation_world_create(
        &(ct_navigation_world_desc){.allocator = test_heap(), .settings = settings});
}

static ct_navigation_instance add_at(ct_navigation_world *w, const ct_navigation_resource *r,
                                     ct_mat4 pose) {
    ct_error error = {0};
    const ct_navigation_instance i = ct_navigation_world_add(
        w, &(ct_navigation_instance_desc){.resource = r, .name = FIELD, .pose = pose}, &error);
    if (!i.id)
        fail_msg("%s", error.message);
    return i;
}

static ct_navigation_instance add(ct_navigation_world *w, const ct_navigation_resource *r) {
    return add_at(w, r, ct_mat4_identity());
}

static ct_mat4 pose_of(float x, float y, float z, float angle) {
    return ct_mat4_compose(ct_vec3_make(x, y, z), ct_quat_axis_angle(ct_vec3_make(0, 0, 1), angle),
                           ct_vec3_make(1, 1, 1));
}

static ct_navigation_agents *agents_of(const ct_navigation_world *w, ct_navigation_instance i) {
    return ct_navigation_world_parts(w, i).agents;
}

static ct_navigation_agent add_walker(const ct_navigation_world *w, ct_navigation_instance i,
                                      float x, float y, float goal_x, float goal_y) {
    ct_error error = {0};
    const ct_navigation_agent_desc desc = {.position = ct_vec3_make(x, y, 0), .speed = 2};
    const ct_navigation_agent a = ct_navigation_agents_add(agents_of(w, i), &desc, &error);
    assert_true(a.id);
    const ct_vec3 goal = ct_vec3_make(goal_x, goal_y, 0);
    ct_navigation_agents_move_to(agents_of(w, i), &a, &goal, 1);
    return a;
}

static ct_vec3 position_of(const ct_navigation_world *w, ct_navigation_instance i,
                           ct_navigation_agent a) {
    const ct_navigation_agents *const agents = agents_of(w, i);
    return ct_navigation_agents_all(agents).positions[ct_navigation_agents_index(agents, a)];
}

static uint32_t state_of(const ct_navigation_world *w, ct_navigation_instance i,
                         ct_navigation_agent a) {
    const ct_navigation_agents *const agents = agents_of(w, i);
    return ct_navigation_agents_all(agents).states[ct_navigation_agents_index(agents, a)];
}

static void step(ct_navigation_world *w, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        ct_navigation_world_step(w, 1.0 / 60);
}

static void add_box(const ct_navigation_world *w, ct_navigation_instance i, float x, float y) {
    ct_error error = {0};
    const ct_navigation_obstacle_desc box = {.position = ct_vec3_make(x, y, -1),
                                             .half_size = ct_vec2_make(0.5f, 0.5f),
                                             .height = 2,
                                             .area = -1};
    assert_true(ct_navigation_add_obstacle(ct_navigation_world_parts(w, i).mesh, &box, &error).id);
}

// --- Instances -----------------------------------------------------------------------------------

static void keeps_the_order_and_refuses_stale_instances(void **state) {
    (void)state;
    ct_navigation_resource *const r = make_field(0, 0, 0, 0);
    ct_navigation_world *const w = make_world((ct_navigation_settings){0});
    const ct_navigation_instance a = add(w, r), b = add(w, r), c = add(w, r);
    const uint32_t changes = ct_navigation_world_changes(w);
    ct_navigation_world_remove(w, b);
    ct_navigation_world_remove(w, b);
    ct_navigation_world_remove(w, (ct_navigation_instance){0});
    ct_navigation_world_remove(w, (ct_navigation_instance){12345});
    assert_int_not_equal(ct_navigation_world_changes(w), changes);
    assert_false(ct_navigation_world_has(w, b));
    const ct_navigation_instance d = add(w, r);
    assert_int_not_equal(d.id, b.id);
    assert_false(ct_navigation_world_has(w, b));
    uint32_t count;
    const ct_navigation_instance *const all = ct_navigation_world_instances(w, &count);
    assert_int_equal(count, 3);
    assert_int_equal(all[0].id, a.id);
    assert_int_equal(all[1].id, c.id);
    assert_int_equal(all[2].id, d.id);
    assert_int_equal(ct_navigation_world_parts(w, c).class_name.value,
                     ct_string_id32_of("walker").value);
    ct_navigation_world_destroy(w);
    ct_navigation_world_destroy(NULL);
    free(r);
}

static void read_stale(void *user) {
    ct_navigation_world *const w = user;
    ct_navigation_world_parts(w, (ct_navigation_instance){4097});
}

static void a_stale_instance_has_no_parts(void **state) {
    (void)state;
    ct_navigation_world *const w = make_world((ct_navigation_settings){0});
    test_expect_death(read_stale, w, "the navigation mesh 0x1001 is stale");
    ct_navigation_world_destroy(w);
}

static void refuses_poses_that_are_scaled_or_tilted(void **state) {
    (void)state;
    ct_navigation_resource *const r = make_field(0, 0, 0, 0);
    ct_navigation_world *const w = make_world((ct_navigation_settings){0});
    const ct_vec3 o = ct_vec3_make(0, 0, 0), one = ct_vec3_make(1, 1, 1);
    const ct_quat none = ct_quat_identity();
    const struct {
        ct_mat4 pose;
        const char *message;
    } bad[] = {
        {ct_mat4_compose(o, none, ct_vec3_make(2, 1, 1)), "found a scale of (2, 1, 1)"},
        {ct_mat4_compose(o, none, ct_vec3_make(1, 1, 0)), "found a scale of (1, 1, 0)"},
        {ct_mat4_compose(o, none, ct_vec3_make(-1, 1, 1)), "found a z axis of (0, 0, 1)"},
        {ct_mat4_compose(o, ct_quat_axis_angle(ct_vec3_make(1, 0, 0), 0.3f), one),
         "found a z axis of (0, -0.29"},
        {ct_mat4_compose(ct_vec3_make(NAN, 0, 0), none, one), "is not finite"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i) {
        ct_error error = {0};
        const ct_navigation_instance_desc desc = {.resource = r, .pose = bad[i].pose};
        assert_int_equal(ct_navigation_world_add(w, &desc, &error).id, 0);
        if (!strstr(error.message, bad[i].message))
            fail_msg("%s", error.message);
    }
    ct_navigation_world_destroy(w);
    free(r);
}

static void takes_points_to_the_mesh_and_back(void **state) {
    (void)state;
    ct_navigation_resource *const r = make_field(0, 0, 0, 0);
    ct_navigation_world *const w = make_world((ct_navigation_settings){0});
    const ct_mat4 pose = pose_of(10, -20, 3, 1.1f);
    const ct_navigation_instance i = add_at(w, r, pose);
    const ct_vec3 p = ct_vec3_make(4, 5, 6);
    const ct_vec3 there = ct_navigation_to_world(w, i, p);
    const ct_vec3 expected = ct_mat4_transform_point(pose, p);
    assert_true(ct_vec3_length(ct_vec3_sub(there, expected)) < 1e-4f);
    assert_true(ct_vec3_length(ct_vec3_sub(ct_navigation_to_mesh(w, i, there), p)) < 1e-4f);
    const ct_vec3 turned = ct_navigation_turn_to_world(w, i, p);
    assert_true(ct_vec3_length(ct_vec3_sub(turned, ct_mat4_transform_direction(pose, p))) < 1e-4f);
    assert_true(ct_vec3_length(ct_vec3_sub(ct_navigation_turn_to_mesh(w, i, turned), p)) < 1e-4f);
    const ct_mat4 same = ct_navigation_world_pose(w, i);
    for (uint32_t k = 0; k < 4; ++k)
        for (uint32_t m = 0; m < 4; ++m)
            assert_true(fabsf(same.col[k].raw[m] - pose.col[k].raw[m]) < 1e-5f);
    ct_navigation_world_destroy(w);
    free(r);
}

static void finds_the_mesh_under_a_point(void **state) {
    (void)state;
    ct_navigation_resource *const r = make_field(0, 0, 0, 0);
    ct_navigation_world *const w = make_world((ct_navigation_settings){0});
    const ct_string_id32 walker = ct_string_id32_of("walker");
    const ct_vec3 middle = ct_vec3_make(16, 16, 0);
    assert_int_equal(ct_navigation_world_find(w, walker, middle).id, 0);
    const ct_navigation_instance near = add(w, r), far = add_at(w, r, pose_of(100, 0, 0, 0));
    assert_int_equal(ct_navigation_world_find(w, walker, middle).id, near.id);
    assert_int_equal(ct_navigation_world_find(w, walker, ct_vec3_make(116, 16, 1)).id, far.id);
    // Elsewhere, the first of the class.
    assert_int_equal(ct_navigation_world_find(w, walker, ct_vec3_make(60, 0, 0)).id, near.id);
    assert_int_equal(ct_navigation_world_find(w, walker, ct_vec3_make(NAN, 0, 0)).id, near.id);
    assert_int_equal(ct_navigation_world_find(w, (ct_string_id32){0}, middle).id, near.id);
    assert_int_equal(ct_navigation_world_find(w, ct_string_id32_of("cat"), middle).id, 0);
    ct_navigation_world_destroy(w);
    free(r);
}

// --- Steps ---------------------------------------------------------------------------------------

static void tiles_of_a_step_are_counted_over_all_meshes(void **state) {
    (void)state;
    ct_navigation_resource *const r = make_field(0, 0, 0, 0);
    ct_navigation_world *const w = make_world((ct_navigation_settings){.tiles = 1});
    const ct_navigation_instance a = add(w, r), b = add(w, r);
    for (uint32_t k = 0; k < 3; ++k) {
        add_box(w, a, 4 + 8 * (float)k, 4);
        add_box(w, b, 4 + 8 * (float)k, 4);
    }
    const ct_navigation_counts before = ct_navigation_world_counts(w);
    assert_int_equal(before.waiting_tiles, 6);
    assert_int_equal(before.obstacles, 6);
    assert_int_equal(before.tiles, 32);
    for (uint32_t k = 0; k < 6; ++k) {
        step(w, 1);
        const ct_navigation_counts after = ct_navigation_world_counts(w);
        assert_int_equal(after.waiting_tiles, 5 - k);
        // They take turns.
        const uint32_t of_a = ct_navigation_mesh_num_waiting(ct_navigation_world_parts(w, a).mesh);
        const uint32_t of_b = ct_navigation_mesh_num_waiting(ct_navigation_world_parts(w, b).mesh);
        assert_true(abs((int)of_a - (int)of_b) <= 1);
    }
    assert_true(ct_navigation_world_counts(w).polygons > before.polygons);
    ct_navigation_world_set_settings(w, (ct_navigation_settings){.tiles = 10});
    for (uint32_t k = 0; k < 3; ++k)
        add_box(w, a, 4 + 8 * (float)k, 12);
    step(w, 1);
    assert_int_equal(ct_navigation_world_counts(w).waiting_tiles, 0);
    ct_navigation_world_destroy(w);
    free(r);
}

static void queries_share_the_polygons_of_a_step(void **state) {
    (void)state;
    ct_navigation_resource *const r = make_field(4, 0, 5, 30);
    // With few polygons a step, paths take more steps; all come.
    uint32_t num_steps[2];
    for (uint32_t round = 0; round < 2; ++round) {
        ct_navigation_world *const w =
            make_world((ct_navigation_settings){.path_polygons = round ? 0 : 32});
        const ct_navigation_instance i = add(w, r);
        ct_navigation_agent walkers[64];
        for (uint32_t k = 0; k < 64; ++k)
            walkers[k] = add_walker(w, i, 1, 1 + 0.4f * (float)k, 30, 1);
        assert_int_equal(ct_navigation_world_counts(w).queries, 64);
        num_steps[round] = 0;
        for (bool is_searching = true; is_searching && num_steps[round] < 1000;
             ++num_steps[round]) {
            step(w, 1);
            is_searching = false;
            for (uint32_t k = 0; k < 64; ++k)
                is_searching |= state_of(w, i, walkers[k]) == CT_NAVIGATION_SEARCHING;
        }
        ct_navigation_world_destroy(w);
    }
    assert_int_equal(num_steps[1], 1);
    assert_in_range(num_steps[0], 8, 900);
    free(r);
}

static void agents_of_each_mesh_walk(void **state) {
    (void)state;
    ct_navigation_resource *const r = make_field(0, 0, 0, 0);
    ct_navigation_world *const w = make_world((ct_navigation_settings){0});
    const ct_navigation_instance a = add(w, r), b = add(w, r);
    const ct_navigation_agent one = add_walker(w, a, 2, 2, 10, 2);
    const ct_navigation_agent other = add_walker(w, b, 2, 2, 2, 10);
    step(w, 600);
    assert_int_equal(state_of(w, a, one), CT_NAVIGATION_ARRIVED);
    assert_int_equal(state_of(w, b, other), CT_NAVIGATION_ARRIVED);
    assert_true(position_of(w, a, one).x > 9 && position_of(w, b, other).y > 9);
    assert_int_equal(ct_navigation_world_counts(w).agents, 2);
    ct_navigation_world_step(w, 0);
    ct_navigation_world_step(w, NAN);
    ct_navigation_world_step(w, -1);
    assert_int_equal(state_of(w, a, one), CT_NAVIGATION_ARRIVED);
    ct_navigation_world_destroy(w);
    free(r);
}

// --- Reload --------------------------------------------------------------------------------------

static void agents_go_on_when_the_blob_is_replaced(void **state) {
    (void)state;
    ct_navigation_resource *const r = make_field(0, 0, 0, 0);
    // A wall across the way, with a gap at the far end.
    ct_navigation_resource *const next = make_field(15, 4, 17, 32);
    ct_navigation_world *const w = make_world((ct_navigation_settings){0});
    const ct_navigation_instance i = add(w, r);
    const ct_navigation_agent a = add_walker(w, i, 4, 16, 28, 16);
    step(w, 120);
    const float x = position_of(w, i, a).x;
    assert_true(x > 6 && x < 12);
    const uint32_t changes = ct_navigation_world_changes(w);
    ct_navigation_world_reload(w, (ct_string_id64){78}, NULL); // of another resource
    ct_navigation_world_reload(w, FIELD, next);
    memset(r, 0xee, r->header.size_bytes); // it is not used any more
    assert_int_equal(ct_navigation_world_changes(w), changes);
    float least_y = 16;
    for (uint32_t k = 0; k < 3000 && state_of(w, i, a) != CT_NAVIGATION_ARRIVED; ++k) {
        step(w, 1);
        least_y = fminf(least_y, position_of(w, i, a).y);
    }
    assert_int_equal(state_of(w, i, a), CT_NAVIGATION_ARRIVED);
    assert_true(least_y < 4.5f); // around the wall
    ct_navigation_world_reload(w, FIELD, NULL);
    assert_false(ct_navigation_world_has(w, i));
    ct_navigation_world_destroy(w);
    free(r);
    free(next);
}

static void a_class_that_went_has_no_tiles_until_it_is_back(void **state) {
    (void)state;
    ct_navigation_resource *const r = make_field(0, 0, 0, 0);
    ct_navigation_resource *const other = rename_class(make_field(0, 0, 0, 0), "giant");
    ct_navigation_resource *const third = rename_class(make_field(0, 0, 0, 0), "dwarf");
    ct_navigation_world *const w = make_world((ct_navigation_settings){0});
    const ct_navigation_instance i = add(w, r);
    const ct_navigation_agent a = add_walker(w, i, 4, 16, 28, 16);
    const ct_string_id32 walker = ct_string_id32_of("walker");
    const ct_vec3 middle = ct_vec3_make(16, 16, 0);
    for (uint32_t round = 0; round < 2; ++round) {
        const uint32_t changes = ct_navigation_world_changes(w);
        ct_navigation_world_reload(w, FIELD, round ? third : other);
        assert_int_not_equal(ct_navigation_world_changes(w), changes);
        assert_true(ct_navigation_world_has(w, i));
        assert_int_equal(ct_navigation_world_counts(w).tiles, 0);
        assert_false(ct_navigation_agents_is_live(agents_of(w, i), a));
        assert_int_equal(ct_navigation_world_find(w, walker, middle).id, 0);
        assert_int_equal(ct_navigation_world_find(w, (ct_string_id32){0}, middle).id, 0);
        step(w, 2);
    }
    ct_navigation_world_reload(w, FIELD, r);
    assert_int_equal(ct_navigation_world_counts(w).tiles, 16);
    assert_int_equal(ct_navigation_world_find(w, walker, middle).id, i.id);
    ct_navigation_world_destroy(w);
    free(r);
    free(other);
    free(third);
}

// --- State ---------------------------------------------------------------------------------------

typedef struct scene {
    ct_navigation_world *w;
    ct_navigation_instance a, b;
    ct_navigation_agent walkers[8];
} scene;

static scene make_scene(const ct_navigation_resource *r) {
    scene s = {.w = make_world((ct_navigation_settings){.tiles = 1, .path_polygons = 64})};
    s.a = add(s.w, r);
    s.b = add_at(s.w, r, pose_of(50, 0, 0, 0.5f));
    for (uint32_t k = 0; k < 8; ++k)
        s.walkers[k] = add_walker(s.w, k < 4 ? s.a : s.b, 2 + (float)k, 3, 28 - (float)k, 29);
    add_box(s.w, s.a, 12, 12);
    add_box(s.w, s.b, 20, 12);
    return s;
}

static char *save(const ct_navigation_world *w, uint64_t *num_bytes) {
    *num_bytes = ct_navigation_world_save(w, NULL);
    char *const bytes = malloc(*num_bytes);
    assert_int_equal(ct_navigation_world_save(w, bytes), *num_bytes);
    return bytes;
}

static void assert_same(const scene *s, const scene *t) {
    uint64_t bytes_s, bytes_t;
    char *const of_s = save(s->w, &bytes_s), *const of_t = save(t->w, &bytes_t);
    for (uint32_t k = 0; k < 8; ++k) {
        const ct_vec3 p = position_of(s->w, k < 4 ? s->a : s->b, s->walkers[k]);
        const ct_vec3 q = position_of(t->w, k < 4 ? t->a : t->b, t->walkers[k]);
        assert_memory_equal(&p, &q, sizeof(p));
    }
    free(of_s);
    free(of_t);
}

static void saving_and_restoring_in_the_middle_changes_nothing(void **state) {
    (void)state;
    ct_navigation_resource *const r = make_field(8, 8, 10, 30);
    for (uint32_t at = 1; at < 200; at += 37) {
        const scene whole = make_scene(r);
        step(whole.w, at);
        uint64_t num_bytes;
        char *const bytes = save(whole.w, &num_bytes);
        step(whole.w, 100);
        scene other = make_scene(r);
        step(other.w, 7); // something else
        ct_error error = {0};
        const uint32_t changes = ct_navigation_world_changes(other.w);
        if (!ct_navigation_world_restore(other.w, bytes, num_bytes, &error))
            fail_msg("%s", error.message);
        assert_int_not_equal(ct_navigation_world_changes(other.w), changes);
        step(other.w, 100);
        assert_same(&whole, &other);
        free(bytes);
        ct_navigation_world_destroy(whole.w);
        ct_navigation_world_destroy(other.w);
    }
    free(r);
}

static void refuse(const scene *s, const char *bytes, uint64_t num_bytes, const char *message) {
    ct_error error = {0};
    uint64_t bytes_before, bytes_after;
    char *const before = save(s->w, &bytes_before);
    assert_false(ct_navigation_world_restore(s->w, bytes, num_bytes, &error));
    if (!strstr(error.message, message))
        fail_msg("\"%s\" does not have \"%s\"", error.message, message);
    char *const after = save(s->w, &bytes_after);
    assert_int_equal(bytes_after, bytes_before);
    free(before);
    free(after);
}

static void damaged_bytes_are_refused_and_change_nothing(void **state) {
    (void)state;
    ct_navigation_resource *const r = make_field(8, 8, 10, 30);
    const scene s = make_scene(r), twin = make_scene(r);
    step(s.w, 50);
    step(twin.w, 50);
    uint64_t count;
    char *const good = save(s.w, &count), *const bytes = malloc(count);
    refuse(&s, good, 10, "found 10 bytes; expected saved navigation");
    refuse(&s, good, count - 1, "bytes of saved navigation; expected");
    memcpy(bytes, good, count);
    bytes[0] ^= 1;
    refuse(&s, bytes, count, "expected saved navigation");
    memcpy(bytes, good, count);
    bytes[4] = 9;
    refuse(&s, bytes, count, "found version 9 of saved navigation; expected 1");
    memcpy(bytes, good, count);
    bytes[count / 2] ^= 1;
    refuse(&s, bytes, count, "its hash is another one");
    // Damage with the right hashes: what a part refuses changes nothing; what it takes goes on.
    uint32_t num_refused = 0, num_taken = 0;
    for (uint64_t at = 40; at < count; at += 1 + count / test_rounds(120, 2000)) {
        memcpy(bytes, good, count);
        bytes[at] = (char)(bytes[at] ^ 0x81);
        damage_sign_all(bytes, count);
        ct_error error = {0};
        if (ct_navigation_world_restore(s.w, bytes, count, &error)) {
            ++num_taken;
            step(s.w, 2);
            assert_true(ct_navigation_world_restore(s.w, good, count, &error));
        } else {
            ++num_refused;
            assert_true(error.message[0]);
        }
    }
    assert_true(num_refused > 0 && num_taken > 0);
    step(s.w, 30);
    step(twin.w, 30);
    assert_same(&s, &twin);
    free(good);
    free(bytes);
    ct_navigation_world_destroy(s.w);
    ct_navigation_world_destroy(twin.w);
    free(r);
}

static void restores_only_the_same_meshes(void **state) {
    (void)state;
    ct_navigation_resource *const r = make_field(8, 8, 10, 30);
    const scene s = make_scene(r);
    uint64_t count;
    char *const bytes = save(s.w, &count);
    const scene fewer = make_scene(r);
    ct_navigation_world_remove(fewer.w, fewer.a);
    ct_error error = {0};
    assert_false(ct_navigation_world_restore(fewer.w, bytes, count, &error));
    assert_non_null(
        strstr(error.message, "found 2 saved navigation meshes; expected the world's 1"));
    const ct_navigation_instance_desc desc = {
        .resource = r, .name = {5}, .pose = ct_mat4_identity()};
    ct_navigation_world_add(fewer.w, &desc, &error);
    assert_false(ct_navigation_world_restore(fewer.w, bytes, count, &error));
    assert_non_null(strstr(error.message, "found a saved mesh of the class"));
    ct_navigation_world_destroy(fewer.w);
    ct_navigation_world_destroy(s.w);
    free(bytes);
    free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_order_and_refuses_stale_instances),
        cmocka_unit_test(a_stale_instance_has_no_parts),
        cmocka_unit_test(refuses_poses_that_are_scaled_or_tilted),
        cmocka_unit_test(takes_points_to_the_mesh_and_back),
        cmocka_unit_test(finds_the_mesh_under_a_point),
        cmocka_unit_test(tiles_of_a_step_are_counted_over_all_meshes),
        cmocka_unit_test(queries_share_the_polygons_of_a_step),
        cmocka_unit_test(agents_of_each_mesh_walk),
        cmocka_unit_test(agents_go_on_when_the_blob_is_replaced),
        cmocka_unit_test(a_class_that_went_has_no_tiles_until_it_is_back),
        cmocka_unit_test(saving_and_restoring_in_the_middle_changes_nothing),
        cmocka_unit_test(damaged_bytes_are_refused_and_change_nothing),
        cmocka_unit_test(restores_only_the_same_meshes),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
