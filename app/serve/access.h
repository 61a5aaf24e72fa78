// Decides who may use the server, and answers HTTP requests. It opens no sockets; app/serve/server.h does.
#pragma once

#include "app/learn/lecture.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

// Returns 128 random bits as 32 hexadecimal digits. Throws kernels::Error if the system has no random numbers.
std::string make_token();
// Compares two tokens. The duration does not depend on where they differ, so that it tells an attacker nothing.
bool same_token(std::string_view given, std::string_view token);

struct PageRequest {
    std::string method, target, host, origin, cookie;
    bool wants_socket = false; // a request to upgrade to WebSocket
};

struct PageAnswer {
    int status = 200;
    std::string type = "text/plain; charset=utf-8", body;
    std::vector<std::pair<std::string, std::string>> headers;
    bool opens_socket = false; // the upgrade is accepted
    Role role = Role::alone;   // role of the visitor that the token belongs to
};

struct Access {
    std::string token;
    std::string base = "/"; // path under which a proxy shows the page; begins and ends with a slash
    int port = 8017;        // part of the cookie's name, because browsers send a cookie to all ports of a host
    // The server itself encrypts connections. Browsers then send the cookie only over encrypted ones.
    bool encrypted = false;
    std::string origin = {};    // origin under which a proxy shows the page; empty: that of the request's own host
    std::string followers = {}; // a second token, for the followers in a class; empty: there is no class

    // Returns the answer to a request: a file of assets/web, the permission to open the WebSocket, or a refusal. The
    // page itself and the WebSocket need a token.
    PageAnswer answer(const PageRequest& request) const;

private:
    std::optional<Role> role_of(const PageRequest& request, std::string_view query) const; // empty: no valid token
    bool is_own_origin(const PageRequest& request) const;
    void add_headers(const PageRequest& request, PageAnswer& answer) const;
};

} // namespace app
