// bench_sound_parameters.c: parameters of sounds that play, and the curves over them, on one thread.
//
// `sound_parameters`: 512 instances of an event. Each gets new values of its 4 parameters by their keys,
// then its 3 curves are evaluated (volume, 5 points, straight; pitch, 3 points, smooth; low-pass, 4
// points, straight) and become a gain, a pitch and a frequency. The peer does the same arithmetic on
// plain arrays of floats, values[instance][4]: its curves have their parameter's position in place of
// its key, and it knows their number. Time for each instance.
#include <stdlib.h>

#include "bench.h"
#include "foundation/math/math_lanes.h"
#include "foundation/math/random.h"
#include "sound/event/sound_curves.h"
#include "sound/event_fixture.h"

enum { NUM_INSTANCES = 512, NUM_PARAMETERS = 4, NUM_CURVES = 3, NUM_FRAMES = 16, NUM_STEPS = 64 };

typedef struct heard {
    float gain, pitch, low_pass;
} heard;

// A curve whose parameter is a position.
typedef struct peer_curve {
    uint32_t parameter, target, shape, num_points;
    ct_sound_point points[8];
} peer_curve;

static struct {
    ct_sound_event_resource *event;
    ct_sound_parameters parameters;
    ct_sound_parameter_set instances[NUM_INSTANCES];
    ct_string_id32 keys[NUM_PARAMETERS];
    heard results[NUM_INSTANCES];
    float values[NUM_INSTANCES][NUM_PARAMETERS]; // the peer's
    peer_curve curves[NUM_CURVES];               // the peer's
    float input[NUM_FRAMES][NUM_INSTANCES][NUM_PARAMETERS];
} b;

static const char *const names[NUM_PARAMETERS] = {"force", "size", "wetness", "rate"};
static const ct_sound_point volume_points[] = {{0, -60}, {5, -24}, {10, -12}, {20, -3}, {40, 0}};
static const ct_sound_point pitch_points[] = {{0.5f, 7}, {1, 0}, {4, -12}};
static const ct_sound_point low_pass_points[] = {{0, 22000}, {0.2f, 9000}, {0.6f, 3000}, {1, 700}};

// Copies the curves of the event.
static void begin_peer(void) {
    static const uint32_t positions[NUM_CURVES] = {0, 1, 3};
    const ct_sound_curve *const curves = ct_blob_at(b.event, b.event->curves.offset);
    const ct_sound_point *const points = ct_blob_at(b.event, b.event->points.offset);
    for (uint32_t i = 0; i < NUM_CURVES; ++i) {
        b.curves[i] = (peer_curve){.parameter = positions[i],
                                   .target = curves[i].target,
                                   .shape = curves[i].shape,
                                   .num_points = curves[i].num_points};
        memcpy(b.curves[i].points, points + curves[i].first_point,
               curves[i].num_points * sizeof(points[0]));
    }
}

static void begin(void) {
    event_fixture *const f = event_fixture_begin("sounds/impact");
    const uint32_t sound = event_fixture_sound(f, CT_SOUND_NO_NODE, "sounds/wood");
    event_fixture_curve(f, sound, CT_SOUND_TARGET_VOLUME, "force", 0, volume_points,
                        CT_COUNT_OF(volume_points));
    event_fixture_shape(f,
                        event_fixture_curve(f, sound, CT_SOUND_TARGET_PITCH, "size", 1,
                                            pitch_points, CT_COUNT_OF(pitch_points)),
                        CT_SOUND_SHAPE_SMOOTH);
    event_fixture_curve(f, sound, CT_SOUND_TARGET_LOW_PASS, "rate", 0, low_pass_points,
                        CT_COUNT_OF(low_pass_points));
    b.event = event_fixture_end(f);
    begin_peer();
    ct_sound_parameters_init(&b.parameters, ct_bench_heap());
    static const float most[NUM_PARAMETERS] = {45, 5, 1, 1.2f};
    ct_random random = ct_random_seeded(9, 0);
    for (uint32_t k = 0; k < NUM_PARAMETERS; ++k) {
        b.keys[k] = ct_string_id32_of(names[k]);
        for (uint32_t i = 0; i < NUM_FRAMES * NUM_INSTANCES; ++i)
            b.input[i / NUM_INSTANCES][i % NUM_INSTANCES][k] = ct_random_float(&random) * most[k];
    }
}

static void end(void) {
    for (uint32_t i = 0; i < NUM_INSTANCES; ++i)
        ct_sound_parameter_clear(&b.parameters, &b.instances[i]);
    ct_sound_parameters_free(&b.parameters);
    free(b.event);
}

static void update(uint32_t frame) {
    const ct_sound_node *const leaf = ct_blob_at(b.event, b.event->nodes.offset);
    ct_sound_scope scope = {.parameters = &b.parameters};
    for (uint32_t i = 0; i < NUM_INSTANCES; ++i) {
        for (uint32_t k = 0; k < NUM_PARAMETERS; ++k)
            ct_sound_parameter_set_value(
                &b.parameters, &b.instances[i], b.keys[k],
                (ct_sound_parameter_value){.number = b.input[frame][i][k]});
        scope.instance = b.instances[i];
        ct_sound_levels levels = ct_sound_levels_neutral();
        ct_sound_levels_add_curves(&levels, b.event, leaf, &scope);
        b.results[i] = (heard){levels.gain * ct_sound_gain_of_db(levels.volume),
                               ct_sound_pitch_of_semitones(levels.pitch), levels.low_pass};
    }
}

// --- The peer ------------------------------------------------------------------------------------

static inline float curve_at(const peer_curve *c, float x) {
    uint32_t found = 0;
    for (uint32_t i = 1; i < c->num_points; ++i)
        found += c->points[i].x <= x;
    const ct_sound_point from = c->points[found];
    const ct_sound_point to = c->points[found + (found + 1 < c->num_points)];
    const float share = (x - from.x) / (to.x - from.x);
    const ct_column above = ct_column_max((ct_column){share}, (ct_column){0});
    const float t = ct_column_min(above, (ct_column){1, 1, 1, 1})[0];
    if (c->shape == CT_SOUND_SHAPE_LINEAR)
        return from.y + (to.y - from.y) * t;
    return c->shape == CT_SOUND_SHAPE_STEP ? from.y
                                           : from.y + (to.y - from.y) * (t * t * (3 - 2 * t));
}

static void update_peer(uint32_t frame) {
    for (uint32_t i = 0; i < NUM_INSTANCES; ++i) {
        for (uint32_t k = 0; k < NUM_PARAMETERS; ++k)
            b.values[i][k] = b.input[frame][i][k];
        ct_sound_levels levels = {.gain = 1, .low_pass = CT_SOUND_OPEN_HZ};
        for (uint32_t c = 0; c < NUM_CURVES; ++c) {
            const float y = curve_at(&b.curves[c], b.values[i][b.curves[c].parameter]);
            if (b.curves[c].target == CT_SOUND_TARGET_VOLUME)
                levels.volume += y;
            else if (b.curves[c].target == CT_SOUND_TARGET_PITCH)
                levels.pitch += y;
            else
                levels.low_pass = y < levels.low_pass ? y : levels.low_pass;
        }
        b.results[i] = (heard){levels.gain * ct_sound_gain_of_db(levels.volume),
                               ct_sound_pitch_of_semitones(levels.pitch), levels.low_pass};
    }
}

// --- Runs ----------------------------------------------------------------------------------------

// The nanoseconds for each instance of the fastest of some steps: other work only adds to it.
static double fastest(void (*step)(uint32_t frame)) {
    double least = 1e18;
    for (uint32_t i = 0; i < NUM_STEPS; ++i) {
        const double start = ct_bench_now_ns();
        step(i % NUM_FRAMES);
        const double time = ct_bench_now_ns() - start;
        least = time < least ? time : least;
    }
    ct_bench_use((uint64_t)(uintptr_t)b.results);
    return least / NUM_INSTANCES;
}

static double run_subject(void) {
    return fastest(update);
}

static double run_peer(void) {
    return fastest(update_peer);
}

static const ct_bench_case cases[] = {
    {"sound_parameters", "512 instances, updated", "arrays of floats", "ns", 1.5, 0, begin, end,
     run_subject, run_peer},
};

const ct_bench_group ct_bench_sound_parameters = {"sound", cases, CT_COUNT_OF(cases)};
