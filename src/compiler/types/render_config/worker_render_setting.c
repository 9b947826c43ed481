// Reads the settings of a render config, and what refers to them.
#include <float.h>
#include <math.h>
#include <string.h>

#include "compiler/types/render_config/worker_render_config.h"
#include "compiler/types/shader/worker_parameter.h"
#include "foundation/error.h"

enum { MAX_WHOLE = 1 << 24 }; // whole numbers that a float holds

static ct_sjson_value member(const ct_worker_render_config *r, ct_sjson_value v, const char *key) {
    return ct_sjson_find(r->doc, v, key);
}

// --- Declarations --------------------------------------------------------------------------------

// The type that a plain value has by itself; NONE when no setting can be so.
static ct_render_setting_type type_of_value(const ct_worker_render_config *r, ct_sjson_value v) {
    const uint32_t count = ct_sjson_count(r->doc, v);
    switch (ct_sjson_type_of(r->doc, v)) {
    case CT_SJSON_TYPE_BOOL:
        return CT_RENDER_SETTING_TYPE_BOOL;
    case CT_SJSON_TYPE_NUMBER:
        return CT_RENDER_SETTING_TYPE_NUMBER;
    case CT_SJSON_TYPE_ARRAY:
        return count >= 2 && count <= 4
                   ? (ct_render_setting_type)(CT_RENDER_SETTING_TYPE_VECTOR2 + count - 2)
                   : CT_RENDER_SETTING_TYPE_NONE;
    default:
        return CT_RENDER_SETTING_TYPE_NONE;
    }
}

static void read_choices(ct_worker_render_config *r, ct_sjson_value v, ct_worker_setting *s) {
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY || ct_sjson_count(r->doc, v) == 0 ||
        ct_sjson_count(r->doc, v) > CT_RENDER_MAX_CHOICES) {
        ct_worker_render_error(r, v, "choices: expected an array of 1 to %d names",
                               CT_RENDER_MAX_CHOICES);
        return;
    }
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e)) {
        const char *const name = ct_sjson_string(r->doc, e, NULL);
        for (uint32_t i = 0; name && i < s->num_choices; ++i) {
            if (strcmp(s->choices[i], name) == 0)
                ct_worker_render_error(r, e, "choices: \"%.64s\" is listed twice", name);
        }
        if (name)
            s->choices[s->num_choices++] = name;
        else
            ct_worker_render_error(r, e, "choices: found %s, expected a name",
                                   ct_sjson_type_name(ct_sjson_type_of(r->doc, e)));
    }
    s->setting.most = (float)(s->num_choices ? s->num_choices - 1 : 0);
}

static bool read_limit(ct_worker_render_config *r, ct_sjson_value v, float *limit) {
    const double number = ct_sjson_number(r->doc, v, NAN);
    if (!v.entry)
        return true;
    if (!(fabs(number) <= (double)FLT_MAX))
        return ct_worker_render_error(r, v, "%s: found %s, expected a number",
                                      ct_sjson_key(r->doc, v),
                                      ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
    *limit = (float)number;
    return true;
}

static bool check_number(ct_worker_render_config *r, ct_sjson_value v, const ct_worker_setting *s) {
    const double x = ct_sjson_number(r->doc, v, NAN);
    const bool is_whole = s->setting.type == CT_RENDER_SETTING_TYPE_WHOLE;
    const double least = (double)s->setting.least, most = (double)s->setting.most;
    if (x >= least && x <= most && (!is_whole || x == floor(x)))
        return true;
    return ct_worker_render_error(r, v, "%s: found %s, expected a %snumber from %g to %g", s->name,
                                  isnan(x) ? ct_sjson_type_name(ct_sjson_type_of(r->doc, v))
                                           : ct_compile_text(r->c, "%g", x),
                                  is_whole ? "whole " : "", least, most);
}

static void read_vector(ct_worker_render_config *r, ct_sjson_value v, ct_worker_setting *s) {
    const uint32_t most = ct_render_setting_floats(s->setting.type);
    const bool is_color = s->setting.type == CT_RENDER_SETTING_TYPE_COLOR;
    const uint32_t count = ct_sjson_count(r->doc, v);
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY ||
        (count != most && !(is_color && count == 3))) {
        ct_worker_render_error(r, v, "%s is a %s: expected an array of %s%u numbers", s->name,
                               ct_render_setting_type_name(s->setting.type),
                               is_color ? "3 or " : "", most);
        return;
    }
    float *value = s->setting.default_value;
    value[3] = is_color;
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e)) {
        if (check_number(r, e, s))
            *value = (float)ct_sjson_number(r->doc, e, 0);
        ++value;
    }
    for (uint32_t i = 0; is_color && i < 3; ++i)
        s->setting.default_value[i] = ct_srgb_to_linear(s->setting.default_value[i]);
}

void ct_worker_render_setting_value(ct_worker_render_config *r, ct_sjson_value v,
                                    ct_worker_setting *s) {
    memset(s->setting.default_value, 0, sizeof(s->setting.default_value));
    switch (s->setting.type) {
    case CT_RENDER_SETTING_TYPE_BOOL:
        if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_BOOL)
            ct_worker_render_error(r, v, "%s: found %s, expected true or false", s->name,
                                   ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        s->setting.default_value[0] = ct_sjson_bool(r->doc, v, false);
        break;
    case CT_RENDER_SETTING_TYPE_NUMBER:
    case CT_RENDER_SETTING_TYPE_WHOLE:
        if (check_number(r, v, s))
            s->setting.default_value[0] = (float)ct_sjson_number(r->doc, v, 0);
        break;
    case CT_RENDER_SETTING_TYPE_CHOICE:
        s->setting.default_value[0] =
            (float)ct_worker_render_choice(r, v, s->name, s->choices, s->num_choices);
        break;
    default:
        read_vector(r, v, s);
    }
}

static void set_range(ct_render_setting *s) {
    switch (s->type) {
    case CT_RENDER_SETTING_TYPE_BOOL:
    case CT_RENDER_SETTING_TYPE_CHOICE:
    case CT_RENDER_SETTING_TYPE_COLOR:
        s->least = 0;
        s->most = 1;
        break;
    case CT_RENDER_SETTING_TYPE_WHOLE:
        s->least = -MAX_WHOLE;
        s->most = MAX_WHOLE;
        break;
    default:
        s->least = -FLT_MAX;
        s->most = FLT_MAX;
    }
}

// { type default least most choices doc }. False after an error that makes the rest senseless.
static bool read_declaration(ct_worker_render_config *r, ct_sjson_value v, ct_worker_setting *s) {
    static const char *const members[] = {"type",    "default", "least",      "most",
                                          "choices", "doc",     "environment"};
    const ct_sjson_value type = member(r, v, "type"), value = member(r, v, "default");
    const ct_sjson_value choices = member(r, v, "choices"), least = member(r, v, "least");
    ct_worker_render_members(r, v, s->name, members, CT_COUNT_OF(members));
    if (!value.entry)
        return ct_worker_render_error(r, v, "%s: expected a default", s->name);
    if (type.entry)
        s->setting.type = ct_render_setting_type_named(ct_sjson_string(r->doc, type, ""));
    else if (choices.entry)
        s->setting.type = CT_RENDER_SETTING_TYPE_CHOICE;
    else
        s->setting.type = type_of_value(r, value);
    if (s->setting.type == CT_RENDER_SETTING_TYPE_NONE)
        return ct_worker_render_error(r, type.entry ? type : value,
                                      "%s: expected a type: bool, number, whole, choice, vector2, "
                                      "vector3, vector4 or color",
                                      s->name);
    set_range(&s->setting);
    const bool is_choice = s->setting.type == CT_RENDER_SETTING_TYPE_CHOICE;
    const ct_sjson_value most = member(r, v, "most");
    if (choices.entry && !is_choice)
        return ct_worker_render_error(r, choices, "%s: a %s has no choices", s->name,
                                      ct_render_setting_type_name(s->setting.type));
    if (is_choice && !choices.entry)
        return ct_worker_render_error(r, v, "%s: expected choices = [\"…\" …]", s->name);
    if (is_choice)
        read_choices(r, choices, s);
    if ((least.entry || most.entry) &&
        (is_choice || s->setting.type == CT_RENDER_SETTING_TYPE_BOOL ||
         s->setting.type == CT_RENDER_SETTING_TYPE_COLOR))
        return ct_worker_render_error(r, least.entry ? least : most, "%s: a %s has no range",
                                      s->name, ct_render_setting_type_name(s->setting.type));
    if (!read_limit(r, least, &s->setting.least) || !read_limit(r, most, &s->setting.most))
        return false;
    s->setting.is_environment =
        ct_worker_render_bool(r, member(r, v, "environment"), "environment");
    if (s->setting.least > s->setting.most)
        return ct_worker_render_error(r, least.entry ? least : most, "%s: least is above most",
                                      s->name);
    ct_worker_render_setting_value(r, value, s);
    return true;
}

static bool is_declaration(const ct_worker_render_config *r, ct_sjson_value v) {
    return ct_sjson_type_of(r->doc, v) == CT_SJSON_TYPE_OBJECT;
}

static ct_worker_setting *find_setting(ct_worker_render_config *r, const char *name) {
    for (uint32_t i = 0; i < r->settings.count; ++i) {
        if (strcmp(r->settings.items[i].name, name) == 0)
            return &r->settings.items[i];
    }
    return NULL;
}

void ct_worker_render_setting(ct_worker_render_config *r, ct_sjson_value v) {
    ct_worker_setting s = {.name = ct_sjson_key(r->doc, v),
                           .doc = r->doc,
                           .default_config = (uint32_t)(r->source - r->sources)};
    ct_worker_setting *const inherited = find_setting(r, s.name);
    if (!is_declaration(r, v) && inherited) {
        // A plain value: the same setting with another default.
        inherited->default_config = (uint32_t)(r->source - r->sources);
        ct_worker_render_setting_value(r, v, inherited);
        return;
    }
    if (!is_declaration(r, v)) {
        s.setting.type = type_of_value(r, v);
        if (s.setting.type == CT_RENDER_SETTING_TYPE_NONE) {
            ct_worker_render_error(r, v,
                                   "%s: found %s, expected true, false, a number, 2 to 4 numbers, "
                                   "or { choices = [\"…\" …]  default = \"…\" }",
                                   s.name, ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
            return;
        }
        set_range(&s.setting);
        ct_worker_render_setting_value(r, v, &s);
    } else if (!read_declaration(r, v, &s)) {
        return;
    }
    if (inherited)
        *inherited = s;
    else if (r->settings.count == CT_RENDER_MAX_SETTINGS)
        ct_worker_render_error(r, v, "settings: expected at most %d", CT_RENDER_MAX_SETTINGS);
    else
        ct_array_push(&r->settings, s);
}

// --- References ----------------------------------------------------------------------------------

static const char *type_list(ct_worker_render_config *r, uint32_t types) {
    const char *text = "";
    for (uint32_t i = 1; i < CT_RENDER_SETTING_TYPE_COUNT; ++i) {
        if (types & 1u << i)
            text = ct_compile_text(r->c, "%s%s%s", text, *text ? " or " : "",
                                   ct_render_setting_type_name(i));
    }
    return text;
}

uint32_t ct_worker_render_setting_at(ct_worker_render_config *r, ct_sjson_value v, uint32_t types) {
    const char *names[CT_RENDER_MAX_SETTINGS];
    for (uint32_t i = 0; i < r->settings.count; ++i)
        names[i] = r->settings.items[i].name;
    const uint32_t i = ct_worker_render_choice(r, v, "setting", names, r->settings.count);
    if (i == r->settings.count || (types & 1u << r->settings.items[i].setting.type))
        return i;
    ct_worker_render_error(r, v, "%s is a %s; expected a %s", names[i],
                           ct_render_setting_type_name(r->settings.items[i].setting.type),
                           type_list(r, types));
    return r->settings.count;
}

bool ct_worker_render_is_setting(ct_worker_render_config *r, ct_sjson_value v, uint32_t types,
                                 uint32_t *setting) {
    static const char *const members[] = {"setting"};
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_OBJECT)
        return false;
    ct_worker_render_members(r, v, "a value", members, CT_COUNT_OF(members));
    const ct_sjson_value name = member(r, v, "setting");
    *setting = r->settings.count;
    if (name.entry)
        *setting = ct_worker_render_setting_at(r, name, types);
    else
        ct_worker_render_error(r, v, "expected { setting = \"…\" }");
    return true;
}

void ct_worker_render_narrow(ct_worker_render_config *r, ct_sjson_value v, uint32_t setting,
                             double least, double most) {
    if (setting == r->settings.count)
        return;
    ct_worker_setting *const s = &r->settings.items[setting];
    const uint32_t num_floats = ct_render_setting_floats(s->setting.type);
    for (uint32_t i = 0; i < num_floats; ++i) {
        const double x = (double)s->setting.default_value[i];
        if (!(x >= least && x <= most)) {
            ct_worker_render_error(r, v, "%s is %g; expected %g to %g here", s->name, x, least,
                                   most);
            return;
        }
    }
    s->setting.least = fmaxf(s->setting.least, (float)least);
    s->setting.most = fminf(s->setting.most, (float)most);
}

ct_render_value ct_worker_render_number(ct_worker_render_config *r, ct_sjson_value v,
                                        const char *what, double least, double most) {
    static const uint32_t types =
        1u << CT_RENDER_SETTING_TYPE_NUMBER | 1u << CT_RENDER_SETTING_TYPE_WHOLE;
    ct_render_value value = {0};
    uint32_t setting;
    const double number = ct_sjson_number(r->doc, v, NAN);
    if (ct_worker_render_is_setting(r, v, types, &setting)) {
        ct_worker_render_narrow(r, v, setting, least, most);
        value.setting = setting + 1;
    } else if (!(number >= least && number <= most)) {
        ct_worker_render_error(r, v, "%s: found %s, expected a number from %g to %g", what,
                               isnan(number) ? ct_sjson_type_name(ct_sjson_type_of(r->doc, v))
                                             : ct_compile_text(r->c, "%g", number),
                               least, most);
    }
    value.numbers[0] = isnan(number) ? 0 : (float)number;
    return value;
}

ct_render_value ct_worker_render_color(ct_worker_render_config *r, ct_sjson_value v,
                                       const char *what) {
    ct_render_value value = {0};
    uint32_t setting;
    if (ct_worker_render_is_setting(r, v, 1u << CT_RENDER_SETTING_TYPE_COLOR, &setting))
        value.setting = setting + 1;
    else
        ct_worker_parameter_read(r->c, r->doc, v, what, CT_SHADER_PARAMETER_TYPE_COLOR,
                                 value.numbers);
    return value;
}

ct_render_value ct_worker_render_any(ct_worker_render_config *r, ct_sjson_value v,
                                     const char *what) {
    ct_render_value value = {0};
    uint32_t setting;
    double numbers[4] = {0};
    if (ct_worker_render_is_setting(r, v, UINT32_MAX, &setting))
        value.setting = setting + 1;
    else if (ct_sjson_type_of(r->doc, v) == CT_SJSON_TYPE_NUMBER)
        numbers[0] = ct_sjson_number(r->doc, v, 0);
    else
        ct_worker_render_numbers(r, v, what, 2, 4, (double)-FLT_MAX, (double)FLT_MAX, numbers);
    for (uint32_t i = 0; i < 4; ++i)
        value.numbers[i] = (float)numbers[i];
    return value;
}
