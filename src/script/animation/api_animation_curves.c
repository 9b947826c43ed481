#include <math.h>

#include "animation/clip/clip_player.h"
#include "foundation/memory/temp_allocator.h"
#include "script/api_check.h"

// A handle has the name of its clip, which is looked up in each call: a reloaded clip is found.

extern const ct_lua_module ct_api_animation_curves;

static const ct_lua_object_type ct_type_animation_curves = {.name = "AnimationCurves"};

static const double most_seconds = 1e9;
static const float least_frames = 1e-3f; // a time this close before a frame is the frame

static int make_curves(lua_State *L) {
    const char *const name = ct_check_resource(L, 2, "animation", NULL);
    ct_push_object(L, &ct_type_animation_curves, ct_lua_of(L)->resources,
                   ct_string_id64_register(name).value);
    return 1;
}

static const ct_animation_resource *check_clip(lua_State *L) {
    ct_string_id64 name;
    ct_check_object(L, 1, &ct_type_animation_curves, &name.value);
    const void *const blob = ct_resource_manager_get(ct_lua_of(L)->resources, "animation", name);
    if (!blob)
        ct_argument_error(L, 1, "the animation \"%s\" is no longer loaded",
                          ct_string_id64_name(name));
    return blob;
}

// The curve with the object at argument 2 and the parameter at argument 3.
static uint32_t check_curve(lua_State *L, const ct_animation_resource *clip) {
    const ct_string_id32 object = ct_check_id32(L, 2), parameter = ct_check_id32(L, 3);
    const ct_animation_curve *const curves = ct_blob_at(clip, clip->curves.offset);
    bool has_object = false;
    for (uint32_t i = 0; i < clip->curves.count; ++i) {
        if (curves[i].object.value != object.value)
            continue;
        has_object = true;
        if (curves[i].parameter.value == parameter.value)
            return i;
    }
    if (has_object)
        ct_argument_error(L, 3, "the object \"%s\" of the animation has no curve \"%s\"",
                          ct_string_id32_name(object), ct_string_id32_name(parameter));
    ct_argument_error(L, 2, "the animation has no curves of an object \"%s\"",
                      ct_string_id32_name(object));
    return 0;
}

// The value of a curve, by a player that lives for this call.
static float value_at(lua_State *L, const ct_animation_resource *clip, uint32_t curve, float time) {
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    ct_clip_player *const player = ct_alloc_aligned(temp, ct_clip_player_bytes(clip), 16);
    ct_clip_player_init(player, clip);
    ct_clip_player_move(player, time);
    return ct_clip_player_curve(player, curve);
}

static int sample(lua_State *L) {
    const ct_animation_resource *const clip = check_clip(L);
    ct_check_id32(L, 2);
    ct_check_id32(L, 3);
    float time = (float)ct_check_number_in(L, 4, -most_seconds, most_seconds);
    const bool is_stepped = !lua_isnoneornil(L, 5) && ct_check_boolean(L, 5);
    const uint32_t curve = check_curve(L, clip);
    if (is_stepped)
        time = floorf(time * clip->rate + least_frames) / clip->rate;
    lua_pushnumber(L, (lua_Number)value_at(L, clip, curve, time));
    return 1;
}

static const ct_lua_function functions[] = {
    {"sample", sample,
     "(self: AnimationCurves, object: string, parameter: string, time: number, step_sampling: "
     "boolean?) -> number",
     "Returns the value of a float curve at a time in seconds, which is clamped to the clip. With "
     "`step_sampling`, the value at the last frame up to that time."},
};

const ct_lua_module ct_api_animation_curves = {
    .name = "AnimationCurves",
    .doc = "The float curves of a clip, to sample without playing it.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make_curves,
    .call_signature = "(resource: string(animation)) -> AnimationCurves",
};
