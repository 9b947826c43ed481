#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/db/db_call.h"
#include "database/database_text.h"
#include "foundation/error.h"

static const ct_command_option options[] = {
    {"branch", "NAME", "the branch to use (main)"},
    {"their-branch", "NAME", "merge, push: the branch of the other database (main)"},
    {"remove", NULL, "branch: remove it"},
    {"message", "TEXT", "the message of the commit"},
    {"author", "NAME", "the author of the commit (the user's name)"},
    {"local", NULL, "change, conflicts, lua: leave the changes local"},
    {"type", "TYPE", "query: objects whose key \"type\" is this"},
    {"key", "KEY", "query: objects that have this key"},
    {"value", "JSON", "query: with this value"},
    {"references", "GUID", "query: objects that refer to this one"},
    {"file", "PATH", "query: the object of this file of the project"},
    {"at", "PLACE", "query: what is at this place of it, as in \"units[id=a1].position\""},
    {"sql", "TEXT", "query: SQL over the views object, value and element"},
    {"operations", NULL, "log: with the operations of each commit"},
    {"undo", "NUMBER", "conflicts: bring back what lost (or all)"},
    {"accept", "NUMBER", "conflicts: keep what won (or all)"},
    {"rebuild", NULL, "check: make the stored rows again from the log first"},
    {"force", NULL,
     "export: overwrite files that were changed in the folder; import: take a folder without a "
     "record"},
};

static const ct_db_verb verbs[] = {
    {"new", "DATABASE", " ", 0, 0, true, NULL},
    {"info", "DATABASE", " ", 0, 0, false, ct_db_info},
    {"import", "DATABASE PROJECT", " author message force ", 1, 1, true, ct_db_import},
    {"export", "DATABASE FOLDER", " force ", 1, 1, false, ct_db_export},
    {"query", "DATABASE", " type key value references file at sql ", 0, 0, false, ct_db_query},
    {"change", "DATABASE [FILE]", " author message local ", 0, 1, false, ct_db_change},
    {"local", "DATABASE [commit|revert [NUMBER...]]", " author message ", 0,
     CT_COMMAND_ANY_OPERANDS, false, ct_db_local},
    {"branch", "DATABASE [NAME]", " remove ", 0, 1, false, ct_db_branch},
    {"merge", "DATABASE BRANCH|DATABASE", " their-branch ", 1, 1, false, ct_db_merge},
    {"push", "DATABASE DATABASE", " their-branch ", 1, 1, false, ct_db_push},
    {"conflicts", "DATABASE", " undo accept author message local ", 0, 0, false, ct_db_conflicts},
    {"log", "DATABASE", " operations ", 0, 0, false, ct_db_log},
    {"diff", "DATABASE FROM [TO]", " ", 1, 2, false, ct_db_diff},
    {"check", "DATABASE", " rebuild ", 0, 0, false, ct_db_check},
    {"collect", "DATABASE", " author message ", 0, 0, false, ct_db_collect},
    {"session", "DATABASE", " author ", 0, 0, false, ct_db_session},
    {"lua", "DATABASE FILE", " author local ", 1, 1, false, ct_db_lua},
};

const char *ct_db_option(const ct_db_call *call, const char *name) {
    return ct_command_option_of(&ct_command_db, call->arguments, name);
}

void ct_db_print(ct_string_builder *text) {
    fputs(ct_string_builder_text(text), stdout);
    ct_string_builder_clear(text);
}

void ct_db_write_object(ct_database *db, ct_guid object, ct_string_builder *out) {
    char guid[CT_GUID_TEXT_BYTES];
    ct_guid_format(object, guid);
    ct_string_builder_addf(out, "{\"object\":\"%s\",\"keys\":{", guid);
    uint32_t place = 0, length;
    const char *key;
    for (bool is_first = true; ct_database_next_key(db, object, &place, &key, &length);
         is_first = false) {
        const ct_database_value name = {.kind = CT_DATABASE_STRING, .string = {key, length}};
        ct_string_builder_add(out, is_first ? "" : ",");
        ct_database_value_write(&name, out);
        ct_string_builder_add_char(out, ':');
        const ct_database_value value = ct_database_get_bytes(db, object, key, length);
        ct_database_value_write(&value, out);
    }
    ct_string_builder_add(out, "}}\n");
}

bool ct_db_expect_no_local(ct_db_call *call, ct_error *error) {
    const uint32_t count = ct_database_local(call->db)->list.count;
    return count == 0 || ct_db_option(call, "local") ||
           ct_error_set(error,
                        "%s %u local change%s: commit or revert %s (`cuttle db local`), or use "
                        "--local to add to %s",
                        count == 1 ? "there is" : "there are", count, ct_db_plural(count),
                        count == 1 ? "it" : "them", count == 1 ? "it" : "them");
}

bool ct_db_commit(ct_db_call *call, const char *message, ct_error *error) {
    const char *const given = ct_db_option(call, "message");
    return ct_db_option(call, "local") ||
           ct_database_commit_local(call->db, NULL, 0, given ? given : message, error);
}

static const ct_db_verb *verb_named(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(verbs); ++i)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    fprintf(stderr, "cuttle db: found \"%.100s\"; expected one of", name);
    for (uint32_t i = 0; i < CT_COUNT_OF(verbs); ++i)
        fprintf(stderr, "%s %s", i ? "," : "", verbs[i].name);
    fprintf(stderr, "\n");
    return NULL;
}

static bool takes(const ct_db_verb *verb, const char *option) {
    char word[64];
    snprintf(word, sizeof(word), " %s ", option);
    return strcmp(option, "branch") == 0 || strstr(verb->options, word);
}

// Refuses an option of other verbs, and names these.
static bool check_options(const ct_db_verb *verb, const ct_command_arguments *arguments) {
    for (uint32_t i = 0; i < CT_COUNT_OF(options); ++i) {
        if (!arguments->options[i] || takes(verb, options[i].name))
            continue;
        fprintf(stderr, "cuttle db %s: --%s is an option of", verb->name, options[i].name);
        const char *between = "";
        for (uint32_t k = 0; k < CT_COUNT_OF(verbs); ++k) {
            if (!takes(&verbs[k], options[i].name))
                continue;
            fprintf(stderr, "%s %s", between, verbs[k].name);
            between = ",";
        }
        fprintf(stderr, "\n");
        return false;
    }
    return true;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const ct_db_verb *const verb = verb_named(arguments->operands[0]);
    if (!verb)
        return CT_EXIT_USAGE;
    ct_db_call call = {.allocator = a,
                       .arguments = arguments,
                       .operands = arguments->operands + 2,
                       .num_operands = arguments->num_operands - 2};
    if (call.num_operands < verb->least_operands || call.num_operands > verb->most_operands) {
        fprintf(stderr, "cuttle db %s: found %u operand%s; expected %s\n", verb->name,
                arguments->num_operands - 1, ct_db_plural(arguments->num_operands - 1),
                verb->operands);
        return CT_EXIT_USAGE;
    }
    if (!check_options(verb, arguments))
        return CT_EXIT_USAGE;
    call.branch = ct_db_option(&call, "branch");
    const ct_database_desc desc = {.location = arguments->operands[1],
                                   .branch = call.branch,
                                   .author = ct_db_option(&call, "author"),
                                   .may_create = verb->may_create,
                                   .makes_rows_again = ct_db_option(&call, "rebuild")};
    ct_error error = {0};
    call.db = ct_database_open(a, &desc, &error);
    const bool is_done = call.db && (!verb->run || verb->run(&call, &error));
    ct_database_close(call.db);
    if (!is_done) {
        char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
        ct_error_format(&error, text, sizeof(text));
        fprintf(stderr, "cuttle db %s: %s\n", verb->name, text);
    }
    return is_done ? CT_EXIT_OK : CT_EXIT_FAILED;
}

const ct_command ct_command_db = {
    .name = "db",
    .operands = "VERB DATABASE [ARGUMENT...]",
    .least_operands = 2,
    .most_operands = CT_COMMAND_ANY_OPERANDS,
    .summary = "keep sources as objects in a database",
    .description =
        "DATABASE is a file, or a PostgreSQL server (postgresql://… or \"host=… dbname=…\").\n"
        "  new DATABASE                makes an empty one\n"
        "  import DATABASE PROJECT     brings the sources of a project into it, as one commit\n"
        "  export DATABASE FOLDER      writes the sources into a folder\n"
        "  info DATABASE               branch, numbers of objects, memory\n"
        "  query DATABASE              prints the objects that fit the options, a line of JSON "
        "each\n"
        "  change DATABASE [FILE]      makes the operations in FILE, a line of JSON each (-: "
        "input)\n"
        "  local DATABASE [commit|revert [NUMBER...]]  changes that are not committed\n"
        "  branch DATABASE [NAME]      lists branches, or makes one of the one that is open\n"
        "  merge DATABASE BRANCH|DATABASE  takes in what another branch or database has\n"
        "  push DATABASE DATABASE      brings what this branch has to another database\n"
        "  conflicts DATABASE          decisions of merges; --undo and --accept settle them\n"
        "  log DATABASE                commits, oldest first\n"
        "  diff DATABASE FROM [TO]     operations that lead from a version (time or branch) to "
        "another\n"
        "  check DATABASE              damage, references to nothing, objects that nothing refers "
        "to\n"
        "  collect DATABASE            removes objects that nothing refers to, and blobs that "
        "nothing names\n"
        "  session DATABASE            answers requests on standard input (tools/cuttle_db.py)\n"
        "  lua DATABASE FILE           runs a script of Lua with the module Database\n"
        "docs/database.md explains all of it.\n"
        "Example: cuttle db import game.db mygame",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
