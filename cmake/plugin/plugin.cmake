# What authors of plugins find: headers, a CMake package, a pkg-config file. Installed, and beside the
# executables of a build as if it were installed.
include(GNUInstallDirs)
set(plugin_folder ${CMAKE_SOURCE_DIR}/cmake/plugin)
configure_file(${plugin_folder}/cuttle-pluginConfig.cmake
    ${CMAKE_BINARY_DIR}/share/cmake/cuttle-plugin/cuttle-pluginConfig.cmake COPYONLY)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(
    ${CMAKE_BINARY_DIR}/share/cmake/cuttle-plugin/cuttle-pluginConfigVersion.cmake
    COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
add_custom_target(include_link ALL COMMAND ${CMAKE_COMMAND} -E create_symlink
    ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include)

file(GLOB plugin_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/cuttle/*.h)
list(FILTER plugin_headers EXCLUDE REGEX "/cuttle\\.h$") # libcuttle's
install(FILES ${plugin_headers} DESTINATION include/cuttle COMPONENT plugin)
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/cmake/cuttle-plugin DESTINATION share/cmake
    COMPONENT plugin)
# The prefix is known when it is installed.
install(CODE "set(plugin_folder \"${plugin_folder}\")
set(PROJECT_VERSION \"${PROJECT_VERSION}\")
configure_file(\${plugin_folder}/cuttle-plugin.pc.in ${CMAKE_BINARY_DIR}/cuttle-plugin.pc @ONLY)
file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/share/pkgconfig\" TYPE FILE
    FILES ${CMAKE_BINARY_DIR}/cuttle-plugin.pc)" COMPONENT plugin)
