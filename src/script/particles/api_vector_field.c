#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"
#include "lua/lua_check.h"
#include "script/particles/api_particles.h"

extern const ct_lua_module ct_api_vector_field;

const ct_lua_object_type ct_type_vector_field = {.name = "VectorField",
                                                 .owner = CT_LUA_OWNER_OBJECT};

// The field at argument 1.
typedef struct field_place {
    ct_particle_fields *fields;
    uint32_t field;
} field_place;

static field_place check_field(lua_State *L) {
    uint64_t field;
    const ct_world *const world = ct_check_object(L, 1, &ct_type_vector_field, &field);
    return (field_place){ct_particles_fields(ct_world_particles(world)), (uint32_t)field};
}

// --- Parameters and settings ---------------------------------------------------------------------

// In the order of ct_particle_field_type, from WIND.
static const char *const effect_names[] = {"wind", "push", "whirl", "wave", "noise", NULL};

enum {
    WIND = 1 << CT_PARTICLE_FIELD_WIND,
    PUSH = 1 << CT_PARTICLE_FIELD_PUSH,
    WHIRL = 1 << CT_PARTICLE_FIELD_WHIRL,
    WAVE = 1 << CT_PARTICLE_FIELD_WAVE,
    NOISE = 1 << CT_PARTICLE_FIELD_NOISE,
    ALL = WIND | PUSH | WHIRL | WAVE | NOISE,
};

// A member of a table.
typedef struct member_row {
    const char *name;
    uint32_t offset;  // in ct_particle_field_effect
    uint32_t effects; // that have it; a bit each
    uint32_t needed;  // of these, those that must have it
    bool is_vector;   // else a number
    double least;     // of a number
} member_row;

#define MEMBER(member) #member, offsetof(ct_particle_field_effect, member)

static const member_row parameters[] = {
    {MEMBER(vector), WIND | WAVE, WIND | WAVE, true, 0},
    {MEMBER(center), ALL, 0, true, 0},
    {MEMBER(axis), WHIRL, 0, true, 0},
    {MEMBER(speed), PUSH | WHIRL | NOISE, PUSH | WHIRL | NOISE, false, -CT_PARTICLES_MOST},
    {MEMBER(frequency), WAVE | NOISE, WAVE | NOISE, false, 0},
    {MEMBER(rate), WAVE | NOISE, 0, false, -CT_PARTICLES_MOST},
};

static const member_row settings[] = {
    {MEMBER(radius), ALL, 0, false, 0},
    {MEMBER(duration), ALL, 0, false, 0},
    {MEMBER(fade_in), ALL, 0, false, 0},
    {MEMBER(fade_out), ALL, 0, false, 0},
};

// A table at an argument that is being read.
typedef struct table_reading {
    lua_State *L;
    int argument;
    const char *what; // "parameter"
    const member_row *rows;
    uint32_t num_rows;
    uint32_t type; // ct_particle_field_type
    ct_particle_field_effect *effect;
} table_reading;

static bool has_row(const table_reading *r, uint32_t row) {
    return (r->rows[row].effects >> r->type & 1) != 0;
}

// Returns the row of a name; raises an error when the effect has no such member.
static const member_row *check_row(const table_reading *r, const char *name) {
    const char *names[CT_COUNT_OF(parameters) + CT_COUNT_OF(settings)];
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->num_rows; ++i) {
        if (!has_row(r, i))
            continue;
        if (strcmp(r->rows[i].name, name) == 0)
            return &r->rows[i];
        names[count++] = r->rows[i].name;
    }
    char expected[128] = "";
    for (uint32_t i = 0; i < count; ++i) {
        const size_t length = strlen(expected);
        snprintf(expected + length, sizeof(expected) - length, "%s%s", i ? ", " : "", names[i]);
    }
    const char *const nearest = ct_nearest_name(name, names, count);
    const char *const effect = effect_names[r->type - 1];
    if (nearest)
        ct_argument_error(r->L, r->argument, "\"%s\" has no %s \"%.64s\", did you mean \"%s\"?",
                          effect, r->what, name, nearest);
    ct_argument_error(r->L, r->argument, "\"%s\" has no %s \"%.64s\"; it has %s", effect, r->what,
                      name, expected);
    return NULL;
}

// Takes the value on top of the stack for a member.
static void take_value(const table_reading *r, const member_row *row) {
    lua_State *const L = r->L;
    const bool is_vector = ct_value_kind_at(L, -1) == CT_VALUE_KIND_VECTOR3;
    if (is_vector != row->is_vector || (!is_vector && lua_type(L, -1) != LUA_TNUMBER)) {
        const char *const found = ct_push_value_description(L, -1);
        ct_argument_error(L, r->argument, "%s: expected %s, got %s", row->name,
                          row->is_vector ? "a Vector3" : "a number", found);
    }
    float *const to = (float *)(void *)((char *)r->effect + row->offset);
    double values[3] = {0, 0, 0};
    if (is_vector) {
        const ct_vec3 v = ct_check_vector3(L, lua_gettop(L));
        values[0] = (double)v.x, values[1] = (double)v.y, values[2] = (double)v.z;
    } else {
        values[0] = lua_tonumber(L, -1);
    }
    const double least = is_vector ? -CT_PARTICLES_REACH : row->least;
    const double most = is_vector ? CT_PARTICLES_REACH : CT_PARTICLES_MOST;
    for (uint32_t i = 0; i < (is_vector ? 3 : 1); ++i) {
        if (!(values[i] >= least && values[i] <= most))
            ct_argument_error(L, r->argument, "%s: expected %s from %g to %g, got %g", row->name,
                              is_vector ? "numbers" : "a number", least, most, values[i]);
        to[i] = (float)values[i];
    }
}

static void check_needed(const table_reading *r, uint32_t given) {
    for (uint32_t i = 0; i < r->num_rows; ++i)
        if ((r->rows[i].needed >> r->type & 1) != 0 && (given >> i & 1) == 0)
            ct_argument_error(r->L, r->argument, "\"%s\" needs the %s \"%s\"",
                              effect_names[r->type - 1], r->what, r->rows[i].name);
}

static void read_table(const table_reading *r) {
    lua_State *const L = r->L;
    uint32_t given = 0;
    luaL_checkstack(L, 6, NULL);
    for (lua_pushnil(L); lua_next(L, r->argument); lua_pop(L, 1)) {
        const char *const name = lua_type(L, -2) == LUA_TSTRING ? ct_lua_name_at(L, -2) : NULL;
        if (!name)
            ct_argument_error(L, r->argument, "expected a table of values by name");
        const member_row *const row = check_row(r, name);
        take_value(r, row);
        given |= 1u << (row - r->rows);
    }
    check_needed(r, given);
}

// Returns the effect of which the name is at `argument`, then its parameters and its settings.
static ct_particle_field_effect check_effect(lua_State *L, int argument) {
    ct_particle_field_effect e = {.axis = {{0, 0, 1}}};
    e.type = 1 + ct_check_name_of(L, argument, effect_names);
    lua_settop(L, argument + 2);
    for (int i = 1; i <= 2; ++i)
        if (!lua_istable(L, argument + i) && (i == 1 || !lua_isnil(L, argument + i)))
            ct_argument_type_error(L, argument + i, i == 1 ? "table" : "table or nil");
    read_table(&(table_reading){L, argument + 1, "parameter", parameters, CT_COUNT_OF(parameters),
                                e.type, &e});
    if (!lua_isnil(L, argument + 2))
        read_table(&(table_reading){L, argument + 2, "setting", settings, CT_COUNT_OF(settings),
                                    e.type, &e});
    return e;
}

// --- Functions -----------------------------------------------------------------------------------

static uint32_t check_id(lua_State *L) {
    return (uint32_t)ct_check_integer(L, 2, 0, UINT32_MAX);
}

static int add(lua_State *L) {
    const field_place p = check_field(L);
    const ct_particle_field_effect e = check_effect(L, 2);
    const uint32_t id = ct_particle_fields_add(p.fields, p.field, &e);
    if (!id)
        return ct_function_error(L,
                                 "the field has %d effects already; remove one, or give them a "
                                 "duration",
                                 CT_PARTICLE_FIELD_MAX_EFFECTS);
    lua_pushnumber(L, id);
    return 1;
}

static int change(lua_State *L) {
    const field_place p = check_field(L);
    const uint32_t id = check_id(L);
    const ct_particle_field_effect e = check_effect(L, 3);
    ct_particle_fields_change(p.fields, p.field, id, &e);
    return 0;
}

static int remove_effect(lua_State *L) {
    const field_place p = check_field(L);
    ct_particle_fields_remove(p.fields, p.field, check_id(L));
    return 0;
}

static int evaluate(lua_State *L) {
    const field_place p = check_field(L);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    uint32_t count;
    const ct_vec3 *const positions = ct_check_positions(L, 2, temp, &count);
    const uint64_t stride = ct_round_up(count, 4);
    float *const floats = ct_alloc_aligned(temp, sizeof(float) * (6 * stride + 4), 16);
    const float *const points[3] = {floats, floats + stride, floats + 2 * stride};
    float *const vectors[3] = {floats + 3 * stride, floats + 4 * stride, floats + 5 * stride};
    memset(floats, 0, sizeof(float) * 3 * (size_t)stride);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < 3; ++k) {
            if (!(fabsf(positions[i].raw[k]) <= (float)CT_PARTICLES_REACH))
                ct_argument_error(L, 2, "point %u: expected numbers from %g to %g, got %g", i + 1,
                                  -CT_PARTICLES_REACH, CT_PARTICLES_REACH,
                                  (double)positions[i].raw[k]);
            floats[k * stride + i] = positions[i].raw[k];
        }
    ct_particle_fields_evaluate(p.fields, p.field, points, vectors, (uint32_t)stride);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        ct_push_vector3(L, ct_vec3_make(vectors[0][i], vectors[1][i], vectors[2][i]));
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static const ct_lua_function functions[] = {
    {"add", add,
     "(self: VectorField, effect: string, parameters: table, settings: table?) -> integer",
     "Adds an effect and returns its id. Effects and their parameters: \"wind\" (vector), \"push\" "
     "(speed), \"whirl\" (speed, axis), \"wave\" (vector, frequency, rate), \"noise\" (speed, "
     "frequency, rate), each with a center. Settings: radius, duration, fade_in and fade_out."},
    {"change", change,
     "(self: VectorField, id: integer, effect: string, parameters: table, settings: table?) -> nil",
     "Replaces an effect by another, as in add; its time goes on. Does nothing when it has ended."},
    {"evaluate", evaluate,
     "(self: VectorField, points: any(Float32Array,number[],Vector3[])) -> Vector3[]",
     "Returns the vectors of the field at points in the world, in metres a second."},
    {"remove", remove_effect, "(self: VectorField, id: integer) -> nil",
     "Removes an effect. Does nothing when it has ended."},
};

const ct_lua_module ct_api_vector_field = {
    .name = "VectorField",
    .doc = "Winds, pushes, whirls, waves and noise that add up and move particles. Get one by its "
           "name with World.vector_field.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
