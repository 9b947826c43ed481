// A process that saves again and again is killed: what is there afterwards is the old or the new game in
// full. The same kills must find a writer that writes over the file in place.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "save/save_fixture.h"

enum { SIZE = 1000000 };

typedef bool writer(ct_allocator *a, uint32_t number);

static bool write_well(ct_allocator *a, uint32_t number) {
    return write_number(a, number, SIZE + number % 7 * 10000, NULL);
}

// What the engine must not do.
static bool write_in_place(ct_allocator *a, uint32_t number) {
    number_sections s;
    ct_byte_array bytes;
    char path[CT_PATH_BYTES];
    make_sections(a, &s, number, SIZE);
    ct_array_init(&bytes, a);
    bool is_written = ct_save_path(folder, "slot", false, path, NULL) &&
                      ct_save_file_write(s.sections, 2, &bytes, NULL);
    const int file = is_written ? ct_os_file_open_write(path, NULL) : -1;
    is_written = file >= 0 && ct_os_file_write(file, bytes.items, bytes.count, NULL) &&
                 ct_os_file_sync(file, NULL);
    if (file >= 0)
        ct_os_file_close(file);
    ct_array_free(&bytes);
    free_sections(&s);
    return is_written;
}

static void add_state(void *user, const char *name) {
    char path[CT_PATH_BYTES];
    uint64_t *const state = user;
    if (!ct_path_try_join(path, folder, name))
        return;
    const ct_file_info info = ct_os_file_info(path);
    *state = *state * 31 + info.inode * 7 + info.size_bytes + strlen(name);
}

// A number that changes with the files in the folder and their sizes.
static uint64_t folder_state(void) {
    uint64_t state = 0;
    ct_os_folder_list(folder, add_state, &state, NULL);
    return state;
}

// Waits for a random moment; in every second turn for one right after something has changed.
static void wait_for_moment(uint32_t turn, uint32_t *random) {
    ct_os_sleep_ns(test_random(random) % 30000 * 1000ull);
    if (turn % 2 == 0)
        return;
    const uint64_t state = folder_state(), end_ns = ct_os_time_ns() + 1000000000;
    while (folder_state() == state && ct_os_time_ns() < end_ns)
        continue;
    const uint64_t until_ns = ct_os_time_ns() + test_random(random) % 1000 * 1000ull;
    while (ct_os_time_ns() < until_ns)
        continue;
}

// Starts a process that saves from a number on, kills it, and returns the last number that it has said to
// be saved, or the one before the first.
static uint32_t save_and_kill(ct_allocator *a, writer *write_slot, uint32_t first, uint32_t turn,
                              uint32_t *random) {
    int said[2];
    assert_int_equal(pipe(said), 0);
    const pid_t child = fork();
    if (child == 0) {
        for (uint32_t number = first;; ++number) {
            if (!write_slot(a, number) || write(said[1], &number, sizeof(number)) != sizeof(number))
                _exit(1);
        }
    }
    close(said[1]);
    wait_for_moment(turn, random);
    int status;
    uint32_t saved = first - 1, next;
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status)); // it saved until then
    while (read(said[0], &next, sizeof(next)) == sizeof(next))
        saved = next;
    close(said[0]);
    return saved;
}

// Kills a writer often; returns how often the newest file was neither the old nor the new game in full.
static uint32_t count_broken(ct_allocator *a, writer *write_slot, uint32_t num_kills,
                             uint32_t *num_meanwhile) {
    uint32_t last = 1, num_broken = 0, random = 17;
    *num_meanwhile = 0;
    assert_true(write_well(a, 0));
    assert_true(write_well(a, 1));
    for (uint32_t turn = 0; turn < num_kills; ++turn) {
        const uint32_t saved = save_and_kill(a, write_slot, last + 1, turn, &random);
        const uint32_t newest = read_file_number(a, false);
        *num_meanwhile += count_files() > 2 || newest > saved;
        if (newest == saved || newest == saved + 1) {
            last = newest;
            if (write_slot == write_well) {
                const uint32_t kept = read_file_number(a, true);
                assert_true(kept == newest || kept + 1 == newest);
            }
        } else {
            ++num_broken;
            last = saved + 1;
            assert_true(write_well(a, last));
        }
    }
    return num_broken;
}

// 200 kills with CUTTLE_TEST_LONG, else some.
static void a_kill_leaves_the_old_or_the_new_one(void **state) {
    ct_allocator *const a = test_heap();
    uint32_t num_meanwhile;
    (void)state;
    const uint32_t num_kills = test_rounds(30, 200);
    assert_int_equal(count_broken(a, write_well, num_kills, &num_meanwhile), 0);
    print_message("%u kills, %u of them between the first and the last change of a save\n",
                  num_kills, num_meanwhile);
    assert_true(num_meanwhile > 0);
    assert_true(write_well(a, 1000000));
    assert_int_equal(count_files(), 2); // nothing that a killed process has left
}

static void the_kills_find_a_writer_without_rename(void **state) {
    uint32_t num_meanwhile;
    (void)state;
    const uint32_t num_kills = test_rounds(30, 200);
    const uint32_t num_broken =
        count_broken(test_heap(), write_in_place, num_kills, &num_meanwhile);
    print_message("%u of %u kills broke a file written in place\n", num_broken, num_kills);
    assert_true(num_broken > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SAVE_TEST(a_kill_leaves_the_old_or_the_new_one),
        SAVE_TEST(the_kills_find_a_writer_without_rename),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
