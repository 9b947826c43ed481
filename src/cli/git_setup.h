// git_setup.h: makes git merge and compare sources with cuttle.
//
// git asks a merge driver and a diff command by name (`cuttle`), which .gitattributes gives to the
// types of files that are SJSON. What the names stand for is in git's config, which holds paths of
// this machine and is no part of a repository: everybody installs it once.
#pragma once
#include "foundation/string/string_builder.h"

// Appends the lines of .gitattributes, one for each type of source that is SJSON.
void ct_git_setup_add_attributes(ct_string_builder *out);

// Appends what git's config has as merge.cuttle.driver and diff.cuttle.command for a program.
void ct_git_setup_add_merge_driver(const char *program, ct_string_builder *out);
void ct_git_setup_add_diff_command(const char *program, ct_string_builder *out);

// Appends the post-merge hook, a shell script that lists the references that are missing after a
// merge, in each project of the repository.
void ct_git_setup_add_hook(const char *program, ct_string_builder *out);

// Appends a hook that ct_git_setup_add_hook wrote, of whatever program, as one that runs this
// program; what people added to it stays. False, with nothing appended, for any other hook.
bool ct_git_setup_update_hook(const char *hook, const char *program, ct_string_builder *out);

// What became of the hook.
typedef enum ct_git_hook {
    CT_GIT_HOOK_NONE, // of a global installation: hooks are a repository's
    CT_GIT_HOOK_WRITTEN,
    CT_GIT_HOOK_UPDATED, // one of another program was there, and runs this one now
    CT_GIT_HOOK_THERE,   // one that finds missing references was there, and is as it was
    CT_GIT_HOOK_FOREIGN, // another one was there, and is left alone
} ct_git_hook;

// Registers drivers that run this program, for the user (`is_global`) or in the repository that
// `folder` is in, and writes the hook there unless another one is there; its path is appended to
// `hook_path`. Can be done again. False with `error` when git cannot be run, or `folder` is in no
// repository.
bool ct_git_setup_install(ct_allocator *a, const char *folder, bool is_global, ct_git_hook *hook,
                          ct_string_builder *hook_path, ct_error *error);
