#include "compiler/types/model/worker_gltf_skins.h"

#include <math.h>

#include "compiler/types/model/worker_gltf_accessor.h"

// --- Meshes --------------------------------------------------------------------------------------

// Gives a primitive the skin of its node. Joints without a skin move nothing.
static void set_skin(ct_worker_mesh *mesh, uint32_t skin) {
    mesh->has_skin = skin != CT_GLTF_NONE && mesh->joints;
    mesh->skin = mesh->has_skin ? skin : 0;
}

uint32_t ct_gltf_skinned_mesh(ct_gltf_file *g, uint32_t mesh, uint32_t skin) {
    ct_worker_mesh_array *const meshes = &g->scene->meshes;
    const uint32_t first = g->first_primitive[mesh], count = g->num_primitives[mesh];
    const uint64_t key = (uint64_t)mesh << 32 | skin;
    const uint64_t *const known = ct_hash_map_find(&g->skinned_meshes, key);
    if (known)
        return (uint32_t)*known;
    if (skin != CT_GLTF_NONE)
        g->is_skin_used[skin] = true;
    uint32_t place = first;
    if (g->has_skin_set[mesh]) {
        place = meshes->count;
        for (uint32_t i = 0; i < count; ++i) {
            const ct_worker_mesh copy = meshes->items[first + i];
            ct_array_push(meshes, copy);
        }
    }
    g->has_skin_set[mesh] = true;
    for (uint32_t i = 0; i < count; ++i)
        set_skin(&meshes->items[place + i], skin);
    ct_hash_map_set(&g->skinned_meshes, key, place);
    return place;
}

// --- Skins ---------------------------------------------------------------------------------------

// Fills the nodes of the joints. A joint outside the scene leaves `num_joints` 0.
static bool read_joints(ct_gltf_file *g, uint32_t index, ct_worker_skin *skin) {
    const ct_sjson_value value = ct_gltf_item(g, CT_GLTF_LIST_SKINS, index);
    ct_sjson_value list;
    if (!ct_gltf_array(g, value, "joints", &list))
        return false;
    const uint32_t count = ct_sjson_count(g->doc, list);
    if (count == 0)
        return ct_gltf_error(g, value, "%s has no joints; expected at least one in \"joints\"",
                             ct_gltf_name(g, CT_GLTF_LIST_SKINS, index));
    uint32_t *const nodes = CT_NEW_ARRAY(g->c->allocator, uint32_t, count);
    uint32_t i = 0;
    skin->nodes = nodes;
    for (ct_sjson_value v = ct_sjson_first(g->doc, list); v.entry; v = ct_sjson_next(g->doc, v)) {
        uint32_t node;
        if (!ct_gltf_index_value(g, v, CT_GLTF_LIST_NODES, &node))
            return false;
        nodes[i++] = g->node_places[node];
        if (g->node_places[node] != CT_GLTF_NONE)
            continue;
        return !g->is_skin_used[index] ||
               ct_gltf_error(g, v,
                             "%s has node %u as a joint, which is not in the scene; expected a "
                             "node of the scene",
                             ct_gltf_name(g, CT_GLTF_LIST_SKINS, index), node);
    }
    skin->num_joints = count;
    return true;
}

// The accessor's matrices have columns one after the other.
static bool read_binds(ct_gltf_file *g, uint32_t index, ct_worker_skin *skin) {
    const ct_sjson_value value = ct_gltf_item(g, CT_GLTF_LIST_SKINS, index);
    const ct_sjson_value at = ct_sjson_find(g->doc, value, "inverseBindMatrices");
    const char *const name = ct_gltf_name(g, CT_GLTF_LIST_SKINS, index);
    uint32_t accessor, count = 0;
    ct_gltf_floats floats;
    ct_worker_matrix *const binds =
        CT_NEW_ARRAY(g->c->allocator, ct_worker_matrix, (uint64_t)skin->num_joints + 1);
    skin->inverse_binds = binds;
    for (uint32_t i = 0; i < skin->num_joints; ++i)
        binds[i] = ct_worker_matrix_identity();
    if (!ct_gltf_index(g, value, "inverseBindMatrices", CT_GLTF_LIST_ACCESSORS, &accessor))
        return false;
    if (accessor == CT_GLTF_NONE || skin->num_joints == 0)
        return true;
    if (!ct_gltf_accessor_count(g, accessor, &count) || !ct_gltf_read_floats(g, accessor, &floats))
        return false;
    if (floats.num_components != 16 || count < skin->num_joints)
        return ct_gltf_error(g, at,
                             "%s has %u inverse bind matrices of %u numbers; expected %u MAT4, one "
                             "for each joint",
                             name, count, floats.num_components, skin->num_joints);
    for (uint32_t i = 0; i < skin->num_joints; ++i) {
        for (uint32_t k = 0; k < 12; ++k)
            binds[i].rows[k / 4][k % 4] = floats.values[(uint64_t)i * 16 + k % 4 * 4 + k / 4];
        if (!ct_worker_matrix_is_finite(&binds[i]))
            return ct_gltf_error(g, at,
                                 "%s: the inverse bind matrix of joint %u has values that are not "
                                 "finite numbers",
                                 name, i);
    }
    return true;
}

bool ct_gltf_add_skins(ct_gltf_file *g) {
    for (uint32_t i = 0; i < g->lists[CT_GLTF_LIST_SKINS].count; ++i) {
        ct_worker_skin skin = {.name = ""};
        if (!ct_gltf_string(g, ct_gltf_item(g, CT_GLTF_LIST_SKINS, i), "name", &skin.name) ||
            !read_joints(g, i, &skin) || !read_binds(g, i, &skin))
            return false;
        ct_array_push(&g->scene->skins, skin);
    }
    return true;
}
