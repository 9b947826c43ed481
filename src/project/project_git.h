// project_git.h: the index of the git work tree that a project may lie in.
//
// Nothing here changes files. `git` is found in PATH. Any thread; calls wait for git to end.
#pragma once
#include "foundation/container/array.h"
#include "foundation/string/string_builder.h"

// One entry of the index. Strings are from the allocator given.
typedef struct ct_git_entry {
    const char *path;   // project path
    const char *object; // in hexadecimal
    uint32_t mode;      // in octal as git writes it: 0100644
    bool is_unmerged;   // one of several of this path: a merge left it to a person
} ct_git_entry;

typedef CT_ARRAY(ct_git_entry) ct_git_entries;

// What becomes of an entry.
typedef struct ct_git_move {
    const char *from, *to; // project paths
    const char *object;
    uint32_t mode;
} ct_git_move;

// True when the folder, absolute, lies in a git work tree. Starts no program.
bool ct_git_has_work_tree(const char *project);

// True while a git command has the index of the work tree locked: `git checkout` does while it
// writes files. A lock may also be left from one that was killed. Starts no program.
bool ct_git_is_index_locked(const char *project);

// Runs `git -C <project> <arguments>` (up to 11, then NULL), sends it `input` and appends what it
// answers to `output`; its messages go nowhere. False with `error` when it cannot be run or fails.
bool ct_git_run(const char *project, const char *const *arguments, const ct_string_builder *input,
                ct_string_builder *output, ct_error *error);

// Appends the path of the project's folder in its work tree, empty or with `/` at its end. False
// with `error`.
bool ct_git_read_prefix(const char *project, ct_string_builder *prefix, ct_error *error);

// Waits a little while another program has git's index locked. False with `error`, which names the
// lock, when it still has then.
bool ct_git_check_unlocked(ct_allocator *a, const char *project, ct_error *error);

// Appends the index's entries below the project, sorted by path. False with `error` when git cannot
// be run or cannot read its index.
bool ct_git_read_index(ct_allocator *a, const char *project, ct_git_entries *entries,
                       ct_error *error);

// Gives entries their new paths, all at once: as `git mv` does, what is in the index moves and what
// is not stays so. Can be done again. Waits a little for another git that has the index. False with
// `error` when that did not work; then nothing has changed.
bool ct_git_move_entries(ct_allocator *a, const char *project, const ct_git_move *moves,
                         uint32_t count, ct_error *error);
