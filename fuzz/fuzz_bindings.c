// Lua bindings: any function of any module, called with any arguments, returns or raises a Lua
// error. The input is read as calls: a module, a function, and what to pass, among it what earlier
// calls gave. Left out are functions that wait, end the program or read files.
#include "entity/component_registry.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory.h"
#include "input/input.h"
#include "resource/component_resource.h"
#include "resource/resource_manager.h"
#include "script/script_private.h"

#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NUM_KEPT = 16, MAX_ARGUMENTS = 7, MAX_CALLS = 200 };

// --- A renderer that forgets everything ----------------------------------------------------------

static uint32_t last_render_id;

ct_render_world_id ct_render_world_create(ct_renderer *r) {
    (void)r;
    return (ct_render_world_id){++last_render_id};
}
void ct_render_world_destroy(ct_renderer *r, ct_render_world_id world) {
    (void)r, (void)world;
}
void ct_render_world_set_time(ct_renderer *r, ct_render_world_id world, double seconds) {
    (void)r, (void)world, (void)seconds;
}
ct_render_object_id ct_render_object_create(ct_renderer *r, ct_render_world_id world,
                                            ct_string_id64 mesh,
                                            const ct_string_id64 materials[CT_MESH_MAX_MATERIALS],
                                            const ct_mat4 *pose) {
    (void)r, (void)world, (void)mesh, (void)materials;
    CT_ASSERT(ct_mat4_is_finite(pose), "a pose that is not finite reached the renderer%s", "");
    return (ct_render_object_id){++last_render_id};
}
void ct_render_objects_destroy(ct_renderer *r, ct_render_world_id world,
                               const ct_render_object_id *objects, uint32_t count) {
    (void)r, (void)world, (void)objects, (void)count;
}
void ct_render_objects_set_poses(ct_renderer *r, ct_render_world_id world,
                                 const ct_render_object_id *objects, const ct_mat4 *poses,
                                 uint32_t count) {
    (void)r, (void)world, (void)objects, (void)poses, (void)count;
}
void ct_render_object_set_visible(ct_renderer *r, ct_render_world_id world,
                                  ct_render_object_id object, bool is_visible) {
    (void)r, (void)world, (void)object, (void)is_visible;
}
void ct_render_object_set_material(ct_renderer *r, ct_render_world_id world,
                                   ct_render_object_id object, uint32_t part,
                                   ct_string_id64 material) {
    (void)r, (void)world, (void)object, (void)material;
    CT_ASSERT(part < CT_MESH_MAX_MATERIALS, "part %u reached the renderer", part);
}
bool ct_render_material_is_instanced(const ct_renderer *r, ct_string_id64 material,
                                     ct_string_id32 name) {
    (void)r, (void)material, (void)name;
    return true;
}
void ct_render_object_set_value(ct_renderer *r, ct_render_world_id world,
                                ct_render_object_id object, ct_string_id32 name,
                                const float *values, uint32_t num_values) {
    (void)r, (void)world, (void)object, (void)name, (void)values;
    CT_ASSERT(num_values >= 1 && num_values <= 4, "%u values reached the renderer", num_values);
}
ct_render_light_id ct_render_light_create(ct_renderer *r, ct_render_world_id world,
                                          const ct_light_data *light, const ct_mat4 *pose) {
    (void)r, (void)world, (void)light, (void)pose;
    return (ct_render_light_id){++last_render_id};
}
void ct_render_light_set(ct_renderer *r, ct_render_world_id world, ct_render_light_id light,
                         const ct_light_data *data, const ct_mat4 *pose) {
    (void)r, (void)world, (void)light, (void)data, (void)pose;
}
void ct_render_light_destroy(ct_renderer *r, ct_render_world_id world, ct_render_light_id light) {
    (void)r, (void)world, (void)light;
}
void ct_render_lines(ct_renderer *r, ct_render_world_id world, const ct_line_vertex *vertices,
                     uint32_t count) {
    (void)r, (void)world, (void)vertices, (void)count;
}
bool ct_render_material_set_parameter(ct_renderer *r, ct_string_id64 material, ct_string_id32 name,
                                      const float *values, uint32_t num_values) {
    (void)r, (void)material, (void)name, (void)values;
    return num_values > 1;
}
bool ct_render_material_set_texture(ct_renderer *r, ct_string_id64 material, ct_string_id32 name,
                                    ct_string_id64 texture) {
    (void)r, (void)material, (void)name, (void)texture;
    return true;
}
const char *ct_renderer_device_name(const ct_renderer *r) {
    (void)r;
    return "none";
}

bool ct_renderer_has_viewport(const ct_renderer *r, ct_string_id32 viewport) {
    (void)r;
    return viewport.value == ct_string_id32_of("default").value;
}
void ct_renderer_size(const ct_renderer *r, uint32_t *width, uint32_t *height) {
    (void)r;
    *width = 640, *height = 480;
}
ct_render_stats ct_renderer_stats(const ct_renderer *r) {
    (void)r;
    return (ct_render_stats){.frame = 1};
}
void ct_renderer_render_world(ct_renderer *r, ct_render_world_id world, const ct_render_view *view,
                              ct_string_id32 viewport, const float rectangle[4]) {
    (void)r, (void)world, (void)viewport, (void)rectangle;
    CT_ASSERT(ct_mat4_is_finite(&view->pose), "a camera that is not finite%s", "");
}

// --- A host that does nothing --------------------------------------------------------------------

static void quit(void *user, int exit_code) {
    (void)user, (void)exit_code;
}
static double time_since_launch(void *user) {
    (void)user;
    return 1;
}
static uint16_t console_port(void *user) {
    (void)user;
    return 0;
}
static void take_text(void *user, const char *text) {
    (void)user;
    CT_ASSERT(text[strlen(text)] == 0, "text is missing%s", "");
}
static void set_time_step(void *user, const ct_time_step *time_step) {
    ct_time_step t = *time_step;
    (void)user, ct_time_step_advance(&t, 0.1);
}
static double time_step_interpolation(void *user) {
    (void)user;
    return 0.5;
}
static bool get_flag(void *user) {
    (void)user;
    return true;
}
static const char *title(void *user) {
    (void)user;
    return "title";
}
static bool window_flag(void *user, ct_script_window_flag flag) {
    (void)user, (void)flag;
    return true;
}
static void set_window_flag(void *user, ct_script_window_flag flag, bool is_on) {
    (void)user, (void)flag, (void)is_on;
}
static void window_rect(void *user, int32_t rect[4]) {
    (void)user;
    memset(rect, 0, 4 * sizeof(rect[0]));
}
static void set_window_rect(void *user, const int32_t rect[4]) {
    (void)user, (void)rect;
}
static bool set_resolution(void *user, uint32_t width, uint32_t height) {
    (void)user, (void)width, (void)height;
    return true;
}
static double dpi_scale(void *user) {
    (void)user;
    return 1;
}
static void set_cursor(void *user, ct_script_cursor cursor) {
    (void)user, (void)cursor;
}
static void set_icon(void *user, const uint8_t *pixels, uint32_t width, uint32_t height) {
    (void)user, (void)pixels, (void)width, (void)height;
}

static const ct_script_host host = {
    .quit = quit,
    .time_since_launch = time_since_launch,
    .project_folder = "/nowhere",
    .console_port = console_port,
    .console_send = take_text,
    .set_time_step = set_time_step,
    .time_step_interpolation = time_step_interpolation,
    .has_window = get_flag,
    .window_flag = window_flag,
    .set_window_flag = set_window_flag,
    .set_title = take_text,
    .title = title,
    .window_rect = window_rect,
    .set_window_rect = set_window_rect,
    .set_resolution = set_resolution,
    .dpi_scale = dpi_scale,
    .set_cursor = set_cursor,
    .set_icon = set_icon,
};

// --- Reading the input ---------------------------------------------------------------------------

static struct { const uint8_t *at, *end; } input;

static uint32_t next_byte(void) {
    return input.at < input.end ? *input.at++ : 0;
}

static double next_number(void) {
    static const double numbers[] = {
        0,   1,    2,   3,    -1,        0.5,       1e-30,   1e30,        1e300,      -1e300,
        255, 1000, 1e6, 1e10, INFINITY,  -INFINITY, NAN,     4294967296., 2147483648, 1.5,
        32,  33,   64,  65,   16777216., 0x1p53,    -0x1p63, 3.14159,
    };
    return numbers[next_byte() % CT_COUNT_OF(numbers)];
}

static const char *next_string(void) {
    static const char *const strings[] = {
        "",  "units/crate", "default", "Units\\Crate", "\xff\xfe",
        "x", "position",    "mesh",    "transform",    "fixed",
        "a", "left",        "cursor",  "%s%n",
    };
    return strings[next_byte() % CT_COUNT_OF(strings)];
}

static ct_vec3 next_vector(void) {
    return ct_vec3_make((float)next_number(), (float)next_number(), (float)next_number());
}

static void push_matrix(lua_State *L) {
    ct_mat4 m = ct_mat4_identity();
    const uint32_t changes = next_byte() % 4;
    for (uint32_t i = 0; i < changes; ++i)
        m.col[next_byte() % 4].raw[next_byte() % 4] = (float)next_number();
    ct_push_matrix4x4(L, &m);
}

// Index 1 of the stack holds the table of what earlier calls gave.
static void push_kept(lua_State *L) {
    lua_rawgeti(L, 1, (int)(next_byte() % NUM_KEPT) + 1);
}

static void push_array(lua_State *L) {
    const int count = (int)(next_byte() % 5);
    lua_newtable(L);
    for (int i = 1; i <= count; ++i) {
        lua_pushnumber(L, next_number());
        lua_rawseti(L, -2, i);
    }
    push_kept(L);
    lua_rawseti(L, -2, count + 1);
    if (next_byte() % 4 == 0) { // a table in itself
        lua_pushvalue(L, -1);
        lua_setfield(L, -2, "self");
    }
}

static void push_temporary(lua_State *L) {
    const ct_vec3 v = next_vector();
    switch (next_byte() % 6) {
    case 0:
        ct_push_vector2(L, (ct_vec2){{v.x, v.y}});
        break;
    case 1:
        ct_push_vector4(L, (ct_vec4){{v.x, v.y, v.z, 1}});
        break;
    case 2:
        ct_push_quaternion(L, (ct_quat){{v.x, v.y, v.z, 1}});
        break;
    case 3:
        push_matrix(L);
        break;
    case 4:
        ct_push_id64(L, ct_string_id64_of(next_string()));
        break;
    default:
        ct_push_vector3(L, v);
        break;
    }
}

static void push_argument(lua_State *L) {
    switch (next_byte() % 12) {
    case 0:
        lua_pushnil(L);
        break;
    case 1:
        lua_pushboolean(L, next_byte() & 1);
        break;
    case 2:
    case 3:
        lua_pushnumber(L, next_number());
        break;
    case 4:
        lua_pushstring(L, next_string());
        break;
    case 5:
    case 6:
        push_temporary(L);
        break;
    case 7:
        ct_push_id32(L, ct_string_id32_of(next_string()));
        break;
    case 8:
        push_array(L);
        break;
    case 9: // any bits at all
        lua_pushlightuserdata(
            L, (void *)(uintptr_t)((uint64_t)next_byte() << 31 | next_byte() << 12 | next_byte()));
        break;
    default:
        push_kept(L);
        break;
    }
}

// --- Calling -------------------------------------------------------------------------------------

static bool is_left_out(const char *module, const char *function) {
    static const char *const names[] = {"Application.quit",    "Application.sleep",
                                        "Application.can_get", "Application.resource_package",
                                        "Script.exists",       "ResourcePackage.load"};
    if (strcmp(module, "FileSystem") == 0 || strstr(function, "user_setting"))
        return true; // they write files
    char name[128];
    snprintf(name, sizeof name, "%s.%s", module, function);
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

// Pushes a function of a module as scripts see it; false for those that are left out.
static bool push_function(lua_State *L) {
    uint32_t num_modules;
    const ct_script_module *const *modules = ct_script_modules(&num_modules);
    const ct_script_module *module = modules[next_byte() % num_modules];
    const uint32_t place = next_byte() % (module->num_functions + (module->call ? 1 : 0) + 1);
    lua_getglobal(L, module->name);
    if (place >= module->num_functions)
        return module->call; // the table itself
    lua_getfield(L, -1, module->functions[place].name);
    lua_remove(L, -2);
    return !is_left_out(module->name, module->functions[place].name);
}

// One call; what it gives first is kept.
static int call_once(lua_State *L) {
    if (!push_function(L))
        return 0;
    const int count = (int)(next_byte() % (MAX_ARGUMENTS + 1));
    for (int i = 0; i < count; ++i)
        push_argument(L);
    lua_call(L, count, 1);
    if (!lua_isnil(L, -1))
        lua_rawseti(L, 1, (int)(next_byte() % NUM_KEPT) + 1);
    return 0;
}

// An entity with a transform, a scene graph, a mesh, a camera and a light, so that there is something to call
// functions on.
static ct_entity make_unit(ct_world *world) {
    const ct_entity e = ct_world_create_entity(world);
    ct_mesh_data mesh;
    ct_camera_data camera;
    ct_light_data light;
    uint32_t count;
    const ct_component_type *types = ct_component_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(types[i].name, "mesh") == 0)
            ct_schema_defaults(types[i].schema, &mesh);
        else if (strcmp(types[i].name, "camera") == 0)
            ct_schema_defaults(types[i].schema, &camera);
        else if (strcmp(types[i].name, "light") == 0)
            ct_schema_defaults(types[i].schema, &light);
    }
    mesh.mesh.value = 1;
    ct_transform_create(ct_world_transforms(world), e, ct_vec3_make(0, 0, 0), ct_quat_identity(),
                        ct_vec3_make(1, 1, 1));
    const ct_scene_graph_node_data nodes[2] = {
        {.name = {1}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}},
        {.name = {2}, .parent = 1, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}}};
    ct_scene_graph_create(ct_world_scene_graphs(world), e, 1, nodes, 2);
    mesh.node = camera.node = nodes[1].name;
    ct_mesh_create(ct_world_meshes(world), e, 1, &mesh);
    ct_camera_create(ct_world_cameras(world), e, 1, &camera);
    ct_light_create(ct_world_lights(world), e, 1, &light);
    return e;
}

// Leaves the table of kept values on the stack, with a world and units in it.
static void keep_first_values(struct ct_script *s, ct_world *world) {
    static const ct_value_kind kinds[] = {CT_VALUE_KIND_CAMERA, CT_VALUE_KIND_LIGHT,
                                          CT_VALUE_KIND_MESH};
    lua_State *L = s->lua;
    lua_newtable(L);
    ct_push_object(L, CT_OBJECT_KIND_WORLD, world, 0);
    lua_rawseti(L, 1, 1);
    for (int i = 0; i < (int)CT_COUNT_OF(kinds); ++i) {
        const ct_entity e = make_unit(world);
        ct_push_entity(L, e);
        lua_rawseti(L, 1, 2 + 2 * i);
        ct_push_component(L, kinds[i], e, 0);
        lua_rawseti(L, 1, 3 + 2 * i);
    }
}

static void run_calls(struct ct_script *s) {
    lua_State *L = s->lua;
    for (uint32_t i = 0; i < MAX_CALLS && input.at < input.end; ++i) {
        lua_pushcfunction(L, call_once);
        lua_pushvalue(L, 1);
        ct_script_call(s, 1, 0);
        CT_ASSERT(lua_gettop(L) == 1, "%d values on the stack", lua_gettop(L));
        if (next_byte() % 16 == 0)
            ct_script_update(s, 1.0 / 60);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input.at = data;
    input.end = data + size;
    ct_memory_init();
    ct_log_init(ct_memory_heap()); // without sinks
    ct_allocator *heap = ct_memory_heap();
    ct_resource_manager *resources =
        ct_resource_manager_create(&(ct_resource_manager_desc){heap, "/nowhere"});
    static char renderer; // only its address counts
    ct_world_system *worlds = ct_world_system_create(
        &(ct_world_system_desc){heap, resources, (ct_renderer *)(void *)&renderer});
    ct_input *devices = ct_input_create(heap);
    ct_actions *actions =
        ct_actions_create(&(ct_actions_desc){.allocator = heap, .input = devices});
    struct ct_script *s = ct_script_create(&(ct_script_desc){
        .allocator = heap, .worlds = worlds, .input = devices, .actions = actions, .host = &host});
    keep_first_values(s, ct_world_create(worlds));
    run_calls(s);
    ct_script_destroy(s);
    ct_actions_destroy(actions);
    ct_input_destroy(devices);
    ct_world_system_destroy(worlds);
    ct_resource_manager_destroy(resources);
    ct_log_shutdown();
    ct_memory_shutdown(); // asserts that nothing is left
    return 0;
}
