#include "viz/gl/handle.h"

#include "error.h"
#include "shaders.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace viz::gl {

namespace {

Shader compile(GLenum kind, std::initializer_list<const char*> files)
{
    std::vector<const char*> texts;
    std::vector<GLint> lengths;
    for (const char* file : files) {
        const std::string_view source = shaders::file(file);
        if (source.empty())
            throw kernels::Error(fmt::format("The shader {} is missing from this build. Build gemmscope again.", file));
        texts.push_back(source.data());
        lengths.push_back(static_cast<GLint>(source.size()));
    }
    Shader shader(glCreateShader(kind));
    glShaderSource(shader.id(), static_cast<GLsizei>(texts.size()), texts.data(), lengths.data());
    glCompileShader(shader.id());
    GLint good = GL_FALSE;
    glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &good);
    if (good != GL_TRUE) {
        std::string log(4096, '\0');
        GLsizei written = 0;
        glGetShaderInfoLog(shader.id(), static_cast<GLsizei>(log.size()), &written, log.data());
        log.resize(static_cast<std::size_t>(written));
        throw kernels::Error(fmt::format("This OpenGL driver does not compile the shader {}; update the driver, or use "
                                         "Mesa's software renderer. It says: {}",
                                         fmt::join(files, ", "), log));
    }
    return shader;
}

} // namespace

Program make_program(const char* vertex_file, std::initializer_list<const char*> fragment_files)
{
    const Shader vertex = compile(GL_VERTEX_SHADER, {vertex_file});
    const Shader fragment = compile(GL_FRAGMENT_SHADER, fragment_files);
    Program program(glCreateProgram());
    glAttachShader(program.id(), vertex.id());
    glAttachShader(program.id(), fragment.id());
    glLinkProgram(program.id());
    glDetachShader(program.id(), vertex.id());
    glDetachShader(program.id(), fragment.id());
    GLint good = GL_FALSE;
    glGetProgramiv(program.id(), GL_LINK_STATUS, &good);
    if (good != GL_TRUE)
        throw kernels::Error(
            fmt::format("This OpenGL driver does not link {} with {}; update the driver, or use Mesa's "
                        "software renderer.",
                        vertex_file, fmt::join(fragment_files, ", ")));
    return program;
}

} // namespace viz::gl
