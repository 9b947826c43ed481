// icu_shared.c: what libicuuc.a takes from the C library in a way that only programs can, for libcuttle.
//
// ICU reads these variables of <time.h> for its time zones, which the engine does not use. A library
// cannot reach those of the C library without position independent code, which libicuuc.a is not.
extern long hidden_timezone __asm__("__timezone") __attribute__((visibility("hidden")));
extern char *hidden_tzname[2] __asm__("tzname") __attribute__((visibility("hidden")));

long hidden_timezone;
char *hidden_tzname[2];
