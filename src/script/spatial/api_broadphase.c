#include <math.h>

#include "foundation/math/math_shapes.h"
#include "foundation/memory/temp_allocator.h"
#include "lua/lua_array.h"
#include "script/api_check.h"
#include "spatial/broadphase.h"

extern const ct_lua_module ct_api_broadphase;

// A broadphase whose items represent units, by their ids, and the working memory of its functions.
typedef struct ct_script_broadphase {
    ct_broadphase *broadphase;
    CT_ARRAY(uint32_t) found;
    CT_ARRAY(ct_broadphase_hit) hits;
    CT_ARRAY(ct_broadphase_item) items;
    CT_ARRAY(ct_aabb) boxes;
    // By slot of an item, as the game gave them: those of boxes far from the origin are rounded.
    CT_ARRAY(ct_vec3) halves;
} ct_script_broadphase;

static void end(lua_State *L, void *object, uint64_t data) {
    (void)data;
    ct_script_broadphase *const s = object;
    ct_broadphase_destroy(s->broadphase);
    ct_array_free(&s->found);
    ct_array_free(&s->hits);
    ct_array_free(&s->halves);
    ct_array_free(&s->items);
    ct_array_free(&s->boxes);
    ct_free_sized(ct_lua_of(L)->allocator, s, sizeof(*s));
}

static const ct_lua_object_type ct_type_broadphase = {.name = "Broadphase", .end = end};

// Lua knows an item as one number: its generation above its slot, 52 bits.

enum {
    SLOT_BITS = 24,
    MOST_ITEMS = (1 << SLOT_BITS) - 2,
    ITEM_BYTES = 128,          // about, to ask for memory
    MOST_ROOM_AHEAD = 1 << 16, // a slip in num_objects is no reason to take gigabytes
};

static const double margin_of_radius = 1.0 / 32;

// --- Arguments -----------------------------------------------------------------------------------

static ct_script_broadphase *check_self(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_broadphase, NULL);
}

static double number_of(ct_broadphase_item item) {
    return (double)((uint64_t)item.generation << SLOT_BITS | item.slot);
}

// None for what is no item.
static ct_broadphase_item item_of(double number) {
    if (!(number >= 0 && number < 0x1p52))
        return (ct_broadphase_item){0};
    const uint64_t bits = (uint64_t)number;
    return (ct_broadphase_item){bits & ((1u << SLOT_BITS) - 1), (uint32_t)(bits >> SLOT_BITS)};
}

static ct_broadphase_item check_item(lua_State *L, int argument, const ct_broadphase *b) {
    const double number = ct_check_number(L, argument);
    const ct_broadphase_item item = item_of(number);
    if (!ct_broadphase_is_live(b, item))
        ct_argument_error(
            L, argument,
            "expected an item of the broadphase, got %.14g, which was removed or never existed",
            number);
    return item;
}

static float check_radius(lua_State *L, int argument) {
    return (float)ct_check_number_in(L, argument, 0, (double)CT_BROADPHASE_REACH);
}

static ct_vec3 check_half_extents(lua_State *L, int argument) {
    const ct_vec3 half = ct_check_finite_vector3(L, argument);
    if (half.x < 0 || half.y < 0 || half.z < 0)
        ct_argument_error(L, argument,
                          "expected half extents without negative numbers, got %g, %g, %g",
                          (double)half.x, (double)half.y, (double)half.z);
    return half;
}

static ct_aabb box_around(ct_vec3 center, ct_vec3 half) {
    return (ct_aabb){ct_vec3_sub(center, half), ct_vec3_add(center, half)};
}

static bool is_within_reach(const ct_aabb *box) {
    bool is_within = true;
    for (uint32_t k = 0; k < 3; ++k) { // false for NaN
        is_within &= box->min.raw[k] >= -CT_BROADPHASE_REACH;
        is_within &= box->max.raw[k] <= CT_BROADPHASE_REACH;
    }
    return is_within;
}

// The box at the place at `argument`.
static ct_aabb check_box_at(lua_State *L, int argument, ct_vec3 half) {
    const ct_aabb box = box_around(ct_check_finite_vector3(L, argument), half);
    if (!is_within_reach(&box))
        ct_argument_error(L, argument, "expected a position within %g m of the origin",
                          (double)CT_BROADPHASE_REACH);
    return box;
}

static ct_vec3 all_equal(float value) {
    return ct_vec3_make(value, value, value);
}

// Half of what an item measures, which is one of the broadphase.
static ct_vec3 half_of(const ct_script_broadphase *s, ct_broadphase_item item) {
    return s->halves.items[item.slot];
}

static void keep_half(ct_script_broadphase *s, ct_broadphase_item item, ct_vec3 half) {
    if (item.slot >= s->halves.count)
        ct_array_resize(&s->halves, item.slot + 1);
    s->halves.items[item.slot] = half;
}

// Where a function puts what it found: a Lua array, or one of the engine's, which makes no garbage.
typedef struct results {
    int argument; // 0: not wanted
    ct_lua_array *array;
    uint32_t length; // of the Lua array, so far
} results;

static results check_results(lua_State *L, int argument, ct_lua_array_kind kind) {
    const results r = {.argument = argument, .array = ct_lua_array_at(L, argument, kind)};
    if (!r.array && !lua_istable(L, argument))
        ct_argument_type_error(L, argument,
                               kind == CT_LUA_ARRAY_KIND_FLOATS ? "Float32Array or table"
                                                                : "EntityArray or table");
    return r.array ? r : (results){argument, NULL, ct_check_array(L, argument)};
}

// --- Life cycle ----------------------------------------------------------------------------------

static int make(lua_State *L) {
    const double radius = ct_check_number_in(L, 2, 0, (double)CT_BROADPHASE_REACH);
    const uint32_t num_items = (uint32_t)ct_check_integer(L, 3, 0, MOST_ITEMS);
    ct_check_object_room(L, &ct_type_broadphase);
    ct_lua_ask_memory(L, (uint64_t)(num_items < MOST_ROOM_AHEAD ? num_items : MOST_ROOM_AHEAD) *
                             ITEM_BYTES);
    ct_allocator *const a = ct_lua_of(L)->allocator;
    ct_script_broadphase *const s = CT_NEW(a, ct_script_broadphase);
    s->broadphase = ct_broadphase_create(
        a, &(ct_broadphase_desc){.num_items =
                                     num_items < MOST_ROOM_AHEAD ? num_items : MOST_ROOM_AHEAD,
                                 .margin = (float)(radius * margin_of_radius)});
    ct_array_init(&s->found, a);
    ct_array_init(&s->hits, a);
    ct_array_init(&s->halves, a);
    ct_array_init(&s->items, a);
    ct_array_init(&s->boxes, a);
    ct_push_object(L, &ct_type_broadphase, s, 0);
    return 1;
}

static int destroy(lua_State *L) {
    ct_end_object(L, &ct_type_broadphase, check_self(L), 0);
    return 0;
}

// --- Items ---------------------------------------------------------------------------------------

static void check_room(lua_State *L, const ct_broadphase *b, uint32_t count) {
    if (count > MOST_ITEMS - ct_broadphase_count(b))
        ct_function_error(L, "a broadphase has room for %d items", MOST_ITEMS);
    ct_lua_ask_memory(L, (uint64_t)count * ITEM_BYTES);
}

// Adds a unit at the position at argument 3.
static int add_to(lua_State *L, ct_script_broadphase *s, ct_entity unit, ct_vec3 half) {
    const ct_aabb box = check_box_at(L, 3, half);
    check_room(L, s->broadphase, 1);
    ct_broadphase_item item;
    ct_broadphase_add(s->broadphase, &box, &unit.id, 1, &item);
    keep_half(s, item, half);
    lua_pushnumber(L, number_of(item));
    return 1;
}

static int add(lua_State *L) {
    ct_script_broadphase *const s = check_self(L);
    const ct_entity unit = ct_check_entity(L, 2);
    return add_to(L, s, unit, all_equal(check_radius(L, 4)));
}

static int add_box(lua_State *L) {
    ct_script_broadphase *const s = check_self(L);
    const ct_entity unit = ct_check_entity(L, 2);
    return add_to(L, s, unit, check_half_extents(L, 4));
}

// Writes the `count` units of the array at argument 2, which live, to `s->found`.
static void check_units(lua_State *L, ct_script_broadphase *s, uint32_t count) {
    ct_array_resize(&s->found, count);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    ct_entity *const copies = ct_alloc(temp, sizeof(ct_entity) * (count + 1ull));
    const ct_entity *const units = ct_check_entities(L, 2, copies, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (!ct_entity_is_alive(ct_lua_of(L)->entities, units[i])) {
            ct_push_entity(L, units[i]);
            ct_argument_error(L, 2, "expected a Unit at index %u, got %s", i + 1,
                              ct_push_value_description(L, lua_gettop(L)));
        }
        s->found.items[i] = units[i].id;
    }
}

// The item that is element `i` of the array at `argument`.
static ct_broadphase_item check_item_at(lua_State *L, int argument, uint32_t i,
                                        const ct_broadphase *b) {
    lua_rawgeti(L, argument, (int)i);
    const ct_broadphase_item item = item_of(lua_tonumber(L, -1));
    if (lua_type(L, -1) != LUA_TNUMBER || !ct_broadphase_is_live(b, item))
        ct_argument_error(L, argument, "expected an item of the broadphase at index %u, got %s", i,
                          ct_push_value_description(L, lua_gettop(L)));
    lua_pop(L, 1);
    return item;
}

// Makes a box around each of the positions at `argument`, one for each of `count` things.
static void check_boxes(lua_State *L, int argument, ct_script_broadphase *s, uint32_t count,
                        const char *what) {
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    uint32_t num_positions;
    const ct_vec3 *const positions = ct_check_positions(L, argument, temp, &num_positions);
    if (num_positions != count)
        ct_argument_error(L, argument, "expected one position for each of %u %s, got %u", count,
                          what, num_positions);
    ct_array_resize(&s->boxes, count);
    for (uint32_t i = 0; i < count; ++i)
        s->boxes.items[i] = (ct_aabb){positions[i], positions[i]};
}

// Gives the boxes, so far points, their half extents.
static void widen_box(lua_State *L, int argument, ct_script_broadphase *s, uint32_t i,
                      ct_vec3 half) {
    s->boxes.items[i] = box_around(s->boxes.items[i].min, half);
    if (!is_within_reach(&s->boxes.items[i]))
        ct_argument_error(L, argument, "expected a position within %g m of the origin at index %u",
                          (double)CT_BROADPHASE_REACH, i + 1);
}

static int add_many(lua_State *L) {
    ct_script_broadphase *const s = check_self(L);
    const uint32_t count = ct_check_entity_count(L, 2);
    check_boxes(L, 3, s, count, "units");
    const ct_vec3 half = all_equal(check_radius(L, 4));
    if (!lua_isnoneornil(L, 5))
        ct_check_array(L, 5);
    check_room(L, s->broadphase, count);
    check_units(L, s, count);
    ct_array_resize(&s->items, count);
    for (uint32_t i = 0; i < count; ++i)
        widen_box(L, 3, s, i, half);
    ct_broadphase_add(s->broadphase, s->boxes.items, s->found.items, count, s->items.items);
    for (uint32_t i = 0; i < count; ++i)
        keep_half(s, s->items.items[i], half);
    if (lua_isnoneornil(L, 5))
        lua_createtable(L, (int)count, 0);
    else
        lua_pushvalue(L, 5);
    for (uint32_t i = 0; i < count; ++i) {
        lua_pushnumber(L, number_of(s->items.items[i]));
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int move(lua_State *L) {
    ct_script_broadphase *const s = check_self(L);
    const ct_broadphase_item item = check_item(L, 2, s->broadphase);
    const ct_aabb box = check_box_at(L, 3, half_of(s, item));
    ct_broadphase_move(s->broadphase, &item, &box, 1);
    return 0;
}

static int move_box(lua_State *L) {
    ct_script_broadphase *const s = check_self(L);
    const ct_broadphase_item item = check_item(L, 2, s->broadphase);
    const ct_vec3 half = check_half_extents(L, 4);
    const ct_aabb box = check_box_at(L, 3, half);
    ct_broadphase_move(s->broadphase, &item, &box, 1);
    keep_half(s, item, half);
    return 0;
}

static int move_many(lua_State *L) {
    ct_script_broadphase *const s = check_self(L);
    const uint32_t count = ct_check_array(L, 2);
    check_boxes(L, 3, s, count, "items");
    ct_array_resize(&s->items, count);
    for (uint32_t i = 0; i < count; ++i) {
        s->items.items[i] = check_item_at(L, 2, i + 1, s->broadphase);
        widen_box(L, 3, s, i, half_of(s, s->items.items[i]));
    }
    ct_broadphase_move(s->broadphase, s->items.items, s->boxes.items, count);
    return 0;
}

// Writes all items to `s->items`.
static uint32_t list_items(ct_script_broadphase *s) {
    const uint32_t count = ct_broadphase_count(s->broadphase);
    ct_array_resize(&s->items, count);
    return ct_broadphase_items(s->broadphase, s->items.items, count);
}

// Gets the position of a unit with a transform; returns false for others.
static bool find_position(const ct_script *s, ct_entity unit, ct_vec3 *position) {
    const ct_world *const world = ct_world_of(s->worlds, unit);
    if (!world)
        return false;
    const ct_transform_manager *const m = ct_world_transforms(world);
    const ct_transform t = ct_transform_lookup(m, unit);
    if (t.index)
        *position = ct_mat4_position(*ct_transform_world(m, t));
    return t.index;
}

static int move_to_units(lua_State *L) {
    ct_script_broadphase *const s = check_self(L);
    const uint32_t count = list_items(s);
    ct_array_resize(&s->boxes, count);
    uint32_t num_moved = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_broadphase_item item = s->items.items[i];
        const ct_entity unit = {ct_broadphase_value(s->broadphase, item)};
        ct_vec3 position;
        if (!find_position(ct_script_of(L), unit, &position))
            continue;
        const ct_aabb box = box_around(position, half_of(s, item));
        if (!is_within_reach(&box))
            continue;
        s->items.items[num_moved] = item;
        s->boxes.items[num_moved++] = box;
    }
    ct_broadphase_move(s->broadphase, s->items.items, s->boxes.items, num_moved);
    return 0;
}

static int remove_item(lua_State *L) {
    ct_broadphase *const b = check_self(L)->broadphase;
    const ct_broadphase_item item = check_item(L, 2, b);
    ct_broadphase_remove(b, &item, 1);
    return 0;
}

static int remove_all(lua_State *L) {
    ct_broadphase_clear(check_self(L)->broadphase);
    return 0;
}

static int num_items(lua_State *L) {
    lua_pushnumber(L, ct_broadphase_count(check_self(L)->broadphase));
    return 1;
}

// Sets the member `key` of the table on top but one to what is on top, whatever its metatable says.
static void set_member(lua_State *L, const char *key) {
    lua_pushstring(L, key);
    lua_insert(L, -2);
    lua_rawset(L, -3);
}

// Sets the fields of an item in the table on top.
static void set_members(lua_State *L, const ct_broadphase *b, ct_broadphase_item item) {
    const ct_aabb box = ct_broadphase_box(b, item);
    const ct_vec3 half = ct_aabb_half(box);
    lua_pushnumber(L, number_of(item));
    set_member(L, "item");
    ct_push_entity(L, (ct_entity){ct_broadphase_value(b, item)});
    set_member(L, "unit");
    ct_push_vector3(L, ct_aabb_center(box));
    set_member(L, "position");
    ct_push_vector3(L, half);
    set_member(L, "half_extents");
    lua_pushnumber(L, (double)fmaxf(half.x, fmaxf(half.y, half.z)));
    set_member(L, "radius");
}

static int all(lua_State *L) {
    ct_script_broadphase *const s = check_self(L);
    lua_settop(L, 2);
    const uint32_t num_old = lua_isnil(L, 2) ? 0 : ct_check_array(L, 2);
    const uint32_t count = list_items(s);
    if (lua_isnil(L, 2)) {
        lua_createtable(L, (int)count, 0);
        lua_replace(L, 2);
    }
    for (uint32_t i = 1; i <= count; ++i) {
        lua_rawgeti(L, 2, (int)i);
        if (!lua_istable(L, -1)) {
            lua_createtable(L, 0, 5);
            lua_pushvalue(L, -1);
            lua_rawseti(L, 2, (int)i);
        }
        set_members(L, s->broadphase, s->items.items[i - 1]);
        lua_settop(L, 2);
    }
    for (uint32_t i = num_old; i > count; --i) {
        lua_pushnil(L);
        lua_rawseti(L, 2, (int)i);
    }
    return 1;
}

// --- Queries -------------------------------------------------------------------------------------

// Makes room for at most `count` results.
static void open_results(lua_State *L, const results *r, uint32_t count) {
    if (r->array)
        ct_lua_array_resize(L, r->array, count);
}

// Ends the results behind the first `count`.
static void end_results(lua_State *L, const results *r, uint32_t count) {
    if (r->array)
        ct_lua_array_resize(L, r->array, count);
    for (uint32_t i = count + 1; i <= r->length; ++i) {
        lua_pushnil(L);
        lua_rawseti(L, r->argument, (int)i);
    }
}

// Sets result `i`, from 0.
static void put_unit(lua_State *L, const results *r, uint32_t i, uint32_t unit) {
    if (r->array) {
        r->array->entities[i].id = unit;
        return;
    }
    ct_push_entity(L, (ct_entity){unit});
    lua_rawseti(L, r->argument, (int)i + 1);
}

static void put_distance(lua_State *L, const results *r, uint32_t i, float distance) {
    if (r->array) {
        r->array->floats[i] = distance;
        return;
    }
    lua_pushnumber(L, (double)distance);
    lua_rawseti(L, r->argument, (int)i + 1);
}

static bool is_living(lua_State *L, uint32_t unit) {
    return ct_entity_is_alive(ct_lua_of(L)->entities, (ct_entity){unit});
}

// Fills the results with the units among `count` that were found and live.
static int give_found(lua_State *L, const ct_script_broadphase *s, uint32_t count,
                      const results *r) {
    uint32_t num_units = 0;
    open_results(L, r, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (is_living(L, s->found.items[i]))
            put_unit(L, r, num_units++, s->found.items[i]);
    }
    end_results(L, r, num_units);
    lua_pushnumber(L, num_units);
    return 1;
}

static int query(lua_State *L) {
    ct_script_broadphase *const s = check_self(L);
    const ct_sphere sphere = {ct_check_finite_vector3(L, 2), check_radius(L, 3)};
    const results units = check_results(L, 4, CT_LUA_ARRAY_KIND_ENTITIES);
    ct_array_resize(&s->found, ct_broadphase_count(s->broadphase));
    const uint32_t count =
        ct_broadphase_overlap_sphere(s->broadphase, sphere, s->found.items, s->found.count);
    return give_found(L, s, count, &units);
}

static int query_box(lua_State *L) {
    ct_script_broadphase *const s = check_self(L);
    const ct_vec3 half = check_half_extents(L, 3);
    const ct_aabb box = check_box_at(L, 2, half);
    const results units = check_results(L, 4, CT_LUA_ARRAY_KIND_ENTITIES);
    ct_array_resize(&s->found, ct_broadphase_count(s->broadphase));
    const uint32_t count =
        ct_broadphase_overlap_box(s->broadphase, box, s->found.items, s->found.count);
    return give_found(L, s, count, &units);
}

// What is asked for the best of: a ray, or a point and a radius.
typedef struct best_query {
    bool is_ray;
    ct_ray ray;
    float most;
    uint32_t max;
    int units, distances; // arguments; 0: not wanted
} best_query;

static uint32_t find_best(const ct_script_broadphase *s, const best_query *q, uint32_t max) {
    if (q->is_ray)
        return ct_broadphase_ray(s->broadphase, q->ray, q->most, s->hits.items, max);
    return ct_broadphase_nearest(s->broadphase, q->ray.origin, q->most, s->hits.items, max);
}

// Finds the best hits with units that live, at most `q->max`, and has them first in `s->hits`.
static uint32_t find_living(lua_State *L, ct_script_broadphase *s, const best_query *q) {
    const uint32_t num_all = ct_broadphase_count(s->broadphase);
    const uint32_t max = q->max < num_all ? q->max : num_all;
    for (uint32_t wanted = max;;) {
        ct_array_resize(&s->hits, wanted);
        const uint32_t count = find_best(s, q, wanted);
        uint32_t num_living = 0;
        for (uint32_t i = 0; i < count; ++i)
            if (is_living(L, s->hits.items[i].value))
                s->hits.items[num_living++] = s->hits.items[i];
        // Dead ones took places: ask for as many more.
        if (count < wanted || num_living >= max || wanted == num_all)
            return num_living < max ? num_living : max;
        wanted = num_all - wanted > max - num_living ? wanted + max - num_living : num_all;
    }
}

static int give_best(lua_State *L, ct_script_broadphase *s, const best_query *q) {
    const results units = check_results(L, q->units, CT_LUA_ARRAY_KIND_ENTITIES);
    const results distances =
        q->distances ? check_results(L, q->distances, CT_LUA_ARRAY_KIND_FLOATS) : (results){0};
    const uint32_t count = find_living(L, s, q);
    open_results(L, &units, count);
    open_results(L, &distances, count);
    for (uint32_t i = 0; i < count; ++i) {
        put_unit(L, &units, i, s->hits.items[i].value);
        if (q->distances)
            put_distance(L, &distances, i, s->hits.items[i].distance);
    }
    end_results(L, &units, count);
    end_results(L, &distances, count);
    lua_pushnumber(L, count);
    return 1;
}

static uint32_t check_max(lua_State *L, int argument) {
    return (uint32_t)ct_check_integer(L, argument, 1, MOST_ITEMS);
}

static int query_nearest(lua_State *L) {
    ct_script_broadphase *const s = check_self(L);
    const best_query q = {.ray.origin = ct_check_finite_vector3(L, 2),
                          .most = check_radius(L, 3),
                          .max = check_max(L, 4),
                          .units = 5,
                          .distances = lua_isnoneornil(L, 6) ? 0 : 6};
    return give_best(L, s, &q);
}

static int query_ray(lua_State *L) {
    ct_script_broadphase *const s = check_self(L);
    const ct_vec3 from = ct_check_finite_vector3(L, 2);
    const ct_vec3 direction = ct_vec3_normalize(ct_check_finite_vector3(L, 3));
    if (!(ct_vec3_dot(direction, direction) > 0.5f))
        ct_argument_error(
            L, 3, "expected a direction, got a vector whose length is 0, too small or too large");
    const best_query q = {.is_ray = true,
                          .ray = {from, direction},
                          .most = check_radius(L, 4),
                          .max = lua_isnoneornil(L, 7) ? MOST_ITEMS : check_max(L, 7),
                          .units = 5,
                          .distances = lua_isnoneornil(L, 6) ? 0 : 6};
    return give_best(L, s, &q);
}

static const ct_lua_function functions[] = {
    {"add", add, "(self: Broadphase, unit: Unit, pos: Vector3, radius: number) -> integer",
     "Adds an item for a unit: the box around a sphere. Returns the item."},
    {"add_box", add_box,
     "(self: Broadphase, unit: Unit, pos: Vector3, half_extents: Vector3) -> integer",
     "Adds a box as an item, by its centre and half its size along each axis of the world; returns "
     "the item."},
    {"add_many", add_many,
     "(self: Broadphase, units: any(EntityArray,Unit[]), "
     "positions: any(Float32Array,number[],Vector3[]), radius: number, items: integer[]?) "
     "-> integer[]",
     "Adds an item for each unit at the position with the same index (a Vector3, or three numbers "
     "in a row); faster than one by one. Writes the items to `items` or to a new table and returns "
     "it."},
    {"all", all, "(self: Broadphase, results: table[]?) -> table[]",
     "Returns a table for each item with its item, unit, position, half_extents, and radius, the "
     "largest half extent. In a new table, or in `results`, whose tables are filled again."},
    {"destroy", destroy, "(self: Broadphase) -> nil",
     "Destroys the broadphase with its items. A broadphase that is not destroyed lasts until the "
     "game ends."},
    {"move", move, "(self: Broadphase, item: number, pos: Vector3) -> nil",
     "Moves an item's centre; the size stays the same."},
    {"move_box", move_box,
     "(self: Broadphase, item: number, pos: Vector3, half_extents: Vector3) -> nil",
     "Moves an item and changes its size."},
    {"move_many", move_many,
     "(self: Broadphase, items: integer[], "
     "positions: any(Float32Array,number[],Vector3[])) -> nil",
     "Moves each item to the position with the same index: a Vector3, or three numbers in a row."},
    {"move_to_units", move_to_units, "(self: Broadphase) -> nil",
     "Moves all items to the positions of their units in the world. Items of dead units, and of "
     "units without a transform, do not move."},
    {"num_items", num_items, "(self: Broadphase) -> integer", "Returns the number of items."},
    {"query", query,
     "(self: Broadphase, pos: Vector3, radius: number, results: any(EntityArray,Unit[])) -> "
     "integer",
     "Fills `results` with the units whose boxes intersect the sphere, in no particular order, and "
     "removes its old contents; returns the number of units. Dead units are left out."},
    {"query_box", query_box,
     "(self: Broadphase, pos: Vector3, half_extents: Vector3, results: any(EntityArray,Unit[])) -> "
     "integer",
     "Works like query, for a box."},
    {"query_nearest", query_nearest,
     "(self: Broadphase, pos: Vector3, radius: number, max: integer, results: "
     "any(EntityArray,Unit[]), "
     "distances: any(Float32Array,number[])?) -> integer",
     "Fills `results` with the nearest units, at most `max`, whose boxes intersect the sphere, "
     "nearest first, and `distances` with the distances to their boxes, 0 inside; returns the "
     "number of units."},
    {"query_ray", query_ray,
     "(self: Broadphase, from: Vector3, direction: Vector3, length: number, results: "
     "any(EntityArray,Unit[]), "
     "distances: any(Float32Array,number[])?, max: integer?) -> integer",
     "Fills `results` with the units whose boxes a ray hits within `length` metres, at most `max`, "
     "first hit first, and `distances` with the distances along the ray; returns the number of "
     "units."},
    {"remove", remove_item, "(self: Broadphase, item: number) -> nil", "Removes an item."},
    {"remove_all", remove_all, "(self: Broadphase) -> nil", "Removes all items."},
};

const ct_lua_module ct_api_broadphase = {
    .name = "Broadphase",
    .doc = "Finds which of many moving boxes are near: spheres, boxes and rays find items, each of "
           "which represents a unit. `cell_radius` is about the radius of typical queries; moving "
           "an item less than a 32nd of it is cheap. More items than `num_objects` can be added.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(cell_radius: number, num_objects: number) -> Broadphase",
};
