// bench_database.c: the object database in a file of SQLite.
//
// `database_commit`: single commits of one changed key, beside rows of as many bytes, each in a transaction of its own,
// in a table of plain SQLite with the same settings (WAL, synchronous FULL). `database_load`: opening a database of
// 1,000,000 objects, which reads and checks all and makes the state in memory, beside SQLite's own walk over the rows
// of the same tables. `database_merge`: merging a branch of 100,000 changes into another with 100,000, half of them of
// the same keys; at most 2 s.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "database/database.h"
#include "database/store/sqlite/sqlite_api.h"
#include "foundation/error.h"
#include "foundation/math/random.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"

enum {
    NUM_COMMITS = 500, // of a run
    NUM_OBJECTS = 1000000,
    NUM_CHANGES = 100000,
    MERGE_LIMIT_MS = 2000,
};

static char folder[64];
static ct_random generator;

static void path_of(const char *name, char path[CT_PATH_BYTES]) {
    ct_path_join(path, folder, name);
}

static void begin_folder(void) {
    snprintf(folder, sizeof(folder), "/tmp/cuttle_bench_XXXXXX");
    CT_REQUIRE(mkdtemp(folder), "cannot make a folder for the databases");
    generator = ct_random_seeded(1, 1);
}

static void end_folder(void) {
    ct_folder_remove(folder, NULL);
}

static ct_database *open_database(const char *name) {
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    path_of(name, path);
    const ct_database_desc desc = {.location = path, .author = "bench", .may_create = true};
    ct_database *const db = ct_database_open(ct_bench_heap(), &desc, &error);
    CT_REQUIRE(db, "%s", error.message);
    return db;
}

static void change(ct_database *db, ct_guid object, const char *key, double number) {
    ct_error error = {0};
    const ct_database_operation op = {.type = CT_DATABASE_CHANGE_KEY,
                                      .object = object,
                                      .key = key,
                                      .key_length = (uint32_t)strlen(key),
                                      .value = {.kind = CT_DATABASE_NUMBER, .number = number}};
    CT_REQUIRE(ct_database_change(db, &op, &error), "%s", error.message);
}

static void commit(ct_database *db) {
    ct_error error = {0};
    CT_REQUIRE(ct_database_commit_local(db, NULL, 0, "", &error), "%s", error.message);
}

// Objects with four values each.
static void add_objects(ct_database *db, ct_guid *objects, uint32_t count) {
    ct_error error = {0};
    for (uint32_t i = 0; i < count; ++i) {
        objects[i] = ct_guid_make_from(&generator);
        const ct_database_operation op = {.type = CT_DATABASE_CREATE, .object = objects[i]};
        CT_REQUIRE(ct_database_change(db, &op, &error), "%s", error.message);
        change(db, objects[i], "x", i);
        change(db, objects[i], "y", 2.0 * i);
        change(db, objects[i], "z", 0.5 * i);
        change(db, objects[i], "health", 100);
    }
    commit(db);
}

// --- Commits ---------------------------------------------------------------------------------------

static ct_database *committed;
static const ct_sqlite_api *sqlite;
static sqlite3 *plain;
static sqlite3_stmt *plain_insert;
static uint8_t plain_bytes[256];
static uint32_t commit_bytes, num_changes;

static bool note_bytes(void *user, ct_database_stamp stamp, const void *bytes,
                       uint64_t size_bytes) {
    (void)user;
    (void)stamp;
    (void)bytes;
    commit_bytes = (uint32_t)size_bytes;
    return true;
}

static void begin_commits(void) {
    begin_folder();
    committed = open_database("commits.db");
    change(committed, (ct_guid){0}, "number", 0);
    commit(committed);
    const ct_database_vector nothing = {0};
    ct_database_store *const store = ct_database_get_store(committed);
    ct_error error = {0};
    CT_REQUIRE(store->functions->read_commits(store, &nothing,
                                              &ct_database_get_branch(committed)->has, note_bytes,
                                              NULL, &error),
               "%s", error.message);
    CT_REQUIRE(commit_bytes <= sizeof(plain_bytes), "a commit takes %u bytes", commit_bytes);
    sqlite = ct_sqlite_load(&error);
    char path[CT_PATH_BYTES];
    path_of("plain.db", path);
    const bool is_open =
        sqlite->sqlite3_open_v2(path, &plain, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) ==
            SQLITE_OK &&
        sqlite->sqlite3_exec(plain,
                             "pragma journal_mode = wal; pragma synchronous = full;"
                             "create table row(id integer primary key, time integer, bytes blob)",
                             NULL, NULL, NULL) == SQLITE_OK &&
        sqlite->sqlite3_prepare_v3(plain, "insert into row(time, bytes) values(?, ?)", -1, 0,
                                   &plain_insert, NULL) == SQLITE_OK;
    CT_REQUIRE(is_open, "plain SQLite does not open %s", path);
}

static void end_commits(void) {
    sqlite->sqlite3_finalize(plain_insert);
    sqlite->sqlite3_close_v2(plain);
    ct_database_close(committed);
    end_folder();
}

static double run_commits(void) {
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_COMMITS; ++i) {
        change(committed, (ct_guid){0}, "number", ++num_changes);
        commit(committed);
    }
    return (ct_bench_now_ns() - start) / NUM_COMMITS;
}

static double run_plain_commits(void) {
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_COMMITS; ++i) {
        sqlite->sqlite3_bind_int64(plain_insert, 1, i);
        sqlite->sqlite3_bind_blob64(plain_insert, 2, plain_bytes, commit_bytes, SQLITE_STATIC);
        CT_REQUIRE(sqlite->sqlite3_step(plain_insert) == SQLITE_DONE,
                   "plain SQLite does not write");
        sqlite->sqlite3_reset(plain_insert);
    }
    return (ct_bench_now_ns() - start) / NUM_COMMITS;
}

// --- Loading ---------------------------------------------------------------------------------------

static void begin_load(void) {
    begin_folder();
    ct_database *const db = open_database("many.db");
    ct_guid *const objects = ct_alloc(ct_bench_heap(), NUM_OBJECTS * sizeof(ct_guid));
    add_objects(db, objects, NUM_OBJECTS);
    ct_free(ct_bench_heap(), objects);
    ct_database_close(db);
    sqlite = ct_sqlite_load(NULL);
}

static double run_load(void) {
    const double start = ct_bench_now_ns();
    ct_database *const db = open_database("many.db");
    const double end = ct_bench_now_ns();
    ct_database_state_stats stats;
    ct_database_state_stats_get(ct_database_committed(db), &stats);
    CT_REQUIRE(stats.num_objects >= NUM_OBJECTS, "%u objects", stats.num_objects);
    ct_bench_use(stats.memory_bytes);
    ct_database_close(db);
    return (end - start) * 1e-6;
}

// Walks over all rows and looks at all columns.
static double run_plain_load(void) {
    static const char *const tables[] = {"object_row", "value_row", "element_row"};
    char path[CT_PATH_BYTES], sql[64];
    sqlite3 *file = NULL;
    uint64_t sum = 0;
    path_of("many.db", path);
    const double start = ct_bench_now_ns();
    CT_REQUIRE(sqlite->sqlite3_open_v2(path, &file, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK,
               "cannot open %s", path);
    for (uint32_t t = 0; t < CT_COUNT_OF(tables); ++t) {
        sqlite3_stmt *select = NULL;
        snprintf(sql, sizeof(sql), "select * from %s", tables[t]);
        CT_REQUIRE(sqlite->sqlite3_prepare_v3(file, sql, -1, 0, &select, NULL) == SQLITE_OK,
                   "no table %s", tables[t]);
        const int num_columns = sqlite->sqlite3_column_count(select);
        while (sqlite->sqlite3_step(select) == SQLITE_ROW)
            for (int c = 0; c < num_columns; ++c) {
                if (sqlite->sqlite3_column_type(select, c) == SQLITE_BLOB)
                    sum += (uint64_t)sqlite->sqlite3_column_bytes(select, c);
                else
                    sum += (uint64_t)sqlite->sqlite3_column_int64(select, c);
            }
        sqlite->sqlite3_finalize(select);
    }
    sqlite->sqlite3_close_v2(file);
    ct_bench_use(sum);
    return (ct_bench_now_ns() - start) * 1e-6;
}

// --- Merging ---------------------------------------------------------------------------------------

// Two files that share 100,000 objects; in each 100,000 values changed since.
static void begin_merge(void) {
    begin_folder();
    ct_database *dbs[2] = {open_database("mine.db"), open_database("theirs.db")};
    ct_guid *const objects = ct_alloc(ct_bench_heap(), NUM_CHANGES * sizeof(ct_guid));
    ct_error error = {0};
    add_objects(dbs[0], objects, NUM_CHANGES);
    CT_REQUIRE(ct_database_merge(dbs[1], ct_database_get_store(dbs[0]), "main", NULL, NULL, &error),
               "%s", error.message);
    for (uint32_t side = 0; side < 2; ++side) {
        for (uint32_t i = 0; i < NUM_CHANGES; ++i) {
            change(dbs[side], objects[i], i % 2 || side ? "x" : "y", i + 0.25 * side);
            if (i % 100 == 99)
                commit(dbs[side]);
        }
        ct_database_close(dbs[side]);
    }
    ct_free(ct_bench_heap(), objects);
}

static void copy_file(const char *from, const char *to) {
    char source[CT_PATH_BYTES], target[CT_PATH_BYTES];
    ct_error error = {0};
    uint64_t size_bytes;
    path_of(from, source);
    path_of(to, target);
    char *const bytes = ct_file_read(ct_bench_heap(), source, &size_bytes, &error);
    CT_REQUIRE(bytes && ct_file_write(target, bytes, size_bytes, false, &error), "%s",
               error.message);
    ct_free(ct_bench_heap(), bytes);
}

static double run_merge(void) {
    ct_error error = {0};
    copy_file("mine.db", "merged.db");
    ct_database *const db = open_database("merged.db"), *const theirs = open_database("theirs.db");
    uint32_t num_commits = 0, num_conflicts = 0;
    const double start = ct_bench_now_ns();
    CT_REQUIRE(ct_database_merge(db, ct_database_get_store(theirs), "main", &num_commits,
                                 &num_conflicts, &error),
               "%s", error.message);
    const double end = ct_bench_now_ns();
    CT_REQUIRE(num_commits == NUM_CHANGES / 100 && num_conflicts == NUM_CHANGES / 2,
               "%u commits, %u conflicts", num_commits, num_conflicts);
    ct_database_close(theirs);
    ct_database_close(db);
    return (end - start) * 1e-6;
}

static double run_merge_limit(void) {
    return MERGE_LIMIT_MS;
}

static const ct_bench_case cases[] = {
    {"database_commit", "500 commits", "SQLite", "ns", 1.5, 0, begin_commits, end_commits,
     run_commits, run_plain_commits},
    {"database_load", "1,000,000 objects", "SQLite's walk", "ms", 2, 5, begin_load, end_folder,
     run_load, run_plain_load},
    {"database_merge", "100,000 changes", "2 s", "ms", 1, 5, begin_merge, end_folder, run_merge,
     run_merge_limit},
};

const ct_bench_group ct_bench_database = {"database", cases, CT_COUNT_OF(cases)};
