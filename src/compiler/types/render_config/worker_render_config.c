#include "compiler/types/render_config/worker_render_config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"

bool ct_worker_render_error(ct_worker_render_config *r, ct_sjson_value v, const char *format, ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return ct_compile_error(r->c, r->doc, v, "%s", text);
}

static const char *listed(ct_worker_render_config *r, const char *const *names, uint32_t count) {
    const char *text = "";
    for (uint32_t i = 0; i < count; ++i)
        text = ct_compile_text(r->c, "%s%s%s", text, i ? ", " : "", names[i]);
    return text;
}

void ct_worker_render_members(ct_worker_render_config *r, ct_sjson_value object, const char *what,
                              const char *const *names, uint32_t count) {
    for (ct_sjson_value m = ct_sjson_first(r->doc, object); m.entry; m = ct_sjson_next(r->doc, m)) {
        const char *const key = ct_sjson_key(r->doc, m);
        bool is_known = false;
        for (uint32_t i = 0; i < count; ++i)
            is_known |= strcmp(key, names[i]) == 0;
        const char *const nearest = is_known ? NULL : ct_nearest_name(key, names, count);
        if (nearest)
            ct_worker_render_error(r, m, "%s: unknown member \"%.64s\"; did you mean \"%s\"?", what,
                                   key, nearest);
        else if (!is_known)
            ct_worker_render_error(r, m, "%s: unknown member \"%.64s\"; expected one of: %s", what,
                                   key, listed(r, names, count));
    }
}

uint32_t ct_worker_render_choice(ct_worker_render_config *r, ct_sjson_value v, const char *what,
                                 const char *const *names, uint32_t count) {
    const char *const text = ct_sjson_string(r->doc, v, NULL);
    for (uint32_t i = 0; text && i < count; ++i) {
        if (strcmp(text, names[i]) == 0)
            return i;
    }
    const char *const nearest = text ? ct_nearest_name(text, names, count) : NULL;
    if (!text)
        ct_worker_render_error(r, v, "%s: found %s, expected one of: %s", what,
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, v)),
                               listed(r, names, count));
    else if (nearest)
        ct_worker_render_error(r, v, "%s: found \"%.64s\"; did you mean \"%s\"?", what, text,
                               nearest);
    else
        ct_worker_render_error(r, v, "%s: found \"%.64s\", expected one of: %s", what, text,
                               listed(r, names, count));
    return count;
}

const char *ct_worker_render_name(ct_worker_render_config *r, ct_sjson_value v, const char *what) {
    const ct_sjson_value name = ct_sjson_find(r->doc, v, "name");
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_OBJECT)
        ct_worker_render_error(r, v, "%s: found %s, expected an object", what,
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
    else if (ct_sjson_string_bytes(r->doc, name) == 0)
        ct_worker_render_error(r, name.entry ? name : v, "%s: expected a name", what);
    else
        return ct_sjson_string(r->doc, name, NULL);
    return NULL;
}

const ct_render_target *ct_worker_render_find_target(const ct_worker_render_config *r,
                                                     ct_string_id32 name) {
    for (uint32_t i = 0; i < r->targets.count; ++i) {
        if (r->targets.items[i].target.name.value == name.value)
            return &r->targets.items[i].target;
    }
    return NULL;
}

static void report_unknown_target(ct_worker_render_config *r, ct_sjson_value v, const char *name) {
    const char *names[CT_RENDER_MAX_TARGETS + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->targets.count; ++i)
        names[count++] = r->targets.items[i].name;
    names[count++] = "back_buffer";
    const char *const nearest = ct_nearest_name(name, names, count);
    if (nearest)
        ct_worker_render_error(r, v, "unknown global resource \"%.64s\"; did you mean \"%s\"?",
                               name, nearest);
    else
        ct_worker_render_error(r, v, "unknown global resource \"%.64s\"; expected one of: %s", name,
                               listed(r, names, count));
}

ct_string_id32 ct_worker_render_target_at(ct_worker_render_config *r, ct_sjson_value v,
                                          ct_worker_target_use use) {
    const ct_string_id32 none = {0};
    const char *const name = ct_sjson_string(r->doc, v, NULL);
    if (!name) {
        ct_worker_render_error(r, v, "found %s, expected the name of a global resource",
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        return none;
    }
    const ct_string_id32 id = ct_string_id32_of(name);
    const bool is_back_buffer = strcmp(name, "back_buffer") == 0;
    const ct_render_target *const target = ct_worker_render_find_target(r, id);
    const bool is_depth = target && target->format == CT_RENDER_FORMAT_D32F;
    if (!target && !is_back_buffer)
        report_unknown_target(r, v, name);
    else if (use == CT_WORKER_TARGET_USE_COLOR && is_depth)
        ct_worker_render_error(r, v, "%s is a depth target (D32F); expected one for colour", name);
    else if (use == CT_WORKER_TARGET_USE_DEPTH && !is_depth)
        ct_worker_render_error(r, v, "%s is not a depth target; expected format D32F", name);
    else if (use == CT_WORKER_TARGET_USE_OUTPUT &&
             (is_back_buffer || !ct_render_format_is_writable(target->format)))
        ct_worker_render_error(r, v,
                               "compute shaders cannot write to %s; expected a target of format "
                               "RGBA8, RGBA16F, R16F, R32F or RG16F",
                               name);
    else if (use == CT_WORKER_TARGET_USE_INPUT && is_back_buffer)
        ct_worker_render_error(r, v, "back_buffer cannot be read; expected a global resource");
    else
        return id;
    return none;
}

bool ct_worker_render_bool(ct_worker_render_config *r, ct_sjson_value v, const char *what) {
    if (v.entry && ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_BOOL)
        return ct_worker_render_error(r, v, "%s: found %s, expected true or false", what,
                                      ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
    return v.entry && ct_sjson_bool(r->doc, v, false);
}

// Reads a name, or { name mip } when there are mips, into `target` and `mip`. Returns
// false after reporting.
static bool read_color(ct_worker_render_config *r, ct_sjson_value v, ct_string_id32 *target,
                       uint32_t *mip) {
    static const char *const members[] = {"name", "mip"};
    const bool is_object = mip && ct_sjson_type_of(r->doc, v) == CT_SJSON_TYPE_OBJECT;
    const ct_sjson_value at = is_object ? ct_sjson_find(r->doc, v, "mip") : (ct_sjson_value){0};
    if (is_object)
        ct_worker_render_members(r, v, "targets", members, CT_COUNT_OF(members));
    *target = ct_worker_render_target_at(r, is_object ? ct_sjson_find(r->doc, v, "name") : v,
                                         CT_WORKER_TARGET_USE_COLOR);
    if (at.entry && target->value)
        *mip = ct_worker_render_mip(r, at, *target);
    return target->value != 0;
}

uint32_t ct_worker_render_colors(ct_worker_render_config *r, ct_sjson_value v,
                                 ct_string_id32 *targets, uint32_t *mips) {
    uint32_t count = 0;
    if (!v.entry)
        return 0;
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY) {
        ct_worker_render_error(r, v, "targets: found %s, expected an array of names",
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        return 0;
    }
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e)) {
        ct_string_id32 id;
        uint32_t mip = 0;
        if (!read_color(r, e, &id, mips ? &mip : NULL))
            continue;
        bool is_there = false;
        for (uint32_t i = 0; i < count; ++i)
            is_there |= targets[i].value == id.value;
        if (is_there) {
            ct_worker_render_error(r, e, "targets: %s is listed twice",
                                   ct_sjson_string(r->doc, e, ""));
        } else if (count == CT_RENDER_MAX_COLOR_TARGETS) {
            ct_worker_render_error(r, e, "targets: expected at most %d",
                                   CT_RENDER_MAX_COLOR_TARGETS);
        } else {
            if (mips)
                mips[count] = mip;
            targets[count++] = id;
        }
    }
    return count;
}

// The size of the target, or of the back buffer.
static ct_render_target size_of(const ct_worker_render_config *r, ct_string_id32 name) {
    const ct_render_target *const target = ct_worker_render_find_target(r, name);
    return target ? *target : (ct_render_target){.width_scale = 1, .height_scale = 1};
}

void ct_worker_render_sizes(ct_worker_render_config *r, ct_sjson_value v,
                            const ct_string_id32 *colors, uint32_t num_colors,
                            ct_string_id32 depth) {
    if (num_colors == 0)
        return;
    const ct_render_target first = size_of(r, colors[0]);
    for (uint32_t i = 1; i <= num_colors; ++i) {
        const ct_string_id32 name = i < num_colors ? colors[i] : depth;
        const ct_render_target other = size_of(r, name);
        if (name.value != 0 &&
            (other.width != first.width || other.height != first.height ||
             other.width_scale != first.width_scale || other.height_scale != first.height_scale ||
             other.size_setting != first.size_setting)) {
            ct_worker_render_error(r, v,
                                   "targets that are drawn to together must have the same size");
            return;
        }
    }
}

bool ct_worker_render_numbers(ct_worker_render_config *r, ct_sjson_value v, const char *what,
                              uint32_t least_count, uint32_t most_count, double least, double most,
                              double *out) {
    const uint32_t count = ct_sjson_count(r->doc, v);
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY || count < least_count ||
        count > most_count)
        return ct_worker_render_error(r, v, "%s: expected an array of %u%s numbers", what,
                                      least_count, most_count > least_count ? " or more" : "");
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e)) {
        const bool is_number = ct_sjson_type_of(r->doc, e) == CT_SJSON_TYPE_NUMBER;
        const double number = ct_sjson_number(r->doc, e, 0);
        if (!is_number || !(number >= least && number <= most))
            return ct_worker_render_error(
                r, e, "%s: found %s, expected a number from %g to %g", what,
                is_number ? ct_compile_text(r->c, "%g", number)
                          : ct_sjson_type_name(ct_sjson_type_of(r->doc, e)),
                least, most);
        *out++ = number;
    }
    return true;
}
