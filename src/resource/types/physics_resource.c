#include "resource/types/physics_resource.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "foundation/error.h"

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

// --- The source ----------------------------------------------------------------------------------

#define MATERIAL(member) AT(ct_physics_material_source, member)

static const ct_field material_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_STRING,
     MATERIAL(name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Unique name, which actors and pairs use."},
    {.name = "friction",
     .type = CT_FIELD_TYPE_FLOAT,
     MATERIAL(friction),
     .doc = "How much it resists sliding. That of two materials is the product.",
     .least = 0,
     .most = 100,
     .default_value = {0.5}},
    {.name = "restitution",
     .type = CT_FIELD_TYPE_FLOAT,
     MATERIAL(restitution),
     .doc = "Share of the speed that a bounce keeps. That of two materials is the product.",
     .least = 0,
     .most = 1},
    {.name = "rolling_friction",
     .type = CT_FIELD_TYPE_FLOAT,
     MATERIAL(rolling_friction),
     .doc = "How much it brakes what rolls.",
     .unit = "m",
     .least = 0,
     .most = 100},
    {.name = "spinning_friction",
     .type = CT_FIELD_TYPE_FLOAT,
     MATERIAL(spinning_friction),
     .doc = "How much it brakes what spins on one spot.",
     .unit = "m",
     .least = 0,
     .most = 100},
    {.name = "density",
     .type = CT_FIELD_TYPE_FLOAT,
     MATERIAL(density),
     .doc = "Mass of a cubic metre, for actors without a mass of their own.",
     .unit = "kg/m³",
     .least = 0.001,
     .most = 1e6,
     .default_value = {1000}},
    {.name = "touch_impulse",
     .type = CT_FIELD_TYPE_FLOAT,
     MATERIAL(touch_impulse),
     .doc = "Weaker touches make no event. Of two materials the higher one counts.",
     .unit = "N·s",
     .least = 0,
     .most = 1e9},
};

const ct_schema ct_physics_material_schema = {
    .name = "physics_material",
    .doc = "What a surface is like.",
    .size_bytes = sizeof(ct_physics_material_source),
    .num_fields = CT_COUNT_OF(material_fields),
    .fields = material_fields,
    .identity = CT_SCHEMA_ID,
};

static const ct_field pair_fields[] = {
    {.name = "a",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_physics_pair_source, a),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of a material."},
    {.name = "b",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_physics_pair_source, b),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of the other material, or of the same one."},
    {.name = "touch_impulse",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_physics_pair_source, touch_impulse),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Weaker touches of the two make no event, whatever their own `touch_impulse`.",
     .unit = "N·s",
     .least = 0,
     .most = 1e9},
};

const ct_schema ct_physics_pair_schema = {
    .name = "physics_pair",
    .doc = "Two materials whose touches have a threshold of their own.",
    .size_bytes = sizeof(ct_physics_pair_source),
    .num_fields = CT_COUNT_OF(pair_fields),
    .fields = pair_fields,
    .identity = CT_SCHEMA_ID,
};

static const ct_field filter_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_physics_filter_source, name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Unique name, which actors, triggers, movers and queries use."},
    {.name = "collides",
     .type = CT_FIELD_TYPE_VALUE,
     AT(ct_physics_filter_source, collides),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Names of the filters it collides with, which name it in turn; \"all\": every filter "
            "but those that do not name it."},
};

const ct_schema ct_physics_filter_schema = {
    .name = "physics_filter",
    .doc = "What collides with what.",
    .size_bytes = sizeof(ct_physics_filter_source),
    .num_fields = CT_COUNT_OF(filter_fields),
    .fields = filter_fields,
    .identity = CT_SCHEMA_ID,
};

static const ct_field template_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_physics_template_source, name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Unique name, which actors use."},
    {.name = "actor",
     .type = CT_FIELD_TYPE_OBJECT,
     AT(ct_physics_template_source, actor),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Members of actors but for `name`, `node`, `template` and `shapes`.",
     .schema = &ct_actor_head_schema},
};

const ct_schema ct_physics_template_schema = {
    .name = "physics_template",
    .doc = "Members that actors share.",
    .size_bytes = sizeof(ct_physics_template_source),
    .num_fields = CT_COUNT_OF(template_fields),
    .fields = template_fields,
    .identity = CT_SCHEMA_ID,
};

static const ct_field fields[] = {
    {.name = "gravity",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_physics_source, gravity),
     .doc = "Acceleration of everything that falls.",
     .unit = "m/s²",
     .least = -1e4,
     .most = 1e4,
     .default_value = {0, 0, -9.82}},
    {.name = "step",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_physics_source, step),
     .doc = "Length of a step of the simulation.",
     .unit = "s",
     .least = 0.001,
     .most = 0.1,
     .default_value = {1.0 / 60}},
    {.name = "max_steps",
     .type = CT_FIELD_TYPE_INT,
     AT(ct_physics_source, max_steps),
     .doc = "Most steps in one update of a world. Time beyond is dropped.",
     .least = 1,
     .most = 100,
     .default_value = {4}},
    {.name = "solver_iterations",
     .type = CT_FIELD_TYPE_INT,
     AT(ct_physics_source, solver_iterations),
     .doc = "More make stacks stiffer and cost time.",
     .least = 1,
     .most = 1000,
     .default_value = {10}},
    {.name = "sleep_linear",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_physics_source, sleep_linear),
     .doc = "Slower actors fall asleep.",
     .unit = "m/s",
     .least = 0,
     .most = 1000,
     .default_value = {0.8}},
    {.name = "sleep_angular",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_physics_source, sleep_angular),
     .doc = "Actors that turn slower fall asleep.",
     .unit = "rad/s",
     .least = 0,
     .most = 1000,
     .default_value = {1}},
    {.name = "rest_distance",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_physics_source, rest_distance),
     .doc = "Actors that others keep awake are held where they are when they move less in half a "
            "second. 0: never.",
     .unit = "m",
     .least = 0,
     .most = 1,
     .default_value = {0.02}},
    {.name = "materials",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_physics_source, materials),
     .flags = CT_FIELD_SET,
     .doc = "Surfaces: { id name friction … }. \"default\" always exists.",
     .schema = &ct_physics_material_schema},
    {.name = "pairs",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_physics_source, pairs),
     .flags = CT_FIELD_SET,
     .doc = "Thresholds of pairs of materials: { id a b touch_impulse }.",
     .schema = &ct_physics_pair_schema},
    {.name = "filters",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_physics_source, filters),
     .flags = CT_FIELD_SET,
     .doc = "What collides with what: { id name collides }. \"default\" always exists.",
     .schema = &ct_physics_filter_schema},
    {.name = "templates",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_physics_source, templates),
     .flags = CT_FIELD_SET,
     .doc = "Members that actors share: { id name actor }.",
     .schema = &ct_physics_template_schema},
};

const ct_schema ct_physics_schema = {
    .name = "physics",
    .doc = "Gravity, steps, materials, collision filters and templates of actors.",
    .size_bytes = sizeof(ct_physics_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_physics_material_layout =
    CT_BLOB_STRUCT(ct_physics_material, CT_BLOB_STRING(ct_physics_material, name_text),
                   CT_BLOB_NUMBERS(4, ct_physics_material, name, touch_impulse));

const ct_blob_layout ct_physics_pair_layout = CT_BLOB_ALL_NUMBERS(ct_physics_pair, 4);

const ct_blob_layout ct_physics_filter_layout =
    CT_BLOB_STRUCT(ct_physics_filter, CT_BLOB_STRING(ct_physics_filter, name_text),
                   CT_BLOB_NUMBERS(4, ct_physics_filter, name, collides));

const ct_blob_layout ct_physics_template_layout = CT_BLOB_STRUCT(
    ct_physics_template, CT_BLOB_STRING(ct_physics_template, name_text),
    CT_BLOB_NUMBERS(4, ct_physics_template, name, actor.reports_persist),
    CT_BLOB_NUMBERS(1, ct_physics_template, actor.lock_position, actor.lock_rotation),
    CT_BLOB_NUMBERS(4, ct_physics_template, actor.given, actor.num_shapes));

const ct_blob_layout ct_physics_layout = CT_BLOB_ROOT(
    ct_physics_resource, "a physics", CT_BLOB_NUMBERS(4, ct_physics_resource, gravity, padding),
    CT_BLOB_ARRAY(ct_physics_resource, materials, ct_physics_material_layout),
    CT_BLOB_ARRAY(ct_physics_resource, pairs, ct_physics_pair_layout),
    CT_BLOB_ARRAY(ct_physics_resource, filters, ct_physics_filter_layout),
    CT_BLOB_ARRAY(ct_physics_resource, templates, ct_physics_template_layout));

// Not a number fails.
static bool is_within(float value, const ct_field *field) {
    return (double)value >= (double)(float)field->least &&
           (double)value <= (double)(float)field->most;
}

static bool check_number(const ct_schema *schema, const char *name, float value, const char *where,
                         ct_error *error) {
    return is_within(value, ct_schema_find(schema, name)) ||
           ct_error_set(error, "%s%s: found %g, which is out of range", where, name, (double)value);
}

static bool check_settings(const ct_physics_resource *p, ct_error *error) {
    const ct_schema *const s = &ct_physics_schema;
    for (uint32_t i = 0; i < 3; ++i) {
        if (!check_number(s, "gravity", p->gravity[i], "", error))
            return false;
    }
    return check_number(s, "step", p->step, "", error) &&
           check_number(s, "max_steps", (float)p->max_steps, "", error) &&
           check_number(s, "solver_iterations", (float)p->solver_iterations, "", error) &&
           check_number(s, "sleep_linear", p->sleep_linear, "", error) &&
           check_number(s, "sleep_angular", p->sleep_angular, "", error) &&
           check_number(s, "rest_distance", p->rest_distance, "", error);
}

static bool check_name(const ct_physics_resource *p, const char *array, uint32_t i,
                       ct_blob_string text, ct_string_id32 name, ct_error *error) {
    const char *const string = ct_blob_at(p, text.offset);
    return (text.bytes > 0 && ct_string_id32_of(string).value == name.value) ||
           ct_error_set(error, "%s[%u]: its id does not match its name", array, i);
}

static bool check_materials(const ct_physics_resource *p, ct_error *error) {
    const ct_physics_material *const materials = ct_blob_at(p, p->materials.offset);
    const ct_schema *const s = &ct_physics_material_schema;
    if (p->materials.count == 0 || p->materials.count > CT_PHYSICS_MAX_MATERIALS)
        return ct_error_set(error, "materials: found %u; expected 1 to %d", p->materials.count,
                            CT_PHYSICS_MAX_MATERIALS);
    for (uint32_t i = 0; i < p->materials.count; ++i) {
        const ct_physics_material *const m = &materials[i];
        char where[32];
        snprintf(where, sizeof(where), "materials[%u].", i);
        if (!check_name(p, "materials", i, m->name_text, m->name, error) ||
            !check_number(s, "friction", m->friction, where, error) ||
            !check_number(s, "restitution", m->restitution, where, error) ||
            !check_number(s, "rolling_friction", m->rolling_friction, where, error) ||
            !check_number(s, "spinning_friction", m->spinning_friction, where, error) ||
            !check_number(s, "density", m->density, where, error) ||
            !check_number(s, "touch_impulse", m->touch_impulse, where, error))
            return false;
    }
    return true;
}

static bool check_pairs(const ct_physics_resource *p, ct_error *error) {
    const ct_physics_pair *const pairs = ct_blob_at(p, p->pairs.offset);
    if (p->pairs.count > CT_PHYSICS_MAX_PAIRS)
        return ct_error_set(error, "pairs: found %u; expected at most %d", p->pairs.count,
                            CT_PHYSICS_MAX_PAIRS);
    for (uint32_t i = 0; i < p->pairs.count; ++i) {
        const ct_physics_pair *const pair = &pairs[i];
        char where[32];
        snprintf(where, sizeof(where), "pairs[%u].", i);
        if (pair->a > pair->b || pair->b >= p->materials.count)
            return ct_error_set(error, "pairs[%u]: found materials %u and %u of %u", i, pair->a,
                                pair->b, p->materials.count);
        if (i > 0 && (pair->a < pair[-1].a || (pair->a == pair[-1].a && pair->b <= pair[-1].b)))
            return ct_error_set(error, "pairs[%u]: not sorted", i);
        if (!check_number(&ct_physics_pair_schema, "touch_impulse", pair->touch_impulse, where,
                          error))
            return false;
    }
    return true;
}

static bool check_filters(const ct_physics_resource *p, ct_error *error) {
    const ct_physics_filter *const filters = ct_blob_at(p, p->filters.offset);
    const uint32_t count = p->filters.count;
    if (count == 0 || count > CT_PHYSICS_MAX_FILTERS)
        return ct_error_set(error, "filters: found %u; expected 1 to %d", count,
                            CT_PHYSICS_MAX_FILTERS);
    for (uint32_t i = 0; i < count; ++i) {
        if (!check_name(p, "filters", i, filters[i].name_text, filters[i].name, error))
            return false;
        if ((uint64_t)filters[i].collides >> count != 0)
            return ct_error_set(error, "filters[%u].collides: found %x; there are %u filters", i,
                                filters[i].collides, count);
        for (uint32_t k = 0; k < i; ++k) {
            if ((filters[i].collides >> k & 1) != (filters[k].collides >> i & 1))
                return ct_error_set(error, "filters[%u].collides: not symmetric with filters[%u]",
                                    i, k);
        }
    }
    return true;
}

static bool check_templates(const ct_physics_resource *p, ct_error *error) {
    const ct_physics_template *const templates = ct_blob_at(p, p->templates.offset);
    if (p->templates.count > CT_PHYSICS_MAX_TEMPLATES)
        return ct_error_set(error, "templates: found %u; expected at most %d", p->templates.count,
                            CT_PHYSICS_MAX_TEMPLATES);
    for (uint32_t i = 0; i < p->templates.count; ++i) {
        const ct_physics_template *const t = &templates[i];
        ct_error inner = {0};
        if (!check_name(p, "templates", i, t->name_text, t->name, error))
            return false;
        if (!ct_actor_head_check(&t->actor, &inner))
            return ct_error_set(error, "templates[%u].actor: %.200s", i, inner.message);
        if (t->actor.num_shapes > 0)
            return ct_error_set(error, "templates[%u].actor: found %u shapes, expected 0", i,
                                t->actor.num_shapes);
    }
    return true;
}

bool ct_physics_validate(const void *blob, ct_error *error) {
    const ct_physics_resource *const p = blob;
    return ct_blob_check_layout(&ct_physics_layout, p, error) && check_settings(p, error) &&
           check_materials(p, error) && check_pairs(p, error) && check_filters(p, error) &&
           check_templates(p, error);
}

// --- Finding -------------------------------------------------------------------------------------

uint32_t ct_physics_find_material(const ct_physics_resource *p, ct_string_id32 name) {
    const ct_physics_material *const materials = ct_blob_at(p, p->materials.offset);
    for (uint32_t i = 0; i < p->materials.count; ++i) {
        if (materials[i].name.value == name.value)
            return i;
    }
    return UINT32_MAX;
}

uint32_t ct_physics_find_filter(const ct_physics_resource *p, ct_string_id32 name) {
    const ct_physics_filter *const filters = ct_blob_at(p, p->filters.offset);
    for (uint32_t i = 0; i < p->filters.count; ++i) {
        if (filters[i].name.value == name.value)
            return i;
    }
    return UINT32_MAX;
}

uint32_t ct_physics_find_template(const ct_physics_resource *p, ct_string_id32 name) {
    const ct_physics_template *const templates = ct_blob_at(p, p->templates.offset);
    for (uint32_t i = 0; i < p->templates.count; ++i) {
        if (templates[i].name.value == name.value)
            return i;
    }
    return UINT32_MAX;
}

float ct_physics_touch_impulse(const ct_physics_resource *p, uint32_t a, uint32_t b) {
    const ct_physics_material *const materials = ct_blob_at(p, p->materials.offset);
    const ct_physics_pair *const pairs = ct_blob_at(p, p->pairs.offset);
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t first = 0, end = p->pairs.count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        const ct_physics_pair *const pair = &pairs[middle];
        if (pair->a < low || (pair->a == low && pair->b < high))
            first = middle + 1;
        else
            end = middle;
    }
    if (first < p->pairs.count && pairs[first].a == low && pairs[first].b == high)
        return pairs[first].touch_impulse;
    return fmaxf(materials[a].touch_impulse, materials[b].touch_impulse);
}
