// content_move_names.h: what the operands of a move mean.
#pragma once
#include "content/move/content_files.h"

// What an operand names.
typedef enum ct_move_target_kind {
    CT_MOVE_TARGET_KIND_NONE,
    CT_MOVE_TARGET_KIND_RESOURCE,
    CT_MOVE_TARGET_KIND_MEDIA,
    CT_MOVE_TARGET_KIND_FOLDER,
} ct_move_target_kind;

// A resource without its type, a media file's path, or a folder's without `/` at the end.
typedef struct ct_move_target {
    ct_move_target_kind kind;
    const ct_resource_type *type; // of a resource
    char name[CT_PATH_BYTES];
} ct_move_target;

// True when a file belongs to a target: is one of its variants, it, or below it.
bool ct_move_target_has(const ct_move_target *target, const char *path);

// True when a file at `path` is called `name`, then a dot and what else: whatever extensions.
bool ct_move_is_called(const char *path, const char *name);

// False with `error` when a path or name is core's.
bool ct_move_check_not_core(const char *name, ct_error *error);

// Writes the target as people do: `textures/rose.texture`.
void ct_move_target_write(const ct_move_target *target, char text[CT_PATH_BYTES]);

// Finds what `text` names. False with `error`, which guesses what was meant, when nothing is called
// so. With `may_lack` the well-formed name of a resource or media file that is not there is fine.
bool ct_move_target_find(const ct_content_files *files, const char *text, bool may_lack,
                         ct_move_target *target, ct_error *error);

// Reads the new name of `from`, which may leave out type or extension. False with `error`, which
// says what to write instead, when it cannot be one.
bool ct_move_target_renamed(const ct_content_files *files, const ct_move_target *from,
                            const char *text, ct_move_target *to, ct_error *error);
