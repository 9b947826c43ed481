#include "app/app_private.h"
#include "app/plugin/app_interfaces.h"

static const char *project_folder(cuttle_plugin *self) {
    return ct_app_of_plugin(self)->desc.project_folder;
}

static const char *data_folder(cuttle_plugin *self) {
    return ct_app_of_plugin(self)->desc.data_folder;
}

static uint64_t frame(cuttle_plugin *self) {
    return ct_app_of_plugin(self)->times.num_frames;
}

static double time_since_start(cuttle_plugin *self) {
    return (double)(ct_os_time_ns() - ct_app_of_plugin(self)->start_ns) * 1e-9;
}

static bool is_paused(cuttle_plugin *self) {
    return ct_app_is_paused(ct_app_of_plugin(self));
}

static void quit(cuttle_plugin *self, int exit_code) {
    ct_app_quit(ct_app_of_plugin(self), exit_code);
}

const cuttle_app_api_1 ct_app_app_api_1 = {
    .project_folder = project_folder,
    .data_folder = data_folder,
    .frame = frame,
    .time = time_since_start,
    .is_paused = is_paused,
    .quit = quit,
};
