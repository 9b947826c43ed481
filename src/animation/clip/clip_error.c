#include "animation/clip/clip_error.h"

#include <math.h>
#include <string.h>

#include "animation/clip/clip_player.h"
#include "foundation/math/math.h"

enum { LEVER_FRAMES = 64 }; // that levers are taken from

// The poses of a clip as matrices: raw, or of a player.
typedef struct poser {
    const ct_raw_clip *raw;
    uint32_t num_joints, num_groups;
    ct_pose_group *rest, *base, *pose, *sum; // base: of what a clip does not move
    uint32_t *parents;
    ct_affine *raw_models, *models;
} poser;

static void poser_init(poser *p, const ct_raw_clip *raw, ct_allocator *a) {
    const ct_skeleton_joint *const joints = ct_skeleton_joints(raw->skeleton, &p->num_joints);
    p->raw = raw;
    p->num_groups = ct_pose_num_groups(p->num_joints);
    const uint64_t bytes = sizeof(ct_pose_group) * p->num_groups;
    p->rest = ct_alloc(a, bytes);
    p->base = ct_alloc(a, bytes);
    p->pose = ct_alloc(a, bytes);
    p->sum = ct_alloc(a, bytes);
    p->parents = ct_alloc(a, sizeof(*p->parents) * p->num_joints);
    p->raw_models = ct_alloc(a, sizeof(ct_affine) * p->num_joints);
    p->models = ct_alloc(a, sizeof(ct_affine) * p->num_joints);
    ct_pose_rest(raw->skeleton, p->rest);
    if (raw->flags & CT_ANIMATION_ADDITIVE)
        ct_pose_identity(p->base, p->num_groups);
    else
        memcpy(p->base, p->rest, bytes);
    for (uint32_t j = 0; j < p->num_joints; ++j)
        p->parents[j] = joints[j].parent;
}

static void poser_free(poser *p, ct_allocator *a) {
    ct_free(a, p->rest);
    ct_free(a, p->base);
    ct_free(a, p->pose);
    ct_free(a, p->sum);
    ct_free(a, p->parents);
    ct_free(a, p->raw_models);
    ct_free(a, p->models);
}

// Makes p->pose, which is the clip's, matrices.
static void make_models(poser *p, ct_affine *models) {
    const ct_pose_group *pose = p->pose;
    if (p->raw->flags & CT_ANIMATION_ADDITIVE) {
        memcpy(p->sum, p->rest, sizeof(ct_pose_group) * p->num_groups);
        ct_pose_add_delta(p->sum, p->pose, NULL, 1, p->num_groups);
        pose = p->sum;
    }
    ct_pose_to_model(pose, p->parents, p->num_joints, models);
}

static void make_raw_models(poser *p, uint32_t frame) {
    const ct_joint_pose *const samples = p->raw->samples + (uint64_t)frame * p->num_joints;
    ct_pose_identity(p->pose, p->num_groups);
    for (uint32_t j = 0; j < p->num_joints; ++j)
        ct_pose_set_joint(p->pose, j, &samples[j]);
    make_models(p, p->raw_models);
}

// --- Levers --------------------------------------------------------------------------------------

static float largest_scale(const ct_affine *m) {
    const ct_float4 squares =
        m->rows[0] * m->rows[0] + m->rows[1] * m->rows[1] + m->rows[2] * m->rows[2];
    return sqrtf(fmaxf(squares[0], fmaxf(squares[1], squares[2])));
}

static float distance(const ct_affine *a, const ct_affine *b) {
    const float x = a->rows[0][3] - b->rows[0][3], y = a->rows[1][3] - b->rows[1][3];
    const float z = a->rows[2][3] - b->rows[2][3];
    return sqrtf(x * x + y * y + z * z);
}

// Adds the points of joint `j` to the levers of it and the joints above.
static void add_joint(const poser *p, const bool *turns, uint32_t j, ct_clip_lever *levers) {
    const float shell = p->raw->skeleton->shell * largest_scale(&p->raw_models[j]);
    levers[j].reach = fmaxf(levers[j].reach, shell);
    levers[j].link = fmaxf(levers[j].link, shell);
    bool is_linked = true; // no joint between makes up for rotations above
    for (uint32_t above = p->parents[j]; above != CT_SKELETON_NO_PARENT;
         above = p->parents[above]) {
        const float reach = distance(&p->raw_models[j], &p->raw_models[above]);
        ct_clip_lever *const lever = &levers[above];
        lever->reach = fmaxf(lever->reach, reach + shell);
        if (is_linked)
            lever->link = fmaxf(lever->link, reach + (turns[j] ? 0 : shell));
        is_linked = is_linked && !turns[above];
    }
}

static void add_frame(const poser *p, const bool *turns, ct_clip_lever *levers) {
    for (uint32_t j = 0; j < p->num_joints; ++j) {
        const uint32_t parent = p->parents[j];
        const float scale =
            parent == CT_SKELETON_NO_PARENT ? 1 : largest_scale(&p->raw_models[parent]);
        levers[j].parent_scale = fmaxf(levers[j].parent_scale, scale);
        add_joint(p, turns, j, levers);
    }
}

void ct_clip_levers(const ct_raw_clip *raw, const bool *turns, ct_allocator *a,
                    ct_clip_lever *levers) {
    poser p;
    poser_init(&p, raw, a);
    memset(levers, 0, sizeof(*levers) * p.num_joints);
    const uint32_t count = raw->num_frames < LEVER_FRAMES ? raw->num_frames : LEVER_FRAMES;
    for (uint32_t i = 0; i <= count; ++i) {
        make_raw_models(&p, (uint32_t)((uint64_t)raw->num_frames * i / count));
        add_frame(&p, turns, levers);
    }
    poser_free(&p, a);
}

void ct_clip_raw_origins(const ct_raw_clip *raw, ct_allocator *a, ct_vec3 *origins) {
    poser p;
    poser_init(&p, raw, a);
    for (uint32_t f = 0; f <= raw->num_frames; ++f) {
        make_raw_models(&p, f);
        for (uint32_t j = 0; j < p.num_joints; ++j) {
            const ct_float4 *const rows = p.raw_models[j].rows;
            origins[j * (raw->num_frames + 1ull) + f] =
                ct_vec3_make(rows[0][3], rows[1][3], rows[2][3]);
        }
    }
    poser_free(&p, a);
}

// --- The error -----------------------------------------------------------------------------------

// The largest distance of the points at `shell` on the three axes.
static float joint_error(const ct_affine *a, const ct_affine *b, float shell) {
    ct_float4 squares = {0, 0, 0, 0};
    for (uint32_t r = 0; r < 3; ++r) {
        const ct_float4 d = a->rows[r] - b->rows[r];
        const ct_float4 points = d * shell + d[3];
        squares += points * points;
    }
    return sqrtf(fmaxf(squares[0], fmaxf(squares[1], squares[2])));
}

ct_clip_error ct_clip_measure(const ct_raw_clip *raw, const ct_animation_resource *clip,
                              ct_allocator *a, float *worst) {
    poser p;
    poser_init(&p, raw, a);
    ct_clip_player *const player = ct_alloc(a, ct_clip_player_bytes(clip));
    ct_clip_player_init(player, clip);
    memset(worst, 0, sizeof(*worst) * p.num_joints);
    ct_clip_error error = {0};
    double sum = 0;
    for (uint32_t frame = 0; frame <= raw->num_frames; ++frame) {
        make_raw_models(&p, frame);
        const float time = (float)((double)frame / (double)raw->rate);
        ct_clip_player_move(player, time);
        ct_clip_player_pose(player, p.base, p.pose);
        make_models(&p, p.models);
        for (uint32_t j = 0; j < p.num_joints; ++j) {
            const float e = joint_error(&p.raw_models[j], &p.models[j], raw->skeleton->shell);
            sum += (double)e;
            worst[j] = fmaxf(worst[j], e);
            if (e > error.worst) {
                error.worst = e;
                error.joint = j;
                error.time = time;
            }
        }
    }
    error.mean = (float)(sum / ((double)raw->num_frames + 1) / p.num_joints);
    for (uint32_t j = p.num_joints; j-- > 0;) {
        if (p.parents[j] != CT_SKELETON_NO_PARENT)
            worst[p.parents[j]] = fmaxf(worst[p.parents[j]], worst[j]);
    }
    ct_free(a, player);
    poser_free(&p, a);
    return error;
}
