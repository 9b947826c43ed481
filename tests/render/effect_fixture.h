// effect_fixture.h: the fixture for effects of the core's render config: settings, scenes of boxes
// that tests can trace rays through, and errors between pictures.
#pragma once
#include <math.h>

#include "foundation/math/math.h"
#include "render/render_fixture.h"

enum { EFFECT_WIDTH = 320, EFFECT_HEIGHT = 180, EFFECT_MAX_BOXES = 8 };

// A box of core/meshes/cube, along the axes of the world.
typedef struct effect_box {
    ct_vec3 low, high;
    ct_render_object_id object;
} effect_box;

typedef struct effect_scene {
    render_fixture f;
    effect_box boxes[EFFECT_MAX_BOXES];
    uint32_t num_boxes;
} effect_scene;

static inline void effect_set(render_fixture *f, const char *name, ct_render_given given) {
    ct_error error = {0};
    if (!ct_renderer_set_setting(f->renderer, name, &given, &error))
        fail_msg("%s", error.message);
}

static inline void effect_set_number(render_fixture *f, const char *name, double number) {
    effect_set(f, name,
               (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_NUMBER, .numbers = {number}});
}

static inline void effect_set_bool(render_fixture *f, const char *name, bool value) {
    effect_set(f, name, (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_BOOL, .numbers = {value}});
}

static inline void effect_set_choice(render_fixture *f, const char *name, const char *choice) {
    effect_set(f, name, (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_TEXT, .text = choice});
}

// Starts with a picture of EFFECT_WIDTH x EFFECT_HEIGHT and an empty scene.
static inline void effect_start(effect_scene *s) {
    s->num_boxes = 0;
    fixture_start_with(&s->f, fixture_data(), EFFECT_WIDTH, EFFECT_HEIGHT, true);
}

static inline ct_mat4 effect_pose(ct_vec3 low, ct_vec3 high) {
    return ct_mat4_compose(ct_vec3_scale(ct_vec3_add(low, high), 0.5f), ct_quat_identity(),
                           ct_vec3_sub(high, low));
}

// Adds a box with a material and returns its number.
static inline uint32_t effect_add_box(effect_scene *s, ct_vec3 low, ct_vec3 high,
                                      const char *material) {
    assert_true(s->num_boxes < EFFECT_MAX_BOXES);
    const ct_mat4 pose = effect_pose(low, high);
    s->boxes[s->num_boxes] =
        (effect_box){low, high, fixture_add_at(&s->f, "core/meshes/cube", material, &pose)};
    return s->num_boxes++;
}

// Moves a box, from the next frame on.
static inline void effect_move_box(effect_scene *s, uint32_t box, ct_vec3 by) {
    effect_box *const b = &s->boxes[box];
    b->low = ct_vec3_add(b->low, by);
    b->high = ct_vec3_add(b->high, by);
    const ct_mat4 pose = effect_pose(b->low, b->high);
    ct_render_objects_set_poses(s->f.renderer, s->f.world, &b->object, &pose, 1);
}

static inline void effect_look(effect_scene *s, ct_vec3 eye, ct_vec3 at) {
    s->f.view.pose =
        ct_mat4_compose(eye, ct_quat_look(ct_vec3_sub(at, eye), ct_vec3_make(0.0f, 0.0f, 1.0f)),
                        ct_vec3_make(1.0f, 1.0f, 1.0f));
}

static inline void effect_frames(effect_scene *s, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        fixture_frame(&s->f);
}

// --- Rays ----------------------------------------------------------------------------------------

typedef struct effect_hit {
    float distance; // in lengths of the direction; below 0: nothing
    ct_vec3 position, normal;
} effect_hit;

static inline void effect_trace_box(const effect_box *b, ct_vec3 from, ct_vec3 direction,
                                    effect_hit *nearest) {
    float enter = -INFINITY, leave = INFINITY;
    uint32_t side = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        const float d = direction.raw[i], o = from.raw[i];
        const float low = (b->low.raw[i] - o) / d;
        const float high = (b->high.raw[i] - o) / d;
        const float first = low < high ? low : high, last = low < high ? high : low;
        if (first > enter) {
            enter = first;
            side = i;
        }
        leave = last < leave ? last : leave;
    }
    if (enter > leave || enter <= 0.0f || (nearest->distance >= 0.0f && enter > nearest->distance))
        return;
    nearest->distance = enter;
    nearest->position = ct_vec3_add(from, ct_vec3_scale(direction, enter));
    nearest->normal = ct_vec3_make(0.0f, 0.0f, 0.0f);
    nearest->normal.raw[side] = direction.raw[side] > 0.0f ? -1.0f : 1.0f;
}

static inline effect_hit effect_trace(const effect_scene *s, ct_vec3 from, ct_vec3 direction) {
    effect_hit hit = {.distance = -1.0f};
    for (uint32_t i = 0; i < s->num_boxes; ++i)
        effect_trace_box(&s->boxes[i], from, direction, &hit);
    return hit;
}

// The camera's axis to the right (0), forwards (1) or up (2), or its position (3).
static inline ct_vec3 effect_camera_axis(const effect_scene *s, uint32_t axis) {
    const ct_vec4 v = s->f.view.pose.col[axis];
    return ct_vec3_make(v.x, v.y, v.z);
}

// A camera's ray through fractions of the picture: its length along the camera's axis is 1.
static inline ct_vec3 effect_ray(const effect_scene *s, float x, float y) {
    const float half = tanf(0.45f);
    const ct_vec3 right = effect_camera_axis(s, 0);
    const ct_vec3 forward = effect_camera_axis(s, 1);
    const ct_vec3 up = effect_camera_axis(s, 2);
    const float aspect = (float)EFFECT_WIDTH / EFFECT_HEIGHT;
    return ct_vec3_add(
        ct_vec3_add(forward, ct_vec3_scale(right, (2.0f * x - 1.0f) * half * aspect)),
        ct_vec3_scale(up, (1.0f - 2.0f * y) * half));
}

// --- Pictures ------------------------------------------------------------------------------------

// The share of white of a pixel of the last picture, for passes that show numbers as grey.
static inline float effect_grey(const render_fixture *f, uint32_t x, uint32_t y) {
    return (float)f->pixels[((uint64_t)y * f->width + x) * 4] / 255.0f;
}

// A copy of the last picture in the heap of tests.
static inline uint8_t *effect_keep_picture(const render_fixture *f) {
    const uint64_t bytes = (uint64_t)f->width * f->height * 4;
    uint8_t *const copy = ct_alloc(test_heap(), bytes);
    memcpy(copy, f->pixels, bytes);
    return copy;
}
