// Skins and clips of FBX files: where the joints are and what they do to vertices equals what
// Assimp's own nodes, channels and bones say, pivots included.
//
// The mesh type of this program is another than the compiler's: it reads the scene of `a.fbx`, and
// compares it. The table below takes the place of the one in the library.
#include <math.h>

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>

#include "compiler/compile_case.h"
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/fbx/worker_fbx_clips.h"
#include "compiler/types/model/worker_model_files.h"
#include "compiler/types/model/worker_scene.h"
#include "foundation/math/math.h"
#include "foundation/os/file.h"
#include "foundation/string/string_builder.h"

enum { NUM_TIMES = 20 };

static const struct aiScene *wanted; // of the same file
static bool is_exact_between_keys;   // no node has several parts that turn
static double largest_distance;      // of a joint from where Assimp has it, relative to the size
static uint32_t num_joints, num_vertices, num_clips;
static ct_string_builder warnings;

// --- Assimp's poses ------------------------------------------------------------------------------

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

static matrix matrix_of(const struct aiMatrix4x4 *m) {
    return (matrix){{{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                     {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                     {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4}}};
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

static void slerp(const double a[4], const double b[4], double f, double out[4]) {
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], length = 0;
    const double sign = dot < 0 ? -1 : 1;
    dot = fmin(fabs(dot), 1);
    const double angle = acos(dot), sine = sin(angle);
    const double u = sine > 1e-9 ? sin((1 - f) * angle) / sine : 1 - f;
    const double v = sine > 1e-9 ? sin(f * angle) / sine : f;
    for (uint32_t i = 0; i < 4; ++i) {
        out[i] = u * a[i] + v * sign * b[i];
        length += out[i] * out[i];
    }
    for (uint32_t i = 0; i < 4; ++i)
        out[i] /= sqrt(length);
}

// The key at or before `time`, of times `step` bytes apart.
static uint32_t key_at(const void *keys, uint32_t count, size_t step, double time, double *f) {
    uint32_t i = 0;
    double at, next;
    *f = 0;
    while (i + 1 < count) {
        memcpy(&next, (const char *)keys + (i + 1) * step, sizeof(next));
        if (next > time)
            break;
        ++i;
    }
    if (i + 1 < count) {
        memcpy(&at, (const char *)keys + i * step, sizeof(at));
        *f = fmax(0, (time - at) / (next - at));
    }
    return i;
}

static void vector_at(const struct aiVectorKey *k, uint32_t count, double time, double out[3]) {
    double f;
    const uint32_t i = key_at(k, count, sizeof(*k), time, &f), n = f > 0 ? i + 1 : i;
    out[0] = (double)k[i].mValue.x + ((double)k[n].mValue.x - (double)k[i].mValue.x) * f;
    out[1] = (double)k[i].mValue.y + ((double)k[n].mValue.y - (double)k[i].mValue.y) * f;
    out[2] = (double)k[i].mValue.z + ((double)k[n].mValue.z - (double)k[i].mValue.z) * f;
}

static matrix channel_at(const struct aiNodeAnim *c, double time) {
    double p[3], s[3], q[4], f;
    vector_at(c->mPositionKeys, c->mNumPositionKeys, time, p);
    vector_at(c->mScalingKeys, c->mNumScalingKeys, time, s);
    const uint32_t i =
        key_at(c->mRotationKeys, c->mNumRotationKeys, sizeof(struct aiQuatKey), time, &f);
    const struct aiQuaternion a = c->mRotationKeys[i].mValue;
    const struct aiQuaternion b = c->mRotationKeys[f > 0 ? i + 1 : i].mValue;
    slerp((const double[]){(double)a.x, (double)a.y, (double)a.z, (double)a.w},
          (const double[]){(double)b.x, (double)b.y, (double)b.z, (double)b.w}, f, q);
    return composed(p, q, s);
}

static const struct aiNode *find_node(const struct aiNode *node, const char *name) {
    const struct aiNode *found = strcmp(node->mName.data, name) == 0 ? node : NULL;
    for (uint32_t i = 0; i < node->mNumChildren && !found; ++i)
        found = find_node(node->mChildren[i], name);
    return found;
}

// From the space of a node of Assimp's to that of the scene. Time in ticks.
static matrix wanted_pose(const struct aiAnimation *clip, const char *name, double time) {
    matrix m = identity;
    const struct aiNode *node = find_node(wanted->mRootNode, name);
    assert_non_null(node);
    for (; node; node = node->mParent) {
        if (strstr(node->mName.data, "_$AssimpFbx$_Geometric"))
            continue; // it moves the node's meshes only
        matrix local = matrix_of(&node->mTransformation);
        for (uint32_t i = 0; clip && i < clip->mNumChannels; ++i) {
            if (strcmp(clip->mChannels[i]->mNodeName.data, node->mName.data) == 0)
                local = channel_at(clip->mChannels[i], time);
        }
        m = times(&local, &m);
    }
    return m;
}

// --- The scene's poses ---------------------------------------------------------------------------

static void value_at(const ct_worker_channel *c, double time, double *out) {
    const uint32_t step = c->kind == CT_WORKER_CHANNEL_ROTATION ? 4 : 3;
    uint32_t i = 0;
    while (i + 1 < c->num_keys && (double)c->times[i + 1] <= time)
        ++i;
    const uint32_t n = i + 1 < c->num_keys ? i + 1 : i;
    const double length = (double)c->times[n] - (double)c->times[i];
    const double f = length > 0 ? fmax(0, (time - (double)c->times[i]) / length) : 0;
    double a[4] = {0}, b[4] = {0};
    for (uint32_t k = 0; k < step; ++k) {
        a[k] = (double)c->values[i * step + k];
        b[k] = (double)c->values[n * step + k];
        out[k] = a[k] + (b[k] - a[k]) * f;
    }
    if (step == 4)
        slerp(a, b, f, out);
}

// A node's transform in the file's unit: that of the test has metres.
static matrix local_at(const ct_worker_scene *s, const ct_worker_clip *clip, uint32_t node,
                       double time) {
    const ct_worker_matrix *const rest = &s->nodes.items[node].local;
    matrix m;
    float position[3], rotation[4], scale[3];
    double p[3], q[4], k[3];
    for (uint32_t i = 0; i < 12; ++i)
        m.m[i / 4][i % 4] =
            (double)rest->rows[i / 4][i % 4] / (i % 4 == 3 ? (double)s->metres : 1.0);
    ct_worker_matrix_pose(rest, position, rotation, scale);
    for (uint32_t i = 0; i < 4; ++i) {
        p[i % 3] = m.m[i % 3][3];
        q[i] = (double)rotation[i];
        k[i % 3] = (double)scale[i % 3];
    }
    bool moves = false;
    for (uint32_t i = 0; clip && i < clip->num_channels; ++i) {
        const ct_worker_channel *const c = &s->channels.items[clip->first_channel + i];
        if (c->node != node)
            continue;
        value_at(c, time,
                 c->kind == CT_WORKER_CHANNEL_POSITION ? p
                 : c->kind == CT_WORKER_CHANNEL_SCALE  ? k
                                                       : q);
        moves = true;
    }
    return moves ? composed(p, q, k) : m;
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

// --- Comparing -----------------------------------------------------------------------------------

static void expect_near(const matrix *a, const matrix *b, const char *what, double time) {
    double size = 1e-3, off = 0;
    for (uint32_t i = 0; i < 12; ++i) {
        size = fmax(size, fabs(a->m[i / 4][i % 4]));
        off = fmax(off, fabs(a->m[i / 4][i % 4] - b->m[i / 4][i % 4]));
    }
    largest_distance = fmax(largest_distance, off / size);
    if (off > 1e-4 * size)
        fail_msg("%s at %g s: off by %g of %g", what, time, off, size);
}

static void compare_clip(const ct_worker_scene *s, uint32_t index) {
    const ct_worker_clip *const clip = &s->clips.items[index];
    const struct aiAnimation *const from = wanted->mAnimations[index];
    assert_string_equal(clip->name, from->mName.data);
    assert_true(clip->num_channels > 0);
    for (uint32_t k = 0; k < NUM_TIMES; ++k) {
        const double length = (double)clip->end - (double)clip->start;
        double time = (double)clip->start + length * k / (NUM_TIMES - 1);
        if (!is_exact_between_keys) {
            const ct_worker_channel *const c = &s->channels.items[clip->first_channel];
            time = (double)c->times[k % c->num_keys];
        }
        for (uint32_t i = 0; i < s->nodes.count; ++i) {
            const matrix ours = pose_at(s, clip, i, time);
            const matrix theirs =
                wanted_pose(from, s->nodes.items[i].name, time * from->mTicksPerSecond);
            expect_near(&theirs, &ours, s->nodes.items[i].name, time);
        }
    }
    ++num_clips;
}

// The influences of a vertex, summed up: what moves it.
static matrix sum_of(const ct_worker_scene *s, const ct_worker_mesh *mesh, uint32_t vertex,
                     const matrix *by_joint) {
    matrix sum = {{{0}}};
    (void)s;
    for (uint32_t i = 0; i < mesh->num_influences; ++i) {
        const double weight = (double)mesh->weights[vertex * mesh->num_influences + i];
        const matrix *const m = &by_joint[mesh->joints[vertex * mesh->num_influences + i]];
        for (uint32_t k = 0; k < 12; ++k)
            sum.m[k / 4][k % 4] += weight * m->m[k / 4][k % 4];
    }
    return sum;
}

// In the rest pose: how each bone moves vertices, with its node.
static void compare_skin(const ct_worker_scene *s, uint32_t index) {
    const ct_worker_mesh *const mesh = &s->meshes.items[index];
    const struct aiMesh *const from = wanted->mMeshes[index];
    matrix *const by_joint = CT_NEW_ARRAY(test_heap(), matrix, from->mNumBones);
    matrix *const by_bone = CT_NEW_ARRAY(test_heap(), matrix, from->mNumVertices);
    assert_true(mesh->has_skin && mesh->num_influences % 4 == 0);
    const ct_worker_skin *const skin = &s->skins.items[mesh->skin];
    assert_int_equal(skin->num_joints, from->mNumBones);
    for (uint32_t i = 0; i < from->mNumBones; ++i) {
        const struct aiBone *const bone = from->mBones[i];
        matrix bind;
        for (uint32_t k = 0; k < 12; ++k)
            bind.m[k / 4][k % 4] = (double)skin->inverse_binds[i].rows[k / 4][k % 4];
        assert_string_equal(s->nodes.items[skin->nodes[i]].name, bone->mName.data);
        by_joint[i] = pose_at(s, NULL, skin->nodes[i], 0);
        by_joint[i] = times(&by_joint[i], &bind);
        const matrix offset = matrix_of(&bone->mOffsetMatrix);
        matrix pose = wanted_pose(NULL, bone->mName.data, 0);
        pose = times(&pose, &offset);
        for (uint32_t w = 0; w < bone->mNumWeights; ++w) {
            for (uint32_t k = 0; k < 12; ++k)
                by_bone[bone->mWeights[w].mVertexId].m[k / 4][k % 4] +=
                    (double)bone->mWeights[w].mWeight * pose.m[k / 4][k % 4];
        }
        ++num_joints;
    }
    for (uint32_t i = 0; i < from->mNumVertices; ++i, ++num_vertices) {
        const matrix ours = sum_of(s, mesh, i, by_joint);
        expect_near(&by_bone[i], &ours, mesh->name, 0);
    }
    ct_free(test_heap(), by_joint);
    ct_free(test_heap(), by_bone);
}

static void compare(const ct_worker_scene *s) {
    assert_int_equal(s->clips.count, wanted->mNumAnimations);
    for (uint32_t i = 0; i < s->clips.count; ++i)
        compare_clip(s, i);
    for (uint32_t i = 0; i < s->meshes.count; ++i) {
        if (wanted->mMeshes[i]->mNumBones > 0)
            compare_skin(s, i);
    }
    for (uint32_t i = 0; i < s->warnings.count; ++i)
        ct_string_builder_addf(&warnings, "%s\n", s->warnings.items[i]);
}

static bool reads_keys; // of a clip that is made here
static bool read_keys(ct_compile *c);

static bool read_scene(ct_compile *c) {
    if (reads_keys)
        return read_keys(c);
    ct_worker_model_files files;
    const ct_sjson_value at = ct_sjson_find(c->doc, ct_sjson_root(c->doc), "source");
    ct_worker_model_files_init(&files, c, at, false);
    ct_worker_scene scene;
    if (!ct_worker_scene_open(c, &files, "a.fbx", CT_MESH_UP_AXIS_Z, at, &scene))
        return false;
    if (wanted)
        compare(&scene);
    return true;
}

static const ct_compiler_type fbx_type = {.name = "mesh", .version = 1, .function = read_scene};

const ct_compiler_type *ct_compiler_types(uint32_t *count) {
    *count = 1;
    return &fbx_type;
}

const ct_compiler_type *ct_compiler_type_named(const char *name) {
    return strcmp(name, fbx_type.name) == 0 ? &fbx_type : NULL;
}

static const struct aiScene *open_with_assimp(const char *path) {
    struct aiPropertyStore *const properties = aiCreatePropertyStore();
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 1);
    const struct aiScene *const scene = aiImportFileExWithProperties(path, 0, NULL, properties);
    aiReleasePropertyStore(properties);
    return scene;
}

static void read_and_compare(const char *bytes, uint64_t size) {
    compile_case t = compile_case_make();
    compile_case_file(&t, "a.fbx", bytes, size);
    compile_case_text(&t, "a.mesh", "source = \"a.fbx\"");
    char path[256];
    snprintf(path, sizeof(path), "%s/a.fbx", t.folder);
    wanted = open_with_assimp(path);
    assert_non_null(wanted);
    num_joints = num_vertices = num_clips = 0;
    largest_distance = 0;
    ct_string_builder_free(&warnings);
    ct_string_builder_init(&warnings, test_heap());
    compile_case_run(&t, "mesh", "a");
    aiReleaseImport(wanted);
    wanted = NULL;
    for (uint32_t i = 0; i < t.answer.errors.count; ++i) {
        if (!strstr(t.answer.errors.items[i].message, "no data"))
            print_message("%s\n", t.answer.errors.items[i].message);
    }
    compile_case_free(&t);
}

static void compare_file(const char *name) {
    char path[256];
    ct_error error = {0};
    uint64_t size = 0;
    snprintf(path, sizeof(path), "/usr/share/assimp/models/FBX/%s", name);
    char *const bytes = ct_file_read(test_heap(), path, &size, &error);
    assert_non_null(bytes);
    read_and_compare(bytes, size);
    ct_free(test_heap(), bytes);
    print_message("%s: %u clips, %u joints, %u vertices, off by at most %.2g of the size\n", name,
                  num_clips, num_joints, num_vertices, largest_distance);
}

// --- Models --------------------------------------------------------------------------------------

static void reads_skins_and_clips_of_models(void **state) {
    (void)state;
    is_exact_between_keys = true;
    compare_file("animation_with_skeleton.fbx");
    assert_int_equal(num_clips, 1);
    assert_int_equal(num_joints, 14);
    assert_int_equal(num_vertices, 4224);
    compare_file("huesitos.fbx");
    assert_int_equal(num_clips, 1);
    assert_int_equal(num_joints, 9);
    assert_int_equal(num_vertices, 256);
}

// --- Made files ----------------------------------------------------------------------------------

#define VECTOR(name, numbers) "P: \"" name "\", \"Vector3D\", \"Vector\", \"\"," numbers "\n"
#define CURVE(id, numbers, keys)                                                                   \
    "AnimationCurve: " #id ", \"AnimCurve::\", \"\" {\nDefault: 0\nKeyVer: 4008\n"                 \
    "KeyTime: *" #keys " {\na: 0,23093079000,46186158000\n}\n"                                     \
    "KeyValueFloat: *" #keys " {\na: " numbers "\n}\nKeyAttrFlags: *1 {\na: 24836\n}\n"            \
    "KeyAttrDataFloat: *4 {\na: 0,0,0,0\n}\nKeyAttrRefCount: *1 {\na: " #keys "\n}\n}\n"
#define CURVES(id)                                                                                 \
    "AnimationCurveNode: " #id ", \"AnimCurveNode::T\", \"\" {\nProperties70: {\n"                 \
    "P: \"d|X\", \"Number\", \"\", \"A\",0\nP: \"d|Y\", \"Number\", \"\", \"A\",0\n"               \
    "P: \"d|Z\", \"Number\", \"\", \"A\",0\n}\n}\n"

// A hip that moves and turns about a pivot, with a turn before; a knee below it.
static const char *file_with(ct_string_builder *b, const char *hip, const char *knee,
                             const char *numbers) {
    ct_string_builder_init(b, test_heap());
    ct_string_builder_addf(
        b,
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\n"
        "GlobalSettings: {\nVersion: 1000\nProperties70: {\n"
        "P: \"TimeMode\", \"enum\", \"\", \"\",11\n}\n}\nObjects: {\n"
        "Model: 1, \"Model::Hip\", \"LimbNode\" {\nVersion: 232\nProperties70: {\n%s}\n}\n"
        "Model: 2, \"Model::Knee\", \"LimbNode\" {\nVersion: 232\nProperties70: {\n%s}\n}\n"
        "AnimationStack: 10, \"AnimStack::walk\", \"\" {\nProperties70: {\n"
        "P: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000\n}\n}\n"
        "AnimationLayer: 11, \"AnimLayer::Base\", \"\" {\n}\n" CURVES(12) CURVES(13),
        hip, knee);
    ct_string_builder_add(b, CURVE(14, "0,45,90", 3) CURVE(16, "5,6,8", 3));
    ct_string_builder_addf(b,
                           "AnimationCurve: 15, \"AnimCurve::\", \"\" {\nDefault: 0\nKeyVer: 4008\n"
                           "KeyTime: *3 {\na: 0,23093079000,46186158000\n}\n"
                           "KeyValueFloat: *3 {\na: %s\n}\nKeyAttrFlags: *1 {\na: 24836\n}\n"
                           "KeyAttrDataFloat: *4 {\na: 0,0,0,0\n}\n"
                           "KeyAttrRefCount: *1 {\na: 3\n}\n}\n",
                           numbers);
    ct_string_builder_add(
        b, "}\nConnections: {\nC: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",11,10\nC: \"OO\",12,11\n"
           "C: \"OO\",13,11\nC: \"OP\",12,1, \"Lcl Rotation\"\n"
           "C: \"OP\",13,1, \"Lcl Translation\"\nC: \"OP\",14,12, \"d|X\"\n"
           "C: \"OP\",15,12, \"d|Y\"\nC: \"OP\",16,13, \"d|Z\"\n}\n");
    return ct_string_builder_text(b);
}

static void folds_pivots_to_one_transform(void **state) {
    (void)state;
    ct_string_builder b;
    is_exact_between_keys = false;
    const char *const text =
        file_with(&b,
                  VECTOR("Lcl Translation", "1,2,3") VECTOR("RotationPivot", "0,10,0")
                      VECTOR("PreRotation", "0,0,90") VECTOR("GeometricTranslation", "7,0,0"),
                  VECTOR("Lcl Translation", "0,20,0") VECTOR("Lcl Rotation", "30,0,0"), "0,-10,20");
    read_and_compare(text, strlen(text));
    assert_int_equal(num_clips, 1);
    assert_string_equal(ct_string_builder_text(&warnings), "");
    ct_string_builder_free(&b);
}

// --- What Assimp does not make of text -----------------------------------------------------------

static struct aiVectorKey position_keys[3];
static uint32_t num_position_keys;

// Reads a clip of one channel with the position keys.
static bool read_keys(ct_compile *c) {
    ct_worker_scene scene = {.path = "a.fbx"};
    struct aiNode node = {.mTransformation = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    struct aiNodeAnim channel = {.mPositionKeys = position_keys,
                                 .mNumPositionKeys = num_position_keys};
    struct aiNodeAnim other = {.mNumPositionKeys = 0};
    struct aiNodeAnim *channels[] = {&channel, &other};
    struct aiAnimation clip = {.mNumChannels = 2, .mChannels = channels, .mTicksPerSecond = 0};
    struct aiAnimation *clips[] = {&clip};
    const struct aiScene file = {.mNumAnimations = 1, .mAnimations = clips};
    const ct_worker_fbx_chain chain = {&node, &node};
    const ct_sjson_value at = ct_sjson_find(c->doc, ct_sjson_root(c->doc), "source");
    snprintf(node.mName.data, sizeof(node.mName.data), "hip");
    snprintf(channel.mNodeName.data, sizeof(channel.mNodeName.data), "hip");
    snprintf(other.mNodeName.data, sizeof(other.mNodeName.data), "lamp");
    ct_array_init(&scene.nodes, c->allocator);
    ct_array_init(&scene.clips, c->allocator);
    ct_array_init(&scene.channels, c->allocator);
    ct_array_init(&scene.warnings, c->allocator);
    ct_array_push(&scene.nodes,
                  (ct_worker_scene_node){.name = "hip", .local = ct_worker_matrix_identity()});
    if (!ct_worker_fbx_add_clips(c, &file, &chain, at, &scene))
        return false;
    for (uint32_t i = 0; i < scene.warnings.count; ++i)
        ct_string_builder_addf(&warnings, "%s\n", scene.warnings.items[i]);
    const ct_worker_clip *const read = &scene.clips.items[0];
    ct_string_builder_addf(&warnings, "%g to %g:", (double)read->start, (double)read->end);
    for (uint32_t i = 0; read->num_channels > 0 && i < scene.channels.items[0].num_keys; ++i)
        ct_string_builder_addf(&warnings, " %g", (double)scene.channels.items[0].values[3 * i]);
    return true;
}

static const char *clip_of(uint32_t count, const struct aiVectorKey *keys) {
    compile_case t = compile_case_make();
    memcpy(position_keys, keys, count * sizeof(*keys));
    num_position_keys = count;
    ct_string_builder_free(&warnings);
    ct_string_builder_init(&warnings, test_heap());
    compile_case_text(&t, "a.mesh", "source = \"a.fbx\"");
    reads_keys = true;
    compile_case_run(&t, "mesh", "a");
    reads_keys = false;
    for (uint32_t i = 0; i < t.answer.errors.count; ++i)
        ct_string_builder_add(&warnings, t.answer.errors.items[i].message);
    compile_case_free(&t);
    return ct_string_builder_text(&warnings);
}

#define CLIP(...)                                                                                  \
    clip_of(CT_COUNT_OF(((const struct aiVectorKey[]){__VA_ARGS__})),                              \
            (const struct aiVectorKey[]){__VA_ARGS__})

static void refuses_keys_that_are_no_numbers(void **state) {
    (void)state;
    const char *const left_out = "clip \"\" moves what is no node, which is left out\n";
    char text[256];
    // Without ticks a second there are 25.
    snprintf(text, sizeof(text), "%s0 to 2: 1 2", left_out);
    assert_string_equal(CLIP({0, {1, 0, 0}}, {50, {2, 0, 0}}), text);
    // Keys of one time are one.
    snprintf(text, sizeof(text), "%s1 to 2: 3 2", left_out);
    assert_string_equal(CLIP({25, {1, 0, 0}}, {25, {3, 0, 0}}, {50, {2, 0, 0}}), text);
    assert_string_equal(CLIP({0, {1, 0, 0}}, {NAN, {2, 0, 0}}),
                        "a.fbx: clip \"\": its motion of node \"hip\" has a key at a time that is "
                        "not a number");
    assert_string_equal(CLIP({0, {1, 0, 0}}, {-1, {2, 0, 0}}),
                        "a.fbx: clip \"\": its motion of node \"hip\" has keys that are not in the "
                        "order of their times");
    assert_string_equal(CLIP({0, {1, 0, 0}}, {1, {INFINITY, 0, 0}}),
                        "a.fbx: clip \"\": its motion of node \"hip\" has values that are not "
                        "finite numbers");
}

static int free_warnings(void **state) {
    ct_string_builder_free(&warnings);
    return test_group_teardown(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_skins_and_clips_of_models),
        cmocka_unit_test(folds_pivots_to_one_transform),
        cmocka_unit_test(refuses_keys_that_are_no_numbers),
    };
    return cmocka_run_group_tests(tests, test_group_setup, free_warnings);
}
