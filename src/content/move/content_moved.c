#include "content/move/content_moved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "content/move/content_move_private.h"
#include "foundation/string/string_id.h"
#include "resource/resource_id.h"

// A name that a moved resource or media file may have now.
typedef struct vote {
    uint32_t name;  // number in the plan's names
    uint32_t count; // of its files that say so
    const char *to;
} vote;

typedef struct planner {
    ct_move_planner move;
    ct_moved_plan *moved;
    ct_moved_files files;
    ct_allocator *allocator;
    ct_hash_map by_key; // ct_content_name_key of a name to its number + 1
    CT_ARRAY(vote) votes;
    ct_hash_map by_vote; // of name and new name to the number + 1
} planner;

static const char *path_of(const planner *p, uint32_t file) {
    return ct_content_files_path(p->move.files, file);
}

static const ct_moved_file *file_at(const planner *p, uint32_t i) {
    return &p->files.files.items[i];
}

// --- Names ---------------------------------------------------------------------------------------

// By what the file at `path` is named; from the allocator.
static const char *name_of(const planner *p, const char *path) {
    const ct_resource_type *const type = ct_content_type_of(path);
    char name[CT_PATH_BYTES];
    if (!type)
        return path;
    ct_content_resource_name(path, type, name);
    return ct_copy_string(p->allocator, name);
}

// True while other variants of a resource are where they were.
static bool is_still_there(const planner *p, const ct_moved_file *file) {
    const ct_resource_type *const type = ct_content_type_of(file->path);
    const char *const name = name_of(p, file->path);
    return type ? ct_reference_graph_resource(&p->moved->graph, type->name, name) != UINT32_MAX
                : ct_reference_graph_media(&p->moved->graph, name) != UINT32_MAX;
}

// The number of the name that a file bears; UINT32_MAX when it does not matter.
static uint32_t name_of_file(planner *p, const ct_moved_file *file) {
    const uint64_t key = ct_content_file_key(file->path);
    const uint64_t at = ct_hash_map_get(&p->by_key, key, 0);
    if (at > 0)
        return (uint32_t)at - 1;
    if (file->num_candidates == 0 || (file->displaced_in == 0 && is_still_there(p, file)))
        return UINT32_MAX;
    ct_array_push(&p->moved->names, (ct_moved_name){.type = ct_content_type_of(file->path),
                                                    .from = name_of(p, file->path)});
    ct_hash_map_set(&p->by_key, key, p->moved->names.count);
    return p->moved->names.count - 1;
}

// What speaks the most counts alone: guesses say nothing beside what is sure.
static void take_evidence(planner *p) {
    for (uint32_t i = 0; i < p->files.files.count; ++i) {
        const ct_moved_file *const file = file_at(p, i);
        const uint32_t n = name_of_file(p, file);
        if (n == UINT32_MAX)
            continue;
        ct_moved_name *const name = &p->moved->names.items[n];
        name->evidence = file->evidence > name->evidence ? file->evidence : name->evidence;
        name->displaced_in =
            file->displaced_in > name->displaced_in ? file->displaced_in : name->displaced_in;
    }
}

static void add_vote(planner *p, uint32_t name, const char *to) {
    const uint64_t key = ct_string_id64_of(to).value * 31 + name;
    const uint64_t at = ct_hash_map_get(&p->by_vote, key, 0);
    if (at > 0) {
        ++p->votes.items[at - 1].count;
        return;
    }
    ct_array_push(&p->votes, (vote){.name = name, .count = 1, .to = to});
    ct_hash_map_set(&p->by_vote, key, p->votes.count);
}

static void add_votes(planner *p) {
    for (uint32_t i = 0; i < p->files.files.count; ++i) {
        const ct_moved_file *const file = file_at(p, i);
        const uint32_t n = name_of_file(p, file);
        if (n == UINT32_MAX || file->evidence != p->moved->names.items[n].evidence)
            continue;
        for (uint32_t k = 0; k < file->num_candidates; ++k) {
            const char *const to = name_of(p, p->files.candidates.items[file->first_candidate + k]);
            if (strcmp(to, p->moved->names.items[n].from) != 0)
                add_vote(p, n, to);
        }
    }
}

// By name; the name with the most votes first, those with as many by their text.
static int compare_votes(const void *a, const void *b) {
    const vote *const x = a, *const y = b;
    if (x->name != y->name)
        return (x->name > y->name) - (x->name < y->name);
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                                : strcmp(x->to, y->to);
}

// A name has to be one before anything can be told to use it.
static const char *advice_for(const planner *p, const ct_moved_name *name, const char *to) {
    char advice[CT_RESOURCE_ADVICE_BYTES], text[CT_PATH_BYTES + 64];
    const bool is_good = name->type ? ct_resource_name_is_canonical(to)
                                    : ct_path_is_canonical(to) && ct_journal_path_is_good(to);
    if (is_good)
        return NULL;
    if (!name->type)
        return "that is not a valid path of a media file: rename it to one of a-z, 0-9, _, - and /";
    ct_resource_name_advise(to, p->move.files->roots.project, advice);
    snprintf(text, sizeof(text), "that is not a valid name of a %s: %s", name->type->name, advice);
    return ct_copy_string(p->allocator, text);
}

// Decides about a name by its votes.
static void decide(planner *p, const vote *votes, uint32_t count) {
    ct_moved_name *const name = &p->moved->names.items[votes[0].name];
    uint32_t num_best = 1;
    while (num_best < count && votes[num_best].count == votes[0].count)
        ++num_best;
    name->advice = num_best == 1 ? advice_for(p, name, votes[0].to) : NULL;
    if (num_best == 1 && !name->advice && name->evidence > CT_MOVED_EVIDENCE_LIKE) {
        name->to = votes[0].to;
        return;
    }
    name->first_candidate = p->moved->candidates.count;
    name->num_candidates = num_best;
    for (uint32_t i = 0; i < num_best; ++i)
        ct_array_push(&p->moved->candidates, votes[i].to);
}

static int compare_names(const void *a, const void *b) {
    const ct_moved_name *const x = a, *const y = b;
    const int order = strcmp(x->type ? x->type->name : "", y->type ? y->type->name : "");
    return order != 0 ? order : strcmp(x->from, y->from);
}

// Names whose files went nowhere else are no matter.
static void drop_names_without_votes(planner *p) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->moved->names.count; ++i) {
        const ct_moved_name *const name = &p->moved->names.items[i];
        if (name->to || name->num_candidates > 0)
            p->moved->names.items[count++] = *name;
    }
    p->moved->names.count = count;
    if (count > 1)
        qsort(p->moved->names.items, count, sizeof(p->moved->names.items[0]), compare_names);
}

static void find_names(planner *p) {
    take_evidence(p);
    add_votes(p);
    const uint32_t count = p->votes.count;
    if (count > 1)
        qsort(p->votes.items, count, sizeof(p->votes.items[0]), compare_votes);
    for (uint32_t i = 0, end = 0; i < count; i = end) {
        while (end < count && p->votes.items[end].name == p->votes.items[i].name)
            ++end;
        decide(p, &p->votes.items[i], end - i);
    }
    drop_names_without_votes(p);
}

// --- The set -------------------------------------------------------------------------------------

static uint64_t path_key(const char *path) {
    return ct_string_id64_of(path).value;
}

static void add_names(planner *p) {
    for (uint32_t i = 0; i < p->moved->names.count; ++i) {
        const ct_moved_name *const name = &p->moved->names.items[i];
        if (name->to)
            ct_move_set_add_name(&p->move.set, name->type, name->from, name->to)->before =
                name->displaced_in;
    }
}

// Files whose new paths are sure: records of imports name them, and they may name others.
static void add_files(planner *p) {
    ct_move_set *const set = &p->move.set;
    for (uint32_t i = 0; i < p->files.files.count; ++i) {
        const ct_moved_file *const file = file_at(p, i);
        if (file->evidence <= CT_MOVED_EVIDENCE_LIKE || file->num_candidates != 1 ||
            ct_move_set_file(set, file->path))
            continue;
        const char *const to = p->files.candidates.items[file->first_candidate];
        ct_move_set_add_file(set, file->path, to)->is_done = true;
        ct_hash_map_set(&p->move.origins, path_key(to), set->files.count);
        ct_content_file *const there = ct_content_files_find(p->move.files, to);
        if (there && file->kind == CT_CONTENT_KIND_GLSL)
            there->kind = CT_CONTENT_KIND_GLSL; // shaders include it by its old path
    }
}

// --- Relative paths ------------------------------------------------------------------------------

// Writes where the path `relative` from the folder of `file` leads; false when out of the project.
static bool resolve_relative(const char *file, const char *relative, char path[CT_PATH_BYTES]) {
    char folder[CT_PATH_BYTES], above[CT_PATH_BYTES];
    ct_path_folder(folder, file);
    while (strncmp(relative, "../", 3) == 0) {
        if (folder[0] == 0)
            return false;
        ct_path_folder(above, folder);
        ct_path_join(folder, "", above);
        relative += 3;
    }
    return ct_path_try_join(path, folder, relative);
}

const char *ct_move_moved_relative(ct_move_planner *p, const char *file, const char *path) {
    const ct_move_name *const name = ct_move_set_name(&p->set, NULL, path);
    if (ct_content_files_have(p->files, path))
        return NULL;
    if (name)
        return name->to;
    const uint64_t at = ct_hash_map_get(&p->origins, path_key(file), 0);
    char relative[2 * CT_PATH_BYTES], old[CT_PATH_BYTES];
    ct_move_write_relative(relative, file, path);
    if (at == 0 || !resolve_relative(p->set.files.items[at - 1].from, relative, old))
        return NULL;
    const ct_move_name *const old_name = ct_move_set_name(&p->set, NULL, old);
    if (old_name)
        return old_name->to;
    return ct_content_files_have(p->files, old) ? ct_copy_string(p->plan->allocator, old) : NULL;
}

// --- The plan ------------------------------------------------------------------------------------

static bool is_wanted(const void *user, const ct_reference_mention *m, const char *name) {
    const planner *const p = user;
    switch (m->kind) {
    case CT_MENTION_KIND_PATTERN:
        return true;
    case CT_MENTION_KIND_LIKELY:
        return ct_move_set_any_name(&p->move.set, name) != NULL;
    default:
        return ct_move_set_name(&p->move.set, ct_reference_type(m), name) != NULL;
    }
}

static void read_files(planner *p) {
    ct_content_files_read_if(p->move.files, is_wanted, p);
    for (uint32_t i = 0; i < p->move.set.files.count; ++i) {
        ct_content_file *const file =
            ct_content_files_find(p->move.files, p->move.set.files.items[i].to);
        if (file)
            ct_content_files_parse(p->move.files, file);
    }
}

// True when the plan mends what is missing.
static bool is_mended(planner *p, const ct_reference_missing *missing) {
    const ct_reference_index *const index = p->move.files->index;
    const ct_reference_mention *const m = &ct_reference_mentions(index)[missing->mention];
    const char *const text = ct_reference_text(index, m->name);
    const ct_reference_file *const file = &ct_reference_files(index)[missing->file];
    if (missing->file >= index->num_project || file->problem.bytes > 0)
        return false;
    if (!(m->flags & CT_MENTION_RELATIVE))
        return ct_move_set_name(&p->move.set, ct_reference_type(m), text);
    return file->kind != CT_CONTENT_KIND_GLB &&
           ct_move_moved_relative(&p->move, path_of(p, missing->file), text);
}

static void find_missing(planner *p) {
    const ct_reference_graph *const graph = &p->moved->graph;
    for (uint32_t i = 0; i < graph->missing.count; ++i)
        if (!is_mended(p, &graph->missing.items[i]))
            ct_array_push(&p->moved->missing, graph->missing.items[i]);
}

static void plan_changes(planner *p) {
    const ct_move_desc *const desc = p->move.desc;
    ct_reference_graph_make(&p->moved->graph, desc->allocator, p->move.files->index, desc->roots);
    ct_moved_files_find(&p->files, desc->allocator, desc->heap, &p->moved->graph);
    find_names(p);
    add_names(p);
    add_files(p);
    find_missing(p);
    if (p->move.set.names.count == 0 && p->move.set.files.count == 0)
        return;
    read_files(p);
    ct_move_add_import_records(&p->move);
    ct_move_check_packages(&p->move);
    ct_move_make_changes(&p->move);
}

bool ct_moved_plan_make(ct_moved_plan *moved, const ct_move_desc *desc) {
    ct_allocator *const a = desc->allocator;
    ct_move_plan *const plan = &moved->plan;
    planner p = {
        .move = {.desc = desc, .plan = plan, .files = &plan->files, .origins.allocator = a},
        .moved = moved,
        .allocator = a,
        .by_key.allocator = a,
        .by_vote.allocator = a};
    *moved = (ct_moved_plan){0};
    ct_move_plan_init(plan, desc);
    ct_move_set_init(&p.move.set, a);
    ct_array_init(&moved->names, a);
    ct_array_init(&moved->candidates, a);
    ct_array_init(&moved->missing, a);
    ct_array_init(&p.votes, a);
    ct_error error = {0};
    if (ct_content_files_open(&plan->files, a, desc->heap, &desc->roots, desc->is_locked, &error))
        plan_changes(&p);
    else
        ct_array_push(&plan->errors, error);
    return plan->errors.count == 0;
}

void ct_moved_plan_free(ct_moved_plan *moved) {
    ct_move_plan_free(&moved->plan);
}
