#include "traced/launch_from_text.h"

#include "error.h"
#include "traced/host_text.h"
#include "traced/launch.h"
#include "traced/source_text.h"
#include "traced/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>

namespace traced {

namespace {

std::string base_of(const std::string& kernel)
{
    return std::string(base_of_kernel(kernel));
}

// Returns the names in explicit instantiations, such as "template __global__ void scale<float>(float*);", and in
// launches with template arguments, each once.
std::vector<std::string> instantiations(const std::string& code, const std::string& name)
{
    std::vector<std::string> all;
    const auto add = [&](std::string one) {
        std::erase(one, ' ');
        if (base_of(one) == name && one.size() > name.size() && std::ranges::find(all, one) == all.end())
            all.push_back(std::move(one));
    };
    for (std::size_t at = find_word(code, "template"); at != std::string::npos;
         at = find_word(code, "template", at + 8)) {
        const std::size_t next = code.find_first_not_of(" \t\r\n", at + 8), open = code.find('(', at);
        if (next != std::string::npos && code[next] != '<' && open != std::string::npos)
            add(called_before(code, open));
    }
    for (const WrittenLaunch& launch : launches_in(code))
        add(launch.kernel);
    return all;
}

// Returns "256" for "__launch_bounds__(256, 2)" at the kernel, or an empty text.
std::string bounds_of(const std::string& code, const WrittenKernel& kernel)
{
    constexpr std::string_view word = "__launch_bounds__";
    std::size_t name = 0;
    for (uint32_t line = 1; line < kernel.line; ++line)
        name = code.find('\n', name) + 1;
    name = find_word(code, kernel.name, name);
    const std::size_t begin = name == std::string::npos ? name : code.rfind("__global__", name);
    const std::size_t at =
        begin == std::string::npos ? begin : find_word(code, word, code.find_last_of(";}", begin) + 1);
    if (at == std::string::npos || at > name + kernel.name.size() + 2)
        return {};
    const std::size_t open = code.find('(', at), close = code.find(')', at);
    return close == std::string::npos || open > close
               ? ""
               : split_at_commas(code.substr(open + 1, close - open - 1)).front();
}

bool has_value(const std::string& text, const Names& names)
{
    try {
        const std::vector<std::string> parts = split_at_commas(text);
        for (const std::string& part : parts)
            evaluate(part, names, "");
        return !parts.empty() && parts.size() <= 3;
    } catch (const kernels::Error&) { // it uses a name that only the host program knows
        return false;
    }
}

bool is_number(std::string text)
{
    if (text.ends_with('f') && text.find('x') == std::string::npos)
        text.pop_back();
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

class Completion {
public:
    Completion(Request request, const std::string& text)
        : text_(text), code_(only_code(text)), done_{.request = std::move(request), .missing = {}}
    {
    }

    CompletedLaunch run()
    {
        if (choose_kernel()) {
            for (const WrittenLaunch& launch : launches_in(text_))
                if (base_of(launch.kernel) == kernel_.name && (!launch_ || launch.kernel == request().kernel))
                    launch_ = launch;
            names_ = names_of(request(), text_);
            extents();
            arguments();
        }
        return std::move(done_);
    }

private:
    Request& request() { return done_.request; }
    void lack(std::string what) { done_.missing.push_back(std::move(what)); }

    // Returns false if the kernel is unknown, because then everything else is unknown too. The kernel may be in a file
    // that this one includes. The caller handles that.
    bool choose_kernel()
    {
        const std::vector<KernelChoice> choices = kernel_choices(text_);
        std::size_t number = 0;
        const std::string& named = request().kernel;
        const auto [end, error] = std::from_chars(named.data(), named.data() + named.size(), number);
        if (!named.empty() && error == std::errc() && end == named.data() + named.size()) {
            if (number < 1 || number > choices.size())
                throw kernels::Error(
                    fmt::format("There is no kernel {} among its {}.", number, list_of(choices, choices)));
            request().kernel = choices[number - 1].kernel;
        } else if (named.empty() && choices.size() > 1) {
            lack("which of its " + list_of(choices, choices));
            request().kernel = choices.front().kernel;
        } else if (named.empty() && choices.size() == 1) {
            request().kernel = choices.front().kernel;
        }
        // The name of a template without arguments means its only instantiation in the text.
        std::vector<KernelChoice> of_name;
        std::ranges::copy_if(choices, std::back_inserter(of_name), [&](const KernelChoice& one) {
            return one.kernel != request().kernel && base_of(one.kernel) == request().kernel;
        });
        if (of_name.size() == 1)
            request().kernel = of_name.front().kernel;
        else if (of_name.size() > 1)
            lack("which of " + list_of(of_name, choices));
        for (const KernelChoice& one : choices)
            if (one.open && one.kernel == request().kernel)
                lack(fmt::format("values for the template arguments of {}", one.kernel));
        const std::vector<WrittenKernel> all = kernels_in(text_);
        const WrittenKernel* const found = kernel_called(all, request().kernel);
        if (found == nullptr)
            return false;
        kernel_ = *found;
        return true;
    }

    // Lists choices with their numbers among `all`.
    static std::string list_of(const std::vector<KernelChoice>& choices, const std::vector<KernelChoice>& all)
    {
        std::string list;
        for (const KernelChoice& one : choices)
            list += fmt::format("{}{} {}", list.empty() ? "" : ", ", std::ranges::find(all, one) - all.begin() + 1,
                                one.kernel);
        return fmt::format("{} kernels: {} (--kernel takes the number or the name)", choices.size(), list);
    }

    void extents()
    {
        if (request().block.empty() && launch_ && has_value(launch_->block, names_))
            request().block = launch_->block;
        if (request().block.empty())
            if (const std::string bound = bounds_of(code_, kernel_); !bound.empty() && has_value(bound, names_))
                request().block = bound;
        if (request().grid.empty() && launch_ && has_value(launch_->grid, names_))
            request().grid = launch_->grid;
        if (request().shared.empty() && launch_ && has_value(launch_->shared, names_))
            request().shared = launch_->shared;
        const std::string where =
            launch_ ? fmt::format(", of which line {} says {}", launch_->line, launch_->text) : std::string();
        if (request().grid.empty()) {
            lack("--grid" + where);
            request().grid = "ceil(N/256)";
        }
        if (request().block.empty()) {
            lack("--block" + (done_.missing.empty() || done_.missing.back() != "--grid" + where ? where : ""));
            request().block = "256";
        }
    }

    void arguments()
    {
        if (!request().arguments.empty())
            return;
        const bool as_launched = launch_ && launch_->arguments.size() == kernel_.parameters.size();
        for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
            request().arguments.push_back(
                argument(kernel_.parameters[i], as_launched ? launch_->arguments[i] : std::string()));
    }

    bool is_declared(const std::string& name) const
    {
        return std::ranges::any_of(done_.request.buffers,
                                   [&](const std::string& one) { return one.substr(0, one.find('=')) == name; });
    }

    // Returns the launch's argument for the parameter if it is a number, otherwise the default for the parameter's
    // name. A pointer for which the launch has an argument gets a new buffer. The default matrices A, B and C have the
    // size of --size, and the launch may use another size.
    std::string argument(const WrittenParameter& parameter, const std::string& launched)
    {
        const TypeName type = type_name(parameter.type);
        const bool is_float =
            type.base == "float" || type.base == "double" || type.base.find("half") != std::string::npos;
        if (type.pointers == 0 && (is_number(launched) || has_value(launched, names_)))
            return launched;
        std::string known = argument_of_name(request(), parameter.name);
        if (!known.empty() && (type.pointers == 0 || launched.empty()))
            return known;
        if (type.pointers == 1)
            return buffer(parameter, type);
        lack(fmt::format("a value for '{} {}'", parameter.type, parameter.name));
        return is_float ? "1.5" : "N";
    }

    // Makes a buffer with random numbers. Integers count up instead, because they may be indices.
    std::string buffer(const WrittenParameter& parameter, const TypeName& type)
    {
        constexpr std::array<std::string_view, 8> whole = {"int",    "unsigned", "unsigned int", "uint32_t",
                                                           "size_t", "char",     "long",         "bool"};
        const bool of_whole = std::ranges::find(whole, type.base) != whole.end();
        if (!is_declared(parameter.name))
            request().buffers.push_back(
                fmt::format("{}={}:{}", parameter.name, automatic_size, of_whole ? "iota" : "random"));
        return parameter.name;
    }

    const std::string& text_;
    const std::string code_;
    CompletedLaunch done_;
    WrittenKernel kernel_;
    std::optional<WrittenLaunch> launch_;
    Names names_;
};

} // namespace

std::vector<KernelChoice> kernel_choices(const std::string& text)
{
    const std::string code = only_code(text);
    std::vector<KernelChoice> choices;
    const std::vector<WrittenKernel> all = kernels_in(text);
    for (const WrittenKernel& kernel : all) {
        if (kernel.template_parameters.empty()) {
            choices.push_back({name_among(all, kernel), false, kernel.line});
            continue;
        }
        const std::vector<std::string> known = instantiations(code, kernel.name);
        for (const std::string& one : known)
            choices.push_back({one, false, kernel.line});
        if (known.empty())
            choices.push_back(
                {fmt::format("{}<{}>", kernel.name, fmt::join(kernel.template_parameters, ",")), true, kernel.line});
    }
    return choices;
}

bool has_automatic_size(const std::string& buffer)
{
    const std::size_t equals = buffer.find('=');
    return equals != std::string::npos && buffer.substr(equals + 1).starts_with(automatic_size);
}

CompletedLaunch completed(Request request, const std::string& text)
{
    return Completion(std::move(request), text).run();
}

} // namespace traced
