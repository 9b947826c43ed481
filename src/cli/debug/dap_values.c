// dap_values.c: requests about values of the game: what is shown, evaluated, set and completed.
#include <stdio.h>
#include <string.h>

#include "cli/debug/dap_requests.h"

enum {
    MAX_PARTS = 10000, // of a value in one response
    PAGE_PARTS = 1000, // of an answer of the game
    PAGED_COUNT = 100, // from here on clients get parts page by page
    NAME_BYTES = 512,
};

// Writes type, reference and counts of the value in `object`, an answer of the game, and notes it. `name` is
// an expression that gives it in `frame`, or NULL.
static void write_value(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value object,
                        uint32_t frame, const char *name) {
    ct_sjson_writer *const w = &s->writer;
    const uint32_t value = ct_dap_reply_number(doc, object, "value");
    const uint32_t count = ct_dap_reply_number(doc, object, "count");
    const char *const type = ct_dap_reply_string(doc, object, "kind");
    if (s->client.has_types && type[0] != '\0')
        ct_sjson_member_string(w, "type", type);
    ct_sjson_member_number(w, "variablesReference", value);
    if (value != 0 && s->client.has_paging) {
        const bool is_paged = count > PAGED_COUNT;
        ct_sjson_member_number(w, "indexedVariables", is_paged ? count : 0);
        ct_sjson_member_number(w, "namedVariables", is_paged ? 0 : count);
    }
    ct_dap_note_value(s, value, frame, count, name, false);
}

// --- Scopes --------------------------------------------------------------------------------------

static bool take_scopes(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                        ct_error *error) {
    (void)error;
    const ct_sjson *const doc = reply->doc;
    const ct_sjson_value scopes = ct_sjson_find(doc, reply->root, "scopes");
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    ct_sjson_write_key(w, "scopes");
    ct_sjson_begin_array(w);
    for (ct_sjson_value v = ct_sjson_first(doc, scopes); v.entry != 0; v = ct_sjson_next(doc, v)) {
        const char *const name = ct_dap_reply_string(doc, v, "name");
        const uint32_t value = ct_dap_reply_number(doc, v, "value");
        const uint32_t count = ct_dap_reply_number(doc, v, "count");
        const bool are_names = strcmp(name, "Locals") == 0 || strcmp(name, "Upvalues") == 0 ||
                               strcmp(name, "Globals") == 0;
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "name", name);
        if (strcmp(name, "Locals") == 0)
            ct_sjson_member_string(w, "presentationHint", "locals");
        else if (strcmp(name, "Varargs") == 0)
            ct_sjson_member_string(w, "presentationHint", "arguments");
        ct_sjson_member_number(w, "variablesReference", value);
        ct_sjson_member_number(w, "namedVariables", count);
        ct_sjson_member_bool(w, "expensive", strcmp(name, "Globals") == 0);
        ct_sjson_end_object(w);
        ct_dap_note_value(s, value, r->first, count, NULL, are_names);
    }
    ct_sjson_end_array(w);
    ct_dap_end_message(s);
    return true;
}

bool ct_dap_do_scopes(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    if (!ct_dap_number(r->arguments, "frameId", &r->first, error))
        return false;
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_scopes");
    ct_sjson_member_number(w, "frame", r->first);
    ct_dap_end_ask(s, r, take_scopes, false);
    return true;
}

// --- Parts of values -----------------------------------------------------------------------------

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

static bool is_identifier(const char *name) {
    static const char *const words[] = {"and",   "break", "do",       "else", "elseif", "end",
                                        "false", "for",   "function", "goto", "if",     "in",
                                        "local", "nil",   "not",      "or",   "repeat", "return",
                                        "then",  "true",  "until",    "while"};
    for (uint32_t i = 0; i < CT_COUNT_OF(words); ++i) {
        if (strcmp(words[i], name) == 0)
            return false;
    }
    const bool starts = name[0] != '\0' && !(name[0] >= '0' && name[0] <= '9');
    return starts && name[strspn(name, NAME_LETTERS)] == '\0';
}

// Writes an expression for the part `name` of a value to `text`. Returns false when it has no such expression: keys
// that are objects, metatables, results of calls.
static bool name_part(const ct_dap_value *of, const char *name, char text[NAME_BYTES]) {
    int length = -1;
    if (!of)
        return false;
    if (of->is_scope)
        length = is_identifier(name) ? snprintf(text, NAME_BYTES, "%s", name) : -1;
    else if (of->name && is_identifier(name))
        length = snprintf(text, NAME_BYTES, "%s.%s", of->name, name);
    else if (of->name && name[0] == '[' && name[1] != '\0' && strchr("0123456789-\"", name[1]))
        length = snprintf(text, NAME_BYTES, "%s%s", of->name, name);
    return length >= 0 && length < NAME_BYTES;
}

static void write_part(ct_dap_session *s, uint32_t reference, const ct_sjson *doc,
                       ct_sjson_value part) {
    ct_sjson_writer *const w = &s->writer;
    const ct_dap_value *const of = ct_dap_value_of(s, reference);
    const char *const name = ct_dap_reply_string(doc, part, "name");
    const uint32_t frame = of ? of->frame : 0;
    char text[NAME_BYTES];
    const bool has_name = name_part(of, name, text);
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", name);
    ct_sjson_member_string(w, "value", ct_dap_reply_string(doc, part, "text"));
    if (has_name)
        ct_sjson_member_string(w, "evaluateName", text);
    if (!ct_sjson_bool(doc, ct_sjson_find(doc, part, "can_set"), false)) {
        ct_sjson_write_key(w, "presentationHint");
        ct_sjson_begin_object(w);
        ct_sjson_write_key(w, "attributes");
        ct_sjson_begin_array(w);
        ct_sjson_write_string(w, "readOnly");
        ct_sjson_end_array(w);
        ct_sjson_end_object(w);
    }
    write_value(s, doc, part, frame, has_name ? text : NULL);
    ct_sjson_end_object(w);
}

// A last entry for what is left out.
static void write_rest(ct_sjson_writer *w, uint32_t num_left) {
    char text[64];
    snprintf(text, sizeof(text), "%u more", num_left);
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", "…");
    ct_sjson_member_string(w, "value", text);
    ct_sjson_member_number(w, "variablesReference", 0);
    ct_sjson_end_object(w);
}

// Responds with the pages that have come; `num_left` parts are left out.
static void respond_with_pages(ct_dap_session *s, const ct_dap_request *r, uint32_t num_left) {
    uint32_t reference = 0;
    ct_dap_number(r->arguments, "variablesReference", &reference, NULL);
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    ct_sjson_write_key(w, "variables");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < r->pages.count; ++i) {
        const ct_sjson *const doc = r->pages.items[i];
        const ct_sjson_value values = ct_sjson_find(doc, ct_sjson_root(doc), "values");
        for (ct_sjson_value v = ct_sjson_first(doc, values); v.entry != 0;
             v = ct_sjson_next(doc, v))
            write_part(s, reference, doc, v);
    }
    if (num_left != 0)
        write_rest(w, num_left);
    ct_sjson_end_array(w);
    ct_dap_end_message(s);
}

static void ask_for_parts(ct_dap_session *s, ct_dap_request *r);

static bool take_parts(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply, ct_error *error) {
    (void)error;
    const ct_sjson_value values = ct_sjson_find(reply->doc, reply->root, "values");
    const uint32_t total = ct_dap_reply_number(reply->doc, reply->root, "total");
    const uint32_t count = ct_sjson_count(reply->doc, values);
    uint32_t wanted = 0;
    ct_dap_optional_number(r->arguments, "count", &wanted, NULL);
    ct_array_push(&r->pages, reply->doc);
    reply->doc = NULL;
    r->first += count;
    r->left -= count < r->left ? count : r->left;
    if (count != 0 && r->left != 0 && r->first < total)
        ask_for_parts(s, r);
    else
        respond_with_pages(s, r, wanted == 0 && r->first < total ? total - r->first : 0);
    return true;
}

static void ask_for_parts(ct_dap_session *s, ct_dap_request *r) {
    uint32_t reference = 0;
    ct_dap_number(r->arguments, "variablesReference", &reference, NULL);
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_values");
    ct_sjson_member_number(w, "value", reference);
    ct_sjson_member_number(w, "first", r->first);
    ct_sjson_member_number(w, "count", r->left < PAGE_PARTS ? r->left : PAGE_PARTS);
    ct_dap_end_ask(s, r, take_parts, false);
}

bool ct_dap_do_variables(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    uint32_t reference = 0, count = 0;
    const char *filter = "";
    if (!ct_dap_number(r->arguments, "variablesReference", &reference, error) ||
        !ct_dap_optional_number(r->arguments, "start", &r->first, error) ||
        !ct_dap_optional_number(r->arguments, "count", &count, error) ||
        !ct_dap_optional_string(r->arguments, "filter", &filter, error))
        return false;
    const ct_dap_value *const value = ct_dap_value_of(s, reference);
    const bool is_paged = value && !value->is_scope && value->count > PAGED_COUNT;
    r->left = count == 0 || count > MAX_PARTS ? MAX_PARTS : count;
    ct_array_init(&r->pages, s->allocator);
    // What was counted as indexed is not named, and the other way round.
    if (value && s->client.has_paging && filter[0] != '\0' &&
        is_paged != (strcmp(filter, "indexed") == 0))
        respond_with_pages(s, r, 0);
    else
        ask_for_parts(s, r);
    return true;
}

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

// Returns what follows a string in quotes without escapes, or NULL.
static const char *skip_quoted(const char *text) {
    const char *const end = text + 1 + strcspn(text + 1, text[0] == '"' ? "\"\\\n" : "'\\\n");
    return *end == text[0] ? end + 1 : NULL;
}

// Returns what follows `[KEY]` where KEY is a number, a string or a name, or NULL.
static const char *skip_key(const char *text) {
    const char *end = text + 1 + strspn(text + 1, " ");
    if (*end == '"' || *end == '\'')
        end = skip_quoted(end);
    else
        end += strspn(end, NAME_LETTERS ".-");
    end = end ? end + strspn(end, " ") : NULL;
    return end && *end == ']' ? end + 1 : NULL;
}

// Returns whether an expression only names something, such as `a.b[1]["c"]`: to hover over a text must not call
// functions.
static bool is_name_only(const char *expression) {
    const char *at = expression + strspn(expression, " ");
    if (strspn(at, NAME_LETTERS) == 0 || (*at >= '0' && *at <= '9'))
        return false;
    at += strspn(at, NAME_LETTERS);
    while (at && *at != '\0') {
        const size_t spaces = strspn(at, " ");
        if (at[spaces] == '\0')
            break;
        const size_t letters = *at == '.' || *at == ':' ? strspn(at + 1, NAME_LETTERS) : 0;
        if (*at == '[')
            at = skip_key(at);
        else
            at = letters != 0 ? at + 1 + letters : NULL;
    }
    return at != NULL;
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
    write_value(s, reply->doc, reply->root, r->first, is_name_only(expression) ? expression : NULL);
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
    write_value(s, reply->doc, reply->root, r->first, NULL);
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
