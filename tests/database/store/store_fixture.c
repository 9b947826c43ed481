#include "database/store/store_fixture.h"

#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "foundation/os/file.h"

bool store_is_server;

// --- The server ----------------------------------------------------------------------------------

static char programs[CT_PATH_BYTES], server_folder[64], server_data[96], server_log[96];

// Runs a program of PostgreSQL as a user who is not root, which it refuses. Returns whether it ended well.
static bool run(const char *program, const char *const *arguments) {
    char path[CT_PATH_BYTES + 64];
    snprintf(path, sizeof(path), "%s/%s", programs, program);
    const char *all[32] = {"runuser", "-u", "postgres", "--"};
    uint32_t count = getuid() == 0 ? 4 : 0;
    all[count++] = path;
    while (*arguments && count < CT_COUNT_OF(all) - 1)
        all[count++] = *arguments++;
    all[count] = NULL;
    ct_error error = {0};
    const ct_process process = ct_process_start(
        &(ct_process_desc){
            .arguments = all, .searches_path = true, .silent = true, .may_outlive = true},
        &error);
    if (process.pid == 0)
        fail_msg("%s", error.message);
    return ct_process_wait(process) == 0;
}

static bool find_programs(void) {
    glob_t found;
    const bool is_found = glob("/usr/lib/postgresql/*/bin/initdb", 0, NULL, &found) == 0;
    if (is_found)
        ct_path_folder(programs, found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
    return is_found;
}

// Its processes of before may need a moment to go.
bool store_server_continue(void) {
    char options[192];
    snprintf(options, sizeof(options), "-c listen_addresses= -k %s -c fsync=off -c autovacuum=off",
             server_folder);
    const char *const start[] = {"-D", server_data, "-w",    "-l", server_log,
                                 "-o", options,     "start", NULL};
    for (uint32_t i = 0; i < 40; ++i) {
        if (run("pg_ctl", start))
            return true;
        ct_os_sleep_ns(UINT64_C(250000000));
    }
    return false;
}

void store_server_kill(void) {
    run("pg_ctl", (const char *[]){"-D", server_data, "-m", "immediate", "stop", NULL});
}

bool store_server_start(void) {
    if (!find_programs())
        return false;
    // Short: the path of a socket has at most 107 bytes.
    strcpy(server_folder, "/tmp/cuttle-pg-XXXXXX");
    assert_non_null(mkdtemp(server_folder));
    chmod(server_folder, 0777);
    snprintf(server_data, sizeof(server_data), "%s/data", server_folder);
    snprintf(server_log, sizeof(server_log), "%s/log", server_folder);
    assert_true(run("initdb", (const char *[]){"-D", server_data, "-A", "trust", "-U", "cuttle",
                                               "--no-sync", "-E", "UTF8", "--locale=C", NULL}));
    assert_true(store_server_continue());
    return true;
}

void store_server_stop(void) {
    store_server_kill();
    ct_folder_remove(server_folder, NULL);
}

bool store_server_sql(const char *database, const char *sql) {
    return run("psql", (const char *[]){"-h", server_folder, "-U", "cuttle", "-d", database, "-q",
                                        "-v", "ON_ERROR_STOP=1", "-c", sql, NULL});
}

// --- Stores --------------------------------------------------------------------------------------

const char *store_new_location(void) {
    static char locations[8][CT_PATH_BYTES + 32];
    static uint32_t count;
    char *const location = locations[count % CT_COUNT_OF(locations)];
    char name[32];
    snprintf(name, sizeof(name), "d%u", count++);
    if (store_is_server) {
        assert_true(
            run("createdb", (const char *[]){"-h", server_folder, "-U", "cuttle", name, NULL}));
        snprintf(location, sizeof(locations[0]), "host=%s user=cuttle dbname=%s", server_folder,
                 name);
    } else {
        snprintf(location, sizeof(locations[0]), "%s/%s.db", test_scratch_folder(), name);
    }
    return location;
}

const char *store_database(const char *location) {
    return strstr(location, "dbname=") + 7;
}

ct_database_store *store_open(const char *location) {
    ct_error error = {0};
    ct_database_store *const store = ct_database_store_open(test_heap(), location, true, &error);
    if (!store)
        fail_msg("%s", error.message);
    return store;
}

void store_close(ct_database_store *store) {
    store->functions->close(store);
}

void store_read_branch(ct_database_store *store, ct_database_branch *branch) {
    ct_error error = {0};
    bool found = false;
    if (!store->functions->read_branch(store, branch, &found, &error))
        fail_msg("%s", error.message);
    assert_true(found);
}

ct_database_branch store_branch(ct_database_store *store, const char *name) {
    ct_error error = {0};
    bool found = false;
    ct_database_branch branch;
    ct_database_branch_init(&branch, test_heap(), name);
    if (!store->functions->read_branch(store, &branch, &found, &error) ||
        (!found && !store->functions->create_branch(store, name, ct_guid_make(), NULL, &error)))
        fail_msg("%s", error.message);
    store_read_branch(store, &branch);
    return branch;
}

// --- Commits -------------------------------------------------------------------------------------

ct_guid store_guid(uint32_t number) {
    char name[16];
    snprintf(name, sizeof(name), "%u", number);
    return ct_guid_make_named((ct_guid){.bytes = {1}}, name);
}

ct_database_operation store_create(uint32_t object) {
    return (ct_database_operation){.type = CT_DATABASE_CREATE, .object = store_guid(object)};
}

ct_database_operation store_number(uint32_t object, const char *key, double number) {
    return (ct_database_operation){.type = CT_DATABASE_CHANGE_KEY,
                                   .object = store_guid(object),
                                   .key = key,
                                   .key_length = (uint32_t)strlen(key),
                                   .value = {.kind = CT_DATABASE_NUMBER, .number = number}};
}

ct_database_operation store_text(uint32_t object, const char *key, const char *text) {
    ct_database_operation op = store_number(object, key, 0);
    op.value =
        (ct_database_value){.kind = CT_DATABASE_STRING, .string = {text, (uint32_t)strlen(text)}};
    return op;
}

ct_database_operation store_element(ct_database_operation_type type, uint32_t object,
                                    const char *key, uint32_t element) {
    ct_database_operation op = store_number(object, key, 0);
    op.type = type;
    op.value = (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = store_guid(element)};
    return op;
}

// Encodes a commit of the branch as it is now.
static void encode(const ct_database_branch *branch, const ct_database_operation *operations,
                   uint32_t count, ct_database_commit *commit, ct_byte_array *bytes) {
    ct_database_commit_init(commit, test_heap());
    ct_array_init(bytes, test_heap());
    commit->stamp =
        (ct_database_stamp){.time = ct_database_time_next(ct_database_vector_last(&branch->has),
                                                          INT64_C(1764500000000000000)),
                            .replica = branch->replica};
    commit->previous = ct_database_vector_time(&branch->has, branch->replica);
    ct_database_vector_copy(&commit->seen, &branch->has);
    commit->author = "test";
    commit->message = "";
    for (uint32_t i = 0; i < count; ++i)
        ct_database_operations_push(&commit->operations, &operations[i]);
    assert_true(ct_database_commit_encode(commit, bytes, NULL));
}

bool store_try_commit(ct_database_store *store, ct_database_branch *branch,
                      const ct_database_operation *operations, uint32_t count,
                      ct_database_state *state, ct_error *error) {
    const ct_database_store_functions *const f = store->functions;
    if (!f->begin(store, branch, error))
        return false;
    ct_database_commit commit;
    ct_byte_array bytes;
    encode(branch, operations, count, &commit, &bytes);
    const bool is_written =
        f->append(store, commit.stamp, commit.previous, bytes.items, bytes.count, error);
    if (is_written)
        ct_database_vector_add(&branch->has, commit.stamp);
    const bool is_kept = f->end(store, branch, is_written, is_written ? error : NULL) && is_written;
    if (is_kept && state)
        ct_database_state_apply(state, &commit);
    ct_array_free(&bytes);
    commit.author = commit.message = "";
    ct_database_commit_free(&commit);
    return is_kept;
}

ct_database_stamp store_commit(ct_database_store *store, ct_database_branch *branch,
                               const ct_database_operation *operations, uint32_t count,
                               ct_database_state *state) {
    ct_error error = {0};
    if (!store_try_commit(store, branch, operations, count, state, &error))
        fail_msg("%s", error.message);
    return (ct_database_stamp){.time = ct_database_vector_time(&branch->has, branch->replica),
                               .replica = branch->replica};
}

static bool add_commit(void *user, ct_database_stamp stamp, const void *bytes,
                       uint64_t size_bytes) {
    char replica[CT_GUID_TEXT_BYTES], time[CT_DATABASE_TIME_TEXT_BYTES];
    ct_guid_format(stamp.replica, replica);
    ct_database_time_format(stamp.time, time);
    ct_database_commit commit;
    ct_database_commit_init(&commit, test_heap());
    assert_true(ct_database_commit_decode(&commit, bytes, size_bytes, NULL));
    assert_int_equal(ct_database_stamp_compare(commit.stamp, stamp), 0);
    ct_string_builder_addf(user, "%s %s %u\n", time, replica, commit.operations.list.count);
    ct_database_commit_free(&commit);
    return true;
}

char *store_log(ct_database_store *store, const ct_database_vector *from,
                const ct_database_vector *to) {
    ct_database_vector nothing;
    ct_database_vector_init(&nothing, test_heap());
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_error error = {0};
    if (!store->functions->read_commits(store, from ? from : &nothing, to, add_commit, &out,
                                        &error))
        fail_msg("%s", error.message);
    char *const text = ct_copy_string(test_heap(), ct_string_builder_text(&out));
    ct_string_builder_free(&out);
    return text;
}

// --- What is stored ------------------------------------------------------------------------------

char *store_dump(const ct_database_state *state) {
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_database_state_dump(state, &out);
    char *const text = ct_copy_string(test_heap(), ct_string_builder_text(&out));
    ct_string_builder_free(&out);
    return text;
}

char *store_load_dump(ct_database_store *store, const char *name) {
    ct_error error = {0};
    ct_database_branch branch;
    ct_database_branch_init(&branch, test_heap(), name);
    ct_database_state *const state =
        ct_database_state_create(test_heap(), (ct_database_removed){0});
    if (!store->functions->load_state(store, &branch, state, &error))
        fail_msg("%s", error.message);
    char *const text = store_dump(state);
    ct_database_state_destroy(state);
    ct_database_branch_free(&branch);
    return text;
}

char *store_check(ct_database_store *store) {
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_error error = {0};
    if (!store->functions->check(store, &out, &error))
        fail_msg("%s", error.message);
    char *const text = ct_copy_string(test_heap(), ct_string_builder_text(&out));
    ct_string_builder_free(&out);
    return text;
}
