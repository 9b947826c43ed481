// script_network_replay.c: a log in place of the network.
//
// The log has a frame for each Network.update of the run that wrote it, and behind it what the
// transport saw until the next one: events, and the answers to what session and lobby asked it. An
// update of a replay plays these, and takes the frame's time.
#include <math.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "script/network/script_network_private.h"

bool ct_script_network_open_replay(struct ct_script_network *n, const char *path,
                                   const ct_network_config_resource *config, ct_error *error) {
    ct_network_log_reader reader;
    if (!ct_network_log_open(n->allocator, path, &reader, error))
        return false;
    const uint64_t hash = reader.head.config_hash;
    if (hash != config->hash) {
        ct_network_log_close(&reader);
        return ct_error_set(
            error,
            "the network log %s was written with another network_config (hash "
            "%016llx; this one has %016llx): replay it with the config of that time",
            path, (unsigned long long)hash, (unsigned long long)config->hash);
    }
    n->replay.is_on = true;
    n->replay.reader = reader;
    ct_log_info("network", "replays the network log %s", path);
    return true;
}

// Plays entries up to the next frame, or the end.
static void play_to_frame(struct ct_script_network *n) {
    ct_script_network_replay *const r = &n->replay;
    ct_network_log_entry entry;
    ct_error error;
    r->has_frame = false;
    while (ct_network_log_next(&r->reader, &entry, &error)) {
        if (entry.kind == CT_NETWORK_LOG_FRAME) {
            r->has_frame = true;
            r->frame_ns = entry.now_ns;
            r->step = entry.step_seconds;
            return;
        }
        if (ct_network_log_is_tap(&entry))
            ct_network_play(n->network, &entry.tap);
        else if (entry.kind == CT_NETWORK_LOG_NOTE &&
                 entry.tap.size > 0) // of the browser, or a tag of the game
            ct_network_lobby_list_read((const char *)entry.tap.bytes, entry.tap.size, &r->found);
    }
    if (error.message[0])
        ct_log_warning("network", "network_replay", "the replay ends early: %s", error.message);
}

void ct_script_network_begin_replay(struct ct_script_network *n) {
    play_to_frame(n);
}

void ct_script_network_replay_frame(struct ct_script_network *n, double step) {
    ct_script_network_replay *const r = &n->replay;
    if (!r->has_frame) {
        if (!r->has_said_end)
            ct_log_info("network", "the network log has ended; the game goes on without packets");
        r->has_said_end = true;
        n->now_ns += (uint64_t)llround(step * 1e9);
        return;
    }
    if (fabs(step - r->step) > 1e-9 && !r->has_said_step) {
        r->has_said_step = true;
        ct_log_warning("network", "network_replay_step",
                       "the game's step is %g s, and that of the network log %g s: what the game "
                       "does will differ; run it with the --fixed-dt of that run",
                       step, r->step);
    }
    if (r->frame_ns > n->now_ns) // a damaged log may go back
        n->now_ns = r->frame_ns;
    play_to_frame(n);
}
