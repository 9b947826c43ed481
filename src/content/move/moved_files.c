#include "content/move/moved_files.h"

#include <stdlib.h>
#include <string.h>

#include "content/move/moved_git.h"
#include "foundation/os/os.h"
#include "foundation/string/string_id.h"
#include "project/stat_cache.h"

enum {
    MOST_LOOKED_AT = 1024, // files with the content of one that is lost
    MOST_LIKE = 8,         // of these that do not tell
};

// A file that may be a lost one.
typedef struct choice {
    uint32_t lost, file; // of the index
    ct_moved_evidence evidence;
    bool is_over; // it lies where another file was when the lost one was there
    bool is_out;
} choice;

typedef struct search {
    ct_moved_files *moved;
    ct_allocator *allocator;
    ct_allocator *heap;
    const ct_reference_graph *graph;
    const ct_reference_index *index;
    const ct_reference_lost *lost;
    const ct_reference_file *files;
    uint64_t *hashes;              // by project file: of the content; 0: it does not matter
    ct_hash_map by_hash, by_inode; // to the last project file + 1
    uint32_t *next_of_hash, *next_of_inode; // to the one before + 1
    CT_ARRAY(choice) choices;
    uint32_t *first_choice;  // by lost file, and the end
    ct_moved_evidence *best; // by lost file
} search;

static const char *path_of(const search *s, uint32_t file) {
    return ct_reference_text(s->index, s->files[file].path);
}

static const char *lost_path(const search *s, uint32_t lost) {
    return ct_reference_text(s->index, s->lost[lost].path);
}

bool ct_moved_is_same_kind(const char *a, const char *b) {
    const ct_resource_type *const type = ct_content_type_of(a);
    return type ? type == ct_content_type_of(b)
                : strcmp(ct_path_extension(a), ct_path_extension(b)) == 0;
}

// --- What is there -------------------------------------------------------------------------------

// Media that nothing names have no hash yet. Only some of a lost file's size matter.
static void hash_media(search *s) {
    ct_hash_map sizes = {.allocator = s->allocator};
    for (uint32_t i = 0; i < s->index->lost.count; ++i)
        ct_hash_map_set(&sizes, s->lost[i].stamp.size_bytes, 1);
    for (uint32_t i = 0; i < s->index->num_project; ++i) {
        ct_source_content content;
        s->hashes[i] = s->files[i].hash;
        if (s->hashes[i] != 0 || s->files[i].kind != CT_CONTENT_KIND_NONE ||
            s->files[i].stamp.size_bytes > CT_REFERENCE_MOST_MEDIA_BYTES ||
            ct_hash_map_get(&sizes, s->files[i].stamp.size_bytes, 0) == 0)
            continue;
        ct_free(s->heap, ct_source_read(s->heap, &s->graph->roots, path_of(s, i), &content, NULL));
        s->hashes[i] = content.hash;
    }
}

static void chain(ct_hash_map *map, uint32_t *next, uint64_t key, uint32_t i) {
    next[i] = (uint32_t)ct_hash_map_get(map, key, 0);
    ct_hash_map_set(map, key, i + 1);
}

static void list_files(search *s) {
    const uint32_t count = s->index->num_project;
    s->hashes = CT_NEW_ARRAY(s->allocator, uint64_t, count + 1);
    s->next_of_hash = CT_NEW_ARRAY(s->allocator, uint32_t, count + 1);
    s->next_of_inode = CT_NEW_ARRAY(s->allocator, uint32_t, count + 1);
    hash_media(s);
    for (uint32_t i = count; i-- > 0;) {
        if (s->hashes[i] != 0)
            chain(&s->by_hash, s->next_of_hash, s->hashes[i], i);
        chain(&s->by_inode, s->next_of_inode, s->files[i].stamp.inode, i);
    }
}

// --- One file ------------------------------------------------------------------------------------

static bool is_same_file(const search *s, const ct_reference_lost *lost, uint32_t file) {
    const ct_file_stamp *const stamp = &s->files[file].stamp;
    char place[CT_PATH_BYTES];
    if (stamp->inode != lost->stamp.inode)
        return false;
    const int64_t birth_ns = ct_source_locate(&s->graph->roots, path_of(s, file), place)
                                 ? ct_os_file_birth_ns(place)
                                 : 0;
    // Made before the other was seen, by as much as the file system's clock can be late.
    const ct_file_stamp made = {.modified_ns = birth_ns, .changed_ns = birth_ns};
    if (birth_ns != 0 && lost->seen_ns != 0)
        return ct_file_stamp_is_settled(made, lost->seen_ns, INT64_MAX);
    return stamp->size_bytes == lost->stamp.size_bytes &&
           stamp->modified_ns == lost->stamp.modified_ns;
}

static ct_moved_evidence evidence_for(const search *s, uint32_t l, uint32_t file) {
    const ct_reference_lost *const lost = &s->lost[l];
    const char *const from = lost_path(s, l), *const to = path_of(s, file);
    const bool has_content = lost->hash != 0 && lost->hash == s->hashes[file];
    if (strcmp(from, to) == 0 || !ct_moved_is_same_kind(from, to))
        return CT_MOVED_EVIDENCE_NONE;
    if (s->files[file].changed < lost->revision) // it was there, as it is, before the other went
        return has_content ? CT_MOVED_EVIDENCE_LIKE : CT_MOVED_EVIDENCE_NONE;
    if (is_same_file(s, lost, file))
        return has_content ? CT_MOVED_EVIDENCE_SAME : CT_MOVED_EVIDENCE_EDITED;
    if (!has_content)
        return CT_MOVED_EVIDENCE_NONE;
    if (lost->stamp.size_bytes == 0)
        return CT_MOVED_EVIDENCE_LIKE;
    return strcmp(ct_path_file_name(from), ct_path_file_name(to)) == 0 ? CT_MOVED_EVIDENCE_NAME
                                                                       : CT_MOVED_EVIDENCE_CONTENT;
}

static bool has_choice(const search *s, uint32_t lost, uint32_t file) {
    for (uint32_t i = s->first_choice[lost]; i < s->choices.count; ++i)
        if (s->choices.items[i].file == file)
            return true;
    return false;
}

// The files that may be the lost one. By inode first: of the same content there may be many.
static void find_choices(search *s, uint32_t l) {
    const ct_reference_lost *const lost = &s->lost[l];
    uint32_t num_looked_at = 0, num_like = 0;
    s->first_choice[l] = s->choices.count;
    for (uint32_t way = 0; way < 2; ++way) {
        uint64_t at = way == 0 ? ct_hash_map_get(&s->by_inode, lost->stamp.inode, 0)
                               : ct_hash_map_get(&s->by_hash, lost->hash, 0);
        const uint32_t *const next = way == 0 ? s->next_of_inode : s->next_of_hash;
        for (; at > 0 && num_looked_at++ < MOST_LOOKED_AT; at = next[at - 1]) {
            const uint32_t file = (uint32_t)at - 1;
            const ct_moved_evidence evidence = evidence_for(s, l, file);
            num_like += evidence == CT_MOVED_EVIDENCE_LIKE;
            if (evidence == CT_MOVED_EVIDENCE_NONE ||
                (evidence == CT_MOVED_EVIDENCE_LIKE && num_like > MOST_LIKE) ||
                (way == 1 && has_choice(s, l, file)))
                continue;
            ct_array_push(&s->choices,
                          (choice){.lost = l,
                                   .file = file,
                                   .evidence = evidence,
                                   .is_over = s->files[file].appeared < lost->revision});
        }
    }
    for (uint32_t i = s->first_choice[l]; num_like > 0 && i < s->choices.count; ++i)
        if (s->choices.items[i].evidence == CT_MOVED_EVIDENCE_CONTENT)
            s->choices.items[i].evidence = CT_MOVED_EVIDENCE_LIKE;
}

// --- All together --------------------------------------------------------------------------------

static void find_best(search *s) {
    for (uint32_t l = 0; l < s->index->lost.count; ++l) {
        s->best[l] = CT_MOVED_EVIDENCE_NONE;
        for (uint32_t i = s->first_choice[l]; i < s->first_choice[l + 1]; ++i)
            if (!s->choices.items[i].is_out && s->choices.items[i].evidence > s->best[l])
                s->best[l] = s->choices.items[i].evidence;
    }
}

static bool is_best(const search *s, const choice *c) {
    return !c->is_out && c->evidence == s->best[c->lost];
}

static uint64_t path_key(const char *path) {
    return ct_string_id64_of(path).value;
}

// The displaced files that are known to have gone elsewhere.
static ct_hash_map find_made_way(const search *s) {
    ct_hash_map paths = {.allocator = s->allocator};
    for (uint32_t l = 0; l < s->index->lost.count; ++l)
        if (s->lost[l].is_displaced && s->best[l] > CT_MOVED_EVIDENCE_LIKE)
            ct_hash_map_set(&paths, path_key(lost_path(s, l)), 1);
    return paths;
}

// A file went to a path that was taken only if what was there is known to have gone elsewhere, as
// in chains and circles, unless it is the same file of the disk. Takes out what did not; returns
// whether there was anything.
static bool take_out(search *s) {
    bool is_any = false;
    find_best(s);
    const ct_hash_map made_way = find_made_way(s);
    for (uint32_t i = 0; i < s->choices.count; ++i) {
        choice *const c = &s->choices.items[i];
        const bool is_file =
            c->evidence == CT_MOVED_EVIDENCE_SAME || c->evidence == CT_MOVED_EVIDENCE_EDITED;
        if (c->is_out || !c->is_over || is_file || c->evidence == CT_MOVED_EVIDENCE_LIKE ||
            ct_hash_map_get(&made_way, path_key(path_of(s, c->file)), 0) > 0)
            continue;
        c->is_out = is_any = true;
    }
    return is_any;
}

// --- Ties ----------------------------------------------------------------------------------------

static uint64_t folders_key(const search *s, const choice *c) {
    char from[CT_PATH_BYTES], to[CT_PATH_BYTES];
    ct_path_folder(from, lost_path(s, c->lost));
    ct_path_folder(to, path_of(s, c->file));
    return path_key(from) * 31 + path_key(to);
}

static uint32_t count_best(const search *s, uint32_t l) {
    uint32_t count = 0;
    for (uint32_t i = s->first_choice[l]; i < s->first_choice[l + 1]; ++i)
        count += is_best(s, &s->choices.items[i]);
    return count;
}

// Of files that are equally good, those are better that lie in a folder to which others went from
// the same folder without doubt.
static void break_ties(search *s) {
    ct_hash_map folders = {.allocator = s->allocator};
    for (uint32_t i = 0; i < s->choices.count; ++i) {
        const choice *const c = &s->choices.items[i];
        if (is_best(s, c) && c->evidence > CT_MOVED_EVIDENCE_LIKE && count_best(s, c->lost) == 1)
            ct_hash_map_set(&folders, folders_key(s, c), 1);
    }
    for (uint32_t l = 0; l < s->index->lost.count; ++l) {
        uint32_t num_known = 0;
        for (uint32_t i = s->first_choice[l]; i < s->first_choice[l + 1]; ++i)
            num_known += is_best(s, &s->choices.items[i]) &&
                         ct_hash_map_get(&folders, folders_key(s, &s->choices.items[i]), 0) > 0;
        for (uint32_t i = s->first_choice[l]; num_known > 0 && i < s->first_choice[l + 1]; ++i)
            if (ct_hash_map_get(&folders, folders_key(s, &s->choices.items[i]), 0) == 0)
                s->choices.items[i].is_out = true;
    }
}

// --- The result ----------------------------------------------------------------------------------

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_file(search *s, uint32_t l) {
    ct_moved_files *const moved = s->moved;
    const uint32_t first = moved->candidates.count;
    for (uint32_t i = s->first_choice[l]; i < s->first_choice[l + 1]; ++i)
        if (is_best(s, &s->choices.items[i]))
            ct_array_push(&moved->candidates, path_of(s, s->choices.items[i].file));
    const uint32_t count = moved->candidates.count - first;
    if (count > 1)
        qsort(moved->candidates.items + first, count, sizeof(moved->candidates.items[0]),
              compare_paths);
    ct_array_push(
        &moved->files,
        (ct_moved_file){.path = lost_path(s, l),
                        .first_candidate = first,
                        .num_candidates = count,
                        .evidence = s->best[l],
                        .kind = (ct_content_kind)s->lost[l].kind,
                        .displaced_in = s->lost[l].is_displaced ? s->lost[l].revision : 0});
}

void ct_moved_files_find(ct_moved_files *moved, ct_allocator *a, ct_allocator *heap,
                         const ct_reference_graph *graph) {
    const ct_reference_index *const index = graph->index;
    search s = {.moved = moved,
                .allocator = a,
                .heap = heap,
                .graph = graph,
                .index = index,
                .lost = ct_reference_lost_files(index),
                .files = ct_reference_files(index),
                .by_hash.allocator = a,
                .by_inode.allocator = a};
    *moved = (ct_moved_files){.allocator = a};
    ct_array_init(&moved->files, a);
    ct_array_init(&moved->candidates, a);
    ct_array_init(&s.choices, a);
    s.first_choice = CT_NEW_ARRAY(a, uint32_t, index->lost.count + 1);
    s.best = CT_NEW_ARRAY(a, ct_moved_evidence, index->lost.count + 1);
    if (index->lost.count > 0)
        list_files(&s);
    for (uint32_t l = 0; l < index->lost.count; ++l)
        find_choices(&s, l);
    s.first_choice[index->lost.count] = s.choices.count;
    while (take_out(&s)) {
    }
    break_ties(&s);
    for (uint32_t l = 0; l < index->lost.count; ++l)
        add_file(&s, l);
    ct_moved_git_find(moved, graph);
}
