#include "content/move/moved_git.h"

#include <stdio.h>
#include <string.h>

#include "foundation/string/string_id.h"
#include "project/project_git_renames.h"

typedef struct git_search {
    ct_moved_files *moved;
    ct_allocator *allocator;
    const ct_reference_graph *graph;
    const ct_reference_index *index;
    ct_hash_map missing; // what references miss (ct_content_name_key): 1, once it is found 2
    ct_git_entries head;
    ct_hash_map in_head; // paths of the last commit
    CT_ARRAY(const ct_git_entry *) lost;
    ct_string_array paths, objects; // files that the last commit does not have
} git_search;

static uint64_t text_key(const char *text) {
    return ct_string_id64_of(text).value;
}

static bool is_there(const git_search *s, const char *path) {
    return ct_reference_index_find(s->index, path) != UINT32_MAX;
}

// --- What is missing -----------------------------------------------------------------------------

// Everything that the project's references miss, but what has been found already.
static void find_missing(git_search *s) {
    for (uint32_t i = 0; i < s->graph->missing.count; ++i) {
        const ct_reference_missing *const missing = &s->graph->missing.items[i];
        const ct_reference_mention *const m = &ct_reference_mentions(s->index)[missing->mention];
        if (missing->file < s->index->num_project)
            ct_hash_map_set(
                &s->missing,
                ct_content_name_key(ct_reference_type(m), ct_reference_text(s->index, m->name)), 1);
    }
    for (uint32_t i = 0; i < s->moved->files.count; ++i)
        if (s->moved->files.items[i].evidence > CT_MOVED_EVIDENCE_LIKE)
            ct_hash_map_set(&s->missing, ct_content_file_key(s->moved->files.items[i].path), 2);
}

static bool is_any_missing(const git_search *s) {
    uint32_t cursor = 0;
    for (const ct_hash_map_entry *e; (e = ct_hash_map_next(&s->missing, &cursor));)
        if (e->value == 1)
            return true;
    return false;
}

// True for the path of a file that is not there while something names it.
static bool is_missing(const git_search *s, const char *path) {
    return strlen(path) < CT_PATH_BYTES && !is_there(s, path) &&
           ct_hash_map_get(&s->missing, ct_content_file_key(path), 0) == 1;
}

static ct_moved_file *begin_file(git_search *s, const char *path, ct_moved_evidence evidence) {
    ct_array_push(&s->moved->files, (ct_moved_file){.path = path,
                                                    .first_candidate = s->moved->candidates.count,
                                                    .evidence = evidence});
    return &s->moved->files.items[s->moved->files.count - 1];
}

static void add_candidate(git_search *s, ct_moved_file *file, const char *path) {
    ct_array_push(&s->moved->candidates, path);
    ++file->num_candidates;
}

// --- By content ----------------------------------------------------------------------------------

static void find_lost(git_search *s) {
    for (uint32_t i = 0; i < s->head.count; ++i) {
        const ct_git_entry *const entry = &s->head.items[i];
        ct_hash_map_set(&s->in_head, text_key(entry->path), i + 1);
        if (is_missing(s, entry->path))
            ct_array_push(&s->lost, entry);
    }
}

// Files that the last commit does not have, and that are what any of the lost ones was.
static bool find_new(git_search *s) {
    ct_hash_map extensions = {.allocator = s->allocator};
    for (uint32_t i = 0; i < s->lost.count; ++i)
        ct_hash_map_set(&extensions, text_key(ct_path_extension(s->lost.items[i]->path)), 1);
    for (uint32_t i = 0; i < s->index->num_project; ++i) {
        const char *const path = ct_reference_text(s->index, ct_reference_files(s->index)[i].path);
        if (ct_hash_map_get(&extensions, text_key(ct_path_extension(path)), 0) > 0 &&
            ct_hash_map_get(&s->in_head, text_key(path), 0) == 0 && !strchr(path, '\n'))
            ct_array_push(&s->paths, (char *)(uintptr_t)path);
    }
    return ct_git_hash_files(s->allocator, s->graph->roots.project,
                             (const char *const *)(void *)s->paths.items, s->paths.count,
                             &s->objects, NULL);
}

// Another file of the last commit has this content, too, and is still there.
static bool is_common(const git_search *s, const ct_git_entry *lost) {
    for (uint32_t i = 0; i < s->head.count; ++i)
        if (strcmp(s->head.items[i].object, lost->object) == 0 &&
            ct_moved_is_same_kind(s->head.items[i].path, lost->path) &&
            is_there(s, s->head.items[i].path))
            return true;
    return false;
}

static ct_moved_evidence evidence_for(const git_search *s, const ct_git_entry *lost, uint32_t i) {
    const char *const path = s->paths.items[i];
    if (strcmp(s->objects.items[i], lost->object) != 0 || !ct_moved_is_same_kind(path, lost->path))
        return CT_MOVED_EVIDENCE_NONE;
    if (strcmp(ct_path_file_name(path), ct_path_file_name(lost->path)) == 0)
        return CT_MOVED_EVIDENCE_NAME;
    return CT_MOVED_EVIDENCE_CONTENT;
}

static void find_by_content(git_search *s, const ct_git_entry *lost) {
    ct_moved_evidence best = CT_MOVED_EVIDENCE_NONE;
    for (uint32_t i = 0; i < s->paths.count; ++i) {
        const ct_moved_evidence evidence = evidence_for(s, lost, i);
        best = evidence > best ? evidence : best;
    }
    if (best == CT_MOVED_EVIDENCE_NONE)
        return;
    const bool is_like = best == CT_MOVED_EVIDENCE_CONTENT && is_common(s, lost);
    ct_moved_file *const file = begin_file(s, lost->path, is_like ? CT_MOVED_EVIDENCE_LIKE : best);
    for (uint32_t i = 0; i < s->paths.count; ++i)
        if (evidence_for(s, lost, i) == best)
            add_candidate(s, file, s->paths.items[i]);
    ct_hash_map_set(&s->missing, ct_content_file_key(lost->path), is_like ? 1 : 2);
}

// --- By history ----------------------------------------------------------------------------------

// The file called as media were renamed that were called like the lost one: as `cuttle mv` renames
// both, of which the source then differs. Writes its path.
static bool find_beside_media(const git_search *s, const ct_git_events *events, const char *lost,
                              char found[CT_PATH_BYTES]) {
    const char *const suffix = ct_path_file_name(lost) + strcspn(ct_path_file_name(lost), ".");
    const size_t length = (size_t)(suffix - lost);
    for (uint32_t i = 0; i < events->count; ++i) {
        const char *const media = events->items[i].from;
        const bool is_like = strncmp(media, lost, length) == 0 && media[length] == '.' &&
                             !strchr(media + length, '/') && !ct_content_type_of(media);
        const char *const to = is_like ? ct_git_follow(events, media) : NULL;
        if (!to || !is_there(s, to))
            continue;
        const char *const name = ct_path_file_name(to);
        const int stem = (int)(name - to) + (int)strcspn(name, ".");
        if (snprintf(found, CT_PATH_BYTES, "%.*s%s", stem, to, suffix) < CT_PATH_BYTES &&
            is_there(s, found))
            return true;
    }
    return false;
}

static void find_by_events(git_search *s, const ct_git_events *events, const char *lost) {
    char beside[CT_PATH_BYTES];
    const char *const to = ct_git_follow(events, lost);
    if (to && is_there(s, to) && ct_moved_is_same_kind(lost, to))
        add_candidate(s, begin_file(s, lost, CT_MOVED_EVIDENCE_GIT), to);
    else if (!to && ct_content_type_of(lost) && find_beside_media(s, events, lost, beside))
        add_candidate(s, begin_file(s, lost, CT_MOVED_EVIDENCE_GIT),
                      ct_copy_string(s->allocator, beside));
}

static void find_by_history(git_search *s) {
    ct_git_events events;
    ct_hash_map done = {.allocator = s->allocator};
    ct_array_init(&events, s->allocator);
    if (!is_any_missing(s) ||
        !ct_git_read_events(s->allocator, s->graph->roots.project, &events, NULL))
        return;
    for (uint32_t i = 0; i < events.count; ++i) {
        const char *const from = events.items[i].from;
        if (!is_missing(s, from) || ct_hash_map_get(&done, text_key(from), 0) > 0)
            continue;
        ct_hash_map_set(&done, text_key(from), 1);
        find_by_events(s, &events, from);
    }
}

void ct_moved_git_find(ct_moved_files *moved, const ct_reference_graph *graph) {
    ct_allocator *const a = moved->allocator;
    git_search s = {.moved = moved,
                    .allocator = a,
                    .graph = graph,
                    .index = graph->index,
                    .missing.allocator = a,
                    .in_head.allocator = a};
    ct_array_init(&s.head, a);
    ct_array_init(&s.lost, a);
    ct_array_init(&s.paths, a);
    ct_array_init(&s.objects, a);
    find_missing(&s);
    if (!is_any_missing(&s) || !ct_git_has_work_tree(graph->roots.project) ||
        !ct_git_read_head(a, graph->roots.project, &s.head, NULL))
        return;
    find_lost(&s);
    if (s.lost.count > 0 && find_new(&s))
        for (uint32_t i = 0; i < s.lost.count; ++i)
            find_by_content(&s, s.lost.items[i]);
    find_by_history(&s);
}
