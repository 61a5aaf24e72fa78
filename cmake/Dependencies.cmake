# Uses the system's packages if they are installed. Others are fetched, at a fixed release, from their projects'
# repositories.
include(FetchContent)
set(FETCHCONTENT_QUIET OFF)

# Packages that the system must provide. One message names all missing ones.
find_package(Threads REQUIRED)
find_package(OpenGL QUIET)
find_package(PkgConfig QUIET)
find_package(Boost 1.74 QUIET COMPONENTS context)
find_package(PNG QUIET)
find_package(ZLIB QUIET)
find_package(OpenSSL QUIET)
find_package(GIF 5 QUIET)
find_package(FlatBuffers QUIET)
if(NOT FlatBuffers_FOUND)
    find_package(Flatbuffers QUIET) # the name in some releases
endif()
find_program(FLATC flatc)
if(PkgConfig_FOUND)
    pkg_check_modules(EPOXY QUIET IMPORTED_TARGET epoxy)
    pkg_check_modules(ZSTD QUIET IMPORTED_TARGET libzstd)
    pkg_check_modules(MD4C QUIET IMPORTED_TARGET md4c)
    pkg_check_modules(CAIRO QUIET IMPORTED_TARGET cairo-ft cairo-pdf) # PDF
    pkg_check_modules(HARFBUZZ QUIET IMPORTED_TARGET harfbuzz-subset) # the fonts of an SVG
endif()
set(missing "")
foreach(found IN ITEMS PkgConfig_FOUND:pkg-config OpenGL_FOUND:OpenGL EPOXY_FOUND:libepoxy Boost_FOUND:Boost.Context
        PNG_FOUND:libpng ZLIB_FOUND:zlib OPENSSL_FOUND:OpenSSL ZSTD_FOUND:zstd MD4C_FOUND:md4c CAIRO_FOUND:cairo
        HARFBUZZ_FOUND:HarfBuzz GIF_FOUND:giflib FLATC:flatc)
    string(REPLACE ":" ";" found ${found})
    list(GET found 0 variable)
    list(GET found 1 name)
    if(NOT ${variable})
        list(APPEND missing ${name})
    endif()
endforeach()
if(NOT FlatBuffers_FOUND AND NOT Flatbuffers_FOUND)
    list(APPEND missing FlatBuffers)
endif()
if(missing)
    list(JOIN missing ", " missing)
    message(FATAL_ERROR "The development files of ${missing} are missing: install them with the system's package manager "
        "(on Debian and Ubuntu, scripts/install-dependencies does it) and configure again.")
endif()

# gemmscope_fetch(NAME REPOSITORY TAG): declares and builds NAME from source. Its headers are system headers, so that
# they cause no warnings.
function(gemmscope_fetch name repository tag)
    message(STATUS "${name}: not installed, fetching ${tag} from ${repository}")
    FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON)
    FetchContent_MakeAvailable(${name})
    string(TOLOWER ${name} folder)
    set(${folder}_SOURCE_DIR ${${folder}_SOURCE_DIR} PARENT_SCOPE)
    foreach(target IN ITEMS glfw glm CLI11 nlohmann_json fmt)
        if(TARGET ${target})
            get_target_property(imported ${target} IMPORTED)
            get_target_property(directories ${target} INTERFACE_INCLUDE_DIRECTORIES)
            if(directories AND NOT imported)
                set_target_properties(${target} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${directories}")
            endif()
        endif()
    endforeach()
endfunction()

find_package(glfw3 3.3 QUIET)
if(NOT glfw3_FOUND)
    set(GLFW_BUILD_EXAMPLES OFF)
    set(GLFW_BUILD_TESTS OFF)
    set(GLFW_BUILD_DOCS OFF)
    gemmscope_fetch(glfw https://github.com/glfw/glfw.git 3.3.10)
endif()

find_package(glm QUIET)
if(NOT glm_FOUND)
    gemmscope_fetch(glm https://github.com/g-truc/glm.git 0.9.9.8)
endif()
if(NOT TARGET glm::glm)
    add_library(glm::glm INTERFACE IMPORTED)
    target_include_directories(glm::glm INTERFACE ${GLM_INCLUDE_DIRS})
endif()

find_package(CLI11 QUIET)
if(NOT CLI11_FOUND)
    gemmscope_fetch(CLI11 https://github.com/CLIUtils/CLI11.git v2.3.2)
endif()

find_package(nlohmann_json 3.11 QUIET)
if(NOT nlohmann_json_FOUND)
    gemmscope_fetch(nlohmann_json https://github.com/nlohmann/json.git v3.11.3)
endif()

find_package(fmt QUIET)
if(NOT fmt_FOUND)
    gemmscope_fetch(fmt https://github.com/fmtlib/fmt.git 9.1.0)
endif()

# Dear ImGui 1.86 or later, with its GLFW and OpenGL 3 backends.
add_library(gemmscope_imgui INTERFACE)
pkg_check_modules(IMGUI QUIET IMPORTED_TARGET imgui)
if(IMGUI_FOUND)
    target_link_libraries(gemmscope_imgui INTERFACE PkgConfig::IMGUI)
    find_library(STB_LIBRARY stb) # Debian builds ImGui against its own stb
    if(STB_LIBRARY)
        target_link_libraries(gemmscope_imgui INTERFACE ${STB_LIBRARY})
    endif()
    foreach(directory IN LISTS IMGUI_INCLUDE_DIRS)
        target_include_directories(gemmscope_imgui SYSTEM INTERFACE ${directory} ${directory}/backends)
    endforeach()
else()
    gemmscope_fetch(imgui https://github.com/ocornut/imgui.git v1.90.1)
    add_library(imgui_build STATIC
        ${imgui_SOURCE_DIR}/imgui.cpp ${imgui_SOURCE_DIR}/imgui_draw.cpp ${imgui_SOURCE_DIR}/imgui_tables.cpp
        ${imgui_SOURCE_DIR}/imgui_widgets.cpp ${imgui_SOURCE_DIR}/backends/imgui_impl_glfw.cpp
        ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp)
    target_include_directories(imgui_build SYSTEM PUBLIC ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/backends)
    target_link_libraries(imgui_build PUBLIC glfw)
    target_link_libraries(gemmscope_imgui INTERFACE imgui_build)
endif()
target_link_libraries(gemmscope_imgui INTERFACE glfw PkgConfig::EPOXY OpenGL::GL ${CMAKE_DL_LIBS})
