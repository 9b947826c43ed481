// compiler_types.h: the one table of what can be compiled.
//
// Built twice from one source: in cuttle-worker with the compile functions, in cuttle without them
// (NULL), so that the driver knows names and versions and links no import library.
#pragma once
#include "compiler/protocol/compile.h"

// Of the compile function of navigation, which takes tiles of its former output: also part of the
// hash of their input.
enum { CT_NAVIGATION_COMPILER_VERSION = 1 };

typedef struct ct_compiler_type {
    const char *name;              // of the resource type and the source's extension
    uint32_t version;              // of the compile function: raise it when its output changes
    uint64_t (*tables_hash)(void); // of tables that it reads; NULL: of none
    uint64_t schema_hash;          // of a plugin's type: of what reads its source; else 0
    bool needs_listing;            // sees the names of all resources; they are part of its key
    bool is_slow;                  // one may take long: each is asked for alone
    bool has_tables;               // the first one in a worker makes tables that the others use
    ct_compile_function function;  // NULL in the driver, and for types of plugins
} ct_compiler_type;

// Returns the engine's types and sets `count`. Constant. Those of plugins are the run's in the driver
// (compiler_run.h), and in a worker plugin/worker_plugins.h has them.
const ct_compiler_type *ct_compiler_types(uint32_t *count);

// Returns the engine's type of this name, or NULL.
const ct_compiler_type *ct_compiler_type_named(const char *name);

// The compile functions, one file each: `<type>_compiler.c`. Each appends to c->blob (and
// c->stream)
// the layout of its `<type>_resource.h`; docs/formats describes the sources. Each returns false
// after
// reporting why there is no blob.

// Compiles a clip of a model file for the joints of a skeleton.
bool ct_compile_animation(ct_compile *c);

// Compiles a tree of settings and other values.
bool ct_compile_config(ct_compile *c);

// Compiles values of render settings, which are checked against the render config.
bool ct_compile_environment(ct_compile *c);

// Compiles the nodes of a flow graph, with those of the graphs that it uses, to a program.
bool ct_compile_flow(ct_compile *c);

// Checks the nodes that the project writes in Lua, which graphs use.
bool ct_compile_flow_nodes(ct_compile *c);

// Compiles the glyphs of a font to pages of pictures.
bool ct_compile_font(ct_compile *c);

// Compiles the colours, fonts, sizes and times of widgets, with those of the themes it is based on.
bool ct_compile_gui_theme(ct_compile *c);

// Compiles the greys of a picture to heights on a grid.
bool ct_compile_height_field(ct_compile *c);

// Compiles the actions, bindings and controller mappings of a project.
bool ct_compile_input(ct_compile *c);

// Compiles the placed units of a level to one entity template.
bool ct_compile_level(ct_compile *c);

// Checks the syntax of a script and stores it, with references to the scripts that it requires when
// it is loaded.
bool ct_compile_lua(ct_compile *c);

// Compiles a material, whose parameters and textures are checked against its shader.
bool ct_compile_material(ct_compile *c);

// Compiles the triangles, levels of detail and shapes of a model file or of one of its nodes.
bool ct_compile_mesh(ct_compile *c);

// Compiles what agents can walk on in a level, in tiles: those whose input is as before are taken
// from the former blob.
bool ct_compile_navigation(ct_compile *c);

// Compiles the types, game objects and messages that peers send to each other.
bool ct_compile_network_config(ct_compile *c);

// Compiles a list of resources; wildcards are resolved by c->listing.
bool ct_compile_package(ct_compile *c);

// Compiles gravity, materials, collision filters and templates of actors.
bool ct_compile_particles(ct_compile *c);
bool ct_compile_physics(ct_compile *c);

// Compiles targets, layers, steps and settings, with those of the configs it inherits.
bool ct_compile_render_config(ct_compile *c);

// Compiles all variants of a shader to SPIR-V.
bool ct_compile_shader(ct_compile *c);

// Compiles the joints of a skeleton, parents first.
bool ct_compile_skeleton(ct_compile *c);

// Compiles a recording.
bool ct_compile_sound(ct_compile *c);

// Compiles the buses of a project and snapshots of their settings.
bool ct_compile_sound_bus(ct_compile *c);

// Compiles what plays when an event starts, and how it follows parameters.
bool ct_compile_sound_event(ct_compile *c);

// Compiles layers, states, transitions and expressions of a state machine.
bool ct_compile_state_machine(ct_compile *c);

// Compiles the texts of one language.
bool ct_compile_strings(ct_compile *c);

// Compiles images to the mips of a texture; the upper mips go to the stream.
bool ct_compile_texture(ct_compile *c);

// Compiles the components and children of a unit to an entity template.
bool ct_compile_unit(ct_compile *c);
