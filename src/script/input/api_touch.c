#include "foundation/math/math.h"
#include "script/api_check.h"

extern const ct_lua_module ct_api_touch;

static const ct_touch_contacts *contacts_of(lua_State *L) {
    return ct_input_touches(ct_script_of(L)->input);
}

static const ct_touch_contact *check_contact(lua_State *L) {
    const uint32_t id = (uint32_t)ct_check_integer(L, 1, 1, UINT32_MAX);
    const ct_touch_contact *const contact = ct_touch_find(contacts_of(L), id);
    if (!contact)
        ct_argument_error(L, 1, "there is no contact %u in this frame", id);
    return contact;
}

static int contacts(lua_State *L) {
    const ct_touch_contacts *const all = contacts_of(L);
    lua_createtable(L, (int)all->count, 0);
    for (uint32_t i = 0; i < all->count; ++i) {
        lua_pushnumber(L, all->items[i].id);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int num_contacts(lua_State *L) {
    lua_pushnumber(L, contacts_of(L)->count);
    return 1;
}

static int has_contact(lua_State *L) {
    const uint32_t id = (uint32_t)ct_check_integer(L, 1, 1, UINT32_MAX);
    lua_pushboolean(L, ct_touch_find(contacts_of(L), id) != NULL);
    return 1;
}

static int location(lua_State *L) {
    const ct_vec2 at = check_contact(L)->location;
    ct_push_vector3(L, ct_vec3_make(at.x, at.y, 0));
    return 1;
}

static int delta(lua_State *L) {
    const ct_vec2 moved = check_contact(L)->delta;
    ct_push_vector3(L, ct_vec3_make(moved.x, moved.y, 0));
    return 1;
}

static int pressure(lua_State *L) {
    lua_pushnumber(L, (double)check_contact(L)->pressure);
    return 1;
}

static int phase(lua_State *L) {
    lua_pushstring(L, ct_touch_phase_name(check_contact(L)->phase));
    return 1;
}

static int began(lua_State *L) {
    lua_pushboolean(L, check_contact(L)->is_new);
    return 1;
}

static int ended(lua_State *L) {
    lua_pushboolean(L, check_contact(L)->phase == CT_TOUCH_PHASE_ENDED);
    return 1;
}

static const ct_lua_function functions[] = {
    {"began", began, "(contact: integer) -> boolean",
     "Returns true in the frame in which the finger came down."},
    {"contacts", contacts, "() -> integer[]",
     "Returns the ids of all contacts, oldest first. A contact that ended stays in the list for "
     "one more frame."},
    {"delta", delta, "(contact: integer) -> Vector3",
     "Returns how far the contact moved in this frame, in pixels."},
    {"ended", ended, "(contact: integer) -> boolean",
     "Returns true in the frame in which the finger went up."},
    {"has_contact", has_contact, "(contact: integer) -> boolean",
     "Returns whether there is a contact with this id."},
    {"location", location, "(contact: integer) -> Vector3",
     "Returns the position of the contact, in pixels from the top left of the window."},
    {"num_contacts", num_contacts, "() -> integer", "Returns the number of contacts."},
    {"phase", phase, "(contact: integer) -> string",
     "Returns the phase of the contact in this frame: began, moved, resting or ended."},
    {"pressure", pressure, "(contact: integer) -> number",
     "Returns the pressure, from 0 to 1, as far as the panel measures it."},
};

const ct_lua_module ct_api_touch = {
    .name = "Touch",
    .doc = "The fingers on a touch panel. Each contact has its own id.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
