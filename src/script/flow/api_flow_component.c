// FlowComponent: graphs of entities, which scripts add, remove and speak to.
#include "foundation/memory/temp_allocator.h"
#include "lua/lua_array.h"
#include "script/entity/api_managers.h"
#include "script/entity/api_property.h"
#include "script/flow/script_flow.h"

extern const ct_lua_module ct_api_flow_component;

const ct_lua_object_type ct_type_flow_component = {.name = "FlowComponent",
                                                   .owner = CT_LUA_OWNER_OBJECT};

static ct_world *check_world_of_manager(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_flow_component, NULL);
}

static ct_flow_world *flow_of(lua_State *L, const ct_world *world) {
    return ct_flow_world_of(ct_script_of(L)->flow, world);
}

// --- Instances -----------------------------------------------------------------------------------

// The component of an entity; `entity` {0}: it has none.
typedef struct flow_component {
    ct_flow_world *flow;
    ct_world *world;
    ct_entity entity;
    uint32_t id;
    ct_string_id64 graph;
} flow_component;

static flow_component component_of(lua_State *L, ct_entity e) {
    ct_world *const world = check_world_of_manager(L);
    flow_component c = {.flow = flow_of(L, world), .world = world, .entity = e};
    c.graph = ct_flow_component_graph(c.flow, e, &c.id);
    if (!c.graph.value)
        c.entity = (ct_entity){0};
    return c;
}

// The component of the instance at argument 2.
static flow_component check_instance(lua_State *L) {
    check_world_of_manager(L);
    const flow_component c = component_of(L, ct_check_single_instance(L, 2));
    if (!c.entity.id)
        ct_instance_error(L, 2, "component of the type flow");
    return c;
}

// The component of the entity at argument 2, if there is one.
static flow_component find_component(lua_State *L) {
    return component_of(L, ct_check_unit_of(L, 2, check_world_of_manager(L)));
}

// The component of the entity at argument 2 with the id at argument 3.
static flow_component check_with_id(lua_State *L) {
    const flow_component c = find_component(L);
    const uint32_t id = ct_check_component_id(L, 3);
    if (!c.entity.id || c.id != id)
        ct_argument_error(L, 3, "the entity has no component of the type flow with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    return c;
}

static void add(lua_State *L, ct_flow_world *flow, ct_entity e, uint32_t id, int argument) {
    const char *const name = ct_check_resource(L, argument, "flow", NULL);
    ct_error error = {0};
    if (!ct_flow_component_add(flow, e, id, ct_string_id64_register(name), &error))
        ct_function_error(L, "%s", error.message);
}

static int create(lua_State *L) {
    ct_world *const world = check_world_of_manager(L);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    add(L, flow_of(L, world), e, ct_check_component_id(L, 3), 4);
    return ct_push_single_instance(L, e);
}

static int destroy(lua_State *L) {
    const flow_component c = check_instance(L);
    ct_flow_component_remove(c.flow, c.entity);
    return 0;
}

static int destroy_all(lua_State *L) {
    const flow_component c = find_component(L);
    if (c.entity.id)
        ct_flow_component_remove(c.flow, c.entity);
    return 0;
}

static int spawned(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    const uint32_t count = ct_check_entity_count(L, 2);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    ct_entity *const copies = ct_alloc(temp, sizeof(ct_entity) * (count + 1ull));
    const ct_entity *const entities = ct_check_entities(L, 2, copies, count);
    for (uint32_t k = 0; k < count; ++k)
        ct_check_unit_at(L, 2, entities[k], k, world);
    ct_flow_component_spawned(flow_of(L, world), entities, count);
    return 0;
}

// --- Finding -------------------------------------------------------------------------------------

static int instances(lua_State *L) {
    const flow_component c = find_component(L);
    return c.entity.id ? ct_push_single_instance(L, c.entity) : 0;
}

static int instance_ids(lua_State *L) {
    const flow_component c = find_component(L);
    if (c.entity.id)
        lua_pushnumber(L, c.id);
    return c.entity.id ? 1 : 0;
}

static int lookup(lua_State *L) {
    const flow_component c = find_component(L);
    const uint32_t id = ct_check_component_id(L, 3);
    return ct_push_single_instance(L, c.id == id ? c.entity : (ct_entity){0});
}

// --- Properties ----------------------------------------------------------------------------------

static const ct_field *check_field(lua_State *L, int key) {
    return ct_check_property(L, key, ct_component_type_named("flow")->schema);
}

static int push_property(lua_State *L, const flow_component *c, int key) {
    const ct_flow_component_data data = {.graph = c->graph};
    return ct_push_property(L, check_field(L, key), &data);
}

// Another graph takes the place of the one that the entity has.
static void take_property(lua_State *L, const flow_component *c, int key) {
    check_field(L, key);
    ct_check_resource(L, key + 1, "flow", NULL); // before anything changes
    ct_flow_component_remove(c->flow, c->entity);
    add(L, c->flow, c->entity, c->id, key + 1);
}

static int get_property(lua_State *L) {
    const flow_component c = check_instance(L);
    return push_property(L, &c, 3);
}

static int get_property_by_id(lua_State *L) {
    const flow_component c = check_with_id(L);
    return push_property(L, &c, 4);
}

static int set_property(lua_State *L) {
    const flow_component c = check_instance(L);
    take_property(L, &c, 3);
    return 0;
}

static int set_property_by_id(lua_State *L) {
    const flow_component c = check_with_id(L);
    take_property(L, &c, 4);
    return ct_push_single_instance(L, c.entity);
}

// --- Events and variables ------------------------------------------------------------------------

static int flow_variable(lua_State *L) {
    const flow_component c = check_instance(L);
    return ct_push_flow_variable(L, c.world, ct_flow_of_unit(c.flow, c.entity), 3);
}

static int set_flow_variable(lua_State *L) {
    const flow_component c = check_instance(L);
    return ct_take_flow_variable(L, c.world, ct_flow_of_unit(c.flow, c.entity), 3);
}

static int trigger_flow_event(lua_State *L) {
    const flow_component c = check_instance(L);
    return ct_start_flow_event(L, c.world, ct_flow_of_unit(c.flow, c.entity), 3);
}

static const ct_lua_function functions[] = {
    {"create", create,
     "(self: FlowComponent, entity: Entity, id: any(integer,string), graph: string(flow)) -> "
     "integer",
     "Gives an entity without a graph a loaded one, under an id; returns the instance. No event "
     "runs: call spawned for those of the beginning."},
    {"destroy", destroy, "(self: FlowComponent, instance: integer) -> nil",
     "Ends an instance. No event runs."},
    {"destroy_all", destroy_all, "(self: FlowComponent, entity: Entity) -> nil",
     "Ends the instance of an entity, if it has one. No event runs."},
    {"flow_variable", flow_variable,
     "(self: FlowComponent, instance: integer, name: string) -> any",
     "Returns a variable, external input or external output of an instance."},
    {"get_property", get_property,
     "(self: FlowComponent, instance: integer, key: any(string,string[])) -> any",
     "Returns a field of an instance: graph, an IdString64."},
    {"get_property_by_id", get_property_by_id,
     "(self: FlowComponent, entity: Entity, id: any(integer,string), key: any(string,string[])) -> "
     "any",
     "Works like get_property, for the component with this id of an entity."},
    {"instance_ids", instance_ids, "(self: FlowComponent, entity: Entity) -> integer*",
     "Returns the id of an entity's component, or nothing when it has none."},
    {"instances", instances, "(self: FlowComponent, entity: Entity) -> integer*",
     "Returns the instance of an entity, valid until it is destroyed, or nothing when it has "
     "none."},
    {"lookup", lookup, "(self: FlowComponent, entity: Entity, id: any(integer,string)) -> integer?",
     "Returns the instance with this id of an entity, or nil."},
    {"set_flow_variable", set_flow_variable,
     "(self: FlowComponent, instance: integer, name: string, value: any) -> nil",
     "Sets a variable or external input of an instance to a value of its type."},
    {"set_property", set_property,
     "(self: FlowComponent, instance: integer, key: any(string,string[]), value: any) -> nil",
     "Sets a field of an instance: graph, to the name of another loaded graph, which starts over."},
    {"set_property_by_id", set_property_by_id,
     "(self: FlowComponent, entity: Entity, id: any(integer,string), key: any(string,string[]), "
     "value: any) -> integer",
     "Sets a field of an entity's component like set_property; returns the instance."},
    {"spawned", spawned, "(self: FlowComponent, entities: any(EntityArray,Entity[])) -> nil",
     "Starts the events Entity Spawned and Unit Spawned in the graphs of entities that create "
     "made."},
    {"trigger_flow_event", trigger_flow_event,
     "(self: FlowComponent, instance: integer, event: string) -> nil",
     "Starts an external in event of an instance."},
};

const ct_lua_module ct_api_flow_component = {
    .name = "FlowComponent",
    .doc = "The flow graphs of a world's entities. Get it with EntityManager.flow_component. Units "
           "and levels have functions of their own: Unit.flow_event, Level.trigger_event.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
