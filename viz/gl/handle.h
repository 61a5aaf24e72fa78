// Owners of OpenGL objects: move-only, deleted at the end of their scope. Each needs the context in which the object
// was made.
#pragma once

#include <epoxy/gl.h>

#include <utility>

namespace viz::gl {

template <class Kind>
class Handle {
public:
    Handle() = default;
    explicit Handle(GLuint id) : id_(id) {}
    static Handle make() // for kinds that have a generate function
    {
        GLuint id = 0;
        Kind::generate(&id);
        return Handle(id);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, 0u)) {}
    Handle& operator=(Handle&& other) noexcept
    {
        std::swap(id_, other.id_);
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle()
    {
        if (id_ != 0)
            Kind::destroy(id_);
    }

    GLuint id() const { return id_; }
    explicit operator bool() const { return id_ != 0; }

private:
    GLuint id_ = 0;
};

struct TextureKind {
    static void generate(GLuint* id) { glGenTextures(1, id); }
    static void destroy(GLuint id) { glDeleteTextures(1, &id); }
};
struct FramebufferKind {
    static void generate(GLuint* id) { glGenFramebuffers(1, id); }
    static void destroy(GLuint id) { glDeleteFramebuffers(1, &id); }
};
struct VertexArrayKind {
    static void generate(GLuint* id) { glGenVertexArrays(1, id); }
    static void destroy(GLuint id) { glDeleteVertexArrays(1, &id); }
};
struct ProgramKind {
    static void destroy(GLuint id) { glDeleteProgram(id); }
};
struct ShaderKind {
    static void destroy(GLuint id) { glDeleteShader(id); }
};

using Texture = Handle<TextureKind>;
using Framebuffer = Handle<FramebufferKind>;
using VertexArray = Handle<VertexArrayKind>;
using Program = Handle<ProgramKind>;
using Shader = Handle<ShaderKind>;

} // namespace viz::gl
