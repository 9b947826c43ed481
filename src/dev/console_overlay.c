#include "dev/console_overlay.h"

#include <string.h>

#include "dev/overlay/overlay.h"
#include "foundation/error.h"

static bool set_mode(ct_overlay *overlay, const char *name, ct_error *error) {
    for (uint32_t mode = 0; mode < CT_NUM_OVERLAY_MODES; ++mode)
        if (strcmp(ct_overlay_mode_name((ct_overlay_mode)mode), name) == 0)
            return ct_overlay_set_mode(overlay, (ct_overlay_mode)mode, error);
    return ct_error_set(error, "found \"%.64s\"; expected on, off or line", name);
}

bool ct_console_run_overlay(ct_console_target *target, uint32_t num_arguments,
                            const char *const *arguments, ct_string_builder *result,
                            ct_error *error) {
    static const char *const answers[] = {
        [CT_OVERLAY_MODE_OFF] = "the overlay is off",
        [CT_OVERLAY_MODE_ON] = "the overlay is on",
        [CT_OVERLAY_MODE_LINE] = "the overlay is on; its line has the keyboard",
    };
    if (!target->overlay)
        return ct_error_set(error, "this game has no overlay");
    if (num_arguments == 1 && !set_mode(target->overlay, arguments[0], error))
        return false;
    ct_string_builder_add(result, answers[ct_overlay_get_mode(target->overlay)]);
    return true;
}
