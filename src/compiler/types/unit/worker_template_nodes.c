#include "compiler/types/unit/worker_template.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/string/string_builder.h"

#include <string.h>

enum { MOST_COMPARED = 512 }; // names, for a guess; there may be as many mistakes as nodes

// --- Merging by id -------------------------------------------------------------------------------

// Reads what `object` says of a node.
static void apply_to_node(ct_template *t, ct_template_node *node, ct_template_place object,
                          bool tells_errors) {
    const ct_schema *const schema = ct_component_type_named("scene_graph")->instance_schema;
    const ct_schema_listener listener =
        tells_errors ? ct_compile_listener(t->compile) : (ct_schema_listener){0};
    ct_schema_apply(schema, object.doc, object.value, &node->data, &listener);
    const ct_template_place name = ct_template_member(object, "name");
    const ct_template_place parent = ct_template_member(object, "parent");
    if (name.value.entry)
        node->name_at = name;
    if (parent.value.entry)
        node->parent_at = parent;
}

static void add_node(ct_template *t, ct_template_component *graph, const char *id,
                     ct_template_place object, bool tells_errors) {
    ct_template_node *const node = CT_NEW(t->compile->allocator, ct_template_node);
    node->id = id;
    node->at = object;
    ct_schema_defaults(graph->type->instance_schema, &node->data);
    apply_to_node(t, node, object, tells_errors);
    ct_array_push(&graph->nodes, node);
}

static void override_node(ct_template *t, ct_template_component *graph, uint32_t i,
                          ct_template_place object, bool tells_errors) {
    ct_template_node *const copy = CT_NEW(t->compile->allocator, ct_template_node);
    *copy = *graph->nodes.items[i];
    apply_to_node(t, copy, object, tells_errors);
    graph->nodes.items[i] = copy;
}

// Takes out the nodes whose places are NULL.
static void close_gaps(ct_template_component *graph) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < graph->nodes.count; ++i) {
        if (graph->nodes.items[i])
            graph->nodes.items[kept++] = graph->nodes.items[i];
    }
    graph->nodes.count = kept;
}

static void merge_node(ct_template *t, ct_template_component *graph, const ct_hash_map *places,
                       const char *id, ct_template_place object, bool may_add, bool tells_errors) {
    const uint32_t place = (uint32_t)ct_hash_map_get(places, ct_string_id64_of(id).value, 0);
    if (place && ct_template_is_removed(object))
        graph->nodes.items[place - 1] = NULL;
    else if (place)
        override_node(t, graph, place - 1, object, tells_errors);
    else if (may_add && !ct_template_is_removed(object))
        add_node(t, graph, id, object, tells_errors);
    else
        ct_template_unknown_id(t, "node", id, object);
}

void ct_template_merge_nodes(ct_template *t, ct_template_component *graph, ct_template_place object,
                             bool may_add, bool tells_errors) {
    const ct_template_place array = ct_template_member(object, "nodes");
    if (ct_sjson_type_of(array.doc, array.value) != CT_SJSON_TYPE_ARRAY)
        return; // none, or told when the component was read
    CT_TEMP_ALLOCATOR(temp, t->compile->allocator);
    ct_hash_map places, seen;
    ct_hash_map_init(&places, temp);
    ct_hash_map_init(&seen, temp);
    for (uint32_t i = 0; i < graph->nodes.count; ++i)
        ct_hash_map_set(&places, ct_string_id64_of(graph->nodes.items[i]->id).value, i + 1);
    for (ct_sjson_value v = ct_sjson_first(array.doc, array.value); v.entry;
         v = ct_sjson_next(array.doc, v)) {
        const ct_template_place node = {array.doc, v};
        if (ct_sjson_type_of(array.doc, v) != CT_SJSON_TYPE_OBJECT)
            continue; // told when the component was read
        const char *const id = ct_template_id(t, &seen, "node", node);
        if (!id)
            continue;
        ct_template_check_removed(t, "node", node);
        merge_node(t, graph, &places, id, node, may_add, tells_errors);
    }
    close_gaps(graph);
}

// --- Names ---------------------------------------------------------------------------------------

// The nodes of the unit in hand by their names. Allocated from a temp allocator.
typedef struct node_names {
    const char **names;  // of node i + 1
    ct_hash_map numbers; // from 32-bit name to number, from 1
    uint32_t count;
} node_names;

static bool is_root_name(const char *name) {
    return name[0] == 0 || strcmp(name, CT_ROOT_NODE_NAME) == 0;
}

// Enters the name of node `i`.
static bool add_name(ct_template *t, node_names *names, const ct_template_node *node, uint32_t i) {
    const char *const name = node->name_at.value.entry ? ct_template_text(node->name_at) : NULL;
    names->names[i] = name ? name : "";
    if (!node->name_at.value.entry)
        return ct_template_error(t, node->at, "this node needs a `name`");
    if (!name)
        return false; // told when it was read
    if (is_root_name(name))
        return ct_template_error(
            t, node->name_at, "\"%s\" is the name of the unit's root; expected another name", name);
    const uint64_t key = ct_string_id32_of(name).value;
    const uint32_t other = (uint32_t)ct_hash_map_get(&names->numbers, key, 0);
    if (other == 0) {
        ct_hash_map_set(&names->numbers, key, i + 1);
        return true;
    }
    if (strcmp(names->names[other - 1], name) == 0)
        return ct_template_error(t, node->name_at, "two nodes are named \"%s\"", name);
    return ct_template_error(t, node->name_at,
                             "the names \"%s\" and \"%s\" have the same 32-bit id", name,
                             names->names[other - 1]);
}

// The number of the node that `at` names, 0 for the root. False after an error.
static bool find_node(ct_template *t, const node_names *names, ct_template_place at,
                      uint32_t *number) {
    *number = 0;
    if (!at.value.entry)
        return true;
    const char *const name = ct_template_text(at);
    if (!name)
        return false; // told when it was read
    if (is_root_name(name))
        return true;
    const uint64_t *const found = ct_hash_map_find(&names->numbers, ct_string_id32_of(name).value);
    *number = found ? (uint32_t)*found : 0;
    if (found && strcmp(names->names[*number - 1], name) == 0)
        return true;
    const uint32_t num_compared = names->count < MOST_COMPARED ? names->count : MOST_COMPARED;
    const char *const nearest = ct_nearest_name(name, names->names, num_compared);
    if (nearest)
        return ct_template_error(t, at, "there is no node \"%s\"; did you mean \"%s\"?", name,
                                 nearest);
    return ct_template_error(t, at,
                             names->count ? "there is no node \"%s\" in the unit's scene graph"
                                          : "there is no node \"%s\": the unit has no scene graph",
                             name);
}

// --- Order ---------------------------------------------------------------------------------------

// The tree of nodes by number; 0 is the root, and none for siblings. Arrays of count + 1.
typedef struct node_tree {
    uint32_t *parent, *first_child, *next_sibling;
    uint32_t count;
} node_tree;

static bool find_parents(ct_template *t, const ct_template_component *graph,
                         const node_names *names, node_tree *tree) {
    bool result = true;
    for (uint32_t i = 1; i <= tree->count; ++i)
        result &= find_node(t, names, graph->nodes.items[i - 1]->parent_at, &tree->parent[i]);
    for (uint32_t i = tree->count; i > 0; --i) { // backwards: siblings stay in order
        tree->next_sibling[i] = tree->first_child[tree->parent[i]];
        tree->first_child[tree->parent[i]] = i;
    }
    return result;
}

// Lists the nodes that hang on the root, parents first. Returns how many.
static uint32_t list_nodes(const node_tree *tree, uint32_t *order) {
    uint32_t count = 0;
    uint32_t i = tree->first_child[0];
    while (i) {
        order[count++] = i;
        if (tree->first_child[i]) {
            i = tree->first_child[i];
            continue;
        }
        while (i && !tree->next_sibling[i])
            i = tree->parent[i];
        i = i ? tree->next_sibling[i] : 0;
    }
    return count;
}

// Some nodes do not hang on the root: tells one circle among them. Returns false.
static bool report_circle(ct_template *t, const ct_template_component *graph,
                          const node_names *names, const node_tree *tree, const uint32_t *order,
                          uint32_t num_ordered) {
    CT_TEMP_ALLOCATOR(temp, t->compile->allocator);
    uint8_t *is_seen = ct_alloc_zero(temp, tree->count + 1);
    for (uint32_t i = 0; i < num_ordered; ++i)
        is_seen[order[i]] = 1;
    uint32_t start = 1;
    while (is_seen[start])
        ++start;
    for (; !is_seen[start]; start = tree->parent[start])
        is_seen[start] = 1;
    enum { MOST_TOLD = 8 };
    ct_string_builder path;
    ct_string_builder_init(&path, temp);
    uint32_t told = 0, i = start;
    do {
        if (told++ < MOST_TOLD)
            ct_string_builder_addf(&path, "\"%s\" on ", names->names[i - 1]);
        i = tree->parent[i];
    } while (i != start);
    ct_string_builder_addf(&path, "%s\"%s\"", told > MOST_TOLD ? "… on " : "",
                           names->names[start - 1]);
    return ct_template_error(t, graph->nodes.items[start - 1]->parent_at, "nodes form a circle: %s",
                             ct_string_builder_text(&path));
}

static void add_instances(ct_template *t, const ct_template_component *graph, const node_tree *tree,
                          const uint32_t *order, uint32_t entity) {
    CT_TEMP_ALLOCATOR(temp, t->compile->allocator);
    uint32_t *number = CT_NEW_ARRAY(temp, uint32_t, tree->count + 1); // in the blob, of each node
    ct_template_instances *const instances = &t->instances[graph->order];
    for (uint32_t i = 0; i < tree->count; ++i) {
        ct_scene_graph_node_data data = graph->nodes.items[order[i] - 1]->data;
        data.parent = number[tree->parent[order[i]]];
        if (data.parent == 0)
            data.parent_name = (ct_string_id32){0};
        number[order[i]] = i + 1;
        ct_array_push(&instances->entities, entity);
        ct_array_push(&instances->ids, ct_string_id32_of(graph->id).value);
        ct_array_push_many(&instances->data, (const uint8_t *)&data, sizeof(data));
    }
}

static bool place_graph(ct_template *t, const ct_template_component *graph, node_names *names,
                        ct_allocator *temp, uint32_t entity) {
    const uint32_t count = graph->nodes.count;
    if (count > CT_SCENE_GRAPH_MAX_NODES)
        return ct_template_error(t, graph->at, "found %u nodes, expected at most %u", count,
                                 (uint32_t)CT_SCENE_GRAPH_MAX_NODES);
    names->names = CT_NEW_ARRAY(temp, const char *, count + 1);
    bool result = true;
    for (; names->count < count; ++names->count)
        result &= add_name(t, names, graph->nodes.items[names->count], names->count);
    node_tree tree = {.count = count};
    tree.parent = CT_NEW_ARRAY(temp, uint32_t, count + 1);
    tree.first_child = CT_NEW_ARRAY(temp, uint32_t, count + 1);
    tree.next_sibling = CT_NEW_ARRAY(temp, uint32_t, count + 1);
    uint32_t *const order = CT_NEW_ARRAY(temp, uint32_t, count + 1);
    if (!find_parents(t, graph, names, &tree) || !result)
        return false;
    const uint32_t num_ordered = list_nodes(&tree, order);
    if (num_ordered < count)
        return report_circle(t, graph, names, &tree, order, num_ordered);
    add_instances(t, graph, &tree, order, entity);
    return true;
}

bool ct_template_place_nodes(ct_template *t, const ct_template_components *components,
                             uint32_t entity) {
    CT_TEMP_ALLOCATOR(temp, t->compile->allocator);
    node_names names = {.numbers.allocator = temp};
    bool result = true;
    for (uint32_t i = 0; i < components->count; ++i) {
        if (strcmp(components->items[i]->type->name, "scene_graph") == 0)
            result &= place_graph(t, components->items[i], &names, temp, entity);
    }
    uint32_t number;
    for (uint32_t i = 0; i < components->count; ++i)
        result &= find_node(t, &names, components->items[i]->node_at, &number);
    return result;
}
