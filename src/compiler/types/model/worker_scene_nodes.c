#include "compiler/types/model/worker_scene_nodes.h"

#include <string.h>

#include "foundation/container/hash_map.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/string_id.h"

enum { MAX_KEY_BYTES = 1 << 24 }; // of all nodes

// --- Axes ----------------------------------------------------------------------------------------

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

static bool convert_nodes(ct_compile *c, ct_worker_scene *s, ct_sjson_value at) {
    const ct_worker_matrix from_ours = inverse_axes(&s->axes);
    for (uint32_t i = 0; i < s->nodes.count; ++i) {
        ct_worker_scene_node *const n = &s->nodes.items[i];
        const ct_worker_matrix local = ct_worker_matrix_multiply(&n->local, &from_ours);
        n->local = ct_worker_matrix_multiply(&s->axes, &local);
        n->geometry = ct_worker_matrix_multiply(&s->axes, &n->geometry);
        if (!ct_worker_matrix_is_finite(&n->local) || !ct_worker_matrix_is_finite(&n->geometry))
            return ct_worker_scene_fail(
                c, s, at,
                ct_compile_text(
                    c, "the transform of node \"%s\" has values that are not finite numbers",
                    n->name));
    }
    return true;
}

// --- The tree ------------------------------------------------------------------------------------

static bool check_tree(ct_compile *c, const ct_worker_scene *s, ct_sjson_value at) {
    uint16_t *const depths = CT_NEW_ARRAY(c->allocator, uint16_t, (uint64_t)s->nodes.count + 1);
    if (s->nodes.count > CT_WORKER_SCENE_MAX_NODES)
        return ct_worker_scene_fail(c, s, at,
                                    ct_compile_text(c, "has too many nodes; expected at most %u",
                                                    CT_WORKER_SCENE_MAX_NODES));
    for (uint32_t i = 0; i < s->nodes.count; ++i) {
        const uint32_t parent = s->nodes.items[i].parent;
        if (parent == CT_WORKER_SCENE_NO_NODE)
            continue;
        CT_ASSERT(parent < i, "node %u comes before its parent, %u", i, parent);
        depths[i] = (uint16_t)(depths[parent] + 1);
        if (depths[i] > CT_WORKER_SCENE_MAX_DEPTH)
            return ct_worker_scene_fail(c, s, at,
                                        ct_compile_text(c, "nodes are nested more than %u deep",
                                                        CT_WORKER_SCENE_MAX_DEPTH));
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

static bool set_keys(ct_compile *c, ct_worker_scene *s, ct_sjson_value at) {
    ct_hash_map names = {.allocator = c->allocator}, known = {.allocator = c->allocator};
    for (uint32_t i = 0; i < s->nodes.count; ++i) {
        const uint64_t id = ct_string_id64_of(s->nodes.items[i].name).value;
        ct_hash_map_set(&names, id, ct_hash_map_get(&names, id, 0) + 1);
    }
    const char **const paths = CT_NEW_ARRAY(c->allocator, const char *, s->nodes.count + 1);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < s->nodes.count; ++i) {
        ct_worker_scene_node *const n = &s->nodes.items[i];
        paths[i] = path_of(c, s, paths, i, &known);
        bytes += strlen(paths[i]);
        if (bytes > MAX_KEY_BYTES)
            return ct_worker_scene_fail(c, s, at,
                                        "the names of its nodes are too long for their depth");
        const bool is_unique = ct_hash_map_get(&names, ct_string_id64_of(n->name).value, 0) == 1;
        n->key = is_unique && *n->name ? n->name : paths[i];
    }
    return true;
}

bool ct_worker_scene_finish_nodes(ct_compile *c, ct_worker_scene *scene, ct_sjson_value at) {
    if (!check_tree(c, scene, at) || !convert_nodes(c, scene, at))
        return false;
    set_ends(scene);
    return set_keys(c, scene, at);
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
        ct_compile_error(
            c, c->doc, at,
            "%s has %u nodes named \"%s\"; expected a unique name or a path: its nodes are %s",
            scene->path, named, name, ct_string_builder_text(&names));
    else if (found == CT_WORKER_SCENE_NO_NODE)
        ct_compile_error(c, c->doc, at, "%s has no node \"%s\"; its nodes are %s", scene->path,
                         name, ct_string_builder_text(&names));
    return named > 1 ? CT_WORKER_SCENE_NO_NODE : found;
}
