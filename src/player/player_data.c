#include "player/player_data.h"

#include "foundation/error.h"
#include "foundation/os/os.h"

static bool is_folder(const char *path) {
    return ct_os_file_info(path).kind == CT_FILE_KIND_FOLDER;
}

bool ct_player_data_folder(char folder[CT_PATH_BYTES], const char *asked, const char *executable,
                           ct_error *error) {
    char beside[CT_PATH_BYTES], above[CT_PATH_BYTES];
    if (asked)
        return is_folder(asked) ? ct_os_absolute_path(asked, folder, error)
                                : ct_error_set(error,
                                               "the folder \"%s\" does not exist; expected the "
                                               "compiled data of a game",
                                               asked);
    ct_path_folder(beside, executable);
    ct_path_folder(above, beside);
    if (!ct_path_try_join(beside, beside, "data") || !ct_path_try_join(above, above, "data"))
        return ct_error_set(error, "the path of the player is too long");
    if (!is_folder(beside) && !is_folder(above))
        return ct_error_set(
            error,
            "the game's data is missing: found neither the folder \"%s\" nor \"%s\"; "
            "name the folder with --data",
            beside, above);
    return ct_os_absolute_path(is_folder(beside) ? beside : above, folder, error);
}

void ct_player_game_folder(char folder[CT_PATH_BYTES], const char *data_folder) {
    ct_path_folder(folder, data_folder);
}
