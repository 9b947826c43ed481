#include "compiler/types/model/worker_draco.h"

#include <memory>

#include <draco/compression/decode.h>

// A ct_worker_draco is Draco's own mesh.
static const draco::Mesh *mesh_of(const ct_worker_draco *mesh) {
    return reinterpret_cast<const draco::Mesh *>(mesh);
}

ct_worker_draco *ct_worker_draco_decode(const char *bytes, uint64_t size_bytes) {
    try {
        draco::DecoderBuffer buffer;
        buffer.Init(bytes, size_bytes);
        draco::Decoder decoder;
        auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
        if (!decoded.ok())
            return nullptr;
        std::unique_ptr<draco::Mesh> mesh = std::move(decoded).value();
        for (uint32_t i = 0; i < mesh->num_faces(); ++i) {
            for (uint32_t k = 0; k < 3; ++k) {
                if (mesh->face(draco::FaceIndex(i))[k].value() >= mesh->num_points())
                    return nullptr;
            }
        }
        return reinterpret_cast<ct_worker_draco *>(mesh.release());
    } catch (...) { // too large for memory, as damaged sizes are
        return nullptr;
    }
}

void ct_worker_draco_free(ct_worker_draco *mesh) {
    delete mesh_of(mesh);
}

uint32_t ct_worker_draco_num_vertices(const ct_worker_draco *mesh) {
    return mesh_of(mesh)->num_points();
}

uint32_t ct_worker_draco_num_triangles(const ct_worker_draco *mesh) {
    return mesh_of(mesh)->num_faces();
}

void ct_worker_draco_indices(const ct_worker_draco *mesh, uint32_t *out) {
    for (uint32_t i = 0; i < mesh_of(mesh)->num_faces(); ++i) {
        for (uint32_t k = 0; k < 3; ++k)
            *out++ = mesh_of(mesh)->face(draco::FaceIndex(i))[k].value();
    }
}

uint32_t ct_worker_draco_components(const ct_worker_draco *mesh, uint32_t id) {
    const draco::PointAttribute *const attribute = mesh_of(mesh)->GetAttributeByUniqueId(id);
    return attribute ? attribute->num_components() : 0;
}

bool ct_worker_draco_floats(const ct_worker_draco *mesh, uint32_t id, float *out) {
    const draco::PointAttribute *const attribute = mesh_of(mesh)->GetAttributeByUniqueId(id);
    const int8_t num_components = attribute->num_components();
    for (uint32_t i = 0; i < mesh_of(mesh)->num_points(); ++i) {
        const draco::AttributeValueIndex value = attribute->mapped_index(draco::PointIndex(i));
        if (value.value() >= attribute->size() ||
            !attribute->ConvertValue<float>(value, num_components, out))
            return false;
        out += num_components;
    }
    return true;
}
