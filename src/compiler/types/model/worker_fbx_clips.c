#include "compiler/types/model/worker_fbx_clips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/scene.h>

#include "foundation/container/hash_map.h"
#include "foundation/math/math.h"
#include "foundation/string/string_id.h"

enum { MAX_PARTS = 32 }; // of a chain; Assimp makes up to 15

// One factor of a node's transform.
typedef struct part {
    ct_worker_matrix still;        // without motion
    const struct aiNodeAnim *keys; // NULL: it does not move
} part;

typedef CT_ARRAY(double) time_array;

typedef struct clip_reader {
    ct_compile *c;
    ct_sjson_value at;
    ct_worker_scene *scene;
    const struct aiAnimation *from;
    const char *name;            // for messages
    double ticks;                // a second
    ct_hash_map channel_of_name; // + 1
    uint32_t num_taken;
    part parts[MAX_PARTS];
    uint32_t num_parts;
    time_array times; // in ticks, of the node's keys
} clip_reader;

static bool fail(const clip_reader *r, const char *node, const char *what) {
    return ct_worker_scene_fail(
        r->c, r->scene, r->at,
        ct_compile_text(r->c, "%s: its motion of node \"%s\" %s", r->name, node, what));
}

// --- Times ---------------------------------------------------------------------------------------

// The times of vector keys or rotation keys, whose structs begin with them.
static bool add_times(clip_reader *r, const char *node, const void *keys, uint32_t count,
                      uint64_t stride) {
    double last = -INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
        double time;
        memcpy(&time, (const char *)keys + i * stride, sizeof(time));
        if (!isfinite(time))
            return fail(r, node, "has a key at a time that is not a number");
        if (time < last)
            return fail(r, node, "has keys that are not in the order of their times");
        last = time;
        ct_array_push(&r->times, time);
    }
    return true;
}

static int compare_times(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Collects the times of all keys of the parts, each once, in order.
static bool collect_times(clip_reader *r, const char *node) {
    r->times.count = 0;
    for (uint32_t i = 0; i < r->num_parts; ++i) {
        const struct aiNodeAnim *const k = r->parts[i].keys;
        if (k &&
            (!add_times(r, node, k->mPositionKeys, k->mNumPositionKeys,
                        sizeof(struct aiVectorKey)) ||
             !add_times(r, node, k->mRotationKeys, k->mNumRotationKeys, sizeof(struct aiQuatKey)) ||
             !add_times(r, node, k->mScalingKeys, k->mNumScalingKeys, sizeof(struct aiVectorKey))))
            return false;
    }
    if (r->times.count == 0)
        return true;
    qsort(r->times.items, r->times.count, sizeof(double), compare_times);
    uint32_t count = 1;
    for (uint32_t i = 1; i < r->times.count; ++i) {
        // Times of the same key of two curves may differ by errors of rounding.
        if (r->times.items[i] - r->times.items[count - 1] > 1e-6 * r->ticks)
            r->times.items[count++] = r->times.items[i];
    }
    r->times.count = count;
    return true;
}

// --- One part at a time --------------------------------------------------------------------------

// The last of the keys that is not behind `time`, and how far `time` is to the next, 0 to 1.
static uint32_t find_key(const void *keys, uint32_t count, uint64_t stride, double time,
                         float *fraction) {
    uint32_t first = 0, end = count;
    double from, to;
    while (end - first > 1) {
        const uint32_t middle = first + (end - first) / 2;
        memcpy(&from, (const char *)keys + middle * stride, sizeof(from));
        if (from <= time)
            first = middle;
        else
            end = middle;
    }
    *fraction = 0;
    if (first + 1 == count)
        return first;
    memcpy(&from, (const char *)keys + first * stride, sizeof(from));
    memcpy(&to, (const char *)keys + (first + 1) * stride, sizeof(to));
    const double f = to > from ? (time - from) / (to - from) : 0;
    *fraction = (float)(f < 0 ? 0 : f > 1 ? 1 : f);
    return first;
}

static void vector_at(const struct aiVectorKey *keys, uint32_t count, double time, float out[3]) {
    float f;
    if (count == 0)
        return;
    const uint32_t i = find_key(keys, count, sizeof(*keys), time, &f);
    const struct aiVector3D *const a = &keys[i].mValue;
    const struct aiVector3D *const b = &keys[f > 0 ? i + 1 : i].mValue;
    out[0] = a->x + (b->x - a->x) * f;
    out[1] = a->y + (b->y - a->y) * f;
    out[2] = a->z + (b->z - a->z) * f;
}

static ct_quat rotation_at(const struct aiQuatKey *keys, uint32_t count, double time) {
    float f;
    const uint32_t i = find_key(keys, count, sizeof(*keys), time, &f);
    const struct aiQuaternion *const a = &keys[i].mValue, *const b =
                                                              &keys[f > 0 ? i + 1 : i].mValue;
    const ct_quat from = {{a->x, a->y, a->z, a->w}}, to = {{b->x, b->y, b->z, b->w}};
    return ct_quat_slerp(ct_quat_normalize(from), ct_quat_normalize(to), f);
}

static ct_worker_matrix composed(const float position[3], ct_quat q, const float scale[3]) {
    const float x = q.x, y = q.y, z = q.z, w = q.w;
    const float turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                              {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                              {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    ct_worker_matrix m;
    for (uint32_t row = 0; row < 3; ++row) {
        for (uint32_t column = 0; column < 3; ++column)
            m.rows[row][column] = turn[row][column] * scale[column];
        m.rows[row][3] = position[row];
    }
    return m;
}

static ct_worker_matrix part_at(const part *p, double time) {
    if (!p->keys)
        return p->still;
    float position[3], rotation[4], scale[3];
    ct_worker_matrix_pose(&p->still, position, rotation, scale);
    ct_quat q = {{rotation[0], rotation[1], rotation[2], rotation[3]}};
    vector_at(p->keys->mPositionKeys, p->keys->mNumPositionKeys, time, position);
    vector_at(p->keys->mScalingKeys, p->keys->mNumScalingKeys, time, scale);
    if (p->keys->mNumRotationKeys > 0)
        q = rotation_at(p->keys->mRotationKeys, p->keys->mNumRotationKeys, time);
    return composed(position, q, scale);
}

// --- A node --------------------------------------------------------------------------------------

// Finds the parts of a node's transform. Returns whether any of them moves.
static bool find_parts(clip_reader *r, const ct_worker_fbx_chain *chain) {
    bool moves = false;
    r->num_parts = 0;
    for (const struct aiNode *n = chain->top; r->num_parts < MAX_PARTS; n = n->mChildren[0]) {
        const uint64_t id = ct_string_id64_of(n->mName.data).value;
        const uint32_t channel = (uint32_t)ct_hash_map_get(&r->channel_of_name, id, 0);
        r->num_taken += channel > 0;
        if (!ct_worker_fbx_is_geometric(n)) {
            part *const p = &r->parts[r->num_parts++];
            p->still = ct_worker_fbx_matrix(&n->mTransformation);
            p->keys = channel > 0 ? r->from->mChannels[channel - 1] : NULL;
            moves |= channel > 0;
        }
        if (n == chain->node)
            break;
    }
    return moves;
}

static void add_channel(clip_reader *r, uint32_t node, ct_worker_channel_kind kind,
                        const float *times, const float *values) {
    const ct_worker_channel channel = {
        .node = node, .kind = kind, .num_keys = r->times.count, .times = times, .values = values};
    ct_array_push(&r->scene->channels, channel);
}

// Assimp does not know how nodes take over scale (worker_fbx_nodes.h).
static void check_rest(clip_reader *r, uint32_t node) {
    const ct_worker_scene_node *const n = &r->scene->nodes.items[node];
    ct_worker_matrix m = r->parts[0].still;
    float size = 0, off = 0;
    for (uint32_t i = 1; i < r->num_parts; ++i)
        m = ct_worker_matrix_multiply(&m, &r->parts[i].still);
    for (uint32_t i = 0; i < 12; ++i) {
        size = fmaxf(size, fabsf(n->local.rows[i / 4][i % 4]));
        off = fmaxf(off, fabsf(n->local.rows[i / 4][i % 4] - m.rows[i / 4][i % 4]));
    }
    if (!(off <= 1e-3f * size))
        ct_worker_scene_warn(
            r->c, r->scene,
            ct_compile_text(r->c,
                            "node \"%s\" takes over its parent's scale in a way that clips do not "
                            "have, so its motion may differ; scale the parent to 1",
                            n->name));
}

static bool read_node(clip_reader *r, uint32_t node) {
    const char *const name = r->scene->nodes.items[node].name;
    if (!collect_times(r, name))
        return false;
    const uint64_t count = r->times.count;
    if (count == 0)
        return true;
    float *const times = CT_NEW_ARRAY(r->c->allocator, float, count);
    float *const positions = CT_NEW_ARRAY(r->c->allocator, float, 3 * count);
    float *const rotations = CT_NEW_ARRAY(r->c->allocator, float, 4 * count);
    float *const scales = CT_NEW_ARRAY(r->c->allocator, float, 3 * count);
    for (uint64_t i = 0; i < count; ++i) {
        ct_worker_matrix m = part_at(&r->parts[0], r->times.items[i]);
        for (uint32_t k = 1; k < r->num_parts; ++k) {
            const ct_worker_matrix next = part_at(&r->parts[k], r->times.items[i]);
            m = ct_worker_matrix_multiply(&m, &next);
        }
        times[i] = (float)(r->times.items[i] / r->ticks);
        if (!ct_worker_matrix_is_finite(&m) || !isfinite(times[i]))
            return fail(r, name, "has values that are not finite numbers");
        if (!ct_worker_matrix_pose(&m, positions + 3 * i, rotations + 4 * i, scales + 3 * i))
            ct_worker_scene_warn(r->c, r->scene,
                                 ct_compile_text(r->c,
                                                 "%s: its motion of node \"%s\" shears it, which "
                                                 "is left out",
                                                 r->name, name));
    }
    add_channel(r, node, CT_WORKER_CHANNEL_POSITION, times, positions);
    add_channel(r, node, CT_WORKER_CHANNEL_ROTATION, times, rotations);
    add_channel(r, node, CT_WORKER_CHANNEL_SCALE, times, scales);
    check_rest(r, node);
    return true;
}

// --- A clip --------------------------------------------------------------------------------------

static void find_channels(clip_reader *r) {
    ct_hash_map_init(&r->channel_of_name, r->c->allocator);
    for (uint32_t i = 0; i < r->from->mNumChannels; ++i) {
        const uint64_t id = ct_string_id64_of(r->from->mChannels[i]->mNodeName.data).value;
        ct_hash_map_set(&r->channel_of_name, id, (uint64_t)i + 1);
    }
}

static void set_times(const ct_worker_scene *s, ct_worker_clip *clip) {
    for (uint32_t i = 0; i < clip->num_channels; ++i) {
        const ct_worker_channel *const c = &s->channels.items[clip->first_channel + i];
        const float first = c->times[0], last = c->times[c->num_keys - 1];
        clip->start = i == 0 || first < clip->start ? first : clip->start;
        clip->end = i == 0 || last > clip->end ? last : clip->end;
    }
}

static bool add_clip(clip_reader *r, const ct_worker_fbx_chain *chains) {
    const struct aiAnimation *const from = r->from;
    ct_worker_clip clip = {.name = ct_compile_text(r->c, "%s", from->mName.data),
                           .first_channel = r->scene->channels.count};
    r->name = ct_compile_text(r->c, "clip \"%s\"", clip.name);
    r->ticks = from->mTicksPerSecond > 0 ? from->mTicksPerSecond : 25;
    r->num_taken = 0;
    find_channels(r);
    for (uint32_t node = 0; node < r->scene->nodes.count; ++node) {
        if (find_parts(r, &chains[node]) && !read_node(r, node))
            return false;
    }
    if (from->mNumMorphMeshChannels > 0 || from->mNumMeshChannels > 0)
        ct_worker_scene_warn(
            r->c, r->scene,
            ct_compile_text(r->c, "%s moves shapes of meshes, which is left out", r->name));
    if (r->num_taken < from->mNumChannels)
        ct_worker_scene_warn(
            r->c, r->scene,
            ct_compile_text(r->c, "%s moves what is no node, which is left out", r->name));
    clip.num_channels = r->scene->channels.count - clip.first_channel;
    set_times(r->scene, &clip);
    ct_array_push(&r->scene->clips, clip);
    return true;
}

bool ct_worker_fbx_add_clips(ct_compile *c, const struct aiScene *file,
                             const ct_worker_fbx_chain *chains, ct_sjson_value at,
                             ct_worker_scene *scene) {
    clip_reader r = {.c = c, .at = at, .scene = scene};
    ct_array_init(&r.times, c->allocator);
    for (uint32_t i = 0; i < file->mNumAnimations; ++i) {
        r.from = file->mAnimations[i];
        if (!add_clip(&r, chains))
            return false;
    }
    return true;
}
