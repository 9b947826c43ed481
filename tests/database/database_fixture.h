// database_fixture.h: an open database in a file, for tests.
#pragma once
#include <stdio.h>
#include <string.h>

#include "database/database.h"
#include "foundation/error.h"
#include "foundation/math/random.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"
#include "support/test_support.h"

// A wall clock that tests set, in nanoseconds; it does not run by itself.
extern int64_t database_wall_ns;

// The path of file `name` in a scratch folder of the test program.
const char *database_path(const char *name);

// Opens a database, made when it is missing; fails the test when that does not work.
ct_database *database_open(const char *location, const char *branch);

// Numbered objects: the same GUID for the same number.
ct_guid database_object(uint32_t number);

// Operations on the local changes; they fail the test when the database refuses.
void database_create(ct_database *db, ct_guid object);
void database_destroy(ct_database *db, ct_guid object);
void database_set_number(ct_database *db, ct_guid object, const char *key, double number);
void database_set_text(ct_database *db, ct_guid object, const char *key, const char *text);
void database_add(ct_database *db, ct_guid object, const char *key, ct_guid element);
void database_remove(ct_database *db, ct_guid object, const char *key, ct_guid element);
void database_commit(ct_database *db);
void database_merge(ct_database *db, ct_database *from); // from the branch that it is open at

// Returns the operation that sets a number.
ct_database_operation database_number_operation(ct_guid object, const char *key, double number);

// The number that a key holds; fails the test when it holds none.
double database_number(const ct_database *db, ct_guid object, const char *key);
uint32_t database_num_conflicts(const ct_database *db);

// The dump of what is committed, from the test's heap.
char *database_dump(const ct_database *db);
void database_expect_equal(const ct_database *a, const ct_database *b);
