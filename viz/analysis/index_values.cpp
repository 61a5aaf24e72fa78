#include "viz/analysis/index_values.h"

#include "viz/analysis/mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <ranges>
#include <regex>
#include <sstream>
#include <string_view>
#include <utility>

namespace viz {

namespace {

using recording::Recording;

// Limits for the text of an untrusted source file. Longer text is not read: it would take long, or overflow the stack,
// of which std::regex uses some for each character.
constexpr std::size_t most_text = 64 << 10, most_statement = 1000, most_parameters = 8000;
constexpr int most_declarations = 300;

struct KnownName {
    std::string name;
    std::optional<int64_t> value; // empty if the name hides others and its own value is not known
    std::size_t depth = 0;        // number of open braces where it was declared
};

// Returns the value of an expression. An inner name hides an outer one. Returns nothing if a part could be negative,
// because signed and unsigned integers of C treat it differently.
std::optional<int64_t> value_in(std::string_view expression, const std::vector<KnownName>& names)
{
    if (expression.find_first_of("-~") != std::string_view::npos)
        return {};
    static const std::regex cast(R"(static_cast\s*<\s*(unsigned|int|unsigned int|uint32_t|std::size_t|size_t)\s*>)"),
        suffix(R"(\b(\d+)[uUlL]+\b)"), blank(R"(\s+)");
    std::string plain = std::regex_replace(std::string(expression), cast, "");
    plain = std::regex_replace(std::regex_replace(plain, suffix, "$1"), blank, " ");
    std::vector<NamedNumber> known;
    std::vector<std::string_view> seen;
    for (const KnownName& one : names | std::views::reverse) {
        if (std::ranges::find(seen, one.name) != seen.end())
            continue;
        seen.push_back(one.name);
        if (one.value)
            known.push_back({one.name, *one.value});
    }
    return evaluate(plain, known).value;
}

// Replaces comments, string literals and preprocessor lines by blanks. Omits code for the host.
std::string code_of(const std::string& source)
{
    std::string code = source.substr(0, source.find("#ifndef __CUDACC__"));
    const auto blank_until = [&](std::size_t from, std::size_t until) {
        for (std::size_t i = from; i < std::min(until, code.size()); ++i)
            if (code[i] != '\n')
                code[i] = ' ';
        return until;
    };
    for (std::size_t i = 0; i < code.size(); ++i) {
        const std::string_view rest = std::string_view(code).substr(i);
        if (rest.starts_with("//") || rest.starts_with("#"))
            i = blank_until(i, std::min(code.find('\n', i), code.size()));
        else if (rest.starts_with("/*"))
            i = blank_until(i, std::min(code.find("*/", i + 2), code.size() - 2) + 2) - 1;
        else if (rest.starts_with("\""))
            i = blank_until(i, std::min(code.find('"', i + 1), code.size() - 1) + 1) - 1;
    }
    return code;
}

// Returns the text between the braces of the stage's struct Parameters. Returns nothing if several files could have it.
std::string parameters_struct(const Recording& recording)
{
    std::vector<std::string> found;
    for (const recording::SourceFile& file : recording.sources) {
        const std::string code = code_of(file.text);
        const std::size_t begin = code.find("struct Parameters");
        if (const std::size_t end = code.find("\n};", begin);
            begin != std::string::npos && end - begin <= most_parameters)
            found.push_back(code.substr(begin, end - begin));
        if (&file == &recording.sources.front() && !found.empty())
            return found.front();
    }
    return found.size() == 1 ? found.front() : "";
}

// Returns the parameters and values derived from them: "P.BM", "P.threads()".
std::vector<KnownName> parameter_names(const Recording& recording)
{
    std::vector<KnownName> bare;
    for (const recording::Parameter& parameter : recording.parameters)
        bare.push_back({parameter.name, parameter.value});
    static const std::regex method(R"(constexpr int (\w+)\(\) const\s*\{\s*return ([^;]*);\s*\})");
    const std::string code = parameters_struct(recording);
    for (std::sregex_iterator found(code.begin(), code.end(), method), end; found != end; ++found)
        bare.push_back({found->str(1) + "()", value_in(found->str(2), bare)});
    for (KnownName& name : bare)
        name.name = "P." + name.name;
    return bare;
}

std::vector<KnownName> names_of_thread(const Recording& recording, const recording::BlockTrace& block, uint32_t thread)
{
    const recording::Launch& launch = recording.launch;
    std::vector<KnownName> names = parameter_names(recording);
    const auto add = [&](const char* name, const recording::Index3& of) {
        const std::pair<char, uint32_t> parts[] = {{'x', of.x}, {'y', of.y}, {'z', of.z}};
        for (const auto& [axis, value] : parts)
            names.push_back({fmt::format("{}.{}", name, axis), value});
    };
    add("threadIdx", launch.block.place_of(thread));
    add("blockIdx", block.block);
    add("blockDim", launch.block);
    add("gridDim", launch.grid);
    names.push_back({"warpSize", recording::warp_size});
    if (!recording.executed) {
        names.push_back({"gemm.M", recording.problem.M});
        names.push_back({"gemm.N", recording.problem.N});
        names.push_back({"gemm.K", recording.problem.K});
    }
    return names;
}

// Reads the source from its beginning and evaluates the declarations of integers.
class Declarations {
public:
    Declarations(const Recording& of, const recording::BlockTrace& with, uint32_t number)
        : recording(of), block(with), thread(number), code(code_of(of.source().text)),
          names(names_of_thread(of, with, number))
    {
        static const std::regex macro(R"(#[ \t]*define[ \t]+(\w+)[ \t]+(\S[^\n/]*))");
        std::istringstream lines(of.source().text);
        for (std::string line; std::getline(lines, line);)
            if (std::smatch one; line.size() <= most_statement && std::regex_search(line, one, macro))
                names.push_back({one.str(1), value_in(one.str(2), names)});
    }

    std::vector<IndexValue> read()
    {
        const auto next_word = [&](std::size_t from) {
            return std::min(code.find_first_not_of(" \t\r\n", from), code.size());
        };
        std::size_t begin = next_word(0); // of the statement
        for (std::size_t i = 0; i < code.size() && declarations < most_declarations; ++i) {
            const char letter = code[i];
            if (letter == '(')
                ++parentheses;
            else if (letter == ')')
                --parentheses;
            else if (letter == '{')
                open(begin, i);
            else if (letter == '}')
                close();
            else if (letter == ';' && parentheses == 0)
                statement(begin, i);
            if (letter == '{' || letter == '}' || (letter == ';' && parentheses == 0))
                begin = next_word(i + 1);
        }
        return std::move(found);
    }

private:
    struct Scope {
        std::size_t begin = 0;
        int parentheses = 0; // open ones around it, as around a lambda
        bool kernel = false, cases = false;
    };

    uint32_t line_at(std::size_t at) const
    {
        return 1 +
               static_cast<uint32_t>(std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    }

    std::size_t end_of_scope(std::size_t at) const
    {
        int depth = 1;
        for (; at < code.size(); ++at) {
            depth += code[at] == '{' ? 1 : code[at] == '}' ? -1 : 0;
            if (depth == 0)
                break;
        }
        return at;
    }

    // Begins a scope. Names in its header, such as arguments or a loop's variable, hide outer names.
    void open(std::size_t begin, std::size_t brace)
    {
        const std::string header = code.substr(begin, brace - begin);
        scopes.push_back({brace + 1, parentheses, header.find("__global__") != std::string::npos,
                          header.find("switch") != std::string::npos});
        parentheses = 0;
        static const std::regex declared(R"((\w+)\s*(=(?!=)|,|\)))"), condition(R"(^\s*(else\s+)?(if|while|switch)\b)");
        if (header.size() > most_statement)
            return end_reading();
        if (!std::regex_search(header, condition))
            for (std::sregex_iterator one(header.begin(), header.end(), declared), end; one != end; ++one)
                names.push_back({one->str(1), {}, scopes.size()});
    }

    void close()
    {
        if (scopes.empty())
            return;
        std::erase_if(names, [&](const KnownName& one) { return one.depth >= scopes.size(); });
        parentheses = scopes.back().parentheses;
        scopes.pop_back();
    }

    void statement(std::size_t begin, std::size_t end)
    {
        static const std::regex whole_number(
            R"(^\s*((?:static|constexpr|const)\s+)*(int|unsigned|unsigned int|u?int32_t|(std::)?size_t|auto)\s+(?=\w+\s*=))"),
            other(R"(^\s*(?:const\s+)?[A-Za-z_][\w:]*(?:<[^;]*>)?\s+[&*]*(\w+)\s*(?:=|\(|\{|\[|$))");
        const std::string text = code.substr(begin, end - begin);
        std::smatch match;
        if (text.size() > most_statement)
            return end_reading();
        if (std::regex_search(text, match, whole_number)) {
            const bool constant = match.str(0).find("const") != std::string::npos;
            std::size_t from = static_cast<std::size_t>(match.length(0));
            for (std::size_t i = from, open_ones = 0; i <= text.size(); ++i) {
                if (i < text.size() && (text[i] == '(' || text[i] == ')'))
                    open_ones += text[i] == '(' ? 1 : -1;
                if (i == text.size() || (text[i] == ',' && open_ones == 0)) {
                    declarator(begin + from, text.substr(from, i - from), end, constant);
                    from = i + 1;
                }
            }
        } else if (std::regex_search(text, match, other)) {
            names.push_back({match.str(1), {}, scopes.size()});
        }
    }

    // Stops reading, because the following text may declare variables that hide known names.
    void end_reading() { declarations = most_declarations; }

    void declarator(std::size_t at, const std::string& text, std::size_t end, bool constant)
    {
        ++declarations;
        static const std::regex parts(R"(^\s*(\w+)\s*=(?!=)([^]*)$)");
        std::smatch match;
        if (!std::regex_search(text, match, parts))
            return;
        const std::string name = match.str(1);
        const std::size_t place = at + static_cast<std::size_t>(match.position(1));
        const std::optional<int64_t> value = value_in(match.str(2), names);
        const bool lasts = value && (constant || !changes(name, end));
        names.push_back({name, lasts ? value : std::nullopt, scopes.size()});
        const uint32_t line = line_at(place);
        if (value && !scopes.empty() && has_run(place, line))
            found.push_back({line, name, *value});
    }

    // Returns whether the variable may change later.
    bool changes(const std::string& name, std::size_t from) const
    {
        const std::regex change(fmt::format(
            R"(\b{0}\s*([-+*/%&|^]|<<|>>)?=(?!=)|\b{0}\s*(\+\+|--)|(\+\+|--|&)\s*{0}\b|[(,]\s*{0}\s*[,)])", name));
        const auto begin = code.begin() + static_cast<std::ptrdiff_t>(from);
        return std::regex_search(begin, code.begin() + static_cast<std::ptrdiff_t>(end_of_scope(from)), change);
    }

    bool has_run(std::size_t place, uint32_t line) const
    {
        const Scope& scope = scopes.back();
        const std::string before = code.substr(scope.begin, place - scope.begin);
        if (scope.kernel && before.find("return") == std::string::npos && before.find("exit") == std::string::npos)
            return true;
        const uint32_t warp = thread / recording::warp_size, lane = thread % recording::warp_size;
        if (scope.cases || warp >= block.warps.size())
            return false;
        const uint32_t last = line_at(end_of_scope(place));
        return std::ranges::any_of(block.warps[warp].accesses, [&](const recording::Access& access) {
            return access.line >= line && access.line <= last && (access.mask >> lane & 1u) != 0;
        });
    }

    const Recording& recording;
    const recording::BlockTrace& block;
    uint32_t thread;
    std::string code;
    std::vector<KnownName> names;
    std::vector<Scope> scopes;
    int parentheses = 0;
    std::vector<IndexValue> found;
    int declarations = 0;
};

} // namespace

std::vector<IndexValue> index_values(const Recording& recording, const recording::BlockTrace& block, uint32_t thread)
{
    if (recording.source().text.size() > most_text)
        return {};
    return Declarations(recording, block, thread).read();
}

} // namespace viz
