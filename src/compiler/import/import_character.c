#include "compiler/import/import_character.h"

#include <stdio.h>
#include <string.h>

#include "compiler/import/import_unit.h"
#include "foundation/container/hash_map.h"
#include "foundation/os/path.h"
#include "foundation/string/guid.h"
#include "foundation/string/string_id.h"
#include "resource/types/skeleton_resource.h"

enum {
    MAX_STATES = 1024,      // of a state machine
    MAX_LISTED_BYTES = 400, // of names in a message
};

static void warn(ct_import_sources *s, ct_string_builder *text) {
    ct_array_push(&s->warnings, text->text);
}

static ct_string_builder text_for(const ct_import_sources *s) {
    ct_string_builder text;
    ct_string_builder_init(&text, s->allocator);
    return text;
}

// --- The list ------------------------------------------------------------------------------------

static uint32_t count_joints(const ct_import_model *m) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->num_nodes; ++i)
        count += m->nodes[i].is_joint;
    return count;
}

// What Blender calls "Armature|Walk" is "Walk".
static const char *stem_of_clip(const ct_import_sources *s, const char *name) {
    const char *const last = strrchr(name, '|');
    const char *const stem = last && last[1] ? last + 1 : name;
    return ct_import_valid_name(s->allocator, stem, s->model_name);
}

static void list_animations(ct_import_sources *s) {
    ct_hash_map keys = {.allocator = s->allocator};
    s->first_animation = s->outputs.count;
    for (uint32_t i = 0; i < s->model->num_clips; ++i) {
        const ct_import_clip *const clip = &s->model->clips[i];
        const uint64_t id = ct_string_id64_of(clip->key).value;
        const bool is_known = ct_hash_map_find(&keys, id) != NULL;
        ct_hash_map_set(&keys, id, 1);
        if (clip->moves && !is_known) {
            ct_import_sources_add(s, "animation ", clip->key, stem_of_clip(s, clip->name),
                                  "animation", i);
            ++s->num_animations;
            continue;
        }
        ct_string_builder text = text_for(s);
        ct_string_builder_addf(&text, "clip \"%s\" %s; it is left out", clip->key,
                               is_known ? "is there twice" : "moves no node");
        warn(s, &text);
    }
}

void ct_import_character_list(ct_import_sources *s) {
    const uint32_t num_joints = count_joints(s->model);
    if (num_joints > CT_SKELETON_MAX_JOINTS && !s->skeleton) {
        ct_string_builder text = text_for(s);
        ct_string_builder_addf(&text,
                               "the model has %u joints; a skeleton can have at most %u, so "
                               "skeleton and clips are left out",
                               num_joints, CT_SKELETON_MAX_JOINTS);
        warn(s, &text);
        return;
    }
    if (!s->skeleton && num_joints > 0)
        s->own_skeleton = ct_import_sources_add(s, "skeleton", "", s->model_name, "skeleton", 0);
    list_animations(s);
    if (!s->skeleton && s->num_animations > 0)
        s->machine =
            ct_import_sources_add(s, "state_machine", "", s->model_name, "state_machine", 0);
}

// --- Their text ----------------------------------------------------------------------------------

static void write_id(const ct_import_sources *s, const char *kind, const char *name,
                     ct_sjson_writer *w) {
    char text[CT_GUID_TEXT_BYTES];
    const ct_guid space =
        ct_guid_make_named(ct_guid_make_named((ct_guid){{0xa0}}, s->id_space), kind);
    ct_guid_format(ct_guid_make_named(space, name), text);
    ct_sjson_member_string(w, "id", text);
}

void ct_import_skeleton_write(const ct_import_sources *s, ct_sjson_writer *w) {
    const ct_import_model *const m = s->model;
    ct_sjson_member_number(w, "shell", 0.03);
    ct_sjson_write_key(w, "joints");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < m->num_nodes; ++i) {
        const ct_import_node *const n = &m->nodes[i];
        if (!n->is_joint)
            continue;
        ct_sjson_begin_object(w);
        write_id(s, "joint", n->key, w);
        ct_sjson_member_string(w, "name", n->key);
        if (n->parent != CT_IMPORT_NONE)
            ct_sjson_member_string(w, "parent", m->nodes[n->parent].key);
        ct_import_pose_write(m->doc, n->pose, w);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static const char *skeleton_of(const ct_import_sources *s) {
    return s->skeleton ? s->skeleton : ct_import_sources_name(s, s->own_skeleton);
}

void ct_import_animation_write(const ct_import_sources *s, const ct_import_output *o,
                               ct_sjson_writer *w) {
    const ct_import_clip *const clip = &s->model->clips[o->position];
    ct_sjson_member_string(w, "source", s->model_path);
    if (*clip->name || s->model->num_clips > 1)
        ct_sjson_member_string(w, "clip", clip->key);
    ct_sjson_member_string(w, "skeleton", skeleton_of(s));
    ct_import_space_write(&s->space, w);
}

// The file's name: unique. "any" is a word of state machines.
static const char *state_of(const ct_import_sources *s, uint32_t animation) {
    const char *const name =
        ct_path_file_name(ct_import_sources_name(s, s->first_animation + animation));
    return strcmp(name, "any") == 0 ? "clip_any" : name;
}

static void write_states(const ct_import_sources *s, uint32_t count, ct_sjson_writer *w) {
    ct_sjson_write_key(w, "states");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t output = s->first_animation + i;
        ct_sjson_begin_object(w);
        write_id(s, "state", s->outputs.items[output].key, w);
        ct_sjson_member_string(w, "type", "clip");
        ct_sjson_member_string(w, "name", state_of(s, i));
        ct_sjson_member_string(w, "animation", ct_import_sources_name(s, output));
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_transitions(const ct_import_sources *s, uint32_t count, ct_sjson_writer *w) {
    ct_sjson_write_key(w, "transitions");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i) {
        ct_sjson_begin_object(w);
        write_id(s, "transition", s->outputs.items[s->first_animation + i].key, w);
        ct_sjson_member_string(w, "from", "any");
        ct_sjson_member_string(w, "to", state_of(s, i));
        ct_sjson_member_string(w, "event", state_of(s, i));
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

void ct_import_machine_write(const ct_import_sources *s, ct_sjson_writer *w) {
    const uint32_t count = s->num_animations < MAX_STATES ? s->num_animations : MAX_STATES;
    uint32_t start = 0;
    for (uint32_t i = count; i-- > 0;)
        start = strstr(state_of(s, i), "idle") ? i : start;
    ct_sjson_member_string(w, "skeleton", skeleton_of(s));
    ct_sjson_write_key(w, "layers");
    ct_sjson_begin_array(w);
    ct_sjson_begin_object(w);
    write_id(s, "layer", "base", w);
    ct_sjson_member_string(w, "name", "base");
    ct_sjson_member_string(w, "start", state_of(s, start));
    write_states(s, count, w);
    if (count > 1)
        write_transitions(s, count, w);
    ct_sjson_end_object(w);
    ct_sjson_end_array(w);
}

// --- Clips for another skeleton ------------------------------------------------------------------

static void add_name(ct_string_builder *list, const char *name) {
    if (list->length < MAX_LISTED_BYTES)
        ct_string_builder_addf(list, "%s\"%s\"", list->length ? ", " : "", name);
    else if (list->text[list->length - 1] != '.')
        ct_string_builder_add(list, ", ...");
}

// The names of the skeleton's joints, by their hashes.
static ct_hash_map names_of(const ct_import_sources *s, const ct_sjson *doc,
                            ct_string_builder *list) {
    ct_hash_map names = {.allocator = s->allocator};
    const ct_sjson_value joints = ct_sjson_find(doc, ct_sjson_root(doc), "joints");
    for (ct_sjson_value v = ct_sjson_first(doc, joints); v.entry; v = ct_sjson_next(doc, v)) {
        const char *const name = ct_sjson_string(doc, ct_sjson_find(doc, v, "name"), NULL);
        if (!name)
            continue;
        ct_hash_map_set(&names, ct_string_id64_of(name).value, 1);
        add_name(list, name);
    }
    return names;
}

bool ct_import_character_check(ct_import_sources *s, const ct_sjson *skeleton, const char *path,
                               ct_error *error) {
    ct_string_builder joints = text_for(s), missing = text_for(s), text = text_for(s);
    const ct_hash_map names = names_of(s, skeleton, &joints);
    uint32_t num_moved = 0, num_missing = 0;
    if (s->num_animations == 0)
        return ct_error_set(error, "the model has no clips that can be imported for a skeleton");
    for (uint32_t i = 0; i < s->model->num_nodes; ++i) {
        const ct_import_node *const n = &s->model->nodes[i];
        if (!n->is_moved)
            continue;
        ++num_moved;
        if (ct_hash_map_find(&names, ct_string_id64_of(n->key).value))
            continue;
        ++num_missing;
        add_name(&missing, n->key);
    }
    if (num_missing == num_moved)
        return ct_error_set(error,
                            "none of the %u bones that clips move is in %s; its joints are %.500s",
                            num_moved, path, ct_string_builder_text(&joints));
    if (num_missing == 0)
        return true;
    ct_string_builder_addf(&text,
                           "%s has no joint for %u of the %u bones that clips move, so these stay "
                           "still: %s",
                           path, num_missing, num_moved, ct_string_builder_text(&missing));
    warn(s, &text);
    return true;
}
