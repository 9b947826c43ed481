#include "sound/event/sound_curves.h"

#include <string.h>

#include "foundation/math/math_lanes.h"

// --- Exponentials --------------------------------------------------------------------------------

// 2^x, x held between -126 and 126 (NaN: -126). The whole part goes into the exponent, the rest, from
// -0.5 to 0.5, into a polynomial, which is 1 at 0 and elsewhere at most 4.4e-7 of the value off (Remez).
static inline float exp2_quick(float x) {
    const float low = x > -126 ? x : -126;
    const float held = low < 126 ? low : 126;
    const float rounder = 0x1.8p23f; // the ulp of what is near it is 1
    const float sum = held + rounder;
    const float f = held - (sum - rounder);
    int32_t sum_bits, rounder_bits;
    memcpy(&sum_bits, &sum, sizeof(sum));
    memcpy(&rounder_bits, &rounder, sizeof(rounder));
    const uint32_t power_bits = (uint32_t)(sum_bits - rounder_bits + 127) << 23;
    float power;
    memcpy(&power, &power_bits, sizeof(power));
    const float low_terms = 1 + f * (0.693142831f + f * 0.240223512f);
    const float high_terms = 0.055574004f + f * (0.00966628268f + f * 0.00111255096f);
    return power * (low_terms + f * f * f * high_terms);
}

float ct_sound_gain_of_db(float db) {
    return db > CT_SOUND_SILENCE_DB ? exp2_quick(db * 0.166096405f) : 0; // log2(10) / 20
}

float ct_sound_pitch_of_semitones(float semitones) {
    return exp2_quick(semitones * (1.0f / 12));
}

// --- Parameters ----------------------------------------------------------------------------------

// The position of a built-in parameter; COUNT for another key.
static uint32_t find_built_in(ct_string_id32 key) {
    const ct_string_id32 ids[CT_SOUND_BUILT_IN_COUNT] = {
        [CT_SOUND_BUILT_IN_DISTANCE] = CT_ID32("distance", 0x990209a9),
        [CT_SOUND_BUILT_IN_ANGLE] = CT_ID32("angle", 0x0463c81a),
        [CT_SOUND_BUILT_IN_SPEED] = CT_ID32("speed", 0x29e4a0ef),
        [CT_SOUND_BUILT_IN_OCCLUSION] = CT_ID32("occlusion", 0x58e4bc19),
        [CT_SOUND_BUILT_IN_TIME] = CT_ID32("time", 0x8e55aa5f),
    };
    uint32_t found = 0;
    while (found < CT_SOUND_BUILT_IN_COUNT && ids[found].value != key.value)
        ++found;
    return found;
}

bool ct_sound_is_built_in(ct_string_id32 key) {
    return find_built_in(key) != CT_SOUND_BUILT_IN_COUNT;
}

// Finds a parameter that is not in the instance's set.
static __attribute__((noinline)) bool find_shared(const ct_sound_scope *scope, ct_string_id32 key,
                                                  ct_sound_parameter_value *value) {
    const ct_sound_parameter *const found =
        ct_sound_parameter_find(scope->parameters, scope->global, key);
    if (found) {
        *value = found->value;
        return true;
    }
    const uint32_t built_in = find_built_in(key);
    if (built_in == CT_SOUND_BUILT_IN_COUNT)
        return false;
    value->number = scope->built_in[built_in];
    return true;
}

bool ct_sound_scope_find(const ct_sound_scope *scope, ct_string_id32 key,
                         ct_sound_parameter_value *value) {
    const ct_sound_parameter *const found =
        ct_sound_parameter_find(scope->parameters, scope->instance, key);
    if (!found)
        return find_shared(scope, key, value);
    *value = found->value;
    return true;
}

// The number of a curve's parameter.
static inline float curve_input(const ct_sound_scope *scope, const ct_sound_curve *curve) {
    const ct_sound_parameter *const found =
        ct_sound_parameter_find(scope->parameters, scope->instance, curve->parameter);
    if (found)
        return found->value.number;
    ct_sound_parameter_value value = {.number = curve->missing};
    find_shared(scope, curve->parameter, &value);
    return value.number;
}

// --- Curves --------------------------------------------------------------------------------------

// Returns the position of the last of `count` points that is not behind x; 0 when all are.
// Few points are all compared: branches on x would be hard to predict.
static inline uint32_t find_point(const ct_sound_point *points, uint32_t count, float x) {
    uint32_t found = 0;
    switch (count) {
    case 8:
        found += points[7].x <= x; // fall through
    case 7:
        found += points[6].x <= x; // fall through
    case 6:
        found += points[5].x <= x; // fall through
    case 5:
        found += points[4].x <= x; // fall through
    case 4:
        found += points[3].x <= x; // fall through
    case 3:
        found += points[2].x <= x; // fall through
    case 2:
        found += points[1].x <= x; // fall through
    case 1:
        return found;
    }
    for (uint32_t left = count; left > 1;) {
        const uint32_t half = left / 2;
        found += points[found + half].x <= x ? half : 0;
        left -= half;
    }
    return found;
}

static inline float curve_at(const ct_sound_point *points, uint32_t count,
                             ct_sound_curve_shape shape, float x) {
    const uint32_t found = find_point(points, count, x);
    const ct_sound_point a = points[found], b = points[found + (found + 1 < count)];
    // Before the first point this is negative, behind the last infinite or NaN: a and b are the same.
    const float share = (x - a.x) / (b.x - a.x);
    // By lanes, as these have no branches.
    const ct_column above = ct_column_max((ct_column){share}, (ct_column){0});
    const float t = ct_column_min(above, (ct_column){1, 1, 1, 1})[0];
    if (shape == CT_SOUND_SHAPE_LINEAR)
        return a.y + (b.y - a.y) * t;
    return shape == CT_SOUND_SHAPE_STEP ? a.y : a.y + (b.y - a.y) * (t * t * (3 - 2 * t));
}

float ct_sound_curve_at(const ct_sound_event_resource *e, const ct_sound_curve *curve, float x) {
    const ct_sound_point *const points = ct_blob_at(e, e->points.offset);
    return curve_at(points + curve->first_point, curve->num_points, curve->shape, x);
}

// --- Levels --------------------------------------------------------------------------------------

// A sum of SEND values is never exactly CT_SOUND_SILENCE_DB, which means that no SEND value was added yet.
static inline float add_send(float send, float value) {
    const float sum = send == CT_SOUND_SILENCE_DB ? value : send + value;
    return sum == CT_SOUND_SILENCE_DB ? CT_SOUND_SILENCE_DB - 1 : sum;
}

static inline void add(ct_sound_levels *levels, ct_sound_target target, float value) {
    if (target == CT_SOUND_TARGET_VOLUME)
        levels->volume += value;
    else if (target == CT_SOUND_TARGET_PITCH)
        levels->pitch += value;
    else if (target == CT_SOUND_TARGET_LOW_PASS)
        levels->low_pass = value < levels->low_pass ? value : levels->low_pass;
    else if (target == CT_SOUND_TARGET_GAIN)
        levels->gain *= value;
    else
        levels->send = add_send(levels->send, value);
}

void ct_sound_levels_add(ct_sound_levels *levels, ct_sound_target target, float value) {
    add(levels, target, value);
}

void ct_sound_levels_add_curves(ct_sound_levels *levels, const ct_sound_event_resource *e,
                                const ct_sound_node *leaf, const ct_sound_scope *scope) {
    const uint32_t *const positions = ct_blob_at(e, e->leaf_curves.offset);
    const ct_sound_curve *const curves = ct_blob_at(e, e->curves.offset);
    const ct_sound_point *const points = ct_blob_at(e, e->points.offset);
    for (uint32_t i = 0; i < leaf->num_curves; ++i) {
        const ct_sound_curve *const curve = &curves[positions[leaf->first_curve + i]];
        const float y = curve_at(points + curve->first_point, curve->num_points, curve->shape,
                                 curve_input(scope, curve));
        add(levels, curve->target, y);
    }
}
