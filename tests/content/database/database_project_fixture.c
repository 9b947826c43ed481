#include "content/database/database_project_fixture.h"

#include "foundation/os/file.h"

void project_folder(char path[CT_PATH_BYTES]) {
    static const char *root;
    static uint32_t count;
    char name[32];
    ct_error error = {0};
    root = root ? root : test_scratch_folder();
    snprintf(name, sizeof(name), "%u", count++);
    ct_path_join(path, root, name);
    if (!ct_folder_create(path, &error))
        fail_msg("%s", error.message);
}

ct_database *project_database(void) {
    char path[CT_PATH_BYTES];
    project_folder(path);
    ct_path_join(path, path, "project.db");
    const ct_database_desc desc = {.location = path, .author = "test", .may_create = true};
    ct_error error = {0};
    ct_database *const db = ct_database_open(test_heap(), &desc, &error);
    if (!db)
        fail_msg("%s: %s", path, error.message);
    return db;
}

void project_write(const char *folder, const char *path, const char *text) {
    char full[CT_PATH_BYTES], parent[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(full, folder, path);
    ct_path_folder(parent, full);
    if (!ct_folder_create(parent, &error) ||
        !ct_file_write(full, text, strlen(text), false, &error))
        fail_msg("%s: %s", full, error.message);
}

void project_expect(const char *folder, const char *path, const char *text) {
    char full[CT_PATH_BYTES];
    ct_path_join(full, folder, path);
    ct_error error = {0};
    uint64_t bytes;
    char *const found = ct_file_read(test_heap(), full, &bytes, &error);
    if (!found != !text || (text && strcmp(found, text) != 0))
        fail_msg("%s: found\n%s|\nexpected\n%s|", path, found ? found : "nothing",
                 text ? text : "nothing");
    ct_free(test_heap(), found);
}

static void import(ct_database *db, const char *folder, ct_database_report *report) {
    ct_error error = {0};
    ct_database_report_init(report, test_heap());
    if (!ct_database_import(test_heap(), db, folder, false, report, &error))
        fail_msg("import: %s: %s", error.file, error.message);
}

static void commit_import(ct_database *db, const char *folder, ct_database_report *report) {
    ct_error error = {0};
    project_commit(db);
    if (!ct_database_import_done(db, folder, report, &error))
        fail_msg("import: %s", error.message);
    ct_database_report_free(report);
}

uint32_t project_import(ct_database *db, const char *folder) {
    ct_database_report report;
    import(db, folder, &report);
    if (report.warnings.count > 0)
        fail_msg("import: %s", report.warnings.items[0]);
    const uint32_t count = ct_database_local(db)->list.count;
    commit_import(db, folder, &report);
    return count;
}

void project_import_warns(ct_database *db, const char *folder, const char *warning) {
    ct_database_report report;
    import(db, folder, &report);
    if (report.warnings.count != 1 || !strstr(report.warnings.items[0], warning))
        fail_msg("%u warnings, the first: %s", report.warnings.count,
                 report.warnings.count ? report.warnings.items[0] : "");
    commit_import(db, folder, &report);
}

void project_export(ct_database *db, const char *folder) {
    ct_error error = {0};
    ct_database_report report;
    ct_database_report_init(&report, test_heap());
    if (!ct_database_export(test_heap(), db, folder, false, &report, &error))
        fail_msg("export: %s: %s", error.file, error.message);
    if (report.warnings.count > 0)
        fail_msg("export: %s", report.warnings.items[0]);
    ct_database_report_free(&report);
}

void project_export_fails(ct_database *db, const char *folder, const char *message) {
    ct_error error = {0};
    ct_database_report report;
    ct_database_report_init(&report, test_heap());
    assert_false(ct_database_export(test_heap(), db, folder, false, &report, &error));
    if (!strstr(error.message, message))
        fail_msg("found: %s\nexpected: %s", error.message, message);
    ct_database_report_free(&report);
}

ct_database_place project_place(const ct_database *db, const char *path, const char *value_path) {
    ct_database_place place;
    ct_error error = {0};
    if (!ct_database_find_value(db, path, value_path, &place, &error))
        fail_msg("%s", error.message);
    return place;
}

ct_guid project_object(const ct_database *db, const char *path, const char *value_path) {
    const ct_database_place place = project_place(db, path, value_path);
    assert_string_equal(place.key, "");
    return place.object;
}

void project_change(ct_database *db, ct_database_operation_type type, ct_guid object,
                    const char *key, ct_database_value value) {
    const ct_database_operation operation = {.type = type,
                                             .object = object,
                                             .key = key,
                                             .key_length = key ? (uint32_t)strlen(key) : 0,
                                             .value = value};
    ct_error error = {0};
    if (!ct_database_change(db, &operation, &error))
        fail_msg("%s", error.message);
}

void project_set_number(ct_database *db, ct_guid object, const char *key, double number) {
    project_change(db, CT_DATABASE_CHANGE_KEY, object, key,
                   (ct_database_value){.kind = CT_DATABASE_NUMBER, .number = number});
}

void project_set_text(ct_database *db, ct_guid object, const char *key, const char *text) {
    project_change(
        db, CT_DATABASE_CHANGE_KEY, object, key,
        (ct_database_value){.kind = CT_DATABASE_STRING, .string = {text, (uint32_t)strlen(text)}});
}

ct_database_value project_reference(ct_guid object) {
    return (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = object};
}

void project_commit(ct_database *db) {
    ct_error error = {0};
    if (!ct_database_commit_local(db, NULL, 0, "test", &error))
        fail_msg("commit: %s", error.message);
}
