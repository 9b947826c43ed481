#include "compiler/types/fbx/worker_fbx_objects.h"

#include <limits.h>
#include <string.h>

#include "foundation/error.h"

// Of the scene, in a file without objects, an empty one.
static const ct_worker_fbx_record *record_of(const ct_worker_fbx_objects *objects,
                                             uint32_t object) {
    static const ct_worker_fbx_record none = {.name = ""};
    const uint32_t record = objects->items.items[object].record;
    return record < objects->records->items.count ? &objects->records->items.items[record] : &none;
}

static ct_worker_fbx_value value_of(const ct_worker_fbx_objects *objects, uint32_t object,
                                    uint32_t i) {
    return ct_worker_fbx_value_of(objects->records, record_of(objects, object), i);
}

// Whether `a` comes before `b` in the order of names.
static bool is_before(const ct_worker_fbx_record *a, const ct_worker_fbx_record *b) {
    const uint32_t shorter = a->name_bytes < b->name_bytes ? a->name_bytes : b->name_bytes;
    const int order = memcmp(a->name, b->name, shorter);
    return order < 0 || (order == 0 && a->name_bytes < b->name_bytes);
}

static void add_object(ct_worker_fbx_objects *objects, uint32_t record) {
    const ct_worker_fbx_record *const r = &objects->records->items.items[record];
    uint64_t id;
    if (!ct_worker_fbx_id_of(ct_worker_fbx_value_of(objects->records, r, 0), &id) || id == 0)
        return;
    const uint64_t known = ct_hash_map_get(&objects->number_of_id, id, 0);
    if (known && !is_before(r, record_of(objects, (uint32_t)known)))
        objects->items.items[known].record = record;
    if (known)
        return;
    ct_hash_map_set(&objects->number_of_id, id, objects->items.count);
    ct_array_push(&objects->items,
                  (ct_worker_fbx_object){.record = record, .attribute = CT_WORKER_FBX_NO_OBJECT});
}

static bool is_class(const ct_worker_fbx_objects *objects, uint32_t object, const char *text) {
    return ct_worker_fbx_is_string(value_of(objects, object, 2), text);
}

// Assimp takes effectors for no models.
static bool is_model(const ct_worker_fbx_objects *objects, uint32_t object) {
    return ct_worker_fbx_object_is(objects, object, "Model") &&
           !is_class(objects, object, "IKEffector") && !is_class(objects, object, "FKEffector");
}

static bool is_camera_or_light(const ct_worker_fbx_objects *objects, uint32_t object) {
    return ct_worker_fbx_object_is(objects, object, "NodeAttribute") &&
           (is_class(objects, object, "Camera") || is_class(objects, object, "Light"));
}

static void connect(ct_worker_fbx_objects *objects, uint32_t child, uint32_t parent) {
    ct_worker_fbx_object *const p = &objects->items.items[parent];
    if (objects->items.items[child].is_model) {
        ct_array_push(&objects->links, (ct_worker_fbx_link){.model = child});
        if (p->last_link)
            objects->links.items[p->last_link - 1].next = objects->links.count;
        else
            p->first_link = objects->links.count;
        p->last_link = objects->links.count;
        ++p->num_models;
    } else if (p->attribute == CT_WORKER_FBX_NO_OBJECT && is_camera_or_light(objects, child)) {
        p->attribute = child;
    }
}

static void read_connections(ct_worker_fbx_objects *objects) {
    const ct_worker_fbx_records *const records = objects->records;
    const uint32_t count = records->items.count;
    const uint32_t all = ct_worker_fbx_find_record(records, 0, count, "Connections");
    for (uint32_t i = all + 1; all < count && i < records->items.items[all].end;
         i = records->items.items[i].end) {
        const ct_worker_fbx_record *const r = &records->items.items[i];
        uint64_t child, parent;
        if (!ct_worker_fbx_is_named(r, "C") || !ct_worker_fbx_link_of(records, r, &child, &parent))
            continue;
        const uint64_t from = ct_hash_map_get(&objects->number_of_id, child, 0);
        const uint64_t to = ct_hash_map_get(&objects->number_of_id, parent, 0);
        if (from && (to || parent == 0))
            connect(objects, (uint32_t)from, (uint32_t)to);
    }
}

void ct_worker_fbx_objects_read(ct_allocator *a, const ct_worker_fbx_records *records,
                                ct_worker_fbx_objects *objects) {
    const uint32_t count = records->items.count;
    const uint32_t all = ct_worker_fbx_find_record(records, 0, count, "Objects");
    *objects = (ct_worker_fbx_objects){.records = records};
    ct_array_init(&objects->items, a);
    ct_array_init(&objects->links, a);
    ct_hash_map_init(&objects->number_of_id, a);
    ct_array_push(&objects->items,
                  (ct_worker_fbx_object){.record = all, .attribute = CT_WORKER_FBX_NO_OBJECT});
    for (uint32_t i = all + 1; all < count && i < records->items.items[all].end;
         i = records->items.items[i].end)
        add_object(objects, i);
    for (uint32_t i = 1; i < objects->items.count; ++i)
        objects->items.items[i].is_model = is_model(objects, i);
    read_connections(objects);
}

bool ct_worker_fbx_object_is(const ct_worker_fbx_objects *objects, uint32_t object,
                             const char *type) {
    return ct_worker_fbx_is_named(record_of(objects, object), type);
}

static const char *text_of(ct_compile *c, const char *begin, const char *end) {
    const ptrdiff_t length = end - begin;
    return ct_compile_text(c, "%.*s", length < INT_MAX ? (int)length : INT_MAX, begin);
}

const char *ct_worker_fbx_object_class(ct_compile *c, const ct_worker_fbx_objects *objects,
                                       uint32_t object) {
    const ct_worker_fbx_value value = value_of(objects, object, 2);
    return text_of(c, value.bytes, value.bytes + (value.type == 'S' ? value.num_bytes : 0));
}

// Text has the kind before the name, "Model::wheel", binary files behind it, after two bytes.
const char *ct_worker_fbx_object_name(ct_compile *c, const ct_worker_fbx_objects *objects,
                                      uint32_t object) {
    const ct_worker_fbx_record *const record = record_of(objects, object);
    const ct_worker_fbx_value value = value_of(objects, object, 1);
    const char *name = value.bytes;
    const char *const end = value.type == 'S' ? name + value.num_bytes : name;
    const char *const zero = end > name ? memchr(name, 0, (size_t)(end - name)) : NULL;
    const bool has_kind_behind = zero && end - zero > 1 && zero[1] == 1;
    const uint32_t kind_bytes = record->name_bytes;
    if (!has_kind_behind && end - name >= (ptrdiff_t)kind_bytes + 2 &&
        memcmp(name, record->name, kind_bytes) == 0 && memcmp(name + kind_bytes, "::", 2) == 0)
        name += kind_bytes + 2;
    return text_of(c, name, end);
}

// --- Properties ----------------------------------------------------------------------------------

// Sets the property to the numbers of `p`, a record such as P: "Name", "type", "", "A", 1, 2, 3.
static bool read_property(const ct_worker_fbx_records *records, const ct_worker_fbx_record *p,
                          const ct_worker_fbx_property *property, float value[3]) {
    enum { FIRST = 4 };
    double numbers[3];
    for (uint32_t i = 0; i < property->num_numbers; ++i) {
        if (!ct_worker_fbx_number_of(ct_worker_fbx_value_of(records, p, FIRST + i), &numbers[i]))
            return false;
    }
    for (uint32_t i = 0; i < property->num_numbers; ++i)
        value[i] = (float)numbers[i];
    return true;
}

void ct_worker_fbx_read_properties(const ct_worker_fbx_records *records, uint32_t record,
                                   const ct_worker_fbx_property *properties, uint32_t count,
                                   float (*values)[3]) {
    CT_ASSERT(count <= CT_WORKER_FBX_MAX_PROPERTIES, "%u properties", count);
    if (record >= records->items.count) // a file without objects
        return;
    const uint32_t end = records->items.items[record].end;
    const uint32_t table = ct_worker_fbx_find_record(records, record + 1, end, "Properties70");
    uint32_t known = 0;
    for (uint32_t i = table + 1; table < end && i < records->items.items[table].end;
         i = records->items.items[i].end) {
        const ct_worker_fbx_record *const p = &records->items.items[i];
        const ct_worker_fbx_value name = ct_worker_fbx_value_of(records, p, 0);
        for (uint32_t k = 0; k < count; ++k) {
            if (!(known >> k & 1) && ct_worker_fbx_is_string(name, properties[k].name) &&
                read_property(records, p, &properties[k], values[k]))
                known |= 1u << k;
        }
    }
}

void ct_worker_fbx_read_template(const ct_worker_fbx_records *records, const char *type,
                                 const char *kind, const ct_worker_fbx_property *properties,
                                 uint32_t count, float (*values)[3]) {
    const ct_worker_fbx_record *const items = records->items.items;
    const uint32_t all = ct_worker_fbx_find_record(records, 0, records->items.count, "Definitions");
    for (uint32_t i = all + 1; all < records->items.count && i < items[all].end; i = items[i].end) {
        if (!ct_worker_fbx_is_string(ct_worker_fbx_value_of(records, &items[i], 0), type))
            continue;
        for (uint32_t k = i + 1; k < items[i].end; k = items[k].end) {
            if (!ct_worker_fbx_is_string(ct_worker_fbx_value_of(records, &items[k], 0), kind))
                continue;
            ct_worker_fbx_read_properties(records, k, properties, count, values);
            return;
        }
    }
}
