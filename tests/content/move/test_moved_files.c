// Where lost files are found: by the disk, by content, by names and folders.
#include "content/content_group.h"
#include "content/move/moved_files.h"

#include <stdio.h>
#include <string.h>

#include "content/references/index_support.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"

static char project[CT_PATH_BYTES];

static void place_of(const char *name, char place[CT_PATH_BYTES]) {
    char folder[CT_PATH_BYTES];
    ct_path_join(place, project, name);
    ct_path_folder(folder, place);
    assert_true(ct_folder_create(folder, NULL));
}

static void put(const char *name, const char *text) {
    char place[CT_PATH_BYTES];
    place_of(name, place);
    const int file = ct_os_file_open_write(place, NULL); // in place: the file stays the same one
    assert_true(file >= 0 && ct_os_file_write(file, text, strlen(text), NULL));
    ct_os_file_close(file);
}

static void take(const char *name) {
    char place[CT_PATH_BYTES];
    place_of(name, place);
    assert_true(ct_os_file_remove(place, NULL));
}

static void move(const char *from, const char *to) {
    char old[CT_PATH_BYTES], new[CT_PATH_BYTES];
    place_of(from, old);
    place_of(to, new);
    assert_true(ct_os_file_rename(old, new, NULL));
}

// Another file of the same content, as git and copying make it.
static void copy(const char *from, const char *to) {
    char place[CT_PATH_BYTES];
    uint64_t bytes = 0;
    place_of(from, place);
    char *const text = ct_file_read(test_heap(), place, &bytes, NULL);
    assert_non_null(text);
    put(to, text);
    ct_free(test_heap(), text);
}

static void copy_and_take(const char *from, const char *to) {
    copy(from, to);
    take(from);
}

static int new_project(void **state) {
    (void)state;
    ct_path_join(project, test_scratch_folder(), "");
    put(".git", "no repository"); // what is above is none of it
    put("settings.config", "boot_package = \"boot\"");
    put("boot.package", "texture = [\"a\" \"b\" \"x/a\" \"x/b\"] unit = [\"u\"]");
    put("a.texture", "source = \"a.png\" // a");
    put("b.texture", "source = \"b.png\" // b");
    put("a.png", "picture a");
    put("b.png", "picture b");
    put("u.unit", "components = []");
    settle_index(project);
    return 0;
}

// What became of the lost files, as text: `a.texture=6:b.texture,c.texture` by the evidence.
static const char *found(void) {
    static char text[2048];
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_reference_index *const index = update_index(project);
    ct_reference_graph graph;
    ct_moved_files moved;
    size_t at = 0;
    ct_reference_graph_make(&graph, a, index, (ct_source_roots){project, NULL});
    ct_moved_files_find(&moved, a, test_heap(), &graph);
    text[0] = 0;
    for (uint32_t i = 0; i < moved.files.count; ++i) {
        const ct_moved_file *const f = &moved.files.items[i];
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s=%u", i > 0 ? " " : "", f->path,
                               f->evidence);
        for (uint32_t k = 0; k < f->num_candidates; ++k)
            at += (size_t)snprintf(text + at, sizeof(text) - at, "%c%s", k > 0 ? ',' : ':',
                                   moved.candidates.items[f->first_candidate + k]);
    }
    ct_free(test_heap(), (void *)(uintptr_t)index);
    return text;
}

_Static_assert(CT_MOVED_EVIDENCE_LIKE == 1 && CT_MOVED_EVIDENCE_EDITED == 3 &&
                   CT_MOVED_EVIDENCE_CONTENT == 4 && CT_MOVED_EVIDENCE_NAME == 5 &&
                   CT_MOVED_EVIDENCE_SAME == 6,
               "as the texts have it");

static void finds_the_same_file_of_the_disk(void **state) {
    (void)state;
    move("a.texture", "c.texture");
    copy("c.texture", "d.texture");
    assert_string_equal(found(), "a.texture=6:c.texture");
}

static void finds_it_once_it_was_edited(void **state) {
    (void)state;
    char place[CT_PATH_BYTES];
    place_of("a.texture", place);
    if (ct_os_file_birth_ns(place) == 0)
        skip();
    move("a.texture", "c.texture");
    put("c.texture", "source = \"a.png\" // quite another, and longer");
    assert_string_equal(found(), "a.texture=3:c.texture");
}

static void finds_the_same_content(void **state) {
    (void)state;
    copy_and_take("a.texture", "c.texture");
    copy_and_take("b.png", "sub/c.png");
    assert_string_equal(found(), "a.texture=4:c.texture b.png=4:sub/c.png");
}

static void copies_are_equally_good(void **state) {
    (void)state;
    copy("a.texture", "d.texture");
    copy_and_take("a.texture", "c.texture");
    assert_string_equal(found(), "a.texture=4:c.texture,d.texture");
}

static void the_same_name_is_better(void **state) {
    (void)state;
    copy("a.texture", "d.texture");
    copy_and_take("a.texture", "sub/a.texture");
    assert_string_equal(found(), "a.texture=5:sub/a.texture");
}

static void what_was_there_before_is_only_like_it(void **state) {
    (void)state;
    put("v.unit", "components = []");
    assert_string_equal(found(), "");
    take("u.unit");
    assert_string_equal(found(), "u.unit=1:v.unit");
    // What comes since is no better then: all empty units are the same.
    put("w.unit", "components = []");
    assert_string_equal(found(), "u.unit=1:v.unit,w.unit");
}

static void empty_files_tell_nothing(void **state) {
    (void)state;
    put("a.png", "");
    assert_string_equal(found(), "");
    take("a.png");
    put("new.png", "");
    assert_non_null(strstr(found(), "a.png=1:new.png"));
}

static void other_types_are_other_things(void **state) {
    (void)state;
    copy("a.texture", "a.material");
    move("a.texture", "a.unit");
    copy_and_take("a.png", "a.jpg");
    assert_string_equal(found(), "a.texture=0");
}

static void the_folder_of_others_breaks_ties(void **state) {
    (void)state;
    put("x/a.texture", "source = \"a.png\" // in x");
    put("x/b.texture", "source = \"b.png\" // also in x");
    settle_index(project);
    assert_string_equal(found(), "");
    copy("x/b.texture", "z/b.texture");
    copy_and_take("x/a.texture", "y/a.texture");
    copy_and_take("x/b.texture", "y/b.texture");
    assert_string_equal(found(), "x/a.texture=5:y/a.texture x/b.texture=5:y/b.texture");
}

static void chains_hold_each_other_up(void **state) {
    (void)state;
    copy_and_take("b.texture", "c.texture");
    copy_and_take("a.texture", "b.texture");
    assert_string_equal(found(), "a.texture=4:b.texture b.texture=4:c.texture");
}

// One of the two is nowhere: then what came to its path may as well be a copy of it.
static void half_a_chain_is_none(void **state) {
    (void)state;
    copy_and_take("a.texture", "b.texture");
    assert_string_equal(found(), "a.texture=0 b.texture=0");
}

static void a_file_moved_over_another_is_the_same(void **state) {
    (void)state;
    move("a.texture", "b.texture");
    assert_string_equal(found(), "a.texture=6:b.texture b.texture=0");
}

#define TEST(name) cmocka_unit_test_setup(name, new_project)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(finds_the_same_file_of_the_disk),
        TEST(finds_it_once_it_was_edited),
        TEST(finds_the_same_content),
        TEST(copies_are_equally_good),
        TEST(the_same_name_is_better),
        TEST(what_was_there_before_is_only_like_it),
        TEST(empty_files_tell_nothing),
        TEST(other_types_are_other_things),
        TEST(the_folder_of_others_breaks_ties),
        TEST(chains_hold_each_other_up),
        TEST(half_a_chain_is_none),
        TEST(a_file_moved_over_another_is_the_same),
    };
    return cmocka_run_group_tests(tests, content_group_setup, test_group_teardown);
}
