#include "flow/nodes/flow_parts.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "resource/types/component_resource.h"
#include "world/world_level_members.h"

bool ct_flow_unit_of(ct_flow_call *c, uint32_t input, ct_world **world, ct_entity *unit) {
    const ct_flow_object object = ct_flow_object_at(c, input);
    *world = ct_flow_call_world(c);
    *unit = (ct_entity){(uint32_t)object.entity};
    if (!object.entity) {
        ct_flow_error(c, "input %u: there is no unit; link one", input + 1);
        return false;
    }
    if (!ct_transform_lookup(ct_world_transforms(*world), *unit).index) {
        ct_flow_error(c, "input %u: the unit has been destroyed, or is in another world",
                      input + 1);
        return false;
    }
    return true;
}

bool ct_flow_part_of(ct_flow_call *c, uint32_t input, const ct_flow_part_type *type,
                     ct_flow_part *part) {
    const ct_flow_object object = ct_flow_object_at(c, input + 1);
    if (object.entity) {
        part->world = ct_flow_call_world(c);
        part->entity = (ct_entity){(uint32_t)object.entity};
        part->index = type->with_number(part->world, part->entity, object.part);
        if (!part->index)
            ct_flow_error(c, "the %s has been destroyed, or is in another world", type->noun);
        return part->index != 0;
    }
    if (!ct_flow_unit_of(c, input, &part->world, &part->entity))
        return false;
    part->index = type->first(part->world, part->entity);
    if (!part->index)
        ct_flow_error(c, "the unit has no %s", type->noun);
    return part->index != 0;
}

bool ct_flow_part_node(ct_flow_call *c, uint32_t input, const ct_flow_part_type *type,
                       ct_world_node *node) {
    ct_flow_part part;
    if (!ct_flow_part_of(c, input, type, &part))
        return false;
    *node = ct_world_node_of(part.world, part.entity, type->node(part.world, part.index));
    if (!node->node && !node->transform.index)
        ct_flow_error(c, "the entity of the %s has no transform", type->noun);
    return node->node || node->transform.index;
}

uint32_t ct_flow_get_local_position(ct_flow_call *c, const ct_flow_part_type *type) {
    ct_world_node node;
    if (ct_flow_part_node(c, 0, type, &node))
        ct_flow_set_vector3(c, 0, ct_world_node_local_position(node));
    return CT_FLOW_STOP;
}

uint32_t ct_flow_get_local_rotation(ct_flow_call *c, const ct_flow_part_type *type) {
    ct_world_node node;
    if (ct_flow_part_node(c, 0, type, &node))
        ct_flow_set_quaternion(c, 0, ct_world_node_local_rotation(node));
    return CT_FLOW_STOP;
}

uint32_t ct_flow_get_world_position(ct_flow_call *c, const ct_flow_part_type *type) {
    ct_world_node node;
    if (ct_flow_part_node(c, 0, type, &node))
        ct_flow_set_vector3(c, 0, ct_mat4_position(ct_world_node_world(node)));
    return CT_FLOW_STOP;
}

uint32_t ct_flow_get_world_rotation(ct_flow_call *c, const ct_flow_part_type *type) {
    ct_world_node node;
    if (ct_flow_part_node(c, 0, type, &node))
        ct_flow_set_quaternion(c, 0, ct_flow_rotation_of(ct_world_node_world(node)));
    return CT_FLOW_STOP;
}

void ct_flow_set_local_position(ct_flow_call *c, const ct_flow_part_type *type) {
    ct_world_node node;
    ct_vec3 position;
    if (ct_flow_part_node(c, 0, type, &node) && ct_flow_finite_vector3(c, 2, &position))
        ct_world_node_set_local_position(node, position);
}

void ct_flow_set_local_rotation(ct_flow_call *c, const ct_flow_part_type *type) {
    ct_world_node node;
    ct_quat rotation;
    if (ct_flow_part_node(c, 0, type, &node) && ct_flow_rotation(c, 2, &rotation))
        ct_world_node_set_local_rotation(node, rotation);
}

void ct_flow_move(ct_flow_call *c, const ct_flow_part_type *type) {
    ct_world_node node;
    ct_vec3 delta;
    if (ct_flow_part_node(c, 0, type, &node) && ct_flow_moved_by(c, 2, &delta))
        ct_world_node_set_local_position(node,
                                         ct_vec3_add(ct_world_node_local_position(node), delta));
}

bool ct_flow_moved_by(ct_flow_call *c, uint32_t input, ct_vec3 *delta) {
    ct_vec3 velocity;
    if (!ct_flow_finite_vector3(c, input, delta) ||
        !ct_flow_finite_vector3(c, input + 1, &velocity))
        return false;
    const float dt = (float)ct_world_delta_time(ct_flow_call_world(c));
    *delta = ct_vec3_add(*delta, ct_vec3_scale(velocity, dt));
    return true;
}

ct_entity ct_flow_own_unit(const ct_flow_call *c) {
    const ct_flow_head *const head = (const void *)c->bases[CT_FLOW_REGION_DYNAMIC];
    return (ct_entity){(uint32_t)head->unit.entity};
}

ct_level ct_flow_level_of(const ct_flow_call *c) {
    const ct_flow_head *const head = (const void *)c->bases[CT_FLOW_REGION_DYNAMIC];
    uint32_t place;
    ct_world *const w = ct_flow_call_world(c);
    if (head->level)
        return (ct_level){head->level};
    return ct_world_find_level_unit(w, ct_world_unit_of(w, ct_flow_own_unit(c)), &place);
}

bool ct_flow_marker(ct_flow_call *c, uint32_t input, ct_vec3 *position, ct_quat *rotation) {
    const ct_world *const w = ct_flow_call_world(c);
    const char *const name = ct_flow_text(c, input);
    const ct_level level = ct_flow_level_of(c);
    if (!level.id) {
        ct_flow_error(c, "the graph is of no level, and of no unit of a level");
        return false;
    }
    if (!name[0]) {
        const ct_mat4 pose = ct_level_world_pose(w, level);
        *position = ct_mat4_position(pose);
        *rotation = ct_flow_rotation_of(pose);
        return true;
    }
    const ct_world_marker *const marker =
        ct_level_find_member(w, level, CT_LEVEL_MEMBER_MARKER, ct_string_id32_of(name));
    if (!marker) {
        ct_flow_error(c, "the level has no marker \"%.64s\"", name);
        return false;
    }
    *position = marker->position;
    *rotation = marker->rotation;
    return true;
}

ct_quat ct_flow_rotation_of(ct_mat4 world) {
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(&world, &position, &rotation, &scale);
    return rotation;
}

bool ct_flow_unit_node(ct_flow_call *c, uint32_t unit, uint32_t name, ct_world_node *node) {
    ct_world *world;
    ct_entity e;
    if (!ct_flow_unit_of(c, unit, &world, &e))
        return false;
    const char *const text = ct_flow_text(c, name);
    uint32_t number = 0;
    if (text[0] && strcmp(text, "root_point") != 0) {
        number = ct_scene_graph_node_of(ct_world_scene_graphs(world), e, ct_string_id32_of(text));
        if (!number) {
            ct_flow_error(c, "the unit has no node \"%.64s\"", text);
            return false;
        }
    }
    *node = ct_world_node_of(world, e, number);
    return true;
}

bool ct_flow_finite_vector3(ct_flow_call *c, uint32_t input, ct_vec3 *v) {
    *v = ct_flow_vector3(c, input);
    if (isfinite(v->x) && isfinite(v->y) && isfinite(v->z))
        return true;
    ct_flow_error(c, "input %u: found (%g, %g, %g); expected finite numbers", input + 1,
                  (double)v->x, (double)v->y, (double)v->z);
    return false;
}

bool ct_flow_rotation(ct_flow_call *c, uint32_t input, ct_quat *q) {
    *q = ct_flow_quaternion(c, input);
    if (ct_quat_is_rotation(*q)) {
        *q = ct_quat_normalize(*q);
        return true;
    }
    ct_flow_error(c, "input %u: found (%g, %g, %g, %g), which is no rotation", input + 1,
                  (double)q->x, (double)q->y, (double)q->z, (double)q->w);
    return false;
}

bool ct_flow_number_in(ct_flow_call *c, uint32_t input, double least, double most, double *number) {
    *number = ct_flow_number(c, input);
    if (*number >= least && *number <= most)
        return true;
    ct_flow_error(c, "input %u: found %.9g; expected %g to %g", input + 1, *number, least, most);
    return false;
}

bool ct_flow_field_number(ct_flow_call *c, uint32_t input, const char *component, const char *field,
                          float *number) {
    const double value = ct_flow_number(c, input);
    const ct_field *const f = ct_schema_find(ct_component_type_named(component)->schema, field);
    if (value >= f->least && value <= f->most) {
        *number = (float)value;
        return true;
    }
    ct_flow_error(c, "%s: found %.9g; expected %g to %g", field, value, f->least, f->most);
    return false;
}

bool ct_flow_name_of(ct_flow_call *c, uint32_t input, const char *const *names,
                     uint32_t *position) {
    const char *const text = ct_flow_text(c, input);
    uint32_t count = 0;
    for (; names[count]; ++count) {
        if (strcmp(names[count], text) == 0) {
            *position = count;
            return true;
        }
    }
    const char *const nearest = ct_nearest_name(text, names, count);
    ct_flow_error(c, "found \"%.64s\"; did you mean \"%s\"?", text, nearest ? nearest : names[0]);
    return false;
}
