// The function that CUDA's driver calls when it starts in a program whose CUDA_INJECTION64_PATH names this library.
#include "injection/injected/launch_list.h"
#include "injection/injected/recorder.h"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <unistd.h>

extern "C" __attribute__((visibility("default"))) int
InitializeInjection() // NOLINT(readability-identifier-naming): CUDA's
{
    const char* file = std::getenv(injection::request_variable);
    if (file == nullptr)
        return 1;
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    try {
        // Both live until the process ends, because CUDA calls back until then.
        const injection::Request request = injection::Request::read(file);
        if (request.list) [[maybe_unused]]
            static auto* const list = new injection::LaunchList(request, folder);
        else [[maybe_unused]]
            static auto* const recorder = new injection::Recorder(request, folder);
    } catch (const std::exception& error) { // the program continues without tracing
        std::ofstream(folder / (injection::error_file + std::to_string(getpid()))) << error.what() << '\n';
    }
    return 1;
}
