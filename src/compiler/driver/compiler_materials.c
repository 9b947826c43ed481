// Warns of units and levels that give a mesh more or fewer materials than it has parts. How many
// parts there are is known only once the model has been read, so the compiled data is compared.
#include "compiler/driver/compiler_run.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "resource/types/component_resource.h"
#include "resource/types/mesh_resource.h"
#include "resource/types/unit_resource.h"

#include <stdio.h>
#include <string.h>

// By which a warning of this kind is known when it comes from the old index.
#define WRONG_COUNT "wrong number of materials: "

typedef struct checker {
    ct_run *run;
    ct_hash_map parts; // key of a mesh to its number of parts; 0: not known
} checker;

static void path_of(const ct_run *run, const ct_run_resource *resource, char path[CT_PATH_BYTES]) {
    char name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_run_file_name(resource->id, CT_RUN_FILE_KIND_DATA, name);
    ct_path_join(path, run->compiler->data_folder, name);
}

static const ct_run_resource *find_mesh(const ct_run *run, ct_string_id64 name) {
    const ct_resource_id id = {ct_resource_type_named("mesh")->id, name};
    const uint64_t at = ct_hash_map_get(&run->by_base, ct_resource_id_key(id), 0);
    return at > 0 ? &run->resources.items[at - 1] : NULL;
}

// Reads how many parts a compiled mesh has from the start of its file. 0: there is no data of this
// machine's byte order.
static uint32_t read_num_parts(const ct_run *run, const ct_run_resource *mesh) {
    char path[CT_PATH_BYTES];
    ct_mesh_resource blob = {0};
    path_of(run, mesh, path);
    const int file = mesh->data_hash ? ct_os_file_open_read(path, NULL) : -1;
    if (file < 0)
        return 0;
    const int64_t bytes = ct_os_file_read(file, &blob, sizeof(blob));
    ct_os_file_close(file);
    const bool is_mesh = bytes == (int64_t)sizeof(blob) && blob.header.magic == CT_BLOB_MAGIC &&
                         blob.header.version == CT_MESH_VERSION;
    return is_mesh ? blob.parts.count : 0;
}

static uint32_t num_parts_of(checker *c, const ct_run_resource *mesh) {
    const uint64_t key = ct_resource_id_key(mesh->base);
    const uint64_t *const known = ct_hash_map_find(&c->parts, key);
    if (known)
        return (uint32_t)*known;
    const uint32_t count = read_num_parts(c->run, mesh);
    ct_hash_map_set(&c->parts, key, count);
    return count;
}

// --- One unit or level ---------------------------------------------------------------------------

static bool has_material(const ct_mesh_data *data, ct_resource_id id) {
    const ct_string_id64 type = ct_resource_type_named("material")->id;
    for (uint32_t i = 0; i < data->num_materials && id.type.value == type.value; ++i) {
        if (data->materials[i].value == id.name.value)
            return true;
    }
    return false;
}

// Returns where the materials are given: in the resource's own source where it names the mesh or
// one of them, as overrides do; else in the unit that names the mesh. NULL: nowhere.
static const ct_compile_referred *
find_place(const ct_run_resource *resource, const ct_run_resource *mesh, const ct_mesh_data *data) {
    const ct_compile_referred *elsewhere = NULL;
    for (uint32_t i = 0; i < resource->record.references.count; ++i) {
        const ct_compile_referred *const r = &resource->record.references.items[i];
        const bool is_mesh = ct_resource_id_equal(r->id, mesh->base);
        const bool is_own = strcmp(r->file, resource->source) == 0;
        if (is_own && (is_mesh || has_material(data, r->id)))
            return r;
        if (is_mesh && !elsewhere)
            elsewhere = r;
    }
    return elsewhere;
}

static void warn(const ct_run *run, ct_run_resource *resource, const ct_run_resource *mesh,
                 uint32_t num_parts, const ct_mesh_data *data) {
    const uint32_t num_materials = data->num_materials;
    const ct_compile_referred *const at = find_place(resource, mesh, data);
    if (!at)
        return;
    char message[CT_ERROR_MESSAGE_BYTES];
    snprintf(message, sizeof(message),
             WRONG_COUNT "found %u, but the mesh \"%s\" has %u part%s; give one for each%s",
             num_materials, mesh->base_name, num_parts, num_parts == 1 ? "" : "s",
             num_materials < num_parts ? ", as parts without one show the error material" : "");
    ct_array_push(&resource->record.warnings,
                  (ct_compile_fault){.file = at->file,
                                     .line = at->line,
                                     .column = at->column,
                                     .message = ct_copy_string(run->allocator, message)});
}

// Compares each mesh component that gives any materials; the same ones once.
static void check_instances(checker *c, ct_run_resource *resource, const void *blob,
                            const ct_component_instances *meshes) {
    const ct_mesh_data *const data = ct_blob_at(blob, meshes->data.offset);
    ct_hash_map seen = {.allocator = c->run->allocator};
    for (uint32_t i = 0; i < meshes->data.count; ++i) {
        const ct_run_resource *const mesh = find_mesh(c->run, data[i].mesh);
        const uint32_t count = data[i].num_materials;
        const uint32_t num_parts = mesh && count > 0 ? num_parts_of(c, mesh) : 0;
        const uint64_t key = data[i].mesh.value + count * 0x9e3779b97f4a7c15ull;
        if (num_parts == 0 || num_parts == count || ct_hash_map_find(&seen, key))
            continue;
        ct_hash_map_set(&seen, key, 1);
        warn(c->run, resource, mesh, num_parts, &data[i]);
    }
}

static const ct_entity_template *entities_of(const ct_run_resource *resource, const void *blob) {
    return strcmp(resource->type->name, "unit") == 0 ? &((const ct_unit_resource *)blob)->entities
                                                     : &((const ct_level_resource *)blob)->entities;
}

static void check_data(checker *c, ct_run_resource *resource) {
    char path[CT_PATH_BYTES];
    uint64_t bytes = 0;
    path_of(c->run, resource, path);
    void *const blob = ct_file_read(c->run->compiler->allocator, path, &bytes, NULL);
    const ct_resource_type *const type = ct_resource_type_named(resource->type->name);
    // Not of another byte order, which this machine cannot look into.
    if (blob && ct_blob_check_header(blob, bytes, type->id, type->version, NULL) &&
        type->validate(blob, NULL)) {
        const ct_entity_template *const entities = entities_of(resource, blob);
        const ct_component_instances *const types =
            ct_blob_at(blob, entities->component_types.offset);
        for (uint32_t i = 0; i < entities->component_types.count; ++i) {
            if (types[i].type.value == ct_string_id32_of("mesh").value)
                check_instances(c, resource, blob, &types[i]);
        }
    }
    ct_free(c->run->compiler->allocator, blob);
}

// --- All -----------------------------------------------------------------------------------------

// Takes the record of a resource that is up to date from the old index, without what was said there
// of materials.
static void take_record(ct_run *run, ct_run_resource *resource) {
    ct_run_take_entry(run, resource->old, &resource->record);
    resource->has_record = true;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < resource->record.warnings.count; ++i) {
        const ct_compile_fault fault = resource->record.warnings.items[i];
        if (strncmp(fault.message, WRONG_COUNT, strlen(WRONG_COUNT)) != 0)
            resource->record.warnings.items[kept++] = fault;
    }
    resource->record.warnings.count = kept;
}

// True when a mesh that an up to date resource refers to was compiled in this run.
static bool has_new_mesh(const ct_run *run, const ct_run_resource *resource) {
    const ct_data_index_reference *const references =
        ct_blob_at(run->old_index, resource->old->references.offset);
    const ct_string_id64 type = ct_resource_type_named("mesh")->id;
    for (uint32_t i = 0; i < resource->old->references.count; ++i) {
        const ct_run_resource *const mesh = references[i].id.type.value == type.value
                                                ? find_mesh(run, references[i].id.name)
                                                : NULL;
        if (mesh && mesh->must_compile)
            return true;
    }
    return false;
}

void ct_run_check_materials(ct_run *run) {
    checker c = {.run = run, .parts.allocator = run->allocator};
    bool has_new_meshes = false;
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        const ct_run_resource *const resource = &run->resources.items[i];
        has_new_meshes |= resource->must_compile && strcmp(resource->type->name, "mesh") == 0;
    }
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        ct_run_resource *const resource = &run->resources.items[i];
        const char *const type = resource->type->name;
        if (strcmp(type, "unit") != 0 && strcmp(type, "level") != 0)
            continue;
        const bool is_affected =
            has_new_meshes && !resource->has_record && has_new_mesh(run, resource);
        if (is_affected)
            take_record(run, resource);
        if ((is_affected || resource->must_compile) && resource->has_record &&
            resource->record.errors.count == 0)
            check_data(&c, resource);
    }
}
