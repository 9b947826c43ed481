// The messages of the area `statistics`.
#include "dev/inspect/inspect_statistics.h"

#include <string.h>

#include "dev/protocol/protocol_areas.h"
#include "resource/schema/schema.h"

enum { MAX_TABLES = 64 };

static void write_table(ct_console_request *r, const ct_inspect_table *table) {
    ct_sjson_writer *const w = &r->w;
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", table->name);
    ct_sjson_member_string(w, "summary", table->summary);
    ct_sjson_write_key(w, "columns");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; table->columns[i]; ++i)
        ct_sjson_write_string(w, table->columns[i]);
    ct_sjson_end_array(w);
    ct_sjson_write_key(w, "rows");
    ct_sjson_begin_array(w);
    table->write(r);
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

static const ct_inspect_table *table_named(const char *name) {
    for (uint32_t i = 0; name && i < ct_inspect_num_tables; ++i) {
        if (strcmp(ct_inspect_tables[i].name, name) == 0)
            return &ct_inspect_tables[i];
    }
    return NULL;
}

static bool refuse_name(ct_console_request *r, const char *name) {
    const char *names[MAX_TABLES];
    uint32_t count = 0;
    for (; count < ct_inspect_num_tables && count < MAX_TABLES; ++count)
        names[count] = ct_inspect_tables[count].name;
    const char *const nearest = name ? ct_nearest_name(name, names, count) : NULL;
    return ct_error_set(&r->error, "there are no statistics \"%.64s\"%s%s%s", name ? name : "",
                        nearest ? "; did you mean \"" : "; without names, all are listed",
                        nearest ? nearest : "", nearest ? "\"?" : "");
}

static bool run_statistics(ct_console_request *r) {
    const ct_sjson_value names = ct_sjson_find(r->doc, r->root, "names");
    ct_sjson_value item = ct_sjson_first(r->doc, names);
    if (ct_sjson_count(r->doc, names) > MAX_TABLES)
        return ct_error_set(&r->error, "\"names\" has %u names; expected at most %d",
                            ct_sjson_count(r->doc, names), (int)MAX_TABLES);
    ct_sjson_write_key(&r->w, "tables");
    ct_sjson_begin_array(&r->w);
    for (uint32_t i = 0; names.entry == 0 && i < ct_inspect_num_tables; ++i)
        write_table(r, &ct_inspect_tables[i]);
    for (; item.entry != 0; item = ct_sjson_next(r->doc, item)) {
        const char *const name = ct_console_name(r, item);
        const ct_inspect_table *const table = table_named(name);
        if (!table)
            return refuse_name(r, name);
        write_table(r, table);
    }
    ct_sjson_end_array(&r->w);
    return true;
}

static const ct_protocol_message messages[] = {
    {.type = "statistics",
     .summary = "lists figures of the systems as tables: frame, render, tasks, worlds, physics, "
                "particles, "
                "particle_effects, navigation, navigation_agents, scripts, sound, sound_buses, "
                "sound_playing",
     .members = CT_PROTOCOL_MEMBERS({"names", "string[]?", "of the tables; all without it"}),
     .answer = CT_PROTOCOL_MEMBERS({"tables", "StatisticsTable[]", "in the order of the names"}),
     .run = run_statistics},
};

static const ct_protocol_shape shapes[] = {
    {"StatisticsTable", "a table of figures",
     CT_PROTOCOL_MEMBERS({"name", "string", "of the table"},
                         {"summary", "string", "what is in it, and in which units"},
                         {"columns", "string[]", "their names"},
                         {"rows", "any[][]", "a value for each column; at most 1,000 rows"})},
};

const ct_protocol_area ct_statistics_area = {
    .name = "statistics",
    .summary = "Live figures of the systems.",
    .messages = messages,
    .num_messages = CT_COUNT_OF(messages),
    .shapes = shapes,
    .num_shapes = CT_COUNT_OF(shapes),
};
