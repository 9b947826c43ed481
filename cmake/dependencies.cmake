# Debian packages, found with pkg-config or CMake. setup/packages.txt lists them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(meshoptimizer REQUIRED)
pkg_check_modules(UNWIND REQUIRED IMPORTED_TARGET libunwind)
pkg_check_modules(DW REQUIRED IMPORTED_TARGET libdw)
pkg_check_modules(ELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
find_library(CUTTLE_LIBZSTD libzstd.a REQUIRED)
pkg_check_modules(LUAJIT REQUIRED luajit)
find_library(CUTTLE_LIBLUAJIT libluajit-5.1.a REQUIRED)
find_library(CUTTLE_SHARED_LUAJIT luajit-5.1 REQUIRED)
pkg_check_modules(ASSIMP REQUIRED assimp)
find_library(CUTTLE_LIBDRACO libdraco.a REQUIRED)
pkg_check_modules(SPIRV_CROSS REQUIRED spirv-cross-c-shared)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(JPEG REQUIRED IMPORTED_TARGET libjpeg)
pkg_check_modules(SDL2 REQUIRED sdl2)
pkg_check_modules(FREETYPE REQUIRED IMPORTED_TARGET freetype2)
pkg_check_modules(HARFBUZZ REQUIRED IMPORTED_TARGET harfbuzz)
pkg_check_modules(ENET REQUIRED libenet)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(VORBIS REQUIRED vorbis)
pkg_check_modules(OPENAL REQUIRED openal)
pkg_check_modules(SNDFILE REQUIRED IMPORTED_TARGET sndfile)
pkg_check_modules(SOXR REQUIRED IMPORTED_TARGET soxr)
pkg_check_modules(VORBISENC REQUIRED IMPORTED_TARGET vorbisenc vorbis)
pkg_check_modules(EBUR128 REQUIRED IMPORTED_TARGET libebur128)
pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat)
pkg_check_modules(SQLITE REQUIRED sqlite3)
pkg_check_modules(PQ REQUIRED libpq)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

# pkg-config's shaderc is a library that does not link; these static ones do.
add_library(cuttle_shaderc INTERFACE)
target_link_libraries(cuttle_shaderc INTERFACE shaderc_combined glslang MachineIndependent
    GenericCodeGen OSDependent OGLCompiler SPIRV SPIRV-Tools-opt SPIRV-Tools stdc++ m)

# Compressed meshes; the static library, so that workers that never meet one do not load it.
add_library(cuttle_draco INTERFACE)
target_link_libraries(cuttle_draco INTERFACE ${CUTTLE_LIBDRACO} stdc++)

# Meshes to walk on; without pkg-config file. Only the worker has it.
find_library(CUTTLE_LIBRECAST Recast REQUIRED)
find_path(CUTTLE_RECAST_INCLUDE_DIR Recast.h PATH_SUFFIXES recastnavigation REQUIRED)
add_library(cuttle_recast INTERFACE)
target_include_directories(cuttle_recast SYSTEM INTERFACE ${CUTTLE_RECAST_INCLUDE_DIR})
target_link_libraries(cuttle_recast INTERFACE ${CUTTLE_LIBRECAST} stdc++)

# Physics: the float build of Bullet, behind src/physics/bullet. (pkg-config's list also has soft bodies.)
pkg_check_modules(BULLET REQUIRED bullet)
string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" matched "${BULLET_VERSION}")
math(EXPR CUTTLE_BULLET_VERSION "${CMAKE_MATCH_1} * 10000 + ${CMAKE_MATCH_2} * 100") # 32400 for 3.24
add_library(cuttle_bullet INTERFACE)
target_include_directories(cuttle_bullet SYSTEM INTERFACE ${BULLET_INCLUDE_DIRS})
target_link_libraries(cuttle_bullet INTERFACE BulletDynamics BulletCollision LinearMath stdc++)

# Archives; the static library, since contexts on our allocators are no part of the shared one's
# interface. Its symbols stay inside, apart from those of the shared one that libelf brings.
add_library(cuttle_zstd INTERFACE)
target_link_libraries(cuttle_zstd INTERFACE ${CUTTLE_LIBZSTD})
target_link_options(cuttle_zstd INTERFACE -Wl,--exclude-libs,libzstd.a)

# Lua; the static library, whose functions are called more quickly and which ships inside the player
# (docs/decisions/0025). C modules, which a project may load if it asks for it, find them here.
# libcuttle takes the shared one: the static one keeps a variable of each thread in a way that only
# programs can have.
add_library(cuttle_luajit INTERFACE)
target_include_directories(cuttle_luajit SYSTEM INTERFACE ${LUAJIT_INCLUDE_DIRS})
set(head_is_shared "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>")
target_link_libraries(cuttle_luajit INTERFACE
    "$<IF:${head_is_shared},${CUTTLE_SHARED_LUAJIT},${CUTTLE_LIBLUAJIT}>" m dl)
target_link_options(cuttle_luajit INTERFACE
    "$<$<NOT:${head_is_shared}>:LINKER:--export-dynamic-symbol=lua*>")

# The executables' heap: mimalloc takes malloc over in `release` and in the player, but leaves it to
# the sanitizers.
add_library(cuttle_mimalloc INTERFACE)
add_library(cuttle_heap INTERFACE)
if(NOT CUTTLE_SANITIZE)
    find_package(mimalloc REQUIRED)
    target_link_libraries(cuttle_mimalloc INTERFACE
        -Wl,--no-as-needed mimalloc -Wl,--as-needed)
    if(CUTTLE_BUILD STREQUAL "release")
        target_link_libraries(cuttle_heap INTERFACE cuttle_mimalloc)
    endif()
endif()
