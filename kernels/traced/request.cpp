#include "traced/request.h"

#include "error.h"
#include "traced/source_text.h"

#include <fmt/format.h>

#include <charconv>

namespace traced {

namespace {

float number(const std::string& key, const std::string& value)
{
    float result = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (error != std::errc() || end != value.data() + value.size())
        throw kernels::Error(
            fmt::format("'{}' is no number, in {}={} of the comment '// gemmscope:'.", value, key, value));
    return result;
}

} // namespace

Request with_facts_of_file(Request request, const std::string& text)
{
    const auto own = [](std::string& value, const std::string& said) {
        if (value.empty())
            value = said;
    };
    const Request asked = request;
    for (const auto& [key, value] : facts_in(text)) {
        if (key == "kernel")
            own(request.kernel, value);
        else if (key == "grid")
            own(request.grid, value);
        else if (key == "block")
            own(request.block, value);
        else if (key == "cluster")
            own(request.cluster, value);
        else if (key == "size")
            own(request.size, value);
        else if (key == "shared")
            own(request.shared, value);
        else if (key == "check")
            own(request.check, value);
        else if (key == "args" && asked.arguments.empty())
            request.arguments = split_at_commas(value);
        else if (key == "buffer" && asked.buffers.empty())
            request.buffers.push_back(value);
        else if (key == "include" && asked.include_folders.empty())
            request.include_folders.push_back((request.file.parent_path() / value).string());
        else if (key == "define" && asked.defines.empty())
            request.defines.push_back(value);
        else if (key == "alpha")
            request.alpha = asked.alpha ? asked.alpha : number(key, value);
        else if (key == "beta")
            request.beta = asked.beta ? asked.beta : number(key, value);
        else if (key != "args" && key != "buffer" && key != "include" && key != "define")
            throw kernels::Error(fmt::format("The comment '// gemmscope:' has {}=, which it does not take; it takes "
                                             "kernel, grid, block, cluster, args, size, "
                                             "alpha, beta, shared, buffer, include, define and check.",
                                             key));
    }
    return request;
}

} // namespace traced
