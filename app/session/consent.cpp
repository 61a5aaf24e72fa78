#include "app/session/consent.h"

#include "app/catalogue/allowed_host_code.h"
#include "app/catalogue/config_folder.h"
#include "app/catalogue/sha256.h"

#include "error.h"

#include <algorithm>

namespace app {

namespace {

// A file of the folder itself. Its own name may be a link there, which a person has made.
bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder)
{
    std::error_code unknown;
    const auto real = [&](const std::filesystem::path& path) { return std::filesystem::canonical(path, unknown); };
    if (file.empty() || folder.empty())
        return false;
    const std::filesystem::path there = real(std::filesystem::absolute(file, unknown).parent_path());
    return !unknown && there == real(folder) && !unknown;
}

} // namespace

bool Consent::may_run(const std::filesystem::path& file, const std::string& text) const
{
    if (lies_in(file, own_) || may_run_host_code(text, allowed_))
        return true;
    const std::lock_guard lock(mutex_);
    return allowed_here_.contains(sha256(text));
}

std::string Consent::allow(const std::string& text)
{
    {
        const std::lock_guard lock(mutex_);
        allowed_here_.insert(sha256(text));
    }
    try {
        allow_host_code(text, allowed_);
        return {};
    } catch (const kernels::Error& error) {
        return error.what();
    }
}

void Consent::only_kernel(const std::string& text)
{
    const std::lock_guard lock(mutex_);
    only_kernel_.insert(sha256(text));
}

std::optional<HostCodeQuestion> Consent::question(const std::filesystem::path& file,
                                                  const std::shared_ptr<const std::string>& text) const
{
    if (text == nullptr || !kernels::is_stage_file(*text) || may_run(file, *text))
        return {};
    const std::lock_guard lock(mutex_);
    return HostCodeQuestion{file, text, line_of_host_part(*text), is_unpacked(file),
                            !only_kernel_.contains(sha256(*text))};
}

uint32_t line_of_host_part(const std::string& text)
{
    const std::size_t begin = std::min(text.find("#ifndef __CUDACC__"), text.find("StageInfo<"));
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(begin, text.size()));
    return begin == std::string::npos ? 1 : 1 + static_cast<uint32_t>(std::count(text.begin(), end, '\n'));
}

} // namespace app
