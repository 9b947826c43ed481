// clip_compress.h: makes the blob of a clip from a raw clip.
#pragma once
#include "animation/clip/raw_clip.h"
#include "resource/blob/blob_writer.h"

// The error of one joint at one time.
typedef struct ct_clip_error {
    float worst, mean; // metres at the shell, in model space
    uint32_t joint;    // of the worst
    float time;        // of the worst, seconds
} ct_clip_error;

// Writes the struct of a clip and all that follows it to `w`, which has the header of a blob
// (ct_blob_writer_init) and nothing else; the caller finishes it. Temporary memory is from `a`.
// `error`, if not NULL, is set to what the clip's poses differ by from the raw ones at all frames:
// at most raw->tolerance, unless that is smaller than 24 bits for the range of a track allow.
// Curves that are not stepped differ by at most 1/2000 of their range. Deterministic. Any thread.
void ct_clip_compress(const ct_raw_clip *raw, ct_allocator *a, ct_blob_writer *w,
                      ct_clip_error *error);
