// icu_data.c: the data that ICU finds in the program (../icu.cmake makes the file).
//
// ICU's own library of data has 31 MB and is not linked: this has its name.
#ifndef CT_ICU_DATA_FILE
#error "define CT_ICU_DATA_FILE, the path of the data"
#endif

__asm__(".section .rodata\n"
        ".balign 16\n"
        ".global icudt" CT_ICU_VERSION "_dat\n"
        ".hidden icudt" CT_ICU_VERSION "_dat\n"
        "icudt" CT_ICU_VERSION "_dat:\n"
        ".incbin \"" CT_ICU_DATA_FILE "\"\n"
        ".previous\n");
