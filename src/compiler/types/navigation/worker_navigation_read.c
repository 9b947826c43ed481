// The source: classes, areas, corrections and rules, with every name resolved.
#include "compiler/types/navigation/worker_navigation.h"
#include "compiler/types/navigation/worker_recast.h"
#include "foundation/error.h"

#include <math.h>
#include <string.h>

// An array of elements with ids while it is read.
typedef struct reader {
    ct_worker_navigation *n;
    ct_compile *c;
    const ct_sjson *doc;
    ct_schema_listener listener;
    const char *what; // "link"
    ct_hash_map id_hashes;
} reader;

// Returns the element's id, or NULL after an error: it is missing, or an earlier one has it.
static const char *id_of(reader *r, ct_sjson_value v) {
    const ct_sjson_value at = ct_sjson_find(r->doc, v, "id");
    const char *const id = ct_sjson_string(r->doc, at, NULL);
    if (!id || !*id) {
        ct_compile_error(r->c, r->doc, at.entry ? at : v,
                         "this %s needs an `id`, a unique text such as a GUID; found %s", r->what,
                         id ? "\"\"" : ct_sjson_type_name(ct_sjson_type_of(r->doc, at)));
        return NULL;
    }
    const uint32_t hash = ct_string_id32_of(id).value;
    if (!ct_hash_map_find(&r->id_hashes, hash)) {
        ct_hash_map_set(&r->id_hashes, hash, 1);
        return id;
    }
    ct_compile_error(r->c, r->doc, at,
                     "another %s has the id \"%.64s\"; `cuttle ids` gives this one its own",
                     r->what, id);
    return NULL;
}

static void read_set(ct_worker_navigation *n, const char *what, ct_sjson_value array, uint32_t most,
                     void (*read)(reader *r, ct_sjson_value v, const char *id)) {
    ct_compile *const c = n->compile;
    reader r = {.n = n,
                .c = c,
                .doc = c->doc,
                .listener = ct_compile_listener(c),
                .what = what,
                .id_hashes.allocator = c->allocator};
    const uint32_t count = array.entry ? ct_sjson_count(c->doc, array) : 0;
    if (count > most) {
        ct_compile_error(c, c->doc, array, "found %u elements, expected at most %u", count, most);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(c->doc, array); v.entry; v = ct_sjson_next(c->doc, v)) {
        const bool is_object = ct_sjson_type_of(c->doc, v) == CT_SJSON_TYPE_OBJECT;
        const char *const id = is_object ? id_of(&r, v) : NULL; // else the schema reported it
        if (id)
            read(&r, v, id);
    }
}

static ct_sjson_value member_of(const reader *r, ct_sjson_value v, const char *name) {
    const ct_sjson_value at = ct_sjson_find(r->doc, v, name);
    return at.entry ? at : v;
}

// Whether `name` is a new name of the set; otherwise reports it.
static bool is_new_name(const reader *r, ct_sjson_value v, const char *name, const char *other) {
    if (ct_string_id32_of(name).value != ct_string_id32_of(other).value)
        return true;
    return ct_compile_error(r->c, r->doc, member_of(r, v, "name"),
                            "there are two %ss \"%.64s\": rename one", r->what, name);
}

// --- Classes -------------------------------------------------------------------------------------

// Recast counts in voxels, and not far.
static bool check_cells(const reader *r, ct_sjson_value v, const ct_navigation_class_source *s) {
    const ct_navigation_source *const n = &r->n->source;
    const float height = s->height / n->cell_height, radius = s->radius / n->cell_size;
    if (height > CT_RECAST_MAX_HEIGHT)
        return ct_compile_error(r->c, r->doc, member_of(r, v, "height"),
                                "height: found %g, expected at most %d times the cell_height, %g; "
                                "raise `cell_height`",
                                (double)s->height, CT_RECAST_MAX_HEIGHT,
                                (double)(CT_RECAST_MAX_HEIGHT * n->cell_height));
    return radius <= CT_RECAST_MAX_RADIUS ||
           ct_compile_error(r->c, r->doc, member_of(r, v, "radius"),
                            "radius: found %g, expected at most %d times the cell_size, %g; raise "
                            "`cell_size`",
                            (double)s->radius, CT_RECAST_MAX_RADIUS,
                            (double)(CT_RECAST_MAX_RADIUS * n->cell_size));
}

static void read_class(reader *r, ct_sjson_value v, const char *id) {
    ct_worker_navigation_class one = {.id = id, .at = v};
    if (!ct_schema_read(&ct_navigation_class_schema, r->doc, v, &one.source, &r->listener))
        return;
    if (!*one.source.name) {
        ct_compile_error(r->c, r->doc, member_of(r, v, "name"), "the name of an agent is empty");
        return;
    }
    for (uint32_t i = 0; i < r->n->classes.count; ++i) {
        if (!is_new_name(r, v, one.source.name, r->n->classes.items[i].source.name))
            return;
    }
    if (check_cells(r, v, &one.source))
        ct_array_push(&r->n->classes, one);
}

static void read_classes(ct_worker_navigation *n) {
    read_set(n, "agent", n->source.agents, CT_NAVIGATION_MAX_CLASSES, read_class);
    if (n->classes.count > 0 || ct_compile_error_count(n->compile) > 0)
        return;
    ct_worker_navigation_class one = {.id = "default"};
    ct_schema_defaults(&ct_navigation_class_schema, &one.source);
    one.source.name = "default";
    ct_array_push(&n->classes, one);
}

// Sets a bit for each class that `array` names; without one, of all. Returns false after an error.
static bool resolve_classes(reader *r, ct_sjson_value array, uint32_t *classes) {
    const ct_worker_navigation *const n = r->n;
    const char *names[CT_NAVIGATION_MAX_CLASSES];
    *classes = array.entry ? 0 : (1u << n->classes.count) - 1;
    for (uint32_t i = 0; i < n->classes.count; ++i)
        names[i] = n->classes.items[i].source.name;
    for (ct_sjson_value v = ct_sjson_first(r->doc, array); v.entry; v = ct_sjson_next(r->doc, v)) {
        const char *const name = ct_sjson_string(r->doc, v, NULL);
        uint32_t i = 0;
        while (name && i < n->classes.count && strcmp(names[i], name) != 0)
            ++i;
        if (!name)
            return ct_compile_error(r->c, r->doc, v,
                                    "agents: found %s, expected the name of one of `agents`",
                                    ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        if (i == n->classes.count) {
            const char *const nearest = ct_nearest_name(name, names, n->classes.count);
            return ct_compile_error(r->c, r->doc, v, "there is no agent \"%.64s\"%s%s%s", name,
                                    nearest ? "; did you mean \"" : "; add it to `agents`",
                                    nearest ? nearest : "", nearest ? "\"?" : "");
        }
        *classes |= 1u << i;
    }
    return true;
}

// --- Areas ---------------------------------------------------------------------------------------

static void read_area(reader *r, ct_sjson_value v, const char *id) {
    ct_worker_navigation_area one = {.id = id};
    if (!ct_schema_read(&ct_navigation_area_schema, r->doc, v, &one.source, &r->listener))
        return;
    if (!*one.source.name) {
        ct_compile_error(r->c, r->doc, member_of(r, v, "name"), "the name of an area is empty");
        return;
    }
    ct_worker_navigation_area *const ground = &r->n->areas.items[CT_NAVIGATION_GROUND];
    if (strcmp(one.source.name, "ground") == 0 && strcmp(ground->id, "ground") == 0) {
        *ground = one; // its cost
        return;
    }
    for (uint32_t i = 0; i < r->n->areas.count; ++i) {
        if (!is_new_name(r, v, one.source.name, r->n->areas.items[i].source.name))
            return;
    }
    ct_array_push(&r->n->areas, one);
}

static void read_areas(ct_worker_navigation *n) {
    ct_array_push(&n->areas, (ct_worker_navigation_area){.id = "ground",
                                                         .source = {.name = "ground", .cost = 1}});
    read_set(n, "area", n->source.areas, CT_NAVIGATION_MAX_AREAS - 1, read_area);
}

// Sets the position of the area that the member `area` of `v` names. Returns false after an error.
static bool resolve_area(const reader *r, ct_sjson_value v, const char *name, uint32_t *area) {
    const ct_worker_navigation *const n = r->n;
    const char *names[CT_NAVIGATION_MAX_AREAS];
    *area = CT_NAVIGATION_GROUND;
    for (uint32_t i = 0; name && i < n->areas.count; ++i) {
        names[i] = n->areas.items[i].source.name;
        if (strcmp(names[i], name) == 0) {
            *area = i;
            return true;
        }
    }
    if (!name)
        return true;
    const char *const nearest = ct_nearest_name(name, names, n->areas.count);
    return ct_compile_error(r->c, r->doc, member_of(r, v, "area"),
                            "there is no area \"%.64s\"%s%s%s", name,
                            nearest ? "; did you mean \"" : "; add it to `areas`",
                            nearest ? nearest : "", nearest ? "\"?" : "");
}

// --- Corrections and rules -----------------------------------------------------------------------

static void read_mark(reader *r, ct_sjson_value v, const char *id) {
    (void)id;
    ct_worker_navigation_mark one = {.at = v, .volume_at = member_of(r, v, "volume")};
    if (!ct_schema_read(&ct_navigation_volume_schema, r->doc, v, &one.source, &r->listener))
        return;
    if (one.source.is_cut ? one.source.area != NULL : !one.source.area) {
        ct_compile_error(r->c, r->doc, member_of(r, v, "area"),
                         one.source.is_cut
                             ? "this volume cuts a hole, which has no area; remove `area` or `cuts`"
                             : "expected `area`, the name of what it paints, or `cuts = true`");
        return;
    }
    if (resolve_area(r, v, one.source.area, &one.area))
        ct_array_push(&r->n->marks, one);
}

static bool check_kind(const reader *r, ct_sjson_value v, const char *kind) {
    return *kind || ct_compile_error(r->c, r->doc, member_of(r, v, "kind"),
                                     "kind: found \"\", expected what agents do there: \"jump\"");
}

static void read_link(reader *r, ct_sjson_value v, const char *id) {
    ct_navigation_link_source s;
    ct_worker_navigation_link one = {.at = v};
    if (!ct_schema_read(&ct_navigation_link_schema, r->doc, v, &s, &r->listener) ||
        !check_kind(r, v, s.kind) || !resolve_area(r, v, s.area, &one.data.area) ||
        !resolve_classes(r, s.agents, &one.data.classes))
        return;
    one.kind = s.kind;
    one.data.id = ct_string_id32_of(id);
    one.data.kind = ct_string_id32_of(s.kind);
    memcpy(one.data.from, s.from, sizeof(s.from));
    memcpy(one.data.to, s.to, sizeof(s.to));
    one.data.radius = s.radius;
    one.data.cost = s.cost;
    one.data.flags = (s.is_both_ways ? CT_NAVIGATION_LINK_BOTH_WAYS : 0u) |
                     (s.is_closed ? CT_NAVIGATION_LINK_CLOSED : 0u);
    ct_array_push(&r->n->links, one);
}

static void read_rule(reader *r, ct_sjson_value v, const char *id) {
    ct_worker_navigation_rule one = {.id = id, .at = v};
    if (ct_schema_read(&ct_navigation_rule_schema, r->doc, v, &one.source, &r->listener) &&
        check_kind(r, v, one.source.kind) && resolve_area(r, v, one.source.area, &one.area) &&
        resolve_classes(r, one.source.agents, &one.classes))
        ct_array_push(&r->n->rules, one);
}

// --- The whole -----------------------------------------------------------------------------------

// Tiles are whole voxels.
static bool set_tile_size(ct_worker_navigation *n) {
    enum { LEAST_CELLS = 8, MOST_CELLS = 1024 };
    ct_compile *const c = n->compile;
    const float cells = roundf(n->source.tile_size / n->source.cell_size);
    if (!(cells >= LEAST_CELLS && cells <= MOST_CELLS))
        return ct_compile_error(
            c, c->doc, ct_sjson_find(c->doc, ct_sjson_root(c->doc), "tile_size"),
            "tile_size: found %g, which is %g times the cell_size; expected %d "
            "to %d times",
            (double)n->source.tile_size, (double)cells, LEAST_CELLS, MOST_CELLS);
    n->cells = (uint32_t)cells;
    n->tile_size = cells * n->source.cell_size;
    return true;
}

bool ct_worker_navigation_read(ct_worker_navigation *n) {
    enum { MOST_MARKS = 1 << 16, MOST_RULES = 64 };
    ct_compile *const c = n->compile;
    const ct_schema_listener listener = ct_compile_listener(c);
    if (!ct_schema_read(&ct_navigation_schema, c->doc, ct_sjson_root(c->doc), &n->source,
                        &listener) ||
        !set_tile_size(n))
        return false;
    n->level = ct_sjson_string(c->doc, n->source.level_value, "");
    read_classes(n);
    read_areas(n);
    read_set(n, "volume", n->source.volumes, MOST_MARKS, read_mark);
    read_set(n, "link", n->source.links, CT_NAVIGATION_MAX_LINKS, read_link);
    read_set(n, "rule", n->source.rules, MOST_RULES, read_rule);
    return ct_compile_error_count(c) == 0;
}
