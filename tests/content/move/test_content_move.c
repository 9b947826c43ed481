#include "content/content_group.h"
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#include "content/move/content_move.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"

static char project[CT_PATH_BYTES], core[CT_PATH_BYTES];

static void put(const char *path, const char *text) {
    char place[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    ct_path_join(place, project, path);
    ct_path_folder(folder, place);
    if (!ct_folder_create(folder, NULL) || !ct_file_write(place, text, strlen(text), false, NULL))
        fail_msg("cannot write %s", path);
}

static int new_project(void **state) {
    (void)state;
    ct_path_join(project, test_scratch_folder(), "");
    ct_path_join(core, test_scratch_folder(), "");
    put("settings.config", "boot_script = \"scripts/boot\"");
    put("textures/rose.texture", "source = \"textures/rose.png\"");
    put("textures/rose.png", "png");
    put("materials/wood.material",
        "textures = { a = \"textures/rose\"  \"b\" = \"textures/\\u0072ose\""
        "  c = \"textures/rosewood\" }");
    return 0;
}

// Plans; the changes as text: `from > to (references): content`.
static const char *plan(ct_move_kind kind, const char *from, const char *to) {
    static char text[8192];
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_move_desc desc = {.allocator = a,
                               .heap = test_heap(),
                               .roots = {project, core},
                               .kind = kind,
                               .from = from,
                               .to = to};
    ct_move_plan p;
    size_t at = 0;
    text[0] = 0;
    if (!ct_move_plan_make(&p, &desc))
        at += (size_t)snprintf(text, sizeof(text), "%s: %s", p.errors.items[0].file,
                               p.errors.items[0].message);
    for (uint32_t i = 0; i < p.journal.changes.count && p.errors.count == 0; ++i) {
        const ct_journal_change *const c = &p.journal.changes.items[i];
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s > %s (%u): %s\n",
                               c->from ? c->from : "", c->to ? c->to : "",
                               p.texts.items[i].num_references, c->content ? c->content : "");
    }
    ct_move_plan_free(&p);
    return text;
}

static void a_rename_is_a_set_of_changes(void **state) {
    (void)state;
    assert_string_equal(plan(CT_MOVE_KIND_RENAME, "textures/rose.texture", "t/red"),
                        "materials/wood.material > materials/wood.material (2): textures = { a = "
                        "\"t/red\"  \"b\" = "
                        "\"t/red\"  c = \"textures/rosewood\" }\n"
                        "textures/rose.png > t/red.png (0): \n"
                        "textures/rose.texture > t/red.texture (1): source = \"t/red.png\"\n");
}

static void a_copy_makes_files(void **state) {
    (void)state;
    assert_string_equal(plan(CT_MOVE_KIND_COPY, "textures/rose.texture", "t/red"),
                        " > t/red.png (0): png\n"
                        " > t/red.texture (1): source = \"t/red.png\"\n");
}

static void nothing_is_written_by_a_plan(void **state) {
    (void)state;
    char place[CT_PATH_BYTES];
    plan(CT_MOVE_KIND_RENAME, "textures", "t");
    ct_path_join(place, project, "t");
    assert_int_equal(ct_os_file_info(place).kind, CT_FILE_KIND_NONE);
}

static void removing_is_refused_while_somebody_refers(void **state) {
    (void)state;
    assert_string_equal(plan(CT_MOVE_KIND_REMOVE, "textures/rose.texture", NULL),
                        ": it is referred to in 2 places; --force removes it anyway");
    assert_string_equal(plan(CT_MOVE_KIND_REMOVE, "materials/wood.material", NULL),
                        "materials/wood.material >  (0): \n");
}

static void media_of_a_model_go_with_it(void **state) {
    (void)state;
    put("m/car.gltf", "{\"buffers\":[{\"uri\":\"Car%20.bin\"}],\"images\":[{\"uri\":\"no.png\"}]}");
    put("m/car_.bin", "x");
    put("m/car.obj", "mtllib car.mtl\n");
    put("m/car.mtl", "map_Kd ../textures/rose.png");
    assert_string_equal(plan(CT_MOVE_KIND_RENAME, "m/car.obj", "bus"),
                        "m/car.mtl > bus.mtl (1): map_Kd textures/rose.png\n"
                        "m/car.obj > bus.obj (1): mtllib bus.mtl\n\n");
    assert_string_equal(plan(CT_MOVE_KIND_RENAME, "m/car.gltf", "bus"),
                        "m/car.gltf > bus.gltf (1): {\"buffers\":[{\"uri\":\"m/Car%20.bin\"}],"
                        "\"images\":[{\"uri\":\"no.png\"}]}\n");
}

static void names_that_hold_anything(void **state) {
    (void)state;
    static const char *const names[] = {
        "",
        "/",
        ".",
        "..",
        "../x",
        "/etc/passwd",
        "a//b",
        "a/",
        "a.",
        ".a",
        "a/.b",
        "a\nb",
        "\xff",
        "a.texture.texture",
        "a.b.c.d.e.texture",
        "core",
        "core/x",
        "core/x.texture",
        "*",
        "a:b",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        const char *const found = plan(CT_MOVE_KIND_RENAME, names[i], "b");
        if (!strchr(found, ':') || strchr(found, '>'))
            fail_msg("renamed %s: %s", names[i], found);
        if (i == 7) // `a/` is the texture `a`
            continue;
        const char *const made = plan(CT_MOVE_KIND_RENAME, "textures/rose.texture", names[i]);
        if (strstr(made, " > "))
            fail_msg("renamed to %s: %s", names[i], made);
    }
}

#define TEST(name) cmocka_unit_test_setup(name, new_project)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_rename_is_a_set_of_changes), TEST(a_copy_makes_files),
        TEST(nothing_is_written_by_a_plan), TEST(removing_is_refused_while_somebody_refers),
        TEST(names_that_hold_anything),     TEST(media_of_a_model_go_with_it),
    };
    return cmocka_run_group_tests(tests, content_group_setup, test_group_teardown);
}
