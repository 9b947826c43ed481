// clip_write.h: lays out the blob of a clip from fitted tracks.
#pragma once
#include "animation/clip/clip_compress.h"
#include "animation/clip/clip_fit.h"

// The tracks of a clip, by kind: those of joints and of curves by their numbers.
typedef struct ct_clip_tracks {
    ct_clip_track *of_kind[CT_ANIMATION_TRACK_KIND_COUNT];
    uint32_t counts[CT_ANIMATION_TRACK_KIND_COUNT];
} ct_clip_tracks;

// Writes the clip's struct and all that follows to `w`, which has a blob's header.
void ct_clip_write(const ct_raw_clip *raw, const ct_clip_tracks *tracks, const ct_clip_error *error,
                   ct_allocator *a, ct_blob_writer *w);
