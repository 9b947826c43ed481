// Nodes of Input > Touch.
#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"
#include "foundation/math/math.h"

static const ct_touch_contacts none;

static const ct_touch_contacts *contacts_of(const ct_flow_call *c) {
    const ct_input *const in = c->world->system->input;
    return in ? ct_input_touches(in) : &none;
}

// Returns the contact of input 0; one of zeros when it has ended.
static ct_touch_contact contact_of(const ct_flow_call *c) {
    const ct_touch_contacts *const all = contacts_of(c);
    const double number = ct_flow_number(c, 0);
    const bool is_id = number > 0 && number <= UINT32_MAX;
    const ct_touch_contact *const contact =
        is_id ? ct_touch_find(all, (uint32_t)number) : ct_touch_oldest(all);
    return contact ? *contact : (ct_touch_contact){0};
}

static uint32_t get_count(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_flow_set_number(c, 0, contacts_of(c)->count);
    return CT_FLOW_STOP;
}

static uint32_t get_delta(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_vec2 delta = contact_of(c).delta;
    ct_flow_set_vector3(c, 0, ct_vec3_make(delta.x, delta.y, 0));
    return CT_FLOW_STOP;
}

static uint32_t get_position(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_vec2 at = contact_of(c).location;
    ct_flow_set_vector3(c, 0, ct_vec3_make(at.x, at.y, 0));
    return CT_FLOW_STOP;
}

static uint32_t get_pressure(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_flow_set_number(c, 0, (double)contact_of(c).pressure);
    return CT_FLOW_STOP;
}

static uint32_t is_primary(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_touch_contact *const oldest = ct_touch_oldest(contacts_of(c));
    ct_flow_set_bool(c, 0, oldest && oldest->id == contact_of(c).id);
    return CT_FLOW_STOP;
}

enum { PRESSED, RELEASED, HELD, MOVED, STATIONARY }; // events out

// Starts what follows from a contact. Returns false when the event is over.
static bool run_contact(ct_flow_call *c, const ct_touch_contact *contact) {
    ct_flow_set_number(c, 0, contact->id);
    if (contact->is_new && !ct_flow_fire(c, PRESSED))
        return false;
    if (contact->phase == CT_TOUCH_PHASE_ENDED)
        return ct_flow_fire(c, RELEASED);
    const bool has_moved = contact->delta.x != 0 || contact->delta.y != 0;
    return ct_flow_fire(c, HELD) && ct_flow_fire(c, has_moved ? MOVED : STATIONARY);
}

static uint32_t touch_contact(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_touch_contacts all = *contacts_of(c); // scripts may feed others
    for (uint32_t i = 0; i < all.count; ++i)
        if (!run_contact(c, &all.items[i]))
            break;
    return CT_FLOW_STOP;
}

static const ct_flow_function_row rows[] = {
    {"get_num_touch_contacts", get_count}, {"get_touch_delta_position", get_delta},
    {"get_touch_position", get_position},  {"get_touch_pressure", get_pressure},
    {"is_primary_touch", is_primary},      {"touch_contact", touch_contact},
};

const ct_flow_functions ct_flow_run_touch = {rows, CT_COUNT_OF(rows)};
