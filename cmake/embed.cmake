# libcuttle: the engine for other programs (include/cuttle/cuttle.h, docs/embedding.md). The objects are
# those of `cuttle`; what they define is hidden, but for the functions of the public header.
add_library(cuttle_shared SHARED $<TARGET_OBJECTS:cuttle_embed> cmake/icu/icu_shared.c)
set_target_properties(cuttle_shared PROPERTIES OUTPUT_NAME cuttle LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/embed.map)
target_link_libraries(cuttle_shared PRIVATE cuttle_dev)
target_link_options(cuttle_shared PRIVATE
    "LINKER:--version-script=${CMAKE_SOURCE_DIR}/cmake/embed.map,--no-undefined")

# `cmake --install BUILD --prefix DIR`: the library, its headers, and what pkg-config says of it.
include(GNUInstallDirs)
file(RELATIVE_PATH CUTTLE_PREFIX_OF_PC /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
configure_file(cmake/cuttle.pc.in cuttle.pc @ONLY)
install(TARGETS cuttle_shared LIBRARY COMPONENT library)
install(FILES include/cuttle/cuttle.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cuttle
    COMPONENT library)
install(FILES ${CMAKE_BINARY_DIR}/cuttle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT library)
