// Projects in a database and back: every sample byte for byte, edits on either side, what is imported again.
#include "content/database/database_project_fixture.h"

#include <stdlib.h>

#include "foundation/os/file.h"
#include "foundation/os/os.h"

static const char level[] =
    "// The yard.\n"
    "units = [\n"
    "    // The first crate.\n"
    "    { id = \"e1\"  unit = \"units/crate\"  position = [1 2 0] // here\n"
    "      values = { health = 50, name = \"box\", open = false } }\n"
    "    { id = \"e2\"  unit = \"units/lamp\" }\n"
    "]\n"
    "script : \"levels/yard\" // a script\n"
    "nothing = null\n"
    "empty = {}\n"
    "none = []\n";

// --- Samples ---------------------------------------------------------------------------------------

typedef struct compared {
    const char *other;
    uint32_t count;
} compared;

static bool compare_file(void *user, const ct_found_file *file) {
    compared *const c = user;
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    uint64_t bytes, other_bytes;
    ct_path_join(path, c->other, file->path);
    char *const other = ct_file_read(test_heap(), path, &other_bytes, &error);
    if (!other)
        fail_msg("%s", error.message);
    ct_path_join(path, c->other, "../copy");
    ct_path_join(path, path, file->path);
    char *const text = ct_file_read(test_heap(), path, &bytes, &error);
    if (!text || bytes != other_bytes || memcmp(text, other, bytes) != 0)
        fail_msg("%s is not the same", file->path);
    ct_free(test_heap(), text);
    ct_free(test_heap(), other);
    ++c->count;
    return true;
}

static void round_trip(const char *sample) {
    char source[CT_PATH_BYTES], copy[CT_PATH_BYTES], out[CT_PATH_BYTES];
    const char *const folder = test_scratch_folder();
    const char *const root = getenv("CUTTLE_SOURCE");
    ct_error error = {0};
    ct_path_join(source, root ? root : "../..", "samples");
    ct_path_join(source, source, sample);
    ct_path_join(copy, folder, "copy");
    ct_path_join(out, folder, "out");
    if (!ct_folder_copy(source, copy, &error))
        fail_msg("%s", error.message);
    ct_database *const db = project_database();
    assert_true(project_import(db, copy) > 100);
    project_export(db, out);
    compared c = {.other = out};
    assert_true(ct_folder_walk(copy, compare_file, &c, &error));
    assert_true(c.count > 20);
    // Nothing is left to import, on either side.
    assert_int_equal(project_import(db, out), 0);
    assert_int_equal(project_import(db, copy), 0);
    ct_database_close(db);
}

static void samples_come_back_byte_for_byte(void **state) {
    (void)state;
    static const char *const samples[] = {"agents", "crates",    "crowd",      "door",
                                          "duel",   "localised", "playground", "swarm"};
    for (uint32_t i = 0; i < CT_COUNT_OF(samples); ++i)
        round_trip(samples[i]);
}

// --- Objects ---------------------------------------------------------------------------------------

static void expect_key(const ct_database *db, const char *path, ct_database_kind kind,
                       const char *text) {
    const ct_database_place place = project_place(db, "levels/yard.level", path);
    const ct_database_value value = ct_database_get(db, place.object, place.key);
    assert_int_equal(value.kind, kind);
    if (text)
        assert_string_equal(value.string.text, text);
}

static void objects_have_the_members_as_keys(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    project_write(folder, "levels/yard.level", level);
    ct_database *const db = project_database();
    project_import(db, folder);
    expect_key(db, "script", CT_DATABASE_STRING, "levels/yard");
    expect_key(db, "units[0].position", CT_DATABASE_STRING, "[1,2,0]");
    expect_key(db, "units[id=e1].values.health", CT_DATABASE_NUMBER, NULL);
    expect_key(db, "units[id=\"e1\"][\"values\"].open", CT_DATABASE_BOOL, NULL);
    expect_key(db, "nothing", CT_DATABASE_STRING, "null");
    expect_key(db, "none", CT_DATABASE_STRING, "[]");
    expect_key(db, "units", CT_DATABASE_SET, NULL);
    const ct_guid empty = project_object(db, "levels/yard.level", "empty");
    assert_true(ct_database_has(db, empty));
    assert_string_equal(project_place(db, "levels/yard.level", "units[0].position").key,
                        "position[]");
    ct_guid file;
    assert_true(ct_database_find_file(db, "levels/yard.level", &file));
    assert_string_equal(ct_database_get(db, file, "type").string.text, "level");
    assert_false(ct_database_find_file(db, "levels/yard", &file));
    ct_database_close(db);
}

static void expect_no_value(const ct_database *db, const char *path, const char *message) {
    ct_database_place place;
    ct_error error = {0};
    assert_false(ct_database_find_value(db, "levels/yard.level", path, &place, &error));
    if (!strstr(error.message, message))
        fail_msg("%s: %s", path, error.message);
}

static void paths_that_lead_nowhere_say_where(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    project_write(folder, "levels/yard.level", level);
    ct_database *const db = project_database();
    project_import(db, folder);
    expect_no_value(db, "unit", "no such member");
    expect_no_value(db, "units[2]", "fewer elements");
    expect_no_value(db, "units[id=e3]", "no element has this id");
    expect_no_value(db, "units[x]", "expected an index");
    expect_no_value(db, "units[0", "expected a ]");
    expect_no_value(db, "units[\"0", "in quotes");
    expect_no_value(db, "script.x", "not an object");
    expect_no_value(db, "none[0]", "not an array of objects");
    expect_no_value(db, "[0]", "not an array");
    expect_no_value(db, "units..x", "name of a member");
    expect_no_value(db, "empty..x", "name of a member");
    expect_no_value(db, "units[0]x", "expected a \".\"");
    ct_database_close(db);
}

static void pictures_have_a_size(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    char path[CT_PATH_BYTES];
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13,
                                  'I',  'H', 'D', 'R', 0,    0,    1,    0,    0, 0, 0, 3};
    ct_error error = {0};
    project_write(folder, "notes.txt", "text");
    ct_path_join(path, folder, "a.png");
    assert_true(ct_file_write(path, png, sizeof(png), false, &error));
    ct_database *const db = project_database();
    project_import(db, folder);
    ct_guid file;
    assert_true(ct_database_find_file(db, "a.png", &file));
    assert_true(ct_database_get(db, file, "width").number == 256);
    assert_true(ct_database_get(db, file, "height").number == 3);
    assert_true(ct_database_find_file(db, "notes.txt", &file));
    assert_int_equal(ct_database_get(db, file, "width").kind, CT_DATABASE_NULL);
    assert_int_equal(ct_database_get(db, file, "root").kind, CT_DATABASE_NULL);
    ct_database_close(db);
}

// --- Edits of objects ------------------------------------------------------------------------------

// A database and a folder with the level, imported.
static ct_database *begin(const char **folder) {
    ct_database *const db = project_database();
    *folder = test_scratch_folder();
    project_write(*folder, "levels/yard.level", level);
    project_import(db, *folder);
    return db;
}

// The level with `from` replaced by `to`.
static void expect_level(const char *folder, const char *from, const char *to) {
    char text[2048];
    const char *const at = strstr(level, from);
    assert_non_null(at);
    snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - level), level, to, at + strlen(from));
    project_expect(folder, "levels/yard.level", text);
}

static void edited_values_are_all_that_changes(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    const ct_guid values = project_object(db, "levels/yard.level", "units[0].values");
    project_set_number(db, values, "health", 75);
    project_export(db, folder);
    expect_level(folder, "health = 50", "health = 75");
    project_set_number(db, values, "health", 50); // back: the same text
    project_export(db, folder);
    project_expect(folder, "levels/yard.level", level);

    project_set_text(db, project_object(db, "levels/yard.level", "units[0]"), "position[]",
                     "[1, 2, 5]");
    project_export(db, folder);
    expect_level(folder, "[1 2 0]", "[1 2 5]");
    ct_database_close(db);
}

static void members_come_and_go(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    const ct_guid values = project_object(db, "levels/yard.level", "units[0].values");
    project_change(db, CT_DATABASE_CHANGE_KEY, values, "name", (ct_database_value){0});
    project_export(db, folder);
    expect_level(folder, ", name = \"box\"", "");
    project_set_text(db, values, "name", "box");
    project_change(db, CT_DATABASE_CHANGE_KEY, values, "weight",
                   (ct_database_value){.kind = CT_DATABASE_NUMBER, .number = 2});
    project_export(db, folder);
    expect_level(folder, "open = false", "open = false, weight = 2");
    ct_database_close(db);
}

static void elements_come_go_and_move(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    const ct_guid top = project_object(db, "levels/yard.level", "");
    const ct_guid lamp = project_object(db, "levels/yard.level", "units[1]");
    const ct_guid door = {{1}};
    project_change(db, CT_DATABASE_CREATE, door, NULL, (ct_database_value){0});
    project_set_text(db, door, "unit", "units/door");
    project_set_text(db, door, "id", "e3");
    project_change(db, CT_DATABASE_ADD_TO_SET, top, "units", project_reference(door));
    project_export(db, folder); // without "@order": last
    expect_level(folder, "units/lamp\" }\n",
                 "units/lamp\" }\n    { id = \"e3\"  unit = \"units/door\" }\n");
    project_change(db, CT_DATABASE_REMOVE_FROM_SET, top, "units", project_reference(door));
    project_change(db, CT_DATABASE_DESTROY, door, NULL, (ct_database_value){0});
    project_export(db, folder);
    project_expect(folder, "levels/yard.level", level);

    project_set_text(db, lamp, "@order", "1"); // before the crate, whose is "F" or so
    project_export(db, folder);
    ct_error error = {0};
    ct_database_place place;
    assert_true(ct_database_find_value(db, "levels/yard.level", "units[0]", &place, &error));
    assert_true(ct_guid_is_equal(place.object, lamp));
    expect_level(folder,
                 "    // The first crate.\n"
                 "    { id = \"e1\"  unit = \"units/crate\"  position = [1 2 0] // here\n"
                 "      values = { health = 50, name = \"box\", open = false } }\n"
                 "    { id = \"e2\"  unit = \"units/lamp\" }\n",
                 "    { id = \"e2\"  unit = \"units/lamp\" }\n"
                 "    // The first crate.\n"
                 "    { id = \"e1\"  unit = \"units/crate\"  position = [1 2 0] // here\n"
                 "      values = { health = 50, name = \"box\", open = false } }\n");
    ct_database_close(db);
}

static void arrays_can_become_empty(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    const ct_guid top = project_object(db, "levels/yard.level", "");
    const ct_database_value none = {.kind = CT_DATABASE_SET};
    project_change(db, CT_DATABASE_CHANGE_KEY, top, "units", none);
    project_export(db, folder);
    project_expect(folder, "levels/yard.level",
                   "// The yard.\nunits = [\n]\nscript : \"levels/yard\" // a script\n"
                   "nothing = null\nempty = {}\nnone = []\n");
    ct_database_close(db);
}

static void files_of_objects_alone_are_written_as_people_do(void **state) {
    (void)state;
    ct_database *const db = project_database();
    const ct_guid file = {{1}}, top = {{2}}, unit = {{3}};
    const ct_guid objects[] = {file, top, unit};
    for (uint32_t i = 0; i < CT_COUNT_OF(objects); ++i)
        project_change(db, CT_DATABASE_CREATE, objects[i], NULL, (ct_database_value){0});
    project_change(db, CT_DATABASE_ADD_TO_SET, (ct_guid){0}, "files", project_reference(file));
    project_set_text(db, file, "path", "levels/new.level");
    project_change(db, CT_DATABASE_CHANGE_KEY, file, "root", project_reference(top));
    project_change(db, CT_DATABASE_ADD_TO_SET, top, "units", project_reference(unit));
    project_set_text(db, unit, "unit", "units/crate");
    project_set_text(db, unit, "position[]", "[1 2 3]");
    project_set_text(db, unit, "id", "e1");
    const char *const folder = test_scratch_folder();
    project_export(db, folder);
    project_expect(folder, "levels/new.level",
                   "units = [\n"
                   "    { id = \"e1\"  unit = \"units/crate\"  position = [1 2 3] }\n"
                   "]\n");
    assert_int_equal(project_object(db, "levels/new.level", "units[0]").bytes[0], 3);
    project_commit(db);
    assert_int_equal(project_import(db, folder), 0);
    ct_database_close(db);
}

// --- Edits of files --------------------------------------------------------------------------------

static void replace(const char *folder, const char *from, const char *to) {
    char text[2048];
    const char *const at = strstr(level, from);
    assert_non_null(at);
    snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - level), level, to, at + strlen(from));
    project_write(folder, "levels/yard.level", text);
}

static void imports_make_only_the_difference(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    assert_int_equal(project_import(db, folder), 0);
    const ct_guid crate = project_object(db, "levels/yard.level", "units[0]");
    replace(folder, "health = 50", "health = 51");
    assert_int_equal(project_import(db, folder), 1); // the value
    replace(folder, "// here", "// there"); // and the value
    assert_int_equal(project_import(db, folder), 2);
    assert_true(ct_guid_is_equal(crate, project_object(db, "levels/yard.level", "units[id=e1]")));
    replace(folder, "    // The first crate.\n", "    { id = \"e0\" }\n");
    assert_int_equal(project_import(db, folder), 5); // content, create, id, @order, add
    assert_true(ct_guid_is_equal(crate, project_object(db, "levels/yard.level", "units[1]")));
    ct_database_close(db);
}

static void elements_without_ids_keep_their_objects(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    ct_database *const db = project_database();
    project_write(folder, "a.sjson", "steps = [ { a = 1 } { a = 2 } { a = 3 } { a = 3 } ]\n");
    project_import(db, folder);
    const ct_guid last = project_object(db, "a.sjson", "steps[3]");
    project_write(folder, "a.sjson",
                  "steps = [ { a = 0 } { a = 1 } { a = 2 b = 1 } { a = 3 } { a = 3 } ]\n");
    project_import(db, folder);
    assert_true(ct_guid_is_equal(last, project_object(db, "a.sjson", "steps[4]")));
    project_write(folder, "a.sjson", "steps = [ { a = 2 } { a = 3 } ]\n");
    project_import(db, folder);
    project_export(db, folder);
    project_expect(folder, "a.sjson", "steps = [ { a = 2 } { a = 3 } ]\n");
    ct_database_close(db);
}

static void files_come_and_go(void **state) {
    (void)state;
    const char *folder;
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_database *const db = begin(&folder);
    const uint32_t num_objects = ct_database_num_objects(db);
    project_write(folder, "scripts/a.lua", "print(1)\n");
    assert_true(project_import(db, folder) > 0);
    const char *const other = test_scratch_folder();
    project_export(db, other);
    project_expect(other, "scripts/a.lua", "print(1)\n");
    ct_path_join(path, folder, "scripts/a.lua");
    assert_true(ct_os_file_remove(path, &error));
    project_import(db, folder);
    assert_int_equal(ct_database_num_objects(db), num_objects);
    ct_path_join(path, folder, "levels/yard.level");
    assert_true(ct_os_file_remove(path, &error));
    project_import(db, folder);
    assert_int_equal(ct_database_num_objects(db), 1); // the root
    ct_database_close(db);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_come_back_byte_for_byte),
        cmocka_unit_test(objects_have_the_members_as_keys),
        cmocka_unit_test(paths_that_lead_nowhere_say_where),
        cmocka_unit_test(pictures_have_a_size),
        cmocka_unit_test(edited_values_are_all_that_changes),
        cmocka_unit_test(members_come_and_go),
        cmocka_unit_test(elements_come_go_and_move),
        cmocka_unit_test(arrays_can_become_empty),
        cmocka_unit_test(files_of_objects_alone_are_written_as_people_do),
        cmocka_unit_test(imports_make_only_the_difference),
        cmocka_unit_test(elements_without_ids_keep_their_objects),
        cmocka_unit_test(files_come_and_go),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
