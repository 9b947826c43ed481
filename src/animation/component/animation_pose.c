// The poses of characters: clips, blending, layers, matrices.
//
// The first part runs on the update thread and takes what a pose needs: players of clips, the
// arrays of scene graphs. The second runs as tasks, a few characters each, and touches only its own
// characters.
#include <string.h>

#include "animation/component/animation_private.h"
#include "foundation/error.h"

enum { CHARACTERS_IN_A_TASK = 8 };

// --- Before: players -----------------------------------------------------------------------------

static bool is_held(const ct_animator *a, uint32_t player) {
    for (uint32_t i = 0; i < a->output.num_samples; ++i) {
        if (a->output.samples[i].player == player)
            return true;
    }
    return false;
}

// Gives back the players of clips that no longer play.
static void give_unused(ct_animation_manager *m, ct_animator *a) {
    for (uint32_t i = 0; i < a->players.count; ++i) {
        ct_held_player *const p = &a->players.items[i];
        if (p->player && !is_held(a, i)) {
            ct_animation_give_player(m->system, p->clip, p->player);
            *p = (ct_held_player){.player = NULL};
        }
    }
}

static void take_players(ct_animation_manager *m, ct_animator *a) {
    give_unused(m, a);
    for (uint32_t i = 0; i < a->output.num_samples; ++i) {
        const ct_state_machine_sample *const s = &a->output.samples[i];
        if (s->player >= a->players.count)
            ct_array_resize(&a->players, s->player + 1);
        ct_held_player *const p = &a->players.items[s->player];
        const ct_animation_clip clip =
            a->resources.items[s->clip] ? a->clips.items[s->clip] : (ct_animation_clip){0};
        if (p->player && p->clip.index == clip.index)
            continue;
        if (p->player)
            ct_animation_give_player(m->system, p->clip, p->player);
        p->clip = clip;
        p->player = clip.index ? ct_animation_take_player(m->system, clip) : NULL;
    }
}

// --- Before: scene graphs ------------------------------------------------------------------------

static bool is_same_tree(const ct_animator *a, const ct_scene_graph_nodes *nodes) {
    if (nodes->count != a->skeleton->num_joints)
        return false;
    for (uint32_t j = 0; j < nodes->count; ++j) {
        const uint32_t parent = a->skeleton->parents[j];
        if (a->nodes.items[j] != j + 1 ||
            nodes->parent[j] != (parent == CT_SKELETON_NO_PARENT ? 0 : parent + 1))
            return false;
    }
    return true;
}

// Finds the nodes that have the names of joints.
static void find_nodes(const ct_animation_manager *m, ct_animator *a, ct_scene_graph g) {
    uint32_t count;
    const ct_skeleton_joint *const joints = ct_skeleton_joints(a->skeleton->resource, &count);
    a->nodes.count = 0;
    ct_array_resize(&a->nodes, count);
    for (uint32_t j = 0; j < count; ++j)
        a->nodes.items[j] = ct_scene_graph_find(m->graphs, g, joints[j].name);
    a->graph_version = ct_scene_graph_version(m->graphs, g);
}

static void open_graph(ct_animation_manager *m, uint32_t i) {
    ct_animator *const a = &m->animator[i];
    a->graph = ct_scene_graph_lookup(m->graphs, m->table.entity[i]);
    if (!a->graph.index) {
        a->graph_version = 0;
        return;
    }
    if (a->graph_version != ct_scene_graph_version(m->graphs, a->graph))
        find_nodes(m, a, a->graph);
    a->graph_nodes = ct_scene_graph_write(m->graphs, a->graph);
    a->is_whole_graph = is_same_tree(a, &a->graph_nodes);
}

// --- Blending ------------------------------------------------------------------------------------

// The memory of one task.
typedef struct scratch {
    ct_pose_group result[CT_POSE_MAX_GROUPS], layer[CT_POSE_MAX_GROUPS], clip[CT_POSE_MAX_GROUPS];
    ct_float4 mask[CT_POSE_MAX_GROUPS];
} scratch;

static void add_curves(ct_animator *a, const ct_clip_player *player, float weight) {
    const ct_animation_resource *const clip = ct_clip_player_clip(player);
    const ct_animation_curve *const curves = ct_blob_at(clip, clip->curves.offset);
    for (uint32_t i = 0; i < clip->curves.count; ++i) {
        uint32_t k = 0;
        while (k < a->num_curves && (a->curves[k].object.value != curves[i].object.value ||
                                     a->curves[k].parameter.value != curves[i].parameter.value))
            ++k;
        if (k == CT_ANIMATION_CURVE_VALUES)
            continue;
        if (k == a->num_curves)
            a->curves[a->num_curves++] = (ct_curve_value){curves[i].object, curves[i].parameter, 0};
        a->curves[k].value += ct_clip_player_curve(player, i) * weight;
    }
}

// Moves the player of a sample to its time; NULL when its clip is missing.
static const ct_clip_player *moved_player(ct_animator *a, const ct_state_machine_sample *s) {
    ct_clip_player *const player = a->players.items[s->player].player;
    if (player)
        ct_clip_player_move(player, s->time);
    return player;
}

static bool is_additive(const ct_clip_player *player) {
    return player && (ct_clip_player_clip(player)->flags & CT_ANIMATION_ADDITIVE);
}

// Blends the samples of one layer from `first` to `end` that are not additive into scratch->layer.
// Returns their weight; 0: there were none.
static float blend(ct_animator *a, scratch *s, uint32_t first, uint32_t end) {
    const ct_animation_skeleton *const k = a->skeleton;
    const ct_pose_group *const base = k->rest;
    const float layer_weight = a->output.layer_weights[a->output.samples[first].layer];
    float total = 0;
    for (uint32_t i = first; i < end; ++i) {
        const ct_state_machine_sample *const sample = &a->output.samples[i];
        const ct_clip_player *const player = moved_player(a, sample);
        if (is_additive(player) || !(sample->weight > 0))
            continue;
        const bool is_first = total == 0;
        ct_pose_group *const to = is_first ? s->layer : s->clip;
        if (player)
            ct_clip_player_pose(player, base, to);
        else
            memcpy(to, base, sizeof(*to) * k->num_groups);
        if (player && a->curves)
            add_curves(a, player, sample->weight * layer_weight);
        if (is_first) {
            total = sample->weight;
            if (sample->weight == 1)
                continue; // as it is
            memcpy(s->clip, s->layer, sizeof(*s->clip) * k->num_groups);
            ct_pose_clear(s->layer, k->num_groups);
        } else {
            total += sample->weight;
        }
        ct_pose_add_weighted(s->layer, s->clip, sample->weight, k->num_groups);
    }
    if (total > 0 && total != 1)
        ct_pose_finish(s->layer, total, k->num_groups);
    return total;
}

// Adds the samples of one layer that are additive to scratch->result, one after the other.
static void add_deltas(ct_animator *a, scratch *s, uint32_t first, uint32_t end,
                       const ct_float4 *mask) {
    const float layer_weight = a->output.layer_weights[a->output.samples[first].layer];
    for (uint32_t i = first; i < end; ++i) {
        const ct_state_machine_sample *const sample = &a->output.samples[i];
        const ct_clip_player *const player = moved_player(a, sample);
        const float weight = sample->weight * layer_weight;
        if (!is_additive(player) || !(weight > 0))
            continue;
        ct_clip_player_pose(player, a->skeleton->identity, s->clip);
        if (a->curves)
            add_curves(a, player, weight);
        ct_pose_add_delta(s->result, s->clip, mask, weight, a->skeleton->num_groups);
    }
}

// The weights of the joints in a layer; NULL: 1 for all. Masks are for the skeleton of the state
// machine, and so are its clips: a character with another one stays at rest, whatever the mask.
static const ct_float4 *mask_of(const ct_animator *a, scratch *s, uint32_t layer) {
    const ct_state_machine_resource *const r = a->machine_resource;
    if (!a->machine || !r)
        return NULL;
    const ct_state_machine_layer *const l =
        (const ct_state_machine_layer *)ct_blob_at(r, r->layers.offset) + layer;
    if (l->first_mask == UINT32_MAX)
        return NULL;
    const float *const weights = (const float *)ct_blob_at(r, r->masks.offset) + l->first_mask;
    const uint32_t num_joints = a->skeleton->num_joints;
    const uint32_t count = num_joints < r->num_mask_joints ? num_joints : r->num_mask_joints;
    memset(s->mask, 0, sizeof(*s->mask) * a->skeleton->num_groups);
    for (uint32_t j = 0; j < count; ++j)
        s->mask[j / CT_POSE_LANES][j % CT_POSE_LANES] = weights[j];
    return s->mask;
}

// Whether a layer of the state machine adds; layers of single clips go by their clips.
static bool adds(const ct_animator *a, uint32_t layer) {
    const ct_state_machine_resource *const r = a->machine_resource;
    return a->machine && r &&
           ((const ct_state_machine_layer *)ct_blob_at(r, r->layers.offset))[layer].is_additive;
}

static void blend_layer(ct_animator *a, scratch *s, uint32_t first, uint32_t end) {
    const uint32_t layer = a->output.samples[first].layer, num_groups = a->skeleton->num_groups;
    const float weight = a->output.layer_weights[layer];
    const ct_float4 *const mask = mask_of(a, s, layer);
    if (!adds(a, layer) && blend(a, s, first, end) > 0) {
        if (layer == 0 && !mask && weight == 1)
            memcpy(s->result, s->layer, sizeof(*s->result) * num_groups);
        else
            ct_pose_layer(s->result, s->layer, mask, weight, num_groups);
    }
    add_deltas(a, s, first, end, mask);
}

// The pose of all layers into scratch->result.
static void blend_layers(ct_animator *a, scratch *s) {
    memcpy(s->result, a->skeleton->rest, sizeof(*s->result) * a->skeleton->num_groups);
    a->num_curves = 0;
    const uint32_t count = a->output.num_samples;
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1;
             end < count && a->output.samples[end].layer == a->output.samples[first].layer;)
            ++end;
        blend_layer(a, s, first, end);
    }
}

// --- Modes ---------------------------------------------------------------------------------------

// Puts back the parts of the pose that joints do not get: those at rest past the posed joints, and
// positions, rotations or scales by the mode.
static void keep_parts(const ct_animator *a, ct_pose_group *pose) {
    const uint32_t count = a->skeleton->num_joints;
    const bool has_position = a->bone_mode == CT_ANIMATION_BONE_MODE_POSITION ||
                              a->bone_mode >= CT_ANIMATION_BONE_MODE_POSE;
    const bool has_rotation = a->bone_mode >= CT_ANIMATION_BONE_MODE_ROTATION;
    const bool has_scale = a->bone_mode == CT_ANIMATION_BONE_MODE_TRANSFORM;
    const uint32_t num_posed = a->num_posed_joints ? a->num_posed_joints : count;
    if (has_scale && num_posed >= count)
        return;
    for (uint32_t j = 0; j < count; ++j) {
        ct_joint_pose own = ct_pose_joint(pose, j);
        const ct_joint_pose rest = ct_pose_joint(a->skeleton->rest, j);
        const bool is_posed = j < num_posed;
        if (!is_posed || !has_position)
            own.position = rest.position;
        if (!is_posed || !has_rotation)
            own.rotation = rest.rotation;
        if (!is_posed || !has_scale)
            own.scale = rest.scale;
        ct_pose_set_joint(pose, j, &own);
    }
}

// --- Results -------------------------------------------------------------------------------------

static ct_mat4 to_mat4(const ct_affine *a) {
    ct_mat4 m;
    for (uint32_t c = 0; c < 4; ++c)
        m.col[c] = (ct_vec4){{a->rows[0][c], a->rows[1][c], a->rows[2][c], c == 3 ? 1 : 0}};
    return m;
}

static void write_nodes(const ct_animator *a, const ct_pose_group *pose) {
    const ct_scene_graph_nodes *const n = &a->graph_nodes;
    for (uint32_t j = 0; j < a->skeleton->num_joints; ++j) {
        const uint32_t node = a->nodes.items[j];
        if (node == CT_ANIMATION_NO_NODE)
            continue;
        const ct_joint_pose own = ct_pose_joint(pose, j);
        n->position[node - 1] = own.position;
        n->rotation[node - 1] = own.rotation;
        n->scale[node - 1] = own.scale;
        if (a->is_whole_graph)
            n->pose[node - 1] = to_mat4(&a->models[j]);
    }
}

// Gives variables that are curves the values of this pose; the next update sees them.
static void set_curve_variables(ct_animator *a) {
    const ct_state_machine_resource *const r = a->machine_resource;
    const ct_state_machine_variable_data *const variables = ct_blob_at(r, r->variables.offset);
    for (uint32_t i = 0; i < r->variables.count; ++i) {
        const ct_state_machine_variable_data *const v = &variables[i];
        float value = 0;
        if (v->curve_parameter.value &&
            ct_animator_curve(a, v->curve_object, v->curve_parameter, &value))
            ct_state_machine_set_variable(a->machine, i, value);
    }
}

static void pose_one(ct_animator *a, scratch *s) {
    blend_layers(a, s);
    if (a->wants_curves)
        set_curve_variables(a);
    keep_parts(a, s->result);
    ct_pose_to_model(s->result, a->skeleton->parents, a->skeleton->num_joints, a->models);
    if (a->graph.index)
        write_nodes(a, s->result);
}

static void pose_range(void *data, uint32_t begin, uint32_t end) {
    ct_animation_manager *const m = data;
    scratch s;
    for (uint32_t i = begin; i < end; ++i)
        pose_one(&m->animator[m->to_pose.items[i]], &s);
}

void ct_animation_pose_listed(ct_animation_manager *m) {
    for (uint32_t i = 0; i < m->to_pose.count; ++i) {
        take_players(m, &m->animator[m->to_pose.items[i]]);
        open_graph(m, m->to_pose.items[i]);
    }
    ct_animation_system_loop(m->system, "animation poses", m->to_pose.count, CHARACTERS_IN_A_TASK,
                             pose_range, m);
    for (uint32_t i = 0; i < m->to_pose.count; ++i) {
        ct_animator *const a = &m->animator[m->to_pose.items[i]];
        a->has_pose = a->must_send = true;
        if (a->graph.index)
            ct_scene_graph_written(m->graphs, a->graph, a->is_whole_graph);
    }
}
