#include "render/render_settings.h"

#include <string.h>

#include "foundation/error.h"

void ct_render_settings_init(ct_render_settings *s, ct_allocator *a, bool is_cpu_device) {
    *s = (ct_render_settings){.is_cpu_device = is_cpu_device};
    ct_array_init(&s->set, a);
}

void ct_render_settings_free(ct_render_settings *s) {
    ct_array_free(&s->set);
}

static const char *name_of(const ct_render_config_resource *config, const ct_render_setting *s) {
    return ct_blob_at(config, s->name.offset);
}

// The name of choice number `i`.
static ct_string_id32 choice_of(const ct_render_config_resource *config, const ct_render_setting *s,
                                uint32_t i) {
    return ct_string_id32_of(ct_render_setting_choice(config, s, i));
}

static void use_set_value(const ct_render_config_resource *config, const ct_render_setting *s,
                          const ct_render_set_value *set, float value[4]) {
    bool is_in_range = true;
    if (s->type == CT_RENDER_SETTING_TYPE_CHOICE) {
        for (uint32_t i = 0; i < s->choices.count; ++i)
            if (choice_of(config, s, i).value == set->choice.value)
                value[0] = (float)i;
        return;
    }
    for (uint32_t i = 0; i < ct_render_setting_floats(s->type); ++i)
        is_in_range &= set->value[i] >= s->least && set->value[i] <= s->most;
    if (is_in_range)
        memcpy(value, set->value, sizeof(set->value));
}

// The position + 1 of the preset to use; 0 when there is none.
static uint32_t find_preset(const ct_render_settings *s, const ct_render_config_resource *config) {
    const ct_render_preset *const presets = ct_blob_at(config, config->presets.offset);
    for (uint32_t i = 0; i < config->presets.count && s->chosen.value; ++i)
        if (ct_string_id32_of(ct_blob_at(config, presets[i].name.offset)).value == s->chosen.value)
            return i + 1;
    return s->is_cpu_device && config->cpu_preset ? config->cpu_preset : config->preset;
}

static void use_preset(ct_render_settings *s, const ct_render_config_resource *config) {
    const ct_render_preset *const presets = ct_blob_at(config, config->presets.offset);
    s->preset = find_preset(s, config);
    if (!s->preset)
        return;
    const ct_blob_array array = presets[s->preset - 1].values;
    const ct_render_preset_value *const values = ct_blob_at(config, array.offset);
    for (uint32_t i = 0; i < array.count; ++i)
        memcpy(s->values[values[i].setting], values[i].value, sizeof(s->values[0]));
}

void ct_render_settings_use(ct_render_settings *s, const ct_render_config_resource *config) {
    const ct_render_setting *const settings = ct_blob_at(config, config->settings.offset);
    s->config_checksum = config->header.checksum;
    s->count = config->settings.count;
    for (uint32_t i = 0; i < s->count; ++i)
        memcpy(s->values[i], settings[i].default_value, sizeof(s->values[i]));
    use_preset(s, config);
    for (uint32_t i = 0; i < s->count; ++i) {
        const ct_string_id32 name = ct_string_id32_of(name_of(config, &settings[i]));
        for (uint32_t k = 0; k < s->set.count; ++k)
            if (s->set.items[k].name.value == name.value &&
                s->set.items[k].type == settings[i].type)
                use_set_value(config, &settings[i], &s->set.items[k], s->values[i]);
    }
}

static bool report_unknown(const ct_render_config_resource *config, const char *name,
                           ct_error *error) {
    const ct_render_setting *const settings = ct_blob_at(config, config->settings.offset);
    const char *names[CT_RENDER_MAX_SETTINGS];
    for (uint32_t i = 0; i < config->settings.count; ++i)
        names[i] = name_of(config, &settings[i]);
    const char *const nearest = ct_nearest_name(name, names, config->settings.count);
    if (nearest)
        return ct_error_set(error,
                            "the render config has no setting \"%.64s\"; did you mean \"%s\"?",
                            name, nearest);
    return ct_error_set(error, "the render config has no setting \"%.64s\"", name);
}

bool ct_render_settings_check_environment(const ct_render_config_resource *config, const char *name,
                                          ct_error *error) {
    const ct_render_setting *const settings = ct_blob_at(config, config->settings.offset);
    const uint32_t i = ct_render_setting_find(config, settings, config->settings.count, name);
    if (i == config->settings.count)
        return report_unknown(config, name, error);
    return settings[i].is_environment ||
           ct_error_set(error,
                        "environments may not set \"%.64s\"; write environment = true where the "
                        "render config declares it",
                        name);
}

bool ct_render_settings_set(ct_render_settings *s, const ct_render_config_resource *config,
                            const char *name, const ct_render_given *given, ct_error *error) {
    const ct_render_setting *const settings = ct_blob_at(config, config->settings.offset);
    const uint32_t found = ct_render_setting_find(config, settings, config->settings.count, name);
    if (found == config->settings.count)
        return report_unknown(config, name, error);
    ct_render_set_value set = {.name = ct_string_id32_of(name), .type = settings[found].type};
    if (!ct_render_setting_take(config, &settings[found], given, set.value, error))
        return false;
    if (set.type == CT_RENDER_SETTING_TYPE_CHOICE)
        set.choice = choice_of(config, &settings[found], (uint32_t)set.value[0]);
    uint32_t i = 0;
    while (i < s->set.count && s->set.items[i].name.value != set.name.value)
        ++i;
    if (i < s->set.count)
        s->set.items[i] = set;
    else
        ct_array_push(&s->set, set);
    ct_render_settings_use(s, config);
    return true;
}

bool ct_render_settings_set_preset(ct_render_settings *s, const ct_render_config_resource *config,
                                   const char *name, ct_error *error) {
    const ct_render_preset *const presets = ct_blob_at(config, config->presets.offset);
    const char *names[CT_RENDER_MAX_PRESETS];
    bool is_there = !name;
    for (uint32_t i = 0; i < config->presets.count; ++i) {
        names[i] = ct_blob_at(config, presets[i].name.offset);
        is_there |= name && strcmp(names[i], name) == 0;
    }
    if (!is_there) {
        const char *const nearest = ct_nearest_name(name, names, config->presets.count);
        return ct_error_set(error, "the render config has no preset \"%.64s\"%s%s%s", name,
                            nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                            nearest ? "\"?" : "");
    }
    s->chosen = name ? ct_string_id32_of(name) : (ct_string_id32){0};
    ct_render_settings_use(s, config);
    return true;
}

void ct_render_settings_reset(ct_render_settings *s, const ct_render_config_resource *config) {
    s->set.count = 0;
    ct_render_settings_use(s, config);
}
