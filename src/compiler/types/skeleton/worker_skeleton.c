#include "compiler/types/skeleton/worker_skeleton.h"

#include <string.h>

#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/math/math.h"
#include "foundation/string/string_builder.h"
#include "resource/blob/content_hash.h"

#define UNREAD UINT32_MAX
enum { MOST_NAMED = 8 };

// A joint of the source. Numbers count from 1.
typedef struct source_joint {
    ct_skeleton_joint_source source;
    ct_sjson_value at;
    uint32_t parent; // position in the source + 1; 0: the entity
    uint32_t number; // in the blob; UNREAD: not yet
} source_joint;

typedef struct skeleton_reader {
    ct_compile *c;
    const ct_sjson *doc;
    ct_skeleton_source source;
    source_joint *joints;
    uint32_t count;
    ct_hash_map by_name; // from 32-bit name to position + 1
} skeleton_reader;

static bool fail(const skeleton_reader *r, ct_sjson_value at, const char *what) {
    return ct_compile_error(r->c, r->doc, at, "%s", what);
}

// --- Joints --------------------------------------------------------------------------------------

static bool add_name(skeleton_reader *r, uint32_t i) {
    const source_joint *const joint = &r->joints[i];
    const ct_sjson_value at = ct_sjson_find(r->doc, joint->at, "name");
    const char *const name = joint->source.name;
    if (!*name)
        return fail(r, at, "the name of a joint is empty");
    const uint64_t key = ct_string_id32_of(name).value;
    const uint32_t other = (uint32_t)ct_hash_map_get(&r->by_name, key, 0);
    if (other == 0) {
        ct_hash_map_set(&r->by_name, key, i + 1);
        return true;
    }
    const char *const known = r->joints[other - 1].source.name;
    return fail(r, at,
                strcmp(known, name) == 0
                    ? ct_compile_text(r->c, "two joints are named \"%s\"", name)
                    : ct_compile_text(r->c,
                                      "the joints \"%s\" and \"%s\" have the same 32-bit id; "
                                      "rename one of them",
                                      name, known));
}

// An id that two joints have would make merges match the wrong one.
static bool check_id(const skeleton_reader *r, ct_hash_map *known, ct_sjson_value joint) {
    const ct_sjson_value at = ct_sjson_find(r->doc, joint, "id");
    const char *const id = ct_sjson_string(r->doc, at, NULL);
    if (!at.entry)
        return true;
    if (!id)
        return ct_compile_error(r->c, r->doc, at, "id: found %s, expected a string",
                                ct_sjson_type_name(ct_sjson_type_of(r->doc, at)));
    return ct_hash_map_add(known, ct_string_id64_of(id).value, 1) ||
           ct_compile_error(r->c, r->doc, at,
                            "another joint has the id \"%s\"; `cuttle ids` gives this one its own",
                            id);
}

static bool read_joints(skeleton_reader *r) {
    const ct_schema_listener listener = ct_compile_listener(r->c);
    const uint32_t count = ct_sjson_count(r->doc, r->source.joints);
    if (count == 0 || count > CT_SKELETON_MAX_JOINTS)
        return fail(r, r->source.joints,
                    ct_compile_text(r->c, "found %u joints, expected 1 to %d", count,
                                    CT_SKELETON_MAX_JOINTS));
    r->joints = CT_NEW_ARRAY(r->c->allocator, source_joint, count);
    ct_hash_map ids = {.allocator = r->c->allocator};
    bool result = true;
    for (ct_sjson_value v = ct_sjson_first(r->doc, r->source.joints); v.entry;
         v = ct_sjson_next(r->doc, v)) {
        source_joint *const joint = &r->joints[r->count];
        *joint = (source_joint){.at = v, .number = UNREAD};
        if (ct_schema_read(&ct_skeleton_joint_schema, r->doc, v, &joint->source, &listener) &&
            check_id(r, &ids, v))
            result &= add_name(r, r->count++);
        else
            result = false;
    }
    return result;
}

// --- Parents -------------------------------------------------------------------------------------

static bool refuse_parent(const skeleton_reader *r, const source_joint *joint) {
    const char **const names = CT_NEW_ARRAY(r->c->allocator, const char *, r->count);
    for (uint32_t i = 0; i < r->count; ++i)
        names[i] = r->joints[i].source.name;
    const char *const nearest = ct_nearest_name(joint->source.parent, names, r->count);
    return fail(r, ct_sjson_find(r->doc, joint->at, "parent"),
                nearest ? ct_compile_text(r->c, "there is no joint \"%s\"; did you mean \"%s\"?",
                                          joint->source.parent, nearest)
                        : ct_compile_text(r->c,
                                          "there is no joint \"%s\"; expected a joint's name, or "
                                          "\"\" for the entity",
                                          joint->source.parent));
}

static bool find_parents(skeleton_reader *r) {
    bool result = true;
    for (uint32_t i = 0; i < r->count; ++i) {
        source_joint *const joint = &r->joints[i];
        const char *const name = joint->source.parent;
        if (!name || !*name)
            continue;
        joint->parent = (uint32_t)ct_hash_map_get(&r->by_name, ct_string_id32_of(name).value, 0);
        if (joint->parent == 0 || strcmp(r->joints[joint->parent - 1].source.name, name) != 0)
            result = refuse_parent(r, joint);
    }
    return result;
}

// Reports the circle that the joint's parents lead into.
static bool refuse_circle(const skeleton_reader *r, uint32_t start) {
    uint8_t *const is_seen = CT_NEW_ARRAY(r->c->allocator, uint8_t, r->count);
    for (; !is_seen[start]; start = r->joints[start].parent - 1)
        is_seen[start] = 1;
    ct_string_builder path;
    ct_string_builder_init(&path, r->c->allocator);
    uint32_t count = 0, i = start;
    do {
        if (count++ < MOST_NAMED)
            ct_string_builder_addf(&path, "\"%s\" on ", r->joints[i].source.name);
        i = r->joints[i].parent - 1;
    } while (i != start);
    ct_string_builder_addf(&path, "%s\"%s\"", count > MOST_NAMED ? "… on " : "",
                           r->joints[start].source.name);
    return fail(r, ct_sjson_find(r->doc, r->joints[start].at, "parent"),
                ct_compile_text(r->c, "joints form a circle: %s; give one of them another parent",
                                ct_string_builder_text(&path)));
}

// Numbers the joints, each after its parents. `order` gets their positions.
static bool sort(skeleton_reader *r, uint32_t *order) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->count; ++i) {
        uint32_t chain[CT_SKELETON_MAX_JOINTS], length = 0;
        for (uint32_t k = i + 1; k != 0 && r->joints[k - 1].number == UNREAD;
             k = r->joints[k - 1].parent) {
            if (length == r->count)
                return refuse_circle(r, i);
            chain[length++] = k - 1;
        }
        while (length > 0) {
            const uint32_t joint = chain[--length];
            r->joints[joint].number = count;
            order[count++] = joint;
        }
    }
    return true;
}

// --- The blob ------------------------------------------------------------------------------------

static ct_skeleton_joint joint_of(const skeleton_reader *r, const source_joint *from,
                                  ct_blob_writer *w) {
    const ct_skeleton_joint_source *const s = &from->source;
    const ct_quat q = ct_quat_normalize(
        (ct_quat){{s->rotation[0], s->rotation[1], s->rotation[2], s->rotation[3]}});
    ct_skeleton_joint joint = {.name_text = ct_blob_write_string(w, s->name, strlen(s->name)),
                               .name = ct_string_id32_of(s->name),
                               .parent = from->parent ? r->joints[from->parent - 1].number
                                                      : CT_SKELETON_NO_PARENT,
                               .rotation = {q.x, q.y, q.z, q.w}};
    memcpy(joint.position, s->position, sizeof(joint.position));
    memcpy(joint.scale, s->scale, sizeof(joint.scale));
    return joint;
}

// The hash of names, parents and rest poses: what is in the joints but the places of their texts.
static uint64_t hash_of(const ct_skeleton_joint *joints, uint32_t count, ct_allocator *a) {
    ct_skeleton_joint *const copies = CT_NEW_ARRAY(a, ct_skeleton_joint, count);
    for (uint32_t i = 0; i < count; ++i) {
        copies[i] = joints[i];
        copies[i].name_text = (ct_blob_string){0};
    }
    return ct_content_hash(copies, count * sizeof(*copies));
}

bool ct_worker_skeleton_write(ct_compile *c, const ct_sjson *doc, ct_blob_writer *w) {
    skeleton_reader r = {.c = c, .doc = doc, .by_name = {.allocator = c->allocator}};
    const ct_schema_listener listener = ct_compile_listener(c);
    uint32_t order[CT_SKELETON_MAX_JOINTS];
    if (!ct_schema_read(&ct_skeleton_schema, doc, ct_sjson_root(doc), &r.source, &listener) ||
        !read_joints(&r) || !find_parents(&r) || !sort(&r, order))
        return false;
    ct_blob_begin(w, &ct_skeleton_layout);
    ct_skeleton_joint *const joints = CT_NEW_ARRAY(c->allocator, ct_skeleton_joint, r.count);
    for (uint32_t i = 0; i < r.count; ++i)
        joints[i] = joint_of(&r, &r.joints[order[i]], w);
    const ct_skeleton_resource skeleton = {
        .hash = hash_of(joints, r.count, c->allocator),
        .joints = ct_blob_write_items(w, &ct_skeleton_joint_layout, joints, r.count),
        .shell = r.source.shell};
    ct_blob_end(w, &ct_skeleton_layout, &skeleton);
    return true;
}

const ct_skeleton_resource *ct_worker_skeleton_read(ct_compile *c, const char *name,
                                                    ct_sjson_value at) {
    const ct_sjson *const doc = ct_compile_read_resource(c, "skeleton", name, c->doc, at);
    if (!doc)
        return NULL;
    ct_blob_writer w;
    ct_blob_writer_init(&w, c->allocator,
                        __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? CT_BYTE_ORDER_BIG
                                                               : CT_BYTE_ORDER_LITTLE,
                        "skeleton", CT_SKELETON_VERSION);
    if (!ct_worker_skeleton_write(c, doc, &w))
        return NULL;
    ct_blob_writer_finish(&w);
    return (const ct_skeleton_resource *)(const void *)w.bytes.items;
}
