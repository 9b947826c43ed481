#include "compiler/strings/strings_placeholders.h"

#include <stdio.h>
#include <string.h>

// Calls `each` for the placeholders of all forms until it returns true; returns whether it did.
static bool any_placeholder(ct_strings_placed_text t,
                            bool (*each)(void *user, const ct_strings_piece *piece), void *user) {
    for (uint32_t i = 0; i < CT_PLURAL_COUNT; ++i) {
        if (!t.text->forms[i].entry)
            continue;
        const char *at = ct_sjson_string(t.doc, t.text->forms[i], "");
        const char *const end = at + ct_sjson_string_bytes(t.doc, t.text->forms[i]);
        ct_strings_piece piece;
        while (ct_strings_next_piece(&at, end, &piece)) {
            if (piece.kind == CT_STRINGS_PIECE_PLACEHOLDER && each(user, &piece))
                return true;
        }
    }
    return false;
}

static bool is_piece(void *user, const ct_strings_piece *piece) {
    const ct_strings_piece *const wanted = user;
    return wanted->bytes == piece->bytes && memcmp(wanted->text, piece->text, piece->bytes) == 0;
}

typedef struct name_list {
    ct_strings_placed_text other;
    ct_string_builder *names;
} name_list;

static bool add_lacking(void *user, const ct_strings_piece *piece) {
    name_list *const list = user;
    char name[CT_STRINGS_KEY_BYTES];
    ct_strings_piece wanted = *piece;
    snprintf(name, sizeof(name), "{%.*s}", (int)piece->bytes, piece->text);
    if (any_placeholder(list->other, is_piece, &wanted) ||
        (list->names->length > 0 && strstr(ct_string_builder_text(list->names), name)))
        return false;
    ct_string_builder_addf(list->names, "%s%s", list->names->length > 0 ? ", " : "", name);
    return false;
}

bool ct_strings_placeholders_beyond(ct_strings_placed_text text, ct_strings_placed_text other,
                                    ct_string_builder *names) {
    name_list list = {.other = other, .names = names};
    any_placeholder(text, add_lacking, &list);
    return names->length > 0;
}
