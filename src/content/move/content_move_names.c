#include "content/move/content_move_names.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "project/project_journal.h"
#include "resource/resource_id.h"
#include "resource/schema/schema.h"

#define CORE "core"

// --- Targets -------------------------------------------------------------------------------------

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

bool ct_move_target_has(const ct_move_target *target, const char *path) {
    const size_t length = strlen(target->name);
    if (!starts_with(path, target->name))
        return false;
    switch (target->kind) {
    case CT_MOVE_TARGET_KIND_RESOURCE:
        // Names have no dots: what follows are properties and the type.
        return path[length] == '.' && ct_content_type_of(path) == target->type &&
               !strchr(path + length, '/');
    case CT_MOVE_TARGET_KIND_MEDIA:
        return path[length] == 0;
    case CT_MOVE_TARGET_KIND_FOLDER:
        return path[length] == '/';
    default:
        return false;
    }
}

void ct_move_target_write(const ct_move_target *target, char text[CT_PATH_BYTES]) {
    const bool is_resource = target->kind == CT_MOVE_TARGET_KIND_RESOURCE;
    snprintf(text, CT_PATH_BYTES, "%.*s%s%s", CT_PATH_BYTES - 64, target->name,
             is_resource ? "." : "", is_resource ? target->type->name : "");
}

// Whether any file belongs to the target; those of core count.
static bool is_there(const ct_content_files *files, const ct_move_target *target) {
    for (uint32_t i = 0; i < ct_content_files_count(files); ++i)
        if (ct_move_target_has(target, ct_content_files_path(files, i)))
            return true;
    return false;
}

// `name.type` without its type.
static bool split_type(const char *text, ct_move_target *target) {
    target->type = ct_content_type_of(text);
    if (!target->type)
        return false;
    target->kind = CT_MOVE_TARGET_KIND_RESOURCE;
    snprintf(target->name, sizeof(target->name), "%.*s",
             (int)(strlen(text) - strlen(target->type->name) - 1), text);
    return true;
}

// --- Guesses -------------------------------------------------------------------------------------

// The name of a source's resource with its type.
static const char *guess_of(ct_allocator *a, const char *path) {
    ct_move_target target;
    char text[CT_PATH_BYTES];
    if (!split_type(path, &target))
        return path;
    char *const file_name = (char *)(uintptr_t)ct_path_file_name(target.name);
    file_name[strcspn(file_name, ".")] = 0;
    ct_move_target_write(&target, text);
    return ct_copy_string(a, text);
}

bool ct_move_is_called(const char *path, const char *name) {
    const size_t length = strlen(name);
    return strncmp(path, name, length) == 0 && path[length] == '.' && !strchr(path + length, '/');
}

static bool unknown(const ct_content_files *files, const char *text, ct_error *error) {
    CT_ARRAY(const char *) names;
    ct_array_init(&names, files->allocator);
    const char *nearest = NULL;
    for (uint32_t i = 0; i < files->items.count; ++i) {
        const char *const guess = guess_of(files->allocator, files->items.items[i].path);
        ct_array_push(&names, guess);
        if (!nearest && ct_content_type_of(guess) && ct_move_is_called(guess, text))
            nearest = guess; // only its type was left out
    }
    if (!nearest)
        nearest = ct_nearest_name(text, names.items, names.count);
    return ct_error_set(error, "unknown resource, media file or folder \"%.300s\"%s%s%s", text,
                        nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                        nearest ? "\"?" : "");
}

// --- Names that are there ------------------------------------------------------------------------

// A resource is named without its properties.
static bool check_no_variant(const ct_move_target *target, ct_error *error) {
    const char *const file_name = ct_path_file_name(target->name);
    const int length = (int)(strlen(target->name) - strlen(file_name) + strcspn(file_name, "."));
    return file_name[strcspn(file_name, ".")] == 0 ||
           ct_error_set(error,
                        "\"%.300s.%s\" is one variant of a resource; all of them go together: "
                        "write \"%.*s.%s\"",
                        target->name, target->type->name, length, target->name, target->type->name);
}

static void write_folder(const char *text, ct_move_target *target) {
    *target = (ct_move_target){.kind = CT_MOVE_TARGET_KIND_FOLDER};
    snprintf(target->name, sizeof(target->name), "%s", text);
    for (size_t length = strlen(target->name); length > 1 && target->name[length - 1] == '/';)
        target->name[--length] = 0;
}

bool ct_move_target_find(const ct_content_files *files, const char *text, bool may_lack,
                         ct_move_target *target, ct_error *error) {
    if (strlen(text) >= CT_PATH_BYTES - 64)
        return ct_error_set(error, "a name is longer than %d bytes", CT_PATH_BYTES - 64);
    *target = (ct_move_target){0};
    const bool is_resource = split_type(text, target);
    if (is_resource && is_there(files, target))
        return check_no_variant(target, error);
    ct_move_target other = {.kind = CT_MOVE_TARGET_KIND_MEDIA};
    snprintf(other.name, sizeof(other.name), "%s", text);
    if (!is_resource && is_there(files, &other)) {
        *target = other;
        return true;
    }
    const bool has_extension = strchr(ct_path_file_name(text), '.') != NULL;
    if (may_lack && has_extension && ct_journal_path_is_good(text)) {
        *target = is_resource ? *target : other;
        return !is_resource || check_no_variant(target, error);
    }
    write_folder(text, target);
    return is_there(files, target) || unknown(files, text, error);
}

// --- New names -----------------------------------------------------------------------------------

static bool is_core(const char *name) {
    return strcmp(name, CORE) == 0 || starts_with(name, CORE "/");
}

bool ct_move_check_not_core(const char *name, ct_error *error) {
    return !is_core(name) ||
           ct_error_set(error, "\"%.300s\" belongs to core, which projects share and do not change",
                        name);
}

static bool check_name(const ct_content_files *files, const char *what, const char *name,
                       ct_error *error) {
    char advice[CT_RESOURCE_ADVICE_BYTES];
    if (ct_resource_name_is_canonical(name))
        return true;
    if (strlen(name) >= CT_RESOURCE_NAME_BYTES)
        return ct_error_set(error, "the name of a %s has at most %d bytes", what,
                            CT_RESOURCE_NAME_BYTES - 1);
    ct_resource_name_advise(name, files->roots.project, advice);
    return ct_error_set(error, "\"%.300s\" is not a valid name of a %s: %s", name, what, advice);
}

// Cuts the type off; another one is refused.
static bool take_type(const ct_move_target *from, const char *text, ct_move_target *to,
                      ct_error *error) {
    ct_move_target typed = {0};
    snprintf(to->name, sizeof(to->name), "%s", text);
    if (!split_type(text, &typed))
        return true;
    if (typed.type != from->type)
        return ct_error_set(error, "\"%.300s\" would be a %s; a %s keeps its type", text,
                            typed.type->name, from->type->name);
    snprintf(to->name, sizeof(to->name), "%s", typed.name);
    return true;
}

static bool take_media_name(const ct_move_target *from, const char *text, ct_move_target *to,
                            ct_error *error) {
    const char *const extension = ct_path_extension(from->name);
    const char *const given = ct_path_extension(text);
    const bool has_none = !strchr(ct_path_file_name(text), '.');
    snprintf(to->name, sizeof(to->name), "%s%s%s", text, has_none ? "." : "",
             has_none ? extension : "");
    if (!has_none && strcmp(extension, given) != 0)
        return ct_error_set(error,
                            "\"%.300s\" is called .%.40s; a file keeps its extension, .%.40s, "
                            "which says what it is",
                            text, given, extension);
    if (ct_path_is_canonical(to->name) && ct_journal_path_is_good(to->name))
        return true;
    char suggestion[CT_RESOURCE_NAME_BYTES] = "", stem[CT_PATH_BYTES];
    snprintf(stem, sizeof(stem), "%.*s", (int)(strlen(to->name) - strlen(extension) - 1), to->name);
    const bool is_inside =
        ct_resource_name_suggest(ct_resource_name_inside(stem, NULL), suggestion);
    return is_inside && suggestion[0]
               ? ct_error_set(error,
                              "\"%.300s\" is not a valid path of a media file: write \"%s.%.40s\"",
                              text, suggestion, extension)
               : ct_error_set(
                     error,
                     "\"%.300s\" is not a valid path of a media file: " CT_RESOURCE_LEADS_OUT,
                     text);
}

// People who write a folder mean one to move into.
static bool check_no_folder(const ct_move_target *from, const char *text, ct_error *error) {
    const size_t length = strlen(text);
    return length == 0 || text[length - 1] != '/' ||
           ct_error_set(error,
                        "\"%.300s\" is a folder; expected the new name: write \"%.300s%.300s\"",
                        text, text, ct_path_file_name(from->name));
}

bool ct_move_target_renamed(const ct_content_files *files, const ct_move_target *from,
                            const char *text, ct_move_target *to, ct_error *error) {
    if (strlen(text) >= CT_PATH_BYTES - 64)
        return ct_error_set(error, "a name is longer than %d bytes", CT_PATH_BYTES - 64);
    *to = (ct_move_target){.kind = from->kind, .type = from->type};
    if (!ct_move_check_not_core(from->name, error))
        return false;
    if (from->kind != CT_MOVE_TARGET_KIND_FOLDER && !check_no_folder(from, text, error))
        return false;
    switch (from->kind) {
    case CT_MOVE_TARGET_KIND_RESOURCE:
        if (!take_type(from, text, to, error) ||
            !check_name(files, from->type->name, to->name, error))
            return false;
        break;
    case CT_MOVE_TARGET_KIND_MEDIA:
        if (!take_media_name(from, text, to, error))
            return false;
        break;
    default:
        write_folder(text, to);
        if (!check_name(files, "folder", to->name, error))
            return false;
    }
    if (!ct_move_check_not_core(to->name, error))
        return false;
    if (strcmp(from->name, to->name) == 0)
        return ct_error_set(error, "\"%.300s\" is its name already", text);
    const bool is_folder = from->kind == CT_MOVE_TARGET_KIND_FOLDER;
    return !is_folder || !ct_move_target_has(from, to->name) ||
           ct_error_set(error, "the folder \"%.300s\" cannot go into itself", from->name);
}
