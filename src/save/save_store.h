// save_store.h: the files of saved games in one folder.
//
// A slot `name` is the file `name.save`, and the one before it, `name.save.kept`. Writing makes a
// temporary file, waits for the disk, links the old one as the kept one if it is good, and renames the
// new one into place. So at every moment, whatever ends the program, the newest file is the old or the
// new one; and when the disk damages it, the kept one is read. Only a damaged file is overwritten without
// being kept. Any thread, but one thread at a time for a slot.
#pragma once
#include "foundation/os/path.h"
#include "save/save_file.h"

enum { CT_SAVE_NAME_BYTES = 64 };
#define CT_SAVE_EXTENSION ".save"

// Returns whether a slot may have this name: 1 to 63 of a to z, A to Z, 0 to 9, _ and -, and spaces
// inside. With `error` it says what is wrong.
bool ct_save_name_check(const char *name, ct_error *error);

// Writes the path of a slot's file, or of the kept one. Returns false with `error` when it is too long.
bool ct_save_path(const char *folder, const char *name, bool is_kept, char path[CT_PATH_BYTES],
                  ct_error *error);

// Writes a slot; makes the folder. Returns false with `error`, and leaves all as it was: also when what
// was given could not be read again, and when the newest file is not damaged but cannot be read here: the
// system refuses it, or a later version of the format wrote it.
bool ct_save_store_write(ct_allocator *a, const char *folder, const char *name,
                         const ct_save_section *sections, uint32_t count, ct_error *error);

// Reads a slot: the newest file or, when that cannot be read, the kept one; then `warning`
// (`warning_bytes` long) says what was wrong, else it is empty. NULL with `error` when both cannot be
// read.
ct_save_file *ct_save_store_read(ct_allocator *a, const char *folder, const char *name,
                                 bool only_info, char *warning, uint32_t warning_bytes,
                                 ct_error *error);

// Returns whether a slot has a file; whether any has, with NULL for `name`.
bool ct_save_store_exists(const char *folder, const char *name);

// Deletes a slot with its kept file; fine when it does not exist.
bool ct_save_store_delete(const char *folder, const char *name, ct_error *error);

// Calls `visit` for each slot, in the order of their names; a folder that does not exist has none.
bool ct_save_store_list(ct_allocator *a, const char *folder,
                        void (*visit)(void *user, const char *name), void *user, ct_error *error);
