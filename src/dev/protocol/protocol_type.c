#include "dev/protocol/protocol_type.h"

#include <string.h>

#include "foundation/error.h"

// Returns the bytes up to and with the parenthesis that closes the one at the start.
static uint32_t group_bytes(const char *text, uint32_t bytes) {
    uint32_t depth = 0;
    for (uint32_t i = 0; i < bytes; ++i) {
        depth += text[i] == '(';
        if (text[i] == ')' && --depth == 0)
            return i + 1;
    }
    CT_FAIL("a closed parenthesis", "a type has an open parenthesis: %.*s", (int)bytes, text);
}

static ct_protocol_kind kind_of_name(const char *text, uint32_t bytes) {
    static const char *const names[] = {[CT_PROTOCOL_KIND_ANY] = "any",
                                        [CT_PROTOCOL_KIND_STRING] = "string",
                                        [CT_PROTOCOL_KIND_NUMBER] = "number",
                                        [CT_PROTOCOL_KIND_INTEGER] = "integer",
                                        [CT_PROTOCOL_KIND_BOOLEAN] = "boolean"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        if (strlen(names[i]) == bytes && memcmp(names[i], text, bytes) == 0)
            return (ct_protocol_kind)i;
    }
    return CT_PROTOCOL_KIND_SHAPE;
}

bool ct_protocol_next_part(const char **type, uint32_t *bytes, ct_protocol_part *part) {
    const char *const text = *type;
    if (*bytes == 0 || text[0] == '?')
        return false;
    uint32_t end;
    if (text[0] == '(') {
        end = group_bytes(text, *bytes);
        *part = (ct_protocol_part){CT_PROTOCOL_KIND_GROUP, text + 1, end - 2, 0};
    } else if (text[0] == '"') {
        const char *const close = memchr(text + 1, '"', *bytes - 1);
        CT_ASSERT(close, "a type has an open string: %.*s", (int)*bytes, text);
        end = (uint32_t)(close - text) + 1;
        *part = (ct_protocol_part){CT_PROTOCOL_KIND_LITERAL, text + 1, end - 2, 0};
    } else {
        for (end = 0; end < *bytes && !strchr("|[?", text[end]);)
            ++end;
        CT_ASSERT(end > 0, "a type has no name: %.*s", (int)*bytes, text);
        *part = (ct_protocol_part){kind_of_name(text, end), text, end, 0};
    }
    for (; end + 1 < *bytes && text[end] == '[' && text[end + 1] == ']'; end += 2)
        ++part->num_arrays;
    CT_ASSERT(end == *bytes || text[end] == '|' || text[end] == '?', "no type: %.*s", (int)*bytes,
              text);
    end += end < *bytes && text[end] == '|';
    *type += end;
    *bytes -= end;
    return true;
}

bool ct_protocol_is_optional(const char *type) {
    const size_t length = strlen(type);
    return length > 0 && type[length - 1] == '?';
}
