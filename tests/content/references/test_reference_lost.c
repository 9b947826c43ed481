// Which files an index of references calls lost, after others renamed, copied and edited them.
#include "content/content_group.h"
#include "content/references/reference_index.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "support/test_support.h"

static char project[CT_PATH_BYTES];

static void put(const char *name, const char *text) {
    char path[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    ct_path_join(path, project, name);
    ct_path_folder(folder, path);
    assert_true(ct_folder_create(folder, NULL));
    assert_true(ct_file_write(path, text, strlen(text), false, NULL));
}

static void take(const char *name) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, project, name);
    assert_true(ct_os_file_remove(path, NULL));
}

static void rename_file(const char *from, const char *to) {
    char old[CT_PATH_BYTES], new[CT_PATH_BYTES];
    ct_path_join(old, project, from);
    ct_path_join(new, project, to);
    assert_true(ct_os_file_rename(old, new, NULL));
}

static int new_project(void **state) {
    (void)state;
    ct_path_join(project, test_scratch_folder(), "");
    put("settings.config", "boot_package = \"boot\"");
    put("boot.package", "texture = [\"a\" \"b\"]");
    put("a.texture", "source = \"a.png\"");
    put("b.texture", "source = \"b.png\"  // b");
    put("a.png", "the picture a");
    put("b.png", "the picture of b");
    put("unnamed.unit", "components = []");
    put("unnamed.psd", "layers");
    return 0;
}

// Updates the index. What is lost as text: `path@revision`, with `!` where it is displaced.
static const char *lost(void) {
    static char text[1024];
    ct_error error = {0};
    const ct_reference_index *const index = ct_reference_index_update(
        &(ct_reference_index_desc){.allocator = test_heap(), .project = project}, &error);
    if (!index)
        fail_msg("%s", error.message);
    size_t at = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < index->lost.count; ++i) {
        const ct_reference_lost *const l = &ct_reference_lost_files(index)[i];
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s@%u%s", i > 0 ? " " : "",
                               ct_reference_text(index, l->path), l->revision,
                               l->is_displaced ? "!" : "");
        assert_true(l->hash != 0 && l->stamp.size_bytes > 0 && l->seen_ns > 0);
    }
    ct_free(test_heap(), (void *)(uintptr_t)index);
    return text;
}

// How often something changed, to the eyes of the index.
static uint32_t revision(void) {
    const ct_reference_index *const index = ct_reference_index_update(
        &(ct_reference_index_desc){.allocator = test_heap(), .project = project}, NULL);
    const uint32_t result = index->revision;
    ct_free(test_heap(), (void *)(uintptr_t)index);
    return result;
}

// The first index, which all that follows is compared with. Files that were written just now are
// not settled (stat_cache.h); then an update that finds nothing counts up as well.
static uint32_t begin(void) {
    assert_string_equal(lost(), "");
    return revision() + 1;
}

static const char *expected(const char *format, uint32_t number) {
    static char text[256];
    snprintf(text, sizeof(text), format, number, number, number);
    return text;
}

static void what_is_named_and_goes_is_lost(void **state) {
    (void)state;
    begin();
    rename_file("a.texture", "c.texture");
    take("a.png");
    const char *const first = lost();
    assert_non_null(strstr(first, "a.png@"));
    assert_non_null(strstr(first, "a.texture@"));
    assert_null(strchr(first, '!'));
}

static void it_stays_lost_with_the_revision_it_went_in(void **state) {
    (void)state;
    char before[256];
    begin();
    take("a.texture");
    snprintf(before, sizeof(before), "%s", lost());
    put("more.unit", "components = []");
    assert_string_equal(lost(), before);
    assert_string_equal(lost(), before);
}

static void what_nothing_names_is_not_lost(void **state) {
    (void)state;
    begin();
    take("unnamed.unit");
    take("unnamed.psd");
    assert_string_equal(lost(), "");
}

static void what_comes_back_is_not_lost_any_more(void **state) {
    (void)state;
    begin();
    rename_file("a.texture", "c.texture");
    assert_non_null(strstr(lost(), "a.texture"));
    rename_file("c.texture", "a.texture");
    assert_string_equal(lost(), "");
}

static void nor_is_what_others_made_anew(void **state) {
    (void)state;
    begin();
    take("a.texture");
    assert_non_null(strstr(lost(), "a.texture"));
    put("a.texture", "source = \"a.png\"  // quite another");
    assert_string_equal(lost(), "");
}

static void nor_is_what_nothing_names_any_more(void **state) {
    (void)state;
    begin();
    take("a.texture");
    assert_non_null(strstr(lost(), "a.texture"));
    put("boot.package", "texture = [\"b\"]");
    assert_string_equal(lost(), "");
}

static void edits_displace_nothing(void **state) {
    (void)state;
    begin();
    put("a.texture", "source = \"a.png\"  // edited");
    put("b.png", "a new picture");
    assert_string_equal(lost(), "");
}

static void files_that_swap_their_names_are_displaced(void **state) {
    (void)state;
    const uint32_t at = begin();
    rename_file("a.texture", "x");
    rename_file("b.texture", "a.texture");
    rename_file("x", "b.texture");
    assert_string_equal(lost(), expected("a.texture@%u! b.texture@%u!", at));
    assert_string_equal(lost(), expected("a.texture@%u! b.texture@%u!", at));
    // Whoever names them and was changed since knows of it.
    put("boot.package", "texture = [\"b\" \"a\"]");
    assert_string_equal(lost(), "");
}

static void a_chain_displaces_what_it_runs_through(void **state) {
    (void)state;
    const uint32_t at = begin();
    rename_file("b.png", "c.png");
    rename_file("a.png", "b.png");
    assert_string_equal(lost(), expected("a.png@%u b.png@%u!", at));
}

static void a_chain_may_be_seen_link_by_link(void **state) {
    (void)state;
    begin();
    rename_file("b.png", "c.png");
    assert_non_null(strstr(lost(), "b.png@"));
    rename_file("a.png", "b.png");
    const char *const text = lost();
    assert_non_null(strstr(text, "b.png@"));
    assert_non_null(strchr(text, '!'));
    assert_non_null(strstr(text, "a.png@"));
}

static void what_lies_at_a_displaced_path_may_go_as_well(void **state) {
    (void)state;
    begin();
    rename_file("b.png", "c.png");
    rename_file("a.png", "b.png");
    lost();
    take("b.png");
    const char *const text = lost();
    assert_non_null(strstr(text, "a.png@"));
    assert_non_null(strstr(text, "b.png@"));
    assert_null(strchr(text, '!'));
}

#define TEST(name) cmocka_unit_test_setup(name, new_project)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_is_named_and_goes_is_lost),
        TEST(it_stays_lost_with_the_revision_it_went_in),
        TEST(what_nothing_names_is_not_lost),
        TEST(what_comes_back_is_not_lost_any_more),
        TEST(nor_is_what_others_made_anew),
        TEST(nor_is_what_nothing_names_any_more),
        TEST(edits_displace_nothing),
        TEST(files_that_swap_their_names_are_displaced),
        TEST(a_chain_displaces_what_it_runs_through),
        TEST(a_chain_may_be_seen_link_by_link),
        TEST(what_lies_at_a_displaced_path_may_go_as_well),
    };
    return cmocka_run_group_tests(tests, content_group_setup, test_group_teardown);
}
