// libcuttle's functions, over the project in tests/embed/project.
#include <cuttle/cuttle.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "support/test_support.h"

enum { WIDTH = 64, HEIGHT = 48 };

static char data[CT_PATH_BYTES];
static cuttle_engine_error error;
static cuttle_engine *last; // that was made

static const char *environment(const char *name) {
    const char *const value = getenv(name);
    if (!value)
        fail_msg("%s is not set; run the tests through ctest", name);
    return value;
}

// The engine needs the process's memory for itself, so the support has it only meanwhile.
static int compile_project(void **state) {
    char project[CT_PATH_BYTES];
    test_group_setup(state);
    ct_path_join(project, environment("CUTTLE_SOURCE"), "tests/embed/project");
    ct_path_join(data, environment("CUTTLE_BUILD_DIR"), "scratch/embed_data");
    const char *const arguments[] = {environment("CUTTLE"), "compile", project,
                                     "--data-dir",          data,      NULL};
    ct_error found = {0};
    const ct_process process = ct_process_start(&(ct_process_desc){.arguments = arguments}, &found);
    if (!process.pid)
        fail_msg("%s", found.message);
    assert_int_equal(ct_process_wait(process), 0);
    test_group_teardown(state);
    return 0;
}

static cuttle_engine_desc desc_of(const char *argument) {
    static const char *arguments[1];
    arguments[0] = argument;
    return (cuttle_engine_desc){.desc_bytes = sizeof(cuttle_engine_desc),
                                .data_folder = data,
                                .is_repeatable = true,
                                .arguments = arguments,
                                .num_arguments = argument ? 1 : 0,
                                .log_level = CUTTLE_LOG_LEVEL_ERROR};
}

static cuttle_engine *create(const cuttle_engine_desc *desc) {
    memset(&error, 0, sizeof(error));
    cuttle_engine *const engine = cuttle_engine_create(desc, &error);
    if (!engine)
        fail_msg("%s", error.message);
    last = engine;
    return engine;
}

// Lets the next test have an engine, also when this one failed.
static int end_test(void **state) {
    (void)state;
    cuttle_engine_destroy(last, NULL);
    last = NULL;
    return 0;
}

static cuttle_engine *create_plain(void) {
    const cuttle_engine_desc desc = desc_of(NULL);
    return create(&desc);
}

static void assert_says(const char *part) {
    if (!strstr(error.message, part))
        fail_msg("the error is \"%s\"; expected \"%s\" in it", error.message, part);
    memset(&error, 0, sizeof(error));
}

static void refuse(const cuttle_engine_desc *desc, const char *part) {
    memset(&error, 0, sizeof(error));
    assert_null(cuttle_engine_create(desc, NULL));
    assert_null(cuttle_engine_create(desc, &error));
    assert_says(part);
}

static void assert_receives(cuttle_engine *engine, const char *part) {
    const char *const message = cuttle_engine_receive(engine);
    if (!message || !strstr(message, part))
        fail_msg("received %s; expected %s in it", message ? message : "nothing", part);
}

// Runs a line of Lua and checks what it returns.
static void assert_lua(cuttle_engine *engine, const char *lua, const char *result) {
    char text[512];
    snprintf(text, sizeof(text), "{type = \"script\" id = 1 script = \"%s\"}", lua);
    while (cuttle_engine_receive(engine)) {
    }
    if (!cuttle_engine_send(engine, text, &error))
        fail_msg("%s", error.message);
    snprintf(text, sizeof(text), "\"result\":\"%s\"", result);
    assert_receives(engine, text);
}

static void step(cuttle_engine *engine) {
    if (!cuttle_engine_step(engine, 1.0 / 60.0, &error))
        fail_msg("%s", error.message);
}

// --- Life cycle ----------------------------------------------------------------------------------

static void runs_frames_with_the_given_time(void **state) {
    (void)state;
    cuttle_engine_desc desc = desc_of("hello");
    desc.fixed_step_seconds = 0.25;
    cuttle_engine *const engine = create(&desc);
    assert_receives(engine, "\"greeting\"");
    assert_null(cuttle_engine_receive(engine));
    for (int i = 0; i < 4; ++i)
        step(engine);
    assert_lua(engine, "Test.updates", "4");
    assert_lua(engine, "Test.seconds", "1");
    assert_lua(engine, "Application.argv()", "hello");
    assert_int_equal(cuttle_engine_exit_code(engine), 0);
    assert_true(cuttle_engine_destroy(engine, NULL));
}

static void takes_seconds_of_the_program(void **state) {
    (void)state;
    cuttle_engine *const engine = create_plain();
    const double bad[] = {-1.0, NAN, INFINITY};
    for (int i = 0; i < 3; ++i) {
        assert_false(cuttle_engine_step(engine, bad[i], &error));
        assert_says("expected 0 or more");
    }
    assert_true(cuttle_engine_step(engine, 0.0, &error));
    assert_true(cuttle_engine_step(engine, 1e9, &error));
    assert_lua(engine, "Test.updates > 0 and Test.seconds < 10", "true");
    cuttle_engine_destroy(engine, NULL);
}

static void makes_one_engine_after_another(void **state) {
    (void)state;
    for (int i = 0; i < 20; ++i) {
        cuttle_engine_desc desc = desc_of(NULL);
        desc.keeps_pictures = i % 2 == 0;
        cuttle_engine *const engine = create(&desc);
        step(engine);
        assert_lua(engine, "Test.updates", "1");
        assert_true(cuttle_engine_destroy(engine, &error));
    }
}

static void makes_one_engine_at_a_time(void **state) {
    (void)state;
    cuttle_engine *const engine = create_plain();
    const cuttle_engine_desc desc = desc_of(NULL);
    refuse(&desc, "one at a time");
    step(engine);
    cuttle_engine_destroy(engine, NULL);
}

static void ends_when_the_game_quits(void **state) {
    (void)state;
    cuttle_engine *const engine = create_plain();
    assert_lua(engine, "rawset(Test, 'quits', true) ~= nil", "true");
    assert_false(cuttle_engine_step(engine, 0.1, &error));
    assert_string_equal(error.message, "");
    assert_int_equal(cuttle_engine_exit_code(engine), 7);
    assert_receives(engine, "farewell"); // from its shutdown
    assert_false(cuttle_engine_step(engine, 0.1, &error));
    assert_string_equal(error.message, "");
    assert_false(cuttle_engine_send(engine, "{type = \"ping\"}", &error));
    assert_says("has quit");
    assert_true(cuttle_engine_resize(engine, 32, 32, &error));
    cuttle_engine_destroy(engine, NULL);
}

static void ends_when_a_command_quits(void **state) {
    (void)state;
    cuttle_engine *const engine = create_plain();
    assert_true(cuttle_engine_send(
        engine, "{type = \"command\" command = \"quit\" arguments = [3]}", &error));
    assert_false(cuttle_engine_step(engine, 0.1, &error));
    assert_int_equal(cuttle_engine_exit_code(engine), 3);
    cuttle_engine_destroy(engine, NULL);
}

static void lets_a_game_quit_in_init(void **state) {
    (void)state;
    const cuttle_engine_desc desc = desc_of("quit");
    cuttle_engine *const engine = create(&desc);
    assert_false(cuttle_engine_step(engine, 0.1, &error));
    assert_int_equal(cuttle_engine_exit_code(engine), 5);
    cuttle_engine_destroy(engine, NULL);
}

static void goes_on_after_an_error_in_update(void **state) {
    (void)state;
    cuttle_engine *const engine = create_plain();
    assert_lua(engine, "rawset(Test, 'fails', true) ~= nil", "true");
    step(engine);
    step(engine);
    cuttle_engine_destroy(engine, NULL);
}

// --- Desc ----------------------------------------------------------------------------------------

static void refuses_a_desc_that_is_wrong(void **state) {
    (void)state;
    refuse(NULL, "the desc is NULL");
    cuttle_engine_desc desc = desc_of(NULL);
    desc.desc_bytes = 0;
    refuse(&desc, "desc_bytes is 0");
    desc = desc_of(NULL);
    desc.data_folder = NULL;
    refuse(&desc, "names no data");
    desc = desc_of(NULL);
    desc.width = 100000;
    desc.height = 10;
    refuse(&desc, "size 100000 x 10");
    desc.width = 0;
    refuse(&desc, "size 0 x 10");
    desc = desc_of(NULL);
    desc.fixed_step_seconds = NAN;
    refuse(&desc, "fixed_step_seconds");
    desc = desc_of(NULL);
    desc.log_level = (cuttle_log_level)9;
    refuse(&desc, "log_level");
    desc = desc_of(NULL);
    desc.num_arguments = 2;
    desc.arguments = NULL;
    refuse(&desc, "num_arguments");
    const char *const holes[] = {"a", NULL};
    desc.arguments = holes;
    refuse(&desc, "argument 1 is NULL");
}

static void takes_descs_of_other_versions(void **state) {
    (void)state;
    struct {
        cuttle_engine_desc desc;
        uint64_t newer;
    } later = {.desc = desc_of(NULL)};
    later.desc.desc_bytes = sizeof(later);
    cuttle_engine_destroy(create(&later.desc), NULL);
    later.newer = 1;
    refuse(&later.desc, "install a newer one");
}

static void refuses_data_that_is_not_there(void **state) {
    (void)state;
    cuttle_engine_desc desc = desc_of(NULL);
    desc.data_folder = "no/such/folder";
    refuse(&desc, "\"no/such/folder\" does not exist");
    desc.data_folder = "/";
    refuse(&desc, "");
    char path[3000];
    memset(path, 'x', sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
    desc.data_folder = path;
    refuse(&desc, "longer than");
    desc.data_folder = NULL;
    desc.project_folder = "no/such/project";
    refuse(&desc, "the project \"no/such/project\" does not exist");
    desc.project_folder = path;
    refuse(&desc, "does not exist");
    desc.project_folder = "/proc";
    refuse(&desc, "has no compiled data");
    desc = desc_of(NULL);
    desc.boot_script = "scripts/missing";
    refuse(&desc, "\"scripts/missing\" does not exist");
}

static void refuses_damaged_data(void **state) {
    (void)state;
    char folder[] = "/tmp/cuttle-embed-XXXXXX", path[CT_PATH_BYTES];
    assert_non_null(mkdtemp(folder));
    ct_path_join(path, folder, "data");
    test_group_setup(state);
    ct_error found = {0};
    if (!ct_folder_copy(data, path, &found))
        fail_msg("%s", found.message);
    // Every file of the folder is cut short.
    char command[CT_PATH_BYTES * 2];
    snprintf(command, sizeof(command), "find %s -type f -exec truncate -s -9 {} +", path);
    assert_int_equal(system(command), 0);
    test_group_teardown(state);
    cuttle_engine_desc desc = desc_of(NULL);
    desc.data_folder = path;
    refuse(&desc, "");
    snprintf(command, sizeof(command), "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void says_why_the_boot_script_failed(void **state) {
    (void)state;
    const cuttle_engine_desc desc = desc_of("fail");
    refuse(&desc, "init fails on purpose");
    cuttle_engine_destroy(create_plain(), NULL); // the next one works
}

static void runs_another_boot_script(void **state) {
    (void)state;
    cuttle_engine_desc desc = desc_of(NULL);
    desc.boot_script = "scripts/other";
    cuttle_engine *const engine = create(&desc);
    assert_receives(engine, "\"other\"");
    step(engine);
    cuttle_engine_destroy(engine, NULL);
}

// --- Pictures ------------------------------------------------------------------------------------

static void assert_picture(cuttle_engine *engine, uint32_t width, uint32_t height) {
    uint32_t size[2];
    if (!cuttle_engine_picture_size(engine, &size[0], &size[1], &error))
        fail_msg("%s", error.message);
    assert_int_equal(size[0], width);
    assert_int_equal(size[1], height);
    const size_t bytes = (size_t)width * height * 4;
    uint8_t *const pixels = malloc(bytes);
    assert_false(cuttle_engine_pixels(engine, pixels, bytes - 1, &error));
    assert_says("expected at least");
    assert_true(cuttle_engine_pixels(engine, pixels, bytes, &error));
    const uint8_t *const left = pixels + ((size_t)height / 2 * width + width / 4) * 4;
    const uint8_t *const right = left + (size_t)width / 2 * 4;
    const uint8_t green[4] = {0, 255, 0, 255}, blue[4] = {0, 0, 255, 255};
    assert_memory_equal(left, green, 4);
    assert_memory_equal(right, blue, 4);
    free(pixels);
}

static void gives_the_picture(void **state) {
    (void)state;
    cuttle_engine_desc desc = desc_of(NULL);
    desc.keeps_pictures = true;
    cuttle_engine *const engine = create(&desc);
    uint32_t width, height;
    assert_false(cuttle_engine_picture_size(engine, &width, &height, &error));
    assert_says("no picture is kept");
    step(engine);
    assert_picture(engine, WIDTH, HEIGHT);
    assert_true(cuttle_engine_resize(engine, 90, 70, &error));
    step(engine);
    assert_picture(engine, 90, 70);
    assert_false(cuttle_engine_resize(engine, 0, 70, &error));
    assert_says("size 0 x 70");
    assert_false(cuttle_engine_resize(engine, 70, 100000, &error));
    assert_says("size 70 x 100000");
    assert_false(cuttle_engine_pixels(engine, NULL, 100, &error));
    assert_says("pixels is NULL");
    assert_false(cuttle_engine_picture_size(engine, NULL, &height, &error));
    assert_says("must not be NULL");
    step(engine);
    assert_picture(engine, 90, 70);
    cuttle_engine_destroy(engine, NULL);
}

static void keeps_pictures_when_asked(void **state) {
    (void)state;
    cuttle_engine *const engine = create_plain();
    step(engine);
    uint8_t byte;
    assert_false(cuttle_engine_pixels(engine, &byte, 1, &error));
    assert_says("no picture is kept");
    assert_true(cuttle_engine_keep_pictures(engine, true, &error));
    step(engine);
    assert_true(cuttle_engine_keep_pictures(engine, false, &error));
    step(engine);
    assert_picture(engine, WIDTH, HEIGHT);
    cuttle_engine_destroy(engine, NULL);
}

static void says_when_nothing_was_drawn(void **state) {
    (void)state;
    cuttle_engine_desc desc = desc_of(NULL);
    desc.keeps_pictures = true;
    cuttle_engine *const engine = create(&desc);
    assert_lua(engine, "rawset(Test, 'draws_nothing', true) ~= nil", "true");
    step(engine);
    assert_false(cuttle_engine_write_png(engine, "/tmp/never.png", &error));
    assert_says("drew nothing");
    assert_lua(engine, "rawset(Test, 'draws_nothing', nil) ~= nil", "true");
    step(engine);
    assert_picture(engine, WIDTH, HEIGHT);
    assert_false(cuttle_engine_write_png(engine, NULL, &error));
    assert_says("path is NULL");
    assert_false(cuttle_engine_write_png(engine, "/no/such/folder/a.png", &error));
    assert_says("/no/such/folder/a.png");
    cuttle_engine_destroy(engine, NULL);
}

// --- Messages ------------------------------------------------------------------------------------

static void exchanges_messages(void **state) {
    (void)state;
    cuttle_engine *const engine = create_plain();
    assert_receives(engine, "greeting");
    assert_true(cuttle_engine_send(engine, "{\"type\": \"ask\", \"id\": 5, \"number\": 21}", NULL));
    assert_receives(engine, "\"doubled\":42");
    assert_true(cuttle_engine_send(engine, "{type = \"boom\" id = 6}", &error));
    assert_receives(engine, "receiver failed");
    assert_true(cuttle_engine_send(engine, "{type = \"command\" id = 7 command = \"nope\"}", NULL));
    assert_receives(engine, "nope");
    assert_true(
        cuttle_engine_send(engine, "{type = \"command\" id = 7 command = \"screenshot\"}", NULL));
    assert_receives(engine, "has the picture");
    assert_true(cuttle_engine_send(engine, "{type = \"reload\" id = 8}", NULL));
    assert_receives(engine, "without a compiler");
    assert_null(cuttle_engine_receive(engine));
    cuttle_engine_destroy(engine, NULL);
}

static void refuses_what_is_not_a_message(void **state) {
    (void)state;
    cuttle_engine *const engine = create_plain();
    static const char *const bad[] = {"hello there {", "[1, 2]", "{\"type\":", "\xff\xfe", "{}}"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
        memset(&error, 0, sizeof(error));
        if (cuttle_engine_send(engine, bad[i], &error))
            fail_msg("took the message %s", bad[i]);
        assert_string_not_equal(error.message, "");
    }
    memset(&error, 0, sizeof(error));
    assert_false(cuttle_engine_send(engine, NULL, &error));
    assert_says("the message is NULL");
    const size_t bytes = (16u << 20) + 2;
    char *const large = malloc(bytes);
    memset(large, ' ', bytes - 1);
    large[bytes - 1] = '\0';
    assert_false(cuttle_engine_send(engine, large, &error));
    assert_says("expected at most");
    free(large);
    assert_lua(engine, "1 + 1", "2");
    cuttle_engine_destroy(engine, NULL);
}

static void drops_messages_that_nobody_receives(void **state) {
    (void)state;
    cuttle_engine *const engine = create_plain();
    assert_receives(engine, "greeting");
    assert_true(cuttle_engine_send(engine, "{type = \"flood\" count = 10000}", &error));
    uint32_t count = 0;
    while (cuttle_engine_receive(engine))
        ++count;
    assert_int_equal(count, 4096);
    assert_lua(engine, "2 + 2", "4");
    cuttle_engine_destroy(engine, NULL);
}

// --- Input ---------------------------------------------------------------------------------------

static void feeds_input(void **state) {
    (void)state;
    cuttle_engine *const engine = create_plain();
    assert_true(cuttle_engine_button(engine, "keyboard", "space", true, &error));
    assert_true(cuttle_engine_button(engine, "keyboard", "enter", true, &error));
    assert_true(cuttle_engine_axis(engine, "mouse", "cursor", 12.0f, 30.0f, &error));
    step(engine);
    assert_lua(engine, "Keyboard.button(Keyboard.button_id('space'))", "1");
    assert_lua(engine, "Keyboard.pressed(Keyboard.button_id('space'))", "true");
    assert_lua(engine, "Test.strokes", "1"); // enter; space is text
    assert_lua(engine, "Mouse.axis(Mouse.axis_id('cursor')).x", "12");
    step(engine);
    assert_lua(engine, "Keyboard.pressed(Keyboard.button_id('space'))", "false");
    assert_true(cuttle_engine_text(engine, "\xc3\xa4h", &error));
    step(engine);
    assert_lua(engine, "Keyboard.keystrokes()[1] == '\xc3\xa4h'", "true");
    assert_true(cuttle_engine_button(engine, "mouse", "left", true, &error));
    assert_true(cuttle_engine_release_buttons(engine, &error));
    step(engine);
    assert_lua(engine, "Keyboard.button(Keyboard.button_id('space'))", "0");
    assert_lua(engine, "Mouse.button(Mouse.button_id('left'))", "0");
    cuttle_engine_destroy(engine, NULL);
}

static void refuses_input_of_unknown_names(void **state) {
    (void)state;
    cuttle_engine *const engine = create_plain();
    assert_false(cuttle_engine_button(engine, "piano", "c", true, &error));
    assert_says("unknown device \"piano\"");
    assert_false(cuttle_engine_button(engine, NULL, NULL, true, &error));
    assert_says("unknown device \"\"");
    assert_false(cuttle_engine_button(engine, "mouse", "tail", true, &error));
    assert_says("mouse has no button \"tail\"");
    assert_false(cuttle_engine_axis(engine, "mouse", NULL, 0, 0, &error));
    assert_says("mouse has no axis \"\"");
    assert_false(cuttle_engine_axis(engine, "mouse", "wheel", NAN, 0, &error));
    assert_says("expected finite values");
    assert_false(cuttle_engine_text(engine, "\xff", &error));
    assert_says("not UTF-8");
    assert_false(cuttle_engine_text(engine, NULL, &error));
    assert_says("NULL");
    for (int i = 0; i < 5000; ++i)
        assert_true(cuttle_engine_axis(engine, "mouse", "wheel", 0, 1, &error));
    step(engine);
    cuttle_engine_destroy(engine, NULL);
}

// --- Wrong calls ---------------------------------------------------------------------------------

static cuttle_engine *shared;
static bool has_stepped, has_destroyed;
static cuttle_engine_error thread_error;

static void *call_from_another_thread(void *data_) {
    (void)data_;
    has_stepped = cuttle_engine_step(shared, 0.1, &thread_error);
    has_destroyed = cuttle_engine_destroy(shared, NULL);
    return NULL;
}

static void refuses_other_threads(void **state) {
    (void)state;
    pthread_t thread;
    shared = create_plain();
    assert_int_equal(pthread_create(&thread, NULL, call_from_another_thread, NULL), 0);
    pthread_join(thread, NULL);
    assert_false(has_stepped);
    assert_false(has_destroyed);
    assert_non_null(strstr(thread_error.message, "belongs to the thread"));
    step(shared);
    cuttle_engine_destroy(shared, NULL);
}

static void refuses_engines_that_do_not_exist(void **state) {
    (void)state;
    assert_false(cuttle_engine_step(NULL, 0.1, &error));
    assert_says("the engine is NULL");
    assert_true(cuttle_engine_destroy(NULL, &error));
    assert_null(cuttle_engine_receive(NULL));
    assert_int_equal(cuttle_engine_exit_code(NULL), 0);
    cuttle_engine *const engine = create_plain();
    cuttle_engine_destroy(engine, NULL);
    assert_false(cuttle_engine_step(engine, 0.1, &error));
    assert_says("does not exist");
    assert_false(cuttle_engine_destroy(engine, &error));
    assert_says("does not exist");
    assert_false(cuttle_engine_send(engine, "{}", NULL));
    assert_null(cuttle_engine_receive(engine));
}

static int num_logged, num_refused;

static void call_from_the_log(void *user, cuttle_log_level level, const char *system,
                              const char *message) {
    (void)level, (void)system, (void)message;
    ++num_logged;
    num_refused += !cuttle_engine_create(user, NULL);
    num_refused += shared && !cuttle_engine_step(shared, 0.1, &thread_error);
}

static void refuses_calls_from_the_log(void **state) {
    (void)state;
    static cuttle_engine_desc inner;
    inner = desc_of(NULL);
    cuttle_engine_desc desc = desc_of(NULL);
    desc.log = call_from_the_log;
    desc.log_user = &inner;
    desc.log_level = CUTTLE_LOG_LEVEL_DEBUG;
    shared = NULL;
    shared = create(&desc);
    assert_lua(shared, "print('hello') == nil", "true");
    assert_true(num_logged > 0);
    assert_true(num_refused > num_logged); // both are refused from the second message on
    assert_non_null(strstr(thread_error.message, "log callback"));
    cuttle_engine *const engine = shared;
    shared = NULL;
    assert_true(cuttle_engine_destroy(engine, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(runs_frames_with_the_given_time, end_test),
        cmocka_unit_test_teardown(takes_seconds_of_the_program, end_test),
        cmocka_unit_test_teardown(makes_one_engine_after_another, end_test),
        cmocka_unit_test_teardown(makes_one_engine_at_a_time, end_test),
        cmocka_unit_test_teardown(ends_when_the_game_quits, end_test),
        cmocka_unit_test_teardown(ends_when_a_command_quits, end_test),
        cmocka_unit_test_teardown(lets_a_game_quit_in_init, end_test),
        cmocka_unit_test_teardown(goes_on_after_an_error_in_update, end_test),
        cmocka_unit_test_teardown(refuses_a_desc_that_is_wrong, end_test),
        cmocka_unit_test_teardown(takes_descs_of_other_versions, end_test),
        cmocka_unit_test_teardown(refuses_data_that_is_not_there, end_test),
        cmocka_unit_test_teardown(refuses_damaged_data, end_test),
        cmocka_unit_test_teardown(says_why_the_boot_script_failed, end_test),
        cmocka_unit_test_teardown(runs_another_boot_script, end_test),
        cmocka_unit_test_teardown(gives_the_picture, end_test),
        cmocka_unit_test_teardown(keeps_pictures_when_asked, end_test),
        cmocka_unit_test_teardown(says_when_nothing_was_drawn, end_test),
        cmocka_unit_test_teardown(exchanges_messages, end_test),
        cmocka_unit_test_teardown(refuses_what_is_not_a_message, end_test),
        cmocka_unit_test_teardown(drops_messages_that_nobody_receives, end_test),
        cmocka_unit_test_teardown(feeds_input, end_test),
        cmocka_unit_test_teardown(refuses_input_of_unknown_names, end_test),
        cmocka_unit_test_teardown(refuses_other_threads, end_test),
        cmocka_unit_test_teardown(refuses_engines_that_do_not_exist, end_test),
        cmocka_unit_test_teardown(refuses_calls_from_the_log, end_test),
    };
    return cmocka_run_group_tests(tests, compile_project, NULL);
}
