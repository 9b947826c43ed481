// particle_noise.h: curl noise: a flow without sources, four points at a time.
//
// The curl of three smooth noises. Each is value noise on a lattice of 1 m: values at the eight
// corners of a cell from a hash (ten bits of it for each of the three), blended by quintic curves
// whose derivatives give the curl exactly. From "Curl-Noise for Procedural Fluid Flow" (Bridson,
// Hourihan, Nordenstam 2007). The GPU has the same function (particle_steps.glsl).
#pragma once
#include "foundation/math/math_lanes.h"

typedef uint32_t ct_column_words __attribute__((vector_size(16), may_alias));

// Hashes lattice points; as ct_particle_hash.
static inline ct_column_words ct_particle_noise_hash(ct_column_words x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// A coordinate in its cell: the cell's number, blends and their derivatives.
typedef struct ct_particle_noise_axis {
    ct_column_words cell;
    ct_column blend[2], slope[2]; // of its lower and its upper corner
} ct_particle_noise_axis;

// Returns the cell of four coordinates in lattice units.
static inline ct_particle_noise_axis ct_particle_noise_axis_of(ct_column x) {
    // Far away there is no fraction left; this also keeps the conversion defined for NaN.
    x = ct_column_min(ct_column_max(x, ct_column_all(-1e6f)), ct_column_all(1e6f));
    ct_column_bits cell = __builtin_convertvector(x, ct_column_bits);
    ct_column whole = __builtin_convertvector(cell, ct_column);
    const ct_column_bits is_above = whole > x; // -1 where rounding went up
    cell += is_above;
    const ct_column t = x - __builtin_convertvector(cell, ct_column);
    const ct_column blend = t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
    const ct_column slope = 30.0f * t * t * (t * (t - 2.0f) + 1.0f);
    return (ct_particle_noise_axis){
        .cell = (ct_column_words)cell,
        .blend = {1.0f - blend, blend},
        .slope = {-slope, slope},
    };
}

// Sets `flow` to the curl at `point` (in lattice units); its parts are mostly within -2 to 2.
static inline void ct_particle_curl_noise(const ct_column point[3], ct_column flow[3]) {
    const ct_particle_noise_axis x = ct_particle_noise_axis_of(point[0]);
    const ct_particle_noise_axis y = ct_particle_noise_axis_of(point[1]);
    const ct_particle_noise_axis z = ct_particle_noise_axis_of(point[2]);
    ct_column dx[3] = {{0}}, dy[3] = {{0}}, dz[3] = {{0}}; // of the three noises
    for (uint32_t corner = 0; corner < 8; ++corner) {
        const uint32_t i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        const ct_column_words hash = ct_particle_noise_hash(
            (x.cell + i) * 0x8da6b343u ^ (y.cell + j) * 0xd8163841u ^ (z.cell + k) * 0xcb1ab31fu);
        const ct_column along_x = x.slope[i] * y.blend[j] * z.blend[k];
        const ct_column along_y = x.blend[i] * y.slope[j] * z.blend[k];
        const ct_column along_z = x.blend[i] * y.blend[j] * z.slope[k];
        for (uint32_t n = 0; n < 3; ++n) {
            const ct_column_bits ten = (ct_column_bits)(hash >> 10 * n & 1023);
            const ct_column value =
                __builtin_convertvector(ten, ct_column) * (2.0f / 1023.0f) - 1.0f;
            dx[n] += along_x * value;
            dy[n] += along_y * value;
            dz[n] += along_z * value;
        }
    }
    flow[0] = dy[2] - dz[1];
    flow[1] = dz[0] - dx[2];
    flow[2] = dx[1] - dy[0];
}
