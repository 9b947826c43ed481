// machine_root.h: root motion of a clip between any two phases, over any number of rounds. In doubles:
// after a day there are many. Pure; any thread.
#pragma once
#include "resource/types/animation_resource.h"

// A place and a heading, as ct_animation_root_pose.
typedef struct ct_machine_pose {
    double x, y, z, heading;
} ct_machine_pose;

// What is known of a clip. The blob is borrowed.
typedef struct ct_machine_clip {
    const ct_animation_resource *resource; // NULL: missing
    double length;                         // seconds
    bool loops, has_root, turns;
    ct_machine_pose round; // how the root moves from start to end
} ct_machine_clip;

// Fills in what is known of a clip; `resource` may be NULL.
ct_machine_clip ct_machine_clip_of(const ct_animation_resource *resource);

// Returns `b`, which is seen from `a`, as seen from where `a` is.
ct_machine_pose ct_machine_pose_after(ct_machine_pose a, ct_machine_pose b);

// Returns how the root of a clip moves from phase `from` to `to`, in the space that it has at
// `from`. With `loops` they are anywhere, else from 0 to 1.
ct_machine_pose ct_machine_root_between(const ct_machine_clip *clip, double from, double to,
                                        bool loops);
