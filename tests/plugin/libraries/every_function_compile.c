// every_function_compile.c: the compiler's worker.
#include "every_function.h"

// What compile functions call.
bool compile_every(cuttle_plugin *self, cuttle_compile *c, const void *source) {
    (void)self, (void)source;
    const cuttle_value nothing = {NULL, 0}, root = compiler->root(c);
    uint64_t size;
    thing read;
    bool is_good = strcmp(compiler->name(c), "every/a") == 0 &&
                   strcmp(compiler->path(c), "every/a.every") == 0 && compiler->platform(c)[0] &&
                   compiler->type(root) == CUTTLE_VALUE_OBJECT;
    is_good = is_good &&
              compiler->read_schema(c, &thing_schema, compiler->find(root, "thing"), &read) &&
              read.number == 7;
    is_good = is_good && compiler->boolean(compiler->find(root, "yes"), false) &&
              !compiler->boolean(nothing, false);
    is_good = is_good && compiler->number(nothing, 3) == 3 && compiler->count(root) == 3;
    const bool fails = compiler->find(root, "fail").document != NULL;
    is_good = is_good &&
              strcmp(compiler->text(compiler->find(root, "name"), ""), fails ? "" : "text") == 0;
    is_good = is_good && !compiler->find(nothing, "x").document && compiler->count(nothing) == 0;
    is_good = is_good && compiler->key(compiler->next(compiler->first(root))) &&
              !compiler->first(nothing).document;
    is_good = is_good && compiler->read(c, "every/a.every", &size, nothing) &&
              !compiler->find_file(c, "every/b.txt", &size);
    is_good = is_good && compiler->read_source(c, "every/a.every", root).document;
    is_good = is_good && compiler->setting(c, "boot_script").document &&
              !compiler->setting(c, "not.there").document;
    compiler->reference(c, "unit", "units/cube", root);
    compiler->warning(c, root, "%s", "every function in a worker");
    memset(compiler->allocate(c, 100), 1, 100);
    is_good = is_good && compiler->write(c, &read, sizeof(read), 4) == 0 &&
              compiler->write(c, NULL, 8, 16) == 16;
    is_good = is_good && compiler->patch(c, 16, &read, sizeof(read));
    if (is_good && fails) {
        compiler->error(c, root, "%s", "an error");
        compiler->error_at(c, NULL, 1, 2, "%s", "an error");
        compiler->patch(c, 0xffffffff, &read, 0xffffffff);
        compiler->write(c, &read, 1, 3);
    }
    return is_good || compiler->error(c, root, "something is wrong");
}
