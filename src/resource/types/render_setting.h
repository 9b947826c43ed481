// render_setting.h: the settings of a render config: named values that control targets, steps and
// passes, and that a project, or the game while it runs, can change.
//
// A value of any type is four floats: a bool is 0 or 1, a choice is the position of the chosen
// name, a colour is linear; unused floats are 0.
#pragma once
#include "resource/types/resource_types.h"

enum { CT_RENDER_MAX_SETTINGS = 128, CT_RENDER_MAX_CHOICES = 16 };

typedef enum ct_render_setting_type {
    CT_RENDER_SETTING_TYPE_NONE,
    CT_RENDER_SETTING_TYPE_BOOL,
    CT_RENDER_SETTING_TYPE_NUMBER,
    CT_RENDER_SETTING_TYPE_WHOLE, // a whole number
    CT_RENDER_SETTING_TYPE_CHOICE,
    CT_RENDER_SETTING_TYPE_VECTOR2,
    CT_RENDER_SETTING_TYPE_VECTOR3,
    CT_RENDER_SETTING_TYPE_VECTOR4,
    CT_RENDER_SETTING_TYPE_COLOR,
    CT_RENDER_SETTING_TYPE_COUNT,
} ct_render_setting_type;

typedef struct ct_render_setting {
    ct_blob_string name;
    uint32_t type;           // ct_render_setting_type
    uint32_t is_environment; // 1: environments may set it, for a view
    float least, most;       // of each number; of a choice 0 and the number of choices - 1
    float default_value[4];  // in range
    ct_blob_array choices;   // ct_blob_string; CHOICE
} ct_render_setting;

// Numbers in the config, or a setting that provides them.
typedef struct ct_render_value {
    uint32_t setting; // position + 1; 0: `numbers`
    float numbers[4];
} ct_render_value;

typedef enum ct_render_given_kind {
    CT_RENDER_GIVEN_KIND_OTHER, // a type that no setting has
    CT_RENDER_GIVEN_KIND_BOOL,
    CT_RENDER_GIVEN_KIND_NUMBER,
    CT_RENDER_GIVEN_KIND_VECTOR, // 2 to 4 numbers
    CT_RENDER_GIVEN_KIND_TEXT,
} ct_render_given_kind;

// A value that a source or the game gives.
typedef struct ct_render_given {
    ct_render_given_kind kind;
    uint32_t count; // VECTOR
    double numbers[4];
    const char *text; // TEXT; borrowed
    bool is_srgb;     // the first three numbers, if the setting is a colour
} ct_render_given;

// Returns "bool", "number", …, the type's name in sources; "" for NONE.
const char *ct_render_setting_type_name(uint32_t type);

// Returns the type of this name; NONE when it is unknown.
ct_render_setting_type ct_render_setting_type_named(const char *name);

// Returns how many numbers a value of the type has: 1 to 4.
uint32_t ct_render_setting_floats(uint32_t type);

// Returns the name of choice number `i` of a setting of `blob`. Borrowed from the blob.
const char *ct_render_setting_choice(const void *blob, const ct_render_setting *s, uint32_t i);

// Returns the position of the setting of this name among `count`, whose names are in `blob`;
// `count` when it is unknown.
uint32_t ct_render_setting_find(const void *blob, const ct_render_setting *settings, uint32_t count,
                                const char *name);

// Sets `value` from the value given for `s` of `blob`. Returns false with `error`, which says what
// was expected and found, when it has the wrong type or is out of range; `value` is then unchanged.
bool ct_render_setting_take(const void *blob, const ct_render_setting *s,
                            const ct_render_given *given, float value[4], ct_error *error);

// Returns true when the 4 floats are a value of the setting: in its range, whole where it is
// counted, unused floats 0.
bool ct_render_setting_holds(const ct_render_setting *s, const float value[4]);

extern const ct_blob_layout ct_render_setting_layout;

// Validates settings from a blob whose layout was checked: types, ranges and defaults.
bool ct_render_settings_validate(const ct_blob_header *blob, ct_blob_array settings,
                                 ct_error *error);
