#include "input/touch_contacts.h"

#include <math.h>

void ct_touch_begin_frame(ct_touch_contacts *contacts) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < contacts->count; ++i) {
        ct_touch_contact contact = contacts->items[i];
        if (contact.phase == CT_TOUCH_PHASE_ENDED)
            continue;
        contact.phase = CT_TOUCH_PHASE_RESTING;
        contact.is_new = false;
        contact.delta = (ct_vec2){.x = 0, .y = 0};
        contacts->items[count++] = contact;
    }
    contacts->count = count;
}

// The living contact of a finger, or NULL.
static ct_touch_contact *find_finger(ct_touch_contacts *contacts, uint64_t finger) {
    for (uint32_t i = 0; i < contacts->count; ++i) {
        ct_touch_contact *const contact = &contacts->items[i];
        if (contact->finger == finger && contact->phase != CT_TOUCH_PHASE_ENDED)
            return contact;
    }
    return NULL;
}

static float clamp_pressure(float pressure) {
    return isfinite(pressure) ? fminf(fmaxf(pressure, 0.0f), 1.0f) : 0.0f;
}

static void move(ct_touch_contact *contact, ct_vec2 location) {
    contact->delta.x += location.x - contact->location.x;
    contact->delta.y += location.y - contact->location.y;
    contact->location = location;
}

uint32_t ct_touch_begin(ct_touch_contacts *contacts, uint64_t finger, ct_vec2 location,
                        float pressure) {
    if (!isfinite(location.x) || !isfinite(location.y) || find_finger(contacts, finger) ||
        contacts->count == CT_TOUCH_MAX_CONTACTS)
        return 0;
    contacts->last_id = contacts->last_id == UINT32_MAX ? 1 : contacts->last_id + 1;
    contacts->items[contacts->count++] = (ct_touch_contact){.id = contacts->last_id,
                                                            .finger = finger,
                                                            .location = location,
                                                            .pressure = clamp_pressure(pressure),
                                                            .phase = CT_TOUCH_PHASE_BEGAN,
                                                            .is_new = true};
    return contacts->last_id;
}

uint32_t ct_touch_move(ct_touch_contacts *contacts, uint64_t finger, ct_vec2 location,
                       float pressure) {
    ct_touch_contact *const contact = find_finger(contacts, finger);
    if (!contact || !isfinite(location.x) || !isfinite(location.y))
        return 0;
    move(contact, location);
    contact->pressure = clamp_pressure(pressure);
    contact->phase = contact->is_new ? CT_TOUCH_PHASE_BEGAN : CT_TOUCH_PHASE_MOVED;
    return contact->id;
}

uint32_t ct_touch_end(ct_touch_contacts *contacts, uint64_t finger, ct_vec2 location) {
    ct_touch_contact *const contact = find_finger(contacts, finger);
    if (!contact)
        return 0;
    if (isfinite(location.x) && isfinite(location.y))
        move(contact, location);
    contact->phase = CT_TOUCH_PHASE_ENDED;
    return contact->id;
}

const ct_touch_contact *ct_touch_find(const ct_touch_contacts *contacts, uint32_t id) {
    for (uint32_t i = 0; i < contacts->count; ++i) {
        if (contacts->items[i].id == id)
            return &contacts->items[i];
    }
    return NULL;
}

const ct_touch_contact *ct_touch_oldest(const ct_touch_contacts *contacts) {
    for (uint32_t i = 0; i < contacts->count; ++i) {
        if (contacts->items[i].phase != CT_TOUCH_PHASE_ENDED)
            return &contacts->items[i];
    }
    return NULL;
}

const char *ct_touch_phase_name(ct_touch_phase phase) {
    static const char *const names[CT_NUM_TOUCH_PHASES] = {"resting", "began", "moved", "ended"};
    return phase < CT_NUM_TOUCH_PHASES ? names[phase] : NULL;
}
