// Compiles packages: the listed resources, wildcards resolved, those that others need first.
#include "compiler/protocol/compiler_types.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"
#include "resource/schema/schema.h"
#include "resource/types/package_resource.h"

#include <stdio.h>
#include <string.h>

// Types in the order of loading: what others need stands first. Types that are not here come last.
static const char *const load_order[] = {
    "config", "input",    "lua",  "strings",       "font", "texture",
    "shader", "material", "mesh", "render_config", "unit", "level",
};

// Marks which resources of the listing the package holds.
typedef struct selection {
    ct_compile *compile;
    bool *is_selected; // by position in the listing
} selection;

static bool is_pattern(const char *text) {
    for (const char *s = text; *s; ++s) {
        const bool is_letter = (*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9');
        if (!is_letter && !strchr("_/-*", *s))
            return false;
    }
    return text[0] != 0;
}

static char canonical_char(char c) {
    const char lower = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '\\' ? '/' : c;
    const char text[2] = {lower, 0};
    return is_pattern(text) ? lower : '_';
}

// Writes the wildcard nearest to `pattern`: properties and types are of no name.
static void suggest_pattern(const char *pattern, char suggestion[CT_RESOURCE_NAME_BYTES]) {
    const char *const part = ct_path_file_name(pattern);
    const char *const dot = strchr(part, '.');
    const char *const end = dot && dot > part ? dot : pattern + strlen(pattern);
    uint32_t count = 0;
    for (const char *c = pattern; c < end && count + 1 < CT_RESOURCE_NAME_BYTES; ++c) {
        const char kept = canonical_char(*c);
        if (kept != '/' || (count > 0 && suggestion[count - 1] != '/'))
            suggestion[count++] = kept;
    }
    suggestion[count] = 0;
}

static void refuse_name(ct_compile *c, const char *text, ct_sjson_value entry) {
    char advice[CT_RESOURCE_ADVICE_BYTES], pattern[CT_RESOURCE_NAME_BYTES];
    ct_resource_name_advise(text, c->project_folder, advice);
    if (strchr(text, '*') && !strstr(text, "..")) {
        suggest_pattern(text, pattern);
        snprintf(advice, sizeof(advice), "write \"%s\"", pattern);
    }
    ct_compile_error(c, c->doc, entry,
                     "\"%.256s\" is not a resource name or wildcard; names may contain only a-z, "
                     "0-9, _, - and /: %s",
                     text, advice);
}

// `*` alone says "all there are", which may be none; any other pattern names something.
static void select_wildcard(selection *s, const char *type, const char *pattern,
                            ct_sjson_value at) {
    ct_compile *const c = s->compile;
    bool has_any = false;
    for (uint32_t i = 0; i < c->num_listed; ++i) {
        const ct_compile_listed *const listed = &c->listing[i];
        const bool is_itself =
            strcmp(listed->type, c->type) == 0 && strcmp(listed->name, c->name) == 0;
        if (!is_itself && strcmp(listed->type, type) == 0 &&
            ct_package_pattern_matches(pattern, listed->name))
            s->is_selected[i] = has_any = true;
    }
    if (!has_any && strspn(pattern, "*") != strlen(pattern))
        ct_compile_warning(c, c->doc, at, "no %s matches \"%s\"", type, pattern);
}

// A name without wildcards; the driver says so when there is no such resource.
static void select_named(selection *s, const char *type, const char *name, ct_sjson_value at) {
    ct_compile *const c = s->compile;
    ct_compile_reference(c, type, name, c->doc, at);
    uint32_t first = 0, last = c->num_listed;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        const int by_type = strcmp(c->listing[middle].type, type);
        const int order = by_type ? by_type : strcmp(c->listing[middle].name, name);
        if (order == 0) {
            s->is_selected[middle] = true;
            return;
        }
        if (order < 0)
            first = middle + 1;
        else
            last = middle;
    }
}

static void select_entry(selection *s, const char *type, ct_sjson_value entry) {
    ct_compile *const c = s->compile;
    const char *const text = ct_sjson_string(c->doc, entry, NULL);
    if (!text) {
        ct_compile_error(c, c->doc, entry, "found %s, expected a name or wildcard (a string)",
                         ct_sjson_type_name(ct_sjson_type_of(c->doc, entry)));
    } else if (strchr(text, '*') && is_pattern(text)) {
        select_wildcard(s, type, text, entry);
    } else if (strcmp(type, c->type) == 0 && strcmp(text, c->name) == 0) {
        ct_compile_error(c, c->doc, entry, "the package lists itself");
    } else if (ct_resource_name_is_canonical(text)) {
        select_named(s, type, text, entry);
    } else {
        refuse_name(c, text, entry);
    }
}

static void report_unknown_type(ct_compile *c, ct_sjson_value member, const char *type) {
    uint32_t count = 0;
    const ct_resource_type *const types = ct_resource_types(&count);
    ct_string_builder known;
    ct_string_builder_init(&known, c->allocator);
    const char **const names = CT_NEW_ARRAY(c->allocator, const char *, count);
    for (uint32_t i = 0; i < count; ++i) {
        names[i] = types[i].name;
        ct_string_builder_addf(&known, "%s%s", i ? ", " : "", types[i].name);
    }
    const char *const nearest = ct_nearest_name(type, names, count);
    ct_compile_error(c, c->doc, member,
                     "\"%.256s\" is not a resource type%s%s%s; expected one of %s", type,
                     nearest ? " (did you mean \"" : "", nearest ? nearest : "",
                     nearest ? "\"?)" : "", ct_string_builder_text(&known));
}

static void select_member(selection *s, ct_sjson_value member) {
    ct_compile *const c = s->compile;
    const char *const type = ct_sjson_key(c->doc, member);
    if (!ct_resource_type_named(type)) {
        report_unknown_type(c, member, type);
        return;
    }
    if (ct_sjson_type_of(c->doc, member) != CT_SJSON_TYPE_ARRAY) {
        ct_compile_error(c, c->doc, member, "found %s, expected an array of names and wildcards",
                         ct_sjson_type_name(ct_sjson_type_of(c->doc, member)));
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(c->doc, member); v.entry; v = ct_sjson_next(c->doc, v))
        select_entry(s, type, v);
}

static uint32_t rank_of(const char *type) {
    uint32_t rank = 0;
    while (rank < CT_COUNT_OF(load_order) && strcmp(load_order[rank], type) != 0)
        ++rank;
    return rank;
}

// Writes the selected resources, by rank of their types and then in the listing's order.
static void write_selected(const selection *s) {
    ct_compile *const c = s->compile;
    ct_package_resource r = {.resources = {0}};
    ct_resource_id *const ids = CT_NEW_ARRAY(c->allocator, ct_resource_id, c->num_listed + 1);
    uint32_t count = 0;
    for (uint32_t rank = 0; rank <= CT_COUNT_OF(load_order); ++rank) {
        for (uint32_t i = 0; i < c->num_listed; ++i) {
            if (s->is_selected[i] && rank_of(c->listing[i].type) == rank)
                ids[count++] = ct_resource_id_of(c->listing[i].type, c->listing[i].name);
        }
    }
    ct_blob_begin(&c->blob, &ct_package_layout);
    r.resources = ct_blob_write_items(&c->blob, &ct_blob_resource_id_layout, ids, count);
    ct_blob_end(&c->blob, &ct_package_layout, &r);
}

bool ct_compile_package(ct_compile *c) {
    selection s = {
        .compile = c,
        .is_selected = CT_NEW_ARRAY(c->allocator, bool, c->num_listed + 1),
    };
    const ct_sjson_value root = ct_sjson_root(c->doc);
    for (ct_sjson_value v = ct_sjson_first(c->doc, root); v.entry; v = ct_sjson_next(c->doc, v))
        select_member(&s, v);
    if (ct_compile_error_count(c) > 0)
        return false;
    write_selected(&s);
    return true;
}
