#include "cli/prompt/prompt_filter.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"

// One more than the highest: nothing passes.
#define LEVEL_NONE ((ct_log_level)(CT_LOG_LEVEL_ERROR + 1))

static const char separators[] = " ,\t";

// The level of this name; NONE for another.
static ct_log_level level_named(const char *name) {
    for (ct_log_level l = CT_LOG_LEVEL_DEBUG; l <= CT_LOG_LEVEL_ERROR; ++l) {
        if (strcmp(name, ct_log_level_name(l)) == 0)
            return l;
    }
    return CT_LOG_LEVEL_NONE;
}

bool ct_prompt_filter_set_level(ct_prompt_filter *f, const char *name, ct_error *error) {
    const ct_log_level level = strcmp(name, "none") == 0 ? LEVEL_NONE : level_named(name);
    if (level == CT_LOG_LEVEL_NONE)
        return ct_error_set(error,
                            "unknown level \"%.64s\"; expected debug, info, warning, error "
                            "or none",
                            name);
    f->least = level;
    return true;
}

bool ct_prompt_filter_set_systems(ct_prompt_filter *f, const char *names, ct_error *error) {
    ct_prompt_filter changed = *f;
    changed.num_systems = 0;
    names += strspn(names, separators);
    while (*names != '\0') {
        const size_t length = strcspn(names, separators);
        if (changed.num_systems == CT_PROMPT_FILTER_SYSTEMS)
            return ct_error_set(error, "more than %d systems", (int)CT_PROMPT_FILTER_SYSTEMS);
        if (length >= CT_PROMPT_FILTER_SYSTEM_BYTES)
            return ct_error_set(error, "the name \"%.64s\" is too long for a system", names);
        char *const system = changed.systems[changed.num_systems++];
        snprintf(system, CT_PROMPT_FILTER_SYSTEM_BYTES, "%.*s", (int)length, names);
        names += length;
        names += strspn(names, separators);
    }
    *f = changed;
    return true;
}

bool ct_prompt_filter_set_text(ct_prompt_filter *f, const char *text, ct_error *error) {
    if (strlen(text) >= CT_PROMPT_FILTER_TEXT_BYTES)
        return ct_error_set(error, "the text has more than %d bytes",
                            (int)CT_PROMPT_FILTER_TEXT_BYTES - 1);
    snprintf(f->text, sizeof(f->text), "%s", text);
    return true;
}

bool ct_prompt_filter_shows(const ct_prompt_filter *f, const char *level, const char *system,
                            const char *message) {
    const ct_log_level known = level_named(level);
    if ((known != CT_LOG_LEVEL_NONE ? known : CT_LOG_LEVEL_ERROR) < f->least)
        return false;
    bool is_of_system = f->num_systems == 0;
    for (uint32_t i = 0; i < f->num_systems && !is_of_system; ++i)
        is_of_system = strcmp(f->systems[i], system) == 0;
    return is_of_system && (f->text[0] == '\0' || strcasestr(message, f->text));
}
