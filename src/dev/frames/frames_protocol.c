// The messages of streams of pictures, and of input.

#include <math.h>
#include <string.h>

#include "dev/frames/frames.h"
#include "dev/inspect/inspect_find.h"
#include "dev/protocol/protocol_areas.h"
#include "foundation/math/math.h"
#include "foundation/os/os.h"
#include "input/input.h"
#include "world/world.h"

// --- Members -------------------------------------------------------------------------------------

// Reads a member that is an array of `count` numbers. Returns false with r->error where it is something else; where
// it is left out, `numbers` stays.
static bool take_numbers(ct_console_request *r, ct_sjson_value object, const char *key,
                         float *numbers, uint32_t count) {
    const ct_sjson_value array = ct_sjson_find(r->doc, object, key);
    if (array.entry == 0)
        return true;
    uint32_t place = 0;
    ct_sjson_value item = ct_sjson_first(r->doc, array);
    for (; item.entry != 0; item = ct_sjson_next(r->doc, item), ++place) {
        const double number = ct_sjson_number(r->doc, item, NAN);
        if (place < count && (!isfinite(number) || fabs(number) > 1e9))
            return ct_error_set(&r->error, "\"%s\"[%u] is %g; expected a number up to 1e9", key,
                                place + 1, number);
        if (place < count)
            numbers[place] = (float)number;
    }
    return place == count ||
           ct_error_set(&r->error, "\"%s\" has %u numbers; expected %u", key, place, count);
}

static bool take_range(ct_console_request *r, const char *key, double least, double most,
                       double *number) {
    *number = ct_console_number(r, key, *number);
    return (*number >= least && *number <= most) ||
           ct_error_set(&r->error, "\"%s\" is %g; expected a number from %g to %g", key, *number,
                        least, most);
}

static const double degrees_of_radian = 57.29577951308232;

static bool take_pose(ct_console_request *r, ct_frame_stream_desc *desc) {
    ct_vec3 from, scale;
    ct_quat turned;
    ct_mat4_decompose(&desc->pose, &from, &turned, &scale);
    float position[3] = {from.x, from.y, from.z};
    float rotation[4] = {turned.x, turned.y, turned.z, turned.w};
    double degrees = (double)desc->field_of_view * degrees_of_radian;
    if (!take_numbers(r, r->root, "position", position, 3) ||
        !take_numbers(r, r->root, "rotation", rotation, 4) ||
        !take_range(r, "field_of_view", 1, 170, &degrees))
        return false;
    desc->field_of_view = (float)(degrees / degrees_of_radian);
    const ct_quat rotated = {{rotation[0], rotation[1], rotation[2], rotation[3]}};
    desc->pose = ct_mat4_compose(ct_vec3_make(position[0], position[1], position[2]),
                                 ct_quat_normalize(rotated), ct_vec3_make(1, 1, 1));
    return true;
}

static ct_frames *frames_of(ct_console_request *r) {
    if (!r->target->frames)
        ct_error_set(&r->error, "this program sends no frames: its console does not listen");
    return r->target->frames;
}

// --- Streams -------------------------------------------------------------------------------------

static bool take_camera(ct_console_request *r, ct_frame_stream_desc *desc) {
    if (ct_sjson_find(r->doc, r->root, "world").entry == 0)
        return true;
    ct_world *const world = ct_inspect_world(r);
    if (!world)
        return false;
    const char *const viewport = ct_console_text(r, "viewport");
    desc->viewport = ct_string_id32_register(viewport ? viewport : "default");
    if (!ct_renderer_has_viewport(ct_app_renderer(r->target->app), desc->viewport))
        return ct_error_set(&r->error, "the render config has no viewport \"%.64s\"",
                            viewport ? viewport : "default");
    desc->has_camera = true;
    desc->world = ct_inspect_world_number(world);
    desc->pose =
        ct_mat4_compose(ct_vec3_make(0, -10, 2), ct_quat_identity(), ct_vec3_make(1, 1, 1));
    desc->near_range = 0.1f;
    desc->far_range = 1000;
    return take_pose(r, desc);
}

// Reads the part of the game's picture.
static bool take_rectangle(ct_console_request *r, float *rectangle) {
    static const float rounding = 1e-5f; // such as that of 0.7 + 0.3
    if (!take_numbers(r, r->root, "rectangle", rectangle, 4))
        return false;
    bool is_right = rectangle[2] > 0 && rectangle[3] > 0;
    for (uint32_t i = 0; i < 2; ++i)
        is_right &= rectangle[i] >= 0 && rectangle[i] + rectangle[i + 2] <= 1 + rounding;
    return is_right ||
           ct_error_set(&r->error,
                        "\"rectangle\" is [%g, %g, %g, %g]; expected x, y, width and height as "
                        "fractions of the picture, such as [0.5, 0, 0.5, 1] for its right half",
                        (double)rectangle[0], (double)rectangle[1], (double)rectangle[2],
                        (double)rectangle[3]);
}

static bool run_open(ct_console_request *r) {
    ct_frames *const f = frames_of(r);
    double rate = 30, quality = 75, width = 0, height = 0;
    ct_frame_stream_desc desc = {
        .client = r->target->client, .rectangle = {0, 0, 1, 1}, .field_of_view = 1};
    const char *const format = ct_console_text(r, "format");
    if (!f || !take_range(r, "width", 16, CT_FRAME_MAX_SIDE, &width) ||
        !take_range(r, "height", 16, CT_FRAME_MAX_SIDE, &height) ||
        !take_range(r, "rate", 0.1, 120, &rate) || !take_range(r, "quality", 1, 100, &quality) ||
        !take_rectangle(r, desc.rectangle) || !take_camera(r, &desc))
        return false;
    desc.width = (uint32_t)width;
    desc.height = (uint32_t)height;
    desc.rate = rate;
    desc.quality = (int)quality;
    desc.is_png = format && strcmp(format, "png") == 0;
    const uint32_t number = ct_frames_open(f, &desc, &r->error);
    ct_sjson_member_number(&r->w, "stream", number);
    return number != 0;
}

// Returns the stream that the message names, or NULL with an error.
static ct_frame_stream *stream_of(ct_console_request *r) {
    ct_frames *const f = frames_of(r);
    if (!f)
        return NULL;
    const uint32_t number = ct_console_whole(r, "stream", UINT32_MAX, 0);
    ct_frame_stream *const s = ct_frames_stream(f, r->target->client, number);
    if (!s)
        ct_error_set(&r->error, "this client has no open stream %u", number);
    return s;
}

static bool run_camera(ct_console_request *r) {
    ct_frame_stream *const s = stream_of(r);
    if (s && !s->desc.has_camera)
        return ct_error_set(&r->error,
                            "stream %u shows the game's picture; expected one that was opened "
                            "with a \"world\"",
                            s->desc.number);
    return s && take_pose(r, &s->desc);
}

static bool run_shown(ct_console_request *r) {
    ct_frame_stream *const s = stream_of(r);
    if (s)
        ct_frame_stream_shown(s, ct_console_whole(r, "number", UINT32_MAX, 0));
    return s;
}

static bool run_close(ct_console_request *r) {
    ct_frame_stream *const s = stream_of(r);
    if (s)
        ct_frames_close(r->target->frames, s);
    return s;
}

// --- Input ---------------------------------------------------------------------------------------

static bool take_event(ct_console_request *r, ct_sjson_value item, uint32_t place,
                       ct_input_event *event) {
    const char *const device = ct_sjson_string(r->doc, ct_sjson_find(r->doc, item, "device"), "");
    const char *const kind = ct_sjson_string(r->doc, ct_sjson_find(r->doc, item, "kind"), "");
    const char *const name = ct_sjson_string(r->doc, ct_sjson_find(r->doc, item, "name"), "");
    *event = (ct_input_event){.kind = ct_input_event_kind_named(kind), .time_ns = ct_os_time_ns()};
    while (event->device < CT_INPUT_NUM_DEVICES &&
           strcmp(ct_input_device_name(event->device), device) != 0)
        ++event->device;
    if (event->device == CT_INPUT_NUM_DEVICES)
        return ct_error_set(
            &r->error, "events[%u].device is \"%.64s\"; expected keyboard, mouse, touch or a pad",
            place, device);
    float value[3] = {0, 0, 0};
    if (!take_numbers(r, item, "value", value, 3))
        return false;
    event->value = ct_vec3_make(value[0], value[1], value[2]);
    const double contact = ct_sjson_number(r->doc, ct_sjson_find(r->doc, item, "number"), 0);
    if (!(contact >= 0 && contact <= UINT32_MAX && contact == floor(contact)))
        return ct_error_set(&r->error,
                            "events[%u].number is %.16g; expected a whole number from 0 to %u",
                            place, contact, UINT32_MAX);
    event->number = (uint32_t)contact;
    event->text = ct_sjson_string(r->doc, ct_sjson_find(r->doc, item, "text"), NULL);
    if (name[0] == '\0')
        return true;
    const int32_t number = event->kind == CT_INPUT_EVENT_KIND_AXIS
                               ? ct_input_axis_id(event->device, name)
                               : ct_input_button_id(event->device, name);
    event->number = (uint32_t)number;
    if (event->kind == CT_INPUT_EVENT_KIND_PRESSED && value[0] == 0)
        event->value.x = 1;
    return number >= 0 || ct_error_set(&r->error, "events[%u].name is \"%.64s\", which %s has not",
                                       place, name, device);
}

static bool run_input(ct_console_request *r) {
    ct_input *const in = ct_app_input(r->target->app);
    ct_input_event event;
    // All are read before the first counts.
    for (uint32_t pass = 0; pass < 2; ++pass) {
        uint32_t place = 0;
        ct_sjson_value item = ct_sjson_first(r->doc, ct_sjson_find(r->doc, r->root, "events"));
        for (; item.entry != 0; item = ct_sjson_next(r->doc, item)) {
            if (!take_event(r, item, ++place, &event))
                return false;
            if (pass == 1)
                ct_input_add_remote(in, &event);
        }
    }
    return true;
}

// --- The area ------------------------------------------------------------------------------------

#define POSE                                                                                       \
    {"position", "number[]?", "of the camera: x, y, z in metres"},                                 \
        {"rotation", "number[]?",                                                                  \
         "of the camera: a quaternion x, y, z, w; without one it looks along y"},                  \
    {                                                                                              \
        "field_of_view", "number?", "from bottom to top, in degrees, 1 to 170"                     \
    }
#define STREAM                                                                                     \
    { "stream", "integer", "from frame_open" }

static const ct_protocol_message messages[] = {
    {.type = "frame_open",
     .summary =
         "opens a stream of pictures, as events `frame`: of the game's picture; or, with a world, "
         "of what "
         "a camera of this client sees there. It ends with the connection, and with the world",
     .members = CT_PROTOCOL_MEMBERS(
         {"width", "integer", "the most, in pixels, 16 to 4096"},
         {"height", "integer", "the most, in pixels, 16 to 4096"},
         {"rate", "number?", "the most pictures a second, 0.1 to 120; 30 without it"},
         {"format", "\"jpeg\"|\"png\"?", "jpeg without it"},
         {"quality", "integer?", "of jpeg, 1 to 100; 75 without it"},
         {"rectangle", "number[]?",
          "the part of the game's picture: x, y, width, height as fractions"},
         {"world", "integer?", "its number in world_list"},
         {"viewport", "string?", "of the render config; default without it"}, POSE),
     .answer = CT_PROTOCOL_MEMBERS({"stream", "integer", "its number, for the messages below"}),
     .run = run_open},
    {.type = "frame_camera",
     .summary = "moves the camera of a stream",
     .members = CT_PROTOCOL_MEMBERS(STREAM, POSE),
     .answer = ct_protocol_no_members,
     .run = run_camera},
    {.type = "frame_shown",
     .summary = "says that a picture was shown, and those before it; at most 3 are on their way",
     .members = CT_PROTOCOL_MEMBERS(
         STREAM, {"number", "integer?", "of the picture; without it the oldest on its way"}),
     .answer = ct_protocol_no_members,
     .run = run_shown},
    {.type = "frame_close",
     .summary = "ends a stream",
     .members = CT_PROTOCOL_MEMBERS(STREAM),
     .answer = ct_protocol_no_members,
     .run = run_close},
    {.type = "input",
     .summary = "gives the game input, as if its devices had sent it",
     .members = CT_PROTOCOL_MEMBERS({"events", "InputEvent[]", "in order; all or none count"}),
     .answer = ct_protocol_no_members,
     .run = run_input},
};

static const ct_protocol_event events[] = {
    {.type = "frame",
     .summary = "a picture of a stream, or what of it has changed. The files of the tiles follow "
                "as binary data, "
                "one behind the other",
     .members = CT_PROTOCOL_MEMBERS(
         STREAM, {"number", "integer", "of the picture, from 1"},
         {"width", "integer", "of the whole picture, in pixels"},
         {"height", "integer", "of the whole picture, in pixels"},
         {"level", "integer",
          "0: as asked for, up to 3: smaller and coarser, since the client was behind"},
         {"format", "\"jpeg\"|\"png\"", "of the files"},
         {"tiles", "FrameTile[]", "what has changed"}),
     .has_binary = true},
};

static const ct_protocol_shape shapes[] = {
    {"FrameTile", "a part of a picture, in pixels from the top left",
     CT_PROTOCOL_MEMBERS({"x", "integer", "of its left"}, {"y", "integer", "of its top"},
                         {"width", "integer", "of it"}, {"height", "integer", "of it"},
                         {"bytes", "integer", "of its file"})},
    {"InputEvent", "input of a device, as in Input.add_remote_events of Lua",
     CT_PROTOCOL_MEMBERS({"device", "string", "keyboard, mouse, touch, pad1 …"},
                         {"kind",
                          "\"pressed\"|\"released\"|\"axis\"|\"keystroke\"|\"text\"|\"touch_"
                          "began\"|\"touch_moved\"|"
                          "\"touch_ended\"",
                          "what happened"},
                         {"name", "string?", "of the button or axis"},
                         {"number", "integer?", "of the contact of touch"},
                         {"value", "number[]?", "of the axis, or where the touch is: x, y, z"},
                         {"text", "string?", "what was typed"})},
};

const ct_protocol_area ct_frames_area = {
    .name = "frames",
    .summary = "What the engine draws, and input for it.",
    .messages = messages,
    .num_messages = CT_COUNT_OF(messages),
    .events = events,
    .num_events = CT_COUNT_OF(events),
    .shapes = shapes,
    .num_shapes = CT_COUNT_OF(shapes),
};
