# Most of a compilation is headers. So sources that lie in one folder are compiled as one (a "unity build" in CMake's words),
# at most 16 of them: three times as fast from scratch. Who edits much compiles each by itself: -DCMAKE_UNITY_BUILD=OFF, or
# the preset `separate`. Unnamed namespaces are then one too: names in them differ within a folder.
option(CMAKE_UNITY_BUILD "Compile the sources of a folder together: fast from scratch, slow after an edit" ON)

# compile_by_folder(TARGET): app/NAME, viz/NAME, kernels/NAME, tests/*/NAME with what is below; a view's folder by itself.
# scripts/check-includes has the same folders.
# Sources with options of their own stay alone, so do those that are generated.
function(compile_by_folder target)
    set(most 16)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    set(folders "")
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source)
        cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${source} generated)
        if(NOT generated AND source MATCHES "\\.cpp$")
            file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
            string(REGEX MATCH "^(viz/views/[^/]+|tests/[^/]+/[^/.]+|[^/]+/[^/.]+|[^/]+)/" folder ${name})
            string(MAKE_C_IDENTIFIER "${folder}" folder)
            list(APPEND folders ${folder})
            list(APPEND of_${folder} ${source})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES folders)
    foreach(folder IN LISTS folders)
        list(LENGTH of_${folder} count)
        math(EXPR parts "(${count} + ${most} - 1) / ${most}")
        math(EXPR each "(${count} + ${parts} - 1) / ${parts}")
        set(place 0)
        foreach(source IN LISTS of_${folder})
            math(EXPR part "${place} / ${each}")
            set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}${part})
            math(EXPR place "${place} + 1")
        endforeach()
    endforeach()
endfunction()
