#include "app/text/table.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

using nlohmann::json;

constexpr std::string_view gap = "  ";

// Returns the text before the mark, and removes both from `text`. Without the mark it takes the whole text.
std::string_view taken(std::string_view& text, std::string_view mark)
{
    const std::size_t end = std::min(text.find(mark), text.size());
    const std::string_view result = text.substr(0, end);
    text.remove_prefix(std::min(end + mark.size(), text.size()));
    return result;
}

// Returns a nested member, or null if the row does not have it.
json member(const json& row, std::string_view id)
{
    if (!row.is_object())
        return {};
    if (const auto found = row.find(id); found != row.end())
        return *found;
    const std::size_t dot = id.find('.');
    const auto found = dot == std::string_view::npos ? row.end() : row.find(id.substr(0, dot));
    return found == row.end() ? json() : member(*found, id.substr(dot + 1));
}

// Formats a value without a format. Three numbers become "8 x 4 x 1".
std::string plain_text(const json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_array()) {
        std::string text;
        for (const json& one : value)
            text += (text.empty() ? "" : " x ") + plain_text(one);
        return text;
    }
    return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.is_null() ? "" : value.dump();
}

std::string csv_cell(const json& value)
{
    std::string text = plain_text(value);
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string cell_text(const TableColumn& column, const json& value)
{
    const std::string& format = column.format;
    if (value.is_boolean() && format.starts_with('?')) {
        const std::size_t colon = format.find(':');
        return value.get<bool>() ? format.substr(1, colon - 1) : format.substr(colon + 1);
    }
    if (value.is_null())
        return format == "<" ? "" : "-";
    if (!value.is_number() || format.empty() || format == "<")
        return plain_text(value);
    return number_text(format, value.get<double>());
}

// Returns the number of code points.
std::size_t length(std::string_view text)
{
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

bool is_left(const TableColumn& column)
{
    return column.format == "<" || column.format.starts_with('?');
}

// Returns the minimum width. If rows are printed before the last one is known, it leaves room for the longest name of a
// stage, or a number.
std::size_t least_width(const TableColumn& column, bool all_known)
{
    const std::size_t needed = all_known ? 0 : column.format == "<" ? 26 : 9;
    return std::max(needed, length(column.heading));
}

class Line {
public:
    void add(std::string_view text, std::size_t width, char align)
    {
        const std::size_t missing = width - std::min(width, length(text));
        const std::size_t before = align == '<' ? 0 : align == '>' ? missing : missing / 2;
        text_ += std::string(is_first_ ? "" : gap) + std::string(before, ' ') + std::string(text) +
                 std::string(missing - before, ' ');
        is_first_ = false;
    }
    std::string take()
    {
        text_.erase(text_.find_last_not_of(' ') + 1);
        return std::exchange(text_, {}) + "\n";
    }

private:
    std::string text_;
    bool is_first_ = true;
};

std::vector<std::size_t> widths_of(const Table& table, bool all_known = true)
{
    std::vector<std::size_t> widths;
    for (const TableColumn& column : table.columns) {
        std::size_t width = least_width(column, all_known);
        for (const json& row : table.rows)
            width = std::max(width, length(cell_text(column, value_of(column, row))));
        widths.push_back(width);
    }
    return widths;
}

std::string groups_text(const Table& table, const std::vector<std::size_t>& widths)
{
    Line line;
    for (std::size_t i = 0; i < table.columns.size();) {
        const std::string& group = table.columns[i].group;
        std::size_t width = widths[i++];
        while (i < table.columns.size() && table.columns[i].group == group)
            width += gap.size() + widths[i++];
        line.add(group, width, '^');
    }
    const std::string text = line.take();
    return text == "\n" ? "" : text;
}

std::string headings_text(const Table& table, const std::vector<std::size_t>& widths)
{
    Line line;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        line.add(table.columns[i].heading, widths[i], is_left(table.columns[i]) ? '<' : '>');
    const std::string text = line.take();
    return groups_text(table, widths) + (text == "\n" ? "" : text);
}

std::string row_text(const Table& table, const json& row, const std::vector<std::size_t>& widths)
{
    Line line;
    const json missing = member(row, "missing");
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const TableColumn& column = table.columns[i];
        const json value = value_of(column, row);
        if (value.is_null() && missing.is_string()) {
            line.add(missing.get<std::string>(), 0, '<');
            break;
        }
        line.add(cell_text(column, value), widths[i], is_left(column) ? '<' : '>');
    }
    return line.take();
}

std::vector<std::size_t> least_widths(const Table& table)
{
    Table empty;
    empty.columns = table.columns;
    return widths_of(empty, false);
}

// Returns each reason once.
std::string reasons_text(const Table& table)
{
    std::vector<std::string> reasons;
    for (const json& row : table.rows)
        for (const TableColumn& column : table.columns)
            if (const json why = member(member(row, "missing"), column.id); why.is_string())
                if (std::ranges::find(reasons, why.get<std::string>()) == reasons.end())
                    reasons.push_back(why.get<std::string>());
    std::string text;
    for (const std::string& why : reasons)
        text += "-: " + why + "\n";
    return text;
}

} // namespace

std::string number_text(std::string_view format, double number)
{
    if (format == "%")
        return viz::percent(number);
    if (format == "bytes")
        return viz::bytes_words(number);
    if (format == "time")
        return viz::time_words(number);
    if (format == "energy")
        return number < 1 ? fmt::format("{:.3g} mJ", 1e3 * number) : fmt::format("{:.3g} J", number);
    if (format == "count")
        return number < 1e5   ? viz::thousands(static_cast<uint64_t>(number))
               : number < 1e9 ? fmt::format("{:.2f} M", number * 1e-6)
                              : fmt::format("{:.2f} G", number * 1e-9);
    if (format == "thousands")
        return viz::thousands(number);
    if (format == "times")
        return viz::thousands(number) + " ×";
    return fmt::format(fmt::runtime(format), number);
}

json value_of(const TableColumn& column, const json& row)
{
    return column.value ? column.value(row) : member(row, column.id);
}

Table::Table(std::string named, std::string_view columns_in_order, std::vector<json> with_rows)
    : name(std::move(named)), rows(std::move(with_rows))
{
    while (!columns_in_order.empty()) {
        const std::string_view one = taken(columns_in_order, " | ");
        const std::size_t colon = std::min(one.find(':'), one.size());
        const std::string_view format = one.substr(std::min(colon + 1, one.size()));
        std::string_view heading = one.substr(0, colon);
        const bool is_named = heading.find('=') != std::string_view::npos;
        TableColumn column{std::string(taken(heading, "=")), std::string(heading), std::string(format)};
        if (!is_named) {
            column.heading = column.id;
            std::ranges::replace(column.heading, '_', ' ');
        }
        columns.push_back(std::move(column));
    }
}

void Table::add(std::vector<json> values)
{
    json row = json::object();
    for (std::size_t i = 0; i < values.size(); ++i)
        row[columns.at(i).id] = std::move(values[i]);
    rows.push_back(std::move(row));
}

void Table::derive(std::string_view id, std::function<json(const json& row)> function)
{
    std::ranges::find(columns, id, &TableColumn::id)->value = std::move(function);
}

Table table_of_members(std::string name, const json& rows)
{
    Table table(std::move(name), "", rows);
    for (const json& row : rows)
        for (const auto& member : row.items())
            if (!member.value().is_structured() &&
                std::ranges::find(table.columns, member.key(), &TableColumn::id) == table.columns.end())
                table.columns.push_back({member.key(), member.key(), ""});
    return table;
}

std::string csv_of(const Table& table)
{
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += (i == 0 ? "" : ",") + table.columns[i].id;
    text += "\r\n";
    for (const json& row : table.rows) {
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            text += (i == 0 ? "" : ",") + csv_cell(value_of(table.columns[i], row));
        text += "\r\n";
    }
    return text;
}

std::string json_of(const Table& table)
{
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const json& row : table.rows) {
        nlohmann::ordered_json object;
        for (const TableColumn& column : table.columns)
            object[column.id] = value_of(column, row);
        rows.push_back(std::move(object));
    }
    return nlohmann::ordered_json{{"table", table.name}, {"rows", rows}}.dump(2) + "\n";
}

std::string headings_text(const Table& table)
{
    return headings_text(table, least_widths(table));
}

std::string row_text(const Table& table, const json& row)
{
    return row_text(table, row, least_widths(table));
}

std::string text_of(const Table& table)
{
    if (table.rows.empty())
        return "";
    const std::vector<std::size_t> widths = widths_of(table);
    std::string text = headings_text(table, widths);
    for (const json& row : table.rows)
        text += row_text(table, row, widths);
    return text + reasons_text(table);
}

} // namespace app
