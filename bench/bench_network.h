// bench_network.h: bodies that move, for the workloads of sessions.
#pragma once
#include "foundation/math/math_types.h"
#include "foundation/math/random.h"
#include "network/network.h"

enum { CT_BENCH_BODIES = 100 };

typedef struct ct_bench_body {
    ct_vec3 position, velocity, turn; // metres, and radians a second
    ct_quat rotation;
} ct_bench_body;

typedef struct ct_bench_bodies {
    ct_bench_body items[CT_BENCH_BODIES];
    ct_random random;
    float time;
} ct_bench_bodies;

// Make the config, whose one object "body" has a position and a rotation and whose message "word"
// is reliable, and free it.
void ct_bench_network_begin(void);
void ct_bench_network_end(void);
// Returns the config between the two.
const ct_network_config_resource *ct_bench_network_config(void);

// Sets bodies at random places with random velocities.
void ct_bench_bodies_init(ct_bench_bodies *b, uint64_t seed);
// Moves all bodies on by `dt` seconds: of three neighbours one flies and bounces, one drives in
// curves, one rolls and is slowed down; all are hit at times.
void ct_bench_bodies_step(ct_bench_bodies *b, float dt);
// Sets the fields of the objects of a session, one for each of the first `ids`; 0 ends them early.
void ct_bench_bodies_send(const ct_bench_bodies *b, ct_network_session *s,
                          const ct_network_object_id ids[CT_BENCH_BODIES]);
// Returns the position in the words of a body.
ct_vec3 ct_bench_body_position(const uint32_t *words);
