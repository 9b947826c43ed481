#include <math.h>

#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "foundation/math/math.h"
#include "render/component/camera_component.h"

enum { UNIT, CAMERA, VALUE }; // inputs

static uint32_t first(const ct_world *w, ct_entity e) {
    return ct_camera_first(ct_world_cameras(w), e).index;
}

static uint32_t with_number(const ct_world *w, ct_entity e, uint32_t number) {
    return ct_camera_with_number(ct_world_cameras(w), e, number, CT_INSTANCE_NUMBER_BITS).index;
}

static uint32_t node_of(const ct_world *w, uint32_t index) {
    return ct_camera_node(ct_world_cameras(w), (ct_camera_instance){index});
}

static const ct_flow_part_type camera = {"camera", first, with_number, node_of};

// Gives the settings of the camera; NULL when it does not exist.
static ct_camera_data *data_of(ct_flow_call *c) {
    ct_flow_part part;
    if (!ct_flow_part_of(c, UNIT, &camera, &part))
        return NULL;
    return ct_camera_data_of(ct_world_cameras(part.world), (ct_camera_instance){part.index});
}

static ct_camera_eye *eye_of(ct_flow_call *c) {
    ct_flow_part part;
    if (!ct_flow_part_of(c, UNIT, &camera, &part))
        return NULL;
    return ct_camera_eye_of(ct_world_cameras(part.world), (ct_camera_instance){part.index}, 0);
}

// --- What a camera sees --------------------------------------------------------------------------

static uint32_t get_far_range(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_camera_data *const d = data_of(c);
    if (d)
        ct_flow_set_number(c, 0, (double)d->far_range);
    return CT_FLOW_STOP;
}

static uint32_t get_near_range(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_camera_data *const d = data_of(c);
    if (d)
        ct_flow_set_number(c, 0, (double)d->near_range);
    return CT_FLOW_STOP;
}

static uint32_t get_vertical_fov(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_camera_eye *const eye = eye_of(c);
    if (eye)
        ct_flow_set_number(c, 0, (double)eye->vertical_fov);
    return CT_FLOW_STOP;
}

static uint32_t set_far_range(ct_flow_call *c, uint32_t event) {
    ct_camera_data *const d = data_of(c);
    float range;
    if (!d || !ct_flow_field_number(c, VALUE, "camera", "far_range", &range))
        return event;
    if (range > d->near_range)
        d->far_range = range;
    else
        ct_flow_error(c, "distance: found %g; expected more than the near range, %g", (double)range,
                      (double)d->near_range);
    return event;
}

static uint32_t set_near_range(ct_flow_call *c, uint32_t event) {
    ct_camera_data *const d = data_of(c);
    float range;
    if (!d || !ct_flow_field_number(c, VALUE, "camera", "near_range", &range))
        return event;
    if (range < d->far_range)
        d->near_range = range;
    else
        ct_flow_error(c, "distance: found %g; expected less than the far range, %g", (double)range,
                      (double)d->far_range);
    return event;
}

static uint32_t set_vertical_fov(ct_flow_call *c, uint32_t event) {
    ct_camera_eye *const eye = eye_of(c);
    float angle;
    if (eye && ct_flow_field_number(c, VALUE, "camera", "vertical_fov", &angle)) {
        eye->vertical_fov = angle;
        eye->perspective = (ct_camera_edges){0};
    }
    return event;
}

// --- Pictures ------------------------------------------------------------------------------------

// What a camera sees, and the size of its picture in pixels.
typedef struct seen_picture {
    ct_render_view view;
    ct_vec2 size;
} seen_picture;

static bool picture_of(ct_flow_call *c, seen_picture *seen) {
    ct_flow_part part;
    uint32_t width, height;
    if (!ct_flow_part_of(c, UNIT, &camera, &part))
        return false;
    const ct_camera_instance i = {part.index};
    const ct_camera_manager *const m = ct_world_cameras(part.world);
    ct_renderer_size(ct_world_system_renderer(ct_world_system_of(part.world)), &width, &height);
    seen->size = (ct_vec2){{(float)(width ? width : 1), (float)(height ? height : 1)}};
    if (ct_camera_mode_of(m, i) == CT_CAMERA_MODE_STEREO)
        seen->size.x /= 2;
    seen->view = ct_camera_view(m, i, 0, seen->size.x / seen->size.y);
    return true;
}

static uint32_t inside_frustum(ct_flow_call *c, uint32_t event) {
    (void)event;
    seen_picture seen;
    ct_vec3 point;
    if (!picture_of(c, &seen) || !ct_flow_finite_vector3(c, VALUE, &point))
        return CT_FLOW_STOP;
    const ct_mat4 to_clip = ct_mat4_mul(seen.view.projection, ct_mat4_inverse(seen.view.pose));
    const ct_frustum frustum = ct_frustum_from(&to_clip);
    float least = INFINITY;
    for (uint32_t i = 0; i < CT_COUNT_OF(frustum.planes); ++i) {
        const ct_vec4 plane = frustum.planes[i];
        const float distance =
            ct_vec3_dot(ct_vec3_make(plane.x, plane.y, plane.z), point) + plane.w;
        least = distance < least ? distance : least;
    }
    ct_flow_set_bool(c, 0, least >= 0);
    ct_flow_set_number(c, 1, (double)least);
    return CT_FLOW_STOP;
}

static uint32_t world_to_screen(ct_flow_call *c, uint32_t event) {
    static const float smallest_depth = 1e-6f; // used as the depth of points beside the camera
    (void)event;
    seen_picture p;
    ct_vec3 point;
    if (!picture_of(c, &p) || !ct_flow_finite_vector3(c, VALUE, &point))
        return CT_FLOW_STOP;
    const ct_vec3 seen = ct_mat4_transform_point(ct_mat4_inverse(p.view.pose), point);
    const ct_vec4 clip = glms_mat4_mulv(p.view.projection, (ct_vec4){{seen.x, seen.y, seen.z, 1}});
    const float w = fabsf(clip.w) < smallest_depth ? smallest_depth : clip.w;
    ct_flow_set_vector3(
        c, 0, ct_vec3_make((clip.x / w + 1) / 2 * p.size.x, (clip.y / w + 1) / 2 * p.size.y, 0));
    ct_flow_set_number(c, 1, (double)seen.y);
    return CT_FLOW_STOP;
}

// Gives the place behind input 2, in the picture, at the depth of input 3.
static bool place_behind(ct_flow_call *c, seen_picture *seen, ct_vec3 *place) {
    ct_vec3 at;
    double depth;
    if (!picture_of(c, seen) || !ct_flow_finite_vector3(c, VALUE, &at) ||
        !ct_flow_number_in(c, VALUE + 1, -1e7, 1e7, &depth))
        return false;
    // The way back through the projection: from clip space to x and z at this depth.
    const ct_vec4 *const p = seen->view.projection.col;
    const float d = (float)depth, w = p[1].w * d + p[3].w;
    const float x = ((at.x / seen->size.x * 2 - 1) * w - p[1].x * d - p[3].x) / p[0].x;
    const float z = ((at.y / seen->size.y * 2 - 1) * w - p[1].y * d - p[3].y) / p[2].y;
    *place = ct_mat4_transform_point(seen->view.pose, ct_vec3_make(x, d, z));
    return true;
}

static uint32_t screen_to_world(ct_flow_call *c, uint32_t event) {
    (void)event;
    seen_picture seen;
    ct_vec3 place;
    if (place_behind(c, &seen, &place))
        ct_flow_set_vector3(c, 0, place);
    return CT_FLOW_STOP;
}

static uint32_t screen_to_ray(ct_flow_call *c, uint32_t event) {
    (void)event;
    seen_picture seen;
    ct_vec3 place;
    if (place_behind(c, &seen, &place))
        ct_flow_set_vector3(c, 0, ct_vec3_sub(place, ct_mat4_position(seen.view.pose)));
    return CT_FLOW_STOP;
}

// --- Poses ---------------------------------------------------------------------------------------

static uint32_t get_local_position(ct_flow_call *c, uint32_t event) {
    (void)event;
    return ct_flow_get_local_position(c, &camera);
}

static uint32_t get_local_rotation(ct_flow_call *c, uint32_t event) {
    (void)event;
    return ct_flow_get_local_rotation(c, &camera);
}

static uint32_t get_world_position(ct_flow_call *c, uint32_t event) {
    (void)event;
    return ct_flow_get_world_position(c, &camera);
}

static uint32_t get_world_rotation(ct_flow_call *c, uint32_t event) {
    (void)event;
    return ct_flow_get_world_rotation(c, &camera);
}

static uint32_t set_local_position(ct_flow_call *c, uint32_t event) {
    ct_flow_set_local_position(c, &camera);
    return event;
}

static uint32_t set_local_rotation(ct_flow_call *c, uint32_t event) {
    ct_flow_set_local_rotation(c, &camera);
    return event;
}

static uint32_t move(ct_flow_call *c, uint32_t event) {
    ct_flow_move(c, &camera);
    return event;
}

static const ct_flow_function_row rows[] = {
    {"get_camera_far_range", get_far_range},
    {"get_camera_local_position", get_local_position},
    {"get_camera_local_rotation", get_local_rotation},
    {"get_camera_near_range", get_near_range},
    {"get_camera_vertical_fov", get_vertical_fov},
    {"get_camera_world_position", get_world_position},
    {"get_camera_world_rotation", get_world_rotation},
    {"inside_camera_frustum", inside_frustum},
    {"screen_position_to_ray", screen_to_ray},
    {"screen_to_world", screen_to_world},
    {"world_to_screen", world_to_screen},
    {"set_camera_far_range", set_far_range},
    {"set_camera_local_position", set_local_position},
    {"set_camera_local_rotation", set_local_rotation},
    {"set_camera_near_range", set_near_range},
    {"set_camera_vertical_fov", set_vertical_fov},
    {"move_camera", move},
};

const ct_flow_functions ct_flow_run_camera = {rows, CT_COUNT_OF(rows)};
