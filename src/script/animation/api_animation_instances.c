#include <string.h>

#include "foundation/memory/temp_allocator.h"
#include "lua/lua_array.h"
#include "script/animation/api_animation.h"
#include "script/entity/api_property.h"

static const ct_schema *schema(void) {
    return ct_component_type_named("animation")->schema;
}

// --- Life cycle ----------------------------------------------------------------------------------

int ct_characters_create(lua_State *L) {
    ct_world *const world = ct_called_component(L);
    ct_animation_manager *const m = ct_check_animations(L, world);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    const uint32_t id = ct_check_component_id(L, 3);
    if (ct_animation_lookup(m, e).index)
        return ct_argument_error(
            L, 2, "expected an entity without a component of the type animation, got one with one");
    const ct_component_manager manager = ct_animation_component_manager(m);
    ct_check_room(L, &manager);
    ct_animation_data data;
    ct_schema_defaults(schema(), &data);
    ct_animation_create(m, e, id, &data);
    return ct_push_single_instance(L, e);
}

// The character of the instance at argument 2.
static ct_script_character check_instance(lua_State *L, ct_world *world) {
    ct_script_character c = {.world = world, .argument = 2};
    c.manager = ct_check_animations(L, world);
    c.entity = ct_check_single_instance(L, 2);
    c.instance = ct_animation_lookup(c.manager, c.entity);
    if (!c.instance.index)
        ct_instance_error(L, 2, "component of the type animation");
    return c;
}

int ct_characters_destroy(lua_State *L) {
    ct_world *const world = ct_called_component(L);
    const ct_script_character c = check_instance(L, world);
    ct_animation_destroy(c.manager, c.instance);
    return 0;
}

int ct_characters_destroy_all(lua_State *L) {
    ct_world *const world = ct_called_component(L);
    ct_animation_manager *const m = ct_check_animations(L, world);
    const ct_animation_instance i = ct_animation_lookup(m, ct_check_unit_of(L, 2, world));
    if (i.index)
        ct_animation_destroy(m, i);
    return 0;
}

// --- Finding -------------------------------------------------------------------------------------

int ct_characters_instances(lua_State *L) {
    ct_world *const world = ct_called_component(L);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    const bool is_one = ct_animation_lookup(ct_check_animations(L, world), e).index != 0;
    return is_one ? ct_push_single_instance(L, e) : 0;
}

int ct_characters_instance_ids(lua_State *L) {
    ct_world *const world = ct_called_component(L);
    const ct_animation_manager *const m = ct_check_animations(L, world);
    const ct_animation_instance i = ct_animation_lookup(m, ct_check_unit_of(L, 2, world));
    if (i.index)
        lua_pushnumber(L, ct_animation_id(m, i));
    return i.index ? 1 : 0;
}

int ct_characters_lookup(lua_State *L) {
    ct_world *const world = ct_called_component(L);
    const ct_animation_manager *const m = ct_check_animations(L, world);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    const uint32_t id = ct_check_component_id(L, 3);
    const ct_animation_instance i = ct_animation_lookup(m, e);
    const bool is_it = i.index && ct_animation_id(m, i) == id;
    return ct_push_single_instance(L, is_it ? e : (ct_entity){0});
}

// Calls the manager once, however many entities there are: it poses all that are new.
int ct_characters_spawned(lua_State *L) {
    ct_world *const world = ct_called_component(L);
    const uint32_t count = ct_check_entity_count(L, 2);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    ct_entity *const copies = ct_alloc(temp, sizeof(ct_entity) * (count + 1ull));
    const ct_entity *const entities = ct_check_entities(L, 2, copies, count);
    for (uint32_t k = 0; k < count; ++k)
        ct_check_unit_at(L, 2, entities[k], k, world);
    ct_animation_pose_new(ct_check_animations(L, world));
    return 0;
}

// --- Properties ----------------------------------------------------------------------------------

// The character of the entity at argument 2, with the id at argument 3.
static ct_script_character check_character_with_id(lua_State *L, ct_world *world) {
    ct_script_character c = {.world = world, .argument = 2};
    c.manager = ct_check_animations(L, world);
    c.entity = ct_check_unit_of(L, 2, world);
    const uint32_t id = ct_check_component_id(L, 3);
    c.instance = ct_animation_lookup(c.manager, c.entity);
    if (!c.instance.index || ct_animation_id(c.manager, c.instance) != id)
        ct_argument_error(L, 3, "the entity has no component of the type animation with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    return c;
}

static int push_property(lua_State *L, ct_script_character c, int key) {
    const ct_animation_data data = ct_animation_data_of(c.manager, c.instance);
    return ct_push_property(L, ct_check_property(L, key, schema()), &data);
}

// Takes a resource by name, or none for nil and "".
static void take_reference(lua_State *L, int argument, const ct_field *field, void *data) {
    ct_string_id64 id = {0};
    const bool is_empty = lua_isnil(L, argument) ||
                          (lua_type(L, argument) == LUA_TSTRING && lua_objlen(L, argument) == 0);
    if (!is_empty)
        id = ct_string_id64_register(ct_check_resource(L, argument, field->reference_type, NULL));
    memcpy((char *)data + field->offset, &id, sizeof(id));
}

// A character with another skeleton is another character.
static void make_again(ct_script_character c, const ct_animation_data *data) {
    const uint32_t id = ct_animation_id(c.manager, c.instance);
    ct_animation_destroy(c.manager, c.instance);
    ct_animation_create(c.manager, c.entity, id, data);
}

static void take_property(lua_State *L, ct_script_character c, int key) {
    const ct_animation_data before = ct_animation_data_of(c.manager, c.instance);
    ct_animation_data data = before;
    const ct_field *const field = ct_check_property(L, key, schema());
    if (field->type == CT_FIELD_TYPE_REFERENCE)
        take_reference(L, key + 1, field, &data);
    else
        ct_take_property(L, key + 1, field, &data);
    if (data.skeleton.value != before.skeleton.value) {
        make_again(c, &data);
        return;
    }
    if (data.state_machine.value != before.state_machine.value)
        ct_animation_set_machine(c.manager, c.instance, data.state_machine);
    if (data.root_mode != before.root_mode)
        ct_animation_set_root_mode(c.manager, c.instance, (ct_animation_root_mode)data.root_mode);
    if (data.is_always_posed != before.is_always_posed)
        ct_animation_set_always(c.manager, c.instance, data.is_always_posed != 0);
}

int ct_characters_get_property(lua_State *L) {
    ct_world *const world = ct_called_component(L);
    return push_property(L, check_instance(L, world), 3);
}

int ct_characters_get_property_by_id(lua_State *L) {
    ct_world *const world = ct_called_component(L);
    return push_property(L, check_character_with_id(L, world), 4);
}

int ct_characters_set_property(lua_State *L) {
    ct_world *const world = ct_called_component(L);
    take_property(L, check_instance(L, world), 3);
    return 0;
}

int ct_characters_set_property_by_id(lua_State *L) {
    ct_world *const world = ct_called_component(L);
    const ct_script_character c = check_character_with_id(L, world);
    take_property(L, c, 4);
    return ct_push_single_instance(L, c.entity);
}
