// What messages call actors, and the names that actors have of the physics resource.
#include <stdio.h>
#include <string.h>

#include "foundation/log.h"
#include "physics/actor/physics_world_private.h"

enum { MOST_LISTED = 12, LIST_BYTES = 400 };

// --- What messages call actors -------------------------------------------------------------------

// Whether the text of an id is known, so that people can read it.
static bool is_known(ct_string_id32 id) {
    return id.value != 0 && ct_string_id32_name(id)[0] != '#';
}

// Adds its number among the actors of its entity, from 1, unless it is the only one.
static void add_number(const ct_physics_world *p, const ct_actor_slot *s, char *text,
                       uint32_t size_bytes) {
    uint32_t number = 0, count = 0;
    for (ct_actor a = ct_actor_first(p, s->entity); a.id; a = ct_actor_next(p, a)) {
        ++count;
        if (&p->slots.items[ct_actor_slot_of(a)] == s)
            number = count;
    }
    const uint32_t length = (uint32_t)strlen(text);
    if (count > 1 && number > 0)
        snprintf(text + length, size_bytes - length, " %u", number);
}

void ct_actor_describe(const ct_physics_world *p, const ct_actor_slot *s, char *text,
                       uint32_t size_bytes) {
    const ct_actor_extra *const x = ct_actor_extra_of(p, s);
    const ct_string_id32 id = {x->component_id};
    const char *const what = s->flags & CT_ACTOR_TRIGGER ? "trigger" : "actor";
    char entity[256] = "no unit";
    char own[96];
    if (s->entity.id && p->entities.describe)
        p->entities.describe(p->entities.user, s->entity, entity, sizeof(entity));
    snprintf(own, sizeof(own), "%s", what);
    if (is_known(x->data.name))
        snprintf(own, sizeof(own), "%s \"%.64s\"", what, ct_string_id32_name(x->data.name));
    else if (is_known(id))
        snprintf(own, sizeof(own), "%s component \"%.64s\"", what, ct_string_id32_name(id));
    else if (s->entity.id)
        add_number(p, s, own, sizeof(own));
    snprintf(text, size_bytes, "the %s of %s", own, entity);
}

void ct_actor_log_error(const ct_physics_world *p, const ct_actor_slot *s, const ct_error *error) {
    char actor[CT_ACTOR_TEXT_BYTES];
    ct_actor_describe(p, s, actor, sizeof(actor));
    ct_log_error_limited("physics", "actor", "%s: %s", actor, error->message);
}

// --- Names of the physics resource ---------------------------------------------------------------

static const char *const kind_names[] = {"material", "filter", "template"};

// The id and the text of element `i`; false: there are not so many.
static bool element(const ct_physics_resource *r, ct_physics_name kind, uint32_t i,
                    ct_string_id32 *id, const char **text) {
    const ct_blob_array arrays[] = {r->materials, r->filters, r->templates};
    const void *const items = ct_blob_at(r, arrays[kind].offset);
    if (i >= arrays[kind].count)
        return false;
    ct_blob_string name = {0};
    if (kind == CT_PHYSICS_NAME_MATERIAL) {
        *id = ((const ct_physics_material *)items)[i].name;
        name = ((const ct_physics_material *)items)[i].name_text;
    } else if (kind == CT_PHYSICS_NAME_FILTER) {
        *id = ((const ct_physics_filter *)items)[i].name;
        name = ((const ct_physics_filter *)items)[i].name_text;
    } else {
        *id = ((const ct_physics_template *)items)[i].name;
        name = ((const ct_physics_template *)items)[i].name_text;
    }
    *text = ct_blob_at(r, name.offset);
    return true;
}

uint32_t ct_actor_find_name(const ct_physics_world *p, ct_physics_name kind, ct_string_id32 name) {
    ct_string_id32 id;
    const char *text;
    for (uint32_t i = 0; element(p->resource, kind, i, &id, &text); ++i) {
        if (id.value == name.value)
            return i;
    }
    return UINT32_MAX;
}

// Writes the names that there are.
static void list_names(const ct_physics_world *p, ct_physics_name kind, char *text) {
    ct_string_id32 id;
    const char *name;
    uint32_t i = 0, length = 0;
    text[0] = 0;
    for (;
         i < MOST_LISTED && length < LIST_BYTES - 100 && element(p->resource, kind, i, &id, &name);
         ++i)
        length += (uint32_t)snprintf(text + length, LIST_BYTES - length, "%s\"%.64s\"",
                                     i ? ", " : "", name);
    if (element(p->resource, kind, i, &id, &name))
        snprintf(text + length, LIST_BYTES - length, " and others");
    else if (i == 0)
        snprintf(text, LIST_BYTES, "none");
}

void ct_actor_log_missing(const ct_physics_world *p, const ct_actor_slot *s, ct_physics_name kind,
                          ct_string_id32 name, uint32_t num_actors) {
    char names[LIST_BYTES], actor[CT_ACTOR_TEXT_BYTES], which[CT_ACTOR_TEXT_BYTES + 64];
    list_names(p, kind, names);
    ct_actor_describe(p, s, actor, sizeof(actor));
    if (num_actors > 1)
        snprintf(which, sizeof(which), "%u actors, the first is %s", num_actors, actor);
    else
        snprintf(which, sizeof(which), "%s", actor);
    ct_log_error_limited("physics", num_actors > 1 ? "actors" : "actor",
                         "%s: the physics resource has no %s \"%s\"; it has %s; %s", which,
                         kind_names[kind], ct_string_id32_name(name), names,
                         kind == CT_PHYSICS_NAME_TEMPLATE
                             ? "the template is left out"
                             : "\"default\" counts until there is one");
}
