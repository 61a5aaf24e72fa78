// Framework for the commands of the command line. A command consists of options and a function that runs it and returns
// the exit status. The options are a struct. Its fields() function has one line per option, with the option's name, its
// member, the text for --help and the limits. kernels/base/fields.h describes the fields of files in the same way.
//
//     void fields(OptionList& option, TuneOptions& options)
//     {
//         option("--seconds", options.seconds, "time for the samples of each candidate", between(0.01, 60.0));
//     }
//
//     const Subcommand tune_command = {"tune", "search for the fastest parameters", declare<tune_stage>};
//
// The results of commands are rows. Output prints them in the requested form: sentences and tables as text, the tables
// as CSV, or JSON. All functions throw kernels::Error.
#pragma once

#include "app/engine/worker.h"
#include "app/text/table.h"
#include "app/text/tell.h"

#include "base/field_words.h"
#include "error.h"
#include "recording/recording.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace app {

enum class OutputForm : uint8_t { text, json, csv };

// Prints the results. Text appears as soon as it is known, JSON and CSV at the end.
class Output {
public:
    OutputForm form = OutputForm::text; // requested form

    bool is_text() const { return form == OutputForm::text; }

    // Prints a sentence between the tables, only as text.
    template <class... Arguments>
    void say(fmt::format_string<Arguments...> words, Arguments&&... arguments) const
    {
        if (is_text())
            write_out(words, std::forward<Arguments>(arguments)...);
    }

    // Ends a check with "3 of 4 right". Returns the exit status, which is 0 if all are good.
    int verdict(std::size_t good, std::size_t all, std::string_view words = {}) const;

    void print(Table table); // prints a table with all its rows
    void begin(Table table); // prints the headings; the rows follow one by one:
    void add(nlohmann::json row);

    // Ends a command whose JSON is more than the rows of its first table. `whole` is of nlohmann's types. `indent` is
    // its indentation; -1: one line. CSV consists of the tables with an empty line between them.
    template <class Json>
    void end(const Json& whole, int indent = 2)
    {
        if (form == OutputForm::json)
            write_json(whole, indent);
        end_csv();
    }
    // Ends a command whose result is one row. The figures are members of `row`.
    void end_with(const nlohmann::ordered_json& row, int indent = 2);
    void end_if_open(); // called when a command ends: prints the first table's rows as JSON, unless end() was called

private:
    void end_csv();

    std::vector<Table> tables_;
    bool ended_ = false;
};

// Limits of an option, listed after its --help text, like between() and above_zero.
inline void required(CLI::Option& option)
{
    option.required();
}
inline void not_negative(CLI::Option& option)
{
    option.check(CLI::NonNegativeNumber);
}
void finite(CLI::Option& option); // refuses NaN, which between() accepts, and numbers that overflow to infinity
inline void hidden(CLI::Option& option)
{
    option.group("");
}
inline auto typed(const char* type) // name of the value's type in --help
{
    return [type](CLI::Option& option) { option.type_name(type); };
}
inline auto excludes(const char* other) // `other` must already be declared
{
    return [other](CLI::Option& option) { option.excludes(other); };
}
inline auto needs(CLI::Option& other)
{
    return [&other](CLI::Option& option) { option.needs(&other); };
}
// The hidden option of `trace` that stands for each word after "--".
inline constexpr const char* argument_option = "--word-after-dashes";
using kernels::above_zero;
using kernels::between;
using kernels::one_of; // for options whose values are words

template <class T>
inline constexpr bool is_named_option = kernels::NamedEnum<T>;
template <class T>
inline constexpr bool is_named_option<std::optional<T>> = kernels::NamedEnum<T>;

// Declares the options of a command.
class OptionList {
public:
    explicit OptionList(CLI::App& command) : command_(command) {}

    CLI::App& command() { return command_; }

    // Declares an option that sets `value`, which otherwise keeps its default. A bool makes a flag; an enumeration
    // takes one of its names.
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

    // Declares an option that calls the function with the typed value.
    template <class T, class... Limits>
    CLI::Option& call(const char* name, const std::function<void(const T&)>& function, const char* about,
                      Limits... limits)
    {
        return limited(command_.add_option_function<T>(name, function, about), limits...);
    }

    // Declares a flag that sets a value.
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

// Declare options that several commands have.
void gpu_option(OptionList& option, std::string& gpu);
void limit_options(OptionList& option, WorkerChoice& worker);  // limits of a task: its time, its GPU, and its process
void worker_options(OptionList& option, WorkerChoice& worker); // the limits, and the worker
void backend_option(OptionList& option, std::optional<std::string>& backend);
void inputs_option(OptionList& option, auto& inputs) // values of A, B and C; timing always uses random numbers
{
    option("--inputs", inputs, "random, or small: whole numbers from 1 to 5", one_of("random", "small"));
}

struct Subcommand {
    const char* name;
    const char* about;
    // Declares the options and the callback that sets `status`, the exit status, when the command runs.
    void (*declare)(CLI::App& command, int& status);
};

struct NoOptions {};
inline void fields(OptionList&, NoOptions&) {}

template <class Options>
Options options_of(int (*)(const Options&));
template <class Options>
Options options_of(int (*)(const Options&, Output&));

// Declares a command. `run` returns the exit status. A command with results is an int(const Options&, Output&) and gets
// --json and --csv. A command that opens a window, writes a picture or serves is an int(const Options&).
template <auto run>
void declare(CLI::App& command, int& status)
{
    using Options = decltype(options_of(run));
    const auto options = std::make_shared<Options>();
    OptionList list(command);
    if constexpr (std::is_invocable_v<decltype(run), const Options&, Output&>) {
        const auto out = std::make_shared<Output>();
        list.set("--json", out->form, OutputForm::json, "print JSON");
        list.set("--csv", out->form, OutputForm::csv, "print the tables as comma-separated values", excludes("--json"));
        command.callback([options, out, &status] {
            status = run(*options, *out);
            out->end_if_open();
        });
    } else {
        command.callback([options, &status] { status = run(*options); });
    }
    fields(list, *options);
}

// All commands. A new command needs a file, its name here, and its entry in the list of command.cpp.
extern const Subcommand stages_command, verify_command, bench_command, tune_command, counters_command, code_command,
    model_command, record_command, info_command, diff_command, trace_command, launch_command, quiz_command,
    lessons_command, sources_command, warps_command, screenshot_command, export_command, report_command, open_command,
    new_command, serve_command, worker_command;

// Describes the worker's machine: 'gemmscope info' without a recording. `measured` measures it with small kernels and
// stores the results for the window. Throws kernels::Unavailable without a GPU.
int show_gpu(const WorkerChoice& worker, bool measured, Output& out);

// Runs 'gemmscope --version'. It prints the build's versions, what it finds at run time, and the loaded libraries with
// their paths, so that a bug report needs only this text.
int show_version();

// Parses two numbers with a character between them, for example "WxH" or "A-B".
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

// The command line of gemmscope. Without a command it opens the window.

// Returns the exit status: 0 for success, 1 for a failure (a sentence on standard error), 2 for invalid arguments.
int run_command_line(int argc, const char* const* argv);

} // namespace app
