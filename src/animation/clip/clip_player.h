// clip_player.h: plays one clip: a place in its stream and the active keys.
//
// It holds the active segment of each lane as animation_stream.h reads it: values and tangents at
// its start and its end. Playing forward reads keys from the stream as they become needed; other
// moves start at the jump frame before the time. The pose at a time is the same to the last bit
// however the player came there.
//
// A player is one block of memory, ct_clip_player_bytes long and aligned to 16, that its owner
// provides. The clip and the skeleton are borrowed: when one of them is loaded again, players of
// the old one must be initialised again. A player is used by one thread at a time.
#pragma once
#include "animation/pose.h"
#include "resource/types/animation_resource.h"

typedef struct ct_clip_player ct_clip_player;

// Returns the bytes that a player of this clip needs.
uint32_t ct_clip_player_bytes(const ct_animation_resource *clip);

// Starts a player at time 0. `p` has ct_clip_player_bytes bytes.
void ct_clip_player_init(ct_clip_player *p, const ct_animation_resource *clip);

// Returns the clip.
const ct_animation_resource *ct_clip_player_clip(const ct_clip_player *p);

// Moves to `time` in seconds, forward or back. Clamped to the clip; NaN counts as 0.
void ct_clip_player_move(ct_clip_player *p, float time);

// Returns the time it is at, in seconds.
float ct_clip_player_time(const ct_clip_player *p);

// Writes the pose at the player's time. `pose` has ct_pose_num_groups(clip->num_joints) groups;
// what the clip does not move gets `base`: the skeleton's rest pose, or the identity
// (ct_pose_identity) for additive clips. `base` must be another array than `pose`.
void ct_clip_player_pose(const ct_clip_player *p, const ct_pose_group *base, ct_pose_group *pose);

// Returns the value of a curve (below the clip's number of curves) at the player's time.
float ct_clip_player_curve(const ct_clip_player *p, uint32_t curve);
