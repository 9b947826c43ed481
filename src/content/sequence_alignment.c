#include "content/sequence_alignment.h"

#include <string.h>

#include "foundation/container/hash_map.h"
#include "foundation/error.h"

enum { MOST_DEPTH = 32 }; // of cuts at elements that both sides have once, and into equal parts

// One of the two sequences, without the elements that the other does not have.
typedef struct side {
    uint32_t *symbols;  // numbers of the elements, from 0
    uint32_t *reversed; // the same from the end
    uint32_t *places;   // in the whole sequence
    uint32_t count;
} side;

typedef struct alignment {
    ct_allocator *scratch;
    uint64_t rows_bytes, exact_pairs;
    side a, b;
    uint32_t *match;     // of each element of a: place in b + 1; 0: none
    uint32_t *of_symbol; // two numbers a symbol, all 0 between uses
} alignment;

// Parts of both sequences, from a0 to before a1 and from b0 to before b1.
typedef struct segment {
    uint32_t a0, a1, b0, b1;
} segment;

static uint32_t least_of(uint32_t x, uint32_t y) {
    return x < y ? x : y;
}

static uint64_t pairs_in(segment s) {
    return (uint64_t)(s.a1 - s.a0) * (s.b1 - s.b0);
}

// --- The table, a bit for each pair --------------------------------------------------------------

// The columns of b where an element of a stands, as bits: made for each row from lists of columns;
// for symbols that more than `words` columns have, of which there are at most 64, once.
typedef struct column_masks {
    uint32_t words;
    uint32_t num_columns;
    uint32_t num_dense;
    uint32_t *next;   // of each column: the one before it of the same symbol + 1
    uint64_t *dense;  // 64 masks of `words`
    uint64_t *sparse; // one; zero between uses
} column_masks;

enum { LIST = 0, DENSE = 1 }; // numbers of a symbol: last column + 1, number of dense mask + 1

static void init_masks(column_masks *m, alignment *al, const uint32_t *columns, uint32_t count) {
    *m = (column_masks){.num_columns = count, .words = (count + 63) / 64};
    m->next = CT_NEW_ARRAY(al->scratch, uint32_t, count);
    m->sparse = CT_NEW_ARRAY(al->scratch, uint64_t, m->words);
    for (uint32_t i = 0; i < count; ++i)
        ++al->of_symbol[2 * columns[i] + DENSE];
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t *const of = &al->of_symbol[2 * columns[i]];
        if (of[LIST] == 0)
            of[DENSE] = of[DENSE] > m->words ? ++m->num_dense : 0;
        m->next[i] = of[LIST];
        of[LIST] = i + 1;
    }
    m->dense = CT_NEW_ARRAY(al->scratch, uint64_t, (uint64_t)m->num_dense * m->words);
    for (uint32_t i = 0; i < count && m->num_dense > 0; ++i) {
        const uint32_t number = al->of_symbol[2 * columns[i] + DENSE];
        if (number > 0)
            m->dense[(uint64_t)(number - 1) * m->words + i / 64] |= UINT64_C(1) << i % 64;
    }
}

static void free_masks(column_masks *m, alignment *al, const uint32_t *columns) {
    for (uint32_t i = 0; i < m->num_columns; ++i)
        al->of_symbol[2 * columns[i] + LIST] = al->of_symbol[2 * columns[i] + DENSE] = 0;
    ct_free(al->scratch, m->next);
    ct_free(al->scratch, m->dense);
    ct_free(al->scratch, m->sparse);
}

// The next row of the table, by Hyyrö's formula: bit j is 0 where the length grows at column j.
static void next_row(const uint64_t *row, const uint64_t *mask, uint32_t words, uint64_t *next) {
    unsigned long long carry = 0;
    for (uint32_t w = 0; w < words; ++w) {
        const unsigned long long v = row[w], u = v & mask[w];
        unsigned long long sum;
        const bool over = __builtin_add_overflow(v, u, &sum);
        const bool over_carry = __builtin_add_overflow(sum, carry, &sum);
        carry = over | over_carry;
        next[w] = sum | (v & ~u);
    }
}

static void next_row_of(const alignment *al, column_masks *m, uint32_t symbol, const uint64_t *row,
                        uint64_t *next) {
    const uint32_t *const of = &al->of_symbol[2 * symbol];
    if (of[DENSE] > 0) {
        next_row(row, m->dense + (uint64_t)(of[DENSE] - 1) * m->words, m->words, next);
        return;
    }
    if (of[LIST] == 0) {
        if (row != next)
            memcpy(next, row, sizeof(*row) * m->words);
        return;
    }
    for (uint32_t c = of[LIST]; c > 0; c = m->next[c - 1])
        m->sparse[(c - 1) / 64] |= UINT64_C(1) << (c - 1) % 64;
    next_row(row, m->sparse, m->words, next);
    for (uint32_t c = of[LIST]; c > 0; c = m->next[c - 1])
        m->sparse[(c - 1) / 64] = 0;
}

static bool grows_at(const uint64_t *row, uint32_t column) {
    return (row[column / 64] >> column % 64 & 1) == 0;
}

static uint64_t table_bytes(segment s) {
    return ((uint64_t)(s.a1 - s.a0) + 1) * ((s.b1 - s.b0 + 63) / 64) * sizeof(uint64_t);
}

// Works out the whole table and walks it from its end: left while the length does not grow at the
// column, up while it grows there in the row before, too; where it does not, the two are equal.
static void align_by_table(alignment *al, segment s) {
    const uint32_t *const columns = al->b.symbols + s.b0;
    const uint32_t num_rows = s.a1 - s.a0;
    column_masks masks;
    init_masks(&masks, al, columns, s.b1 - s.b0);
    const uint64_t words = masks.words;
    uint64_t *const rows = ct_alloc(al->scratch, table_bytes(s));
    memset(rows, 0xff, words * sizeof(*rows));
    for (uint32_t i = 0; i < num_rows; ++i)
        next_row_of(al, &masks, al->a.symbols[s.a0 + i], rows + i * words, rows + (i + 1) * words);
    for (uint32_t i = num_rows, j = s.b1 - s.b0; i > 0 && j > 0;) {
        if (!grows_at(rows + i * words, j - 1)) {
            --j;
        } else {
            --i;
            if (!grows_at(rows + i * words, j - 1))
                al->match[s.a0 + i] = s.b0 + j--;
        }
    }
    ct_free(al->scratch, rows);
    free_masks(&masks, al, columns);
}

// The last row of the table of `num_rows` elements against `num_columns`.
static void last_row(alignment *al, const uint32_t *elements, uint32_t num_rows,
                     const uint32_t *columns, uint32_t num_columns, uint64_t *row) {
    column_masks masks;
    init_masks(&masks, al, columns, num_columns);
    memset(row, 0xff, masks.words * sizeof(*row));
    for (uint32_t i = 0; i < num_rows; ++i)
        next_row_of(al, &masks, elements[i], row, row);
    free_masks(&masks, al, columns);
}

// Where a longest subsequence crosses the middle of a: the place in b at which the lengths of what
// is before (from one table) and after (from the table of both reversed) add up to most.
static uint32_t middle_of(alignment *al, segment s, uint32_t middle) {
    const uint32_t count = s.b1 - s.b0, words = (count + 63) / 64;
    uint64_t *const before = CT_NEW_ARRAY(al->scratch, uint64_t, words);
    uint64_t *const after = CT_NEW_ARRAY(al->scratch, uint64_t, words);
    last_row(al, al->a.symbols + s.a0, middle - s.a0, al->b.symbols + s.b0, count, before);
    last_row(al, al->a.reversed + (al->a.count - s.a1), s.a1 - middle,
             al->b.reversed + (al->b.count - s.b1), count, after);
    // Against that at the start, where all of the second table's length is after.
    int64_t length = 0, best = 0;
    uint32_t best_place = 0;
    for (uint32_t j = 0; j < count; ++j) {
        length += (int64_t)grows_at(before, j) - (int64_t)grows_at(after, count - 1 - j);
        if (length > best) {
            best = length;
            best_place = j + 1;
        }
    }
    ct_free(al->scratch, before);
    ct_free(al->scratch, after);
    return s.b0 + best_place;
}

// --- Cutting -------------------------------------------------------------------------------------

static void align_segment(alignment *al, segment s, uint32_t depth);

static void align_halves(alignment *al, segment s, uint32_t depth) {
    const uint32_t a = s.a0 + (s.a1 - s.a0) / 2, b = middle_of(al, s, a);
    align_segment(al, (segment){s.a0, a, s.b0, b}, depth);
    align_segment(al, (segment){a, s.a1, b, s.b1}, depth);
}

static void align_parts(alignment *al, segment s, uint32_t depth) {
    const uint64_t wanted = pairs_in(s) / al->exact_pairs / 4 + 2;
    const uint32_t most = least_of(s.a1 - s.a0, s.b1 - s.b0);
    const uint64_t num_parts = wanted < most ? wanted : most;
    segment part = {s.a0, s.a0, s.b0, s.b0};
    for (uint64_t i = 1; i <= num_parts; ++i) {
        part.a1 = s.a0 + (uint32_t)((s.a1 - s.a0) * i / num_parts);
        part.b1 = s.b0 + (uint32_t)((s.b1 - s.b0) * i / num_parts);
        align_segment(al, part, depth);
        part.a0 = part.a1;
        part.b0 = part.b1;
    }
}

typedef struct anchor {
    uint32_t a, b;
    uint32_t previous; // of the longest increasing sequence that ends here, + 1
} anchor;

typedef CT_ARRAY(anchor) anchor_array;

static const uint32_t TWICE = UINT32_MAX;

// Says of each symbol in of_symbol where it stands, + 1, or TWICE. `which`: 0 for a, 1 for b.
static void note_symbols(alignment *al, const uint32_t *symbols, uint32_t begin, uint32_t end,
                         uint32_t which) {
    for (uint32_t i = begin; i < end; ++i) {
        uint32_t *const of = &al->of_symbol[2 * symbols[i] + which];
        *of = *of == 0 ? i + 1 : TWICE;
    }
}

static void find_anchors(alignment *al, segment s, anchor_array *anchors) {
    note_symbols(al, al->a.symbols, s.a0, s.a1, 0);
    note_symbols(al, al->b.symbols, s.b0, s.b1, 1);
    for (uint32_t i = s.a0; i < s.a1; ++i) {
        const uint32_t *const of = &al->of_symbol[2 * al->a.symbols[i]];
        if (of[0] != TWICE && of[1] != TWICE && of[1] != 0)
            ct_array_push(anchors, (anchor){i, of[1] - 1, 0});
    }
    for (uint32_t i = s.a0; i < s.a1; ++i)
        memset(&al->of_symbol[2 * al->a.symbols[i]], 0, 2 * sizeof(uint32_t));
    for (uint32_t i = s.b0; i < s.b1; ++i)
        memset(&al->of_symbol[2 * al->b.symbols[i]], 0, 2 * sizeof(uint32_t));
}

// Matches a longest sequence of anchors that grow in both places (Fredman 1975). False when there
// are no anchors.
static bool match_anchors(alignment *al, segment s) {
    anchor_array anchors;
    ct_u32_array ends; // of the sequences of each length: the anchor least in b, + 1
    ct_array_init(&anchors, al->scratch);
    ct_array_init(&ends, al->scratch);
    find_anchors(al, s, &anchors);
    for (uint32_t i = 0; i < anchors.count; ++i) {
        uint32_t low = 0, high = ends.count;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (anchors.items[ends.items[middle] - 1].b < anchors.items[i].b)
                low = middle + 1;
            else
                high = middle;
        }
        anchors.items[i].previous = low > 0 ? ends.items[low - 1] : 0;
        if (low == ends.count)
            ct_array_push(&ends, 0);
        ends.items[low] = i + 1;
    }
    const bool has_any = ends.count > 0;
    for (uint32_t i = has_any ? ends.items[ends.count - 1] : 0; i > 0;
         i = anchors.items[i - 1].previous)
        al->match[anchors.items[i - 1].a] = anchors.items[i - 1].b + 1;
    ct_array_free(&anchors);
    ct_array_free(&ends);
    return has_any;
}

static bool align_between_anchors(alignment *al, segment s, uint32_t depth) {
    if (!match_anchors(al, s))
        return false;
    segment gap = {s.a0, s.a0, s.b0, s.b0};
    for (uint32_t i = s.a0; i < s.a1; ++i) {
        if (al->match[i] == 0)
            continue;
        gap.a1 = i;
        gap.b1 = al->match[i] - 1;
        align_segment(al, gap, depth);
        gap.a0 = i + 1;
        gap.b0 = al->match[i];
    }
    gap.a1 = s.a1;
    gap.b1 = s.b1;
    align_segment(al, gap, depth);
    return true;
}

static segment match_ends(alignment *al, segment s) {
    const uint32_t *const a = al->a.symbols, *const b = al->b.symbols;
    for (; s.a0 < s.a1 && s.b0 < s.b1 && a[s.a0] == b[s.b0]; ++s.a0, ++s.b0)
        al->match[s.a0] = s.b0 + 1;
    for (; s.a0 < s.a1 && s.b0 < s.b1 && a[s.a1 - 1] == b[s.b1 - 1]; --s.a1, --s.b1)
        al->match[s.a1 - 1] = s.b1;
    return s;
}

static void align_segment(alignment *al, segment s, uint32_t depth) {
    s = match_ends(al, s);
    if (pairs_in(s) == 0)
        return;
    if (s.a1 - s.a0 == 1 || table_bytes(s) <= al->rows_bytes)
        align_by_table(al, s);
    else if (s.b1 - s.b0 == 1 || pairs_in(s) <= al->exact_pairs)
        align_halves(al, s, depth);
    else if (depth >= MOST_DEPTH || !align_between_anchors(al, s, depth + 1))
        align_parts(al, s, depth + 1);
}

// --- Sides and runs ------------------------------------------------------------------------------

// Numbers the elements that both have and keeps only these.
static uint32_t number_elements(alignment *al, const uint64_t *a, uint32_t num_a, const uint64_t *b,
                                uint32_t num_b) {
    ct_hash_map numbers;
    ct_hash_map_init(&numbers, al->scratch);
    ct_hash_map_reserve(&numbers, num_a);
    for (uint32_t i = 0; i < num_a; ++i)
        ct_hash_map_set(&numbers, a[i], 0); // not yet in b
    uint32_t num_symbols = 0;
    for (uint32_t i = 0; i < num_b; ++i) {
        uint64_t *const number = ct_hash_map_find(&numbers, b[i]);
        if (!number)
            continue;
        if (*number == 0)
            *number = ++num_symbols;
        al->b.places[al->b.count] = i;
        al->b.symbols[al->b.count++] = (uint32_t)*number - 1;
    }
    for (uint32_t i = 0; i < num_a; ++i) {
        const uint64_t number = ct_hash_map_get(&numbers, a[i], 0);
        if (number == 0)
            continue;
        al->a.places[al->a.count] = i;
        al->a.symbols[al->a.count++] = (uint32_t)number - 1;
    }
    ct_hash_map_free(&numbers);
    return num_symbols;
}

static void init_side(side *s, ct_allocator *scratch, uint32_t count) {
    *s = (side){CT_NEW_ARRAY(scratch, uint32_t, count), CT_NEW_ARRAY(scratch, uint32_t, count),
                CT_NEW_ARRAY(scratch, uint32_t, count), 0};
}

static void free_side(side *s, ct_allocator *scratch) {
    ct_free(scratch, s->symbols);
    ct_free(scratch, s->reversed);
    ct_free(scratch, s->places);
}

static void reverse_side(side *s) {
    for (uint32_t i = 0; i < s->count; ++i)
        s->reversed[i] = s->symbols[s->count - 1 - i];
}

static void push_run(ct_sequence_run_array *runs, uint32_t first, ct_sequence_run run) {
    ct_sequence_run *const last = runs->count > first ? &runs->items[runs->count - 1] : NULL;
    if (last && last->a + last->count == run.a && last->b + last->count == run.b)
        last->count += run.count;
    else if (run.count > 0)
        ct_array_push(runs, run);
}

// True when all elements of `run` stand as well `by_a` and `by_b` further on. Only one of both
// sides has something between runs that join, so that one of the two is 0.
static bool can_slide(const uint64_t *a, const uint64_t *b, ct_sequence_run run, int64_t by_a,
                      int64_t by_b) {
    if (by_a != 0 && by_b != 0)
        return false;
    const uint64_t bytes = sizeof(*a) * run.count;
    return memcmp(a + (run.a + by_a), b + (run.b + by_b), bytes) == 0;
}

// Joins runs with the next one, from the last on, then with the one before, from the first on.
static void join_runs(const uint64_t *a, const uint64_t *b, uint32_t first,
                      ct_sequence_run_array *runs) {
    ct_sequence_run *const r = runs->items;
    uint32_t begin = runs->count; // of those that are done, at the array's end
    for (uint32_t i = runs->count; i-- > first;) {
        ct_sequence_run *const next = begin < runs->count ? &r[begin] : NULL;
        if (next && can_slide(a, b, r[i], (int64_t)next->a - r[i].a - r[i].count,
                              (int64_t)next->b - r[i].b - r[i].count)) {
            next->a -= r[i].count;
            next->b -= r[i].count;
            next->count += r[i].count;
        } else {
            r[--begin] = r[i];
        }
    }
    const uint32_t end = runs->count;
    runs->count = first;
    for (uint32_t i = begin; i < end; ++i) {
        ct_sequence_run *const last = runs->count > first ? &r[runs->count - 1] : NULL;
        const int64_t by_a = last ? (int64_t)last->a + last->count - r[i].a : 0;
        const int64_t by_b = last ? (int64_t)last->b + last->count - r[i].b : 0;
        if (last && can_slide(a, b, r[i], by_a, by_b))
            last->count += r[i].count;
        else
            r[runs->count++] = r[i];
    }
}

// What the elements between the common start and end have in common.
static void align_middle(const uint64_t *a, uint32_t num_a, const uint64_t *b, uint32_t num_b,
                         const ct_sequence_limits *limits, ct_allocator *scratch, uint32_t offset,
                         uint32_t first, ct_sequence_run_array *runs) {
    alignment al = {
        .scratch = scratch, .rows_bytes = UINT64_C(64) << 20, .exact_pairs = UINT64_C(1) << 33};
    if (limits && limits->rows_bytes > 0)
        al.rows_bytes = limits->rows_bytes;
    if (limits && limits->exact_pairs > 0)
        al.exact_pairs = limits->exact_pairs;
    init_side(&al.a, scratch, num_a);
    init_side(&al.b, scratch, num_b);
    const uint32_t num_symbols = number_elements(&al, a, num_a, b, num_b);
    reverse_side(&al.a);
    reverse_side(&al.b);
    al.match = CT_NEW_ARRAY(scratch, uint32_t, al.a.count);
    al.of_symbol = CT_NEW_ARRAY(scratch, uint32_t, (uint64_t)num_symbols * 2);
    align_segment(&al, (segment){0, al.a.count, 0, al.b.count}, 0);
    for (uint32_t i = 0; i < al.a.count; ++i) {
        if (al.match[i] > 0)
            push_run(runs, first,
                     (ct_sequence_run){offset + al.a.places[i],
                                       offset + al.b.places[al.match[i] - 1], 1});
    }
    ct_free(scratch, al.match);
    ct_free(scratch, al.of_symbol);
    free_side(&al.a, scratch);
    free_side(&al.b, scratch);
}

void ct_sequence_align(const uint64_t *a, uint32_t num_a, const uint64_t *b, uint32_t num_b,
                       const ct_sequence_limits *limits, ct_allocator *scratch,
                       ct_sequence_run_array *runs) {
    const uint32_t first = runs->count, least = least_of(num_a, num_b);
    uint32_t start = 0, end = 0;
    while (start < least && a[start] == b[start])
        ++start;
    while (end < least - start && a[num_a - 1 - end] == b[num_b - 1 - end])
        ++end;
    push_run(runs, first, (ct_sequence_run){0, 0, start});
    if (num_a - start > end && num_b - start > end)
        align_middle(a + start, num_a - start - end, b + start, num_b - start - end, limits,
                     scratch, start, first, runs);
    push_run(runs, first, (ct_sequence_run){num_a - end, num_b - end, end});
    join_runs(a, b, first, runs);
}
