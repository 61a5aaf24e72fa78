// 'gemmscope serve'.
#include "app/serve/serve.h"

#include "app/cli/command.h"
#include "app/cli/window.h"

namespace app {

namespace {

struct ServeArguments : WindowArguments {
    ServeOptions serve;
};

void fields(OptionList& option, ServeArguments& options)
{
    ServeOptions& serve = options.serve;
    option("--port", serve.port, "that browsers connect to, default 8017; 0: a free one");
    option("--host", serve.host, "the address to listen on, default 127.0.0.1: this machine alone");
    option("--base", serve.base, "the path under which a proxy shows it, such as /user/x/proxy/8017/");
    option("--origin", serve.origin,
           "the scheme and the host that browsers see, where a proxy hides them from the server");
    option("--visitors", serve.visitors, "at a time, default 50", between(1u, 1000u));
    option("--allow-kernels", serve.allow_kernels,
           "run CUDA files of visitors, who can then do on this machine what its user can");
    window_options(option, options);
}

int serve_window(const ServeArguments& arguments)
{
    ServeOptions options = arguments.serve;
    options.window = opened_with(arguments);
    return run_server(options);
}

} // namespace

const Subcommand serve_command = {"serve", "show the window in browsers, by a link", declare<serve_window>};

} // namespace app
