// The bytes of actors and triggers: the head, which the schema reads, and the shapes behind it, merged
// by id over what the unit inherits; of triggers the tags behind these.
#include "compiler/types/unit/component_actor.h"

#include "compiler/types/unit/component_tag.h"
#include "compiler/types/unit/worker_physics_names.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "resource/types/component/actor_data.h"

#include <string.h>

// A shape, and where its errors are.
typedef struct shape {
    const char *id;
    ct_template_place at; // the object that gave it last
    ct_actor_shape_data data;
    // Where each resource is named; no value: it is not.
    ct_template_place mesh_at, height_field_at;
} shape;

typedef struct shapes {
    ct_template *t;
    CT_ARRAY(shape) items;
    bool is_broken; // an error was reported
} shapes;

// --- Merging by id -------------------------------------------------------------------------------

static void apply(shapes *s, shape *to, ct_template_place object) {
    // Errors are reported once, however often the unit is placed.
    ct_schema_listener listener = ct_compile_listener(s->t->compile);
    listener.reference = NULL;
    if (!ct_template_is_first(s->t, ct_template_member(object, "id")))
        listener.error = NULL;
    s->is_broken |=
        !ct_schema_apply(&ct_actor_shape_schema, object.doc, object.value, &to->data, &listener);
    const ct_template_place mesh = ct_template_member(object, "mesh");
    const ct_template_place height_field = ct_template_member(object, "height_field");
    to->at = object;
    if (mesh.value.entry)
        to->mesh_at = mesh;
    if (height_field.value.entry)
        to->height_field_at = height_field;
}

static uint32_t find_shape(const shapes *s, const char *id) {
    uint32_t i = 0;
    while (i < s->items.count && strcmp(s->items.items[i].id, id) != 0)
        ++i;
    return i;
}

static void merge_shape(shapes *s, const char *id, ct_template_place object, bool may_add) {
    const uint32_t i = find_shape(s, id);
    const bool is_removed = ct_template_is_removed(object);
    if (i == s->items.count && (is_removed || !may_add)) {
        ct_template_unknown_id(s->t, "shape", id, object);
        s->is_broken = true;
    } else if (is_removed) {
        memmove(&s->items.items[i], &s->items.items[i + 1],
                (s->items.count - i - 1) * sizeof(shape));
        --s->items.count;
    } else {
        if (i == s->items.count) {
            ct_array_push(&s->items, (shape){.id = id});
            ct_schema_defaults(&ct_actor_shape_schema, &s->items.items[i].data);
        }
        apply(s, &s->items.items[i], object);
    }
}

static void merge_array(shapes *s, ct_template_place array, bool may_add) {
    ct_hash_map seen;
    ct_hash_map_init(&seen, s->t->compile->allocator);
    for (ct_sjson_value v = ct_sjson_first(array.doc, array.value); v.entry;
         v = ct_sjson_next(array.doc, v)) {
        const ct_template_place object = {array.doc, v};
        const bool is_object = ct_sjson_type_of(array.doc, v) == CT_SJSON_TYPE_OBJECT;
        const char *const id = is_object ? ct_template_id(s->t, &seen, "shape", object) : NULL;
        if (!id) { // reported here, or when the component was read
            s->is_broken = true;
            continue;
        }
        ct_template_check_removed(s->t, "shape", object);
        merge_shape(s, id, object, may_add);
    }
}

// --- Checks --------------------------------------------------------------------------------------

// Checks that a shape names the resource that its type needs, and refers to it.
static bool resolve(shapes *s, shape *one) {
    const bool is_mesh = one->data.type == CT_ACTOR_SHAPE_MESH;
    const bool is_height_field = one->data.type == CT_ACTOR_SHAPE_HEIGHT_FIELD;
    const ct_template_place at = is_mesh ? one->mesh_at : one->height_field_at;
    const char *const name = at.value.entry ? ct_template_text(at) : NULL;
    one->data.resource = (ct_string_id64){0};
    if ((is_mesh || is_height_field) && name && name[0]) {
        one->data.resource = ct_string_id64_of(name);
        ct_compile_reference(s->t->compile, is_mesh ? "mesh" : "height_field", name, at.doc,
                             at.value);
    }
    ct_error error = {0};
    return ct_actor_shape_check(&one->data, &error) ||
           ct_template_error(s->t, one->at, "%s", error.message);
}

static bool finish(shapes *s) {
    if (s->items.count > CT_ACTOR_MAX_SHAPES)
        return ct_template_error(s->t, s->items.items[CT_ACTOR_MAX_SHAPES].at,
                                 "found %u shapes, expected at most %d", s->items.count,
                                 CT_ACTOR_MAX_SHAPES);
    bool result = !s->is_broken;
    for (uint32_t i = 0; i < s->items.count && !s->is_broken; ++i)
        result &= resolve(s, &s->items.items[i]);
    return result;
}

// Merges all shapes of a component. False after an error.
static bool merge(shapes *s, const ct_template_component *component) {
    for (uint32_t i = 0; i < component->objects.count; ++i) {
        const ct_template_place array = ct_template_member(component->objects.items[i], "shapes");
        const bool is_array = ct_sjson_type_of(array.doc, array.value) == CT_SJSON_TYPE_ARRAY;
        if (is_array) // or there are none, or told when the component was read
            merge_array(s, array, i < component->num_unit_objects);
    }
    return finish(s);
}

static void write_shapes(const shapes *s, ct_blob_writer *w) {
    for (uint32_t i = 0; i < s->items.count; ++i)
        ct_blob_write_items(w, &ct_actor_shape_layout, &s->items.items[i].data, 1);
}

// --- Actors --------------------------------------------------------------------------------------

// The place of a member in the object that gave it last; that of the component when none did.
static ct_template_place member_of(const ct_template_component *component, const char *key) {
    for (uint32_t i = component->objects.count; i-- > 0;) {
        const ct_template_place at = ct_template_member(component->objects.items[i], key);
        if (at.value.entry)
            return at;
    }
    return component->at;
}

static bool check_axes(ct_template *t, const ct_template_component *component, const char *key,
                       const char *axes) {
    ct_error error = {0};
    return ct_actor_axes_check(axes, &error) ||
           ct_template_error(t, member_of(component, key), "actor.%s: %s", key, error.message);
}

// What a template gives is known only when the game runs.
static bool check_body(const shapes *s, const ct_actor_data *head) {
    static const char *const names[] = {"static", "dynamic", "kinematic", "keyframed"};
    bool result = true;
    for (uint32_t i = 0; i < s->items.count; ++i) {
        const shape *const one = &s->items.items[i];
        const bool moves = head->body != CT_ACTOR_STATIC;
        if (one->data.type == CT_ACTOR_SHAPE_PLANE && moves)
            result = ct_template_error(
                s->t, one->at,
                "a plane never moves, but this actor is %s; use a box, or a static "
                "actor",
                names[head->body]);
        if (one->data.type == CT_ACTOR_SHAPE_HEIGHT_FIELD &&
            (head->body == CT_ACTOR_DYNAMIC || head->body == CT_ACTOR_KINEMATIC))
            result = ct_template_error(s->t, one->at,
                                       "a height field has no volume, but this actor is %s; make "
                                       "it static or keyframed",
                                       names[head->body]);
    }
    return result;
}

bool ct_component_write_actor(ct_template *t, const ct_template_component *component,
                              ct_blob_writer *w) {
    CT_TEMP_ALLOCATOR(temp, t->compile->allocator);
    const ct_actor_source *const source = component->data;
    ct_actor_data head = source->head;
    shapes s = {.t = t};
    ct_array_init(&s.items, temp);
    if (!merge(&s, component) || !check_axes(t, component, "lock_position", head.lock_position) ||
        !check_axes(t, component, "lock_rotation", head.lock_rotation) || !check_body(&s, &head))
        return false;
    head.given = (uint32_t)component->given & CT_ACTOR_GIVEN_MASK;
    head.num_shapes = s.items.count;
    ct_blob_write_structs(w, &ct_actor_head_schema, &head, 1);
    write_shapes(&s, w);
    return true;
}

// --- Triggers ------------------------------------------------------------------------------------

static bool read_tags(ct_template *t, const ct_template_component *component,
                      ct_component_tags *tags) {
    return ct_component_read_tags(t, component, tags) &&
           (tags->count <= CT_TRIGGER_MAX_TAGS ||
            ct_template_error(t, member_of(component, "tags"),
                              "trigger.tags: found %u tags, expected at most %d", tags->count,
                              CT_TRIGGER_MAX_TAGS));
}

bool ct_component_write_trigger(ct_template *t, const ct_template_component *component,
                                ct_blob_writer *w) {
    CT_TEMP_ALLOCATOR(temp, t->compile->allocator);
    const ct_trigger_source *const source = component->data;
    ct_trigger_data head = source->head;
    shapes s = {.t = t};
    ct_component_tags tags;
    ct_array_init(&s.items, temp);
    ct_array_init(&tags, temp);
    const bool has_shapes = merge(&s, component);
    if (!read_tags(t, component, &tags) || !has_shapes)
        return false;
    head.num_shapes = s.items.count;
    head.num_tags = tags.count;
    ct_blob_write_structs(w, &ct_trigger_head_schema, &head, 1);
    write_shapes(&s, w);
    for (uint32_t i = 0; i < tags.count; ++i)
        ct_blob_write_u32(w, ct_string_id32_of(tags.items[i]).value);
    if (tags.count % 2 == 1)
        ct_blob_write_u32(w, 0);
    return true;
}

static bool check_has_shape(ct_template *t, const ct_template_component *component,
                            const ct_template_components *components) {
    for (uint32_t i = 0; i < components->count; ++i) {
        if (strcmp(components->items[i]->type->name, "mesh") == 0)
            return true;
    }
    CT_TEMP_ALLOCATOR(temp, t->compile->allocator);
    shapes s = {.t = t};
    ct_array_init(&s.items, temp);
    return !merge(&s, component) || s.items.count > 0 ||
           ct_template_error(t, component->at,
                             "this %s has no shape: it has no `shapes`, and the unit has no mesh "
                             "component whose collision shapes it could use",
                             component->type->name);
}

bool ct_component_check_shapes(ct_template *t, const ct_template_component *component,
                               const ct_template_components *components) {
    const bool has_names = ct_component_check_physics_names(t, component);
    return check_has_shape(t, component, components) && has_names;
}

// --- Movers --------------------------------------------------------------------------------------

bool ct_component_check_mover(ct_template *t, const ct_template_component *component,
                              const ct_template_components *components) {
    (void)components;
    const ct_mover_data *const mover = component->data;
    if (!ct_component_check_physics_names(t, component))
        return false;
    if (mover->height < 2 * mover->radius)
        return ct_template_error(t, member_of(component, "height"),
                                 "mover.height: found %g, expected at least %g, twice the radius",
                                 (double)mover->height, 2 * (double)mover->radius);
    return mover->skin <= mover->radius / 2 ||
           ct_template_error(t, member_of(component, "skin"),
                             "mover.skin: found %g, expected at most %g, half the radius",
                             (double)mover->skin, (double)mover->radius / 2);
}
