#include "app/settings.h"

#include <string.h>

#include "foundation/error.h"

bool ct_time_step_policy_named(const char *name, ct_time_step_policy *policy) {
    static const char *const names[] = {"variable", "fixed", "smoothed"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        if (strcmp(names[i], name) == 0) {
            *policy = (ct_time_step_policy)i;
            return true;
        }
    }
    return false;
}

static bool in_range(const ct_config_resource *config, const char *path, double least, double most,
                     double otherwise, double *number, ct_error *error) {
    *number = ct_config_number(config, path, otherwise);
    return (*number >= least && *number <= most) ||
           ct_error_set_at(error, "settings.config", 0, 0, "%s is %g; expected %g to %g", path,
                           *number, least, most);
}

bool ct_settings_read(const ct_config_resource *config, ct_settings *s, ct_error *error) {
    *s = (ct_settings){
        .boot_script = ct_config_string(config, "boot_script", NULL),
        .boot_package = ct_config_string(config, "boot_package", NULL),
        .render_config = ct_config_string(config, "render_config", "core/rendering/renderer"),
        .title = ct_config_string(config, "window.title", "Cuttle"),
        .is_resizable = ct_config_bool(config, "window.resizable", true),
        .is_lua_unsafe = ct_config_bool(config, "lua.unsafe", false),
    };
    if (s->boot_script == NULL || s->boot_package == NULL)
        return ct_error_set_at(error, "settings.config", 0, 0,
                               "%s is missing; expected the name of a %s",
                               s->boot_script == NULL ? "boot_script" : "boot_package",
                               s->boot_script == NULL ? "script" : "package");
    const char *policy = ct_config_string(config, "time_step.policy", "smoothed");
    if (!ct_time_step_policy_named(policy, &s->time_step_policy))
        return ct_error_set_at(
            error, "settings.config", 0, 0,
            "time_step.policy is \"%s\"; expected \"variable\", \"fixed\" or \"smoothed\"", policy);
    double width = 0, height = 0;
    const bool is_right =
        in_range(config, "window.width", 16, 16384, 1280, &width, error) &&
        in_range(config, "window.height", 16, 16384, 720, &height, error) &&
        in_range(config, "max_frame_rate", 0, 1000, 0, &s->max_frame_rate, error) &&
        in_range(config, "time_step.seconds", 1e-6, 1, 1.0 / 60, &s->time_step_seconds, error);
    s->width = (uint32_t)width;
    s->height = (uint32_t)height;
    return is_right;
}
