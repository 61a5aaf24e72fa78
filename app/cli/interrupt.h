// Ctrl-C as a request to stop: the first one is taken up, the second ends the program as usual.
#pragma once

#include <stop_token>
#include <thread>

namespace app {

// To be made before other threads are: they inherit that the signal is not theirs.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::jthread thread_;
};

} // namespace app
