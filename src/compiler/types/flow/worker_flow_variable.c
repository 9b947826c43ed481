// Variables of a graph, and external inputs and outputs of the whole, which are variables, too.
#include <stdlib.h>
#include <string.h>

#include "compiler/types/flow/worker_flow.h"

enum { MOST_VARIABLES = 4096 };

// --- Reading -------------------------------------------------------------------------------------

// The name that scripts use; variables of graphs that are used as nodes have the ids of these before.
static const char *full_name(ct_worker_flow *b, uint32_t scope, const char *name) {
    for (uint32_t s = scope; b->scopes.items[s].parent != CT_WORKER_FLOW_NONE;
         s = b->scopes.items[s].parent)
        name = ct_compile_text(b->c, "%.40s/%s", b->nodes.items[b->scopes.items[s].node].id, name);
    return name;
}

static uint32_t find_variable(const ct_worker_flow *b, uint32_t scope, const char *name) {
    const ct_worker_flow_scope *const s = &b->scopes.items[scope];
    for (uint32_t i = s->first_variable; i < s->first_variable + s->num_variables; ++i) {
        if (strcmp(b->variables.items[i].name, name) == 0)
            return i;
    }
    return CT_WORKER_FLOW_NONE;
}

static bool can_be_variable(ct_flow_type type) {
    return type != CT_FLOW_TYPE_EVENT && type < CT_FLOW_TYPE_ANY;
}

static ct_flow_type read_variable_type(ct_worker_flow *b, const ct_sjson *doc,
                                       const ct_flow_variable_source *source) {
    const ct_flow_type type = ct_flow_type_named(source->type);
    if (can_be_variable(type))
        return type;
    const char *names[CT_FLOW_TYPE_COUNT];
    uint32_t count = 0;
    for (uint32_t i = 0; i < CT_FLOW_TYPE_COUNT; ++i) {
        if (can_be_variable((ct_flow_type)i))
            names[count++] = ct_flow_type_name((ct_flow_type)i);
    }
    ct_compile_error(b->c, doc, source->type_value,
                     "variable %.64s: there is no type \"%.64s\" of variables%s", source->name,
                     source->type, ct_worker_flow_advice(b, source->type, names, count));
    return CT_FLOW_TYPE_COUNT;
}

static void read_variable(ct_worker_flow *b, uint32_t scope, ct_sjson_value v) {
    const ct_sjson *const doc = b->scopes.items[scope].doc;
    ct_flow_variable_source source = {.name = NULL};
    if (!ct_schema_read(&ct_flow_variable_schema, doc, v, &source, &b->listener))
        return;
    if (!*source.name) {
        ct_compile_error(b->c, doc, source.name_value, "the name of a variable is empty");
        return;
    }
    if (find_variable(b, scope, source.name) != CT_WORKER_FLOW_NONE) {
        ct_compile_error(b->c, doc, source.name_value,
                         "there are two variables \"%.64s\": rename one", source.name);
        return;
    }
    ct_worker_flow_variable variable = {.name = source.name,
                                        .full_name = full_name(b, scope, source.name),
                                        .type = read_variable_type(b, doc, &source),
                                        .scope = scope,
                                        .constant = CT_WORKER_FLOW_NONE,
                                        .node = CT_WORKER_FLOW_NONE,
                                        .value = v};
    if (variable.type == CT_FLOW_TYPE_COUNT)
        return;
    ct_worker_flow_constant value = {.type = variable.type, .value = {.floats = {0, 0, 0, 1}}};
    bool has_value = variable.type == CT_FLOW_TYPE_QUATERNION;
    if (source.value.entry)
        has_value = ct_worker_flow_read_value(
            b, doc, source.value, variable.type,
            ct_compile_text(b->c, "variable %.64s: value", source.name), &value);
    if (has_value)
        variable.constant = ct_worker_flow_add_constant(b, &value).index;
    ct_array_push(&b->variables, variable);
    ++b->scopes.items[scope].num_variables;
}

void ct_worker_flow_variables(ct_worker_flow *b, uint32_t scope) {
    ct_worker_flow_scope *const s = &b->scopes.items[scope];
    const ct_sjson *const doc = s->doc;
    const ct_sjson_value array = s->source.variables;
    s->first_variable = b->variables.count;
    const uint64_t count = (uint64_t)b->variables.count + ct_sjson_count(doc, array);
    if (count > MOST_VARIABLES) {
        ct_compile_error(b->c, doc, array,
                         "found %llu variables, with those of graphs that are used as nodes; "
                         "expected at most %d",
                         (unsigned long long)count, (int)MOST_VARIABLES);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(doc, array); v.entry; v = ct_sjson_next(doc, v))
        read_variable(b, scope, v);
}

// --- Nodes of variables --------------------------------------------------------------------------

// The type of the value that a node of variables reads or writes.
static ct_flow_type type_of_node(const ct_worker_flow_node *n) {
    if (n->type->role == CT_FLOW_ROLE_GET_VARIABLE || n->type->role == CT_FLOW_ROLE_GRAPH_INPUT)
        return (ct_flow_type)ct_flow_slot_at(n->type, CT_FLOW_SLOT_OUTPUT, 0)->type;
    const uint32_t input = ct_worker_flow_passing_input(n->type);
    return (ct_flow_type)ct_flow_slot_at(n->type, CT_FLOW_SLOT_INPUT, input)->type;
}

static void bind_variable(ct_worker_flow *b, uint32_t node) {
    ct_worker_flow_node *const n = &b->nodes.items[node];
    if (!n->name)
        return; // its input is required
    const uint32_t found = find_variable(b, n->scope, n->name);
    if (found == CT_WORKER_FLOW_NONE) {
        const ct_worker_flow_scope *const s = &b->scopes.items[n->scope];
        const char **const names =
            CT_NEW_ARRAY(b->c->allocator, const char *, (uint64_t)s->num_variables + 1);
        for (uint32_t i = 0; i < s->num_variables; ++i)
            names[i] = b->variables.items[s->first_variable + i].name;
        ct_worker_flow_error(b, node, "the graph has no variable \"%.64s\"%s", n->name,
                             ct_worker_flow_advice(b, n->name, names, s->num_variables));
        return;
    }
    const ct_flow_type type = b->variables.items[found].type;
    if (type != type_of_node(n))
        ct_worker_flow_error(b, node, "the variable \"%.64s\" is a %s, but the node is for a %s",
                             n->name, ct_flow_type_name(type), ct_flow_type_name(type_of_node(n)));
    n->variable = found;
}

// External inputs and outputs of the whole graph. Several inputs of one name and type are one.
static void bind_external(ct_worker_flow *b, uint32_t node) {
    ct_worker_flow_node *const n = &b->nodes.items[node];
    const bool is_input = n->type->role == CT_FLOW_ROLE_GRAPH_INPUT;
    if (!n->name)
        return;
    if (!*n->name) {
        ct_worker_flow_error(b, node, "its name is empty");
        return;
    }
    const ct_flow_type type = type_of_node(n);
    const uint32_t flag = is_input ? CT_FLOW_VARIABLE_INPUT : CT_FLOW_VARIABLE_OUTPUT;
    for (uint32_t i = 0; i < b->variables.count; ++i) {
        const ct_worker_flow_variable *const v = &b->variables.items[i];
        if (v->scope != 0 || strcmp(v->name, n->name) != 0)
            continue;
        n->variable = i;
        if (!is_input || v->flags != flag || v->type != type)
            ct_worker_flow_error(b, node,
                                 "the graph has another variable, external input or output "
                                 "\"%.64s\": rename one",
                                 n->name);
        return;
    }
    if (b->variables.count == MOST_VARIABLES) {
        ct_worker_flow_error(b, node, "found more than %d variables", (int)MOST_VARIABLES);
        return;
    }
    n->variable = b->variables.count;
    ct_worker_flow_variable variable = {.name = n->name,
                                        .full_name = n->name,
                                        .type = type,
                                        .flags = flag,
                                        .constant = CT_WORKER_FLOW_NONE,
                                        .node = is_input ? CT_WORKER_FLOW_NONE : node,
                                        .value = n->value};
    if (is_input && type == CT_FLOW_TYPE_QUATERNION) {
        const ct_worker_flow_constant value = {.type = type, .value = {.floats = {0, 0, 0, 1}}};
        variable.constant = ct_worker_flow_add_constant(b, &value).index;
    }
    ct_array_push(&b->variables, variable);
}

void ct_worker_flow_bind(ct_worker_flow *b) {
    for (uint32_t i = 0; i < b->nodes.count; ++i) {
        const ct_worker_flow_node *const n = &b->nodes.items[i];
        const uint32_t role = n->type->role;
        if (role == CT_FLOW_ROLE_GET_VARIABLE || role == CT_FLOW_ROLE_SET_VARIABLE)
            bind_variable(b, i);
        else if (n->scope == 0 &&
                 (role == CT_FLOW_ROLE_GRAPH_INPUT || role == CT_FLOW_ROLE_GRAPH_OUTPUT))
            bind_external(b, i);
    }
}

// --- Order ---------------------------------------------------------------------------------------

typedef struct sorted_variable {
    uint32_t id, index;
} sorted_variable;

static int compare(const void *a, const void *b) {
    const sorted_variable *const left = a;
    const sorted_variable *const right = b;
    return (left->id > right->id) - (left->id < right->id);
}

bool ct_worker_flow_sort_variables(ct_worker_flow *b) {
    const uint32_t count = b->variables.count;
    sorted_variable *const sorted =
        CT_NEW_ARRAY(b->c->allocator, sorted_variable, (uint64_t)count + 1);
    uint32_t *const places = CT_NEW_ARRAY(b->c->allocator, uint32_t, (uint64_t)count + 1);
    ct_worker_flow_variable *const old =
        CT_NEW_ARRAY(b->c->allocator, ct_worker_flow_variable, (uint64_t)count + 1);
    for (uint32_t i = 0; i < count; ++i) {
        old[i] = b->variables.items[i];
        sorted[i] = (sorted_variable){ct_string_id32_of(old[i].full_name).value, i};
    }
    qsort(sorted, count, sizeof(*sorted), compare);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_flow_variable *const v = &old[sorted[i].index];
        if (i && sorted[i].id == sorted[i - 1].id)
            return ct_compile_error(
                b->c, b->scopes.items[v->scope].doc, v->value,
                "the variables \"%.200s\" and \"%.200s\" have the same 32-bit id: rename one",
                v->full_name, old[sorted[i - 1].index].full_name);
        b->variables.items[i] = *v;
        places[sorted[i].index] = i;
    }
    for (uint32_t i = 0; i < b->nodes.count; ++i) {
        uint32_t *const variable = &b->nodes.items[i].variable;
        if (*variable != CT_WORKER_FLOW_NONE)
            *variable = places[*variable];
    }
    return true;
}
