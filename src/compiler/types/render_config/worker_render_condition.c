// Reads conditions on settings: when a step runs, and whether the camera is jittered.
#include <string.h>

#include "compiler/types/render_config/worker_render_config.h"
#include "foundation/error.h"

static const uint32_t condition_types =
    1u << CT_RENDER_SETTING_TYPE_BOOL | 1u << CT_RENDER_SETTING_TYPE_CHOICE;

// "setting", or "!setting": a bool that must be on, or off.
static bool read_name(ct_worker_render_config *r, ct_sjson_value v, const char *what,
                      ct_render_condition *condition) {
    const char *const text = ct_sjson_string(r->doc, v, NULL);
    const bool is_off = text && text[0] == '!';
    const char *const name = is_off ? text + 1 : text;
    const char *names[CT_RENDER_MAX_SETTINGS];
    condition->values = is_off ? 1u : 2u;
    for (uint32_t i = 0; i < r->settings.count; ++i) {
        const ct_worker_setting *const s = &r->settings.items[i];
        names[i] = s->name;
        if (!name || strcmp(s->name, name) != 0)
            continue;
        condition->setting = i;
        return s->setting.type == CT_RENDER_SETTING_TYPE_BOOL ||
               ct_worker_render_error(
                   r, v, "%s: %s is a %s; expected a bool, or { setting = \"%s\"  is = … }", what,
                   s->name, ct_render_setting_type_name(s->setting.type), s->name);
    }
    const char *const nearest = name ? ct_nearest_name(name, names, r->settings.count) : NULL;
    return ct_worker_render_error(
        r, v, "%s: found %s%s%s, expected the name of a setting%s%s%s", what, name ? "\"" : "",
        name ? name : ct_sjson_type_name(ct_sjson_type_of(r->doc, v)), name ? "\"" : "",
        nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

// A value of the setting, as a bit.
static uint32_t read_value(ct_worker_render_config *r, ct_sjson_value v,
                           const ct_worker_setting *s) {
    if (s->setting.type == CT_RENDER_SETTING_TYPE_BOOL) {
        if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_BOOL)
            ct_worker_render_error(r, v, "%s is a bool: found %s, expected true or false", s->name,
                                   ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        return 1u << ct_sjson_bool(r->doc, v, false);
    }
    return 1u << ct_worker_render_choice(r, v, s->name, s->choices, s->num_choices);
}

static uint32_t read_values(ct_worker_render_config *r, ct_sjson_value v,
                            const ct_worker_setting *s) {
    uint32_t values = 0;
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY)
        return read_value(r, v, s);
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e))
        values |= read_value(r, e, s);
    return values;
}

// { setting = "…"  is = … }, or is_not.
static bool read_object(ct_worker_render_config *r, ct_sjson_value v, const char *what,
                        ct_render_condition *condition) {
    static const char *const members[] = {"setting", "is", "is_not"};
    ct_worker_render_members(r, v, what, members, CT_COUNT_OF(members));
    const ct_sjson_value setting = ct_sjson_find(r->doc, v, "setting");
    const ct_sjson_value is = ct_sjson_find(r->doc, v, "is");
    const ct_sjson_value is_not = ct_sjson_find(r->doc, v, "is_not");
    if (!setting.entry || !is.entry == !is_not.entry)
        return ct_worker_render_error(
            r, v, "%s: expected { setting = \"…\"  is = … } or { setting = \"…\"  is_not = … }",
            what);
    condition->setting = ct_worker_render_setting_at(r, setting, condition_types);
    if (condition->setting == r->settings.count)
        return false;
    const ct_worker_setting *const s = &r->settings.items[condition->setting];
    const uint32_t values = read_values(r, is.entry ? is : is_not, s);
    condition->values = is.entry ? values : ~values;
    return true;
}

static void read_condition(ct_worker_render_config *r, ct_sjson_value v, const char *what,
                           ct_render_conditions *conditions) {
    ct_render_condition condition = {0};
    const bool is_object = ct_sjson_type_of(r->doc, v) == CT_SJSON_TYPE_OBJECT;
    if (!(is_object ? read_object(r, v, what, &condition) : read_name(r, v, what, &condition)))
        return;
    if (conditions->count == CT_RENDER_MAX_CONDITIONS)
        ct_worker_render_error(r, v, "%s: expected at most %d conditions", what,
                               CT_RENDER_MAX_CONDITIONS);
    else
        conditions->items[conditions->count++] = condition;
}

ct_render_conditions ct_worker_render_conditions(ct_worker_render_config *r, ct_sjson_value v,
                                                 const char *what) {
    ct_render_conditions conditions = {0};
    if (v.entry && ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY)
        read_condition(r, v, what, &conditions);
    else
        for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e))
            read_condition(r, e, what, &conditions);
    return conditions;
}

bool ct_worker_render_exclude(const ct_render_conditions *a, const ct_render_conditions *b) {
    for (uint32_t i = 0; i < a->count; ++i) {
        for (uint32_t k = 0; k < b->count; ++k) {
            if (a->items[i].setting == b->items[k].setting &&
                !(a->items[i].values & b->items[k].values))
                return true;
        }
    }
    return false;
}
