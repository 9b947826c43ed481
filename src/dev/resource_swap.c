#include "dev/resource_swap.h"

#include "foundation/container/array.h"
#include "foundation/log.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/string_id.h"

// How many of the resources that were swapped the log names.
static const uint32_t most_named = 4;

// What the update thread holds of resources while it swaps them; borrowed.
typedef CT_ARRAY(const void *) blob_pointer_array;

// Logs which resources were swapped: those of `changed` whose blob is another than `before` it.
static void log_swapped(ct_allocator *a, const ct_resource_manager *resources,
                        const ct_resource_id_array *changed, const blob_pointer_array *before) {
    ct_string_builder names;
    ct_string_builder_init(&names, a);
    uint32_t num_swapped = 0;
    for (uint32_t i = 0; i < changed->count; ++i) {
        const ct_resource_id id = changed->items[i];
        if (ct_resource_manager_get_id(resources, id) == before->items[i])
            continue;
        if (num_swapped++ < most_named)
            ct_string_builder_addf(&names, "%s%s.%s", num_swapped == 1 ? "" : ", ",
                                   ct_string_id64_name(id.name), ct_string_id64_name(id.type));
    }
    if (num_swapped > most_named)
        ct_log_info("reload", "reloaded %s and %u more", ct_string_builder_text(&names),
                    num_swapped - most_named);
    else
        ct_log_info("reload", "reloaded %s",
                    num_swapped != 0 ? ct_string_builder_text(&names) : "packages");
    ct_string_builder_free(&names);
}

uint32_t ct_resource_swap(ct_allocator *a, ct_resource_manager *resources,
                          const ct_resource_id_array *changed) {
    blob_pointer_array before;
    ct_array_init(&before, a);
    for (uint32_t i = 0; i < changed->count; ++i)
        ct_array_push(&before, ct_resource_manager_get_id(resources, changed->items[i]));
    const uint32_t num_swapped =
        ct_resource_manager_reload(resources, changed->items, changed->count);
    if (num_swapped != 0)
        log_swapped(a, resources, changed, &before);
    ct_array_free(&before);
    return num_swapped;
}
