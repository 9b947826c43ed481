# cuttle-player: what ships with a game. The floors up to `app` are built a second time, as
# player_options says; the libraries that only tools need are not among what it links.
function(player_library folder)
    # There are no symbols for crash reports to find, and libdw would ship.
    cuttle_sources(sources "crash/symbols" ${folder})
    list(FILTER sources INCLUDE REGEX "\\.c$")
    add_library(player_${folder} STATIC ${sources})
    target_link_libraries(player_${folder} PUBLIC player_options ${ARGN})
endfunction()

player_library(foundation gcc_s PkgConfig::UNWIND Threads::Threads m dl)
player_library(resource player_foundation PkgConfig::XXHASH cuttle_zstd)
player_library(spatial player_foundation)
player_library(entity player_resource player_spatial)
player_library(render player_entity)
player_library(animation player_entity)
player_library(text player_resource cuttle_icu)
player_library(gui player_render player_text)
player_library(input player_entity)
player_library(world player_render player_animation player_input)
player_library(lua player_entity cuttle_luajit)
player_library(script player_world player_gui player_lua)
player_library(app player_script)
player_library(player player_app)
# As in CMakeLists.txt. Options of libraries come behind a target's own, and the last -O counts.
add_library(player_fast INTERFACE)
target_compile_options(player_fast INTERFACE -O3)
foreach(folder animation entity text world)
    target_link_libraries(player_${folder} PRIVATE player_fast)
endforeach()
foreach(folder render input app)
    target_include_directories(player_${folder} SYSTEM PRIVATE ${SDL2_INCLUDE_DIRS})
endforeach()
target_include_directories(player_text SYSTEM PRIVATE ${FREETYPE_INCLUDE_DIRS}
    ${HARFBUZZ_INCLUDE_DIRS})

add_executable(cuttle-player src/player/main/player_main.c)
target_link_libraries(cuttle-player PRIVATE player_player cuttle_mimalloc)
target_link_options(cuttle-player PRIVATE -s)
