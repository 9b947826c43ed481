// Reads the nodes of a graph, and those of the graphs that it uses as nodes, one scope after another.
#include <string.h>

#include "compiler/protocol/compiler_circle.h"
#include "compiler/types/flow/worker_flow.h"
#include "foundation/error.h"

// --- Ids -----------------------------------------------------------------------------------------

// The number of an id, whether or not it is a GUID; inside of graphs mixed with the nodes around.
static ct_guid guid_of(const char *id, ct_guid around) {
    ct_guid guid = {{0}};
    if (!ct_guid_is_none(around) || !ct_guid_parse(id, strlen(id), &guid, NULL))
        guid = ct_guid_make_named(around, id);
    return guid;
}

// The `id` of an element; NULL after reporting. `ids` has those of the array, by their hash.
static const char *read_id(ct_worker_flow *b, const ct_sjson *doc, ct_sjson_value v,
                           const char *what, ct_hash_map *ids, uint64_t number) {
    const ct_sjson_value at = ct_sjson_find(doc, v, "id");
    const char *const id = ct_sjson_string(doc, at, NULL);
    if (!id || !*id) {
        ct_compile_error(b->c, doc, at.entry ? at : v,
                         "%s: found %s, expected a string `id`; `cuttle ids` gives it one", what,
                         id ? "an empty `id`" : ct_sjson_type_name(ct_sjson_type_of(doc, at)));
        return NULL;
    }
    const uint64_t hash = ct_string_id64_of(id).value;
    if (ct_hash_map_find(ids, hash)) {
        ct_compile_error(b->c, doc, at,
                         "another %s has the id \"%.64s\"; `cuttle ids` gives this one its own",
                         what, id);
        return NULL;
    }
    ct_hash_map_set(ids, hash, number);
    return id;
}

// --- Nodes ---------------------------------------------------------------------------------------

// All names of types, for advice.
static const char *type_advice(ct_worker_flow *b, const char *name) {
    uint32_t num_tables = 0, count = 0;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    for (uint32_t i = 0; i < num_tables; ++i)
        count += tables[i].num_nodes;
    const char **const names = CT_NEW_ARRAY(b->c->allocator, const char *, (uint64_t)count + 1);
    count = 0;
    for (uint32_t i = 0; i < num_tables; ++i)
        for (uint32_t k = 0; k < tables[i].num_nodes; ++k)
            names[count++] = tables[i].nodes[k].name;
    const char *const nearest = ct_nearest_name(name, names, count);
    return nearest ? ct_compile_text(b->c, "; did you mean \"%.64s\"?", nearest)
                   : "; `cuttle flow-nodes` lists them";
}

static const ct_flow_node_type *read_type(ct_worker_flow *b, const ct_sjson *doc, ct_sjson_value v,
                                          const char *id) {
    const ct_sjson_value at = ct_sjson_find(doc, v, "type");
    const char *const name = ct_sjson_string(doc, at, NULL);
    if (!name) {
        ct_compile_error(b->c, doc, at.entry ? at : v,
                         "node %.40s: found %s, expected a string `type`", id,
                         ct_sjson_type_name(ct_sjson_type_of(doc, at)));
        return NULL;
    }
    const ct_flow_node_type *const type = ct_flow_find_node_type(name);
    if (!type)
        ct_compile_error(b->c, doc, at, "node %.40s: there is no node type \"%.64s\"%s", id, name,
                         type_advice(b, name));
    return type;
}

// Variables of other scopes are found by their names when the node runs: by a node type of its own.
static const ct_flow_node_type *type_of_scope(ct_worker_flow *b, const ct_sjson *doc,
                                              ct_sjson_value inputs,
                                              const ct_flow_node_type *type) {
    const char *const scope = ct_sjson_string(doc, ct_sjson_find(doc, inputs, "scope"), "graph");
    const bool is_variable =
        type->role == CT_FLOW_ROLE_GET_VARIABLE || type->role == CT_FLOW_ROLE_SET_VARIABLE;
    if (!is_variable || strcmp(scope, "graph") == 0)
        return type;
    const ct_flow_node_type *const other =
        ct_flow_find_node_type(ct_compile_text(b->c, "%s_of_scope", type->name));
    return other ? other : type;
}

static bool is_external(const ct_flow_node_type *type) {
    return type->role >= CT_FLOW_ROLE_GRAPH_INPUT && type->role <= CT_FLOW_ROLE_GRAPH_EVENT_OUT;
}

static bool is_passage(const ct_flow_node_type *type, bool is_inside) {
    switch ((ct_flow_node_role)type->role) {
    case CT_FLOW_ROLE_CONSTANT:
    case CT_FLOW_ROLE_GET_VARIABLE:
    case CT_FLOW_ROLE_LEVEL_UNIT:
    case CT_FLOW_ROLE_GRAPH_INPUT:
        return true;
    default:
        return is_inside && is_external(type);
    }
}

static void add_inputs(ct_worker_flow *b, ct_worker_flow_node *n, bool is_inside) {
    n->first_input = b->inputs.count;
    for (const ct_flow_slot *s = n->type->slots; s && s->name; ++s) {
        if (s->kind == CT_FLOW_SLOT_INPUT)
            ct_array_push(&b->inputs, (ct_worker_flow_input){.type = (ct_flow_type)s->type});
    }
    if (is_inside && n->type->role == CT_FLOW_ROLE_GRAPH_INPUT) // what comes from outside
        ct_array_push(
            &b->inputs,
            (ct_worker_flow_input){
                .type = (ct_flow_type)ct_flow_slot_at(n->type, CT_FLOW_SLOT_OUTPUT, 0)->type});
    n->num_inputs = b->inputs.count - n->first_input;
}

uint32_t ct_worker_flow_add_node(ct_worker_flow *b, const ct_flow_node_type *type, uint32_t of,
                                 uint32_t number) {
    ct_worker_flow_node n = b->nodes.items[of];
    const char *const id = ct_compile_text(b->c, "%.64s/%u", n.id, number);
    n.guid = ct_guid_make_named(n.guid, id);
    n.type = type;
    n.inner_scope = n.variable = n.first_folded = CT_WORKER_FLOW_NONE;
    n.rank = of; // until ranks are set
    n.name = NULL;
    n.is_passage = false;
    add_inputs(b, &n, false);
    ct_array_push(&b->nodes, n);
    return b->nodes.count - 1;
}

static void read_node(ct_worker_flow *b, uint32_t scope, ct_sjson_value v) {
    ct_worker_flow_scope *const s = &b->scopes.items[scope];
    ct_flow_node_source source = {.comment = NULL};
    if (!ct_schema_read(&ct_flow_node_schema, s->doc, v, &source, &b->listener))
        return;
    const char *const id = read_id(b, s->doc, v, "node", &s->ids, b->nodes.count);
    const ct_flow_node_type *type = id ? read_type(b, s->doc, v, id) : NULL;
    const bool is_lua = type && type->role == CT_FLOW_ROLE_LUA;
    if (is_lua)
        type = ct_worker_flow_project_type(b, s->doc, v, id, &source);
    if (id && !type) // links to it are not reported, too
        ct_hash_map_set(&s->ids, ct_string_id64_of(id).value, CT_WORKER_FLOW_NONE);
    if (!type)
        return;
    type = type_of_scope(b, s->doc, source.inputs, type);
    const bool is_inside = s->parent != CT_WORKER_FLOW_NONE;
    ct_worker_flow_node n = {
        .type = type,
        .value = v,
        .id = id,
        .guid = guid_of(id, s->guid),
        .position = {source.position[0], source.position[1]},
        .scope = scope,
        .inner_scope = CT_WORKER_FLOW_NONE,
        .variable = CT_WORKER_FLOW_NONE,
        .is_passage = is_passage(type, is_inside),
        .first_folded = CT_WORKER_FLOW_NONE,
    };
    if (ct_worker_flow_find_input(type, "name") != CT_WORKER_FLOW_NONE)
        n.name = ct_sjson_string(s->doc, ct_sjson_find(s->doc, source.inputs, "name"), NULL);
    add_inputs(b, &n, is_inside);
    if (is_external(type))
        ct_array_push(&s->externals, b->nodes.count);
    ct_array_push(&b->nodes, n);
    const bool is_graph = type->role == CT_FLOW_ROLE_GRAPH;
    if (is_graph != (source.graph.value != 0))
        ct_worker_flow_error(b, b->nodes.count - 1,
                             is_graph ? "`graph` is missing: write the name of the graph that is "
                                        "put in the place of the node"
                                      : "found `graph`, which only nodes of type graph have");
    if (!is_lua && (source.nodes.value || source.node))
        ct_worker_flow_error(b, b->nodes.count - 1, "found `%s`, which only nodes of type lua have",
                             source.nodes.value ? "nodes" : "node");
}

// --- Elements that only readers see --------------------------------------------------------------

static void read_notes(ct_worker_flow *b, const ct_sjson *doc, ct_sjson_value array,
                       const ct_schema *schema, const char *what) {
    union {
        ct_flow_group_source group;
        ct_flow_comment_source comment;
    } ignored;
    ct_hash_map ids;
    ct_hash_map_init(&ids, b->c->allocator);
    for (ct_sjson_value v = ct_sjson_first(doc, array); v.entry; v = ct_sjson_next(doc, v)) {
        if (ct_schema_read(schema, doc, v, &ignored, &b->listener))
            read_id(b, doc, v, what, &ids, 0);
    }
}

// The ids of links and variables, whose elements are read elsewhere.
static void read_ids(ct_worker_flow *b, const ct_sjson *doc, ct_sjson_value array,
                     const char *what) {
    ct_hash_map ids;
    ct_hash_map_init(&ids, b->c->allocator);
    for (ct_sjson_value v = ct_sjson_first(doc, array); v.entry; v = ct_sjson_next(doc, v)) {
        if (ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_OBJECT)
            read_id(b, doc, v, what, &ids, 0);
    }
}

// --- Scopes --------------------------------------------------------------------------------------

static bool is_too_large(ct_worker_flow *b, const ct_sjson *doc, const ct_flow_source *source) {
    const uint64_t num_nodes = (uint64_t)b->nodes.count + ct_sjson_count(doc, source->nodes);
    if (num_nodes > CT_FLOW_MAX_NODES) {
        ct_compile_error(b->c, doc, source->nodes,
                         "found %llu nodes, with those of graphs that are used as nodes; expected "
                         "at most %d: split the graph",
                         (unsigned long long)num_nodes, (int)CT_FLOW_MAX_NODES);
        return true;
    }
    const uint32_t most = 16 * CT_FLOW_MAX_NODES;
    const ct_sjson_value links = source->links;
    if (ct_sjson_count(doc, links) <= most)
        return false;
    ct_compile_error(b->c, doc, links, "found %u links, expected at most %u",
                     ct_sjson_count(doc, links), most);
    return true;
}

static bool read_scope(ct_worker_flow *b, uint32_t scope) {
    const ct_sjson *const doc = b->scopes.items[scope].doc;
    ct_flow_source source = {.nodes = {0}};
    if (!ct_schema_read(&ct_flow_schema, doc, ct_sjson_root(doc), &source, &b->listener) ||
        is_too_large(b, doc, &source))
        return false;
    b->scopes.items[scope].source = source;
    b->scopes.items[scope].first_node = b->nodes.count;
    for (ct_sjson_value v = ct_sjson_first(doc, source.nodes); v.entry; v = ct_sjson_next(doc, v))
        read_node(b, scope, v);
    b->scopes.items[scope].num_nodes = b->nodes.count - b->scopes.items[scope].first_node;
    ct_worker_flow_variables(b, scope);
    read_ids(b, doc, source.links, "link");
    read_ids(b, doc, source.variables, "variable");
    read_notes(b, doc, source.groups, &ct_flow_group_schema, "group");
    read_notes(b, doc, source.comments, &ct_flow_comment_schema, "comment");
    return true;
}

// Adds the scope of the graph in `doc` as node `node`, NONE at the top.
static uint32_t add_scope(ct_worker_flow *b, const ct_sjson *doc, uint32_t node) {
    ct_worker_flow_scope s = {.doc = doc, .parent = CT_WORKER_FLOW_NONE, .node = node};
    if (node == CT_WORKER_FLOW_NONE) {
        s.path = ct_compile_text(b->c, "%s: ", b->c->name);
    } else {
        const ct_worker_flow_node *const n = &b->nodes.items[node];
        const ct_worker_flow_scope *const around = &b->scopes.items[n->scope];
        s.parent = n->scope;
        s.depth = around->depth + 1;
        s.guid = n->guid;
        s.path = ct_compile_text(b->c, "%sgraph %.40s: ", around->path, n->id);
    }
    ct_hash_map_init(&s.ids, b->c->allocator);
    ct_array_init(&s.externals, b->c->allocator);
    ct_array_push(&b->scopes, s);
    return b->scopes.count - 1;
}

static ct_sjson_value graph_value(const ct_worker_flow *b, uint32_t node) {
    const ct_worker_flow_node *const n = &b->nodes.items[node];
    return ct_sjson_find(b->scopes.items[n->scope].doc, n->value, "graph");
}

// Reports that the graph `doc`, which `node` uses, is one of those around it. Returns false.
static bool report_circle(ct_worker_flow *b, uint32_t node, uint32_t first_scope) {
    const char *names[CT_WORKER_FLOW_MAX_DEPTH + 1];
    uint32_t users[CT_WORKER_FLOW_MAX_DEPTH + 1]; // the node that leads from each
    uint32_t count = 0;
    uint32_t scope = b->nodes.items[node].scope;
    for (uint32_t user = node;;
         user = b->scopes.items[scope].node, scope = b->scopes.items[scope].parent) {
        users[count] = user;
        names[count++] = ct_circle_name(b->c->allocator, ct_sjson_file(b->scopes.items[scope].doc));
        if (scope == first_scope)
            break;
    }
    for (uint32_t i = 0; i < count / 2; ++i) { // the outermost first
        const char *const name = names[i];
        const uint32_t user = users[i];
        names[i] = names[count - 1 - i], users[i] = users[count - 1 - i];
        names[count - 1 - i] = name, users[count - 1 - i] = user;
    }
    uint32_t closing = 0;
    const char *const way = ct_circle_way(b->c->allocator, names, count, &closing);
    const uint32_t at = users[closing];
    return ct_compile_error(b->c, b->scopes.items[b->nodes.items[at].scope].doc, graph_value(b, at),
                            "%s: a graph cannot contain itself: %s", ct_worker_flow_title(b, at),
                            way);
}

static bool read_inner(ct_worker_flow *b, uint32_t node) {
    const uint32_t scope = b->nodes.items[node].scope;
    const ct_sjson *const doc = b->scopes.items[scope].doc;
    const ct_sjson_value at = graph_value(b, node);
    const ct_sjson *const inner =
        ct_compile_read_resource(b->c, "flow", ct_sjson_string(doc, at, ""), doc, at);
    if (!inner)
        return false;
    for (uint32_t s = scope; s != CT_WORKER_FLOW_NONE; s = b->scopes.items[s].parent) {
        if (b->scopes.items[s].doc == inner)
            return report_circle(b, node, s);
    }
    if (b->scopes.items[scope].depth + 1 >= CT_WORKER_FLOW_MAX_DEPTH)
        return ct_worker_flow_error(b, node, "found more than %d graphs in each other",
                                    (int)CT_WORKER_FLOW_MAX_DEPTH);
    const uint32_t inner_scope = add_scope(b, inner, node);
    b->nodes.items[node].inner_scope = inner_scope;
    return true;
}

bool ct_worker_flow_read(ct_worker_flow *b) {
    add_scope(b, b->c->doc, CT_WORKER_FLOW_NONE);
    for (uint32_t s = 0; s < b->scopes.count; ++s) {
        if (!read_scope(b, s))
            return false;
        const uint32_t first = b->scopes.items[s].first_node;
        const uint32_t end = first + b->scopes.items[s].num_nodes;
        for (uint32_t n = first; n < end && ct_compile_error_count(b->c) == 0; ++n) {
            if (b->nodes.items[n].type->role == CT_FLOW_ROLE_GRAPH && !read_inner(b, n))
                return false;
        }
    }
    return true;
}
