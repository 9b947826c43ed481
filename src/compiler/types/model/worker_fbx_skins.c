#include "compiler/types/model/worker_fbx_skins.h"

#include <string.h>

#include <assimp/scene.h>

#include "foundation/container/hash_map.h"
#include "foundation/string/string_id.h"

typedef struct skin_reader {
    ct_compile *c;
    ct_worker_scene *scene;
    const struct aiMesh *mesh;
    ct_hash_map node_of_name; // + 1
    uint32_t *joint_of_bone;  // CT_WORKER_SCENE_NO_NODE: left out
} skin_reader;

// Two influences of a bone that a file lists twice count as two.
static uint32_t most_influences(const skin_reader *r) {
    uint32_t *const counts = CT_NEW_ARRAY(r->c->allocator, uint32_t, r->mesh->mNumVertices);
    uint32_t most = 1;
    for (uint32_t i = 0; i < r->mesh->mNumBones; ++i) {
        const struct aiBone *const bone = r->mesh->mBones[i];
        for (uint32_t k = 0; k < bone->mNumWeights; ++k) {
            const uint32_t vertex = bone->mWeights[k].mVertexId;
            if (vertex < r->mesh->mNumVertices && ++counts[vertex] > most)
                most = counts[vertex];
        }
    }
    most = (most + 3) / 4 * 4;
    return most < CT_WORKER_FBX_MAX_INFLUENCES ? most : CT_WORKER_FBX_MAX_INFLUENCES;
}

// Puts an influence in the place of the least; a weight that is no number is heavier than all, so
// that whoever uses it sees it.
static void add_influence(uint16_t *joints, float *weights, uint32_t count, uint16_t joint,
                          float weight) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; ++i)
        least = weights[i] < weights[least] ? i : least;
    if (weight <= weights[least])
        return;
    joints[least] = joint;
    weights[least] = weight;
}

static void set_influences(const skin_reader *r, ct_worker_mesh *mesh) {
    const uint32_t count = most_influences(r);
    const uint64_t total = (uint64_t)mesh->num_vertices * count;
    uint16_t *const joints = CT_NEW_ARRAY(r->c->allocator, uint16_t, total + 1);
    float *const weights = CT_NEW_ARRAY(r->c->allocator, float, total + 1);
    for (uint32_t i = 0; i < r->mesh->mNumBones; ++i) {
        const struct aiBone *const bone = r->mesh->mBones[i];
        if (r->joint_of_bone[i] == CT_WORKER_SCENE_NO_NODE)
            continue;
        for (uint32_t k = 0; k < bone->mNumWeights; ++k) {
            const uint64_t vertex = bone->mWeights[k].mVertexId;
            if (vertex < mesh->num_vertices)
                add_influence(joints + vertex * count, weights + vertex * count, count,
                              (uint16_t)r->joint_of_bone[i], bone->mWeights[k].mWeight);
            else
                ct_worker_scene_warn(
                    r->c, r->scene,
                    ct_compile_text(r->c,
                                    "%s: bone \"%s\" moves vertices that are not there, which is "
                                    "left out",
                                    mesh->name, bone->mName.data));
        }
    }
    mesh->num_influences = count;
    mesh->joints = joints;
    mesh->weights = weights;
}

static void add_skin(skin_reader *r, ct_worker_mesh *mesh) {
    const uint32_t num_bones = r->mesh->mNumBones;
    uint32_t *const nodes = CT_NEW_ARRAY(r->c->allocator, uint32_t, num_bones);
    ct_worker_matrix *const binds = CT_NEW_ARRAY(r->c->allocator, ct_worker_matrix, num_bones);
    ct_worker_skin skin = {.name = mesh->name, .nodes = nodes, .inverse_binds = binds};
    r->joint_of_bone = CT_NEW_ARRAY(r->c->allocator, uint32_t, num_bones);
    for (uint32_t i = 0; i < num_bones; ++i) {
        const struct aiBone *const bone = r->mesh->mBones[i];
        const uint64_t id = ct_string_id64_of(bone->mName.data).value;
        const uint32_t node = (uint32_t)ct_hash_map_get(&r->node_of_name, id, 0);
        r->joint_of_bone[i] = CT_WORKER_SCENE_NO_NODE;
        if (node == 0 || skin.num_joints > UINT16_MAX) {
            ct_worker_scene_warn(
                r->c, r->scene,
                ct_compile_text(r->c, "%s: its bone \"%s\" is no node, so it moves nothing",
                                mesh->name, bone->mName.data));
            continue;
        }
        r->joint_of_bone[i] = skin.num_joints;
        nodes[skin.num_joints] = node - 1;
        binds[skin.num_joints++] = ct_worker_fbx_matrix(&bone->mOffsetMatrix);
    }
    mesh->has_skin = skin.num_joints > 0;
    if (!mesh->has_skin)
        return;
    mesh->skin = r->scene->skins.count;
    ct_array_push(&r->scene->skins, skin);
    set_influences(r, mesh);
}

void ct_worker_fbx_add_skins(ct_compile *c, const struct aiScene *file,
                             const ct_worker_fbx_chain *chains, ct_worker_scene *scene) {
    skin_reader r = {.c = c, .scene = scene};
    ct_hash_map_init(&r.node_of_name, c->allocator);
    // The first of a name counts.
    for (uint32_t i = scene->nodes.count; i-- > 0;)
        ct_hash_map_set(&r.node_of_name, ct_string_id64_of(chains[i].node->mName.data).value,
                        (uint64_t)i + 1);
    for (uint32_t i = 0; i < file->mNumMeshes; ++i) {
        r.mesh = file->mMeshes[i];
        if (r.mesh->mNumBones > 0)
            add_skin(&r, &scene->meshes.items[i]);
    }
}
