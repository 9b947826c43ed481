#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/db/db_call.h"
#include "cli/size_text.h"
#include "content/database/database_project.h"
#include "database/database_text.h"
#include "foundation/os/file.h"

// --- Info ------------------------------------------------------------------------------------------

bool ct_db_info(ct_db_call *call, ct_error *error) {
    (void)error;
    ct_database_state_stats stats;
    ct_database_state_stats_get(ct_database_committed(call->db), &stats);
    const ct_database_branch *const branch = ct_database_get_branch(call->db);
    char time[CT_DATABASE_TIME_TEXT_BYTES] = "never";
    const uint64_t last = ct_database_vector_last(&branch->has);
    if (last > 0)
        ct_database_time_format(last, time);
    printf("branch         %s\nreplicas       %u\nlast commit    %s\nobjects        %u\nvalues     "
           "    %u\n"
           "set elements   %u\nconflicts      %u\nlocal changes  %u\nmemory         %s\n",
           branch->name, branch->has.stamps.count, time, stats.num_objects, stats.num_values,
           stats.num_elements, stats.num_conflicts, ct_database_local(call->db)->list.count,
           ct_size_text_of(stats.memory_bytes).text);
    return true;
}

// --- Query -----------------------------------------------------------------------------------------

typedef struct query {
    const char *type, *key;
    ct_database_value value; // when has_value
    bool has_value;
    ct_guid references; // when refers
    bool refers;
} query;

static bool is_reference_to(const ct_database_value *value, ct_guid target) {
    if (value->kind == CT_DATABASE_REFERENCE)
        return ct_guid_is_equal(value->reference, target);
    for (uint32_t i = 0; value->kind == CT_DATABASE_SET && i < value->set.count; ++i)
        if (ct_guid_is_equal(value->set.items[i], target))
            return true;
    return false;
}

static bool refers_to(ct_database *db, ct_guid object, ct_guid target) {
    uint32_t place = 0, length;
    const char *key;
    while (ct_database_next_key(db, object, &place, &key, &length)) {
        const ct_database_value value = ct_database_get_bytes(db, object, key, length);
        if (is_reference_to(&value, target))
            return true;
    }
    return false;
}

static bool fits(ct_database *db, ct_guid object, const query *q) {
    if (q->type) {
        const ct_database_value type = ct_database_get(db, object, "type");
        if (type.kind != CT_DATABASE_STRING || strcmp(type.string.text, q->type) != 0)
            return false;
    }
    if (q->key) {
        const ct_database_value value = ct_database_get(db, object, q->key);
        if (value.kind == CT_DATABASE_NULL ||
            (q->has_value && !ct_database_value_is_equal(&value, &q->value)))
            return false;
    }
    return !q->refers || refers_to(db, object, q->references);
}

static int compare_guids(const void *a, const void *b) {
    return ct_guid_compare(*(const ct_guid *)a, *(const ct_guid *)b);
}

static bool print_row(void *user, uint32_t num_columns, const char *const *columns, bool is_names) {
    ct_string_builder *const out = user;
    for (uint32_t i = 0; i < num_columns; ++i) {
        ct_string_builder_add(out, i > 0 ? "\t" : "");
        for (const char *c = columns[i] ? columns[i] : ""; *c; ++c) {
            const bool breaks_line = *c == '\t' || *c == '\n' || *c == '\r' || *c == '\\';
            if (breaks_line)
                ct_string_builder_add_char(out, '\\');
            ct_string_builder_add_char(out, *c == '\t'   ? 't'
                                            : *c == '\n' ? 'n'
                                            : *c == '\r' ? 'r'
                                                         : *c);
        }
    }
    ct_string_builder_add_char(out, '\n');
    if (is_names || out->length > 1 << 16)
        ct_db_print(out);
    return true;
}

static bool query_sql(ct_db_call *call, const char *sql, ct_string_builder *out, ct_error *error) {
    ct_database_store *const store = ct_database_get_store(call->db);
    return store->functions->query(store, ct_database_get_branch(call->db), sql, print_row, out,
                                   error);
}

static bool read_query(ct_db_call *call, query *q, ct_database_operations *bytes, ct_error *error) {
    const char *const value = ct_db_option(call, "value");
    const char *const references = ct_db_option(call, "references");
    q->type = ct_db_option(call, "type");
    q->key = ct_db_option(call, "key");
    q->has_value = value != NULL;
    q->refers = references != NULL;
    if (value && !q->key)
        return ct_error_set(error, "--value needs --key");
    ct_error why = {0};
    if (value && !ct_database_value_read(value, strlen(value), bytes, &q->value, &why))
        return ct_error_set(error, "--value: %s", why.message);
    if (references && !ct_guid_parse(references, strlen(references), &q->references, &why))
        return ct_error_set(error, "--references: %s", why.message);
    return true;
}

static void print_found(ct_db_call *call, const query *q, ct_string_builder *out) {
    CT_ARRAY(ct_guid) found;
    ct_array_init(&found, call->allocator);
    uint32_t place = 0;
    ct_guid object;
    while (ct_database_next_object(call->db, &place, &object))
        if (fits(call->db, object, q))
            ct_array_push(&found, object);
    if (found.count > 0)
        qsort(found.items, found.count, sizeof(ct_guid), compare_guids);
    for (uint32_t i = 0; i < found.count; ++i) {
        ct_db_write_object(call->db, found.items[i], out);
        ct_db_print(out);
    }
    ct_array_free(&found);
}

// What is at a place of a file: an object, or a key of one with its value.
static bool print_place(ct_db_call *call, const char *file, const char *at, ct_string_builder *out,
                        ct_error *error) {
    ct_database_place place = {0};
    if (at ? !ct_database_find_value(call->db, file, at, &place, error)
           : !ct_database_find_file(call->db, file, &place.object))
        return at ? false : ct_error_set(error, "the database has no file \"%.300s\"", file);
    if (!place.key[0]) {
        ct_db_write_object(call->db, place.object, out);
        return true;
    }
    char guid[CT_GUID_TEXT_BYTES];
    ct_guid_format(place.object, guid);
    const ct_database_value key = {.kind = CT_DATABASE_STRING,
                                   .string = {place.key, (uint32_t)strlen(place.key)}};
    const ct_database_value value = ct_database_get(call->db, place.object, place.key);
    ct_string_builder_addf(out, "{\"object\":\"%s\",\"key\":", guid);
    ct_database_value_write(&key, out);
    ct_string_builder_add(out, ",\"value\":");
    ct_database_value_write(&value, out);
    ct_string_builder_add(out, "}\n");
    return true;
}

bool ct_db_query(ct_db_call *call, ct_error *error) {
    const char *const sql = ct_db_option(call, "sql"), *const file = ct_db_option(call, "file");
    const char *const at = ct_db_option(call, "at");
    ct_string_builder out;
    ct_string_builder_init(&out, call->allocator);
    ct_database_operations bytes;
    ct_database_operations_init(&bytes, call->allocator);
    query q = {0};
    bool is_done = read_query(call, &q, &bytes, error);
    const bool is_filtered = q.type || q.key || q.refers;
    if (!is_done)
        ;
    else if (sql && (is_filtered || file || at))
        is_done = ct_error_set(error, "--sql excludes the other options of query");
    else if (at && !file)
        is_done = ct_error_set(error, "--at needs --file");
    else if (file && is_filtered)
        is_done = ct_error_set(error, "--file excludes --type, --key and --references");
    else if (sql)
        is_done = query_sql(call, sql, &out, error);
    else if (file)
        is_done = print_place(call, file, at, &out, error);
    else
        print_found(call, &q, &out);
    ct_db_print(&out);
    ct_string_builder_free(&out);
    ct_database_operations_free(&bytes);
    return is_done;
}

// --- Changes ---------------------------------------------------------------------------------------

bool ct_db_change(ct_db_call *call, ct_error *error) {
    const char *const path = call->num_operands > 0 ? call->operands[0] : "-";
    const bool is_input = strcmp(path, "-") == 0;
    uint64_t size_bytes;
    if (!ct_db_expect_no_local(call, error))
        return false;
    char *const text =
        ct_file_read_input(call->allocator, is_input ? "/dev/stdin" : path, &size_bytes, error);
    if (!text)
        return false;
    ct_database_operations operations;
    ct_database_operations_init(&operations, call->allocator);
    bool is_done = ct_database_operations_read(text, size_bytes, is_input ? "standard input" : path,
                                               &operations, error);
    for (uint32_t i = 0; is_done && i < operations.list.count; ++i) {
        ct_error why = {0};
        if (!ct_database_change(call->db, &operations.list.items[i], &why))
            is_done =
                ct_error_set(error, "operation %u: %s; nothing was changed", i + 1, why.message);
    }
    is_done = is_done && ct_db_commit(call, NULL, error);
    if (!is_done)
        ct_database_leave_local(call->db);
    if (is_done)
        printf("%u operation%s\n", operations.list.count, ct_db_plural(operations.list.count));
    ct_database_operations_free(&operations);
    ct_free(call->allocator, text);
    return is_done;
}

static bool read_indices(ct_db_call *call, ct_u32_array *indices, ct_error *error) {
    const uint32_t num_local = ct_database_local(call->db)->list.count;
    for (uint32_t i = 1; i < call->num_operands; ++i) {
        uint32_t index = 0;
        if (!ct_command_count("NUMBER", call->operands[i], 0, UINT32_MAX - 1, &index, error))
            return false;
        if (index >= num_local)
            return ct_error_set(error, "there is no local change %u; there are %u, from 0", index,
                                num_local);
        ct_array_push(indices, index);
    }
    return true;
}

static void print_local(ct_db_call *call) {
    const ct_database_operations *const local = ct_database_local(call->db);
    ct_string_builder out;
    ct_string_builder_init(&out, call->allocator);
    for (uint32_t i = 0; i < local->list.count; ++i) {
        ct_string_builder_addf(&out, "%u\t", i);
        ct_database_operation_write(&local->list.items[i], &out);
        ct_string_builder_add_char(&out, '\n');
    }
    ct_db_print(&out);
    ct_string_builder_free(&out);
}

bool ct_db_local(ct_db_call *call, ct_error *error) {
    const char *const what = call->num_operands > 0 ? call->operands[0] : "list";
    ct_u32_array indices;
    ct_array_init(&indices, call->allocator);
    bool is_done = read_indices(call, &indices, error);
    const uint32_t *const chosen = call->num_operands > 1 ? indices.items : NULL;
    if (!is_done)
        ;
    else if (strcmp(what, "list") == 0 && call->num_operands > 1)
        is_done = ct_error_set(error, "local list: found \"%.100s\"; expected no more operands",
                               call->operands[1]);
    else if (strcmp(what, "list") == 0)
        print_local(call);
    else if (strcmp(what, "commit") == 0)
        is_done = ct_database_commit_local(call->db, chosen, indices.count,
                                           ct_db_option(call, "message"), error);
    else if (strcmp(what, "revert") == 0)
        ct_database_revert_local(call->db, chosen, indices.count);
    else
        is_done =
            ct_error_set(error, "local: found \"%.100s\"; expected list, commit or revert", what);
    ct_array_free(&indices);
    return is_done;
}

// --- Integrity -------------------------------------------------------------------------------------

static void write_fault(const ct_database_fault *fault, ct_string_builder *out) {
    char object[CT_GUID_TEXT_BYTES], target[CT_GUID_TEXT_BYTES];
    ct_guid_format(fault->object, object);
    ct_guid_format(fault->target, target);
    if (fault->type == CT_DATABASE_FAULT_DANGLING)
        ct_string_builder_addf(out, "dangling: %s.%.*s refers to %s, which does not exist\n",
                               object, (int)fault->key_length, fault->key, target);
    else
        ct_string_builder_addf(out, "garbage: no references lead from the root to %s\n", object);
}

bool ct_db_check(ct_db_call *call, ct_error *error) {
    ct_database_store *const store = ct_database_get_store(call->db);
    ct_string_builder out;
    ct_string_builder_init(&out, call->allocator);
    ct_database_fault_array faults;
    ct_array_init(&faults, call->allocator);
    bool is_done = store->functions->check(store, &out, error);
    const bool is_damaged = out.length > 0;
    ct_database_state_check(ct_database_committed(call->db), call->allocator, &faults);
    for (uint32_t i = 0; i < faults.count; ++i)
        write_fault(&faults.items[i], &out);
    if (is_done && is_damaged)
        is_done = ct_error_set(error, "the database is damaged");
    else if (is_done && faults.count > 0)
        is_done = ct_error_set(error, "%u fault%s", faults.count, ct_db_plural(faults.count));
    ct_db_print(&out);
    ct_array_free(&faults);
    ct_string_builder_free(&out);
    return is_done;
}

// Makes local changes that destroy the objects that no references lead to from the root.
static bool destroy_garbage(ct_db_call *call, uint32_t *num_destroyed, ct_error *error) {
    ct_database_fault_array faults;
    ct_array_init(&faults, call->allocator);
    ct_database_state_check(ct_database_committed(call->db), call->allocator, &faults);
    bool is_done = true;
    for (uint32_t i = 0; is_done && i < faults.count; ++i) {
        if (faults.items[i].type != CT_DATABASE_FAULT_GARBAGE)
            continue;
        const ct_database_operation destroy = {.type = CT_DATABASE_DESTROY,
                                               .object = faults.items[i].object};
        is_done = ct_database_change(call->db, &destroy, error);
        ++*num_destroyed;
    }
    ct_array_free(&faults);
    return is_done;
}

bool ct_db_collect(ct_db_call *call, ct_error *error) {
    uint64_t freed_bytes = 0;
    uint32_t num_destroyed = 0;
    if (!ct_db_expect_no_local(call, error))
        return false;
    if (!destroy_garbage(call, &num_destroyed, error) ||
        !ct_db_commit(call, "Remove objects that nothing refers to", error)) {
        ct_database_leave_local(call->db);
        return false;
    }
    if (!ct_database_collect(call->db, &freed_bytes, error))
        return false;
    printf("removed %u object%s that nothing refers to; freed %s of blobs that nothing names\n",
           num_destroyed, ct_db_plural(num_destroyed), ct_size_text_of(freed_bytes).text);
    return true;
}
