// Options that several commands take.
#pragma once

#include "app/worker/make_worker.h"

#include "recording/recording.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace app {

template <class Options>
struct AddedCommand {
    CLI::App* command;
    Options* options; // owned by the command
};

// Adds a command with options of its own; when it is called, `run` gets them and returns the exit status.
template <class Options, class Run>
AddedCommand<Options> add_command(CLI::App& program, int& status, const char* name, const char* about, Run run)
{
    const auto options = std::make_shared<Options>();
    CLI::App* const command = program.add_subcommand(name, about);
    command->callback([options, run, &status] { status = run(*options); });
    return {command, options.get()};
}

// A check for an option that is a number: a range lets what is no number pass, and what is too large for one becomes infinite.
std::string finite(const std::string& text);

void add_gpu(CLI::App& command, std::string& gpu);
void add_limits(CLI::App& command, WorkerChoice& worker); // of a task: its time, and which process
void add_worker(CLI::App& command, WorkerChoice& worker); // those, and what runs the kernels
void add_inputs(CLI::App& command,
                recording::Inputs& inputs); // what A, B and C are filled with; what is timed always gets random numbers

// "WxH", "A-B": two numbers with a character between them.
template <class Number>
std::optional<std::pair<Number, Number>> two_numbers(std::string_view text, char between)
{
    std::pair<Number, Number> numbers;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, numbers.first);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != between)
        return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, numbers.second);
    if (second.ec != std::errc() || second.ptr != end)
        return std::nullopt;
    return numbers;
}

} // namespace app
