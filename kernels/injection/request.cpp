#include "injection/request.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace injection {

namespace fs = std::filesystem;

void Fields::add(const std::string& name, const std::string& value)
{
    std::string line = value;
    for (char& c : line)
        if (c == '\n' || c == '\r')
            c = ' ';
    fields.emplace_back(name, std::move(line));
}

void Fields::add(const std::string& name, uint64_t value)
{
    add(name, std::to_string(value));
}

std::string Fields::text(const std::string& name) const
{
    for (const auto& [field, value] : fields)
        if (field == name)
            return value;
    return "";
}

uint64_t Fields::number(const std::string& name) const
{
    return std::strtoull(text(name).c_str(), nullptr, 10);
}

std::vector<std::string> Fields::all(const std::string& name) const
{
    std::vector<std::string> values;
    for (const auto& [field, value] : fields)
        if (field == name)
            values.push_back(value);
    return values;
}

void Fields::write(const fs::path& file) const
{
    const fs::path unfinished = file.string() + ".part";
    {
        std::ofstream to(unfinished);
        for (const auto& [name, value] : fields)
            to << name << ' ' << value << '\n';
        if (!to.flush())
            throw std::runtime_error(unfinished.string() + " could not be written.");
    }
    fs::rename(unfinished, file);
}

Fields Fields::read(const fs::path& file)
{
    std::ifstream from(file);
    if (!from)
        throw std::runtime_error(file.string() + " could not be read.");
    Fields result;
    for (std::string line; std::getline(from, line);) {
        const std::size_t space = line.find(' ');
        result.fields.emplace_back(line.substr(0, space), space == std::string::npos ? "" : line.substr(space + 1));
    }
    return result;
}

void Request::write(const fs::path& file) const
{
    Fields fields;
    fields.add("list", list);
    fields.add("kernel", kernel);
    fields.add("launch", launch);
    for (const std::string& block : blocks)
        fields.add("block", block);
    fields.add("library", library);
    fields.add("patches", patches);
    fields.add("tracer", static_cast<uint64_t>(tracer));
    fields.add("event_bytes", event_bytes);
    fields.add("value_bytes", value_bytes);
    fields.write(file);
}

Request Request::read(const fs::path& file)
{
    const Fields fields = Fields::read(file);
    return {.list = fields.number("list") != 0,
            .kernel = fields.text("kernel"),
            .launch = fields.number("launch"),
            .blocks = fields.all("block"),
            .library = fields.text("library"),
            .patches = fields.text("patches"),
            .tracer = static_cast<pid_t>(fields.number("tracer")),
            .event_bytes = fields.number("event_bytes"),
            .value_bytes = fields.number("value_bytes")};
}

} // namespace injection
