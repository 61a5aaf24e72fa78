#include "app/cli/options.h"

#include <cmath>
#include <cstdlib>

namespace app {

std::string finite(const std::string& text)
{
    return std::isfinite(std::strtof(text.c_str(), nullptr)) ? std::string() : "it is no finite number";
}

void add_gpu(CLI::App& command, std::string& gpu)
{
    command
        .add_option("--gpu", gpu,
                    "which of several GPUs: its number as --version lists them, or its UUID; default: the first")
        ->type_name("N|UUID");
}

void add_limits(CLI::App& command, WorkerChoice& worker)
{
    command.add_flag("--in-process", worker.in_process, "run the kernels in this process, which a fault then ends");
    command
        .add_option("--time-limit", worker.time_limit,
                    "seconds beyond what is expected, after which a task is given up; default 20, of a file's kernel 5")
        ->check(CLI::Range(0.1, 1e6));
    add_gpu(command, worker.gpu);
}

void add_worker(CLI::App& command, WorkerChoice& worker)
{
    add_limits(command, worker);
    CLI::Option* elsewhere =
        command
            .add_option("--worker", worker.command,
                        "what runs the kernels: a command that starts 'gemmscope worker', here or on another machine; "
                        "default: this program")
            ->type_name("COMMAND");
    command.get_option("--in-process")->excludes(elsewhere);
}

void add_inputs(CLI::App& command, recording::Inputs& inputs)
{
    const auto take = [&inputs](const std::string& name) {
        inputs =
            name == recording::name(recording::Inputs::small) ? recording::Inputs::small : recording::Inputs::random;
    };
    command.add_option_function<std::string>("--inputs", take, "random, or small: whole numbers from 1 to 5")
        ->check(CLI::IsMember({"random", "small"}));
}

} // namespace app
