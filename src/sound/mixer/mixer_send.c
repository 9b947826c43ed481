// Commands on their way to the mixer: into the queue, or, while that is full, into a list of voices
// from which they are sent later. What is said twice in the meantime is sent once.
#include "sound/mixer/mixer_private.h"

static ct_mixer_command command_of(const ct_mixer *m, uint32_t slot, uint32_t kind) {
    const ct_mixer_control *const c = &m->controls[slot];
    const bool has_source = c->stream != CT_MIXER_NO_STREAM || !c->wants_stream;
    ct_mixer_command command = {
        .kind = kind, .target = c->generation << CT_MIXER_SLOT_BITS | slot, .stream = c->stream};
    switch (kind) {
    case CT_MIXER_COMMAND_START:
        command.start = c->desc;
        command.start.is_real = c->desc.is_real && has_source;
        break;
    case CT_MIXER_COMMAND_PARAMS:
        command.params = c->desc.params;
        break;
    case CT_MIXER_COMMAND_REAL:
        command.flag = c->desc.is_real && has_source;
        break;
    case CT_MIXER_COMMAND_PAUSED:
        command.flag = c->desc.is_paused;
        break;
    case CT_MIXER_COMMAND_VOICE_BUS:
        command.position = c->desc.bus;
        break;
    default:
        command.stop = c->stop;
        break;
    }
    return command;
}

// Sends the unsent commands of a voice, in the order of their kinds.
static bool send_voice(ct_mixer *m, uint32_t slot) {
    ct_mixer_control *const c = &m->controls[slot];
    while (c->unsent) {
        const uint32_t kind = (uint32_t)__builtin_ctz(c->unsent);
        const ct_mixer_command command = command_of(m, slot, kind);
        if (!ct_mixer_queue_push(&m->commands, &command))
            return false;
        c->unsent &= (uint8_t)(c->unsent - 1);
    }
    return true;
}

static void add_to_list(ct_mixer *m, uint32_t slot) {
    ct_mixer_control *const c = &m->controls[slot];
    if (c->is_listed)
        return;
    c->is_listed = true;
    c->next = 0;
    c->previous = m->last_unsent;
    if (m->last_unsent)
        m->controls[m->last_unsent].next = slot;
    else
        m->first_unsent = slot;
    m->last_unsent = slot;
}

void ct_mixer_forget(ct_mixer *m, uint32_t slot) {
    ct_mixer_control *const c = &m->controls[slot];
    c->unsent = 0;
    if (!c->is_listed)
        return;
    c->is_listed = false;
    *(c->previous ? &m->controls[c->previous].next : &m->first_unsent) = c->next;
    *(c->next ? &m->controls[c->next].previous : &m->last_unsent) = c->previous;
}

static void count_dropped(ct_mixer *m) {
    atomic_fetch_add_explicit(&m->num_dropped, 1, memory_order_relaxed);
}

void ct_mixer_request(ct_mixer *m, uint32_t slot, ct_mixer_command_kind kind) {
    ct_mixer_control *const c = &m->controls[slot];
    // A start that was not sent takes along what was set later; only a stop comes after it.
    const bool is_in_start = (c->unsent & 1u << CT_MIXER_COMMAND_START) != 0;
    if (is_in_start && kind != CT_MIXER_COMMAND_STOP)
        return;
    c->unsent |= (uint8_t)(1u << kind);
    // Voices are started in the order of the calls: later ones may wait for earlier ones.
    if (!m->first_unsent && send_voice(m, slot))
        return;
    count_dropped(m);
    add_to_list(m, slot);
}

// --- Buses ---------------------------------------------------------------------------------------

static bool send_bus(ct_mixer *m, uint32_t bus) {
    const ct_mixer_command command = {
        .kind = CT_MIXER_COMMAND_BUS, .target = bus, .bus = m->bus_params[bus]};
    return ct_mixer_queue_push(&m->commands, &command);
}

static bool send_send(ct_mixer *m, uint32_t send) {
    const ct_mixer_command command = {
        .kind = CT_MIXER_COMMAND_BUS_SEND, .target = send, .gain = m->send_gains[send]};
    return ct_mixer_queue_push(&m->commands, &command);
}

void ct_mixer_request_bus(ct_mixer *m, uint32_t bus) {
    if (send_bus(m, bus)) {
        m->unsent_buses &= ~(1u << bus);
        return;
    }
    m->unsent_buses |= 1u << bus;
    count_dropped(m);
}

void ct_mixer_request_send(ct_mixer *m, uint32_t send) {
    if (send_send(m, send)) {
        m->unsent_sends &= ~((uint64_t)1 << send);
        return;
    }
    m->unsent_sends |= (uint64_t)1 << send;
    count_dropped(m);
}

bool ct_mixer_send(ct_mixer *m) {
    while (m->first_unsent) {
        const uint32_t slot = m->first_unsent;
        if (!send_voice(m, slot))
            return false;
        ct_mixer_forget(m, slot);
    }
    for (; m->unsent_buses; m->unsent_buses &= m->unsent_buses - 1)
        if (!send_bus(m, (uint32_t)__builtin_ctz(m->unsent_buses)))
            return false;
    for (; m->unsent_sends; m->unsent_sends &= m->unsent_sends - 1)
        if (!send_send(m, (uint32_t)__builtin_ctzll(m->unsent_sends)))
            return false;
    return true;
}

void ct_mixer_settle(ct_mixer *m) {
    while (!ct_mixer_send(m))
        ct_mixer_apply(m);
    ct_mixer_apply(m);
}
