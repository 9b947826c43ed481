#include "cli/size_text.h"

#include <stdio.h>

ct_size_text ct_size_text_of(uint64_t bytes) {
    ct_size_text size;
    if (bytes < 1000)
        snprintf(size.text, sizeof(size.text), "%u B", (uint32_t)bytes);
    else if (bytes < 1000000)
        snprintf(size.text, sizeof(size.text), "%.1f kB", (double)bytes / 1e3);
    else
        snprintf(size.text, sizeof(size.text), "%.1f MB", (double)bytes / 1e6);
    return size;
}
