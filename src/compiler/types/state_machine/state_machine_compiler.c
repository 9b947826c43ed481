// Compiles state machines: see worker_state_machine.h for how they are read.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/protocol/compiler_types.h"
#include "compiler/types/state_machine/worker_state_machine.h"
#include "foundation/error.h"

// --- Messages and names --------------------------------------------------------------------------

bool ct_worker_machine_error(ct_worker_machine *b, ct_sjson_value v, const char *format, ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return ct_compile_error(b->c, b->doc, v, "%s", text);
}

void ct_worker_machine_unknown(ct_worker_machine *b, ct_sjson_value v, const char *what,
                               const char *name, const char *const *names, uint32_t count) {
    const char *const nearest = ct_nearest_name(name, names, count);
    if (nearest)
        ct_worker_machine_error(b, v, "there is no %s \"%.64s\"; did you mean \"%.64s\"?", what,
                                name, nearest);
    else if (count == 0)
        ct_worker_machine_error(b, v, "there is no %s \"%.64s\"; add it, or correct the name", what,
                                name);
    else
        ct_worker_machine_error(b, v, "there is no %s \"%.64s\"; the first is \"%.64s\"", what,
                                name, names[0]);
}

uint32_t ct_worker_machine_find(const ct_worker_names *names, uint32_t first, const char *name) {
    for (uint32_t i = first; i < names->count; ++i) {
        if (strcmp(names->items[i], name) == 0)
            return i - first;
    }
    return UINT32_MAX;
}

bool ct_worker_machine_name(ct_worker_machine *b, ct_sjson_value v, const char *what,
                            const char *name, const ct_worker_names *names, uint32_t first) {
    if (!*name)
        return ct_worker_machine_error(b, v, "the name of a %s is empty", what);
    const uint32_t id = ct_string_id32_of(name).value;
    for (uint32_t i = first; i < names->count; ++i) {
        if (strcmp(names->items[i], name) == 0)
            return ct_worker_machine_error(b, v, "there are two %ss \"%.64s\": rename one", what,
                                           name);
        if (ct_string_id32_of(names->items[i]).value == id)
            return ct_worker_machine_error(
                b, v, "the names \"%.64s\" and \"%.64s\" have the same 32-bit id: rename one",
                names->items[i], name);
    }
    return true;
}

// Reports an `id` that is no text, or that an earlier element of the array has.
static void check_id(ct_worker_machine *b, ct_sjson_value array, ct_sjson_value v) {
    const ct_sjson_value id = ct_sjson_find(b->doc, v, "id");
    if (!id.entry)
        return;
    const char *const text = ct_sjson_string(b->doc, id, NULL);
    if (!text) {
        ct_worker_machine_error(b, id, "id: found %s, expected a string",
                                ct_sjson_type_name(ct_sjson_type_of(b->doc, id)));
        return;
    }
    for (ct_sjson_value e = ct_sjson_first(b->doc, array); e.entry != v.entry;
         e = ct_sjson_next(b->doc, e)) {
        const char *const other = ct_sjson_string(b->doc, ct_sjson_find(b->doc, e, "id"), NULL);
        if (other && strcmp(other, text) == 0) {
            ct_worker_machine_error(b, id,
                                    "another element has the id \"%.64s\"; `cuttle ids` gives this "
                                    "one its own",
                                    text);
            return;
        }
    }
}

void ct_worker_machine_each(ct_worker_machine *b, ct_sjson_value array,
                            void (*read)(ct_worker_machine *b, ct_sjson_value v, void *user),
                            void *user) {
    for (ct_sjson_value v = ct_sjson_first(b->doc, array); v.entry; v = ct_sjson_next(b->doc, v)) {
        check_id(b, array, v);
        read(b, v, user);
    }
}

// --- Numbers and expressions ---------------------------------------------------------------------

// The offset of a line and column, from 1, of the source.
static uint64_t offset_of(const ct_compile *c, uint32_t line, uint32_t column) {
    uint64_t at = 0;
    for (; line > 1 && at < c->text_bytes; ++at)
        line -= c->text[at] == '\n';
    return at + column - 1;
}

// Reports an error in a string at its place in the source. Where the string is written otherwise
// than it reads (escapes, several lines), at the string.
static void report_in_string(ct_worker_machine *b, ct_sjson_value v, const char *what,
                             const ct_error *error) {
    const char *const text = ct_sjson_string(b->doc, v, "");
    const size_t bytes = strlen(text);
    uint32_t line, column;
    ct_sjson_position(b->doc, v, &line, &column);
    uint64_t at = offset_of(b->c, line, column);
    const char *const source = b->c->text;
    if (ct_sjson_key(b->doc, v)) { // the place is that of the key, which may be in quotes
        at += at < b->c->text_bytes && source[at] == '"';
        at += strlen(ct_sjson_key(b->doc, v));
        while (at < b->c->text_bytes && source[at] != '"' && source[at] != '\n')
            ++at;
        if (at + 1 < b->c->text_bytes && source[at] == '"' && strchr(" \t=:", source[at + 1]) &&
            source[at + 1])
            for (++at; at < b->c->text_bytes && source[at] != '"' && source[at] != '\n';)
                ++at;
    }
    const bool is_there = at + 1 + bytes < b->c->text_bytes && source[at] == '"' &&
                          memcmp(source + at + 1, text, bytes) == 0;
    if (!is_there) {
        ct_worker_machine_error(b, v, "%s: column %u of \"%.200s\": %.400s", what, error->column,
                                text, error->message);
        return;
    }
    column += (uint32_t)(at - offset_of(b->c, line, column)) + error->column;
    ct_compile_error_at(b->c, NULL, line, column, "%s: %.400s", what, error->message);
}

static uint32_t add_program(ct_worker_machine *b, uint32_t first_word) {
    const ct_state_machine_expression e = {first_word, b->expressions.words.count - first_word};
    ct_array_push(&b->programs, e);
    return b->programs.count - 1;
}

static uint32_t add_constant(ct_worker_machine *b, double value) {
    const uint32_t first = b->expressions.words.count;
    const uint32_t word =
        CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_CONSTANT, b->expressions.constants.count);
    ct_array_push(&b->expressions.constants, (float)value);
    ct_array_push(&b->expressions.words, word);
    return add_program(b, first);
}

uint32_t ct_worker_machine_number(ct_worker_machine *b, ct_sjson_value v, const char *what,
                                  double least, double most) {
    if (!v.entry)
        return CT_STATE_MACHINE_NONE;
    switch (ct_sjson_type_of(b->doc, v)) {
    case CT_SJSON_TYPE_NUMBER: {
        const double value = ct_sjson_number(b->doc, v, 0);
        if (value >= least && value <= most)
            return add_constant(b, value);
        ct_worker_machine_error(b, v, "%s: found %g, expected %g to %g", what, value, least, most);
        return CT_STATE_MACHINE_NONE;
    }
    case CT_SJSON_TYPE_BOOL:
        return add_constant(b, ct_sjson_bool(b->doc, v, false) ? 1 : 0);
    case CT_SJSON_TYPE_STRING: {
        ct_error error = {0};
        const uint32_t first = b->expressions.words.count;
        if (ct_worker_expression(&b->expressions, ct_sjson_string(b->doc, v, ""),
                                 ct_sjson_string_bytes(b->doc, v), &error))
            return add_program(b, first);
        report_in_string(b, v, what, &error);
        return CT_STATE_MACHINE_NONE;
    }
    default:
        ct_worker_machine_error(b, v, "%s: found %s, expected a number or an expression", what,
                                ct_sjson_type_name(ct_sjson_type_of(b->doc, v)));
        return CT_STATE_MACHINE_NONE;
    }
}

// --- Variables -----------------------------------------------------------------------------------

static void read_curve(ct_worker_machine *b, const ct_state_machine_variable_source *source,
                       ct_state_machine_variable_data *variable) {
    ct_state_machine_curve_source curve;
    if (!source->curve.entry || !ct_schema_read(&ct_state_machine_curve_schema, b->doc,
                                                source->curve, &curve, &b->listener))
        return;
    if (curve.object && *curve.object)
        variable->curve_object = ct_string_id32_of(curve.object);
    variable->curve_parameter = ct_string_id32_of(curve.parameter);
}

static void read_variable(ct_worker_machine *b, ct_sjson_value v, void *user) {
    (void)user;
    ct_state_machine_variable_source source;
    if (!ct_schema_read(&ct_state_machine_variable_schema, b->doc, v, &source, &b->listener) ||
        !ct_worker_machine_name(b, source.name_value, "variable", source.name, &b->variable_names,
                                0))
        return;
    if (!ct_worker_expression_is_name(source.name))
        ct_worker_machine_error(b, source.name_value,
                                "expressions cannot name the variable \"%.64s\": use letters, "
                                "digits and _, and no word of expressions",
                                source.name);
    if (source.least > source.most || source.default_value < source.least ||
        source.default_value > source.most)
        ct_worker_machine_error(b, v, "found the default %g, expected one from min %g to max %g",
                                (double)source.default_value, (double)source.least,
                                (double)source.most);
    if (b->variables.count == CT_STATE_MACHINE_MAX_VARIABLES) {
        ct_worker_machine_error(b, v, "found more than %d variables",
                                (int)CT_STATE_MACHINE_MAX_VARIABLES);
        return;
    }
    ct_state_machine_variable_data variable = {.name = ct_string_id32_of(source.name),
                                               .default_value = source.default_value,
                                               .least = source.least,
                                               .most = source.most};
    read_curve(b, &source, &variable);
    ct_array_push(&b->variables, variable);
    ct_array_push(&b->variable_names, source.name);
}

// --- The whole -----------------------------------------------------------------------------------

static void init(ct_worker_machine *b) {
    ct_allocator *const a = b->c->allocator;
    ct_array_init(&b->joints, a);
    ct_array_init(&b->parents, a);
    ct_array_init(&b->masks, a);
    ct_array_init(&b->mask_weights, a);
    ct_array_init(&b->variable_names, a);
    ct_array_init(&b->variables, a);
    ct_array_init(&b->expressions.words, a);
    ct_array_init(&b->expressions.constants, a);
    ct_array_init(&b->programs, a);
    ct_array_init(&b->clips, a);
    ct_array_init(&b->layer_names, a);
    ct_array_init(&b->state_names, a);
    ct_array_init(&b->enter_events, a);
    ct_array_init(&b->leave_events, a);
    ct_array_init(&b->layers, a);
    ct_array_init(&b->states, a);
    ct_array_init(&b->state_values, a);
    ct_array_init(&b->leaves, a);
    ct_array_init(&b->nodes, a);
    ct_array_init(&b->children, a);
    ct_array_init(&b->triangles, a);
    ct_array_init(&b->edges, a);
    ct_array_init(&b->transitions, a);
    ct_array_init(&b->exits, a);
    ct_array_init(&b->events, a);
}

bool ct_compile_state_machine(ct_compile *c) {
    ct_worker_machine b = {.c = c, .doc = c->doc, .listener = ct_compile_listener(c)};
    init(&b);
    if (!ct_schema_read(&ct_state_machine_schema, c->doc, ct_sjson_root(c->doc), &b.source,
                        &b.listener))
        return false;
    ct_worker_machine_skeleton(&b);
    ct_worker_machine_each(&b, b.source.variables, read_variable, NULL);
    b.expressions.variables = b.variable_names.items;
    b.expressions.num_variables = b.variable_names.count;
    ct_worker_machine_masks(&b);
    ct_worker_machine_each(&b, b.source.layers, ct_worker_machine_layer, NULL);
    if (b.layers.count == 0 && ct_compile_error_count(c) == 0)
        ct_worker_machine_error(&b, b.source.layers, "layers: found none, expected 1 or more");
    if (ct_compile_error_count(c) > 0)
        return false;
    ct_worker_machine_write(&b);
    return true;
}
