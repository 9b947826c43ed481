// Compiled clips show what their files say: the joints of every model with clips that we have are
// where a plain interpolation of the file's keys has them, at 20 times of each clip, within the
// tolerance of the clip; so are points at the skeleton's shell. The test prints the table of
// docs/importing_characters.md.
//
// The mesh type of this program is another than the compiler's: it reads the scene of a model, and
// keeps it. The table below takes the place of the one in the library.
#include <math.h>

#include "animation/clip/clip_player.h"
#include "compiler/compile_case.h"
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/animation/worker_clip.h"
#include "compiler/types/model/worker_model_files.h"
#include "compiler/types/model/worker_scene.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"

enum { NUM_TIMES = 20, NUM_AXES = 3 };

// --- Poses by the file ---------------------------------------------------------------------------

typedef struct matrix {
    double m[3][4];
} matrix;

static const matrix identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

static matrix times(const matrix *a, const matrix *b) {
    matrix c;
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t k = 0; k < 4; ++k)
            c.m[i][k] = a->m[i][0] * b->m[0][k] + a->m[i][1] * b->m[1][k] +
                        a->m[i][2] * b->m[2][k] + (k == 3 ? a->m[i][3] : 0);
    }
    return c;
}

static matrix matrix_of(const ct_worker_matrix *from) {
    matrix m;
    for (uint32_t i = 0; i < 12; ++i)
        m.m[i / 4][i % 4] = (double)from->rows[i / 4][i % 4];
    return m;
}

// Axes are a rotation or reflection times a factor.
static matrix inverse_axes(const matrix *axes) {
    matrix m = {{{0}}};
    double square = 0;
    for (uint32_t i = 0; i < 3; ++i)
        square += axes->m[0][i] * axes->m[0][i];
    for (uint32_t i = 0; i < 9; ++i)
        m.m[i / 3][i % 3] = axes->m[i % 3][i / 3] / square;
    return m;
}

static matrix composed(const double p[3], const double q[4], const double s[3]) {
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    matrix m;
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t k = 0; k < 3; ++k)
            m.m[i][k] = r[i][k] * s[k];
        m.m[i][3] = p[i];
    }
    return m;
}

static void normalize(double q[4]) {
    double length = 0;
    for (uint32_t i = 0; i < 4; ++i)
        length += q[i] * q[i];
    for (uint32_t i = 0; i < 4; ++i)
        q[i] /= sqrt(length);
}

// By the formulas of the glTF 2.0 specification, appendix C.
static void slerp(const double a[4], const double b[4], double t, double out[4]) {
    const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const double sign = dot < 0 ? -1 : 1, angle = acos(fmin(fabs(dot), 1));
    for (uint32_t i = 0; i < 4; ++i)
        out[i] = sin(angle) < 1e-9
                     ? a[i] + (sign * b[i] - a[i]) * t
                     : (sin((1 - t) * angle) * a[i] + sign * sin(t * angle) * b[i]) / sin(angle);
    normalize(out);
}

static void cubic_at(const float *k, const float *n, uint32_t step, double t, double seconds,
                     double *out) {
    const double t2 = t * t, t3 = t2 * t;
    for (uint32_t i = 0; i < step; ++i)
        out[i] = (2 * t3 - 3 * t2 + 1) * (double)k[step + i] +
                 seconds * (t3 - 2 * t2 + t) * (double)k[2 * step + i] +
                 (-2 * t3 + 3 * t2) * (double)n[step + i] + seconds * (t3 - t2) * (double)n[i];
}

static void value_at(const ct_worker_channel *c, double time, double *out) {
    const uint32_t step = c->kind == CT_WORKER_CHANNEL_ROTATION ? 4 : 3;
    const bool is_cubic = c->interpolation == CT_WORKER_INTERPOLATION_CUBIC;
    const uint32_t stride = is_cubic ? 3 * step : step;
    uint32_t i = 0;
    while (i + 1 < c->num_keys && (double)c->times[i + 1] <= time)
        ++i;
    const uint32_t n = i + 1 < c->num_keys ? i + 1 : i;
    const double seconds = (double)c->times[n] - (double)c->times[i];
    const double t = seconds > 0 ? fmax(0, (time - (double)c->times[i]) / seconds) : 0;
    const float *const k = c->values + (uint64_t)i * stride;
    const float *const l = c->values + (uint64_t)n * stride;
    double a[4] = {0}, b[4] = {0};
    if (is_cubic) {
        cubic_at(k, l, step, t, seconds, out);
        if (step == 4)
            normalize(out);
        return;
    }
    for (uint32_t v = 0; v < step; ++v) {
        a[v] = (double)k[v];
        b[v] = (double)l[v];
        out[v] = c->interpolation == CT_WORKER_INTERPOLATION_STEP ? a[v] : a[v] + (b[v] - a[v]) * t;
    }
    if (step == 4 && c->interpolation == CT_WORKER_INTERPOLATION_LINEAR)
        slerp(a, b, t, out);
}

// A node's transform in the engine's axes and metres.
static matrix local_at(const ct_worker_scene *s, const ct_worker_clip *clip, uint32_t node,
                       double time) {
    const matrix axes = matrix_of(&s->axes), back = inverse_axes(&axes);
    const matrix rest = matrix_of(&s->nodes.items[node].local);
    float position[3], rotation[4], scale[3];
    double parts[3][4];
    bool moves = false;
    matrix m = times(&rest, &axes);
    m = times(&back, &m);
    const ct_worker_matrix in_file = {
        {{(float)m.m[0][0], (float)m.m[0][1], (float)m.m[0][2], (float)m.m[0][3]},
         {(float)m.m[1][0], (float)m.m[1][1], (float)m.m[1][2], (float)m.m[1][3]},
         {(float)m.m[2][0], (float)m.m[2][1], (float)m.m[2][2], (float)m.m[2][3]}}};
    ct_worker_matrix_pose(&in_file, position, rotation, scale);
    for (uint32_t i = 0; i < 4; ++i) {
        parts[CT_WORKER_CHANNEL_POSITION][i] = i < 3 ? (double)position[i] : 0;
        parts[CT_WORKER_CHANNEL_ROTATION][i] = (double)rotation[i];
        parts[CT_WORKER_CHANNEL_SCALE][i] = i < 3 ? (double)scale[i] : 0;
    }
    for (uint32_t i = 0; i < clip->num_channels; ++i) {
        const ct_worker_channel *const c = &s->channels.items[clip->first_channel + i];
        if (c->node != node)
            continue;
        value_at(c, time, parts[c->kind]);
        moves = true;
    }
    if (!moves)
        return rest;
    m = composed(parts[CT_WORKER_CHANNEL_POSITION], parts[CT_WORKER_CHANNEL_ROTATION],
                 parts[CT_WORKER_CHANNEL_SCALE]);
    m = times(&m, &back);
    return times(&axes, &m);
}

static matrix pose_at(const ct_worker_scene *s, const ct_worker_clip *clip, uint32_t node,
                      double time) {
    matrix m = identity;
    for (; node != CT_WORKER_SCENE_NO_NODE; node = s->nodes.items[node].parent) {
        const matrix local = local_at(s, clip, node, time);
        m = times(&local, &m);
    }
    return m;
}

// --- What is compiled ----------------------------------------------------------------------------

typedef struct model {
    const char *folder, *file;
    double scale; // to metres
    const char *others[4];
    bool is_skinned;
} model;

static const model models[] = {
    {"FBX", "animation_with_skeleton.fbx", 1, {NULL}, true},
    {"FBX", "huesitos.fbx", 1, {NULL}, true},
    {"glTF2/simple_skin", "simple_skin.gltf", 1, {NULL}, true},
    // The motion capture of Carnegie Mellon has 0.45 units to an inch.
    {"BVH", "01_01.bvh", 0.0564, {NULL}, false},
    {"BVH", "01_03.bvh", 0.0564, {NULL}, false},
    {"BVH", "Boxing_Toes.bvh", 0.01, {NULL}, false},
};

// What the type that reads scenes is given, and what it finds.
static struct {
    char path[64];
    double scale;
    compile_case *t;
    ct_string_builder skeleton; // the source
    uint32_t num_clips;
    char clip[64]; // the name of the one to compare
    uint32_t clip_index;
    const ct_animation_resource *compiled; // NULL: the scene is only asked for its clips
    const ct_skeleton_resource *joints;
    double worst, worst_at_shell; // metres
    char worst_joint[64];
} job;

static void write_skeleton(const ct_worker_scene *s) {
    ct_string_builder *const b = &job.skeleton;
    ct_string_builder_add(b, "joints = [\n");
    for (uint32_t i = 0; i < s->nodes.count; ++i) {
        const ct_worker_scene_node *const n = &s->nodes.items[i];
        float p[3], q[4], k[3];
        ct_worker_matrix_pose(&n->local, p, q, k);
        ct_string_builder_addf(
            b,
            "{ id = \"00000000-0000-4000-8000-%012u\" name = \"%s\" parent = \"%s\" "
            "position = [%.9g %.9g %.9g] rotation = [%.9g %.9g %.9g %.9g] scale = [%.9g %.9g "
            "%.9g] }\n",
            i, n->key, n->parent == CT_WORKER_SCENE_NO_NODE ? "" : s->nodes.items[n->parent].key,
            (double)p[0] * job.scale, (double)p[1] * job.scale, (double)p[2] * job.scale,
            (double)q[0], (double)q[1], (double)q[2], (double)q[3], (double)k[0], (double)k[1],
            (double)k[2]);
    }
    ct_string_builder_add(b, "]\n");
}

// How far a joint, or the point at the shell on one of its axes, is from where it should be.
static double distance(const ct_affine *posed, const matrix *wanted, uint32_t axis) {
    double square = 0;
    for (uint32_t row = 0; row < 3; ++row) {
        double off = (double)posed->rows[row][3] - wanted->m[row][3] * job.scale;
        if (axis < NUM_AXES)
            off +=
                (double)job.joints->shell * ((double)posed->rows[row][axis] - wanted->m[row][axis]);
        square += off * off;
    }
    return sqrt(square);
}

static double worst_at_shell(const ct_affine *posed, const matrix *wanted) {
    double worst = 0;
    for (uint32_t axis = 0; axis < NUM_AXES; ++axis)
        worst = fmax(worst, distance(posed, wanted, axis));
    return worst;
}

static void compare(const ct_worker_scene *s) {
    const ct_animation_resource *const c = job.compiled;
    const ct_worker_clip *const clip = &s->clips.items[job.clip_index];
    uint32_t count = 0, parents[CT_SKELETON_MAX_JOINTS];
    const ct_skeleton_joint *const joints = ct_skeleton_joints(job.joints, &count);
    static ct_pose_group rest[CT_POSE_MAX_GROUPS], pose[CT_POSE_MAX_GROUPS];
    static ct_affine posed[CT_SKELETON_MAX_JOINTS];
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_clip_player *const player = ct_alloc_aligned(a, ct_clip_player_bytes(c), 16);
    assert_int_equal(count, s->nodes.count);
    for (uint32_t i = 0; i < count; ++i)
        parents[i] = joints[i].parent;
    ct_pose_rest(job.joints, rest);
    ct_clip_player_init(player, c);
    for (uint32_t k = 0; k < NUM_TIMES; ++k) {
        // Of the compiled clip's frames: between them, it goes smoothly where the file has corners.
        const uint32_t frame = (uint32_t)((uint64_t)c->num_frames * k / (NUM_TIMES - 1));
        const double time = frame / (double)c->rate;
        ct_clip_player_move(player, (float)time);
        ct_clip_player_pose(player, rest, pose);
        ct_pose_to_model(pose, parents, count, posed);
        for (uint32_t i = 0; i < count; ++i) {
            const matrix wanted =
                pose_at(s, clip, i, fmin((double)clip->start + time, (double)clip->end));
            const double off = distance(&posed[i], &wanted, NUM_AXES);
            const double at_shell = worst_at_shell(&posed[i], &wanted);
            job.worst_at_shell = fmax(job.worst_at_shell, at_shell);
            if (off <= job.worst)
                continue;
            job.worst = off;
            snprintf(job.worst_joint, sizeof(job.worst_joint), "%s", s->nodes.items[i].name);
        }
    }
}

static bool read_scene(ct_compile *c) {
    ct_worker_model_files files;
    const ct_sjson_value at = ct_sjson_find(c->doc, ct_sjson_root(c->doc), "source");
    ct_worker_model_files_init(&files, c, at, false);
    ct_worker_scene scene;
    if (!ct_worker_scene_open(c, &files, job.path, CT_MESH_UP_AXIS_FILE, at, &scene))
        return false;
    job.num_clips = scene.clips.count;
    if (job.compiled) {
        compare(&scene);
        return true;
    }
    write_skeleton(&scene);
    snprintf(job.clip, sizeof(job.clip), "%s", ct_worker_clip_key(c, &scene, job.clip_index));
    return true;
}

static const ct_compiler_type types[] = {
    {.name = "mesh", .version = 1, .function = read_scene},
    {.name = "skeleton", .version = 1, .function = ct_compile_skeleton},
    {.name = "animation", .version = 1, .function = ct_compile_animation},
};

const ct_compiler_type *ct_compiler_types(uint32_t *count) {
    *count = CT_COUNT_OF(types);
    return types;
}

const ct_compiler_type *ct_compiler_type_named(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i) {
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    }
    return NULL;
}

// --- The table -----------------------------------------------------------------------------------

static void *copied(const void *blob, uint64_t size) {
    void *const copy = ct_alloc_aligned(test_heap(), size, 16);
    memcpy(copy, blob, size);
    return copy;
}

static void run_scene(compile_case *t) {
    compile_case_run(t, "mesh", "a");
    for (uint32_t i = 0; i < t->answer.errors.count; ++i)
        print_error("%s\n", t->answer.errors.items[i].message);
    assert_int_equal(t->answer.errors.count, 0);
}

// Compiles clip `index` of the model that the case has, and compares it.
static void compare_clip(compile_case *t, const char *name, uint32_t index) {
    char source[512];
    job.clip_index = index;
    job.compiled = NULL;
    job.worst = job.worst_at_shell = 0;
    ct_string_builder_init(&job.skeleton, test_heap());
    run_scene(t);
    compile_case_text(t, "a.skeleton", ct_string_builder_text(&job.skeleton));
    ct_string_builder_free(&job.skeleton);
    snprintf(source, sizeof(source),
             "source = \"%s\"\nskeleton = \"a\"\nscale = %g\nclip = \"%s\"\n", job.path, job.scale,
             job.clip);
    compile_case_text(t, "a.animation", source);
    const ct_skeleton_resource *const skeleton = compile_case_blob(t, "skeleton", "a");
    void *const joints = copied(skeleton, t->answer.blob.count);
    const ct_animation_resource *const clip = compile_case_blob(t, "animation", "a");
    const uint64_t size = t->answer.blob.count;
    void *const animation = copied(clip, size);
    job.joints = joints;
    job.compiled = animation;
    run_scene(t);
    const double seconds = (double)ct_animation_length(job.compiled);
    print_message("| `%s` | %u | %.2f | %llu | %.1f | %.2f | %.2f |\n", name,
                  job.compiled->num_joints, seconds, (unsigned long long)size,
                  (double)size / seconds / job.compiled->num_joints, job.worst * 1000,
                  job.worst_at_shell * 1000);
    // The compiler measures in floats.
    if (job.worst_at_shell > 1.02 * (double)job.compiled->tolerance)
        fail_msg("%s: a point at the shell is off by %g m; expected at most %g", name,
                 job.worst_at_shell, (double)job.compiled->tolerance);
    if (job.worst > (double)job.compiled->tolerance)
        fail_msg("%s: joint \"%s\" is off by %g m; expected at most %g", name, job.worst_joint,
                 job.worst, (double)job.compiled->tolerance);
    ct_free(test_heap(), joints);
    ct_free(test_heap(), animation);
    job.compiled = NULL;
}

static void compare_model(const model *m) {
    char path[256];
    ct_error error = {0};
    uint64_t size = 0;
    compile_case t = compile_case_make();
    snprintf(path, sizeof(path), "/usr/share/assimp/models/%s/%s", m->folder, m->file);
    char *const bytes = ct_file_read(test_heap(), path, &size, &error);
    assert_non_null(bytes);
    snprintf(job.path, sizeof(job.path), "model.%s", ct_path_extension(m->file));
    job.scale = m->scale;
    compile_case_file(&t, job.path, bytes, size);
    ct_free(test_heap(), bytes);
    char source[80];
    snprintf(source, sizeof(source), "source = \"%s\"\n", job.path);
    compile_case_text(&t, "a.mesh", source);
    job.num_clips = 1;
    for (uint32_t i = 0; i < job.num_clips; ++i)
        compare_clip(&t, m->file, i);
    assert_true(job.num_clips > 0);
    compile_case_free(&t);
}

static void shows_what_files_say(void **state) {
    (void)state;
    print_message("| file | joints | seconds | bytes | bytes a joint a second | joints off by "
                  "(mm) | shell off by (mm) |\n");
    for (uint32_t i = 0; i < CT_COUNT_OF(models); ++i)
        compare_model(&models[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_what_files_say),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
