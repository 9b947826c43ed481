#include "resource/types/flow/flow_pure.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/types/flow/flow_once.h"
#include "resource/types/flow/flow_pure_private.h"

// --- Functions by name ---------------------------------------------------------------------------

enum { MOST_FUNCTIONS = 256 };

static _Atomic uint32_t is_sorted;
static ct_flow_function_row sorted[MOST_FUNCTIONS]; // by name
static uint32_t num_sorted;

static int compare_rows(const void *a, const void *b) {
    const ct_flow_function_row *const left = a;
    const ct_flow_function_row *const right = b;
    return strcmp(left->name, right->name);
}

static void prepare(void) {
    const ct_flow_pure_table *const tables[] = {&ct_flow_pure_boolean, &ct_flow_pure_convert,
                                                &ct_flow_pure_number,  &ct_flow_pure_rotation,
                                                &ct_flow_pure_string,  &ct_flow_pure_vector};
    for (uint32_t i = 0; i < CT_COUNT_OF(tables); ++i) {
        CT_ASSERT(num_sorted + tables[i]->count <= MOST_FUNCTIONS,
                  "there are more than %d pure functions", MOST_FUNCTIONS);
        memcpy(&sorted[num_sorted], tables[i]->rows, tables[i]->count * sizeof(sorted[0]));
        num_sorted += tables[i]->count;
    }
    qsort(sorted, num_sorted, sizeof(sorted[0]), compare_rows);
    for (uint32_t i = 1; i < num_sorted; ++i)
        CT_ASSERT(strcmp(sorted[i - 1].name, sorted[i].name) != 0,
                  "two pure functions have the name \"%s\"", sorted[i].name);
}

ct_flow_function ct_flow_find_pure(const char *name) {
    ct_flow_once(&is_sorted, prepare);
    const ct_flow_function_row key = {.name = name};
    const ct_flow_function_row *const row =
        bsearch(&key, sorted, num_sorted, sizeof(sorted[0]), compare_rows);
    return row ? row->function : NULL;
}

// --- Texts ---------------------------------------------------------------------------------------

// Returns how many of `most` bytes of a longer text are whole characters.
static uint32_t whole_characters(const char *text, uint32_t most) {
    uint32_t bytes = most;
    while (bytes > 0 && ((uint8_t)text[bytes] & 0xc0) == 0x80)
        --bytes;
    return bytes;
}

bool ct_flow_set_text(const ct_flow_call *c, uint32_t number, const char *text,
                      uint32_t num_bytes) {
    const uint32_t most = CT_FLOW_STRING_BYTES - 1;
    const bool fits = num_bytes <= most;
    const uint32_t length = fits ? num_bytes : whole_characters(text, most);
    const uint32_t start =
        c->node->slots[c->node->first_output + number] + (uint32_t)sizeof(ct_flow_value);
    char *const place = (char *)c->bases[CT_FLOW_REGION_DYNAMIC] + start;
    memmove(place, text, length); // it may be the text of this place
    place[length] = 0;
    ct_flow_output(c, number)->string =
        (ct_flow_string){.start = start | CT_FLOW_STRING_IS_DYNAMIC, .length = length};
    return fits;
}
