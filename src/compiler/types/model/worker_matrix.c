#include "compiler/types/model/worker_matrix.h"

#include <math.h>
#include <string.h>

ct_worker_matrix ct_worker_matrix_identity(void) {
    return (ct_worker_matrix){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

ct_worker_matrix ct_worker_matrix_multiply(const ct_worker_matrix *a, const ct_worker_matrix *b) {
    ct_worker_matrix m;
    for (uint32_t row = 0; row < 3; ++row) {
        const float *const r = a->rows[row];
        for (uint32_t column = 0; column < 4; ++column)
            m.rows[row][column] = r[0] * b->rows[0][column] + r[1] * b->rows[1][column] +
                                  r[2] * b->rows[2][column] + (column == 3 ? r[3] : 0.0f);
    }
    return m;
}

void ct_worker_matrix_apply(const ct_worker_matrix *m, const float v[3], float w, float out[3]) {
    // Adding 0 turns -0 to 0, so that equal vertices have equal bytes.
    for (uint32_t row = 0; row < 3; ++row) {
        const float *const r = m->rows[row];
        out[row] = r[0] * v[0] + r[1] * v[1] + r[2] * v[2] + r[3] * w + 0.0f;
    }
}

ct_worker_matrix ct_worker_matrix_normals(const ct_worker_matrix *m, float *sign) {
    ct_worker_matrix n = {{{0}}};
    const float(*r)[4] = m->rows;
    for (uint32_t row = 0; row < 3; ++row) {
        const float *a = r[(row + 1) % 3], *b = r[(row + 2) % 3];
        n.rows[row][0] = a[1] * b[2] - a[2] * b[1];
        n.rows[row][1] = a[2] * b[0] - a[0] * b[2];
        n.rows[row][2] = a[0] * b[1] - a[1] * b[0];
    }
    const float *const first = n.rows[0];
    *sign = r[0][0] * first[0] + r[0][1] * first[1] + r[0][2] * first[2] < 0 ? -1.0f : 1.0f;
    for (uint32_t row = 0; row < 3; ++row) {
        for (uint32_t column = 0; column < 3; ++column)
            n.rows[row][column] *= *sign;
    }
    return n;
}

bool ct_worker_matrix_inverse(const ct_worker_matrix *m, ct_worker_matrix *inverse) {
    float sign;
    const ct_worker_matrix n = ct_worker_matrix_normals(m, &sign);
    double determinant = 0;
    for (uint32_t column = 0; column < 3; ++column)
        determinant += (double)m->rows[0][column] * (double)n.rows[0][column] * (double)sign;
    for (uint32_t row = 0; row < 3; ++row) {
        double moved = 0;
        for (uint32_t column = 0; column < 3; ++column) {
            const double value = (double)n.rows[column][row] * (double)sign / determinant;
            inverse->rows[row][column] = (float)value;
            moved -= value * (double)m->rows[column][3];
        }
        inverse->rows[row][3] = (float)moved;
    }
    return determinant != 0 && ct_worker_matrix_is_finite(inverse);
}

// The rotation with these unit columns as x y z w (Shepperd 1978).
static void quaternion_of(float c[3][3], float q[4]) {
    const float trace = c[0][0] + c[1][1] + c[2][2];
    uint32_t i = 0;
    for (uint32_t k = 1; k < 3; ++k)
        i = c[k][k] > c[i][i] ? k : i;
    if (trace > c[i][i]) {
        const float s = 0.5f / sqrtf(fmaxf(1 + trace, 1e-12f));
        q[3] = 0.25f / s;
        q[0] = (c[1][2] - c[2][1]) * s;
        q[1] = (c[2][0] - c[0][2]) * s;
        q[2] = (c[0][1] - c[1][0]) * s;
        return;
    }
    const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    const float s = 0.5f / sqrtf(fmaxf(1 + c[i][i] - c[j][j] - c[k][k], 1e-12f));
    q[i] = 0.25f / s;
    q[j] = (c[i][j] + c[j][i]) * s;
    q[k] = (c[i][k] + c[k][i]) * s;
    q[3] = (c[j][k] - c[k][j]) * s;
}

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float out[3]) {
    for (uint32_t i = 0; i < 3; ++i)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// Makes `v` a unit vector at right angles to the `count` unit vectors `to`. False when it is none.
static bool straighten(float v[3], float to[][3], uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const float along = dot(v, to[i]);
        for (uint32_t k = 0; k < 3; ++k)
            v[k] -= along * to[i][k];
    }
    const float length = sqrtf(dot(v, v));
    if (!(length > 1e-6f))
        return false;
    for (uint32_t k = 0; k < 3; ++k)
        v[k] /= length;
    return true;
}

// Puts unit vectors at right angles in place of columns that have no direction of their own.
static void fill_axis(float axes[3][3], uint32_t i) {
    for (uint32_t k = 0; k < 3; ++k) {
        memset(axes[i], 0, sizeof(axes[i]));
        axes[i][(i + k) % 3] = 1;
        if (straighten(axes[i], axes, i))
            return;
    }
}

bool ct_worker_matrix_pose(const ct_worker_matrix *m, float position[3], float rotation[4],
                           float scale[3]) {
    float axes[3][3], sign = 1;
    float largest_shear = 0;
    ct_worker_matrix_normals(m, &sign);
    for (uint32_t i = 0; i < 3; ++i) {
        position[i] = m->rows[i][3] + 0.0f;
        float column[3] = {m->rows[0][i], m->rows[1][i], m->rows[2][i]};
        scale[i] = sqrtf(dot(column, column)) * (i == 0 ? sign : 1.0f);
        for (uint32_t k = 0; k < 3; ++k)
            axes[i][k] = scale[i] != 0 ? column[k] / scale[i] : 0;
        for (uint32_t k = 0; k < i; ++k)
            largest_shear = fmaxf(largest_shear, fabsf(dot(axes[i], axes[k])));
        if (!straighten(axes[i], axes, i))
            fill_axis(axes, i);
    }
    // What is flat may have come out left-handed.
    float last[3];
    cross(axes[0], axes[1], last);
    memcpy(axes[2], last, sizeof(last));
    quaternion_of(axes, rotation);
    return largest_shear < 1e-3f;
}

bool ct_worker_matrix_is_finite(const ct_worker_matrix *m) {
    const float *const values = m->rows[0];
    for (uint32_t i = 0; i < 12; ++i) {
        if (!isfinite(values[i]))
            return false;
    }
    return true;
}
