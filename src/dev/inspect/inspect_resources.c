// The messages of the area `resources`: what is loaded, and what refers to it.
#include <stdlib.h>
#include <string.h>

#include "dev/protocol/protocol_areas.h"
#include "foundation/container/array.h"
#include "resource/load/resource_rows.h"

enum { DEFAULT_RESOURCES = 1000, MAX_RESOURCES = 10000, MAX_USERS = 1000 };

// --- resource_list -------------------------------------------------------------------------------

typedef CT_ARRAY(ct_resource_row) row_array;

typedef struct resource_list {
    row_array rows;
    const char *type, *filter; // NULL: all
} resource_list;

// Names in rows live only for the call of a visit where nothing knows them: these are looked up again.
static void collect(void *user, const ct_resource_row *row) {
    resource_list *const list = user;
    if (list->type && strcmp(row->type, list->type) != 0)
        return;
    if (list->filter && !strcasestr(row->name, list->filter))
        return;
    ct_resource_row kept = *row;
    if (row->name[0] == '#')
        kept.name = NULL;
    if (row->type[0] == '#')
        kept.type = "unknown";
    ct_array_push(&list->rows, kept);
}

static const char *shown_name(const ct_resource_row *row) {
    return row->name ? row->name : ct_string_id64_name(row->id.name);
}

static int compare(const void *a, const void *b) {
    const ct_resource_row *const x = a, *const y = b;
    const int by_type = strcmp(x->type, y->type);
    if (by_type != 0)
        return by_type;
    const int by_name = strcmp(x->name ? x->name : "", y->name ? y->name : "");
    if (by_name != 0)
        return by_name;
    return (x->id.name.value > y->id.name.value) - (x->id.name.value < y->id.name.value);
}

static void write_row(ct_sjson_writer *w, const ct_resource_row *row) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "resource_type", row->type);
    ct_sjson_member_string(w, "name", shown_name(row));
    ct_sjson_member_number(w, "bytes", row->data_bytes);
    ct_sjson_member_number(w, "stream_bytes", row->stream_bytes);
    ct_sjson_member_number(w, "holders", row->holders);
    ct_sjson_member_string(w, "state",
                           row->is_refused    ? "refused"
                           : row->is_online   ? "online"
                           : row->holders > 0 ? "loading"
                                              : "not loaded");
    if (row->is_made)
        ct_sjson_member_bool(w, "made", true);
    ct_sjson_end_object(w);
}

// Writes a sum for each type of the sorted rows.
static void write_types(ct_sjson_writer *w, const row_array *rows) {
    ct_sjson_write_key(w, "types");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0, next; i < rows->count; i = next) {
        uint64_t bytes = 0;
        for (next = i;
             next < rows->count && strcmp(rows->items[next].type, rows->items[i].type) == 0; ++next)
            bytes += (uint64_t)rows->items[next].data_bytes + rows->items[next].stream_bytes;
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "resource_type", rows->items[i].type);
        ct_sjson_member_number(w, "count", next - i);
        ct_sjson_member_number(w, "bytes", (double)bytes);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static bool run_resource_list(ct_console_request *r) {
    const uint32_t first = ct_console_whole(r, "first", UINT32_MAX, 0);
    const uint32_t count = ct_console_whole(r, "count", MAX_RESOURCES, DEFAULT_RESOURCES);
    resource_list list = {.type = ct_console_text(r, "resource_type"),
                          .filter = ct_console_text(r, "filter")};
    if (r->error.message[0])
        return false;
    ct_array_init(&list.rows, r->target->allocator);
    ct_resource_manager_each_held(ct_app_resources(r->target->app), collect, &list);
    if (list.rows.count)
        qsort(list.rows.items, list.rows.count, sizeof(ct_resource_row), compare);
    ct_sjson_member_number(&r->w, "total", list.rows.count);
    write_types(&r->w, &list.rows);
    ct_sjson_write_key(&r->w, "resources");
    ct_sjson_begin_array(&r->w);
    for (uint32_t i = first; i < list.rows.count && i - first < count; ++i)
        write_row(&r->w, &list.rows.items[i]);
    ct_sjson_end_array(&r->w);
    ct_array_free(&list.rows);
    return true;
}

// --- resource_users ------------------------------------------------------------------------------

typedef struct related_list {
    ct_sjson_writer *w;
    uint32_t count;
} related_list;

static void write_related(void *user, const ct_resource_row *row) {
    related_list *const list = user;
    if (list->count++ < MAX_USERS)
        write_row(list->w, row);
}

static void write_relation(ct_console_request *r, ct_resource_id id, const char *key,
                           const char *total_key, ct_resource_relation relation) {
    related_list list = {.w = &r->w};
    ct_sjson_write_key(&r->w, key);
    ct_sjson_begin_array(&r->w);
    ct_resource_manager_each_related(ct_app_resources(r->target->app), id, relation, write_related,
                                     &list);
    ct_sjson_end_array(&r->w);
    ct_sjson_member_number(&r->w, total_key, list.count);
}

static bool run_resource_users(ct_console_request *r) {
    const char *const type = ct_console_text(r, "resource_type");
    const char *const name = ct_console_text(r, "name");
    if (!type || !name)
        return ct_error_set(&r->error, "\"resource_type\" or \"name\" has a zero byte");
    ct_resource_id id = ct_resource_id_of(type, name);
    char *end = NULL;
    if (name[0] == '#' && strlen(name) == 17) // as it is listed where its name is not known
        id.name.value = strtoull(name + 1, &end, 16);
    if (!ct_resource_manager_knows(ct_app_resources(r->target->app), id))
        return ct_error_set(&r->error,
                            "there is no %.64s \"%.128s\"; resource_list has those that are loaded",
                            type, name);
    write_relation(r, id, "users", "num_users", CT_RESOURCE_RELATION_USER);
    write_relation(r, id, "uses", "num_uses", CT_RESOURCE_RELATION_USED);
    write_relation(r, id, "packages", "num_packages", CT_RESOURCE_RELATION_PACKAGE);
    return true;
}

// --- The area ------------------------------------------------------------------------------------

static const ct_protocol_message messages[] = {
    {.type = "resource_list",
     .summary = "lists the resources that are loaded, or being loaded, by type and name",
     .members = CT_PROTOCOL_MEMBERS({"resource_type", "string?", "only those of this type"},
                                    {"filter", "string?", "part of the name, in any case"},
                                    {"first", "integer?", "the place to begin with, from 0"},
                                    {"count", "integer?", "at most 10,000; 1,000 without it"}),
     .answer = CT_PROTOCOL_MEMBERS({"total", "integer", "of all pages together"},
                                   {"types", "ResourceType[]", "sums over all pages"},
                                   {"resources", "ResourceRow[]", "of this page"}),
     .run = run_resource_list},
    {.type = "resource_users",
     .summary =
         "lists what refers to a resource, what it refers to, and the packages that hold it; "
         "1,000 of each at most",
     .members = CT_PROTOCOL_MEMBERS({"resource_type", "string", "such as texture"},
                                    {"name", "string", "of the resource"}),
     .answer = CT_PROTOCOL_MEMBERS({"users", "ResourceRow[]", "what refers to it"},
                                   {"num_users", "integer", "how many there are"},
                                   {"uses", "ResourceRow[]", "what it refers to"},
                                   {"num_uses", "integer", "how many there are"},
                                   {"packages", "ResourceRow[]", "that hold it"},
                                   {"num_packages", "integer", "how many there are"}),
     .run = run_resource_users},
};

static const ct_protocol_shape shapes[] = {
    {"ResourceRow", "a resource",
     CT_PROTOCOL_MEMBERS(
         {"resource_type", "string", "such as texture"},
         {"name", "string", "or # and its number, where shipped data does not have it"},
         {"bytes", "integer", "of its data, by the catalog"},
         {"stream_bytes", "integer", "beside it, such as the large levels of a texture"},
         {"holders", "integer", "packages, and loads without one"},
         {"state", "\"online\"|\"loading\"|\"refused\"|\"not loaded\"", "what is known of it"},
         {"made", "boolean?", "true: the program has made it"})},
    {"ResourceType", "the resources of one type",
     CT_PROTOCOL_MEMBERS({"resource_type", "string", "such as texture"},
                         {"count", "integer", "of resources"},
                         {"bytes", "integer", "of data and streams"})},
};

const ct_protocol_area ct_resources_area = {
    .name = "resources",
    .summary = "What is loaded, and what refers to it.",
    .messages = messages,
    .num_messages = CT_COUNT_OF(messages),
    .shapes = shapes,
    .num_shapes = CT_COUNT_OF(shapes),
};
