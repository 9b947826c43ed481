# Writes a C file that holds every file of a folder, as the array ct_NAME_files:
# cmake -DFOLDER=templates/new -DNAME=new_project -DOUTPUT=new_project.c -P embed_folder.cmake
file(GLOB_RECURSE paths RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT paths)
set(arrays "")
set(entries "")
set(number 0)
foreach(path ${paths})
    file(READ ${FOLDER}/${path} hex HEX)
    file(SIZE ${FOLDER}/${path} size)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    # A name that starts with a dot in the project starts with `dot_` in the templates.
    string(REGEX REPLACE "(^|/)dot_" "\\1." target "${path}")
    string(APPEND arrays "static const unsigned char file_${number}[] = {${bytes}0};\n")
    string(APPEND entries "    {\"${target}\", file_${number}, ${size}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"cli/new/new_project.h\"\n\n${arrays}
const ct_new_project_file ct_${NAME}_files[] = {\n${entries}};
const uint32_t ct_${NAME}_num_files = ${number};\n")
