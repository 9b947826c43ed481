// font_angelcode.h: fonts from AngelCode files (.fnt).
#pragma once
#include "compiler/protocol/compile.h"
#include "resource/types/font_resource.h"

// Compiles the AngelCode font that `source` names. Returns false after reporting why there is no
// blob.
bool ct_compile_font_angelcode(ct_compile *c, const ct_font_source *source);
