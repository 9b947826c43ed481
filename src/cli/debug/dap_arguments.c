#include "cli/debug/dap_arguments.h"

#include <string.h>

// Finds a member; null counts as none.
static ct_sjson_value find(ct_dap_object o, const char *name) {
    const ct_sjson_value v = ct_sjson_find(o.doc, o.value, name);
    return ct_sjson_type_of(o.doc, v) == CT_SJSON_TYPE_NULL ? (ct_sjson_value){0} : v;
}

static bool refuse(ct_dap_object o, const char *name, ct_sjson_value v, const char *expected,
                   ct_error *error) {
    if (v.entry == 0)
        return ct_error_set(error, "`%s` is missing; expected %s", name, expected);
    return ct_error_set(error, "`%s` is %s; expected %s", name,
                        ct_sjson_type_name(ct_sjson_type_of(o.doc, v)), expected);
}

static bool read_number(ct_dap_object o, const char *name, ct_sjson_value v, uint32_t *number,
                        ct_error *error) {
    static const char expected[] = "a whole number from 0 to 2147483647";
    if (ct_sjson_type_of(o.doc, v) != CT_SJSON_TYPE_NUMBER)
        return refuse(o, name, v, expected, error);
    const double found = ct_sjson_number(o.doc, v, 0);
    if (!(found >= 0 && found <= INT32_MAX) || found != (double)(uint32_t)found)
        return ct_error_set(error, "`%s` is %g; expected %s", name, found, expected);
    *number = (uint32_t)found;
    return true;
}

bool ct_dap_number(ct_dap_object o, const char *name, uint32_t *number, ct_error *error) {
    return read_number(o, name, find(o, name), number, error);
}

bool ct_dap_optional_number(ct_dap_object o, const char *name, uint32_t *number, ct_error *error) {
    const ct_sjson_value v = find(o, name);
    return v.entry == 0 || read_number(o, name, v, number, error);
}

bool ct_dap_optional_bool(ct_dap_object o, const char *name, bool *value, ct_error *error) {
    const ct_sjson_value v = find(o, name);
    if (v.entry != 0 && ct_sjson_type_of(o.doc, v) != CT_SJSON_TYPE_BOOL)
        return refuse(o, name, v, "true or false", error);
    *value = ct_sjson_bool(o.doc, v, *value);
    return true;
}

static bool read_string(ct_dap_object o, const char *name, ct_sjson_value v, const char **text,
                        ct_error *error) {
    if (ct_sjson_type_of(o.doc, v) != CT_SJSON_TYPE_STRING)
        return refuse(o, name, v, "a string", error);
    const char *const found = ct_sjson_string(o.doc, v, "");
    if (strlen(found) != ct_sjson_string_bytes(o.doc, v))
        return ct_error_set(error, "`%s` has a zero byte; expected text", name);
    *text = found;
    return true;
}

bool ct_dap_string(ct_dap_object o, const char *name, const char **text, ct_error *error) {
    return read_string(o, name, find(o, name), text, error);
}

bool ct_dap_optional_string(ct_dap_object o, const char *name, const char **text, ct_error *error) {
    const ct_sjson_value v = find(o, name);
    return v.entry == 0 || read_string(o, name, v, text, error);
}

static bool find_typed(ct_dap_object o, const char *name, ct_sjson_type type, ct_sjson_value *found,
                       ct_error *error) {
    *found = find(o, name);
    return found->entry == 0 || ct_sjson_type_of(o.doc, *found) == type ||
           refuse(o, name, *found, ct_sjson_type_name(type), error);
}

bool ct_dap_optional_array(ct_dap_object o, const char *name, ct_sjson_value *found,
                           ct_error *error) {
    return find_typed(o, name, CT_SJSON_TYPE_ARRAY, found, error);
}

bool ct_dap_optional_object(ct_dap_object o, const char *name, ct_sjson_value *found,
                            ct_error *error) {
    return find_typed(o, name, CT_SJSON_TYPE_OBJECT, found, error);
}
