#include "plugin/plugin_addition.h"

#include <stdio.h>
#include <string.h>

#include "foundation/log.h"
#include "plugin/plugin_private.h"

static ct_plugin_slot *find(const ct_plugin_host *host, const ct_plugin_kind *kind,
                            const char *name) {
    for (uint32_t i = 0; i < host->slots.count; ++i) {
        ct_plugin_slot *const slot = host->slots.items[i];
        if (slot->addition.kind == kind && strcmp(slot->addition.name, name) == 0)
            return slot;
    }
    return NULL;
}

static void erase(ct_plugin_host *host, uint32_t index) {
    ct_plugin_slot *const slot = host->slots.items[index];
    memmove(&host->slots.items[index], &host->slots.items[index + 1],
            sizeof(*host->slots.items) * (host->slots.count - index - 1));
    --host->slots.count;
    ct_free_sized(host->allocator, slot, sizeof(*slot));
}

// Takes an addition that is in the program out of it.
static void take_away(ct_plugin_slot *slot) {
    if (slot->is_in && slot->addition.kind->remove)
        slot->addition.kind->remove(&slot->addition);
    slot->is_in = false;
}

static bool check_name(const ct_plugin_kind *kind, const char *name, ct_error *error) {
    const size_t bytes = name ? strlen(name) : 0;
    return (bytes > 0 && bytes < CT_PLUGIN_ADDITION_NAME_BYTES) ||
           ct_error_set(error, "a %s needs a name of 1 to %d bytes; found %zu", kind->name,
                        CT_PLUGIN_ADDITION_NAME_BYTES - 1, bytes);
}

static ct_plugin_slot *make(ct_plugin *plugin, const ct_plugin_kind *kind, const char *name) {
    ct_plugin_slot *const slot = CT_NEW(plugin->host->allocator, ct_plugin_slot);
    *slot = (ct_plugin_slot){.addition = {.kind = kind, .plugin = plugin}};
    slot->addition.desc = slot->desc;
    slot->is_new = plugin->is_staging;
    snprintf(slot->addition.name, sizeof(slot->addition.name), "%s", name);
    return slot;
}

static bool check_free(const ct_plugin *plugin, const ct_plugin_slot *other, ct_error *error) {
    if (!other)
        return true;
    if (other->addition.plugin != plugin)
        return ct_error_set(error, "the %s \"%s\" is of the plugin \"%s\"",
                            other->addition.kind->name, other->addition.name,
                            other->addition.plugin->name);
    return (plugin->is_staging && !other->has_next) ||
           ct_error_set(error, "the %s \"%s\" was added before", other->addition.kind->name,
                        other->addition.name);
}

// Adds it at once when the plugin is running.
static bool add_now(ct_plugin_slot *slot, const void *desc, ct_error *error) {
    ct_plugin_addition *const a = &slot->addition;
    memcpy(slot->desc, desc, a->kind->desc_bytes);
    slot->is_in =
        (!a->kind->check || a->kind->check(a, error)) && (!a->kind->add || a->kind->add(a, error));
    return slot->is_in;
}

// A new description is checked as one that is alone: through a copy of the addition.
static bool stage(ct_plugin_slot *slot, const void *desc, ct_error *error) {
    memcpy(slot->next, desc, slot->addition.kind->desc_bytes);
    slot->has_next = true;
    ct_plugin_addition copy = slot->addition;
    copy.desc = slot->next;
    return !slot->addition.kind->check || slot->addition.kind->check(&copy, error);
}

static ct_plugin_slot *try_add(ct_plugin *plugin, const ct_plugin_kind *kind, const char *name,
                               const void *desc, ct_error *error) {
    ct_plugin_host *const host = plugin->host;
    if (!check_name(kind, name, error))
        return NULL;
    ct_plugin_slot *slot = find(host, kind, name);
    if (!check_free(plugin, slot, error))
        return NULL;
    if (!slot) {
        slot = make(plugin, kind, name);
        ct_array_push(&host->slots, slot);
    }
    if (plugin->is_staging ? stage(slot, desc, error) : add_now(slot, desc, error))
        return slot;
    slot->has_next = false;
    if (!slot->is_in) // it is the last: nothing was added since
        erase(host, host->slots.count - 1);
    return NULL;
}

ct_plugin_addition *ct_plugin_add(ct_plugin *plugin, const ct_plugin_kind *kind, const char *name,
                                  const void *desc, ct_error *error) {
    CT_ASSERT(kind->desc_bytes <= CT_PLUGIN_MAX_DESC_BYTES, "a %s has %u bytes", kind->name,
              kind->desc_bytes);
    ct_error own = {0};
    ct_plugin_slot *const slot = try_add(plugin, kind, name, desc, &own);
    if (!slot && error)
        *error = own;
    else if (!slot)
        ct_log_error("plugin", "plugin_addition_refused", "%s: %s", plugin->name, own.message);
    return slot ? &slot->addition : NULL;
}

ct_plugin_addition *ct_plugin_host_addition(const ct_plugin_host *host, const ct_plugin_kind *kind,
                                            const char *name) {
    ct_plugin_slot *const slot = find(host, kind, name);
    return slot && slot->is_in ? &slot->addition : NULL;
}

ct_plugin_addition *ct_plugin_host_next_addition(const ct_plugin_host *host,
                                                 const ct_plugin_kind *kind,
                                                 const ct_plugin_addition *a) {
    bool is_after = !a;
    for (uint32_t i = 0; i < host->slots.count; ++i) {
        ct_plugin_slot *const slot = host->slots.items[i];
        if (is_after && slot->is_in && slot->addition.kind == kind)
            return &slot->addition;
        is_after = is_after || &slot->addition == a;
    }
    return NULL;
}

// --- Transactions --------------------------------------------------------------------------------

bool ct_plugin_additions_check(ct_plugin *plugin, ct_error *error) {
    ct_plugin_host *const host = plugin->host;
    for (uint32_t i = 0; i < host->slots.count; ++i) {
        const ct_plugin_slot *const slot = host->slots.items[i];
        const ct_plugin_addition *const a = &slot->addition;
        ct_error why = {0};
        if (a->plugin != plugin || !slot->is_in)
            continue;
        if (slot->has_next && a->kind->can_replace && !a->kind->can_replace(a, slot->next, &why))
            return ct_error_set(error, "the %s \"%s\" cannot change while the game runs: %s",
                                a->kind->name, a->name, why.message);
        if (!slot->has_next && !a->kind->is_kept && a->kind->can_remove &&
            !a->kind->can_remove(a, &why))
            return ct_error_set(error, "the new library does not add the %s \"%s\" any more: %s",
                                a->kind->name, a->name, why.message);
    }
    return true;
}

bool ct_plugin_additions_add(ct_plugin *plugin, ct_error *error) {
    ct_plugin_host *const host = plugin->host;
    plugin->is_adding = true;
    for (uint32_t i = 0; i < host->slots.count; ++i) {
        ct_plugin_slot *const slot = host->slots.items[i];
        if (slot->addition.plugin != plugin || slot->is_in)
            continue;
        memcpy(slot->desc, slot->next, slot->addition.kind->desc_bytes);
        ct_error why = {0};
        slot->is_in = !slot->addition.kind->add || slot->addition.kind->add(&slot->addition, &why);
        if (!slot->is_in || plugin->crash.message[0])
            return ct_error_set(error, "the %s \"%s\": %s", slot->addition.kind->name,
                                slot->addition.name,
                                slot->is_in ? plugin->crash.message : why.message);
    }
    return true;
}

void ct_plugin_additions_commit(ct_plugin *plugin) {
    ct_plugin_host *const host = plugin->host;
    for (uint32_t i = host->slots.count; i > 0; --i) {
        ct_plugin_slot *const slot = host->slots.items[i - 1];
        if (slot->addition.plugin == plugin && !slot->has_next && !slot->addition.kind->is_kept) {
            take_away(slot);
            erase(host, i - 1);
        }
    }
    for (uint32_t i = 0; i < host->slots.count; ++i) {
        ct_plugin_slot *const slot = host->slots.items[i];
        if (slot->addition.plugin != plugin || !slot->has_next)
            continue;
        const bool is_replaced = !slot->is_new;
        memcpy(slot->desc, slot->next, slot->addition.kind->desc_bytes);
        slot->has_next = slot->is_new = false;
        if (is_replaced && slot->addition.kind->replaced)
            slot->addition.kind->replaced(&slot->addition);
    }
}

void ct_plugin_additions_drop(ct_plugin *plugin) {
    ct_plugin_host *const host = plugin->host;
    for (uint32_t i = host->slots.count; i > 0; --i) {
        ct_plugin_slot *const slot = host->slots.items[i - 1];
        if (slot->addition.plugin != plugin)
            continue;
        if (slot->is_new) {
            take_away(slot);
            erase(host, i - 1);
        } else {
            slot->has_next = false;
        }
    }
}

bool ct_plugin_additions_can_remove(const ct_plugin *plugin, ct_error *error) {
    const ct_plugin_host *const host = plugin->host;
    for (uint32_t i = 0; i < host->slots.count; ++i) {
        const ct_plugin_addition *const a = &host->slots.items[i]->addition;
        ct_error why = {0};
        if (a->plugin == plugin && a->kind->can_remove && !a->kind->can_remove(a, &why))
            return ct_error_set(error, "its %s \"%s\" cannot be taken away now: %s", a->kind->name,
                                a->name, why.message);
    }
    return true;
}

void ct_plugin_additions_end(ct_plugin *plugin) {
    const ct_plugin_host *const host = plugin->host;
    for (uint32_t i = host->slots.count; i > 0; --i) {
        ct_plugin_slot *const slot = host->slots.items[i - 1];
        const ct_plugin_kind *const kind = slot->addition.kind;
        if (slot->addition.plugin == plugin && slot->is_in && !slot->has_next && kind->ending)
            kind->ending(&slot->addition);
    }
}

void ct_plugin_additions_remove(ct_plugin *plugin) {
    ct_plugin_host *const host = plugin->host;
    for (uint32_t i = host->slots.count; i > 0; --i) {
        ct_plugin_slot *const slot = host->slots.items[i - 1];
        if (slot->addition.plugin != plugin)
            continue;
        take_away(slot);
        erase(host, i - 1);
    }
}

static bool holds_any(const ct_plugin_library *library, const void *data, uint32_t bytes) {
    for (uint32_t at = 0; at + sizeof(void *) <= bytes; at += sizeof(void *)) {
        const void *address;
        memcpy(&address, (const uint8_t *)data + at, sizeof(address));
        if (address && ct_plugin_library_holds(library, address))
            return true;
    }
    return false;
}

// Returns what of an addition has an address in a library; NULL: nothing.
static const char *part_in_library(const ct_plugin_addition *a, const ct_plugin_library *library) {
    const void *address;
    if (holds_any(library, a->desc, a->kind->desc_bytes))
        return "";
    for (uint32_t i = 0; a->kind->kept && a->kind->kept(a, i, &address); ++i)
        if (address && ct_plugin_library_holds(library, address))
            return "data of ";
    return NULL;
}

uint32_t ct_plugin_additions_in_library(const ct_plugin *plugin, const ct_plugin *owner,
                                        const ct_plugin_library *library) {
    const ct_plugin_host *const host = plugin->host;
    uint32_t count = 0;
    for (uint32_t i = 0; i < host->slots.count; ++i) {
        const ct_plugin_addition *const a = &host->slots.items[i]->addition;
        const char *const part = a->plugin == plugin ? part_in_library(a, library) : NULL;
        if (!part)
            continue;
        ct_log_error("plugin", "plugin_keeps_old",
                     "%s: %sthe %s \"%s\" still has an address in the old library of %s",
                     plugin->name, part, a->kind->name, a->name, owner->name);
        ++count;
    }
    return count;
}
