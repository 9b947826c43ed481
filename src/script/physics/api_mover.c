#include "script/physics/api_physics.h"
#include "script/physics/api_unit_physics.h"

extern const ct_lua_module ct_api_mover;

// --- The component -------------------------------------------------------------------------------

static uint32_t first(const ct_world *w, ct_entity e) {
    return ct_mover_first(ct_world_movers(w), e).index;
}

static uint32_t next(const ct_world *w, uint32_t instance) {
    return ct_mover_next(ct_world_movers(w), (ct_mover_instance){instance}).index;
}

static uint32_t with_number(const ct_world *w, ct_entity e, uint32_t number) {
    return ct_mover_with_number(ct_world_movers(w), e, number, CT_COMPONENT_HANDLE_BITS).index;
}

static uint32_t number(const ct_world *w, uint32_t instance) {
    return ct_mover_number(ct_world_movers(w), (ct_mover_instance){instance});
}

static uint32_t name(const ct_world *w, uint32_t instance) {
    return ct_mover_data_of(ct_world_movers(w), (ct_mover_instance){instance})->name.value;
}

static uint32_t node(const ct_world *w, uint32_t instance) {
    (void)w, (void)instance;
    return 0;
}

const ct_script_component ct_component_mover = {.type = {.name = "Mover"},
                                                .noun = "mover",
                                                .nouns = "movers",
                                                .first = first,
                                                .next = next,
                                                .with_number = with_number,
                                                .number = number,
                                                .name = name,
                                                .node = node};

// A living mover.
typedef struct mover {
    ct_world *world;
    ct_mover_manager *movers;
    ct_entity entity;
    ct_mover_instance instance;
} mover;

static mover check_mover(lua_State *L) {
    const ct_script_instance i = ct_check_component_instance(L, 1, &ct_component_mover);
    return (mover){i.world, ct_world_movers(i.world), i.entity, {i.index}};
}

static double optional_move(lua_State *L, int argument) {
    return lua_isnoneornil(L, argument) ? 0 : ct_check_number_in(L, argument, 0, 1e3);
}

// --- Moving --------------------------------------------------------------------------------------

// A mover that is in use.
static mover check_active(lua_State *L) {
    const mover m = check_mover(L);
    if (!ct_mover_is_active(m.movers, m.instance))
        ct_argument_error(L, 1,
                          "expected a mover that is in use; take it into use with Unit.set_mover");
    return m;
}

static int move(lua_State *L) {
    const mover m = check_active(L);
    const ct_vec3 offset = ct_check_offset(L, 2);
    const float dt = (float)ct_check_number_in(L, 3, 1e-6, 10);
    ct_mover_component_move(m.movers, m.instance, offset, dt);
    return 0;
}

static int position(lua_State *L) {
    const mover m = check_mover(L);
    ct_push_vector3(L, ct_mover_position(m.movers, m.instance));
    return 1;
}

static int set_position(lua_State *L) {
    const mover m = check_active(L);
    ct_mover_set_position(m.movers, m.instance, ct_check_place(L, 2));
    return 0;
}

// --- What the last move found --------------------------------------------------------------------

static const ct_mover_contacts *check_contacts(lua_State *L) {
    const mover m = check_mover(L);
    return ct_mover_contacts_of(m.movers, m.instance);
}

static int collides_down(lua_State *L) {
    lua_pushboolean(L, check_contacts(L)->down);
    return 1;
}

static int collides_sides(lua_State *L) {
    lua_pushboolean(L, check_contacts(L)->sides);
    return 1;
}

static int collides_up(lua_State *L) {
    lua_pushboolean(L, check_contacts(L)->up);
    return 1;
}

static int actor_colliding_down(lua_State *L) {
    const mover m = check_mover(L);
    ct_push_actor(L, m.world, ct_mover_ground(m.movers, m.instance)); // nil for none
    return 1;
}

static int standing_frames(lua_State *L) {
    const mover m = check_mover(L);
    lua_pushnumber(L, ct_mover_standing_frames(m.movers, m.instance));
    return 1;
}

static int flying_frames(lua_State *L) {
    const mover m = check_mover(L);
    lua_pushnumber(L, ct_mover_flying_frames(m.movers, m.instance));
    return 1;
}

// --- Room ----------------------------------------------------------------------------------------

// Pushes whether a mover fits at the position at `argument`, and where.
static int push_fit(lua_State *L, const mover *m, int argument) {
    const ct_vec3 at = ct_check_place(L, argument);
    const float allowed = (float)optional_move(L, argument + 1);
    ct_vec3 found;
    const bool fits = ct_mover_component_fits_at(m->movers, m->instance, at, allowed, &found);
    lua_pushboolean(L, fits);
    if (fits)
        ct_push_vector3(L, found);
    return fits ? 2 : 1;
}

static int fits_at(lua_State *L) {
    const mover m = check_mover(L);
    return push_fit(L, &m, 2);
}

static int separate(lua_State *L) {
    const mover m = check_active(L);
    const float allowed = (float)optional_move(L, 2);
    ct_actor actor = {0};
    ct_vec3 moved = {{0}};
    const bool was_inside =
        ct_mover_component_separate(m.movers, m.instance, allowed, &actor, &moved);
    lua_pushboolean(L, was_inside);
    if (!was_inside)
        return 1;
    ct_push_actor(L, m.world, actor); // nil: it is free
    ct_push_vector3(L, moved);
    ct_push_vector3(L, ct_mover_position(m.movers, m.instance));
    return 4;
}

// --- What it is like -----------------------------------------------------------------------------

static int radius(lua_State *L) {
    const mover m = check_mover(L);
    lua_pushnumber(L, (lua_Number)ct_mover_data_of(m.movers, m.instance)->radius);
    return 1;
}

static int max_slope_angle(lua_State *L) {
    const mover m = check_mover(L);
    lua_pushnumber(L, (lua_Number)ct_mover_data_of(m.movers, m.instance)->max_slope_angle);
    return 1;
}

static int set_max_slope_angle(lua_State *L) {
    const mover m = check_mover(L);
    const float angle = (float)ct_check_field_number(L, 2, ct_component_type_named("mover")->schema,
                                                     "max_slope_angle");
    ct_mover_set_max_slope_angle(m.movers, m.instance, angle);
    return 0;
}

static int set_collision_filter(lua_State *L) {
    const mover m = check_mover(L);
    ct_mover_set_filter(m.movers, m.instance, ct_check_filter(L, 2, ct_world_physics(m.world)));
    return 0;
}

static int unit(lua_State *L) {
    ct_push_entity(L, check_mover(L).entity);
    return 1;
}

// --- Functions of Unit ---------------------------------------------------------------------------

// The unit at argument 1, in a world with movers.
static mover check_unit_with_movers(lua_State *L) {
    mover m = {.world = NULL};
    m.entity = ct_check_unit(L, 1, &m.world);
    ct_check_physics(L, m.world);
    m.movers = ct_world_movers(m.world);
    return m;
}

// Its mover with the name, or the number from 1, at argument 2.
static ct_mover_instance check_which(lua_State *L, const mover *m) {
    ct_mover_instance i = {0};
    if (lua_type(L, 2) != LUA_TNUMBER) {
        i.index = ct_find_component(&ct_component_mover, m->world, m->entity,
                                    ct_check_id32(L, 2).value, NULL);
        if (!i.index)
            ct_no_such_component(L, "mover");
        return i;
    }
    const uint32_t count = ct_mover_count_of(m->movers, m->entity);
    if (count == 0)
        ct_argument_error(L, 1, "expected a unit with a mover, got one without");
    int64_t place = ct_check_integer(L, 2, 1, count);
    i = ct_mover_first(m->movers, m->entity);
    while (--place)
        i = ct_mover_next(m->movers, i);
    return i;
}

static int push_mover(lua_State *L, const mover *m, ct_mover_instance i) {
    if (i.index)
        return ct_push_component_instance(L, 1, &ct_component_mover, m->world, m->entity, i.index);
    lua_pushnil(L);
    return 1;
}

int ct_unit_num_movers(lua_State *L) {
    const mover m = check_unit_with_movers(L);
    lua_pushnumber(L, ct_mover_count_of(m.movers, m.entity));
    return 1;
}

int ct_unit_find_mover(lua_State *L) {
    const mover m = check_unit_with_movers(L);
    uint32_t place;
    if (ct_find_component(&ct_component_mover, m.world, m.entity, ct_check_id32(L, 2).value,
                          &place))
        lua_pushnumber(L, place + 1);
    else
        lua_pushnil(L);
    return 1;
}

int ct_unit_mover(lua_State *L) {
    const mover m = check_unit_with_movers(L);
    return push_mover(L, &m, ct_mover_active(m.movers, m.entity));
}

int ct_unit_mover_fits_at(lua_State *L) {
    mover m = check_unit_with_movers(L);
    m.instance = check_which(L, &m);
    return push_fit(L, &m, 3);
}

int ct_unit_set_mover(lua_State *L) {
    const mover m = check_unit_with_movers(L);
    const ct_mover_instance i = lua_isnoneornil(L, 2) ? (ct_mover_instance){0} : check_which(L, &m);
    return push_mover(L, &m,
                      ct_mover_set_active(m.movers, m.entity, i) ? i : (ct_mover_instance){0});
}

static const ct_lua_function functions[] = {
    {"actor_colliding_down", actor_colliding_down, "(self: Mover) -> Actor?",
     "Returns the actor that is the mover's ground, or nil."},
    {"collides_down", collides_down, "(self: Mover) -> boolean",
     "Returns whether the last move found ground."},
    {"collides_sides", collides_sides, "(self: Mover) -> boolean",
     "Returns whether the last move met something at the side."},
    {"collides_up", collides_up, "(self: Mover) -> boolean",
     "Returns whether the last move met something above."},
    {"fits_at", fits_at,
     "(self: Mover, position: Vector3, allow_move: number?) -> boolean, Vector3?",
     "Returns whether the mover, in use or not, fits at a position or within `allow_move` metres "
     "of "
     "it, and where."},
    {"flying_frames", flying_frames, "(self: Mover) -> integer",
     "Returns for how many moves in a row there was no ground."},
    {"max_slope_angle", max_slope_angle, "(self: Mover) -> number",
     "Returns the slope, in radians, from which on the mover slides down."},
    {"move", move, "(self: Mover, offset: Vector3, delta_time: number) -> nil",
     "Moves the unit by `offset` metres in `delta_time` seconds, at once: it slides along walls, "
     "climbs steps and pushes. Call it once in each update, also with an offset of 0, so that "
     "platforms carry the unit."},
    {"position", position, "(self: Mover) -> Vector3",
     "Returns the lowest point of the mover in the world: the position of its unit."},
    {"radius", radius, "(self: Mover) -> number", "Returns the radius of the capsule in metres."},
    {"separate", separate,
     "(self: Mover, allow_move: number?) -> boolean, Actor?, Vector3?, Vector3?",
     "Moves the unit out of what the mover overlaps, by at most `allow_move` metres. Returns "
     "whether it was inside something; then the actor that it is still inside of (nil: it is "
     "free), how far it moved, and its position."},
    {"set_collision_filter", set_collision_filter, "(self: Mover, filter: string) -> nil",
     "Gives the mover a collision filter of the physics resource."},
    {"set_max_slope_angle", set_max_slope_angle, "(self: Mover, slope: number) -> nil",
     "Sets the slope, in radians, from which on the mover slides down."},
    {"set_position", set_position, "(self: Mover, pos: Vector3) -> nil",
     "Puts the unit elsewhere at once, also inside something."},
    {"standing_frames", standing_frames, "(self: Mover) -> integer",
     "Returns for how many moves in a row there was ground."},
    {"unit", unit, "(self: Mover) -> Unit", "Returns the unit that the mover moves."},
};

const ct_lua_module ct_api_mover = {
    .component = &ct_component_mover.type,
    .name = "Mover",
    .doc =
        "Characters that walk: a capsule that is moved through the world. Get the one that is in "
        "use with Unit.mover.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
