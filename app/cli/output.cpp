#include "app/cli/output.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace app {

void add_form(CLI::App& command, Form& form)
{
    const auto add = [&](const char* flag, Form as, const char* about) {
        return command.add_flag_callback(
            flag, [&form, as] { form = as; }, about);
    };
    CLI::Option* const json = add("--json", Form::json, "print JSON");
    add("--csv", Form::csv, "print the tables as comma-separated values")->excludes(json);
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
    std::fflush(stdout); // each may take a while
    tables_.back().rows.push_back(std::move(row));
}

void Output::end_csv() const
{
    if (form_ != Form::csv)
        return;
    for (const Table& table : tables_)
        write_out("{}{}", &table == tables_.data() ? "" : "\r\n", csv_of(table));
}

void Output::end() const
{
    end(tables_.empty() ? nlohmann::json::array() : nlohmann::json(tables_.front().rows));
}

void Output::end(const nlohmann::json& whole) const
{
    if (form_ == Form::json)
        write_json(whole, indent_);
    end_csv();
}

void Output::end_with(const nlohmann::ordered_json& row)
{
    tables_.push_back(table_of_members("result", nlohmann::json::array({row})));
    end(row);
}

void Output::end(const nlohmann::ordered_json& whole) const
{
    if (form_ == Form::json)
        write_json(whole, indent_);
    end_csv();
}

} // namespace app
