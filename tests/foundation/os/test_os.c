#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "support/test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MILLISECOND_NS = 1000000 };

// --- Time and memory -----------------------------------------------------------------------------

static void sleeping_takes_its_time(void **state) {
    (void)state;
    const uint64_t start = ct_os_time_ns();
    ct_os_sleep_ns(20 * MILLISECOND_NS);
    const uint64_t slept = ct_os_time_ns() - start;
    assert_true(slept >= 20 * MILLISECOND_NS);
    assert_true(slept < 2000ull * MILLISECOND_NS);
}

static void wall_time_counts_from_1970(void **state) {
    (void)state;
    const int64_t year_ns = 31556952ll * 1000000000;
    assert_true(ct_os_wall_time_ns() > 50 * year_ns);
    assert_true(ct_os_wall_time_ns() < 200 * year_ns);
}

static void pages_are_zeroed_and_writable(void **state) {
    (void)state;
    const uint64_t size_bytes = 3 * ct_os_page_bytes() + 1;
    char *const p = ct_os_pages_allocate(size_bytes);
    assert_non_null(p);
    assert_int_equal((uintptr_t)p % ct_os_page_bytes(), 0);
    for (uint64_t i = 0; i < size_bytes; ++i)
        assert_int_equal(p[i], 0);
    memset(p, 1, size_bytes);
    ct_os_pages_free(p, size_bytes);
}

static void any_part_of_memory_may_prefer_large_pages(void **state) {
    (void)state;
    const uint64_t size_bytes = 8 << 20;
    char *const p = ct_os_pages_allocate(size_bytes);
    p[5000] = 7;
    ct_os_pages_prefer_large(p + 1, size_bytes - 2); // pages that are in it as a whole
    ct_os_pages_prefer_large(p + 1, 100);            // none is
    ct_os_pages_prefer_large(p, 0);
    assert_int_equal(p[5000], 7);
    assert_int_equal(p[4 << 20], 0);
    ct_os_pages_free(p, size_bytes);
}

static void pages_that_cannot_be_had_are_null(void **state) {
    (void)state;
    assert_null(ct_os_pages_allocate(1ull << 60));
    assert_null(ct_os_pages_allocate(UINT64_MAX));
}

// --- Threads -------------------------------------------------------------------------------------

typedef struct shared {
    ct_mutex lock;
    ct_condition changed;
    uint32_t count;
    uint32_t turn;
    uint64_t thread_id;
    char name[32];
} shared;

static shared *shared_create(void) {
    shared *const s = CT_NEW(test_heap(), shared);
    ct_mutex_init(&s->lock);
    ct_condition_init(&s->changed);
    return s;
}

static void shared_destroy(shared *s) {
    ct_condition_shutdown(&s->changed);
    ct_mutex_shutdown(&s->lock);
    ct_free(test_heap(), s);
}

static void note_thread(void *data) {
    shared *const s = data;
    s->thread_id = ct_thread_current_id();
    FILE *const file = fopen("/proc/thread-self/comm", "r");
    if (!file || !fgets(s->name, sizeof(s->name), file))
        s->name[0] = 0;
    if (file)
        fclose(file);
}

static void thread_has_its_name_and_id(void **state) {
    (void)state;
    shared *const s = shared_create();
    char name[32] = "a name that is too long";
    const ct_thread thread = ct_thread_start(name, note_thread, s);
    memset(name, 0, sizeof(name)); // it was borrowed for the call only
    ct_thread_join(thread);
    assert_string_equal(s->name, "a name that is \n");
    assert_int_not_equal(s->thread_id, 0);
    assert_int_not_equal(s->thread_id, ct_thread_current_id());
    shared_destroy(s);
}

static void count_locked(void *data) {
    shared *const s = data;
    for (uint32_t i = 0; i < 20000; ++i) {
        ct_mutex_lock(&s->lock);
        ++s->count;
        ct_mutex_unlock(&s->lock);
    }
}

static void mutex_keeps_threads_apart(void **state) {
    (void)state;
    shared *const s = shared_create();
    ct_thread threads[4];
    for (uint32_t i = 0; i < 4; ++i)
        threads[i] = ct_thread_start("counter", count_locked, s);
    for (uint32_t i = 0; i < 4; ++i)
        ct_thread_join(threads[i]);
    assert_int_equal(s->count, 80000);
    shared_destroy(s);
}

static void take_turns(void *data) {
    shared *const s = data;
    ct_mutex_lock(&s->lock);
    for (uint32_t i = 0; i < 100; ++i) {
        while (s->turn != 1)
            ct_condition_wait(&s->changed, &s->lock);
        ++s->count;
        s->turn = 0;
        ct_condition_signal(&s->changed);
    }
    ct_mutex_unlock(&s->lock);
}

static void condition_wakes_the_other_thread(void **state) {
    (void)state;
    shared *const s = shared_create();
    const ct_thread thread = ct_thread_start("turns", take_turns, s);
    ct_mutex_lock(&s->lock);
    for (uint32_t i = 0; i < 100; ++i) {
        s->turn = 1;
        ct_condition_broadcast(&s->changed);
        while (s->turn != 0)
            ct_condition_wait(&s->changed, &s->lock);
        assert_int_equal(s->count, i + 1);
    }
    ct_mutex_unlock(&s->lock);
    ct_thread_join(thread);
    shared_destroy(s);
}

static void signal_after_a_while(void *data) {
    shared *const s = data;
    ct_os_sleep_ns(10 * MILLISECOND_NS);
    ct_mutex_lock(&s->lock);
    s->turn = 1;
    ct_condition_signal(&s->changed);
    ct_mutex_unlock(&s->lock);
}

static void condition_wait_ends_at_its_time(void **state) {
    (void)state;
    shared *const s = shared_create();
    ct_mutex_lock(&s->lock);
    const uint64_t start = ct_os_time_ns();
    while (ct_condition_wait_for(&s->changed, &s->lock, 20 * MILLISECOND_NS)) {
    }
    assert_true(ct_os_time_ns() - start >= 20 * MILLISECOND_NS);
    const ct_thread thread = ct_thread_start("signal", signal_after_a_while, s);
    bool in_time = true;
    while (s->turn == 0 && in_time)
        in_time = ct_condition_wait_for(&s->changed, &s->lock, UINT64_MAX);
    assert_true(in_time);
    ct_mutex_unlock(&s->lock);
    ct_thread_join(thread);
    shared_destroy(s);
}

static void there_is_a_core(void **state) {
    (void)state;
    assert_in_range(ct_os_core_count(), 1, 65536);
}

// --- Files ---------------------------------------------------------------------------------------

static void write_text(const char *path, const char *text) {
    ct_error error = {0};
    const int file = ct_os_file_open_write(path, &error);
    assert_true(file >= 0);
    assert_true(ct_os_file_write(file, text, strlen(text), &error));
    assert_true(ct_os_file_sync(file, &error));
    ct_os_file_close(file);
}

static void file_info_tells_kinds_links_and_times(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    char file[CT_PATH_BYTES], link_path[CT_PATH_BYTES];
    ct_path_join(file, folder, "file");
    ct_path_join(link_path, folder, "link");
    assert_int_equal(ct_os_file_info(file).kind, CT_FILE_KIND_NONE);
    write_text(file, "12345");
    const ct_file_info info = ct_os_file_info(file);
    assert_int_equal(info.kind, CT_FILE_KIND_FILE);
    assert_false(info.is_link);
    assert_int_equal(info.size_bytes, 5);
    assert_int_not_equal(info.inode, 0);
    const int64_t age_ns = ct_os_wall_time_ns() - info.modified_ns;
    assert_true(age_ns > -1000000000ll && age_ns < 60000000000ll);

    assert_int_equal(symlink(file, link_path), 0);
    const ct_file_info linked = ct_os_file_info(link_path);
    assert_true(linked.is_link);
    assert_int_equal(linked.kind, CT_FILE_KIND_FILE);
    assert_int_equal(linked.inode, info.inode);
    assert_true(ct_os_file_remove(file, NULL));
    assert_true(ct_os_file_info(link_path).is_link);
    assert_int_equal(ct_os_file_info(link_path).kind, CT_FILE_KIND_NONE);
    assert_int_equal(ct_os_file_info(folder).kind, CT_FILE_KIND_FOLDER);
    assert_int_equal(ct_os_file_info("/dev/null").kind, CT_FILE_KIND_OTHER);
}

static void reads_what_was_written(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "file");
    write_text(path, "a longer text");
    write_text(path, "hello"); // emptied first
    const int file = ct_os_file_open_read(path, NULL);
    char text[16] = {0};
    assert_int_equal(ct_os_file_read(file, text, 3), 3);
    assert_int_equal(ct_os_file_read(file, text + 3, 13), 2);
    assert_int_equal(ct_os_file_read(file, text, 16), 0);
    assert_string_equal(text, "hello");
    ct_os_file_close(file);
}

static void reads_and_writes_at_an_offset(void **state) {
    (void)state;
    char path[CT_PATH_BYTES], text[16] = {0};
    ct_path_join(path, test_scratch_folder(), "file");
    int file = ct_os_file_open_write(path, NULL);
    assert_true(ct_os_file_write_at(file, 3, "defg", 4, NULL));
    assert_true(ct_os_file_write_at(file, 0, "abc", 3, NULL));
    assert_true(ct_os_file_write(file, "A", 1, NULL)); // the file's own place has not moved
    ct_os_file_close(file);
    file = ct_os_file_open_read(path, NULL);
    assert_int_equal(ct_os_file_read_at(file, 2, text, 3), 3);
    assert_string_equal(text, "cde");
    assert_int_equal(ct_os_file_read(file, text, 2), 2);
    assert_memory_equal(text, "Ab", 2);
    assert_int_equal(ct_os_file_read_at(file, 6, text, 16), 1);
    assert_int_equal(ct_os_file_read_at(file, 7, text, 16), 0);
    assert_int_equal(ct_os_file_read_at(file, UINT64_MAX, text, 1), -1);
    ct_error error = {0};
    assert_false(ct_os_file_write_at(file, 0, "x", 1, &error)); // open for reading
    assert_string_equal(error.message, "cannot write to the file: Bad file descriptor");
    ct_os_file_close(file);
}

static void file_errors_name_path_and_reason(void **state) {
    (void)state;
    ct_error error = {0};
    assert_int_equal(ct_os_file_open_read("/nowhere/file", &error), -1);
    assert_string_equal(error.message, "cannot read /nowhere/file: No such file or directory");
    assert_int_equal(ct_os_file_open_write("/proc/self/exe/x", &error), -1);
    assert_string_equal(error.message, "cannot write /proc/self/exe/x: Not a directory");
    assert_false(ct_os_file_remove("/nowhere/file", &error));
    assert_non_null(strstr(error.message, "remove /nowhere/file"));
    assert_false(ct_os_file_rename("/nowhere/a", "/nowhere/b", &error));
    assert_non_null(strstr(error.message, "rename /nowhere/a to /nowhere/b: No such file"));
    assert_false(ct_os_folder_list("/nowhere", NULL, NULL, &error));
    assert_non_null(strstr(error.message, "list the folder /nowhere: No such file"));
}

static void full_disk_is_an_error(void **state) {
    (void)state;
    ct_error error = {0};
    const int file = ct_os_file_open_write("/dev/full", &error);
    assert_true(file >= 0);
    assert_false(ct_os_file_write(file, "x", 1, &error));
    assert_non_null(strstr(error.message, "No space left on device"));
    ct_os_file_close(file);
}

static void count_names(void *user, const char *name) {
    uint32_t *count = user;
    *count += strcmp(name, "a") == 0 ? 1 : strcmp(name, ".hidden") == 0 ? 100 : 10000;
}

static void folders_are_made_listed_and_removed(void **state) {
    (void)state;
    char folder[CT_PATH_BYTES], file[CT_PATH_BYTES], hidden[CT_PATH_BYTES];
    ct_path_join(folder, test_scratch_folder(), "folder");
    ct_path_join(file, folder, "a");
    ct_path_join(hidden, folder, ".hidden");
    ct_error error = {0};
    assert_true(ct_os_folder_make(folder, &error));
    assert_true(ct_os_folder_make(folder, &error));
    write_text(file, "x");
    assert_false(ct_os_folder_make(file, &error));
    assert_non_null(strstr(error.message, "File exists"));
    write_text(hidden, "x");
    uint32_t count = 0;
    assert_true(ct_os_folder_list(folder, count_names, &count, &error));
    assert_int_equal(count, 101);
    assert_false(ct_os_folder_remove(folder, &error));
    assert_non_null(strstr(error.message, "not empty"));
    assert_true(ct_os_file_remove(file, &error));
    assert_true(ct_os_file_remove(hidden, &error));
    assert_true(ct_os_folder_remove(folder, &error));
}

static void absolute_path_has_no_links_or_dots(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    char link_path[CT_PATH_BYTES], indirect[CT_PATH_BYTES], direct[CT_PATH_BYTES];
    char resolved[CT_PATH_BYTES];
    ct_path_join(link_path, folder, "link");
    assert_int_equal(symlink(folder, link_path), 0);
    ct_path_join(indirect, link_path, "./../");
    assert_true(ct_os_absolute_path(indirect, resolved, NULL));
    ct_path_folder(direct, folder);
    assert_true(ct_os_absolute_path(direct, direct, NULL));
    assert_string_equal(resolved, direct);
    ct_error error = {0};
    assert_false(ct_os_absolute_path("nowhere/at/all", resolved, &error));
    assert_non_null(strstr(error.message, "nowhere/at/all: No such file"));
}

static void knows_the_running_executable(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_os_executable_path(path);
    assert_int_equal(path[0], '/');
    assert_string_equal(ct_path_file_name(path), "test_os");
}

static void environment_is_readable(void **state) {
    (void)state;
    setenv("CUTTLE_TEST_OF_OS", "value", 1);
    assert_string_equal(ct_os_environment("CUTTLE_TEST_OF_OS"), "value");
    assert_null(ct_os_environment("CUTTLE_TEST_THAT_IS_NOT_SET"));
    char name[CT_OS_MACHINE_NAME_BYTES], again[CT_OS_MACHINE_NAME_BYTES];
    memset(name, 'x', sizeof(name));
    memset(again, 'y', sizeof(again));
    ct_os_machine_name(name);
    ct_os_machine_name(again);
    assert_string_equal(name, again); // ended, and the same each time
}

static void opens_libraries_and_finds_symbols(void **state) {
    (void)state;
    void *const library = ct_library_open("libm.so.6");
    assert_non_null(library);
    assert_non_null(ct_library_symbol(library, "cos"));
    assert_null(ct_library_symbol(library, "ct_no_such_symbol"));
    assert_null(ct_library_open("libct_no_such_library.so"));
}

#ifndef CT_SANITIZE
static void limits_the_memory_of_the_process(void **state) {
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        ct_os_limit_memory(1ull << 30);
        const bool is_refused = !ct_os_pages_allocate(2ull << 30);
        const bool is_given = ct_os_pages_allocate(1 << 20) != NULL;
        _exit(is_refused && is_given ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}
#endif

static _Atomic int64_t calling_thread;

static void note_caller(void *data) {
    (void)data;
    calling_thread = ct_thread_system_id();
}

static void interrupts_threads(void **state) {
    (void)state;
    const ct_thread_call call = {note_caller, NULL};
    const int64_t own = ct_thread_system_id();
    ct_thread_interrupt(own, &call);
    while (!calling_thread)
        ct_thread_yield();
    assert_int_equal(calling_thread, own);
}

static void knows_code_of_libraries(void **state) {
    (void)state;
    assert_true(ct_os_is_library_code((uint64_t)(uintptr_t)&knows_code_of_libraries));
    assert_true(ct_os_is_library_code((uint64_t)(uintptr_t)&strlen));
    void *const page = ct_os_pages_allocate(ct_os_page_bytes());
    assert_false(ct_os_is_library_code((uint64_t)(uintptr_t)page));
    ct_os_pages_free(page, ct_os_page_bytes());
}

static uint64_t stack_left_below(uint32_t depth) {
    volatile char room[10000];
    room[0] = room[9999] = (char)depth;
    return depth ? stack_left_below(depth - 1) + (uint64_t)room[0] - depth : ct_os_stack_left();
}

static void knows_how_much_stack_is_left(void **state) {
    (void)state;
    const uint64_t left = ct_os_stack_left();
    assert_true(left > 100000);
    assert_true(stack_left_below(5) < left - 50000);
}

static void files_keep_when_they_were_made(void **state) {
    (void)state;
    char file[CT_PATH_BYTES], other[CT_PATH_BYTES];
    ct_path_join(file, test_scratch_folder(), "born");
    ct_path_join(other, test_scratch_folder(), "renamed");
    assert_int_equal(ct_os_file_birth_ns(file), 0);
    write_text(file, "a");
    const int64_t birth_ns = ct_os_file_birth_ns(file);
    assert_true(ct_os_file_rename(file, other, NULL));
    const int written = ct_os_file_open_write(other, NULL);
    assert_true(ct_os_file_write(written, "bc", 2, NULL));
    ct_os_file_close(written);
    assert_true(ct_os_file_birth_ns(other) == birth_ns);
    assert_true(birth_ns <= ct_os_wall_time_ns());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interrupts_threads),
        cmocka_unit_test(knows_code_of_libraries),
        cmocka_unit_test(knows_how_much_stack_is_left),

#ifndef CT_SANITIZE
        cmocka_unit_test(limits_the_memory_of_the_process),
#endif
        cmocka_unit_test(sleeping_takes_its_time),
        cmocka_unit_test(wall_time_counts_from_1970),
        cmocka_unit_test(pages_are_zeroed_and_writable),
        cmocka_unit_test(any_part_of_memory_may_prefer_large_pages),
        cmocka_unit_test(pages_that_cannot_be_had_are_null),
        cmocka_unit_test(thread_has_its_name_and_id),
        cmocka_unit_test(mutex_keeps_threads_apart),
        cmocka_unit_test(condition_wakes_the_other_thread),
        cmocka_unit_test(condition_wait_ends_at_its_time),
        cmocka_unit_test(there_is_a_core),
        cmocka_unit_test(file_info_tells_kinds_links_and_times),
        cmocka_unit_test(files_keep_when_they_were_made),
        cmocka_unit_test(reads_what_was_written),
        cmocka_unit_test(reads_and_writes_at_an_offset),
        cmocka_unit_test(file_errors_name_path_and_reason),
        cmocka_unit_test(full_disk_is_an_error),
        cmocka_unit_test(folders_are_made_listed_and_removed),
        cmocka_unit_test(absolute_path_has_no_links_or_dots),
        cmocka_unit_test(knows_the_running_executable),
        cmocka_unit_test(environment_is_readable),
        cmocka_unit_test(opens_libraries_and_finds_symbols),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
