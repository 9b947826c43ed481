#include "script/save/script_saves.h"

#include "foundation/error.h"
#include "script/app/script_user_folder.h"
#include "script/save/script_save_picture.h"

ct_script_saves *ct_script_saves_of(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    char folder[CT_PATH_BYTES], game[CT_PATH_BYTES];
    if (s->saves)
        return s->saves;
    ct_script_project_name(s, game);
    if (!ct_script_user_folder(folder, game) || !ct_path_try_join(folder, folder, "saves"))
        ct_function_error(L, "cannot find a folder for this user's files: HOME is not set");
    ct_allocator *const a = s->backing; // the service uses it on its own thread
    ct_script_saves *const saves = ct_alloc(a, sizeof(*saves));
    *saves = (ct_script_saves){.version = 1, .migrations = LUA_NOREF};
    ct_array_init(&saves->ids, a);
    ct_array_init(&saves->info, a);
    ct_array_init(&saves->data, a);
    ct_array_init(&saves->worlds, a);
    saves->service = ct_save_service_create(a, folder);
    s->saves = saves;
    return saves;
}

void ct_script_saves_shutdown(ct_script *s) {
    ct_script_saves *const saves = s->saves;
    if (!saves)
        return;
    for (uint32_t i = 0; i < saves->ids.count; ++i)
        ct_save_request_free(saves->service, saves->ids.items[i].request);
    ct_save_service_destroy(saves->service);
    ct_save_picture_release(saves->picture);
    ct_array_free(&saves->ids);
    ct_array_free(&saves->info);
    ct_array_free(&saves->data);
    ct_array_free(&saves->worlds);
    ct_free_sized(s->backing, saves, sizeof(*saves));
    s->saves = NULL;
}
