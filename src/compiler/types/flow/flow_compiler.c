// Compiles flow graphs: see worker_flow.h for the passes.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/protocol/compiler_types.h"
#include "compiler/types/flow/worker_flow.h"
#include "foundation/error.h"

// --- Messages ------------------------------------------------------------------------------------

const char *ct_worker_flow_title(const ct_worker_flow *b, uint32_t node) {
    const ct_worker_flow_node *const n = &b->nodes.items[node];
    return ct_compile_text(b->c, "node %.64s %.40s", n->type->name, n->id);
}

bool ct_worker_flow_error(ct_worker_flow *b, uint32_t node, const char *format, ...) {
    const ct_worker_flow_node *const n = &b->nodes.items[node];
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return ct_compile_error(b->c, b->scopes.items[n->scope].doc, n->value, "%s: %s",
                            ct_worker_flow_title(b, node), text);
}

const char *ct_worker_flow_advice(ct_worker_flow *b, const char *name, const char *const *names,
                                  uint32_t count) {
    enum { MOST_LISTED = 12 };
    const char *const nearest = ct_nearest_name(name, names, count);
    if (nearest)
        return ct_compile_text(b->c, "; did you mean \"%.64s\"?", nearest);
    if (count == 0)
        return "; it has none of any name";
    const char *list = "";
    for (uint32_t i = 0; i < count && i < MOST_LISTED; ++i)
        list = ct_compile_text(b->c, "%s%s%.64s", list, i ? ", " : "", names[i]);
    return ct_compile_text(b->c, "; expected %s%s%s", count == 1 ? "" : "one of ", list,
                           count > MOST_LISTED ? ", …" : "");
}

bool ct_worker_flow_is_object(ct_flow_type type) {
    return type >= CT_FLOW_TYPE_UNIT && type <= CT_FLOW_TYPE_MOVER;
}

// --- The whole -----------------------------------------------------------------------------------

static void init(ct_worker_flow *b) {
    ct_allocator *const a = b->c->allocator;
    ct_array_init(&b->scopes, a);
    ct_array_init(&b->nodes, a);
    ct_array_init(&b->inputs, a);
    ct_array_init(&b->events, a);
    ct_array_init(&b->constants, a);
    ct_array_init(&b->variables, a);
    ct_array_init(&b->units, a);
    ct_array_init(&b->files, a);
    ct_array_init(&b->first_events, a);
    ct_array_init(&b->order, a);
    ct_array_init(&b->kept, a);
    ct_array_init(&b->places, a);
}

bool ct_compile_flow(ct_compile *c) {
    ct_worker_flow b = {.c = c, .listener = ct_compile_listener(c)};
    init(&b);
    if (!ct_worker_flow_read(&b))
        return false;
    ct_worker_flow_inputs(&b);
    ct_worker_flow_links(&b);
    ct_worker_flow_bind(&b);
    ct_worker_flow_defaults(&b);
    if (ct_compile_error_count(c) > 0 || !ct_worker_flow_sort_variables(&b))
        return false;
    ct_worker_flow_rank(&b);
    if (!ct_worker_flow_sort_values(&b))
        return false;
    ct_worker_flow_fold(&b);
    ct_worker_flow_reach(&b);
    return ct_worker_flow_lay_out(&b) && ct_worker_flow_write(&b);
}
