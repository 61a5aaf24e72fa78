#include "app/cli/command.h"

#include "app/cli/window.h"
#include "app/platform/window.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace app {

int Output::verdict(std::size_t good, std::size_t all, std::string_view words) const
{
    say("{} of {}{}{}\n", good, all, words.empty() ? "" : " ", words);
    return good == all ? 0 : 1;
}

void Output::print(Table table)
{
    say("{}", text_of(table));
    tables_.push_back(std::move(table));
}

void Output::begin(Table table)
{
    say("{}", headings_text(table));
    tables_.push_back(std::move(table));
}

void Output::add(nlohmann::json row)
{
    say("{}", row_text(tables_.back(), row));
    std::fflush(stdout); // each row may take a while
    tables_.back().rows.push_back(std::move(row));
}

void Output::end_csv()
{
    ended_ = true;
    if (form != OutputForm::csv)
        return;
    for (const Table& table : tables_)
        write_out("{}{}", &table == tables_.data() ? "" : "\r\n", csv_of(table));
}

void Output::end_if_open()
{
    if (!ended_ && !tables_.empty())
        end(nlohmann::json(tables_.front().rows));
}

void Output::end_with(const nlohmann::ordered_json& row, int indent)
{
    tables_.push_back(table_of_members("result", nlohmann::json::array({row})));
    end(row, indent);
}

void finite(CLI::Option& option)
{
    option.check([](const std::string& text) {
        return std::isfinite(std::strtof(text.c_str(), nullptr)) ? std::string() : "it is no finite number";
    });
}

void gpu_option(OptionList& option, std::string& gpu)
{
    option("--gpu", gpu, "which of several GPUs: its number as --version lists them, or its UUID; default: the first",
           typed("N|UUID"));
}

void limit_options(OptionList& option, WorkerChoice& worker)
{
    option("--in-process", worker.in_process, "run the kernels in this process, which a fault then ends");
    option("--time-limit", worker.time_limit,
           "seconds beyond what is expected, after which a task is given up; default 20, of a file's kernel 5",
           between(0.1, 1e6));
    gpu_option(option, worker.gpu);
}

void worker_options(OptionList& option, WorkerChoice& worker)
{
    limit_options(option, worker);
    option("--worker", worker.command,
           "what runs the kernels: a command that starts 'gemmscope worker', here or on another machine; default: "
           "this program",
           typed("COMMAND"), excludes("--in-process"));
}

void backend_option(OptionList& option, std::optional<std::string>& backend)
{
    option("--backend", backend, "cuda or cpu; default: cuda where there is a GPU", one_of("cuda", "cpu"));
}

namespace {

// The order is that of --help.
constexpr const Subcommand* commands[] = {
    &stages_command, &verify_command,  &bench_command,   &tune_command,  &counters_command,   &code_command,
    &model_command,  &record_command,  &info_command,    &diff_command,  &trace_command,      &launch_command,
    &quiz_command,   &lessons_command, &sources_command, &warps_command, &screenshot_command, &export_command,
    &report_command, &open_command,    &new_command,     &serve_command, &worker_command};

// Lists the words that are valid in place of an unknown one: the options of the current command, or the commands.
std::string valid_words(CLI::App& program)
{
    const std::vector<CLI::App*> chosen = program.get_subcommands();
    std::string words, options;
    if (chosen.empty())
        for (const CLI::App* command : program.get_subcommands([](CLI::App*) { return true; }))
            words += " " + command->get_name();
    const CLI::App& command = chosen.empty() ? program : *chosen.front();
    for (const CLI::Option* option :
         command.get_options([](const CLI::Option* one) { return !one->get_group().empty(); }))
        options += " " + option->get_name();
    return (words.empty() ? "" : "The commands are:" + words + ".\n") + "The options" +
           (chosen.empty() ? "" : " of " + command.get_name()) + " are:" + options + ".\n";
}

// Returns whether the arguments name no stage, view or anything else. The window then opens as for a first-time user.
bool asks_for_nothing(const CLI::App& program)
{
    return std::ranges::none_of(program.get_options(), [](const CLI::Option* option) {
        const std::string name = option->get_name();
        return option->count() > 0 && name != "--theme" && name != "--scale" && name != "--worker" &&
               name != "--time-limit";
    });
}

struct Arguments {
    WindowArguments window;
    bool version = false;
    int status = 0; // exit status of the command that ran
};

// Returns the words in the reverse order, as CLI::App takes them, without the program's name. CLI11 takes nothing behind
// "--" after a positional word, so `trace` gets each such word by an option.
std::vector<std::string> words_to_parse(const std::vector<const char*>& words)
{
    std::vector<std::string> given(words.begin() + 1, words.end());
    if (const auto end = std::ranges::find(given, "--"); end != given.end() && given.front() == "trace") {
        for (std::string& word : std::ranges::subrange(end + 1, given.end()))
            word = std::string(argument_option) + "=" + word;
        given.erase(end);
    }
    std::ranges::reverse(given);
    return given;
}

int run(CLI::App& program, Arguments& arguments, const std::vector<const char*>& words)
{
    try {
        program.parse(words_to_parse(words));
        if (arguments.version) {
            arguments.status = show_version();
        } else if (program.get_subcommands().empty()) {
            WindowOptions window = opened_with(arguments.window);
            window.may_welcome = asks_for_nothing(program);
            arguments.status = run_window(window);
        }
        if (std::fflush(stdout) != 0 || std::ferror(stdout))
            throw kernels::Error("Not everything could be written to standard output; is the disk full?");
        return arguments.status;
    } catch (const CLI::ExtrasError& error) {
        tell("gemmscope: {}\n{}", error.what(), valid_words(program));
        return 2;
    } catch (const CLI::ParseError& error) {
        std::ostringstream help, wrong;
        const int status = program.exit(error, help, wrong);
        write_out("{}", help.str());
        tell("{}", wrong.str());
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            tell("gemmscope: Not everything could be written to standard output; is the disk full?\n");
            return 1;
        }
        return status == 0 ? 0 : 2;
    } catch (const std::bad_alloc&) {
        tell("gemmscope: Not enough memory for this; choose a smaller --size.\n");
    } catch (const std::exception& error) {
        tell("gemmscope: {}\n", error.what());
    }
    return 1;
}

// Treats "gemmscope FILE.cu" as "gemmscope open FILE.cu".
std::vector<const char*> with_open(int argc, const char* const* argv)
{
    std::vector<const char*> words(argv, argv + argc);
    const std::filesystem::path first = argc > 1 ? argv[1] : "";
    if (const std::string ending = first.extension().string();
        ending == ".cu" || ending == ".cuh" || ending == ".gscope" || ending == ".gstate")
        words.insert(words.begin() + 1, "open");
    return words;
}

} // namespace

int run_command_line(int argc, const char* const* argv)
{
    CLI::App program("gemmscope: see what CUDA matrix-multiplication kernels really do, beside their real speed.\n"
                     "Without a command it opens the window.",
                     "gemmscope");
    Arguments arguments;
    program.require_subcommand(0, 1);
    program.add_flag("--version", arguments.version, "what it was built with, what it finds and loads, from where");
    OptionList option(program);
    window_options(option, arguments.window);
    for (const Subcommand* const command : commands)
        command->declare(*program.add_subcommand(command->name, command->about), arguments.status);
    return run(program, arguments, with_open(argc, argv));
}

} // namespace app
