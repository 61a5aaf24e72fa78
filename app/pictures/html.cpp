#include "app/pictures/html.h"

#include "app/pictures/svg.h"
#include "app/text/command_words.h"

#include "player_files.h"
#include "web_player_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace app {

namespace {

std::string cell(const nlohmann::json& value)
{
    if (value.is_null())
        return "<td>&ndash;</td>";
    if (value.is_boolean())
        return value.get<bool>() ? "<td>yes</td>" : "<td>no</td>";
    if (value.is_number_float())
        return fmt::format("<td class=\"number\">{:.4g}</td>", value.get<double>());
    if (value.is_number())
        return "<td class=\"number\">" + value.dump() + "</td>";
    return "<td>" + escaped(value.get<std::string>()) + "</td>";
}

// Returns the text of a JavaScript module for a script inside a page: without `export` and without lines that import.
std::string inlined(std::string_view module)
{
    std::string text;
    while (!module.empty()) {
        const std::size_t end = std::min(module.find('\n'), module.size() - 1) + 1;
        const std::string_view line = module.substr(0, end);
        constexpr std::string_view exported = "export ";
        if (line.starts_with(exported))
            text += line.substr(exported.size());
        else if (!line.starts_with("import "))
            text += line;
        module.remove_prefix(end);
    }
    return text;
}

std::string paragraphs(const std::vector<std::string>& all)
{
    std::string text;
    for (const std::string& one : all)
        text += "<p>" + escaped(one) + "</p>\n";
    return text;
}

} // namespace

std::string html_of(const Table& table)
{
    std::string text = "<table><thead><tr>";
    for (const TableColumn& column : table.columns) {
        const bool number = !table.rows.empty() && value_of(column, table.rows.front()).is_number();
        text += fmt::format("<th{}>{}</th>", number ? " class=\"number\"" : "", escaped(column.heading));
    }
    text += "</tr></thead><tbody>\n";
    for (const auto& row : table.rows) {
        text += "<tr>";
        for (const TableColumn& column : table.columns)
            text += cell(value_of(column, row));
        text += "</tr>\n";
    }
    return text + "</tbody></table>\n";
}

std::string player_style()
{
    return std::string(player_files::file("player.css"));
}

std::string player_script()
{
    return "<script type=\"module\">\n" + inlined(web_player_files::file("frames.js")) +
           inlined(web_player_files::file("screen.js")) + inlined(player_files::file("player.js")) + "</script>\n";
}

std::string player(const Played& played)
{
    std::string text(player_files::file("player.html"));
    const auto put = [&](std::string_view name, const std::string& value) {
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size()))
            text.replace(at, name.size(), value);
    };
    put("{title}", escaped(played.title));
    put("{ratio}", fmt::format("{:.4f}", static_cast<double>(played.width) / played.height));
    put("{width}", std::to_string(played.width));
    put("{frames}", to_base64(played.packed));
    return text;
}

std::string played_page(const Played& played, const PageWords& words)
{
    return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
           "content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" content=\"" +
           escaped(words.program) + "\"><meta name=\"description\" content=\"" +
           escaped(words.about.empty() ? played.title : words.about.front()) + "\">\n<title>" + escaped(played.title) +
           "</title>\n<style>" + player_style() + "</style></head>\n<body class=\"alone\">\n<main>\n<h1>" +
           escaped(played.title) + "</h1>\n" + player(played) + "<section class=\"about\">\n" +
           paragraphs(words.about) + "<p>Made by <code>" + escaped(words.command) + "</code></p>\n<details><summary>" +
           escaped(words.figures) + "</summary>\n<div class=\"figures\">" + words.table +
           "</div></details>\n</section>\n</main>\n" + player_script() + "</body></html>\n";
}

} // namespace app
