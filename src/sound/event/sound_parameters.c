#include "sound/event/sound_parameters.h"

void ct_sound_parameters_init(ct_sound_parameters *p, ct_allocator *a) {
    ct_linked_nodes_init(&p->nodes, a, sizeof(ct_sound_parameter));
}

void ct_sound_parameters_free(ct_sound_parameters *p) {
    ct_linked_nodes_free(&p->nodes);
}

void ct_sound_parameter_add(ct_sound_parameters *p, ct_sound_parameter_set *set, uint32_t last,
                            ct_string_id32 key, ct_sound_parameter_value value) {
    const uint32_t place = ct_linked_nodes_add(&p->nodes, last);
    ct_sound_parameter *const node = ct_linked_node(&p->nodes, ct_sound_parameter, place);
    node->key = key;
    node->value = value;
    if (last == 0)
        set->first = place;
}

void ct_sound_parameter_clear(ct_sound_parameters *p, ct_sound_parameter_set *set) {
    ct_linked_nodes_erase_list(&p->nodes, &set->first);
}
