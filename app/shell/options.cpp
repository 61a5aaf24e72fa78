#include "app/shell/options.h"

#include "app/catalogue/recordings.h"
#include "app/session/session_options.h"

#include <cstdlib>
#include <utility>

namespace app {

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
