#include "foundation/error.h"
#include "lua/lua_array.h"
#include "script/entity/api_managers.h"
#include "script/entity/api_property.h"

extern const ct_lua_module ct_api_tag_component;

const ct_lua_object_type ct_type_tag_component = {.name = "TagComponent"};

enum { MAX_TAGS = 64 }; // of a query

static const ct_schema *schema(void) {
    return ct_component_type_named("tag")->schema;
}

// --- Arguments -----------------------------------------------------------------------------------

static ct_tag_manager *check_manager(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_tag_component, NULL);
}

static ct_string_id32 check_tag(lua_State *L, int argument) {
    const ct_string_id32 tag = ct_check_id32(L, argument);
    if (tag.value == 0)
        ct_argument_error(L, argument, "expected a tag, got an empty string");
    return tag;
}

// Element `i` of the array at `argument`.
static ct_string_id32 check_tag_at(lua_State *L, int argument, uint32_t i) {
    lua_rawgeti(L, argument, (int)i);
    const int top = lua_gettop(L);
    if (lua_type(L, top) != LUA_TSTRING && ct_value_kind_at(L, top) != CT_VALUE_KIND_ID32)
        ct_argument_error(L, argument, "expected a string at index %u, got %s", i,
                          ct_push_value_description(L, top));
    const ct_string_id32 tag = ct_check_id32(L, top);
    if (tag.value == 0)
        ct_argument_error(L, argument, "expected a tag at index %u, got an empty string", i);
    lua_pop(L, 1);
    return tag;
}

// The tag at `argument`, or all those of an array there; returns how many.
static uint32_t check_tags(lua_State *L, int argument, ct_string_id32 tags[MAX_TAGS]) {
    if (!lua_istable(L, argument)) {
        tags[0] = check_tag(L, argument);
        return 1;
    }
    const uint32_t count = ct_check_array(L, argument);
    if (count > MAX_TAGS)
        ct_argument_error(L, argument, "expected at most %d tags, got %u", MAX_TAGS, count);
    for (uint32_t i = 0; i < count; ++i)
        tags[i] = check_tag_at(L, argument, i + 1);
    return count;
}

// The living entities of the array at `argument`, where they lie or in the manager's scratch
// memory; `count` is set.
static const ct_entity *check_entities(lua_State *L, int argument, ct_tag_manager *m,
                                       uint32_t *count) {
    *count = ct_check_entity_count(L, argument);
    const ct_entity *const entities =
        ct_check_entities(L, argument, ct_tag_scratch(m, *count), *count);
    for (uint32_t i = 0; i < *count; ++i)
        ct_check_entity_at(L, argument, entities[i], i);
    return entities;
}

// The living entity whose instance is argument 2.
static ct_entity check_instance(lua_State *L, const ct_tag_manager *m) {
    const ct_entity e = ct_check_single_instance(L, 2);
    if (!ct_entity_is_alive(ct_lua_of(L)->entities, e) ||
        !ct_instance_table_first(ct_tag_instances(m), e))
        ct_instance_error(L, 2, "tag");
    return e;
}

// --- Results -------------------------------------------------------------------------------------

// Fails unless a table for results is at `argument`, or nothing.
static void check_results(lua_State *L, int argument) {
    if (!lua_isnoneornil(L, argument) && !lua_istable(L, argument))
        ct_argument_type_error(L, argument, "table");
}

// The same of entities, for which an EntityArray goes, too.
static void check_entity_results(lua_State *L, int argument) {
    if (!lua_isnoneornil(L, argument) && !lua_istable(L, argument) &&
        !ct_lua_array_at(L, argument, CT_LUA_ARRAY_KIND_ENTITIES))
        ct_argument_type_error(L, argument, "EntityArray or table");
}

// Pushes the table at `argument` (0: none), or a new one for `count` items.
static void push_results(lua_State *L, int argument, uint32_t count) {
    if (argument && lua_istable(L, argument))
        lua_pushvalue(L, argument);
    else
        lua_createtable(L, (int)count, 0);
}

// Takes what a former use left behind item `count` out of the table at the top.
static void cut_results(lua_State *L, uint32_t count) {
    for (size_t i = lua_objlen(L, -1); i > count; --i) {
        lua_pushnil(L);
        lua_rawseti(L, -2, (int)i);
    }
}

// Pushes a table of entities, or the table or EntityArray at `argument` when there is one.
static int push_entities(lua_State *L, int argument, const ct_entity *entities, uint32_t count) {
    if (ct_lua_array_at(L, argument, CT_LUA_ARRAY_KIND_ENTITIES))
        return ct_push_entities(L, argument, entities, count);
    push_results(L, argument, count);
    cut_results(L, count);
    for (uint32_t i = 0; i < count; ++i) {
        ct_push_entity(L, entities[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int push_tags(lua_State *L, int argument, const ct_tag_manager *m, ct_entity e) {
    const uint32_t count = ct_tag_count(m, e);
    push_results(L, argument, count);
    cut_results(L, count);
    for (uint32_t i = 0; i < count; ++i) {
        ct_push_id32(L, ct_tag_at(m, e, i));
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int push_found(lua_State *L, int argument, ct_tag_manager *m, const ct_tag_query *query) {
    ct_entity *const found = ct_tag_scratch(m, ct_tag_most_found(m, query));
    return push_entities(L, argument, found, ct_tag_find(m, ct_lua_of(L)->entities, query, found));
}

// --- Tags ----------------------------------------------------------------------------------------

static int add_tag(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_tag_add(m, &e, 1, check_tag(L, 3));
    return 0;
}

static int add_tag_to_all(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    uint32_t count;
    const ct_entity *const entities = check_entities(L, 2, m, &count);
    ct_tag_add(m, entities, count, check_tag(L, 3));
    return 0;
}

static int remove_tag(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_tag_remove(m, &e, 1, check_tag(L, 3));
    return 0;
}

static int remove_tag_from_all(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    uint32_t count;
    const ct_entity *const entities = check_entities(L, 2, m, &count);
    ct_tag_remove(m, entities, count, check_tag(L, 3));
    return 0;
}

static int remove_all_tags(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_tag_remove_all(m, &e, 1);
    return 0;
}

static int has_tag(lua_State *L) {
    const ct_tag_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    lua_pushboolean(L, ct_tag_has(m, e, check_tag(L, 3)));
    return 1;
}

static int tags(lua_State *L) {
    const ct_tag_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    check_results(L, 3);
    return push_tags(L, 3, m, e);
}

// --- Entities with tags --------------------------------------------------------------------------

static int get_entities(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    const ct_string_id32 tag = check_tag(L, 2);
    check_entity_results(L, 3);
    return push_found(L, 3, m, &(ct_tag_query){.all = &tag, .num_all = 1});
}

static int find_entities(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    ct_string_id32 all[MAX_TAGS], none[MAX_TAGS];
    const uint32_t num_all = check_tags(L, 2, all);
    const uint32_t num_none = lua_isnoneornil(L, 3) ? 0 : check_tags(L, 3, none);
    if (num_all == 0)
        ct_argument_error(L, 2, "expected at least one tag");
    check_entity_results(L, 4);
    return push_found(L, 4, m, &(ct_tag_query){all, none, num_all, num_none});
}

// --- Changes -------------------------------------------------------------------------------------

static ct_tag_reader check_reader(lua_State *L, ct_tag_manager *m) {
    const ct_string_id32 name = ct_check_id32(L, 2);
    ct_tag_reader reader;
    ct_error error = {0};
    if (!ct_tag_reader_named(m, name, &reader, &error))
        ct_argument_error(L, 2, "%s", error.message);
    return reader;
}

static int changes(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    const ct_tag_reader reader = check_reader(L, m);
    const ct_string_id32 tag = check_tag(L, 3);
    check_entity_results(L, 4);
    check_entity_results(L, 5);
    const uint32_t most = ct_tag_most_changed(m, reader, tag);
    ct_entity *const gained = ct_tag_scratch(m, 2 * most), *const lost = gained + most;
    const ct_tag_changed_counts counts =
        ct_tag_changed(m, ct_lua_of(L)->entities, reader, tag, gained, lost);
    push_entities(L, 4, gained, counts.num_gained);
    push_entities(L, 5, lost, counts.num_lost);
    lua_pushboolean(L, counts.is_anew);
    return 3;
}

static int clear_changes(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    ct_tag_clear_changes(m, check_reader(L, m));
    return 0;
}

// --- Instances -----------------------------------------------------------------------------------

// An entity has at most one, so ids are not looked at.
static int create(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_tag_create(m, e);
    return ct_push_single_instance(L, e);
}

static int destroy(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    const ct_entity e = check_instance(L, m);
    ct_tag_destroy(m, &e, 1);
    return 0;
}

static int destroy_all(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_tag_destroy(m, &e, 1);
    return 0;
}

// The entity at argument 2 when it has an instance, or none.
static ct_entity check_owner(lua_State *L) {
    const ct_tag_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    return ct_instance_table_first(ct_tag_instances(m), e) ? e : (ct_entity){0};
}

static int lookup(lua_State *L) {
    return ct_push_single_instance(L, check_owner(L));
}

static int instances(lua_State *L) {
    return ct_push_single_instances(L, check_owner(L));
}

static int instance_ids(lua_State *L) {
    return ct_push_single_ids(L, check_owner(L));
}

// --- Properties ----------------------------------------------------------------------------------

static int get_property(lua_State *L) {
    const ct_tag_manager *const m = check_manager(L);
    const ct_entity e = check_instance(L, m);
    ct_check_property(L, 3, schema());
    return push_tags(L, 0, m, e);
}

static int get_property_by_id(lua_State *L) {
    const ct_tag_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_check_property(L, 4, schema());
    return push_tags(L, 0, m, e);
}

// Gives an entity the tags of the array at `argument` in place of its own, all or none.
static void take_tags(lua_State *L, int argument, ct_tag_manager *m, ct_entity e) {
    const uint32_t count = ct_check_array(L, argument);
    for (uint32_t i = 0; i < count; ++i)
        check_tag_at(L, argument, i + 1);
    ct_tag_remove_all(m, &e, 1);
    for (uint32_t i = 0; i < count; ++i)
        ct_tag_add(m, &e, 1, check_tag_at(L, argument, i + 1));
}

static int set_property(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    const ct_entity e = check_instance(L, m);
    ct_check_property(L, 3, schema());
    take_tags(L, 4, m, e);
    return 0;
}

static int set_property_by_id(lua_State *L) {
    ct_tag_manager *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_check_property(L, 4, schema());
    take_tags(L, 5, m, e);
    ct_tag_create(m, e);
    return ct_push_single_instance(L, e);
}

static const ct_lua_function functions[] = {
    {"add_tag", add_tag, "(self: TagComponent, e: Entity, tag: any(string,IdString32)) -> nil",
     "Adds a tag to an entity, unless it already has it."},
    {"add_tag_to_all", add_tag_to_all,
     "(self: TagComponent, entities: any(EntityArray,Entity[]), tag: any(string,IdString32)) -> "
     "nil",
     "Adds a tag to many entities."},
    {"changes", changes,
     "(self: TagComponent, reader: string, tag: any(string,IdString32), gained: "
     "any(EntityArray,Entity[])?, "
     "lost: any(EntityArray,Entity[])?) -> any(EntityArray,Entity[]), any(EntityArray,Entity[]), "
     "boolean",
     "Returns the entities that gained the tag and those that lost it since the reader with this "
     "name last cleared; the lost ones include dead entities. The third result is true when the "
     "reader is new or too far behind: then the first list has all entities with the tag, and the "
     "second is empty. Given tables are cleared and filled."},
    {"clear_changes", clear_changes, "(self: TagComponent, reader: string) -> nil",
     "Marks all changes of all tags as seen by the reader with this name. Call it in every frame."},
    {"create", create, "(self: TagComponent, entity: Entity, id: any(integer,string)?) -> integer",
     "Returns the instance of an entity; makes one without tags if the entity has no instance."},
    {"destroy", destroy, "(self: TagComponent, instance: integer) -> nil",
     "Destroys an instance with its tags."},
    {"destroy_all", destroy_all, "(self: TagComponent, entity: Entity) -> nil",
     "Destroys the instance of an entity with its tags."},
    {"find_entities", find_entities,
     "(self: TagComponent, all: any(string,IdString32,string[],IdString32[]), "
     "none: any(string,IdString32,string[],IdString32[])?, "
     "results: any(EntityArray,Entity[])?) -> any(EntityArray,Entity[])",
     "Returns the living entities that have all of some tags and none of others, in no particular "
     "order. A given table is cleared and filled."},
    {"get_entities", get_entities,
     "(self: TagComponent, tag: any(string,IdString32), results: any(EntityArray,Entity[])?) -> "
     "any(EntityArray,Entity[])",
     "Returns the living entities that have the tag, in no particular order. A given table is "
     "cleared and filled."},
    {"get_property", get_property,
     "(self: TagComponent, instance: integer, key: any(string,string[])) -> IdString32[]",
     "Returns the \"tags\" of an instance."},
    {"get_property_by_id", get_property_by_id,
     "(self: TagComponent, entity: Entity, id: any(integer,string)?, key: any(string,string[])) "
     "-> IdString32[]",
     "Returns the \"tags\" of an entity."},
    {"has_tag", has_tag, "(self: TagComponent, e: Entity, tag: any(string,IdString32)) -> boolean",
     "Returns whether the entity has the tag."},
    {"instance_ids", instance_ids, "(self: TagComponent, entity: Entity) -> integer*",
     "Returns the id of an entity's tags, 0, or nothing when it has no instance."},
    {"instances", instances, "(self: TagComponent, entity: Entity) -> integer*",
     "Returns the instance of an entity, valid until it is destroyed, or nothing if the "
     "entity has no instance."},
    {"lookup", lookup, "(self: TagComponent, entity: Entity, id: any(integer,string)?) -> integer?",
     "Returns the instance of an entity, or nil."},
    {"remove_all_tags", remove_all_tags, "(self: TagComponent, e: Entity) -> nil",
     "Removes all tags from an entity."},
    {"remove_tag", remove_tag,
     "(self: TagComponent, e: Entity, tag: any(string,IdString32)) -> nil",
     "Removes a tag from an entity, if it has it."},
    {"remove_tag_from_all", remove_tag_from_all,
     "(self: TagComponent, entities: any(EntityArray,Entity[]), tag: any(string,IdString32)) -> "
     "nil",
     "Removes a tag from many entities."},
    {"set_property", set_property,
     "(self: TagComponent, instance: integer, key: any(string,string[]), value: "
     "any(string[],IdString32[])) -> nil",
     "Replaces the \"tags\" of an instance."},
    {"set_property_by_id", set_property_by_id,
     "(self: TagComponent, entity: Entity, id: any(integer,string)?, key: any(string,string[]), "
     "value: any(string[],IdString32[])) -> integer",
     "Replaces the \"tags\" of an entity; returns the instance."},
    {"tags", tags, "(self: TagComponent, entity: Entity, results: IdString32[]?) -> IdString32[]",
     "Returns the tags of an entity, in no particular order. A given table is cleared and filled."},
};

const ct_lua_module ct_api_tag_component = {
    .name = "TagComponent",
    .doc = "Tags, which are words, of entities in all worlds, and the entities that have each tag. "
           "Get it with EntityManager.tag_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
