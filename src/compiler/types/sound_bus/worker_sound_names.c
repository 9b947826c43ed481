#include "compiler/types/sound_bus/worker_sound_names.h"

#include <string.h>

bool ct_worker_sound_unknown(ct_compile *c, ct_sjson_value v, const char *what, const char *name,
                             const char *const *names, uint32_t count) {
    const char *const nearest = ct_nearest_name(name, names, count);
    if (nearest)
        return ct_compile_error(c, c->doc, v, "there is no %s \"%.64s\"; did you mean \"%.64s\"?",
                                what, name, nearest);
    if (count == 0)
        return ct_compile_error(
            c, c->doc, v, "there is no %s \"%.64s\"; add it, or correct the name", what, name);
    return ct_compile_error(c, c->doc, v, "there is no %s \"%.64s\"; the first is \"%.64s\"", what,
                            name, names[0]);
}

bool ct_worker_sound_check_name(ct_compile *c, ct_sjson_value v, const char *what, const char *name,
                                const char *const *names, uint32_t count) {
    if (!*name)
        return ct_compile_error(c, c->doc, v, "the name of %s is empty", what);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(names[i], name) == 0)
            return ct_compile_error(c, c->doc, v, "another has the name \"%.64s\": rename one",
                                    name);
        if (ct_string_id32_of(names[i]).value == ct_string_id32_of(name).value)
            return ct_compile_error(
                c, c->doc, v,
                "the names \"%.64s\" and \"%.64s\" have the same 32-bit id: rename one", names[i],
                name);
    }
    return true;
}

void ct_worker_sound_check_id(ct_compile *c, ct_sjson_value array, ct_sjson_value element) {
    const ct_sjson *const doc = c->doc;
    const ct_sjson_value id = ct_sjson_find(doc, element, "id");
    const char *const text = ct_sjson_string(doc, id, NULL);
    if (!id.entry)
        return;
    if (!text) {
        ct_compile_error(c, doc, id, "id: found %s, expected a string",
                         ct_sjson_type_name(ct_sjson_type_of(doc, id)));
        return;
    }
    for (ct_sjson_value e = ct_sjson_first(doc, array); e.entry != element.entry;
         e = ct_sjson_next(doc, e)) {
        const char *const other = ct_sjson_string(doc, ct_sjson_find(doc, e, "id"), NULL);
        if (other && strcmp(other, text) == 0)
            ct_compile_error(c, doc, id,
                             "another element has the id \"%.64s\"; `cuttle ids` gives this one "
                             "its own",
                             text);
    }
}
