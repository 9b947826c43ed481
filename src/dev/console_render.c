#include "dev/console_render.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/types/render_config_resource.h"

// The setting whose choices are the debug views.
static const char view_setting[] = "view";

static const char *name_of(const ct_render_config_resource *config, const ct_render_setting *s) {
    return ct_blob_at(config, s->name.offset);
}

static const ct_render_setting *find_setting(const ct_render_config_resource *config,
                                             const char *name) {
    const ct_render_setting *const settings = ct_blob_at(config, config->settings.offset);
    const uint32_t i = ct_render_setting_find(config, settings, config->settings.count, name);
    return i < config->settings.count ? &settings[i] : NULL;
}

// A line of a list; `*` marks the current one.
static void add_choice(ct_string_builder *result, const char *name, bool is_current) {
    ct_string_builder_addf(result, "%s%s %s", result->length ? "\n" : "", is_current ? "*" : " ",
                           name);
}

static void add_value(ct_string_builder *result, const ct_renderer_setting *value) {
    if (value->type == CT_RENDER_SETTING_TYPE_CHOICE) {
        ct_string_builder_add(result, value->choice);
    } else if (value->type == CT_RENDER_SETTING_TYPE_BOOL) {
        ct_string_builder_add(result, value->value[0] != 0 ? "true" : "false");
    } else {
        for (uint32_t i = 0; i < ct_render_setting_floats(value->type); ++i)
            ct_string_builder_addf(result, "%s%g", i ? " " : "", (double)value->value[i]);
    }
}

// --- Views ---------------------------------------------------------------------------------------

static const ct_render_setting *find_views(const ct_render_config_resource *config,
                                           ct_error *error) {
    const ct_render_setting *const s = find_setting(config, view_setting);
    if (s && s->type == CT_RENDER_SETTING_TYPE_CHOICE)
        return s;
    ct_error_set(error,
                 "the render config has no debug views: it has no setting \"%s\" with "
                 "choices, as core/rendering/renderer has",
                 view_setting);
    return NULL;
}

static bool run_views(ct_renderer *r, const ct_render_config_resource *config, uint32_t count,
                      const char *const *arguments, ct_string_builder *result, ct_error *error) {
    (void)count, (void)arguments;
    const ct_render_setting *const s = find_views(config, error);
    if (!s)
        return false;
    const uint32_t current = (uint32_t)ct_renderer_get_setting(r, view_setting).value[0];
    for (uint32_t i = 0; i < s->choices.count; ++i)
        add_choice(result, ct_render_setting_choice(config, s, i), i == current);
    return true;
}

// True when the step runs only in the debug view number `view`, or in that and others.
static bool is_of_view(const ct_render_step *step, uint32_t setting, uint32_t view) {
    for (uint32_t i = 0; i < step->enabled.count; ++i) {
        const ct_render_condition *const c = &step->enabled.items[i];
        if (c->setting == setting && (c->values & 1u << view) && !(c->values & 1u))
            return true;
    }
    return false;
}

// The condition that switches the step off now, or NULL.
static const ct_render_condition *
find_unmet(ct_renderer *r, const ct_render_config_resource *config, const ct_render_step *step) {
    const ct_render_setting *const settings = ct_blob_at(config, config->settings.offset);
    for (uint32_t i = 0; i < step->enabled.count; ++i) {
        const ct_render_condition *const c = &step->enabled.items[i];
        const char *const name = name_of(config, &settings[c->setting]);
        if (!(c->values & 1u << (uint32_t)ct_renderer_get_setting(r, name).value[0]))
            return c;
    }
    return NULL;
}

// Says which setting keeps the current view from being shown, if one does.
static void explain_view(ct_renderer *r, const ct_render_config_resource *config,
                         const ct_render_setting *s, ct_string_builder *result) {
    const ct_render_setting *const settings = ct_blob_at(config, config->settings.offset);
    const ct_render_step *const steps = ct_blob_at(config, config->steps.offset);
    const uint32_t view = (uint32_t)ct_renderer_get_setting(r, view_setting).value[0];
    const ct_render_condition *unmet = NULL;
    for (uint32_t i = 0; i < config->steps.count; ++i) {
        if (!is_of_view(&steps[i], (uint32_t)(s - settings), view))
            continue;
        const ct_render_condition *const c = find_unmet(r, config, &steps[i]);
        if (!c)
            return;
        unmet = unmet ? unmet : c;
    }
    if (!unmet)
        return;
    const char *const name = name_of(config, &settings[unmet->setting]);
    const ct_renderer_setting value = ct_renderer_get_setting(r, name);
    ct_string_builder_addf(result, "; it is not shown while %s = ", name);
    add_value(result, &value);
}

static bool run_view(ct_renderer *r, const ct_render_config_resource *config, uint32_t count,
                     const char *const *arguments, ct_string_builder *result, ct_error *error) {
    (void)count;
    const ct_render_setting *const s = find_views(config, error);
    if (!s)
        return false;
    const char *names[CT_RENDER_MAX_CHOICES];
    bool is_known = false;
    for (uint32_t i = 0; i < s->choices.count; ++i) {
        names[i] = ct_render_setting_choice(config, s, i);
        is_known |= strcmp(names[i], arguments[0]) == 0;
    }
    const char *const nearest = ct_nearest_name(arguments[0], names, s->choices.count);
    if (!is_known && nearest)
        return ct_error_set(error, "unknown view \"%.64s\"; did you mean \"%s\"?", arguments[0],
                            nearest);
    const ct_render_given given = {.kind = CT_RENDER_GIVEN_KIND_TEXT, .text = arguments[0]};
    if (!ct_renderer_set_setting(r, view_setting, &given, error))
        return false;
    ct_string_builder_addf(result, "%s = %s", view_setting, arguments[0]);
    explain_view(r, config, s, result);
    return true;
}

// --- Settings ------------------------------------------------------------------------------------

static void add_setting(ct_renderer *r, const ct_render_config_resource *config,
                        const ct_render_setting *s, ct_string_builder *result) {
    const ct_renderer_setting value = ct_renderer_get_setting(r, name_of(config, s));
    ct_string_builder_addf(result, "%s%s = ", result->length ? "\n" : "", name_of(config, s));
    add_value(result, &value);
    if (s->type == CT_RENDER_SETTING_TYPE_BOOL)
        return;
    if (s->type != CT_RENDER_SETTING_TYPE_CHOICE) {
        ct_string_builder_addf(result, "  (%s, %g to %g)", ct_render_setting_type_name(s->type),
                               (double)s->least, (double)s->most);
        return;
    }
    for (uint32_t i = 0; i < s->choices.count; ++i)
        ct_string_builder_addf(result, "%s%s", i ? " " : "  (",
                               ct_render_setting_choice(config, s, i));
    ct_string_builder_add(result, ")");
}

static bool run_settings(ct_renderer *r, const ct_render_config_resource *config, uint32_t count,
                         const char *const *arguments, ct_string_builder *result, ct_error *error) {
    (void)count, (void)arguments, (void)error;
    const ct_render_setting *const settings = ct_blob_at(config, config->settings.offset);
    for (uint32_t i = 0; i < config->settings.count; ++i)
        add_setting(r, config, &settings[i], result);
    if (config->settings.count == 0)
        ct_string_builder_add(result, "the render config has no settings");
    return true;
}

// Reads true, false, 1 to 4 numbers, or a name.
static ct_render_given read_given(uint32_t count, const char *const *words) {
    ct_render_given given = {.kind = CT_RENDER_GIVEN_KIND_TEXT, .text = words[0]};
    const bool is_true = strcmp(words[0], "true") == 0;
    if (count == 1 && (is_true || strcmp(words[0], "false") == 0))
        return (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_BOOL, .numbers = {is_true}};
    for (uint32_t i = 0; i < count; ++i) {
        char *end = NULL;
        given.numbers[i] = strtod(words[i], &end);
        if (end == words[i] || *end != '\0')
            return count == 1 ? given : (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_OTHER};
    }
    given.kind = count == 1 ? CT_RENDER_GIVEN_KIND_NUMBER : CT_RENDER_GIVEN_KIND_VECTOR;
    given.count = count;
    return given;
}

static bool run_set(ct_renderer *r, const ct_render_config_resource *config, uint32_t count,
                    const char *const *arguments, ct_string_builder *result, ct_error *error) {
    const ct_render_given given = read_given(count - 1, arguments + 1);
    if (!ct_renderer_set_setting(r, arguments[0], &given, error))
        return false;
    add_setting(r, config, find_setting(config, arguments[0]), result);
    return true;
}

// --- Presets -------------------------------------------------------------------------------------

static bool run_presets(ct_renderer *r, const ct_render_config_resource *config, uint32_t count,
                        const char *const *arguments, ct_string_builder *result, ct_error *error) {
    (void)count, (void)arguments, (void)error;
    const ct_render_preset *const presets = ct_blob_at(config, config->presets.offset);
    for (uint32_t i = 0; i < config->presets.count; ++i) {
        const char *const name = ct_blob_at(config, presets[i].name.offset);
        add_choice(result, name, strcmp(name, ct_renderer_preset(r)) == 0);
    }
    if (config->presets.count == 0)
        ct_string_builder_add(result, "the render config has no presets");
    return true;
}

static bool run_preset(ct_renderer *r, const ct_render_config_resource *config, uint32_t count,
                       const char *const *arguments, ct_string_builder *result, ct_error *error) {
    (void)count, (void)config;
    if (!ct_renderer_set_preset(r, arguments[0], error))
        return false;
    ct_string_builder_addf(result, "preset %s", arguments[0]);
    return true;
}

// --- The command ---------------------------------------------------------------------------------

static const struct {
    const char *name, *usage;
    uint32_t least, most; // arguments
    bool (*run)(ct_renderer *r, const ct_render_config_resource *config, uint32_t count,
                const char *const *arguments, ct_string_builder *result, ct_error *error);
} verbs[] = {
    {"views", "", 0, 0, run_views},       {"view", " NAME", 1, 1, run_view},
    {"settings", "", 0, 0, run_settings}, {"set", " NAME VALUE...", 2, 5, run_set},
    {"presets", "", 0, 0, run_presets},   {"preset", " NAME", 1, 1, run_preset},
};

static bool report_unknown(const char *name, ct_error *error) {
    const char *names[CT_COUNT_OF(verbs)];
    for (uint32_t i = 0; i < CT_COUNT_OF(verbs); ++i)
        names[i] = verbs[i].name;
    const char *const nearest = ct_nearest_name(name, names, CT_COUNT_OF(verbs));
    if (nearest)
        return ct_error_set(error, "found \"%.64s\"; did you mean \"%s\"?", name, nearest);
    return ct_error_set(
        error, "found \"%.64s\"; expected views, view, settings, set, presets or preset", name);
}

bool ct_console_run_render(ct_console_target *target, uint32_t num_arguments,
                           const char *const *arguments, ct_string_builder *result,
                           ct_error *error) {
    ct_renderer *const r = ct_app_renderer(target->app);
    const ct_render_config_resource *const config = ct_renderer_config(r);
    const uint32_t count = num_arguments - 1;
    uint32_t i = 0;
    while (i < CT_COUNT_OF(verbs) && strcmp(verbs[i].name, arguments[0]) != 0)
        ++i;
    if (i == CT_COUNT_OF(verbs))
        return report_unknown(arguments[0], error);
    if (count < verbs[i].least || count > verbs[i].most)
        return ct_error_set(error, "wrong number of arguments (%u); expected: render %s%s", count,
                            verbs[i].name, verbs[i].usage);
    if (!config)
        return ct_error_set(error, "no render config is loaded");
    return verbs[i].run(r, config, count, arguments + 1, result, error);
}
