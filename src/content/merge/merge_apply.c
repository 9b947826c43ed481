#include "content/merge/merge_apply.h"

#include "foundation/container/sort.h"

// The first values of mine are there to show how it is written; but not those of large arrays.
enum { SHOWN_ENTRIES = 512, SHOWN_SIZE = 4096 };

// --- What is opened ------------------------------------------------------------------------------

// Where the edits are: sorted numbers. For mine, twice the entry of what is edited, or twice the
// container's and one where something is put in; for theirs, the entries that are taken.
typedef struct places {
    const ct_sjson *tape;
    ct_u32_array sorted;
} places;

static void sort_places(places *p) {
    ct_u32_array scratch;
    ct_array_init(&scratch, p->sorted.allocator);
    ct_array_resize(&scratch, p->sorted.count);
    ct_sort_u32(p->sorted.items, scratch.items, p->sorted.count);
    ct_array_free(&scratch);
}

// The position of the first place that is not below `place`.
static uint32_t first_from(const places *p, uint64_t place) {
    uint32_t low = 0, high = p->sorted.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->sorted.items[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t end_of(const ct_sjson *tape, uint32_t container) {
    return tape->entries.items[container].as.container.end;
}

// Of mine, containers in which something is edited, however deep.
static bool is_open_in_mine(void *user, ct_sjson_value container) {
    const places *const p = user;
    const uint32_t begin = container.entry, end = end_of(p->tape, begin);
    if (begin < SHOWN_ENTRIES && end - begin < SHOWN_SIZE)
        return true;
    const uint32_t at = first_from(p, 2ull * begin + 1);
    return at < p->sorted.count && p->sorted.items[at] < 2ull * end;
}

// Of theirs, containers that are taken, or in which something is.
static bool is_open_in_theirs(void *user, ct_sjson_value container) {
    const places *const p = user;
    const uint32_t at = first_from(p, container.entry);
    if (at < p->sorted.count && p->sorted.items[at] < end_of(p->tape, container.entry))
        return true;
    const uint32_t last = at ? p->sorted.items[at - 1] : 0; // it may be around the container
    const ct_sjson_entry *const e = &p->tape->entries.items[last];
    return last && e->type >= CT_SJSON_TYPE_ARRAY && container.entry < e->as.container.end;
}

ct_sjson_document *ct_merge_outline(const ct_merge_plan *plan, ct_merge_side side, ct_sjson *tape,
                                    const char *text, uint64_t size_bytes) {
    const bool is_mine = side == CT_MERGE_MINE;
    places p = {.tape = tape};
    ct_array_init(&p.sorted, plan->allocator);
    for (uint32_t i = 0; i < plan->edits.count; ++i) {
        const ct_merge_edit *const e = &plan->edits.items[i];
        if (is_mine)
            ct_array_push(&p.sorted, e->mine ? 2 * e->mine : 2 * e->container + 1);
        else if (e->theirs)
            ct_array_push(&p.sorted, e->theirs);
    }
    sort_places(&p);
    ct_sjson_document *const doc = ct_sjson_document_outline(
        tape, text, size_bytes, NULL, is_mine ? is_open_in_mine : is_open_in_theirs, &p);
    ct_array_free(&p.sorted);
    return doc;
}

// --- Edits ---------------------------------------------------------------------------------------

typedef struct applier {
    ct_allocator *allocator;
    ct_sjson_document *mine;
    const ct_sjson_document *theirs;
} applier;

static ct_sjson_node node_of(const ct_sjson_document *doc, uint32_t entry) {
    if (!entry)
        return (ct_sjson_node){0};
    const ct_sjson_node node = ct_sjson_document_outlined(doc, (ct_sjson_value){entry});
    CT_ASSERT(node.index, "entry %u of %s is not open", entry, ct_sjson_document_file(doc));
    return node;
}

static bool set(const applier *p, const ct_merge_edit *e, ct_error *error) {
    ct_string_builder text;
    ct_string_builder_init(&text, p->allocator);
    ct_sjson_document_write_value(p->theirs, node_of(p->theirs, e->theirs), &text);
    const bool ok =
        ct_sjson_document_set(p->mine, node_of(p->mine, e->mine), text.text, text.length, error);
    ct_string_builder_free(&text);
    return ok;
}

static bool apply_edit(const applier *p, const ct_merge_edit *e, ct_error *error) {
    const ct_sjson_node container = node_of(p->mine, e->container);
    const ct_sjson_node before = node_of(p->mine, e->before);
    switch (e->kind) {
    case CT_MERGE_EDIT_KIND_SET:
        return set(p, e, error);
    case CT_MERGE_EDIT_KIND_REMOVE:
        ct_sjson_document_remove(p->mine, node_of(p->mine, e->mine));
        return true;
    case CT_MERGE_EDIT_KIND_INSERT:
        return ct_sjson_document_copy_new(p->mine, container, before, p->theirs,
                                          node_of(p->theirs, e->theirs), error)
            .index;
    case CT_MERGE_EDIT_KIND_MOVE:
        return ct_sjson_document_move(p->mine, node_of(p->mine, e->mine), container, before, error);
    default:
        return true;
    }
}

bool ct_merge_apply(const ct_merge_plan *plan, const ct_sjson_document *theirs,
                    ct_sjson_document *mine, ct_error *error) {
    const applier p = {.allocator = plan->allocator, .mine = mine, .theirs = theirs};
    bool ok = true;
    for (uint32_t i = 0; i < plan->edits.count && ok; ++i)
        ok = apply_edit(&p, &plan->edits.items[i], error);
    return ok;
}
