#include "ptx/file_launch.h"

#include "error.h"
#include "gemm/block_limits.h"
#include "ptx/memory.h"
#include "ptx/tensor_map.h"
#include "ptx/text.h"
#include "ptx/trace.h"
#include "ptx/types.h"
#include "traced/launch_from_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace ptx {

namespace {

// Where the bytes of one number or address are. `words` names the parameter in error sentences.
struct ArgumentPlace {
    const traced::TypeName& type;
    const std::string& words;
    uint64_t first = 0, bytes = 0;
};

void put_argument(traced::ArgumentBytes& all, const traced::Argument& argument, const ArgumentPlace& place)
{
    uint64_t bits = 0;
    const auto& value = argument.value;
    if (const auto* buffer = std::get_if<std::size_t>(&value)) {
        bits = global_address(*buffer);
        all.buffers.push_back({place.first, *buffer});
    } else if (const auto* whole = std::get_if<int64_t>(&value))
        bits = static_cast<uint64_t>(*whole);
    else if (const double number = std::get<double>(value); place.type.base == "double")
        bits = std::bit_cast<uint64_t>(number);
    else if (place.type.base == "float")
        bits = std::bit_cast<uint32_t>(static_cast<float>(number));
    else
        bits = encode(number, place.type.base.find("bfloat16") != std::string::npos ? bfloat_format : half_format);
    if (std::holds_alternative<std::size_t>(value) && place.bytes != 8)
        throw kernels::Error(
            fmt::format("{} has {} bytes and cannot hold the buffer's address.", place.words, place.bytes));
    std::memcpy(all.bytes.data() + place.first, &bits, std::min<uint64_t>(place.bytes, sizeof bits));
}

// Returns the type of a buffer's elements, for copies that reduce; none for vectors and types without a PTX name.
Type element_type(const traced::Buffer& buffer)
{
    if (traced::scalar_bytes(buffer.type, buffer.element_bytes) != buffer.element_bytes)
        return Type::none;
    switch (traced::scalar_of(buffer.type)) {
    case traced::Scalar::bfloat: return Type::bf16;
    case traced::Scalar::half: return Type::f16;
    case traced::Scalar::single: return Type::f32;
    case traced::Scalar::twofold: return Type::f64;
    case traced::Scalar::whole: break;
    }
    const bool no_sign = recording::is_unsigned(buffer.type);
    return buffer.element_bytes == 8   ? (no_sign ? Type::u64 : Type::s64)
           : buffer.element_bytes == 4 ? (no_sign ? Type::u32 : Type::s32)
                                       : Type::none;
}

void put_map(traced::ArgumentBytes& all, const traced::Argument& argument, const traced::PreparedLaunch& launch,
             const ArgumentPlace& place)
{
    const std::size_t number = std::get<std::size_t>(argument.value);
    const traced::Buffer& buffer = launch.buffers[number];
    TensorMap map{.address = global_address(number), .axes = 2, .element_bytes = buffer.element_bytes};
    const auto [rows, cols] = traced::stored_rows(buffer);
    map.extent[0] = cols, map.extent[1] = rows;
    map.stride[0] = buffer.element_bytes, map.stride[1] = uint64_t{cols} * buffer.element_bytes;
    map.box[0] = argument.map->cols, map.box[1] = argument.map->rows;
    map.swizzle = argument.map->swizzle;
    map.element = element_type(buffer);
    if (const std::string wrong = refusal(map); !wrong.empty())
        throw kernels::Error(fmt::format("{} gets a tensor map of {}, and {}.", place.words, buffer.name, wrong));
    if (place.bytes != tensor_map_bytes)
        throw kernels::Error(fmt::format("{} has {} bytes, and a tensor map {}; pass it as const __grid_constant__ "
                                         "CUtensorMap.",
                                         place.words, place.bytes, tensor_map_bytes));
    const auto bytes = bytes_of(map);
    std::memcpy(all.bytes.data() + place.first, bytes.data(), bytes.size());
    all.buffers.push_back({place.first, number, argument.map});
}

} // namespace

std::vector<traced::KernelParameter> parameters_of(const Program& program, const traced::WrittenKernel& written,
                                                   const std::string& signature, const std::string& text)
{
    const std::vector<std::string> types = traced::types_in(signature);
    std::vector<traced::KernelParameter> result;
    for (std::size_t i = 0; i < program.parameters.size(); ++i) {
        const bool is_written = written.parameters.size() == program.parameters.size();
        const bool has_types = types.size() == program.parameters.size();
        const std::string type = has_types ? types[i] : is_written ? written.parameters[i].type : "";
        traced::KernelParameter parameter{.type = traced::type_name(type), .bytes = program.parameters[i].bytes};
        parameter.words =
            is_written
                ? fmt::format("Parameter {}, '{} {}',", i + 1, written.parameters[i].type, written.parameters[i].name)
                : fmt::format("Parameter {}{},", i + 1, type.empty() ? "" : fmt::format(", '{}'", type));
        if (type.empty()) {
            parameter.type.base = parameter.bytes == 8 ? "float" : "int";
            parameter.type.pointers = parameter.bytes == 8 ? 1 : 0;
        }
        const bool may_be_struct = parameter.type.pointers == 0 && (traced::bytes_of_type(parameter.type.base) == 0 ||
                                                                    traced::bytes_of_type(parameter.type.base) > 8);
        if (may_be_struct)
            if (const auto layout = traced::struct_in(text, parameter.type.base)) {
                if (layout->bytes != parameter.bytes)
                    throw kernels::Error(
                        fmt::format("{} has {} bytes, and its members as the file declares them {}: it is packed or "
                                    "aligned in a way that --args cannot fill.",
                                    parameter.words, parameter.bytes, layout->bytes));
                parameter.members = layout->members;
            }
        result.push_back(parameter);
    }
    return result;
}

traced::ArgumentBytes bytes_of_arguments(const Program& program, const traced::PreparedLaunch& launch,
                                         const std::vector<traced::KernelParameter>& parameters)
{
    traced::ArgumentBytes result{.bytes = std::vector<std::byte>(program.parameter_bytes), .firsts = {}, .buffers = {}};
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const traced::Argument& argument = launch.arguments[i];
        const traced::KernelParameter& parameter = parameters[i];
        const uint64_t first = program.parameters[i].first;
        result.firsts.push_back(first);
        if (argument.map)
            put_map(result, argument, launch, {parameter.type, parameter.words, first, program.parameters[i].bytes});
        else if (parameter.members.empty())
            put_argument(result, argument, {parameter.type, parameter.words, first, program.parameters[i].bytes});
        for (std::size_t m = 0; m < argument.members.size(); ++m) {
            const traced::StructMember& member = parameter.members[m];
            put_argument(result, argument.members[m],
                         {member.type, parameter.words, first + member.first, member.bytes});
        }
    }
    return result;
}

traced::UserKernel kernel_of(const traced::Request& request, const std::string& text)
{
    traced::UserKernel kernel = traced::user_kernel(request.file, text, request.kernel, request.include_folders);
    kernel.defines = request.defines;
    return kernel;
}

FileLaunch file_launch(const traced::Request& request, const traced::UserKernel& kernel,
                       const traced::CompiledKernel& compiled)
{
    FileLaunch result{.written = traced::find_kernel(kernel.text, kernel.kernel),
                      .names = {},
                      .program = {},
                      .launch = {},
                      .arguments = {}};
    if (!request.check.empty() && request.check != "gemm")
        throw kernels::Error(fmt::format(
            "--check {} is not known; --check gemm compares C with alpha*A*B + beta*C in float64.", request.check));
    result.names = traced::names_of(request, kernel.all_text());
    const Module module = parse(compiled.ptx, compiled.source_lines);
    // The regions of variables follow those of the buffers. The number of buffers depends on the parameters.
    const Program first = make_program(module, compiled.lowered_name, 0);
    const std::vector<traced::KernelParameter> parameters =
        parameters_of(first, result.written, compiled.signature, kernel.all_text());
    result.launch = traced::prepare(request, result.written, parameters, result.names);
    if (request.check == "gemm" && !result.launch.multiplies)
        throw kernels::Error("--check gemm needs A, B and C among the arguments.");
    result.program = make_program(module, compiled.lowered_name, result.launch.buffers.size());
    if (result.program.shared_bytes > most_static_shared)
        throw kernels::Error(
            fmt::format("The kernel declares {} bytes of shared memory, and a GPU takes {} at most that "
                        "way; declare it as extern __shared__ and give its size with --shared.",
                        result.program.shared_bytes, most_static_shared));
    if (result.program.dynamic_first + result.launch.dynamic_shared_bytes > most_dynamic_shared)
        throw kernels::Error(
            fmt::format("A block needs {} bytes of shared memory, more than the {} that a GPU gives it.",
                        result.program.dynamic_first + result.launch.dynamic_shared_bytes, most_dynamic_shared));
    result.arguments = bytes_of_arguments(result.program, result.launch, parameters);
    return result;
}

// Buffers without a size in the file's text begin small, and grow when the kernel accesses bytes beyond their end.

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

    // Returns false if the buffer's size is fixed, or if the size needed is unreasonably large.
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

    std::map<std::string, uint64_t> bytes_; // by the name of a buffer whose size is automatic
};

} // namespace

Traced trace_with_sizes(traced::Request& request, const traced::UserKernel& kernel,
                        const traced::CompiledKernel& compiled, const std::stop_token& stop, const OnProgress& told)
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
