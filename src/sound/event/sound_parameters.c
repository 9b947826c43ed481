#include "sound/event/sound_parameters.h"

void ct_sound_parameters_init(ct_sound_parameters *p, ct_allocator *a) {
    ct_linked_nodes_init(&p->nodes, a, sizeof(ct_sound_parameter));
}

void ct_sound_parameters_free(ct_sound_parameters *p) {
    ct_linked_nodes_free(&p->nodes);
}

void ct_sound_parameter_set_value(ct_sound_parameters *p, ct_sound_parameter_set *set,
                                  ct_string_id32 key, ct_sound_parameter_value value) {
    uint32_t last = 0;
    for (uint32_t place = set->first; place > 0;) {
        ct_sound_parameter *const node = ct_linked_node(&p->nodes, ct_sound_parameter, place);
        if (node->key.value == key.value) {
            node->value = value;
            return;
        }
        last = place;
        place = node->next;
    }
    const uint32_t place = ct_linked_nodes_add(&p->nodes, last);
    ct_sound_parameter *const node = ct_linked_node(&p->nodes, ct_sound_parameter, place);
    node->key = key;
    node->value = value;
    if (last == 0)
        set->first = place;
}

const ct_sound_parameter *ct_sound_parameter_find(const ct_sound_parameters *p,
                                                  ct_sound_parameter_set set, ct_string_id32 key) {
    for (uint32_t place = set.first; place > 0;) {
        const ct_sound_parameter *const node = ct_linked_node(&p->nodes, ct_sound_parameter, place);
        if (node->key.value == key.value)
            return node;
        place = node->next;
    }
    return NULL;
}

void ct_sound_parameter_clear(ct_sound_parameters *p, ct_sound_parameter_set *set) {
    ct_linked_nodes_erase_list(&p->nodes, &set->first);
}
