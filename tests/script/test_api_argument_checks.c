// What a function checks is what its signature says: each argument of each function is given a
// value that no signature allows, after arguments as the signature wants them, and the error must
// name that argument and a type of it.
#include <stdlib.h>

#include "lua/lua_signature.h"
#include "script/animation/animation_fixture.h"
#include "script/navigation/navigation_script.h"
#include "script/network/network_config_script.h"
#include "script/script_modules.h"

// A value of each type, in the globals of api_fixture.h and `set_up_values`.
static const struct {
    const char *type, *value;
} samples[] = {
    {"integer", "1"},
    {"number", "1"},
    {"boolean", "true"},
    {"string", "'x'"},
    {"table", "{}"},
    {"any", "1"},
    {"color", "Vector4(1, 1, 1, 1)"},
    {"Vector2", "Vector2(1, 2)"},
    {"Vector3", "Vector3(1, 2, 3)"},
    {"Vector4", "Vector4(1, 2, 3, 4)"},
    {"Quaternion", "Quaternion.identity()"},
    {"Matrix4x4", "Matrix4x4.identity()"},
    {"Vector2Box", "Vector2Box(1, 2)"},
    {"Vector3Box", "Vector3Box(1, 2, 3)"},
    {"Vector4Box", "Vector4Box(1, 2, 3, 4)"},
    {"QuaternionBox", "QuaternionBox(Quaternion.identity())"},
    {"Matrix4x4Box", "Matrix4x4Box(Matrix4x4.identity())"},
    {"IdString32", "IdString32('a')"},
    {"IdString64", "IdString64('a')"},
    {"IdString32Box", "IdString32Box(IdString32('a'))"},
    {"IdString64Box", "IdString64Box(IdString64('a'))"},
    {"Float32Array", "Float32Array(16)"},
    {"EntityArray", "EntityArray({R})"},
    {"Entity", "R"},
    {"Unit", "R"},
    {"World", "W"},
    {"Level", "Y"},
    {"Camera", "Unit.camera(R, 1)"},
    {"Light", "Unit.light(R, 1)"},
    {"Mesh", "Unit.mesh(R, 1)"},
    {"Material", "Mesh.material(Unit.mesh(R, 1), 1)"},
    {"Viewport", "P"},
    {"LineObject", "O"},
    {"Gui", "G"},
    {"Broadphase", "B"},
    {"Localizer", "Z"},
    {"ResourcePackage", "K"},
    {"input_rumble_params", "{frequency = 1}"},
    {"TransformComponent", "EntityManager.transform_component(W)"},
    {"SceneGraphComponent", "EntityManager.scene_graph_component(W)"},
    {"ScriptComponent", "EntityManager.script_component(W)"},
    {"TagComponent", "EntityManager.tag_component(W)"},
    {"RenderDataComponent", "EntityManager.render_data_component(W)"},
    {"ShadingEnvironment", "World.create_shading_environment(W, 'environments/dusk')"},
    {"FlowComponent", "EntityManager.flow_component(W)"},
    {"MeshComponent", "EntityManager.mesh_component(W)"},
    {"DataComponent", "EntityManager.data_component()"},
    {"DebugNameComponent", "EntityManager.debug_name_component()"},
    {"UnitComponent", "EntityManager.unit_component(W)"},
    {"AnimationBlenderComponent", "EntityManager.animation_blender_component(W)"},
    {"AnimationStateMachineComponent", "EntityManager.animation_state_machine_component(W)"},
    {"AnimationCurves", "AnimationCurves('clips/walk')"},
    {"Actor", "PhysicsWorld.spawn_sphere(PW, Vector3(9, 9, 9), 1)"},
    {"ActorBox", "ActorBox()"},
    {"ActorComponent", "EntityManager.actor_component(W)"},
    {"Mover", "Unit.mover(R)"},
    {"PhysicsWorld", "PW"},
    {"Raycast", "PhysicsWorld.make_raycast(PW)"},
    {"ParticlesComponent", "EntityManager.particles_component(W)"},
    {"SoundSourceComponent", "EntityManager.sound_source_component(W)"},
    {"VectorField", "World.vector_field(W, 'breeze')"},
    {"NavigationMesh", "M"},
    {"NavigationField", "NavigationMesh.field(M, {Vector3(1, 1, 0)})"},
    {"LanClient", "LC"},
    {"LanLobby", "LL"},
    {"LanLobbyBrowser", "LanClient.lobby_browser(LC)"},
    {"GameSession", "GS"},
    {"PluginComponent", "PL"},
    {"UnitSynchronizer", "US"},
    {"Replay", "World.replay(W)"},
    {"SaveToken", "SaveSystem.auto_load('missing')"},
    {"SavedWorld", "SaveSystem.save_world(W)"},
    {"function", "print"},
    {"WebSocket", "WebSocket('127.0.0.1', 9)"},
    {"Window", "nil"},
};

// Values by name, where not every one of the type will do.
static const struct {
    const char *name, *type, *value;
} named[] = {
    {"policy", "string", "'fixed'"},
    {"peer_id", "string", "Network.peer_id()"},
    {"object_id", "integer", "OB"},
    {"field", "string", "'health'"},
    {"message", "string", "'say'"},
    {"unit", "Unit", "R"},
    {"x", "number", "0"},
    {"y", "number", "0"},
    {"unit_name", "string(unit)", "'units/crate'"},
    {"name", "string(level)", "'levels/yard'"},
    {"name", "string(navigation)", "'levels/walks'"},
    {"name", "string", "'area2'"},
    {"class", "string", "'walker'"},
    {"poly", "integer", "NavigationMesh.polygons(M)[1]"},
    {"v", "integer", "(NavigationMesh.polygon_vertices(M, NavigationMesh.polygons(M)[1]))"},
    {"start", "any", "Vector3(1, 1, 0)"},
    {"end", "any", "Vector3(2, 1, 0)"},
    {"obstacle", "table", "{shape = 'cylinder', radius = 1, position = Vector3(3, 3, 0)}"},
    {"obstacle", "integer", "NO"},
    {"units", "any(EntityArray", "{R}"},
    {"goals", "any(Float32Array", "{1, 1, 0}"},
    {"id", "any(string,IdString32)", "'l1'"},
    {"variable", "string", "'strength'"},
    {"variable_name", "string", "'strength'"},
    {"effect_name", "string(particles)", "'effects/dust'"},
    {"effect", "string(particles)", "'effects/dust'"},
    {"effect", "string", "'wind'"},
    {"parameters", "table", "{vector = Vector3(1, 0, 0)}"},
    {"orphaned_policy", "string", "'stop'"},
    {"name", "string(environment)", "'environments/dusk'"},
    {"settings", "any", "'environments/dusk', 1"},
    {"font", "string", "'fonts/plain'"},
    {"filter", "string", "'default'"},
    {"filter_id", "string", "'default'"},
    {"actor", "string", "nil"},
    {"shape", "string", "nil"},
    {"actor_template", "string", "nil"},
    {"shape_template", "string", "nil"},
    {"height", "number", "3"},
    {"max", "Vector3", "Vector3(9, 9, 9)"},
    {"animation", "string", "'clips/walk'"},
    {"texture", "string", "'textures/rose'"},
    {"material", "string", "'materials/oak'"},
    {"material", "any", "'materials/oak'"},
    {"uvs", "any", "{Vector2(0, 0), Vector2(1, 0), Vector2(0, 1)}"},
    {"points", "any", "{Vector2(0, 0), Vector2(1, 0), Vector2(0, 1)}"},
};

static void add_sample(ct_string_builder *out, const ct_signature_part *part) {
    const char *at = part->type;
    for (uint32_t i = 0; i < CT_COUNT_OF(named); ++i) {
        if (strcmp(part->name, named[i].name) == 0 &&
            strncmp(at, named[i].type, strlen(named[i].type)) == 0) {
            ct_string_builder_add(out, named[i].value);
            return;
        }
    }
    char name[CT_SIGNATURE_NAME_BYTES];
    bool is_array;
    assert_true(ct_signature_next_type(&at, name, &is_array));
    for (uint32_t i = 0; i < CT_COUNT_OF(samples); ++i) {
        if (strcmp(samples[i].type, name) == 0) {
            ct_string_builder_addf(out, "%s%s%s", is_array ? "{" : "", samples[i].value,
                                   is_array ? "}" : "");
            return;
        }
    }
    fail_msg("there is no sample of the type %s", name);
}

static bool takes_anything(const ct_signature_part *part) {
    return strcmp(part->type, "any") == 0 || strcmp(part->type, "Window") == 0;
}

// What errors call a type of signatures.
static const char *error_name_of(const char *type) {
    static const char *const names[][2] = {{"Entity", "Unit"},
                                           {"color", "Vector4"},
                                           {"input_rumble_params", "table"},
                                           {"number", "integer"}}; // an integer is a number
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        if (strcmp(names[i][0], type) == 0)
            return names[i][1];
    }
    return type;
}

// True when an error expects a type of the argument: "Unit.f: argument 1 (self): expected Unit, …".
// The name of the function does not count, which has the type in it in many modules.
static bool names_a_type(const char *message, const ct_signature_part *part) {
    const char *const expected = strstr(message, "): expected ");
    const char *at = part->type;
    char name[CT_SIGNATURE_NAME_BYTES];
    bool is_array;
    while (ct_signature_next_type(&at, name, &is_array)) {
        const char *const given = is_array ? "table" : error_name_of(name);
        if (expected && (strstr(expected, name) || strstr(expected, given)))
            return true;
    }
    return false;
}

// Functions that take what they do not look at, and why.
static bool may_ignore(const char *function, const ct_signature_part *part) {
    // Forms of which only one has the argument: a vector, or its numbers.
    if (strstr(function, "Box.store") && strcmp(part->type, "number") == 0)
        return true;
    // Of components of which an entity has one there is nothing to choose.
    return strcmp(part->name, "id") == 0 && !strstr(function, "DataComponent.") &&
           !strstr(function, "ScriptComponent.") && !strstr(function, "MeshComponent.");
}

static void write_call(ct_string_builder *out, const char *function, const ct_signature *s,
                       uint32_t number) {
    ct_string_builder_addf(out, "%s(", function);
    for (uint32_t i = 0; i < s->num_arguments && (i <= number || !s->arguments[i].mark); ++i) {
        if (i > 0)
            ct_string_builder_add(out, ", ");
        const bool is_gui_object =
            strncmp(function, "Gui.", 4) == 0 && strcmp(s->arguments[i].name, "id") == 0;
        if (i == number)
            ct_string_builder_add(out, "Wrong");
        else if (is_gui_object)
            ct_string_builder_addf(out, "gui_object('%s')", function);
        else
            add_sample(out, &s->arguments[i]);
    }
    ct_string_builder_add(out, ")");
}

// The argument, from 1, that an error of `function` names; 0: none.
static uint32_t argument_of(const char *message, const char *function) {
    char start[128];
    snprintf(start, sizeof(start), "%s: argument ", function);
    const char *const found = strstr(message, start);
    return found ? (uint32_t)strtoul(found + strlen(start), NULL, 10) : 0;
}

static uint32_t num_checked, num_unreached; // arguments

// Gives argument `number`, from 0, a wrong value. An argument before it may be refused first, where
// not every value of its type will do.
static void check_argument(const char *function, const ct_signature *s, uint32_t number) {
    const ct_signature_part *const part = &s->arguments[number];
    ct_string_builder lua;
    ct_string_builder_init(&lua, test_heap());
    write_call(&lua, function, s, number);
    const bool is_taken = execute_lua(&f, ct_string_builder_text(&lua));
    const char *const message = ct_string_builder_text(&f.result);
    const uint32_t named_argument = is_taken ? 0 : argument_of(message, function);
    if (may_ignore(function, part) || (!is_taken && named_argument <= number)) {
        ++num_unreached;
    } else if (named_argument != number + 1 || !names_a_type(message, part)) {
        fail_msg("%s\n    argument %u is of type %s\n    %s", ct_string_builder_text(&lua),
                 number + 1, part->type, is_taken ? "no error" : message);
    }
    ++num_checked;
    ct_string_builder_free(&lua);
}

// Gives units, among them R, movers and agents.
static void add_movers(void) {
    ct_world *const world = ct_world_system_world(f.world.system, 1);
    uint32_t count;
    const ct_entity *const units = ct_world_units(world, &count);
    ct_mover_data data;
    ct_schema_defaults(&ct_mover_schema, &data);
    ct_navigation_agent_data agent;
    ct_schema_defaults(&ct_navigation_agent_schema, &agent);
    for (uint32_t i = 0; i < count; ++i) {
        if (!ct_transform_lookup(ct_world_transforms(world), units[i]).index)
            continue;
        ct_mover_create(ct_world_movers(world), units[i], 1, &data);
        ct_navigation_agent_create(ct_world_navigation_agents(world), units[i], &agent);
    }
}

// A component type of a plugin, for PluginComponent; the robot has one.
static void add_plugin_component(void) {
    static const ct_field field = {.name = "height",
                                   .type = CT_FIELD_TYPE_FLOAT,
                                   .size_bytes = sizeof(float),
                                   .doc = "Height."};
    static const ct_schema schema = {.name = "buoy",
                                     .doc = "Floats.",
                                     .size_bytes = sizeof(float),
                                     .num_fields = 1,
                                     .fields = &field};
    const ct_component_table_desc desc = {&schema, CT_INSTANCE_LOOKUP_SPARSE,
                                          CT_COMPONENT_END_AT_ONCE, true};
    assert_true(ct_world_system_register_component(f.world.system, &desc, NULL));
    run_lua(&f, "PL = EntityManager.plugin_component(W, 'buoy') PluginComponent.create(PL, R)");
}

static void checks_what_signatures_say(void **state) {
    (void)state;
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    load_animations(&f);
    run_lua(&f, "Wrong = coroutine.create(print) "
                "R = World.spawn_unit(W, 'units/robot') Y = World.load_level(W, 'levels/yard') "
                "B = Broadphase(1, 4) PW = World.physics_world(W) "
                "P = Application.create_viewport(W, 'default') O = World.create_line_object(W) "
                "AnimationBlenderComponent.create(EntityManager.animation_blender_component(W), R, "
                "'body') NO = NavigationMesh.add_obstacle(M, {shape = 'box', "
                "half_size = Vector2(1, 1), position = Vector3(2, 2, 0)})");
    add_movers();
    add_plugin_component();
    load_net_config(&f, "net", 2, false);
    run_lua(&f, "LC = Network.init_lan_client('net') LL = Network.create_lan_lobby(0, 4) "
                "GS = Network.create_game_session() GameSession.make_game_session_host(GS) "
                "Network.update(0.1, {}) OB = GameSession.create_game_object(GS, 'player', {}) "
                "US = GameSession.unit_synchronizer(GS) UnitSynchronizer.set_world(US, W)");
    // Makes an object of the kind that a function of Gui takes.
    run_lua(&f,
            "G = World.create_world_gui(W, Matrix4x4.identity(), 1, 1) "
            "function gui_object(name) "
            "  local p, s = Vector2(0, 0), Vector2(1, 1) "
            "  if name:find('bitmap') then return Gui.bitmap(G, nil, p, s) end "
            "  if name:find('rect') and not name:find('round') then return Gui.rect(G, p, s) end "
            "  if name:find('triangle$') then return Gui.triangle(G, p, s, p) end "
            "  if name:find('text') then return Gui.text(G, 'x', 'fonts/plain', 9, nil, p) end "
            "  return Gui.circle(G, p, 1) "
            "end");
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < modules[i]->num_functions; ++k) {
            const ct_lua_function *const x = &modules[i]->functions[k];
            char name[96];
            ct_signature s;
            snprintf(name, sizeof(name), "%s.%s", modules[i]->name, x->name);
            assert_true(ct_signature_parse(x->signature, &s, NULL));
            for (uint32_t a = 0; a < s.num_arguments; ++a) {
                if (!takes_anything(&s.arguments[a]))
                    check_argument(name, &s, a);
            }
        }
    }
    assert_true(num_checked > 1000);
    assert_true(num_unreached * 8 < num_checked);
}

int main(void) {
    const struct CMUnitTest tests[] = {NAVIGATION_TEST(checks_what_signatures_say)};
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
