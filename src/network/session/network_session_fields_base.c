// Fields, sending: what words are written against: those that arrived last, moved on from older ones.
//
// The receiver keeps the base that was used last and the last CT_NETWORK_HISTORY words of each
// object. So what was acknowledged becomes the base unless it was sent as often since, and the same
// holds for the older words. What was sent is kept once for all streams; a stream knows which of it
// arrived, and its times.
#include <string.h>

#include "network/session/network_session_fields_private.h"

// --- What was sent -------------------------------------------------------------------------------

static uint32_t take_kept(ct_network_session_rows *rows) {
    uint32_t kept;
    if (rows->free_kept.count > 0) {
        kept = rows->free_kept.items[--rows->free_kept.count];
    } else {
        kept = rows->num_kept++;
        ct_array_resize(&rows->kept_words,
                        rows->num_kept * CT_NETWORK_KEPT * (uint64_t)rows->num_words);
        ct_array_push(&rows->kept_counts, 0);
        ct_array_push(&rows->kept_versions, 0);
    }
    rows->kept_versions.items[kept] = 0;
    return kept;
}

static uint32_t *kept_words(const ct_network_session_rows *rows, uint32_t kept, uint32_t count) {
    return rows->kept_words.items +
           ((uint64_t)kept * CT_NETWORK_KEPT + count % CT_NETWORK_KEPT) * rows->num_words;
}

uint32_t ct_network_fields_keep(ct_network_session *s, uint32_t place, const uint32_t *words) {
    ct_network_session_object *const o = &s->objects.items.items[place];
    ct_network_session_rows *const rows = &s->objects.rows[o->type];
    if (!rows->moves)
        return UINT32_MAX;
    if (o->kept == UINT32_MAX)
        o->kept = take_kept(rows);
    uint32_t *const count = &rows->kept_counts.items[o->kept];
    if (rows->kept_versions.items[o->kept] != s->objects.versions.items[place]) {
        rows->kept_versions.items[o->kept] = s->objects.versions.items[place];
        memcpy(kept_words(rows, o->kept, (*count)++), words, sizeof(uint32_t) * rows->num_words);
    }
    return *count - 1;
}

// --- What arrived --------------------------------------------------------------------------------

static ct_network_acked *acked_of(const ct_network_stream *stream,
                                  const ct_network_session_object *o, uint32_t count) {
    return &stream->acked[o->type].items[o->row * CT_NETWORK_ACKED + count % CT_NETWORK_ACKED];
}

void ct_network_fields_arrived(ct_network_session *s, ct_network_stream *stream, uint32_t place,
                               uint32_t number, const ct_network_sent_entry *e) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    ct_network_sent_object *const sent = &stream->objects.items[place];
    sent->base = number;
    if (s->objects.rows[o->type].moves)
        *acked_of(stream, o, sent->num_acked++) = (ct_network_acked){
            .number = number, .kept = e->kept, .time = e->time, .num_sends = e->num_sends};
}

// --- What to write against -----------------------------------------------------------------------

// The words that arrived about half as long before the base as that is before `time`: the longer
// they are before it, the less rounding there is in the motion, and the more the motion has changed.
static void find_older(const ct_network_session *s, const ct_network_stream *stream, uint32_t place,
                       uint32_t time, ct_network_source *source) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const ct_network_sent_object *const sent = &stream->objects.items[place];
    const uint32_t wanted = (time - source->base.time) / 2;
    const uint32_t num_kept = s->objects.rows[o->type].kept_counts.items[o->kept];
    for (uint32_t back = 2; back <= CT_NETWORK_ACKED && back <= sent->num_acked; ++back) {
        const ct_network_acked *const older = acked_of(stream, o, sent->num_acked - back);
        const uint32_t gap = source->base.time - older->time;
        if (gap > CT_NETWORK_MOST_MOVED ||
            source->base.number - older->number >= CT_NETWORK_MOST_BACK ||
            num_kept - older->kept > CT_NETWORK_KEPT ||
            sent->num_sends - older->num_sends >= CT_NETWORK_HISTORY)
            return;
        if (gap > 0)
            source->older = *older;
        if (gap >= wanted && gap > 0)
            return;
    }
}

ct_network_source ct_network_fields_source(const ct_network_session *s,
                                           const ct_network_stream *stream, uint32_t place,
                                           uint32_t time) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const ct_network_sent_object *const sent = &stream->objects.items[place];
    ct_network_source source = {.base.number = sent->base};
    if (sent->base == 0 || !s->objects.rows[o->type].moves || o->kept == UINT32_MAX)
        return source;
    source.base = *acked_of(stream, o, sent->num_acked - 1);
    if (time - source.base.time <= CT_NETWORK_MOST_MOVED &&
        stream->next_number - sent->base < CT_NETWORK_MOST_BACK)
        find_older(s, stream, place, time, &source);
    return source;
}

const uint32_t *ct_network_fields_base(ct_network_session *s, const ct_network_stream *stream,
                                       uint32_t place, const ct_network_source *source,
                                       uint32_t time) {
    const ct_network_session_object *const o = &s->objects.items.items[place];
    const ct_network_session_rows *const rows = &s->objects.rows[o->type];
    const uint32_t *const base =
        stream->base_words[o->type].items + (uint64_t)o->row * rows->num_words;
    if (source->older.number == 0)
        return base;
    ct_network_record_extrapolate(
        s->desc.config, &s->types[o->type], kept_words(rows, o->kept, source->older.kept),
        source->base.time - source->older.time, base, time - source->base.time, s->predicted);
    return s->predicted;
}
