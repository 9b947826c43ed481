#include <string.h>

#include "foundation/log.h"
#include "resource/types/flow/flow_pure_private.h"

static bool are_equal(const ct_flow_call *c) {
    const uint32_t length = ct_flow_text_length(c, 0);
    return length == ct_flow_text_length(c, 1) &&
           memcmp(ct_flow_text(c, 0), ct_flow_text(c, 1), length) == 0;
}

static uint32_t count_characters(const char *text, uint32_t num_bytes) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < num_bytes; ++i)
        count += ((uint8_t)text[i] & 0xc0) != 0x80; // not within one
    return count;
}

// Copies a text to `out`, at most as much as a text of a graph can have, and one byte: then the
// result is cut. Returns the number of bytes.
static uint32_t copy_input(const ct_flow_call *c, uint32_t number, char *out) {
    const uint32_t length = ct_flow_text_length(c, number);
    const uint32_t bytes = length < CT_FLOW_STRING_BYTES ? length : CT_FLOW_STRING_BYTES;
    memcpy(out, ct_flow_text(c, number), bytes);
    return bytes;
}

CT_FLOW_PURE(string_equal, bool, are_equal(c))
CT_FLOW_PURE(string_not_equal, bool, !are_equal(c))
CT_FLOW_PURE(string_length, number, count_characters(ct_flow_text(c, 0), ct_flow_text_length(c, 0)))

static uint32_t string_concatenate(ct_flow_call *c, uint32_t event) {
    (void)event;
    char text[2 * CT_FLOW_STRING_BYTES];
    uint32_t length = copy_input(c, 0, text);
    length += copy_input(c, 1, text + length);
    if (!ct_flow_set_text(c, 0, text, length))
        ct_log_warning("flow", "flow_text_cut",
                       "a text of a flow graph was cut, as it is longer than %d bytes: \"%.40s…\"",
                       CT_FLOW_STRING_BYTES - 1, text);
    return CT_FLOW_STOP;
}

static const ct_flow_function_row rows[] = {
    {"string_concatenate", string_concatenate},
    {"string_equal", string_equal},
    {"string_length", string_length},
    {"string_not_equal", string_not_equal},
};

const ct_flow_pure_table ct_flow_pure_string = {rows, CT_COUNT_OF(rows)};
