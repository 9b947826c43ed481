#include "render/component/camera_component.h"

#include "entity/instance_table.h"
#include "foundation/error.h"
#include "foundation/math/math.h"

typedef struct eye_pair {
    ct_camera_eye eyes[CT_CAMERA_NUM_EYES];
} eye_pair;

struct ct_camera_manager {
    ct_instance_table table;
    ct_camera_data *data;
    uint32_t *node; // of the entity's scene graph; 0: the entity
    ct_camera_mode *mode;
    eye_pair *eyes;
    uint32_t *shot;
    uint32_t last_shot; // of all cameras
    ct_scene_graph_manager *graphs;
    ct_allocator *allocator;
};

static const ct_soa_array arrays[] = {
    CT_NUMBERED_INSTANCE_TABLE_ARRAYS(ct_camera_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_camera_manager, data, 64),
    CT_SOA_ARRAY_ALIGNED(ct_camera_manager, node, 64),
    CT_SOA_ARRAY_ALIGNED(ct_camera_manager, mode, 64),
    CT_SOA_ARRAY_ALIGNED(ct_camera_manager, eyes, 64),
    CT_SOA_ARRAY_ALIGNED(ct_camera_manager, shot, 64),
};

ct_camera_manager *ct_camera_manager_create(ct_allocator *a, ct_scene_graph_manager *graphs) {
    ct_camera_manager *const m = CT_NEW(a, ct_camera_manager);
    m->allocator = a;
    m->graphs = graphs;
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_HASH);
    return m;
}

void ct_camera_manager_destroy(ct_camera_manager *m) {
    if (!m)
        return;
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

// Returns the place of `i`, which must be an instance.
static uint32_t checked(const ct_camera_manager *m, ct_camera_instance i) {
    ct_instance_table_check(&m->table, i.index);
    return i.index;
}

ct_camera_instance ct_camera_create(ct_camera_manager *m, ct_entity e, uint32_t id,
                                    const ct_camera_data *data) {
    const ct_camera_data copy = *data; // it may be that of another instance, which is about to move
    const uint32_t i = ct_instance_table_add(&m->table, e, id);
    m->data[i] = copy;
    m->node[i] = ct_scene_graph_node_of(m->graphs, e, copy.node);
    m->mode[i] = CT_CAMERA_MODE_MONO;
    m->shot[i] = ++m->last_shot;
    for (uint32_t k = 0; k < CT_CAMERA_NUM_EYES; ++k)
        m->eyes[i].eyes[k] =
            (ct_camera_eye){.rotation = ct_quat_identity(), .vertical_fov = copy.vertical_fov};
    return (ct_camera_instance){i};
}

ct_camera_instance ct_camera_first(const ct_camera_manager *m, ct_entity e) {
    return (ct_camera_instance){ct_instance_table_first(&m->table, e)};
}

ct_camera_instance ct_camera_next(const ct_camera_manager *m, ct_camera_instance i) {
    return (ct_camera_instance){m->table.next[checked(m, i)]};
}

ct_camera_instance ct_camera_with_number(const ct_camera_manager *m, ct_entity e, uint32_t number,
                                         uint32_t num_bits) {
    return (ct_camera_instance){ct_instance_table_with_number(&m->table, e, number, num_bits)};
}

uint32_t ct_camera_number(const ct_camera_manager *m, ct_camera_instance i) {
    return m->table.number[checked(m, i)];
}

uint32_t ct_camera_node(const ct_camera_manager *m, ct_camera_instance i) {
    const uint32_t place = checked(m, i);
    return ct_scene_graph_node_still(m->graphs, m->table.entity[place], m->node[place]);
}

ct_camera_data *ct_camera_data_of(ct_camera_manager *m, ct_camera_instance i) {
    return &m->data[checked(m, i)];
}

// The place of an eye in the array of all.
static ct_camera_eye *eye_at(const ct_camera_manager *m, ct_camera_instance i, uint32_t eye) {
    CT_ASSERT(eye < CT_CAMERA_NUM_EYES, "camera: there is no eye %u", eye);
    return &m->eyes[checked(m, i)].eyes[eye];
}

ct_camera_eye *ct_camera_eye_of(ct_camera_manager *m, ct_camera_instance i, uint32_t eye) {
    return eye_at(m, i, eye);
}

ct_camera_mode ct_camera_mode_of(const ct_camera_manager *m, ct_camera_instance i) {
    return m->mode[checked(m, i)];
}

void ct_camera_set_mode(ct_camera_manager *m, ct_camera_instance i, ct_camera_mode mode) {
    m->mode[checked(m, i)] = mode;
}

void ct_camera_cut(ct_camera_manager *m, ct_camera_instance i) {
    m->shot[checked(m, i)] = ++m->last_shot;
}

static bool is_symmetric(ct_camera_edges e) {
    return !(e.left < e.right);
}

ct_mat4 ct_camera_projection_of(const ct_camera_manager *m, ct_camera_instance i, uint32_t eye,
                                float aspect) {
    const ct_camera_data *const data = &m->data[checked(m, i)];
    const ct_camera_eye *const own = eye_at(m, i, eye);
    const float used_aspect = aspect > 0 ? aspect : 1; // a minimised window has none
    const float nearest = data->near_range, farthest = data->far_range;
    if (data->projection == CT_CAMERA_PROJECTION_ORTHOGRAPHIC) {
        ct_camera_edges e = own->orthographic;
        if (is_symmetric(e)) {
            const float top = data->orthographic_height / 2, right = top * used_aspect;
            e = (ct_camera_edges){-right, right, -top, top};
        }
        return ct_mat4_orthographic(e.left, e.right, e.bottom, e.top, nearest, farthest);
    }
    const ct_camera_edges e = own->perspective;
    if (is_symmetric(e))
        return ct_mat4_perspective(own->vertical_fov, used_aspect, nearest, farthest);
    return ct_mat4_perspective_off_axis(e.left, e.right, e.bottom, e.top, nearest, farthest);
}

// A camera has the pose of its node, but does not shrink, mirror or shear with it.
static ct_mat4 rigid_pose(const ct_mat4 *world) {
    const ct_vec3 forward = ct_vec3_make(world->col[1].x, world->col[1].y, world->col[1].z);
    const ct_vec3 up = ct_vec3_make(world->col[2].x, world->col[2].y, world->col[2].z);
    return ct_mat4_compose(ct_mat4_position(*world), ct_quat_look(forward, up),
                           ct_vec3_make(1, 1, 1));
}

ct_render_view ct_camera_view(const ct_camera_manager *m, ct_camera_instance i, uint32_t eye,
                              float aspect) {
    const ct_entity e = m->table.entity[checked(m, i)];
    const ct_mat4 world = ct_scene_graph_world(m->graphs, e, m->node[i.index]);
    const ct_camera_eye *const own = eye_at(m, i, eye);
    const ct_mat4 local = ct_mat4_compose(own->position, own->rotation, ct_vec3_make(1, 1, 1));
    return (ct_render_view){.pose = ct_mat4_mul(rigid_pose(&world), local),
                            .projection = ct_camera_projection_of(m, i, eye, aspect),
                            .shot = m->shot[i.index]};
}

// --- Registry ------------------------------------------------------------------------------------

static void spawn_cameras(void *manager, const ct_component_spawn *spawn) {
    ct_camera_manager *const m = manager;
    const ct_camera_data *const data = spawn->data;
    const uint32_t count = ct_component_spawn_count(spawn);
    ct_instance_table_reserve(&m->table, count);
    for (uint32_t k = 0; k < count; ++k)
        ct_camera_create(m, spawn->owners[k], spawn->ids[k],
                         &data[ct_component_spawn_data(spawn, k)]);
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_camera_manager *const m = manager;
    for (uint32_t k = 0; k < count && ct_instance_table_count(&m->table); ++k) {
        uint32_t i;
        while ((i = ct_instance_table_first(&m->table, entities[k])))
            ct_instance_table_erase(&m->table, i);
    }
}

static void destroy_manager(void *manager) {
    ct_camera_manager_destroy(manager);
}

ct_component_manager ct_camera_component_manager(ct_camera_manager *m) {
    return (ct_component_manager){.type_name = "camera",
                                  .schema = ct_component_type_named("camera")->schema,
                                  .manager = m,
                                  .spawn = spawn_cameras,
                                  .entities_destroyed = entities_destroyed,
                                  .destroy = destroy_manager};
}
