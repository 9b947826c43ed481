// db_call.h: the verbs of `cuttle db`.
#pragma once
#include "cli/command.h"
#include "database/database.h"
#include "foundation/string/string_builder.h"

// One call. The database is open at the branch of --branch.
typedef struct ct_db_call {
    ct_allocator *allocator;
    const ct_command_arguments *arguments;
    const char *const *operands; // behind the verb and the database
    uint32_t num_operands;
    const char *branch; // --branch, or NULL
    ct_database *db;
} ct_db_call;

// A verb. `run` returns false with `error` when it failed; it prints what it found itself.
typedef struct ct_db_verb {
    const char *name;
    const char *operands; // as help shows them
    const char *options;  // those it takes beside --branch, with spaces between and around them
    uint32_t least_operands, most_operands;
    bool may_create; // the database
    bool (*run)(ct_db_call *call, ct_error *error);
} ct_db_verb;

// Returns the end of a word for this number of things: "" or "s".
static inline const char *ct_db_plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

// Returns the value of an option of `cuttle db`, or NULL.
const char *ct_db_option(const ct_db_call *call, const char *name);

// Writes what was collected to standard output and empties it.
void ct_db_print(ct_string_builder *text);

// Appends an object as a line of JSON: {"object":"GUID","keys":{…}}.
void ct_db_write_object(ct_database *db, ct_guid object, ct_string_builder *out);

// Commits the local changes that this call made with --message; with --local they stay local. Call
// ct_db_expect_no_local before they are made: without --local, others must not be there.
bool ct_db_expect_no_local(ct_db_call *call, ct_error *error);
bool ct_db_commit(ct_db_call *call, const char *message, ct_error *error);

// Print what the database is, the objects that the options choose; make the operations of a file; list, commit and
// revert local changes (db_objects.c).
bool ct_db_info(ct_db_call *call, ct_error *error);
bool ct_db_query(ct_db_call *call, ct_error *error);
bool ct_db_change(ct_db_call *call, ct_error *error);
bool ct_db_local(ct_db_call *call, ct_error *error);
// Look for damage and wrong references; remove objects that nothing refers to and blobs that nothing names
// (db_objects.c).
bool ct_db_check(ct_db_call *call, ct_error *error);
bool ct_db_collect(ct_db_call *call, ct_error *error);
// List, make and remove branches; take in what another has, and bring it ours; list commits (db_versions.c).
bool ct_db_branch(ct_db_call *call, ct_error *error);
bool ct_db_merge(ct_db_call *call, ct_error *error);
bool ct_db_push(ct_db_call *call, ct_error *error);
bool ct_db_log(ct_db_call *call, ct_error *error);
// Print the operations between versions; list and settle conflicts (db_versions.c).
bool ct_db_diff(ct_db_call *call, ct_error *error);
bool ct_db_conflicts(ct_db_call *call, ct_error *error);
// Bring the files of a project in, and out again; run a script of Lua (db_project.c).
bool ct_db_import(ct_db_call *call, ct_error *error);
bool ct_db_export(ct_db_call *call, ct_error *error);
bool ct_db_lua(ct_db_call *call, ct_error *error);
// Answers the requests of a program, line by line (db_session.c).
bool ct_db_session(ct_db_call *call, ct_error *error);
