#include "app/shell/options.h"

#include "app/catalogue/recordings.h"
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
    for (const Patch::Column& column : options.show.columns)
        add(column.file);
    return files;
}

} // namespace

SessionOptions session_options(const WindowOptions& options, std::function<void()> wake)
{
    SessionOptions session;
    const auto& [first, second, third] = options.show.columns;
    session.first = first.stage;
    if (options.given == WindowOptions::Given::options) { // else the rest is gone to
        session.second = second.stage;
        session.third = third.stage;
        if (!first.file.empty())
            session.file = first.file;
        session.inputs = options.show.inputs.value_or(session.inputs);
        session.tiny = options.show.tiny;
    }
    session.backend = options.backend;
    session.shipped = shipped_folder();
    session.worker = options.worker;
    session.beside = options.beside;
    if (options.run_host)
        session.run_host_code_of = sources_named(options);
    const char* idle = std::getenv("GEMMSCOPE_NO_MEASURING");
    session.measures = idle == nullptr || *idle == '\0';
    session.wake = std::move(wake);
    return session;
}

} // namespace app
