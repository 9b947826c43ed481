#include "compiler/types/model/worker_scene_nodes.h"

#include <string.h>

#include <assimp/scene.h>

#include "foundation/container/hash_map.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/string_id.h"

enum { MAX_KEY_BYTES = 1 << 24 }; // of all nodes

// A node of Assimp's that waits to be taken, with what the pivot nodes above it add up to.
typedef struct waiting_node {
    const struct aiNode *node;
    uint32_t parent, depth;
    ct_worker_matrix local, geometry; // in the file's axes
} waiting_node;

typedef struct node_reader {
    ct_compile *c;
    ct_worker_scene *scene;
    ct_sjson_value at;
    ct_worker_matrix from_ours; // the inverse of scene->axes
    CT_ARRAY(waiting_node) waiting;
} node_reader;

static bool fail(const node_reader *r, const char *what) {
    return ct_compile_error(r->c, r->c->doc, r->at, "%s: %s", r->scene->path, what);
}

static ct_worker_matrix matrix_of(const struct aiMatrix4x4 *m) {
    return (ct_worker_matrix){
        {{m->a1, m->a2, m->a3, m->a4}, {m->b1, m->b2, m->b3, m->b4}, {m->c1, m->c2, m->c3, m->c4}}};
}

// Axes are a rotation or reflection times a factor: the transpose over its square.
static ct_worker_matrix inverse_axes(const ct_worker_matrix *axes) {
    ct_worker_matrix m = {{{0}}};
    for (uint32_t row = 0; row < 3; ++row) {
        for (uint32_t column = 0; column < 3; ++column) {
            const float value = axes->rows[column][row];
            m.rows[row][column] = value != 0 ? 1 / value : 0;
        }
    }
    return m;
}

// What follows the mark in the name of a node that stands for one part of an FBX node's transform.
static const char *pivot_part(const struct aiNode *node) {
    static const char mark[] = "_$AssimpFbx$_";
    const char *const found = strstr(node->mName.data, mark);
    return found ? found + strlen(mark) : NULL;
}

static void wait_for_children(node_reader *r, const struct aiNode *node, const waiting_node *base) {
    for (uint32_t i = node->mNumChildren; i-- > 0;) {
        waiting_node child = *base;
        child.node = node->mChildren[i];
        ct_array_push(&r->waiting, child);
    }
}

// Adds one part of a transform to what waits for its node. Inverses of the geometry's parts stand
// below the node, where there is no geometry to undo.
static void take_pivot(node_reader *r, const waiting_node *w, const char *part) {
    waiting_node next = *w;
    const ct_worker_matrix m = matrix_of(&w->node->mTransformation);
    const bool is_geometry = strncmp(part, "Geometric", 9) == 0;
    const bool is_inverse = is_geometry && strstr(part, "Inverse");
    if (is_geometry && !is_inverse)
        next.geometry = ct_worker_matrix_multiply(&w->geometry, &m);
    else if (!is_inverse)
        next.local = ct_worker_matrix_multiply(&w->local, &m);
    wait_for_children(r, w->node, &next);
}

static bool take_node(node_reader *r, const waiting_node *w) {
    ct_worker_scene *const s = r->scene;
    if (w->depth > CT_WORKER_SCENE_MAX_DEPTH)
        return fail(r, ct_compile_text(r->c, "nodes are nested more than %u deep",
                                       CT_WORKER_SCENE_MAX_DEPTH));
    if (s->nodes.count == CT_WORKER_SCENE_MAX_NODES)
        return fail(r, ct_compile_text(r->c, "has too many nodes; expected at most %u",
                                       CT_WORKER_SCENE_MAX_NODES));
    const ct_worker_matrix m = matrix_of(&w->node->mTransformation);
    ct_worker_matrix local = ct_worker_matrix_multiply(&w->local, &m);
    local = ct_worker_matrix_multiply(&local, &r->from_ours);
    ct_worker_scene_node node = {
        .name = ct_compile_text(r->c, "%s", w->node->mName.data),
        .parent = w->parent,
        .local = ct_worker_matrix_multiply(&s->axes, &local),
        .geometry = ct_worker_matrix_multiply(&s->axes, &w->geometry),
        .file_node = w->node,
    };
    if (!ct_worker_matrix_is_finite(&node.local) || !ct_worker_matrix_is_finite(&node.geometry))
        return fail(r, ct_compile_text(r->c, "the transform of node \"%s\" is not made of numbers",
                                       node.name));
    const waiting_node below = {.parent = s->nodes.count,
                                .depth = w->depth + 1,
                                .local = ct_worker_matrix_identity(),
                                .geometry = ct_worker_matrix_identity()};
    ct_array_push(&s->nodes, node);
    wait_for_children(r, w->node, &below);
    return true;
}

static bool take_all(node_reader *r) {
    while (r->waiting.count > 0) {
        const waiting_node w = r->waiting.items[--r->waiting.count];
        const char *const part = r->scene->has_pivots ? pivot_part(w.node) : NULL;
        if (part)
            take_pivot(r, &w, part);
        else if (!take_node(r, &w))
            return false;
    }
    return true;
}

static void set_ends(ct_worker_scene *s) {
    for (uint32_t i = 0; i < s->nodes.count; ++i)
        s->nodes.items[i].end = i + 1;
    for (uint32_t i = s->nodes.count; i-- > 0;) {
        const ct_worker_scene_node *const n = &s->nodes.items[i];
        if (n->parent == CT_WORKER_SCENE_NO_NODE)
            continue;
        ct_worker_scene_node *const parent = &s->nodes.items[n->parent];
        parent->end = n->end > parent->end ? n->end : parent->end;
    }
}

// --- Keys ----------------------------------------------------------------------------------------

// The path of node `i`: that of its parent, a slash and its name; from the second of equal paths on
// with a number.
static const char *path_of(ct_compile *c, const ct_worker_scene *s, const char *const *paths,
                           uint32_t i, ct_hash_map *known) {
    const ct_worker_scene_node *const n = &s->nodes.items[i];
    const char *const parent = n->parent == CT_WORKER_SCENE_NO_NODE ? NULL : paths[n->parent];
    const char *const path =
        ct_compile_text(c, "%s/%s", parent ? parent : "", *n->name ? n->name : "node");
    const uint64_t id = ct_string_id64_of(path).value;
    const uint64_t count = ct_hash_map_get(known, id, 0) + 1;
    ct_hash_map_set(known, id, count);
    return count > 1 ? ct_compile_text(c, "%s#%llu", path, (unsigned long long)count) : path;
}

static bool set_keys(node_reader *r) {
    ct_worker_scene *const s = r->scene;
    ct_hash_map names = {.allocator = r->c->allocator}, known = {.allocator = r->c->allocator};
    for (uint32_t i = 0; i < s->nodes.count; ++i) {
        const uint64_t id = ct_string_id64_of(s->nodes.items[i].name).value;
        ct_hash_map_set(&names, id, ct_hash_map_get(&names, id, 0) + 1);
    }
    const char **const paths = CT_NEW_ARRAY(r->c->allocator, const char *, s->nodes.count + 1);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < s->nodes.count; ++i) {
        ct_worker_scene_node *const n = &s->nodes.items[i];
        paths[i] = path_of(r->c, s, paths, i, &known);
        bytes += strlen(paths[i]);
        if (bytes > MAX_KEY_BYTES)
            return fail(r, "the names of its nodes are too long for their depth");
        const bool is_unique = ct_hash_map_get(&names, ct_string_id64_of(n->name).value, 0) == 1;
        n->key = is_unique && *n->name ? n->name : paths[i];
    }
    return true;
}

bool ct_worker_scene_add_nodes(ct_compile *c, ct_worker_scene *scene, bool has_own_root,
                               ct_sjson_value at) {
    node_reader r = {.c = c, .scene = scene, .at = at, .from_ours = inverse_axes(&scene->axes)};
    ct_array_init(&r.waiting, c->allocator);
    waiting_node top = {.node = scene->file->mRootNode,
                        .parent = CT_WORKER_SCENE_NO_NODE,
                        .local = ct_worker_matrix_identity(),
                        .geometry = ct_worker_matrix_identity()};
    if (has_own_root || top.node->mNumMeshes > 0) {
        ct_array_push(&r.waiting, top);
    } else {
        top.local = matrix_of(&top.node->mTransformation);
        wait_for_children(&r, top.node, &top);
    }
    if (!take_all(&r))
        return false;
    set_ends(scene);
    return set_keys(&r);
}

uint32_t ct_worker_scene_find(ct_compile *c, const ct_worker_scene *scene, const char *name,
                              ct_sjson_value at) {
    uint32_t named = 0, found = CT_WORKER_SCENE_NO_NODE;
    ct_string_builder names;
    ct_string_builder_init(&names, c->allocator);
    for (uint32_t i = 0; i < scene->nodes.count; ++i) {
        const ct_worker_scene_node *const n = &scene->nodes.items[i];
        named += strcmp(n->name, name) == 0;
        if (strcmp(n->key, name) == 0)
            found = i;
        if (names.length < 400)
            ct_string_builder_addf(&names, "%s\"%s\"", names.length ? ", " : "", n->key);
        else if (names.text[names.length - 1] != '.')
            ct_string_builder_add(&names, ", ...");
    }
    if (named > 1)
        ct_compile_error(c, c->doc, at,
                         "%s has %u nodes called \"%s\"; expected one, or its path: its nodes are "
                         "%s",
                         scene->path, named, name, ct_string_builder_text(&names));
    else if (found == CT_WORKER_SCENE_NO_NODE)
        ct_compile_error(c, c->doc, at, "%s has no node \"%s\"; its nodes are %s", scene->path,
                         name, ct_string_builder_text(&names));
    return named > 1 ? CT_WORKER_SCENE_NO_NODE : found;
}
