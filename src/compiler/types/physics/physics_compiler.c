// Compiles physics: materials, pairs of them, collision filters and templates of actors, with every
// name checked.
#include <stdlib.h>
#include <string.h>

#include "compiler/protocol/compiler_types.h"
#include "foundation/container/array.h"
#include "resource/types/physics_resource.h"

// Names of one array of the source, in the order of the blob: the first is "default".
typedef struct names {
    const char *what; // "material"
    CT_ARRAY(const char *) items;
    CT_ARRAY(ct_sjson_value) at; // {0}: "default", which the source does not list
    uint32_t most;
} names;

typedef struct builder {
    ct_compile *c;
    const ct_sjson *doc;
    ct_schema_listener listener;
    ct_physics_source source;
    names material_names, filter_names, template_names;
    CT_ARRAY(ct_physics_material) materials;
    CT_ARRAY(ct_physics_pair) pairs;
    CT_ARRAY(ct_physics_filter) filters;
    CT_ARRAY(ct_sjson_value) collides; // of each filter; {0}: "all"
    CT_ARRAY(ct_physics_template) templates;
} builder;

// --- Names ---------------------------------------------------------------------------------------

static uint32_t find_name(const names *list, const char *name) {
    for (uint32_t i = 0; i < list->items.count; ++i) {
        if (strcmp(list->items.items[i], name) == 0)
            return i;
    }
    return UINT32_MAX;
}

static bool refuse_twin(const builder *b, const names *list, ct_sjson_value at, const char *name) {
    const uint32_t id = ct_string_id32_of(name).value;
    for (uint32_t i = 0; i < list->items.count; ++i) {
        const char *const other = list->items.items[i];
        if (strcmp(other, name) == 0)
            return !list->at.items[i].entry ||
                   ct_compile_error(b->c, b->doc, at, "there are two %ss \"%.64s\": rename one",
                                    list->what, name);
        if (ct_string_id32_of(other).value == id)
            return ct_compile_error(
                b->c, b->doc, at,
                "the names \"%.64s\" and \"%.64s\" have the same 32-bit id: rename one", other,
                name);
    }
    return true;
}

// Adds the name of the element `v`. Returns its position, which is 0 for a "default"; UINT32_MAX
// after reporting an empty name, one that is taken, or one too many.
static uint32_t add_name(const builder *b, names *list, const char *name, ct_sjson_value v) {
    const ct_sjson_value at = ct_sjson_find(b->doc, v, "name");
    if (!*name) {
        ct_compile_error(b->c, b->doc, at, "the name of a %s is empty", list->what);
        return UINT32_MAX;
    }
    if (!refuse_twin(b, list, at, name))
        return UINT32_MAX;
    const uint32_t known = find_name(list, name);
    if (known != UINT32_MAX) {
        list->at.items[known] = v;
        return known;
    }
    if (list->items.count == list->most) {
        ct_compile_error(b->c, b->doc, v, "found %u %ss, and \"default\": expected at most %u",
                         list->most, list->what, list->most);
        return UINT32_MAX;
    }
    ct_array_push(&list->items, name);
    ct_array_push(&list->at, v);
    return list->items.count - 1;
}

// Returns the position of `name`; UINT32_MAX after an error at `at`, which names the nearest.
static uint32_t resolve(const builder *b, const names *list, const char *name, ct_sjson_value at) {
    const uint32_t i = find_name(list, name);
    if (i != UINT32_MAX)
        return i;
    const char *const nearest = ct_nearest_name(name, list->items.items, list->items.count);
    if (nearest)
        ct_compile_error(b->c, b->doc, at, "there is no %s \"%.64s\"; did you mean \"%s\"?",
                         list->what, name, nearest);
    else
        ct_compile_error(b->c, b->doc, at, "there is no %s \"%.64s\"; add it to `%ss`", list->what,
                         name, list->what);
    return UINT32_MAX;
}

// --- Elements ------------------------------------------------------------------------------------

// Reports an `id` that is no text, or that an earlier element of the array has.
static void check_id(const builder *b, ct_sjson_value array, ct_sjson_value v) {
    const ct_sjson_value id = ct_sjson_find(b->doc, v, "id");
    const char *const text = ct_sjson_string(b->doc, id, NULL);
    if (id.entry && !text)
        ct_compile_error(b->c, b->doc, id, "id: found %s, expected a string",
                         ct_sjson_type_name(ct_sjson_type_of(b->doc, id)));
    if (!text)
        return;
    for (ct_sjson_value e = ct_sjson_first(b->doc, array); e.entry != v.entry;
         e = ct_sjson_next(b->doc, e)) {
        const char *const other = ct_sjson_string(b->doc, ct_sjson_find(b->doc, e, "id"), NULL);
        if (other && strcmp(other, text) == 0) {
            ct_compile_error(b->c, b->doc, id,
                             "another element has the id \"%.64s\"; `cuttle ids` gives this one "
                             "its own",
                             text);
            return;
        }
    }
}

// Reads each element of an array that is right by its schema.
static void read_each(builder *b, ct_sjson_value array, uint32_t most, const ct_schema *schema,
                      void *element,
                      void (*add)(builder *b, ct_sjson_value v, const void *element)) {
    const uint32_t count = array.entry ? ct_sjson_count(b->doc, array) : 0;
    if (count > most) {
        ct_compile_error(b->c, b->doc, array, "found %u elements, expected at most %u", count,
                         most);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(b->doc, array); v.entry; v = ct_sjson_next(b->doc, v)) {
        check_id(b, array, v);
        if (ct_schema_read(schema, b->doc, v, element, &b->listener))
            add(b, v, element);
    }
}

// --- Materials and pairs -------------------------------------------------------------------------

static void add_material(builder *b, ct_sjson_value v, const void *element) {
    const ct_physics_material_source *const s = element;
    const uint32_t i = add_name(b, &b->material_names, s->name, v);
    if (i == UINT32_MAX)
        return;
    if (i == b->materials.count)
        ct_array_push(&b->materials, (ct_physics_material){.density = 0});
    b->materials.items[i] = (ct_physics_material){.name = ct_string_id32_of(s->name),
                                                  .friction = s->friction,
                                                  .restitution = s->restitution,
                                                  .rolling_friction = s->rolling_friction,
                                                  .spinning_friction = s->spinning_friction,
                                                  .density = s->density,
                                                  .touch_impulse = s->touch_impulse};
}

static void add_pair(builder *b, ct_sjson_value v, const void *element) {
    const ct_physics_pair_source *const s = element;
    const uint32_t first = resolve(b, &b->material_names, s->a, ct_sjson_find(b->doc, v, "a"));
    const uint32_t second = resolve(b, &b->material_names, s->b, ct_sjson_find(b->doc, v, "b"));
    if (first == UINT32_MAX || second == UINT32_MAX)
        return;
    const ct_physics_pair pair = {first < second ? first : second, first < second ? second : first,
                                  s->touch_impulse};
    for (uint32_t i = 0; i < b->pairs.count; ++i) {
        if (b->pairs.items[i].a == pair.a && b->pairs.items[i].b == pair.b) {
            ct_compile_error(b->c, b->doc, v, "there are two pairs of \"%.64s\" and \"%.64s\"",
                             s->a, s->b);
            return;
        }
    }
    ct_array_push(&b->pairs, pair);
}

static int compare_pairs(const void *a, const void *b) {
    const ct_physics_pair *const x = a, *const y = b;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b > y->b) - (x->b < y->b);
}

// --- Filters -------------------------------------------------------------------------------------

static void add_filter(builder *b, ct_sjson_value v, const void *element) {
    const ct_physics_filter_source *const s = element;
    const uint32_t i = add_name(b, &b->filter_names, s->name, v);
    if (i == UINT32_MAX)
        return;
    if (i == b->filters.count) {
        ct_array_push(&b->filters, (ct_physics_filter){.collides = 0});
        ct_array_push(&b->collides, s->collides);
    }
    b->filters.items[i].name = ct_string_id32_of(s->name);
    b->collides.items[i] = s->collides;
}

static bool is_all(const builder *b, uint32_t filter) {
    const ct_sjson_value v = b->collides.items[filter];
    return !v.entry || strcmp(ct_sjson_string(b->doc, v, ""), "all") == 0;
}

// Sets the filters that a filter names.
static void read_collides(const builder *b, uint32_t filter) {
    const ct_sjson_value array = b->collides.items[filter];
    uint32_t *const collides = &b->filters.items[filter].collides;
    if (ct_sjson_type_of(b->doc, array) != CT_SJSON_TYPE_ARRAY) {
        const char *const text = ct_sjson_string(b->doc, array, NULL);
        ct_compile_error(
            b->c, b->doc, array, "collides: found %s%.64s%s, expected \"all\" or an array of names",
            text ? "\"" : "", text ? text : ct_sjson_type_name(ct_sjson_type_of(b->doc, array)),
            text ? "\"" : "");
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(b->doc, array); v.entry; v = ct_sjson_next(b->doc, v)) {
        const char *const name = ct_sjson_string(b->doc, v, NULL);
        if (!name) {
            ct_compile_error(b->c, b->doc, v, "collides: found %s, expected the name of a filter",
                             ct_sjson_type_name(ct_sjson_type_of(b->doc, v)));
            continue;
        }
        const uint32_t other = resolve(b, &b->filter_names, name, v);
        if (other == UINT32_MAX)
            continue;
        if (*collides >> other & 1)
            ct_compile_error(b->c, b->doc, v, "collides: \"%.64s\" is named twice", name);
        *collides |= 1u << other;
    }
}

// Of two filters with lists, each must name the other or none does. "all" follows the other.
static void join_filters(const builder *b, uint32_t i, uint32_t k) {
    ct_physics_filter *const first = &b->filters.items[i], *const second = &b->filters.items[k];
    const bool first_names = first->collides >> k & 1, second_names = second->collides >> i & 1;
    if (is_all(b, i)) {
        if (is_all(b, k) || second_names) {
            first->collides |= 1u << k;
            second->collides |= 1u << i;
        }
    } else if (first_names && !second_names && !is_all(b, k)) {
        ct_compile_error(b->c, b->doc, b->collides.items[k],
                         "\"%.64s\" collides with \"%.64s\", but not the other way: add \"%.64s\" "
                         "to the filter \"%.64s\", or remove it from the other",
                         b->filter_names.items.items[i], b->filter_names.items.items[k],
                         b->filter_names.items.items[i], b->filter_names.items.items[k]);
    }
}

static void resolve_filters(const builder *b) {
    for (uint32_t i = 0; i < b->filters.count; ++i) {
        if (!is_all(b, i))
            read_collides(b, i);
    }
    if (ct_compile_error_count(b->c) > 0)
        return;
    for (uint32_t i = 0; i < b->filters.count; ++i) {
        for (uint32_t k = 0; k < b->filters.count; ++k)
            join_filters(b, i, k);
    }
}

// --- Templates -----------------------------------------------------------------------------------

static bool check_not_given(const builder *b, ct_sjson_value actor, const char *member) {
    const ct_sjson_value v = ct_sjson_find(b->doc, actor, member);
    return !v.entry ||
           ct_compile_error(b->c, b->doc, v,
                            "`%s` belongs to each actor: a template cannot have it", member);
}

static void check_member(const builder *b, const names *list, ct_sjson_value actor,
                         const char *member) {
    const ct_sjson_value v = ct_sjson_find(b->doc, actor, member);
    const char *const name = ct_sjson_string(b->doc, v, NULL);
    if (name)
        resolve(b, list, name, v);
}

static void check_axes(const builder *b, ct_sjson_value actor, const char *member,
                       const char *axes) {
    ct_error error = {0};
    if (!ct_actor_axes_check(axes, &error))
        ct_compile_error(b->c, b->doc, ct_sjson_find(b->doc, actor, member), "%s: %s", member,
                         error.message);
}

static void add_template(builder *b, ct_sjson_value v, const void *element) {
    const ct_physics_template_source *const s = element;
    const ct_schema *const schema = &ct_actor_head_schema;
    ct_physics_template t = {.name = ct_string_id32_of(s->name)};
    if (add_name(b, &b->template_names, s->name, v) == UINT32_MAX ||
        !check_not_given(b, s->actor, "name") || !check_not_given(b, s->actor, "node") ||
        !check_not_given(b, s->actor, "template") ||
        !ct_schema_read(schema, b->doc, s->actor, &t.actor, &b->listener))
        return;
    check_member(b, &b->material_names, s->actor, "material");
    check_member(b, &b->filter_names, s->actor, "filter");
    check_axes(b, s->actor, "lock_position", t.actor.lock_position);
    check_axes(b, s->actor, "lock_rotation", t.actor.lock_rotation);
    t.actor.given = 0;
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        if (ct_field_member(&schema->fields[i], b->doc, s->actor).entry)
            t.actor.given |= 1u << i;
    }
    ct_array_push(&b->templates, t);
}

// --- Writing -------------------------------------------------------------------------------------

static ct_blob_string write_name(const builder *b, const names *list, uint32_t i) {
    const char *const name = list->items.items[i];
    return ct_blob_write_string(&b->c->blob, name, strlen(name));
}

static void write_physics(builder *b) {
    ct_blob_writer *const w = &b->c->blob;
    const ct_physics_source *const s = &b->source;
    ct_physics_resource p = {.step = s->step,
                             .max_steps = (uint32_t)s->max_steps,
                             .solver_iterations = (uint32_t)s->solver_iterations,
                             .sleep_linear = s->sleep_linear,
                             .sleep_angular = s->sleep_angular,
                             .rest_distance = s->rest_distance};
    memcpy(p.gravity, s->gravity, sizeof(p.gravity));
    if (b->pairs.count > 0)
        qsort(b->pairs.items, b->pairs.count, sizeof(*b->pairs.items), compare_pairs);
    ct_blob_begin(w, &ct_physics_layout);
    for (uint32_t i = 0; i < b->materials.count; ++i)
        b->materials.items[i].name_text = write_name(b, &b->material_names, i);
    for (uint32_t i = 0; i < b->filters.count; ++i)
        b->filters.items[i].name_text = write_name(b, &b->filter_names, i);
    for (uint32_t i = 0; i < b->templates.count; ++i)
        b->templates.items[i].name_text = write_name(b, &b->template_names, i);
    p.materials =
        ct_blob_write_items(w, &ct_physics_material_layout, b->materials.items, b->materials.count);
    p.pairs = ct_blob_write_items(w, &ct_physics_pair_layout, b->pairs.items, b->pairs.count);
    p.filters =
        ct_blob_write_items(w, &ct_physics_filter_layout, b->filters.items, b->filters.count);
    p.templates =
        ct_blob_write_items(w, &ct_physics_template_layout, b->templates.items, b->templates.count);
    ct_blob_end(w, &ct_physics_layout, &p);
}

static void init_names(names *list, const char *what, uint32_t most, ct_allocator *a) {
    list->what = what;
    list->most = most;
    ct_array_init(&list->items, a);
    ct_array_init(&list->at, a);
}

// Adds what exists without being listed.
static void add_defaults(builder *b) {
    static const char name[] = "default";
    ct_physics_material_source s;
    ct_schema_defaults(&ct_physics_material_schema, &s);
    s.name = name;
    add_material(b, (ct_sjson_value){0}, &s);
    const ct_physics_filter_source filter = {.name = name};
    add_filter(b, (ct_sjson_value){0}, &filter);
}

bool ct_compile_physics(ct_compile *c) {
    builder b = {.c = c, .doc = c->doc, .listener = ct_compile_listener(c)};
    ct_physics_material_source material;
    ct_physics_pair_source pair;
    ct_physics_filter_source filter;
    ct_physics_template_source template;
    init_names(&b.material_names, "material", CT_PHYSICS_MAX_MATERIALS, c->allocator);
    init_names(&b.filter_names, "filter", CT_PHYSICS_MAX_FILTERS, c->allocator);
    init_names(&b.template_names, "template", CT_PHYSICS_MAX_TEMPLATES, c->allocator);
    ct_array_init(&b.materials, c->allocator);
    ct_array_init(&b.pairs, c->allocator);
    ct_array_init(&b.filters, c->allocator);
    ct_array_init(&b.collides, c->allocator);
    ct_array_init(&b.templates, c->allocator);
    add_defaults(&b);
    if (!ct_schema_read(&ct_physics_schema, c->doc, ct_sjson_root(c->doc), &b.source, &b.listener))
        return false;
    read_each(&b, b.source.materials, CT_PHYSICS_MAX_MATERIALS, &ct_physics_material_schema,
              &material, add_material);
    read_each(&b, b.source.pairs, CT_PHYSICS_MAX_PAIRS, &ct_physics_pair_schema, &pair, add_pair);
    read_each(&b, b.source.filters, CT_PHYSICS_MAX_FILTERS, &ct_physics_filter_schema, &filter,
              add_filter);
    resolve_filters(&b);
    read_each(&b, b.source.templates, CT_PHYSICS_MAX_TEMPLATES, &ct_physics_template_schema,
              &template, add_template);
    if (ct_compile_error_count(c) > 0)
        return false;
    write_physics(&b);
    return true;
}
