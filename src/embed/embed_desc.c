#include <stddef.h>
#include <string.h>

#include "compiler/driver/compiler.h"
#include "embed/embed_private.h"

// The size of the struct in the first version that had one.
enum { FIRST_DESC_BYTES = offsetof(cuttle_engine_desc, plugin_folder) };

enum { MAX_ARGUMENTS = 1024, LONGEST_STEP_SECONDS = 10 };

static bool has_newer_members(const cuttle_engine_desc *given) {
    const char *const bytes = (const char *)given;
    for (size_t i = sizeof(*given); i < given->desc_bytes; ++i) {
        if (bytes[i] != 0)
            return true;
    }
    return false;
}

bool ct_embed_check_size(uint32_t width, uint32_t height, ct_error *error) {
    return (width >= 1 && width <= CT_EMBED_MAX_SIDE && height >= 1 &&
            height <= CT_EMBED_MAX_SIDE) ||
           ct_error_set(error, "the size %u x %u is invalid; expected 1 to %d pixels each", width,
                        height, (int)CT_EMBED_MAX_SIDE);
}

static bool check_members(const cuttle_engine_desc *d, ct_error *error) {
    if (!d->data_folder && !d->project_folder)
        return ct_error_set(error,
                            "the desc names no data; set data_folder, or project_folder of a "
                            "project that is compiled");
    if ((d->width != 0 || d->height != 0) && !ct_embed_check_size(d->width, d->height, error))
        return false;
    if (!(d->fixed_step_seconds >= 0.0 && d->fixed_step_seconds <= LONGEST_STEP_SECONDS))
        return ct_error_set(error, "fixed_step_seconds is %g; expected 0 to %d",
                            d->fixed_step_seconds, (int)LONGEST_STEP_SECONDS);
    if ((uint32_t)d->log_level > CUTTLE_LOG_LEVEL_ERROR)
        return ct_error_set(error, "log_level is %d; expected a cuttle_log_level",
                            (int)d->log_level);
    if (d->num_arguments > MAX_ARGUMENTS || (d->num_arguments != 0 && !d->arguments))
        return ct_error_set(error, "num_arguments is %u; expected at most %d, of an array",
                            d->num_arguments, (int)MAX_ARGUMENTS);
    for (uint32_t i = 0; i < d->num_arguments; ++i) {
        if (!d->arguments[i])
            return ct_error_set(error, "argument %u is NULL; expected a string", i);
    }
    return true;
}

bool ct_embed_read_desc(const cuttle_engine_desc *given, cuttle_engine_desc *desc,
                        ct_error *error) {
    if (!given)
        return ct_error_set(error, "the desc is NULL");
    if (given->desc_bytes < FIRST_DESC_BYTES)
        return ct_error_set(error, "desc_bytes is %zu; set it to sizeof(cuttle_engine_desc)",
                            given->desc_bytes);
    if (given->desc_bytes > sizeof(*desc) && has_newer_members(given))
        return ct_error_set(error, "the desc has members that this library, " CT_VERSION_STRING
                                   ", does not know; install a newer one");
    memset(desc, 0, sizeof(*desc));
    memcpy(desc, given, given->desc_bytes < sizeof(*desc) ? given->desc_bytes : sizeof(*desc));
    return check_members(desc, error);
}

static bool find_folders(ct_embed_settings *s, const cuttle_engine_desc *desc, ct_error *error) {
    if (desc->project_folder) {
        if (ct_os_file_info(desc->project_folder).kind != CT_FILE_KIND_FOLDER)
            return ct_error_set(error, "the project \"%.255s\" does not exist, or is not a folder",
                                desc->project_folder);
        if (!ct_os_absolute_path(desc->project_folder, s->project_folder, error))
            return false;
    }
    if (desc->plugin_folder) {
        if (ct_os_file_info(desc->plugin_folder).kind != CT_FILE_KIND_FOLDER)
            return ct_error_set(error,
                                "the plugin_folder \"%.255s\" does not exist, or is not a folder",
                                desc->plugin_folder);
        if (!ct_os_absolute_path(desc->plugin_folder, s->plugin_folder, error))
            return false;
    }
    if (!desc->data_folder)
        return ct_compiler_default_folder(s->project_folder, NULL, NULL, s->data_folder, error);
    if (strlen(desc->data_folder) >= CT_PATH_BYTES)
        return ct_error_set(error, "data_folder is longer than %d bytes", (int)CT_PATH_BYTES - 1);
    ct_path_join(s->data_folder, "", desc->data_folder);
    return true;
}

static bool check_data_folder(const ct_embed_settings *s, const cuttle_engine_desc *desc,
                              ct_error *error) {
    if (ct_os_file_info(s->data_folder).kind == CT_FILE_KIND_FOLDER)
        return true;
    if (desc->data_folder)
        return ct_error_set(error, "the data folder \"%.255s\" does not exist", s->data_folder);
    return ct_error_set(error,
                        "the project \"%.255s\" has no compiled data; run `cuttle compile` for it",
                        desc->project_folder);
}

bool ct_embed_settings_init(ct_embed_settings *s, ct_allocator *a, const cuttle_engine_desc *desc,
                            ct_error *error) {
    *s = (ct_embed_settings){.num_arguments = desc->num_arguments};
    ct_string_builder_init(&s->strings, a);
    s->arguments = CT_NEW_ARRAY(a, const char *, desc->num_arguments);
    if (desc->boot_script)
        ct_string_builder_add_bytes(&s->strings, desc->boot_script,
                                    (uint32_t)strlen(desc->boot_script) + 1);
    for (uint32_t i = 0; i < desc->num_arguments; ++i)
        ct_string_builder_add_bytes(&s->strings, desc->arguments[i],
                                    (uint32_t)strlen(desc->arguments[i]) + 1);
    const char *next = ct_string_builder_text(&s->strings); // it grows no more
    s->boot_script = desc->boot_script ? next : NULL;
    next += desc->boot_script ? strlen(next) + 1 : 0;
    for (uint32_t i = 0; i < desc->num_arguments; ++i) {
        s->arguments[i] = next;
        next += strlen(next) + 1;
    }
    return find_folders(s, desc, error) && check_data_folder(s, desc, error);
}

void ct_embed_settings_free(ct_embed_settings *s) {
    ct_free_sized(s->strings.allocator, s->arguments,
                  sizeof(*s->arguments) * (uint64_t)s->num_arguments);
    ct_string_builder_free(&s->strings);
}
