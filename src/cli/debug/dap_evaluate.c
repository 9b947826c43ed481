// dap_evaluate.c: requests that run Lua in the game: expressions, new values, completion.
#include <string.h>

#include "cli/debug/dap_handlers.h"
#include "cli/debug/dap_text.h"
#include "cli/debug/dap_values.h"

// --- Evaluation ----------------------------------------------------------------------------------

// Asks for the value of a text in the frame of the request, if it has one.
static void ask_to_evaluate(ct_dap_session *s, ct_dap_request *r, const char *text,
                            ct_dap_answer answer) {
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_evaluate");
    ct_sjson_member_string(w, "text", text);
    if (r->first != 0)
        ct_sjson_member_number(w, "frame", r->first);
    ct_dap_end_ask(s, r, answer, false);
}

// Returns whether an expression only names something: hovering over a text must not call functions.
static bool is_name_only(const char *expression) {
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:[]\" '";
    return expression[strspn(expression, allowed)] == '\0';
}

static bool take_evaluated(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                           ct_error *error) {
    const char *expression = NULL;
    if (!ct_dap_string(r->arguments, "expression", &expression, error))
        return false;
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    const bool is_set = strcmp(r->command, "setExpression") == 0;
    ct_sjson_member_string(w, is_set ? "value" : "result",
                           ct_dap_reply_string(reply->doc, reply->root, "text"));
    ct_dap_write_value(s, reply->doc, reply->root, r->first,
                       is_name_only(expression) ? expression : NULL);
    ct_dap_end_message(s);
    return true;
}

bool ct_dap_do_evaluate(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    const char *expression = NULL, *context = "";
    if (!ct_dap_string(r->arguments, "expression", &expression, error) ||
        !ct_dap_optional_string(r->arguments, "context", &context, error) ||
        !ct_dap_optional_number(r->arguments, "frameId", &r->first, error))
        return false;
    if (strcmp(context, "hover") == 0 && !is_name_only(expression))
        return ct_error_set(error, "\"%.200s\" is not the name of a value", expression);
    ask_to_evaluate(s, r, expression, take_evaluated);
    return true;
}

// --- New values ----------------------------------------------------------------------------------

static bool take_set(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply, ct_error *error) {
    (void)error;
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    ct_sjson_member_string(w, "value", ct_dap_reply_string(reply->doc, reply->root, "text"));
    ct_dap_write_value(s, reply->doc, reply->root, r->first, NULL);
    ct_dap_end_message(s);
    return true;
}

bool ct_dap_do_set_variable(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    uint32_t reference = 0;
    const char *name = NULL, *value = NULL;
    if (!ct_dap_number(r->arguments, "variablesReference", &reference, error) ||
        !ct_dap_string(r->arguments, "name", &name, error) ||
        !ct_dap_string(r->arguments, "value", &value, error))
        return false;
    const ct_dap_value *const of = ct_dap_value_of(s, reference);
    r->first = of ? of->frame : 0;
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_set");
    ct_sjson_member_number(w, "value", reference);
    ct_sjson_member_string(w, "name", name);
    ct_sjson_member_string(w, "text", value);
    if (r->first != 0)
        ct_sjson_member_number(w, "frame", r->first);
    ct_dap_end_ask(s, r, take_set, false);
    return true;
}

// The expression has its new value, which is now asked for.
static bool take_assigned(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                          ct_error *error) {
    (void)reply;
    const char *expression = NULL;
    if (!ct_dap_string(r->arguments, "expression", &expression, error))
        return false;
    ask_to_evaluate(s, r, expression, take_evaluated);
    return true;
}

bool ct_dap_do_set_expression(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    const char *expression = NULL, *value = NULL;
    if (!ct_dap_string(r->arguments, "expression", &expression, error) ||
        !ct_dap_string(r->arguments, "value", &value, error) ||
        !ct_dap_optional_number(r->arguments, "frameId", &r->first, error))
        return false;
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, s->allocator);
    ct_string_builder_addf(&text, "%s = %s", expression, value);
    ask_to_evaluate(s, r, ct_string_builder_text(&text), take_assigned);
    return true;
}

// --- Completion ----------------------------------------------------------------------------------

// The line of the request in which names are completed, and how many bytes of it are before the cursor.
typedef struct typed_line {
    const char *text; // all of it
    uint32_t start;   // of the line, in bytes
    uint32_t bytes;   // from there to the cursor
} typed_line;

static bool read_typed(const ct_dap_session *s, const ct_dap_request *r, typed_line *typed,
                       ct_error *error) {
    uint32_t column = 0, line = s->client.first_line;
    if (!ct_dap_string(r->arguments, "text", &typed->text, error) ||
        !ct_dap_number(r->arguments, "column", &column, error) ||
        !ct_dap_optional_number(r->arguments, "line", &line, error))
        return false;
    const char *start = typed->text;
    for (uint32_t i = s->client.first_line; i < line && start[strcspn(start, "\n")] == '\n'; ++i)
        start += strcspn(start, "\n") + 1;
    const uint32_t units = column > s->client.first_column ? column - s->client.first_column : 0;
    typed->start = (uint32_t)(start - typed->text);
    typed->bytes = ct_dap_byte_at(start, (uint32_t)strcspn(start, "\n"), units);
    return true;
}

static bool take_names(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply, ct_error *error) {
    typed_line typed = {0};
    if (!read_typed(s, r, &typed, error))
        return false;
    const ct_sjson *const doc = reply->doc;
    const uint32_t found = ct_dap_reply_number(doc, reply->root, "start");
    const uint32_t start = found < typed.bytes ? found : typed.bytes;
    const uint32_t before = ct_dap_units_of(typed.text, typed.start + start);
    const uint32_t length = ct_dap_units_of(typed.text + typed.start + start, typed.bytes - start);
    const ct_sjson_value names = ct_sjson_find(doc, reply->root, "names");
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    ct_sjson_write_key(w, "targets");
    ct_sjson_begin_array(w);
    for (ct_sjson_value v = ct_sjson_first(doc, names); v.entry != 0; v = ct_sjson_next(doc, v)) {
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "label", ct_sjson_string(doc, v, ""));
        ct_sjson_member_number(w, "start", before + s->client.first_column);
        ct_sjson_member_number(w, "length", length);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_dap_end_message(s);
    return true;
}

bool ct_dap_do_completions(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    typed_line typed = {0};
    uint32_t frame = 0;
    if (!read_typed(s, r, &typed, error) ||
        !ct_dap_optional_number(r->arguments, "frameId", &frame, error))
        return false;
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_complete");
    ct_sjson_member_bytes(w, "text", typed.text + typed.start, typed.bytes);
    if (frame != 0)
        ct_sjson_member_number(w, "frame", frame);
    ct_dap_end_ask(s, r, take_names, false);
    return true;
}
