#include "compiler/protocol/compiler_bases.h"

#include "compiler/protocol/compiler_circle.h"

static bool report_circle(ct_compile *c, const ct_compile_chain_desc *desc,
                          const ct_compile_chain *chain, uint32_t first) {
    const char *names[CT_COMPILE_MAX_CHAIN];
    for (uint32_t i = first; i < chain->count; ++i)
        names[i] = ct_circle_name(c->allocator, ct_sjson_file(chain->docs[i]));
    uint32_t closing = 0;
    const char *const way =
        ct_circle_way(c->allocator, names + first, chain->count - first, &closing);
    return ct_compile_error(c, chain->docs[first + closing], chain->bases[first + closing],
                            "%s: %s", desc->circle, way);
}

static bool add(const ct_compile_chain_desc *desc, ct_compile_chain *chain, const ct_sjson *doc) {
    const uint32_t place = chain->count++;
    chain->docs[place] = doc;
    chain->bases[place] = (ct_sjson_value){0};
    return desc->read(desc->user, doc, place, &chain->bases[place]);
}

// Adds the base of the last source. False after an error.
static bool add_base(ct_compile *c, const ct_compile_chain_desc *desc, ct_compile_chain *chain) {
    const ct_sjson *const doc = chain->docs[chain->count - 1];
    const ct_sjson_value at = chain->bases[chain->count - 1];
    const ct_sjson *const base =
        ct_compile_read_base(c, desc->type, ct_sjson_string(doc, at, ""), doc, at);
    if (!base)
        return false;
    for (uint32_t i = 0; i < chain->count; ++i) {
        if (chain->docs[i] == base)
            return report_circle(c, desc, chain, i);
    }
    if (chain->count == desc->most)
        return ct_compile_error(c, doc, at, "%s more than %u deep", desc->too_deep, desc->most);
    return add(desc, chain, base);
}

bool ct_compile_read_chain(ct_compile *c, const ct_compile_chain_desc *desc,
                           ct_compile_chain *chain) {
    CT_ASSERT(desc->most >= 1 && desc->most <= CT_COMPILE_MAX_CHAIN, "at most %u sources",
              desc->most);
    chain->count = 0;
    bool is_good = add(desc, chain, c->doc);
    while (is_good && chain->bases[chain->count - 1].entry)
        is_good = add_base(c, desc, chain);
    return is_good;
}
