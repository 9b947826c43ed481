// flow_compiler_fixture.h: graphs for tests of the compiler, and how to read their blobs.
#pragma once
#include "compiler/compile_case.h"
#include "resource/types/flow/flow_resource.h"

// Compiles `source` as the graph "g". Free the case.
static inline const ct_flow_resource *flow_blob(compile_case *t, const char *source) {
    *t = compile_case_make();
    compile_case_text(t, "g.flow", source);
    return compile_case_blob(t, "flow", "g");
}

// Fails unless compiling `source` gives an error in `line` with `message`.
static inline void flow_refuse(const char *source, uint32_t line, const char *message) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "g.flow", source);
    compile_case_run(&t, "flow", "g");
    compile_case_expect(&t, "g.flow", line, message);
    compile_case_free(&t);
}

static inline uint32_t flow_num_nodes(const ct_flow_resource *r) {
    return r->infos.count;
}

// The node `i` of the program.
static inline const ct_flow_node *flow_node(const ct_flow_resource *r, uint32_t i) {
    const ct_flow_node_info *const infos = ct_blob_at(r, r->infos.offset);
    const uint32_t *const program = ct_blob_at(r, r->program.offset);
    assert_true(i < r->infos.count);
    return (const ct_flow_node *)(program + infos[i].node);
}

static inline const char *flow_type_of(const ct_flow_resource *r, uint32_t i) {
    const ct_flow_used_type *const types = ct_blob_at(r, r->types.offset);
    return ct_blob_at(r, types[flow_node(r, i)->type].name.offset);
}

// The number of the first node of a type; fails when there is none.
static inline uint32_t flow_find(const ct_flow_resource *r, const char *type) {
    for (uint32_t i = 0; i < r->infos.count; ++i) {
        if (strcmp(flow_type_of(r, i), type) == 0)
            return i;
    }
    fail_msg("the graph has no node %s", type);
    return 0;
}

// The number of the node at a word of the program.
static inline uint32_t flow_node_at(const ct_flow_resource *r, uint32_t word) {
    const ct_flow_node_info *const infos = ct_blob_at(r, r->infos.offset);
    uint32_t i = 0;
    while (i < r->infos.count && infos[i].node != word)
        ++i;
    assert_true(i < r->infos.count);
    return i;
}

// The ids, as the path ends, of the nodes that an event out starts, with spaces between.
static inline const char *flow_targets(const ct_flow_resource *r, uint32_t node, uint32_t event) {
    static char text[1024];
    const ct_flow_node *const n = flow_node(r, node);
    const ct_flow_node_info *const infos = ct_blob_at(r, r->infos.offset);
    const uint32_t *const links = ct_blob_at(r, r->links.offset);
    const uint32_t list = n->slots[n->first_event + event];
    text[0] = 0;
    for (uint32_t i = 0; list != CT_FLOW_NONE && i < links[list]; ++i) {
        const uint32_t to = flow_node_at(r, links[list + 1 + 2 * i]);
        const char *const path = ct_blob_at(r, infos[to].path.offset);
        strcat(text, i ? " " : "");
        strcat(text, strrchr(path, ' ') + 1);
    }
    return text;
}

// The value of a constant input; fails when it is not constant.
static inline const void *flow_constant(const ct_flow_resource *r, uint32_t node, uint32_t input) {
    const uint32_t place = flow_node(r, node)->slots[2 * input];
    const uint32_t region = place >> 30;
    assert_int_not_equal(region, CT_FLOW_REGION_DYNAMIC);
    const ct_blob_array array = region == CT_FLOW_REGION_NUMBERS ? r->numbers : r->words;
    return (const uint8_t *)ct_blob_at(r, array.offset) + (place & 0x3fffffff);
}

static inline double flow_number(const ct_flow_resource *r, uint32_t node, uint32_t input) {
    return *(const double *)flow_constant(r, node, input);
}

static inline const char *flow_text(const ct_flow_resource *r, uint32_t node, uint32_t input) {
    const ct_flow_string *const s = flow_constant(r, node, input);
    const char *const text = (const char *)ct_blob_at(r, r->texts.offset) + s->start;
    assert_int_equal(strlen(text), s->length);
    return text;
}

// The offset of an input in the dynamic data; fails when it is constant.
static inline uint32_t flow_offset(const ct_flow_resource *r, uint32_t node, uint32_t input) {
    const uint32_t place = flow_node(r, node)->slots[2 * input];
    assert_int_equal(place >> 30, CT_FLOW_REGION_DYNAMIC);
    return place;
}

static inline uint32_t flow_output(const ct_flow_resource *r, uint32_t node, uint32_t output) {
    const ct_flow_node *const n = flow_node(r, node);
    return n->slots[n->first_output + output];
}

static inline const ct_flow_entry *flow_entries(const ct_flow_resource *r) {
    return ct_blob_at(r, r->entries.offset);
}

static inline const ct_flow_variable *flow_variable(const ct_flow_resource *r, const char *name) {
    const ct_flow_variable *const variables = ct_blob_at(r, r->variables.offset);
    for (uint32_t i = 0; i < r->variables.count; ++i) {
        if (strcmp(ct_blob_at(r, variables[i].name_text.offset), name) == 0)
            return &variables[i];
    }
    fail_msg("the graph has no variable %s", name);
    return NULL;
}
