// Idle frames of a game that is stopped inside its Lua (app/app_idle.c), with the bar of the overlay
// (dev/overlay/overlay.c): over the project in tests/dev/project, which says where to stop. With the
// argument "window" the game has a window, and the one test is of that (test_idle_window.py).
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/png_writer.h"
#include "app/sdl_api.h"
#include "dev/overlay/overlay.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "lua/lua_machine.h"
#include "support/test_support.h"

enum { WIDTH = 320, HEIGHT = 200, BAR = 40 }; // BAR: rows at the top, of which the bar takes most

typedef struct picture {
    uint8_t *pixels;
    uint32_t width, height, count;
} picture;

static char data[CT_PATH_BYTES];
static ct_app *app;
static ct_overlay *overlay;
static uint64_t errors;
static void (*stopped)(void); // what a stop does
static picture idle, asked, drawn;
static bool takes_idle, takes_drawn;
static const char *first_stop; // where a new game stops; NULL: nowhere

// --- The game ------------------------------------------------------------------------------------

static const char *environment(const char *name) {
    const char *const value = getenv(name);
    if (!value)
        fail_msg("%s is not set; run the tests through ctest", name);
    return value;
}

static int compile_project(void **state) {
    char project[CT_PATH_BYTES];
    test_group_setup(state);
    ct_path_join(project, environment("CUTTLE_SOURCE"), "tests/dev/project");
    ct_path_join(data, environment("CUTTLE_BUILD_DIR"), "scratch/idle_data");
    const char *const arguments[] = {environment("CUTTLE"), "compile", project,
                                     "--data-dir",          data,      NULL};
    ct_error found = {0};
    const ct_process process = ct_process_start(&(ct_process_desc){.arguments = arguments}, &found);
    if (!process.pid)
        fail_msg("%s", found.message);
    assert_int_equal(ct_process_wait(process), 0);
    return 0;
}

// On the render thread.
static void take(void *user, const uint8_t *pixels, uint32_t width, uint32_t height) {
    picture *const p = user;
    free(p->pixels);
    *p = (picture){.width = width, .height = height, .count = p->count + 1};
    if (!pixels)
        return;
    p->pixels = malloc((size_t)width * height * 4);
    memcpy(p->pixels, pixels, (size_t)width * height * 4);
}

static int lua_stop(lua_State *L) {
    (void)L;
    stopped();
    ct_app_end_idle(app);
    return 0;
}

static int lua_ask(lua_State *L) {
    (void)L;
    ct_renderer_screenshot(ct_app_renderer(app), take, &asked);
    return 0;
}

static void started(void *user, ct_app *a) {
    (void)user;
    app = a;
    lua_State *const L = ct_script_lua(ct_app_script(a))->lua;
    lua_pushcfunction(L, lua_stop);
    lua_setglobal(L, "stop");
    lua_pushcfunction(L, lua_ask);
    lua_setglobal(L, "ask");
    lua_getglobal(L, "Test");
    lua_pushstring(L, "stops_in");
    lua_pushstring(L, first_stop);
    lua_rawset(L, -3);
    lua_settop(L, 0);
    ct_overlay_attach(overlay, &(ct_overlay_desc){.renderer = ct_app_renderer(a),
                                                  .gui = ct_app_gui(a),
                                                  .input = ct_app_input(a),
                                                  .key = -1});
}

static void frame_drawn(void *user, ct_app *a) {
    (void)user;
    if (takes_drawn)
        ct_renderer_screenshot(ct_app_renderer(a), take, &drawn);
    takes_drawn = false;
}

static void idle_drawn(void *user, ct_app *a) {
    (void)user;
    ct_overlay_draw_stop(overlay);
    if (takes_idle)
        ct_renderer_screenshot(ct_app_renderer(a), take, &idle);
    takes_idle = false;
}

static void stopping(void *user, ct_app *a) {
    (void)user;
    (void)a;
    ct_overlay_detach(overlay);
}

static void lua(const char *code) {
    lua_State *const L = ct_script_lua(ct_app_script(app))->lua;
    if (luaL_dostring(L, code) != 0)
        fail_msg("%s", lua_tostring(L, -1));
    lua_settop(L, 0);
}

static double number(const char *expression) {
    char code[128];
    lua_State *const L = ct_script_lua(ct_app_script(app))->lua;
    snprintf(code, sizeof(code), "return %s", expression);
    if (luaL_dostring(L, code) != 0)
        fail_msg("%s", lua_tostring(L, -1));
    const double result = lua_tonumber(L, -1);
    lua_settop(L, 0);
    return result;
}

static void start_with(bool is_headless) {
    const ct_app_hooks hooks = {.started = started,
                                .frame_drawn = frame_drawn,
                                .idle_drawn = idle_drawn,
                                .stopping = stopping};
    const ct_app_desc desc = {.allocator = test_heap(),
                              .data_folder = data,
                              .hooks = &hooks,
                              .is_headless = is_headless,
                              .validation = true,
                              .is_unpaced = true,
                              .is_repeatable = is_headless,
                              .has_workers = true,
                              .num_workers = 1,
                              .width = WIDTH,
                              .height = HEIGHT};
    ct_error error = {0};
    errors = ct_log_error_count();
    overlay = ct_overlay_create(test_heap());
    app = ct_app_create(&desc, &error);
    if (!app)
        fail_msg("%s", error.message);
}

static void start(void) {
    start_with(true);
}

static int end(void) {
    const int code = ct_app_destroy(app, NULL);
    app = NULL;
    ct_overlay_destroy(overlay);
    free(idle.pixels);
    free(asked.pixels);
    free(drawn.pixels);
    idle = asked = drawn = (picture){0};
    assert_int_equal(ct_log_error_count(), errors); // Vulkan's validation has none either
    return code;
}

// Lets the next test have an app, also when this one failed.
static int end_test(void **state) {
    (void)state;
    if (app)
        end();
    return 0;
}

static void frame(double seconds) {
    assert_true(ct_app_run_frame(app, seconds));
}

// The picture of the next frame.
static picture draw(void) {
    takes_drawn = true;
    frame(1.0 / 60.0);
    ct_renderer_flush(ct_app_renderer(app));
    const picture p = drawn;
    drawn = (picture){0};
    return p;
}

// The picture of an idle frame, during a stop.
static void take_idle(void) {
    takes_idle = true;
    assert_true(ct_app_idle_frame(app));
    ct_renderer_flush(ct_app_renderer(app));
    assert_non_null(idle.pixels);
}

// --- Pictures ------------------------------------------------------------------------------------

static void save(const picture *p, const char *name) {
    char path[CT_PATH_BYTES], file[64];
    ct_error error = {0};
    snprintf(file, sizeof(file), "scratch/idle_%s.png", name);
    ct_path_join(path, environment("CUTTLE_BUILD_DIR"), file);
    assert_true(ct_png_write(path, p->pixels, p->width, p->height, &error));
}

// How many pixels of the rows from `first` on differ.
static uint32_t num_different(const picture *a, const picture *b, uint32_t first,
                              uint32_t end_row) {
    uint32_t count = 0;
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (uint32_t i = first * a->width; i < end_row * a->width; ++i)
        count += memcmp(a->pixels + i * 4ull, b->pixels + i * 4ull, 4) != 0;
    return count;
}

static void assert_same(const picture *a, const picture *b, const char *name) {
    assert_non_null(a->pixels);
    assert_non_null(b->pixels);
    const uint32_t count = num_different(a, b, 0, a->height);
    if (count == 0)
        return;
    save(a, "found");
    save(b, "expected");
    fail_msg("%u pixels differ: %s", count, name);
}

static const uint8_t *pixel(const picture *p, uint32_t x, uint32_t y) {
    return p->pixels + ((size_t)y * p->width + x) * 4;
}

static bool is_green(const picture *p, uint32_t x, uint32_t y) {
    return pixel(p, x, y)[1] > 100 && pixel(p, x, y)[2] < 50;
}

// --- Tests ---------------------------------------------------------------------------------------

static void stop_for_three(void) {
    assert_true(ct_app_idle_frame(app));
    take_idle();
    assert_true(ct_app_idle_frame(app));
}

static void stop_in(const char *where) {
    char code[64];
    snprintf(code, sizeof(code), "Test.stops_in = '%s'", where);
    lua(code);
}

static void shows_the_last_picture_and_goes_on(void **state) {
    (void)state;
    static const char *const places[] = {"update", "lines"};
    stopped = stop_for_three;
    start();
    frame(0.1);
    picture before = draw();
    save(&before, "game");
    assert_true(is_green(&before, 20, 190) && !is_green(&before, 20, 20));
    for (uint32_t i = 0; i < CT_COUNT_OF(places); ++i) {
        stop_in(places[i]);
        picture after = draw();
        assert_same(&idle, &before, places[i]);
        // All that was recorded before the stop is there, and once.
        assert_same(&after, &before, places[i]);
        free(after.pixels);
        after = draw();
        assert_same(&after, &before, places[i]);
        free(after.pixels);
    }
    free(before.pixels);
    assert_int_equal(end(), 0);
}

static void completes_a_picture_half_of_which_was_shown(void **state) {
    (void)state;
    stopped = stop_for_three;
    start();
    frame(0.1);
    picture before = draw();
    stop_in("render");
    picture after = draw();
    assert_same(&idle, &before, "idle");
    assert_same(&after, &before, "after");
    free(after.pixels);
    free(before.pixels);
    assert_int_equal(end(), 0);
}

static picture first_idle;

static void stop_with_bars(void) {
    ct_overlay_show_stop(overlay, "stopped at scripts/other.lua:123456 (exception), a long text");
    assert_true(ct_app_idle_frame(app));
    ct_overlay_show_stop(overlay, "stopped at scripts/main.lua:12 (breakpoint)");
    take_idle();
    first_idle = idle;
    idle = (picture){0};
    take_idle();
    ct_overlay_show_stop(overlay, NULL);
}

static void draws_the_bar_over_it(void **state) {
    (void)state;
    stopped = stop_with_bars;
    start();
    frame(0.1);
    picture before = draw();
    stop_in("update");
    picture after = draw();
    save(&idle, "bar");
    // It says the same however often it is drawn, and covers what it said before.
    assert_same(&idle, &first_idle, "the bar");
    assert_int_equal(num_different(&idle, &before, BAR, HEIGHT), 0);
    assert_true(num_different(&idle, &before, 0, BAR) > WIDTH * 35);
    uint32_t num_bright = 0, num_right = 0;
    for (uint32_t y = 0; y < 30; ++y)
        for (uint32_t x = 0; x < WIDTH; ++x) {
            const bool is_bright = pixel(&idle, x, y)[1] > 150;
            num_bright += is_bright;
            num_right += is_bright && x > WIDTH - 20;
        }
    assert_true(num_bright > 200);
    assert_int_equal(num_right, 0);
    assert_same(&after, &before, "after");
    free(first_idle.pixels);
    free(after.pixels);
    free(before.pixels);
    assert_int_equal(end(), 0);
}

static void stop_and_resize(void) {
    assert_true(ct_app_idle_frame(app));
    assert_true(ct_app_set_resolution(app, 200, 240));
    take_idle();
}

static void follows_a_new_size(void **state) {
    (void)state;
    stopped = stop_and_resize;
    start();
    frame(0.1);
    picture before = draw();
    stop_in("update");
    picture after = draw();
    assert_int_equal(idle.width, 200);
    assert_int_equal(idle.height, 240);
    // It is stretched: the corner of the game is still green, and the top is not.
    assert_true(is_green(&idle, 10, 230) && !is_green(&idle, 10, 10));
    assert_int_equal(after.width, 200);
    free(after.pixels);
    assert_true(ct_app_set_resolution(app, WIDTH, HEIGHT));
    frame(0.1);
    after = draw();
    assert_same(&after, &before, "after");
    free(after.pixels);
    free(before.pixels);
    assert_int_equal(end(), 0);
}

static void stop_after_ask(void) {
    assert_true(ct_app_idle_frame(app));
    take_idle();
    assert_int_equal(asked.count, 0);
}

static void makes_screenshots_of_the_whole_frame(void **state) {
    (void)state;
    stopped = stop_after_ask;
    start();
    frame(0.1);
    picture before = draw();
    lua("Test.asks = true");
    stop_in("update");
    const picture after = draw();
    assert_int_equal(asked.count, 1);
    assert_same(&asked, &before, "asked");
    free(after.pixels);
    free(before.pixels);
    assert_int_equal(end(), 0);
}

static uint64_t idle_ns;

static void stop_for_long(void) {
    const uint64_t start_ns = ct_os_time_ns();
    for (uint32_t i = 0; i < 6; ++i)
        assert_true(ct_app_idle_frame(app));
    idle_ns = ct_os_time_ns() - start_ns;
}

static void does_not_count_the_time_of_a_stop(void **state) {
    (void)state;
    stopped = stop_for_long;
    start();
    frame(1.0 / 60.0);
    stop_in("update");
    frame(1.0 / 60.0);
    assert_true(idle_ns > 180000000); // 30 a second
    frame((double)idle_ns * 1e-9 + 0.1);
    const double dt = number("Test.dt");
    if (dt < 0.05 || dt > 0.15) // what is measured around the stop differs a little
        fail_msg("the step after the stop is %g s", dt);
    frame(1.0 / 40.0);
    assert_true(number("Test.dt") > 0.0249 && number("Test.dt") < 0.0251);
    // A caller whose clock is not the real one.
    stop_in("update");
    frame(1.0 / 60.0);
    frame(1.0 / 60.0);
    assert_true(number("Test.dt") > 0.0166 && number("Test.dt") < 0.0167);
    const ct_frame_times_summary times = ct_frame_times_summarize(ct_app_frame_times(app));
    (void)times;
    assert_int_equal(end(), 0);
}

static uint32_t num_idle;

static void stop_until_quit(void) {
    num_idle = 0;
    while (ct_app_idle_frame(app) && num_idle < 20)
        if (++num_idle == 3)
            ct_app_quit(app, 7);
}

static void ends_when_the_game_quits(void **state) {
    (void)state;
    stopped = stop_until_quit;
    start();
    frame(0.1);
    stop_in("update");
    assert_false(ct_app_run_frame(app, 0.1));
    assert_int_equal(num_idle, 3);
    // Its shutdown can stop, too.
    stopped = stop_for_three;
    lua("Test.stops_in = 'shutdown'");
    ct_app_end(app);
    assert_non_null(idle.pixels);
    assert_int_equal(end(), 7);
}

static void shows_the_bar_before_the_first_frame(void **state) {
    (void)state;
    stopped = stop_with_bars;
    first_stop = "init";
    start();
    first_stop = NULL;
    assert_same(&idle, &first_idle, "the bar");
    uint32_t num_bright = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; ++i)
        num_bright += pixel(&idle, i % WIDTH, i / WIDTH)[1] > 150;
    assert_true(num_bright > 200);
    assert_true(pixel(&idle, 10, HEIGHT - 10)[1] == 0);
    const picture after = draw();
    assert_true(is_green(&after, 20, 190));
    free(after.pixels);
    free(first_idle.pixels);
    assert_int_equal(end(), 0);
}

// --- A window ------------------------------------------------------------------------------------

static int (*push_event)(SDL_Event *event);

static void push(const SDL_Event *event) {
    SDL_Event copy = *event;
    copy.common.timestamp = 0;
    assert_int_equal(push_event(&copy), 1);
}

static void push_key(SDL_Scancode code, bool is_down) {
    SDL_Event event = {.type = is_down ? SDL_KEYDOWN : SDL_KEYUP};
    event.key.keysym.scancode = code;
    push(&event);
}

static void stop_with_keys(void) {
    push_key(SDL_SCANCODE_W, false);
    push_key(SDL_SCANCODE_RETURN, true);
    push_key(SDL_SCANCODE_RETURN, false);
    take_idle();
    assert_int_equal(number("Window.mouse_focus() and 1 or 0"), 0);
    assert_int_equal(number("Window.show_cursor() and 1 or 0"), 1);
    // The window may take a moment to have another size.
    const uint32_t width = idle.width;
    assert_true(ct_app_set_resolution(app, width + 40, HEIGHT));
    for (uint32_t i = 0; i < 100 && idle.width == width; ++i)
        take_idle();
    assert_int_equal(idle.width, width + 40);
}

static void stop_until_closed(void) {
    const SDL_Event quit = {.type = SDL_QUIT};
    assert_true(ct_app_idle_frame(app));
    push(&quit);
    assert_false(ct_app_idle_frame(app));
}

static void keeps_a_window_alive(void **state) {
    (void)state;
    stopped = stop_with_keys;
    start_with(false);
    void *const sdl = dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(sdl);
    *(void **)&push_event = dlsym(sdl, "SDL_PushEvent");
    frame(0.1);
    lua("Window.set_mouse_focus(true) Window.set_show_cursor(false)");
    push_key(SDL_SCANCODE_W, true);
    frame(0.1);
    frame(0.1);
    const double downs = number("Test.downs");
    assert_true(downs >= 1);
    stop_in("update");
    frame(0.1); // it sees the key until the next frame
    frame(0.1);
    assert_int_equal(number("Test.downs"), downs + 1);
    assert_int_equal(number("Test.strokes"), 0);
    assert_int_equal(number("Window.mouse_focus() and 1 or 0"), 1);
    assert_int_equal(number("Window.show_cursor() and 1 or 0"), 0);
    push_key(SDL_SCANCODE_RETURN, true);
    frame(0.1);
    assert_int_equal(number("Test.strokes"), 1);
    stopped = stop_until_closed;
    stop_in("render");
    assert_false(ct_app_run_frame(app, 0.1));
    dlclose(sdl);
    assert_int_equal(end(), 0);
}

int main(int num_arguments, char **arguments) {
    const struct CMUnitTest of_window[] = {
        cmocka_unit_test_teardown(keeps_a_window_alive, end_test),
    };
    if (num_arguments > 1 && strcmp(arguments[1], "window") == 0)
        return cmocka_run_group_tests(of_window, compile_project, test_group_teardown);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(shows_the_last_picture_and_goes_on, end_test),
        cmocka_unit_test_teardown(completes_a_picture_half_of_which_was_shown, end_test),
        cmocka_unit_test_teardown(draws_the_bar_over_it, end_test),
        cmocka_unit_test_teardown(follows_a_new_size, end_test),
        cmocka_unit_test_teardown(makes_screenshots_of_the_whole_frame, end_test),
        cmocka_unit_test_teardown(does_not_count_the_time_of_a_stop, end_test),
        cmocka_unit_test_teardown(ends_when_the_game_quits, end_test),
        cmocka_unit_test_teardown(shows_the_bar_before_the_first_frame, end_test),
    };
    return cmocka_run_group_tests(tests, compile_project, test_group_teardown);
}
