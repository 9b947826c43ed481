// worker_matrix.h: the affine transforms of model files: 3 rows of 4, for column vectors.
//
// Kept apart from foundation/math/math.h because files may hold any matrix: mirrored, sheared, flat.
#pragma once
#include "foundation/types.h"

typedef struct ct_worker_matrix {
    float rows[3][4]; // the fourth row is 0 0 0 1
} ct_worker_matrix;

ct_worker_matrix ct_worker_matrix_identity(void);

// The transform that does `b` first, then `a`.
ct_worker_matrix ct_worker_matrix_multiply(const ct_worker_matrix *a, const ct_worker_matrix *b);

// Writes the transform of (v, w) to `out`: w 1 for points, 0 for directions.
void ct_worker_matrix_apply(const ct_worker_matrix *m, const float v[3], float w, float out[3]);

// The inverse transpose of the 3x3 part but for a positive factor: what moves normals. `sign` is
// set to that of the determinant: -1 for a matrix that mirrors.
ct_worker_matrix ct_worker_matrix_normals(const ct_worker_matrix *m, float *sign);

// Sets `inverse` to what undoes `m`. False when nothing does, as it flattens.
bool ct_worker_matrix_inverse(const ct_worker_matrix *m, ct_worker_matrix *inverse);

// Cuts `m` into a pose: rotation as x y z w. A mirrored matrix gets a negative scale along x. False
// when the pose is not the matrix (shear), which the pose then approaches.
bool ct_worker_matrix_pose(const ct_worker_matrix *m, float position[3], float rotation[4],
                           float scale[3]);

// True when all numbers are finite.
bool ct_worker_matrix_is_finite(const ct_worker_matrix *m);
