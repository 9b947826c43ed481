#include "content/content_group.h"
#include "content/move/content_moved.h"

#include <stdio.h>
#include <string.h>

#include "content/references/index_support.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"

static char project[CT_PATH_BYTES], core[CT_PATH_BYTES];

static void put(const char *path, const char *text) {
    char place[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    ct_path_join(place, project, path);
    ct_path_folder(folder, place);
    if (!ct_folder_create(folder, NULL) || !ct_file_write(place, text, strlen(text), false, NULL))
        fail_msg("cannot write %s", path);
}

static void move(const char *from, const char *to) {
    char old[CT_PATH_BYTES], new[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    ct_path_join(old, project, from);
    ct_path_join(new, project, to);
    ct_path_folder(folder, new);
    assert_true(ct_folder_create(folder, NULL) && ct_os_file_rename(old, new, NULL));
}

static int new_project(void **state) {
    (void)state;
    ct_path_join(project, test_scratch_folder(), "");
    ct_path_join(core, test_scratch_folder(), "");
    put(".git", "no repository"); // what is above is none of it
    put("settings.config", "boot_script = \"boot\"");
    put("boot.lua", "World.spawn_unit(w, \"u/a\") x = \"t/a\"");
    put("t/a.texture", "source = \"t/a.png\"");
    put("t/a.fr.texture", "source = \"t/b.png\"");
    put("t/b.texture", "source = \"t/b.png\" // b");
    put("t/a.png", "picture a");
    put("t/b.png", "picture b");
    put("m.material", "textures = { a = \"t/a\"  b = \"t/b\" }");
    put("u/a.unit", "components = []");
    return 0;
}

// Plans: names as `a=b`, what is not clear as `a?b,c`, then the changes, and what stays missing.
static const char *plan(void) {
    static char text[4096];
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_move_desc desc = {
        .allocator = a, .heap = test_heap(), .roots = {project, core}, .kind = CT_MOVE_KIND_MOVED};
    ct_moved_plan moved;
    size_t at = 0;
    text[0] = 0;
    if (!ct_moved_plan_make(&moved, &desc))
        fail_msg("%s: %s", moved.plan.errors.items[0].file, moved.plan.errors.items[0].message);
    for (uint32_t i = 0; i < moved.names.count; ++i) {
        const ct_moved_name *const n = &moved.names.items[i];
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%c%s", n->from, n->to ? '=' : '?',
                               n->to ? n->to : "");
        for (uint32_t k = 0; k < n->num_candidates; ++k)
            at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s", k > 0 ? "," : "",
                                   moved.candidates.items[n->first_candidate + k]);
        at += (size_t)snprintf(text + at, sizeof(text) - at, "\n");
    }
    for (uint32_t i = 0; i < moved.plan.journal.changes.count; ++i) {
        const ct_journal_change *const c = &moved.plan.journal.changes.items[i];
        assert_string_equal(c->from, c->to);
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s: %s\n", c->from, c->content);
    }
    for (uint32_t i = 0; i < moved.missing.count; ++i)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "missing %u\n", i);
    ct_moved_plan_free(&moved);
    return text;
}

static void nothing_is_no_plan(void **state) {
    (void)state;
    assert_string_equal(plan(), "");
    assert_string_equal(plan(), "");
}

static void a_resource_and_its_media(void **state) {
    (void)state;
    plan();
    move("t/a.texture", "t/c.texture");
    move("t/a.fr.texture", "t/c.fr.texture");
    move("t/a.png", "t/c.png");
    assert_string_equal(plan(), "t/a.png=t/c.png\n"
                                "t/a=t/c\n"
                                "m.material: textures = { a = \"t/c\"  b = \"t/b\" }\n"
                                "t/c.texture: source = \"t/c.png\"\n");
}

static void a_circle_of_names(void **state) {
    (void)state;
    put("t/c.texture", "source = \"t/a.png\" // c");
    put("n.material", "textures = { a = \"t/a\"  b = \"t/b\"  c = \"t/c\" }");
    plan();
    move("t/a.texture", "x");
    move("t/b.texture", "t/a.texture");
    move("t/c.texture", "t/b.texture");
    move("x", "t/c.texture");
    move("t/a.fr.texture", "t/c.fr.texture");
    assert_string_equal(plan(),
                        "t/a=t/c\n"
                        "t/b=t/a\n"
                        "t/c=t/b\n"
                        "m.material: textures = { a = \"t/c\"  b = \"t/a\" }\n"
                        "n.material: textures = { a = \"t/c\"  b = \"t/a\"  c = \"t/b\" }\n");
}

static void most_variants_decide(void **state) {
    (void)state;
    put("t/a.de.texture", "source = \"t/b.png\" // de");
    settle_index(project); // else those that were seen late enough would count alone
    plan();
    move("t/a.texture", "t/d.texture");
    move("t/a.fr.texture", "t/c.fr.texture");
    move("t/a.de.texture", "t/c.de.texture");
    assert_string_equal(plan(), "t/a=t/c\n"
                                "m.material: textures = { a = \"t/c\"  b = \"t/b\" }\n");
    move("t/c.de.texture", "t/d.de.texture");
    move("t/c.fr.texture", "t/e.fr.texture");
    move("t/d.de.texture", "t/f.de.texture");
    assert_string_equal(plan(), "t/a?t/d,t/e,t/f\n"
                                "missing 0\n");
}

static void what_is_nowhere_stays_missing(void **state) {
    (void)state;
    char place[CT_PATH_BYTES];
    plan();
    ct_path_join(place, project, "u/a.unit");
    assert_true(ct_os_file_remove(place, NULL));
    assert_string_equal(plan(), "missing 0\n");
}

static void records_of_imports_follow(void **state) {
    (void)state;
    put("models/car.obj", "v 0 0 0");
    put("models/car.mesh", "source = \"models/car.obj\"");
    put("u/car.unit", "components = [ { id = \"a\" type = \"mesh\" mesh = \"models/car\" } ]");
    put("models/car.import", "model = \"models/car.obj\"\n"
                             "files = [ { path = \"models/car.mesh\" wrote = { source = "
                             "\"models/car.obj\" } } ]\n");
    plan();
    move("models/car.obj", "cars/car.obj");
    move("models/car.mesh", "cars/car.mesh");
    assert_string_equal(
        plan(), "models/car.obj=cars/car.obj\n"
                "models/car=cars/car\n"
                "cars/car.mesh: source = \"cars/car.obj\"\n"
                "models/car.import: model = \"cars/car.obj\"\n"
                "files = [ { path = \"cars/car.mesh\" wrote = { source = \"cars/car.obj\" } } ]\n\n"
                "u/car.unit: components = [ { id = \"a\" type = \"mesh\" mesh = \"cars/car\" } "
                "]\n");
}

#define TEST(name) cmocka_unit_test_setup(name, new_project)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_no_plan),
        TEST(a_resource_and_its_media),
        TEST(a_circle_of_names),
        TEST(most_variants_decide),
        TEST(what_is_nowhere_stays_missing),
        TEST(records_of_imports_follow),
    };
    return cmocka_run_group_tests(tests, content_group_setup, test_group_teardown);
}
