// Reads presets: values of several settings under one name.
#include <string.h>

#include "compiler/types/render_config/worker_render_config.h"
#include "foundation/error.h"

static ct_worker_preset *find_preset(ct_worker_render_config *r, const char *name) {
    for (uint32_t i = 0; i < r->presets.count; ++i) {
        if (strcmp(r->presets.items[i].name, name) == 0)
            return &r->presets.items[i];
    }
    return NULL;
}

// Adds `name` = value, or replaces what an inherited preset says.
static void read_preset_value(ct_worker_render_config *r, ct_sjson_value v,
                              ct_worker_preset *preset) {
    const char *const name = ct_sjson_key(r->doc, v);
    const char *names[CT_RENDER_MAX_SETTINGS];
    uint32_t found = 0;
    for (uint32_t i = 0; i < r->settings.count; ++i)
        names[i] = r->settings.items[i].name;
    while (found < r->settings.count && strcmp(names[found], name) != 0)
        ++found;
    if (found == r->settings.count) {
        const char *const nearest = ct_nearest_name(name, names, r->settings.count);
        ct_worker_render_error(r, v, "presets: there is no setting \"%.64s\"%s%s%s", name,
                               nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                               nearest ? "\"?" : "");
        return;
    }
    ct_render_preset_value value = {.setting = found};
    ct_worker_setting setting = r->settings.items[found];
    ct_worker_render_setting_value(r, v, &setting);
    // The default of an heir counts more than the preset of what it inherits.
    if (setting.default_config > (uint32_t)(r->source - r->sources))
        return;
    memcpy(value.value, setting.setting.default_value, sizeof(value.value));
    for (uint32_t i = 0; i < preset->values.count; ++i) {
        if (preset->values.items[i].setting == found) {
            preset->values.items[i] = value;
            return;
        }
    }
    ct_array_push(&preset->values, value);
}

void ct_worker_render_preset(ct_worker_render_config *r, ct_sjson_value v) {
    const char *const name = ct_sjson_key(r->doc, v);
    ct_worker_preset *preset = find_preset(r, name);
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_OBJECT) {
        ct_worker_render_error(r, v, "presets: found %s, expected { setting = value … }",
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        return;
    }
    if (!preset && r->presets.count == CT_RENDER_MAX_PRESETS) {
        ct_worker_render_error(r, v, "presets: expected at most %d", CT_RENDER_MAX_PRESETS);
        return;
    }
    if (!preset) {
        const ct_worker_preset added = {.name = name};
        ct_array_push(&r->presets, added);
        preset = &r->presets.items[r->presets.count - 1];
        ct_array_init(&preset->values, r->c->allocator);
    }
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e))
        read_preset_value(r, e, preset);
}

uint32_t ct_worker_render_preset_at(ct_worker_render_config *r, ct_sjson_value v,
                                    const char *what) {
    const char *names[CT_RENDER_MAX_PRESETS];
    for (uint32_t i = 0; i < r->presets.count; ++i)
        names[i] = r->presets.items[i].name;
    const uint32_t i = ct_worker_render_choice(r, v, what, names, r->presets.count);
    return i < r->presets.count ? i + 1 : 0;
}
