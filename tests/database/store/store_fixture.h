// store_fixture.h: stores of both kinds for tests, and the server that they need.
#pragma once
#include <stdio.h>
#include <string.h>

#include "database/store/database_store.h"
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"
#include "support/test_support.h"

// Starts a server of PostgreSQL in a folder of its own, reached by a socket in it. Returns false when PostgreSQL is not
// installed. Stop it with store_server_stop, which removes the folder.
bool store_server_start(void);
void store_server_stop(void);

// Ends the server's processes at once, as a crash does, and starts it again. Returns whether it runs.
void store_server_kill(void);
bool store_server_continue(void);

// Runs SQL on a database of the server. Returns whether that worked.
bool store_server_sql(const char *database, const char *sql);

// The kind of the stores that tests get from now on. Returns false when there is no server for them.
extern bool store_is_server;

// The location of a new, empty database; each call makes another. The text lives until the next but seven.
const char *store_new_location(void);
// The database in the location of a server.
const char *store_database(const char *location);

// Opens it and fails the test when that does not work.
ct_database_store *store_open(const char *location);
void store_close(ct_database_store *store);

// Makes a branch and reads it; free it with ct_database_branch_free.
ct_database_branch store_branch(ct_database_store *store, const char *name);
void store_read_branch(ct_database_store *store, ct_database_branch *branch);

ct_guid store_guid(uint32_t number);

// Operations that point at nothing that ends.
ct_database_operation store_create(uint32_t object);
ct_database_operation store_number(uint32_t object, const char *key, double number);
ct_database_operation store_text(uint32_t object, const char *key, const char *text);
ct_database_operation store_element(ct_database_operation_type type, uint32_t object,
                                    const char *key, uint32_t element);

// Makes a commit of operations with the next time of the branch's replica; fails the test when that does not work.
// `state` (NULL: none) has it applied. Returns the stamp.
ct_database_stamp store_commit(ct_database_store *store, ct_database_branch *branch,
                               const ct_database_operation *operations, uint32_t count,
                               ct_database_state *state);
// The same, without failing the test.
bool store_try_commit(ct_database_store *store, ct_database_branch *branch,
                      const ct_database_operation *operations, uint32_t count,
                      ct_database_state *state, ct_error *error);

// The stamps and sizes of the commits in `to` and not in `from`, as text.
char *store_log(ct_database_store *store, const ct_database_vector *from,
                const ct_database_vector *to);

// The dump of a state, and of what is stored of a branch's. From the test's heap.
char *store_dump(const ct_database_state *state);
char *store_load_dump(ct_database_store *store, const char *branch);

// What check finds; "" when all is well. From the test's heap.
char *store_check(ct_database_store *store);
