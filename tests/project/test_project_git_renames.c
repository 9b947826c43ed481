#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "project/project_git_renames.h"

static char project[CT_PATH_BYTES];

static void shell(const char *command) {
    char text[4 * CT_PATH_BYTES];
    snprintf(text, sizeof(text),
             "cd '%s' && commit() { git add -A .. && git -c user.name=a -c user.email=a@b commit "
             "-qm x; } && { %s; } >/dev/null 2>&1",
             project, command);
    const char *const arguments[] = {"/bin/sh", "-c", text, NULL};
    const ct_process_desc desc = {.arguments = arguments};
    const ct_process process = ct_process_start(&desc, NULL);
    if (process.pid == 0 || ct_process_wait(process) != 0)
        fail_msg("failed: %s", command);
}

// A repository with a project in a folder of it, and files of which no two have lines in common.
static int new_repository(void **state) {
    (void)state;
    ct_path_join(project, test_scratch_folder(), "my repository/game");
    if (!ct_folder_create(project, NULL))
        return 1;
    shell("git -C .. init -q && seq 1 50 > a.txt && seq 100 150 > 'b c.txt' && mkdir sub && "
          "seq 200 250 > sub/d.txt && seq 300 350 > ../outside.txt && commit");
    return 0;
}

static void reads_the_files_of_the_last_commit(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_git_entries entries;
    ct_error error = {0};
    ct_array_init(&entries, a);
    shell("rm a.txt && touch new.txt");
    assert_true(ct_git_read_head(a, project, &entries, &error));
    assert_int_equal(entries.count, 3);
    assert_string_equal(entries.items[0].path, "a.txt");
    assert_string_equal(entries.items[1].path, "b c.txt");
    assert_string_equal(entries.items[2].path, "sub/d.txt");
    assert_int_equal(entries.items[0].mode, 0100644);
    assert_int_equal(strlen(entries.items[0].object), 40);
}

static void a_repository_without_commits_has_none(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_git_entries entries;
    ct_git_events events;
    ct_error error = {0};
    ct_array_init(&entries, a);
    ct_array_init(&events, a);
    shell("rm -rf ../.git && git -C .. init -q");
    assert_false(ct_git_read_head(a, project, &entries, &error));
    assert_non_null(strstr(error.message, "git ls-tree"));
    assert_false(ct_git_read_events(a, project, &events, &error));
}

static void files_hash_to_the_objects_of_the_commit(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    static const char *const paths[] = {"moved.txt", "sub/d.txt"};
    ct_git_entries entries;
    ct_string_array objects;
    ct_error error = {0};
    ct_array_init(&entries, a);
    ct_array_init(&objects, a);
    // What git's filters make of it is the same.
    shell("git config core.autocrlf input && sed 's/$/\\r/' a.txt > moved.txt && rm a.txt");
    assert_true(ct_git_read_head(a, project, &entries, &error));
    assert_true(ct_git_hash_files(a, project, paths, 2, &objects, &error));
    assert_int_equal(objects.count, 2);
    assert_string_equal(objects.items[0], entries.items[0].object);
    assert_string_equal(objects.items[1], entries.items[2].object);
    static const char *const gone[] = {"sub/d.txt", "a.txt"};
    assert_false(ct_git_hash_files(a, project, gone, 2, &objects, &error));
    assert_int_equal(objects.count, 2);
}

// More than the buffers between two programs hold, both ways at once.
static void many_files_hash_at_once(void **state) {
    (void)state;
    enum { NUM_FILES = 20000 };
    CT_TEMP_ALLOCATOR(a, test_heap());
    const char **const paths = ct_alloc(a, sizeof(*paths) * NUM_FILES);
    ct_string_array objects;
    ct_error error = {0};
    ct_array_init(&objects, a);
    shell("mkdir -p a_folder_with_a_long_name && printf x > a_folder_with_a_long_name/file.txt");
    for (uint32_t i = 0; i < NUM_FILES; ++i)
        paths[i] = "a_folder_with_a_long_name/file.txt";
    if (!ct_git_hash_files(a, project, paths, NUM_FILES, &objects, &error))
        fail_msg("%s", error.message);
    assert_int_equal(objects.count, NUM_FILES);
    assert_string_equal(objects.items[0], objects.items[NUM_FILES - 1]);
}

// Where the file is now by git's knowledge.
static const char *follow(const char *path) {
    static char text[CT_PATH_BYTES];
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_git_events events;
    ct_error error = {0};
    ct_array_init(&events, a);
    if (!ct_git_read_events(a, project, &events, &error))
        fail_msg("%s", error.message);
    const char *const found = ct_git_follow(&events, path);
    snprintf(text, sizeof(text), "%s", found ? found : "none");
    return text;
}

static void follows_renames_through_commits(void **state) {
    (void)state;
    shell("git mv a.txt two.txt && commit && echo more >> two.txt && git mv two.txt sub/three.txt "
          "&& commit");
    assert_string_equal(follow("a.txt"), "sub/three.txt");
    assert_string_equal(follow("two.txt"), "sub/three.txt");
    shell("git mv sub/three.txt 'f our.txt'"); // not yet in a commit
    assert_string_equal(follow("a.txt"), "f our.txt");
    assert_string_equal(follow("sub/d.txt"), "none");
}

static void removed_files_are_nowhere(void **state) {
    (void)state;
    shell("git mv a.txt two.txt && commit && seq 400 450 > a.txt && commit && git rm -q a.txt && "
          "commit");
    assert_string_equal(follow("a.txt"), "none");
    shell("git mv 'b c.txt' b.txt && commit && git rm -q b.txt && commit");
    assert_string_equal(follow("b c.txt"), "none");
}

static void what_leaves_the_project_is_gone(void **state) {
    (void)state;
    shell("git mv a.txt ../away.txt && commit");
    assert_string_equal(follow("a.txt"), "none");
    assert_string_equal(follow("../outside.txt"), "none");
}

#define TEST(name) cmocka_unit_test_setup(name, new_repository)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(reads_the_files_of_the_last_commit),      TEST(a_repository_without_commits_has_none),
        TEST(files_hash_to_the_objects_of_the_commit), TEST(many_files_hash_at_once),
        TEST(follows_renames_through_commits),         TEST(removed_files_are_nowhere),
        TEST(what_leaves_the_project_is_gone),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
