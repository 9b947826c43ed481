// sample.h: what tests and their plugins (sample.c) share.
#pragma once
#include <cuttle/types.h>

// What is wrong with a compiled sample.c. Numbers, for the preprocessor.
#define FAULT_NONE 0
#define FAULT_SEGV 1
#define FAULT_ABORT 2
#define FAULT_EXIT 3
#define FAULT_QUICK_EXIT 4
#define FAULT_FAIL 5
#define FAULT_FALSE 6
#define FAULT_SILENT 7
#define FAULT_NAME 8
#define FAULT_NO_INIT 9
#define FAULT_NO_EXPORT 10
#define FAULT_OTHER_VERSION 11
#define FAULT_MISSING_SYMBOL 12
#define FAULT_TWICE 13
#define FAULT_CHECK 14   // the kind refuses its addition when it is checked
#define FAULT_ADD 15     // … when it is added
#define FAULT_REPLACE 16 // … when it shall replace another
#define FAULT_MIGRATE 17
#define FAULT_KEEP 18 // its state keeps the address of a function
#define FAULT_LEAK 19

typedef struct sample_addition {
    int kind_fault;
    int (*number)(void);
} sample_addition;

#define SAMPLE_ADDER_API "adder"

// The interface of the test program.
typedef struct sample_adder_api_1 {
    bool (*add)(cuttle_plugin *self, const char *name, const sample_addition *addition,
                cuttle_error *error);
    void (*event)(const char *plugin, const char *what, int value);
} sample_adder_api_1;

// "number of NAME": the interface of each sample.
typedef struct sample_number_api_1 {
    int (*number)(void);
} sample_number_api_1;

typedef struct sample_state {
    int32_t num_updates;
    float speed;
    uint8_t address[8];
    int32_t added;
    int32_t migrated;
} sample_state;
