// Who may come in, and what a request of HTTP gets. Pure: the sockets are app/serve/server.h's.
#pragma once

#include "app/learn/lecture.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

// 128 random bits as 32 hexadecimal digits. Throws kernels::Error where the system has no randomness.
std::string make_token();
// Takes as long for a token that is wrong in its first character as for one that is wrong in its last.
bool same_token(std::string_view given, std::string_view token);

struct PageRequest {
    std::string method, target, host, origin, cookie;
    bool wants_socket = false; // an upgrade to WebSocket
};

struct PageAnswer {
    int status = 200;
    std::string type = "text/plain; charset=utf-8", body;
    std::vector<std::pair<std::string, std::string>> headers;
    bool opens_socket = false; // the upgrade is granted
    Role role = Role::alone;   // of who has the token
};

struct Access {
    std::string token;
    std::string base = "/";     // begins and ends with a slash: where a proxy shows the page
    int port = 8017;            // cookies do not differ by port: its name does
    bool encrypted = false;     // by the server itself: a browser sends the cookie over such connections only
    std::string origin = {};    // that a proxy shows the page under; empty: the request's own host
    std::string followers = {}; // another token, of those who follow in a class; empty: there is no class

    // The files of assets/web, the page itself for whoever has the token; all else is refused.
    PageAnswer answer(const PageRequest& request) const;

private:
    std::optional<Role> role_of(const PageRequest& request, std::string_view query) const; // none: without a token
    bool is_own_origin(const PageRequest& request) const;
    void add_headers(const PageRequest& request, PageAnswer& answer) const;
};

} // namespace app
