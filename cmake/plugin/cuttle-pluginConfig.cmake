# The CMake package of plugins: find_package(cuttle-plugin), then cuttle_add_plugin(wind wind.c), or a
# module of your own that links cuttle::plugin.
get_filename_component(cuttle_plugin_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET cuttle::plugin)
    add_library(cuttle::plugin INTERFACE IMPORTED)
    set_target_properties(cuttle::plugin PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${cuttle_plugin_prefix}/include")
endif()

# Adds a plugin: a library NAME.so of the sources, which exports nothing but the plugin's function.
function(cuttle_add_plugin name)
    add_library(${name} MODULE ${ARGN})
    target_link_libraries(${name} PRIVATE cuttle::plugin)
    set_target_properties(${name} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden
        CXX_VISIBILITY_PRESET hidden)
endfunction()
