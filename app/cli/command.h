// A command of the command line: options, and a function from them to an exit status. Its options are a struct, which names each
// in one line of its fields(), as kernels/base/fields.h has it for files, with what --help says and the limits:
//
//     void fields(OptionList& option, TuneOptions& options)
//     {
//         option("--seconds", options.seconds, "time for the samples of each candidate", between(0.01, 60.0));
//     }
//
//     const Subcommand tune_command = {"tune", "search for the fastest parameters", declare<TuneOptions, tune_stage>};
//
// What commands find are rows, which Output prints in the form that was asked for: sentences and tables as text, the tables as CSV, or
// JSON. All throw kernels::Error.
#pragma once

#include "app/text/table.h"
#include "app/text/tell.h"
#include "app/worker/make_worker.h"

#include "base/field_words.h"
#include "error.h"
#include "recording/recording.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace app {

enum class Form : uint8_t { text, json, csv };

// Text comes as it is known, JSON and CSV at the end.
class Output {
public:
    Form form = Form::text; // as the options of the command ask for it

    bool is_text() const { return form == Form::text; }

    // Prints a sentence around the tables, in text alone.
    template <class... Arguments>
    void say(fmt::format_string<Arguments...> words, Arguments&&... arguments) const
    {
        if (is_text())
            write_out(words, std::forward<Arguments>(arguments)...);
    }

    // "3 of 4 right": the end of a check. The exit status: 0 where all are.
    int verdict(std::size_t good, std::size_t all, std::string_view words = {}) const;

    void print(Table table); // with all its rows
    void begin(Table table); // its headings; its rows follow one by one:
    void add(nlohmann::json row);

    // The end, of a command that prints more as JSON than the rows of its first table: `whole`, of nlohmann's types, indented; -1: in
    // one line. CSV is the tables, an empty line between two of them.
    template <class Json>
    void end(const Json& whole, int indent = 2)
    {
        if (form == Form::json)
            write_json(whole, indent);
        end_csv();
    }
    // The end of a command whose result is one row: its figures are members of `row`.
    void end_with(const nlohmann::ordered_json& row, int indent = 2);
    void end_if_open(); // called when a command ends: prints the first table's rows as JSON, unless end() was called

private:
    void end_csv();

    std::vector<Table> tables_;
    bool ended_ = false;
};

// The limits of an option, behind what --help says of it; between() and above_zero are among them.
inline void required(CLI::Option& option)
{
    option.required();
}
inline void not_negative(CLI::Option& option)
{
    option.check(CLI::NonNegativeNumber);
}
void finite(
    CLI::Option& option); // between() lets what is no number pass, and what is too large for one becomes infinite
inline void hidden(CLI::Option& option)
{
    option.group("");
}
inline auto typed(const char* type) // how --help calls the value
{
    return [type](CLI::Option& option) { option.type_name(type); };
}
inline auto excludes(const char* other) // which is declared already
{
    return [other](CLI::Option& option) { option.excludes(other); };
}
inline auto needs(CLI::Option& other)
{
    return [&other](CLI::Option& option) { option.needs(&other); };
}
using kernels::above_zero;
using kernels::between;
using kernels::one_of; // words

template <class T>
inline constexpr bool is_named_option = kernels::NamedEnum<T>;
template <class T>
inline constexpr bool is_named_option<std::optional<T>> = kernels::NamedEnum<T>;

// Declares the options of a command.
class OptionList {
public:
    explicit OptionList(CLI::App& command) : command_(command) {}

    CLI::App& command() { return command_; }

    // A value, which keeps its default where the option is not given: a flag where it is a bool, one of its names where it is an
    // enumeration.
    template <class T, class... Limits>
    CLI::Option& operator()(const char* name, T& value, const char* about, Limits... limits)
    {
        if constexpr (std::same_as<T, bool>)
            return limited(command_.add_flag(name, value, about), limits...);
        else if constexpr (is_named_option<T>)
            return call<std::string>(
                name,
                [name, &value](const std::string& word) {
                    kernels::read_word({name, word}, value);
                },
                about, limits...);
        else
            return limited(command_.add_option(name, value, about), limits...);
    }

    // Calls the function with what was typed.
    template <class T, class... Limits>
    CLI::Option& call(const char* name, const std::function<void(const T&)>& function, const char* about,
                      Limits... limits)
    {
        return limited(command_.add_option_function<T>(name, function, about), limits...);
    }

    // A flag that sets a value.
    template <class T, class... Limits>
    CLI::Option& set(const char* name, T& value, T to, const char* about, Limits... limits)
    {
        return limited(command_.add_flag_callback(
                           name, [&value, to] { value = to; }, about),
                       limits...);
    }

private:
    template <class... Limits>
    CLI::Option& limited(CLI::Option* option, Limits... limits)
    {
        (limit(*option, limits), ...);
        return *option;
    }
    static void limit(CLI::Option& option, auto limits)
    {
        if constexpr (requires { limits(option); })
            limits(option);
        else if constexpr (requires { limits.least; })
            option.check(CLI::Range(limits.least, limits.most));
        else if constexpr (requires { limits.valid; })
            option.check(CLI::IsMember(std::vector<std::string>(limits.valid.begin(), limits.valid.end())));
        else
            option.check(CLI::PositiveNumber); // above_zero
    }

    CLI::App& command_;
};

// Options that several commands take.
void gpu_option(OptionList& option, std::string& gpu);
void limit_options(OptionList& option, WorkerChoice& worker);  // of a task: its time, its GPU, and which process
void worker_options(OptionList& option, WorkerChoice& worker); // those, and what runs the kernels
void backend_option(OptionList& option, std::optional<std::string>& backend);
void inputs_option(OptionList& option, auto& inputs) // of A, B and C; what is timed always gets random numbers
{
    option("--inputs", inputs, "random, or small: whole numbers from 1 to 5", one_of("random", "small"));
}

struct Subcommand {
    const char* name;
    const char* about;
    void (*declare)(CLI::App& command, int& status); // its options, and what sets the exit status when it is called
};

struct NoOptions {};
inline void fields(OptionList&, NoOptions&) {}

template <class Options>
Options options_of(int (*)(const Options&));
template <class Options>
Options options_of(int (*)(const Options&, Output&));

// `run` returns the exit status: an int(const Options&, Output&) of a command that finds something, which has --json and --csv, or
// an int(const Options&) of one that opens a window, writes a picture or serves.
template <auto run>
void declare(CLI::App& command, int& status)
{
    using Options = decltype(options_of(run));
    const auto options = std::make_shared<Options>();
    OptionList list(command);
    if constexpr (std::is_invocable_v<decltype(run), const Options&, Output&>) {
        const auto out = std::make_shared<Output>();
        list.set("--json", out->form, Form::json, "print JSON");
        list.set("--csv", out->form, Form::csv, "print the tables as comma-separated values", excludes("--json"));
        command.callback([options, out, &status] {
            status = run(*options, *out);
            out->end_if_open();
        });
    } else {
        command.callback([options, &status] { status = run(*options); });
    }
    fields(list, *options);
}

// A new one is a file, its name here and in the list of command_line.cpp.
extern const Subcommand stages_command, verify_command, bench_command, tune_command, counters_command, code_command,
    model_command, record_command, info_command, diff_command, trace_command, launch_command, quiz_command,
    lessons_command, sources_command, warps_command, screenshot_command, export_command, report_command, open_command,
    new_command, serve_command, worker_command;

// What is here: 'gemmscope info' without a recording, of the worker's machine. `measured`: with small kernels, and kept for the window.
// Throws kernels::Unavailable without a GPU.
int show_gpu(const WorkerChoice& worker, bool measured, Output& out);

// 'gemmscope --version': what it was built with, what it finds, and what was loaded from where, so that a report of an error is
// one paste.
int show_version();

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
