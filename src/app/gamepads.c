#include "app/gamepads.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"

enum {
    RUMBLE_MS = 2000, // a motor stops by itself so long after it was last set
    MAPPING_BYTES = 2048,
};

static const float RUMBLE_REPEAT_SECONDS = 1.0f;

// A pad's controller, and what it was last told.
typedef struct gamepad {
    SDL_GameController *controller; // NULL: not connected
    SDL_JoystickID instance;
    SDL_JoystickGUID product; // of the last one that was here
    bool was_used;
    ct_vec3 sticks[2];
    uint16_t motors[CT_RUMBLE_NUM_MOTORS];
    float motor_age_seconds; // since they were set
    bool has_light;
    uint8_t light[3];
} gamepad;

struct ct_gamepads {
    ct_allocator *allocator;
    const ct_sdl_api *sdl;
    ct_input *input;
    gamepad pads[CT_INPUT_NUM_PADS];
};

static const char *const button_names[SDL_CONTROLLER_BUTTON_MAX] = {
    [SDL_CONTROLLER_BUTTON_A] = "a",
    [SDL_CONTROLLER_BUTTON_B] = "b",
    [SDL_CONTROLLER_BUTTON_X] = "x",
    [SDL_CONTROLLER_BUTTON_Y] = "y",
    [SDL_CONTROLLER_BUTTON_BACK] = "back",
    [SDL_CONTROLLER_BUTTON_GUIDE] = "guide",
    [SDL_CONTROLLER_BUTTON_START] = "start",
    [SDL_CONTROLLER_BUTTON_LEFTSTICK] = "left_thumb",
    [SDL_CONTROLLER_BUTTON_RIGHTSTICK] = "right_thumb",
    [SDL_CONTROLLER_BUTTON_LEFTSHOULDER] = "left_shoulder",
    [SDL_CONTROLLER_BUTTON_RIGHTSHOULDER] = "right_shoulder",
    [SDL_CONTROLLER_BUTTON_DPAD_UP] = "d_up",
    [SDL_CONTROLLER_BUTTON_DPAD_DOWN] = "d_down",
    [SDL_CONTROLLER_BUTTON_DPAD_LEFT] = "d_left",
    [SDL_CONTROLLER_BUTTON_DPAD_RIGHT] = "d_right",
    [SDL_CONTROLLER_BUTTON_MISC1] = "misc",
    [SDL_CONTROLLER_BUTTON_PADDLE1] = "paddle_1",
    [SDL_CONTROLLER_BUTTON_PADDLE2] = "paddle_2",
    [SDL_CONTROLLER_BUTTON_PADDLE3] = "paddle_3",
    [SDL_CONTROLLER_BUTTON_PADDLE4] = "paddle_4",
    [SDL_CONTROLLER_BUTTON_TOUCHPAD] = "touchpad",
};

static ct_input_device device_of(const ct_gamepads *g, const gamepad *pad) {
    return (ct_input_device)(CT_INPUT_DEVICE_PAD_1 + (pad - g->pads));
}

// --- Coming and going ----------------------------------------------------------------------------

ct_gamepads *ct_gamepads_create(ct_allocator *a, const ct_sdl_api *sdl, ct_input *input,
                                ct_error *error) {
    if (sdl->SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) != 0) {
        ct_error_set(error, "cannot use game controllers: %s", sdl->SDL_GetError());
        return NULL;
    }
    ct_gamepads *const g = CT_NEW(a, ct_gamepads);
    g->allocator = a;
    g->sdl = sdl;
    g->input = input;
    return g;
}

static void close_pad(ct_gamepads *g, gamepad *pad) {
    if (!pad->controller)
        return;
    g->sdl->SDL_GameControllerRumble(pad->controller, 0, 0, 0);
    g->sdl->SDL_GameControllerClose(pad->controller);
    pad->controller = NULL;
}

void ct_gamepads_destroy(ct_gamepads *g) {
    if (!g)
        return;
    for (uint32_t i = 0; i < CT_INPUT_NUM_PADS; ++i)
        close_pad(g, &g->pads[i]);
    g->sdl->SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
    ct_free_sized(g->allocator, g, sizeof(*g));
}

static gamepad *pad_of(ct_gamepads *g, SDL_JoystickID instance) {
    for (uint32_t i = 0; i < CT_INPUT_NUM_PADS; ++i) {
        if (g->pads[i].controller && g->pads[i].instance == instance)
            return &g->pads[i];
    }
    return NULL;
}

// The pad that a controller of this product gets: the one where such a one was, then one that was
// never used, then any. NULL when all are taken.
static gamepad *free_pad(ct_gamepads *g, SDL_JoystickGUID product) {
    gamepad *best = NULL;
    int best_rank = 0;
    for (uint32_t i = 0; i < CT_INPUT_NUM_PADS; ++i) {
        gamepad *const pad = &g->pads[i];
        const bool was_here =
            pad->was_used && memcmp(&pad->product, &product, sizeof(product)) == 0;
        const int rank = pad->controller ? 0 : was_here ? 3 : !pad->was_used ? 2 : 1;
        if (rank > best_rank) {
            best = pad;
            best_rank = rank;
        }
    }
    return best;
}

static ct_input_battery battery_of(SDL_JoystickPowerLevel level) {
    switch (level) {
    case SDL_JOYSTICK_POWER_EMPTY:
        return CT_INPUT_BATTERY_EMPTY;
    case SDL_JOYSTICK_POWER_LOW:
        return CT_INPUT_BATTERY_LOW;
    case SDL_JOYSTICK_POWER_MEDIUM:
        return CT_INPUT_BATTERY_MEDIUM;
    case SDL_JOYSTICK_POWER_FULL:
        return CT_INPUT_BATTERY_FULL;
    case SDL_JOYSTICK_POWER_WIRED:
        return CT_INPUT_BATTERY_WIRED;
    default:
        return CT_INPUT_BATTERY_UNKNOWN;
    }
}

// Opens the controller with this place in SDL's list, when a pad is free.
static void open_pad(ct_gamepads *g, int place) {
    const ct_sdl_api *const sdl = g->sdl;
    const SDL_JoystickID instance = sdl->SDL_JoystickGetDeviceInstanceID(place);
    if (!sdl->SDL_IsGameController(place) || pad_of(g, instance))
        return;
    const SDL_JoystickGUID product = sdl->SDL_JoystickGetDeviceGUID(place);
    gamepad *const pad = free_pad(g, product);
    if (!pad) {
        ct_log_info("input", "a game controller waits for a free pad: all %d pads are in use",
                    (int)CT_INPUT_NUM_PADS);
        return;
    }
    SDL_GameController *const controller = sdl->SDL_GameControllerOpen(place);
    if (!controller) {
        ct_log_warning("input", "gamepad_open", "cannot open a game controller: %s",
                       sdl->SDL_GetError());
        return;
    }
    *pad = (gamepad){
        .controller = controller, .instance = instance, .product = product, .was_used = true};
    const ct_input_device device = device_of(g, pad);
    ct_input_feed_connected(g->input, device, sdl->SDL_GameControllerName(controller));
    SDL_Joystick *const joystick = sdl->SDL_GameControllerGetJoystick(controller);
    ct_input_feed_battery(g->input, device,
                          battery_of(sdl->SDL_JoystickCurrentPowerLevel(joystick)));
}

static void remove_pad(ct_gamepads *g, SDL_JoystickID instance) {
    gamepad *const pad = pad_of(g, instance);
    if (!pad)
        return;
    close_pad(g, pad);
    ct_input_feed_disconnected(g->input, device_of(g, pad));
    // One that waited may have the place.
    const int count = g->sdl->SDL_NumJoysticks();
    for (int place = 0; place < count; ++place) {
        if (g->sdl->SDL_JoystickGetDeviceInstanceID(place) != instance)
            open_pad(g, place);
    }
}

// --- Mappings ------------------------------------------------------------------------------------

static void add_mapping(ct_gamepads *g, const char *line, size_t bytes) {
    char mapping[MAPPING_BYTES];
    if (bytes >= sizeof(mapping)) {
        ct_log_warning("input", "gamepad_mapping", "a controller mapping is too long: %zu bytes",
                       bytes);
        return;
    }
    memcpy(mapping, line, bytes);
    mapping[bytes] = '\0';
    const char *const platform = strstr(mapping, "platform:");
    const char *const ours = g->sdl->SDL_GetPlatform();
    if (platform && strncmp(platform + strlen("platform:"), ours, strlen(ours)) != 0)
        return;
    if (g->sdl->SDL_GameControllerAddMapping(mapping) < 0)
        ct_log_warning("input", "gamepad_mapping", "invalid controller mapping \"%.100s\": %s",
                       mapping, g->sdl->SDL_GetError());
}

void ct_gamepads_use_input(ct_gamepads *g, ct_input *input) {
    g->input = input;
}

void ct_gamepads_add_mappings(ct_gamepads *g, const char *text) {
    while (*text != '\0') {
        const size_t bytes = strcspn(text, "\r\n");
        if (bytes != 0 && text[0] != '#')
            add_mapping(g, text, bytes);
        text += bytes;
        text += strspn(text, "\r\n");
    }
}

// --- Events --------------------------------------------------------------------------------------

static float stick_value(int16_t value) {
    return value < 0 ? (float)value / 32768.0f : (float)value / 32767.0f;
}

static void feed_trigger(ct_gamepads *g, ct_input_device device, ct_pad_axis axis, float value) {
    const int32_t button = ct_input_button_id(
        device, axis == CT_PAD_AXIS_LEFT_TRIGGER ? "left_trigger" : "right_trigger");
    ct_input_feed_axis(g->input, device, axis, ct_vec3_make(value, 0, 0), false);
    ct_input_feed_value(g->input, device, (uint32_t)button, value);
}

static void feed_axis(ct_gamepads *g, gamepad *pad, uint8_t axis, int16_t raw) {
    const ct_input_device device = device_of(g, pad);
    const float value = stick_value(raw);
    switch (axis) {
    case SDL_CONTROLLER_AXIS_LEFTX:
    case SDL_CONTROLLER_AXIS_RIGHTX:
    case SDL_CONTROLLER_AXIS_LEFTY:
    case SDL_CONTROLLER_AXIS_RIGHTY: {
        const bool is_left = axis <= SDL_CONTROLLER_AXIS_LEFTY;
        ct_vec3 *const stick = &pad->sticks[is_left ? 0 : 1];
        // SDL's y points down.
        if (axis == SDL_CONTROLLER_AXIS_LEFTX || axis == SDL_CONTROLLER_AXIS_RIGHTX)
            stick->x = value;
        else
            stick->y = -value;
        ct_input_feed_axis(g->input, device, is_left ? CT_PAD_AXIS_LEFT : CT_PAD_AXIS_RIGHT, *stick,
                           false);
        break;
    }
    case SDL_CONTROLLER_AXIS_TRIGGERLEFT:
        feed_trigger(g, device, CT_PAD_AXIS_LEFT_TRIGGER, fmaxf(value, 0.0f));
        break;
    case SDL_CONTROLLER_AXIS_TRIGGERRIGHT:
        feed_trigger(g, device, CT_PAD_AXIS_RIGHT_TRIGGER, fmaxf(value, 0.0f));
        break;
    default:
        break;
    }
}

static void feed_button(ct_gamepads *g, const gamepad *pad, uint8_t button, bool is_down) {
    const ct_input_device device = device_of(g, pad);
    const char *const name = button < SDL_CONTROLLER_BUTTON_MAX ? button_names[button] : NULL;
    const int32_t id = name ? ct_input_button_id(device, name) : -1;
    if (id >= 0)
        ct_input_feed_button(g->input, device, (uint32_t)id, is_down);
}

void ct_gamepads_feed(ct_gamepads *g, const SDL_Event *event) {
    gamepad *pad;
    switch (event->type) {
    case SDL_CONTROLLERDEVICEADDED:
        open_pad(g, event->cdevice.which);
        break;
    case SDL_CONTROLLERDEVICEREMOVED:
        remove_pad(g, event->cdevice.which);
        break;
    case SDL_CONTROLLERAXISMOTION:
        if ((pad = pad_of(g, event->caxis.which)))
            feed_axis(g, pad, event->caxis.axis, event->caxis.value);
        break;
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP:
        if ((pad = pad_of(g, event->cbutton.which)))
            feed_button(g, pad, event->cbutton.button, event->type == SDL_CONTROLLERBUTTONDOWN);
        break;
    case SDL_JOYBATTERYUPDATED:
        if ((pad = pad_of(g, event->jbattery.which)))
            ct_input_feed_battery(g->input, device_of(g, pad), battery_of(event->jbattery.level));
        break;
    default:
        break;
    }
}

// --- What pads do --------------------------------------------------------------------------------

// Motors are set when their level changes, and again now and then, since they stop by themselves.
static void set_motors(ct_gamepads *g, gamepad *pad, const ct_rumble *rumble, float seconds) {
    uint16_t levels[CT_RUMBLE_NUM_MOTORS];
    for (uint32_t i = 0; i < CT_RUMBLE_NUM_MOTORS; ++i)
        levels[i] = (uint16_t)lroundf(ct_rumble_level(rumble, i) * 65535.0f);
    pad->motor_age_seconds += seconds;
    const bool is_new = memcmp(levels, pad->motors, sizeof(levels)) != 0;
    const bool is_on = levels[0] != 0 || levels[1] != 0;
    if (!is_new && !(is_on && pad->motor_age_seconds >= RUMBLE_REPEAT_SECONDS))
        return;
    // Not every controller has motors; that it says so changes nothing.
    g->sdl->SDL_GameControllerRumble(pad->controller, levels[0], levels[1], RUMBLE_MS);
    memcpy(pad->motors, levels, sizeof(levels));
    pad->motor_age_seconds = 0.0f;
}

// Linear 0 to 1 to an sRGB byte.
static uint8_t light_byte(float linear) {
    const float clamped = fminf(fmaxf(linear, 0.0f), 1.0f);
    return (uint8_t)lroundf(powf(clamped, 1.0f / 2.2f) * 255.0f);
}

static void set_light(ct_gamepads *g, gamepad *pad) {
    ct_vec3 color;
    if (!ct_input_light(g->input, device_of(g, pad), &color))
        return;
    const uint8_t light[3] = {light_byte(color.x), light_byte(color.y), light_byte(color.z)};
    if (pad->has_light && memcmp(light, pad->light, sizeof(light)) == 0)
        return;
    g->sdl->SDL_GameControllerSetLED(pad->controller, light[0], light[1], light[2]);
    pad->has_light = true;
    memcpy(pad->light, light, sizeof(light));
}

void ct_gamepads_update(ct_gamepads *g, float seconds) {
    for (uint32_t i = 0; i < CT_INPUT_NUM_PADS; ++i) {
        gamepad *const pad = &g->pads[i];
        ct_rumble *const rumble = ct_input_rumble(g->input, device_of(g, pad));
        ct_rumble_advance(rumble, seconds);
        if (!pad->controller)
            continue;
        set_motors(g, pad, rumble, seconds);
        set_light(g, pad);
    }
}
