#include "bench_bvh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "foundation/math/math.h"

enum { MOST_JOINTS = 128, MOST_CHANNELS = 6 };

#define METRES 0.056444f // of a unit

typedef struct bvh_file {
    uint32_t num_joints, num_frames, num_values;
    uint32_t parents[MOST_JOINTS], num_channels[MOST_JOINTS];
    char channels[MOST_JOINTS][MOST_CHANNELS]; // 'x' to 'z': positions; 'X' to 'Z': rotations
    float offsets[MOST_JOINTS][3];
    float frame_time;
} bvh_file;

const ct_skeleton_resource *ct_bench_skeleton(ct_blob_writer *w, uint32_t num_joints,
                                              const uint32_t *parents, const ct_joint_pose *rest) {
    ct_allocator *const a = ct_bench_heap();
    ct_skeleton_resource r = {.hash = 1, .shell = 0.03f};
    ct_skeleton_joint *const joints = ct_alloc_zero(a, sizeof(*joints) * num_joints);
    ct_blob_writer_init(w, a, CT_BYTE_ORDER_LITTLE, "skeleton", CT_SKELETON_VERSION);
    ct_blob_begin(w, &ct_skeleton_layout);
    r.joints = ct_blob_reserve_items(w, &ct_skeleton_joint_layout, num_joints);
    for (uint32_t j = 0; j < num_joints; ++j) {
        char name[32];
        snprintf(name, sizeof(name), "joint_%u", j);
        joints[j].name_text = ct_blob_write_string(w, name, strlen(name));
        joints[j].name = ct_string_id32_of(name);
        joints[j].parent = parents[j];
        memcpy(joints[j].position, rest[j].position.raw, sizeof(joints[j].position));
        memcpy(joints[j].rotation, rest[j].rotation.raw, sizeof(joints[j].rotation));
        memcpy(joints[j].scale, rest[j].scale.raw, sizeof(joints[j].scale));
    }
    ct_blob_fill_items(w, &ct_skeleton_joint_layout, r.joints, joints);
    ct_blob_end(w, &ct_skeleton_layout, &r);
    ct_blob_writer_finish(w);
    ct_free(a, joints);
    return (const void *)w->bytes.items;
}

const ct_animation_resource *ct_bench_clip(ct_blob_writer *w, const ct_raw_clip *raw) {
    ct_blob_writer_init(w, ct_bench_heap(), CT_BYTE_ORDER_LITTLE, "animation",
                        CT_ANIMATION_VERSION);
    ct_clip_compress(raw, ct_bench_heap(), w, NULL);
    ct_blob_writer_finish(w);
    return (const void *)w->bytes.items;
}

// Reads the joints, up to the line before the first frame.
static bool read_joints(FILE *file, bvh_file *b) {
    char word[64];
    uint32_t stack[MOST_JOINTS + 1], depth = 0;
    bool is_end = false;
    while (fscanf(file, "%63s", word) == 1) {
        const uint32_t joint = b->num_joints - 1;
        if (strcmp(word, "ROOT") == 0 || strcmp(word, "JOINT") == 0) {
            if (b->num_joints == MOST_JOINTS)
                return false;
            b->parents[b->num_joints++] = depth > 0 ? stack[depth - 1] : CT_SKELETON_NO_PARENT;
            is_end = false;
        } else if (strcmp(word, "End") == 0) {
            is_end = true;
        } else if (strcmp(word, "{") == 0) {
            stack[depth++] = joint;
        } else if (strcmp(word, "}") == 0) {
            --depth;
        } else if (strcmp(word, "OFFSET") == 0) {
            float o[3];
            if (fscanf(file, "%f %f %f", &o[0], &o[1], &o[2]) != 3)
                return false;
            if (!is_end)
                memcpy(b->offsets[joint], o, sizeof(o));
        } else if (strcmp(word, "CHANNELS") == 0) {
            if (fscanf(file, "%u", &b->num_channels[joint]) != 1)
                return false;
            for (uint32_t c = 0; c < b->num_channels[joint] && c < MOST_CHANNELS; ++c) {
                if (fscanf(file, "%63s", word) != 1)
                    return false;
                b->channels[joint][c] = (char)(word[1] == 'p' ? word[0] + 32 : word[0]);
            }
            b->num_values += b->num_channels[joint];
        } else if (strcmp(word, "Frames:") == 0) {
            return fscanf(file, "%u Frame Time: %f", &b->num_frames, &b->frame_time) == 2;
        }
    }
    return false;
}

static bool read_pose(FILE *file, const bvh_file *b, ct_joint_pose *pose) {
    for (uint32_t j = 0; j < b->num_joints; ++j) {
        ct_quat q = ct_quat_identity();
        ct_vec3 p = ct_vec3_make(b->offsets[j][0], b->offsets[j][1], b->offsets[j][2]);
        for (uint32_t c = 0; c < b->num_channels[j]; ++c) {
            float value;
            if (fscanf(file, "%f", &value) != 1)
                return false;
            const char channel = b->channels[j][c];
            if (channel >= 'x') {
                p.raw[channel - 'x'] += value;
                continue;
            }
            ct_vec3 axis = ct_vec3_make(0, 0, 0);
            axis.raw[channel - 'X'] = 1;
            q = ct_quat_mul(q, ct_quat_axis_angle(axis, value * 3.14159265f / 180));
        }
        pose[j] = (ct_joint_pose){ct_quat_unit(q), ct_vec3_scale(p, METRES), {{1, 1, 1}}};
    }
    return true;
}

static bool read_clip(FILE *file, uint32_t rate, ct_bench_bvh *bvh) {
    bvh_file b = {0};
    if (!read_joints(file, &b))
        return false;
    const uint32_t step = (uint32_t)rintf(1 / b.frame_time / (float)rate);
    const uint32_t num_frames = (b.num_frames - 1) / step;
    ct_joint_pose rest[MOST_JOINTS];
    for (uint32_t j = 0; j < b.num_joints; ++j)
        rest[j] = (ct_joint_pose){
            ct_quat_identity(),
            {{b.offsets[j][0] * METRES, b.offsets[j][1] * METRES, b.offsets[j][2] * METRES}},
            {{1, 1, 1}}};
    // Room for the frames of a step behind the last, too.
    bvh->samples =
        ct_alloc(ct_bench_heap(), sizeof(ct_joint_pose) * (num_frames + 2ull) * b.num_joints);
    for (uint32_t f = 0; f < b.num_frames; ++f) {
        if (!read_pose(file, &b, bvh->samples + (uint64_t)((f + step - 1) / step) * b.num_joints)) {
            ct_free(ct_bench_heap(), bvh->samples);
            return false;
        }
    }
    bvh->raw =
        (ct_raw_clip){.skeleton = ct_bench_skeleton(&bvh->skeleton, b.num_joints, b.parents, rest),
                      .rate = (float)rate,
                      .num_frames = num_frames,
                      .samples = bvh->samples,
                      .tolerance = 0.001f,
                      .jump_interval = CT_BENCH_JUMP_INTERVAL};
    return true;
}

bool ct_bench_read_bvh(const char *name, uint32_t rate, ct_bench_bvh *bvh) {
    char path[128];
    snprintf(path, sizeof(path), "/usr/share/assimp/models/BVH/%s.bvh", name);
    FILE *const file = fopen(path, "r");
    if (!file)
        return false;
    const bool is_read = read_clip(file, rate, bvh);
    fclose(file);
    return is_read;
}

void ct_bench_free_bvh(ct_bench_bvh *bvh) {
    ct_blob_writer_free(&bvh->skeleton);
    ct_free(ct_bench_heap(), bvh->samples);
}
