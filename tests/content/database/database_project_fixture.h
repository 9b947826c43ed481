// database_project_fixture.h: databases and folders of projects, for tests of import and export.
#pragma once
#include <stdio.h>
#include <string.h>

#include "content/database/database_project.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"
#include "support/test_support.h"

// Writes the path of a new, empty folder below one scratch folder of the group, of which there are few.
void project_folder(char path[CT_PATH_BYTES]);

// Opens an empty database in a file of its own.
ct_database *project_database(void);

// Writes a file into a folder (of test_scratch_folder); folders on the way are made.
void project_write(const char *folder, const char *path, const char *text);

// Expects the file to have this text; NULL: not to exist.
void project_expect(const char *folder, const char *path, const char *text);

// Imports, commits and records. Returns the number of local changes that the import made.
uint32_t project_import(ct_database *db, const char *folder);

// Imports as above, and expects one warning that contains `warning`.
void project_import_warns(ct_database *db, const char *folder, const char *warning);

// Exports, and fails the test when that does not work, or warns.
void project_export(ct_database *db, const char *folder);

// Exports, and expects an error that contains `message`.
void project_export_fails(ct_database *db, const char *folder, const char *message);

// Finds a value; fails the test when it is not there.
ct_database_place project_place(const ct_database *db, const char *path, const char *value_path);
ct_guid project_object(const ct_database *db, const char *path, const char *value_path);

// Changes that fail the test when the database refuses, of a key or of an object (`key` NULL).
void project_change(ct_database *db, ct_database_operation_type type, ct_guid object,
                    const char *key, ct_database_value value);
void project_set_number(ct_database *db, ct_guid object, const char *key, double number);
void project_set_text(ct_database *db, ct_guid object, const char *key, const char *text);
ct_database_value project_reference(ct_guid object);
void project_commit(ct_database *db);
