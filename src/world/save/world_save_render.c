// Saved kinds: meshes, cameras, lights, values of meshes.
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "world/save/world_save_private.h"

#define FIELD(type, name, member, kind)                                                            \
    { name, kind, offsetof(type, member), sizeof(((type *)0)->member) }

static uint32_t some(const ct_world *w, void *user) {
    (void)w, (void)user;
    return 1;
}

// --- Meshes --------------------------------------------------------------------------------------

typedef struct mesh_row {
    ct_string_id64 mesh;
    uint32_t is_visible, casts_shadows;
    ct_string_id32 node;
    uint32_t num_materials;
    ct_saved_bytes materials;
} mesh_row;

static const ct_save_field mesh_fields[] = {
    FIELD(mesh_row, "mesh", mesh, CT_SAVE_KIND_ID64),
    FIELD(mesh_row, "visible", is_visible, CT_SAVE_KIND_U32),
    FIELD(mesh_row, "casts_shadows", casts_shadows, CT_SAVE_KIND_U32),
    FIELD(mesh_row, "node", node, CT_SAVE_KIND_ID32),
    FIELD(mesh_row, "num_materials", num_materials, CT_SAVE_KIND_U32),
    FIELD(mesh_row, "materials", materials, CT_SAVE_KIND_BYTES),
};

static uint32_t mesh_count(const ct_world *w, void *user) {
    (void)user;
    return ct_mesh_count(ct_world_meshes(w));
}

static uint32_t mesh_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_mesh_first(ct_world_meshes(w), e).index;
}

static uint32_t mesh_next(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    return ct_mesh_next(ct_world_meshes(w), (ct_mesh_instance){i}).index;
}

static uint32_t mesh_id(const ct_world *w, void *user, uint32_t i) {
    (void)user;
    return ct_mesh_id(ct_world_meshes(w), (ct_mesh_instance){i});
}

static void mesh_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    ct_mesh_data data;
    const uint32_t count = ct_mesh_read(ct_world_meshes(s->world), (ct_mesh_instance){i}, &data);
    mesh_row *const r = row;
    (void)user, (void)e;
    *r = (mesh_row){.mesh = data.mesh,
                    .is_visible = data.is_visible,
                    .casts_shadows = data.casts_shadows,
                    .node = data.node,
                    .num_materials = count};
    if (count > 0)
        r->materials =
            ct_world_save_bytes(s, data.materials, (uint32_t)sizeof(data.materials[0]) * count);
}

// The data that makes such a mesh.
static ct_mesh_data mesh_data(const ct_world_loading *l, const mesh_row *r) {
    ct_mesh_data data = {.mesh = r->mesh,
                         .is_visible = r->is_visible != 0,
                         .casts_shadows = r->casts_shadows != 0,
                         .node = r->node};
    const uint32_t bytes =
        r->materials.size_bytes <= sizeof(data.materials) ? r->materials.size_bytes / 8 * 8 : 0;
    if (bytes > 0)
        memcpy(data.materials, ct_world_load_bytes(l, r->materials), bytes);
    data.num_materials = bytes / 8;
    return data;
}

static bool mesh_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                     ct_error *error) {
    ct_mesh_manager *const m = ct_world_meshes(l->world);
    const ct_mesh_instance mesh = {i};
    const mesh_row *const r = row;
    (void)user, (void)e;
    if (ct_mesh_name(m, mesh).value != r->mesh.value)
        return ct_error_set(error, "it has another mesh now, \"%s\"",
                            ct_string_id64_name(ct_mesh_name(m, mesh)));
    ct_mesh_set_visible(m, mesh, r->is_visible != 0);
    ct_mesh_set_casts_shadows(m, mesh, r->casts_shadows != 0);
    if (r->materials.size_bytes == UINT32_MAX)
        return true;
    const ct_mesh_data wanted = mesh_data(l, r), now = ct_mesh_data_of(m, mesh);
    for (uint32_t k = 0; k < CT_MESH_MAX_MATERIALS; ++k) {
        if (wanted.materials[k].value != now.materials[k].value)
            ct_mesh_set_material(m, mesh, k, wanted.materials[k]);
    }
    return true;
}

static uint32_t mesh_add(ct_world_loading *l, void *user, ct_entity e, uint32_t id, const void *row,
                         ct_error *error) {
    const mesh_row *const r = row;
    const ct_mesh_data data = mesh_data(l, r);
    (void)user;
    if (!ct_resource_manager_get(l->world->system->resources, "mesh", r->mesh)) {
        ct_error_set(error, "its mesh \"%s\" is not loaded", ct_string_id64_name(r->mesh));
        return 0;
    }
    return ct_mesh_create(ct_world_meshes(l->world), e, id, &data).index;
}

static void mesh_remove(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    ct_mesh_destroy(ct_world_meshes(w), (ct_mesh_instance){i});
}

// --- Cameras -------------------------------------------------------------------------------------

typedef struct eye_row {
    float position[3], rotation[4], vertical_fov, perspective[4], orthographic[4];
} eye_row;

typedef struct camera_row {
    ct_camera_data data;
    uint32_t mode;
    eye_row eyes[CT_CAMERA_NUM_EYES];
} camera_row;

static const ct_save_field camera_fields[] = {
    FIELD(camera_row, "name", data.name, CT_SAVE_KIND_ID32),
    FIELD(camera_row, "projection", data.projection, CT_SAVE_KIND_U32),
    FIELD(camera_row, "vertical_fov", data.vertical_fov, CT_SAVE_KIND_F32),
    FIELD(camera_row, "near_range", data.near_range, CT_SAVE_KIND_F32),
    FIELD(camera_row, "far_range", data.far_range, CT_SAVE_KIND_F32),
    FIELD(camera_row, "orthographic_height", data.orthographic_height, CT_SAVE_KIND_F32),
    FIELD(camera_row, "node", data.node, CT_SAVE_KIND_ID32),
    FIELD(camera_row, "mode", mode, CT_SAVE_KIND_U32),
    FIELD(camera_row, "eyes", eyes, CT_SAVE_KIND_F32),
};

static uint32_t camera_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_camera_first(ct_world_cameras(w), e).index;
}

static uint32_t camera_next(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    return ct_camera_next(ct_world_cameras(w), (ct_camera_instance){i}).index;
}

static uint32_t camera_id(const ct_world *w, void *user, uint32_t i) {
    (void)user;
    return ct_camera_data_of(ct_world_cameras(w), (ct_camera_instance){i})->name.value;
}

static void read_eye(const ct_camera_eye *eye, eye_row *r) {
    memcpy(r->position, &eye->position, sizeof(r->position));
    memcpy(r->rotation, &eye->rotation, sizeof(r->rotation));
    r->vertical_fov = eye->vertical_fov;
    memcpy(r->perspective, &eye->perspective, sizeof(r->perspective));
    memcpy(r->orthographic, &eye->orthographic, sizeof(r->orthographic));
}

static void write_eye(const eye_row *r, ct_camera_eye *eye) {
    memcpy(&eye->position, r->position, sizeof(r->position));
    memcpy(&eye->rotation, r->rotation, sizeof(r->rotation));
    eye->vertical_fov = r->vertical_fov;
    memcpy(&eye->perspective, r->perspective, sizeof(r->perspective));
    memcpy(&eye->orthographic, r->orthographic, sizeof(r->orthographic));
}

static void camera_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    ct_camera_manager *const m = ct_world_cameras(s->world);
    const ct_camera_instance camera = {i};
    camera_row *const r = row;
    (void)user, (void)e;
    r->data = *ct_camera_data_of(m, camera);
    r->mode = ct_camera_mode_of(m, camera);
    for (uint32_t eye = 0; eye < CT_CAMERA_NUM_EYES; ++eye)
        read_eye(ct_camera_eye_of(m, camera, eye), &r->eyes[eye]);
}

static bool camera_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                       ct_error *error) {
    ct_camera_manager *const m = ct_world_cameras(l->world);
    const ct_camera_instance camera = {i};
    const camera_row *const r = row;
    const ct_camera_data *const d = &r->data;
    (void)user, (void)e;
    if (d->projection > CT_CAMERA_PROJECTION_ORTHOGRAPHIC || r->mode > CT_CAMERA_MODE_STEREO ||
        !(d->near_range > 0 && d->far_range > d->near_range) ||
        !(d->vertical_fov > 0 && d->vertical_fov < 3.14159f) || !(d->orthographic_height > 0))
        return ct_error_set(error, "its saved projection is out of range");
    for (uint32_t eye = 0; eye < CT_CAMERA_NUM_EYES; ++eye) {
        ct_quat rotation;
        memcpy(&rotation, r->eyes[eye].rotation, sizeof(rotation));
        if (!ct_quat_is_rotation(rotation))
            return ct_error_set(error, "the rotation of an eye is not of length 1");
        write_eye(&r->eyes[eye], ct_camera_eye_of(m, camera, eye));
    }
    const ct_string_id32 node = ct_camera_data_of(m, camera)->node;
    *ct_camera_data_of(m, camera) = *d;
    ct_camera_data_of(m, camera)->node = node;
    ct_camera_set_mode(m, camera, (ct_camera_mode)r->mode);
    ct_camera_cut(m, camera);
    return true;
}

// --- Lights --------------------------------------------------------------------------------------

static const ct_save_field light_fields[] = {
    FIELD(ct_light_data, "name", name, CT_SAVE_KIND_ID32),
    FIELD(ct_light_data, "type", type, CT_SAVE_KIND_U32),
    FIELD(ct_light_data, "color", color, CT_SAVE_KIND_F32),
    FIELD(ct_light_data, "intensity", intensity, CT_SAVE_KIND_F32),
    FIELD(ct_light_data, "falloff_start", falloff_start, CT_SAVE_KIND_F32),
    FIELD(ct_light_data, "falloff_end", falloff_end, CT_SAVE_KIND_F32),
    FIELD(ct_light_data, "spot_angle_start", spot_angle_start, CT_SAVE_KIND_F32),
    FIELD(ct_light_data, "spot_angle_end", spot_angle_end, CT_SAVE_KIND_F32),
    FIELD(ct_light_data, "enabled", is_enabled, CT_SAVE_KIND_U32),
    FIELD(ct_light_data, "casts_shadows", casts_shadows, CT_SAVE_KIND_U32),
    FIELD(ct_light_data, "shadow_depth_bias", shadow_depth_bias, CT_SAVE_KIND_F32),
    FIELD(ct_light_data, "node", node, CT_SAVE_KIND_ID32),
};

static uint32_t light_count(const ct_world *w, void *user) {
    (void)user;
    return ct_light_count(ct_world_lights(w));
}

static uint32_t light_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_light_first(ct_world_lights(w), e).index;
}

static uint32_t light_next(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    return ct_light_next(ct_world_lights(w), (ct_light_instance){i}).index;
}

static uint32_t light_id(const ct_world *w, void *user, uint32_t i) {
    (void)user;
    return ct_light_data_of(ct_world_lights(w), (ct_light_instance){i})->name.value;
}

static void light_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    (void)user, (void)e;
    *(ct_light_data *)row = *ct_light_data_of(ct_world_lights(s->world), (ct_light_instance){i});
}

static bool light_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                      ct_error *error) {
    ct_light_manager *const m = ct_world_lights(l->world);
    ct_light_data data = *(const ct_light_data *)row;
    (void)user, (void)e;
    if (data.type > CT_LIGHT_TYPE_SPOT)
        return ct_error_set(error, "its saved type is out of range");
    data.node = ct_light_data_of(m, (ct_light_instance){i})->node;
    data.is_enabled = data.is_enabled != 0;
    data.casts_shadows = data.casts_shadows != 0;
    ct_light_set_data(m, (ct_light_instance){i}, &data);
    return true;
}

// --- Values of meshes ----------------------------------------------------------------------------

typedef struct values_row {
    ct_saved_bytes values;
} values_row;

static const ct_save_field values_fields[] = {
    FIELD(values_row, "values", values, CT_SAVE_KIND_BYTES),
};

static uint32_t values_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_render_data_first(ct_world_render_data(w), e).index;
}

static uint32_t values_next(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    return ct_render_data_next(ct_world_render_data(w), (ct_render_data_instance){i}).index;
}

static uint32_t values_count(const ct_world *w, void *user) {
    (void)user;
    return ct_render_data_count(ct_world_render_data(w));
}

static uint32_t values_id(const ct_world *w, void *user, uint32_t i) {
    (void)user;
    return ct_render_data_id(ct_world_render_data(w), (ct_render_data_instance){i});
}

static void values_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    uint32_t count;
    const ct_render_data_value *const values =
        ct_render_data_values(ct_world_render_data(s->world), (ct_render_data_instance){i}, &count);
    (void)user, (void)e;
    ((values_row *)row)->values = ct_world_save_bytes(s, values, (uint32_t)sizeof(*values) * count);
}

static bool is_value(const ct_render_data_value *v) {
    for (uint32_t i = 0; i < 4; ++i) {
        if (!isfinite(v->value[i]))
            return false;
    }
    return v->num_floats >= 1 && v->num_floats <= 4;
}

// A value that was not there yet stays: nothing takes values away.
static bool values_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                       ct_error *error) {
    ct_render_data_manager *const m = ct_world_render_data(l->world);
    const ct_saved_bytes bytes = ((const values_row *)row)->values;
    (void)user, (void)e;
    if (bytes.size_bytes == UINT32_MAX)
        return true;
    const ct_render_data_value *const values = ct_world_load_bytes(l, bytes);
    for (uint32_t k = 0; k < bytes.size_bytes / sizeof(*values); ++k) {
        if (!is_value(&values[k]))
            return ct_error_set(error, "value %u is damaged", k);
        if (!ct_render_data_set(m, (ct_render_data_instance){i}, values[k].name, values[k].value,
                                values[k].num_floats))
            return ct_error_set(error, "it has more than %d values", CT_RENDER_DATA_MAX_VALUES);
    }
    return true;
}

static uint32_t values_add(ct_world_loading *l, void *user, ct_entity e, uint32_t id,
                           const void *row, ct_error *error) {
    (void)user, (void)row, (void)error;
    return ct_render_data_create(ct_world_render_data(l->world), e, id).index;
}

static void values_remove(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    ct_render_data_destroy(ct_world_render_data(w), (ct_render_data_instance){i});
}

// --- The table -----------------------------------------------------------------------------------

const ct_save_component ct_save_render_kinds[] = {
    {.name = "mesh",
     .fields = mesh_fields,
     .num_fields = CT_COUNT_OF(mesh_fields),
     .row_bytes = sizeof(mesh_row),
     .count = mesh_count,
     .first = mesh_first,
     .next = mesh_next,
     .id = mesh_id,
     .get = mesh_get,
     .set = mesh_set,
     .add = mesh_add,
     .remove = mesh_remove},
    {.name = "camera",
     .fields = camera_fields,
     .num_fields = CT_COUNT_OF(camera_fields),
     .row_bytes = sizeof(camera_row),
     .count = some,
     .first = camera_first,
     .next = camera_next,
     .id = camera_id,
     .get = camera_get,
     .set = camera_set},
    {.name = "light",
     .fields = light_fields,
     .num_fields = CT_COUNT_OF(light_fields),
     .row_bytes = sizeof(ct_light_data),
     .count = light_count,
     .first = light_first,
     .next = light_next,
     .id = light_id,
     .get = light_get,
     .set = light_set},
    {.name = "render_data",
     .fields = values_fields,
     .num_fields = CT_COUNT_OF(values_fields),
     .row_bytes = sizeof(values_row),
     .count = values_count,
     .first = values_first,
     .next = values_next,
     .id = values_id,
     .get = values_get,
     .set = values_set,
     .add = values_add,
     .remove = values_remove},
};
const uint32_t ct_save_num_render_kinds = CT_COUNT_OF(ct_save_render_kinds);
