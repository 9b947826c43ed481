#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/crash/crash.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/os/os.h"
#include "foundation/string/guid.h"
#include "lua/lua_json.h"
#include "render/component/camera_component.h"
#include "render/shown_views.h"
#include "resource/types/config_resource.h"
#include "script/api_check.h"
#include "script/api_lifetime.h"
#include "script/app/api_user_settings.h"
#include "script/behaviour/script_behaviour.h"
#include "script/entity/api_data.h"
#include "script/flow/script_flow.h"
#include "script/render/api_render_setting.h"
#include "script/render/api_shading_environment.h"
#include "script/render/api_viewport.h"
#include "script/resource/api_resource_package.h"
#include "script/resource/api_variants.h"

extern const ct_lua_module ct_api_application;

static const ct_script_host *host_of(lua_State *L) {
    return &ct_script_of(L)->host;
}

static ct_renderer *renderer_of(lua_State *L) {
    return ct_world_system_renderer(ct_script_of(L)->worlds);
}

// --- The program ---------------------------------------------------------------------------------

static int argv(lua_State *L) {
    const ct_script_host *const host = host_of(L);
    luaL_checkstack(L, (int)host->num_arguments, "too many arguments");
    for (uint32_t i = 0; i < host->num_arguments; ++i)
        lua_pushstring(L, host->arguments[i]);
    return (int)host->num_arguments;
}

static int build(lua_State *L) {
    lua_pushliteral(L, CT_BUILD_NAME);
    return 1;
}

static int build_identifier(lua_State *L) {
    lua_pushliteral(L, CT_VERSION_STRING);
    return 1;
}

static int platform(lua_State *L) {
    lua_pushliteral(L, "linux");
    return 1;
}

static int guid(lua_State *L) {
    char text[CT_GUID_TEXT_BYTES];
    ct_guid_format(ct_guid_make(), text);
    lua_pushstring(L, text);
    return 1;
}

static int process_id(lua_State *L) {
    lua_pushnumber(L, (double)ct_os_process_id());
    return 1;
}

static int quit(lua_State *L) {
    const ct_script_host *const host = host_of(L);
    host->quit(host->user, lua_isnoneornil(L, 1) ? 0 : (int)ct_check_integer(L, 1, 0, 255));
    return 0;
}

static int sleep_for(lua_State *L) {
    ct_os_sleep_ns((uint64_t)(ct_check_number_in(L, 1, 0, 60000) * 1e6));
    return 0;
}

static int sysinfo(lua_State *L) {
    lua_pushfstring(L, "linux, %d cores, %s", (int)ct_os_core_count(),
                    ct_renderer_device_name(renderer_of(L)));
    return 1;
}

static int time_since_launch(lua_State *L) {
    const ct_script_host *const host = host_of(L);
    lua_pushnumber(L, host->time_since_launch(host->user));
    return 1;
}

// The number at `argument`, or 0 when it is left out.
static double optional_number(lua_State *L, int argument, double least, double most) {
    return lua_isnoneornil(L, argument) ? 0 : ct_check_number_in(L, argument, least, most);
}

static int set_time_step_policy(lua_State *L) {
    const ct_script_host *const host = host_of(L);
    const char *names[CT_TIME_STEP_NUM_POLICIES + 1] = {NULL};
    for (uint32_t i = 0; i < CT_TIME_STEP_NUM_POLICIES; ++i)
        names[i] = ct_time_step_policy_name((ct_time_step_policy)i);
    ct_time_step step = {.policy = (ct_time_step_policy)ct_check_name_of(L, 1, names)};
    if (step.policy == CT_TIME_STEP_POLICY_FIXED || step.policy == CT_TIME_STEP_POLICY_LOCKED) {
        step.seconds = optional_number(L, 2, 1e-6, 1);
        if (!lua_isnoneornil(L, 3))
            step.max_steps = (uint32_t)ct_check_integer(L, 3, 1, CT_TIME_STEP_MAX_STEPS);
    } else {
        step.longest_seconds = optional_number(L, 2, 1e-3, 10);
    }
    host->set_time_step(host->user, &step);
    return 0;
}

static int time_step_interpolation(lua_State *L) {
    const ct_script_host *const host = host_of(L);
    lua_pushnumber(L, host->time_step_interpolation(host->user));
    return 1;
}

static int set_crash_line(lua_State *L) {
    const char *const name = ct_check_string(L, 1);
    const char *const text = lua_isnoneornil(L, 2) ? NULL : ct_check_string(L, 2);
    if (!ct_crash_set_line(name, text))
        return ct_argument_error(L, 1, "reports already have %d other lines", CT_CRASH_MAX_LINES);
    return 0;
}

// Each value's type goes into the hash too, so that 1 and "1" differ.
static int make_hash(lua_State *L) {
    const int count = lua_gettop(L);
    if (count == 0)
        return ct_function_error(L, "expected one or more values");
    uint64_t hash = 0;
    for (int i = 1; i <= count; ++i) {
        const int type = lua_type(L, i);
        if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN)
            return ct_argument_type_error(L, i, "string, number or boolean");
        lua_pushvalue(L, i);
        if (type == LUA_TBOOLEAN)
            lua_pushstring(L, lua_toboolean(L, i) ? "true" : "false");
        size_t bytes;
        const char *const text = lua_tolstring(L, -1, &bytes);
        hash = hash * 0x9e3779b97f4a7c15ull + ct_string_id64_of_bytes(text, bytes).value +
               (uint64_t)type;
        lua_settop(L, count);
    }
    char text[17];
    snprintf(text, sizeof(text), "%016" PRIx64, hash);
    lua_pushstring(L, text);
    return 1;
}

// --- Data ----------------------------------------------------------------------------------------

// The key of the environment is used for the program.
static uint64_t data_key(lua_State *L) {
    return ct_data_key_of_object(ct_script_of(L));
}

static int get_data(lua_State *L) {
    return ct_script_get_data(L, data_key(L), 1);
}

static int has_data(lua_State *L) {
    return ct_script_has_data(L, data_key(L), 1);
}

static int set_data(lua_State *L) {
    return ct_script_set_data(L, data_key(L), 1);
}

// --- Console -------------------------------------------------------------------------------------

static int console_port(lua_State *L) {
    const ct_script_host *const host = host_of(L);
    lua_pushnumber(L, host->console_port(host->user));
    return 1;
}

static int console_send(lua_State *L) {
    const ct_script_host *const host = host_of(L);
    ct_string_builder json CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&json, ct_lua_of(L)->allocator);
    ct_lua_append_json(L, 1, &json);
    lua_getfield(L, 1, "type");
    if (lua_type(L, -1) != LUA_TSTRING)
        return ct_argument_error(L, 1, "expected a table with a string `type`");
    host->console_send(host->user, ct_string_builder_text(&json));
    return 0;
}

// --- Resources -----------------------------------------------------------------------------------

static int can_get(lua_State *L) {
    const char *const type = ct_check_string(L, 1), *const name = ct_check_string(L, 2);
    lua_pushboolean(L, ct_resource_manager_can_get(ct_lua_of(L)->resources, type, name));
    return 1;
}

// Pushes a node of a config as Lua has it.
static void push_node(lua_State *L, const ct_config_resource *config, uint32_t place) {
    const ct_config_node *const nodes = ct_blob_at(config, config->nodes.offset);
    const ct_config_node *const node = &nodes[place];
    luaL_checkstack(L, 4, "config too deep");
    switch ((ct_sjson_type)node->type) {
    case CT_SJSON_TYPE_BOOL:
        lua_pushboolean(L, node->number != 0);
        break;
    case CT_SJSON_TYPE_NUMBER:
        lua_pushnumber(L, node->number);
        break;
    case CT_SJSON_TYPE_STRING:
        lua_pushlstring(L, ct_blob_at(config, node->text.offset), node->text.bytes);
        break;
    case CT_SJSON_TYPE_ARRAY:
        lua_createtable(L, (int)node->count, 0);
        for (uint32_t i = 0; i < node->count; ++i) {
            push_node(L, config, node->first + i);
            lua_rawseti(L, -2, (int)i + 1);
        }
        break;
    case CT_SJSON_TYPE_OBJECT:
        lua_createtable(L, 0, (int)node->count);
        for (uint32_t i = 0; i < node->count; ++i) {
            const ct_blob_string key = nodes[node->first + i].key;
            lua_pushlstring(L, ct_blob_at(config, key.offset), key.bytes);
            push_node(L, config, node->first + i);
            lua_rawset(L, -3);
        }
        break;
    default:
        lua_pushnil(L);
    }
}

static int config(lua_State *L) {
    const void *blob;
    ct_check_resource(L, 1, "config", &blob);
    push_node(L, blob, 0);
    return 1;
}

static int settings(lua_State *L) {
    const void *const blob = ct_resource_manager_get(ct_lua_of(L)->resources, "config",
                                                     CT_ID64("settings", 0x6bb47b51ae4a21ff));
    if (!blob)
        lua_newtable(L);
    else
        push_node(L, blob, 0);
    return 1;
}

static int resource_package(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    const char *const name = ct_check_string(L, 1);
    ct_check_object_room(L, &ct_type_package);
    ct_error error;
    ct_resource_package *const package = ct_resource_package_create(s->lua.resources, name, &error);
    if (!package)
        return ct_argument_error(L, 1, "%s", error.message);
    ct_script_package *const p = CT_NEW(s->lua.allocator, ct_script_package);
    p->package = package;
    ct_push_object(L, &ct_type_package, p, 0);
    return 1;
}

static int release_resource_package(lua_State *L) {
    ct_script_package *const p = ct_check_object(L, 1, &ct_type_package, NULL);
    ct_check_can_unload(L);
    ct_end_object(L, &ct_type_package, p, 0);
    return 0;
}

// --- Worlds and pictures -------------------------------------------------------------------------

static int new_world(lua_State *L) {
    ct_check_object_room(L, &ct_type_world);
    ct_lua_ask_memory(L, CT_LUA_WORLD_BYTES);
    ct_world *const world = ct_world_create(ct_script_of(L)->worlds);
    ct_push_object(L, &ct_type_world, world, 0);
    ct_behaviours_of(L, world);
    return 1;
}

static int release_world(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    if (ct_behaviours_are_running(world))
        return ct_argument_error(L, 1, "behaviours of this world are being called");
    ct_check_no_flow_event(L, 1, world);
    ct_behaviours_end(L, world);
    ct_script_end_world(L, world);
    return 0;
}

static int worlds(lua_State *L) {
    const ct_world_system *const system = ct_script_of(L)->worlds;
    const uint32_t count = ct_world_system_num_worlds(system);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        ct_push_object(L, &ct_type_world, ct_world_system_world(system, i), 0);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int main_world(lua_State *L) {
    const ct_world_system *const system = ct_script_of(L)->worlds;
    if (ct_world_system_num_worlds(system) == 0)
        lua_pushnil(L);
    else
        ct_push_object(L, &ct_type_world, ct_world_system_world(system, 0), 0);
    return 1;
}

static int back_buffer_size(lua_State *L) {
    uint32_t width, height;
    ct_renderer_size(renderer_of(L), &width, &height);
    lua_pushnumber(L, width);
    lua_pushnumber(L, height);
    return 2;
}

static int create_viewport(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    ct_world *const world = ct_check_world(L, 1);
    const char *const name = ct_check_string(L, 2);
    const ct_string_id32 id = ct_string_id32_register(name);
    if (!ct_renderer_has_viewport(renderer_of(L), id))
        return ct_argument_error(L, 2, "the render config has no viewport \"%s\"", name);
    ct_check_object_room(L, &ct_type_viewport);
    ct_script_viewport *const v = CT_NEW(s->lua.allocator, ct_script_viewport);
    v->viewport = id;
    snprintf(v->name, sizeof(v->name), "%s", name);
    v->rectangle[2] = v->rectangle[3] = 1;
    ct_push_object(L, &ct_type_viewport, v, (uint64_t)(uintptr_t)world);
    return 1;
}

// The viewport at `argument`, which must belong to the world.
static ct_script_viewport *check_viewport_of(lua_State *L, int argument, const ct_world *world) {
    uint64_t own;
    ct_script_viewport *const v = ct_check_object(L, argument, &ct_type_viewport, &own);
    if (own != (uint64_t)(uintptr_t)world)
        ct_argument_error(L, argument,
                          "expected a Viewport of this world, got one of another world");
    return v;
}

static int destroy_viewport(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    ct_end_object(L, &ct_type_viewport, check_viewport_of(L, 2, world), (uint64_t)(uintptr_t)world);
    return 0;
}

static int render_world(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const ct_script_camera camera = ct_check_camera(L, 2);
    if (camera.world != world)
        return ct_argument_error(L, 2, "expected a Camera of this world, got one of another world");
    const ct_script_viewport *const v = check_viewport_of(L, 3, world);
    ct_renderer *const renderer = renderer_of(L);
    // The render config may have been saved without it since.
    if (!ct_renderer_has_viewport(renderer, v->viewport))
        return ct_argument_error(L, 3, "the render config no longer has a viewport \"%s\"",
                                 v->name);
    const ct_world_environment *const environment =
        lua_isnoneornil(L, 4) || strcmp(ct_value_type_name(L, 4), "Window") == 0
            ? NULL
            : ct_check_environment_of(L, 4, world);
    uint32_t width, height;
    ct_renderer_size(renderer, &width, &height);
    const ct_camera_manager *const cameras = ct_world_cameras(world);
    const bool is_stereo = ct_camera_mode_of(cameras, camera.instance) == CT_CAMERA_MODE_STEREO;
    const uint32_t num_eyes = is_stereo ? CT_CAMERA_NUM_EYES : 1;
    const float *const r = v->rectangle;
    const float each = r[2] / (float)num_eyes;
    const float aspect = height != 0 ? each * (float)width / (r[3] * (float)height) : 1.0f;
    ct_world_send_changes(world);
    for (uint32_t eye = 0; eye < num_eyes; ++eye) {
        const ct_render_view view = ct_camera_view(cameras, camera.instance, eye, aspect);
        const float rectangle[4] = {r[0] + each * (float)eye, r[1], each, r[3]};
        const ct_vec4 from = view.pose.col[3];
        const ct_vec3 eye_position = ct_vec3_make(from.x, from.y, from.z);
        ct_render_environment_value values[CT_RENDER_MAX_SETTINGS];
        ct_world_add_view(world, &view);
        ct_renderer_note_view(renderer,
                              &(ct_shown_view){.world = ct_world_render_world(world),
                                               .view = view,
                                               .rectangle = {rectangle[0], rectangle[1],
                                                             rectangle[2], rectangle[3]}});
        ct_renderer_render_world(
            renderer, ct_world_render_world(world), &view, v->viewport, rectangle, values,
            ct_world_environment_values(world, environment, eye_position, values));
    }
    return 0;
}

static const ct_lua_function functions[] = {
    {"argv", argv, "() -> string*",
     "Returns the arguments of the game: those after `--` on the command line."},
    {"back_buffer_size", back_buffer_size, "() -> number, number",
     "Returns the width and height of the picture, in pixels."},
    {"build", build, "() -> string",
     "Returns the engine's build type: \"dev\", \"release\" or \"player\"."},
    {"build_identifier", build_identifier, "() -> string", "Returns the engine's version."},
    {"can_get", can_get, "(type: string, name: string(type)) -> boolean",
     "Returns whether compiled data of this resource exists, loaded or not."},
    {"config", config, "(config_resource_name: string(config)) -> table",
     "Returns the contents of a loaded config resource."},
    {"console_port", console_port, "() -> integer",
     "Returns the port to which tools connect, or 0 when no port is open."},
    {"console_send", console_send, "(message: table) -> nil",
     "Sends a table with a string `type` as JSON to every connected tool."},
    {"create_viewport", create_viewport, "(world: World, viewport_template: string) -> Viewport",
     "Makes a viewport that renders a world as the render config's viewport with this name "
     "defines."},
    {"destroy_viewport", destroy_viewport, "(world: World, viewport: Viewport) -> nil",
     "Destroys a viewport."},
    {"flow_callback_context_entity", ct_application_flow_entity, "() -> Unit?",
     "Returns the entity whose flow graph calls Lua now: for functions that nodes call. Nil for "
     "the "
     "graph of a level, and outside of such calls."},
    {"flow_callback_context_level", ct_application_flow_level, "() -> Level?",
     "Returns the level whose flow graph calls Lua now, or in which its unit is; nil outside of "
     "such "
     "calls, and when the unit is in no level."},
    {"flow_callback_context_unit", ct_application_flow_unit, "() -> Unit?",
     "Returns the unit whose flow graph calls Lua now; nil as flow_callback_context_entity."},
    {"flow_callback_context_world", ct_application_flow_world, "() -> World?",
     "Returns the world of the flow graph that calls Lua now; nil outside of such calls."},
    {"get_data", get_data, "(indices: any(integer,string)+) -> any",
     "Returns the value stored with the program under these indices, or nil."},
    {"guid", guid, "() -> string",
     "Returns a new, globally unique id: 32 hexadecimal digits in five groups."},
    {"has_data", has_data, "(indices: any(integer,string)+) -> boolean",
     "Returns whether a value is stored with the program under these indices."},
    {"main_world", main_world, "() -> World?", "Returns the oldest world, or nil."},
    {"make_hash", make_hash, "(values: any(boolean,number,string)+) -> string",
     "Returns a hash of all the values, in hexadecimal."},
    {"new_world", new_world, "() -> World", "Makes an empty world."},
    {"platform", platform, "() -> string", "Returns the platform: \"linux\"."},
    {"process_id", process_id, "() -> integer", "Returns the process id."},
    {"quit", quit, "(exit_code: integer?) -> nil",
     "Ends the game after this frame, with an exit code from 0 to 255, by default 0."},
    {"release_resource_package", release_resource_package, "(package: ResourcePackage) -> nil",
     "Unloads a package and destroys its handle."},
    {"release_world", release_world, "(world: World) -> nil",
     "Destroys a world with everything in it."},
    {"reload_variants", ct_api_reload_variants, "() -> nil",
     "Reloads, before the next frame, the loaded resources for which set_property_preference_order "
     "now prefers another variant. These can be packages, which then hold what their new variants "
     "list."},
    {"render_preset", ct_api_render_preset, "() -> string",
     "Returns the name of the render config's preset that is in use; \"\" when it has none."},
    {"render_setting", ct_api_render_setting,
     "(name: string) -> any(boolean,number,string,Vector2,Vector3,Vector4)",
     "Returns a setting of the render config; colors are linear."},
    {"render_world", render_world,
     "(world: World, camera: Camera, viewport: Viewport, shading_environment: "
     "any(ShadingEnvironment,Window)?, window: Window?) -> nil",
     "Draws a world through a camera in this frame, with what an environment last applied and the "
     "environments of the volumes of levels."},
    {"resource_package", resource_package, "(name: string(package)) -> ResourcePackage",
     "Makes a handle for a package without loading it. The package's variant is chosen when it is "
     "loaded."},
    {"save_user_settings", ct_script_save_user_settings, "() -> nil",
     "Writes the player's settings to disk."},
    {"set_crash_line", set_crash_line, "(name: string, text: string?) -> nil",
     "Adds or changes the line `name: text` of crash reports; removes it when the text is nil."},
    {"set_data", set_data, "(indices: any(integer,string)+, value: any) -> nil",
     "Stores a value with the program under one or more indices."},
    {"set_property_preference_order", ct_api_set_property_preference_order,
     "(properties: string[]) -> nil",
     "Sets which variants of resources are loaded from now on, by their properties, most wanted "
     "first, at most 32: `{\"fr\"}` prefers `buttons.fr.texture` to `buttons.texture`. Platforms "
     "are not allowed: the compiler chooses them."},
    {"set_render_preset", ct_api_set_render_preset, "(name: string?) -> nil",
     "Chooses a preset of the render config, such as \"low\"; nil: the one for this device. "
     "Settings "
     "that were set stay."},
    {"set_render_setting", ct_api_set_render_setting,
     "(name: string, value: any(boolean,number,string,Vector2,Vector3,Vector4)) -> nil",
     "Changes a setting of the render config; colors are linear."},
    {"set_time_step_policy", set_time_step_policy,
     "(policy: string, seconds: number?, max_steps: integer?) -> nil",
     "Sets how time advances: \"variable\" or \"smoothed\" (frames are cut to `seconds`), "
     "\"fixed\" (steps of `seconds`, at most `max_steps` in a frame) or \"locked\"."},
    {"set_user_setting", ct_script_set_user_setting,
     "(indices: any(integer,string)+, value: any) -> nil",
     "Sets one of the player's settings under one or more indices. The value must be valid in "
     "JSON."},
    {"settings", settings, "() -> table", "Returns the contents of the project's settings.config."},
    {"sleep", sleep_for, "(milliseconds: number) -> nil", "Halts the game for this time."},
    {"sysinfo", sysinfo, "() -> string",
     "Returns the platform, its cores and the graphics device."},
    {"time_since_launch", time_since_launch, "() -> number",
     "Returns the time since the program started, in seconds."},
    {"time_step_interpolation", time_step_interpolation, "() -> number",
     "Returns where this frame is between the state before the last update (0) and after it (1)."},
    {"user_setting", ct_script_user_setting, "(indices: any(integer,string)+) -> any",
     "Returns one of the player's settings under these indices, or nil."},
    {"user_settings_load_error", ct_script_user_settings_load_error, "() -> boolean",
     "Returns whether the file of the player's settings exists but cannot be read."},
    {"worlds", worlds, "() -> World[]", "Returns the worlds, oldest first."},
};

const ct_lua_module ct_api_application = {
    .name = "Application",
    .doc = "The program: its worlds, packages, rendering, time and exit.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
