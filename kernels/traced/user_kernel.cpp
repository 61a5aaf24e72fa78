#include "traced/user_kernel.h"

#include "traced/launch.h"
#include "traced/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace traced {

std::string UserKernel::all_text() const
{
    std::string all = text;
    for (const OwnFile& one : files)
        if (one.text != text)
            all += "\n" + one.text;
    return all;
}

std::string UserKernel::address() const
{
    const std::size_t open = kernel.find('(');
    return open == std::string::npos
               ? kernel
               : fmt::format("static_cast<void (*){}>({})", kernel.substr(open), kernel.substr(0, open));
}

std::optional<UserKernel> with_one_kernel(const UserKernel& kernel)
{
    constexpr std::size_t many = 200;
    if (kernel.files.empty())
        return {};
    std::string alone = with_one_kernel(kernel.files.front().text, kernel.kernel, many);
    if (alone == kernel.files.front().text)
        return {};
    UserKernel result = kernel;
    result.files.front().text = std::move(alone);
    return result;
}

UserKernel user_kernel(const std::filesystem::path& root, const std::string& text, const std::string& named,
                       const std::vector<std::string>& include_folders)
{
    UserKernel kernel{.file = root,
                      .text = text,
                      .kernel = named,
                      .include_folders = include_folders,
                      .defines = {},
                      .files = own_files(root, text, include_folders)};
    const auto has = [](const OwnFile& one, const std::string& name) {
        const std::vector<WrittenKernel> all = kernels_in(one.text);
        return name.empty() ? !all.empty() : kernel_called(all, name) != nullptr;
    };
    // Without a name, the kernel is one of the file itself, or if that has none, one of its includes.
    const bool own = named.empty() && has(kernel.files.front(), "");
    const WrittenKernel written = find_kernel(own ? text : kernel.all_text(), named);
    const auto found = std::ranges::find_if(kernel.files, [&](const OwnFile& one) { return has(one, written.name); });
    if (found != kernel.files.begin() && found != kernel.files.end()) {
        kernel.file = found->path;
        kernel.text = found->text;
    }
    if (named.empty())
        kernel.kernel = written.name;
    return kernel;
}

} // namespace traced
