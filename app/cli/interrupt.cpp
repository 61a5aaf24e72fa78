#include "app/cli/interrupt.h"

#include <csignal>
#include <cstdlib>
#include <ctime>

namespace app {

namespace {

sigset_t interrupt_only()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    return set;
}

} // namespace

Interrupt::Interrupt()
{
    const sigset_t set = interrupt_only();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    thread_ = std::jthread([set, source = source_](std::stop_token end) mutable {
        constexpr timespec a_while{.tv_sec = 0, .tv_nsec = 100'000'000};
        while (!end.stop_requested())
            if (sigtimedwait(&set, nullptr, &a_while) == SIGINT) {
                if (source.stop_requested())
                    std::_Exit(128 + SIGINT);
                source.request_stop();
            }
    });
}

Interrupt::~Interrupt()
{
    thread_ = {};
    const sigset_t set = interrupt_only();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

} // namespace app
