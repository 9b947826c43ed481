#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "foundation/math/math.h"
#include "render/component/light_component.h"

enum { UNIT, LIGHT, VALUE }; // inputs

static uint32_t first(const ct_world *w, ct_entity e) {
    return ct_light_first(ct_world_lights(w), e).index;
}

static uint32_t with_number(const ct_world *w, ct_entity e, uint32_t number) {
    return ct_light_with_number(ct_world_lights(w), e, number, CT_INSTANCE_NUMBER_BITS).index;
}

static uint32_t node_of(const ct_world *w, uint32_t index) {
    return ct_light_node(ct_world_lights(w), (ct_light_instance){index});
}

static const ct_flow_part_type light = {"light", first, with_number, node_of};

// Gives the settings of the light; NULL when it does not exist.
static const ct_light_data *data_of(ct_flow_call *c, ct_flow_part *part) {
    if (!ct_flow_part_of(c, UNIT, &light, part))
        return NULL;
    return ct_light_data_of(ct_world_lights(part->world), (ct_light_instance){part->index});
}

static void set_data(const ct_flow_part *part, const ct_light_data *data) {
    ct_light_set_data(ct_world_lights(part->world), (ct_light_instance){part->index}, data);
}

// --- What a light is like ------------------------------------------------------------------------

#define GET(name, set, value)                                                                      \
    static uint32_t name(ct_flow_call *c, uint32_t event) {                                        \
        (void)event;                                                                               \
        ct_flow_part part;                                                                         \
        const ct_light_data *const d = data_of(c, &part);                                          \
        if (d)                                                                                     \
            set(c, 0, value);                                                                      \
        return CT_FLOW_STOP;                                                                       \
    }

GET(get_shadows, ct_flow_set_bool, d->casts_shadows)
GET(get_color, ct_flow_set_vector3, ct_vec3_make(d->color[0], d->color[1], d->color[2]))
GET(get_enabled, ct_flow_set_bool, d->is_enabled)
GET(get_falloff_end, ct_flow_set_number, (double)d->falloff_end)
GET(get_falloff_start, ct_flow_set_number, (double)d->falloff_start)
GET(get_intensity, ct_flow_set_number, (double)d->intensity)

// --- Changes -------------------------------------------------------------------------------------

static uint32_t set_shadows(ct_flow_call *c, uint32_t event) {
    ct_flow_part part;
    const ct_light_data *const d = data_of(c, &part);
    if (d) {
        ct_light_data data = *d;
        data.casts_shadows = ct_flow_bool(c, VALUE);
        set_data(&part, &data);
    }
    return event;
}

static uint32_t set_enabled(ct_flow_call *c, uint32_t event) {
    ct_flow_part part;
    const ct_light_data *const d = data_of(c, &part);
    if (d) {
        ct_light_data data = *d;
        data.is_enabled = ct_flow_bool(c, VALUE);
        set_data(&part, &data);
    }
    return event;
}

static uint32_t set_color(ct_flow_call *c, uint32_t event) {
    ct_flow_part part;
    ct_vec3 color;
    const ct_light_data *const d = data_of(c, &part);
    if (!d || !ct_flow_finite_vector3(c, VALUE, &color))
        return event;
    if (color.x < 0 || color.y < 0 || color.z < 0) {
        ct_flow_error(c, "color: found (%g, %g, %g); expected nothing below 0", (double)color.x,
                      (double)color.y, (double)color.z);
        return event;
    }
    ct_light_data data = *d;
    data.color[0] = color.x;
    data.color[1] = color.y;
    data.color[2] = color.z;
    set_data(&part, &data);
    return event;
}

static uint32_t set_type(ct_flow_call *c, uint32_t event) {
    static const char *const types[] = {"directional", "point", "spot", NULL};
    ct_flow_part part;
    const ct_light_data *const d = data_of(c, &part);
    if (d) {
        ct_light_data data = *d;
        if (ct_flow_name_of(c, VALUE, types, &data.type))
            set_data(&part, &data);
    }
    return event;
}

#define SET_NUMBER(name, field)                                                                    \
    static uint32_t name(ct_flow_call *c, uint32_t event) {                                        \
        ct_flow_part part;                                                                         \
        const ct_light_data *const d = data_of(c, &part);                                          \
        if (d) {                                                                                   \
            ct_light_data data = *d;                                                               \
            if (ct_flow_field_number(c, VALUE, "light", #field, &data.field))                      \
                set_data(&part, &data);                                                            \
        }                                                                                          \
        return event;                                                                              \
    }

SET_NUMBER(set_falloff_end, falloff_end)
SET_NUMBER(set_falloff_start, falloff_start)
SET_NUMBER(set_intensity, intensity)
SET_NUMBER(set_spot_angle_end, spot_angle_end)
SET_NUMBER(set_spot_angle_start, spot_angle_start)

// --- Poses ---------------------------------------------------------------------------------------

static uint32_t get_local_position(ct_flow_call *c, uint32_t event) {
    (void)event;
    return ct_flow_get_local_position(c, &light);
}

static uint32_t get_local_rotation(ct_flow_call *c, uint32_t event) {
    (void)event;
    return ct_flow_get_local_rotation(c, &light);
}

static uint32_t get_world_position(ct_flow_call *c, uint32_t event) {
    (void)event;
    return ct_flow_get_world_position(c, &light);
}

static uint32_t get_world_rotation(ct_flow_call *c, uint32_t event) {
    (void)event;
    return ct_flow_get_world_rotation(c, &light);
}

static uint32_t set_local_position(ct_flow_call *c, uint32_t event) {
    ct_flow_set_local_position(c, &light);
    return event;
}

static uint32_t set_local_rotation(ct_flow_call *c, uint32_t event) {
    ct_flow_set_local_rotation(c, &light);
    return event;
}

static uint32_t move(ct_flow_call *c, uint32_t event) {
    ct_flow_move(c, &light);
    return event;
}

static const ct_flow_function_row rows[] = {
    {"get_light_casts_shadows_enabled", get_shadows},
    {"get_light_color", get_color},
    {"get_light_enabled", get_enabled},
    {"get_light_falloff_end", get_falloff_end},
    {"get_light_falloff_start", get_falloff_start},
    {"get_light_intensity", get_intensity},
    {"get_light_local_position", get_local_position},
    {"get_light_local_rotation", get_local_rotation},
    {"get_light_world_position", get_world_position},
    {"get_light_world_rotation", get_world_rotation},
    {"set_light_casts_shadows_enabled", set_shadows},
    {"set_light_color", set_color},
    {"set_light_enabled", set_enabled},
    {"set_light_falloff_end", set_falloff_end},
    {"set_light_falloff_start", set_falloff_start},
    {"set_light_intensity", set_intensity},
    {"set_light_local_position", set_local_position},
    {"set_light_local_rotation", set_local_rotation},
    {"set_light_type", set_type},
    {"set_spotlight_angle_end", set_spot_angle_end},
    {"set_spotlight_angle_start", set_spot_angle_start},
    {"move_light", move},
};

const ct_flow_functions ct_flow_run_light = {rows, CT_COUNT_OF(rows)};
