// `cuttle db session`: requests of a program on standard input, a line each, answers on standard output, a line of
// JSON each. tools/cuttle_db.py is a client.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/db/db_call.h"
#include "database/database_text.h"

// A request: its first word, and the rest of the line.
typedef struct session {
    ct_db_call *call;
    ct_database *db;
    ct_string_builder out; // the answer
} session;

static void write_text(session *s, const char *text) {
    const ct_database_value value = {.kind = CT_DATABASE_STRING,
                                     .string = {text, (uint32_t)strlen(text)}};
    ct_database_value_write(&value, &s->out);
}

static void write_operations(session *s, const char *name,
                             const ct_database_operations *operations) {
    ct_string_builder_addf(&s->out, "{\"%s\":[", name);
    for (uint32_t i = 0; i < operations->list.count; ++i) {
        ct_string_builder_add(&s->out, i ? "," : "");
        ct_database_operation_write(&operations->list.items[i], &s->out);
    }
    ct_string_builder_add(&s->out, "]}\n");
}

static bool read_guid(const char *text, ct_guid *guid, ct_error *error) {
    return ct_guid_parse(text, strlen(text), guid, error);
}

// object GUID
static bool answer_object(session *s, const char *rest, ct_error *error) {
    ct_guid object;
    if (!read_guid(rest, &object, error))
        return false;
    if (!ct_database_has(s->db, object))
        return ct_error_set(error, "there is no object %s", rest);
    ct_db_write_object(s->db, object, &s->out);
    return true;
}

// objects
static bool answer_objects(session *s, const char *rest, ct_error *error) {
    (void)rest;
    (void)error;
    uint32_t place = 0;
    ct_guid object;
    ct_string_builder_add(&s->out, "{\"objects\":[");
    for (bool is_first = true; ct_database_next_object(s->db, &place, &object); is_first = false) {
        char guid[CT_GUID_TEXT_BYTES];
        ct_guid_format(object, guid);
        ct_string_builder_addf(&s->out, "%s\"%s\"", is_first ? "" : ",", guid);
    }
    ct_string_builder_add(&s->out, "]}\n");
    return true;
}

// change OPERATION
static bool answer_change(session *s, const char *rest, ct_error *error) {
    ct_database_operations one;
    ct_database_operations_init(&one, s->call->allocator);
    const bool is_done = ct_database_operation_read(rest, strlen(rest), &one, error) &&
                         ct_database_change(s->db, &one.list.items[0], error);
    ct_database_operations_free(&one);
    ct_string_builder_add(&s->out, "{}\n");
    return is_done;
}

// Reads a text that may be written as a string of JSON, for those with line ends. `bytes` keeps it.
static bool read_text(const char *rest, ct_database_operations *bytes, const char **text,
                      ct_error *error) {
    ct_database_value value = {0};
    *text = rest;
    if (rest[0] != '"')
        return true;
    if (!ct_database_value_read(rest, strlen(rest), bytes, &value, error))
        return false;
    *text = value.string.text;
    return strlen(*text) == value.string.length || ct_error_set(error, "the text has a zero byte");
}

// commit [MESSAGE]: as it is, or a string of JSON
static bool answer_commit(session *s, const char *rest, ct_error *error) {
    ct_database_operations bytes;
    ct_database_operations_init(&bytes, s->call->allocator);
    const char *message;
    const bool is_done = read_text(rest, &bytes, &message, error) &&
                         ct_database_commit_local(s->db, NULL, 0, message, error);
    ct_database_operations_free(&bytes);
    if (!is_done)
        return false;
    char time[CT_DATABASE_TIME_TEXT_BYTES];
    ct_database_time_format(ct_database_vector_last(&ct_database_get_branch(s->db)->has), time);
    ct_string_builder_addf(&s->out, "{\"time\":\"%s\"}\n", time);
    return true;
}

// update SECONDS: the operations of others, when there are some within that time
static bool answer_update(session *s, const char *rest, ct_error *error) {
    double seconds = 0;
    if (!ct_command_number("update", rest[0] ? rest : "0", 0, 3600, &seconds, error))
        return false;
    ct_database_operations changes;
    ct_database_operations_init(&changes, s->call->allocator);
    const bool is_done = ct_database_update(s->db, (uint64_t)(seconds * 1e9), &changes, error);
    if (is_done)
        write_operations(s, "operations", &changes);
    ct_database_operations_free(&changes);
    return is_done;
}

// local
static bool answer_local(session *s, const char *rest, ct_error *error) {
    (void)rest;
    (void)error;
    write_operations(s, "operations", ct_database_local(s->db));
    return true;
}

// revert
static bool answer_revert(session *s, const char *rest, ct_error *error) {
    (void)rest;
    (void)error;
    ct_database_revert_local(s->db, NULL, 0);
    ct_string_builder_add(&s->out, "{}\n");
    return true;
}

// conflicts
static bool answer_conflicts(session *s, const char *rest, ct_error *error) {
    (void)rest;
    (void)error;
    ct_database_conflict_array conflicts;
    ct_array_init(&conflicts, s->call->allocator);
    ct_database_state_conflicts(ct_database_committed(s->db), &conflicts);
    ct_string_builder_add(&s->out, "{\"conflicts\":[");
    for (uint32_t i = 0; i < conflicts.count; ++i) {
        ct_string_builder_add(&s->out, i ? ",{\"won\":" : "{\"won\":");
        ct_database_operation_write(&conflicts.items[i].won.operation, &s->out);
        ct_string_builder_add(&s->out, ",\"lost\":");
        ct_database_operation_write(&conflicts.items[i].lost.operation, &s->out);
        ct_string_builder_add_char(&s->out, '}');
    }
    ct_string_builder_add(&s->out, "]}\n");
    ct_array_free(&conflicts);
    return true;
}

// write_blob FILE: as it is, or a string of JSON
static bool answer_write_blob(session *s, const char *rest, ct_error *error) {
    ct_database_value value = {.kind = CT_DATABASE_BLOB};
    ct_database_operations bytes;
    ct_database_operations_init(&bytes, s->call->allocator);
    const char *file;
    const bool is_done = read_text(rest, &bytes, &file, error) &&
                         ct_database_write_blob_file(s->db, file, &value.blob, error);
    ct_database_operations_free(&bytes);
    if (!is_done)
        return false;
    ct_string_builder_add(&s->out, "{\"value\":");
    ct_database_value_write(&value, &s->out);
    ct_string_builder_add(&s->out, "}\n");
    return true;
}

// read_blob {"blob":…,"bytes":…} FILE
static bool answer_read_blob(session *s, const char *rest, ct_error *error) {
    const char *const end = strchr(rest, '}');
    if (!end || end[1] != ' ')
        return ct_error_set(error, "read_blob: found \"%.100s\"; expected a blob and a file", rest);
    ct_database_operations bytes;
    ct_database_operations_init(&bytes, s->call->allocator);
    ct_database_value value;
    bool is_done = ct_database_value_read(rest, (uint64_t)(end + 1 - rest), &bytes, &value, error);
    if (is_done && value.kind != CT_DATABASE_BLOB)
        is_done = ct_error_set(error, "read_blob: found a %s; expected a blob",
                               ct_database_kind_name(value.kind));
    const char *file;
    is_done = is_done && read_text(end + 2, &bytes, &file, error) &&
              ct_database_read_blob_file(s->db, &value.blob, file, error);
    ct_database_operations_free(&bytes);
    ct_string_builder_add(&s->out, "{}\n");
    return is_done;
}

static const struct {
    const char *name;
    bool (*answer)(session *s, const char *rest, ct_error *error);
} requests[] = {
    {"object", answer_object},         {"objects", answer_objects},
    {"change", answer_change},         {"commit", answer_commit},
    {"update", answer_update},         {"local", answer_local},
    {"revert", answer_revert},         {"conflicts", answer_conflicts},
    {"write_blob", answer_write_blob}, {"read_blob", answer_read_blob},
};

static void answer(session *s, const char *line, uint32_t num_bytes) {
    const size_t length = strcspn(line, " ");
    ct_error error = {0};
    const bool has_zero = strlen(line) != num_bytes;
    bool is_done = false, is_known = false;
    ct_string_builder_clear(&s->out);
    for (uint32_t i = 0; i < CT_COUNT_OF(requests) && !is_known && !has_zero; ++i) {
        is_known =
            strlen(requests[i].name) == length && memcmp(requests[i].name, line, length) == 0;
        if (is_known)
            is_done = requests[i].answer(s, line + length + (line[length] == ' '), &error);
    }
    if (has_zero)
        ct_error_set(&error, "the request has a zero byte; in a value, write it as \\u0000");
    else if (!is_known)
        ct_error_set(&error, "found request \"%.*s\"; see docs/database.md for those there are",
                     length < 100 ? (int)length : 100, line);
    if (!is_done) {
        ct_string_builder_clear(&s->out);
        ct_string_builder_add(&s->out, "{\"error\":");
        write_text(s, error.message);
        ct_string_builder_add(&s->out, "}\n");
    }
    ct_db_print(&s->out);
    fflush(stdout);
}

// Reads a line of any length without its end, zero bytes included. Returns false at the end of the input.
static bool read_line(ct_string_builder *line) {
    char part[4096];
    uint32_t count = 0;
    int c;
    ct_string_builder_clear(line);
    while ((c = getc_unlocked(stdin)) != EOF && c != '\n') {
        part[count++] = (char)c;
        if (count == sizeof(part)) {
            ct_string_builder_add_bytes(line, part, count);
            count = 0;
        }
    }
    ct_string_builder_add_bytes(line, part, count);
    return c != EOF || line->length > 0;
}

bool ct_db_session(ct_db_call *call, ct_error *error) {
    (void)error;
    session s = {.call = call, .db = call->db};
    ct_string_builder line;
    ct_string_builder_init(&s.out, call->allocator);
    ct_string_builder_init(&line, call->allocator);
    while (read_line(&line))
        answer(&s, ct_string_builder_text(&line), line.length);
    ct_string_builder_free(&line);
    ct_string_builder_free(&s.out);
    return true;
}
