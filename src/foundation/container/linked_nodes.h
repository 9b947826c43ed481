// linked_nodes.h: many short linked lists in one array, the nodes of each near each other.
//
// A node is the caller's struct; its first member is `uint32_t next`, the place of the next node or
// 0. Place 0 is nil and never handed out, so a zeroed list head is an empty list. A new node gets
// the first free place after its predecessor, or after the place last handed out: nodes added one
// after the other lie one after the other. A bit for each place says whether it is taken. The array
// doubles (from 64) before it is seven eighths full; that moves the nodes, so keep places, not
// pointers. One thread.
// From "An Example in Data-Oriented Design: Sound Parameters" (Bitsquid blog, 2011-11-07).
#pragma once
#include "foundation/memory/allocator.h"

typedef struct ct_linked_nodes {
    char *items;
    uint64_t *taken; // a bit for each place, before the items in the same allocation
    uint32_t node_bytes;
    uint32_t capacity, num_taken; // place 0 included
    uint32_t last;                // handed out
    ct_allocator *allocator;
} ct_linked_nodes;

// The node at a place.
#define ct_linked_node(nodes, type, place) (&((type *)(void *)(nodes)->items)[(place)])

// Makes an array without nodes, of structs of `node_bytes` (a multiple of 4). Allocates nothing
// yet.
void ct_linked_nodes_init(ct_linked_nodes *nodes, ct_allocator *a, uint32_t node_bytes);

// Frees all nodes; the array is empty and usable afterwards.
void ct_linked_nodes_free(ct_linked_nodes *nodes);

// Adds a zeroed node behind the node `previous`, near it, and returns its place. With `previous` 0
// it is linked to nothing: the start of a list, near the node last added.
uint32_t ct_linked_nodes_add(ct_linked_nodes *nodes, uint32_t previous);

// Takes the node at `*link` out of its list and frees it: `*link` becomes its next. `link` is the
// head of the list or the `next` of a node.
void ct_linked_nodes_erase(ct_linked_nodes *nodes, uint32_t *link);

// Frees a whole list; `*head` becomes 0.
void ct_linked_nodes_erase_list(ct_linked_nodes *nodes, uint32_t *head);

// Whether there is a node at the place.
bool ct_linked_nodes_is_taken(const ct_linked_nodes *nodes, uint32_t place);
