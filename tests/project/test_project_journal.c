#include "support/test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "project/project_journal.h"
#include "project/project_lock.h"
#include "project/source_file.h"

#define OBJECT "0123456789abcdef0123456789abcdef01234567"

// --- Files ---------------------------------------------------------------------------------------

static char project[CT_PATH_BYTES];

static int new_project(void **state) {
    (void)state;
    ct_path_join(project, test_scratch_folder(), "game");
    return ct_folder_create(project, NULL) ? 0 : 1;
}

static const char *place(const char *path) {
    static char places[4][CT_PATH_BYTES];
    static uint32_t next;
    char *const result = places[next++ % 4];
    ct_path_join(result, project, path);
    return result;
}

static void put(const char *path, const char *text) {
    char folder[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_folder(folder, place(path));
    if (!ct_folder_create(folder, &error) ||
        !ct_file_write(place(path), text, strlen(text), false, &error))
        fail_msg("%s", error.message);
}

// Expects a file with this text; NULL: nothing.
static void expect(const char *path, const char *text) {
    uint64_t size_bytes = 0;
    char *const found = ct_file_read(test_heap(), place(path), &size_bytes, NULL);
    if (!text && found)
        fail_msg("%s is there: %s", path, found);
    if (text && (!found || strcmp(found, text) != 0))
        fail_msg("%s is \"%s\", not \"%s\"", path, found ? found : "not there", text);
    ct_free(test_heap(), found);
}

static bool has(const char *path) {
    return ct_os_file_info(place(path)).kind != CT_FILE_KIND_NONE;
}

static uint64_t hash_of(const char *text) {
    return ct_source_hash(text, strlen(text));
}

// --- A set of each kind --------------------------------------------------------------------------

static ct_journal_change change(const char *from, const char *to, const char *old,
                                const char *content) {
    return (ct_journal_change){.from = from,
                               .to = to,
                               .content = content,
                               .content_bytes = content ? strlen(content) : 0,
                               .old_hash = old ? hash_of(old) : 0};
}

enum { NUM_CHANGES = 5 };

static ct_journal set_of_each(ct_allocator *a) {
    ct_journal journal;
    ct_journal_init(&journal, a);
    ct_array_push(&journal.changes, change("units/a.unit", "units/a.unit", "old", "new content"));
    ct_array_push(&journal.changes, change("old/b.png", "new/b.png", NULL, NULL));
    ct_array_push(&journal.changes, change("old/c.unit", "new/c.unit", "c", "c of new"));
    ct_array_push(&journal.changes, change("d.unit", NULL, "d", NULL));
    ct_array_push(&journal.changes, change(NULL, "made/e.unit", NULL, ""));
    return journal;
}

// The same where contents are written over what files hold.
static ct_journal set_over(ct_allocator *a) {
    const ct_journal journal = set_of_each(a);
    ct_journal_change *const c = journal.changes.items;
    c[0].old_content = "old";
    c[0].old_bytes = 3;
    c[2].old_content = "c";
    c[2].old_bytes = 1;
    return journal;
}

static void put_before(void) {
    put("units/a.unit", "old");
    put("old/b.png", "picture");
    put("old/c.unit", "c");
    put("d.unit", "d");
}

static void expect_before(void) {
    expect("units/a.unit", "old");
    expect("old/b.png", "picture");
    expect("old/c.unit", "c");
    expect("d.unit", "d");
    expect("new/b.png", NULL);
    expect("new/c.unit", NULL);
    expect("made/e.unit", NULL);
}

static void expect_after(void) {
    expect("units/a.unit", "new content");
    expect("old/b.png", NULL);
    expect("old/c.unit", NULL);
    expect("new/b.png", "picture");
    expect("new/c.unit", "c of new");
    expect("d.unit", NULL);
    expect("made/e.unit", "");
    assert_false(has("old")); // it was left empty
}

static void expect_no_journal(void) {
    assert_false(ct_journal_is_there(project));
    assert_false(has(".cuttle/cache/journal.new"));
}

static bool run_set(ct_allocator *a, const ct_journal *journal, bool *is_begun, ct_error *error) {
    ct_string_array report;
    ct_array_init(&report, a);
    return ct_journal_run(a, project, journal, is_begun, &report, error);
}

static void put_journal(ct_allocator *a, const ct_journal *journal) {
    uint64_t size_bytes = 0;
    uint8_t *const bytes = ct_journal_write(a, journal, &size_bytes, NULL);
    assert_non_null(bytes);
    assert_true(ct_folder_create(place(".cuttle/cache"), NULL));
    assert_true(ct_file_write(place(".cuttle/cache/journal"), bytes, size_bytes, false, NULL));
}

// Finishes the journal; returns the lines that tell of it, one after the other.
static const char *finish(ct_allocator *a) {
    static char text[4096];
    ct_string_array report;
    ct_error error = {0};
    ct_array_init(&report, a);
    if (!ct_journal_finish(a, project, &report, &error))
        fail_msg("%s", error.message);
    text[0] = 0;
    for (uint32_t i = 0; i < report.count; ++i)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s\n", report.items[i]);
    return text;
}

// --- Running -------------------------------------------------------------------------------------

static void makes_all_changes(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_of_each(a);
    ct_error error = {0};
    bool is_begun = false;
    put_before();
    if (!run_set(a, &journal, &is_begun, &error))
        fail_msg("%s: %s", error.file, error.message);
    expect_after();
    expect_no_journal();
}

static void keeps_permissions(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_of_each(a);
    bool is_begun = false;
    struct stat info;
    put_before();
    assert_int_equal(chmod(place("units/a.unit"), 0640), 0);
    assert_int_equal(chmod(place("old/c.unit"), 0751), 0);
    assert_true(run_set(a, &journal, &is_begun, NULL));
    assert_int_equal(stat(place("units/a.unit"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(stat(place("new/c.unit"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0751);
}

static uint64_t inode_of(const char *path) {
    return ct_os_file_info(place(path)).inode;
}

static void writes_over_small_files_of_one_name(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    enum { LARGE_BYTES = 70000 };
    ct_journal journal = set_of_each(a);
    char *const large = ct_alloc_zero(a, LARGE_BYTES + 1);
    bool is_begun = false;
    memset(large, 'x', LARGE_BYTES);
    ct_array_push(&journal.changes, change("large.unit", "large.unit", large, "small"));
    ct_array_push(&journal.changes, change("names.unit", "names.unit", "of two", "of one"));
    ct_array_push(&journal.changes, change("short.unit", "short.unit", "much longer", ""));
    put_before();
    put("large.unit", large);
    put("names.unit", "of two");
    put("short.unit", "much longer");
    assert_int_equal(link(place("names.unit"), place("other.unit")), 0);
    const uint64_t was[] = {inode_of("units/a.unit"), inode_of("old/c.unit"),
                            inode_of("large.unit"), inode_of("names.unit"), inode_of("short.unit")};
    const bool has_room = ct_os_file_info(place("old/c.unit")).allocated_bytes > 0;
    assert_true(run_set(a, &journal, &is_begun, NULL));
    expect_after();
    expect_no_journal();
    expect("large.unit", "small");
    expect("names.unit", "of one");
    expect("other.unit", "of two");
    expect("short.unit", "");
    if (has_room) { // else what is small lies in the inode
        assert_int_equal(inode_of("units/a.unit"), was[0]);
        assert_int_equal(inode_of("new/c.unit"), was[1]);
    }
    assert_int_not_equal(inode_of("large.unit"), was[2]);
    assert_int_not_equal(inode_of("names.unit"), was[3]);
    assert_int_equal(inode_of("short.unit"), was[4]);
}

static void expect_refused(const char *file, const char *message) {
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_of_each(a);
    ct_error error = {0};
    bool is_begun = true;
    assert_false(run_set(a, &journal, &is_begun, &error));
    assert_false(is_begun);
    assert_string_equal(error.file, file);
    assert_string_equal(error.message, message);
    expect_no_journal();
}

static void refuses_what_is_not_as_expected(void **state) {
    (void)state;
    put_before();
    put("units/a.unit", "edited");
    expect_refused("units/a.unit", "was changed in the meantime");
    put_before();
    assert_true(ct_os_file_remove(place("d.unit"), NULL));
    expect_refused("d.unit", "no longer exists");
    put_before();
    put("new/b.png", "another");
    expect_refused("new/b.png", "already exists");
    assert_true(ct_folder_remove(place("new"), NULL));
    put("new", "a file");
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_of_each(a);
    bool is_begun = true;
    ct_error error = {0};
    assert_false(run_set(a, &journal, &is_begun, &error));
    assert_non_null(strstr(error.message, "which is not a folder"));
    assert_true(ct_os_file_remove(place("new"), NULL));
    expect_before();
}

static void refuses_read_only_files_and_folders(void **state) {
    (void)state;
    put_before();
    assert_int_equal(chmod(place("units/a.unit"), 0444), 0);
    expect_refused("units/a.unit", "is read-only");
    assert_int_equal(chmod(place("units/a.unit"), 0644), 0);
    assert_int_equal(chmod(place("old"), 0555), 0);
    expect_refused("old/b.png", "its folder is read-only");
    assert_int_equal(chmod(place("old"), 0755), 0);
    expect_before();
}

static void refuses_links(void **state) {
    (void)state;
    char outside[CT_PATH_BYTES];
    put_before();
    ct_path_join(outside, test_scratch_folder(), "");
    assert_int_equal(symlink(outside, place("new")), 0);
    expect_refused("new/b.png", "is behind a symbolic link that leads out of the project");
    assert_true(ct_os_file_remove(place("new"), NULL));
    assert_true(ct_os_file_rename(place("d.unit"), place("there.unit"), NULL));
    assert_int_equal(symlink("there.unit", place("d.unit")), 0);
    expect_refused("d.unit", "is a symbolic link or not a regular file");
    ct_path_join(outside, outside, "b.png");
    assert_int_equal(ct_os_file_info(outside).kind, CT_FILE_KIND_NONE);
}

static void refuses_sets_that_are_none(void **state) {
    (void)state;
    static const struct {
        ct_journal_change changes[2];
        const char *message;
    } cases[] = {
        {{{.to = "a", .content = "x", .content_bytes = 1},
          {.to = "a", .content = "x", .content_bytes = 1}},
         "the path a twice"},
        {{{.to = "../a", .content = ""}}, "not valid in a project"},
        {{{.to = "/a", .content = ""}}, "not valid in a project"},
        {{{.to = "a//b", .content = ""}}, "not valid in a project"},
        {{{.to = ".git/config", .content = ""}}, "not valid in a project"},
        {{{.to = "a/.b", .content = ""}}, "not valid in a project"},
        {{{.to = "a\nb", .content = ""}}, "not valid in a project"},
        {{{.to = "a/", .content = ""}}, "not valid in a project"},
        {{{.to = "a"}}, "has content that it must not have, or is missing its content"},
        {{{.from = "a", .to = "a", .old_hash = 1}},
         "has content that it must not have, or is missing its content"},
        {{{.from = "a", .content = "", .old_hash = 1}}, "has content that it must not"},
        {{{.from = "a"}}, "is missing the hash of the old content"},
        {{{.from = "a", .to = "b", .content = ""}}, "is missing the hash of the old content"},
        {{{.to = "a", .content = "", .old_content = ""}}, "old content that it must not have"},
        {{{.from = "a", .to = "b", .old_hash = 1, .old_content = ""}},
         "old content that it must not"},
        {{{.from = "a", .to = "a", .content = "", .old_hash = 1, .old_content = ""}},
         "old content that it must not have, or that does not match its hash"},
        {{{.from = "a", .to = "b", .git_mode = 1}}, "a git index entry"},
        {{{.from = "a", .to = "b", .git_mode = 1, .git_object = "0 x"}}, "invalid git object name"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        CT_TEMP_ALLOCATOR(a, test_heap());
        ct_journal journal;
        ct_error error = {0};
        bool is_begun = true;
        ct_journal_init(&journal, a);
        for (uint32_t k = 0; k < 2; ++k)
            if (k == 0 || cases[i].changes[k].to)
                ct_array_push(&journal.changes, cases[i].changes[k]);
        assert_false(run_set(a, &journal, &is_begun, &error));
        if (is_begun || !strstr(error.message, cases[i].message))
            fail_msg("case %u: %s", i, error.message);
    }
}

// Writes past a limit fail as on a full disk.
static void a_full_disk_changes_nothing(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_journal journal = set_of_each(a);
    struct rlimit limit, small;
    char large[4096];
    memset(large, 'x', sizeof(large));
    journal.changes.items[0].content = large;
    journal.changes.items[0].content_bytes = sizeof(large);
    put_before();
    ct_os_refuse_large_writes();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    for (rlim_t bytes = 0; bytes <= 4400; bytes += 400) {
        bool is_begun = true;
        ct_error error = {0};
        small = (struct rlimit){bytes, limit.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        const bool is_done = run_set(a, &journal, &is_begun, &error);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        assert_false(is_done || is_begun); // the journal takes more than 4,400 bytes
        assert_non_null(strstr(error.message, "cannot write"));
        expect_before();
        expect_no_journal();
    }
}

// --- Finishing -----------------------------------------------------------------------------------

// What change `i` does to the files; `part` of it: of a rename with content both files are there.
static void make_change(uint32_t i, bool part) {
    switch (i) {
    case 0:
        put("units/a.unit", "new content");
        break;
    case 1:
        put("new/b.png", "picture");
        assert_true(ct_os_file_remove(place("old/b.png"), NULL));
        break;
    case 2:
        put("new/c.unit", "c of new");
        if (!part)
            assert_true(ct_os_file_remove(place("old/c.unit"), NULL));
        break;
    case 3:
        assert_true(ct_os_file_remove(place("d.unit"), NULL));
        break;
    default:
        put("made/e.unit", "");
    }
}

static void finishes_from_every_state(void **state) {
    (void)state;
    for (uint32_t done = 0; done < 4 << NUM_CHANGES; ++done) {
        CT_TEMP_ALLOCATOR(a, test_heap());
        const bool is_over = done >> NUM_CHANGES & 2;
        const ct_journal journal = is_over ? set_over(a) : set_of_each(a);
        new_project(NULL);
        put_before();
        for (uint32_t i = 0; i < NUM_CHANGES; ++i)
            if (done >> i & 1)
                make_change(i, done >> NUM_CHANGES & 1);
        put_journal(a, &journal);
        assert_string_equal(finish(a), "finished the changes of an interrupted command: 5 files\n");
        expect_after();
        expect_no_journal();
    }
}

// As a crash leaves a file that was written over up to byte `cut`, with or without its new size.
static void put_mixed(const char *path, const char *old, const char *new, size_t cut, bool is_cut) {
    char text[64] = "";
    const size_t old_bytes = strlen(old), new_bytes = strlen(new);
    memcpy(text, old, is_cut && old_bytes > new_bytes ? new_bytes : old_bytes);
    memcpy(text, new, cut < new_bytes ? cut : new_bytes);
    put(path, text);
}

static void finishes_what_was_being_written_over(void **state) {
    (void)state;
    static const char *const contents[][2] = {
        {"a = \"old\"", "a = \"longer\""}, {"a = \"longer\"", "a = \"old\""}, {"same", "size"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(contents); ++i)
        for (uint32_t cut = 0; cut <= 12; ++cut)
            for (uint32_t way = 0; way < 4; ++way) {
                CT_TEMP_ALLOCATOR(a, test_heap());
                const char *const old = contents[i][0], *const new = contents[i][1];
                const char *const from = way & 1 ? "from/a" : "a";
                ct_journal journal;
                ct_journal_init(&journal, a);
                ct_array_push(&journal.changes, change(from, "a", old, new));
                journal.changes.items[0].old_content = old;
                journal.changes.items[0].old_bytes = strlen(old);
                put_mixed("a", old, new, cut, way & 2);
                put_journal(a, &journal);
                assert_null(strstr(finish(a), "stays"));
                expect("a", new);
                expect_no_journal();
            }
}

// Bytes that were to come are zeroes when the machine stops before they are on the disk.
static void finishes_what_grew_without_its_bytes(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_over(a);
    put_before();
    assert_true(ct_file_write(place("units/a.unit"), "old\0\0\0\0tent", 11, false, NULL));
    put_journal(a, &journal);
    finish(a);
    expect_after();
}

static void finishes_files_that_became_read_only_or_got_names(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_over(a);
    put_before();
    assert_int_equal(chmod(place("units/a.unit"), 0444), 0);
    assert_int_equal(link(place("old/c.unit"), place("other.unit")), 0);
    put_journal(a, &journal);
    finish(a);
    expect_after();
    expect_no_journal();
    expect("other.unit", "c");
}

static void keeps_what_was_edited_where_it_would_write_over(void **state) {
    (void)state;
    static const char *const edits[] = {"olt", "old content, and more", "ol", "", "newt"};
    for (uint32_t i = 0; i < CT_COUNT_OF(edits); ++i)
        for (uint32_t is_renamed = 0; is_renamed < 2; ++is_renamed) {
            CT_TEMP_ALLOCATOR(a, test_heap());
            const ct_journal journal = set_over(a);
            new_project(NULL);
            put_before();
            if (is_renamed)
                make_change(2, false);
            put("units/a.unit", edits[i]);
            put(is_renamed ? "new/c.unit" : "old/c.unit", "edited c");
            put_journal(a, &journal);
            const char *const told = finish(a);
            assert_non_null(
                strstr(told, "units/a.unit: left unchanged; it was edited in the meantime"));
            assert_non_null(strstr(told, is_renamed ? "new/c.unit: left unchanged; it was edited"
                                                    : "new/c.unit: was edited in the meantime"));
            expect("units/a.unit", edits[i]);
            expect("old/c.unit", NULL);
            expect("new/c.unit", "edited c");
            expect_no_journal();
            assert_true(ct_folder_remove(place("new"), NULL));
        }
}

static void uses_what_is_staged_only_when_it_is_right(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_of_each(a);
    put_before();
    put_journal(a, &journal);
    put(".cuttle/cache/journal.new/0", "new cont"); // cut by a crash
    put(".cuttle/cache/journal.new/2", "c of new");
    finish(a);
    expect_after();
    expect_no_journal();
}

static void keeps_what_was_edited_meanwhile(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_of_each(a);
    put_before();
    put("units/a.unit", "edited a");
    put("old/c.unit", "edited c");
    put("d.unit", "edited d");
    put("made/e.unit", "made by hand");
    put_journal(a, &journal);
    const char *const told = finish(a);
    assert_non_null(strstr(told, "units/a.unit: left unchanged; it was edited in the meantime"));
    assert_non_null(strstr(told, "new/c.unit: was edited in the meantime"));
    assert_non_null(strstr(told, "d.unit: not removed; it was edited in the meantime"));
    assert_non_null(strstr(told, "made/e.unit: left unchanged; another program created it"));
    expect("units/a.unit", "edited a");
    expect("new/c.unit", "edited c");
    expect("new/b.png", "picture");
    expect("d.unit", "edited d");
    expect("made/e.unit", "made by hand");
    expect_no_journal();
}

static void keeps_both_files_of_a_rename_in_conflict(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_of_each(a);
    put_before();
    put("new/b.png", "another");
    assert_true(ct_os_file_remove(place("units/a.unit"), NULL));
    assert_true(ct_os_file_remove(place("old/c.unit"), NULL));
    put_journal(a, &journal);
    const char *const told = finish(a);
    assert_non_null(strstr(told, "old/b.png: not renamed; new/b.png exists as well"));
    assert_non_null(strstr(told, "units/a.unit: left unchanged; it was removed in the meantime"));
    assert_non_null(
        strstr(told, "old/c.unit: no longer exists and could not be renamed to new/c.unit"));
    expect("old/b.png", "picture");
    expect("new/b.png", "another");
    expect("units/a.unit", NULL);
    expect_no_journal();
}

// A full disk, then room again.
static void goes_on_when_there_is_room_again(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_of_each(a);
    struct rlimit limit, small;
    ct_error error = {0};
    ct_string_array report;
    ct_array_init(&report, a);
    put_before();
    put_journal(a, &journal);
    ct_os_refuse_large_writes();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = (struct rlimit){4, limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const bool is_done = ct_journal_finish(a, project, &report, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_false(is_done);
    assert_non_null(strstr(error.message, "cannot finish the changes"));
    assert_true(ct_journal_is_there(project));
    finish(a);
    expect_after();
    expect_no_journal();
}

// --- Bad journals --------------------------------------------------------------------------------

static void expect_set_aside(ct_allocator *a, const char *reason) {
    const char *const told = finish(a);
    if (!strstr(told, reason) || !strstr(told, "journal.bad"))
        fail_msg("%s", told);
    assert_false(ct_journal_is_there(project));
    expect_before();
}

static void sets_damaged_journals_aside(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_of_each(a);
    uint64_t size_bytes = 0;
    uint8_t *const bytes = ct_journal_write(a, &journal, &size_bytes, NULL);
    put_before();
    put(".cuttle/cache/journal", "");
    for (uint64_t i = 0; i < size_bytes; i += 7) {
        const uint64_t cut = i % 2 ? size_bytes : i;
        bytes[i] ^= 0x55;
        assert_true(ct_file_write(place(".cuttle/cache/journal"), bytes, cut, false, NULL));
        expect_set_aside(a, "its journal is bad");
        bytes[i] ^= 0x55;
    }
    assert_true(has(".cuttle/cache/journal.bad"));
    assert_true(has(".cuttle/cache/journal.bad-2")); // none of them is lost
    assert_true(ct_folder_create(place(".cuttle/cache/journal"), NULL));
    expect_set_aside(a, "it is not a regular file below 4 GiB");
}

static void no_part_of_a_journal_counts(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_over(a);
    uint64_t size_bytes = 0;
    uint8_t *const bytes = ct_journal_write(a, &journal, &size_bytes, NULL);
    put_before();
    assert_true(ct_folder_create(place(".cuttle/cache"), NULL));
    for (uint64_t cut = 0; cut < size_bytes; ++cut) {
        assert_true(ct_file_write(place(".cuttle/cache/journal"), bytes, cut, false, NULL));
        expect_set_aside(a, "its journal is bad");
        assert_true(ct_os_file_remove(place(".cuttle/cache/journal.bad"), NULL));
    }
}

static void sets_hostile_journals_aside(void **state) {
    (void)state;
    static const ct_journal_change hostile[] = {
        {.to = "../stolen", .content = "x", .content_bytes = 1},
        {.from = "../game/d.unit", .to = "e.unit"},
        {.to = ".git/hooks/pre-commit", .content = "x", .content_bytes = 1},
        {.to = "link/stolen", .content = "x", .content_bytes = 1},
    };
    char outside[CT_PATH_BYTES];
    put_before();
    ct_path_folder(outside, project);
    assert_int_equal(symlink(outside, place("link")), 0);
    for (uint32_t i = 0; i < CT_COUNT_OF(hostile); ++i) {
        CT_TEMP_ALLOCATOR(a, test_heap());
        ct_journal journal = set_of_each(a);
        ct_array_push(&journal.changes, hostile[i]);
        put_journal(a, &journal);
        expect_set_aside(a, i < 3 ? "not valid in a project" : "leads out of the project");
    }
    ct_path_join(outside, outside, "stolen");
    assert_int_equal(ct_os_file_info(outside).kind, CT_FILE_KIND_NONE);
}

// --- The lock ------------------------------------------------------------------------------------

static void taking_a_lock_finishes_the_journal(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_of_each(a);
    for (uint32_t i = 0; i < 2; ++i) {
        char lock_path[CT_PATH_BYTES];
        ct_project_lock lock = {0};
        ct_error error = {0};
        new_project(NULL);
        put_before();
        put_journal(a, &journal);
        assert_true(ct_project_lock_path(project, lock_path, &error));
        if (i > 0)
            ct_path_join(lock_path, test_scratch_folder(), "data.lock"); // of data elsewhere
        const ct_project_lock_desc desc = {.path = lock_path, .project = project};
        if (!ct_project_lock_take(&desc, &lock, &error))
            fail_msg("%s", error.message);
        expect_after();
        expect_no_journal();
        ct_project_lock_release(&lock);
    }
}

static void readers_finish_it_too_and_else_write_nothing(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_journal journal = set_of_each(a);
    const ct_project_lock_desc desc = {0};
    assert_true(ct_project_finish_journal(project, &desc, NULL));
    assert_false(has(".cuttle"));
    put_before();
    put_journal(a, &journal);
    assert_true(ct_project_finish_journal(project, &desc, NULL));
    expect_after();
}

// --- The file ------------------------------------------------------------------------------------

static void reads_what_it_wrote(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_journal journal = set_over(a), read;
    uint64_t size_bytes = 0;
    journal.changes.items[1].git_mode = 0100644;
    journal.changes.items[1].git_object = OBJECT;
    const uint8_t *const bytes = ct_journal_write(a, &journal, &size_bytes, NULL);
    ct_journal_init(&read, a);
    assert_true(ct_journal_read(bytes, size_bytes, &read, NULL));
    assert_int_equal(read.changes.count, NUM_CHANGES);
    const ct_journal_change *const c = read.changes.items;
    assert_string_equal(c[0].from, "units/a.unit");
    assert_string_equal(c[0].to, "units/a.unit");
    assert_memory_equal(c[0].content, "new content", c[0].content_bytes);
    assert_int_equal(c[0].old_hash, hash_of("old"));
    assert_int_equal(c[0].old_bytes, 3);
    assert_memory_equal(c[0].old_content, "old", 3);
    assert_string_equal(c[1].to, "new/b.png");
    assert_null(c[1].content);
    assert_null(c[1].old_content);
    assert_int_equal(c[1].git_mode, 0100644);
    assert_string_equal(c[1].git_object, OBJECT);
    assert_null(c[3].to);
    assert_null(c[4].from);
    assert_int_equal(c[4].content_bytes, 0);
    assert_non_null(c[4].content);
}

#define TEST(name) cmocka_unit_test_setup(name, new_project)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(makes_all_changes),
        TEST(keeps_permissions),
        TEST(writes_over_small_files_of_one_name),
        TEST(refuses_what_is_not_as_expected),
        TEST(refuses_read_only_files_and_folders),
        TEST(refuses_links),
        TEST(refuses_sets_that_are_none),
        TEST(a_full_disk_changes_nothing),
        TEST(finishes_from_every_state),
        TEST(finishes_what_was_being_written_over),
        TEST(finishes_what_grew_without_its_bytes),
        TEST(finishes_files_that_became_read_only_or_got_names),
        TEST(keeps_what_was_edited_where_it_would_write_over),
        TEST(uses_what_is_staged_only_when_it_is_right),
        TEST(keeps_what_was_edited_meanwhile),
        TEST(keeps_both_files_of_a_rename_in_conflict),
        TEST(goes_on_when_there_is_room_again),
        TEST(sets_damaged_journals_aside),
        TEST(no_part_of_a_journal_counts),
        TEST(sets_hostile_journals_aside),
        TEST(taking_a_lock_finishes_the_journal),
        TEST(readers_finish_it_too_and_else_write_nothing),
        TEST(reads_what_it_wrote),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
