// headers.h: what the plugin uses, for bindgen.
#include <cuttle/lua.h>
#include <cuttle/plugin.h>
