#include "resource/types/input_binding.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"

// An object as ct_schema_read reads it.
typedef struct binding_source {
    const char *controls[7]; // by part_names
    float scale, dead_zone, response;
    uint32_t invert_x, invert_y, per_second;
} binding_source;

typedef struct part_name {
    const char *name;
    ct_input_binding_kind kind; // of a binding that has it
    uint32_t place;             // in its controls
} part_name;

static const part_name part_names[7] = {
    {"control", CT_INPUT_BINDING_KIND_CONTROL, 0}, {"negative", CT_INPUT_BINDING_KIND_PAIR, 0},
    {"positive", CT_INPUT_BINDING_KIND_PAIR, 1},   {"left", CT_INPUT_BINDING_KIND_FOUR, 0},
    {"right", CT_INPUT_BINDING_KIND_FOUR, 1},      {"down", CT_INPUT_BINDING_KIND_FOUR, 2},
    {"up", CT_INPUT_BINDING_KIND_FOUR, 3},
};

#define CONTROL(place, field_name, text)                                                           \
    {                                                                                              \
        .name = field_name, .type = CT_FIELD_TYPE_STRING,                                          \
        .offset = offsetof(binding_source, controls) + (place) * sizeof(const char *),             \
        .size_bytes = sizeof(const char *), .doc = text                                            \
    }
#define AT(member)                                                                                 \
    .offset = offsetof(binding_source, member), .size_bytes = sizeof(((binding_source *)0)->member)

static const ct_field fields[] = {
    CONTROL(0, "control", "The control, with modifiers: \"ctrl+keyboard.s\", \"pad.left\"."),
    CONTROL(1, "negative", "The control for -1; give positive too."),
    CONTROL(2, "positive", "The control for 1."),
    CONTROL(3, "left", "The control for x = -1; give right, down and up too."),
    CONTROL(4, "right", "The control for x = 1."),
    CONTROL(5, "down", "The control for y = -1."),
    CONTROL(6, "up", "The control for y = 1."),
    {.name = "scale",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(scale),
     .doc = "Factor on the value.",
     .least = -1000,
     .most = 1000,
     .default_value = {1}},
    {.name = "invert_x",
     .type = CT_FIELD_TYPE_BOOL,
     AT(invert_x),
     .doc = "Inverts x, or the only number of an axis."},
    {.name = "invert_y", .type = CT_FIELD_TYPE_BOOL, AT(invert_y), .doc = "Inverts y."},
    {.name = "per_second",
     .type = CT_FIELD_TYPE_BOOL,
     AT(per_second),
     .doc = "The value is a speed, multiplied by the seconds of the update. Set this for a stick "
            "that adds to the movement of a mouse."},
    {.name = "dead_zone",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(dead_zone),
     .doc = "Share of the axis around its rest position that counts as rest. -1: the device's "
            "setting.",
     .least = -1,
     .most = 0.95,
     .default_value = {-1}},
    {.name = "response",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(response),
     .doc = "Exponent of the value. 1: linear. 2: finer near the middle.",
     .least = 0.1,
     .most = 10,
     .default_value = {1}},
};

const ct_schema ct_input_binding_schema = {
    .name = "input_binding",
    .doc = "The controls that trigger an action.",
    .size_bytes = sizeof(binding_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- Reading -------------------------------------------------------------------------------------

static bool report(const ct_sjson *doc, ct_sjson_value at, const ct_schema_listener *listener,
                   const char *message) {
    ct_error error = {0};
    ct_sjson_error(doc, at, &error, "%s", message);
    if (listener->error)
        listener->error(listener->user, &error);
    return false;
}

bool ct_input_binding_parse(const char *text, ct_input_binding *binding, ct_error *error) {
    ct_input_binding b = {
        .kind = CT_INPUT_BINDING_KIND_CONTROL, .scale = 1, .dead_zone = -1, .response = 1};
    if (strcmp(text, "none") == 0)
        b.kind = CT_INPUT_BINDING_KIND_NONE;
    else if (!ct_input_control_parse(text, &b.controls[0], &b.modifiers, error))
        return false;
    *binding = b;
    return true;
}

// Reads the controls of an object; all of them are of one kind.
static bool read_controls(const binding_source *source, ct_input_binding *b, ct_error *error) {
    for (uint32_t i = 0; i < CT_COUNT_OF(part_names); ++i) {
        const part_name *const part = &part_names[i];
        uint32_t modifiers = 0;
        if (!source->controls[i])
            continue;
        if (b->kind != CT_INPUT_BINDING_KIND_NONE && b->kind != (uint32_t)part->kind)
            return ct_error_set(error,
                                "\"%s\" does not go with the other controls; give either control, "
                                "or negative and positive, or left, right, down and up",
                                part->name);
        b->kind = part->kind;
        ct_input_control *const control = &b->controls[part->place];
        if (!ct_input_control_parse(source->controls[i], control, &modifiers, error))
            return false;
        if (part->kind == CT_INPUT_BINDING_KIND_CONTROL)
            b->modifiers = modifiers;
        else if (modifiers != 0 || !ct_input_part_is_pressed(control->part))
            return ct_error_set(
                error, "%s is \"%.64s\"; expected a button or half of an axis, without modifiers",
                part->name, source->controls[i]);
    }
    return b->kind != CT_INPUT_BINDING_KIND_NONE ||
           ct_error_set(
               error,
               "the control is missing; write, for example, { control = \"keyboard.space\" }");
}

static bool read_object(const ct_sjson *doc, ct_sjson_value at, ct_input_binding *binding,
                        const ct_schema_listener *listener) {
    binding_source source;
    ct_error error = {0};
    if (!ct_schema_read(&ct_input_binding_schema, doc, at, &source, listener))
        return false;
    ct_input_binding b = {
        .flags = (source.invert_x ? CT_INPUT_BINDING_INVERT_X : 0) |
                 (source.invert_y ? CT_INPUT_BINDING_INVERT_Y : 0) |
                 (source.per_second ? CT_INPUT_BINDING_PER_SECOND : 0),
        .scale = source.scale,
        .dead_zone = source.dead_zone < 0.0f ? -1.0f : source.dead_zone,
        .response = source.response,
    };
    if (!read_controls(&source, &b, &error))
        return report(doc, at, listener, error.message);
    *binding = b;
    return true;
}

bool ct_input_binding_read(const ct_sjson *doc, ct_sjson_value at, ct_input_binding *binding,
                           const ct_schema_listener *listener) {
    ct_error error = {0};
    switch (ct_sjson_type_of(doc, at)) {
    case CT_SJSON_TYPE_OBJECT:
        return read_object(doc, at, binding, listener);
    case CT_SJSON_TYPE_STRING:
        return ct_input_binding_parse(ct_sjson_string(doc, at, ""), binding, &error) ||
               report(doc, at, listener, error.message);
    default:
        ct_error_set(&error, "found %s, expected a binding: the name of a control, or an object",
                     ct_sjson_type_name(ct_sjson_type_of(doc, at)));
        return report(doc, at, listener, error.message);
    }
}

// --- Writing -------------------------------------------------------------------------------------

static void write_control(ct_sjson_writer *w, const char *key, ct_input_control control,
                          uint32_t modifiers) {
    char text[CT_INPUT_CONTROL_TEXT_BYTES];
    if (control.part == CT_INPUT_PART_NONE)
        return;
    ct_input_control_format(control, modifiers, text);
    ct_sjson_member_string(w, key, text);
}

// Numbers of a float in few digits: 0.3f as 0.3.
static void write_float(ct_sjson_writer *w, const char *key, float value, float otherwise) {
    if (value != otherwise)
        ct_sjson_member_number(w, key, round((double)value * 1e6) / 1e6);
}

static void write_flag(ct_sjson_writer *w, const char *key, bool is_set) {
    if (is_set)
        ct_sjson_member_bool(w, key, true);
}

void ct_input_binding_write(ct_sjson_writer *w, const ct_input_binding *b) {
    const bool is_plain = b->flags == 0 && b->scale == 1 && b->dead_zone < 0 && b->response == 1;
    if (b->kind == CT_INPUT_BINDING_KIND_NONE ||
        (b->kind == CT_INPUT_BINDING_KIND_CONTROL && is_plain)) {
        char text[CT_INPUT_CONTROL_TEXT_BYTES];
        ct_input_control_format(b->controls[0], b->modifiers, text);
        ct_sjson_write_string(w, text);
        return;
    }
    ct_sjson_begin_object(w);
    for (uint32_t i = 0; i < CT_COUNT_OF(part_names); ++i) {
        if ((uint32_t)part_names[i].kind == b->kind)
            write_control(w, part_names[i].name, b->controls[part_names[i].place], b->modifiers);
    }
    write_float(w, "scale", b->scale, 1);
    write_flag(w, "invert_x", b->flags & CT_INPUT_BINDING_INVERT_X);
    write_flag(w, "invert_y", b->flags & CT_INPUT_BINDING_INVERT_Y);
    write_flag(w, "per_second", b->flags & CT_INPUT_BINDING_PER_SECOND);
    write_float(w, "dead_zone", b->dead_zone, -1);
    write_float(w, "response", b->response, 1);
    ct_sjson_end_object(w);
}

// --- Parts ---------------------------------------------------------------------------------------

int32_t ct_input_binding_part(uint32_t kind, const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(part_names); ++i) {
        if ((uint32_t)part_names[i].kind == kind && strcmp(part_names[i].name, name) == 0)
            return (int32_t)part_names[i].place;
    }
    return -1;
}
