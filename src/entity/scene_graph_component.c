#include "entity/scene_graph_component.h"

#include <string.h>

#include "entity/instance_table.h"
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math_bulk.h"

enum { LEAST_HOLES = 64 }; // fewer are not worth closing

// An entity whose transform is linked at a node.
typedef struct attachment {
    ct_entity child;
    uint32_t node;
    uint32_t next; // of the same graph, or the next free one; 0 at the end
} attachment;

struct ct_scene_graph_manager {
    ct_instance_table table; // one instance, a graph, for each entity
    uint32_t *first_node;    // place in the arrays of nodes
    uint32_t *num_nodes;
    uint32_t *version;
    uint32_t *stale; // the lowest node whose pose is out of date, and all after it may be; 0: none
    uint32_t *changed;    // place in changed_entities, from 1; 0: not there
    uint32_t *attached;   // the first attachment, or 0
    uint8_t *is_unsorted; // a child is before its parent
    ct_soa_block nodes;
    uint32_t *owner; // of the first node of a graph: which; 0: another node, or a hole
    ct_string_id32 *name;
    uint32_t *parent;  // a node of the same graph; 0: the entity
    ct_vec3 *position; // local
    ct_quat *rotation;
    ct_vec3 *scale;
    ct_mat4 *pose; // to the entity's space
    uint32_t num_holes;
    uint32_t last_version; // given to a graph
    CT_ARRAY(ct_entity) changed_entities;
    CT_ARRAY(attachment) attachments; // slot 0 heads the free ones
    ct_transform_manager *transforms;
    ct_allocator *allocator;
};

static const ct_soa_array graph_arrays[] = {
    CT_INSTANCE_TABLE_ARRAYS(ct_scene_graph_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, first_node, 64),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, num_nodes, 64),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, version, 64),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, stale, 64),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, changed, 64),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, attached, 64),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, is_unsorted, 64),
};

static const ct_soa_array node_arrays[] = {
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, owner, 64),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, name, 64),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, parent, 64),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, position, 64),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, rotation, 64),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, scale, 64),
    CT_SOA_ARRAY_ALIGNED(ct_scene_graph_manager, pose, 64),
};

ct_scene_graph_manager *ct_scene_graph_manager_create(ct_allocator *a,
                                                      ct_transform_manager *transforms) {
    ct_scene_graph_manager *const m = CT_NEW(a, ct_scene_graph_manager);
    m->allocator = a;
    m->transforms = transforms;
    ct_instance_table_init(&m->table, a, m, graph_arrays, CT_COUNT_OF(graph_arrays),
                           CT_INSTANCE_LOOKUP_HASH);
    ct_soa_block_init(&m->nodes, a, m, node_arrays, CT_COUNT_OF(node_arrays));
    ct_array_init(&m->changed_entities, a);
    ct_array_init(&m->attachments, a);
    return m;
}

void ct_scene_graph_manager_destroy(ct_scene_graph_manager *m) {
    if (!m)
        return;
    ct_array_free(&m->attachments);
    ct_array_free(&m->changed_entities);
    ct_soa_block_free(&m->nodes);
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

// Returns the place of `g`, which must be a graph.
static uint32_t checked(const ct_scene_graph_manager *m, ct_scene_graph g) {
    ct_instance_table_check(&m->table, g.index);
    return g.index;
}

// Returns the place of a node, which must be one of graph `g`.
static uint32_t checked_node(const ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node) {
    const uint32_t i = checked(m, g);
    CT_ASSERT(node > 0 && node <= m->num_nodes[i], "there is no node %u; the last one is %u", node,
              m->num_nodes[i]);
    return m->first_node[i] + node - 1;
}

// --- Poses of a graph ----------------------------------------------------------------------------

static ct_mat4 local_matrix(const ct_scene_graph_manager *m, uint32_t place) {
    return ct_mat4_compose(m->position[place], m->rotation[place], m->scale[place]);
}

// Parents are before children, so the parent's pose is computed first.
static void refresh_sorted(ct_scene_graph_manager *m, uint32_t i) {
    const uint32_t first = m->first_node[i], end = first + m->num_nodes[i];
    const uint32_t stale = first + m->stale[i] - 1;
    ct_mat4_compose_many(m->position + stale, m->rotation + stale, m->scale + stale,
                         m->pose + stale, end - stale);
    for (uint32_t k = stale; k < end; ++k) {
        if (m->parent[k])
            m->pose[k] = ct_mat4_mul(m->pose[first + m->parent[k] - 1], m->pose[k]);
    }
}

// Each walks to the top by itself.
static void refresh_unsorted(ct_scene_graph_manager *m, uint32_t i) {
    const uint32_t first = m->first_node[i], count = m->num_nodes[i];
    for (uint32_t k = first; k < first + count; ++k) {
        m->pose[k] = local_matrix(m, k);
        for (uint32_t above = m->parent[k]; above; above = m->parent[first + above - 1])
            m->pose[k] = ct_mat4_mul(local_matrix(m, first + above - 1), m->pose[k]);
    }
}

static void refresh(ct_scene_graph_manager *m, uint32_t i) {
    if (m->stale[i] == 0)
        return;
    if (m->is_unsorted[i])
        refresh_unsorted(m, i);
    else
        refresh_sorted(m, i);
    m->stale[i] = 0;
}

static void mark_changed(ct_scene_graph_manager *m, uint32_t i) {
    if (m->changed[i])
        return;
    ct_array_push(&m->changed_entities, m->table.entity[i]);
    m->changed[i] = m->changed_entities.count;
}

static void unmark_changed(ct_scene_graph_manager *m, uint32_t i) {
    const uint32_t place = m->changed[i];
    if (place == 0)
        return;
    m->changed[i] = 0;
    ct_array_swap_erase(&m->changed_entities, place - 1);
    if (place <= m->changed_entities.count) {
        const ct_entity moved = m->changed_entities.items[place - 1];
        m->changed[ct_instance_table_first(&m->table, moved)] = place;
    }
}

// --- Attachments ---------------------------------------------------------------------------------

// The transform of a child that still is linked at a node of graph `i`, or {0}.
static ct_transform attached_transform(const ct_scene_graph_manager *m, uint32_t i,
                                       ct_entity child) {
    const ct_transform t = ct_transform_lookup(m->transforms, child);
    if (!t.index || !ct_transform_has_offset(m->transforms, t))
        return (ct_transform){0};
    const ct_transform parent = ct_transform_parent(m->transforms, t);
    const ct_entity e = ct_transform_entity(m->transforms, parent);
    return ct_entity_equal(e, m->table.entity[i]) ? t : (ct_transform){0};
}

// Frees the attachment that `*link` leads to.
static void drop_attachment(ct_scene_graph_manager *m, uint32_t *link) {
    const uint32_t a = *link;
    *link = m->attachments.items[a].next;
    m->attachments.items[a].next = m->attachments.items[0].next;
    m->attachments.items[0].next = a;
}

// Frees the attachments of graph `i` whose child is now linked elsewhere, and that of `child`.
static void clean_attachments(ct_scene_graph_manager *m, uint32_t i, ct_entity child) {
    uint32_t *link = &m->attached[i];
    while (*link) {
        attachment *const a = &m->attachments.items[*link];
        if (ct_entity_equal(a->child, child) || !attached_transform(m, i, a->child).index)
            drop_attachment(m, link);
        else
            link = &a->next;
    }
}

static void add_attachment(ct_scene_graph_manager *m, uint32_t i, ct_entity child, uint32_t node) {
    if (m->attachments.count == 0)
        ct_array_push(&m->attachments, (attachment){.next = 0});
    uint32_t a = m->attachments.items[0].next;
    if (a)
        m->attachments.items[0].next = m->attachments.items[a].next;
    else
        ct_array_push(&m->attachments, (attachment){.next = 0});
    a = a ? a : m->attachments.count - 1;
    m->attachments.items[a] = (attachment){child, node, m->attached[i]};
    m->attached[i] = a;
}

// Moves the entities attached to graph `i` to the current poses of its nodes.
static void move_attached(ct_scene_graph_manager *m, uint32_t i) {
    refresh(m, i);
    for (uint32_t a = m->attached[i]; a; a = m->attachments.items[a].next) {
        const attachment *const at = &m->attachments.items[a];
        const ct_transform t = attached_transform(m, i, at->child);
        if (t.index)
            ct_transform_set_offset(m->transforms, t, &m->pose[m->first_node[i] + at->node - 1]);
    }
}

// --- Graphs --------------------------------------------------------------------------------------

// Closes the holes between the node ranges of graphs.
static void close_holes(ct_scene_graph_manager *m) {
    uint32_t to = 0;
    for (uint32_t from = 0; from < m->nodes.count;) {
        const uint32_t graph = m->owner[from];
        if (graph == 0) {
            ++from;
            continue;
        }
        const uint32_t count = m->num_nodes[graph];
        ct_soa_block_move_down(&m->nodes, to, from, count);
        m->first_node[graph] = to;
        to += count;
        from += count;
    }
    m->nodes.count = to;
    m->num_holes = 0;
}

static void free_nodes(ct_scene_graph_manager *m, uint32_t i) {
    const uint32_t first = m->first_node[i], count = m->num_nodes[i];
    if (first + count == m->nodes.count) {
        m->nodes.count = first;
        return;
    }
    m->owner[first] = 0;
    m->num_holes += count;
}

static void fill_node(ct_scene_graph_manager *m, uint32_t place,
                      const ct_scene_graph_node_data *data) {
    const float *p = data->position, *r = data->rotation, *s = data->scale;
    m->name[place] = data->name;
    m->parent[place] = data->parent;
    m->position[place] = ct_vec3_make(p[0], p[1], p[2]);
    m->rotation[place] = ct_quat_unit((ct_quat){{r[0], r[1], r[2], r[3]}});
    m->scale[place] = ct_vec3_make(s[0], s[1], s[2]);
}

ct_scene_graph ct_scene_graph_create(ct_scene_graph_manager *m, ct_entity e, uint32_t id,
                                     const ct_scene_graph_node_data *nodes, uint32_t count) {
    CT_ASSERT(count > 0 && count <= CT_SCENE_GRAPH_MAX_NODES, "a scene graph cannot have %u nodes",
              count);
    CT_ASSERT(!ct_scene_graph_lookup(m, e).index, "entity %u already has a scene graph", e.id);
    const uint32_t i = ct_instance_table_add(&m->table, e, id);
    const uint32_t first = ct_soa_block_add(&m->nodes, count);
    m->first_node[i] = first;
    m->num_nodes[i] = count;
    m->last_version += m->last_version == UINT32_MAX ? 2 : 1;
    m->version[i] = m->last_version;
    m->owner[first] = i;
    for (uint32_t k = 0; k < count; ++k) {
        CT_ASSERT(nodes[k].parent <= k,
                  "node %u has the parent %u; parents come before their children", k + 1,
                  nodes[k].parent);
        fill_node(m, first + k, &nodes[k]);
    }
    m->stale[i] = 1;
    refresh(m, i);
    mark_changed(m, i);
    return (ct_scene_graph){i};
}

static void destroy_graph(ct_scene_graph_manager *m, uint32_t i) {
    while (m->attached[i])
        drop_attachment(m, &m->attached[i]);
    unmark_changed(m, i);
    const ct_transform t = ct_transform_lookup(m->transforms, m->table.entity[i]);
    if (t.index)
        ct_transform_mark_changed(m->transforms, t);
    free_nodes(m, i);
    const uint32_t last = ct_instance_table_count(&m->table);
    ct_instance_table_erase(&m->table, i);
    if (i != last)
        m->owner[m->first_node[i]] = i; // the last graph, which moved here
}

void ct_scene_graph_destroy(ct_scene_graph_manager *m, const ct_entity *entities, uint32_t count) {
    for (uint32_t k = 0; k < count && ct_scene_graph_count(m); ++k) {
        const uint32_t i = ct_instance_table_first(&m->table, entities[k]);
        if (i)
            destroy_graph(m, i);
    }
    if (m->num_holes > LEAST_HOLES && m->num_holes > m->nodes.count / 2)
        close_holes(m);
}

ct_scene_graph ct_scene_graph_lookup(const ct_scene_graph_manager *m, ct_entity e) {
    return (ct_scene_graph){ct_instance_table_first(&m->table, e)};
}

ct_entity ct_scene_graph_entity(const ct_scene_graph_manager *m, ct_scene_graph g) {
    return m->table.entity[checked(m, g)];
}

uint32_t ct_scene_graph_id(const ct_scene_graph_manager *m, ct_scene_graph g) {
    return m->table.id[checked(m, g)];
}

uint32_t ct_scene_graph_count(const ct_scene_graph_manager *m) {
    return ct_instance_table_count(&m->table);
}

uint32_t ct_scene_graph_num_nodes(const ct_scene_graph_manager *m, ct_scene_graph g) {
    return m->num_nodes[checked(m, g)];
}

uint32_t ct_scene_graph_version(const ct_scene_graph_manager *m, ct_scene_graph g) {
    return m->version[checked(m, g)];
}

uint32_t ct_scene_graph_find(const ct_scene_graph_manager *m, ct_scene_graph g,
                             ct_string_id32 name) {
    const uint32_t i = checked(m, g), count = m->num_nodes[i];
    const ct_string_id32 *const names = m->name + m->first_node[i];
    for (uint32_t k = 0; k < count; ++k) {
        if (names[k].value == name.value)
            return k + 1;
    }
    return 0;
}

uint32_t ct_scene_graph_node_of(const ct_scene_graph_manager *m, ct_entity e, ct_string_id32 name) {
    const ct_scene_graph g = name.value ? ct_scene_graph_lookup(m, e) : (ct_scene_graph){0};
    return g.index ? ct_scene_graph_find(m, g, name) : 0;
}

uint32_t ct_scene_graph_node_still(const ct_scene_graph_manager *m, ct_entity e, uint32_t node) {
    const ct_scene_graph g = node ? ct_scene_graph_lookup(m, e) : (ct_scene_graph){0};
    return g.index && node <= m->num_nodes[g.index] ? node : 0;
}

ct_string_id32 ct_scene_graph_name(const ct_scene_graph_manager *m, ct_scene_graph g,
                                   uint32_t node) {
    return m->name[checked_node(m, g, node)];
}

// --- Poses ---------------------------------------------------------------------------------------

// After the local pose of a node was set.
static void touch(ct_scene_graph_manager *m, uint32_t i, uint32_t node) {
    if (m->stale[i] == 0 || node < m->stale[i])
        m->stale[i] = node;
    mark_changed(m, i);
    if (m->attached[i])
        move_attached(m, i);
}

ct_vec3 ct_scene_graph_local_position(const ct_scene_graph_manager *m, ct_scene_graph g,
                                      uint32_t node) {
    return m->position[checked_node(m, g, node)];
}

ct_quat ct_scene_graph_local_rotation(const ct_scene_graph_manager *m, ct_scene_graph g,
                                      uint32_t node) {
    return m->rotation[checked_node(m, g, node)];
}

ct_vec3 ct_scene_graph_local_scale(const ct_scene_graph_manager *m, ct_scene_graph g,
                                   uint32_t node) {
    return m->scale[checked_node(m, g, node)];
}

void ct_scene_graph_set_local_position(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                                       ct_vec3 position) {
    CT_ASSERT(ct_vec3_is_finite(position), "a position is not finite");
    m->position[checked_node(m, g, node)] = position;
    touch(m, g.index, node);
}

void ct_scene_graph_set_local_rotation(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                                       ct_quat rotation) {
    CT_ASSERT(ct_quat_is_finite(rotation), "a rotation is not finite");
    m->rotation[checked_node(m, g, node)] = ct_quat_unit(rotation);
    touch(m, g.index, node);
}

void ct_scene_graph_set_local_scale(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                                    ct_vec3 scale) {
    CT_ASSERT(ct_vec3_is_finite(scale), "a scale is not finite");
    m->scale[checked_node(m, g, node)] = scale;
    touch(m, g.index, node);
}

void ct_scene_graph_set_local_pose(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                                   ct_vec3 position, ct_quat rotation, ct_vec3 scale) {
    CT_ASSERT(ct_vec3_is_finite(position) && ct_quat_is_finite(rotation) &&
                  ct_vec3_is_finite(scale),
              "a pose is not finite");
    const uint32_t place = checked_node(m, g, node);
    m->position[place] = position;
    m->rotation[place] = ct_quat_unit(rotation);
    m->scale[place] = scale;
    touch(m, g.index, node);
}

void ct_scene_graph_copy_local(ct_scene_graph_manager *m, ct_scene_graph to,
                               const ct_scene_graph_manager *source, ct_scene_graph from) {
    const uint32_t t = m->first_node[checked(m, to)], f = source->first_node[checked(source, from)];
    const uint32_t a = m->num_nodes[to.index], b = source->num_nodes[from.index];
    const uint32_t count = a < b ? a : b;
    memmove(m->position + t, source->position + f, sizeof(*m->position) * count);
    memmove(m->rotation + t, source->rotation + f, sizeof(*m->rotation) * count);
    memmove(m->scale + t, source->scale + f, sizeof(*m->scale) * count);
    touch(m, to.index, 1);
}

ct_scene_graph_nodes ct_scene_graph_write(ct_scene_graph_manager *m, ct_scene_graph g) {
    const uint32_t first = m->first_node[checked(m, g)];
    return (ct_scene_graph_nodes){m->position + first, m->rotation + first, m->scale + first,
                                  m->pose + first,     m->parent + first,   m->num_nodes[g.index]};
}

void ct_scene_graph_written(ct_scene_graph_manager *m, ct_scene_graph g, bool has_poses) {
    const uint32_t i = checked(m, g);
    if (has_poses) {
        m->stale[i] = 0;
        mark_changed(m, i);
        if (m->attached[i])
            move_attached(m, i);
    } else {
        touch(m, i, 1);
    }
}

ct_mat4 ct_scene_graph_pose(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node) {
    if (node == 0)
        return ct_mat4_identity();
    const uint32_t place = checked_node(m, g, node);
    refresh(m, g.index);
    return m->pose[place];
}

static ct_mat4 world_of_entity(const ct_scene_graph_manager *m, ct_entity e) {
    const ct_transform t = ct_transform_lookup(m->transforms, e);
    return t.index ? *ct_transform_world(m->transforms, t) : ct_mat4_identity();
}

ct_mat4 ct_scene_graph_world(ct_scene_graph_manager *m, ct_entity e, uint32_t node) {
    const ct_mat4 world = world_of_entity(m, e);
    if (!ct_scene_graph_node_still(m, e, node))
        return world;
    return ct_mat4_mul(world, ct_scene_graph_pose(m, ct_scene_graph_lookup(m, e), node));
}

void ct_scene_graph_worlds(ct_scene_graph_manager *m, ct_scene_graph g, ct_mat4 *worlds,
                           uint32_t count) {
    const uint32_t i = checked(m, g);
    CT_ASSERT(count <= m->num_nodes[i], "%u nodes were asked for; the scene graph has %u", count,
              m->num_nodes[i]);
    refresh(m, i);
    const ct_mat4 world = world_of_entity(m, m->table.entity[i]);
    ct_mat4_mul_many(&world, m->pose + m->first_node[i], worlds, count);
}

// --- Links ---------------------------------------------------------------------------------------

uint32_t ct_scene_graph_parent(const ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node) {
    return m->parent[checked_node(m, g, node)];
}

bool ct_scene_graph_link(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                         uint32_t parent) {
    const uint32_t place = checked_node(m, g, node), first = m->first_node[g.index];
    CT_ASSERT(parent <= m->num_nodes[g.index], "there is no node %u; the last one is %u", parent,
              m->num_nodes[g.index]);
    for (uint32_t above = parent; above; above = m->parent[first + above - 1]) {
        if (above == node)
            return false;
    }
    m->parent[place] = parent;
    m->is_unsorted[g.index] = false;
    for (uint32_t k = 0; k < m->num_nodes[g.index]; ++k)
        m->is_unsorted[g.index] |= m->parent[first + k] > k;
    touch(m, g.index, node);
    return true;
}

bool ct_scene_graph_attach(ct_scene_graph_manager *m, ct_entity child, ct_scene_graph g,
                           uint32_t node) {
    const ct_mat4 pose = ct_scene_graph_pose(m, g, node);
    const ct_transform c = ct_transform_lookup(m->transforms, child);
    const ct_transform p = ct_transform_lookup(m->transforms, m->table.entity[g.index]);
    if (!ct_transform_link_at(m->transforms, c, p, &pose))
        return false;
    clean_attachments(m, g.index, child);
    add_attachment(m, g.index, child, node);
    return true;
}

uint32_t ct_scene_graph_attached_to(const ct_scene_graph_manager *m, ct_entity child) {
    const ct_transform c = ct_transform_lookup(m->transforms, child);
    if (!c.index || !ct_transform_has_offset(m->transforms, c))
        return 0;
    const ct_transform p = ct_transform_parent(m->transforms, c);
    const ct_scene_graph g = ct_scene_graph_lookup(m, ct_transform_entity(m->transforms, p));
    for (uint32_t a = g.index ? m->attached[g.index] : 0; a; a = m->attachments.items[a].next) {
        if (ct_entity_equal(m->attachments.items[a].child, child))
            return m->attachments.items[a].node;
    }
    return 0;
}

// --- Changes -------------------------------------------------------------------------------------

void ct_scene_graph_update(ct_scene_graph_manager *m) {
    for (uint32_t k = 0; k < m->changed_entities.count; ++k)
        refresh(m, ct_instance_table_first(&m->table, m->changed_entities.items[k]));
}

const ct_entity *ct_scene_graph_changed(const ct_scene_graph_manager *m, uint32_t *count) {
    *count = m->changed_entities.count;
    return m->changed_entities.items;
}

bool ct_scene_graph_is_changed(const ct_scene_graph_manager *m, ct_scene_graph g) {
    return m->changed[checked(m, g)] != 0;
}

void ct_scene_graph_clear_changed(ct_scene_graph_manager *m) {
    if (m->changed_entities.count == 0)
        return;
    memset(m->changed, 0, sizeof(*m->changed) * m->table.soa.count);
    m->changed_entities.count = 0;
}

// --- Registry ------------------------------------------------------------------------------------

// The number of nodes of one copy from `first` on that are the same entity's.
static uint32_t run_length(const ct_entity *owners, uint32_t first, uint32_t count) {
    uint32_t end = first + 1;
    while (end < count && ct_entity_equal(owners[end], owners[first]))
        ++end;
    return end - first;
}

static void spawn_copy(ct_scene_graph_manager *m, const ct_entity *owners, const uint32_t *ids,
                       const ct_scene_graph_node_data *data, uint32_t num_nodes) {
    for (uint32_t i = 0, count; i < num_nodes; i += count) {
        count = run_length(owners, i, num_nodes);
        if (ct_scene_graph_lookup(m, owners[i]).index)
            ct_log_warning("entity", "two_scene_graphs",
                           "a template gives an entity two scene graphs");
        else
            ct_scene_graph_create(m, owners[i], ids[i], data + i, count);
    }
}

static void spawn_graphs(void *manager, const ct_component_spawn *spawn) {
    ct_scene_graph_manager *const m = manager;
    const uint32_t num_nodes = spawn->num_instances;
    CT_ASSERT(!spawn->data_index, "scene graphs do not share template data");
    ct_soa_block_reserve(&m->nodes, m->nodes.count + ct_component_spawn_count(spawn));
    for (uint32_t copy = 0; copy < spawn->num_copies; ++copy)
        spawn_copy(m, spawn->owners + copy * num_nodes, spawn->ids + copy * num_nodes, spawn->data,
                   num_nodes);
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_scene_graph_destroy(manager, entities, count);
}

static void hash_graph(const ct_scene_graph_manager *m, ct_state_hash *hash, uint32_t i) {
    for (uint32_t k = 0; k < m->num_nodes[i]; ++k) {
        const uint32_t n = m->first_node[i] + k;
        const struct {
            ct_quat rotation;
            ct_vec3 position;
            uint32_t parent; // by number in the graph
            ct_vec3 scale;
            uint32_t zero; // in place of padding
        } node = {m->rotation[n], m->position[n], m->parent[n], m->scale[n], 0};
        ct_state_hash_add(hash, m->table.entity[i],
                          CT_ID32("node", 0xa6d07f2c).value + ((uint64_t)k << 32), &node,
                          sizeof(node));
    }
}

static void hash_nodes(const void *manager, ct_state_hash *hash) {
    const ct_scene_graph_manager *const m = manager;
    for (uint32_t i = 1; i < m->table.soa.count; ++i)
        hash_graph(m, hash, i);
}

static void destroy_manager(void *manager) {
    ct_scene_graph_manager_destroy(manager);
}

ct_component_manager ct_scene_graph_component_manager(ct_scene_graph_manager *m) {
    return (ct_component_manager){.type_name = "scene_graph",
                                  .schema = ct_component_type_named("scene_graph")->instance_schema,
                                  .manager = m,
                                  .spawn = spawn_graphs,
                                  .entities_destroyed = entities_destroyed,
                                  .hash = hash_nodes,
                                  .destroy = destroy_manager};
}
