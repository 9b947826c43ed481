#include "resource/types/render_setting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"

enum { EXPECTED_BYTES = 200 };

static const struct {
    const char *name;
    uint32_t num_floats;
} types[CT_RENDER_SETTING_TYPE_COUNT] = {
    [CT_RENDER_SETTING_TYPE_NONE] = {"", 1},
    [CT_RENDER_SETTING_TYPE_BOOL] = {"bool", 1},
    [CT_RENDER_SETTING_TYPE_NUMBER] = {"number", 1},
    [CT_RENDER_SETTING_TYPE_WHOLE] = {"whole", 1},
    [CT_RENDER_SETTING_TYPE_CHOICE] = {"choice", 1},
    [CT_RENDER_SETTING_TYPE_VECTOR2] = {"vector2", 2},
    [CT_RENDER_SETTING_TYPE_VECTOR3] = {"vector3", 3},
    [CT_RENDER_SETTING_TYPE_VECTOR4] = {"vector4", 4},
    [CT_RENDER_SETTING_TYPE_COLOR] = {"color", 4},
};

const char *ct_render_setting_type_name(uint32_t type) {
    return types[type].name;
}

ct_render_setting_type ct_render_setting_type_named(const char *name) {
    for (uint32_t i = 1; i < CT_RENDER_SETTING_TYPE_COUNT; ++i) {
        if (strcmp(types[i].name, name) == 0)
            return (ct_render_setting_type)i;
    }
    return CT_RENDER_SETTING_TYPE_NONE;
}

uint32_t ct_render_setting_floats(uint32_t type) {
    return types[type].num_floats;
}

const char *ct_render_setting_choice(const void *blob, const ct_render_setting *s, uint32_t i) {
    const ct_blob_string *const choices = ct_blob_at(blob, s->choices.offset);
    return ct_blob_at(blob, choices[i].offset);
}

uint32_t ct_render_setting_find(const void *blob, const ct_render_setting *settings, uint32_t count,
                                const char *name) {
    uint32_t i = 0;
    while (i < count && strcmp(ct_blob_at(blob, settings[i].name.offset), name) != 0)
        ++i;
    return i;
}

// --- Values --------------------------------------------------------------------------------------

static void describe_given(const ct_render_given *given, char *out) {
    if (given->kind == CT_RENDER_GIVEN_KIND_BOOL)
        snprintf(out, EXPECTED_BYTES, "%s", given->numbers[0] != 0 ? "true" : "false");
    else if (given->kind == CT_RENDER_GIVEN_KIND_NUMBER)
        snprintf(out, EXPECTED_BYTES, "%g", given->numbers[0]);
    else if (given->kind == CT_RENDER_GIVEN_KIND_VECTOR)
        snprintf(out, EXPECTED_BYTES, "%u numbers", given->count);
    else if (given->kind == CT_RENDER_GIVEN_KIND_TEXT)
        snprintf(out, EXPECTED_BYTES, "\"%.100s\"", given->text);
    else
        snprintf(out, EXPECTED_BYTES, "another type");
}

static void describe_expected(const void *blob, const ct_render_setting *s, char *out) {
    const double least = (double)s->least, most = (double)s->most;
    int length = 0;
    switch (s->type) {
    case CT_RENDER_SETTING_TYPE_BOOL:
        snprintf(out, EXPECTED_BYTES, "true or false");
        break;
    case CT_RENDER_SETTING_TYPE_CHOICE:
        for (uint32_t i = 0; i < s->choices.count && length < EXPECTED_BYTES; ++i) {
            const ct_blob_string *const choices = ct_blob_at(blob, s->choices.offset);
            length += snprintf(out + length, EXPECTED_BYTES - (size_t)length, "%s\"%s\"",
                               i ? ", " : "", (const char *)ct_blob_at(blob, choices[i].offset));
        }
        break;
    case CT_RENDER_SETTING_TYPE_NUMBER:
    case CT_RENDER_SETTING_TYPE_WHOLE:
        snprintf(out, EXPECTED_BYTES, "a %snumber from %g to %g",
                 s->type == CT_RENDER_SETTING_TYPE_WHOLE ? "whole " : "", least, most);
        break;
    case CT_RENDER_SETTING_TYPE_COLOR:
        snprintf(out, EXPECTED_BYTES, "3 or 4 numbers from %g to %g", least, most);
        break;
    default:
        snprintf(out, EXPECTED_BYTES, "%u numbers from %g to %g", types[s->type].num_floats, least,
                 most);
    }
}

static bool take_choice(const void *blob, const ct_render_setting *s, const char *text,
                        float value[4]) {
    const ct_blob_string *const choices = ct_blob_at(blob, s->choices.offset);
    for (uint32_t i = 0; i < s->choices.count; ++i) {
        if (strcmp(ct_blob_at(blob, choices[i].offset), text) == 0) {
            value[0] = (float)i;
            return true;
        }
    }
    return false;
}

static bool take_numbers(const ct_render_setting *s, const ct_render_given *given, float value[4]) {
    const bool is_color = s->type == CT_RENDER_SETTING_TYPE_COLOR;
    const uint32_t wanted = types[s->type].num_floats;
    const uint32_t count = given->kind == CT_RENDER_GIVEN_KIND_VECTOR ? given->count : 1;
    if (count != wanted && !(is_color && count == 3))
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        const float x = (float)given->numbers[i];
        // A NaN fails the comparisons.
        if (!(x >= s->least && x <= s->most) ||
            (s->type == CT_RENDER_SETTING_TYPE_WHOLE && x != floorf(x)))
            return false;
        value[i] = is_color && given->is_srgb && i < 3 ? ct_srgb_to_linear(x) : x;
    }
    if (is_color && count == 3)
        value[3] = 1;
    return true;
}

static bool take(const void *blob, const ct_render_setting *s, const ct_render_given *given,
                 float value[4]) {
    switch (given->kind) {
    case CT_RENDER_GIVEN_KIND_BOOL:
        value[0] = given->numbers[0] != 0;
        return s->type == CT_RENDER_SETTING_TYPE_BOOL;
    case CT_RENDER_GIVEN_KIND_TEXT:
        return s->type == CT_RENDER_SETTING_TYPE_CHOICE && take_choice(blob, s, given->text, value);
    case CT_RENDER_GIVEN_KIND_NUMBER:
    case CT_RENDER_GIVEN_KIND_VECTOR:
        return s->type != CT_RENDER_SETTING_TYPE_BOOL && s->type != CT_RENDER_SETTING_TYPE_CHOICE &&
               take_numbers(s, given, value);
    default:
        return false;
    }
}

bool ct_render_setting_take(const void *blob, const ct_render_setting *s,
                            const ct_render_given *given, float value[4], ct_error *error) {
    float taken[4] = {0};
    if (take(blob, s, given, taken)) {
        memcpy(value, taken, sizeof(taken));
        return true;
    }
    char found[EXPECTED_BYTES], expected[EXPECTED_BYTES];
    describe_given(given, found);
    describe_expected(blob, s, expected);
    return ct_error_set(error, "%s is %s; expected %s",
                        (const char *)ct_blob_at(blob, s->name.offset), found, expected);
}

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_render_setting_layout =
    CT_BLOB_STRUCT(ct_render_setting, CT_BLOB_STRING(ct_render_setting, name),
                   CT_BLOB_NUMBERS(4, ct_render_setting, type, default_value),
                   CT_BLOB_ARRAY(ct_render_setting, choices, ct_blob_string_layout));

static bool check_choices(const ct_render_setting *s, uint32_t i, ct_error *error) {
    const bool is_choice = s->type == CT_RENDER_SETTING_TYPE_CHOICE;
    if (s->choices.count > CT_RENDER_MAX_CHOICES || is_choice != (s->choices.count > 0))
        return ct_error_set(error, "settings[%u].choices: found %u, which does not fit the type", i,
                            s->choices.count);
    if (is_choice && (s->least != 0 || s->most != (float)(s->choices.count - 1)))
        return ct_error_set(error, "settings[%u].choices: found a range from %g to %g", i,
                            (double)s->least, (double)s->most);
    return true;
}

bool ct_render_setting_holds(const ct_render_setting *s, const float value[4]) {
    const bool is_counted = s->type == CT_RENDER_SETTING_TYPE_BOOL ||
                            s->type == CT_RENDER_SETTING_TYPE_WHOLE ||
                            s->type == CT_RENDER_SETTING_TYPE_CHOICE;
    for (uint32_t k = 0; k < 4; ++k) {
        const float x = value[k];
        const bool is_used = k < types[s->type].num_floats;
        if (is_used ? !(x >= s->least && x <= s->most) || (is_counted && x != floorf(x)) : x != 0)
            return false;
    }
    return true;
}

static bool check_setting(const ct_render_setting *s, uint32_t i, ct_error *error) {
    if (s->type == CT_RENDER_SETTING_TYPE_NONE || s->type >= CT_RENDER_SETTING_TYPE_COUNT)
        return ct_error_set(error, "settings[%u]: unknown type %u", i, s->type);
    if (s->is_environment > 1)
        return ct_error_set(error, "settings[%u]: found is_environment %u, expected 0 or 1", i,
                            s->is_environment);
    if (!check_choices(s, i, error))
        return false;
    return ct_render_setting_holds(s, s->default_value) ||
           ct_error_set(error, "settings[%u]: its default is out of range", i);
}

bool ct_render_settings_validate(const ct_blob_header *blob, ct_blob_array settings,
                                 ct_error *error) {
    if (settings.count > CT_RENDER_MAX_SETTINGS)
        return ct_error_set(error, "settings: found %u, expected at most %d", settings.count,
                            CT_RENDER_MAX_SETTINGS);
    const ct_render_setting *const items = ct_blob_at(blob, settings.offset);
    for (uint32_t i = 0; i < settings.count; ++i) {
        if (!isfinite(items[i].least) || !isfinite(items[i].most))
            return ct_error_set(error, "settings[%u]: its range is not finite", i);
        if (!check_setting(&items[i], i, error))
            return false;
    }
    return true;
}
