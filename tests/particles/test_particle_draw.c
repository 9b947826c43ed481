// What particles send to the renderer. The tests set the particles themselves.
#include <math.h>

#include "foundation/math/math.h"
#include "particles/particle_draw.h"
#include "particles/particle_play.h"
#include "render/render_stream.h"

enum { MOST_CLOUDS = 8, MOST_OBJECTS = 64 };

// What was sent since read_stream was called last, with what objects and lights are by then.
static struct {
    uint32_t num_begins, num_clouds;
    ct_render_cloud_desc descs[MOST_CLOUDS];
    uint32_t counts[MOST_CLOUDS];
    ct_particle_instance *instances[MOST_CLOUDS]; // malloc
    uint32_t num_commands;
    uint32_t num_poses, num_jumps, num_values, num_creates, num_destroyed, num_light_sets;
    float value[4]; // of the last OBJECT_SET_VALUE
    ct_string_id64 mesh, materials[CT_MESH_MAX_MATERIALS];
    uint32_t flags;
    uint64_t cursor;
} sent;

static struct {
    uint32_t num_objects, num_lights;
    uint32_t ids[MOST_OBJECTS], light_ids[MOST_OBJECTS];
    ct_mat4 poses[MOST_OBJECTS], light_poses[MOST_OBJECTS];
    bool is_hidden[MOST_OBJECTS];
    ct_light_data lights[MOST_OBJECTS];
} shown;

static uint32_t find_id(const uint32_t *ids, uint32_t count, uint32_t id) {
    for (uint32_t i = 0; i < count; ++i)
        if (ids[i] == id)
            return i;
    return UINT32_MAX;
}

static void read_cloud(const ct_render_command_cloud *x) {
    const uint32_t i = sent.num_clouds++;
    assert_true(i < MOST_CLOUDS && sent.num_begins > 0);
    assert_int_equal(x->world.value, 1);
    sent.descs[i] = x->desc;
    sent.counts[i] = x->count;
    sent.instances[i] = malloc(sizeof(ct_particle_instance) * x->count);
    memcpy(sent.instances[i], x + 1, sizeof(ct_particle_instance) * x->count);
}

static void read_create(const ct_render_command_object_create *x) {
    assert_true(shown.num_objects < MOST_OBJECTS);
    ++sent.num_creates;
    sent.mesh = x->mesh;
    sent.flags = x->flags;
    assert_int_equal(x->num_materials, CT_MESH_MAX_MATERIALS);
    memcpy(sent.materials, x + 1, sizeof(sent.materials));
    shown.ids[shown.num_objects] = x->object.value;
    shown.is_hidden[shown.num_objects] = false;
    shown.poses[shown.num_objects++] = x->pose;
}

static void read_objects(const ct_render_command_objects *x, bool is_destroyed) {
    const ct_mat4 *const poses = (const void *)(x + 1);
    const uint32_t *const ids =
        is_destroyed ? (const void *)(x + 1) : (const void *)(poses + x->count);
    for (uint32_t i = 0; i < x->count; ++i) {
        const uint32_t k = find_id(shown.ids, shown.num_objects, ids[i]);
        assert_true(k != UINT32_MAX);
        if (is_destroyed) {
            shown.ids[k] = 0;
            ++sent.num_destroyed;
        } else {
            shown.poses[k] = poses[i];
            ++sent.num_poses;
        }
    }
}

static void read_light(const ct_render_command_light *x, bool is_destroyed) {
    uint32_t i = find_id(shown.light_ids, MOST_OBJECTS, x->light.value);
    if (is_destroyed) {
        assert_true(i != UINT32_MAX);
        shown.light_ids[i] = 0;
        --shown.num_lights;
        return;
    }
    ++sent.num_light_sets;
    if (i == UINT32_MAX) {
        i = find_id(shown.light_ids, MOST_OBJECTS, 0);
        ++shown.num_lights;
    }
    shown.light_ids[i] = x->light.value;
    shown.lights[i] = x->data;
    shown.light_poses[i] = x->pose;
}

static void read_command(ct_render_command_type type, const void *payload) {
    switch (type) {
    case CT_RENDER_COMMAND_TYPE_CLOUDS_BEGIN:
        ++sent.num_begins;
        return;
    case CT_RENDER_COMMAND_TYPE_CLOUD:
        read_cloud(payload);
        return;
    case CT_RENDER_COMMAND_TYPE_OBJECT_CREATE:
        read_create(payload);
        return;
    case CT_RENDER_COMMAND_TYPE_OBJECTS_SET_POSES:
    case CT_RENDER_COMMAND_TYPE_OBJECTS_DESTROY:
        read_objects(payload, type == CT_RENDER_COMMAND_TYPE_OBJECTS_DESTROY);
        return;
    case CT_RENDER_COMMAND_TYPE_OBJECT_SET_FLAG: {
        const ct_render_command_object_flag *const x = payload;
        const uint32_t i = find_id(shown.ids, shown.num_objects, x->object.value);
        assert_true(i != UINT32_MAX);
        sent.num_jumps += x->flag == CT_RENDER_OBJECT_JUMPED;
        if (x->flag == CT_RENDER_OBJECT_HIDDEN)
            shown.is_hidden[i] = x->is_set;
        return;
    }
    case CT_RENDER_COMMAND_TYPE_OBJECT_SET_VALUE:
        ++sent.num_values;
        memcpy(sent.value, ((const ct_render_command_object_value *)payload)->value,
               sizeof(sent.value));
        return;
    case CT_RENDER_COMMAND_TYPE_LIGHT_SET:
    case CT_RENDER_COMMAND_TYPE_LIGHT_DESTROY:
        read_light(payload, type == CT_RENDER_COMMAND_TYPE_LIGHT_DESTROY);
        return;
    default:
        fail_msg("an unexpected command %d", (int)type);
    }
}

static void forget_sent(void) {
    for (uint32_t i = 0; i < sent.num_clouds; ++i)
        free(sent.instances[i]);
    const uint64_t cursor = sent.cursor;
    memset(&sent, 0, sizeof(sent));
    sent.cursor = cursor;
}

// Sends the world and reads what came.
static void send(const particle_play *p) {
    const ct_render_stream *const stream = ct_renderer_stream(p->renderer);
    const void *payload;
    const ct_render_command_header *header;
    forget_sent();
    sent.cursor = stream->bytes.count;
    ct_particles_send(p->world);
    while ((header = ct_render_stream_next(stream, &sent.cursor, &payload))) {
        read_command(header->type, payload);
        ++sent.num_commands;
    }
}

static void send_changed(const particle_play *p) {
    p->world->is_changed = true;
    send(p);
}

// --- Effects -------------------------------------------------------------------------------------

static uint32_t add_emitter(particle_fixture *f, ct_particle_renderer renderer, uint32_t capacity) {
    const uint32_t e = particle_fixture_emitter(f, "cloud", capacity);
    particle_fixture_at(f, e)->look.renderer = renderer;
    particle_fixture_set(f, e, CT_PARTICLE_SIZE, particle_fixture_number(1));
    particle_fixture_set(f, e, CT_PARTICLE_COLOR, particle_fixture_number(1));
    return e;
}

static particle_play start_at(particle_fixture *f, ct_particle_place place) {
    const particle_play p = particle_play_start(particle_fixture_end(f), UINT32_MAX, 0);
    memset(&shown, 0, sizeof(shown));
    ct_particles_create(p.world, p.name, &place, 1);
    return p;
}

static particle_play start(particle_fixture *f) {
    return start_at(f, particle_play_place(0, 0, 0));
}

static void stop(particle_play *p) {
    forget_sent();
    particle_play_stop(p);
}

static ct_particle_emitter_state *state_of(const particle_play *p, uint32_t emitter) {
    return &particle_play_effect(p, 0)->emitters[emitter];
}

static float *channel(const particle_play *p, uint32_t emitter, uint32_t semantic,
                      uint32_t component) {
    const ct_particle_emitter_state *const s = state_of(p, emitter);
    float *const first =
        ct_particle_channel(ct_particle_emitter_at(p->effect, emitter), s, semantic);
    assert_non_null(first);
    return first + (size_t)component * s->capacity;
}

// Makes `count` particles with numbers that say which they are: component k of semantic s of
// particle i is i + s + k / 4. What lies behind them is NaN.
static void fill(const particle_play *p, uint32_t emitter, uint32_t count) {
    ct_particle_emitter_state *const s = state_of(p, emitter);
    const ct_particle_emitter *const e = ct_particle_emitter_at(p->effect, emitter);
    s->count = count;
    for (uint32_t i = 0; i < e->num_channels * s->capacity; ++i)
        s->channels[i] = NAN;
    for (uint32_t semantic = 0; semantic < CT_PARTICLE_SEMANTIC_COUNT; ++semantic)
        for (uint32_t k = 0; k < ct_particle_semantic_channels(e, semantic); ++k)
            for (uint32_t i = 0; e->channels[semantic] != CT_PARTICLES_NO_CHANNEL && i < count; ++i)
                channel(p, emitter, semantic, k)[i] = (float)i + (float)semantic + (float)k / 4;
}

static float filled(uint32_t semantic, uint32_t component, uint32_t i) {
    return (float)i + (float)semantic + (float)component / 4;
}

static float of_half(uint16_t half) {
    const int exponent = half >> 10 & 31;
    const float mantissa = (float)(half & 1023) / 1024;
    return exponent ? ldexpf(1 + mantissa, exponent - 15) : ldexpf(mantissa, -14);
}

// Asserts that all instances of a cloud are inside its sphere, by `reach` metres around them.
static void assert_in_sphere(uint32_t cloud, float reach) {
    const float *const sphere = sent.descs[cloud].sphere;
    for (uint32_t i = 0; i < sent.counts[cloud]; ++i) {
        const float *const p = sent.instances[cloud][i].position;
        const ct_vec3 way = ct_vec3_make(p[0] - sphere[0], p[1] - sphere[1], p[2] - sphere[2]);
        assert_true(ct_vec3_length(way) + reach <= sphere[3] * 1.0001f);
    }
}

// --- Half floats ---------------------------------------------------------------------------------

static void halves_are_rounded_to_the_nearest(void **state) {
    (void)state;
    for (uint32_t half = 0x400; half < 0x7c00; ++half) { // all that are usual
        const float x = of_half((uint16_t)half);
        assert_int_equal(ct_particle_half(x), half);
        const float next = of_half((uint16_t)(half + 1));
        if (half + 1 < 0x7c00) {
            assert_int_equal(ct_particle_half(x + (next - x) * 0.49f), half);
            assert_int_equal(ct_particle_half(x + (next - x) * 0.51f), half + 1);
            assert_int_equal(ct_particle_half(x + (next - x) * 0.5f), half + 1);
        }
    }
    assert_int_equal(ct_particle_half(0), 0);
    assert_int_equal(ct_particle_half(-1), 0);
    assert_int_equal(ct_particle_half(NAN), 0);
    assert_int_equal(ct_particle_half(1e9f), 0x7bff);
    assert_int_equal(ct_particle_half(INFINITY), 0x7bff);
    for (float x = 0; x < 0x1p-14f; x += 0x1p-20f)
        assert_true(fabsf(of_half(ct_particle_half(x)) - x) <= 0x1p-15f);
}

// --- Billboards ----------------------------------------------------------------------------------

static particle_fixture *billboards(uint32_t capacity, ct_particle_facing facing) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = add_emitter(f, CT_PARTICLE_RENDERER_BILLBOARD, capacity);
    particle_fixture_at(f, e)->look.facing = facing;
    particle_fixture_set(f, e, CT_PARTICLE_ROTATION, particle_fixture_number(0));
    particle_fixture_set(f, e, CT_PARTICLE_FRAME, particle_fixture_number(0));
    particle_fixture_set(f, e, CT_PARTICLE_AXIS, particle_fixture_vector(0, 0, 1, 0));
    return f;
}

static void assert_instance(const ct_particle_instance *x, uint32_t i, uint32_t axis) {
    for (uint32_t k = 0; k < 3; ++k) {
        assert_true(x->position[k] == filled(CT_PARTICLE_POSITION, k, i));
        assert_true(x->axis[k] == filled(axis, k, i));
    }
    assert_true(x->rotation == filled(CT_PARTICLE_ROTATION, 0, i));
    assert_true(x->frame == filled(CT_PARTICLE_FRAME, 0, i));
    assert_true(x->size[0] == filled(CT_PARTICLE_SIZE, 0, i));
    assert_true(x->size[1] == filled(CT_PARTICLE_SIZE, 1, i));
    for (uint32_t k = 0; k < 4; ++k)
        assert_true(of_half(x->color[k]) == filled(CT_PARTICLE_COLOR, k, i));
}

static void billboards_are_as_their_channels(void **state) {
    (void)state;
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 63, 64, 65, 127, 130, 200};
    static const struct {
        ct_particle_facing facing;
        uint32_t axis;
    } facings[] = {{CT_PARTICLE_FACING_NORMAL, CT_PARTICLE_AXIS},
                   {CT_PARTICLE_FACING_VELOCITY, CT_PARTICLE_VELOCITY},
                   {CT_PARTICLE_FACING_STRETCHED, CT_PARTICLE_VELOCITY},
                   {CT_PARTICLE_FACING_MOTION, CT_PARTICLE_VELOCITY}};
    for (uint32_t k = 0; k < CT_COUNT_OF(facings); ++k) {
        particle_play p = start(billboards(200, facings[k].facing));
        for (uint32_t i = 0; i < CT_COUNT_OF(counts); ++i) {
            fill(&p, 0, counts[i]);
            send_changed(&p);
            assert_int_equal(sent.num_begins, 1);
            assert_int_equal(sent.num_clouds, 1);
            assert_int_equal(sent.counts[0], counts[i]);
            assert_int_equal(sent.descs[0].facing, facings[k].facing);
            for (uint32_t n = 0; n < counts[i]; ++n)
                assert_instance(&sent.instances[0][n], n, facings[k].axis);
            // Half the diagonal of the largest.
            const float width = filled(CT_PARTICLE_SIZE, 0, counts[i] - 1);
            assert_in_sphere(0, width * 0.7f);
            assert_true(sent.descs[0].sphere[3] < 1000);
        }
        stop(&p);
    }
}

static void channels_that_are_missing_have_defaults(void **state) {
    (void)state;
    particle_fixture *const f = particle_fixture_begin();
    add_emitter(f, CT_PARTICLE_RENDERER_BILLBOARD, 8);
    particle_play p = start(f);
    fill(&p, 0, 7);
    send_changed(&p);
    for (uint32_t i = 0; i < 7; ++i) {
        const ct_particle_instance *const x = &sent.instances[0][i];
        assert_true(x->position[1] == filled(CT_PARTICLE_POSITION, 1, i));
        assert_true(x->rotation == 0 && x->frame == 0);
        assert_true(x->axis[0] == 0 && x->axis[2] == 1);
    }
    stop(&p);
}

static void the_youngest_are_drawn_first(void **state) {
    (void)state;
    particle_fixture *const f = billboards(200, CT_PARTICLE_FACING_NORMAL);
    particle_fixture_at(f, 0)->look.sort = CT_PARTICLE_SORT_YOUNGEST;
    particle_fixture_at(f, 0)->flags = CT_PARTICLE_EMITTER_ORDERED;
    particle_play p = start(f);
    fill(&p, 0, 131);
    send_changed(&p);
    assert_int_equal(sent.descs[0].sort, CT_PARTICLE_SORT_NONE);
    for (uint32_t i = 0; i < 131; ++i)
        assert_instance(&sent.instances[0][i], 130 - i, CT_PARTICLE_AXIS);
    stop(&p);
}

static void clouds_are_as_their_looks(void **state) {
    (void)state;
    particle_fixture *const f = billboards(4, CT_PARTICLE_FACING_FIXED);
    add_emitter(f, CT_PARTICLE_RENDERER_BILLBOARD, 4); // has no particles
    const uint32_t e = add_emitter(f, CT_PARTICLE_RENDERER_BILLBOARD, 4);
    ct_particle_look *const look = &particle_fixture_at(f, e)->look;
    look->material = ct_string_id64_of("fx/fire");
    look->facing = CT_PARTICLE_FACING_STRETCHED;
    particle_fixture_channel(f, e, CT_PARTICLE_VELOCITY);
    look->sort = CT_PARTICLE_SORT_DISTANCE;
    look->grid[0] = 4, look->grid[1] = 8;
    look->blends = 1;
    look->stretch = 0.5f;
    look->pivot[1] = 1;
    memcpy(look->axis, (float[]){0, 1, 0}, sizeof(look->axis));
    particle_play p = start_at(f, particle_play_place(1, 2, 3));
    fill(&p, 0, 1);
    fill(&p, e, 1);
    send_changed(&p);
    assert_int_equal(sent.num_begins, 1);
    assert_int_equal(sent.num_clouds, 2);
    const ct_render_cloud_desc *const desc = &sent.descs[1];
    assert_true(desc->material.value == ct_string_id64_of("fx/fire").value);
    assert_int_equal(desc->order, 2);
    assert_int_equal(desc->sort, CT_PARTICLE_SORT_DISTANCE);
    assert_int_equal(desc->is_ribbon, 0);
    assert_int_equal(desc->blends, 1);
    assert_true(desc->grid[0] == 4 && desc->grid[1] == 8);
    assert_true(desc->stretch == 0.5f && desc->pivot[0] == 0.5f && desc->pivot[1] == 1);
    assert_true(desc->axis[1] == 1 && desc->sort_position[2] == 3);
    // A height of 5.25 from the pivot at its edge, and half a second of the velocity.
    const ct_vec3 velocity = ct_vec3_make(1, 1.25f, 1.5f);
    assert_in_sphere(1, 5.25f + ct_vec3_length(velocity) * 0.5f);
    stop(&p);
}

// Turned by a quarter about y (its z is the world's x), moved, and twice as large.
static const ct_particle_place turned = {
    {{5, 0, 0}}, {{0, 0.70710678f, 0, 0.70710678f}}, {{2, 2, 2}}};

static void local_particles_move_with_the_effect(void **state) {
    (void)state;
    particle_fixture *const f = billboards(8, CT_PARTICLE_FACING_NORMAL);
    particle_fixture_at(f, 0)->flags = CT_PARTICLE_EMITTER_LOCAL;
    particle_play p = start_at(f, turned);
    const ct_mat4 pose = particle_play_effect(&p, 0)->pose;
    fill(&p, 0, 6);
    send_changed(&p);
    for (uint32_t i = 0; i < 6; ++i) {
        const ct_particle_instance *const x = &sent.instances[0][i];
        const ct_vec3 at =
            ct_mat4_transform_point(pose, ct_vec3_make(filled(CT_PARTICLE_POSITION, 0, i),
                                                       filled(CT_PARTICLE_POSITION, 1, i),
                                                       filled(CT_PARTICLE_POSITION, 2, i)));
        const ct_vec3 axis = ct_mat4_transform_direction(
            pose, ct_vec3_make(filled(CT_PARTICLE_AXIS, 0, i), filled(CT_PARTICLE_AXIS, 1, i),
                               filled(CT_PARTICLE_AXIS, 2, i)));
        for (uint32_t k = 0; k < 3; ++k) {
            assert_float_equal(x->position[k], at.raw[k], 1e-4);
            assert_float_equal(x->axis[k], axis.raw[k], 1e-4);
        }
        assert_float_equal(x->size[1], 2 * filled(CT_PARTICLE_SIZE, 1, i), 1e-4);
    }
    assert_float_equal(sent.descs[0].axis[0], 1, 1e-5); // z of the effect
    assert_in_sphere(0, 2 * filled(CT_PARTICLE_SIZE, 0, 5) * 0.7f);
    stop(&p);
}

static void resources_may_name_their_bounds(void **state) {
    (void)state;
    particle_fixture *const f = billboards(8, CT_PARTICLE_FACING_CAMERA);
    f->data.bounds_radius = 7;
    particle_play p = start_at(f, turned);
    fill(&p, 0, 3);
    send_changed(&p);
    assert_true(sent.descs[0].sphere[0] == 5 && sent.descs[0].sphere[3] == 14);
    stop(&p);
}

static void particles_that_are_nowhere_keep_spheres_finite(void **state) {
    (void)state;
    particle_play p = start(billboards(8, CT_PARTICLE_FACING_CAMERA));
    static const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f};
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i) {
        fill(&p, 0, 7);
        channel(&p, 0, CT_PARTICLE_POSITION, 0)[2] = bad[i];
        channel(&p, 0, CT_PARTICLE_POSITION, 0)[3] = -bad[i];
        send_changed(&p);
        for (uint32_t k = 0; k < 4; ++k)
            assert_true(isfinite(sent.descs[0].sphere[k]));
    }
    stop(&p);
}

// --- When --------------------------------------------------------------------------------------

static void nothing_is_sent_twice(void **state) {
    (void)state;
    particle_play p = start(billboards(8, CT_PARTICLE_FACING_CAMERA));
    send_changed(&p);
    assert_int_equal(sent.num_commands, 0); // there are no particles
    fill(&p, 0, 3);
    send_changed(&p);
    assert_int_equal(sent.num_commands, 2);
    send(&p);
    assert_int_equal(sent.num_commands, 0);
    state_of(&p, 0)->count = 0;
    send_changed(&p);
    assert_int_equal(sent.num_commands, 1); // an empty begin: they are gone
    assert_int_equal(sent.num_begins, 1);
    send_changed(&p);
    assert_int_equal(sent.num_commands, 0);
    stop(&p);
}

static void sending_allocates_nothing_once_warm(void **state) {
    (void)state;
    particle_play p = start(billboards(200, CT_PARTICLE_FACING_CAMERA));
    uint64_t before = 0;
    fill(&p, 0, 200);
    for (uint32_t i = 0; i < 20; ++i) {
        p.world->is_changed = true;
        ct_particles_send(p.world);
        ct_renderer_end_frame(p.renderer);
        if (i == 3)
            before = ct_allocator_stats_of(test_heap()).total_blocks;
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    stop(&p);
}

// --- Ribbons and trails --------------------------------------------------------------------------

static void ribbons_go_through_particles_by_birth(void **state) {
    (void)state;
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = add_emitter(f, CT_PARTICLE_RENDERER_RIBBON, 8);
    particle_fixture_channel(f, e, CT_PARTICLE_ORDER);
    particle_fixture_at(f, e)->flags = CT_PARTICLE_EMITTER_ORDERED;
    particle_play p = start(f);
    fill(&p, 0, 1);
    send_changed(&p);
    assert_int_equal(sent.num_commands, 0); // one point is no ribbon
    fill(&p, 0, 5);
    for (uint32_t i = 0; i < 5; ++i) { // along x, then a corner to y
        channel(&p, 0, CT_PARTICLE_POSITION, 0)[i] = i < 3 ? (float)i : 2;
        channel(&p, 0, CT_PARTICLE_POSITION, 1)[i] = i < 3 ? 0 : (float)i - 2;
        channel(&p, 0, CT_PARTICLE_POSITION, 2)[i] = 0;
    }
    send_changed(&p);
    assert_int_equal(sent.counts[0], 5);
    assert_int_equal(sent.descs[0].is_ribbon, 1);
    static const float directions[5][2] = {
        {1, 0}, {1, 0}, {0.70710678f, 0.70710678f}, {0, 1}, {0, 1}};
    for (uint32_t i = 0; i < 5; ++i) {
        const ct_particle_instance *const x = &sent.instances[0][i];
        assert_float_equal(x->axis[0], directions[i][0], 1e-5);
        assert_float_equal(x->axis[1], directions[i][1], 1e-5);
        assert_float_equal(x->rotation, (float)i / 4, 1e-5); // the texture once along it
        assert_true(x->frame == (i == 4));
        assert_true(x->size[0] == filled(CT_PARTICLE_SIZE, 0, i));
        assert_true(of_half(x->color[3]) == filled(CT_PARTICLE_COLOR, 3, i));
    }
    assert_in_sphere(0, filled(CT_PARTICLE_SIZE, 0, 4) * 0.5f);
    stop(&p);
}

static void textures_may_repeat_along_ribbons(void **state) {
    (void)state;
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = add_emitter(f, CT_PARTICLE_RENDERER_RIBBON, 8);
    particle_fixture_channel(f, e, CT_PARTICLE_ORDER);
    particle_fixture_at(f, e)->look.uv_length = 0.5f;
    particle_play p = start(f);
    fill(&p, 0, 3);
    send_changed(&p);
    const float length = sqrtf(3); // of a segment: each coordinate grows by 1
    assert_float_equal(sent.instances[0][2].rotation, 2 * length / 0.5, 1e-4);
    // Particles at one place.
    for (uint32_t i = 0; i < 3; ++i)
        for (uint32_t k = 0; k < 3; ++k)
            channel(&p, 0, CT_PARTICLE_POSITION, k)[i] = 4;
    send_changed(&p);
    assert_true(sent.instances[0][2].rotation == 0 && sent.instances[0][2].axis[2] == 1);
    stop(&p);
}

static particle_fixture *trails(void) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_fixture_emitter(f, "trails", 8);
    ct_particle_look *const look = &particle_fixture_at(f, e)->look;
    look->renderer = CT_PARTICLE_RENDERER_TRAIL;
    look->num_trail_points = 4;
    particle_fixture_set(f, e, CT_PARTICLE_SIZE, particle_fixture_number(1));
    particle_fixture_set(f, e, CT_PARTICLE_COLOR, particle_fixture_number(1));
    particle_fixture_channel(f, e, CT_PARTICLE_TRAIL);
    particle_fixture_channel(f, e, CT_PARTICLE_TRAIL_STATE);
    const ct_particle_value interval = particle_fixture_number(0.1f);
    particle_fixture_at(f, e)->velocity =
        particle_fixture_value(f, e, particle_fixture_vector(1, 0, 0, 0));
    particle_fixture_channel(f, e, CT_PARTICLE_VELOCITY);
    particle_fixture_move(f, e);
    particle_fixture_step(f, e, &(ct_particle_step){.op = CT_PARTICLE_OP_TRAIL}, 1, &interval);
    particle_fixture_at(f, e)->lifetime =
        particle_fixture_value(f, e, particle_fixture_number(100));
    particle_fixture_at(f, e)->max_lifetime = 100;
    particle_fixture_burst(f, e, 0, 2);
    return f;
}

static void trails_lead_to_their_particles(void **state) {
    (void)state;
    particle_play p = start(trails());
    for (uint32_t i = 1; i <= 40; ++i) { // 2 seconds, a metre a second
        ct_particles_update(p.world, 0.05);
        send(&p);
        assert_int_equal(sent.num_clouds, 1);
        const float head = particle_play_number(&p, 0, CT_PARTICLE_POSITION, 0, 0);
        const uint32_t count = sent.counts[0] / 2;
        const ct_particle_instance *const trail = sent.instances[0];
        assert_int_equal(sent.counts[0] % 2, 0);
        assert_true(trail[count - 1].position[0] == head);
        assert_true(trail[count - 1].frame == 1 && trail[2 * count - 1].frame == 1);
        for (uint32_t k = 1; k < count; ++k)
            assert_true(trail[k].position[0] >= trail[k - 1].position[0] &&
                        trail[k - 1].frame == 0);
        if (i > 1)
            assert_float_equal(trail[count - 1].rotation, 1, 1e-5);
        if (i > 20) { // it is as long as ever: the end follows evenly
            assert_int_equal(count, 5);
            assert_float_equal(head - trail[0].position[0], 0.3, 1e-3);
        }
    }
    assert_in_sphere(0, 0.5f);
    stop(&p);
}

// --- Objects and lights --------------------------------------------------------------------------

static particle_fixture *meshes(ct_particle_facing facing) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = add_emitter(f, CT_PARTICLE_RENDERER_MESH, 8);
    ct_particle_emitter *const x = particle_fixture_at(f, e);
    x->look.mesh = ct_string_id64_of("meshes/splinter");
    x->look.facing = facing;
    x->look.casts_shadows = 1;
    particle_fixture_channel(f, e, CT_PARTICLE_OBJECT);
    particle_fixture_channel(f, e, CT_PARTICLE_VELOCITY);
    particle_fixture_set(f, e, CT_PARTICLE_ROTATION, particle_fixture_number(0));
    particle_fixture_set(f, e, CT_PARTICLE_AXIS, particle_fixture_vector(0, 0, 1, 0));
    return f;
}

// Particles with these objects, whose seeds are `seeds`.
static void fill_objects(const particle_play *p, uint32_t count, const uint32_t *objects,
                         const uint32_t *seeds) {
    fill(p, 0, count);
    memcpy(channel(p, 0, CT_PARTICLE_OBJECT, 0), objects, sizeof(*objects) * count);
    memcpy(channel(p, 0, CT_PARTICLE_SEED, 0), seeds, sizeof(*seeds) * count);
}

static void particles_are_shown_as_objects(void **state) {
    (void)state;
    particle_play p = start(meshes(CT_PARTICLE_FACING_CAMERA));
    fill_objects(&p, 2, (uint32_t[]){2, 1}, (uint32_t[]){7, 8});
    send_changed(&p);
    assert_int_equal(sent.num_creates, 2);
    assert_int_equal(sent.num_poses, 0);
    assert_true(sent.mesh.value == ct_string_id64_of("meshes/splinter").value);
    assert_true(sent.materials[1].value == ct_string_id64_of("core/materials/default").value);
    assert_int_equal(sent.flags, 0);
    assert_true(shown.poses[1].col[3].x == filled(CT_PARTICLE_POSITION, 0, 1));
    // They move.
    channel(&p, 0, CT_PARTICLE_POSITION, 0)[0] = 50;
    send_changed(&p);
    assert_int_equal(sent.num_creates, 0);
    assert_int_equal(sent.num_poses, 2);
    assert_int_equal(sent.num_jumps, 0);
    assert_true(shown.poses[0].col[3].x == 50);
    // The first dies; its object is hidden. Then another particle has it, and jumps.
    fill_objects(&p, 1, (uint32_t[]){1}, (uint32_t[]){8});
    send_changed(&p);
    assert_true(shown.is_hidden[0] && !shown.is_hidden[1]);
    send_changed(&p);
    assert_int_equal(sent.num_commands, 1); // a pose
    fill_objects(&p, 2, (uint32_t[]){1, 2}, (uint32_t[]){8, 9});
    send_changed(&p);
    assert_true(!shown.is_hidden[0]);
    assert_int_equal(sent.num_creates, 0);
    assert_int_equal(sent.num_jumps, 1);
    // One dies and another is born in one step.
    fill_objects(&p, 2, (uint32_t[]){1, 2}, (uint32_t[]){8, 10});
    send_changed(&p);
    assert_int_equal(sent.num_jumps, 1);
    stop(&p);
}

static void hidden_effects_have_no_objects(void **state) {
    (void)state;
    particle_play p = start(meshes(CT_PARTICLE_FACING_CAMERA));
    fill_objects(&p, 2, (uint32_t[]){1, 2}, (uint32_t[]){7, 8});
    send_changed(&p);
    const uint64_t before = ct_renderer_stream(p.renderer)->bytes.count;
    ct_particle_effect_hide(p.world, particle_play_effect(&p, 0));
    const ct_render_stream *const stream = ct_renderer_stream(p.renderer);
    uint64_t cursor = before;
    const void *payload;
    const ct_render_command_header *header;
    while ((header = ct_render_stream_next(stream, &cursor, &payload)))
        read_command(header->type, payload);
    assert_int_equal(sent.num_destroyed, 2);
    const uint64_t after = stream->bytes.count;
    ct_particle_effect_hide(p.world, particle_play_effect(&p, 0));
    assert_int_equal(stream->bytes.count, after);
    stop(&p);
}

static ct_vec3 column_of(uint32_t object, uint32_t column) {
    const ct_vec4 c = shown.poses[object].col[column];
    return ct_vec3_make(c.x, c.y, c.z);
}

static void meshes_turn_by_their_facing(void **state) {
    (void)state;
    static const struct {
        ct_particle_facing facing;
        uint32_t column; // of the pose, which points along:
        float way[3];
    } cases[] = {
        {CT_PARTICLE_FACING_CAMERA, 2, {0, 1, 0}}, // the axis, around which it turns
        {CT_PARTICLE_FACING_FIXED, 2, {1, 0, 0}},
        {CT_PARTICLE_FACING_NORMAL, 2, {0, 1, 0}},
        {CT_PARTICLE_FACING_MOTION, 2, {0.6f, 0, -0.8f}},
        {CT_PARTICLE_FACING_VELOCITY, 1, {0.6f, 0, -0.8f}},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        particle_fixture *const f = meshes(cases[i].facing);
        memcpy(particle_fixture_at(f, 0)->look.axis, (float[]){1, 0, 0}, 3 * sizeof(float));
        particle_play p = start(f);
        fill_objects(&p, 1, (uint32_t[]){1}, (uint32_t[]){7});
        for (uint32_t k = 0; k < 3; ++k) {
            channel(&p, 0, CT_PARTICLE_VELOCITY, k)[0] = k == 0 ? 3 : k == 2 ? -4 : 0;
            channel(&p, 0, CT_PARTICLE_AXIS, k)[0] = k == 1;
        }
        channel(&p, 0, CT_PARTICLE_SIZE, 0)[0] = 2;
        channel(&p, 0, CT_PARTICLE_SIZE, 1)[0] = 3;
        channel(&p, 0, CT_PARTICLE_ROTATION, 0)[0] = 0.5f;
        send_changed(&p);
        const ct_vec3 way = ct_vec3_make(cases[i].way[0], cases[i].way[1], cases[i].way[2]);
        assert_float_equal(ct_vec3_length(column_of(0, 0)), 2, 1e-4);
        assert_float_equal(ct_vec3_length(column_of(0, 2)), 3, 1e-4);
        if (i == 0) // it turned by half a radian
            assert_float_equal(ct_vec3_dot(column_of(0, 2), ct_vec3_make(0, 0, 1)), 3 * cosf(0.5f),
                               1e-4);
        else
            assert_float_equal(ct_vec3_dot(column_of(0, cases[i].column), way),
                               cases[i].column == 1 ? 2 : 3, 1e-4);
        stop(&p);
    }
}

static void local_objects_move_with_the_effect(void **state) {
    (void)state;
    particle_fixture *const f = meshes(CT_PARTICLE_FACING_FIXED);
    particle_fixture_at(f, 0)->flags = CT_PARTICLE_EMITTER_LOCAL;
    particle_play p = start_at(f, turned);
    fill_objects(&p, 1, (uint32_t[]){1}, (uint32_t[]){7});
    for (uint32_t k = 0; k < 3; ++k)
        channel(&p, 0, CT_PARTICLE_POSITION, k)[0] = k == 2;
    channel(&p, 0, CT_PARTICLE_SIZE, 1)[0] = 3;
    send_changed(&p);
    assert_float_equal(shown.poses[0].col[3].x, 7, 1e-4); // 2 m along its z
    assert_float_equal(column_of(0, 2).x, 6, 1e-4);
    stop(&p);
}

static particle_fixture *lights(void) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = add_emitter(f, CT_PARTICLE_RENDERER_LIGHT, 8);
    ct_particle_look *const look = &particle_fixture_at(f, e)->look;
    look->max_lights = 3;
    look->light_radius = 4;
    look->light_intensity = 10;
    return f;
}

static void the_first_particles_shine(void **state) {
    (void)state;
    particle_play p = start(lights());
    fill(&p, 0, 5);
    channel(&p, 0, CT_PARTICLE_COLOR, 3)[1] = 0.5f;
    send_changed(&p);
    assert_int_equal(sent.num_light_sets, 3);
    assert_int_equal(shown.num_lights, 3);
    assert_int_equal(shown.lights[1].type, CT_LIGHT_TYPE_POINT);
    assert_true(shown.lights[1].color[2] == filled(CT_PARTICLE_COLOR, 2, 1));
    assert_true(shown.lights[1].intensity == 5);
    assert_true(shown.lights[1].falloff_end == 4 * filled(CT_PARTICLE_SIZE, 1, 1));
    assert_true(shown.lights[1].is_enabled && !shown.lights[1].casts_shadows);
    assert_true(shown.light_poses[2].col[3].y == filled(CT_PARTICLE_POSITION, 1, 2));
    const uint32_t first = shown.light_ids[0];
    fill(&p, 0, 1);
    send_changed(&p);
    assert_int_equal(shown.num_lights, 1);
    assert_int_equal(shown.light_ids[0], first); // it is the same light
    state_of(&p, 0)->count = 0;
    send_changed(&p);
    assert_int_equal(shown.num_lights, 0);
    send_changed(&p);
    assert_int_equal(sent.num_commands, 0);
    stop(&p);
}

static void lights_without_opacity_or_size_are_off(void **state) {
    (void)state;
    particle_play p = start(lights());
    fill(&p, 0, 2);
    channel(&p, 0, CT_PARTICLE_COLOR, 3)[0] = 0;
    channel(&p, 0, CT_PARTICLE_SIZE, 0)[1] = 0;
    channel(&p, 0, CT_PARTICLE_SIZE, 1)[1] = 0;
    send_changed(&p);
    assert_true(!shown.lights[0].is_enabled && !shown.lights[1].is_enabled);
    stop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_are_rounded_to_the_nearest),
        cmocka_unit_test(billboards_are_as_their_channels),
        cmocka_unit_test(channels_that_are_missing_have_defaults),
        cmocka_unit_test(the_youngest_are_drawn_first),
        cmocka_unit_test(clouds_are_as_their_looks),
        cmocka_unit_test(local_particles_move_with_the_effect),
        cmocka_unit_test(resources_may_name_their_bounds),
        cmocka_unit_test(particles_that_are_nowhere_keep_spheres_finite),
        cmocka_unit_test(nothing_is_sent_twice),
        cmocka_unit_test(sending_allocates_nothing_once_warm),
        cmocka_unit_test(ribbons_go_through_particles_by_birth),
        cmocka_unit_test(textures_may_repeat_along_ribbons),
        cmocka_unit_test(trails_lead_to_their_particles),
        cmocka_unit_test(particles_are_shown_as_objects),
        cmocka_unit_test(hidden_effects_have_no_objects),
        cmocka_unit_test(meshes_turn_by_their_facing),
        cmocka_unit_test(local_objects_move_with_the_effect),
        cmocka_unit_test(the_first_particles_shine),
        cmocka_unit_test(lights_without_opacity_or_size_are_off),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
