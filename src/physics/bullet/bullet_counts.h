// bullet_counts.h: what the bodies of a world do, for tools.
#pragma once
#include "physics/bullet/bullet.h"

#ifdef __cplusplus
extern "C" {
#endif

// How many bodies a world has, and what they do since the last step.
typedef struct ct_bullet_counts {
    uint32_t bodies, dynamic; // all, and those that forces move
    uint32_t awake;           // of the dynamic ones
    uint32_t islands;         // groups of awake bodies that touch: each is solved by itself
    uint32_t pairs;           // whose bounds meet
} ct_bullet_counts;

// Counts them, for tools: looks at all bodies.
ct_bullet_counts ct_bullet_world_counts(const ct_bullet_world *w);

#ifdef __cplusplus
}
#endif
