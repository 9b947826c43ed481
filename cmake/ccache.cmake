# What was compiled before, in this clone or another of this machine, is taken from ccache where that is
# installed. Paths below the clone count as relative ones.
find_program(CUTTLE_CCACHE ccache)
if(CUTTLE_CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
        ${CUTTLE_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
