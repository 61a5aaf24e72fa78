#include "app/shell/options.h"

#include "app/catalogue/recordings.h"
#include "app/learn/place.h"
#include "app/session/session_options.h"
#include "app/tasks/trace.h"

#include <cstdlib>
#include <utility>

namespace app {

namespace {

// The CUDA files that the options name.
std::vector<std::filesystem::path> sources_named(const WindowOptions& options)
{
    std::vector<std::filesystem::path> files;
    const auto add = [&](const std::filesystem::path& file) {
        if (is_cuda_source(file))
            files.push_back(file);
    };
    add(options.file.value_or(std::filesystem::path()));
    for (const Place& place : {options.saved ? options.saved->place : Place(), parse_place(options.show)}) {
        add(place.file);
        add(place.second_file);
    }
    return files;
}

} // namespace

SessionOptions session_options(const WindowOptions& options, std::function<void()> wake)
{
    SessionOptions session;
    session.first = options.stage;
    session.second = options.compare;
    session.third = options.third;
    session.backend = options.backend;
    session.file = options.file;
    session.inputs = options.inputs;
    session.tiny = options.tiny;
    session.shipped = shipped_folder();
    session.worker = options.worker;
    session.beside = options.beside;
    if (options.run_host)
        session.run_host_code_of = sources_named(options);
    const char* idle = std::getenv("GEMMSCOPE_NO_MEASURING");
    session.measures = idle == nullptr || *idle == '\0';
    if (options.follow) { // it shows what the first window found out: no GPU and no process for it
        session.backend = "cpu";
        session.worker.in_process = session.worker.users_apart = true;
    }
    session.wake = std::move(wake);
    return session;
}

} // namespace app
