#include "viz/gl/grid.h"

#include "error.h"
#include "shaders.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

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

// Compiles and links shaders from assets/shaders. The fragment files are joined to one source. Throws kernels::Error
// with the driver's log.
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

Texture make_nearest(GLint internal, uint32_t cols, uint32_t rows, GLenum format)
{
    Texture texture = Texture::make();
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, static_cast<GLsizei>(cols), static_cast<GLsizei>(rows), 0, format,
                 GL_UNSIGNED_BYTE, nullptr);
    return texture;
}

void upload_rows(const Texture& texture, uint32_t first, uint32_t rows, uint32_t cols, GLenum format, const void* data)
{
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, static_cast<GLint>(first), static_cast<GLsizei>(cols),
                    static_cast<GLsizei>(rows), format, GL_UNSIGNED_BYTE, data);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

void set_colour(GLuint program, const char* name, Colour colour)
{
    float channel[4];
    for (int i = 0; i < 4; ++i)
        channel[i] = static_cast<float>(colour >> (8 * i) & 0xffu) / 255.0f;
    glUniform4fv(glGetUniformLocation(program, name), 1, channel);
}

// Saves and restores the OpenGL state that drawing changes, and that the rest of the program does not set.
class SavedTarget {
public:
    SavedTarget()
    {
        glGetIntegerv(GL_FRAMEBUFFER_BINDING, &framebuffer);
        glGetIntegerv(GL_VIEWPORT, viewport);
        scissor = glIsEnabled(GL_SCISSOR_TEST);
        blend = glIsEnabled(GL_BLEND);
    }
    ~SavedTarget()
    {
        glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(framebuffer));
        glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
        if (scissor == GL_TRUE)
            glEnable(GL_SCISSOR_TEST);
        if (blend == GL_TRUE)
            glEnable(GL_BLEND);
        glUseProgram(0);
        glBindVertexArray(0);
        glActiveTexture(GL_TEXTURE0);
    }
    SavedTarget(const SavedTarget&) = delete;
    SavedTarget& operator=(const SavedTarget&) = delete;

private:
    GLint framebuffer = 0, viewport[4] = {};
    GLboolean scissor = GL_FALSE, blend = GL_FALSE;
};

} // namespace

Grid::Grid()
    : nearest(make_program("screen.vert", {"grid.glsl", "grid_nearest.frag"})),
      mean_of_cells(make_program("screen.vert", {"grid.glsl", "grid_mean.glsl", "grid_mean_cells.frag"})),
      mean_of_level(make_program("screen.vert", {"grid.glsl", "grid_mean.glsl", "grid_mean_level.frag"})),
      triangle(VertexArray::make())
{
}

uint32_t Grid::largest_side()
{
    GLint side = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
    return static_cast<uint32_t>(std::max(side, 0));
}

void Grid::set(std::shared_ptr<const GridPicture> picture)
{
    Pending next;
    next.picture.rows = picture->map.rows;
    next.picture.cols = picture->map.cols;
    next.picture.cells = make_nearest(GL_R8UI, picture->map.cols, picture->map.rows, GL_RED_INTEGER);
    const auto entries = static_cast<uint32_t>(picture->palette.size());
    next.picture.palette = make_nearest(GL_RGBA8, entries, 1, GL_RGBA);
    upload_rows(next.picture.palette, 0, 1, entries, GL_RGBA, picture->palette.data());
    for (const Level& level : picture->levels)
        next.picture.levels.push_back(make_nearest(GL_RGBA8, level.cols, level.rows, GL_RGBA));
    next.source = std::move(picture);
    pending.clear();
    pending.push_back(std::move(next));
}

bool Grid::upload(std::size_t bytes)
{
    if (pending.empty())
        return true;
    Pending& job = pending.front();
    const OwnerMap& map = job.source->map;
    const std::vector<Level>& levels = job.source->levels;
    while (bytes > 0 && job.level <= levels.size()) {
        const bool cells = job.level == 0;
        const uint32_t rows = cells ? map.rows : levels[job.level - 1].rows;
        const uint32_t cols = cells ? map.cols : levels[job.level - 1].cols;
        const std::size_t row_bytes = std::size_t{cols} * (cells ? 1 : sizeof(Colour));
        const auto count = static_cast<uint32_t>(std::min<std::size_t>(
            rows - job.row, std::max<std::size_t>(1, bytes / std::max<std::size_t>(1, row_bytes))));
        if (cells)
            upload_rows(job.picture.cells, job.row, count, cols, GL_RED_INTEGER,
                        map.cells.data() + std::size_t{job.row} * cols);
        else
            upload_rows(job.picture.levels[job.level - 1], job.row, count, cols, GL_RGBA,
                        levels[job.level - 1].pixels.data() + std::size_t{job.row} * cols);
        bytes -= std::min(bytes, count * row_bytes);
        job.row += count;
        if (job.row >= rows) {
            ++job.level;
            job.row = 0;
        }
    }
    if (job.level <= levels.size())
        return false;
    shown = std::move(job.picture);
    pending.clear();
    dirty = true;
    return true;
}

void Grid::make_target(int width, int height)
{
    target = make_nearest(GL_RGBA8, static_cast<uint32_t>(width), static_cast<uint32_t>(height), GL_RGBA);
    framebuffer = Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.id(), 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw kernels::Error("This OpenGL driver cannot draw into a texture of the window's size; make the window "
                             "smaller or update the driver.");
    target_width = width;
    target_height = height;
    dirty = true;
}

// Uniforms that a program does not use have location -1, which OpenGL ignores.
void Grid::set_uniforms(GLuint id, const Camera& camera, int width, int height, const GridLook& look) const
{
    const double across = 1.0 / camera.cell, down = across / camera.stretch; // cells per pixel
    const double smaller = std::min(camera.cell, camera.cell * camera.stretch);
    glUniform1i(glGetUniformLocation(id, "cells"), 0);
    glUniform1i(glGetUniformLocation(id, "palette"), 1);
    glUniform1i(glGetUniformLocation(id, "coarse"), 2);
    glUniform2f(glGetUniformLocation(id, "origin"), static_cast<float>(camera.col - width / 2.0 * across),
                static_cast<float>(camera.row - height / 2.0 * down));
    glUniform2f(glGetUniformLocation(id, "cells_per_pixel"), static_cast<float>(across), static_cast<float>(down));
    glUniform2i(glGetUniformLocation(id, "extent"), static_cast<GLint>(shown.cols), static_cast<GLint>(shown.rows));
    set_colour(id, "background", look.background);
    set_colour(id, "thin_line", smaller >= 8 ? look.thin_line : 0);
    set_colour(id, "block_line", smaller >= 3 ? look.block_line : 0);
    glUniform1f(glGetUniformLocation(id, "block_line_width"), smaller >= 16 ? 2.0f : 1.0f);
}

GLuint Grid::draw(const Camera& camera, int width, int height, const GridLook& look)
{
    const bool resized = width != target_width || height != target_height;
    if (!dirty && !resized && camera == drawn_camera && look == drawn_look)
        return target.id();
    const SavedTarget saved;
    if (resized)
        make_target(width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glViewport(0, 0, width, height);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    int level = 0; // the level whose pixel covers one to two cells
    while (level < static_cast<int>(shown.levels.size()) && 1.0 / camera.cell >= static_cast<double>(2 << level))
        ++level;
    const GLuint program = (camera.cell >= 1 ? nearest : level == 0 ? mean_of_cells : mean_of_level).id();
    glUseProgram(program);
    set_uniforms(program, camera, width, height, look);
    glUniform1f(glGetUniformLocation(program, "size"), static_cast<float>(1 << level));
    const GLuint textures[] = {shown.cells.id(), shown.palette.id(),
                               level == 0 ? shown.palette.id()
                                          : shown.levels[static_cast<std::size_t>(level) - 1].id()};
    for (GLenum unit = 0; unit < 3; ++unit) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glBindTexture(GL_TEXTURE_2D, textures[unit]);
    }
    glBindVertexArray(triangle.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    dirty = false;
    drawn_camera = camera;
    drawn_look = look;
    return target.id();
}

} // namespace viz::gl
