// Emitters on the GPU do what they do on the CPU.
#include <math.h>

#include "foundation/math/math.h"
#include "particles/pictures/particle_gpu_fixture.h"

enum { CAPACITY = 256 };

static ct_particle_value vector(float x, float y, float z) {
    return particle_fixture_vector(x, y, z, 0);
}

static ct_particle_value number(float x) {
    return particle_fixture_number(x);
}

static void add(particle_fixture *f, uint32_t op, uint32_t flags, uint32_t num_values,
                const ct_particle_value *values) {
    const ct_particle_step step = {.op = op, .flags = flags};
    particle_fixture_step(f, 0, &step, num_values, values);
}

static void add_move(particle_fixture *f, float drag, ct_particle_value wind) {
    const ct_particle_value values[2] = {number(drag), wind};
    add(f, CT_PARTICLE_OP_MOVE, 0, 2, values);
}

// An emitter of 100 particles a second that live up to a second.
static particle_fixture *begin(void) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_fixture_emitter(f, "sparks", CAPACITY);
    ct_particle_emitter *const emitter = particle_fixture_at(f, e);
    particle_fixture_channel(f, e, CT_PARTICLE_VELOCITY);
    particle_fixture_set(f, e, CT_PARTICLE_SIZE, particle_fixture_range(0.02f, 0.06f, 2));
    particle_fixture_set(f, e, CT_PARTICLE_COLOR, particle_fixture_vector(1, 0.6f, 0.2f, 1));
    emitter->flags |= CT_PARTICLE_EMITTER_GPU;
    emitter->look.material = ct_string_id64_of("materials/particle_flat");
    emitter->rate = particle_fixture_value(f, e, number(100));
    emitter->lifetime = particle_fixture_value(f, e, particle_fixture_range(0.4f, 1, 1));
    emitter->speed = particle_fixture_value(f, e, particle_fixture_range(1, 2, 1));
    emitter->shape.type = CT_PARTICLE_SHAPE_SPHERE;
    emitter->shape.radius = 0.3f;
    return f;
}

// --- Programs ------------------------------------------------------------------------------------

static void flies(particle_fixture *f) {
    add_move(f, 0, vector(0, 0, 0));
}

static void falls(particle_fixture *f) {
    const ct_particle_value down = vector(0, 0, -9.81f), along = vector(3, 0, 0);
    add(f, CT_PARTICLE_OP_ACCELERATE, 0, 1, &down);
    add(f, CT_PARTICLE_OP_ACCELERATE, CT_PARTICLE_STEP_LOCAL, 1, &along);
    add_move(f, 0, vector(0, 0, 0));
}

static void is_blown(particle_fixture *f) {
    const ct_particle_value down = vector(0, 0, -2);
    add(f, CT_PARTICLE_OP_ACCELERATE, 0, 1, &down);
    add_move(f, 4, vector(2, 1, 0));
}

static void drags_a_little(particle_fixture *f) {
    add_move(f, 0.02f, vector(20, 0, 0));
}

static void whirls(particle_fixture *f) {
    const ct_particle_value values[3] = {number(4), number(1.3f), number(0.5f)};
    add(f, CT_PARTICLE_OP_NOISE, 0, 3, values);
    add(f, CT_PARTICLE_OP_NOISE, CT_PARTICLE_STEP_WIND, 3, values);
    add_move(f, 1, vector(0, 0, 0));
}

static void is_attracted(particle_fixture *f) {
    const ct_particle_value near[3] = {vector(0.5f, 0, 1), number(3), vector(1, 2, 0.2f)};
    const ct_particle_value even[3] = {vector(0, 0, -5), number(1), vector(0, 0, 0)};
    const ct_particle_value steep[3] = {vector(-1, 0, 0), number(0.5f), vector(1.5f, 0, 0)};
    add(f, CT_PARTICLE_OP_ATTRACT, CT_PARTICLE_STEP_LOCAL, 3, near);
    add(f, CT_PARTICLE_OP_ATTRACT, 0, 3, even);
    add(f, CT_PARTICLE_OP_ATTRACT, CT_PARTICLE_STEP_LOCAL, 3, steep);
    add_move(f, 1, vector(0, 0, 0));
}

static void orbits(particle_fixture *f) {
    const ct_particle_value values[3] = {vector(0.1f, 0, 0), vector(0, 1, 2), vector(4, 0.3f, 0)};
    add_move(f, 0, vector(0, 0, 0));
    add(f, CT_PARTICLE_OP_ORBIT, CT_PARTICLE_STEP_LOCAL, 3, values);
}

static void is_limited(particle_fixture *f) {
    const ct_particle_value down = vector(0, 0, -9.81f), most = number(1.2f);
    add(f, CT_PARTICLE_OP_ACCELERATE, 0, 1, &down);
    add_move(f, 0, vector(0, 0, 0));
    add(f, CT_PARTICLE_OP_LIMIT_SPEED, 0, 1, &most);
}

static void bounces(particle_fixture *f) {
    const ct_particle_value down = vector(0, 0, -9.81f);
    const ct_particle_value floor[2] = {particle_fixture_vector(0, 0.2f, 1, -0.2f),
                                        particle_fixture_vector(0.6f, 0.1f, 0.05f, 0.5f)};
    add(f, CT_PARTICLE_OP_ACCELERATE, 0, 1, &down);
    add_move(f, 0.2f, vector(0, 0, 0));
    add(f, CT_PARTICLE_OP_COLLIDE_PLANE, CT_PARTICLE_STEP_LOCAL, 2, floor);
}

static void bounces_off_the_world(particle_fixture *f) {
    const ct_particle_value down = vector(0, 0, -9.81f);
    const ct_particle_value floor[2] = {particle_fixture_vector(0, 0, 1, -0.5f),
                                        particle_fixture_vector(0.4f, 0, 0, 0)};
    add(f, CT_PARTICLE_OP_ACCELERATE, 0, 1, &down);
    add_move(f, 0, vector(0, 0, 0));
    add(f, CT_PARTICLE_OP_COLLIDE_PLANE, 0, 2, floor);
}

static void dies_in_volumes(particle_fixture *f) {
    const ct_particle_value box[2] = {vector(0, 0, 0), vector(1, 0.8f, 2)};
    const ct_particle_value ball[2] = {vector(0, 0.5f, 0), number(0.2f)};
    const ct_particle_value plane = particle_fixture_vector(0, 0, 1, -0.4f);
    add_move(f, 0, vector(0, 0, 0));
    add(f, CT_PARTICLE_OP_KILL_BOX, CT_PARTICLE_STEP_LOCAL, 2, box);
    add(f, CT_PARTICLE_OP_KILL_SPHERE, CT_PARTICLE_STEP_LOCAL | CT_PARTICLE_STEP_INSIDE, 2, ball);
    add(f, CT_PARTICLE_OP_KILL_PLANE, 0, 1, &plane);
}

// Curves over life, of constants, with inputs, between two curves; numbers that grow.
static void changes(particle_fixture *f) {
    const float none[4] = {0}, one[4] = {1, 1, 1, 1}, red[4] = {1, 0.2f, 0.1f, 0.5f};
    flies(f);
    particle_fixture_set(f, 0, CT_PARTICLE_BIRTH_SIZE, particle_fixture_range(0.05f, 0.1f, 1));
    particle_fixture_set(f, 0, CT_PARTICLE_ROTATION, particle_fixture_range(0, 6, 1));
    particle_fixture_set(f, 0, CT_PARTICLE_SPIN, particle_fixture_range(-1, 1, 1));
    particle_fixture_set(f, 0, CT_PARTICLE_FRAME, number(2));
    particle_fixture_variable(f, "strength", 0.5f);
    ct_particle_value size = particle_fixture_line(f, 0, one, none, CT_PARTICLE_CLOCK_LIFE);
    size.variable = 1;
    particle_fixture_curve(f, 0, CT_PARTICLE_SIZE, CT_PARTICLE_BIRTH_SIZE, 2, size);
    ct_particle_value color = particle_fixture_line(f, 0, one, red, CT_PARTICLE_CLOCK_LIFE);
    const ct_particle_value other = particle_fixture_line(f, 0, red, none, CT_PARTICLE_CLOCK_LIFE);
    color.source = CT_PARTICLE_SOURCE_CURVE_RANGE;
    color.curves[1] = other.curves[0];
    particle_fixture_curve(f, 0, CT_PARTICLE_COLOR, CT_PARTICLE_SEMANTIC_COUNT, 4, color);
    const ct_particle_emitter *const e = particle_fixture_at(f, 0);
    const ct_particle_step spin = {.op = CT_PARTICLE_OP_ADD,
                                   .channel = e->channels[CT_PARTICLE_ROTATION],
                                   .input = e->channels[CT_PARTICLE_SPIN],
                                   .num_components = 1};
    particle_fixture_step(f, 0, &spin, 0, NULL);
    const ct_particle_step frames = {.op = CT_PARTICLE_OP_ADD,
                                     .channel = e->channels[CT_PARTICLE_FRAME],
                                     .input = CT_PARTICLES_NO_CHANNEL,
                                     .num_components = 1};
    const ct_particle_value speed = number(12);
    particle_fixture_step(f, 0, &frames, 1, &speed);
}

// --- Shapes and births ---------------------------------------------------------------------------

static void from_a_point(particle_fixture *f) {
    particle_fixture_at(f, 0)->shape.type = CT_PARTICLE_SHAPE_POINT;
    flies(f);
}

static void from_a_box(particle_fixture *f) {
    ct_particle_shape *const shape = &particle_fixture_at(f, 0)->shape;
    shape->type = CT_PARTICLE_SHAPE_BOX;
    shape->size[0] = 0.2f, shape->size[1] = 0.4f, shape->size[2] = 0.1f;
    shape->offset[1] = 0.3f;
    flies(f);
}

static void from_faces_of_a_box(particle_fixture *f) {
    particle_fixture_at(f, 0)->shape.flags = CT_PARTICLE_SHAPE_SURFACE;
    from_a_box(f);
}

static void from_a_shell(particle_fixture *f) {
    ct_particle_shape *const shape = &particle_fixture_at(f, 0)->shape;
    shape->inner = 0.7f;
    shape->arc = 2;
    shape->rotation[0] = 0.6f, shape->rotation[3] = 0.8f;
    flies(f);
}

static void from_a_cone(particle_fixture *f) {
    ct_particle_shape *const shape = &particle_fixture_at(f, 0)->shape;
    shape->type = CT_PARTICLE_SHAPE_CONE;
    shape->radius = 0.2f, shape->angle = 0.4f, shape->length = 0.5f;
    flies(f);
}

static void from_the_edge_of_a_cylinder(particle_fixture *f) {
    ct_particle_shape *const shape = &particle_fixture_at(f, 0)->shape;
    shape->flags = CT_PARTICLE_SHAPE_SURFACE;
    from_a_cone(f);
    shape->angle = 0;
}

static void from_a_mesh(particle_fixture *f) {
    static const ct_particle_point points[3] = {
        {{0.2f, 0, 0}, {1, 0, 0}}, {{0, 0.5f, 0}, {0, 1, 0}}, {{0, 0, -0.3f}, {0, 0, -1}}};
    particle_fixture_at(f, 0)->shape.type = CT_PARTICLE_SHAPE_MESH;
    f->emitters[0].points = points;
    f->emitters[0].num_points = CT_COUNT_OF(points);
    flies(f);
}

static void in_bursts(particle_fixture *f) {
    ct_particle_emitter *const e = particle_fixture_at(f, 0);
    particle_fixture_burst(f, 0, 0, 20);
    particle_fixture_burst(f, 0, 0.31f, 30);
    f->emitters[0].bursts[1].repeats = 3;
    f->emitters[0].bursts[1].interval = 0.0101f;
    e->period = 0.5f;
    e->flags |= CT_PARTICLE_EMITTER_LOOPS;
    e->rate = 0; // as many slots as births in the longest lifetime
    flies(f);
}

static void along_the_way(particle_fixture *f) {
    ct_particle_emitter *const e = particle_fixture_at(f, 0);
    e->per_metre = particle_fixture_value(f, 0, number(20));
    e->velocity = particle_fixture_value(f, 0, vector(0, 0.5f, 0.5f));
    e->inherit_velocity = 0.4f;
    falls(f);
}

// What the emitter's clock changes.
static void by_the_clock(particle_fixture *f) {
    const float none[4] = {0}, much[4] = {60, 3, 3, 3};
    ct_particle_emitter *const e = particle_fixture_at(f, 0);
    e->period = 0.8f;
    e->flags |= CT_PARTICLE_EMITTER_LOOPS;
    const ct_particle_value rate =
        particle_fixture_line(f, 0, none, much, CT_PARTICLE_CLOCK_EMITTER);
    e->rate = particle_fixture_value(f, 0, rate);
    const ct_particle_value push =
        particle_fixture_line(f, 0, much, none, CT_PARTICLE_CLOCK_EMITTER);
    add(f, CT_PARTICLE_OP_ACCELERATE, 0, 1, &push);
    flies(f);
}

// More births than there is room for: the first find room.
static void without_room(particle_fixture *f) {
    ct_particle_emitter *const e = particle_fixture_at(f, 0);
    e->capacity = 64;
    e->rate = 0;
    e->lifetime = particle_fixture_value(f, 0, number(3));
    e->max_lifetime = 3;
    particle_fixture_burst(f, 0, 0, 60);
    particle_fixture_burst(f, 0, 0.3f, 200);
    flies(f);
}

// --- Comparing -----------------------------------------------------------------------------------

static const struct {
    const char *name;
    void (*add)(particle_fixture *f);
    float tolerance;
} programs[] = {
    {"flies", flies, 1e-4f},
    {"falls", falls, 1e-4f},
    {"is blown", is_blown, 1e-4f},
    {"drags a little", drags_a_little, 1e-4f},
    {"whirls", whirls, 2e-3f},
    {"is attracted", is_attracted, 2e-3f},
    {"orbits", orbits, 1e-3f},
    {"is limited", is_limited, 1e-4f},
    {"bounces", bounces, 2e-3f},
    {"bounces off the world", bounces_off_the_world, 2e-3f},
    {"dies in volumes", dies_in_volumes, 1e-4f},
    {"changes", changes, 1e-4f},
    {"from a point", from_a_point, 1e-4f},
    {"from a box", from_a_box, 1e-4f},
    {"from faces of a box", from_faces_of_a_box, 1e-4f},
    {"from a shell", from_a_shell, 1e-4f},
    {"from a cone", from_a_cone, 1e-4f},
    {"from the edge of a cylinder", from_the_edge_of_a_cylinder, 1e-4f},
    {"from a mesh", from_a_mesh, 1e-4f},
    {"in bursts", in_bursts, 1e-4f},
    {"along the way", along_the_way, 1e-4f},
    {"by the clock", by_the_clock, 1e-4f},
    {"without room", without_room, 1e-4f},
};

// The slot of the living particle with a seed that was read; UINT32_MAX: there is none.
static uint32_t find_slot(const gpu_play *p, const ct_particle_emitter *e, uint32_t seed) {
    const float *const seeds = p->channels + (size_t)e->channels[CT_PARTICLE_SEED] * p->capacity;
    const float *const ages = p->channels + (size_t)e->channels[CT_PARTICLE_AGE] * p->capacity;
    for (uint32_t i = 0; i < p->capacity; ++i)
        if (ages[i] < 1.0f && memcmp(&seeds[i], &seed, sizeof(seed)) == 0)
            return i;
    return UINT32_MAX;
}

// Compares all numbers of the first effects of both sides.
static void compare(gpu_play *p, const char *name, float tolerance) {
    const ct_particle_effect *const fx = gpu_play_effect(p, GPU_SIDE_CPU, 0);
    const ct_particle_emitter *const e = ct_particle_emitter_at(fx->resource, 0);
    const ct_particle_emitter_state *const s = &fx->emitters[0];
    const uint32_t age = e->channels[CT_PARTICLE_AGE], seed = e->channels[CT_PARTICLE_SEED];
    gpu_play_read(p, 0, 0);
    assert_int_equal(p->num_channels, e->num_channels);
    if (gpu_play_count(p, age) != s->count)
        fail_msg("%s: %u particles live on the GPU, %u on the CPU", name, gpu_play_count(p, age),
                 s->count);
    for (uint32_t i = 0; i < s->count; ++i) {
        uint32_t of_seed;
        memcpy(&of_seed, s->channels + (size_t)seed * s->capacity + i, sizeof(of_seed));
        const uint32_t slot = find_slot(p, e, of_seed);
        if (slot == UINT32_MAX)
            fail_msg("%s: a particle is not on the GPU", name);
        for (uint32_t c = 0; c < e->num_channels; ++c) {
            const float a = s->channels[(size_t)c * s->capacity + i];
            const float b = p->channels[(size_t)c * p->capacity + slot];
            if (c != seed && !(fabsf(a - b) <= tolerance * fmaxf(1.0f, fabsf(a))))
                fail_msg("%s: channel %u is %g on the GPU, %g on the CPU", name, c, (double)b,
                         (double)a);
        }
    }
}

// Plays an effect that moves, turned and scaled, for a second.
static void play(gpu_play *p, const ct_vec3 scale) {
    ct_particle_place place = gpu_play_place(0, 0, 1);
    place.rotation = ct_quat_axis_angle(ct_vec3_make(0.6f, 0, 0.8f), 0.7f);
    place.scale = scale;
    for (uint32_t i = 0; i < GPU_SIDES; ++i)
        assert_true(gpu_play_create(p, i, &place, 77).value != 0);
    for (uint32_t step = 1; step <= 60; ++step) {
        place.position.x = (float)step * 0.01f;
        place.rotation =
            ct_quat_axis_angle(ct_vec3_make(0.6f, 0, 0.8f), 0.7f + 0.01f * (float)step);
        for (uint32_t i = 0; i < GPU_SIDES; ++i) {
            ct_particles_move(p->worlds[i], gpu_play_effect(p, i, 0)->id, &place, false);
            ct_particles_update(p->worlds[i], step % 7 == 0 ? 1.0 / 15 : 1.0 / 60);
        }
        if (step % 5 == 0) // several steps in a frame
            gpu_play_frame(p);
    }
}

static void end_effects(gpu_play *p) {
    for (uint32_t i = 0; i < GPU_SIDES; ++i)
        while (p->worlds[i]->effects.count)
            ct_particles_destroy(p->worlds[i], gpu_play_effect(p, i, 0)->id);
}

static void particles_go_the_same_ways(void **state) {
    (void)state;
    gpu_play p;
    gpu_play_start(&p);
    for (uint32_t i = 0; i < CT_COUNT_OF(programs); ++i)
        for (uint32_t is_local = 0; is_local < 2; ++is_local) {
            particle_fixture *const f = begin();
            if (is_local)
                particle_fixture_at(f, 0)->flags |= CT_PARTICLE_EMITTER_LOCAL;
            programs[i].add(f);
            gpu_play_load(&p, f);
            play(&p, ct_vec3_make(1, 1.2f, 0.9f));
            assert_true(gpu_play_effect(&p, GPU_SIDE_CPU, 0)->emitters[0].count > 8);
            compare(&p, programs[i].name, programs[i].tolerance);
            end_effects(&p);
        }
    gpu_play_stop(&p);
}

// --- Pictures ------------------------------------------------------------------------------------

static void send(gpu_play *p, gpu_side side) {
    ct_particles_send(p->worlds[side]);
}

// The picture of an effect after a second, on one side.
static uint8_t *picture_of(gpu_play *p, gpu_side side) {
    const ct_particle_place place = gpu_play_place(0.2f, 0, 0.1f);
    gpu_play_create(p, side, &place, 5);
    for (uint32_t i = 0; i < 60; ++i)
        ct_particles_update(p->worlds[side], 1.0 / 60);
    send(p, side);
    fixture_picture(&p->s.f);
    fixture_expect_no_error(&p->s.f);
    assert_non_null(p->s.f.pixels);
    uint8_t *const picture = effect_keep_picture(&p->s.f);
    end_effects(p);
    send(p, side);
    return picture;
}

// The mean difference of two pictures in levels of 255, and the share of pixels that are lit.
static double difference_of(const uint8_t *a, const uint8_t *b, double *lit) {
    const uint32_t bytes = EFFECT_WIDTH * EFFECT_HEIGHT * 4;
    double sum = 0, num_lit = 0;
    for (uint32_t i = 0; i < bytes; ++i) {
        sum += abs(a[i] - b[i]);
        num_lit += i % 4 == 0 && abs(a[i] - a[0]) > 30;
    }
    *lit = num_lit / (EFFECT_WIDTH * EFFECT_HEIGHT);
    return sum / bytes;
}

static void looks(particle_fixture *f) {
    ct_particle_look *const look = &particle_fixture_at(f, 0)->look;
    changes(f);
    f->variables[0].value[0] = f->variables[0].value[1] = 2; // of sizes
    look->grid[0] = look->grid[1] = 4;
}

static void is_stretched(particle_fixture *f) {
    ct_particle_look *const look = &particle_fixture_at(f, 0)->look;
    particle_fixture_at(f, 0)->flags |= CT_PARTICLE_EMITTER_LOCAL;
    look->facing = CT_PARTICLE_FACING_STRETCHED;
    look->stretch = 0.1f;
    falls(f);
}

static void pictures_are_the_same(void **state) {
    (void)state;
    static void (*const adds[])(particle_fixture * f) = {looks, is_stretched};
    gpu_play p;
    gpu_play_start(&p);
    for (uint32_t i = 0; i < CT_COUNT_OF(adds); ++i) {
        particle_fixture *const f = begin();
        adds[i](f);
        gpu_play_load(&p, f);
        uint8_t *const cpu = picture_of(&p, GPU_SIDE_CPU);
        uint8_t *const gpu = picture_of(&p, GPU_SIDE_GPU);
        double lit;
        const double difference = difference_of(cpu, gpu, &lit);
        if (!(lit > 0.003) || !(difference < 0.05))
            fail_msg("%u: %g of the picture is lit, it is off by %g", i, lit, difference);
        ct_free(test_heap(), cpu);
        ct_free(test_heap(), gpu);
    }
    gpu_play_stop(&p);
}

// --- Life ----------------------------------------------------------------------------------------

// An effect on the GPU that flies.
static void start_flying(gpu_play *p) {
    particle_fixture *const f = begin();
    flies(f);
    gpu_play_start(p);
    gpu_play_load(p, f);
}

static uint32_t age_channel(const gpu_play *p) {
    return ct_particle_emitter_at(p->effect, 0)->channels[CT_PARTICLE_AGE];
}

static void step_both(gpu_play *p, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < GPU_SIDES; ++k)
            ct_particles_update(p->worlds[k], 1.0 / 60);
}

static void seeks_and_prewarms(void **state) {
    (void)state;
    gpu_play p;
    particle_fixture *const f = begin();
    f->data.prewarm = 0.5f;
    falls(f);
    gpu_play_start(&p);
    gpu_play_load(&p, f);
    const ct_particle_place place = gpu_play_place(1, 0, 0);
    for (uint32_t i = 0; i < GPU_SIDES; ++i)
        gpu_play_create(&p, i, &place, 3);
    for (uint32_t i = 0; i < GPU_SIDES; ++i)
        ct_particles_update(p.worlds[i], 0); // paused
    send(&p, GPU_SIDE_GPU);
    compare(&p, "prewarmed", 1e-4f);
    for (uint32_t i = 0; i < GPU_SIDES; ++i)
        ct_particles_seek(p.worlds[i], gpu_play_effect(&p, i, 0)->id, 20.3);
    // Only what can still live is sent.
    assert_true(p.worlds[GPU_SIDE_GPU]->gpu->words.count < 120 * 80);
    send(&p, GPU_SIDE_GPU);
    compare(&p, "after a seek", 1e-3f);
    step_both(&p, 10);
    compare(&p, "some steps later", 1e-3f);
    gpu_play_stop(&p);
}

static void counts_and_ends(void **state) {
    (void)state;
    gpu_play p;
    start_flying(&p);
    const ct_particle_place place = gpu_play_place(0, 0, 0);
    const ct_particle_effect_id id = gpu_play_create(&p, GPU_SIDE_GPU, &place, 9);
    ct_particle_world *const w = p.worlds[GPU_SIDE_GPU];
    for (uint32_t i = 0; i < 120; ++i)
        ct_particles_update(w, 1.0 / 60);
    const uint32_t count = ct_particles_count(w, id, 0); // as if all lived for a second
    assert_true(count >= 100 && count <= 107);
    gpu_play_read(&p, 0, 0);
    assert_true(gpu_play_count(&p, age_channel(&p)) > 50);
    ct_particles_stop_spawning(w, id);
    for (uint32_t i = 0; i < 50; ++i)
        ct_particles_update(w, 1.0 / 60);
    assert_true(ct_particles_is_playing(w, id));
    for (uint32_t i = 0; i < 15; ++i)
        ct_particles_update(w, 1.0 / 60);
    assert_false(ct_particles_is_playing(w, id));
    gpu_play_frame(&p);
    gpu_play_stop(&p);
}

static void effects_do_not_mix_and_end_in_flight(void **state) {
    (void)state;
    gpu_play p;
    start_flying(&p);
    ct_particle_world *const w = p.worlds[GPU_SIDE_GPU];
    const ct_particle_place here = gpu_play_place(0, 0, 0), there = gpu_play_place(50, 0, 0);
    const ct_particle_effect_id first = gpu_play_create(&p, GPU_SIDE_GPU, &here, 1);
    gpu_play_create(&p, GPU_SIDE_CPU, &there, 2);
    gpu_play_create(&p, GPU_SIDE_GPU, &there, 2);
    for (uint32_t i = 0; i < 20; ++i) {
        step_both(&p, 1);
        send(&p, GPU_SIDE_GPU);
        gpu_play_frame(&p);
    }
    // Steps of it wait, and the frame before it is in flight.
    step_both(&p, 1);
    ct_particles_destroy(w, first);
    assert_int_equal(w->effects.count, 1);
    send(&p, GPU_SIDE_GPU);
    compare(&p, "the other one", 1e-4f);
    // One that ends in the frame in which it started.
    const ct_particle_effect_id short_one = gpu_play_create(&p, GPU_SIDE_GPU, &here, 1);
    step_both(&p, 1);
    ct_particles_destroy(w, short_one);
    gpu_play_frame(&p);
    step_both(&p, 5);
    compare(&p, "the other one later", 1e-4f);
    gpu_play_stop(&p);
}

static void starts_again_with_a_new_blob(void **state) {
    (void)state;
    gpu_play p;
    start_flying(&p);
    const ct_particle_place place = gpu_play_place(0, 0, 0);
    for (uint32_t i = 0; i < GPU_SIDES; ++i)
        gpu_play_create(&p, i, &place, 4);
    step_both(&p, 30);
    send(&p, GPU_SIDE_GPU);
    gpu_play_frame(&p);
    particle_fixture *const f = begin();
    is_blown(f);
    gpu_play_load(&p, f); // in all worlds
    gpu_play_frame(&p);
    step_both(&p, 30);
    gpu_play_read(&p, 0, 0);
    const uint32_t count = gpu_play_count(&p, age_channel(&p));
    assert_true(count > 30 && count <= 50);
    // Gone: all ends.
    ct_particle_system_set_effect(p.systems[GPU_SIDE_GPU], p.name, NULL);
    step_both(&p, 1);
    gpu_play_frame(&p);
    assert_int_equal(p.worlds[GPU_SIDE_GPU]->effects.count, 0);
    assert_int_equal(p.systems[GPU_SIDE_GPU]->gpu_blobs.count, 0);
    gpu_play_stop(&p);
}

static void goes_on_after_the_device_was_lost(void **state) {
    (void)state;
    gpu_play p;
    start_flying(&p);
    const ct_particle_place place = gpu_play_place(0, 0, 0);
    gpu_play_create(&p, GPU_SIDE_GPU, &place, 4);
    for (uint32_t i = 0; i < 40; ++i) {
        step_both(&p, 1);
        send(&p, GPU_SIDE_GPU);
        if (i == 10 || i == 12)
            ct_renderer_inject_fault(
                p.s.f.renderer, &(ct_render_fault){.kind = i == 10 ? CT_RENDER_FAULT_DEVICE_LOST
                                                                   : CT_RENDER_FAULT_OUT_OF_MEMORY,
                                                   .call = 2,
                                                   .num_times = 1});
        gpu_play_frame(&p);
        if (i == 12 || i == 14)
            ct_renderer_flush(p.s.f.renderer);
    }
    gpu_play_read(&p, 0, 0);
    const uint32_t count = gpu_play_count(&p, age_channel(&p));
    assert_true(count > 20 && count < 60);
    fixture_picture(&p.s.f);
    assert_non_null(p.s.f.pixels);
    fixture_expect_no_error(&p.s.f);
    gpu_play_stop(&p);
}

static void stays_on_the_cpu_where_it_must(void **state) {
    (void)state;
    gpu_play p;
    particle_fixture *const f = begin();
    particle_fixture_at(f, 0)->flags &= ~(uint32_t)CT_PARTICLE_EMITTER_GPU;
    flies(f);
    gpu_play_start(&p);
    gpu_play_load(&p, f);
    const ct_particle_place place = gpu_play_place(0, 0, 0);
    gpu_play_create(&p, GPU_SIDE_GPU, &place, 4);
    assert_null(gpu_play_effect(&p, GPU_SIDE_GPU, 0)->emitters[0].gpu);
    end_effects(&p);
    particle_fixture *const wanted = begin();
    particle_fixture_at(wanted, 0)->flags |= CT_PARTICLE_EMITTER_WANTS_GPU;
    flies(wanted);
    gpu_play_load(&p, wanted);
    gpu_play_create(&p, GPU_SIDE_CPU, &place, 4); // its threshold is 0
    assert_non_null(gpu_play_effect(&p, GPU_SIDE_CPU, 0)->emitters[0].gpu);
    end_effects(&p);
    // The shader is in the core's package.
    ct_resource_package_unload(p.s.f.resources, p.s.f.core);
    gpu_play_frame(&p);
    if (!ct_render_emitters_are_ready(p.s.f.renderer)) {
        gpu_play_create(&p, GPU_SIDE_CPU, &place, 4);
        assert_null(gpu_play_effect(&p, GPU_SIDE_CPU, 0)->emitters[0].gpu);
    }
    ct_resource_package_load(p.s.f.resources, p.s.f.core);
    ct_resource_package_flush(p.s.f.resources, p.s.f.core);
    gpu_play_stop(&p);
}

// --- Bounds --------------------------------------------------------------------------------------

static void spheres_hold_all_particles(void **state) {
    (void)state;
    gpu_play p;
    gpu_play_start(&p);
    for (uint32_t i = 0; i < CT_COUNT_OF(programs); ++i) {
        particle_fixture *const f = begin();
        programs[i].add(f);
        gpu_play_load(&p, f);
        play(&p, ct_vec3_make(1, 1.2f, 0.9f));
        float sphere[4];
        ct_particle_gpu_sphere(gpu_play_effect(&p, GPU_SIDE_GPU, 0), 0, sphere);
        const ct_particle_effect *const fx = gpu_play_effect(&p, GPU_SIDE_CPU, 0);
        const ct_particle_emitter_state *const s = &fx->emitters[0];
        const float *const x =
            ct_particle_channel(ct_particle_emitter_at(fx->resource, 0), s, CT_PARTICLE_POSITION);
        const ct_vec3 center = ct_vec3_make(sphere[0], sphere[1], sphere[2]);
        for (uint32_t k = 0; k < s->count; ++k) {
            const ct_vec3 at = ct_vec3_make(x[k], x[k + s->capacity], x[k + 2 * s->capacity]);
            if (!(ct_vec3_length(ct_vec3_sub(at, center)) < sphere[3]))
                fail_msg("%s: a particle is outside", programs[i].name);
        }
        end_effects(&p);
    }
    gpu_play_stop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_go_the_same_ways),
        cmocka_unit_test(pictures_are_the_same),
        cmocka_unit_test(seeks_and_prewarms),
        cmocka_unit_test(counts_and_ends),
        cmocka_unit_test(effects_do_not_mix_and_end_in_flight),
        cmocka_unit_test(starts_again_with_a_new_blob),
        cmocka_unit_test(goes_on_after_the_device_was_lost),
        cmocka_unit_test(stays_on_the_cpu_where_it_must),
        cmocka_unit_test(spheres_hold_all_particles),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
