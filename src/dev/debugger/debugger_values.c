// Answers about values: scopes, parts, evaluations, changes and completions.

#include <math.h>
#include <string.h>

#include "dev/console_complete.h"
#include "dev/debugger/debugger_private.h"

enum { MAX_SCOPES = 16 };

// A question to a stopped state, and its answer.
typedef struct query {
    ct_debugger_state *state;
    uint32_t frame, value, first, max;
    double seconds;
    const char *name, *text;
    ct_lua_debugger_value *found;
    uint32_t count, total; // of `found`
    ct_string_builder *names;
    bool is_done;
    ct_error error;
} query;

static void write_value(ct_sjson_writer *w, const query *q, const ct_lua_debugger_value *v) {
    ct_sjson_member_string(w, "text", v->text);
    ct_sjson_member_string(w, "kind", v->type);
    ct_sjson_member_number(w, "value", ct_debugger_number(q->state->number, v->value));
    ct_sjson_member_number(w, "count", v->count);
}

// Asks on the state's thread; the request fails with the error of the answer.
static bool ask(ct_debugger_request *r, query *q, void (*run)(void *data)) {
    ct_debugger_begin_evaluation(q->state);
    ct_debugger_run_on(q->state, run, q);
    ct_debugger_end_evaluation(r->debugger);
    if (!q->is_done)
        *r->error = q->error;
    if (!q->is_done && r->error->message[0] == '\0')
        ct_error_set(r->error, "it has no value");
    return q->is_done;
}

// Returns the state that a value belongs to: one that has stopped, or the game's at the frame boundary; or
// NULL with the request's error.
static ct_debugger_state *state_of_value(ct_debugger_request *r, uint32_t number) {
    ct_debugger *const d = r->debugger;
    if (number == 0 && d->loop_depth == 0 && d->states[0].core)
        return &d->states[0];
    return ct_debugger_stopped_state(r, number, "the value");
}

// --- Scopes and parts ----------------------------------------------------------------------------

static void find_scopes(void *data) {
    query *const q = data;
    q->count = ct_lua_debugger_scopes(q->state->core, q->frame, q->found, MAX_SCOPES, &q->error);
    q->is_done = q->count > 0 || q->error.message[0] == '\0';
}

bool ct_debugger_do_scopes(ct_debugger_request *r) {
    ct_lua_debugger_value found[MAX_SCOPES];
    query q = {.found = found};
    uint32_t number;
    if (!ct_debugger_take_number_of(r, "frame", NULL, &number, &q.frame))
        return false;
    q.state = ct_debugger_stopped_state(r, number, "the frame");
    if (!q.state || !ask(r, &q, find_scopes))
        return false;
    ct_sjson_write_key(r->w, "scopes");
    ct_sjson_begin_array(r->w);
    for (uint32_t i = 0; i < q.count; ++i) {
        ct_sjson_begin_object(r->w);
        ct_sjson_member_string(r->w, "name", found[i].name);
        ct_sjson_member_number(r->w, "value", ct_debugger_number(number, found[i].value));
        ct_sjson_member_number(r->w, "count", found[i].count);
        ct_sjson_end_object(r->w);
    }
    ct_sjson_end_array(r->w);
    return true;
}

static void find_parts(void *data) {
    query *const q = data;
    q->count = ct_lua_debugger_parts(q->state->core, q->value, q->first, q->max, q->found,
                                     &q->total, &q->error);
    q->is_done = q->error.message[0] == '\0';
}

static void write_parts(ct_sjson_writer *w, const query *q) {
    ct_sjson_write_key(w, "values");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < q->count; ++i) {
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "name", q->found[i].name);
        write_value(w, q, &q->found[i]);
        ct_sjson_member_bool(w, "can_set", q->found[i].can_set);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_sjson_member_number(w, "total", q->total);
}

bool ct_debugger_do_values(ct_debugger_request *r) {
    const uint32_t zero = 0, usual = 100;
    query q = {.max = 0};
    uint32_t number;
    if (!ct_debugger_take_number_of(r, "value", NULL, &number, &q.value) ||
        !ct_debugger_take_whole(r, r->root, "first", 0, INT32_MAX, &zero, &q.first) ||
        !ct_debugger_take_whole(r, r->root, "count", 1, CT_DEBUGGER_MAX_VALUES, &usual, &q.max))
        return false;
    q.state = state_of_value(r, number);
    if (!q.state)
        return false;
    q.found = CT_NEW_ARRAY(r->debugger->allocator, ct_lua_debugger_value, q.max);
    const bool is_done = ask(r, &q, find_parts);
    if (is_done)
        write_parts(r->w, &q);
    ct_free_sized(r->debugger->allocator, q.found, sizeof(*q.found) * (uint64_t)q.max);
    return is_done;
}

// --- Evaluating ----------------------------------------------------------------------------------

static void evaluate(void *data) {
    query *const q = data;
    q->is_done = ct_lua_debugger_evaluate(q->state->core, q->frame, q->text, q->seconds, q->found,
                                          &q->error);
}

// Takes `frame`, and the state that it belongs to: without a frame the first that has stopped. `state` is
// NULL while nothing has stopped.
static bool take_frame(ct_debugger_request *r, query *q) {
    const double none = 0;
    uint32_t number;
    if (!ct_debugger_take_number_of(r, "frame", &none, &number, &q->frame))
        return false;
    q->state = q->frame ? ct_debugger_stopped_state(r, number, "the frame")
                        : ct_debugger_first_stopped(r->debugger);
    return q->state || !q->frame;
}

bool ct_debugger_do_evaluate(ct_debugger_request *r) {
    const double usual = 2;
    ct_lua_debugger_value result = {.value = 0};
    query q = {.found = &result};
    if (!ct_debugger_take_text(r, r->root, "text", true, &q.text) ||
        !ct_debugger_take_number(r, r->root, "seconds", 0.001, CT_LUA_DEBUGGER_MAX_SECONDS, &usual,
                                 &q.seconds) ||
        !take_frame(r, &q))
        return false;
    if (!q.state) // while the game runs: at the frame boundary
        q.state = &r->debugger->states[0];
    if (!ask(r, &q, evaluate))
        return false;
    write_value(r->w, &q, &result);
    return true;
}

static void set(void *data) {
    query *const q = data;
    q->is_done = ct_lua_debugger_set(q->state->core, q->value, q->name, q->frame, q->text, q->found,
                                     &q->error);
}

bool ct_debugger_do_set(ct_debugger_request *r) {
    const double none = 0;
    ct_lua_debugger_value result = {.value = 0};
    query q = {.found = &result};
    uint32_t number, frame_state;
    if (!ct_debugger_take_number_of(r, "value", NULL, &number, &q.value) ||
        !ct_debugger_take_text(r, r->root, "name", true, &q.name) ||
        !ct_debugger_take_text(r, r->root, "text", true, &q.text) ||
        !ct_debugger_take_number_of(r, "frame", &none, &frame_state, &q.frame))
        return false;
    if (q.frame && frame_state != number)
        return ct_error_set(r->error, "the frame and the value belong to different states");
    q.state = state_of_value(r, number);
    if (!q.state || !ask(r, &q, set))
        return false;
    write_value(r->w, &q, &result);
    return true;
}

// --- Completing ----------------------------------------------------------------------------------

static void complete(void *data) {
    query *const q = data;
    q->first = ct_lua_debugger_complete(q->state->core, q->frame, q->text, q->names);
    q->is_done = true;
}

uint32_t ct_debugger_complete(ct_debugger *d, const char *text, ct_string_builder *names) {
    query q = {.state = ct_debugger_first_stopped(d), .text = text, .names = names};
    if (q.state)
        ct_debugger_run_on(q.state, complete, &q);
    return q.first;
}

static void write_names(ct_sjson_writer *w, const char *name) {
    ct_sjson_write_key(w, "names");
    ct_sjson_begin_array(w);
    while (*name != '\0') {
        const uint32_t bytes = (uint32_t)strcspn(name, "\n");
        ct_sjson_write_string_bytes(w, name, bytes);
        name += bytes + (name[bytes] == '\n');
    }
    ct_sjson_end_array(w);
}

bool ct_debugger_do_complete(ct_debugger_request *r) {
    CT_CLEANUP(ct_string_builder_free) ct_string_builder names;
    ct_string_builder_init(&names, r->debugger->allocator);
    query q = {.names = &names};
    if (!ct_debugger_take_text(r, r->root, "text", true, &q.text) || !take_frame(r, &q))
        return false;
    if (q.state && !ask(r, &q, complete))
        return false;
    if (!q.state) {
        ct_console_target target = *r->target;
        q.first = ct_console_complete(&target, q.text, &names);
    }
    ct_sjson_member_number(r->w, "start", q.first);
    write_names(r->w, ct_string_builder_text(&names));
    return true;
}
