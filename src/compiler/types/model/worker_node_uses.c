#include "compiler/types/model/worker_node_uses.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "foundation/container/hash_map.h"

#define NO_NODE CT_WORKER_SCENE_NO_NODE

// A part of a name.
typedef struct words {
    const char *text;
    uint32_t length;
} words;

// --- Names ---------------------------------------------------------------------------------------

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// The name without a `.001` at its end.
static words plain_name(const char *name) {
    uint32_t length = (uint32_t)strlen(name), end = length;
    while (end > 0 && is_digit(name[end - 1]))
        --end;
    if (end < length && end > 1 && name[end - 1] == '.')
        length = end - 1;
    return (words){name, length};
}

// Takes `word` and the underscore behind it from the front; the name may be that word alone.
static bool take_first(words *w, const char *word) {
    const uint32_t length = (uint32_t)strlen(word);
    if (w->length < length || strncasecmp(w->text, word, length) != 0 ||
        (w->length > length && w->text[length] != '_'))
        return false;
    const uint32_t taken = w->length > length ? length + 1 : length;
    *w = (words){w->text + taken, w->length - taken};
    return true;
}

static bool take_last(words *w, const char *word) {
    const uint32_t length = (uint32_t)strlen(word);
    if (w->length <= length || w->text[w->length - length - 1] != '_' ||
        strncasecmp(w->text + w->length - length, word, length) != 0)
        return false;
    w->length -= length + 1;
    return true;
}

static void take_kind(words *w, bool (*take)(words *w, const char *word), ct_worker_node_use *use) {
    static const struct {
        const char *word;
        ct_mesh_shape_kind kind;
    } kinds[] = {
        {"box", CT_MESH_SHAPE_KIND_BOX},
        {"sphere", CT_MESH_SHAPE_KIND_SPHERE},
        {"convex", CT_MESH_SHAPE_KIND_CONVEX},
        {"mesh", CT_MESH_SHAPE_KIND_MESH},
    };
    use->kind = CT_MESH_SHAPE_KIND_MESH;
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        if (take(w, kinds[i].word)) {
            use->kind = kinds[i].kind;
            return;
        }
    }
    if (use->role == CT_WORKER_NODE_ROLE_COLLISION && take(w, "hulls")) {
        use->kind = CT_MESH_SHAPE_KIND_CONVEX;
        use->is_split = true;
    }
}

// What a name says, and in `base` what is left of it.
static ct_worker_node_use read_name(const char *name, words *base) {
    static const struct {
        const char *word;
        ct_worker_node_role role;
        bool is_last;
    } marks[] = {
        {"collision", CT_WORKER_NODE_ROLE_COLLISION, false},
        {"col", CT_WORKER_NODE_ROLE_COLLISION, false},
        {"occluder", CT_WORKER_NODE_ROLE_OCCLUDER, false},
        {"collision", CT_WORKER_NODE_ROLE_COLLISION, true},
        {"occluder", CT_WORKER_NODE_ROLE_OCCLUDER, true},
    };
    ct_worker_node_use use = {.lod = CT_WORKER_EVERY_LOD, .named_by = NO_NODE, .owner = NO_NODE};
    *base = plain_name(name);
    for (uint32_t i = 0; i < CT_COUNT_OF(marks); ++i) {
        bool (*const take)(words *, const char *) = marks[i].is_last ? take_last : take_first;
        // `col` alone is too short to mean anything.
        if (base->length == strlen("col") || !take(base, marks[i].word))
            continue;
        use.role = marks[i].role;
        take_kind(base, take, &use);
        return use;
    }
    uint32_t end = base->length;
    while (end > 0 && is_digit(base->text[end - 1]))
        --end;
    words levelled = {base->text, end};
    if (base->length == end + 1 && take_last(&levelled, "lod")) {
        use.lod = (uint32_t)(base->text[end] - '0');
        *base = levelled;
    }
    return use;
}

// --- Owners --------------------------------------------------------------------------------------

// Positions in the maps and in `first_beside` are of nodes, + 1; 0: none.
typedef struct owner_search {
    const ct_worker_scene *scene;
    ct_worker_node_use *uses;
    words *bases;           // by node
    ct_hash_map finest;     // of the levels of detail of one base beside each other
    ct_hash_map drawn;      // the first that is drawn of one base beside each other
    uint32_t *first_beside; // by parent, the last for those without: the first that is drawn
} owner_search;

static bool is_drawn_mesh(const owner_search *s, uint32_t i) {
    return s->uses[i].role == CT_WORKER_NODE_ROLE_DRAWN && s->scene->nodes.items[i].num_meshes > 0;
}

// Equal for nodes beside each other whose bases differ in case at most.
static uint64_t base_key(const owner_search *s, uint32_t i) {
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t hash = (s->scene->nodes.items[i].parent + (uint64_t)1) * odd;
    for (uint32_t k = 0; k < s->bases[i].length; ++k)
        hash = (hash ^ (uint64_t)tolower((unsigned char)s->bases[i].text[k])) * odd;
    return hash ^ hash >> 29;
}

static uint32_t *first_beside(const owner_search *s, uint32_t i) {
    const uint32_t parent = s->scene->nodes.items[i].parent;
    return &s->first_beside[parent == NO_NODE ? s->scene->nodes.count : parent];
}

// Notes what the owners of others are found by.
static void note_node(owner_search *s, uint32_t i) {
    const ct_worker_node_use *const use = &s->uses[i];
    if (use->role != CT_WORKER_NODE_ROLE_DRAWN)
        return;
    const uint64_t key = base_key(s, i);
    if (use->named_by == i) {
        const uint64_t best = ct_hash_map_get(&s->finest, key, 0);
        if (!best || use->lod < s->uses[best - 1].lod)
            ct_hash_map_set(&s->finest, key, i + (uint64_t)1);
    }
    if (!is_drawn_mesh(s, i))
        return;
    if (!ct_hash_map_find(&s->drawn, key))
        ct_hash_map_set(&s->drawn, key, i + (uint64_t)1);
    if (!*first_beside(s, i))
        *first_beside(s, i) = i + 1;
}

static uint32_t shape_owner(const owner_search *s, uint32_t i) {
    const uint64_t named =
        s->bases[i].length > 0 ? ct_hash_map_get(&s->drawn, base_key(s, i), 0) : 0;
    if (named)
        return s->uses[named - 1].owner;
    uint32_t above = s->scene->nodes.items[i].parent;
    while (above != NO_NODE && !is_drawn_mesh(s, above))
        above = s->scene->nodes.items[above].parent;
    if (above != NO_NODE)
        return s->uses[above].owner;
    return *first_beside(s, i) ? s->uses[*first_beside(s, i) - 1].owner : NO_NODE;
}

// What lies below a shape is for the same; what lies below a level of detail is of that level,
// unless its own name says something else.
static void inherit(owner_search *s, uint32_t i) {
    const uint32_t parent = s->scene->nodes.items[i].parent;
    if (parent == NO_NODE)
        return;
    ct_worker_node_use *const use = &s->uses[i];
    const ct_worker_node_use *const above = &s->uses[parent];
    if (above->role != CT_WORKER_NODE_ROLE_DRAWN) {
        *use = *above;
    } else if (use->named_by == NO_NODE) {
        use->lod = above->lod;
        use->named_by = above->named_by;
    }
}

static uint32_t drawn_owner(const owner_search *s, uint32_t i) {
    const ct_worker_node_use *const use = &s->uses[i];
    if (use->named_by == i)
        return (uint32_t)ct_hash_map_get(&s->finest, base_key(s, i), i + (uint64_t)1) - 1;
    // What has no level, or is below the finest, has a mesh of its own.
    return use->named_by == NO_NODE || s->uses[use->named_by].owner == use->named_by
               ? i
               : s->uses[use->named_by].owner;
}

// Those of shapes need those of what is drawn.
static void set_owners(owner_search *s) {
    for (uint32_t i = 0; i < s->scene->nodes.count; ++i) {
        if (s->uses[i].role == CT_WORKER_NODE_ROLE_DRAWN)
            s->uses[i].owner = drawn_owner(s, i);
    }
    for (uint32_t i = 0; i < s->scene->nodes.count; ++i) {
        ct_worker_node_use *const use = &s->uses[i];
        if (use->role != CT_WORKER_NODE_ROLE_DRAWN)
            use->owner = use->named_by == i ? shape_owner(s, i) : s->uses[use->named_by].owner;
    }
}

ct_worker_node_use *ct_worker_node_uses(ct_compile *c, const ct_worker_scene *scene,
                                        uint32_t chosen) {
    const uint32_t count = scene->nodes.count;
    owner_search s = {.scene = scene,
                      .uses = CT_NEW_ARRAY(c->allocator, ct_worker_node_use, (uint64_t)count + 1),
                      .bases = CT_NEW_ARRAY(c->allocator, words, (uint64_t)count + 1),
                      .finest = {.allocator = c->allocator},
                      .drawn = {.allocator = c->allocator},
                      .first_beside = CT_NEW_ARRAY(c->allocator, uint32_t, (uint64_t)count + 1)};
    const ct_worker_node_use drawn = {
        .lod = CT_WORKER_EVERY_LOD, .named_by = NO_NODE, .owner = NO_NODE};
    for (uint32_t i = 0; i < count; ++i) {
        ct_worker_node_use *const use = &s.uses[i];
        *use = read_name(scene->nodes.items[i].name, &s.bases[i]);
        if (use->role != CT_WORKER_NODE_ROLE_DRAWN || use->lod != CT_WORKER_EVERY_LOD)
            use->named_by = i;
        inherit(&s, i);
        if (i == chosen && use->role != CT_WORKER_NODE_ROLE_DRAWN)
            *use = drawn;
        note_node(&s, i);
    }
    set_owners(&s);
    return s.uses;
}

// --- Problems ------------------------------------------------------------------------------------

static bool is_level(const ct_worker_node_use *uses, const uint32_t *levels_of, uint32_t i) {
    return uses[i].role == CT_WORKER_NODE_ROLE_DRAWN && uses[i].named_by == i &&
           uses[i].lod != CT_WORKER_EVERY_LOD && levels_of[uses[i].owner] != 0;
}

// The first level of these bits that is missing between two; 0: none.
static uint32_t missing_level(uint32_t levels) {
    if (levels == 0)
        return 0;
    const uint32_t first = (uint32_t)__builtin_ctz(levels), from_first = levels >> first;
    const uint32_t missing = first + (uint32_t)__builtin_ctz(~from_first);
    return levels >> missing != 0 ? missing : 0;
}

static const char *missing_problem(ct_compile *c, const ct_worker_scene *scene,
                                   const ct_worker_node_use *uses, uint32_t owner,
                                   uint32_t missing) {
    uint32_t next = NO_NODE; // the node of the next level that is there
    for (uint32_t i = 0; i < scene->nodes.count; ++i) {
        if (uses[i].named_by == i && uses[i].owner == owner && uses[i].lod != CT_WORKER_EVERY_LOD &&
            uses[i].lod > missing && (next == NO_NODE || uses[i].lod < uses[next].lod))
            next = i;
    }
    return ct_compile_text(c,
                           "node \"%s\" is level of detail %u and \"%s\" is level %u of the same "
                           "mesh, but level %u is missing; expected a node for it beside them",
                           next != NO_NODE ? scene->nodes.items[next].name : "",
                           next != NO_NODE ? uses[next].lod : missing + 1,
                           scene->nodes.items[owner].name, uses[owner].lod, missing);
}

// Equal for nodes beside each other whose names differ in case at most.
static uint64_t name_key(const ct_worker_scene_node *node) {
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t hash = (node->parent + (uint64_t)1) * odd;
    for (const char *s = node->name; *s; ++s)
        hash = (hash ^ (uint64_t)tolower((unsigned char)*s)) * odd;
    return hash ^ hash >> 29;
}

const char *ct_worker_node_uses_problem(ct_compile *c, const ct_worker_scene *scene,
                                        const ct_worker_node_use *uses, const uint32_t *levels_of) {
    const ct_worker_scene_node *nodes = scene->nodes.items;
    ct_hash_map names = {.allocator = c->allocator}; // name_key to position + 1
    for (uint32_t i = 0; i < scene->nodes.count; ++i) {
        if (missing_level(levels_of[i]) != 0)
            return missing_problem(c, scene, uses, i, missing_level(levels_of[i]));
        if (!is_level(uses, levels_of, i))
            continue;
        const uint64_t first = ct_hash_map_get(&names, name_key(&nodes[i]), 0);
        if (first != 0 && nodes[first - 1].parent == nodes[i].parent &&
            strcasecmp(nodes[first - 1].name, nodes[i].name) == 0)
            return ct_compile_text(c,
                                   "nodes \"%s\" and \"%s\" beside each other are both level of "
                                   "detail %u; expected each level once",
                                   nodes[first - 1].name, nodes[i].name, uses[i].lod);
        ct_hash_map_set(&names, name_key(&nodes[i]), i + (uint64_t)1);
    }
    return NULL;
}
