// Serves pages to browsers over HTTP, and connects each page with its visitor over a WebSocket. One thread does all of
// this and never waits for a client.
#pragma once

#include "app/serve/access.h"
#include "app/serve/visitors.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace app {

// Both files have the PEM format. The certificates of the signers follow the server's certificate in the same file.
struct TlsFiles {
    std::filesystem::path certificate, key;
};

struct ServerOptions {
    std::string host = "127.0.0.1"; // an address of this machine, or its name
    uint16_t port = 8017;           // 0: any free port
    Access access;                  // the server sets `port` and `encrypted`
    std::optional<TlsFiles> tls{};  // empty: connections are not encrypted
};

// Limits of one connection. The server closes a connection that exceeds one of them.
struct ConnectionLimits {
    static constexpr int header_seconds = 10;        // until a request has arrived, or the TLS handshake is done
    static constexpr int answer_seconds = 60;        // until the client has taken the answer
    static constexpr int idle_seconds = 60;          // without a sign of life; browsers answer pings
    static constexpr std::size_t connections = 1000; // open connections of all clients together
    static constexpr std::size_t header_bytes = 16 * 1024;
    static constexpr std::size_t unsent_bytes = std::size_t{64} << 20;
    static constexpr double messages_a_second = 500, messages_at_once = 1000;
    static constexpr double bytes_a_second = 4e6, bytes_at_once = 64e6;
};

class Server {
public:
    // Starts to listen. Throws kernels::Error if it cannot listen, or if a TLS file is unusable. `visitors` must
    // outlive the server.
    Server(ServerOptions options, Visitors& visitors);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    uint16_t port() const;
    const Access& access() const;

    void run();    // returns after stop(), or after SIGINT or SIGTERM
    void stop();   // may be called on any thread
    void finish(); // after run(): sends queued messages for at most half a second

private:
    class Listener;
    std::unique_ptr<Listener> listener_;
};

} // namespace app
