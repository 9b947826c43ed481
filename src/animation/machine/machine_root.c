#include "animation/machine/machine_root.h"

#include <math.h>

#include "resource/blob/blob.h"

ct_machine_pose ct_machine_pose_after(ct_machine_pose a, ct_machine_pose b) {
    if (a.heading == 0)
        return (ct_machine_pose){a.x + b.x, a.y + b.y, a.z + b.z, b.heading};
    const double s = sin(a.heading), c = cos(a.heading);
    return (ct_machine_pose){a.x + c * b.x - s * b.y, a.y + s * b.x + c * b.y, a.z + b.z,
                             a.heading + b.heading};
}

static ct_machine_pose inverse(ct_machine_pose a) {
    const double s = sin(a.heading), c = cos(a.heading);
    return (ct_machine_pose){-(c * a.x + s * a.y), s * a.x - c * a.y, -a.z, -a.heading};
}

// `a` as often as `times` says.
static ct_machine_pose power(ct_machine_pose a, double times) {
    ct_machine_pose all = {0, 0, 0, 0};
    if (times < 0) {
        a = inverse(a);
        times = -times;
    }
    for (uint64_t n = (uint64_t)fmin(times, 1e15); n; n >>= 1) {
        if (n & 1)
            all = ct_machine_pose_after(all, a);
        a = ct_machine_pose_after(a, a);
    }
    return all;
}

static ct_machine_pose at(const ct_machine_clip *clip, double phase) {
    const ct_animation_root_pose p =
        ct_animation_root_at(clip->resource, (float)(phase * clip->length));
    return (ct_machine_pose){(double)p.position[0], (double)p.position[1], (double)p.position[2],
                             (double)p.heading};
}

// The pose after `phase` rounds, of which the whole ones are exactly alike.
static ct_machine_pose after_rounds(const ct_machine_clip *clip, double phase) {
    const double rounds = floor(phase);
    const ct_machine_pose local = at(clip, phase - rounds);
    return rounds == 0 ? local : ct_machine_pose_after(power(clip->round, rounds), local);
}

ct_machine_pose ct_machine_root_between(const ct_machine_clip *clip, double from, double to,
                                        bool loops) {
    const ct_machine_pose start = loops ? after_rounds(clip, from) : at(clip, from);
    const ct_machine_pose end = loops ? after_rounds(clip, to) : at(clip, to);
    if (start.heading == 0)
        return (ct_machine_pose){end.x - start.x, end.y - start.y, end.z - start.z, end.heading};
    return ct_machine_pose_after(inverse(start), end);
}

static bool is_turning(const ct_animation_resource *clip) {
    const ct_animation_root_key *const keys = ct_blob_at(clip, clip->root_keys.offset);
    for (uint32_t i = 0; i < clip->root_keys.count; ++i) {
        if (keys[i].heading != keys[0].heading)
            return true;
    }
    return false;
}

ct_machine_clip ct_machine_clip_of(const ct_animation_resource *resource) {
    if (!resource)
        return (ct_machine_clip){.length = 1, .loops = true};
    ct_machine_clip c = {.resource = resource,
                         .length = (double)ct_animation_length(resource),
                         .loops = (resource->flags & CT_ANIMATION_LOOPS) != 0,
                         .has_root = resource->root_keys.count > 0};
    if (!(c.length >= 1e-4))
        c.length = 1e-4;
    if (c.has_root) {
        c.turns = is_turning(resource);
        c.round = ct_machine_pose_after(inverse(at(&c, 0)), at(&c, 1));
    }
    return c;
}
