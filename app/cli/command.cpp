#include "app/cli/command.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

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
    if (form != Form::csv)
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

} // namespace app
