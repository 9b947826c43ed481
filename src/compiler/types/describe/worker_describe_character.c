#include "compiler/types/describe/worker_describe_character.h"

#include "compiler/types/animation/worker_clip.h"

const uint8_t *ct_worker_describe_roles(ct_compile *c, const ct_worker_scene *scene) {
    const uint32_t count = scene->nodes.count;
    uint8_t *const roles = CT_NEW_ARRAY(c->allocator, uint8_t, (uint64_t)count + 1);
    for (uint32_t i = 0; i < scene->skins.count; ++i) {
        const ct_worker_skin *const skin = &scene->skins.items[i];
        for (uint32_t k = 0; k < skin->num_joints; ++k)
            roles[skin->nodes[k]] |= CT_WORKER_DESCRIBE_ROLE_JOINT;
    }
    for (uint32_t i = 0; i < scene->channels.count; ++i)
        roles[scene->channels.items[i].node] |=
            CT_WORKER_DESCRIBE_ROLE_JOINT | CT_WORKER_DESCRIBE_ROLE_MOVED;
    // Parents come first.
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t parent = scene->nodes.items[i].parent;
        if ((roles[i] & CT_WORKER_DESCRIBE_ROLE_JOINT) && parent != CT_WORKER_SCENE_NO_NODE)
            roles[parent] |= CT_WORKER_DESCRIBE_ROLE_JOINT;
    }
    return roles;
}

void ct_worker_describe_clips(ct_compile *c, const ct_worker_scene *scene, ct_sjson_writer *w) {
    ct_sjson_write_key(w, "clips");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < scene->clips.count; ++i) {
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "name", scene->clips.items[i].name);
        ct_sjson_member_string(w, "key", ct_worker_clip_key(c, scene, i));
        ct_sjson_member_number(w, "moves", scene->clips.items[i].num_channels);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}
