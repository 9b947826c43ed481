#include "resource/types/config_resource.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/sjson/sjson.h"

enum { MAX_DEPTH = 600 }; // the SJSON reader's limit and some more

const ct_blob_layout ct_config_node_layout = CT_BLOB_STRUCT(
    ct_config_node, CT_BLOB_NUMBERS(4, ct_config_node, type, type),
    CT_BLOB_STRING_OR_NONE(ct_config_node, key), CT_BLOB_NUMBERS(4, ct_config_node, first, count),
    CT_BLOB_STRING_OR_NONE(ct_config_node, text),
    CT_BLOB_NUMBERS(4, ct_config_node, padding, padding),
    CT_BLOB_NUMBERS(8, ct_config_node, number, number));

const ct_blob_layout ct_config_layout =
    CT_BLOB_ROOT(ct_config_resource, "a config",
                 CT_BLOB_ARRAY(ct_config_resource, nodes, ct_config_node_layout));

// --- Validation ----------------------------------------------------------------------------------

static bool is_container(const ct_config_node *node) {
    return node->type == CT_SJSON_TYPE_ARRAY || node->type == CT_SJSON_TYPE_OBJECT;
}

static bool check_node(const ct_config_resource *c, uint32_t i, ct_error *error) {
    const ct_config_node *const node = (const ct_config_node *)ct_blob_at(c, c->nodes.offset) + i;
    if (node->type == CT_SJSON_TYPE_NONE || node->type > CT_SJSON_TYPE_OBJECT)
        return ct_error_set(error, "nodes[%u]: unknown type %u", i, node->type);
    if (!isfinite(node->number))
        return ct_error_set(error, "nodes[%u]: its number is not finite", i);
    if (is_container(node)) {
        // Children come after their parent, so nothing contains itself.
        const bool lies_inside =
            node->first <= c->nodes.count && node->count <= c->nodes.count - node->first;
        if (node->count > 0 && (node->first <= i || !lies_inside))
            return ct_error_set(error,
                                "nodes[%u]: found children %u + %u, but there are only %u nodes", i,
                                node->first, node->count, c->nodes.count);
    } else if (node->count != 0) {
        return ct_error_set(error, "nodes[%u]: has children, but is not a container", i);
    }
    return node->type != CT_SJSON_TYPE_STRING || node->text.offset != 0 ||
           ct_error_set(error, "nodes[%u].text: the text is missing", i);
}

// Walks the tree below node `i`. `budget` counts down the nodes that may still be visited, so that
// nodes with several parents cannot make the walk long.
static bool check_tree(const ct_config_resource *c, uint32_t i, uint32_t depth, uint32_t *budget,
                       ct_error *error) {
    const ct_config_node *const nodes = ct_blob_at(c, c->nodes.offset);
    const ct_config_node *const node = &nodes[i];
    if (!is_container(node))
        return true;
    if (depth == MAX_DEPTH)
        return ct_error_set(error, "nodes[%u]: nested deeper than %u levels", i, MAX_DEPTH);
    if (node->count > *budget)
        return ct_error_set(error, "nodes[%u]: its children have another parent too", i);
    *budget -= node->count;
    for (uint32_t k = 0; k < node->count; ++k) {
        const uint32_t child = node->first + k;
        const ct_blob_string key = nodes[child].key;
        if (node->type == CT_SJSON_TYPE_OBJECT && key.offset == 0)
            return ct_error_set(error, "nodes[%u].key: the key is missing", child);
        if (node->type == CT_SJSON_TYPE_ARRAY && key.bytes != 0)
            return ct_error_set(error, "nodes[%u].key: an array's element must not have a key",
                                child);
        if (!check_tree(c, child, depth + 1, budget, error))
            return false;
    }
    return true;
}

bool ct_config_validate(const void *blob, ct_error *error) {
    const ct_config_resource *const c = blob;
    if (!ct_blob_check_layout(&ct_config_layout, c, error))
        return false;
    if (c->nodes.count == 0)
        return ct_error_set(error, "nodes: the array is empty");
    for (uint32_t i = 0; i < c->nodes.count; ++i) {
        if (!check_node(c, i, error))
            return false;
    }
    const ct_config_node *const root = ct_blob_at(c, c->nodes.offset);
    if (root->type != CT_SJSON_TYPE_OBJECT)
        return ct_error_set(error, "nodes[0]: the root is not an object");
    uint32_t budget = c->nodes.count - 1;
    if (!check_tree(c, 0, 0, &budget, error))
        return false;
    return budget == 0 || ct_error_set(error, "nodes: %u have no parent", budget);
}

// --- Reading -------------------------------------------------------------------------------------

// The child of `parent` whose key is these `bytes`, or NULL.
static const ct_config_node *find_child(const ct_config_resource *c, const ct_config_node *parent,
                                        const char *key, size_t bytes) {
    if (parent->type != CT_SJSON_TYPE_OBJECT)
        return NULL;
    const ct_config_node *const nodes = ct_blob_at(c, c->nodes.offset);
    for (uint32_t i = 0; i < parent->count; ++i) {
        const ct_config_node *const child = &nodes[parent->first + i];
        if (child->key.bytes == bytes && memcmp(ct_blob_at(c, child->key.offset), key, bytes) == 0)
            return child;
    }
    return NULL;
}

const ct_config_node *ct_config_find(const ct_config_resource *config, const char *path) {
    const ct_config_node *node = ct_blob_at(config, config->nodes.offset);
    while (node && *path) {
        const size_t bytes = strcspn(path, ".");
        node = find_child(config, node, path, bytes);
        path += bytes;
        path += *path == '.';
    }
    return node;
}

// The node at `path` when it has this type, else NULL.
static const ct_config_node *find_typed(const ct_config_resource *config, const char *path,
                                        ct_sjson_type type) {
    const ct_config_node *const node = ct_config_find(config, path);
    return node && node->type == (uint32_t)type ? node : NULL;
}

double ct_config_number(const ct_config_resource *config, const char *path, double otherwise) {
    const ct_config_node *const node = find_typed(config, path, CT_SJSON_TYPE_NUMBER);
    return node ? node->number : otherwise;
}

bool ct_config_bool(const ct_config_resource *config, const char *path, bool otherwise) {
    const ct_config_node *const node = find_typed(config, path, CT_SJSON_TYPE_BOOL);
    return node ? node->number != 0 : otherwise;
}

const char *ct_config_string(const ct_config_resource *config, const char *path,
                             const char *otherwise) {
    const ct_config_node *const node = find_typed(config, path, CT_SJSON_TYPE_STRING);
    return node ? ct_blob_at(config, node->text.offset) : otherwise;
}
