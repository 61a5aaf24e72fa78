#include "app/serve/serve.h"

#include "app/platform/offscreen.h"
#include "app/serve/server.h"
#include "app/serve/visitors.h"
#include "app/text/tell.h"

#include "error.h"
#include "temporary_folder.h"

#include <fmt/format.h>

#include <cstdio>
#include <future>
#include <memory>
#include <optional>
#include <thread>

namespace app {

namespace {

std::string host_of_link(const std::string& host)
{
    return host.find(':') == std::string::npos ? host : "[" + host + "]"; // a URL needs brackets around an IPv6 address
}

void print_links(const ServeOptions& options, const Server& server)
{
    const auto link = [&](const std::string& token) {
        return fmt::format("{}://{}:{}{}?token={}", server.access().encrypted ? "https" : "http",
                           host_of_link(options.host), server.port(), options.base, token);
    };
    const Access& access = server.access();
    if (options.of_class)
        write_out("You lead:    {}\nThey follow: {}\n", link(access.token), link(access.followers));
    else
        write_out("{}\n", link(access.token));
    std::fflush(stdout);
}

// Reports through `ready` that OpenGL works, or the error if it does not. Then draws until `stop` is requested.
void draw_visitors(Visitors& visitors, const std::stop_token& stop, std::promise<void>& ready)
{
    std::unique_ptr<Offscreen> offscreen;
    try {
        offscreen = std::make_unique<Offscreen>();
    } catch (...) {
        return ready.set_exception(std::current_exception());
    }
    ready.set_value();
    visitors.run(stop);
}

} // namespace

int run_server(const ServeOptions& options)
{
    if (!options.base.starts_with('/') || !options.base.ends_with('/'))
        throw kernels::Error("--base is a path of the proxy, and begins and ends with a slash: /user/x/proxy/8017/.");
    if (options.certificate.empty() != options.key.empty())
        throw kernels::Error("An encrypted connection needs both --cert and --key.");
    const kernels::TemporaryFolder folder; // for uploads of visitors; other users of this machine cannot read it
    Visitors visitors({.window = options.window,
                       .folder = folder / "visitors",
                       .most = options.visitors,
                       .kernels = options.allow_kernels});
    Server server(
        {.host = options.host,
         .port = options.port,
         .access = {.token = make_token(),
                    .base = options.base,
                    .origin = options.origin,
                    .followers = options.of_class ? make_token() : std::string()},
         .tls = options.certificate.empty() ? std::optional<TlsFiles>() : TlsFiles{options.certificate, options.key}},
        visitors);
    std::promise<void> ready;
    std::future<void> has_opengl = ready.get_future();
    std::jthread drawing([&](const std::stop_token& stop) { draw_visitors(visitors, stop, ready); });
    has_opengl.get();
    print_links(options, server);
    server.run();
    drawing.request_stop();
    drawing.join();
    server.finish();
    return 0;
}

} // namespace app
