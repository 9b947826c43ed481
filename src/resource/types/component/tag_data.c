#include "resource/types/component/tag_data.h"

#include <string.h>

static bool stands_before(const ct_tag_data *data, uint32_t i) {
    for (uint32_t k = 0; k < i; ++k) {
        if (data->tags[k].value == data->tags[i].value)
            return true;
    }
    return false;
}

bool ct_tag_data_check(const void *bytes, uint32_t size_bytes, ct_error *error) {
    const ct_tag_data *const data = bytes;
    if (size_bytes < sizeof(*data) ||
        data->num_tags > (size_bytes - sizeof(*data)) / sizeof(*data->tags))
        return ct_error_set(error, "tags do not fit into %u bytes", size_bytes);
    const char *text = (const char *)&data->tags[data->num_tags];
    const char *const end = (const char *)bytes + size_bytes;
    for (uint32_t i = 0; i < data->num_tags; ++i) {
        const size_t length = strnlen(text, (size_t)(end - text));
        if (length == (size_t)(end - text))
            return ct_error_set(error, "the text of tag %u is not terminated", i);
        if (length == 0 || ct_string_id32_of_bytes(text, length).value != data->tags[i].value)
            return ct_error_set(error, "the id of tag %u does not match its text", i);
        if (data->tags[i].value == 0) // some texts have the id 0
            return ct_error_set(error, "tag %u is invalid: its id is 0", i);
        if (stands_before(data, i))
            return ct_error_set(error, "tag %u is listed twice", i);
        text += length + 1;
    }
    return true;
}

const char *ct_tag_data_text(const ct_tag_data *data, uint32_t i) {
    const char *text = (const char *)&data->tags[data->num_tags];
    while (i-- > 0)
        text += strlen(text) + 1;
    return text;
}
