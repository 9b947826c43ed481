// project_git.h: reads and changes the index of the git work tree that a project may be in.
//
// Does not change files of the work tree. `git` is found in PATH. Any thread; calls wait for git.
#pragma once
#include "foundation/container/array.h"
#include "foundation/string/string_builder.h"

// One entry of the index. Strings are from the allocator given.
typedef struct ct_git_entry {
    const char *path;   // project path
    const char *object; // in hexadecimal
    uint32_t mode;      // in octal as git writes it: 0100644
    bool is_unmerged;   // one of several with this path, after a merge with conflicts
} ct_git_entry;

typedef CT_ARRAY(ct_git_entry) ct_git_entries;

// A change of an entry's path.
typedef struct ct_git_move {
    const char *from, *to; // project paths
    const char *object;
    uint32_t mode;
} ct_git_move;

// Returns whether a folder (absolute path) is in a git work tree. Starts no program.
bool ct_git_has_work_tree(const char *project);

// Returns whether a git command has locked the index of the work tree, as `git checkout` does while
// it writes files. A killed git may also have left its lock behind. Starts no program.
bool ct_git_is_index_locked(const char *project);

// Runs `git -C <project> <arguments>` (up to 11, then NULL), sends it `input` and appends its
// output to `output`; its messages are discarded. False with `error` when git cannot be run or
// fails.
bool ct_git_run(const char *project, const char *const *arguments, const ct_string_builder *input,
                ct_string_builder *output, ct_error *error);

// Appends the path of the project's folder in its work tree, empty or with `/` at its end. False
// with `error`.
bool ct_git_read_prefix(const char *project, ct_string_builder *prefix, ct_error *error);

// Waits a little while another program has locked git's index. False with `error`, which has the
// path of the lock, when the index is still locked then.
bool ct_git_check_unlocked(ct_allocator *a, const char *project, ct_error *error);

// Appends the index's entries below the project, sorted by path. False with `error` when git cannot
// be run or cannot read its index.
bool ct_git_read_index(ct_allocator *a, const char *project, ct_git_entries *entries,
                       ct_error *error);

// Gives entries their new paths, all at once. Like `git mv`, it moves the content in the index;
// changes that are not in the index stay out of it. May be repeated. Waits a little while another
// git has locked the index. Returns false with `error`, and changes nothing, when it fails.
bool ct_git_move_entries(ct_allocator *a, const char *project, const ct_git_move *moves,
                         uint32_t count, ct_error *error);
