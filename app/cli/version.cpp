// gemmscope --version: what it was built with, what it finds, and where that was loaded from, so that a report of an error is
// one paste.
#include "app/text/version.h"
#include "app/catalogue/recordings.h"
#include "app/cli/commands.h"
#include "app/cli/own_stages.h"
#include "app/platform/offscreen.h"
#include "app/tasks/machine.h"
#include "app/text/tell.h"

#include "machine_code/machine_code.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <link.h>

#include <filesystem>
#include <set>

namespace app {

namespace {

void print_line(std::string_view what, const std::string& value)
{
    write_out("{:<14}{}\n", what, value);
}

std::string opengl()
{
    const auto text = [](GLenum name) {
        const auto* bytes = glGetString(name);
        return bytes == nullptr ? std::string("unknown") : std::string(reinterpret_cast<const char*>(bytes));
    };
    try {
        const Offscreen offscreen;
        return fmt::format("{}, {}; {}", text(GL_VERSION), text(GL_RENDERER),
                           offscreen.window() == nullptr ? "by EGL, without a display" : "in a hidden window");
    } catch (const std::exception& error) {
        return fmt::format("none: {}", error.what());
    }
}

// Compiled for the GPU at hand, or for Hopper: so NVRTC is seen to work.
std::string compiler(const std::vector<kernels::Stage>& ladder, const Machine& machine)
{
    const uint32_t capability = machine.gpu() ? machine.device->compute_capability : 90;
    try {
        const kernels::Stage& stage = ladder.front();
        const kernels::MachineCode code = kernels::machine_code(stage, stage.standard_parameters(), capability);
        return fmt::format("{}, {}", code.compiler, code.disassembler.empty() ? "no disassembler" : code.disassembler);
    } catch (const std::exception& error) {
        return fmt::format("none: {}", error.what());
    }
}

bool is_told(const std::string& name)
{
    for (const char* part : {"libcuda", "libnvrtc", "libcublas", "libcupti", "libnvperf", "blas", "libEGL", "libGL",
                             "libOpenGL", "libnvidia", "libglfw", "_dri"})
        if (name.find(part) != std::string::npos)
            return true;
    return false;
}

int collect(dl_phdr_info* info, std::size_t, void* into)
{
    std::error_code unknown;
    const std::filesystem::path path = info->dlpi_name;
    if (is_told(path.filename().string()))
        static_cast<std::set<std::string>*>(into)->insert(std::filesystem::weakly_canonical(path, unknown).string());
    return 0;
}

} // namespace

int show_version()
{
    print_line("gemmscope", std::string(program_version()));
    print_line("program", std::filesystem::weakly_canonical("/proc/self/exe").string());
    print_line("built with", fmt::format("compiler {}, C library {}.{}", __VERSION__, __GLIBC__, __GLIBC_MINOR__));
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const Machine machine = open_machine({}, {});
    print_line("GPU", machine.gpu() ? fmt::format("{}, sm_{}, {}", machine.device->name,
                                                  machine.device->compute_capability, machine.device->toolkit)
                                    : "none: " + machine.why_no_gpu);
    for (const kernels::ListedGpu& gpu : machine.gpus)
        print_line(fmt::format("--gpu {}", gpu.number), fmt::format("{}, {}", gpu.name, gpu.uuid));
    if (machine.device && !machine.gpu())
        print_line("CPU", machine.device->name);
    print_line("compiler", compiler(ladder, machine));
    print_line("OpenGL", opengl());
    print_line("recordings", shipped_folder().string());
    std::set<std::string> loaded;
    dl_iterate_phdr(collect, &loaded);
    for (const std::string& path : loaded)
        print_line("loaded", path);
    return 0;
}

} // namespace app
