#include "compiler/types/model/worker_skinning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How far the sum of a vertex's weights may be from 1 without a warning.
static const float most_off = 0.05f;

enum { WHOLE = 255 }; // what weights add up to

typedef struct weighted_joint {
    uint32_t joint; // of the skin
    float weight;
} weighted_joint;

// --- Life cycle ----------------------------------------------------------------------------------

void ct_worker_skinning_init(ct_worker_skinning *s, ct_compile *c, const ct_worker_scene *scene,
                             const char *source, ct_sjson_value at, float scale,
                             uint32_t max_influences) {
    *s = (ct_worker_skinning){.c = c,
                              .scene = scene,
                              .source = source,
                              .at = at,
                              .max_influences = max_influences,
                              .to_mesh = scene->axes};
    for (uint32_t i = 0; i < 12; ++i)
        s->to_mesh.rows[i / 4][i % 4] *= scale;
    ct_worker_matrix_inverse(&s->to_mesh, &s->from_mesh);
    s->joints_of_skin = CT_NEW_ARRAY(c->allocator, uint32_t *, (uint64_t)scene->skins.count + 1);
    ct_array_init(&s->joints, c->allocator);
    ct_array_init(&s->sets, c->allocator);
    ct_array_push(&s->sets, (ct_worker_influence_set){.weights = {0}});
    ct_hash_map_init(&s->set_of_hash, c->allocator);
}

bool ct_worker_skinning_has(const ct_worker_scene *scene, const ct_worker_mesh *mesh) {
    return mesh->has_skin && mesh->joints && mesh->weights && mesh->num_influences > 0 &&
           mesh->skin < scene->skins.count && scene->skins.items[mesh->skin].num_joints > 0;
}

static bool fail(const ct_worker_skinning *s, const char *what) {
    return ct_compile_error(s->c, s->c->doc, s->at, "%s: %s", s->source, what);
}

// --- Joints --------------------------------------------------------------------------------------

// The position of a joint, which is added when it is new.
static uint32_t add_joint(ct_worker_skinning *s, uint32_t node, const ct_worker_matrix *bind) {
    for (uint32_t i = 0; i < s->joints.count; ++i) {
        const ct_worker_skinning_joint *const joint = &s->joints.items[i];
        if (joint->node == node && memcmp(&joint->inverse_bind, bind, sizeof(*bind)) == 0)
            return i;
    }
    ct_worker_skinning_joint joint = {.name = s->scene->nodes.items[node].key, .node = node};
    joint.inverse_bind = *bind;
    ct_array_push(&s->joints, joint);
    return s->joints.count - 1;
}

// The position of a skin's joint.
static uint32_t joint_of(ct_worker_skinning *s, uint32_t skin, uint32_t joint) {
    const ct_worker_skin *const k = &s->scene->skins.items[skin];
    if (!s->joints_of_skin[skin])
        s->joints_of_skin[skin] =
            CT_NEW_ARRAY(s->c->allocator, uint32_t, (uint64_t)k->num_joints + 1);
    uint32_t *const known = &s->joints_of_skin[skin][joint];
    if (*known)
        return *known - 1;
    ct_worker_matrix bind = ct_worker_matrix_multiply(&k->inverse_binds[joint], &s->from_mesh);
    bind = ct_worker_matrix_multiply(&s->to_mesh, &bind);
    for (uint32_t i = 0; i < 12; ++i)
        bind.rows[i / 4][i % 4] += 0.0f; // -0 to 0, so that equal joints have equal bytes
    *known = add_joint(s, k->nodes[joint], &bind) + 1;
    return *known - 1;
}

// --- Sets ----------------------------------------------------------------------------------------

static uint64_t hash_of(const ct_worker_influence_set *set) {
    const unsigned char *const bytes = (const unsigned char *)set;
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
    for (uint32_t i = 0; i < sizeof(*set); ++i)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

_Static_assert(sizeof(ct_worker_influence_set) == 5 * CT_MESH_MAX_INFLUENCES, "it has no padding");

static uint32_t add_set(ct_worker_skinning *s, const ct_worker_influence_set *set) {
    uint64_t hash = hash_of(set);
    for (;; ++hash) {
        const uint32_t known = (uint32_t)ct_hash_map_get(&s->set_of_hash, hash, 0);
        if (known && memcmp(&s->sets.items[known], set, sizeof(*set)) == 0)
            return known;
        if (known)
            continue;
        ct_hash_map_set(&s->set_of_hash, hash, s->sets.count);
        ct_array_push(&s->sets, *set);
        return s->sets.count - 1;
    }
}

uint32_t ct_worker_skinning_rigid(ct_worker_skinning *s, uint32_t node,
                                  const ct_worker_matrix *inverse_bind) {
    const ct_worker_influence_set set = {.joints = {add_joint(s, node, inverse_bind)},
                                         .weights = {WHOLE}};
    return add_set(s, &set);
}

// --- Weights -------------------------------------------------------------------------------------

// Collects the positive weights of a vertex, one for each joint. False after reporting.
static bool gather(const ct_worker_skinning *s, const ct_worker_mesh *mesh, uint32_t vertex,
                   weighted_joint *found, uint32_t *count) {
    const uint32_t num_joints = s->scene->skins.items[mesh->skin].num_joints;
    *count = 0;
    for (uint32_t i = 0; i < mesh->num_influences; ++i) {
        const uint64_t at = (uint64_t)vertex * mesh->num_influences + i;
        const float weight = mesh->weights[at];
        const uint32_t joint = mesh->joints[at];
        if (!isfinite(weight))
            return fail(s, ct_compile_text(s->c, "%s: vertex %u has a weight that is not a number",
                                           mesh->name, vertex));
        if (!(weight > 0))
            continue;
        if (joint >= num_joints)
            return fail(s, ct_compile_text(s->c,
                                           "%s: vertex %u has a weight for joint %u, but the skin "
                                           "has only %u joints",
                                           mesh->name, vertex, joint, num_joints));
        uint32_t k = 0;
        while (k < *count && found[k].joint != joint)
            ++k;
        if (k == *count)
            found[(*count)++] = (weighted_joint){.joint = joint};
        found[k].weight += weight;
    }
    return true;
}

static int compare_weights(const void *a, const void *b) {
    const weighted_joint *const x = a, *const y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->joint < y->joint ? -1 : x->joint > y->joint;
}

// Weights as whole numbers that add up to WHOLE: rounded down, then one more for those that lost
// most.
static void round_weights(const weighted_joint *found, uint32_t count, uint8_t *weights) {
    float sum = 0, lost[CT_MESH_MAX_INFLUENCES];
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; ++i)
        sum += found[i].weight;
    for (uint32_t i = 0; i < count; ++i) {
        const float share = found[i].weight / sum * (float)WHOLE;
        weights[i] = (uint8_t)fminf(share, (float)WHOLE);
        lost[i] = share - (float)weights[i];
        total += weights[i];
    }
    for (; total < WHOLE; ++total) {
        uint32_t most = 0;
        for (uint32_t i = 1; i < count; ++i)
            most = lost[i] > lost[most] ? i : most;
        ++weights[most];
        lost[most] -= 1;
    }
    for (uint32_t i = 0; total > WHOLE; i = (i + 1) % count) {
        if (weights[i] > 0) {
            --weights[i];
            --total;
        }
    }
}

// The set of the heaviest of `count` weights, which are at least one.
static uint32_t make_set(ct_worker_skinning *s, uint32_t skin, weighted_joint *found,
                         uint32_t count) {
    qsort(found, count, sizeof(*found), compare_weights);
    const uint32_t kept = count < s->max_influences ? count : s->max_influences;
    ct_worker_influence_set set = {.weights = {0}};
    round_weights(found, kept, set.weights);
    for (uint32_t i = 0; i < kept; ++i)
        set.joints[i] = set.weights[i] ? joint_of(s, skin, found[i].joint) : 0;
    return add_set(s, &set);
}

static void warn(const ct_worker_skinning *s, const ct_worker_mesh *mesh, uint32_t num_off,
                 uint32_t num_without) {
    const ct_worker_skin *const skin = &s->scene->skins.items[mesh->skin];
    if (num_off)
        ct_compile_warning(s->c, s->c->doc, s->at,
                           "%s: %s: the weights of %u vertices do not add up to 1; they are scaled "
                           "until they do",
                           s->source, mesh->name, num_off);
    if (num_without)
        ct_compile_warning(s->c, s->c->doc, s->at,
                           "%s: %s: %u vertices have no weights; they follow joint \"%s\", the "
                           "first of the skin",
                           s->source, mesh->name, num_without,
                           s->scene->nodes.items[skin->nodes[0]].key);
}

uint32_t *ct_worker_skinning_read(ct_worker_skinning *s, const ct_worker_mesh *mesh) {
    uint32_t *const sets =
        CT_NEW_ARRAY(s->c->allocator, uint32_t, (uint64_t)mesh->num_vertices + 1);
    weighted_joint *const found =
        CT_NEW_ARRAY(s->c->allocator, weighted_joint, (uint64_t)mesh->num_influences + 1);
    uint32_t num_off = 0, num_without = 0;
    for (uint32_t i = 0; i < mesh->num_vertices; ++i) {
        uint32_t count;
        if (!gather(s, mesh, i, found, &count))
            return NULL;
        float sum = 0;
        for (uint32_t k = 0; k < count; ++k)
            sum += found[k].weight;
        if (!isfinite(sum)) {
            fail(s, ct_compile_text(s->c, "%s: the weights of vertex %u are too large", mesh->name,
                                    i));
            return NULL;
        }
        num_without += count == 0;
        num_off += count > 0 && fabsf(sum - 1) > most_off;
        if (count == 0)
            found[count++] = (weighted_joint){.joint = 0, .weight = 1};
        sets[i] = make_set(s, mesh->skin, found, count);
    }
    warn(s, mesh, num_off, num_without);
    return sets;
}
