#include "app/engine/launch_form.h"

#include "error.h"
#include "traced/launch_from_text.h"
#include "traced/source_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

// The buffer of that name, as a request has it; null: none is declared.
const std::string* declared(const traced::Request& request, const std::string& name)
{
    const auto found = std::ranges::find_if(
        request.buffers, [&](const std::string& one) { return one.substr(0, one.find('=')) == name; });
    return found == request.buffers.end() ? nullptr : &*found;
}

FormParameter parameter_of(const traced::WrittenParameter& written, const std::string& argument,
                           const traced::Request& request)
{
    FormParameter parameter{.type = written.type, .name = written.name, .value = argument, .bytes = {}, .fill = {}};
    const std::string* const buffer = declared(request, argument);
    if (buffer == nullptr)
        return parameter;
    const std::size_t equals = buffer->find('='), colon = std::min(buffer->find(':', equals), buffer->size());
    parameter.is_buffer = true;
    parameter.bytes = buffer->substr(equals + 1, colon - equals - 1);
    parameter.fill = colon < buffer->size() ? buffer->substr(colon + 1) : "zeros";
    return parameter;
}

} // namespace

LaunchForm form_of(const traced::Request& asked, const std::string& text)
{
    const traced::CompletedLaunch done = traced::completed(traced::with_facts_of_file(asked, text), text);
    const traced::Request& request = done.request;
    LaunchForm form{.kernels = {},
                    .kernel = request.kernel,
                    .grid = request.grid,
                    .block = request.block,
                    .shared = request.shared,
                    .parameters = {},
                    .missing = done.missing};
    for (const traced::KernelChoice& one : traced::kernel_choices(text))
        form.kernels.push_back(one.kernel);
    const std::vector<traced::WrittenKernel> all = traced::kernels_in(text);
    if (const traced::WrittenKernel* const kernel = traced::kernel_called(all, request.kernel))
        for (std::size_t i = 0; i < kernel->parameters.size() && i < request.arguments.size(); ++i)
            form.parameters.push_back(parameter_of(kernel->parameters[i], request.arguments[i], request));
    return form;
}

traced::Request request_of(const LaunchForm& form, const traced::Request& asked)
{
    traced::Request request = asked;
    request.kernel = form.kernel;
    request.grid = form.grid;
    request.block = form.block;
    request.shared = form.shared;
    request.arguments.clear();
    request.buffers.clear();
    for (const FormParameter& parameter : form.parameters) {
        request.arguments.push_back(parameter.value);
        if (parameter.is_buffer && declared(request, parameter.value) == nullptr)
            request.buffers.push_back(fmt::format("{}={}:{}", parameter.value, parameter.bytes, parameter.fill));
    }
    return request;
}

} // namespace app
