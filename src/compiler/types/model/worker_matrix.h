// worker_matrix.h: the affine transforms of model files: 3 rows of 4, for column vectors.
//
// Separate from foundation/math/math.h because files may hold any matrix: mirrored, sheared, flat.
#pragma once
#include "foundation/types.h"

typedef struct ct_worker_matrix {
    float rows[3][4]; // the fourth row is 0 0 0 1
} ct_worker_matrix;

// Returns the transform that changes nothing.
ct_worker_matrix ct_worker_matrix_identity(void);

// Returns the transform that applies `b` first, then `a`.
ct_worker_matrix ct_worker_matrix_multiply(const ct_worker_matrix *a, const ct_worker_matrix *b);

// Writes the transform of (v, w) to `out`: w 1 for points, 0 for directions.
void ct_worker_matrix_apply(const ct_worker_matrix *m, const float v[3], float w, float out[3]);

// Returns the inverse transpose of the 3x3 part, up to a positive factor: it transforms normals.
// `sign` is set to the sign of the determinant: -1 for a matrix that mirrors.
ct_worker_matrix ct_worker_matrix_normals(const ct_worker_matrix *m, float *sign);

// Sets `inverse` to the inverse of `m`. Returns false when `m` flattens and has no inverse.
bool ct_worker_matrix_inverse(const ct_worker_matrix *m, ct_worker_matrix *inverse);

// Cuts `m` into a pose: rotation as x y z w. A mirrored matrix gets a negative scale along x.
// Returns false when no pose equals the matrix (shear); the pose is then an approximation.
bool ct_worker_matrix_pose(const ct_worker_matrix *m, float position[3], float rotation[4],
                           float scale[3]);

// Returns true when all numbers are finite.
bool ct_worker_matrix_is_finite(const ct_worker_matrix *m);
