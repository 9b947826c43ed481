// The reader of BVH files: joints, channels in any order, rows of numbers, and what is wrong where.
//
// The mesh type of this program is another than the compiler's: it reads the scene of `run.bvh`,
// and prints it. The table below takes the place of the one in the library.
#include "compiler/compile_case.h"
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/model/worker_model_files.h"
#include "compiler/types/model/worker_scene.h"
#include "foundation/os/file.h"
#include "foundation/string/string_builder.h"

static ct_string_builder printed; // of the last scene, its errors included
static ct_mesh_up_axis up_axis;

// As many as a joint has in the tests.
enum { NUM_PRINTED_KEYS = 4 };

// Turns by 90 degrees leave numbers near 0.
static double without_noise(float value) {
    return value > -1e-6f && value < 1e-6f ? 0 : (double)value;
}

static void print_channel(const ct_worker_scene *scene, const ct_worker_channel *channel) {
    static const char *const kinds[] = {"position", "rotation", "scale"};
    const uint32_t step = channel->kind == CT_WORKER_CHANNEL_ROTATION ? 4 : 3;
    assert_int_equal(channel->interpolation, CT_WORKER_INTERPOLATION_LINEAR);
    ct_string_builder_addf(&printed, " %s of %s, %u:", kinds[channel->kind],
                           scene->nodes.items[channel->node].name, channel->num_keys);
    for (uint32_t i = 0; i < channel->num_keys && i < NUM_PRINTED_KEYS; ++i) {
        ct_string_builder_addf(&printed, " [%.4g]", (double)channel->times[i]);
        for (uint32_t k = 0; k < step; ++k)
            ct_string_builder_addf(&printed, "%s%.5g", k ? "," : "",
                                   without_noise(channel->values[i * step + k]));
    }
    ct_string_builder_add(&printed, "\n");
}

static void print_scene(const ct_worker_scene *scene) {
    for (uint32_t i = 0; i < scene->nodes.count; ++i) {
        const ct_worker_scene_node *const node = &scene->nodes.items[i];
        const char *const parent =
            node->parent == CT_WORKER_SCENE_NO_NODE ? "" : scene->nodes.items[node->parent].name;
        ct_string_builder_addf(&printed, "\"%s\" in \"%s\" at %g,%g,%g\n", node->name, parent,
                               (double)node->local.rows[0][3] + 0.0,
                               (double)node->local.rows[1][3] + 0.0,
                               (double)node->local.rows[2][3] + 0.0);
    }
    for (uint32_t i = 0; i < scene->clips.count; ++i) {
        const ct_worker_clip *const clip = &scene->clips.items[i];
        ct_string_builder_addf(&printed, "clip \"%s\" %g to %.6g, %u channels\n", clip->name,
                               (double)clip->start, (double)clip->end, clip->num_channels);
        for (uint32_t k = 0; k < clip->num_channels; ++k)
            print_channel(scene, &scene->channels.items[clip->first_channel + k]);
    }
    for (uint32_t i = 0; i < scene->warnings.count; ++i)
        ct_string_builder_addf(&printed, "warning: %s\n", scene->warnings.items[i]);
}

static bool read_scene(ct_compile *c) {
    ct_worker_model_files files;
    const ct_sjson_value at = ct_sjson_find(c->doc, ct_sjson_root(c->doc), "source");
    ct_worker_model_files_init(&files, c, at, false);
    ct_worker_scene scene;
    if (!ct_worker_scene_open(c, &files, "run.bvh", up_axis, at, &scene))
        return false;
    print_scene(&scene);
    return true;
}

static const ct_compiler_type bvh_type = {.name = "mesh", .version = 1, .function = read_scene};

const ct_compiler_type *ct_compiler_types(uint32_t *count) {
    *count = 1;
    return &bvh_type;
}

const ct_compiler_type *ct_compiler_type_named(const char *name) {
    return strcmp(name, bvh_type.name) == 0 ? &bvh_type : NULL;
}

// Reads run.bvh of these bytes, with Z up so that numbers stay. The text is good until the next.
static const char *read_bytes(const char *bytes, uint64_t size) {
    compile_case t = compile_case_make();
    compile_case_file(&t, "run.bvh", bytes, size);
    compile_case_text(&t, "a.mesh", "source = \"run.bvh\"");
    ct_string_builder_free(&printed);
    ct_string_builder_init(&printed, test_heap());
    compile_case_run(&t, "mesh", "a");
    for (uint32_t i = 0; i < t.answer.errors.count; ++i) {
        const ct_compile_fault *const e = &t.answer.errors.items[i];
        ct_string_builder_addf(&printed, "error: %s:%u:%u: %s\n", e->file, e->line, e->column,
                               e->message);
    }
    compile_case_free(&t);
    return ct_string_builder_text(&printed);
}

static void expect(const char *bvh, const char *part) {
    const char *const text = read_bytes(bvh, strlen(bvh));
    if (!strstr(text, part))
        fail_msg("expected\n%s\nin\n%s", part, text);
}

static void expect_all(const char *bvh, const char *whole) {
    assert_string_equal(read_bytes(bvh, strlen(bvh)), whole);
}

static int prepare(void **state) {
    (void)state;
    up_axis = CT_MESH_UP_AXIS_Z;
    return 0;
}

static int free_printed(void **state) {
    ct_string_builder_free(&printed);
    return test_group_teardown(state);
}

// --- What is read --------------------------------------------------------------------------------

#define ROOT "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 1 0\n"
#define MOTION "MOTION\nFrames: 2\nFrame Time: 0.5\n"

static void reads_joints_and_rows(void **state) {
    (void)state;
    expect_all(ROOT "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                    "\tJOINT mixamorig:Left Arm\n\t{\n\t\tOFFSET 1 2 3\n"
                    "\t\tCHANNELS 1 Xrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 4 0\n\t\t}\n"
                    "\t}\n\tJOINT Still\n\t{\n\t\tOFFSET 5 0 0\n\t}\n}\n" MOTION
                    "7 8 9 90 0 0 -90\n10 11 12 0 0 180 450\n",
               "\"Hips\" in \"\" at 0,1,0\n"
               "\"mixamorig:Left Arm\" in \"Hips\" at 1,2,3\n"
               "\"Still\" in \"Hips\" at 5,0,0\n"
               "clip \"run\" 0 to 0.5, 3 channels\n"
               " position of Hips, 2: [0]7,8,9 [0.5]10,11,12\n"
               " rotation of Hips, 2: [0]0,0,0.70711,0.70711 [0.5]0,1,0,0\n"
               " rotation of mixamorig:Left Arm, 2: [0]-0.70711,0,0,0.70711 "
               "[0.5]-0.70711,0,0,-0.70711\n");
}

// The first channel turns last: Z of X of the point.
static void turns_in_the_order_of_channels(void **state) {
    (void)state;
    expect(ROOT "CHANNELS 2 Zrotation Xrotation } " MOTION "90 90 0 0", "[0]0.5,0.5,0.5,0.5");
    expect(ROOT "CHANNELS 2 Xrotation Zrotation } " MOTION "90 90 0 0", "[0]0.5,-0.5,0.5,0.5");
    expect(ROOT "CHANNELS 3 Yrotation Xrotation Zrotation } " MOTION "90 90 90 0 0 0",
           "[0]0.70711,0,0,0.70711");
}

// A position channel replaces its part of the offset.
static void keeps_the_offset_where_no_channel_is(void **state) {
    (void)state;
    expect(ROOT "CHANNELS 2 Zposition Xposition } " MOTION "7 8 9 10",
           " position of Hips, 2: [0]8,1,7 [0.5]10,1,9\n");
}

static void reads_what_programs_write(void **state) {
    (void)state;
    const char *const whole = "\"Hips\" in \"\" at 0,1,0\nclip \"run\" 0 to 0.5, 1 channels\n"
                              " rotation of Hips, 2: [0]0,0,0,1 [0.5]1,0,0,0\n";
    expect_all("HIERARCHY\r\nROOT Hips\r\n{\r\n  OFFSET 0 1.0 0\r\n  CHANNELS 1 Xrotation\r\n}\r\n"
               "MOTION\r\nFrames: 2\r\nFrame Time: .5\r\n0\r\n1.8e2\r\n",
               whole);
    expect_all("\xef\xbb\xbfhierarchy root Hips{offset 0 1 0\tchannels 1 XROTATION}\r\r"
               "motion frames:2 frame time:0.5\r0\r180",
               whole);
    expect_all("HIERARCHY ROOT Hips { CHANNELS 1 Xrotation OFFSET 0 1 0 } " MOTION "\n\n0 180\n\n",
               whole);
    expect("HIERARCHY ROOT A { OFFSET 0 0 0 } ROOT B { OFFSET 1 0 0 CHANNELS 1 Xrotation } " MOTION
           "0 0",
           "\"A\" in \"\" at 0,0,0\n\"B\" in \"\" at 1,0,0\n");
    expect("HIERARCHY ROOT A { OFFSET 0 0 0 CHANNELS 0 JOINT B { OFFSET 1 0 0 CHANNELS 1 "
           "Xrotation } } " MOTION "0 180",
           ", 1 channels\n rotation of B, 2: [0]0,0,0,1");
    expect(ROOT "CHANNELS 1 Xrotation }\nMOTION Frames: 1 Frame Time: 0.5 0\n1\n",
           "clip \"run\" 0 to 0, 1 channels\n rotation of Hips, 1: [0]0,0,0,1\n"
           "warning: line 7: what follows the last of 1 frames is left out\n");
}

// Y is up, as in glTF, unless the source says else.
static void turns_y_up_to_z_up(void **state) {
    (void)state;
    up_axis = CT_MESH_UP_AXIS_FILE;
    expect(ROOT "CHANNELS 1 Xrotation }\n" MOTION "0 0", "\"Hips\" in \"\" at 0,0,1\n");
}

static void reads_recorded_motion(void **state) {
    (void)state;
    static const struct {
        const char *path, *part;
    } files[] = {
        {"01_01.bvh", "clip \"run\" 0 to 22.9249, 32 channels\n position of Hips, 2752: "
                      "[0]9.3722,17.869,-17.32 [0.008333]9.3722,17.869,-17.32"},
        {"01_03.bvh", "clip \"run\" 0 to "},
        // It has a row more than it says.
        {"Boxing_Toes.bvh", "line 3199: what follows the last of 3069 frames is left out\n"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(files); ++i) {
        char path[256];
        ct_error error = {0};
        uint64_t size = 0;
        snprintf(path, sizeof(path), "/usr/share/assimp/models/BVH/%s", files[i].path);
        char *const bytes = ct_file_read(test_heap(), path, &size, &error);
        assert_non_null(bytes);
        const char *const text = read_bytes(bytes, size);
        if (!strstr(text, files[i].part) || strstr(text, "error"))
            fail_msg("expected\n%s\nin\n%s", files[i].part, text);
        ct_free(test_heap(), bytes);
    }
}

// --- What is wrong -------------------------------------------------------------------------------

static void refuses_broken_trees(void **state) {
    (void)state;
    expect("", "error: run.bvh:1:1: found the end of the file; expected \"HIERARCHY\"");
    expect("{}", "error: run.bvh:1:1: found \"{\"; expected \"HIERARCHY\"");
    expect("HIERARCHY\n MOTION", "error: run.bvh:2:2: found \"MOTION\"; expected ROOT");
    expect("HIERARCHY ROOT {", ":1:16: found no name; expected the joint's name here");
    expect("HIERARCHY ROOT A OFFSET\n(", ":2:1: found \"(\"; expected \"{\"");
    expect("HIERARCHY\r\nROOT A {\r\n OFFSET 1 2\r\n}",
           ":4:1: found \"}\"; expected a number of OFFSET, which has x, y and z");
    expect(ROOT "CHANNELS 1 Xscale", ":5:12: found \"Xscale\"; expected a channel: Xposition, ");
    expect(ROOT "CHANNELS 2 Xrotation Xrotation",
           ":5:22: found a second Xrotation of joint \"Hips\"; expected one");
    expect(ROOT "CHANNELS 7 Xrotation",
           ":5:10: found \"7\"; expected the number of channels, from 0 to 6");
    expect(ROOT "CHANNELS -1", ":5:10: found \"-1\"; expected the number of channels, ");
    expect(ROOT "CHANNELS 0 CHANNELS 0", ":5:12: joint \"Hips\" has a second CHANNELS");
    expect(ROOT "OFFSET", ":5:1: joint \"Hips\" has a second OFFSET; expected one");
    expect(ROOT "ROOT",
           ":5:1: found \"ROOT\"; expected OFFSET, CHANNELS, JOINT, \"End Site\" or }");
    expect(ROOT "End Sight", ":5:5: found \"Sight\"; expected \"Site\"");
    expect("HIERARCHY ROOT A { }",
           ":1:20: joint \"A\" has no OFFSET; expected one in front of its");
    expect(ROOT, ":5:1: found the end of the file; expected OFFSET, CHANNELS, ");
    expect(ROOT "} }", ":5:3: found \"}\"; expected MOTION or ROOT");
    expect(ROOT "} MOTION", ":5:3: no joint has CHANNELS; expected them in a joint");
}

static void refuses_broken_rows(void **state) {
    (void)state;
#define ONE ROOT "CHANNELS 2 Xrotation Yrotation }\nMOTION\n"
    expect(ONE "Frame", ":7:1: found \"Frame\"; expected \"Frames:\"");
    expect(ONE "Frames: 0", ":7:9: found \"0\"; expected the number of frames, from 1 to 1048576");
    expect(ONE "Frames: 1048577", ":7:9: found \"1048577\"; expected the number of frames, ");
    expect(ONE "Frames: 99999999999999999999", "expected the number of frames, ");
    expect(ONE "Frames: 1.5", ":7:9: found \"1.5\"; expected the number of frames, ");
    expect(ONE "Frames: 1\nFrame Time: nan", ":8:13: found \"nan\"; expected the seconds of a fr");
    expect(ONE "Frames: 1\nFrame Time: 0\n", ":8:13: found a frame time of 0 seconds; expected ");
    expect(ONE "Frames: 1\nFrame Time: -1\n", ":8:13: found a frame time of -1 seconds");
    expect(ONE "Frames: 2\nFrame Time: 1\n1 2\n3 nan\n",
           ":10:3: found \"nan\"; expected number 2 of the 2 of frame 2 (of 2)");
    expect(ONE "Frames: 2\nFrame Time: 1\n1 2\n3 1e400 5",
           ":10:3: found \"1e400\"; expected number 2 of the 2 of frame 2 (of 2)");
    expect(ONE "Frames: 2\nFrame Time: 1\n1 2\n3.000000",
           ":10:9: found the end of the file; expected number 2 of the 2 of frame 2 (of 2)");
    expect(ONE "Frames: 2\nFrame Time: 1\n1 2#\n3 4", ":9:3: found \"2#\"; expected number 2");
    expect(ONE "Frames: 1000000\nFrame Time: 1\n1 2\n",
           ":8:14: found 1000000 frames of 2 numbers, but the rest of the file is too short");
}

static void refuses_deep_and_large_trees(void **state) {
    (void)state;
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_string_builder_add(&text, "HIERARCHY\nROOT a { OFFSET 0 0 0\n");
    for (uint32_t i = 0; i < CT_WORKER_SCENE_MAX_DEPTH + 1; ++i)
        ct_string_builder_add(&text, "JOINT a { OFFSET 0 0 0\n");
    expect(ct_string_builder_text(&text), ":259:1: joints are nested more than 256 deep");
    ct_string_builder_free(&text);
    ct_string_builder_init(&text, test_heap());
    ct_string_builder_add(&text, "HIERARCHY\nROOT a { OFFSET 0 0 0\n");
    for (uint32_t i = 0; i < CT_WORKER_SCENE_MAX_NODES; ++i)
        ct_string_builder_add(&text, "JOINT a { OFFSET 0 0 0 }\n");
    expect(ct_string_builder_text(&text),
           ":65538:1: found too many joints; expected at most 65536");
    ct_string_builder_free(&text);
}

static void refuses_other_bytes(void **state) {
    (void)state;
    static const char zero[] = "HIERARCHY\n\0 ROOT";
    static const char utf16[] = "\xff\xfeH\0I\0";
    assert_non_null(strstr(read_bytes(zero, sizeof(zero) - 1), ":2:1: found a zero byte"));
    assert_non_null(strstr(read_bytes(utf16, sizeof(utf16) - 1), ":1:1: the text is UTF-16"));
    expect("\xff\x80\x01", "error: run.bvh:1:1: found ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(reads_joints_and_rows, prepare),
        cmocka_unit_test_setup(turns_in_the_order_of_channels, prepare),
        cmocka_unit_test_setup(keeps_the_offset_where_no_channel_is, prepare),
        cmocka_unit_test_setup(reads_what_programs_write, prepare),
        cmocka_unit_test_setup(turns_y_up_to_z_up, prepare),
        cmocka_unit_test_setup(reads_recorded_motion, prepare),
        cmocka_unit_test_setup(refuses_broken_trees, prepare),
        cmocka_unit_test_setup(refuses_broken_rows, prepare),
        cmocka_unit_test_setup(refuses_deep_and_large_trees, prepare),
        cmocka_unit_test_setup(refuses_other_bytes, prepare),
    };
    return cmocka_run_group_tests(tests, test_group_setup, free_printed);
}
