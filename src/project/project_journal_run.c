// project_journal_run.c: makes the changes of a journal, at once or after a crash.
//
// Both work the same way: each change checks the current files, does the remaining work, and
// reports files that are not as expected.
#include "project/project_journal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/string/string_builder.h"
#include "project/project_git.h"
#include "project/source_file.h"
#include "project/source_overwrite.h"

#define CACHE_FOLDER ".cuttle/cache"
#define JOURNAL_FILE CACHE_FOLDER "/journal"
#define STAGE_FOLDER CACHE_FOLDER "/journal.new"
static const uint64_t MOST_FILE_BYTES = UINT64_C(4294967295);
enum { MOST_BAD_JOURNALS = 1000 };

// A journal whose changes are being made.
typedef struct journal_run {
    ct_allocator *allocator; // a temp allocator
    const char *project;
    const ct_journal *journal;
    ct_string_array *report;
    char *last_folder; // of CT_PATH_BYTES: the last one checked, which exists and is in the project
    // By change: the state in which `from` had the old hash a moment ago; NULL: not checked. When
    // it is set, all new contents that do not overwrite old ones are staged as well.
    ct_file_stamp *stamps;
} journal_run;

static void tell(const journal_run *run, const char *format, ...) CT_PRINTF(2, 3);
static void tell(const journal_run *run, const char *format, ...) {
    char line[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    ct_array_push(run->report, ct_copy_string(run->report->allocator, line));
}

static bool same_path(const ct_journal_change *c) {
    return c->from && c->to && strcmp(c->from, c->to) == 0;
}

static bool is_staged(const ct_journal_change *c) {
    return c->content && !c->old_content;
}

// --- Places --------------------------------------------------------------------------------------

static bool place_of(const char *project, const char *path, char place[CT_PATH_BYTES],
                     ct_error *error) {
    return ct_path_try_join(place, project, path) ||
           ct_error_set(error, "the path %s is too long", path);
}

static bool stage_place(const journal_run *run, uint32_t i, char place[CT_PATH_BYTES],
                        ct_error *error) {
    char name[64];
    snprintf(name, sizeof(name), STAGE_FOLDER "/%u", i);
    return place_of(run->project, name, place, error);
}

static bool is_anything(const char *place) {
    const ct_file_info info = ct_os_file_info(place);
    return info.kind != CT_FILE_KIND_NONE || info.is_link;
}

static bool is_plain_file(const char *place) {
    const ct_file_info info = ct_os_file_info(place);
    return info.kind == CT_FILE_KIND_FILE && !info.is_link;
}

// The hash of a file; 0 when there is none, or something else.
static uint64_t hash_at(ct_allocator *heap, const char *place) {
    uint64_t size_bytes = 0;
    char *const bytes = is_plain_file(place) ? ct_file_read(heap, place, &size_bytes, NULL) : NULL;
    const uint64_t hash = bytes ? ct_source_hash(bytes, size_bytes) : 0;
    ct_free(heap, bytes);
    return hash;
}

// The nearest folder above `place` that is there.
static void folder_there(const char *project, const char *place, char folder[CT_PATH_BYTES]) {
    ct_path_folder(folder, place);
    while (!is_anything(folder) && strcmp(folder, project) != 0) {
        char above[CT_PATH_BYTES];
        ct_path_folder(above, folder);
        ct_path_join(folder, "", above);
    }
}

// Nothing is written behind links that lead out of the project.
static bool check_inside(const char *project, const char *path, const char *place,
                         char folder[CT_PATH_BYTES], ct_error *error) {
    folder_there(project, place, folder);
    return strcmp(folder, project) == 0 || ct_source_lies_below(folder, project) ||
           ct_error_set_at(error, path, 0, 0,
                           "is behind a symbolic link that leads out of the project");
}

static bool check_folder(const journal_run *run, const char *path, const char *place,
                         ct_error *error) {
    char folder[CT_PATH_BYTES];
    ct_path_folder(folder, place);
    if (strcmp(folder, run->last_folder) == 0)
        return true;
    if (!check_inside(run->project, path, place, folder, error))
        return false;
    if (ct_os_file_info(folder).kind != CT_FILE_KIND_FOLDER)
        return ct_error_set_at(error, path, 0, 0, "cannot be below %s, which is not a folder",
                               folder);
    if (!ct_os_file_is_writable(folder))
        return ct_error_set_at(error, path, 0, 0, "its folder is read-only");
    if (strncmp(place, folder, strlen(folder)) == 0 && !strchr(place + strlen(folder) + 1, '/'))
        ct_path_join(run->last_folder, "", folder); // not one above it
    return true;
}

// --- Before --------------------------------------------------------------------------------------

// Checks that the file has the expected content; keeps that if it is to be overwritten in place.
static bool check_content(const journal_run *run, ct_journal_change *c, const char *place,
                          const ct_file_info *info, ct_error *error) {
    uint64_t size_bytes = 0;
    char *const bytes = ct_file_read(run->allocator, place, &size_bytes, NULL);
    if (!bytes || ct_source_hash(bytes, size_bytes) != c->old_hash)
        return ct_error_set_at(error, c->from, 0, 0, "was changed in the meantime");
    if (c->content && ct_source_overwrite_fits(info, c->content_bytes)) {
        c->old_content = bytes;
        c->old_bytes = size_bytes;
    } else {
        ct_free(run->allocator, bytes);
    }
    return true;
}

static bool check_from(const journal_run *run, ct_journal_change *c, ct_error *error) {
    char place[CT_PATH_BYTES];
    if (!place_of(run->project, c->from, place, error) || !check_folder(run, c->from, place, error))
        return false;
    if (!is_plain_file(place))
        return ct_error_set_at(error, c->from, 0, 0,
                               is_anything(place) ? "is a symbolic link or not a regular file"
                                                  : "no longer exists");
    if (c->content && !ct_os_file_is_writable(place))
        return ct_error_set_at(error, c->from, 0, 0, "is read-only");
    const ct_file_info info = ct_os_file_info(place);
    run->stamps[c - run->journal->changes.items] = ct_file_stamp_of(&info);
    return c->old_hash == 0 || check_content(run, c, place, &info, error);
}

// True when `from` of change `i`, at `place`, holds what it is expected to hold.
static bool is_as_before(const journal_run *run, uint32_t i, const char *place) {
    const ct_file_info info = ct_os_file_info(place);
    if (run->stamps && ct_file_stamp_equal(run->stamps[i], ct_file_stamp_of(&info)))
        return true;
    return hash_at(run->allocator, place) == run->journal->changes.items[i].old_hash;
}

static bool check_to(const journal_run *run, const ct_journal_change *c, ct_error *error) {
    char place[CT_PATH_BYTES];
    return place_of(run->project, c->to, place, error) && check_folder(run, c->to, place, error) &&
           (!is_anything(place) || ct_error_set_at(error, c->to, 0, 0, "already exists"));
}

// `journal` is the run's own.
static bool check_all(const journal_run *run, ct_journal *journal, ct_error *error) {
    for (uint32_t i = 0; i < journal->changes.count; ++i) {
        ct_journal_change *const c = &journal->changes.items[i];
        if ((c->from && !check_from(run, c, error)) ||
            (c->to && !same_path(c) && !check_to(run, c, error)))
            return false;
    }
    return true;
}

// --- New contents --------------------------------------------------------------------------------

// Writes straight to the place: it is not used before the journal exists.
static bool write_new(const journal_run *run, const char *place, const void *bytes,
                      uint64_t size_bytes, bool durable, ct_error *error) {
    const int file = ct_os_file_open_write(place, error);
    if (file < 0)
        return false;
    const bool is_written = ct_os_file_write(file, bytes, size_bytes, error) &&
                            (!durable || ct_os_file_sync(file, error));
    ct_os_file_close(file);
    return is_written || ct_error_set(error, "cannot write %s: %.600s", place,
                                      ct_copy_string(run->allocator, error ? error->message : ""));
}

static bool write_stage(const journal_run *run, uint32_t i, const char *place, bool durable,
                        ct_error *error) {
    const ct_journal_change *const c = &run->journal->changes.items[i];
    char from[CT_PATH_BYTES];
    return write_new(run, place, c->content, c->content_bytes, durable, error) &&
           (!c->from ||
            (place_of(run->project, c->from, from, error) &&
             (!is_plain_file(from) || ct_os_file_copy_permissions(place, from, error))));
}

static bool make_stage(const journal_run *run, ct_error *error) {
    char folder[CT_PATH_BYTES];
    return place_of(run->project, STAGE_FOLDER, folder, error) && ct_folder_create(folder, error);
}

// A stage that is left over does no harm.
static bool remove_stage(const journal_run *run, ct_error *error) {
    char folder[CT_PATH_BYTES];
    return place_of(run->project, STAGE_FOLDER, folder, error) && ct_folder_remove(folder, error);
}

static bool stage_all(const journal_run *run, ct_error *error) {
    char place[CT_PATH_BYTES];
    if (!remove_stage(run, error) || !make_stage(run, error))
        return false;
    for (uint32_t i = 0; i < run->journal->changes.count; ++i)
        if (is_staged(&run->journal->changes.items[i]) &&
            (!stage_place(run, i, place, error) || !write_stage(run, i, place, false, error)))
            return false;
    return true;
}

static bool make_folder_of(const journal_run *run, const char *path, const char *place,
                           ct_error *error) {
    char folder[CT_PATH_BYTES];
    ct_path_folder(folder, place);
    return check_folder(run, path, place, error) &&
           (strcmp(folder, run->last_folder) == 0 || ct_folder_create(folder, error));
}

// Puts the content of change `i` in its place, from the stage if that has it in full.
static bool put_staged(const journal_run *run, uint32_t i, ct_error *error) {
    const ct_journal_change *const c = &run->journal->changes.items[i];
    char place[CT_PATH_BYTES], staged[CT_PATH_BYTES];
    if (!place_of(run->project, c->to, place, error) || !make_folder_of(run, c->to, place, error) ||
        !stage_place(run, i, staged, error))
        return false;
    const uint64_t hash = ct_source_hash(c->content, c->content_bytes);
    const bool is_there = run->stamps && is_staged(c);
    if (!is_there && hash_at(run->allocator, staged) != hash &&
        (!make_stage(run, error) || !write_stage(run, i, staged, true, error)))
        return false;
    // The cache folder may lie on another disk.
    return ct_os_file_rename(staged, place, NULL) ||
           ct_file_write(place, c->content, c->content_bytes, true, error);
}

// Puts the content of change `i` in its place; overwrites the file there if possible.
static bool put_content(const journal_run *run, uint32_t i, ct_error *error) {
    const ct_journal_change *const c = &run->journal->changes.items[i];
    char place[CT_PATH_BYTES];
    if (!place_of(run->project, c->to, place, error))
        return false;
    const ct_file_info info = ct_os_file_info(place);
    if (c->old_content && ct_source_overwrite_fits(&info, c->content_bytes)) {
        if (!check_folder(run, c->to, place, error))
            return false;
        if (ct_source_overwrite(place, c->content, c->content_bytes, NULL))
            return true;
    }
    return put_staged(run, i, error);
}

// --- Changes -------------------------------------------------------------------------------------

// What is at the place where a change puts content.
typedef enum found_content {
    FOUND_OTHER, // what it does not understand; or nothing
    FOUND_NEW,
    FOUND_OLD, // or a part of each: it was being written over
} found_content;

static found_content content_at(const journal_run *run, uint32_t i, const char *place) {
    const ct_journal_change *const c = &run->journal->changes.items[i];
    uint64_t size_bytes = 0;
    char *const bytes =
        is_plain_file(place) ? ct_file_read(run->allocator, place, &size_bytes, NULL) : NULL;
    if (!bytes)
        return FOUND_OTHER;
    found_content result = FOUND_OTHER;
    const uint64_t hash = ct_source_hash(bytes, size_bytes);
    if (hash == ct_source_hash(c->content, c->content_bytes))
        result = FOUND_NEW;
    else if ((c->from && hash == c->old_hash) ||
             (c->old_content && ct_source_is_mixed(c->old_content, c->old_bytes, c->content,
                                                   c->content_bytes, bytes, size_bytes)))
        result = FOUND_OLD;
    ct_free(run->allocator, bytes);
    return result;
}

static bool make_file(const journal_run *run, uint32_t i, ct_error *error) {
    const ct_journal_change *const c = &run->journal->changes.items[i];
    char place[CT_PATH_BYTES];
    if (!place_of(run->project, c->to, place, error))
        return false;
    if (!is_anything(place))
        return put_content(run, i, error);
    if (content_at(run, i, place) != FOUND_NEW)
        tell(run, "%s: left unchanged; another program created it in the meantime", c->to);
    return true;
}

// For a change whose `to` exists, or whose file is gone.
static bool replace_content(const journal_run *run, uint32_t i, const char *place,
                            ct_error *error) {
    const ct_journal_change *const c = &run->journal->changes.items[i];
    switch (content_at(run, i, place)) {
    case FOUND_OLD:
        return put_content(run, i, error);
    case FOUND_NEW:
        return true;
    default:
        tell(run, "%s: left unchanged; it was %s in the meantime. Update its references yourself",
             c->to, is_anything(place) ? "edited" : "removed");
        return true;
    }
}

static bool replace_file(const journal_run *run, uint32_t i, ct_error *error) {
    const ct_journal_change *const c = &run->journal->changes.items[i];
    char place[CT_PATH_BYTES];
    if (!place_of(run->project, c->to, place, error))
        return false;
    return is_as_before(run, i, place) ? put_content(run, i, error)
                                       : replace_content(run, i, place, error);
}

static bool remove_file(const journal_run *run, uint32_t i, ct_error *error) {
    const ct_journal_change *const c = &run->journal->changes.items[i];
    char place[CT_PATH_BYTES];
    if (!place_of(run->project, c->from, place, error) || !check_folder(run, c->from, place, error))
        return false;
    if (!is_anything(place))
        return true;
    if (is_as_before(run, i, place))
        return ct_os_file_remove(place, error);
    tell(run, "%s: not removed; it was edited in the meantime", c->from);
    return true;
}

static bool rename_file(const journal_run *run, const ct_journal_change *c, const char *from,
                        const char *to, ct_error *error) {
    const bool is_from = is_anything(from), is_to = is_anything(to);
    if (is_from && is_to)
        tell(run, "%s: not renamed; %s exists as well", c->from, c->to);
    else if (!is_from && !is_to)
        tell(run, "%s: no longer exists and could not be renamed to %s", c->from, c->to);
    else if (is_from)
        return check_folder(run, c->from, from, error) && make_folder_of(run, c->to, to, error) &&
               ct_os_file_rename(from, to, error);
    return true;
}

// Makes a new file with the new content first, then removes the old one, which may still exist when
// `to` is already as it should be.
static bool copy_and_write(const journal_run *run, uint32_t i, const char *from, const char *to,
                           ct_error *error) {
    const ct_journal_change *const c = &run->journal->changes.items[i];
    const bool is_old = is_as_before(run, i, from);
    if (is_anything(to)) {
        if (content_at(run, i, to) == FOUND_NEW)
            return !is_old || ct_os_file_remove(from, error);
    } else if (is_old) {
        return put_staged(run, i, error) && ct_os_file_remove(from, error);
    } else if (is_anything(from)) {
        tell(run, "%s: was edited in the meantime. Update its references yourself", c->to);
    }
    return rename_file(run, c, from, to, error);
}

// Renames the file, then overwrites it in place.
static bool rename_and_write(const journal_run *run, uint32_t i, const char *from, const char *to,
                             ct_error *error) {
    const ct_journal_change *const c = &run->journal->changes.items[i];
    const bool is_to = is_anything(to), is_old = !is_to && is_as_before(run, i, from);
    if (!c->old_content || is_to == is_anything(from))
        return copy_and_write(run, i, from, to, error);
    if (is_to)
        return replace_content(run, i, to, error);
    if (is_old && check_folder(run, c->from, from, error) &&
        make_folder_of(run, c->to, to, error) && ct_os_file_rename(from, to, NULL))
        return put_content(run, i, error);
    return copy_and_write(run, i, from, to, error); // edited, or of another disk
}

static bool make_change(const journal_run *run, uint32_t i, ct_error *error) {
    const ct_journal_change *const c = &run->journal->changes.items[i];
    char from[CT_PATH_BYTES], to[CT_PATH_BYTES];
    if (!c->from)
        return make_file(run, i, error);
    if (!c->to)
        return remove_file(run, i, error);
    if (same_path(c))
        return replace_file(run, i, error);
    return place_of(run->project, c->from, from, error) &&
           place_of(run->project, c->to, to, error) &&
           (c->content ? rename_and_write(run, i, from, to, error)
                       : rename_file(run, c, from, to, error));
}

// --- After ---------------------------------------------------------------------------------------

// Removes folders that were left empty.
static void remove_empty_folders(const journal_run *run) {
    char place[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    for (uint32_t i = 0; i < run->journal->changes.count; ++i) {
        const ct_journal_change *const c = &run->journal->changes.items[i];
        if (!c->from || same_path(c) || !ct_path_try_join(place, run->project, c->from))
            continue;
        ct_path_folder(folder, place);
        while (strcmp(folder, run->project) != 0 && ct_source_lies_below(folder, run->project) &&
               ct_os_folder_remove(folder, NULL)) {
            ct_path_folder(place, folder);
            ct_path_join(folder, "", place);
        }
    }
}

static bool move_index_entries(const journal_run *run, ct_error *error) {
    CT_ARRAY(ct_git_move) moves;
    ct_array_init(&moves, run->allocator);
    for (uint32_t i = 0; i < run->journal->changes.count; ++i) {
        const ct_journal_change *const c = &run->journal->changes.items[i];
        if (c->git_object)
            ct_array_push(&moves, (ct_git_move){c->from, c->to, c->git_object, c->git_mode});
    }
    return ct_git_move_entries(run->allocator, run->project, moves.items, moves.count, error);
}

static bool make_all(const journal_run *run, ct_error *error) {
    for (uint32_t i = 0; i < run->journal->changes.count; ++i)
        if (!make_change(run, i, error))
            return false;
    remove_empty_folders(run);
    return true;
}

// Renamed files must be on the disk before the journal is removed.
static bool end_journal(const journal_run *run, ct_error *error) {
    char place[CT_PATH_BYTES];
    if (!ct_os_file_system_sync(run->project, error) ||
        !place_of(run->project, JOURNAL_FILE, place, error) || !ct_os_file_remove(place, error))
        return false;
    remove_stage(run, NULL);
    return true;
}

// --- The interface -------------------------------------------------------------------------------

// Staged files and the journal itself must be on the disk before the journal takes effect.
static bool write_journal(const journal_run *run, ct_error *error) {
    char place[CT_PATH_BYTES], stage[CT_PATH_BYTES], temporary[CT_PATH_BYTES];
    uint64_t size_bytes = 0;
    bool has_stage = false;
    for (uint32_t i = 0; i < run->journal->changes.count; ++i)
        has_stage |= is_staged(&run->journal->changes.items[i]);
    uint8_t *const bytes = ct_journal_write(run->allocator, run->journal, &size_bytes, error);
    return bytes && place_of(run->project, JOURNAL_FILE, place, error) &&
           place_of(run->project, STAGE_FOLDER, stage, error) &&
           place_of(run->project, STAGE_FOLDER "/journal", temporary, error) &&
           write_new(run, temporary, bytes, size_bytes, !has_stage, error) &&
           (!has_stage || ct_os_file_system_sync(stage, error)) &&
           ct_os_file_rename(temporary, place, error) && ct_file_sync_folder_of(place, error);
}

bool ct_journal_run(ct_allocator *a, const char *project, const ct_journal *journal, bool *is_begun,
                    ct_string_array *report, ct_error *error) {
    char last_folder[CT_PATH_BYTES] = "";
    ct_file_stamp *const stamps = CT_NEW_ARRAY(a, ct_file_stamp, journal->changes.count + 1);
    ct_journal own; // learns what files hold that are written over
    const journal_run run = {a, project, &own, report, last_folder, stamps};
    *is_begun = false;
    ct_journal_init(&own, a);
    ct_array_push_many(&own.changes, journal->changes.items, journal->changes.count);
    if (!ct_journal_check(journal, error) || !check_all(&run, &own, error))
        return false;
    if (!stage_all(&run, error) || !write_journal(&run, error)) {
        remove_stage(&run, NULL);
        *is_begun = ct_journal_is_there(project);
        return false;
    }
    *is_begun = true;
    return make_all(&run, error) && move_index_entries(&run, error) && end_journal(&run, error);
}

bool ct_journal_is_there(const char *project) {
    char place[CT_PATH_BYTES];
    return ct_path_try_join(place, project, JOURNAL_FILE) && is_anything(place);
}

// Renames a journal that cannot be read so that it does no harm.
static bool set_aside(const journal_run *run, const char *place, const ct_error *why,
                      ct_error *error) {
    char bad[CT_PATH_BYTES], name[64];
    for (uint32_t i = 1; i <= MOST_BAD_JOURNALS; ++i) {
        snprintf(name, sizeof(name), i > 1 ? JOURNAL_FILE ".bad-%u" : JOURNAL_FILE ".bad", i);
        if (!place_of(run->project, name, bad, error))
            return false;
        if (i < MOST_BAD_JOURNALS && is_anything(bad))
            continue;
        if (!ct_os_file_rename(place, bad, error))
            return false;
        tell(
            run,
            "cannot finish the changes of an interrupted command: its journal is bad (%s%s%.300s). "
            "Nothing was changed; the journal is kept as %s",
            why->file, why->file[0] ? " " : "", why->message, bad);
        return true;
    }
    return false;
}

static bool check_path_inside(const char *project, const char *path, ct_error *error) {
    char place[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    return !path || (place_of(project, path, place, error) &&
                     check_inside(project, path, place, folder, error));
}

static bool check_all_inside(const char *project, const ct_journal *journal, ct_error *error) {
    for (uint32_t i = 0; i < journal->changes.count; ++i)
        if (!check_path_inside(project, journal->changes.items[i].from, error) ||
            !check_path_inside(project, journal->changes.items[i].to, error))
            return false;
    return true;
}

// False with `why` when it is not a valid journal.
static bool read_journal(ct_allocator *a, const char *place, ct_journal *journal, ct_error *why) {
    uint64_t size_bytes = 0;
    if (!is_plain_file(place) || ct_os_file_info(place).size_bytes > MOST_FILE_BYTES)
        return ct_error_set(why, "it is not a regular file below 4 GiB");
    char *const bytes = ct_file_read(a, place, &size_bytes, why);
    return bytes && ct_journal_read(bytes, size_bytes, journal, why);
}

bool ct_journal_finish(ct_allocator *a, const char *project, ct_string_array *report,
                       ct_error *error) {
    ct_journal journal;
    ct_error why = {0};
    char place[CT_PATH_BYTES];
    char last_folder[CT_PATH_BYTES] = "";
    const journal_run run = {a, project, &journal, report, last_folder, NULL};
    if (!ct_journal_is_there(project))
        return true;
    ct_journal_init(&journal, a);
    if (!place_of(project, JOURNAL_FILE, place, error))
        return false;
    if (!read_journal(a, place, &journal, &why) || !check_all_inside(project, &journal, &why))
        return set_aside(&run, place, &why, error);
    tell(&run, "finished the changes of an interrupted command: %u file%s", journal.changes.count,
         journal.changes.count == 1 ? "" : "s");
    ct_error cause = {0};
    if (make_all(&run, &cause)) {
        // git may be missing, or its index broken: that must not block the rest.
        if (!move_index_entries(&run, &why))
            tell(&run, "git's index was not updated: %s", why.message);
        if (end_journal(&run, &cause))
            return true;
    }
    report->count = 0;
    return ct_error_set(error,
                        "cannot finish the changes of an interrupted command: %s%s%.500s. The "
                        "next command tries again; the remaining work is in %s",
                        cause.file, cause.file[0] ? ": " : "", cause.message, place);
}
