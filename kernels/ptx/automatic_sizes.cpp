// Buffers whose size the text of the file does not say: each begins small, and grows where the kernel reaches behind its end.
#include "ptx/memory.h"
#include "ptx/trace.h"
#include "traced/launch_from_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>

namespace ptx {

namespace {

constexpr uint64_t first_size = 4096, largest_size = uint64_t{1} << 28;

class Sizes {
public:
    explicit Sizes(const traced::Request& request)
    {
        for (const std::string& buffer : request.buffers)
            if (traced::has_automatic_size(buffer))
                bytes_[name_of(buffer)] = first_size;
    }

    bool any() const { return !bytes_.empty(); }

    traced::Request put_into(traced::Request request) const
    {
        for (std::string& buffer : request.buffers)
            if (const auto size = bytes_.find(name_of(buffer)); size != bytes_.end())
                buffer = fmt::format("{}={}{}", size->first, size->second,
                                     buffer.substr(std::min(buffer.find(':'), buffer.size())));
        return request;
    }

    // False: no size is to be changed, or that is no size that a kernel means.
    bool grow(const std::string& name, uint64_t needed)
    {
        const auto size = bytes_.find(name);
        if (size == bytes_.end() || needed > largest_size)
            return false;
        size->second = std::bit_ceil(needed);
        return true;
    }

    std::string note() const
    {
        std::vector<std::string> all;
        for (const auto& [name, bytes] : bytes_)
            all.push_back(fmt::format("{} has {} bytes", name, bytes));
        return fmt::format("The text does not say how large buffers are: {}, as the accesses need.",
                           fmt::join(all, ", "));
    }

private:
    static std::string name_of(const std::string& buffer) { return buffer.substr(0, buffer.find('=')); }

    std::map<std::string, uint64_t> bytes_; // of the buffers whose size is automatic
};

} // namespace

Traced trace_with_sizes(traced::Request& request, const traced::UserKernel& kernel,
                        const traced::CompiledKernel& compiled, const std::stop_token& stop, const Told& told)
{
    Sizes sizes(request);
    for (;;) {
        const traced::Request sized = sizes.put_into(request);
        FileLaunch launch = file_launch(sized, kernel, compiled);
        std::vector<std::string> names;
        for (const traced::Buffer& buffer : launch.launch.buffers)
            names.push_back(buffer.name);
        try {
            Traced traced = trace(sized, kernel, compiled, std::move(launch), stop, told);
            if (sizes.any() && traced.recording.executed)
                traced.recording.executed->notes.push_back(sizes.note());
            request = sized;
            return traced;
        } catch (const Fault& fault) {
            if (!fault.missed || fault.missed->region >= names.size() ||
                !sizes.grow(names[fault.missed->region], fault.missed->bytes))
                throw;
        }
    }
}

} // namespace ptx
