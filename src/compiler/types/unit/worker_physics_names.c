#include "compiler/types/unit/worker_physics_names.h"

#include "foundation/string/string_builder.h"

#include <string.h>

enum { MOST_LISTED = 12 };

// What components name, and where the physics lists it.
typedef struct name_kind {
    const char *member; // of components: "filter"; it is the word in messages, too
    const char *array;  // of the physics
    bool has_default;   // "default" is there without being listed
} name_kind;

static const name_kind kinds[] = {
    {"material", "materials", true},
    {"filter", "filters", true},
    {"template", "templates", false},
};

enum { NUM_KINDS = CT_COUNT_OF(kinds) };

struct ct_physics_names {
    const char *physics; // name of the resource
    bool is_known;       // every source of it could be read
    CT_ARRAY(const char *) names[NUM_KINDS];
};

static bool has_name(const ct_physics_names *p, uint32_t kind, const char *name) {
    for (uint32_t i = 0; i < p->names[kind].count; ++i) {
        if (strcmp(p->names[kind].items[i], name) == 0)
            return true;
    }
    return false;
}

// --- Reading -------------------------------------------------------------------------------------

static void add_names(ct_physics_names *p, const ct_sjson *doc, uint32_t kind) {
    const ct_sjson_value array = ct_sjson_find(doc, ct_sjson_root(doc), kinds[kind].array);
    if (ct_sjson_type_of(doc, array) != CT_SJSON_TYPE_ARRAY)
        return;
    for (ct_sjson_value v = ct_sjson_first(doc, array); v.entry; v = ct_sjson_next(doc, v)) {
        const bool is_object = ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_OBJECT;
        const char *const name =
            is_object ? ct_sjson_string(doc, ct_sjson_find(doc, v, "name"), NULL) : NULL;
        if (name && *name && !has_name(p, kind, name))
            ct_array_push(&p->names[kind], name);
    }
}

// False when it cannot be read: its own compile reports why.
static bool read_source(ct_compile *c, const char *path, ct_physics_names *p) {
    uint64_t bytes = 0;
    const char *const text = ct_compile_find(c, path, &bytes);
    const ct_sjson *const doc =
        text && bytes > 0 ? ct_sjson_parse(c->allocator, text, bytes, path, NULL, NULL) : NULL;
    if (!doc || ct_sjson_type_of(doc, ct_sjson_root(doc)) != CT_SJSON_TYPE_OBJECT)
        return false;
    for (uint32_t kind = 0; kind < NUM_KINDS; ++kind)
        add_names(p, doc, kind);
    return true;
}

static ct_physics_names *read_names(ct_compile *c) {
    ct_physics_names *const p = CT_NEW(c->allocator, ct_physics_names);
    const ct_sjson *settings = NULL;
    const ct_sjson_value setting = ct_compile_setting(c, "physics", &settings);
    p->physics = setting.entry ? ct_sjson_string(settings, setting, "") : "core/physics/default";
    for (uint32_t kind = 0; kind < NUM_KINDS; ++kind) {
        ct_array_init(&p->names[kind], c->allocator);
        if (kinds[kind].has_default)
            ct_array_push(&p->names[kind], "default");
    }
    uint32_t count = 0;
    const char *const *const paths =
        *p->physics ? ct_compile_list_variants(c, "physics", p->physics, &count) : NULL;
    p->is_known = count > 0;
    for (uint32_t i = 0; i < count; ++i)
        p->is_known &= read_source(c, paths[i], p);
    return p;
}

// --- Checking ------------------------------------------------------------------------------------

static bool refuse(ct_template *t, const ct_physics_names *p, uint32_t kind, ct_template_place at) {
    const char *const name = ct_template_text(at);
    const uint32_t count = p->names[kind].count;
    const char *const nearest = ct_nearest_name(name, p->names[kind].items, count);
    if (nearest)
        return ct_template_error(t, at, "there is no %s \"%.64s\"; did you mean \"%.64s\"?",
                                 kinds[kind].member, name, nearest);
    ct_string_builder known;
    ct_string_builder_init(&known, t->compile->allocator);
    for (uint32_t i = 0; i < count && i < MOST_LISTED; ++i)
        ct_string_builder_addf(&known, "%s\"%.64s\"", i ? ", " : "", p->names[kind].items[i]);
    if (count > MOST_LISTED)
        ct_string_builder_addf(&known, " and %u more", count - MOST_LISTED);
    return ct_template_error(t, at, "there is no %s \"%.64s\"; %.128s.physics has %s",
                             kinds[kind].member, name, p->physics,
                             count ? ct_string_builder_text(&known) : "none");
}

// The value of a member in the object that gave it last; empty when none did.
static ct_template_place last_given(const ct_template_component *component, const char *member) {
    ct_template_place at = {0};
    for (uint32_t i = component->objects.count; i-- > 0 && !at.value.entry;)
        at = ct_template_member(component->objects.items[i], member);
    return at;
}

static bool check_name(ct_template *t, const ct_template_component *component, uint32_t kind) {
    const ct_template_place at = last_given(component, kinds[kind].member);
    const char *const name = at.value.entry ? ct_template_text(at) : NULL;
    const bool is_default = name && kinds[kind].has_default && strcmp(name, "default") == 0;
    if (!name || !*name || is_default) // or told when the component was read
        return true;
    if (!t->physics_names)
        t->physics_names = read_names(t->compile);
    return !t->physics_names->is_known || has_name(t->physics_names, kind, name) ||
           refuse(t, t->physics_names, kind, at);
}

bool ct_component_check_physics_names(ct_template *t, const ct_template_component *component) {
    const ct_schema *const schema = component->type->schema;
    bool result = true;
    for (uint32_t kind = 0; kind < NUM_KINDS; ++kind) {
        for (uint32_t i = 0; i < schema->num_fields; ++i) {
            if (strcmp(schema->fields[i].name, kinds[kind].member) == 0)
                result &= check_name(t, component, kind);
        }
    }
    return result;
}
