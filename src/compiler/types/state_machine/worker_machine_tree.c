// Reads the blend tree of a state: nodes by name, from the root down.
#include <string.h>

#include "compiler/types/state_machine/worker_state_machine.h"

// The nodes of a state's source.
typedef struct tree {
    ct_state_machine_state *state;
    ct_worker_names names;
    CT_ARRAY(ct_state_machine_node_source) sources;
    ct_u32_array kinds;
    CT_ARRAY(ct_sjson_value) values;
    bool is_used[CT_STATE_MACHINE_MAX_NODES];
} tree;

// The kind that `type` of a node says; KIND_COUNT after reporting.
static uint32_t kind_of(ct_worker_machine *b, ct_sjson_value v) {
    const ct_sjson_value type = ct_sjson_find(b->doc, v, "type");
    const char *const text = ct_sjson_string(b->doc, type, "");
    for (uint32_t i = 0; i < CT_STATE_MACHINE_NODE_KIND_COUNT; ++i) {
        if (strcmp(text, ct_state_machine_node_schemas[i]->name) == 0)
            return i;
    }
    ct_worker_machine_error(b, type.entry ? type : v,
                            "unknown type of a node \"%.64s\"; expected clip, lerp, add or select",
                            text);
    return CT_STATE_MACHINE_NODE_KIND_COUNT;
}

static void read_node(ct_worker_machine *b, ct_sjson_value v, void *user) {
    tree *const t = user;
    const uint32_t kind = kind_of(b, v);
    ct_state_machine_node_source source = {.sync = 1};
    if (kind == CT_STATE_MACHINE_NODE_KIND_COUNT ||
        !ct_schema_read(ct_state_machine_node_schemas[kind], b->doc, v, &source, &b->listener) ||
        !ct_worker_machine_name(b, source.name_value, "node", source.name, &t->names, 0))
        return;
    if (t->names.count == CT_STATE_MACHINE_MAX_NODES) {
        ct_worker_machine_error(b, v, "a tree has more than %d nodes",
                                (int)CT_STATE_MACHINE_MAX_NODES);
        return;
    }
    ct_array_push(&t->names, source.name);
    ct_array_push(&t->sources, source);
    ct_array_push(&t->kinds, kind);
    ct_array_push(&t->values, v);
}

// The node that is called `name` at `v`, which has no parent yet; UINT32_MAX after reporting.
static uint32_t use_node(ct_worker_machine *b, tree *t, ct_sjson_value v, const char *name) {
    const uint32_t node = ct_worker_machine_find(&t->names, 0, name);
    if (node == UINT32_MAX) {
        ct_worker_machine_unknown(b, v, "node", name, t->names.items, t->names.count);
        return UINT32_MAX;
    }
    if (t->is_used[node]) {
        ct_worker_machine_error(b, v,
                                "the node \"%.64s\" is used twice; a node has one place in the "
                                "tree: copy it under another name",
                                name);
        return UINT32_MAX;
    }
    t->is_used[node] = true;
    return node;
}

typedef struct child_list {
    tree *tree;
    uint32_t nodes[CT_STATE_MACHINE_MAX_NODES], count;
} child_list;

static void read_child(ct_worker_machine *b, ct_sjson_value v, void *user) {
    child_list *const list = user;
    ct_state_machine_child_source source;
    if (!ct_schema_read(&ct_state_machine_child_schema, b->doc, v, &source, &b->listener))
        return;
    const uint32_t node = use_node(b, list->tree, source.node_value, source.node);
    if (node != UINT32_MAX)
        list->nodes[list->count++] = node;
}

static void find_children(ct_worker_machine *b, uint32_t node, child_list *list) {
    tree *const t = list->tree;
    const ct_state_machine_node_source *const source = &t->sources.items[node];
    if (t->kinds.items[node] == CT_STATE_MACHINE_NODE_SELECT) {
        ct_worker_machine_each(b, source->children, read_child, list);
        if (list->count == 0)
            ct_worker_machine_error(b, source->children,
                                    "children: found none, expected 1 or more");
        return;
    }
    if (t->kinds.items[node] == CT_STATE_MACHINE_NODE_CLIP)
        return;
    list->nodes[0] = use_node(b, t, source->a_value, source->a);
    list->nodes[1] = use_node(b, t, source->b_value, source->b);
    list->count = 2;
}

// Adds a node and all below it; its number is where it is in the state. Depth is limited by the
// number of nodes, as each is used once.
static uint32_t add_node(ct_worker_machine *b, tree *t, uint32_t node, bool additive) {
    const uint32_t kind = t->kinds.items[node], number = t->state->num_nodes++;
    const ct_state_machine_node_source *const source = &t->sources.items[node];
    ct_state_machine_node added = {.kind = kind, .value = CT_STATE_MACHINE_NONE};
    if (kind == CT_STATE_MACHINE_NODE_CLIP) {
        const ct_state_machine_leaf leaf = {.is_apart = !source->sync, .speed = source->speed};
        added.first = t->state->num_leaves;
        ct_worker_machine_leaf(b, t->state, source->animation_value, &leaf, additive);
    } else {
        added.value = ct_worker_machine_number(b, source->by, "by", -1e6, 1e6);
    }
    ct_array_push(&b->nodes, added);
    child_list list = {.tree = t, .count = 0};
    find_children(b, node, &list);
    const uint32_t first = b->children.count, at = b->nodes.count - 1;
    for (uint32_t i = 0; i < list.count; ++i)
        ct_array_push(&b->children, 0);
    for (uint32_t i = 0; i < list.count; ++i) {
        const bool is_added = additive || (kind == CT_STATE_MACHINE_NODE_ADD && i == 1);
        if (list.nodes[i] != UINT32_MAX)
            b->children.items[first + i] = add_node(b, t, list.nodes[i], is_added);
    }
    if (kind != CT_STATE_MACHINE_NODE_CLIP) {
        b->nodes.items[at].first = first;
        b->nodes.items[at].num_children = list.count;
    }
    return number;
}

void ct_worker_machine_tree(ct_worker_machine *b, ct_state_machine_state *state,
                            const ct_state_machine_state_source *source, bool additive) {
    tree t = {.state = state};
    ct_array_init(&t.names, b->c->allocator);
    ct_array_init(&t.sources, b->c->allocator);
    ct_array_init(&t.kinds, b->c->allocator);
    ct_array_init(&t.values, b->c->allocator);
    const uint32_t num_errors = ct_compile_error_count(b->c);
    ct_worker_machine_each(b, source->nodes, read_node, &t);
    state->first_node = b->nodes.count;
    if (ct_compile_error_count(b->c) > num_errors)
        return; // others would only follow from these
    const uint32_t root = use_node(b, &t, source->root_value, source->root);
    if (root == UINT32_MAX)
        return;
    add_node(b, &t, root, additive);
    for (uint32_t i = 0; i < t.names.count && ct_compile_error_count(b->c) == num_errors; ++i) {
        if (!t.is_used[i])
            ct_compile_warning(b->c, b->doc, t.values.items[i],
                               "the node \"%.64s\" is not used by the tree", t.names.items[i]);
    }
}
