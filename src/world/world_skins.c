#include "world/world_skins.h"

#include "render/render_skeleton.h"
#include "world/world_private.h"

enum { CHARACTERS_IN_A_TASK = 16 };

_Static_assert(sizeof(ct_affine) == sizeof(ct_render_joint_pose) &&
                   offsetof(ct_affine, rows) == offsetof(ct_render_joint_pose, rows),
               "characters write matrices as the renderer takes them");

// Makes the character's skeleton in the renderer and gives it to the entity's meshes.
static void make_skeleton(ct_world *w, ct_animation_manager *m, ct_animation_instance i) {
    const ct_animation_skeleton *const skeleton = ct_animation_skeleton_of(m, i);
    ct_animation_skin *const skin = ct_animation_skin_of(m, i);
    uint32_t count;
    const ct_skeleton_joint *const joints = ct_skeleton_joints(skeleton->resource, &count);
    ct_string_id32 names[CT_SKELETON_MAX_JOINTS];
    for (uint32_t j = 0; j < count; ++j)
        names[j] = joints[j].name;
    if (skin->handle)
        ct_render_skeleton_destroy(w->system->renderer, w->render_world,
                                   (ct_render_skeleton_id){(uint32_t)skin->handle});
    const ct_render_skeleton_id id =
        ct_render_skeleton_create(w->system->renderer, w->render_world, names, count);
    *skin = (ct_animation_skin){id.value, ct_animation_skeleton_version(m, i)};
    ct_mesh_set_skeleton(ct_world_meshes(w), ct_animation_entity(m, i), id);
}

static void destroy_ended(ct_world *w, ct_animation_manager *m) {
    uint32_t count;
    const ct_animation_ended_skin *const ended = ct_animation_ended_skins(m, &count);
    for (uint32_t i = 0; i < count; ++i) {
        if (ct_world_of(w->system, ended[i].entity) == w)
            ct_mesh_set_skeleton(ct_world_meshes(w), ended[i].entity, (ct_render_skeleton_id){0});
        ct_render_skeleton_destroy(w->system->renderer, w->render_world,
                                   (ct_render_skeleton_id){(uint32_t)ended[i].handle});
    }
    ct_animation_clear_ended(m);
}

// The characters of one call, in the memory of the world system's scratch.
typedef struct skin_list {
    const ct_animation_manager *manager;
    ct_animation_instance *instances;
    ct_render_skeleton_id *skeletons;
    uint32_t *num_joints, *first_joint;
    uint32_t count, total;
    ct_affine *joints; // in the renderer's stream
} skin_list;

// Lists the characters whose matrices must be sent.
static void list_changed(ct_world *w, ct_animation_manager *m, skin_list *list) {
    const uint32_t count = ct_animation_count(m);
    for (uint32_t k = 1; k <= count; ++k) {
        const ct_animation_instance i = {k};
        if (!ct_animation_must_send(m, i) ||
            !ct_mesh_first(ct_world_meshes(w), ct_animation_entity(m, i)).index)
            continue;
        if (ct_animation_skin_of(m, i)->version != ct_animation_skeleton_version(m, i))
            make_skeleton(w, m, i);
        const uint32_t n = list->count++;
        list->instances[n] = i;
        list->skeletons[n].value = (uint32_t)ct_animation_skin_of(m, i)->handle;
        list->num_joints[n] = ct_animation_skeleton_of(m, i)->num_joints;
        list->first_joint[n] = list->total;
        list->total += list->num_joints[n];
        ct_animation_mark_sent(m, i);
    }
}

static void write_range(void *data, uint32_t begin, uint32_t end) {
    const skin_list *const list = data;
    for (uint32_t i = begin; i < end; ++i)
        ct_animation_write_joints(list->manager, list->instances[i],
                                  list->joints + list->first_joint[i]);
}

void ct_world_send_skins(ct_world *w) {
    ct_animation_manager *const m = ct_world_animations(w);
    if (!m)
        return;
    destroy_ended(w, m);
    const uint32_t most = ct_animation_count(m);
    const ct_frame_mark mark = ct_frame_allocator_mark(w->system->scratch);
    ct_allocator *const a = ct_frame_allocator_interface(w->system->scratch);
    skin_list list = {.manager = m,
                      .instances = CT_NEW_ARRAY(a, ct_animation_instance, most),
                      .skeletons = CT_NEW_ARRAY(a, ct_render_skeleton_id, most),
                      .num_joints = CT_NEW_ARRAY(a, uint32_t, most),
                      .first_joint = CT_NEW_ARRAY(a, uint32_t, most)};
    list_changed(w, m, &list);
    list.joints = (ct_affine *)ct_render_skeletons_pose(
        w->system->renderer, w->render_world, list.skeletons, list.num_joints, list.count);
    if (list.joints)
        ct_animation_system_loop(w->system->animation, "skins", list.count, CHARACTERS_IN_A_TASK,
                                 write_range, &list);
    ct_frame_allocator_reset(w->system->scratch, mark);
}
