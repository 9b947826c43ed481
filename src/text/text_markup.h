// text_markup.h: text with tags to plain text and styles.
//
//     <color=#rrggbb>  <color=#rrggbbaa>   without alpha it stays as it is
//     <size=24>  <size=150%>               pixels; times the size around it
//     <font=fonts/title>                   the name of a font resource
//     <outline=2>  <outline=2 #000000>     pixels; a colour
//     <shadow=2,-2>  <shadow=2,-2,1 #00000080>   pixels right, up and of blur; a colour
//     <glow=3>  <glow=3 #ffcc00>           pixels; a colour
//     <u>  <s>                             underlined; struck through
//
// A tag ends with its name after a slash (</color>) or with </>, which ends the last one. What is
// still open ends with the text. &lt; &gt; and &amp; are the characters < > and &. A tag that is
// unknown, has a wrong value or ends another than the last is shown as it is, with one warning.
#pragma once
#include "foundation/container/array.h"
#include "foundation/string/string_builder.h"
#include "text/text.h"

enum {
    CT_TEXT_MAX_STYLES = 65535, // of a text
    CT_TEXT_MAX_TAGS = 64,      // open at the same time
};

// Where text of a style ends.
typedef struct ct_text_span {
    uint32_t end; // byte in the plain text
    uint16_t style;
} ct_text_span;

typedef CT_ARRAY(ct_text_style) ct_text_styles;
typedef CT_ARRAY(ct_text_span) ct_text_spans;

// Appends the plain text, and the styles and spans of it. `text` is valid UTF-8. `styles` has one,
// that of text without tags. The last span ends at UINT32_MAX.
void ct_text_read_markup(const uint8_t *text, uint32_t num_bytes, ct_byte_array *plain,
                         ct_text_styles *styles, ct_text_spans *spans);

// Appends a text so that markup shows it as it is.
void ct_text_escape(const char *text, uint32_t num_bytes, ct_string_builder *out);
