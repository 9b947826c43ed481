// The rows of the area `entities`. What they do is in inspect_entities.h.
#include "dev/inspect/inspect_entities.h"
#include "dev/protocol/protocol_areas.h"

#define ENTITY_MEMBERS                                                                             \
    {"entity", "integer", "its number, which no later entity gets soon"},                          \
        {"name", "string?", "its debug name"}, {"resource", "string?", "of a unit: its resource"}, \
        {"level", "integer?", "the number of the level that spawned its unit"},                    \
        {"unit", "integer?", "of an entity inside a unit: the unit's"}, {                          \
        "parent", "integer?", "the entity to which its transform is linked"                        \
    }

static const ct_protocol_message messages[] = {
    {.type = "world_list",
     .summary = "lists the worlds of the game and their levels",
     .answer =
         CT_PROTOCOL_MEMBERS({"worlds", "WorldRow[]", "in the order in which they were made"}),
     .works_stopped = true,
     .run = ct_inspect_run_world_list},
    {.type = "entity_list",
     .summary = "lists units of a world by their numbers, ascending. For the next page, give "
                "`next` of the "
                "last one as `after`: a unit that lives all the while is in exactly one page",
     .members = CT_PROTOCOL_MEMBERS(
         {"world", "integer?", "its number from world_list; the first one without it"},
         {"after", "integer?", "the number after which to begin"},
         {"count", "integer?", "at most 10,000; 1,000 without it"},
         {"filter", "string?",
          "part of the name or the resource, in any case; other units are left out"},
         {"parts", "boolean?", "whether entities inside units are listed, too"}),
     .answer = CT_PROTOCOL_MEMBERS(
         {"world", "integer", "whose they are"}, {"total", "integer", "of all pages together, now"},
         {"next", "integer?", "for `after` of the next page; left out in the last one"},
         {"entities", "EntityRow[]", "of this page"}),
     .works_stopped = true,
     .run = ct_inspect_run_entity_list},
    {.type = "entity_changes",
     .summary = "lists the units of a world that came, changed or went since an earlier answer: a "
                "tool that "
                "watches a large world gets little. A change is another name or another parent",
     .members = CT_PROTOCOL_MEMBERS(
         {"world", "integer?", "its number from world_list; the first one without it"},
         {"since", "integer?", "`version` of the answer before; all units are listed without it"},
         {"count", "integer?", "of the units that are listed, at most 10,000; 2,500 without it"}),
     .answer = CT_PROTOCOL_MEMBERS(
         {"world", "integer", "whose they are"},
         {"version", "integer", "for `since` of the next message"},
         {"total", "integer", "how many units live in the world"},
         {"whole", "boolean",
          "true: this is the start of a list of all units; forget those from before"},
         {"more", "boolean", "true: there is more; ask again at once"},
         {"entities", "EntityRow[]", "that came or changed, as they are now"},
         {"gone", "integer[]", "the numbers of units that are gone"}),
     .works_stopped = true,
     .run = ct_inspect_run_entity_changes},
    {.type = "entity_components",
     .summary = "lists the components of an entity with the values of their fields",
     .members = CT_PROTOCOL_MEMBERS({"entity", "integer", "its number"},
                                    {"component", "string?", "only those of this type"}),
     .answer = CT_PROTOCOL_MEMBERS({"world", "integer", "in which it lives"}, ENTITY_MEMBERS,
                                   {"components", "EntityComponent[]", "type by type"}),
     .works_stopped = true,
     .run = ct_inspect_run_entity_components},
    {.type = "entity_set",
     .summary = "sets a field of a component to a value of its kind, as entity_components gives it",
     .members = CT_PROTOCOL_MEMBERS(
         {"entity", "integer", "its number"}, {"component", "string", "its type"},
         {"place", "integer?", "among those of its type, from 0; 0 without it"},
         {"field", "string", "its name; of data also a new one"},
         {"value", "any", "null takes a name, a reference or a key of data away"}),
     .answer = CT_PROTOCOL_MEMBERS(
         {"component", "EntityComponent", "as it is now: rotations are normalised, for example"}),
     .works_stopped = true,
     .run = ct_inspect_run_entity_set},
    {.type = "entity_pick",
     .summary =
         "finds what is at a point: of the game's picture, of a stream of frames, or as a camera "
         "sees it. Tests the triangles of visible meshes as they were modelled, and solid actors "
         "up to 10 km away",
     .members = CT_PROTOCOL_MEMBERS(
         {"x", "number", "from 0, left, to 1"}, {"y", "number", "from 0, top, to 1"},
         {"stream", "integer?", "a stream of this client, whose picture is meant"},
         {"camera", "integer?", "an entity whose first camera is meant"},
         {"aspect", "number?", "width by height of the camera's picture; 16 / 9 without it"}),
     .answer = CT_PROTOCOL_MEMBERS({"world", "integer", "that is seen there"},
                                   {"from", "number[]", "where the ray begins"},
                                   {"direction", "number[]", "of the ray, of length 1"},
                                   {"hits", "EntityHit[]", "the nearest first, at most 64"}),
     .run = ct_inspect_run_entity_pick},
    {.type = "entity_select",
     .summary =
         "outlines entities, with all that is in units, in place of those that this client "
         "selected before. "
         "Those without meshes get a cross of lines. Ends with the connection; no entities end it, "
         "too",
     .members = CT_PROTOCOL_MEMBERS(
         {"entities", "integer[]", "at most 1,000; those that have ended are left out"},
         {"color", "number[]?", "linear red, green and blue from 0 to 1; orange without it"}),
     .answer = CT_PROTOCOL_MEMBERS({"selected", "integer", "how many live"}),
     .run = ct_inspect_run_entity_select},
};

static const ct_protocol_shape shapes[] = {
    {"WorldRow", "a world",
     CT_PROTOCOL_MEMBERS({"world", "integer", "its number, which no later world gets"},
                         {"units", "integer", "how many live in it"},
                         {"seconds", "number", "of game time since it was made"},
                         {"levels", "LevelRow[]", "in the order in which they came"})},
    {"LevelRow", "a level of a world",
     CT_PROTOCOL_MEMBERS({"level", "integer", "its number"}, {"name", "string", "of its resource"},
                         {"units", "integer", "in its source"},
                         {"spawned", "boolean", "false while it is spawned gradually"})},
    {"EntityRow", "a unit, or an entity inside one", CT_PROTOCOL_MEMBERS(ENTITY_MEMBERS)},
    {"EntityHit", "an entity that a ray hits",
     CT_PROTOCOL_MEMBERS(ENTITY_MEMBERS, {"by", "\"mesh\"|\"physics\"", "what was hit"},
                         {"distance", "number", "metres from where the ray begins"},
                         {"position", "number[]", "of the point, in the world"},
                         {"normal", "number[]", "of the surface there"})},
    {"EntityComponent", "a component of an entity",
     CT_PROTOCOL_MEMBERS({"type", "string", "such as transform, or script for a behaviour"},
                         {"place", "integer", "among those of its type, from 0"},
                         {"id", "string?", "where an entity may have several"},
                         {"script", "string?", "of a behaviour"},
                         {"fields", "EntityField[]", "in the order of the component"})},
    {"EntityField", "a field of a component",
     CT_PROTOCOL_MEMBERS(
         {"name", "string", "of the field"},
         {"kind",
          "\"boolean\"|\"integer\"|\"number\"|\"vector2\"|\"vector3\"|\"vector4\"|\"quaternion\"|"
          "\"color\"|\"numbers\"|\"enum\"|\"text\"|\"name\"|\"names\"|\"reference\"|\"references\"|"
          "\"entity\"|\"nodes\"|\"value\"",
          "what the value is. Vectors, quaternions (x y z w) and colors (linear) are arrays of "
          "numbers; names and references are text or null"},
         {"can_set", "boolean", "whether entity_set may change it"},
         {"value", "any", "null also for numbers that are not finite"},
         {"unit", "string?", "such as m or rad"}, {"least", "number?", "of its range"},
         {"most", "number?", "of its range"}, {"choices", "string[]?", "of an enum"},
         {"resource_type", "string?", "of a reference"})},
};

const ct_protocol_area ct_entities_area = {
    .name = "entities",
    .summary = "Worlds, units and their components.",
    .messages = messages,
    .num_messages = CT_COUNT_OF(messages),
    .shapes = shapes,
    .num_shapes = CT_COUNT_OF(shapes),
};
