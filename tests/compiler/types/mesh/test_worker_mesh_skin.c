#include "compiler/types/mesh/mesh_case.h"

#include <math.h>

#include "foundation/string/string_id.h"

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libassimp.so\n";
}

enum { BAR_JOINTS = 10, BAR_ROWS = 21, BAR_VERTICES = 2 * BAR_ROWS };

// A flat bar of two columns from (0 0 0) up to (0 2 0), moved by joints at equal distances.
typedef struct bar {
    uint32_t num_joints, num_influences;
    uint16_t joints[BAR_VERTICES][8];
    float weights[BAR_VERTICES][8];
    bool is_doubled;   // row 11 is where row 10 is
    const char *nodes; // JSON of more nodes, each after a comma
    const char *roots;
} bar;

static float height_of(uint32_t vertex) {
    return 2.0f * (float)(vertex / 2) / (BAR_ROWS - 1);
}

static float joint_height(const bar *b, uint32_t joint) {
    return 2.0f * (float)joint / (float)(b->num_joints - 1);
}

// Weights of the nearest joints, more for nearer ones; they add up to 1.
static void weigh(bar *b) {
    for (uint32_t i = 0; i < BAR_VERTICES; ++i) {
        float sum = 0;
        uint32_t first = 0;
        const float at = height_of(i);
        while (first + b->num_influences < b->num_joints &&
               at - joint_height(b, first) > joint_height(b, first + b->num_influences) - at)
            ++first;
        for (uint32_t k = 0; k < b->num_influences; ++k) {
            const float distance = at - joint_height(b, first + k);
            b->joints[i][k] = (uint16_t)(first + k);
            b->weights[i][k] = expf(-8 * distance * distance);
            sum += b->weights[i][k];
        }
        for (uint32_t k = 0; k < b->num_influences; ++k)
            b->weights[i][k] /= sum;
    }
}

static bar make_bar(uint32_t num_influences) {
    bar b = {.num_joints = BAR_JOINTS, .num_influences = num_influences};
    weigh(&b);
    return b;
}

static void add_influences(model_file *m, const bar *b, uint32_t set) {
    uint16_t joints[BAR_VERTICES][4];
    float weights[BAR_VERTICES][4];
    for (uint32_t i = 0; i < BAR_VERTICES; ++i)
        for (uint32_t k = 0; k < 4; ++k) {
            joints[i][k] = b->joints[i][set * 4 + k];
            weights[i][k] = b->weights[i][set * 4 + k];
        }
    model_file_accessor(m, joints, sizeof(joints), 5123, "VEC4", BAR_VERTICES);
    model_file_vectors(m, weights[0], BAR_VERTICES, 4);
}

// Nodes: 0 the bar, which is moved although that must not matter; from 1 on the joints, which stand
// beside each other, called j0, j1, …; then more.
static const char *nodes_of(const bar *b, ct_string_builder *text) {
    ct_string_builder_add(text, "[{\"name\":\"bar\",\"mesh\":0,\"skin\":0,"
                                "\"translation\":[7,8,9],\"scale\":[2,3,4]}");
    for (uint32_t i = 0; i < b->num_joints; ++i)
        ct_string_builder_addf(text, ",{\"name\":\"j%u\",\"translation\":[0,%.6f,0]}", i,
                               (double)joint_height(b, i));
    ct_string_builder_addf(text, "%s]", b->nodes ? b->nodes : "");
    return ct_string_builder_text(text);
}

typedef struct bar_texts {
    ct_string_builder nodes, roots, skins;
} bar_texts;

static void free_texts(bar_texts *t) {
    ct_string_builder_free(&t->nodes);
    ct_string_builder_free(&t->roots);
    ct_string_builder_free(&t->skins);
}

// The bar's model; its texts must live until it is written.
static model_file bar_file(const bar *b, bar_texts *t) {
    ct_string_builder_init(&t->nodes, test_heap());
    ct_string_builder_init(&t->roots, test_heap());
    ct_string_builder_init(&t->skins, test_heap());
    model_file m;
    model_file_init(&m);
    float positions[BAR_VERTICES][3];
    uint32_t indices[(BAR_ROWS - 1) * 6];
    for (uint32_t i = 0; i < BAR_VERTICES; ++i) {
        positions[i][0] = i % 2 ? 0.25f : -0.25f;
        positions[i][1] = height_of(b->is_doubled && i / 2 == 11 ? i - 2 : i);
        positions[i][2] = 0;
    }
    for (uint32_t i = 0; i < BAR_ROWS - 1; ++i) {
        const uint32_t at = 2 * i, two[6] = {at, at + 1, at + 3, at, at + 3, at + 2};
        memcpy(&indices[i * 6], two, sizeof(two));
    }
    model_file_vectors(&m, positions[0], BAR_VERTICES, 3);
    model_file_indices(&m, indices, CT_COUNT_OF(indices));
    const uint32_t binds_at = m.num_accessors;
    ct_string_builder_addf(&t->skins, "\"skins\":[{\"inverseBindMatrices\":%u,\"joints\":[",
                           binds_at);
    float *const binds = CT_NEW_ARRAY(test_heap(), float, 16 * b->num_joints);
    for (uint32_t i = 0; i < b->num_joints; ++i) {
        for (uint32_t k = 0; k < 4; ++k)
            binds[i * 16 + k * 5] = 1;
        binds[i * 16 + 13] = -joint_height(b, i);
        ct_string_builder_addf(&t->skins, "%s%u", i ? "," : "", i + 1);
    }
    ct_string_builder_add(&t->skins, "]}],");
    model_file_accessor(&m, binds, 64 * b->num_joints, 5126, "MAT4", b->num_joints);
    ct_free(test_heap(), binds);
    for (uint32_t set = 0; set < (b->num_influences + 3) / 4; ++set)
        add_influences(&m, b, set);
    model_file_primitive(&m, b->num_influences > 4
                                 ? "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":3,\"WEIGHTS_0\":4,"
                                   "\"JOINTS_1\":5,\"WEIGHTS_1\":6},\"indices\":1"
                                 : "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":3,\"WEIGHTS_0\":4},"
                                   "\"indices\":1");
    m.nodes = nodes_of(b, &t->nodes);
    ct_string_builder_add(&t->roots, "[0");
    for (uint32_t i = 0; i < b->num_joints; ++i)
        ct_string_builder_addf(&t->roots, ",%u", i + 1);
    ct_string_builder_addf(&t->roots, "%s]", b->roots ? b->roots : "");
    m.roots = ct_string_builder_text(&t->roots);
    m.more = ct_string_builder_text(&t->skins);
    return m;
}

static const ct_mesh_resource *bar_blob(compile_case *t, const bar *b, const char *settings) {
    bar_texts texts;
    model_file m = bar_file(b, &texts);
    const ct_mesh_resource *const r = mesh_case_blob(t, &m, settings);
    free_texts(&texts);
    return r;
}

static void refuses(compile_case *t, const bar *b, const char *settings, uint32_t line,
                    const char *text) {
    bar_texts texts;
    model_file m = bar_file(b, &texts);
    mesh_case_expect(t, &m, settings, line, text);
    free_texts(&texts);
}

static void warns(const compile_case *t, const char *text) {
    for (uint32_t i = 0; i < t->answer.warnings.count; ++i) {
        if (strstr(t->answer.warnings.items[i].message, text))
            return;
    }
    fail_msg("no warning with \"%s\"", text);
}

static ct_mesh_skin_joint joint_of(const ct_mesh_resource *r, uint32_t i) {
    uint32_t count;
    const ct_mesh_skin_joint *const joints = ct_mesh_skin_joints(r, &count);
    assert_true(i < count);
    return joints[i];
}

// A point of the mesh in the space of a joint.
static void bind(const ct_mesh_skin_joint *joint, const float p[3], float bound[3]) {
    for (uint32_t row = 0; row < 3; ++row) {
        const float *const m = joint->inverse_bind[row];
        bound[row] = m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3];
    }
}

// --- What is stored ------------------------------------------------------------------------------

static void stores_joints_by_name_in_our_axes(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const bar b = make_bar(4);
    const ct_mesh_resource *const r = bar_blob(&t, &b, "scale = 3");
    assert_int_equal(r->skin_joints.count, BAR_JOINTS);
    // Whatever the node's transform is: the file's y is our z.
    assert_true(r->bounds_min[2] == 0 && fabsf(r->bounds_max[2] - 6) < 1e-3f);
    assert_true(fabsf(r->bounds_max[0] - 0.75f) < 1e-3f);
    for (uint32_t i = 0; i < BAR_JOINTS; ++i) {
        const ct_mesh_skin_joint joint = joint_of(r, i);
        char name[16];
        snprintf(name, sizeof(name), "j%u", i);
        assert_string_equal(ct_blob_at(r, joint.name_text.offset), name);
        assert_int_equal(joint.name.value, ct_string_id32_of(name).value);
        const float at[3] = {0.5f, 0.25f, 3 * joint_height(&b, i)};
        float bound[3];
        bind(&joint, at, bound);
        assert_true(fabsf(bound[0] - 0.5f) < 1e-4f && fabsf(bound[1] - 0.25f) < 1e-4f);
        assert_true(fabsf(bound[2]) < 1e-4f);
    }
    compile_case_free(&t);
}

// The heaviest joints of the vertex at this height, by the bar's own weights.
static void check_vertex(const ct_mesh_resource *r, const bar *b, uint32_t i, uint32_t most) {
    float p[3], sum = 0;
    ct_mesh_position_at(r, i, p);
    const uint32_t vertex = 2 * (uint32_t)lrintf(p[2] * (BAR_ROWS - 1) / 2);
    const ct_mesh_influences8 all = ct_mesh_influences_at(r, i);
    float kept[8], heaviest[8];
    memcpy(heaviest, b->weights[vertex], sizeof(heaviest));
    for (uint32_t k = 0; k < most; ++k) {
        uint32_t best = 0;
        for (uint32_t n = 1; n < 8; ++n)
            best = heaviest[n] > heaviest[best] ? n : best;
        kept[k] = heaviest[best];
        heaviest[best] = -1;
        sum += kept[k];
    }
    uint32_t total = 0;
    for (uint32_t k = 0; k < 8; ++k) {
        const float expected = k < most ? kept[k] / sum * 255 : 0;
        assert_true(fabsf((float)all.weights[k] - expected) <= 1);
        assert_true(k == 0 || all.weights[k] <= all.weights[k - 1]);
        total += all.weights[k];
    }
    assert_int_equal(total, 255);
}

static void keeps_the_heaviest_of_4_or_8(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const bar b = make_bar(8);
    const ct_mesh_resource *r = bar_blob(&t, &b, "");
    assert_int_equal(r->num_influences, 4);
    for (uint32_t i = 0; i < r->num_vertices; ++i)
        check_vertex(r, &b, i, 4);
    r = bar_blob(&t, &b, "max_influences = 8");
    assert_int_equal(r->num_influences, 8);
    for (uint32_t i = 0; i < r->num_vertices; ++i)
        check_vertex(r, &b, i, 8);
    assert_int_equal(t.answer.warnings.count, 0);
    // What has no more than four is not stored as eight.
    const bar four = make_bar(4);
    assert_int_equal(bar_blob(&t, &four, "max_influences = 8")->num_influences, 4);
    compile_case_free(&t);
}

static void spheres_of_joints_hold_what_they_move(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const bar b = make_bar(8);
    const ct_mesh_resource *const r = bar_blob(&t, &b, "max_influences = 8");
    float reached[BAR_JOINTS] = {0};
    for (uint32_t i = 0; i < r->num_vertices; ++i) {
        const ct_mesh_influences8 all = ct_mesh_influences_at(r, i);
        for (uint32_t k = 0; k < 8 && all.weights[k]; ++k) {
            const ct_mesh_skin_joint joint = joint_of(r, all.joints[k]);
            float p[3], bound[3], distance = 0;
            ct_mesh_position_at(r, i, p);
            bind(&joint, p, bound);
            for (uint32_t axis = 0; axis < 3; ++axis)
                distance = hypotf(distance, bound[axis] - joint.center[axis]);
            assert_true(distance <= joint.radius * 1.00001f);
            reached[all.joints[k]] = fmaxf(reached[all.joints[k]], distance);
        }
    }
    for (uint32_t i = 0; i < BAR_JOINTS; ++i) // no larger than it must be
        assert_true(fabsf(reached[i] - joint_of(r, i).radius) < 1e-4f);
    compile_case_free(&t);
}

static void leaves_out_joints_that_move_nothing(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    bar b = make_bar(4);
    for (uint32_t i = 0; i < BAR_VERTICES; ++i) {
        const uint16_t joints[4] = {8, 3, 8, 5};
        const float weights[4] = {0.25f, 0.5f, 0.25f, 0};
        memcpy(b.joints[i], joints, sizeof(joints));
        memcpy(b.weights[i], weights, sizeof(weights));
    }
    const ct_mesh_resource *const r = bar_blob(&t, &b, "");
    assert_int_equal(r->skin_joints.count, 2);
    assert_string_equal(ct_blob_at(r, joint_of(r, 0).name_text.offset), "j3");
    assert_string_equal(ct_blob_at(r, joint_of(r, 1).name_text.offset), "j8");
    const ct_mesh_influences8 all = ct_mesh_influences_at(r, 0);
    // Joint 8 is named twice: its weights add up to as much as those of joint 3.
    assert_true(all.weights[0] == 128 && all.weights[1] == 127 && all.weights[2] == 0);
    compile_case_free(&t);
}

static void levels_of_detail_keep_their_influences(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const bar b = make_bar(4);
    const ct_mesh_resource *const r =
        bar_blob(&t, &b, "lods = [ { ratio = 0.2 max_error = 0.5 } ]");
    assert_int_equal(r->lods.count, 1);
    assert_int_equal(r->influences.count, r->num_vertices);
    for (uint32_t i = 0; i < r->num_vertices; ++i)
        check_vertex(r, &b, i, 4);
    compile_case_free(&t);
}

// Two rows in one place: they are one unless they follow different joints.
static void does_not_join_vertices_of_other_joints(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    bar b = make_bar(4);
    b.is_doubled = true;
    assert_int_equal(bar_blob(&t, &b, "")->num_vertices, BAR_VERTICES);
    for (uint32_t i = 22; i < 24; ++i) {
        memcpy(b.joints[i], b.joints[i - 2], sizeof(b.joints[i]));
        memcpy(b.weights[i], b.weights[i - 2], sizeof(b.weights[i]));
    }
    assert_int_equal(bar_blob(&t, &b, "")->num_vertices, BAR_VERTICES - 2);
    compile_case_free(&t);
}

// --- Nodes without a skin ------------------------------------------------------------------------

static void meshes_without_a_skin_follow_their_node(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    bar b = make_bar(4);
    // The same mesh, without the skin, at a place of its own.
    b.nodes = ",{\"name\":\"flag\",\"mesh\":0,\"translation\":[5,0,0],\"scale\":[2,2,2]}";
    b.roots = ",11";
    const ct_mesh_resource *const r = bar_blob(&t, &b, "");
    assert_int_equal(r->skin_joints.count, BAR_JOINTS + 1);
    const ct_mesh_skin_joint flag = joint_of(r, BAR_JOINTS);
    assert_string_equal(ct_blob_at(r, flag.name_text.offset), "flag");
    uint32_t num_flag = 0;
    for (uint32_t i = 0; i < r->num_vertices; ++i) {
        const ct_mesh_influences8 all = ct_mesh_influences_at(r, i);
        float p[3], bound[3];
        ct_mesh_position_at(r, i, p);
        if (all.joints[0] != BAR_JOINTS)
            continue;
        ++num_flag;
        assert_int_equal(all.weights[0], 255);
        bind(&flag, p, bound);
        assert_true(fabsf(bound[0] - (p[0] - 5) / 2) < 1e-3f && fabsf(bound[2] - p[2] / 2) < 1e-3f);
    }
    assert_int_equal(num_flag, BAR_VERTICES);
    compile_case_free(&t);
}

// --- Bad input -----------------------------------------------------------------------------------

static void scales_weights_that_do_not_add_up(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    bar b = make_bar(4);
    for (uint32_t i = 0; i < BAR_VERTICES; ++i)
        for (uint32_t k = 0; k < 4; ++k)
            b.weights[i][k] *= i == 4 ? 1e-30f : 3;
    const bar sound = make_bar(4);
    const ct_mesh_resource *const r = bar_blob(&t, &b, "");
    for (uint32_t i = 0; i < r->num_vertices; ++i)
        check_vertex(r, &sound, i, 4);
    warns(&t, "the weights of 42 vertices do not add up to 1");
    compile_case_free(&t);
}

static void vertices_without_weights_follow_the_first_joint(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    bar b = make_bar(4);
    for (uint32_t k = 0; k < 4; ++k)
        b.weights[0][k] = b.weights[1][k] = 0;
    const ct_mesh_resource *const r = bar_blob(&t, &b, "");
    warns(&t, "2 vertices have no weights; they follow joint \"j0\"");
    for (uint32_t i = 0; i < r->num_vertices; ++i) {
        float p[3];
        ct_mesh_position_at(r, i, p);
        const ct_mesh_influences8 all = ct_mesh_influences_at(r, i);
        assert_true(p[2] != 0 || (all.weights[0] == 255 && all.joints[0] == 0));
    }
    compile_case_free(&t);
}

static void refuses_what_is_no_weight_and_no_joint(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    bar b = make_bar(4);
    b.joints[7][1] = BAR_JOINTS;
    refuses(&t, &b, "", 1, "joint 10");
    b = make_bar(4);
    b.weights[7][1] = NAN;
    refuses(&t, &b, "", 1, "vertex 7 has a weight that is not a number");
    b.weights[7][1] = 3e38f;
    b.weights[7][2] = 3e38f;
    refuses(&t, &b, "", 1, "the weights of vertex 7 are too large");
    compile_case_free(&t);
}

static void refuses_more_joints_than_a_mesh_takes(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    bar b = {.num_joints = 300, .num_influences = 8};
    for (uint32_t i = 0; i < BAR_VERTICES; ++i)
        for (uint32_t k = 0; k < 8; ++k) {
            b.joints[i][k] = (uint16_t)((i * 8 + k) % 257);
            b.weights[i][k] = 0.125f;
        }
    refuses(&t, &b, "max_influences = 8", 1,
            "found 257 joints that move vertices; a mesh can have at most 256");
    for (uint32_t i = 0; i < BAR_VERTICES; ++i)
        for (uint32_t k = 0; k < 8; ++k)
            b.joints[i][k] = (uint16_t)((i * 8 + k) % 256);
    assert_int_equal(bar_blob(&t, &b, "max_influences = 8")->skin_joints.count, 256);
    compile_case_free(&t);
}

static void refuses_other_numbers_of_influences(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const bar b = make_bar(4);
    refuses(&t, &b, "max_influences = 6", 2, "max_influences: found 6, expected 4 or 8");
    refuses(&t, &b, "max_influences = 16", 2, "max_influences");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_joints_by_name_in_our_axes),
        cmocka_unit_test(keeps_the_heaviest_of_4_or_8),
        cmocka_unit_test(spheres_of_joints_hold_what_they_move),
        cmocka_unit_test(leaves_out_joints_that_move_nothing),
        cmocka_unit_test(levels_of_detail_keep_their_influences),
        cmocka_unit_test(does_not_join_vertices_of_other_joints),
        cmocka_unit_test(meshes_without_a_skin_follow_their_node),
        cmocka_unit_test(scales_weights_that_do_not_add_up),
        cmocka_unit_test(vertices_without_weights_follow_the_first_joint),
        cmocka_unit_test(refuses_what_is_no_weight_and_no_joint),
        cmocka_unit_test(refuses_more_joints_than_a_mesh_takes),
        cmocka_unit_test(refuses_other_numbers_of_influences),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
