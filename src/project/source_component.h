// source_component.h: component types of plugins, as compilations depend on them.
//
// A unit that has a component of a plugin, or of an unknown type, has in its includes the path
// `component:wind` with a hash of the type's schema; 0: there is no such type. So it is compiled again
// when that changes, and not with each build of the plugin. Driver and workers share this.
#pragma once

#define CT_SOURCE_COMPONENT "component:"
