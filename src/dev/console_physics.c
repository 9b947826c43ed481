#include "dev/console_physics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"

static const float longest_radius = 10000; // metres

static const struct {
    const char *name;
    uint32_t flag;
} parts[] = {{"shapes", CT_PHYSICS_DRAW_SHAPES},
             {"contacts", CT_PHYSICS_DRAW_CONTACTS},
             {"movers", CT_PHYSICS_DRAW_MOVERS}};

static uint32_t flag_named(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(parts); ++i) {
        if (strcmp(name, parts[i].name) == 0)
            return parts[i].flag;
    }
    return 0;
}

// Takes the number of metres at the end of the arguments, if there is one.
static bool take_radius(uint32_t *count, const char *const *arguments, float *radius,
                        ct_error *error) {
    const char *const last = arguments[*count - 1];
    char *end = NULL;
    const float value = strtof(last, &end);
    *radius = CT_WORLD_PHYSICS_DRAW_RADIUS;
    if (end == last || *end != '\0')
        return true;
    if (!(value > 0 && value <= longest_radius) || *count == 1)
        return ct_error_set(error,
                            "found \"%.64s\"; expected off, shapes, contacts or movers, then the "
                            "metres from the cameras, more than 0 and up to %g",
                            last, (double)longest_radius);
    *radius = value;
    --*count;
    return true;
}

static void describe(uint32_t flags, float radius, ct_string_builder *result) {
    ct_string_builder_add(result, "drawing");
    const char *before = " ";
    for (uint32_t i = 0; i < CT_COUNT_OF(parts); ++i) {
        if (flags & parts[i].flag) {
            ct_string_builder_addf(result, "%s%s", before, parts[i].name);
            before = ", ";
        }
    }
    ct_string_builder_addf(result, " of physics up to %g m from the cameras", (double)radius);
}

bool ct_console_run_physics(ct_console_target *target, uint32_t num_arguments,
                            const char *const *arguments, ct_string_builder *result,
                            ct_error *error) {
    if (strcmp(arguments[0], "draw") != 0)
        return ct_error_set(error, "found \"%.64s\"; expected draw", arguments[0]);
    uint32_t count = num_arguments - 1, flags = 0;
    const char *const *const names = arguments + 1;
    float radius;
    if (count == 1 && strcmp(names[0], "off") == 0) {
        ct_world_system_set_physics_draw(ct_app_worlds(target->app), 0,
                                         CT_WORLD_PHYSICS_DRAW_RADIUS);
        ct_string_builder_add(result, "physics is not drawn");
        return true;
    }
    if (!take_radius(&count, names, &radius, error))
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t flag = flag_named(names[i]);
        if (flag == 0)
            return ct_error_set(
                error, "found \"%.64s\"; expected shapes, contacts or movers, or off alone",
                names[i]);
        flags |= flag;
    }
    ct_world_system_set_physics_draw(ct_app_worlds(target->app), flags, radius);
    describe(flags, radius, result);
    return true;
}
