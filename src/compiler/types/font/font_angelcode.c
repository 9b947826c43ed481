#include "compiler/types/font/font_angelcode.h"

bool ct_compile_font_angelcode(ct_compile *c, const ct_font_source *source) {
    return ct_compile_error(c, c->doc, source->source_value,
                            "AngelCode fonts cannot be compiled yet");
}
