#include "app/serve/access.h"

#include "error.h"
#include "web_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <sys/random.h>

namespace app {

namespace {

// Returns the value of a name in "a=1&b=2" or "a=1; b=2". Returns an empty text if the name is missing.
std::string_view value_of(std::string_view list, std::string_view name, std::string_view separators)
{
    while (!list.empty()) {
        const std::size_t end = std::min(list.find_first_of(separators), list.size());
        const std::string_view one = list.substr(0, end);
        if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=')
            return one.substr(name.size() + 1);
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return {};
}

std::string_view type_of(std::string_view file)
{
    return file.ends_with(".js")    ? "text/javascript; charset=utf-8"
           : file.ends_with(".css") ? "text/css; charset=utf-8"
           : file.ends_with(".svg") ? "image/svg+xml"
                                    : "text/html; charset=utf-8";
}

// Returns whether the host contains only characters that are harmless in a header, because it becomes part of one.
bool is_plain_host(std::string_view host)
{
    return !host.empty() && std::ranges::all_of(host, [](char one) {
        return (one >= '0' && one <= '9') || (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || one == '.' ||
               one == '-' || one == ':' || one == '[' || one == ']';
    });
}

} // namespace

std::string make_token()
{
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw kernels::Error("The system has no random numbers for the link, without which anybody could come in.");
    std::string token;
    for (const unsigned char byte : bytes)
        token += fmt::format("{:02x}", byte);
    return token;
}

bool same_token(std::string_view given, std::string_view token)
{
    unsigned different = given.size() == token.size() ? 0 : 1;
    for (std::size_t i = 0; i < token.size(); ++i) {
        const char one = given.empty() ? '\0' : given[i % given.size()];
        different |= static_cast<unsigned>(static_cast<unsigned char>(one ^ token[i]));
    }
    return different == 0 && !token.empty();
}

// A token in the link takes precedence over the one in the cookie. After a visitor has opened both links of a class,
// the link that was opened last determines the role.
std::optional<Role> Access::role_of(const PageRequest& request, std::string_view query) const
{
    const std::string_view from_link = value_of(query, "token", "&"),
                           from_cookie = value_of(request.cookie, fmt::format("gemmscope_{}", port), "; ");
    std::optional<Role> role;
    // Compares both in any case, so that the duration tells an attacker nothing.
    for (const std::string_view given : {from_cookie, from_link}) {
        const bool first = same_token(given, token), second = same_token(given, followers);
        if (first || second)
            role = followers.empty() ? Role::alone : first ? Role::leader : Role::follower;
    }
    return role;
}

// Returns whether the request comes from a page of this server. A page of another site may try to open a WebSocket
// here, but the browser always states the page's origin.
bool Access::is_own_origin(const PageRequest& request) const
{
    if (!origin.empty() && request.origin == origin)
        return true;
    const std::size_t scheme = request.origin.find("://");
    return scheme != std::string::npos && !request.host.empty() &&
           std::string_view(request.origin).substr(scheme + 3) == request.host;
}

void Access::add_headers(const PageRequest& request, PageAnswer& answer) const
{
    const std::string sockets =
        is_plain_host(request.host) ? fmt::format(" ws://{0} wss://{0}", request.host) : std::string();
    answer.headers.insert(
        answer.headers.end(),
        {{"Content-Security-Policy",
          fmt::format("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                      "connect-src 'self'{}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
                      sockets)},
         {"X-Content-Type-Options", "nosniff"},
         {"Referrer-Policy", "no-referrer"}, // the link contains the token
         {"Cross-Origin-Resource-Policy", "same-origin"},
         {"Cache-Control", "no-store"}});
}

PageAnswer Access::answer(const PageRequest& request) const
{
    const std::string_view target = request.target;
    const std::size_t end = std::min(target.find('?'), target.size());
    std::string_view path = target.substr(0, end);
    const std::string_view query = target.substr(std::min(end + 1, target.size()));
    if (path.starts_with(base)) // otherwise the proxy has already removed the base path
        path.remove_prefix(base.size());
    else if (path.starts_with('/'))
        path.remove_prefix(1);
    PageAnswer answer;
    const auto refuse = [&](int status, std::string why) {
        answer.status = status;
        answer.body = std::move(why) + "\n";
    };
    const std::string_view file = path.empty() ? "index.html" : path;
    const bool needs_token = path == "socket" || path.empty();
    const std::optional<Role> role = role_of(request, query);
    answer.role = role.value_or(Role::alone);
    if (request.method != "GET" && request.method != "HEAD")
        refuse(405, "Only pages are to be had here.");
    else if (needs_token && !role)
        refuse(403, "The link has no token, or an old one: open the one that the server printed.");
    else if (path == "socket" && !is_own_origin(request))
        refuse(403, "A page of another site may not look in here.");
    else if (path == "socket" && !request.wants_socket)
        refuse(426, "This is for WebSocket.");
    else if (path == "socket")
        answer.opens_socket = true;
    else if (const std::string_view found = web_files::file(file); found.empty())
        refuse(404, "There is no such page here.");
    else
        answer.type = type_of(file), answer.body = found;
    if (path.empty() && answer.status == 200)
        answer.headers.emplace_back("Set-Cookie", fmt::format("gemmscope_{}={}; Path={}; HttpOnly; SameSite=Strict{}",
                                                              port, answer.role == Role::follower ? followers : token,
                                                              base, encrypted ? "; Secure" : ""));
    add_headers(request, answer);
    return answer;
}

} // namespace app
