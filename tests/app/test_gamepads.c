// Game controllers, made up by SDL's virtual joysticks.
#include "support/test_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/gamepads.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "foundation/os/os.h"

// Of SDL, only for making joysticks up.
static struct {
    __typeof__(&SDL_JoystickAttachVirtualEx) attach;
    __typeof__(&SDL_JoystickDetachVirtual) detach;
    __typeof__(&SDL_JoystickSetVirtualAxis) set_axis;
    __typeof__(&SDL_JoystickSetVirtualButton) set_button;
    __typeof__(&SDL_GameControllerFromInstanceID) controller_of;
    __typeof__(&SDL_JoystickGetGUIDString) guid_text;
} fake;

static const ct_sdl_api *sdl;
static ct_input *in;
static ct_gamepads *pads;
static struct {
    uint16_t low, high;
    uint8_t red, green, blue;
    uint32_t num_rumbles;
} told;

static int SDLCALL rumble(void *user, Uint16 low, Uint16 high) {
    (void)user;
    told.low = low;
    told.high = high;
    ++told.num_rumbles;
    return 0;
}

static int SDLCALL set_led(void *user, Uint8 red, Uint8 green, Uint8 blue) {
    (void)user;
    told.red = red;
    told.green = green;
    told.blue = blue;
    return 0;
}

static int set_up(void **state) {
    (void)state;
    ct_error error = {0};
    setenv("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1", 1);
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    sdl = ct_sdl_load(&error);
    if (!sdl)
        fail_msg("%s", error.message);
    void *const library = ct_library_open("libSDL2-2.0.so.0");
    void *const symbols[6] = {ct_library_symbol(library, "SDL_JoystickAttachVirtualEx"),
                              ct_library_symbol(library, "SDL_JoystickDetachVirtual"),
                              ct_library_symbol(library, "SDL_JoystickSetVirtualAxis"),
                              ct_library_symbol(library, "SDL_JoystickSetVirtualButton"),
                              ct_library_symbol(library, "SDL_GameControllerFromInstanceID"),
                              ct_library_symbol(library, "SDL_JoystickGetGUIDString")};
    memcpy(&fake, symbols, sizeof(fake));
    memset(&told, 0, sizeof(told));
    ct_sdl_start(sdl, test_heap());
    in = ct_input_create(test_heap());
    pads = ct_gamepads_create(test_heap(), sdl, in, &error);
    if (!pads)
        fail_msg("%s", error.message);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_gamepads_destroy(pads);
    ct_input_destroy(in);
    sdl->SDL_Quit();
    ct_sdl_stop(sdl);
    return 0;
}

static void pump(void) {
    SDL_Event event;
    ct_input_begin_frame(in);
    while (sdl->SDL_PollEvent(&event))
        ct_gamepads_feed(pads, &event);
}

// Plugs a controller of this product in; returns its instance.
static SDL_JoystickID plug(uint16_t product) {
    char name[32];
    snprintf(name, sizeof(name), "Pad %u", product);
    const SDL_VirtualJoystickDesc desc = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION,
                                          .type = SDL_JOYSTICK_TYPE_GAMECONTROLLER,
                                          .naxes = SDL_CONTROLLER_AXIS_MAX,
                                          .nbuttons = SDL_CONTROLLER_BUTTON_MAX,
                                          .vendor_id = 0x1234,
                                          .product_id = product,
                                          .name = name,
                                          .Rumble = rumble,
                                          .SetLED = set_led};
    const int place = fake.attach(&desc);
    assert_true(place >= 0);
    const SDL_JoystickID instance = sdl->SDL_JoystickGetDeviceInstanceID(place);
    pump();
    return instance;
}

static void unplug(SDL_JoystickID instance) {
    for (int place = 0; place < sdl->SDL_NumJoysticks(); ++place) {
        if (sdl->SDL_JoystickGetDeviceInstanceID(place) == instance)
            assert_int_equal(fake.detach(place), 0);
    }
    pump();
}

static SDL_Joystick *joystick(SDL_JoystickID instance) {
    SDL_GameController *const controller = fake.controller_of(instance);
    assert_non_null(controller);
    return sdl->SDL_GameControllerGetJoystick(controller);
}

static uint32_t id(const char *name) {
    const int32_t button = ct_input_button_id(CT_INPUT_DEVICE_PAD_1, name);
    assert_true(button >= 0);
    return (uint32_t)button;
}

static void a_controller_becomes_the_first_pad(void **state) {
    (void)state;
    pump();
    assert_false(ct_input_is_connected(in, CT_INPUT_DEVICE_PAD_1));
    const SDL_JoystickID instance = plug(1);
    assert_true(ct_input_was_connected(in, CT_INPUT_DEVICE_PAD_1));
    assert_string_equal(ct_input_product_name(in, CT_INPUT_DEVICE_PAD_1), "Pad 1");
    unplug(instance);
    assert_true(ct_input_was_disconnected(in, CT_INPUT_DEVICE_PAD_1));
    assert_false(ct_input_is_connected(in, CT_INPUT_DEVICE_PAD_1));
}

static void buttons_and_sticks_arrive(void **state) {
    (void)state;
    SDL_Joystick *const stick = joystick(plug(1));
    const ct_input_device pad = CT_INPUT_DEVICE_PAD_1;
    fake.set_button(stick, SDL_CONTROLLER_BUTTON_B, 1);
    fake.set_button(stick, SDL_CONTROLLER_BUTTON_DPAD_LEFT, 1);
    fake.set_axis(stick, SDL_CONTROLLER_AXIS_LEFTX, 32767);
    fake.set_axis(stick, SDL_CONTROLLER_AXIS_RIGHTY, -32768); // up
    pump();
    assert_true(ct_input_pressed(in, pad, id("b")) && ct_input_pressed(in, pad, id("d_left")));
    assert_false(ct_input_is_down(in, pad, id("a")));
    const ct_vec3 left = ct_input_axis(in, pad, CT_PAD_AXIS_LEFT);
    const ct_vec3 right = ct_input_axis(in, pad, CT_PAD_AXIS_RIGHT);
    assert_true(left.x == 1 && left.y == 0 && right.x == 0 && right.y == 1);
    fake.set_button(stick, SDL_CONTROLLER_BUTTON_B, 0);
    fake.set_axis(stick, SDL_CONTROLLER_AXIS_LEFTX, 0);
    pump();
    assert_true(ct_input_released(in, pad, id("b")));
    assert_true(ct_input_axis(in, pad, CT_PAD_AXIS_LEFT).x == 0);
}

static void triggers_are_axes_and_buttons(void **state) {
    (void)state;
    SDL_Joystick *const stick = joystick(plug(1));
    const ct_input_device pad = CT_INPUT_DEVICE_PAD_1;
    fake.set_axis(stick, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 32767);
    fake.set_axis(stick, SDL_CONTROLLER_AXIS_TRIGGERLEFT, -32768); // at rest
    pump();
    assert_true(ct_input_axis(in, pad, CT_PAD_AXIS_RIGHT_TRIGGER).x == 1);
    assert_true(ct_input_pressed(in, pad, id("right_trigger")));
    assert_true(ct_input_axis(in, pad, CT_PAD_AXIS_LEFT_TRIGGER).x == 0);
    assert_false(ct_input_is_down(in, pad, id("left_trigger")));
}

static void pads_keep_their_numbers(void **state) {
    (void)state;
    const SDL_JoystickID first = plug(1), second = plug(2);
    const SDL_JoystickID third = plug(3);
    unplug(first);
    unplug(second);
    assert_true(ct_input_is_connected(in, CT_INPUT_DEVICE_PAD_3));
    // The second comes back to its own pad, though the first is free too.
    plug(2);
    assert_true(ct_input_is_connected(in, CT_INPUT_DEVICE_PAD_2));
    assert_false(ct_input_is_connected(in, CT_INPUT_DEVICE_PAD_1));
    // A stranger takes one that nobody had.
    plug(9);
    assert_true(ct_input_is_connected(in, CT_INPUT_DEVICE_PAD_4));
    assert_false(ct_input_is_connected(in, CT_INPUT_DEVICE_PAD_1));
    plug(1);
    assert_true(ct_input_is_connected(in, CT_INPUT_DEVICE_PAD_1));
    unplug(third);
}

static void a_fifth_waits_for_a_free_pad(void **state) {
    (void)state;
    SDL_JoystickID instances[5];
    for (uint16_t i = 0; i < 5; ++i)
        instances[i] = plug((uint16_t)(i + 1));
    for (ct_input_device d = CT_INPUT_DEVICE_PAD_1; d <= CT_INPUT_DEVICE_PAD_4; ++d)
        assert_true(ct_input_is_connected(in, d));
    unplug(instances[2]);
    assert_true(ct_input_is_connected(in, CT_INPUT_DEVICE_PAD_3));
    assert_string_equal(ct_input_product_name(in, CT_INPUT_DEVICE_PAD_3), "Pad 5");
    fake.set_button(joystick(instances[4]), SDL_CONTROLLER_BUTTON_A, 1);
    pump();
    assert_true(ct_input_pressed(in, CT_INPUT_DEVICE_PAD_3, id("a")));
}

static void motors_and_lights_reach_the_controller(void **state) {
    (void)state;
    plug(1);
    ct_rumble *const motors = ct_input_rumble(in, CT_INPUT_DEVICE_PAD_1);
    motors->levels[0] = 1;
    const ct_rumble_effect effect = {.sustain_level = 0.5f, .sustain = 0.5f};
    ct_rumble_play(motors, 1, &effect);
    ct_input_set_light(in, CT_INPUT_DEVICE_PAD_1, ct_vec3_make(1, 0, 0));
    ct_gamepads_update(pads, 0.1f);
    assert_int_equal(told.low, 65535);
    assert_int_equal(told.high, 32768);
    assert_int_equal(told.red, 255);
    assert_int_equal(told.green, 0);
    // Nothing new: nothing is sent, but for once a second.
    const uint32_t before = told.num_rumbles;
    ct_gamepads_update(pads, 0.1f);
    assert_int_equal(told.num_rumbles, before);
    ct_gamepads_update(pads, 1.5f);
    assert_int_equal(told.num_rumbles, before + 1);
    assert_int_equal(told.high, 0);
    motors->is_off = true;
    ct_gamepads_update(pads, 0.1f);
    assert_int_equal(told.low, 0);
}

static void mappings_change_what_a_button_is(void **state) {
    (void)state;
    const ct_input_device device = CT_INPUT_DEVICE_PAD_1;
    const uint64_t before = ct_log_warning_count("gamepad_mapping");
    const SDL_JoystickID instance = plug(1);
    fake.set_button(joystick(instance), SDL_CONTROLLER_BUTTON_X, 1);
    pump();
    assert_true(ct_input_is_down(in, device, id("x")));
    fake.set_button(joystick(instance), SDL_CONTROLLER_BUTTON_X, 0);
    pump();
    // What SDL calls X (its third button) is the player's B, and the right stick drives the left.
    char guid[33], mappings[200];
    fake.guid_text(sdl->SDL_JoystickGetDeviceGUID(0), guid, sizeof(guid));
    snprintf(mappings, sizeof(mappings),
             "# mine\n%s,Mine,b:b2,x:b1,leftx:a2,lefty:a3,platform:%s,\n", guid,
             sdl->SDL_GetPlatform());
    ct_gamepads_add_mappings(pads, mappings);
    assert_int_equal(ct_log_warning_count("gamepad_mapping"), before);
    pump();
    fake.set_button(joystick(instance), SDL_CONTROLLER_BUTTON_X, 1);
    fake.set_axis(joystick(instance), SDL_CONTROLLER_AXIS_RIGHTX, 32767);
    pump();
    assert_true(ct_input_pressed(in, device, id("b")));
    assert_false(ct_input_is_down(in, device, id("x")));
    assert_true(ct_input_axis(in, device, CT_PAD_AXIS_LEFT).x == 1);
    assert_true(ct_input_axis(in, device, CT_PAD_AXIS_RIGHT).x == 0);
}

static void bad_mappings_are_warnings(void **state) {
    (void)state;
    const uint64_t before = ct_log_warning_count("gamepad_mapping");
    ct_gamepads_add_mappings(pads, "# a comment\n\n"
                                   "03000000341200000100000000000000,Odd Pad,a:b1,b:b0,"
                                   "platform:Linux,\r\n"
                                   "03000000341200000100000000000000,Odd Pad,a:b1,"
                                   "platform:Nowhere,\n"
                                   "this is none\n");
    assert_int_equal(ct_log_warning_count("gamepad_mapping"), before + 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_controller_becomes_the_first_pad), TEST(buttons_and_sticks_arrive),
        TEST(triggers_are_axes_and_buttons),      TEST(pads_keep_their_numbers),
        TEST(a_fifth_waits_for_a_free_pad),       TEST(motors_and_lights_reach_the_controller),
        TEST(mappings_change_what_a_button_is),   TEST(bad_mappings_are_warnings),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
