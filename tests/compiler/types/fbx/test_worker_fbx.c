// Whole FBX files, read through Assimp into a scene: which node has which mesh, vertices, materials
// with their maps, images inside the file.
#include "compiler/types/fbx/worker_fbx.h"

#include <math.h>
#include <string.h>

#include "foundation/memory/temp_allocator.h"
#include "resource/schema/schema.h"
#include "support/test_support.h"

static const char head[] = "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n"
                           " FBXHeaderVersion: 1003\n FBXVersion: 7400\n}\n"
                           "GlobalSettings:  {\n Version: 1000\n Properties70:  {\n"
                           " P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n }\n}\n"
                           "Definitions:  {\n Version: 100\n}\n";

typedef struct fbx_case {
    ct_compile c;
    ct_worker_model_files files;
    ct_worker_scene scene;
} fbx_case;

// Reads a sound file of these objects and connections.
static void read(fbx_case *t, ct_allocator *a, const char *objects, const char *connections) {
    t->c = (ct_compile){.allocator = a};
    t->scene = (ct_worker_scene){.path = "a.fbx"};
    ct_array_init(&t->scene.nodes, a);
    ct_array_init(&t->scene.node_meshes, a);
    ct_array_init(&t->scene.meshes, a);
    ct_array_init(&t->scene.materials, a);
    ct_array_init(&t->scene.images, a);
    ct_array_init(&t->scene.cameras, a);
    ct_array_init(&t->scene.lights, a);
    ct_array_init(&t->scene.warnings, a);
    ct_worker_model_files_init(&t->files, &t->c, (ct_sjson_value){0}, false);
    const char *const text = ct_compile_text(&t->c, "%sObjects:  {\n%s}\nConnections:  {\n%s}\n",
                                             head, objects, connections);
    const ct_worker_model_file file = {
        .path = "a.fbx", .needed = "a.fbx", .bytes = text, .size_bytes = strlen(text)};
    ct_array_push(&t->files.files, file);
    assert_true(ct_worker_fbx_read(&t->c, &t->files, &file, (ct_sjson_value){0}, &t->scene));
}

#define GEOMETRY(id, x, layers)                                                                    \
    "Geometry: " #id ", \"Geometry::g" #id "\", \"Mesh\" {\n Vertices: *9 { a: " #x                \
    ",0,0,1,0,0,0,1,0 }\n PolygonVertexIndex: *3 { a: 0,1,-3 }\n GeometryVersion: 124\n" layers    \
    "}\n"
#define MODEL(id, name, properties)                                                                \
    "Model: " #id ", \"Model::" name                                                               \
    "\", \"Mesh\" {\n Version: 232\n Properties70:  {\n" properties " }\n}\n"
#define PIVOT " P: \"RotationPivot\", \"Vector3D\", \"Vector\", \"\",1,0,0\n"
#define GEOMETRIC " P: \"GeometricTranslation\", \"Vector3D\", \"Vector\", \"\",1,0,0\n"
#define LINK(child, parent) " C: \"OO\"," #child "," #parent "\n"

static void expect_mesh(const ct_worker_scene *scene, uint32_t node, float x) {
    const ct_worker_scene_node *const n = &scene->nodes.items[node];
    assert_int_equal(n->num_meshes, 1);
    const ct_worker_mesh *const m = &scene->meshes.items[scene->node_meshes.items[n->first_mesh]];
    assert_true(m->positions[0][0] == x);
}

// Assimp has nodes of its own for pivots, and, above the children, to undo what moves the geometry.
static void gives_each_node_its_own_mesh(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(temp, test_heap());
    fbx_case t;
    read(&t, temp,
         MODEL(1, "x", GEOMETRIC) MODEL(2, "x", PIVOT) MODEL(3, "", PIVOT GEOMETRIC)
             MODEL(4, "x", "") GEOMETRY(11, 11, "") GEOMETRY(12, 12, "") GEOMETRY(13, 13, "")
                 GEOMETRY(14, 14, ""),
         LINK(1, 0) LINK(2, 1) LINK(11, 1) LINK(3, 2) LINK(13, 3) LINK(4, 0) LINK(14, 4)
             LINK(12, 2) " C: \"OP\",4,1, \"LookAtProperty\"\n");
    static const uint32_t parents[] = {CT_WORKER_SCENE_NO_NODE, 0, 1, CT_WORKER_SCENE_NO_NODE};
    assert_int_equal(t.scene.nodes.count, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        expect_mesh(&t.scene, i, 11.0f + (float)i);
        assert_int_equal(t.scene.nodes.items[i].parent, parents[i]);
    }
    assert_true(t.scene.metres == 1);
}

static void reads_a_model_below_two_others_twice(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(temp, test_heap());
    fbx_case t;
    read(&t, temp, MODEL(1, "a", "") MODEL(2, "b", "") MODEL(3, "c", PIVOT) GEOMETRY(10, 5, ""),
         LINK(1, 0) LINK(2, 0) LINK(3, 1) LINK(3, 2) LINK(10, 3));
    assert_int_equal(t.scene.nodes.count, 4);
    expect_mesh(&t.scene, 1, 5);
    expect_mesh(&t.scene, 3, 5);
    assert_int_equal(t.scene.nodes.items[3].parent, 2);
}

#define BY_CORNER                                                                                  \
    " MappingInformationType: \"ByPolygonVertex\"\n ReferenceInformationType: \"Direct\"\n"

static void reads_vertices(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(temp, test_heap());
    fbx_case t;
    read(&t, temp,
         MODEL(1, "a", "") GEOMETRY(
             10, 0,
             " LayerElementNormal: 0 {\n" BY_CORNER " Normals: *9 { a: 0,0,1,0,0,1,0,0,1 }\n }\n"
             " LayerElementTangent: 0 {\n" BY_CORNER " Tangents: *9 { a: 1,0,0,1,0,0,1,0,0 }\n }\n"
             " LayerElementBinormal: 0 {\n" BY_CORNER
             " Binormals: *9 { a: 0,-1,0,0,-1,0,0,-1,0 }\n }\n"
             " LayerElementUV: 0 {\n" BY_CORNER " UV: *6 { a: 0,0,1,0,0,0.75 }\n }\n"
             " LayerElementColor: 0 {\n" BY_CORNER
             " Colors: *12 { a: 0.5,0,1,0.5,1,1,1,1,1,1,1,1 }\n }\n"
             " Layer: 0 {\n  LayerElement: { Type: \"LayerElementNormal\"\n TypedIndex: 0 }\n"
             "  LayerElement: { Type: \"LayerElementTangent\"\n TypedIndex: 0 }\n"
             "  LayerElement: { Type: \"LayerElementBinormal\"\n TypedIndex: 0 }\n"
             "  LayerElement: { Type: \"LayerElementColor\"\n TypedIndex: 0 }\n"
             "  LayerElement: { Type: \"LayerElementUV\"\n TypedIndex: 0 }\n }\n"),
         LINK(1, 0) LINK(10, 1));
    const ct_worker_mesh *const m = &t.scene.meshes.items[0];
    assert_int_equal(m->num_vertices, 3);
    assert_int_equal(m->num_indices, 3);
    assert_true(m->normals[0][2] == 1);
    assert_true(m->tangents[0][0] == 1 && m->tangents[0][3] == -1);
    assert_true(m->uv[0][2][0] == 0 && m->uv[0][2][1] == 0.25f); // from the top
    assert_null(m->uv[1]);
    assert_true(m->colors[0][0] == ct_srgb_to_linear(0.5f) && m->colors[0][3] == 0.5f);
    assert_string_equal(m->name, "g10");
}

#define TEXTURE(id, file, properties)                                                              \
    "Texture: " #id ", \"Texture::t" #id "\", \"\" {\n RelativeFilename: \"" file                  \
    "\"\n FileName: \"" file "\"\n Properties70:  {\n" properties " }\n}\n"
#define MAP(id, property) " C: \"OP\"," #id ",20, \"" property "\"\n"

static void reads_materials(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(temp, test_heap());
    fbx_case t;
    read(
        &t, temp,
        MODEL(1, "a", "") GEOMETRY(
            10, 0,
            " LayerElementMaterial: 0 {\n MappingInformationType: "
            "\"AllSame\"\n ReferenceInformationType: \"IndexToDirect\"\n "
            "Materials: *1 { a: 0 }\n }\n Layer: 0 {\n  LayerElement: { "
            "Type: \"LayerElementMaterial\"\n TypedIndex: 0 }\n }\n") "Material: 20, "
                                                                      "\"Material::m\", \"\" {\n "
                                                                      "ShadingModel: \"phong\"\n "
                                                                      "Properties70: {\n"
                                                                      " P: \"EmissiveColor\", "
                                                                      "\"Color\", \"\", "
                                                                      "\"A\",0,2,1\n"
                                                                      " P: \"BumpFactor\", "
                                                                      "\"double\", \"Number\", "
                                                                      "\"\",0.5\n }\n}\n" TEXTURE(
                                                                          30, "base.png",
                                                                          " P: \"WrapModeU\", "
                                                                          "\"enum\", \"\", \"\",1\n"
                                                                          " P: \"Scaling\", "
                                                                          "\"Vector3D\", "
                                                                          "\"Vector\", "
                                                                          "\"\",3,2.5,1\n"
                                                                          " P: \"Translation\", "
                                                                          "\"Vector3D\", "
                                                                          "\"Vector\", "
                                                                          "\"\",0.25,0.125,0\n")
                                                                          TEXTURE(31, "bump.png",
                                                                                  "")
                                                                              TEXTURE(32,
                                                                                      "glow.png",
                                                                                      ""),
        LINK(1, 0) LINK(10, 1) LINK(20, 1) MAP(30, "DiffuseColor") MAP(31, "Bump")
            MAP(32, "SpecularColor") MAP(33, "EmissiveColor"));
    assert_int_equal(t.scene.materials.count, 1);
    const ct_worker_material *const m = &t.scene.materials.items[0];
    assert_string_equal(m->name, "m");
    const ct_worker_map *const base = &m->maps[CT_WORKER_MAP_KIND_BASE_COLOR];
    assert_string_equal(base->image, "base.png");
    assert_int_equal(base->wrap[0], CT_WORKER_MAP_WRAP_CLAMP);
    assert_int_equal(base->wrap[1], CT_WORKER_MAP_WRAP_REPEAT);
    assert_true(base->uv_scale[0] == 3 && base->uv_scale[1] == 2.5f && base->uv_rotation == 0);
    // From the top, v is 1 - (2.5 (1 - v) + 0.125), so 2.5 v - 1.625, and one repetition less.
    assert_true(base->uv_offset[0] == 0.25f);
    assert_true(fabsf(base->uv_offset[1] - 0.375f) < 1e-6f);
    assert_true(m->maps[CT_WORKER_MAP_KIND_NORMAL].may_be_heights);
    assert_string_equal(m->maps[CT_WORKER_MAP_KIND_NORMAL].image, "bump.png");
    assert_true(m->normal_strength == 0.5f);
    assert_true(m->emissive_intensity == 2 && m->emissive[1] == 1 && m->emissive[2] == 0.5f);
    assert_int_equal(m->warnings.count, 1);
    assert_string_equal(m->warnings.items[0], "it has a map of specular colour, which is left out");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_each_node_its_own_mesh),
        cmocka_unit_test(reads_a_model_below_two_others_twice),
        cmocka_unit_test(reads_vertices),
        cmocka_unit_test(reads_materials),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
