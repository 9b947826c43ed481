// Model files: what the readers of glTF, OBJ and BVH make of them, as meshes and as descriptions for
// `cuttle import`; and the objects of FBX files, as far as they are read without Assimp.
//
// The first byte picks the format; then comes the file, and behind a zero byte (of text formats) the
// other file that it names: a buffer, a material library. Inputs start as small models that use much
// of their formats.
#include <string.h>

#include "compiler/project_support.h"
#include "compiler/types/model/worker_fbx_check.h"
#include "compiler/types/model/worker_fbx_objects.h"
#include "foundation/memory/temp_allocator.h"
#include "support/mutation.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static const char *folder;

// --- Where inputs start --------------------------------------------------------------------------

static const char gltf[] =
    "0{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_lights_punctual\"],\"extensions\":"
    "{"
    "\"KHR_lights_punctual\":{\"lights\":[{\"type\":\"spot\",\"range\":4,\"spot\":{"
    "\"outerConeAngle\":"
    "0.5}}]}},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"a\",\"mesh\":0,"
    "\"children\":[1],\"rotation\":[0,0,1,1]},{\"camera\":0,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,2,"
    "3,4,"
    "1],\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}}],\"cameras\":[{\"perspective\":{"
    "\"yfov\":1,\"znear\":0.1}}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,"
    "\"TEXCOORD_0\":1,\"COLOR_0\":2},\"indices\":3,\"material\":0},{\"attributes\":{\"POSITION\":4}"
    ","
    "\"mode\":5}]}],\"materials\":[{\"name\":\"m\",\"alphaMode\":\"MASK\",\"emissiveFactor\":[1,1,"
    "0],"
    "\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,\"extensions\":{"
    "\"KHR_texture_transform\":{\"scale\":[2,2],\"offset\":[0.5,0]}}}}}],\"textures\":[{\"source\":"
    "0,"
    "\"sampler\":0}],\"samplers\":[{\"wrapS\":33071,\"magFilter\":9728}],\"images\":[{\"uri\":"
    "\"data:image/"
    "png;base64,iVBORw0KGgo=\"}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
    "\"type\":\"VEC3\",\"count\":4},{\"bufferView\":1,\"componentType\":5121,\"normalized\":true,"
    "\"type\":\"VEC2\",\"count\":4},{\"componentType\":5123,\"normalized\":true,\"type\":\"VEC4\","
    "\"count\":4},{\"bufferView\":2,\"componentType\":5123,\"type\":\"SCALAR\",\"count\":6},{"
    "\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":4,\"sparse\":{\"count\":1,"
    "\"indices\":{\"bufferView\":2,\"componentType\":5123},\"values\":{\"bufferView\":0,"
    "\"byteOffset\":"
    "12}}}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,"
    "\"byteLength\":16,\"byteStride\":4},{\"buffer\":0,\"byteOffset\":64,\"byteLength\":12}],"
    "\"buffers\":[{\"uri\":\"b\",\"byteLength\":76}]}"
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80?\0\0\0\0\0\0\0\0\0\0\x80?\0\0\x80?\0\0\0\0\0\0\0\0\0\0\x80?"
    "\0\0\0\0\0\0\0\0\xff\0\0\0\xff\xff\0\0\0\xff\0\0\0\0\1\0\2\0\0\0\2\0\3\0";

static const char glb[] =
    "1glTF\2\0\0\0\x44\1\0\0\4\1\0\0JSON{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{"
    "\"bufferView\":0,"
    "\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}],\"bufferViews\":[{\"buffer\":0,"
    "\"byteLength\":36}],\"buffers\":[{\"byteLength\":36}]}   $\0\0\0BIN\0"
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80?\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80?\0\0\0\0";

static const char obj[] =
    "2mtllib b c.mtl\no a\nv 0 0 0 1 .5 0\nv 1 0 0\nv 1 1 0 # x\nv 0 1 0\nv .2 .5 0\nvt 0 0\n"
    "vt .5 .5\nvn 0 0 1\ng h i\nusemtl m\ns 1\nf 1/1/1 2/2/1 3//1 \\\n 5/1 4\no b\nf -5 -4 -3\n"
    "l 1 2\np 1\no a\nusemtl n\nf 3 2 1\ncurv 0 1 2\n\0"
    "newmtl m\nKd 1 0.5 .2\nKs spectral a.rfl\nNs 96\nd -halo 0.5\nPr 0.2\nPm 1\n"
    "map_Kd -s 2 2 1 -clamp on a b.png\nmap_Bump -bm 0.5 n.png\nnewmtl n\nKe 2 2 2\nTr 0.1\nillum "
    "2\n";

static const char fbx[] =
    "3; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n FBXVersion: 7400\n}\nDefinitions:  {\n"
    " ObjectType: \"Model\" {\n  PropertyTemplate: \"FbxNode\" {\n   Properties70:  {\n"
    "    P: \"RotationOrder\", \"enum\", \"\", \"\",1\n   }\n  }\n }\n}\nObjects:  {\n"
    " Model: 2, \"Model::a\", \"Mesh\" {\n  Properties70:  {\n"
    "   P: \"InheritType\", \"enum\", \"\", \"\",1\n"
    "   P: \"GeometricRotation\", \"Vector3D\", \"Vector\", \"\",90,0,90\n  }\n }\n"
    " Model: 3, \"Model::b\", \"Null\" {\n }\n}\nConnections:  {\n C: \"OO\",2,0\n C: "
    "\"OO\",3,2\n}\n";

static const char bvh[] =
    "4HIERARCHY\nROOT a\n{\n\tOFFSET 0 1.5 0\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Xrotation Yrotation\n\tJOINT b c\n\t{\n\t\tOFFSET 1 0 -1\n\t\tCHANNELS 1 Xrotation\n\t\t"
    "End Site\n\t\t{\n\t\t\tOFFSET 0 1 0\n\t\t}\n\t}\n}\nMOTION\nFrames: 2\nFrame Time: .03\n"
    "0 0 0 0 90 -90 1\n1 2 3 4 5 6 7\n";

static const struct {
    const char *bytes;
    size_t size;
} seeds[] = {{gltf, sizeof(gltf) - 1},
             {glb, sizeof(glb) - 1},
             {obj, sizeof(obj) - 1},
             {fbx, sizeof(fbx) - 1},
             {bvh, sizeof(bvh) - 1}};

// Words of the formats, which damage alone would not find.
static const char *const words[] = {"\"count\":",
                                    "\"byteStride\":",
                                    "5120",
                                    "5125",
                                    "\"EXT_meshopt_compression\":{",
                                    "null",
                                    "[]",
                                    "-1",
                                    "4294967295",
                                    "1e39",
                                    "\"uri\":\"data:;base64,",
                                    "\nf ",
                                    "\nv ",
                                    "\nusemtl ",
                                    "\\\n",
                                    "\nnewmtl ",
                                    "\xef\xbb\xbf",
                                    "{",
                                    "}",
                                    "Model: ",
                                    "CHANNELS 1 ",
                                    "JOINT a { OFFSET 0 0 0 ",
                                    "Frames: ",
                                    "nan",
                                    NULL};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    ct_random random = ct_random_seeded(seed, 0);
    const uint32_t choice = ct_random_below(&random, 32);
    if (size < 8 || choice == 0) {
        const uint32_t i = ct_random_below(&random, CT_COUNT_OF(seeds));
        size = seeds[i].size < max_size ? seeds[i].size : max_size;
        memcpy(data, seeds[i].bytes, size);
    }
    return choice < 8 ? LLVMFuzzerMutate(data, size, max_size)
                      : test_mutate(&random, data, size, max_size, words);
}

// --- What is done with one -----------------------------------------------------------------------

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    test_group_setup(NULL);
    folder = test_scratch_folder();
    return 0;
}

// Whatever there is, an answer has data or says why not.
static void ask(const char *type, const char *path) {
    const ct_compile_request request = {.type = type,
                                        .name = strcmp(type, "mesh") == 0 ? "a" : "",
                                        .path = path,
                                        .project_folder = folder,
                                        .platform = strcmp(type, "mesh") == 0 ? "linux" : ""};
    ct_compile_answer answer;
    ct_worker_compile(test_heap(), &request, &answer);
    CT_ASSERT(answer.blob.count > 0 || answer.errors.count > 0, "%s: neither data nor errors",
              path);
    ct_compile_answer_free(&answer);
}

static void read_model(const char *name, const char *other, const uint8_t *bytes, size_t size,
                       bool is_text) {
    const uint8_t *const end = is_text ? memchr(bytes, 0, size) : NULL;
    char source[64];
    write_bytes(folder, name, bytes, end ? (size_t)(end - bytes) : size);
    write_bytes(folder, other, end ? end + 1 : bytes, end ? size - (size_t)(end + 1 - bytes) : 0);
    snprintf(source, sizeof(source), "source = \"%s\"", name);
    write_text(folder, "a.mesh", source);
    ask("mesh", "a.mesh");
    ask(CT_COMPILE_IMPORT, name);
}

// Reads the properties of all objects, of files that Assimp would be given.
static void read_fbx(const uint8_t *bytes, size_t size) {
    static const ct_worker_fbx_property properties[] = {{"RotationOrder", 1},
                                                        {"GeometricRotation", 3}};
    CT_TEMP_ALLOCATOR(a, test_heap());
    char *const text = ct_alloc(a, size + 1);
    ct_worker_fbx_records records;
    ct_worker_fbx_objects objects;
    ct_error error = {0};
    memcpy(text, bytes, size);
    text[size] = 0;
    if (!ct_worker_fbx_records_read(a, text, size, &records, &error) ||
        !ct_worker_fbx_check(a, &records, &error)) {
        CT_ASSERT(error.message[0], "refused without a reason%s", "");
        return;
    }
    ct_worker_fbx_objects_read(a, &records, &objects);
    for (uint32_t i = 0; i < objects.items.count; ++i) {
        float values[CT_COUNT_OF(properties)][3] = {{0}};
        ct_worker_fbx_read_template(&records, "Model", "FbxNode", properties,
                                    CT_COUNT_OF(properties), values);
        ct_worker_fbx_read_properties(&records, objects.items.items[i].record, properties,
                                      CT_COUNT_OF(properties), values);
        for (uint32_t k = objects.items.items[i].first_link; k; k = objects.links.items[k - 1].next)
            CT_ASSERT(objects.links.items[k - 1].model < objects.items.count, "object %u", i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    switch ((uint8_t)(data[0] - '0') % 5) {
    case 0:
        read_model("a.gltf", "b", data + 1, size - 1, true);
        break;
    case 1:
        read_model("a.glb", "b", data + 1, size - 1, false);
        break;
    case 2:
        read_model("a.obj", "c.mtl", data + 1, size - 1, true);
        break;
    case 3:
        read_fbx(data + 1, size - 1);
        break;
    default:
        read_model("a.bvh", "b", data + 1, size - 1, true);
        break;
    }
    return 0;
}
