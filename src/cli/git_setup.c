#include "cli/git_setup.h"

#include <string.h>

#include "cli/shell_word.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "project/project_git.h"
#include "resource/types/resource_types.h"

// --- What is installed ---------------------------------------------------------------------------

void ct_git_setup_add_attributes(ct_string_builder *out) {
    uint32_t count;
    const ct_resource_type *const types = ct_resource_types(&count);
    ct_string_builder_add(out, "# Cuttle's sources are merged and compared by what they say: each "
                               "clone needs\n# `cuttle merge --install-git` once.\n");
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(types[i].name, "lua") != 0)
            ct_string_builder_addf(out, "*.%s merge=cuttle diff=cuttle\n", types[i].name);
    }
    ct_string_builder_add(out, "*.import merge=cuttle diff=cuttle\n");
}

void ct_git_setup_add_merge_driver(const char *program, ct_string_builder *out) {
    ct_string_builder word;
    ct_string_builder_init(&word, out->allocator);
    ct_shell_word_add(&word, program);
    for (const char *c = ct_string_builder_text(&word); *c != '\0'; ++c) {
        ct_string_builder_add_char(out, *c);
        if (*c == '%') // git puts something in its place otherwise
            ct_string_builder_add_char(out, '%');
    }
    ct_string_builder_add(out, " merge %O %B %A -o %A --path %P");
    ct_string_builder_free(&word);
}

void ct_git_setup_add_diff_command(const char *program, ct_string_builder *out) {
    ct_shell_word_add(out, program);
    ct_string_builder_add(out, " diff --git --");
}

// The hook: the text before the program's name and after it. HOOK_MARK, in the first part,
// identifies it as ours.
#define HOOK_MARK "# Written by `cuttle merge --install-git`.\n"
#define HOOK_LOOP "while IFS= read -r settings; do\n    "
#define HOOK_CALL " deps \"$(dirname \"./$settings\")\" --missing\n"

void ct_git_setup_add_hook(const char *program, ct_string_builder *out) {
    ct_string_builder_add(out, "#!/bin/sh\n"
                               "# After a merge: lists references that it broke (renamed on one "
                               "side, used on the other).\n" HOOK_MARK
                               "git ls-files -z -- ':(glob)**/settings.config' | tr '\\0\\n' "
                               "'\\n\\0' |\n" HOOK_LOOP);
    ct_shell_word_add(out, program);
    ct_string_builder_add(out, HOOK_CALL "done\n");
}

bool ct_git_setup_update_hook(const char *hook, const char *program, ct_string_builder *out) {
    const char *const mark = strstr(hook, HOOK_MARK);
    const char *const loop = mark ? strstr(mark, HOOK_LOOP) : NULL;
    const char *const call = loop ? strstr(loop, HOOK_CALL) : NULL;
    if (!call)
        return false;
    const char *const word = loop + strlen(HOOK_LOOP);
    ct_string_builder_add_bytes(out, hook, (uint32_t)(word - hook));
    ct_shell_word_add(out, program);
    ct_string_builder_add(out, call);
    return true;
}

// --- Installing it -------------------------------------------------------------------------------

// Whether git's config has this value for `name`, and no other.
static bool has_config(ct_allocator *a, const char *folder, const char *where, const char *name,
                       const char *value) {
    const char *const arguments[] = {"config", where, "--null", "--get-all", name, NULL};
    ct_string_builder nothing, output;
    ct_string_builder_init(&nothing, a);
    ct_string_builder_init(&output, a);
    const bool has_value = ct_git_run(folder, arguments, &nothing, &output, NULL) &&
                           output.length == strlen(value) + 1 &&
                           strcmp(ct_string_builder_text(&output), value) == 0;
    ct_string_builder_free(&output);
    return has_value;
}

static bool set_config(ct_allocator *a, const char *folder, bool is_global, const char *name,
                       const char *value, bool *is_changed, ct_error *error) {
    const char *const where = is_global ? "--global" : "--local";
    const char *const arguments[] = {"config", where, "--replace-all", name, value, NULL};
    if (has_config(a, folder, where, name, value))
        return true;
    *is_changed = true;
    ct_string_builder nothing, output;
    ct_string_builder_init(&nothing, a);
    ct_string_builder_init(&output, a);
    const bool ok = ct_git_run(folder, arguments, &nothing, &output, error);
    ct_string_builder_free(&output);
    return ok;
}

static bool set_drivers(ct_allocator *a, const char *folder, bool is_global, const char *program,
                        bool *is_changed, ct_error *error) {
    ct_string_builder merge, diff;
    ct_string_builder_init(&merge, a);
    ct_string_builder_init(&diff, a);
    ct_git_setup_add_merge_driver(program, &merge);
    ct_git_setup_add_diff_command(program, &diff);
    const bool ok =
        set_config(a, folder, is_global, "merge.cuttle.name", "Cuttle's sources, as objects",
                   is_changed, error) &&
        set_config(a, folder, is_global, "merge.cuttle.driver", merge.text, is_changed, error) &&
        set_config(a, folder, is_global, "diff.cuttle.command", diff.text, is_changed, error);
    ct_string_builder_free(&merge);
    ct_string_builder_free(&diff);
    return ok;
}

// Appends the answer of git, a path, without the line end.
static bool ask_path(ct_allocator *a, const char *folder, const char *const *arguments,
                     ct_string_builder *out, ct_error *error) {
    ct_string_builder nothing;
    ct_string_builder_init(&nothing, a);
    if (!ct_git_run(folder, arguments, &nothing, out, error))
        return false;
    while (out->length > 0 && out->text[out->length - 1] == '\n')
        out->text[--out->length] = '\0';
    return true;
}

static bool write_hook(ct_allocator *a, const char *path, const char *program, ct_error *error) {
    char folder[CT_PATH_BYTES];
    ct_path_folder(folder, path);
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_git_setup_add_hook(program, &text);
    const bool ok = ct_folder_create(folder, error) &&
                    ct_file_write(path, text.text, text.length, false, error) &&
                    ct_os_file_make_executable(path, error);
    ct_string_builder_free(&text);
    return ok;
}

// Sees to a hook that is there.
static bool update_hook(ct_allocator *a, const char *path, const char *program, ct_git_hook *hook,
                        ct_error *error) {
    uint64_t bytes;
    char *const there = ct_file_read(a, path, &bytes, error);
    if (!there)
        return false;
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    bool ok = true;
    if (!ct_git_setup_update_hook(there, program, &text)) {
        *hook = strstr(there, "--missing") ? CT_GIT_HOOK_THERE : CT_GIT_HOOK_FOREIGN;
    } else if (strcmp(text.text, there) == 0) {
        *hook = CT_GIT_HOOK_THERE;
    } else {
        *hook = CT_GIT_HOOK_UPDATED;
        ok = ct_file_replace(path, text.text, text.length, false, error);
    }
    ct_string_builder_free(&text);
    ct_free(a, there);
    return ok;
}

static bool install_hook(ct_allocator *a, const char *folder, const char *program,
                         ct_git_hook *hook, ct_string_builder *hook_path, ct_error *error) {
    static const char *const arguments[] = {"rev-parse", "--git-path", "hooks/post-merge", NULL};
    ct_string_builder answer;
    ct_string_builder_init(&answer, a);
    char path[CT_PATH_BYTES];
    const bool is_known = ask_path(a, folder, arguments, &answer, error);
    const bool fits = is_known && ct_path_try_join(path, folder, ct_string_builder_text(&answer));
    ct_string_builder_free(&answer);
    if (!fits)
        return !is_known ? false : ct_error_set(error, "the path of git's hooks is too long");
    ct_string_builder_add(hook_path, path);
    *hook = CT_GIT_HOOK_WRITTEN;
    if (ct_os_file_info(path).kind == CT_FILE_KIND_NONE)
        return write_hook(a, path, program, error);
    return update_hook(a, path, program, hook, error);
}

bool ct_git_setup_install(ct_allocator *a, const char *folder, bool is_global, ct_git_hook *hook,
                          ct_string_builder *hook_path, bool *is_changed, ct_error *error) {
    static const char *const is_in_tree[] = {"rev-parse", "--git-dir", NULL};
    char program[CT_PATH_BYTES];
    ct_os_executable_path(program);
    *hook = CT_GIT_HOOK_NONE;
    ct_string_builder answer;
    ct_string_builder_init(&answer, a);
    const bool has_tree = is_global || ask_path(a, folder, is_in_tree, &answer, error);
    ct_string_builder_free(&answer);
    if (!has_tree)
        return ct_error_set(error, "found no git repository here (or no git): run this in one, or "
                                   "with --global");
    *is_changed = false;
    if (!set_drivers(a, folder, is_global, program, is_changed, error) ||
        (!is_global && !install_hook(a, folder, program, hook, hook_path, error)))
        return false;
    *is_changed |= *hook == CT_GIT_HOOK_WRITTEN || *hook == CT_GIT_HOOK_UPDATED;
    return true;
}
