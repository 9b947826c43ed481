#include "world/world_environment.h"

#include <string.h>

#include "resource/types/environment_resource.h"
#include "world/world_level_members.h"
#include "world/world_private.h"

enum { MAX_VOLUMES = 64 }; // that reach one camera

// Values by name.
typedef struct value_list {
    ct_render_environment_value items[CT_RENDER_MAX_SETTINGS];
    uint32_t count;
} value_list;

typedef struct recipe {
    ct_world_environment_part parts[CT_WORLD_ENVIRONMENT_MAX_PARTS];
    uint32_t num_parts;
    value_list set;
} recipe;

struct ct_world_environment {
    ct_world *world;
    recipe edited, applied;
};

// A volume that reaches the camera, and how far it counts: 0 to 1.
typedef struct reach {
    const ct_world_volume *volume;
    float share;
} reach;

// --- Values --------------------------------------------------------------------------------------

static ct_render_environment_value *find_value(value_list *list, ct_string_id32 name) {
    for (uint32_t i = 0; i < list->count; ++i) {
        if (list->items[i].name.value == name.value)
            return &list->items[i];
    }
    return NULL;
}

// Returns the value of this name, and adds it with the render setting's value when it is new. NULL
// when there is no room.
static ct_render_environment_value *value_of(const ct_world *w, value_list *list,
                                             ct_string_id32 name, const char *text,
                                             const float otherwise[4]) {
    ct_render_environment_value *const found = find_value(list, name);
    if (found || list->count == CT_RENDER_MAX_SETTINGS)
        return found;
    const ct_renderer_setting s = ct_renderer_get_setting(w->system->renderer, text);
    const bool is_known = s.type != CT_RENDER_SETTING_TYPE_NONE;
    ct_render_environment_value *const added = &list->items[list->count++];
    added->name = name;
    memcpy(added->value, is_known ? s.value : otherwise, sizeof(added->value));
    return added;
}

static const ct_environment_resource *resource_of(const ct_world *w, ct_string_id64 name) {
    return ct_resource_manager_get(w->system->resources, "environment", name);
}

static bool blends(uint32_t type) {
    return type != CT_RENDER_SETTING_TYPE_BOOL && type != CT_RENDER_SETTING_TYPE_CHOICE;
}

// Moves the list's values towards the environment's by `share`, 0 to 1.
static void step_towards(const ct_world *w, value_list *list, const ct_environment_resource *r,
                         float share) {
    const ct_environment_value *const values = ct_blob_at(r, r->values.offset);
    for (uint32_t i = 0; i < r->values.count; ++i) {
        const ct_environment_value *const from = &values[i];
        ct_render_environment_value *const to =
            value_of(w, list, from->name, ct_blob_at(r, from->name_text.offset), from->value);
        const float step = blends(from->type) ? share : share >= 0.5f ? 1.0f : 0.0f;
        for (uint32_t k = 0; to && k < 4; ++k)
            to->value[k] += (from->value[k] - to->value[k]) * step;
    }
}

// --- Blends --------------------------------------------------------------------------------------

static const ct_environment_value *value_in(const ct_environment_resource *r, ct_string_id32 name) {
    const ct_environment_value *const values = ct_blob_at(r, r->values.offset);
    uint32_t low = 0, high = r->values.count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (values[middle].name.value < name.value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->values.count && values[low].name.value == name.value ? &values[low] : NULL;
}

// Replaces `value`, which is the setting's own, by the mean of the parts.
static void blend_value(const ct_environment_resource *const *parts, const float *weights,
                        uint32_t count, float sum, ct_render_environment_value *value) {
    float mean[4] = {0}, greatest_weight = 0;
    const float *greatest = value->value;
    bool is_blended = true;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_environment_value *const own = value_in(parts[i], value->name);
        const float *const from = own ? own->value : value->value;
        is_blended &= !own || blends(own->type);
        if (weights[i] > greatest_weight) {
            greatest_weight = weights[i];
            greatest = from;
        }
        for (uint32_t k = 0; k < 4; ++k)
            mean[k] += from[k] * (weights[i] / sum);
    }
    float result[4];
    memcpy(result, is_blended ? mean : greatest, sizeof(result));
    memcpy(value->value, result, sizeof(result));
}

static void blend_parts(const ct_world *w, const recipe *from, value_list *out) {
    const ct_environment_resource *parts[CT_WORLD_ENVIRONMENT_MAX_PARTS];
    float weights[CT_WORLD_ENVIRONMENT_MAX_PARTS], sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->num_parts; ++i) {
        const ct_environment_resource *const r = resource_of(w, from->parts[i].environment);
        if (!r || !(from->parts[i].weight > 0))
            continue;
        parts[count] = r;
        weights[count++] = from->parts[i].weight;
        sum += from->parts[i].weight;
    }
    for (uint32_t i = 0; i < count; ++i)
        step_towards(w, out, parts[i], 0);
    for (uint32_t i = 0; i < out->count; ++i)
        blend_value(parts, weights, count, sum, &out->items[i]);
}

static void add_set_values(const recipe *from, value_list *out) {
    for (uint32_t i = 0; i < from->set.count; ++i) {
        ct_render_environment_value *to = find_value(out, from->set.items[i].name);
        if (!to && out->count < CT_RENDER_MAX_SETTINGS)
            to = &out->items[out->count++];
        if (to)
            *to = from->set.items[i];
    }
}

// --- Volumes -------------------------------------------------------------------------------------

// How far a volume counts at a point: its weight inside, 0 at its fade distance.
static float share_at(const ct_world_volume *v, ct_vec3 position) {
    if (ct_volume_contains(&v->shape, position))
        return v->environment_weight;
    const float fade = v->environment_fade;
    if (!(fade > 0))
        return 0;
    const float distance = ct_volume_distance(&v->shape, position, fade);
    return v->environment_weight * (1 - distance / fade);
}

// Finds the volumes with an environment that count at a point, by priority; those of one priority
// in the order of the levels and their sources.
static uint32_t find_volumes(const ct_world *w, ct_vec3 position, reach *found) {
    uint32_t num_levels, count = 0;
    const ct_level *const levels = ct_world_levels(w, &num_levels);
    for (uint32_t i = 0; i < num_levels; ++i) {
        const ct_level_member_list all = ct_level_members_of(w, levels[i], CT_LEVEL_MEMBER_VOLUME);
        const ct_world_volume *const volumes = all.items;
        for (uint32_t k = 0; k < all.count; ++k) {
            const ct_world_volume *const v = &volumes[k];
            const float share = v->environment.value ? share_at(v, position) : 0;
            if (!(share > 0))
                continue;
            if (count == MAX_VOLUMES) { // the least important one goes
                if (v->environment_priority <= found[0].volume->environment_priority)
                    continue;
                memmove(found, found + 1, sizeof(*found) * --count);
            }
            uint32_t at = count++;
            for (; at > 0 && found[at - 1].volume->environment_priority > v->environment_priority;
                 --at)
                found[at] = found[at - 1];
            found[at] = (reach){v, share};
        }
    }
    return count;
}

// --- The whole -----------------------------------------------------------------------------------

ct_world_environment *ct_world_environment_create(ct_world *w, ct_string_id64 environment) {
    ct_world_environment *const e = CT_NEW(w->allocator, ct_world_environment);
    const ct_world_environment_part part = {environment, 1};
    e->world = w;
    ct_world_environment_blend(e, &part, 1);
    ct_world_environment_apply(e);
    return e;
}

void ct_world_environment_destroy(ct_world_environment *e) {
    ct_free_sized(e->world->allocator, e, sizeof(*e));
}

void ct_world_environment_blend(ct_world_environment *e, const ct_world_environment_part *parts,
                                uint32_t count) {
    CT_ASSERT(count <= CT_WORLD_ENVIRONMENT_MAX_PARTS, "a blend of %u environments", count);
    e->edited.num_parts = count;
    for (uint32_t i = 0; i < count; ++i)
        e->edited.parts[i] = parts[i];
    e->edited.set.count = 0;
}

bool ct_world_environment_set(ct_world_environment *e, const char *name, const float value[4]) {
    value_list *const set = &e->edited.set;
    const ct_string_id32 id = ct_string_id32_of(name);
    ct_render_environment_value *to = find_value(set, id);
    if (!to && set->count == CT_RENDER_MAX_SETTINGS)
        return false;
    if (!to)
        to = &set->items[set->count++];
    to->name = id;
    memcpy(to->value, value, sizeof(to->value));
    return true;
}

bool ct_world_environment_get(const ct_world_environment *e, const char *name, float value[4]) {
    const ct_renderer_setting own = ct_renderer_get_setting(e->world->system->renderer, name);
    value_list list;
    list.count = 0;
    blend_parts(e->world, &e->edited, &list);
    add_set_values(&e->edited, &list);
    const ct_render_environment_value *const found = find_value(&list, ct_string_id32_of(name));
    memcpy(value, found ? found->value : own.value, sizeof(own.value));
    return own.type != CT_RENDER_SETTING_TYPE_NONE;
}

void ct_world_environment_apply(ct_world_environment *e) {
    e->applied = e->edited;
}

uint32_t ct_world_environment_values(const ct_world *w, const ct_world_environment *e,
                                     ct_vec3 position, ct_render_environment_value *values) {
    reach volumes[MAX_VOLUMES];
    value_list list;
    list.count = 0;
    if (e)
        blend_parts(w, &e->applied, &list);
    const uint32_t num_volumes = find_volumes(w, position, volumes);
    for (uint32_t i = 0; i < num_volumes; ++i) {
        const ct_environment_resource *const r = resource_of(w, volumes[i].volume->environment);
        if (r)
            step_towards(w, &list, r, volumes[i].share);
    }
    if (e)
        add_set_values(&e->applied, &list);
    memcpy(values, list.items, list.count * sizeof(*values));
    return list.count;
}
