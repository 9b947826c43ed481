#include "dev/protocol/protocol_request.h"

#include <math.h>
#include <string.h>

const char *ct_console_name(const ct_console_request *r, ct_sjson_value value) {
    const char *const name = ct_sjson_string(r->doc, value, NULL);
    return name && strlen(name) == ct_sjson_string_bytes(r->doc, value) ? name : NULL;
}

const char *ct_console_text(const ct_console_request *r, const char *key) {
    return ct_console_name(r, ct_sjson_find(r->doc, r->root, key));
}

double ct_console_number(const ct_console_request *r, const char *key, double otherwise) {
    return ct_sjson_number(r->doc, ct_sjson_find(r->doc, r->root, key), otherwise);
}

bool ct_console_bool(const ct_console_request *r, const char *key, bool otherwise) {
    return ct_sjson_bool(r->doc, ct_sjson_find(r->doc, r->root, key), otherwise);
}

uint32_t ct_console_whole(ct_console_request *r, const char *key, uint32_t most,
                          uint32_t otherwise) {
    const double number = ct_console_number(r, key, otherwise);
    if (number >= 0 && number <= most && number == floor(number))
        return (uint32_t)number;
    ct_error_set(&r->error, "\"%s\" is %.15g; expected a whole number from 0 to %u", key, number,
                 most);
    return 0;
}

void ct_console_begin_answer(ct_console_request *r, const char *type) {
    ct_sjson_begin_object(&r->w);
    ct_sjson_member_string(&r->w, "type", type);
    if (r->id.entry != 0) {
        ct_sjson_write_key(&r->w, "id");
        ct_sjson_write_value(&r->w, r->doc, r->id);
    }
}

void ct_console_answer_error(ct_console_request *r, const char *message) {
    ct_console_begin_answer(r, "error");
    ct_sjson_member_string(&r->w, "message", message);
    ct_sjson_end_object(&r->w);
}
