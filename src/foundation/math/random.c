#include "foundation/math/random.h"

#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math.h"

static const uint64_t multiplier = UINT64_C(6364136223846793005);

ct_random ct_random_seeded(uint64_t seed, uint64_t stream) {
    ct_random r = {.state = 0, .increment = stream << 1 | 1};
    ct_random_u32(&r);
    r.state += seed;
    ct_random_u32(&r);
    return r;
}

// Composes the step x -> a x + c with itself by squaring (Brown, "Random Number Generation with
// Arbitrary Stride", 1994).
void ct_random_advance(ct_random *r, uint64_t steps) {
    uint64_t factor = multiplier, addend = r->increment;
    uint64_t all_factor = 1, all_addend = 0;
    for (; steps; steps >>= 1) {
        if (steps & 1) {
            all_factor *= factor;
            all_addend = all_addend * factor + addend;
        }
        addend *= factor + 1;
        factor *= factor;
    }
    r->state = all_factor * r->state + all_addend;
}

// The high half of the product falls below `bound`; the low half tells the few numbers that would
// make some results likelier than others, which are drawn again.
uint32_t ct_random_below(ct_random *r, uint32_t bound) {
    CT_ASSERT(bound > 0, "the bound of a random number must be above 0");
    uint64_t product = (uint64_t)ct_random_u32(r) * bound;
    if ((uint32_t)product < bound) {
        const uint32_t threshold = -bound % bound;
        while ((uint32_t)product < threshold)
            product = (uint64_t)ct_random_u32(r) * bound;
    }
    return (uint32_t)(product >> 32);
}

__extension__ typedef unsigned __int128 wide;

uint64_t ct_random_below_u64(ct_random *r, uint64_t bound) {
    CT_ASSERT(bound > 0, "the bound of a random number must be above 0");
    wide product = (wide)ct_random_u64(r) * bound;
    if ((uint64_t)product < bound) {
        const uint64_t threshold = -bound % bound;
        while ((uint64_t)product < threshold)
            product = (wide)ct_random_u64(r) * bound;
    }
    return (uint64_t)(product >> 64);
}

int64_t ct_random_range(ct_random *r, int64_t least, int64_t most) {
    CT_ASSERT(least <= most, "invalid range of random numbers: %lld to %lld", (long long)least,
              (long long)most);
    const uint64_t size = (uint64_t)most - (uint64_t)least + 1;
    const uint64_t offset = size ? ct_random_below_u64(r, size) : ct_random_u64(r);
    return (int64_t)((uint64_t)least + offset);
}

float ct_random_float_range(ct_random *r, float least, float most) {
    CT_ASSERT(least <= most && isfinite(most - least), "invalid range of random numbers: %g to %g",
              (double)least, (double)most);
    const float value = least + (most - least) * ct_random_float(r);
    return value < most ? value : most;
}

double ct_random_gaussian(ct_random *r) {
    double x, square;
    do {
        x = 2 * ct_random_double(r) - 1;
        const double y = 2 * ct_random_double(r) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    // The other of the pair, y times the same factor, would be state to save: it is dropped.
    return x * sqrt(-2 * log(square) / square);
}

// Draws x and y of a point inside the unit circle; returns the square of its distance.
static float draw_in_circle(ct_random *r, float *x, float *y) {
    float square;
    do {
        *x = 2 * ct_random_float(r) - 1;
        *y = 2 * ct_random_float(r) - 1;
        square = *x * *x + *y * *y;
    } while (square >= 1);
    return square;
}

ct_vec3 ct_random_unit_vec3(ct_random *r) {
    float x, y;
    const float square = draw_in_circle(r, &x, &y);
    const float factor = 2 * sqrtf(1 - square);
    return ct_vec3_make(x * factor, y * factor, 1 - 2 * square);
}

ct_quat ct_random_quat(ct_random *r) {
    float x, y, z, w, square;
    const float first = draw_in_circle(r, &x, &y);
    do {
        square = draw_in_circle(r, &z, &w);
    } while (square == 0);
    const float factor = sqrtf((1 - first) / square);
    return ct_quat_normalize((ct_quat){{x, y, z * factor, w * factor}});
}

void ct_random_shuffle(ct_random *r, uint32_t *values, uint32_t count) {
    for (uint32_t i = count; i > 1; --i) {
        const uint32_t other = ct_random_below(r, i);
        const uint32_t swap = values[i - 1];
        values[i - 1] = values[other];
        values[other] = swap;
    }
}

void ct_random_permutation(ct_random *r, uint32_t *values, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        values[i] = i;
    ct_random_shuffle(r, values, count);
}
