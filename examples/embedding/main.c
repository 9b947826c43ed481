// main.c: runs a Cuttle game inside this program: draws frames to a PNG, and exchanges a message.
//
//     cuttle compile samples/crates --data-dir crates_data
//     cc main.c -o embedding $(pkg-config --cflags --libs cuttle)
//     ./embedding crates_data crates.png
#include <cuttle/cuttle.h>
#include <stdio.h>

enum { NUM_FRAMES = 30 };

// Comes from any thread.
static void write_log(void *user, cuttle_log_level level, const char *system, const char *message) {
    (void)user;
    fprintf(stderr, "%s%s: %s\n", level == CUTTLE_LOG_LEVEL_ERROR ? "error in " : "", system,
            message);
}

// Half a second of the game, in steps of a frame. The last frame's picture is kept.
static bool run_frames(cuttle_engine *engine, cuttle_engine_error *error) {
    for (int i = 0; i < NUM_FRAMES; ++i) {
        if (i == NUM_FRAMES - 1 && !cuttle_engine_keep_pictures(engine, true, error))
            return false;
        if (!cuttle_engine_step(engine, 1.0 / 60.0, error))
            return false;
    }
    return true;
}

// Runs Lua in the game. Messages of other types go to the game's function console_receive.
static bool exchange_message(cuttle_engine *engine, cuttle_engine_error *error) {
    const char *const question = "{\"type\": \"script\", \"id\": 1, "
                                 "\"script\": \"World.num_units(Application.main_world())\"}";
    if (!cuttle_engine_send(engine, question, error))
        return false;
    for (const char *message; (message = cuttle_engine_receive(engine));)
        printf("received %s\n", message);
    return true;
}

static bool run(cuttle_engine *engine, const char *picture, cuttle_engine_error *error) {
    if (!run_frames(engine, error) || !exchange_message(engine, error) ||
        !cuttle_engine_write_png(engine, picture, error))
        return false;
    printf("wrote %s\n", picture);
    return true;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: embedding DATA_FOLDER PICTURE.png\n");
        return 2;
    }
    cuttle_engine_error error = {0};
    const cuttle_engine_desc desc = {
        .desc_bytes = sizeof(desc),
        .data_folder = argv[1],
        .width = 640,
        .height = 360,
        .is_repeatable = true,
        .log = write_log,
        .log_level = CUTTLE_LOG_LEVEL_WARNING,
    };
    cuttle_engine *const engine = cuttle_engine_create(&desc, &error);
    const bool is_done = engine && run(engine, argv[2], &error);
    if (!is_done)
        fprintf(stderr, "embedding: %s\n", error.message[0] ? error.message : "the game has quit");
    cuttle_engine_destroy(engine, NULL);
    return is_done ? 0 : 1;
}
