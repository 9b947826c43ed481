// bench_animation.c: 1,000 characters with a skeleton of 60 joints.
//
// The clip lasts 8 seconds at 30 frames a second: slow waves of all joints in chains of up to ten,
// with a little noise, and a root that moves. Tolerance 1 mm.
//
// `animation_play`: every character plays on by 1/60 s, each at its own time, and its pose is
// written. The peer has the same frames as floats, and samples two with lerp and slerp, written
// plainly. Time for each joint.
//
// `animation_seek`: every character goes to a random time; beside it, steps of 1/30 s.
//
// `animation_size`: bytes that a joint needs for a second without jump frames; the peer is 70, the
// goal for recorded motion. `animation_jumps`: what jump frames add, as a part of that. The clip of
// the motion capture files 01_01 and 01_03, in metres, where the package assimp-testmodels has
// them; else the one above.
//
// `animation_model`: local poses to matrices in model space. The peer is a plain loop over joints,
// with SSE.
#include <math.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "animation/clip/clip_compress.h"
#include "animation/clip/clip_player.h"
#include "bench.h"
#include "bench_bvh.h"
#include "foundation/math/math.h"
#include "foundation/math/random.h"

enum {
    NUM_CHARACTERS = 1000,
    NUM_JOINTS = 60,
    NUM_GROUPS = NUM_JOINTS / 4,
    RATE = 30,
    NUM_FRAMES = 8 * RATE,
    CHAIN = 10,
};

static ct_blob_writer skeleton_blob, clip_blob;
static const ct_skeleton_resource *skeleton;
static const ct_animation_resource *clip;
static ct_joint_pose *samples; // the peer's, too
static ct_clip_player *players[NUM_CHARACTERS];
static char *player_bytes;
static float times[NUM_CHARACTERS], peer_times[NUM_CHARACTERS];
static ct_pose_group *poses, rest[NUM_GROUPS];
static ct_joint_pose *peer_poses;
static uint32_t parents[NUM_JOINTS];
static ct_affine *models;
static ct_random random_state;

static void make_samples(void) {
    ct_random r = ct_random_seeded(7, 0);
    for (uint32_t j = 0; j < NUM_JOINTS; ++j) {
        const ct_vec3 axis = ct_random_unit_vec3(&r), other = ct_random_unit_vec3(&r);
        const float slow = 2 + 4 * ct_random_float(&r), fast = 6 + 10 * ct_random_float(&r);
        for (uint32_t f = 0; f <= NUM_FRAMES; ++f) {
            ct_joint_pose *const s = &samples[f * NUM_JOINTS + j];
            const float time = (float)f / RATE;
            const float noise = (ct_random_float(&r) - 0.5f) * 0.001f;
            s->rotation = ct_quat_unit(
                ct_quat_mul(ct_quat_axis_angle(axis, 0.5f * sinf(time * slow + (float)j) + noise),
                            ct_quat_axis_angle(other, 0.1f * sinf(time * fast))));
            s->position = ct_vec3_make(0, j == 0 ? time : 0, j == 0 ? 1 : 0.1f);
            s->scale = ct_vec3_make(1, 1, 1);
        }
    }
}

static void make_clip(void) {
    ct_allocator *const a = ct_bench_heap();
    ct_joint_pose rest_pose[NUM_JOINTS];
    samples = ct_alloc(a, sizeof(*samples) * (NUM_FRAMES + 1) * NUM_JOINTS);
    make_samples();
    for (uint32_t j = 0; j < NUM_JOINTS; ++j) {
        parents[j] = j == 0 ? CT_SKELETON_NO_PARENT : j % CHAIN == 0 ? 0 : j - 1;
        rest_pose[j] =
            (ct_joint_pose){ct_quat_identity(), {{0, 0, j == 0 ? 1 : 0.1f}}, {{1, 1, 1}}};
    }
    skeleton = ct_bench_skeleton(&skeleton_blob, NUM_JOINTS, parents, rest_pose);
    const ct_raw_clip raw = {.skeleton = skeleton,
                             .rate = RATE,
                             .num_frames = NUM_FRAMES,
                             .samples = samples,
                             .flags = CT_ANIMATION_LOOPS,
                             .tolerance = 0.001f,
                             .jump_interval = CT_BENCH_JUMP_INTERVAL};
    clip = ct_bench_clip(&clip_blob, &raw);
    ct_pose_rest(skeleton, rest);
}

static void begin(void) {
    ct_allocator *const a = ct_bench_heap();
    make_clip();
    const uint64_t bytes = ct_round_up(ct_clip_player_bytes(clip), 64);
    player_bytes = ct_alloc_aligned(a, bytes * NUM_CHARACTERS, 64);
    poses = ct_alloc_aligned(a, sizeof(*poses) * NUM_GROUPS * NUM_CHARACTERS, 64);
    peer_poses = ct_alloc_aligned(a, sizeof(*peer_poses) * NUM_JOINTS * NUM_CHARACTERS, 64);
    models = ct_alloc_aligned(a, sizeof(*models) * NUM_JOINTS * NUM_CHARACTERS, 64);
    random_state = ct_random_seeded(3, 0);
    for (uint32_t i = 0; i < NUM_CHARACTERS; ++i) {
        players[i] = (void *)(player_bytes + bytes * i);
        times[i] = peer_times[i] = ct_random_float(&random_state) * 7.9f;
        ct_clip_player_init(players[i], clip);
        ct_clip_player_move(players[i], times[i]);
        ct_clip_player_pose(players[i], rest, poses + NUM_GROUPS * i);
    }
}

static void end(void) {
    ct_allocator *const a = ct_bench_heap();
    ct_blob_writer_free(&skeleton_blob);
    ct_blob_writer_free(&clip_blob);
    ct_free(a, samples);
    ct_free(a, player_bytes);
    ct_free(a, poses);
    ct_free(a, peer_poses);
    ct_free(a, models);
}

static double per_joint(double start_ns) {
    return (ct_bench_now_ns() - start_ns) / NUM_CHARACTERS / NUM_JOINTS;
}

// --- Playing -------------------------------------------------------------------------------------

static void advance(float *at, float step) {
    for (uint32_t i = 0; i < NUM_CHARACTERS; ++i) {
        at[i] += step;
        at[i] -= at[i] >= 8 ? 8.0f : 0.0f;
    }
}

static double play(float step) {
    advance(times, step);
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_CHARACTERS; ++i) {
        ct_clip_player_move(players[i], times[i]);
        ct_clip_player_pose(players[i], rest, poses + NUM_GROUPS * i);
    }
    const double result = per_joint(start_ns);
    ct_bench_use((uint64_t)poses[7].position[0][0]);
    return result;
}

static double run_play(void) {
    return play(1.0f / 60);
}

static double run_step(void) {
    return play(1.0f / RATE);
}

// Steps after a seek are steps, too: the runs of the two take turns.
static double run_seek(void) {
    for (uint32_t i = 0; i < NUM_CHARACTERS; ++i)
        times[i] = ct_random_float(&random_state) * 7.9f;
    return play(0);
}

static ct_quat slerp(ct_quat a, ct_quat b, float t) {
    float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    const float sign = dot < 0 ? -1 : 1;
    dot *= sign;
    float from = 1 - t, to = t;
    if (dot < 0.9995f) {
        const float angle = acosf(dot), scale = 1 / sinf(angle);
        from = sinf(angle * from) * scale;
        to = sinf(angle * to) * scale;
    }
    to *= sign;
    return ct_quat_unit((ct_quat){{a.x * from + b.x * to, a.y * from + b.y * to,
                                   a.z * from + b.z * to, a.w * from + b.w * to}});
}

static double run_play_floats(void) {
    advance(peer_times, 1.0f / 60);
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_CHARACTERS; ++i) {
        const float at = peer_times[i] * RATE;
        const uint32_t frame = (uint32_t)at < NUM_FRAMES ? (uint32_t)at : NUM_FRAMES - 1;
        const float part = at - (float)frame;
        const ct_joint_pose *const a = samples + frame * NUM_JOINTS, *const b = a + NUM_JOINTS;
        ct_joint_pose *const out = peer_poses + NUM_JOINTS * i;
        for (uint32_t j = 0; j < NUM_JOINTS; ++j) {
            out[j].rotation = slerp(a[j].rotation, b[j].rotation, part);
            out[j].position = ct_vec3_lerp(a[j].position, b[j].position, part);
            out[j].scale = ct_vec3_lerp(a[j].scale, b[j].scale, part);
        }
    }
    const double result = per_joint(start_ns);
    ct_bench_use((uint64_t)peer_poses[7].position.x);
    return result;
}

// --- Size ----------------------------------------------------------------------------------------

static double joint_bytes, jump_part;

static void measure_size(const ct_animation_resource *c) {
    const double seconds = (double)ct_animation_length(c);
    const uint32_t jumps = c->jump_bits.count;
    const uint32_t jump_bytes = jumps ? (c->jump_bytes + 4) * (jumps - 1) : 0;
    const double bytes = (double)(c->header.size_bytes - jump_bytes);
    joint_bytes = bytes / c->num_joints / seconds;
    jump_part = jump_bytes / bytes;
}

static void begin_size(const char *name) {
    ct_bench_bvh bvh;
    joint_bytes = jump_part = 0;
    if (!ct_bench_read_bvh(name, RATE, &bvh)) {
        make_clip();
        measure_size(clip);
        ct_blob_writer_free(&skeleton_blob);
        ct_blob_writer_free(&clip_blob);
        ct_free(ct_bench_heap(), samples);
        return;
    }
    measure_size(ct_bench_clip(&clip_blob, &bvh.raw));
    ct_blob_writer_free(&clip_blob);
    ct_bench_free_bvh(&bvh);
}

static void begin_01(void) {
    begin_size("01_01");
}

static void begin_03(void) {
    begin_size("01_03");
}

static double run_size(void) {
    return joint_bytes;
}

static double run_size_goal(void) {
    return 70;
}

static double run_jumps(void) {
    return jump_part;
}

static double run_one(void) {
    return 1;
}

// --- To model space ------------------------------------------------------------------------------

static double run_model(void) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_CHARACTERS; ++i)
        ct_pose_to_model(poses + NUM_GROUPS * i, parents, NUM_JOINTS, models + NUM_JOINTS * i);
    const double result = per_joint(start_ns);
    ct_bench_use((uint64_t)models[7].rows[0][3]);
    return result;
}

// One joint after the other, each as its own matrix; rows times the matrix of the parent.
static double run_model_plain(void) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_CHARACTERS; ++i) {
        const ct_joint_pose *const pose = peer_poses + NUM_JOINTS * i;
        ct_affine *const out = models + NUM_JOINTS * i;
        for (uint32_t j = 0; j < NUM_JOINTS; ++j) {
            const ct_quat q = pose[j].rotation;
            const ct_vec3 p = pose[j].position, s = pose[j].scale;
            const float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
            const float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
            const float xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
            const float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
            const ct_float4 rows[3] = {
                {(1 - (yy + zz)) * s.x, (xy - wz) * s.y, (xz + wy) * s.z, p.x},
                {(xy + wz) * s.x, (1 - (xx + zz)) * s.y, (yz - wx) * s.z, p.y},
                {(xz - wy) * s.x, (yz + wx) * s.y, (1 - (xx + yy)) * s.z, p.z}};
            if (parents[j] == CT_SKELETON_NO_PARENT) {
                memcpy(out[j].rows, rows, sizeof(rows));
                continue;
            }
            const ct_affine *const parent = &out[parents[j]];
            for (uint32_t r = 0; r < 3; ++r) {
                const ct_float4 row = parent->rows[r];
                ct_float4 sum = row[0] * rows[0] + row[1] * rows[1] + row[2] * rows[2];
                sum[3] += row[3];
                out[j].rows[r] = sum;
            }
        }
    }
    const double result = per_joint(start_ns);
    ct_bench_use((uint64_t)models[7].rows[0][3]);
    return result;
}

static void begin_model(void) {
    begin();
    run_play_floats();
}

static const ct_bench_case cases[] = {
    {"animation_play", "stream of keys", "lerp and slerp", "ns", 0.6, 0, begin, end, run_play,
     run_play_floats},
    {"animation_seek", "seek", "step of 1/30 s", "ns", 3, 0, begin, end, run_seek, run_step},
    {"animation_size", "01_01 at 1 mm", "70", "bytes", 1, 0, begin_01, NULL, run_size,
     run_size_goal},
    {"animation_size", "01_03 at 1 mm", "70", "bytes", 1, 0, begin_03, NULL, run_size,
     run_size_goal},
    {"animation_jumps", "01_01", "all but jump frames", "part", 0.5, 0, begin_01, NULL, run_jumps,
     run_one},
    {"animation_jumps", "01_03", "all but jump frames", "part", 0.5, 0, begin_03, NULL, run_jumps,
     run_one},
    {"animation_model", "1,000 x 60 joints", "plain SSE", "ns", 1.2, 0, begin_model, end, run_model,
     run_model_plain},
};

const ct_bench_group ct_bench_animation = {"animation", cases, CT_COUNT_OF(cases)};
