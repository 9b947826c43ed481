#include "compiler/types/model/worker_obj_warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/os/path.h"
#include "foundation/string/utf8.h"

enum { MAX_TEXT_BYTES = 1024 };

void ct_worker_obj_warnings_init(ct_worker_obj_warnings *w, ct_compile *c, ct_string_array *texts) {
    *w = (ct_worker_obj_warnings){.c = c, .texts = texts};
    ct_worker_obj_names_init(&w->kinds, c->allocator);
}

void ct_worker_obj_warn(ct_worker_obj_warnings *w, const char *path, uint32_t line,
                        const char *kind, const char *format, ...) {
    char key[CT_PATH_BYTES + CT_WORKER_OBJ_QUOTE_BYTES], text[MAX_TEXT_BYTES];
    snprintf(key, sizeof(key), "%s\n%s", path ? path : "", kind);
    if (w->kinds.items.count > CT_WORKER_OBJ_MAX_WARNINGS ||
        ct_worker_obj_names_find(&w->kinds, key) != CT_WORKER_OBJ_NO_NAME)
        return;
    ct_worker_obj_names_add(&w->kinds, key);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    const bool is_last = w->kinds.items.count > CT_WORKER_OBJ_MAX_WARNINGS;
    const char *const whole =
        ct_compile_text(w->c, "%s%sline %u: %s%s", path ? path : "", path ? ", " : "", line, text,
                        is_last ? "; further warnings are not listed" : "");
    ct_array_push(w->texts, ct_copy_string(w->c->allocator, whole));
}

const char *ct_worker_obj_quote(ct_obj_span span, char out[CT_WORKER_OBJ_QUOTE_BYTES]) {
    char text[CT_WORKER_OBJ_QUOTE_BYTES];
    const uint32_t length = ct_obj_span_copy(span, text, CT_WORKER_OBJ_QUOTE_BYTES);
    const bool is_cut = span.end - span.begin > (ptrdiff_t)length;
    out[0] = '"';
    ct_utf8_write_printable(out + 1, CT_WORKER_OBJ_QUOTE_BYTES - 5, text);
    strcat(out, is_cut ? "...\"" : "\"");
    return out;
}
