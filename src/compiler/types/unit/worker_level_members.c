#include "compiler/types/unit/worker_level_members.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "spatial/spline.h"

_Static_assert((int)CT_LEVEL_MAX_CONVEX_POINTS <= (int)CT_CONVEX_HULL_MAX_POINTS, "hulls");
_Static_assert((int)CT_LEVEL_SPLINE_STEPS == (int)CT_SPLINE_STEPS, "arc lengths of splines");

// The members of one kind that were read.
typedef struct kind {
    ct_template *t;
    const char *what;  // "volume"
    ct_hash_map ids;   // of ct_template_id
    ct_hash_map names; // 32-bit ids to texts
} kind;

static void report(const kind *k, ct_template_place object, const char *member,
                   const char *message) {
    const ct_template_place at = ct_template_member(object, member);
    ct_compile_error(k->t->compile, object.doc, at.value.entry ? at.value : object.value, "%s",
                     message);
}

// --- What all members have -----------------------------------------------------------------------

// Enters a name. False after an error.
static bool enter_name(kind *k, ct_template_place object, const char *name) {
    ct_compile *const c = k->t->compile;
    const ct_template_place at = ct_template_member(object, "name");
    if (!name[0])
        return ct_compile_error(c, at.doc, at.value,
                                "found an empty name, expected the name of "
                                "the %s",
                                k->what);
    const uint64_t key = ct_string_id32_of(name).value;
    const char *const other = (const char *)(uintptr_t)ct_hash_map_get(&k->names, key, 0);
    ct_hash_map_set(&k->names, key, (uint64_t)(uintptr_t)name);
    if (!other)
        return true;
    if (strcmp(other, name) == 0)
        return ct_compile_error(c, at.doc, at.value,
                                "the name \"%s\" is used by two %ss; choose another", name,
                                k->what);
    return ct_compile_error(c, at.doc, at.value,
                            "the names \"%s\" and \"%s\" have the same 32-bit id; choose another",
                            name, other);
}

// Reads an element to `out`, whose first member is a ct_level_member_source, and sets its id. False
// after an error.
static bool read_member(kind *k, const ct_schema *schema, ct_template_place object, void *out,
                        ct_string_id32 *id) {
    const char *const text = ct_template_id(k->t, &k->ids, k->what, object);
    const ct_schema_listener listener = ct_compile_listener(k->t->compile);
    const bool is_read = ct_schema_read(schema, object.doc, object.value, out, &listener);
    const ct_level_member_source *const member = out;
    const bool has_name = member->name && enter_name(k, object, member->name);
    if (text)
        *id = ct_string_id32_of(text);
    return text && is_read && has_name;
}

static ct_string_id32 purpose_of(const ct_level_member_source *m) {
    return m->purpose && m->purpose[0] ? ct_string_id32_of(m->purpose) : (ct_string_id32){0};
}

// False after an error.
static bool check_scale(const kind *k, ct_template_place object, const float scale[3]) {
    if (scale[0] != 0 && scale[1] != 0 && scale[2] != 0)
        return true;
    report(k, object, "scale", "found a scale of 0, which leaves no size; expected other numbers");
    return false;
}

// Reads [x y z]. False after an error.
static bool read_vector(const kind *k, const ct_sjson *doc, ct_sjson_value at, ct_vec3 *out) {
    ct_compile *const c = k->t->compile;
    const ct_sjson_type type = ct_sjson_type_of(doc, at);
    if (type != CT_SJSON_TYPE_ARRAY || ct_sjson_count(doc, at) != 3)
        return ct_compile_error(c, doc, at, "found %s, expected a point [x y z]",
                                type == CT_SJSON_TYPE_ARRAY ? "an array of another length"
                                                            : ct_sjson_type_name(type));
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, at); v.entry; v = ct_sjson_next(doc, v)) {
        const double number = ct_sjson_number(doc, v, (double)NAN);
        if (ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_NUMBER)
            return ct_compile_error(c, doc, v, "found %s, expected a number",
                                    ct_sjson_type_name(ct_sjson_type_of(doc, v)));
        if (!(fabs(number) <= 1e7))
            return ct_compile_error(c, doc, v, "found %g, expected -1e+07 to 1e+07", number);
        out->raw[i++] = (float)number;
    }
    return true;
}

// --- Volumes -------------------------------------------------------------------------------------

// Warns of members that have no effect on a volume of this type.
static void warn_of_unused(const kind *k, ct_template_place object, uint32_t type) {
    static const char *const members[CT_LEVEL_VOLUME_TYPE_COUNT] = {
        [CT_LEVEL_VOLUME_BOX] = "half_size",
        [CT_LEVEL_VOLUME_SPHERE] = "radius",
        [CT_LEVEL_VOLUME_CONVEX] = "points",
        [CT_LEVEL_VOLUME_MESH] = "mesh"};
    static const char *const types[CT_LEVEL_VOLUME_TYPE_COUNT] = {
        [CT_LEVEL_VOLUME_BOX] = "box",
        [CT_LEVEL_VOLUME_SPHERE] = "sphere",
        [CT_LEVEL_VOLUME_CONVEX] = "convex",
        [CT_LEVEL_VOLUME_MESH] = "mesh"};
    for (uint32_t i = 0; i < CT_LEVEL_VOLUME_TYPE_COUNT; ++i) {
        const ct_template_place at = ct_template_member(object, members[i]);
        if (i != type && at.value.entry)
            ct_compile_warning(k->t->compile, at.doc, at.value,
                               "`%s` has no effect: it is for volumes of the type \"%s\", and this "
                               "one's is \"%s\"",
                               members[i], types[i], types[type]);
    }
}

// Warns of a member that says how another fades, which is not there.
static void warn_without(const kind *k, ct_template_place object, const char *member,
                         const char *missing) {
    const ct_template_place at = ct_template_member(object, member);
    if (at.value.entry)
        ct_compile_warning(k->t->compile, at.doc, at.value,
                           "`%s` has no effect: the volume has no `%s`", member, missing);
}

// Warns of members that say how an environment or a reverb fades in volumes without one.
static void warn_of_fades(const kind *k, ct_template_place object,
                          const ct_level_volume_source *source) {
    static const char *const members[] = {"environment_fade", "environment_weight",
                                          "environment_priority"};
    for (uint32_t i = 0; i < CT_COUNT_OF(members) && !source->environment.value; ++i)
        warn_without(k, object, members[i], "environment");
    if (source->reverb <= CT_LEVEL_NO_REVERB)
        warn_without(k, object, "reverb_fade", "reverb");
}

// False after an error.
static bool read_hull(const kind *k, ct_template_place object, const ct_level_volume_source *source,
                      ct_convex_hull *hull) {
    ct_compile *const c = k->t->compile;
    const uint32_t count = source->points.entry ? ct_sjson_count(object.doc, source->points) : 0;
    if (count < 4 || count > CT_LEVEL_MAX_CONVEX_POINTS) {
        report(k, object, "points",
               ct_compile_text(c, "found %u points, expected 4 to %d of a convex volume", count,
                               CT_LEVEL_MAX_CONVEX_POINTS));
        return false;
    }
    ct_vec3 points[CT_LEVEL_MAX_CONVEX_POINTS];
    uint32_t i = 0;
    bool is_read = true;
    for (ct_sjson_value v = ct_sjson_first(object.doc, source->points); v.entry;
         v = ct_sjson_next(object.doc, v))
        is_read = read_vector(k, object.doc, v, &points[i++]) && is_read;
    if (!is_read)
        return false;
    if (ct_convex_hull_build(hull, points, count) == CT_CONVEX_HULL_DONE)
        return true;
    report(k, object, "points",
           "all points are in one plane; a convex volume needs points around a space");
    return false;
}

static bool check_form(const kind *k, ct_template_place object,
                       const ct_level_volume_source *source, ct_worker_volume *volume) {
    warn_of_unused(k, object, source->type);
    if (source->type == CT_LEVEL_VOLUME_CONVEX)
        return read_hull(k, object, source, &volume->hull);
    if (source->type != CT_LEVEL_VOLUME_MESH || source->mesh.value)
        return true;
    report(k, object, "mesh", "this mesh volume needs a `mesh`, the name of a closed mesh");
    return false;
}

static void read_volume(kind *k, ct_template_place object, ct_worker_level_members *members) {
    ct_level_volume_source source = {0};
    ct_worker_volume volume = {0};
    if (!read_member(k, &ct_level_volume_schema, object, &source, &volume.data.id))
        return;
    ct_convex_hull_init(&volume.hull, k->t->compile->allocator);
    if (!check_scale(k, object, source.scale) || !check_form(k, object, &source, &volume))
        return;
    warn_of_fades(k, object, &source);
    ct_level_volume *const data = &volume.data;
    volume.source = source.member;
    data->type = source.type;
    data->mesh = source.type == CT_LEVEL_VOLUME_MESH ? source.mesh : (ct_string_id64){0};
    data->environment = source.environment;
    data->environment_fade = source.environment_fade;
    data->environment_weight = source.environment_weight;
    data->environment_priority = source.environment_priority;
    data->reverb = source.reverb;
    data->reverb_fade = source.reverb_fade;
    memcpy(data->position, source.position, sizeof(data->position));
    memcpy(data->rotation, source.rotation, sizeof(data->rotation));
    memcpy(data->scale, source.scale, sizeof(data->scale));
    memcpy(data->half_size, source.half_size, sizeof(data->half_size));
    for (uint32_t i = 0; i < 3 && source.type == CT_LEVEL_VOLUME_SPHERE; ++i)
        data->half_size[i] = source.radius;
    ct_array_push(&members->volumes, volume);
}

// --- Splines -------------------------------------------------------------------------------------

// Reads a point of a spline, which is [x y z] or an object. False after an error.
static bool read_point(const kind *k, const ct_sjson *doc, ct_sjson_value at, bool has_handles,
                       ct_level_point_source *point) {
    ct_compile *const c = k->t->compile;
    *point = (ct_level_point_source){0};
    if (ct_sjson_type_of(doc, at) != CT_SJSON_TYPE_OBJECT) {
        ct_vec3 position;
        if (!read_vector(k, doc, at, &position))
            return false;
        memcpy(point->position, &position, sizeof(point->position));
        return true;
    }
    const ct_schema_listener listener = ct_compile_listener(c);
    if (!ct_schema_read(&ct_level_point_schema, doc, at, point, &listener))
        return false;
    static const char *const handles[] = {"handle_in", "handle_out"};
    for (uint32_t i = 0; i < 2 && !has_handles; ++i) {
        const ct_sjson_value handle = ct_sjson_find(doc, at, handles[i]);
        if (handle.entry)
            return ct_compile_error(c, doc, handle,
                                    "found `%s`, which only points of a spline of the type "
                                    "\"bezier\" have",
                                    handles[i]);
    }
    return true;
}

static ct_vec3 handle_of(const ct_mat4 *pose, const float position[3], const float handle[3]) {
    return ct_mat4_transform_point(
        *pose,
        ct_vec3_make(position[0] + handle[0], position[1] + handle[1], position[2] + handle[2]));
}

// Reads the points, placed in the level, and for each its handles, in and out. False after an
// error.
static bool read_points(const kind *k, const ct_sjson *doc, const ct_level_spline_source *source,
                        ct_worker_spline *spline, ct_vec3 *handles) {
    static const float none[3] = {0, 0, 0};
    const float *const p = source->position, *const r = source->rotation, *const s = source->scale;
    const ct_mat4 pose =
        ct_mat4_compose(ct_vec3_make(p[0], p[1], p[2]), (ct_quat){{r[0], r[1], r[2], r[3]}},
                        ct_vec3_make(s[0], s[1], s[2]));
    bool is_read = true;
    for (ct_sjson_value v = ct_sjson_first(doc, source->points); v.entry;
         v = ct_sjson_next(doc, v)) {
        ct_level_point_source point;
        const uint32_t i = spline->points.count;
        is_read = read_point(k, doc, v, source->type == CT_LEVEL_SPLINE_BEZIER, &point) && is_read;
        ct_array_push(&spline->points, handle_of(&pose, point.position, none));
        handles[2 * i] = handle_of(&pose, point.position, point.handle_in);
        handles[2 * i + 1] = handle_of(&pose, point.position, point.handle_out);
    }
    return is_read;
}

// Checks that the points of a Catmull–Rom spline are apart. False after an error.
static bool check_gaps(const kind *k, const ct_sjson *doc, const ct_level_spline_source *source,
                       const ct_worker_spline *spline) {
    const uint32_t count = spline->points.count;
    ct_sjson_value v = ct_sjson_first(doc, source->points);
    for (uint32_t i = 0; i < count; ++i, v = ct_sjson_next(doc, v)) {
        const bool has_next = i + 1 < count || source->is_closed;
        const ct_vec3 next = spline->points.items[(i + 1) % count];
        if (has_next && ct_vec3_length(ct_vec3_sub(next, spline->points.items[i])) < 1e-4f)
            return ct_compile_error(k->t->compile, doc, v,
                                    "this point is within 0.1 mm of the next one%s; remove it",
                                    i + 1 < count ? "" : ", the first of the closed spline");
    }
    return true;
}

static void add_bezier_controls(ct_worker_spline *spline, const ct_vec3 *handles) {
    const ct_vec3 *const points = spline->points.items;
    const uint32_t count = spline->points.count;
    const uint32_t pieces = ct_spline_num_pieces(count, spline->data.is_closed);
    for (uint32_t i = 0; i < pieces; ++i) {
        const uint32_t next = (i + 1) % count;
        const ct_vec3 piece[3] = {points[i], handles[2 * i + 1], handles[2 * next]};
        ct_array_push_many(&spline->controls, piece, 3);
    }
    ct_array_push(&spline->controls, points[pieces % count]);
}

static void set_curve(ct_worker_spline *spline, const ct_vec3 *handles) {
    const bool is_closed = spline->data.is_closed;
    const uint32_t pieces = ct_spline_num_pieces(spline->points.count, is_closed);
    if (spline->data.type == CT_LEVEL_SPLINE_BEZIER) {
        add_bezier_controls(spline, handles);
    } else {
        ct_array_resize(&spline->controls, ct_spline_num_controls(pieces));
        ct_spline_from_catmull_rom(spline->points.items, spline->points.count, is_closed,
                                   spline->controls.items);
    }
    ct_array_resize(&spline->lengths, ct_spline_num_lengths(pieces));
    ct_spline_measure(spline->controls.items, pieces, spline->lengths.items);
}

static void read_spline(kind *k, ct_template_place object, ct_worker_level_members *members) {
    ct_compile *const c = k->t->compile;
    ct_level_spline_source source = {0};
    ct_worker_spline spline = {0};
    if (!read_member(k, &ct_level_spline_schema, object, &source, &spline.data.id) ||
        !check_scale(k, object, source.scale))
        return;
    const uint32_t count = ct_sjson_count(object.doc, source.points);
    if (count < 2 || count > CT_LEVEL_MAX_SPLINE_POINTS) {
        report(k, object, "points",
               ct_compile_text(c, "found %u points, expected 2 to %d", count,
                               CT_LEVEL_MAX_SPLINE_POINTS));
        return;
    }
    spline.source = source.member;
    spline.data.type = source.type;
    spline.data.is_closed = source.is_closed;
    ct_array_init(&spline.points, c->allocator);
    ct_array_init(&spline.controls, c->allocator);
    ct_array_init(&spline.lengths, c->allocator);
    ct_vec3 *const handles = CT_NEW_ARRAY(c->allocator, ct_vec3, 2 * count);
    if (!read_points(k, object.doc, &source, &spline, handles) ||
        (source.type == CT_LEVEL_SPLINE_CATMULL_ROM &&
         !check_gaps(k, object.doc, &source, &spline)))
        return;
    set_curve(&spline, handles);
    ct_array_push(&members->splines, spline);
}

// --- Markers, and all ----------------------------------------------------------------------------

static void read_marker(kind *k, ct_template_place object, ct_worker_level_members *members) {
    ct_level_marker_source source = {0};
    ct_worker_marker marker = {0};
    if (!read_member(k, &ct_level_marker_schema, object, &source, &marker.data.id))
        return;
    marker.source = source.member;
    memcpy(marker.data.position, source.position, sizeof(source.position));
    memcpy(marker.data.rotation, source.rotation, sizeof(source.rotation));
    ct_array_push(&members->markers, marker);
}

static void read_kind(ct_template *t, const char *what, ct_sjson_value array,
                      void (*read)(kind *k, ct_template_place object, ct_worker_level_members *m),
                      ct_worker_level_members *members) {
    const ct_sjson *const doc = t->compile->doc;
    kind k = {.t = t, .what = what};
    ct_hash_map_init(&k.ids, t->compile->allocator);
    ct_hash_map_init(&k.names, t->compile->allocator);
    for (ct_sjson_value v = ct_sjson_first(doc, array); v.entry; v = ct_sjson_next(doc, v)) {
        if (ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_OBJECT) // else ct_schema_read reported it
            read(&k, (ct_template_place){doc, v}, members);
    }
}

void ct_worker_level_members_read(ct_template *t, const ct_level_source *source,
                                  ct_worker_level_members *members) {
    ct_array_init(&members->volumes, t->compile->allocator);
    ct_array_init(&members->splines, t->compile->allocator);
    ct_array_init(&members->markers, t->compile->allocator);
    read_kind(t, "volume", source->volumes, read_volume, members);
    read_kind(t, "spline", source->splines, read_spline, members);
    read_kind(t, "marker", source->markers, read_marker, members);
}

// --- Writing -------------------------------------------------------------------------------------

static ct_blob_string write_text(ct_blob_writer *w, const char *text) {
    return ct_blob_write_string(w, text ? text : "", text ? strlen(text) : 0);
}

// Sets the name and the purpose of a member, and appends their texts.
#define WRITE_NAMES(w, member)                                                                     \
    ((member)->data.name = ct_string_id32_of((member)->source.name),                               \
     (member)->data.purpose = purpose_of(&(member)->source),                                       \
     (member)->data.name_text = write_text((w), (member)->source.name),                            \
     (member)->data.purpose_text = write_text((w), (member)->source.purpose))

static ct_blob_array write_volumes(ct_compile *c, const ct_worker_level_members *m) {
    ct_blob_writer *const w = &c->blob;
    const uint32_t count = m->volumes.count;
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_level_volume_layout, count);
    ct_level_volume *const items = CT_NEW_ARRAY(c->allocator, ct_level_volume, count);
    for (uint32_t i = 0; i < count; ++i) {
        ct_worker_volume *const v = &m->volumes.items[i];
        WRITE_NAMES(w, v);
        v->data.planes = ct_blob_write_items(w, &ct_level_plane_layout, v->hull.planes.items,
                                             v->hull.planes.count);
        v->data.points = ct_blob_write_items(w, &ct_level_point_layout, v->hull.points.items,
                                             v->hull.points.count);
        v->data.triangles = ct_blob_write_items(w, &ct_blob_u32_layout, v->hull.triangles.items,
                                                v->hull.triangles.count);
        items[i] = v->data;
    }
    ct_blob_fill_items(w, &ct_level_volume_layout, array, items);
    return array;
}

static ct_blob_array write_splines(ct_compile *c, const ct_worker_level_members *m) {
    ct_blob_writer *const w = &c->blob;
    const uint32_t count = m->splines.count;
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_level_spline_layout, count);
    ct_level_spline *const items = CT_NEW_ARRAY(c->allocator, ct_level_spline, count);
    for (uint32_t i = 0; i < count; ++i) {
        ct_worker_spline *const s = &m->splines.items[i];
        WRITE_NAMES(w, s);
        s->data.points =
            ct_blob_write_items(w, &ct_level_point_layout, s->points.items, s->points.count);
        s->data.controls =
            ct_blob_write_items(w, &ct_level_point_layout, s->controls.items, s->controls.count);
        s->data.lengths =
            ct_blob_write_items(w, &ct_blob_u32_layout, s->lengths.items, s->lengths.count);
        items[i] = s->data;
    }
    ct_blob_fill_items(w, &ct_level_spline_layout, array, items);
    return array;
}

static ct_blob_array write_markers(ct_compile *c, const ct_worker_level_members *m) {
    ct_blob_writer *const w = &c->blob;
    const uint32_t count = m->markers.count;
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_level_marker_layout, count);
    ct_level_marker *const items = CT_NEW_ARRAY(c->allocator, ct_level_marker, count);
    for (uint32_t i = 0; i < count; ++i) {
        ct_worker_marker *const marker = &m->markers.items[i];
        WRITE_NAMES(w, marker);
        items[i] = marker->data;
    }
    ct_blob_fill_items(w, &ct_level_marker_layout, array, items);
    return array;
}

void ct_worker_level_members_write(ct_compile *c, const ct_worker_level_members *members,
                                   ct_level_resource *level) {
    level->volumes = write_volumes(c, members);
    level->splines = write_splines(c, members);
    level->markers = write_markers(c, members);
}
