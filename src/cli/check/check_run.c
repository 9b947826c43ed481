#include "cli/check/check_run.h"

#include <stdio.h>
#include <string.h>

#include "cli/check/check_uncompiled.h"
#include "foundation/error.h"
#include "resource/data_index.h"

enum { UNITS_AT_ONCE = 32 };

// Names of resources of one type; borrowed from the index.
typedef CT_ARRAY(const char *) name_array;

typedef struct check {
    ct_check_desc desc;
    ct_allocator *allocator;
    ct_check_process process;
    const ct_data_index *index;
    bool has_uncompiled;
    name_array packages; // all, whatever was asked for
    ct_finding_array *findings;
    ct_check_counts *counts;
} check;

static const char *const kinds[] = {"package", "level", "unit", "game"};

// --- What is asked for ---------------------------------------------------------------------------

// Whether `only` ("unit", "unit:units/crate") is of this kind; `name` is set to what follows the
// colon, or NULL.
static bool is_of_kind(const char *only, const char *kind, const char **name) {
    const size_t length = strlen(kind);
    if (strncmp(only, kind, length) != 0 || (only[length] != '\0' && only[length] != ':'))
        return false;
    *name = only[length] == ':' ? only + length + 1 : NULL;
    return true;
}

bool ct_check_is_kind(const char *only) {
    const char *name;
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        if (is_of_kind(only, kinds[i], &name))
            return true;
    }
    return false;
}

static bool is_asked_for(const check *c, const char *kind, const char *name) {
    const char *asked_name = NULL;
    if (!c->desc.only)
        return true;
    return is_of_kind(c->desc.only, kind, &asked_name) &&
           (!name || !asked_name || strcmp(name, asked_name) == 0);
}

// Lists the project's own resources of a type that have data: that others failed to compile was
// told.
static void list_names(const ct_data_index *index, const char *type, name_array *names) {
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    for (uint32_t i = 0; i < index->entries.count; ++i) {
        const char *const name = ct_blob_at(index, entries[i].name.offset);
        if (strcmp(ct_blob_at(index, entries[i].type.offset), type) == 0 &&
            entries[i].data_hash != 0 && strncmp(name, "core/", strlen("core/")) != 0)
            ct_array_push(names, name);
    }
}

// Whether something that did not compile keeps a resource, and with it `what`, from being checked;
// that is told. `name` is "" for the game.
static bool is_blocked(const check *c, const char *what, const char *name, const char *type,
                       const char *resource) {
    const ct_data_index_entry *const lost =
        c->has_uncompiled ? ct_check_find_uncompiled(c->index, c->desc.process.data_folder,
                                                     c->allocator, type, resource)
                          : NULL;
    if (lost)
        fprintf(stderr, "%s%s%s is not checked: %s \"%s\" did not compile\n", what,
                name[0] != '\0' ? " " : "", name,
                (const char *)ct_blob_at(c->index, lost->type.offset),
                (const char *)ct_blob_at(c->index, lost->name.offset));
    return lost != NULL;
}

static void list_asked_for(const check *c, const char *kind, name_array *names) {
    list_names(c->index, kind, names);
    uint32_t count = 0;
    for (uint32_t i = 0; i < names->count; ++i) {
        const char *const name = names->items[i];
        if (is_asked_for(c, kind, name) && !is_blocked(c, kind, name, kind, name))
            names->items[count++] = name;
    }
    names->count = count;
}

// --- Jobs ----------------------------------------------------------------------------------------

// Has all packages loaded when the engine does not run yet.
static bool start_loaded(check *c, ct_error *error) {
    if (c->process.is_running)
        return true;
    const ct_check_job load = {
        .what = "packages", .names = c->packages.items, .num_names = c->packages.count};
    ct_check_outcome outcome;
    ct_finding_array found;
    ct_array_init(&found, c->allocator);
    const bool is_done = ct_check_process_run(&c->process, &load, &found, &outcome, error);
    // What is wrong with packages their own jobs tell, when those are asked for; or it is of what
    // did not compile.
    const bool is_told = is_asked_for(c, "package", NULL) || c->has_uncompiled;
    if (!is_told || !is_done || outcome == CT_CHECK_OUTCOME_LOST)
        ct_findings_move(c->findings, &found);
    ct_findings_free(&found);
    return is_done && (outcome == CT_CHECK_OUTCOME_DONE ||
                       ct_error_set(error, "the engine cannot load all packages, "
                                           "which levels and units need"));
}

// Runs a job in an engine that has all packages.
static bool run_loaded(check *c, const ct_check_job *job, ct_finding_array *findings,
                       ct_check_outcome *outcome, ct_error *error) {
    return start_loaded(c, error) &&
           ct_check_process_run(&c->process, job, findings, outcome, error);
}

static bool check_packages(check *c, const name_array *names, ct_error *error) {
    for (uint32_t i = 0; i < names->count; ++i) {
        const ct_check_job job = {.what = "package", .names = &names->items[i], .num_names = 1};
        ct_check_outcome outcome;
        if (!ct_check_process_run(&c->process, &job, c->findings, &outcome, error))
            return false;
        ++c->counts->packages;
    }
    // The engine of levels and units starts with all packages.
    ct_check_process_stop(&c->process, c->findings);
    return true;
}

static bool check_alone(check *c, const char *what, const name_array *names, uint32_t first,
                        uint32_t end, ct_error *error) {
    for (uint32_t i = first; i < end; ++i) {
        const ct_check_job job = {.what = what,
                                  .names = &names->items[i],
                                  .num_names = 1,
                                  .frames = c->desc.process.frames};
        ct_check_outcome outcome;
        const uint32_t num_told = c->findings->count;
        if (!run_loaded(c, &job, c->findings, &outcome, error))
            return false;
        ct_findings_print(c->findings, num_told);
    }
    return true;
}

static bool check_units(check *c, const name_array *names, ct_error *error) {
    for (uint32_t first = 0; first < names->count; first += UNITS_AT_ONCE) {
        const uint32_t left = names->count - first;
        const uint32_t count = left < UNITS_AT_ONCE ? left : UNITS_AT_ONCE;
        const ct_check_job job = {.what = "unit",
                                  .names = names->items + first,
                                  .num_names = count,
                                  .frames = c->desc.process.frames};
        ct_check_outcome outcome = CT_CHECK_OUTCOME_LOST;
        ct_finding_array found;
        ct_array_init(&found, c->allocator);
        bool is_done = run_loaded(c, &job, &found, &outcome, error);
        const bool is_clean = outcome == CT_CHECK_OUTCOME_DONE && found.count == 0;
        const uint32_t num_told = c->findings->count;
        if (is_done && !is_clean)
            is_done = check_alone(c, "unit", names, first, first + count, error);
        // What goes wrong only beside others is told all the same, as of the first of them.
        if (is_done && c->findings->count == num_told && found.count > 0) {
            ct_findings_move(c->findings, &found);
            ct_findings_print(c->findings, num_told);
        }
        ct_findings_free(&found);
        if (!is_done)
            return false;
        c->counts->units += count;
    }
    return true;
}

static bool check_game(check *c, ct_error *error) {
    const ct_check_job job = {.what = "game", .frames = c->desc.process.frames};
    ct_check_outcome outcome;
    if (!is_asked_for(c, "game", NULL))
        return true;
    for (uint32_t i = 0; i < c->packages.count; ++i) {
        if (is_blocked(c, "game", "", "package", c->packages.items[i]))
            return true;
    }
    ++c->counts->games;
    return ct_check_process_run(&c->process, &job, c->findings, &outcome, error);
}

// --- All -----------------------------------------------------------------------------------------

static bool check_all(check *c, ct_error *error) {
    name_array packages, levels, units;
    ct_array_init(&packages, c->allocator);
    ct_array_init(&levels, c->allocator);
    ct_array_init(&units, c->allocator);
    list_asked_for(c, "package", &packages);
    list_asked_for(c, "level", &levels);
    list_asked_for(c, "unit", &units);
    const uint32_t num_told = c->findings->count;
    bool is_done = check_packages(c, &packages, error);
    ct_findings_print(c->findings, num_told);
    is_done = is_done && check_alone(c, "level", &levels, 0, levels.count, error);
    c->counts->levels = is_done ? levels.count : 0;
    is_done = is_done && check_units(c, &units, error);
    const uint32_t num_told_before_game = c->findings->count;
    ct_check_process_stop(&c->process, c->findings);
    // Whatever came before: the game has an engine of its own.
    ct_error game_error = {0};
    if (!check_game(c, &game_error) && is_done) {
        *error = game_error;
        is_done = false;
    }
    ct_findings_print(c->findings, num_told_before_game);
    ct_array_free(&packages);
    ct_array_free(&levels);
    ct_array_free(&units);
    return is_done;
}

bool ct_check_run(const ct_check_desc *desc, ct_finding_array *findings, ct_check_counts *counts,
                  ct_error *error) {
    check c = {.desc = *desc,
               .allocator = desc->process.allocator,
               .findings = findings,
               .counts = counts};
    const ct_data_index *const index =
        ct_data_index_read(c.allocator, desc->process.data_folder, error);
    if (!index)
        return false;
    c.index = index;
    c.has_uncompiled = ct_check_has_uncompiled(index);
    counts->frames = desc->process.frames;
    ct_check_process_init(&c.process, &desc->process);
    ct_array_init(&c.packages, c.allocator);
    list_names(index, "package", &c.packages);
    const bool is_done = check_all(&c, error);
    ct_check_process_shutdown(&c.process);
    ct_array_free(&c.packages);
    ct_free(c.allocator, (void *)(uintptr_t)index);
    return is_done;
}
