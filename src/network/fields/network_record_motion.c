// Records moved on in time, in integers alone: words are the same on all machines.
//
// Rotations: the four parts of both, as numbers of ONE, on the great circle through them (Shoemake
// 1985). The weights sin(s·a) / sin(a) at s = 1 + ticks / older_ticks are a series in (1 - cos a) / 2
// (Eberly, "A Fast and Accurate Algorithm for Computing SLERP", 2011), which ends when s is whole.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "network/fields/network_record.h"

enum {
    ONE_BITS = 24,
    ONE = 1 << ONE_BITS,
    ROOT_HALF = 11863283, // of ONE
    ROOT_2 = 23726566,
    TERMS = 6,
    MOST_TIMES = 4, // the time that was seen, for rotations
};

// --- Numbers -------------------------------------------------------------------------------------

// a * b / ONE, rounded.
static int64_t times(int64_t a, int64_t b) {
    const int64_t product = a * b + ONE / 2;
    return product >= 0 ? product >> ONE_BITS : -((-product + ONE - 1) >> ONE_BITS);
}

// Rounded down. The processor's root is a start only.
static uint32_t root_of(uint64_t square) {
    uint64_t root = (uint64_t)sqrt((double)square);
    while (root * root > square)
        --root;
    while ((root + 1) * (root + 1) <= square)
        ++root;
    return (uint32_t)root;
}

static void move_number(const uint32_t *older, uint32_t older_ticks, uint32_t ticks, uint32_t bits,
                        uint32_t *word) {
    const int64_t last = (int64_t)(UINT32_MAX >> (32 - bits)) - 1;
    const int64_t change = ((int64_t)*word - (int64_t)*older) * ticks, half = older_ticks / 2;
    const int64_t moved =
        *word + (change < 0 ? -((-change + half) / older_ticks) : (change + half) / older_ticks);
    *word = (uint32_t)(moved < 0 ? 0 : moved > last ? last : moved);
}

// --- Rotations -----------------------------------------------------------------------------------

static void read_parts(const uint32_t *words, int64_t half, int64_t parts[4]) {
    uint64_t squares = 0;
    for (uint32_t i = 0, next = 1; i < 4; ++i) {
        if (i == words[0])
            continue;
        parts[i] = ((int64_t)words[next++] - half) * ROOT_HALF / half;
        squares += (uint64_t)(parts[i] * parts[i]);
    }
    const uint64_t whole = (uint64_t)ONE << ONE_BITS;
    parts[words[0]] = root_of(squares < whole ? whole - squares : 0);
}

static void write_parts(const int64_t parts[4], int64_t half, uint32_t words[4]) {
    uint32_t largest = 0;
    for (uint32_t i = 1; i < 4; ++i)
        if (llabs(parts[i]) > llabs(parts[largest]))
            largest = i;
    words[0] = largest;
    for (uint32_t i = 0, next = 1; i < 4; ++i) {
        if (i == largest)
            continue;
        const int64_t part = parts[largest] < 0 ? -parts[i] : parts[i];
        const int64_t steps = times(times(part, ROOT_2), half);
        words[next++] = (uint32_t)((steps < -half ? -half : steps > half ? half : steps) + half);
    }
}

// sin(s·a) / sin(a), where `x` is (1 - cos a) / 2.
static int64_t weight(int64_t s, int64_t x) {
    // 2 / ((2n + 3)(n + 1)), of ONE.
    static const int64_t shares[TERMS] = {11184811, 3355443, 1597831, 932068, 610081, 430185};
    const int64_t square = times(s, s);
    int64_t sum = ONE, term = ONE;
    for (int64_t n = 0; n < TERMS && term != 0; ++n) {
        const int64_t factor = times((n + 1) * (n + 1) * ONE - square, shares[n]);
        term = times(times(term, factor), x);
        sum += term;
    }
    return times(s, sum);
}

static void move_rotation(const uint32_t *older, uint32_t older_ticks, uint32_t ticks,
                          uint32_t bits, uint32_t *words) {
    if (ticks > MOST_TIMES * older_ticks || memcmp(older, words, 4 * sizeof(*words)) == 0)
        return;
    const int64_t half = ((INT64_C(1) << bits) - 2) / 2;
    int64_t from[4], to[4], cosine = 0;
    read_parts(older, half, from);
    read_parts(words, half, to);
    for (uint32_t i = 0; i < 4; ++i)
        cosine += from[i] * to[i];
    const int64_t sign = cosine < 0 ? -1 : 1;
    const int64_t x = (ONE - (sign * cosine >> ONE_BITS)) / 2;
    const int64_t s = (int64_t)ONE * ticks / older_ticks;
    const int64_t of_to = weight(ONE + s, x < 0 ? 0 : x), of_from = sign * weight(s, x < 0 ? 0 : x);
    for (uint32_t i = 0; i < 4; ++i)
        to[i] = times(to[i], of_to) - times(from[i], of_from);
    write_parts(to, half, words);
}

// --- Records -------------------------------------------------------------------------------------

static bool moves(const ct_network_type *type) {
    return (type->kind >= CT_NETWORK_FLOAT && type->kind <= CT_NETWORK_ROTATION) &&
           type->bits != CT_NETWORK_EXACT_BITS;
}

bool ct_network_record_moves(const ct_network_config_resource *config,
                             const ct_network_record_type *record) {
    const ct_network_field *const fields = ct_network_record_fields(config, record);
    const ct_network_type *const types = ct_network_config_types(config);
    for (uint32_t i = 0; i < record->num_fields; ++i)
        if (moves(&types[fields[i].type]))
            return true;
    return false;
}

void ct_network_record_extrapolate(const ct_network_config_resource *config,
                                   const ct_network_record_type *record, const uint32_t *older,
                                   uint32_t older_ticks, const uint32_t *base, uint32_t ticks,
                                   uint32_t *words) {
    CT_ASSERT(older_ticks >= 1 && older_ticks <= 65535 && ticks <= 65535, "%u ticks and %u",
              older_ticks, ticks);
    const ct_network_field *const fields = ct_network_record_fields(config, record);
    const ct_network_type *const types = ct_network_config_types(config);
    if (record->num_words > 0 && words != base)
        memcpy(words, base, 4 * (size_t)record->num_words);
    for (uint32_t i = 0; i < record->num_fields; ++i) {
        const ct_network_type *const type = &types[fields[i].type];
        const uint32_t at = fields[i].first_word;
        if (!moves(type))
            continue;
        if (type->kind == CT_NETWORK_ROTATION) {
            move_rotation(older + at, older_ticks, ticks, type->bits, words + at);
            continue;
        }
        for (uint32_t k = 0; k < type->num_words; ++k)
            move_number(&older[at + k], older_ticks, ticks, type->bits, &words[at + k]);
    }
}
