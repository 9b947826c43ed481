// Emitters on the GPU do what they do on the CPU.
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
    particle_fixture_set(f, e, CT_PARTICLE_COLOR, vector(1, 0.6f, 0.2f));
    emitter->flags |= CT_PARTICLE_EMITTER_GPU;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_go_the_same_ways),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
