// git_setup.h: makes git merge and compare sources with cuttle.
//
// git runs a merge driver and a diff command by name (`cuttle`); .gitattributes assigns it to the
// file types that are SJSON. git's config has the programs for these names. It holds paths of this
// machine and is not part of a repository: everybody installs it once.
#pragma once
#include "foundation/string/string_builder.h"

// Appends the lines of .gitattributes, one for each type of source that is SJSON.
void ct_git_setup_add_attributes(ct_string_builder *out);

// Appends the value of merge.cuttle.driver in git's config that runs `program`, quoted for a shell.
void ct_git_setup_add_merge_driver(const char *program, ct_string_builder *out);

// Appends the value of diff.cuttle.command in git's config that runs `program`, quoted for a shell.
void ct_git_setup_add_diff_command(const char *program, ct_string_builder *out);

// Appends the post-merge hook, a shell script that lists the references that are missing after a
// merge, in each project of the repository.
void ct_git_setup_add_hook(const char *program, ct_string_builder *out);

// Appends `hook`, which ct_git_setup_add_hook wrote for any program, changed to run this program;
// people's additions stay. Returns false and appends nothing when `hook` is a different one.
bool ct_git_setup_update_hook(const char *hook, const char *program, ct_string_builder *out);

// What was done with the hook.
typedef enum ct_git_hook {
    CT_GIT_HOOK_NONE, // nothing: a global installation has no hooks
    CT_GIT_HOOK_WRITTEN,
    CT_GIT_HOOK_UPDATED, // it ran another program, and runs this one now
    CT_GIT_HOOK_THERE,   // nothing: it finds missing references already
    CT_GIT_HOOK_FOREIGN, // nothing: there is a different hook
} ct_git_hook;

// Registers drivers that run this program, for the user (`is_global`) or in the repository that
// `folder` is in. In a repository, also writes the post-merge hook, unless a different one exists,
// and in both cases appends the hook's path to `hook_path`. May be called again: `*is_changed` is
// whether it changed anything. Returns false with `error` when git cannot be run, or `folder` is in
// no repository.
bool ct_git_setup_install(ct_allocator *a, const char *folder, bool is_global, ct_git_hook *hook,
                          ct_string_builder *hook_path, bool *is_changed, ct_error *error);
