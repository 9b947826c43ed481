#include <unicode/ubrk.h>

#include "foundation/log.h"
#include "text/text_private.h"

// ICU's iterators, made when a text first needs them.
typedef struct ct_text_breaker {
    UBreakIterator *clusters, *lines;
} ct_text_breaker;

// --- Paragraphs ----------------------------------------------------------------------------------

// Returns the length of the line break at `text`, 0 when none is there.
static uint32_t break_length(const uint8_t *text, uint32_t left) {
    switch (text[0]) {
    case '\n':
    case '\v':
    case '\f':
        return 1;
    case '\r':
        return left > 1 && text[1] == '\n' ? 2 : 1;
    case 0xc2: // U+0085
        return left > 1 && text[1] == 0x85 ? 2 : 0;
    case 0xe2: // U+2028, U+2029
        return left > 2 && text[1] == 0x80 && (text[2] == 0xa8 || text[2] == 0xa9) ? 3 : 0;
    default:
        return 0;
    }
}

uint32_t ct_text_paragraph_end(const uint8_t *text, uint32_t num_bytes, uint32_t begin,
                               uint32_t *break_bytes) {
    for (uint32_t i = begin; i < num_bytes; ++i) {
        if (text[i] > '\r' && text[i] < 0xc2)
            continue;
        const uint32_t length = break_length(text + i, num_bytes - i);
        if (length > 0)
            return *break_bytes = length, i;
    }
    return *break_bytes = 0, num_bytes;
}

// --- ICU -----------------------------------------------------------------------------------------

static ct_text_breaker *breaker_of(ct_text *t) {
    if (!t->breaker)
        t->breaker = CT_NEW(t->allocator, ct_text_breaker);
    return t->breaker;
}

static UBreakIterator *open_iterator(UBreakIteratorType type, const char *language) {
    char locale[sizeof(((ct_text *)NULL)->language_tag)]; // as a tag, with _ for -
    uint32_t i = 0;
    for (; language[i] != '\0'; ++i)
        locale[i] = language[i] == '-' ? '_' : language[i];
    locale[i] = '\0';
    UErrorCode status = U_ZERO_ERROR;
    UBreakIterator *const iterator = ubrk_open(type, locale, NULL, 0, &status);
    if (U_SUCCESS(status))
        return iterator;
    ct_log_error("text", "no_breaks", "ICU has no breaks for the language \"%s\": %s", language,
                 u_errorName(status));
    return NULL;
}

// Sets `mark` where the iterator has boundaries, from `begin` to before `end`.
static void mark_boundaries(UBreakIterator *iterator, const uint8_t *text, uint32_t begin,
                            uint32_t end, uint8_t mark, uint8_t *marks) {
    UErrorCode status = U_ZERO_ERROR;
    UText source = UTEXT_INITIALIZER;
    utext_openUTF8(&source, (const char *)text + begin, end - begin, &status);
    ubrk_setUText(iterator, &source, &status);
    if (U_SUCCESS(status)) {
        const int32_t length = (int32_t)(end - begin); // which always is a boundary
        for (int32_t at = ubrk_first(iterator); at >= 0 && at < length; at = ubrk_next(iterator))
            marks[begin + (uint32_t)at] |= mark;
    }
    utext_close(&source);
}

// --- Grapheme clusters ---------------------------------------------------------------------------

// Returns whether a character is a grapheme cluster when its neighbours are simple, too.
static bool is_simple(uint32_t c) {
    return (c < 0x300 && c != '\r') || (c >= 0x370 && c < 0x483) || (c >= 0x48a && c < 0x530) ||
           (c >= 0x5d0 && c < 0x5eb) || (c >= 0x2010 && c < 0x2028) ||
           (c >= 0x3001 && c < 0x302a) || (c >= 0x3041 && c < 0x3097) ||
           (c >= 0x30a0 && c < 0x3100) || (c >= 0x4e00 && c < 0xa000) ||
           (c >= 0xff01 && c < 0xff9e);
}

// NULL, which is reported, when ICU has none.
static UBreakIterator *cluster_iterator(ct_text *t) {
    ct_text_breaker *const breaker = breaker_of(t);
    if (!breaker->clusters)
        breaker->clusters = open_iterator(UBRK_CHARACTER, "");
    return breaker->clusters;
}

static void mark_clusters_by_icu(ct_text *t, const uint8_t *text, uint32_t begin, uint32_t end,
                                 uint8_t *marks) {
    UBreakIterator *const clusters = cluster_iterator(t);
    if (clusters)
        mark_boundaries(clusters, text, begin, end, CT_TEXT_MARK_CLUSTER, marks);
}

// Between two simple characters is a boundary. The rest is for ICU, in parts that begin and end
// with a simple character.
static void mark_clusters(ct_text *t, const uint8_t *text, uint32_t num_bytes, uint8_t *marks) {
    uint32_t last_simple = 0; // where the character before starts, if that is simple
    for (uint32_t at = 0; at < num_bytes;) {
        const uint32_t begin = at;
        if (is_simple(ct_text_next(text, &at))) {
            marks[begin] |= CT_TEXT_MARK_CLUSTER;
            last_simple = begin;
            continue;
        }
        uint32_t last = at;
        while (at < num_bytes) {
            last = at;
            if (is_simple(ct_text_next(text, &at)))
                break;
            last = at;
        }
        mark_clusters_by_icu(t, text, last_simple, at, marks);
        if (at < num_bytes)
            last_simple = last;
    }
    marks[num_bytes] |= CT_TEXT_MARK_CLUSTER;
}

void ct_text_find_breaks(ct_text *t, const uint8_t *text, uint32_t num_bytes, bool has_lines,
                         uint8_t *marks) {
    marks[0] |= CT_TEXT_MARK_CLUSTER;
    mark_clusters(t, text, num_bytes, marks);
    if (!has_lines)
        return;
    ct_text_breaker *const breaker = breaker_of(t);
    if (!breaker->lines)
        breaker->lines = open_iterator(UBRK_LINE, t->language_tag);
    if (breaker->lines)
        mark_boundaries(breaker->lines, text, 0, num_bytes, CT_TEXT_MARK_BREAK, marks);
}

// --- Clusters of a text that is not laid out -----------------------------------------------------

// Returns the boundary that `find` finds from `at`; `otherwise` at the ends of the text.
static uint32_t boundary_from(ct_text *t, const char *text, uint32_t num_bytes, uint32_t at,
                              int32_t (*find)(UBreakIterator *iterator, int32_t at),
                              uint32_t otherwise) {
    UBreakIterator *const clusters = cluster_iterator(t);
    if (!clusters)
        return otherwise;
    UErrorCode status = U_ZERO_ERROR;
    UText source = UTEXT_INITIALIZER;
    utext_openUTF8(&source, text, num_bytes, &status);
    ubrk_setUText(clusters, &source, &status);
    const int32_t found = U_SUCCESS(status) ? find(clusters, (int32_t)at) : UBRK_DONE;
    utext_close(&source);
    return found == UBRK_DONE ? otherwise : (uint32_t)found;
}

static bool is_plain(char c) {
    return c >= ' ' && c <= '~';
}

uint32_t ct_text_next_cluster(ct_text *t, const char *text, uint32_t num_bytes, uint32_t at) {
    if (at >= num_bytes)
        return num_bytes;
    if (at + 1 < num_bytes && is_plain(text[at]) && is_plain(text[at + 1]))
        return at + 1;
    return boundary_from(t, text, num_bytes, at, ubrk_following, num_bytes);
}

uint32_t ct_text_previous_cluster(ct_text *t, const char *text, uint32_t num_bytes, uint32_t at) {
    while (at < num_bytes && ((uint8_t)text[at] & 0xc0) == 0x80)
        ++at; // inside of a code point: after that
    if (at == 0)
        return 0;
    if (at > 1 && is_plain(text[at - 1]) && is_plain(text[at - 2]) &&
        (at == num_bytes || is_plain(text[at])))
        return at - 1;
    return boundary_from(t, text, num_bytes, at, ubrk_preceding, 0);
}

void ct_text_free_breaker(ct_text *t) {
    if (!t->breaker)
        return;
    if (t->breaker->clusters)
        ubrk_close(t->breaker->clusters);
    if (t->breaker->lines)
        ubrk_close(t->breaker->lines);
    ct_free_sized(t->allocator, t->breaker, sizeof(*t->breaker));
    t->breaker = NULL;
}
