// HTTP and WebSocket: pages for browsers, and a line from each page to its visitor. One thread; nothing in it waits for a client.
#pragma once

#include "app/serve/access.h"
#include "app/serve/visitors.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace app {

// Both in the PEM format. The certificates of those who signed the server's follow it in the same file.
struct TlsFiles {
    std::filesystem::path certificate, key;
};

struct ServerOptions {
    std::string host = "127.0.0.1"; // an address of this machine, or a name of one
    uint16_t port = 8017;           // 0: a free one
    Access access;                  // its port and whether it is encrypted are set to what is used
    std::optional<TlsFiles> tls{};  // none: what goes over the network is not encrypted
};

// What one connection may cost. Beyond that it is closed.
struct ConnectionLimits {
    static constexpr int header_seconds = 10;        // until a request is there, or an encrypted connection is made
    static constexpr int answer_seconds = 60;        // until the answer to it is taken
    static constexpr int idle_seconds = 60;          // without a sign of life: the browser answers pings
    static constexpr std::size_t connections = 1000; // at a time, all together
    static constexpr std::size_t header_bytes = 16 * 1024;
    static constexpr std::size_t unsent_bytes = std::size_t{64} << 20;
    static constexpr double messages_a_second = 500, messages_at_once = 1000;
    static constexpr double bytes_a_second = 4e6, bytes_at_once = 64e6;
};

class Server {
public:
    // Listens from now on. Throws kernels::Error where that cannot be, or where a file of TLS is not what it should be. `visitors`
    // outlives it.
    Server(ServerOptions options, Visitors& visitors);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    uint16_t port() const;
    const Access& access() const;

    void run();    // until stop(), or until an interrupt or the wish to terminate comes to this process
    void stop();   // on any thread
    void finish(); // after that: half a second for what is still to be sent

private:
    class Listener;
    std::unique_ptr<Listener> listener_;
};

} // namespace app
