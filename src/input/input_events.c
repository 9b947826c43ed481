#include "input/input_events.h"

#include <string.h>

#include "foundation/log.h"
#include "foundation/string/utf8.h"

static const char *const names[CT_NUM_INPUT_EVENT_KINDS] = {
    NULL,      "pressed",     "released",    "axis",        "keystroke", "text",
    "editing", "touch_began", "touch_moved", "touch_ended", "connected", "disconnected",
};

const char *ct_input_event_kind_name(ct_input_event_kind kind) {
    return kind < CT_NUM_INPUT_EVENT_KINDS ? names[kind] : NULL;
}

ct_input_event_kind ct_input_event_kind_named(const char *name) {
    for (uint32_t i = 1; i < CT_NUM_INPUT_EVENT_KINDS; ++i) {
        if (strcmp(names[i], name) == 0)
            return (ct_input_event_kind)i;
    }
    return CT_INPUT_EVENT_KIND_NONE;
}

void ct_input_events_clear(ct_input_events *events) {
    events->count = events->num_dropped = events->text_bytes = 0;
}

static void drop(ct_input_events *events) {
    if (events->num_dropped++ == 0)
        ct_log_warning("input", "input_flood",
                       "more than %d events or %d bytes of text in one frame; the list of events "
                       "leaves out the rest",
                       (int)CT_INPUT_MAX_EVENTS, (int)CT_INPUT_MAX_TEXT_BYTES);
}

void ct_input_events_add(ct_input_events *events, const ct_input_event *event) {
    const size_t bytes = event->text ? strlen(event->text) + 1 : 0;
    if (bytes != 0 && !ct_utf8_is_valid(event->text, bytes - 1))
        return;
    if (events->count == CT_INPUT_MAX_EVENTS ||
        bytes > CT_INPUT_MAX_TEXT_BYTES - events->text_bytes) {
        drop(events);
        return;
    }
    ct_input_event *const added = &events->items[events->count];
    *added = *event;
    if (events->count != 0 && added->time_ns < added[-1].time_ns)
        added->time_ns = added[-1].time_ns;
    if (bytes != 0) {
        added->text = memcpy(events->text + events->text_bytes, event->text, bytes);
        events->text_bytes += (uint32_t)bytes;
    }
    ++events->count;
}
