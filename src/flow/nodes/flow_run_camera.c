#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "render/component/camera_component.h"

enum { UNIT, CAMERA, VALUE }; // inputs

static uint32_t first(const ct_world *w, ct_entity e) {
    return ct_camera_first(ct_world_cameras(w), e).index;
}

static uint32_t with_number(const ct_world *w, ct_entity e, uint32_t number) {
    return ct_camera_with_number(ct_world_cameras(w), e, number, 32).index;
}

static uint32_t node_of(const ct_world *w, uint32_t index) {
    return ct_camera_node(ct_world_cameras(w), (ct_camera_instance){index});
}

static const ct_flow_part_type camera = {"camera", first, with_number, node_of};

// Gives the settings of the camera; NULL when there is none.
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
    {"set_camera_far_range", set_far_range},
    {"set_camera_local_position", set_local_position},
    {"set_camera_local_rotation", set_local_rotation},
    {"set_camera_near_range", set_near_range},
    {"set_camera_vertical_fov", set_vertical_fov},
    {"move_camera", move},
};

const ct_flow_functions ct_flow_run_camera = {rows, CT_COUNT_OF(rows)};
