#include "animation/clip/clip_fit.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "resource/types/animation_stream.h"

enum {
    MOST_FRAMES = 1 << CT_ANIMATION_MAX_DURATION_BITS, // of a segment
    AHEAD_AT_LEAST = 4,                                // frames behind a segment that its end fits
    MOST_AHEAD = 32,
    MOST_POINTS = MOST_FRAMES + MOST_AHEAD,
    SEARCH_FRAMES = 1024, // that qualities are tried with
    KEY_COST = 6,         // bits that the time to read a key is worth
    MOST_VALUE = 1 << 23,
    MOST_TANGENT = 32767,
    DERIVED_SHIFT = 3,
};

// The end of a segment as sums of the samples of its frames and those behind it, and of its start.
typedef struct end_filter {
    uint32_t num_frames, num_ahead;   // num_frames 0: not made yet
    float of_value[2], of_tangent[2]; // the start's value and tangent: for the end's value, tangent
    float points[MOST_POINTS][2];
} end_filter;

struct ct_clip_fitter {
    ct_allocator *allocator;
    end_filter *filters[MOST_FRAMES + 1]; // by frames, for the usual frames ahead; made when needed
    end_filter last;                      // for those near the clip's end
    end_filter *derived[MOST_FRAMES + 1]; // for tracks with derived tangents
};

ct_clip_fitter *ct_clip_fitter_create(ct_allocator *a) {
    ct_clip_fitter *const f = ct_alloc_zero(a, sizeof(*f));
    f->allocator = a;
    return f;
}

void ct_clip_fitter_destroy(ct_clip_fitter *f) {
    for (uint32_t i = 0; i <= MOST_FRAMES; ++i) {
        ct_free(f->allocator, f->filters[i]);
        ct_free(f->allocator, f->derived[i]);
    }
    ct_free(f->allocator, f);
}

// --- Least squares -------------------------------------------------------------------------------

// The Hermite functions at s, 0 to 1: start value, start tangent, end value, end tangent.
static void hermite(double s, double duration, double h[4]) {
    const double t = 1 - s;
    h[0] = t * t * (1 + 2 * s);
    h[1] = s * t * t * duration;
    h[2] = s * s * (1 + 2 * t);
    h[3] = -s * s * t * duration;
}

// Inverts the symmetric n x n matrix `m` (at most 4) in place, by Gauss and Jordan.
static void invert(double m[4][4], uint32_t n) {
    for (uint32_t p = 0; p < n; ++p) {
        const double pivot = 1 / m[p][p];
        m[p][p] = 1;
        for (uint32_t c = 0; c < n; ++c)
            m[p][c] *= pivot;
        for (uint32_t r = 0; r < n; ++r) {
            if (r == p)
                continue;
            const double factor = m[r][p];
            m[r][p] = 0;
            for (uint32_t c = 0; c < n; ++c)
                m[r][c] -= factor * m[p][c];
        }
    }
}

// The functions of a point's unknowns: the end's value and tangent, then those of a key behind the
// frames ahead; and those of the start.
static void point_functions(const end_filter *f, uint32_t point, double unknowns[4],
                            double start[2]) {
    double h[4];
    const uint32_t frame = point + 1;
    memset(unknowns, 0, sizeof(double) * 4);
    if (frame <= f->num_frames) {
        hermite((double)frame / f->num_frames, f->num_frames, h);
        memcpy(start, h, sizeof(double) * 2);
        memcpy(unknowns, h + 2, sizeof(double) * 2);
        return;
    }
    hermite((double)(frame - f->num_frames) / f->num_ahead, f->num_ahead, h);
    memcpy(unknowns, h, sizeof(double) * 4);
    start[0] = start[1] = 0;
}

static void make_filter(end_filter *f, uint32_t num_frames, uint32_t num_ahead) {
    *f = (end_filter){.num_frames = num_frames, .num_ahead = num_ahead};
    const uint32_t num_points = num_frames + num_ahead, n = num_ahead > 0 ? 4 : 2;
    double normal[4][4] = {{0}}, unknowns[4], start[2];
    for (uint32_t p = 0; p < num_points; ++p) {
        point_functions(f, p, unknowns, start);
        for (uint32_t r = 0; r < n; ++r) {
            for (uint32_t c = 0; c < n; ++c)
                normal[r][c] += unknowns[r] * unknowns[c];
        }
    }
    for (uint32_t r = 0; r < n; ++r)
        normal[r][r] += 1e-7; // few points leave tangents open
    invert(normal, n);
    double of_start[2][2] = {{0}};
    for (uint32_t p = 0; p < num_points; ++p) {
        point_functions(f, p, unknowns, start);
        for (uint32_t k = 0; k < 2; ++k) {
            double weight = 0;
            for (uint32_t c = 0; c < n; ++c)
                weight += normal[k][c] * unknowns[c];
            f->points[p][k] = (float)weight;
            of_start[0][k] -= weight * start[0];
            of_start[1][k] -= weight * start[1];
        }
    }
    for (uint32_t k = 0; k < 2; ++k) {
        f->of_value[k] = (float)of_start[0][k];
        f->of_tangent[k] = (float)of_start[1][k];
    }
}

// For derived tangents: the end's value only, by the segment's frames.
static void make_derived_filter(end_filter *f, uint32_t num_frames) {
    *f = (end_filter){.num_frames = num_frames};
    double sum = 0, of_value = 0, of_tangent = 0;
    for (uint32_t p = 0; p < num_frames; ++p) {
        double h[4];
        hermite((p + 1.0) / num_frames, num_frames, h);
        const double slope = 1.5 * h[3] / num_frames, weight = h[2] + slope;
        f->points[p][0] = (float)weight;
        sum += weight * weight;
        of_value -= weight * (h[0] - slope);
        of_tangent -= weight * (h[1] - 0.5 * h[3]);
    }
    for (uint32_t p = 0; p < num_frames; ++p)
        f->points[p][0] /= (float)sum;
    f->of_value[0] = (float)(of_value / sum);
    f->of_tangent[0] = (float)(of_tangent / sum);
}

static const end_filter *derived_filter_for(ct_clip_fitter *f, uint32_t num_frames) {
    if (!f->derived[num_frames]) {
        f->derived[num_frames] = ct_alloc(f->allocator, sizeof(end_filter));
        make_derived_filter(f->derived[num_frames], num_frames);
    }
    return f->derived[num_frames];
}

static const end_filter *filter_for(ct_clip_fitter *f, uint32_t num_frames, uint32_t num_left) {
    const uint32_t wished = num_frames < AHEAD_AT_LEAST ? AHEAD_AT_LEAST
                            : num_frames > MOST_AHEAD   ? MOST_AHEAD
                                                        : num_frames;
    if (num_left < wished) {
        if (f->last.num_frames != num_frames || f->last.num_ahead != num_left)
            make_filter(&f->last, num_frames, num_left);
        return &f->last;
    }
    if (!f->filters[num_frames]) {
        f->filters[num_frames] = ct_alloc(f->allocator, sizeof(end_filter));
        make_filter(f->filters[num_frames], num_frames, wished);
    }
    return f->filters[num_frames];
}

// --- Segments ------------------------------------------------------------------------------------

typedef struct fit {
    ct_clip_fitter *fitter;
    ct_clip_track *track;
    uint32_t num_frames, most_frames; // of the clip, of a segment
    uint32_t first_frame;             // of the samples, in the track's points
    float most_error2;                // the square of the tolerance, in the track's numbers
} fit;

static int32_t rounded(float value, float least, float most) {
    const float whole = rintf(value);
    return (int32_t)(whole < least ? least : whole > most ? most : whole);
}

static void round_key(const ct_clip_track *t, const float *value, const float *tangent,
                      ct_clip_key *key) {
    for (uint32_t i = 0; i < t->num_numbers; ++i) {
        key->values[i] = rounded((value[i] - t->base[i]) / t->value_step, -MOST_VALUE, MOST_VALUE);
        key->tangents[i] = rounded(tangent[i] / t->tangent_step, -MOST_TANGENT, MOST_TANGENT);
    }
}

// Rounds the key at the end of a segment.
static void round_end(const ct_clip_track *t, const ct_clip_key *start, const float *value,
                      const float *tangent, ct_clip_key *end) {
    round_key(t, value, tangent, end);
    if (t->has_derived_tangents) {
        ct_animation_uint4 from, to;
        ct_animation_int4 tangents;
        memcpy(&from, start->values, sizeof(from));
        memcpy(&to, end->values, sizeof(to));
        memcpy(&tangents, start->tangents, sizeof(tangents));
        tangents = ct_animation_derived_tangents(from, to, tangents, end->frame - start->frame,
                                                 t->tangent_shift);
        memcpy(end->tangents, &tangents, sizeof(tangents));
    }
}

static void key_numbers(const ct_clip_track *t, const ct_clip_key *key, float *value,
                        float *tangent) {
    for (uint32_t i = 0; i < t->num_numbers; ++i) {
        value[i] = t->base[i] + (float)key->values[i] * t->value_step;
        tangent[i] = (float)key->tangents[i] * t->tangent_step;
    }
}

// Whether a rotation brings all points near to where they should be.
static bool are_points_near(const ct_clip_track *t, const float *found, uint32_t frame) {
    const ct_clip_points *const p = t->points;
    ct_quat q = t->is_relative ? ct_clip_whole_rotation(found)
                               : ct_quat_unit((ct_quat){{found[0], found[1], found[2], found[3]}});
    q = ct_quat_mul(ct_quat_conjugate(p->wanted[frame]), q);
    const float twice = q.raw[3] < 0 ? -2 : 2;
    const ct_vec3 turn = ct_vec3_make(q.raw[0] * twice, q.raw[1] * twice, q.raw[2] * twice);
    for (uint32_t k = 0; k < p->count; ++k) {
        const ct_vec3 e = ct_vec3_add(p->origin_errors[frame], ct_vec3_cross(turn, p->offsets[k]));
        if (!(ct_vec3_dot(e, e) <= p->most2[k]))
            return false;
    }
    return true;
}

static bool is_sample_near(const fit *f, const float *found, uint32_t frame) {
    const ct_clip_track *const t = f->track;
    if (t->points)
        return are_points_near(t, found, frame + f->first_frame);
    const float *const wanted = t->samples + (uint64_t)t->num_numbers * frame;
    float sum = 0;
    for (uint32_t i = 0; i < t->num_numbers; ++i)
        sum += (found[i] - wanted[i]) * (found[i] - wanted[i]);
    return sum <= f->most_error2;
}

// A segment between two keys, as numbers.
typedef struct segment {
    uint32_t num_numbers, duration;
    float from[4], to[4], from_tangent[4], to_tangent[4];
} segment;

static segment segment_between(const ct_clip_track *t, const ct_clip_key *start,
                               const ct_clip_key *end) {
    segment s = {.num_numbers = t->num_numbers, .duration = end->frame - start->frame};
    key_numbers(t, start, s.from, s.from_tangent);
    key_numbers(t, end, s.to, s.to_tangent);
    return s;
}

static void play_segment(const segment *g, uint32_t frame, float *found) {
    const float s = (float)frame / (float)g->duration, r = 1 - s;
    const float way = s * s * (1 + 2 * r);
    const float a = s * r * r * (float)g->duration, b = -s * s * r * (float)g->duration;
    for (uint32_t i = 0; i < g->num_numbers; ++i)
        found[i] = g->from[i] + way * (g->to[i] - g->from[i]) + a * g->from_tangent[i] +
                   b * g->to_tangent[i];
}

// Whether the samples of the segment between two keys are within the tolerance.
static bool is_near(const fit *f, const ct_clip_key *start, const ct_clip_key *end) {
    const segment g = segment_between(f->track, start, end);
    // From the end, where a segment that is too long fails.
    for (uint32_t frame = g.duration; frame > 0; --frame) {
        float found[4];
        play_segment(&g, frame, found);
        if (!is_sample_near(f, found, start->frame + frame))
            return false;
    }
    return true;
}

// Makes the best key that ends a segment of this length; returns whether the samples are near.
static bool try_end(const fit *f, const ct_clip_key *start, uint32_t duration, ct_clip_key *end) {
    const ct_clip_track *const t = f->track;
    const uint32_t n = t->num_numbers;
    *end = (ct_clip_key){.frame = start->frame + duration};
    const end_filter *const filter =
        t->has_derived_tangents ? derived_filter_for(f->fitter, duration)
                                : filter_for(f->fitter, duration, f->num_frames - end->frame);
    float from[4], from_tangent[4], value[4], tangent[4];
    key_numbers(t, start, from, from_tangent);
    for (uint32_t i = 0; i < n; ++i) {
        value[i] = filter->of_value[0] * from[i] + filter->of_tangent[0] * from_tangent[i];
        tangent[i] = filter->of_value[1] * from[i] + filter->of_tangent[1] * from_tangent[i];
    }
    const float *sample = t->samples + (uint64_t)n * (start->frame + 1);
    for (uint32_t p = 0; p < filter->num_frames + filter->num_ahead; ++p, sample += n) {
        for (uint32_t i = 0; i < n; ++i) {
            value[i] += filter->points[p][0] * sample[i];
            tangent[i] += filter->points[p][1] * sample[i];
        }
    }
    round_end(t, start, value, tangent, end);
    if (is_near(f, start, end))
        return true;
    if (duration > 1)
        return false;
    // One frame: only its value counts.
    round_end(t, start, t->samples + (uint64_t)n * end->frame, tangent, end);
    return false;
}

// The end of the longest segment from `start` that is near its samples; one frame at least.
static ct_clip_key longest_segment(const fit *f, const ct_clip_key *start) {
    const uint32_t left = f->num_frames - start->frame;
    const uint32_t most = left < f->most_frames ? left : f->most_frames;
    ct_clip_key best = {0}, end = {0};
    try_end(f, start, 1, &best);
    uint32_t good = 1, bad = most + 1;
    // Short ones one by one; a length may fail and the next not.
    for (uint32_t duration = 2, misses = 0; duration <= most && duration <= 8; ++duration) {
        if (try_end(f, start, duration, &end)) {
            best = end;
            good = duration;
            misses = 0;
        } else if (++misses == 2) {
            return best;
        }
    }
    if (good < 7)
        return best;
    for (uint32_t duration = 12; good < most; duration += duration / 2) {
        const uint32_t wished = duration < most ? duration : most;
        if (!try_end(f, start, wished, &end)) {
            bad = wished;
            break;
        }
        best = end;
        good = wished;
    }
    while (bad - good > 1) {
        const uint32_t middle = good + (bad - good) / 2;
        if (try_end(f, start, middle, &end)) {
            best = end;
            good = middle;
        } else {
            bad = middle;
        }
    }
    return best;
}

// --- Tracks --------------------------------------------------------------------------------------

static ct_clip_key first_key(const fit *f) {
    const ct_clip_track *const t = f->track;
    const uint32_t n = t->num_numbers;
    const float *const s = t->samples;
    float tangent[4] = {0};
    for (uint32_t i = 0; i < n; ++i)
        tangent[i] =
            f->num_frames > 1 ? (4 * s[n + i] - 3 * s[i] - s[2 * n + i]) / 2 : s[n + i] - s[i];
    ct_clip_key key = {0};
    round_key(t, s, tangent, &key);
    return key;
}

static void make_keys(fit *f) {
    ct_clip_track *const t = f->track;
    t->keys.count = 0;
    ct_clip_key key = first_key(f);
    ct_array_push(&t->keys, key);
    while (key.frame < f->num_frames) {
        key = longest_segment(f, &key);
        ct_array_push(&t->keys, key);
    }
}

// The bits of a number with its sign, from the largest of those: b bits hold -2^(b - 1) to
// 2^(b - 1) - 1.
static uint32_t bits_for(uint32_t most, bool any) {
    return !any ? 0 : most == 0 ? 1 : 33 - (uint32_t)__builtin_clz(most);
}

static uint32_t size_of(int32_t number) {
    return (uint32_t)(number < 0 ? -(number + 1) : number);
}

void ct_clip_key_differences(const ct_clip_track *t, const ct_clip_key *key,
                             int32_t differences[4]) {
    const ct_clip_key *const last = key - 1;
    ct_animation_uint4 from, to;
    ct_animation_int4 tangents;
    memcpy(&from, last->values, sizeof(from));
    memcpy(&to, key->values, sizeof(to));
    memcpy(&tangents, last->tangents, sizeof(tangents));
    to -= ct_animation_predicted(from, tangents, key->frame - last->frame, t->tangent_shift);
    memcpy(differences, &to, sizeof(to));
}

// The bits of numbers with their signs.
typedef struct bit_count {
    uint32_t most;
    bool any;
} bit_count;

static void count_number(bit_count *c, int32_t number) {
    c->most = size_of(number) > c->most ? size_of(number) : c->most;
    c->any = c->any || number != 0;
}

// Counts the bits of values and tangents in the stream, and those of tangents in jump frames.
static void count_key_bits(ct_clip_track *t) {
    bit_count values[4] = {{0}}, tangents[4] = {{0}}, jump_tangents[4] = {{0}};
    for (uint32_t k = 0; k < t->keys.count; ++k) {
        const ct_clip_key *const key = &t->keys.items[k];
        int32_t differences[4] = {0};
        if (k > 0)
            ct_clip_key_differences(t, key, differences);
        for (uint32_t i = 0; i < t->num_numbers; ++i) {
            count_number(&values[i], differences[i]);
            if (k > 0 && !t->has_derived_tangents)
                count_number(&tangents[i], key->tangents[i]);
            if (k + 1 < t->keys.count) // no segment starts at the last one
                count_number(&jump_tangents[i], key->tangents[i]);
        }
    }
    for (uint32_t i = 0; i < t->num_numbers; ++i) {
        t->value_bits[i] = bits_for(values[i].most, values[i].any);
        t->tangent_bits[i] = bits_for(tangents[i].most, tangents[i].any);
        t->jump_tangent_bits[i] = bits_for(jump_tangents[i].most, jump_tangents[i].any);
    }
}

// Moves values so that the least is 0, and counts the bits that are needed.
static void count_bits(ct_clip_track *t) {
    t->is_wide = false;
    for (uint32_t i = 0; i < t->num_numbers; ++i) {
        int32_t least = INT32_MAX, most = INT32_MIN;
        for (uint32_t k = 0; k < t->keys.count; ++k) {
            const int32_t value = t->keys.items[k].values[i];
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        for (uint32_t k = 0; k < t->keys.count; ++k)
            t->keys.items[k].values[i] -= least;
        t->base[i] += (float)least * t->value_step;
        t->is_wide = t->is_wide || most - least > UINT16_MAX;
        for (t->jump_value_bits[i] = 0; (most - least) >> t->jump_value_bits[i];)
            ++t->jump_value_bits[i];
    }
    count_key_bits(t);
}

static uint32_t key_bits(const ct_clip_track *t) {
    uint32_t bits = t->duration_bits;
    for (uint32_t i = 0; i < t->num_numbers; ++i)
        bits += t->value_bits[i] + t->tangent_bits[i];
    return bits;
}

uint64_t ct_clip_track_bits(const ct_clip_track *t) {
    return (uint64_t)key_bits(t) * t->keys.count;
}

// The bits of durations that are best when longer segments are split.
static uint32_t best_duration_bits(ct_clip_track *t) {
    uint64_t least = UINT64_MAX;
    uint32_t best = CT_ANIMATION_MAX_DURATION_BITS;
    for (uint32_t bits = 1; bits <= CT_ANIMATION_MAX_DURATION_BITS; ++bits) {
        uint64_t count = 1;
        for (uint32_t k = 1; k < t->keys.count; ++k) {
            const uint32_t duration = t->keys.items[k].frame - t->keys.items[k - 1].frame;
            count += (duration + (1u << bits) - 1) >> bits;
        }
        t->duration_bits = bits;
        const uint64_t total = count * key_bits(t);
        if (total < least) {
            least = total;
            best = bits;
        }
    }
    return best;
}

// Sets the steps for a tolerance of the numbers.
static void set_steps(ct_clip_track *t, uint32_t num_frames, float tolerance) {
    const uint32_t n = t->num_numbers;
    float range = 0, slope = 0;
    for (uint32_t i = 0; i < n; ++i) {
        float least = t->samples[i], most = least;
        for (uint32_t f = 1; f <= num_frames; ++f) {
            const float value = t->samples[(uint64_t)n * f + i];
            slope = fmaxf(slope, fabsf(value - t->samples[(uint64_t)n * (f - 1) + i]));
            least = fminf(least, value);
            most = fmaxf(most, value);
        }
        t->base[i] = least / 2 + most / 2;
        range = fmaxf(range, most - least);
    }
    t->value_step = fmaxf(tolerance * t->value_quality, range / (MOST_VALUE * 1.6f));
    t->value_step = fmaxf(t->value_step, 1e-30f);
    while (t->tangent_shift > 0 &&
           slope * 2 * (float)(1 << t->tangent_shift) > t->value_step * MOST_TANGENT)
        --t->tangent_shift;
    t->tangent_step = t->value_step / (float)(1 << t->tangent_shift);
}

static void fit_once(ct_clip_fitter *fitter, ct_clip_track *t, uint32_t first_frame,
                     uint32_t num_frames, float tolerance) {
    set_steps(t, num_frames, tolerance);
    fit f = {.fitter = fitter,
             .track = t,
             .num_frames = num_frames,
             .first_frame = first_frame,
             .most_frames = MOST_FRAMES,
             .most_error2 = tolerance * tolerance};
    make_keys(&f);
    float base[4];
    memcpy(base, t->base, sizeof(base));
    count_bits(t);
    t->duration_bits = best_duration_bits(t);
    bool fits = true;
    for (uint32_t k = 1; k < t->keys.count; ++k)
        fits =
            fits && t->keys.items[k].frame - t->keys.items[k - 1].frame <= 1u << t->duration_bits;
    if (fits)
        return;
    memcpy(t->base, base, sizeof(base));
    f.most_frames = 1u << t->duration_bits;
    make_keys(&f);
    count_bits(t);
}

// How the steps of a track are chosen.
typedef struct quality {
    float value;
    bool has_derived_tangents;
    uint32_t tangent_shift;
} quality;

static void set_quality(ct_clip_track *t, const quality *q) {
    t->value_quality = q->value;
    t->has_derived_tangents = q->has_derived_tangents;
    t->tangent_shift = q->tangent_shift;
}

// Chooses the steps that need the fewest bits, with some of the samples.
static void choose_quality(ct_clip_fitter *fitter, ct_clip_track *t, uint32_t num_frames,
                           float tolerance) {
    static const float values[] = {0.4f, 0.6f, 0.8f, 1.0f, 1.25f, 1.6f};
    static const quality tangents[] = {
        {0, true, DERIVED_SHIFT}, {0, false, 0}, {0, false, 1}, {0, false, 2}};
    float *const samples = t->samples;
    const uint32_t count = num_frames < SEARCH_FRAMES ? num_frames : SEARCH_FRAMES;
    const uint32_t first = (num_frames - count) / 2;
    t->samples += (uint64_t)t->num_numbers * first;
    uint64_t least = UINT64_MAX;
    quality best = {0};
    for (uint32_t v = 0; v < CT_COUNT_OF(values); ++v) {
        for (uint32_t s = 0; s < CT_COUNT_OF(tangents); ++s) {
            quality q = tangents[s];
            q.value = values[v];
            set_quality(t, &q);
            fit_once(fitter, t, first, count, tolerance);
            const uint64_t cost = ct_clip_track_bits(t) + (uint64_t)t->keys.count * KEY_COST;
            if (cost < least) {
                least = cost;
                best = q;
            }
        }
    }
    set_quality(t, &best);
    t->samples = samples;
}

void ct_clip_fit(ct_clip_fitter *f, ct_clip_track *t, uint32_t num_frames, float tolerance) {
    // A rotation's numbers change by half the angle.
    const float least = t->kind == CT_ANIMATION_TRACK_ROTATION ? tolerance / 2 : tolerance;
    if (t->value_quality == 0)
        choose_quality(f, t, num_frames, least);
    fit_once(f, t, 0, num_frames, least);
}

void ct_clip_track_play(const ct_clip_track *t, float *samples) {
    for (uint32_t k = 1; k < t->keys.count; ++k) {
        const ct_clip_key *const start = &t->keys.items[k - 1], *const end = start + 1;
        const segment g = segment_between(t, start, end);
        for (uint32_t frame = k == 1 ? 0 : 1; frame <= g.duration; ++frame)
            play_segment(&g, frame, samples + (uint64_t)t->num_numbers * (start->frame + frame));
    }
}

void ct_clip_fit_steps(ct_clip_track *t, uint32_t num_frames) {
    const float *const s = t->samples;
    float least = s[0], most = s[0];
    bool are_whole = true;
    for (uint32_t f = 0; f <= num_frames; ++f) {
        least = fminf(least, s[f]);
        most = fmaxf(most, s[f]);
        are_whole = are_whole && s[f] == rintf(s[f]);
    }
    const float most_values = 2.0f * MOST_VALUE - 1;
    are_whole = are_whole && most - least <= most_values;
    t->base[0] = least;
    t->value_step = are_whole ? 1 : (most - least) / most_values;
    t->tangent_step = t->value_step;
    t->tangent_shift = 0;
    t->has_derived_tangents = false;
    t->keys.count = 0;
    t->duration_bits = CT_ANIMATION_MAX_DURATION_BITS;
    for (uint32_t f = 0, last = 0; f <= num_frames; ++f) {
        const bool is_key =
            f == 0 || f == num_frames || s[f] != s[f - 1] || f - last == MOST_FRAMES;
        if (!is_key)
            continue;
        const int32_t value = rounded((s[f] - least) / t->value_step, 0, most_values);
        ct_array_push(&t->keys, (ct_clip_key){.frame = f, .values = {value}});
        last = f;
    }
    count_bits(t);
}
