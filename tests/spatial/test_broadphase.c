#include "spatial/broadphase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/math/math_shapes.h"
#include "foundation/math/random.h"
#include "foundation/os/os.h"
#include "spatial/broadphase_private.h"
#include "support/test_support.h"

enum { MOST = 1500, NUM_QUERIES = 12 };

// What a broadphase does, by plain loops.
typedef struct model {
    ct_broadphase *b;
    ct_broadphase_item items[MOST];
    ct_aabb boxes[MOST];
    uint32_t values[MOST];
    uint32_t count, next_value;
} model;

static ct_broadphase *make(uint32_t num_items, float margin) {
    return ct_broadphase_create(test_heap(), &(ct_broadphase_desc){num_items, margin});
}

static ct_vec3 random_point(ct_random *r, float size) {
    const float x = ct_random_float_range(r, -size, size),
                y = ct_random_float_range(r, -size, size);
    return ct_vec3_make(x, y, ct_random_float_range(r, -size, size));
}

// Corners on whole numbers now and then, so that boxes touch, and are equal, and have no size.
static ct_aabb random_box(ct_random *r) {
    const bool is_whole = ct_random_below(r, 4) == 0;
    const float size = ct_random_below(r, 20) ? 2 : 30;
    ct_aabb box = {.min = random_point(r, 40)};
    for (uint32_t k = 0; k < 3; ++k) {
        const float extent = ct_random_float_range(r, 0, size);
        box.min.raw[k] = is_whole ? floorf(box.min.raw[k]) : box.min.raw[k];
        box.max.raw[k] = box.min.raw[k] + (is_whole ? floorf(extent) : extent);
    }
    return box;
}

// --- The tree ------------------------------------------------------------------------------------

// Checks a node and what is under it; returns the number of its items.
static uint32_t check_node(const ct_broadphase *b, uint32_t node, ct_broadphase_place parent) {
    const ct_broadphase_node_info *const info = &b->infos[node];
    const ct_broadphase_node *const n = &b->nodes[node];
    assert_int_equal(info->parent, parent);
    assert_true(info->count >= 1 && info->count <= CT_BROADPHASE_LANES);
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < info->count; ++lane) {
        const ct_aabb box = ct_broadphase_lane(n, lane);
        const ct_broadphase_place place = node * CT_BROADPHASE_LANES + lane;
        assert_true(ct_broadphase_holds(&info->bounds, &box));
        if (info->level) {
            const uint32_t child = n->children[lane];
            assert_int_equal(b->infos[child].level + 1, info->level);
            assert_memory_equal(&b->infos[child].bounds, &box, sizeof(box));
            count += check_node(b, child, place);
        } else {
            assert_int_equal(b->slots[n->children[lane]].place, place);
            ++count;
        }
    }
    for (uint32_t lane = info->count; lane < CT_BROADPHASE_LANES; ++lane)
        assert_true(ct_aabb_is_empty(ct_broadphase_lane(n, lane)));
    return count;
}

static void check_tree(const ct_broadphase *b) {
    assert_int_equal(b->root ? check_node(b, b->root, 0) : 0, b->count);
}

// --- The model -----------------------------------------------------------------------------------

static void model_add(model *m, ct_random *r, uint32_t count) {
    count = count < MOST - m->count ? count : MOST - m->count;
    const uint32_t first = m->count;
    for (uint32_t i = 0; i < count; ++i) {
        m->boxes[m->count] = random_box(r);
        m->values[m->count++] = m->next_value++;
    }
    ct_broadphase_add(m->b, m->boxes + first, m->values + first, count, m->items + first);
}

static void model_move(model *m, ct_random *r) {
    static ct_broadphase_item items[MOST];
    static ct_aabb boxes[MOST];
    uint32_t count = 0;
    const bool is_far = ct_random_below(r, 8) == 0;
    for (uint32_t i = 0; i < m->count; ++i) {
        if (ct_random_below(r, 3) == 0)
            continue;
        const ct_vec3 way = random_point(r, 0.5f);
        for (uint32_t k = 0; k < 3; ++k) {
            m->boxes[i].min.raw[k] += way.raw[k];
            m->boxes[i].max.raw[k] =
                fmaxf(m->boxes[i].max.raw[k] + way.raw[k], m->boxes[i].min.raw[k]);
        }
        m->boxes[i] = is_far ? random_box(r) : m->boxes[i];
        items[count] = m->items[i];
        boxes[count++] = m->boxes[i];
    }
    ct_broadphase_move(m->b, items, boxes, count);
}

static void model_remove(model *m, ct_random *r, uint32_t count) {
    static ct_broadphase_item gone[MOST];
    uint32_t num_gone = 0;
    for (; num_gone < count && m->count; ++num_gone) {
        const uint32_t i = ct_random_below(r, m->count);
        gone[num_gone] = m->items[i];
        --m->count;
        m->items[i] = m->items[m->count];
        m->boxes[i] = m->boxes[m->count];
        m->values[i] = m->values[m->count];
    }
    ct_broadphase_remove(m->b, gone, num_gone);
    for (uint32_t i = 0; i < num_gone; ++i)
        assert_false(ct_broadphase_is_live(m->b, gone[i]));
}

static int compare_u32(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Both lists have the same values, in whatever order.
static void check_same(uint32_t *found, uint32_t num_found, uint32_t *wanted, uint32_t num_wanted) {
    assert_int_equal(num_found, num_wanted);
    qsort(found, num_found, sizeof(*found), compare_u32);
    qsort(wanted, num_wanted, sizeof(*wanted), compare_u32);
    assert_memory_equal(found, wanted, sizeof(*found) * num_found);
}

static void check_boxes(const model *m, ct_random *r) {
    static uint32_t found[MOST * NUM_QUERIES], wanted[MOST];
    ct_aabb boxes[NUM_QUERIES];
    uint32_t ends[NUM_QUERIES], begin = 0;
    for (uint32_t q = 0; q < NUM_QUERIES; ++q)
        boxes[q] = q ? random_box(r) : ct_aabb_empty();
    const uint32_t count =
        ct_broadphase_overlap_boxes(m->b, boxes, NUM_QUERIES, found, CT_COUNT_OF(found), ends);
    assert_int_equal(count, ends[NUM_QUERIES - 1]);
    for (uint32_t q = 0; q < NUM_QUERIES; begin = ends[q++]) {
        uint32_t num_wanted = 0;
        for (uint32_t i = 0; i < m->count; ++i)
            if (ct_aabb_intersects_aabb(m->boxes[i], boxes[q]))
                wanted[num_wanted++] = m->values[i];
        check_same(found + begin, ends[q] - begin, wanted, num_wanted);
    }
}

static void check_spheres(const model *m, ct_random *r) {
    static uint32_t found[MOST * NUM_QUERIES], wanted[MOST];
    ct_sphere spheres[NUM_QUERIES];
    uint32_t ends[NUM_QUERIES], begin = 0;
    for (uint32_t q = 0; q < NUM_QUERIES; ++q)
        spheres[q] = (ct_sphere){ct_aabb_center(random_box(r)), (float)q - 1};
    ct_broadphase_overlap_spheres(m->b, spheres, NUM_QUERIES, found, CT_COUNT_OF(found), ends);
    for (uint32_t q = 0; q < NUM_QUERIES; begin = ends[q++]) {
        uint32_t num_wanted = 0;
        for (uint32_t i = 0; i < m->count; ++i)
            if (ct_aabb_intersects_sphere(m->boxes[i], spheres[q]))
                wanted[num_wanted++] = m->values[i];
        check_same(found + begin, ends[q] - begin, wanted, num_wanted);
    }
}

static void check_frustum(const model *m, ct_random *r) {
    static uint32_t found[MOST], wanted[MOST];
    const ct_mat4 camera =
        ct_mat4_compose(random_point(r, 30), ct_random_quat(r), ct_vec3_make(1, 1, 1));
    const float reach = ct_random_float_range(r, 1, 200);
    const ct_mat4 projection = ct_random_below(r, 2)
                                   ? ct_mat4_perspective(1.2f, 1.5f, 0.5f, reach)
                                   : ct_mat4_orthographic(-reach, reach, -9, reach, 0.5f, 90);
    const ct_mat4 to_clip = ct_mat4_mul(projection, ct_mat4_inverse(camera));
    ct_frustum f = ct_frustum_from(&to_clip);
    if (ct_random_below(r, 4) == 0)
        f.planes[4] = (ct_vec4){{0, 0, 0, 0}}; // open, as that of a light
    uint32_t num_wanted = 0;
    for (uint32_t i = 0; i < m->count; ++i)
        if (ct_frustum_intersects_aabb(&f, m->boxes[i]))
            wanted[num_wanted++] = m->values[i];
    const uint32_t count = ct_broadphase_overlap_frustum(m->b, &f, found, MOST);
    check_same(found, count, wanted, num_wanted);
}

static int compare_hits(const void *a, const void *b) {
    const ct_broadphase_hit *const x = a, *const y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

static void check_hits(const ct_broadphase_hit *found, uint32_t num_found,
                       ct_broadphase_hit *wanted, uint32_t num_wanted, uint32_t max) {
    qsort(wanted, num_wanted, sizeof(*wanted), compare_hits);
    assert_int_equal(num_found, num_wanted < max ? num_wanted : max);
    for (uint32_t i = 0; i < num_found; ++i) {
        assert_int_equal(found[i].value, wanted[i].value);
        assert_memory_equal(&found[i].distance, &wanted[i].distance, sizeof(float));
    }
}

static void check_rays(const model *m, ct_random *r) {
    static ct_broadphase_hit found[MOST], wanted[MOST];
    ct_ray ray = {random_point(r, 50), random_point(r, 2)};
    if (ct_random_below(r, 2))
        ray.direction.raw[ct_random_below(r, 3)] = 0;
    if (ct_random_below(r, 4) == 0)
        ray.direction = ct_vec3_make(0, 0, -1);
    const float length = ct_random_float_range(r, -1, 80);
    const uint32_t max = ct_random_below(r, 2) ? ct_random_below(r, 6) : MOST;
    uint32_t num_wanted = 0;
    for (uint32_t i = 0; i < m->count; ++i) {
        const float distance = ct_ray_to_aabb(ray, m->boxes[i]);
        if (distance >= 0 && distance <= length)
            wanted[num_wanted++] = (ct_broadphase_hit){distance, m->values[i]};
    }
    const uint32_t count = ct_broadphase_ray(m->b, ray, length, found, max);
    check_hits(found, count, wanted, num_wanted, max);
}

static void check_nearest(const model *m, ct_random *r) {
    static ct_broadphase_hit found[MOST], wanted[MOST];
    const ct_vec3 point = ct_aabb_center(random_box(r));
    const float radius = ct_random_float_range(r, -1, 40);
    const uint32_t max = ct_random_below(r, 2) ? ct_random_below(r, 9) : MOST;
    uint32_t num_wanted = 0;
    for (uint32_t i = 0; i < m->count; ++i) {
        const ct_vec3 way = ct_vec3_sub(point, ct_aabb_nearest_point(m->boxes[i], point));
        const float square = ct_vec3_dot(way, way);
        if (radius >= 0 && square <= radius * radius)
            wanted[num_wanted++] = (ct_broadphase_hit){square, m->values[i]};
    }
    const uint32_t count = ct_broadphase_nearest(m->b, point, radius, found, max);
    // Roots of different squares may be equal, so squares are what is sorted by.
    qsort(wanted, num_wanted, sizeof(*wanted), compare_hits);
    for (uint32_t i = 0; i < num_wanted; ++i)
        wanted[i].distance = sqrtf(wanted[i].distance);
    assert_int_equal(count, num_wanted < max ? num_wanted : max);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(found[i].value, wanted[i].value);
        assert_memory_equal(&found[i].distance, &wanted[i].distance, sizeof(float));
    }
}

static void check_items(const model *m) {
    static ct_broadphase_item items[MOST];
    assert_int_equal(ct_broadphase_count(m->b), m->count);
    assert_int_equal(ct_broadphase_items(m->b, items, MOST), m->count);
    for (uint32_t i = 0; i < m->count; ++i) {
        assert_true(ct_broadphase_is_live(m->b, items[i]));
        assert_int_equal(ct_broadphase_value(m->b, m->items[i]), m->values[i]);
        const ct_aabb box = ct_broadphase_box(m->b, m->items[i]), all = ct_broadphase_bounds(m->b);
        assert_memory_equal(&box, &m->boxes[i], sizeof(box));
        assert_true(ct_broadphase_holds(&all, &box));
    }
}

static void finds_what_plain_loops_find(void **state) {
    (void)state;
    static model m;
    for (uint32_t round = 0; round < test_rounds(12, 300); ++round) {
        ct_random r = ct_random_seeded(round, 1);
        m = (model){.b = make(ct_random_below(&r, 100), round % 3 ? 0.3f : 0)};
        for (uint32_t step = 0; step < 40; ++step) {
            const uint32_t what = ct_random_below(&r, 6);
            if (what == 0)
                model_add(&m, &r, ct_random_below(&r, 200));
            else if (what == 1)
                model_add(&m, &r, 1);
            else if (what == 2)
                model_remove(&m, &r, ct_random_below(&r, 1 + m.count / 2));
            else if (what == 3 && ct_random_below(&r, 8) == 0)
                model_remove(&m, &r, m.count);
            else
                model_move(&m, &r);
            check_tree(m.b);
            check_items(&m);
            check_boxes(&m, &r);
            check_spheres(&m, &r);
            check_frustum(&m, &r);
            check_rays(&m, &r);
            check_nearest(&m, &r);
        }
        ct_broadphase_destroy(m.b);
    }
}

// --- One by one ----------------------------------------------------------------------------------

static ct_aabb box_at(float x) {
    return (ct_aabb){ct_vec3_make(x, 0, 0), ct_vec3_make(x + 1, 1, 1)};
}

static ct_broadphase_item add_at(ct_broadphase *b, float x, uint32_t value) {
    const ct_aabb box = box_at(x);
    ct_broadphase_item item;
    ct_broadphase_add(b, &box, &value, 1, &item);
    return item;
}

static void counts_on_when_the_callers_array_is_full(void **state) {
    (void)state;
    ct_broadphase *const b = make(0, 0.1f);
    for (uint32_t i = 0; i < 100; ++i)
        add_at(b, (float)i, i);
    uint32_t values[11];
    memset(values, 0xee, sizeof(values));
    const ct_aabb all = {ct_vec3_make(-1, -1, -1), ct_vec3_make(200, 2, 2)};
    assert_int_equal(ct_broadphase_overlap_box(b, all, values, 10), 100);
    assert_int_equal(values[10], 0xeeeeeeee);
    assert_true(values[9] < 100);
    assert_int_equal(ct_broadphase_overlap_box(b, all, NULL, 0), 100);
    ct_broadphase_destroy(b);
}

static void knows_stale_items(void **state) {
    (void)state;
    ct_broadphase *const b = make(4, 0.1f);
    const ct_broadphase_item first = add_at(b, 0, 1);
    ct_broadphase_remove(b, &first, 1);
    assert_false(ct_broadphase_is_live(b, first));
    const ct_broadphase_item second = add_at(b, 0, 2);
    assert_int_equal(second.slot, first.slot);
    assert_false(ct_broadphase_is_live(b, first));
    assert_true(ct_broadphase_is_live(b, second));
    ct_broadphase_clear(b);
    assert_false(ct_broadphase_is_live(b, second));
    const ct_broadphase_item none = {0}, forged = {second.slot, second.generation + 1};
    assert_false(ct_broadphase_is_live(b, none));
    assert_false(ct_broadphase_is_live(b, forged));
    assert_false(ct_broadphase_is_live(b, (ct_broadphase_item){99, 1}));
    ct_broadphase_destroy(b);
}

static void gives_equally_near_ones_by_value(void **state) {
    (void)state;
    ct_broadphase *const b = make(0, 0);
    for (uint32_t i = 0; i < 300; ++i)
        add_at(b, 5, 299 - i);
    ct_broadphase_hit hits[20];
    assert_int_equal(ct_broadphase_nearest(b, ct_vec3_make(0, 0, 0), 10, hits, 20), 20);
    for (uint32_t i = 0; i < 20; ++i) {
        assert_int_equal(hits[i].value, i);
        assert_true(hits[i].distance == 5);
    }
    const ct_ray ray = {ct_vec3_make(9, 0.5f, 0.5f), ct_vec3_make(-2, 0, 0)};
    assert_int_equal(ct_broadphase_ray(b, ray, 10, hits, 3), 3);
    assert_true(hits[2].distance == 1.5f && hits[2].value == 2);
    check_tree(b);
    ct_broadphase_destroy(b);
}

static void allocates_nothing_once_it_has_grown(void **state) {
    (void)state;
    static model m;
    ct_random r = ct_random_seeded(3, 3);
    m = (model){.b = make(MOST, 0.2f)};
    model_add(&m, &r, 1000);
    for (uint32_t i = 0; i < 200; ++i)
        model_move(&m, &r);
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    for (uint32_t i = 0; i < 200; ++i) {
        model_move(&m, &r);
        model_remove(&m, &r, 10);
        model_add(&m, &r, 10);
        check_nearest(&m, &r);
        check_spheres(&m, &r);
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    ct_broadphase_destroy(m.b);
}

static void answers_the_same_for_the_same_calls(void **state) {
    (void)state;
    static model m[2];
    static uint32_t found[2][MOST];
    uint32_t counts[2];
    for (uint32_t k = 0; k < 2; ++k) {
        ct_random r = ct_random_seeded(4, 4);
        m[k] = (model){.b = make(k * MOST, 0.2f)}; // room ahead changes nothing
        model_add(&m[k], &r, 700);
        for (uint32_t i = 0; i < 50; ++i)
            model_move(&m[k], &r);
        const ct_sphere sphere = {ct_vec3_make(0, 0, 0), 20};
        counts[k] = ct_broadphase_overlap_sphere(m[k].b, sphere, found[k], MOST);
        ct_broadphase_destroy(m[k].b);
    }
    assert_true(counts[0] > 20);
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(found[0], found[1], sizeof(uint32_t) * counts[0]);
}

typedef struct reader {
    const ct_broadphase *b;
    uint32_t count;
} reader;

static void read_all(void *data) {
    reader *const r = data;
    uint32_t values[16];
    ct_broadphase_hit hits[16];
    for (uint32_t i = 0; i < 300; ++i) {
        const ct_vec3 at = ct_vec3_make((float)(i % 40) - 20, (float)(i % 7), 0);
        r->count += ct_broadphase_overlap_sphere(r->b, (ct_sphere){at, 4}, values, 16);
        r->count += ct_broadphase_nearest(r->b, at, 9, hits, 16);
        r->count += ct_broadphase_ray(r->b, (ct_ray){at, ct_vec3_make(1, 1, 0)}, 9, hits, 16);
    }
}

static void may_be_read_by_several_threads(void **state) {
    (void)state;
    static model m;
    ct_random r = ct_random_seeded(5, 5);
    m = (model){.b = make(MOST, 0.2f)};
    model_add(&m, &r, MOST);
    reader readers[4] = {{m.b, 0}, {m.b, 0}, {m.b, 0}, {m.b, 0}};
    ct_thread threads[3];
    for (uint32_t i = 0; i < 3; ++i)
        threads[i] = ct_thread_start("reader", read_all, &readers[i]);
    read_all(&readers[3]);
    for (uint32_t i = 0; i < 3; ++i)
        ct_thread_join(threads[i]);
    assert_true(readers[3].count > 300);
    for (uint32_t i = 0; i < 3; ++i)
        assert_int_equal(readers[i].count, readers[3].count);
    ct_broadphase_destroy(m.b);
}

// --- What is refused -----------------------------------------------------------------------------

static ct_broadphase *doomed;

static void add_nan(void *user) {
    (void)user;
    add_at(doomed, NAN, 0);
}

static void add_far(void *user) {
    (void)user;
    add_at(doomed, 2e9f, 0);
}

static void move_stale(void *user) {
    const ct_aabb box = box_at(0);
    ct_broadphase_move(doomed, user, &box, 1);
}

static void query_nan(void *user) {
    (void)user;
    ct_broadphase_overlap_sphere(doomed, (ct_sphere){ct_vec3_make(0, NAN, 0), 1}, NULL, 0);
}

static void ray_of_no_direction(void *user) {
    (void)user;
    ct_broadphase_ray(doomed, (ct_ray){.direction = ct_vec3_make(0, 0, 0)}, 1, NULL, 0);
}

static void asserts_what_a_caller_has_to_know(void **state) {
    (void)state;
    doomed = make(4, 0.1f);
    ct_broadphase_item item = add_at(doomed, 0, 0);
    ct_broadphase_remove(doomed, &item, 1);
    test_expect_death(add_nan, NULL, "invalid box from (nan");
    test_expect_death(add_far, NULL, "invalid box from (2e+09");
    test_expect_death(move_stale, &item, "is not in the broadphase");
    test_expect_death(query_nan, NULL, "invalid sphere of radius 1 at (0 nan 0)");
    test_expect_death(ray_of_no_direction, NULL, "along (0 0 0)");
    ct_broadphase_destroy(doomed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_plain_loops_find),
        cmocka_unit_test(counts_on_when_the_callers_array_is_full),
        cmocka_unit_test(knows_stale_items),
        cmocka_unit_test(gives_equally_near_ones_by_value),
        cmocka_unit_test(allocates_nothing_once_it_has_grown),
        cmocka_unit_test(answers_the_same_for_the_same_calls),
        cmocka_unit_test(may_be_read_by_several_threads),
        cmocka_unit_test(asserts_what_a_caller_has_to_know),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
