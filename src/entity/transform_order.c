// The order of instances in the arrays: over time, each comes after the previous one in its tree.
#include "entity/transform_private.h"

static void redirect_children(ct_transform_manager *m, const ct_transform_links *links,
                              uint32_t to) {
    for (uint32_t child = links->first_child; child; child = m->links[child].next_sibling)
        m->links[child].parent = to;
}

static void redirect_others(ct_transform_manager *m, const ct_transform_links *links,
                            uint32_t previous_sibling, uint32_t to) {
    if (previous_sibling)
        m->links[previous_sibling].next_sibling = to;
    else if (links->parent)
        m->links[links->parent].first_child = to;
    if (links->next_sibling)
        m->back_links[links->next_sibling].previous_sibling = to;
    else if (links->parent)
        m->back_links[links->parent].last_child = to;
}

// Swaps two instances. A reference to one may belong to the other, so references are written in
// their old places, by their old values.
static void swap(ct_transform_manager *m, uint32_t a, uint32_t b) {
    if (m->change[a])
        m->changes.items[m->change[a] - 1] = b;
    if (m->change[b])
        m->changes.items[m->change[b] - 1] = a;
    const ct_transform_links links_a = m->links[a], links_b = m->links[b];
    const uint32_t previous_a = m->back_links[a].previous_sibling;
    const uint32_t previous_b = m->back_links[b].previous_sibling;
    redirect_children(m, &links_a, b); // while siblings still know each other
    redirect_children(m, &links_b, a);
    redirect_others(m, &links_a, previous_a, b);
    redirect_others(m, &links_b, previous_b, a);
    ct_instance_table_swap(&m->table, a, b);
}

// The instance after `i` in its tree, which goes into the depth first; 0 at the end.
static uint32_t next_in_tree(const ct_transform_links *links, uint32_t i) {
    if (links[i].first_child)
        return links[i].first_child;
    while (i && !links[i].next_sibling)
        i = links[i].parent;
    return links[i].next_sibling;
}

// The root above `i`; 0 when it is further away than `looks`, which are counted down.
static uint32_t root_above(const ct_transform_links *links, uint32_t i, uint32_t *looks) {
    while (links[i].parent && *looks > 0) {
        i = links[i].parent;
        --*looks;
    }
    return links[i].parent ? 0 : i;
}

void ct_transform_tidy(ct_transform_manager *m, uint32_t most_looks, uint32_t most_swaps) {
    const uint32_t count = ct_instance_table_count(&m->table);
    const uint32_t all_looks = most_looks < count ? most_looks : count;
    uint32_t looks = all_looks, num_swaps = 0;
    while (looks > 0 && num_swaps < most_swaps) {
        const bool is_first = looks == all_looks;
        const uint32_t place = m->num_tidy < count ? m->num_tidy + 1 : 1;
        uint32_t wanted = place > 1 ? next_in_tree(m->links, place - 1) : 0;
        --looks;
        if (wanted == 0)
            wanted = root_above(m->links, place, &looks);
        if (wanted == 0 && !is_first)
            return;           // the next call has all its looks for the way up
        if (wanted > place) { // below: trees changed since this round went by
            swap(m, place, wanted);
            ++num_swaps;
        }
        m->num_tidy = place;
    }
}
