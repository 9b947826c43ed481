# cuttle_icu: ICU's common library, linked statically, with the part of its data that `src/text` needs
# (docs/decisions/0033-unicode-data.md). Programs then need neither libicuuc nor the 31 MB of
# libicudata. The symbols stay inside: drivers load the shared ICU beside it, which has the same ones.
pkg_check_modules(ICU REQUIRED icu-uc)
find_library(CUTTLE_LIBICUUC libicuuc.a REQUIRED)
find_library(CUTTLE_LIBICUDATA libicudata.a REQUIRED)
find_program(CUTTLE_ICUPKG icupkg PATHS /usr/sbin REQUIRED)
find_program(CUTTLE_GENRB genrb REQUIRED)
string(REGEX REPLACE "\\..*" "" CUTTLE_ICU_VERSION "${ICU_VERSION}")

set(icu_items char.brk line.brk line_normal.brk line_loose.brk line_cj.brk line_normal_cj.brk
    line_loose_cj.brk thaidict.dict laodict.dict khmerdict.dict burmesedict.dict)
set(icu_locales root ja zh zh_Hant)
set(icu_folder ${CMAKE_BINARY_DIR}/icu_data)
set(CUTTLE_ICU_DATA ${icu_folder}/icudt${CUTTLE_ICU_VERSION}l.dat)
list(TRANSFORM icu_items PREPEND "brkitr/" OUTPUT_VARIABLE icu_listed)
list(TRANSFORM icu_locales REPLACE "(.+)" "brkitr/\\1.res" OUTPUT_VARIABLE icu_resources)
list(TRANSFORM icu_locales REPLACE "(.+)" "\\1.txt" OUTPUT_VARIABLE icu_texts)
list(TRANSFORM icu_texts PREPEND "${CMAKE_SOURCE_DIR}/cmake/icu/" OUTPUT_VARIABLE icu_sources)
list(JOIN icu_listed "\n" icu_listed_lines)
list(JOIN icu_resources "\n" icu_resource_lines)
file(WRITE ${icu_folder}/items.txt "${icu_listed_lines}\n")
file(WRITE ${icu_folder}/all.txt "${icu_listed_lines}\n${icu_resource_lines}\n")
file(MAKE_DIRECTORY ${icu_folder}/parts/brkitr ${icu_folder}/whole)
set(icu_object icudt${CUTTLE_ICU_VERSION}l_dat.o)
set(icu_whole whole/icudt${CUTTLE_ICU_VERSION}l.dat)
# From the archive to the whole data, the parts that are needed, and a file of these alone. genrb
# warns of files that it looks for in another folder than icupkg does.
add_custom_command(OUTPUT ${CUTTLE_ICU_DATA}
    COMMAND ${CMAKE_AR} x ${CUTTLE_LIBICUDATA} ${icu_object}
    COMMAND ${CMAKE_OBJCOPY} -O binary -j .rodata ${icu_object} ${icu_whole}
    COMMAND ${CUTTLE_ICUPKG} -d parts -x items.txt ${icu_whole}
    COMMAND ${CUTTLE_GENRB} -q -s ${CMAKE_SOURCE_DIR}/cmake/icu -d parts/brkitr ${icu_texts}
    COMMAND ${CUTTLE_ICUPKG} -a all.txt -s parts new ${CUTTLE_ICU_DATA}
    COMMAND ${CMAKE_COMMAND} -E rm ${icu_object} ${icu_whole}
    DEPENDS ${icu_sources} ${CUTTLE_LIBICUDATA} ${CMAKE_CURRENT_LIST_FILE}
    WORKING_DIRECTORY ${icu_folder} COMMENT "Selecting ICU's data" VERBATIM)
# A library of its own behind ICU's, which programs that do not use ICU take nothing of.
add_library(cuttle_icu_data STATIC cmake/icu/icu_data.c)
target_link_libraries(cuttle_icu_data PRIVATE cuttle_common)
set_target_properties(cuttle_icu_data PROPERTIES POSITION_INDEPENDENT_CODE ON)
set_source_files_properties(cmake/icu/icu_data.c PROPERTIES
    OBJECT_DEPENDS ${CUTTLE_ICU_DATA}
    COMPILE_DEFINITIONS
        "CT_ICU_DATA_FILE=\"${CUTTLE_ICU_DATA}\";CT_ICU_VERSION=\"${CUTTLE_ICU_VERSION}\"")

# ICU is C++; of its library, too, the programs take what they need and no more.
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.a
    OUTPUT_VARIABLE icu_libstdcxx OUTPUT_STRIP_TRAILING_WHITESPACE)
add_library(cuttle_icu INTERFACE)
target_link_libraries(cuttle_icu INTERFACE ${CUTTLE_LIBICUUC} cuttle_icu_data ${icu_libstdcxx} m)
target_link_options(cuttle_icu INTERFACE -Wl,--exclude-libs,libicuuc.a:libstdc++.a)
