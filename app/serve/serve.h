// 'gemmscope serve': the window in browsers, by a link.
#pragma once

#include "app/panels/opening.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace app {

struct ServeOptions {
    WindowOptions window;           // with which a visitor begins
    std::string host = "127.0.0.1"; // where it listens
    uint16_t port = 8017;           // 0: a free one
    std::string base = "/";         // under which a proxy shows it
    std::string origin; // the same of scheme and host, where the proxy gives another host to the server; else empty
    std::filesystem::path certificate, key; // of TLS, in the PEM format; both or none
    std::size_t visitors = 50;
    bool allow_kernels = false;
    bool of_class = false; // one link leads, another one follows
};

// Prints the link, and serves until it is interrupted: 0. Throws kernels::Error.
int run_server(const ServeOptions& options);

} // namespace app
