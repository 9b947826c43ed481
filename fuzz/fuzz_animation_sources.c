// Sources of state machines, skeletons and clips: whatever text there is, the compiler makes a blob
// or says what is wrong with it. What it makes passes validation, and then plays: a state machine
// for some steps with events and values, without clips; a skeleton at rest; a clip forward and
// back.
//
// The first byte picks the type; then comes the text. The other sources that it may name are those
// of seeds, and a small BVH file. Inputs start as sources that use much of their formats.
#include <math.h>
#include <string.h>

#include "animation/clip/clip_player.h"
#include "animation/machine/state_machine.h"
#include "compiler/project_support.h"
#include "support/mutation.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

enum { MAX_CLIPS = 256, MAX_EVENTS = 8, NUM_STEPS = 6 };

static const char *folder;

// --- Where inputs start --------------------------------------------------------------------------

static const char machine[] =
    "0skeleton = \"s\"\n"
    "variables = [ { id = \"1\" name = \"speed\" default = 1 min = 0 max = 5 }\n"
    "  { id = \"2\" name = \"smile\" curve = { object = \"face\" parameter = \"smile\" } } ]\n"
    "masks = [ { id = \"1\" name = \"arm\" joints = [ { id = \"1\" joint = \"b\" weight = 0.5 }\n"
    "  { id = \"2\" joint = \"c\" weight = 0.25 } ] } ]\n"
    "layers = [\n"
    "  { id = \"1\" name = \"base\" start = \"idle\" states = [\n"
    "    { id = \"1\" type = \"clip\" name = \"idle\" animation = \"idle\" loop = false\n"
    "      enter_event = \"on\" }\n"
    "    { id = \"2\" type = \"blend_1d\" name = \"move\" x = \"speed\" speed = \"1 + speed / 2\"\n"
    "      points = [ { id = \"1\" animation = \"run\" value = 4 speed = 1.5 }\n"
    "                 { id = \"2\" animation = \"walk\" value = 1 } ] }\n"
    "    { id = \"3\" type = \"blend_2d\" name = \"strafe\" x = \"speed\" y = 0 points = [\n"
    "      { animation = \"idle\" x = 0 y = 0 } { animation = \"walk\" x = 1 y = 0 }\n"
    "      { animation = \"run\" x = 0 y = 1 } { animation = \"walk\" x = 1 y = 1 } ] }\n"
    "    { id = \"4\" type = \"tree\" name = \"breathe\" root = \"all\" nodes = [\n"
    "      { type = \"clip\" name = \"w\" animation = \"walk\" }\n"
    "      { type = \"clip\" name = \"r\" animation = \"run\" speed = 2 }\n"
    "      { type = \"lerp\" name = \"l\" a = \"w\" b = \"r\" by = \"speed / 5\" }\n"
    "      { type = \"clip\" name = \"b\" animation = \"breath\" sync = false }\n"
    "      { type = \"add\" name = \"all\" a = \"l\" b = \"b\" by = 0.5 } ] }\n"
    "  ] transitions = [\n"
    "    { from = \"any\" to = \"move\" event = \"go\" }\n"
    "    { from = \"idle\" to = \"strafe\" event = \"go\" sync = true curve = \"smooth\" }\n"
    "    { from = \"move\" to = \"breathe\" exit_time = 0.5 interruptible = false }\n"
    "    { from = \"any\" to = \"idle\" condition = \"speed == 0\" priority = 5 duration = 1 }\n"
    "    { from = \"idle\" to = \"move\" event = \"again\" exit_seconds = 2 offset = 0.5 }\n"
    "  ] }\n"
    "  { id = \"2\" name = \"arm\" mask = \"arm\" weight = 0.5 start = \"\"\n"
    "    states = [ { type = \"clip\" name = \"w\" animation = \"walk\" leave_event = \"off\" } ]\n"
    "    transitions = [ { from = \"\" to = \"w\" event = \"wave\" } ] }\n"
    "  { id = \"3\" name = \"lean\" additive = true start = \"\"\n"
    "    states = [ { type = \"tree\" name = \"t\" root = \"s\" nodes = [\n"
    "      { type = \"select\" name = \"s\" by = \"speed\" children = [ { id = \"1\" node = \"x\" "
    "} ] }\n"
    "      { type = \"clip\" name = \"x\" animation = \"breath\" } ] } ]\n"
    "    transitions = [ { from = \"\" to = \"t\" condition = \"speed > 2 and not smile\" } ] } "
    "]\n";

// As samples/crowd has it.
static const char rabbit[] =
    "0skeleton = \"s\"\n"
    "variables = [ { id = \"tempo\"  name = \"tempo\"  default = 1  min = 0.5  max = 2 } ]\n"
    "masks = [ { id = \"arm\"  name = \"arm\"  joints = [ { id = \"s\"  joint = \"b\" } ] } ]\n"
    "layers = [ { id = \"body\"  name = \"body\"  start = \"idle\"\n"
    "  states = [\n"
    "    { id = \"idle\"  type = \"clip\"  name = \"idle\"  animation = \"idle\"  speed = "
    "\"tempo\" }\n"
    "    { id = \"walk\"  type = \"clip\"  name = \"walk\"  animation = \"walk\"  speed = "
    "\"tempo\" } ]\n"
    "  transitions = [\n"
    "    { id = \"walk\"  from = \"idle\"  to = \"walk\"  event = \"walk\"  duration = 0.25 }\n"
    "    { id = \"stop\"  from = \"walk\"  to = \"idle\"  event = \"stop\"  curve = \"smooth\" } ] "
    "}\n"
    "  { id = \"arm\"  name = \"arm\"  mask = \"arm\"  start = \"\"\n"
    "  states = [ { id = \"wave\"  type = \"clip\"  name = \"wave\"  animation = \"run\" } ]\n"
    "  transitions = [ { id = \"wave\"  from = \"\"  to = \"wave\"  event = \"wave\" }\n"
    "    { id = \"end\"  from = \"wave\"  to = \"\"  exit_time = 0.85  duration = 0.25 } ] } ]\n";

static const char skeleton[] =
    "1shell = 0.1 joints = [ { id = \"1\" name = \"c\" parent = \"b\" position = [0 1 0] }\n"
    "  { id = \"2\" name = \"a\" scale = [1 1 2] }\n"
    "  { id = \"3\" name = \"b\" parent = \"a\" rotation_degrees = [10 0 90] }\n"
    "  { name = \"d\" parent = \"a\" rotation = [0 0 1 1] } ]\n";

static const char clip[] =
    "2source = \"a.bvh\" skeleton = \"s\" loops = true start = 0.03 end = 0.12 rate = 30\n"
    "tolerance = 0.01 jump_interval = 0.1 root_motion = \"ground\" root_joint = \"a\"\n"
    "up_axis = \"y\" additive = \"time\" additive_time = 0.06\n"
    "events = [ { id = \"1\" name = \"step\" time = 0.05 } { id = \"2\" name = \"b\" time = 0 } ]\n"
    "curves = [ { id = \"1\" object = \"face\" parameter = \"smile\" keys = [[0 0] [0.05 1]] }\n"
    "  { id = \"2\" parameter = \"p\" step = true keys = [[0.02 3]] } ]\n";

static const struct {
    const char *text;
    size_t size;
} seeds[] = {{machine, sizeof(machine) - 1},
             {rabbit, sizeof(rabbit) - 1},
             {skeleton, sizeof(skeleton) - 1},
             {clip, sizeof(clip) - 1}};

// Words of the formats, which damage alone would not find.
static const char *const words[] = {"\"speed\"",
                                    "\"any\"",
                                    "\"\"",
                                    "\"idle\"",
                                    "\"breath\"",
                                    "true",
                                    "null",
                                    "[]",
                                    "{}",
                                    "-1",
                                    "1e39",
                                    "1e-300",
                                    "4294967295",
                                    "{ type = \"empty\" name = \"e\" }",
                                    "{ type = \"select\" name = \"s\" by = 1 children = [] }",
                                    "\"lerp(speed, 1, sin(smile))\"",
                                    "\"1 / 0\"",
                                    "\"speed % 0\"",
                                    "\"select(speed, 1, 2)\"",
                                    "exit_time = 0",
                                    "duration = 0",
                                    "condition = true",
                                    "speed = -100",
                                    "sync = true",
                                    "additive = true",
                                    "interruptible = false",
                                    "parent = \"a\"",
                                    "scale = [0 0 0]",
                                    "rotation = [0 0 0 0]",
                                    "root_motion = \"all\"",
                                    "additive = \"rest\"",
                                    "up_axis = \"z\"",
                                    NULL};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    ct_random random = ct_random_seeded(seed, 0);
    const uint32_t choice = ct_random_below(&random, 32);
    if (size < 8 || choice == 0) {
        const uint32_t i = ct_random_below(&random, CT_COUNT_OF(seeds));
        size = seeds[i].size < max_size ? seeds[i].size : max_size;
        memcpy(data, seeds[i].text, size);
    }
    return choice < 8 ? LLVMFuzzerMutate(data, size, max_size)
                      : test_mutate(&random, data, size, max_size, words);
}

// --- What is made of one -------------------------------------------------------------------------

static void step(ct_state_machine *m, float seconds) {
    const ct_state_machine_output o = ct_state_machine_update(m, seconds);
    for (uint32_t i = 0; i < o.num_samples; ++i)
        CT_ASSERT(isfinite(o.samples[i].time) && o.samples[i].weight > 0 &&
                      o.samples[i].weight <= 1,
                  "sample %u: time %g, weight %g", i, (double)o.samples[i].time,
                  (double)o.samples[i].weight);
    CT_ASSERT(isfinite(o.root_delta.heading), "the heading is %g", (double)o.root_delta.heading);
}

static void play_machine(const void *blob) {
    const ct_state_machine_resource *const r = blob;
    static const ct_animation_resource *const clips[MAX_CLIPS];
    if (r->clips.count > MAX_CLIPS)
        return;
    const ct_string_id32 *const events = ct_blob_at(r, r->events.offset);
    ct_state_machine *const m = ct_state_machine_create(test_heap(), r, clips);
    step(m, 0);
    for (uint32_t i = 0; i < r->events.count && i < MAX_EVENTS; ++i) {
        ct_state_machine_send(m, events[i]);
        step(m, 0.03f);
    }
    for (uint32_t i = 0; i < NUM_STEPS; ++i) {
        for (uint32_t k = 0; k < r->variables.count; ++k)
            ct_state_machine_set_variable(m, k, (float)((i + k) % 5) - 1.5f);
        step(m, 0.4f * (float)i);
    }
    ct_state_machine_destroy(m);
}

static void pose_skeleton(const void *blob) {
    const ct_skeleton_resource *const r = blob;
    uint32_t parents[CT_SKELETON_MAX_JOINTS], count;
    const ct_skeleton_joint *const joints = ct_skeleton_joints(r, &count);
    for (uint32_t j = 0; j < count; ++j)
        parents[j] = joints[j].parent;
    ct_pose_group *const pose = CT_NEW_ARRAY(test_heap(), ct_pose_group, ct_pose_num_groups(count));
    ct_affine *const models = CT_NEW_ARRAY(test_heap(), ct_affine, count);
    ct_pose_rest(r, pose);
    ct_pose_to_model(pose, parents, count, models);
    ct_free(test_heap(), models);
    ct_free(test_heap(), pose);
}

static void play_clip(const void *blob) {
    const ct_animation_resource *const r = blob;
    const uint32_t num_groups = ct_pose_num_groups(r->num_joints);
    ct_pose_group *const pose = CT_NEW_ARRAY(test_heap(), ct_pose_group, 2ull * num_groups);
    ct_clip_player *const p = ct_alloc_aligned(test_heap(), ct_clip_player_bytes(r), 16);
    ct_pose_identity(pose, num_groups);
    ct_clip_player_init(p, r);
    for (uint32_t i = 0; i <= 2 * NUM_STEPS; ++i) {
        const uint32_t part = i <= NUM_STEPS ? i : 2 * NUM_STEPS - i;
        ct_clip_player_move(p, ct_animation_length(r) * (float)part / NUM_STEPS);
        ct_clip_player_pose(p, pose, pose + num_groups);
        for (uint32_t j = 0; j < r->num_joints; ++j)
            CT_ASSERT(isfinite(ct_pose_joint(pose + num_groups, j).rotation.x), "joint %u", j);
        for (uint32_t k = 0; k < r->curves.count; ++k)
            CT_ASSERT(isfinite(ct_clip_player_curve(p, k)), "curve %u", k);
    }
    ct_free(test_heap(), p);
    ct_free(test_heap(), pose);
}

static const struct {
    const char *type;
    void (*use)(const void *blob);
} kinds[] = {
    {"state_machine", play_machine}, {"skeleton", pose_skeleton}, {"animation", play_clip}};

// Returns whether it compiled.
static bool compile(const uint8_t *data, size_t size) {
    const uint32_t kind = (uint8_t)(data[0] - '0') % CT_COUNT_OF(kinds);
    const char *const type = kinds[kind].type;
    char path[64];
    snprintf(path, sizeof(path), "x.%s", type);
    write_bytes(folder, path, data + 1, size - 1);
    ct_compile_answer answer = compile_file(folder, type, "x");
    const uint32_t num_errors = answer.errors.count;
    for (uint32_t i = 0; i < num_errors; ++i)
        CT_ASSERT(answer.errors.items[i].message[0], "%s: an error without a message", type);
    CT_ASSERT((answer.blob.count > 0) == (num_errors == 0), "%s: %u bytes, %u errors", type,
              answer.blob.count, num_errors);
    if (num_errors == 0)
        kinds[kind].use(expect_blob(&answer, type));
    ct_compile_answer_free(&answer);
    return num_errors == 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    test_group_setup(NULL);
    folder = test_scratch_folder();
    write_text(folder, "s.skeleton", skeleton + 1);
    write_text(folder, "idle.animation", "source = \"a.bvh\" skeleton = \"s\"");
    write_text(folder, "walk.animation", "source = \"a.bvh\" skeleton = \"s\"");
    write_text(folder, "run.animation", "source = \"a.bvh\" skeleton = \"s\"");
    write_text(folder, "breath.animation", "skeleton = \"s\" additive = \"rest\"");
    write_text(folder, "a.bvh",
               "HIERARCHY\nROOT a\n{\n\tOFFSET 0 1.5 0\n\tCHANNELS 6 Xposition Yposition Zposition "
               "Zrotation Xrotation Yrotation\n\tJOINT b\n\t{\n\t\tOFFSET 1 0 -1\n\t\tCHANNELS 1 "
               "Xrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 1 0\n\t\t}\n\t}\n}\nMOTION\n"
               "Frames: 5\nFrame Time: .03\n0 0 0 0 90 -90 1\n1 2 3 4 5 6 7\n1 2 4 4 5 6 8\n"
               "2 2 4 4 90 6 90\n2 2 4 4 180 6 180\n");
    for (uint32_t i = 0; i < CT_COUNT_OF(seeds); ++i)
        CT_ASSERT(compile((const uint8_t *)seeds[i].text, seeds[i].size), "seed %u", i);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0)
        compile(data, size);
    return 0;
}
