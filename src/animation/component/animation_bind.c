// Characters and the resources they use.
#include <string.h>

#include "animation/component/animation_private.h"
#include "foundation/error.h"
#include "foundation/log.h"

// --- Clips ---------------------------------------------------------------------------------------

// The blob of a clip, if it is loaded and is for the character's skeleton.
static const ct_animation_resource *fitting(const ct_animation_manager *m, const ct_animator *a,
                                            ct_animation_clip clip) {
    const ct_animation_resource *const r = ct_animation_clip_resource(m->system, clip);
    return r && a->skeleton && r->skeleton_hash == a->skeleton->resource->hash &&
                   r->num_joints == a->skeleton->num_joints
               ? r
               : NULL;
}

// Makes room for the values of curves once a clip (or NULL) has any.
static void make_room_for_curves(const ct_animation_manager *m, ct_animator *a,
                                 const ct_animation_resource *clip) {
    if (clip && clip->curves.count && !a->curves)
        a->curves = CT_NEW_ARRAY(m->allocator, ct_curve_value, CT_ANIMATION_CURVE_VALUES);
}

// Appends a clip to the character's.
static const ct_animation_resource *append_clip(ct_animation_manager *m, ct_animator *a,
                                                ct_animation_clip clip) {
    const ct_animation_resource *const r = fitting(m, a, clip);
    ct_array_push(&a->clips, clip);
    ct_array_push(&a->resources, r);
    make_room_for_curves(m, a, r);
    return r;
}

uint32_t ct_animation_add_clip(ct_animation_manager *m, ct_animator *a, ct_string_id64 name) {
    const ct_animation_clip clip = ct_animation_system_clip(m->system, name);
    for (uint32_t i = 0; i < a->clips.count; ++i) {
        if (a->clips.items[i].index == clip.index)
            return i;
    }
    append_clip(m, a, clip);
    return a->clips.count - 1;
}

void ct_animation_release_players(ct_animation_manager *m, ct_animator *a) {
    for (uint32_t i = 0; i < a->players.count; ++i) {
        ct_held_player *const p = &a->players.items[i];
        if (p->player)
            ct_animation_give_player(m->system, p->clip, p->player);
        *p = (ct_held_player){.player = NULL};
    }
}

// --- Skeletons -----------------------------------------------------------------------------------

// After a->skeleton has changed.
static void bind_skeleton(ct_animation_manager *m, ct_animator *a) {
    const uint32_t num_joints = a->skeleton ? a->skeleton->num_joints : 0;
    a->skeleton_resource = a->skeleton ? a->skeleton->resource : NULL;
    a->graph_version = 0; // the joints may be others
    ++a->skeleton_version;
    a->has_pose = false;
    if (num_joints == a->num_model_joints)
        return;
    ct_free_sized(m->allocator, a->models, sizeof(*a->models) * a->num_model_joints);
    a->models = num_joints
                    ? ct_alloc_aligned(m->allocator, sizeof(*a->models) * (uint64_t)num_joints, 16)
                    : NULL;
    a->num_model_joints = num_joints;
}

// Warns, once for each name, that something is not loaded.
static void warn_missing(ct_animation_manager *m, const char *type, ct_string_id64 name) {
    if (name.value == 0 || !ct_hash_map_add(&m->told, name.value, 1))
        return;
    ct_log_warning("animation", "not_loaded",
                   "characters wait for the %s \"%s\", which is not loaded; add it to a package",
                   type, ct_string_id64_name(name));
}

// --- State machines ------------------------------------------------------------------------------

static void warn_carry(const ct_animator *a, const ct_error *error) {
    ct_log_warning("animation", "state_machine_changed", "state machine \"%s\": %s",
                   ct_string_id64_name(a->data.state_machine), error->message);
}

// Warns, once for a clip and a skeleton, that characters with this skeleton cannot play the clip.
static void warn_other_skeleton(ct_animation_manager *m, const ct_animator *a, ct_string_id64 name,
                                const ct_animation_resource *clip) {
    const ct_string_id64 skeleton = a->data.skeleton;
    if (!ct_hash_map_add(&m->told, name.value ^ skeleton.value, 1))
        return;
    const bool is_older = clip->skeleton.value == skeleton.value;
    ct_log_warning("animation", "other_skeleton",
                   "the animation \"%s\" of the state machine \"%s\" is for %s skeleton \"%s\"; "
                   "characters with the skeleton \"%s\" stay at rest in it",
                   ct_string_id64_name(name), ct_string_id64_name(a->data.state_machine),
                   is_older ? "an older version of the" : "the",
                   ct_string_id64_name(clip->skeleton), ct_string_id64_name(skeleton));
}

static void list_machine_clips(ct_animation_manager *m, ct_animator *a) {
    const ct_state_machine_resource *const r = a->machine_resource;
    const ct_resource_id *const ids = ct_blob_at(r, r->clips.offset);
    a->clips.count = a->resources.count = 0;
    for (uint32_t i = 0; i < r->clips.count; ++i) {
        const ct_animation_clip clip = ct_animation_system_clip(m->system, ids[i].name);
        if (append_clip(m, a, clip) || !a->skeleton)
            continue;
        const ct_animation_resource *const found = ct_animation_clip_resource(m->system, clip);
        if (found)
            warn_other_skeleton(m, a, ids[i].name, found);
        else
            warn_missing(m, "animation", ids[i].name);
    }
}

static bool has_curve_variables(const ct_state_machine_resource *r) {
    const ct_state_machine_variable_data *const variables = ct_blob_at(r, r->variables.offset);
    for (uint32_t i = 0; i < r->variables.count; ++i) {
        if (variables[i].curve_parameter.value)
            return true;
    }
    return false;
}

// Makes the machine of the resource; `carries`: the state of the old machine goes on in it.
static void bind_machine(ct_animation_manager *m, ct_animator *a, bool carries) {
    ct_state_machine *const old = a->machine;
    a->machine = NULL;
    a->wants_curves = false;
    if (a->machine_resource) {
        list_machine_clips(m, a);
        a->wants_curves = has_curve_variables(a->machine_resource);
        a->machine = ct_state_machine_create(m->allocator, a->machine_resource, a->resources.items);
        ct_error error = {0};
        if (old && carries && !ct_state_machine_carry(a->machine, old, &error))
            warn_carry(a, &error);
        a->output = ct_state_machine_current(a->machine);
    } else {
        a->output = (ct_state_machine_output){0};
    }
    ct_state_machine_destroy(old);
}

// Whether some clip of the character was loaded, loaded again or unloaded.
static bool has_other_clips(const ct_animation_manager *m, const ct_animator *a) {
    for (uint32_t i = 0; i < a->clips.count; ++i) {
        if (fitting(m, a, a->clips.items[i]) != a->resources.items[i])
            return true;
    }
    return false;
}

void ct_animation_bind(ct_animation_manager *m, uint32_t i) {
    ct_animator *const a = &m->animator[i];
    const ct_state_machine_resource *const machine =
        a->data.state_machine.value ? ct_animation_system_machine(m->system, a->data.state_machine)
                                    : NULL;
    a->skeleton = ct_animation_system_skeleton(m->system, a->data.skeleton);
    const ct_skeleton_resource *const skeleton = a->skeleton ? a->skeleton->resource : NULL;
    if (!skeleton)
        warn_missing(m, "skeleton", a->data.skeleton);
    if (!machine && a->data.state_machine.value)
        warn_missing(m, "state machine", a->data.state_machine);
    const bool is_same = skeleton == a->skeleton_resource && machine == a->machine_resource;
    if (is_same && !has_other_clips(m, a))
        return;
    ct_animation_release_players(m, a);
    if (skeleton != a->skeleton_resource)
        bind_skeleton(m, a);
    const bool had_machine = a->machine_resource != NULL;
    a->machine_resource = machine;
    if (machine || had_machine) {
        bind_machine(m, a, machine != NULL);
        return;
    }
    for (uint32_t k = 0; k < a->clips.count; ++k) {
        a->resources.items[k] = fitting(m, a, a->clips.items[k]);
        make_room_for_curves(m, a, a->resources.items[k]);
    }
}

void ct_animation_unbind(ct_animation_manager *m, ct_animator *a) {
    ct_animation_release_players(m, a);
    ct_state_machine_destroy(a->machine);
    ct_crossfade_destroy(a->crossfade);
    ct_array_free(&a->clips);
    ct_array_free(&a->resources);
    ct_array_free(&a->players);
    ct_array_free(&a->nodes);
    ct_free_sized(m->allocator, a->curves, sizeof(*a->curves) * CT_ANIMATION_CURVE_VALUES);
    ct_free_sized(m->allocator, a->models, sizeof(*a->models) * a->num_model_joints);
}
