#include "viz/gl/handle.h"

#include "error.h"
#include "shaders.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace viz::gl {

namespace {

Shader compile(GLenum kind, const char* file)
{
    const std::string_view source = shaders::file(file);
    if (source.empty())
        throw kernels::Error(fmt::format("The shader {} is missing from this build. Build gemmscope again.", file));
    Shader shader(glCreateShader(kind));
    const char* text = source.data();
    const GLint length = static_cast<GLint>(source.size());
    glShaderSource(shader.id(), 1, &text, &length);
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
                                         file, log));
    }
    return shader;
}

} // namespace

Program make_program(const char* vertex_file, const char* fragment_file)
{
    const Shader vertex = compile(GL_VERTEX_SHADER, vertex_file);
    const Shader fragment = compile(GL_FRAGMENT_SHADER, fragment_file);
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
                        vertex_file, fragment_file));
    return program;
}

} // namespace viz::gl
