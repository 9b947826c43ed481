#include "fake_engine.h"

#include <stdlib.h>

#include "lua/lua_watch.h"
#include "script/api_fixture.h"
#include "script/script_private.h"

static fake_engine engine;
static ct_blob_writer actions; // the resource of the player's actions

// A package that can be loaded, and what is in it.
static void save_package(void) {
    ct_blob_writer w;
    write_texture(&w);
    save_blob(&f, &w, "texture", "textures/late");
    const ct_resource_id ids[1] = {ct_resource_id_of("texture", "textures/late")};
    write_package(&w, ids, 1);
    save_blob(&f, &w, "package", "packages/late");
}

static const char keep_values[] =
    "R = World.spawn_unit(W, 'units/robot', Vector3(0, 0, 1)) "
    "Mesh.set_material(Unit.mesh(R, 1), 1, 'materials/oak') "
    "Kept = {W, C, L, R, World.spawn_unit(W, 'units/bare'), "
    "  Unit.camera(R, 1), Unit.light(R, 1), Unit.mesh(R, 1), Mesh.material(Unit.mesh(R, 1), 1), "
    "  World.load_level(W, 'levels/yard'), World.create_line_object(W), "
    "  Application.create_viewport(W, 'default'), Application.new_world(), "
    "  World.create_screen_gui(W), World.create_screen_gui(W, 'immediate'), "
    "  World.create_world_gui(W, Matrix4x4.identity(), 2, 1, 'scale', 200, 100), "
    "  Application.resource_package('packages/late'), "
    "  EntityManager.transform_component(W), EntityManager.scene_graph_component(W), "
    "  EntityManager.mesh_component(W), EntityManager.debug_name_component(), "
    "  EntityManager.data_component(), "
    "  EntityManager.script_component(W), "
    "  Vector2Box(1, 2), Vector3Box(1, 2, 3), Vector4Box(1, 2, 3, 4), "
    "  QuaternionBox(Quaternion.identity()), Matrix4x4Box(Matrix4x4.identity()), "
    "  IdString32Box(IdString32('a')), IdString64Box(IdString64('a')), 'n1', 'units/crate'}";

const fake_engine *fake_engine_start(const ct_script_desc *limits, const char *game) {
    test_group_setup(NULL);
    setenv("XDG_DATA_HOME", test_scratch_folder(), 1);
    // What sets up may take its time.
    ct_script_desc desc = *limits;
    desc.time_limit_seconds = 0;
    f = start_api_with(desc);
    fake_host.has_window = true;
    save_package();
    write_input(&actions);
    ct_actions_set_resource(f.actions,
                            (const ct_input_resource *)(const void *)actions.bytes.items);
    run_lua(&f, keep_values);
    boot_script(&f, game);
    if (limits->time_limit_seconds > 0)
        f.script->lua.watch = ct_lua_watch_create(
            &f.script->lua, (uint64_t)(limits->time_limit_seconds * 1e9), limits->stops_long_calls);
    engine = (fake_engine){f.world.allocator, f.world.resources, f.script,
                           f.script->worlds,  recorder,          f.world.folder};
    return &engine;
}

void fake_engine_end_frame(void) {
    ct_gui_system_end_frame(f.gui);
    recorded();
}

void fake_engine_stop(void) {
    stop_script(&f);
    ct_blob_writer_free(&actions);
    test_group_teardown(NULL);
}
