// bench_bvh.h: raw clips for benchmarks: plain BVH files, and the blobs of skeletons and clips.
#pragma once
#include "animation/clip/clip_compress.h"

#define CT_BENCH_JUMP_INTERVAL 0.25f // seconds: the default of sources

typedef struct ct_bench_bvh {
    ct_blob_writer skeleton;
    ct_joint_pose *samples;
    ct_raw_clip raw; // at 1 mm, in metres
} ct_bench_bvh;

// Makes the blob of a skeleton in `w`, which ct_blob_writer_free frees. Parents come first.
const ct_skeleton_resource *ct_bench_skeleton(ct_blob_writer *w, uint32_t num_joints,
                                              const uint32_t *parents, const ct_joint_pose *rest);

// Compresses a clip into `w`.
const ct_animation_resource *ct_bench_clip(ct_blob_writer *w, const ct_raw_clip *raw);

// Reads one of assimp-testmodels' BVH files ("01_01") and takes `rate` frames a second of it.
// Returns false when it is not there. Its units are 5.6444 cm.
bool ct_bench_read_bvh(const char *name, uint32_t rate, ct_bench_bvh *bvh);
void ct_bench_free_bvh(ct_bench_bvh *bvh);
