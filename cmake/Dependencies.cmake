# System packages first; what is missing is fetched, at a pinned release, from its project's own repository.
include(FetchContent)
set(FETCHCONTENT_QUIET OFF)

find_package(Threads REQUIRED)
find_package(OpenGL REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS context)
find_package(PNG REQUIRED)

# fetch(NAME REPOSITORY TAG): declares and builds NAME from source.
function(gemmscope_fetch name repository tag)
    message(STATUS "${name}: not installed, fetching ${tag} from ${repository}")
    FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON)
    FetchContent_MakeAvailable(${name})
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

pkg_check_modules(EPOXY REQUIRED IMPORTED_TARGET epoxy)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)

find_package(FlatBuffers QUIET)
if(NOT FlatBuffers_FOUND)
    find_package(Flatbuffers REQUIRED) # the name in some releases
endif()
find_program(FLATC flatc REQUIRED)

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
