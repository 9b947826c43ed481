// Material.
#include "script/api_fixture.h"

static int set_up_material(void **state) {
    set_up(state);
    run_lua(&f, "MC = EntityManager.mesh_component(W) "
                "MeshComponent.create_with_mesh(MC, L, 'lid', 'meshes/crate') "
                "MeshComponent.set_material(MC, L, 'lid', 'wood', 'materials/oak') "
                "M = Mesh.material(Unit.mesh(L, 'lid'), 'wood')");
    return 0;
}

#define MATERIAL_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_material, tear_down)

static void assert_set(const char *name, uint32_t count, float first, float last) {
    assert_true(recorded()->material.material.value == ct_string_id64_of("materials/oak").value);
    assert_int_equal(recorded()->material.name.value, ct_string_id32_of(name).value);
    assert_int_equal(recorded()->material.num_values, count);
    assert_true(recorded()->material.values[0] == first);
    assert_true(recorded()->material.values[count - 1] == last);
}

static void sets_variables(void **state) {
    (void)state;
    run_lua(&f, "Material.set_scalar(M, 'wetness', 0.5)");
    assert_set("wetness", 1, 0.5f, 0.5f);
    run_lua(&f, "Material.set_vector2(M, 'tiling', Vector2(2, 3))");
    assert_set("tiling", 2, 2, 3);
    run_lua(&f, "Material.set_vector2(M, 'tiling', Vector3(4, 5, 6))");
    assert_set("tiling", 2, 4, 5);
    run_lua(&f, "Material.set_vector3(M, 'wind', Vector3(1, 2, 3))");
    assert_set("wind", 3, 1, 3);
    run_lua(&f, "Material.set_vector4(M, IdString32('edge'), Vector4(1, 2, 3, 4))");
    assert_set("edge", 4, 1, 4);
    run_lua(&f, "Material.set_matrix4x4(M, 'bend', Matrix4x4.from_translation(Vector3(1, 2, 3)))");
    assert_set("bend", 16, 1, 1);
    assert_true(recorded()->material.values[12] == 1 && recorded()->material.values[14] == 3);
    run_lua(&f, "Material.set_color(M, 'tint', Vector4(0.5, 0, 0, 1))");
    assert_set("tint", 4, 0.5f, 1);
}

static void sets_textures(void **state) {
    (void)state;
    run_lua(&f, "Material.set_texture(M, 'base', 'textures/rose')");
    assert_true(recorded()->material.texture.value == ct_string_id64_of("textures/rose").value);
    assert_lua_error(&f, "Material.set_texture(M, 'base', 'textures/none')",
                     "Material.set_texture: argument 3 (texture): there is no texture "
                     "\"textures/none\"");
    assert_lua_error(&f, "Material.set_texture(M, 'unknown', 'textures/rose')",
                     "Material.set_texture: argument 2 (slot): the material ");
}

static void refuses_unknown_variables(void **state) {
    (void)state;
    assert_lua_error(&f, "Material.set_scalar(M, 'unknown', 1)", "has no variable \"unknown\"");
    assert_lua_error(&f, "Material.set_scalar(M, IdString32('unknown'), 1)",
                     "has no variable with the id ");
    assert_lua_error(&f, "Material.set_scalar(M, nil, 1)",
                     "Material.set_scalar: argument 2 (variable): expected IdString32 or string");
}

static void refuses_values_that_are_none(void **state) {
    (void)state;
    static const char *const calls[][2] = {
        {"set_scalar(M, 'a', 0/0)", "argument 3 (value): expected a finite number"},
        {"set_scalar(M, 'a', 1e300)", "argument 3 (value): expected a number from"},
        {"set_scalar(M, 'a', 'b')", "argument 3 (value): expected number, got string"},
        {"set_vector2(M, 'a', Vector2(0/0, 0))", "argument 3 (vector2): expected finite numbers"},
        {"set_vector3(M, 'a', Vector3(0, 0, 1/0))", "argument 3 (vector3): expected a finite"},
        {"set_vector4(M, 'a', Vector4(0, 0, 0, 1/0))", "argument 3 (vector4): expected finite"},
        {"set_matrix4x4(M, 'a', 5)", "argument 3 (value): expected Matrix4x4, got number"},
        {"set_color(M, 'a', 5)", "argument 3 (color): expected Vector4, got number"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i) {
        char lua[128];
        snprintf(lua, sizeof(lua), "Material.%s", calls[i][0]);
        assert_lua_error(&f, lua, calls[i][1]);
    }
    assert_int_equal(recorded()->material.num_values, 0);
}

static void tells_its_id(void **state) {
    (void)state;
    assert_lua(&f, "IdString64.equal(Material.id(M), 'materials/oak')", "true");
    assert_lua_error(&f, "Material.id(C)", "Material.id: argument 1 (self): expected Material");
}

static void is_refused_once_it_is_not_loaded(void **state) {
    (void)state;
    ct_blob_writer w;
    write_material(&w);
    save_blob(&f, &w, "material", "materials/late");
    const ct_resource_id ids[1] = {ct_resource_id_of("material", "materials/late")};
    write_package(&w, ids, 1);
    save_blob(&f, &w, "package", "packages/late");
    run_lua(&f, "P = Application.resource_package('packages/late') "
                "ResourcePackage.load(P) ResourcePackage.flush(P) "
                "MeshComponent.set_material(MC, L, 'lid', 'iron', 'materials/late') "
                "M = Mesh.material(Unit.mesh(L, 'lid'), 'iron') Material.set_scalar(M, 'a', 1) "
                "ResourcePackage.unload(P)");
    assert_lua_error(&f, "Material.set_scalar(M, 'a', 1)",
                     "Material.set_scalar: argument 1 (self): the material ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MATERIAL_TEST(sets_variables),
        MATERIAL_TEST(sets_textures),
        MATERIAL_TEST(refuses_unknown_variables),
        MATERIAL_TEST(refuses_values_that_are_none),
        MATERIAL_TEST(tells_its_id),
        MATERIAL_TEST(is_refused_once_it_is_not_loaded),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
