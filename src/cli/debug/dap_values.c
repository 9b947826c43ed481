#include "cli/debug/dap_values.h"

#include <stdio.h>
#include <string.h>

#include "cli/debug/dap_handlers.h"

enum {
    MAX_PARTS = 10000, // of a value in one response
    PAGE_PARTS = 1000, // of an answer of the game
    PAGED_COUNT = 100, // from here on clients get parts page by page
    NAME_BYTES = 512,
};

void ct_dap_write_value(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value object,
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

static bool is_identifier(const char *name) {
    static const char *const words[] = {"and",   "break", "do",       "else", "elseif", "end",
                                        "false", "for",   "function", "goto", "if",     "in",
                                        "local", "nil",   "not",      "or",   "repeat", "return",
                                        "then",  "true",  "until",    "while"};
    for (uint32_t i = 0; i < CT_COUNT_OF(words); ++i) {
        if (strcmp(words[i], name) == 0)
            return false;
    }
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char more[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name[0] != '\0' && strchr(letters, name[0]) && name[strspn(name, more)] == '\0';
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
    ct_dap_write_value(s, doc, part, frame, has_name ? text : NULL);
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
