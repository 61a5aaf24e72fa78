# Most of the time of a compilation is spent on headers. Therefore the sources of a folder are compiled as one (a "unity
# build" in CMake's terms), which makes a build from scratch three times as fast. At most 32 sources are joined, or 16
# if GCC optimises with -O3: 22 sources of kernels/ptx took 36 s, 16 took 15 s. To compile each source separately, for
# frequent edits, use -DGEMMSCOPE_UNITY=OFF or the preset `separate`. The unnamed namespaces of joined sources are one
# namespace, so their names must differ within a folder.
unset(CMAKE_UNITY_BUILD CACHE) # of folders that were configured when that was the option
option(GEMMSCOPE_UNITY "Compile the sources of a folder together: fast from scratch, slow after an edit" ON)

# compile_by_folder(TARGET) joins the sources of each of these folders, subfolders included: app/NAME, viz/NAME,
# kernels/NAME, tests/NAME/NAME, and each view's folder. scripts/check-includes uses the same folders.
# Sources with their own options and generated sources are compiled separately. Their options may be set after the call.
# CMake's own unity files include the sources by absolute paths. These use relative paths, so that ccache finds the
# results of another checkout.
function(compile_by_folder target)
    if(GEMMSCOPE_UNITY)
        cmake_language(EVAL CODE "cmake_language(DEFER CALL join_by_folder ${target})")
    endif()
endfunction()

function(join_by_folder target)
    get_target_property(options ${target} COMPILE_OPTIONS)
    if(GEMMSCOPE_SANITIZE OR options MATCHES "-O[01]")
        set(most 32)
    else()
        set(most 16)
    endif()
    get_target_property(sources ${target} SOURCES)
    set(folders "")
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source)
        cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${source} generated)
        get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
        get_source_file_property(options ${source} COMPILE_OPTIONS)
        if(NOT generated AND NOT definitions AND NOT options AND source MATCHES "\\.cpp$")
            file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
            string(REGEX MATCH "^(viz/views/[^/]+|tests/[^/]+/[^/.]+|[^/]+/[^/.]+|[^/]+)/" folder ${name})
            string(MAKE_C_IDENTIFIER "${folder}" folder)
            list(APPEND folders ${folder})
            list(APPEND of_${folder} ${source})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES folders)
    set(joined ${CMAKE_CURRENT_BINARY_DIR}/unity)
    foreach(folder IN LISTS folders)
        list(LENGTH of_${folder} count)
        math(EXPR parts "(${count} + ${most} - 1) / ${most}")
        math(EXPR each "(${count} + ${parts} - 1) / ${parts}")
        set(place 0)
        foreach(source IN LISTS of_${folder})
            math(EXPR part "${place} / ${each}")
            math(EXPR place "${place} + 1")
            file(RELATIVE_PATH name ${joined} ${source})
            string(APPEND part_${folder}${part} "#include \"${name}\"\n")
        endforeach()
        math(EXPR last "${parts} - 1")
        foreach(part RANGE ${last})
            set(file ${joined}/${target}_${folder}${part}.cpp)
            file(CONFIGURE OUTPUT ${file} CONTENT "${part_${folder}${part}}" @ONLY)
            target_sources(${target} PRIVATE ${file})
        endforeach()
        set_source_files_properties(${of_${folder}} PROPERTIES HEADER_FILE_ONLY ON)
    endforeach()
endfunction()
