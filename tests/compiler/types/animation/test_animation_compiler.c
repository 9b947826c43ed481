// Clips of glTF files: interpolations by the specification's formulas, axes, root motion, events,
// curves, and what is wrong where.
#include <math.h>

#include "animation/clip/clip_player.h"
#include "compiler/compile_case.h"
#include "foundation/string/string_builder.h"

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libassimp.so\n";
}

// A file of two nodes, "hip" and below it "leg", at most 4 keys, and one channel.
typedef struct clip_file {
    const char *path, *interpolation, *node; // of the channel; node: a number
    float times[4];
    uint32_t num_keys;
    float values[48];
    uint32_t size; // of a value
} clip_file;

static compile_case save(const clip_file *f, const char *source) {
    compile_case t = compile_case_make();
    const bool is_cubic = strcmp(f->interpolation, "CUBICSPLINE") == 0;
    const uint32_t num_values = f->num_keys * (is_cubic ? 3 : 1);
    float bytes[4 + 48] = {0};
    memcpy(bytes, f->times, sizeof(f->times));
    memcpy(bytes + 4, f->values, sizeof(f->values));
    compile_case_file(&t, "a.bin", bytes, sizeof(bytes));
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    ct_string_builder_addf(
        &b,
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"hip\",\"children\":[1]},"
        "{\"name\":\"leg\",\"translation\":[1,0,0]}],"
        "\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":%zu}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%u,\"type\":\"SCALAR\"},"
        "{\"bufferView\":0,\"byteOffset\":16,\"componentType\":5126,\"count\":%u,\"type\":"
        "\"VEC%u\"}],"
        "\"animations\":[{\"name\":\"go\",\"samplers\":[{\"input\":0,\"output\":1,"
        "\"interpolation\":\"%s\"}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":%s,"
        "\"path\":\"%s\"}}]}]}",
        sizeof(bytes), sizeof(bytes), f->num_keys, num_values, f->size, f->interpolation, f->node,
        f->path);
    compile_case_text(&t, "a.gltf", ct_string_builder_text(&b));
    ct_string_builder_free(&b);
    compile_case_text(&t, "a.skeleton",
                      "joints = [{ name = \"hip\" } { name = \"leg\" parent = \"hip\" }]\n");
    ct_string_builder_init(&b, test_heap());
    ct_string_builder_addf(&b, "source = \"a.gltf\"\nskeleton = \"a\"\ntolerance = 0.0001\n%s",
                           source);
    compile_case_text(&t, "a.animation", ct_string_builder_text(&b));
    ct_string_builder_free(&b);
    return t;
}

static ct_joint_pose pose_at(const ct_animation_resource *clip, float time, uint32_t joint) {
    _Alignas(16) static char bytes[1 << 16];
    assert_true(ct_clip_player_bytes(clip) <= sizeof(bytes));
    ct_clip_player *const p = (ct_clip_player *)(void *)bytes;
    ct_pose_group rest[1], pose[1];
    ct_pose_identity(rest, 1);
    ct_clip_player_init(p, clip);
    ct_clip_player_move(p, time);
    ct_clip_player_pose(p, rest, pose);
    return ct_pose_joint(pose, joint);
}

static void expect_position(const ct_animation_resource *clip, float time, uint32_t joint, float x,
                            float y, float z) {
    const ct_vec3 p = pose_at(clip, time, joint).position;
    if (fabsf(p.x - x) + fabsf(p.y - y) + fabsf(p.z - z) > 6e-4f)
        fail_msg("at %g: found (%g %g %g), expected (%g %g %g)", (double)time, (double)p.x,
                 (double)p.y, (double)p.z, (double)x, (double)y, (double)z);
}

// (x, y, z) of the file is (x, -z, y) here.
static void interpolates_linearly(void **state) {
    (void)state;
    const clip_file f = {
        "translation", "LINEAR", "0", {0, 1, 2}, 3, {0, 0, 0, 3, 0, 0, 3, 6, 9}, 3};
    compile_case t = save(&f, "");
    const ct_animation_resource *const clip = compile_case_blob(&t, "animation", "a");
    assert_int_equal(clip->num_frames, 60);
    assert_float_equal(clip->rate, 30, 0);
    expect_position(clip, 0.5f, 0, 1.5f, 0, 0);
    expect_position(clip, 1.5f, 0, 3, -4.5f, 3);
    expect_position(clip, 1.5f, 1, 1, 0, 0); // its place in the file, not the skeleton's
    compile_case_free(&t);
}

static void holds_steps(void **state) {
    (void)state;
    const clip_file f = {"translation", "STEP", "1", {0, 1, 2}, 3, {1, 0, 0, 2, 0, 0, 5, 0, 0}, 3};
    compile_case t = save(&f, "");
    const ct_animation_resource *const clip = compile_case_blob(&t, "animation", "a");
    expect_position(clip, 29 / 30.0f, 1, 1, 0, 0);
    expect_position(clip, 1, 1, 2, 0, 0);
    expect_position(clip, 59 / 30.0f, 1, 2, 0, 0);
    expect_position(clip, 2, 1, 5, 0, 0);
    compile_case_free(&t);
}

static void follows_cubic_splines(void **state) {
    (void)state;
    // In-tangent, value, out-tangent; two seconds from key to key.
    const clip_file f = {"translation",
                         "CUBICSPLINE",
                         "0",
                         {0, 2},
                         2,
                         {9, 9, 9, 1, 0, 0, 2, 0, 0, -1, 0, 0, 3, 0, 0, 9, 9, 9},
                         3};
    compile_case t = save(&f, "");
    const ct_animation_resource *const clip = compile_case_blob(&t, "animation", "a");
    for (int i = 0; i <= 20; ++i) {
        const double s = i / 20.0, s2 = s * s, s3 = s2 * s;
        const double x = (2 * s3 - 3 * s2 + 1) * 1 + 2 * (s3 - 2 * s2 + s) * 2 +
                         (3 * s2 - 2 * s3) * 3 + 2 * (s3 - s2) * -1;
        expect_position(clip, (float)(2 * s), 0, (float)x, 0, 0);
    }
    compile_case_free(&t);
}

static void turns_along_the_shorter_arc(void **state) {
    (void)state;
    // From 0 to 90 degrees about the file's y, which is z here; the second with the other sign.
    const clip_file f = {
        "rotation", "LINEAR", "0", {0, 1}, 2, {0, 0, 0, 1, 0, -0.70710678f, 0, -0.70710678f}, 4};
    compile_case t = save(&f, "");
    const ct_animation_resource *const clip = compile_case_blob(&t, "animation", "a");
    const ct_quat q = pose_at(clip, 1 / 3.0f, 0).rotation; // 30 degrees
    assert_float_equal(fabsf(q.z), sinf(0.261799f), 2e-3f);
    assert_true(q.z * q.w > 0);
    compile_case_free(&t);
}

static void takes_root_motion_out(void **state) {
    (void)state;
    const clip_file f = {"translation", "LINEAR", "0", {0, 1}, 2, {1, 2, 0, 4, 3, 0}, 3};
    compile_case t = save(&f, "root_motion = \"horizontal\"\nloops = true\n");
    const ct_animation_resource *const clip = compile_case_blob(&t, "animation", "a");
    assert_int_equal(clip->flags, CT_ANIMATION_HAS_ROOT | CT_ANIMATION_LOOPS);
    const ct_animation_root_pose end = ct_animation_root_at(clip, 1);
    assert_float_equal(end.position[0], 3, 1e-3f);
    assert_float_equal(end.position[2], 0, 1e-6f);
    expect_position(clip, 1, 0, 1, 0, 3); // stays where it started, and rises
    compile_case_free(&t);
}

static void sorts_events_and_samples_curves(void **state) {
    (void)state;
    const clip_file f = {"translation", "LINEAR", "0", {0, 1}, 2, {0, 0, 0, 1, 0, 0}, 3};
    compile_case t =
        save(&f, "events = [{ id = \"a\" name = \"late\" time = 1 } { id = \"b\" name = \"early\" "
                 "time = 0.25 }]\n"
                 "curves = [{ id = \"c\" parameter = \"foot\" keys = [[0 2] [1 4]] }]\n");
    const ct_animation_resource *const clip = compile_case_blob(&t, "animation", "a");
    const ct_animation_event *const events = ct_blob_at(clip, clip->events.offset);
    assert_int_equal(clip->events.count, 2);
    assert_string_equal(ct_blob_at(clip, events[0].name_text.offset), "early");
    assert_float_equal(events[1].time, 1, 0);
    assert_int_equal(clip->curves.count, 1);
    compile_case_free(&t);
}

static void plays_a_clip_of_one_key(void **state) {
    (void)state;
    const clip_file f = {"translation", "LINEAR", "0", {3}, 1, {1, 0, 0}, 3};
    compile_case t = save(&f, "");
    const ct_animation_resource *const clip = compile_case_blob(&t, "animation", "a");
    assert_int_equal(clip->num_frames, 1);
    expect_position(clip, 1, 0, 1, 0, 0);
    compile_case_free(&t);
}

static void expect_fault(const clip_file *f, const char *source, uint32_t line,
                         const char *message) {
    compile_case t = save(f, source);
    compile_case_run(&t, "animation", "a");
    compile_case_expect(&t, "a.animation", line, message);
    compile_case_free(&t);
}

static void names_clip_node_and_key_of_bad_keys(void **state) {
    (void)state;
    clip_file f = {"translation", "LINEAR", "1", {0, 2, 1}, 3, {0}, 3};
    expect_fault(&f, "", 0, "clip \"go\", node \"leg\": key 2 is at 1 s, before the key before it");
    f.times[1] = NAN;
    expect_fault(&f, "", 0, "node \"leg\": key 1 has a time that is not a finite number");
    f.times[1] = 0.5f;
    f.values[4] = INFINITY;
    expect_fault(&f, "", 0, "node \"leg\": key 1 has a value that is not a finite number");
    const clip_file flat = {"rotation", "LINEAR", "0", {0, 1}, 2, {0, 0, 0, 1}, 4};
    expect_fault(&flat, "", 0, "node \"hip\": key 1 has a rotation of length 0; expected 1");
}

static void names_what_the_source_got_wrong(void **state) {
    (void)state;
    const clip_file f = {"translation", "LINEAR", "0", {0, 1}, 2, {0}, 3};
    expect_fault(&f, "clip = \"goo\"\n", 4, "a.gltf has no clip \"goo\"; did you mean \"go\"?");
    expect_fault(&f, "start = 2\n", 4, "start: found 2, but clip \"go\" has only 1 seconds");
    expect_fault(&f, "root_joint = \"hips\"\nroot_motion = \"all\"\n", 4,
                 "the skeleton has no joint \"hips\"; did you mean \"hip\"?");
    expect_fault(&f, "events = [{ id = \"a\" name = \"x\" time = 2 }]\n", 4,
                 "time: found 2, but the clip has only 1 seconds");
    expect_fault(&f, "curves = [{ id = \"a\" parameter = \"x\" keys = [[1 2] [0 1]] }]\n", 4,
                 "expected ascending times");
}

static void refuses_another_skeleton(void **state) {
    (void)state;
    const clip_file f = {"translation", "LINEAR", "0", {0, 1}, 2, {0}, 3};
    compile_case t = save(&f, "");
    compile_case_text(&t, "a.skeleton", "joints = [{ name = \"wheel\" }]\n");
    compile_case_run(&t, "animation", "a");
    compile_case_expect(&t, "a.animation", 2,
                        "no node that clip \"go\" of a.gltf moves is a joint of the skeleton");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interpolates_linearly),
        cmocka_unit_test(holds_steps),
        cmocka_unit_test(follows_cubic_splines),
        cmocka_unit_test(turns_along_the_shorter_arc),
        cmocka_unit_test(takes_root_motion_out),
        cmocka_unit_test(sorts_events_and_samples_curves),
        cmocka_unit_test(plays_a_clip_of_one_key),
        cmocka_unit_test(names_clip_node_and_key_of_bad_keys),
        cmocka_unit_test(names_what_the_source_got_wrong),
        cmocka_unit_test(refuses_another_skeleton),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
