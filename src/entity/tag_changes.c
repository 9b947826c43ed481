// Changes of tags, in one list that each follower reads with its own cursor.
#include "entity/tag_private.h"

#include "foundation/error.h"

// Drops all changes. Followers that have not read all of them start again.
static void drop_changes(ct_tag_manager *m) {
    for (uint32_t i = 0; i < m->num_followers; ++i) {
        m->followers[i].is_new |= m->followers[i].cursor < m->changes.count;
        m->followers[i].cursor = 0;
    }
    m->changes.count = 0;
}

void ct_tag_note_followed(ct_tag_manager *m, ct_entity e, ct_string_id32 tag, bool has) {
    if (m->changes.count == CT_TAG_MOST_CHANGES)
        drop_changes(m);
    ct_array_push(&m->changes, (ct_tag_change){e, tag, has});
}

bool ct_tag_reader_named(ct_tag_manager *m, ct_string_id32 name, ct_tag_reader *reader,
                         ct_error *error) {
    for (uint32_t i = 0; i < m->num_followers; ++i) {
        if (m->followers[i].name.value == name.value) {
            *reader = (ct_tag_reader){i};
            return true;
        }
    }
    if (m->num_followers == CT_TAG_MAX_READERS)
        return ct_error_set(error, "there are already %d tag readers, which is the maximum",
                            CT_TAG_MAX_READERS);
    *reader = (ct_tag_reader){m->num_followers};
    m->followers[m->num_followers++] =
        (ct_tag_follower){.name = name, .cursor = m->changes.count, .is_new = true};
    return true;
}

static ct_tag_follower *follower_of(ct_tag_manager *m, ct_tag_reader reader) {
    CT_ASSERT(reader.number < m->num_followers, "there is no reader %u", reader.number);
    return &m->followers[reader.number];
}

uint32_t ct_tag_most_changed(const ct_tag_manager *m, ct_tag_reader reader, ct_string_id32 tag) {
    const ct_tag_follower *const follower = follower_of((ct_tag_manager *)m, reader);
    if (!follower->is_new)
        return m->changes.count - follower->cursor;
    return m->records.items[ct_tag_number(m, tag)].entities.count; // none has none
}

ct_tag_changed_counts ct_tag_changed(ct_tag_manager *m, const ct_entity_manager *entities,
                                     ct_tag_reader reader, ct_string_id32 tag, ct_entity *gained,
                                     ct_entity *lost) {
    const ct_tag_follower *const follower = follower_of(m, reader);
    ct_tag_changed_counts counts = {.is_anew = follower->is_new};
    if (follower->is_new) {
        const ct_tag_query query = {.all = &tag, .num_all = 1};
        counts.num_gained = ct_tag_find(m, entities, &query, gained);
        return counts;
    }
    ct_hash_map_clear(&m->seen);
    for (uint32_t i = follower->cursor; i < m->changes.count; ++i) {
        const ct_tag_change change = m->changes.items[i];
        if (change.tag.value != tag.value || ct_hash_map_find(&m->seen, change.entity.id))
            continue;
        // The first change gives the state before it; the index has the current state.
        ct_hash_map_set(&m->seen, change.entity.id, 1);
        const bool has = ct_tag_has(m, change.entity, tag), had = !change.has;
        if (has && !had && ct_entity_is_alive(entities, change.entity))
            gained[counts.num_gained++] = change.entity;
        else if (had && !has)
            lost[counts.num_lost++] = change.entity;
    }
    return counts;
}

void ct_tag_clear_changes(ct_tag_manager *m, ct_tag_reader reader) {
    ct_tag_follower *const follower = follower_of(m, reader);
    follower->is_new = false;
    follower->cursor = m->changes.count;
    for (uint32_t i = 0; i < m->num_followers; ++i) {
        if (!m->followers[i].is_new && m->followers[i].cursor < m->changes.count)
            return;
    }
    drop_changes(m); // all followers have read everything
}
