#include "animation/animation_system.h"

#include <math.h>
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/math/math.h"
#include "foundation/memory/proxy_allocator.h"

// A skeleton that something has asked for.
typedef struct skeleton_record {
    ct_animation_skeleton *skeleton; // one block; NULL while the resource is not loaded
    uint64_t block_bytes;
} skeleton_record;

// A free player, in the memory of the player.
typedef struct free_player {
    struct free_player *next;
} free_player;

// Memory for some players of a clip.
typedef struct player_block {
    char *players;
    uint64_t size_bytes;
} player_block;

typedef struct clip_record {
    ct_string_id64 name;
    const ct_animation_resource *resource; // NULL while it is not loaded
    free_player *free;
    CT_ARRAY(player_block) blocks; // the memory of all players
    uint32_t player_bytes;         // a multiple of 16
    uint32_t num_players, num_taken;
} clip_record;

struct ct_animation_system {
    ct_allocator *backing;
    ct_allocator *allocator; // proxy
    ct_task_manager *tasks;
    ct_hash_map skeleton_places, clip_places; // by name
    ct_hash_map machines;                     // by name: addresses of the loaded resources
    CT_ARRAY(skeleton_record) skeletons;
    CT_ARRAY(clip_record) clips; // 0 is unused
    CT_ARRAY(ct_animation_watcher) watchers;
    bool is_changing; // watchers will settle
};

// --- Skeletons -----------------------------------------------------------------------------------

// How far the joints at rest reach from the entity, half as much more, and some room for the skin.
static float reach(const ct_animation_skeleton *s) {
    float most = 0;
    float lengths[CT_SKELETON_MAX_JOINTS]; // along the bones: an upper limit in any pose
    for (uint32_t j = 0; j < s->num_joints; ++j) {
        const ct_joint_pose pose = ct_pose_joint(s->rest, j);
        const float own = sqrtf(ct_vec3_dot(pose.position, pose.position));
        lengths[j] = own + (s->parents[j] == CT_SKELETON_NO_PARENT ? 0 : lengths[s->parents[j]]);
        most = lengths[j] > most ? lengths[j] : most;
    }
    return most * 1.5f + 0.5f;
}

static void make_skeleton(ct_animation_system *s, skeleton_record *r,
                          const ct_skeleton_resource *resource) {
    uint32_t count;
    const ct_skeleton_joint *const joints = ct_skeleton_joints(resource, &count);
    const uint32_t num_groups = ct_pose_num_groups(count);
    const uint64_t head = (sizeof(ct_animation_skeleton) + 15) / 16 * 16;
    const uint64_t poses = sizeof(ct_pose_group) * num_groups;
    r->block_bytes = head + 2 * poses + sizeof(uint32_t) * count;
    char *const block = ct_alloc_aligned(s->allocator, r->block_bytes, 16);
    ct_pose_group *const rest = (ct_pose_group *)(block + head);
    ct_pose_group *const identity = (ct_pose_group *)(block + head + poses);
    uint32_t *const parents = (uint32_t *)(block + head + 2 * poses);
    ct_pose_rest(resource, rest);
    ct_pose_identity(identity, num_groups);
    for (uint32_t j = 0; j < count; ++j)
        parents[j] = joints[j].parent;
    r->skeleton = (ct_animation_skeleton *)block;
    *r->skeleton = (ct_animation_skeleton){.resource = resource,
                                           .num_joints = count,
                                           .num_groups = num_groups,
                                           .rest = rest,
                                           .identity = identity,
                                           .parents = parents};
    r->skeleton->radius = reach(r->skeleton);
}

static void free_skeleton(ct_animation_system *s, skeleton_record *r) {
    ct_free_sized(s->allocator, r->skeleton, r->block_bytes);
    r->skeleton = NULL;
}

static skeleton_record *skeleton_named(ct_animation_system *s, ct_string_id64 name) {
    const uint32_t place = (uint32_t)ct_hash_map_get(&s->skeleton_places, name.value, 0);
    if (place)
        return &s->skeletons.items[place - 1];
    ct_array_push(&s->skeletons, (skeleton_record){.skeleton = NULL});
    ct_hash_map_set(&s->skeleton_places, name.value, s->skeletons.count);
    return &s->skeletons.items[s->skeletons.count - 1];
}

const ct_animation_skeleton *ct_animation_system_skeleton(ct_animation_system *s,
                                                          ct_string_id64 name) {
    return skeleton_named(s, name)->skeleton;
}

// --- Clips and their players ---------------------------------------------------------------------

static void free_players(ct_animation_system *s, clip_record *r) {
    for (uint32_t i = 0; i < r->blocks.count; ++i)
        ct_free_sized(s->allocator, r->blocks.items[i].players, r->blocks.items[i].size_bytes);
    ct_array_free(&r->blocks);
    r->free = NULL;
    r->num_players = 0;
}

// Makes half as many players again, so that new peaks of a game that has warmed up find some.
static void add_players(ct_animation_system *s, clip_record *r) {
    const uint32_t count = r->num_players / 2 + 4;
    const uint64_t size_bytes = (uint64_t)r->player_bytes * count;
    char *const players = ct_alloc_aligned(s->allocator, size_bytes, 16);
    ct_array_push(&r->blocks, (player_block){players, size_bytes});
    for (uint32_t i = count; i-- > 0;) {
        free_player *const p = (free_player *)(players + (uint64_t)r->player_bytes * i);
        p->next = r->free;
        r->free = p;
    }
    r->num_players += count;
}

static uint32_t player_bytes_of(const ct_animation_resource *resource) {
    return resource ? (ct_clip_player_bytes(resource) + 15) / 16 * 16 : 0;
}

ct_animation_clip ct_animation_system_clip(ct_animation_system *s, ct_string_id64 name) {
    const uint32_t place = (uint32_t)ct_hash_map_get(&s->clip_places, name.value, 0);
    if (place)
        return (ct_animation_clip){place};
    clip_record r = {.name = name};
    ct_array_init(&r.blocks, s->allocator);
    ct_array_push(&s->clips, r);
    ct_hash_map_set(&s->clip_places, name.value, s->clips.count - 1);
    return (ct_animation_clip){s->clips.count - 1};
}

static clip_record *record_of(const ct_animation_system *s, ct_animation_clip clip) {
    CT_ASSERT(clip.index > 0 && clip.index < s->clips.count, "there is no clip %u", clip.index);
    return &s->clips.items[clip.index];
}

ct_string_id64 ct_animation_clip_name(const ct_animation_system *s, ct_animation_clip clip) {
    return record_of(s, clip)->name;
}

const ct_animation_resource *ct_animation_clip_resource(const ct_animation_system *s,
                                                        ct_animation_clip clip) {
    return record_of(s, clip)->resource;
}

ct_clip_player *ct_animation_take_player(ct_animation_system *s, ct_animation_clip clip) {
    clip_record *const r = record_of(s, clip);
    if (!r->resource)
        return NULL;
    if (!r->free)
        add_players(s, r);
    ct_clip_player *const player = (ct_clip_player *)r->free;
    r->free = r->free->next;
    ct_clip_player_init(player, r->resource);
    ++r->num_taken;
    return player;
}

void ct_animation_give_player(ct_animation_system *s, ct_animation_clip clip, ct_clip_player *p) {
    clip_record *const r = record_of(s, clip);
    CT_ASSERT(r->num_taken > 0, "a player was given back twice");
    --r->num_taken;
    free_player *const given = (free_player *)p;
    given->next = r->free;
    r->free = given;
}

// --- Changes -------------------------------------------------------------------------------------

// Players of a clip that changes are given back first; anything else only settles.
static void begin_change(ct_animation_system *s, bool has_players) {
    s->is_changing = true;
    for (uint32_t i = 0; has_players && i < s->watchers.count; ++i)
        s->watchers.items[i].release(s->watchers.items[i].user);
}

static void settle(void *user) {
    ct_animation_system *const s = user;
    if (!s->is_changing)
        return;
    s->is_changing = false;
    for (uint32_t i = 0; i < s->watchers.count; ++i)
        s->watchers.items[i].settle(s->watchers.items[i].user);
}

static void change_clip(ct_animation_system *s, ct_string_id64 name,
                        const ct_animation_resource *resource) {
    clip_record *const r = record_of(s, ct_animation_system_clip(s, name));
    begin_change(s, r->num_taken > 0);
    CT_ASSERT(r->num_taken == 0, "%u players of a clip are in use while it changes", r->num_taken);
    free_players(s, r);
    r->resource = resource;
    r->player_bytes = player_bytes_of(resource);
}

static void change_skeleton(ct_animation_system *s, ct_string_id64 name,
                            const ct_skeleton_resource *resource) {
    begin_change(s, false);
    skeleton_record *const r = skeleton_named(s, name);
    if (r->skeleton)
        free_skeleton(s, r);
    if (resource)
        make_skeleton(s, r, resource);
}

static void clip_online(void *user, ct_string_id64 name, const void *blob) {
    change_clip(user, name, blob);
}

static void clip_offline(void *user, ct_string_id64 name, const void *blob) {
    (void)blob;
    change_clip(user, name, NULL);
    settle(user); // nothing settles after what goes offline
}

static void clip_reload(void *user, ct_string_id64 name, const void *old, const void *blob) {
    (void)old;
    change_clip(user, name, blob);
}

static void skeleton_online(void *user, ct_string_id64 name, const void *blob) {
    change_skeleton(user, name, blob);
}

static void skeleton_offline(void *user, ct_string_id64 name, const void *blob) {
    (void)blob;
    change_skeleton(user, name, NULL);
    settle(user);
}

static void skeleton_reload(void *user, ct_string_id64 name, const void *old, const void *blob) {
    (void)old;
    change_skeleton(user, name, blob);
}

static void change_machine(ct_animation_system *s, ct_string_id64 name,
                           const ct_state_machine_resource *resource) {
    begin_change(s, false);
    ct_hash_map_set(&s->machines, name.value, (uintptr_t)resource);
}

static void machine_online(void *user, ct_string_id64 name, const void *blob) {
    change_machine(user, name, blob);
}

static void machine_offline(void *user, ct_string_id64 name, const void *blob) {
    (void)blob;
    change_machine(user, name, NULL);
    settle(user);
}

static void machine_reload(void *user, ct_string_id64 name, const void *old, const void *blob) {
    (void)old;
    change_machine(user, name, blob);
}

const ct_state_machine_resource *ct_animation_system_machine(const ct_animation_system *s,
                                                             ct_string_id64 name) {
    return (const ct_state_machine_resource *)(uintptr_t)ct_hash_map_get(&s->machines, name.value,
                                                                         0);
}

void ct_animation_system_watch(ct_animation_system *s, const ct_animation_watcher *watcher) {
    ct_array_push(&s->watchers, *watcher);
}

void ct_animation_system_unwatch(ct_animation_system *s, const void *user) {
    for (uint32_t i = 0; i < s->watchers.count; ++i) {
        if (s->watchers.items[i].user == user) {
            ct_array_erase(&s->watchers, i, 1);
            return;
        }
    }
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_animation_system *ct_animation_system_create(ct_allocator *a, ct_resource_manager *resources,
                                                ct_task_manager *tasks) {
    ct_animation_system *const s = CT_NEW(a, ct_animation_system);
    s->backing = a;
    s->allocator = ct_proxy_allocator_create(a, "animation");
    s->tasks = tasks;
    ct_hash_map_init(&s->skeleton_places, s->allocator);
    ct_hash_map_init(&s->clip_places, s->allocator);
    ct_hash_map_init(&s->machines, s->allocator);
    ct_array_init(&s->skeletons, s->allocator);
    ct_array_init(&s->clips, s->allocator);
    ct_array_init(&s->watchers, s->allocator);
    ct_array_push(&s->clips, (clip_record){.resource = NULL});
    const ct_resource_callbacks skeletons = {.user = s,
                                             .online = skeleton_online,
                                             .offline = skeleton_offline,
                                             .reload = skeleton_reload,
                                             .settled = settle};
    const ct_resource_callbacks clips = {.user = s,
                                         .online = clip_online,
                                         .offline = clip_offline,
                                         .reload = clip_reload,
                                         .settled = settle};
    const ct_resource_callbacks machines = {.user = s,
                                            .online = machine_online,
                                            .offline = machine_offline,
                                            .reload = machine_reload,
                                            .settled = settle};
    ct_resource_manager_register(resources, "skeleton", &skeletons);
    ct_resource_manager_register(resources, "animation", &clips);
    ct_resource_manager_register(resources, "state_machine", &machines);
    return s;
}

void ct_animation_system_destroy(ct_animation_system *s) {
    if (!s)
        return;
    CT_ASSERT(s->watchers.count == 0, "%u worlds still animate", s->watchers.count);
    for (uint32_t i = 0; i < s->skeletons.count; ++i) {
        if (s->skeletons.items[i].skeleton)
            free_skeleton(s, &s->skeletons.items[i]);
    }
    for (uint32_t i = 1; i < s->clips.count; ++i)
        free_players(s, &s->clips.items[i]);
    ct_array_free(&s->watchers);
    ct_array_free(&s->clips);
    ct_array_free(&s->skeletons);
    ct_hash_map_free(&s->machines);
    ct_hash_map_free(&s->clip_places);
    ct_hash_map_free(&s->skeleton_places);
    ct_proxy_allocator_destroy(s->allocator);
    ct_free_sized(s->backing, s, sizeof(*s));
}

void ct_animation_system_loop(ct_animation_system *s, const char *name, uint32_t count,
                              uint32_t grain, void (*run)(void *data, uint32_t begin, uint32_t end),
                              void *data) {
    if (!s->tasks) {
        if (count)
            run(data, 0, count);
        return;
    }
    const ct_task_loop_desc loop = {.name = name,
                                    .run = run,
                                    .data = data,
                                    .count = count,
                                    .grain = grain,
                                    .priority = CT_TASK_PRIORITY_HIGH};
    ct_task_loop(s->tasks, &loop);
}
