// Samples the motion of a file's nodes with the interpolation that the file names.
#include <math.h>
#include <string.h>

#include "compiler/types/animation/worker_clip.h"
#include "foundation/math/math.h"

static const float most_position = 1e7f, most_scale = 1e6f; // as joints of skeletons may have

// The last key that is not after `seconds`, and how far it is to the next one, 0 to 1; the first
// key before it, the last one after it.
static uint32_t find_key(const ct_worker_channel *c, double seconds, float *part) {
    uint32_t first = 0, end = c->num_keys;
    while (end - first > 1) {
        const uint32_t middle = first + (end - first) / 2;
        if ((double)c->times[middle] <= seconds)
            first = middle;
        else
            end = middle;
    }
    *part = 0;
    if (first + 1 == c->num_keys)
        return first;
    const double from = (double)c->times[first], to = (double)c->times[first + 1];
    const double value = to > from ? (seconds - from) / (to - from) : 0;
    *part = (float)(value < 0 ? 0 : value > 1 ? 1 : value);
    return first;
}

// glTF 2.0, appendix C: a Hermite spline whose tangents are per second.
static void sample_cubic(const ct_worker_channel *c, uint32_t key, float t, uint32_t size,
                         float *out) {
    const float *const a = c->values + (uint64_t)key * size * 3, *const b = a + size * 3;
    const float span = c->times[key + 1] - c->times[key];
    const float t2 = t * t, t3 = t2 * t;
    for (uint32_t i = 0; i < size; ++i)
        out[i] = (2 * t3 - 3 * t2 + 1) * a[size + i] + span * (t3 - 2 * t2 + t) * a[2 * size + i] +
                 (3 * t2 - 2 * t3) * b[size + i] + span * (t3 - t2) * b[i];
}

static ct_quat quat_of(const float v[4]) {
    return ct_quat_normalize((ct_quat){{v[0], v[1], v[2], v[3]}});
}

static void sample_channel(const ct_worker_channel *c, double seconds, float *out) {
    const uint32_t size = c->kind == CT_WORKER_CHANNEL_ROTATION ? 4 : 3;
    const bool is_cubic = c->interpolation == CT_WORKER_INTERPOLATION_CUBIC;
    float part;
    const uint32_t key = find_key(c, seconds, &part);
    const float *const a = c->values + (uint64_t)key * size * (is_cubic ? 3 : 1);
    memcpy(out, is_cubic ? a + size : a, size * sizeof(float));
    if (part == 0 || c->interpolation == CT_WORKER_INTERPOLATION_STEP)
        return;
    const float *const b = a + size;
    if (is_cubic) {
        sample_cubic(c, key, part, size, out);
    } else if (size == 4) {
        const ct_quat q = ct_quat_slerp(quat_of(a), quat_of(b), part);
        memcpy(out, (const float[4]){q.x, q.y, q.z, q.w}, sizeof(float[4]));
    } else {
        for (uint32_t i = 0; i < 3; ++i)
            out[i] = a[i] + (b[i] - a[i]) * part;
    }
}

// --- Axes ----------------------------------------------------------------------------------------

// Axes are swapped and turned around, and mirrored in left-handed files. A rotation's axis turns
// the other way in a mirror.
typedef struct axis_map {
    uint32_t from[3];
    float sign[3], mirror;
} axis_map;

static axis_map map_of(const ct_worker_matrix *m) {
    axis_map map = {.mirror = 1};
    for (uint32_t row = 0; row < 3; ++row) {
        map.sign[row] = 1;
        for (uint32_t column = 0; column < 3; ++column) {
            if (m->rows[row][column] == 0)
                continue;
            map.from[row] = column;
            map.sign[row] = m->rows[row][column] > 0 ? 1.0f : -1.0f;
        }
    }
    // An odd exchange of axes mirrors, and so does each sign.
    const bool is_even = (map.from[0] + 1) % 3 == map.from[1];
    map.mirror = (is_even ? 1.0f : -1.0f) * map.sign[0] * map.sign[1] * map.sign[2];
    return map;
}

static void set_position(const ct_worker_clip_reader *r, const float v[3], ct_joint_pose *pose) {
    float out[3];
    ct_worker_matrix_apply(&r->scene.axes, v, 0, out);
    for (uint32_t i = 0; i < 3; ++i)
        out[i] *= r->source.scale;
    pose->position = (ct_vec3){{out[0], out[1], out[2]}};
}

static void set_rotation(const axis_map *map, const float v[4], ct_joint_pose *pose) {
    float out[3];
    for (uint32_t i = 0; i < 3; ++i)
        out[i] = map->mirror * map->sign[i] * v[map->from[i]];
    pose->rotation = ct_quat_normalize((ct_quat){{out[0], out[1], out[2], v[3]}});
}

static void set_scale(const axis_map *map, const float v[3], ct_joint_pose *pose) {
    pose->scale = (ct_vec3){{v[map->from[0]], v[map->from[1]], v[map->from[2]]}};
}

// --- Joints --------------------------------------------------------------------------------------

static ct_joint_pose rest_of(const ct_skeleton_joint *j) {
    return (ct_joint_pose){
        .rotation = {{j->rotation[0], j->rotation[1], j->rotation[2], j->rotation[3]}},
        .position = {{j->position[0], j->position[1], j->position[2]}},
        .scale = {{j->scale[0], j->scale[1], j->scale[2]}}};
}

// The pose that a node has in the file without motion.
static ct_joint_pose still_pose(const ct_worker_clip_reader *r, const axis_map *map,
                                const ct_worker_scene_node *node, bool moves) {
    ct_joint_pose pose;
    if (moves && node->pose) {
        set_position(r, node->pose, &pose);
        set_rotation(map, node->pose + 3, &pose);
        set_scale(map, node->pose + 7, &pose);
        return pose;
    }
    float position[3], rotation[4], scale[3];
    ct_worker_matrix_pose(&node->local, position, rotation, scale);
    const float s = r->source.scale;
    pose.rotation = quat_of(rotation);
    pose.position = (ct_vec3){{position[0] * s, position[1] * s, position[2] * s}};
    pose.scale = (ct_vec3){{scale[0], scale[1], scale[2]}};
    return pose;
}

static bool is_good(const ct_joint_pose *pose) {
    for (uint32_t i = 0; i < 3; ++i) {
        if (!(fabsf(pose->position.raw[i]) <= most_position) ||
            !(fabsf(pose->scale.raw[i]) <= most_scale))
            return false;
    }
    const float length2 = ct_quat_dot(pose->rotation, pose->rotation);
    return length2 > 0.99f && length2 < 1.01f;
}

bool ct_worker_clip_sample(const ct_worker_clip_reader *r, double seconds, ct_joint_pose *poses) {
    const axis_map map = map_of(&r->scene.axes);
    for (uint32_t i = 0; i < r->num_joints; ++i) {
        if (r->node_of_joint[i] == CT_WORKER_SCENE_NO_NODE) {
            poses[i] = rest_of(&r->joints[i]);
            continue;
        }
        const ct_worker_scene_node *const node = &r->scene.nodes.items[r->node_of_joint[i]];
        const uint32_t *const tracks = r->tracks[i];
        float v[4];
        poses[i] = still_pose(r, &map, node, tracks[0] || tracks[1] || tracks[2]);
        if (tracks[CT_WORKER_CHANNEL_POSITION]) {
            sample_channel(&r->scene.channels.items[tracks[CT_WORKER_CHANNEL_POSITION] - 1],
                           seconds, v);
            set_position(r, v, &poses[i]);
        }
        if (tracks[CT_WORKER_CHANNEL_ROTATION]) {
            sample_channel(&r->scene.channels.items[tracks[CT_WORKER_CHANNEL_ROTATION] - 1],
                           seconds, v);
            set_rotation(&map, v, &poses[i]);
        }
        if (tracks[CT_WORKER_CHANNEL_SCALE]) {
            sample_channel(&r->scene.channels.items[tracks[CT_WORKER_CHANNEL_SCALE] - 1], seconds,
                           v);
            set_scale(&map, v, &poses[i]);
        }
        if (!is_good(&poses[i]))
            return ct_compile_error(
                r->c, r->c->doc, ct_sjson_find(r->c->doc, ct_sjson_root(r->c->doc), "source"),
                "%s: clip \"%s\", node \"%s\": its pose at %g s is not finite or too large; "
                "expected positions up to %g m and scales up to %g: check the file's unit",
                r->source.source, r->clip_name, node->key, seconds, (double)most_position,
                (double)most_scale);
    }
    return true;
}
