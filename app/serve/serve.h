// Implements 'gemmscope serve', which shows the window in browsers that open a link.
#pragma once

#include "app/panels/opening.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace app {

struct ServeOptions {
    WindowOptions window;           // initial state of a visitor
    std::string host = "127.0.0.1"; // address or name on which the server listens
    uint16_t port = 8017;           // 0: any free port
    std::string base = "/";         // path under which a proxy shows the page
    // Scheme and host under which a proxy shows the page. Empty unless the proxy passes another host to the server.
    std::string origin;
    std::filesystem::path certificate, key; // TLS files in the PEM format; both or none
    std::size_t visitors = 50;
    bool allow_kernels = false;
    bool of_class = false; // prints two links: one for the leader, one for followers
};

// Prints the link and serves until it is interrupted. Returns 0. Throws kernels::Error.
int run_server(const ServeOptions& options);

} // namespace app
