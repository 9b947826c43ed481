// peer_bullet.h: the worlds of bench_physics.c in Bullet called directly, with the settings of ours.
#pragma once
#include "foundation/math/math_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// A world of boxes of half a metre half the size and 1 kg at `places` over level ground; or one of
// triangles. One at a time. ct_bullet_init was called.
void peer_bullet_begin_boxes(const ct_vec3 *places, uint32_t count);
void peer_bullet_begin_triangles(float *points, uint32_t num_points, uint32_t *indices,
                                 uint32_t num_indices);
void peer_bullet_end(void);

void peer_bullet_step(float dt);

// Returns how many of the rays between `ends[2 * i]` and `ends[2 * i + 1]` hit something.
uint32_t peer_bullet_rays(const ct_vec3 *ends, uint32_t count);

#ifdef __cplusplus
}
#endif
