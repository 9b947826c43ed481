#include <stdio.h>
#include <string.h>

#include "cli/db/db_call.h"
#include "database/database_text.h"
#include "foundation/string/utf8.h"

// --- Branches --------------------------------------------------------------------------------------

static bool list_branches(ct_db_call *call, ct_error *error) {
    ct_database_store *const store = ct_database_get_store(call->db);
    ct_database_branch_array branches;
    ct_array_init(&branches, call->allocator);
    const bool is_done = store->functions->list_branches(store, &branches, error);
    for (uint32_t i = 0; is_done && i < branches.count; ++i) {
        char time[CT_DATABASE_TIME_TEXT_BYTES] = "empty";
        const uint64_t last = ct_database_vector_last(&branches.items[i].has);
        if (last > 0)
            ct_database_time_format(last, time);
        printf("%-24s %s\n", branches.items[i].name, time);
    }
    for (uint32_t i = 0; i < branches.count; ++i)
        ct_database_branch_free(&branches.items[i]);
    ct_array_free(&branches);
    return is_done;
}

bool ct_db_branch(ct_db_call *call, ct_error *error) {
    if (call->num_operands == 0)
        return list_branches(call, error);
    ct_database_store *const store = ct_database_get_store(call->db);
    const char *const name = call->operands[0];
    if (!ct_db_option(call, "remove"))
        return store->functions->create_branch(store, name, ct_guid_make(),
                                               ct_database_get_branch(call->db)->name, error);
    if (strcmp(name, "main") == 0)
        return ct_error_set(error, "branch \"main\" stays: it is the one that is opened without "
                                   "--branch");
    if (strcmp(name, ct_database_get_branch(call->db)->name) == 0)
        return ct_error_set(
            error, "branch \"%s\" is the one that is open; name another with --branch", name);
    return store->functions->remove_branch(store, name, error);
}

// Opens the database that an operand means: with a branch of this name here, this one.
static ct_database_store *open_other(ct_db_call *call, const char *operand, const char **branch,
                                     bool may_create, ct_error *error) {
    ct_database_store *const own = ct_database_get_store(call->db);
    ct_database_branch named;
    if (strlen(operand) <= CT_DATABASE_MAX_BRANCH_BYTES && !may_create) {
        ct_database_branch_init(&named, call->allocator, operand);
        bool is_found = false;
        ct_error ignored;
        const bool is_read = own->functions->read_branch(own, &named, &is_found, &ignored);
        ct_database_branch_free(&named);
        if (is_read && is_found) {
            *branch = operand;
            return own;
        }
    }
    const char *const theirs = ct_db_option(call, "their-branch");
    *branch = theirs ? theirs : "main";
    return ct_database_store_open(call->allocator, operand, may_create, error);
}

bool ct_db_merge(ct_db_call *call, ct_error *error) {
    const char *branch;
    ct_database_store *const other = open_other(call, call->operands[0], &branch, false, error);
    if (!other)
        return false;
    uint32_t num_commits = 0, num_conflicts = 0;
    const bool is_done =
        ct_database_merge(call->db, other, branch, &num_commits, &num_conflicts, error);
    if (is_done)
        printf("%u commit%s, %u new conflict%s%s\n", num_commits, ct_db_plural(num_commits),
               num_conflicts, ct_db_plural(num_conflicts),
               num_conflicts > 0 ? "; see `cuttle db conflicts`" : "");
    if (other != ct_database_get_store(call->db))
        other->functions->close(other);
    return is_done;
}

bool ct_db_push(ct_db_call *call, ct_error *error) {
    const char *branch;
    ct_database_store *const other = open_other(call, call->operands[0], &branch, true, error);
    if (!other)
        return false;
    uint32_t num_commits = 0;
    const bool is_done = ct_database_push(call->db, other, branch, &num_commits, error);
    if (is_done)
        printf("%u commit%s\n", num_commits, ct_db_plural(num_commits));
    other->functions->close(other);
    return is_done;
}

// --- History ---------------------------------------------------------------------------------------

static bool print_commit(void *user, const ct_database_commit *commit) {
    const ct_db_call *const call = user;
    char time[CT_DATABASE_TIME_TEXT_BYTES], author[1024], message[8192];
    ct_database_time_format(commit->stamp.time, time);
    ct_utf8_write_printable(author, sizeof(author), commit->author);
    ct_utf8_write_printable(message, sizeof(message), commit->message);
    const uint32_t count = commit->operations.list.count;
    printf("%s\t%s\t%u operation%s\t%s\n", time, author, count, ct_db_plural(count), message);
    if (!ct_db_option(call, "operations"))
        return true;
    ct_string_builder out;
    ct_string_builder_init(&out, call->allocator);
    for (uint32_t i = 0; i < commit->operations.list.count; ++i) {
        ct_database_operation_write(&commit->operations.list.items[i], &out);
        ct_string_builder_add_char(&out, '\n');
    }
    ct_db_print(&out);
    ct_string_builder_free(&out);
    return true;
}

bool ct_db_log(ct_db_call *call, ct_error *error) {
    return ct_database_history(call->db, print_commit, call, error);
}

// The state of a version: a time of this branch, or another branch. *other is to be closed.
static const ct_database_state *version_state(ct_db_call *call, const char *version,
                                              ct_database **other, ct_database_state **made,
                                              ct_error *error) {
    uint64_t time;
    ct_error ignored;
    if (ct_database_time_parse(version, strlen(version), &time, &ignored))
        return *made = ct_database_state_at(call->db, time, error);
    const ct_database_desc desc = {.location = call->arguments->operands[1], .branch = version};
    *other = ct_database_open(call->allocator, &desc, error);
    return *other ? ct_database_committed(*other) : NULL;
}

bool ct_db_diff(ct_db_call *call, ct_error *error) {
    ct_database *others[2] = {0};
    ct_database_state *made[2] = {0};
    const ct_database_state *states[2] = {NULL, ct_database_committed(call->db)};
    bool is_done = true;
    for (uint32_t i = 0; is_done && i < call->num_operands; ++i) {
        states[i] = version_state(call, call->operands[i], &others[i], &made[i], error);
        is_done = states[i] != NULL;
    }
    if (is_done) {
        ct_database_operations operations;
        ct_database_operations_init(&operations, call->allocator);
        ct_string_builder out;
        ct_string_builder_init(&out, call->allocator);
        ct_database_state_diff(states[0], states[1], &operations);
        for (uint32_t i = 0; i < operations.list.count; ++i) {
            ct_database_operation_write(&operations.list.items[i], &out);
            ct_string_builder_add_char(&out, '\n');
        }
        ct_db_print(&out);
        ct_string_builder_free(&out);
        ct_database_operations_free(&operations);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        ct_database_state_destroy(made[i]);
        ct_database_close(others[i]);
    }
    return is_done;
}

// --- Conflicts -------------------------------------------------------------------------------------

static void write_row(const char *name, const ct_database_row *row, ct_string_builder *out) {
    char time[CT_DATABASE_TIME_TEXT_BYTES];
    ct_database_time_format(row->stamp.time, time);
    ct_string_builder_addf(out, "    %s %s ", name, time);
    ct_database_operation_write(&row->operation, out);
    ct_string_builder_add_char(out, '\n');
}

static void print_conflicts(ct_db_call *call, const ct_database_conflict_array *conflicts) {
    ct_string_builder out;
    ct_string_builder_init(&out, call->allocator);
    for (uint32_t i = 0; i < conflicts->count; ++i) {
        ct_string_builder_addf(&out, "%u\n", i);
        write_row("won ", &conflicts->items[i].won, &out);
        write_row("lost", &conflicts->items[i].lost, &out);
    }
    ct_db_print(&out);
    ct_string_builder_free(&out);
}

// "3", or "all". *first and *end are the range.
static bool read_choice(const char *name, const char *text, uint32_t count, uint32_t *first,
                        uint32_t *end, ct_error *error) {
    *first = 0;
    *end = count;
    if (strcmp(text, "all") == 0)
        return true;
    if (count == 0)
        return ct_error_set(error, "%s: there are no conflicts", name);
    if (!ct_command_count(name, text, 0, count - 1, first, error))
        return false;
    *end = *first + 1;
    return true;
}

bool ct_db_conflicts(ct_db_call *call, ct_error *error) {
    const char *const undo = ct_db_option(call, "undo"), *const accept =
                                                             ct_db_option(call, "accept");
    ct_database_conflict_array conflicts;
    ct_array_init(&conflicts, call->allocator);
    ct_database_state_conflicts(ct_database_committed(call->db), &conflicts);
    bool is_done =
        !(undo && accept) || ct_error_set(error, "--undo and --accept exclude each other");
    uint32_t first = 0, end = 0;
    is_done = is_done && (!(undo || accept) || ct_db_expect_no_local(call, error));
    if (is_done && (undo || accept))
        is_done = read_choice(undo ? "--undo" : "--accept", undo ? undo : accept, conflicts.count,
                              &first, &end, error);
    else if (is_done)
        print_conflicts(call, &conflicts);
    if (is_done && undo && end > first)
        is_done = ct_database_undo_conflicts(call->db, conflicts.items + first, end - first, error);
    for (uint32_t i = first; is_done && accept && i < end; ++i)
        ct_database_accept_conflict(call->db, &conflicts.items[i]);
    if (is_done && end > first)
        is_done = ct_db_commit(
            call, undo ? "Undo decisions of a merge" : "Accept decisions of a merge", error);
    if (!is_done)
        ct_database_leave_local(call->db);
    ct_array_free(&conflicts);
    return is_done;
}
