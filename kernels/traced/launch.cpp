#include "traced/launch.h"

#include "error.h"
#include "gemm/block_limits.h"
#include "gemm/inputs.h"
#include "gemm/size.h"
#include "traced/source_text.h"
#include "traced/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace traced {

namespace {

constexpr uint64_t most_buffer_bytes = uint64_t{1} << 31, most_bytes_together = uint64_t{1} << 32;

struct Matrix {
    char role = 'A';
    bool by_columns = false;
};

// Parses the name of a matrix, with T for its transpose: "A", "BT", "B^T".
std::optional<Matrix> matrix_of(const std::string& text)
{
    if (text.empty() || (text[0] != 'A' && text[0] != 'B' && text[0] != 'C'))
        return {};
    const std::string_view rest = std::string_view(text).substr(1);
    if (rest.empty())
        return Matrix{text[0], false};
    if (rest == "T" || rest == "t" || rest == "^T")
        return Matrix{text[0], true};
    return {};
}

// Returns the specification of the buffer with this name, or null if the request has none.
const std::string* declared(const Request& request, std::string_view name)
{
    const auto found = std::ranges::find_if(
        request.buffers, [&](const std::string& one) { return one.substr(0, one.find('=')) == name; });
    return found == request.buffers.end() ? nullptr : &*found;
}

class Preparer {
public:
    Preparer(const Request& request, const std::vector<KernelParameter>& parameters, const Names& names)
        : request_(request), parameters_(parameters), names_(names)
    {
        result_.problem = problem_of(request);
        result_.extent = {.grid = extent(request_.grid, "grid"), .block = extent(request_.block, "block")};
        if (!request_.cluster.empty())
            result_.cluster = extent(request_.cluster, "cluster");
    }

    PreparedLaunch run(const std::vector<std::string>& arguments)
    {
        if (result_.extent.block.volume() > 1024)
            throw kernels::Error(
                fmt::format("A block of {} threads is larger than the 1024 that CUDA allows; change --block.",
                            result_.extent.block.volume()));
        const int64_t shared = request_.shared.empty() ? 0 : evaluate(request_.shared, names_, "--shared");
        if (shared < 0 || shared > most_dynamic_shared)
            throw kernels::Error(
                fmt::format("--shared {} is not between 0 and {} bytes.", shared, most_dynamic_shared));
        result_.dynamic_shared_bytes = static_cast<uint64_t>(shared);
        for (std::size_t i = 0; i < parameters_.size(); ++i)
            result_.arguments.push_back(argument(parameters_[i], arguments[i]));
        for (const std::string& buffer : request_.buffers)
            if (const std::string name = buffer.substr(0, buffer.find('='));
                std::ranges::find(result_.buffers, name, &Buffer::name) == result_.buffers.end())
                throw kernels::Error(fmt::format(
                    "The buffer {} is among no arguments; name it in --args, or leave --buffer {} out.", name, buffer));
        make_buffers();
        const auto has = [this](char role) {
            return std::ranges::find(result_.buffers, role, &Buffer::role) != result_.buffers.end();
        };
        result_.multiplies = has('A') && has('B') && has('C');
        return std::move(result_);
    }

private:
    recording::Index3 extent(const std::string& text, const char* what) const
    {
        if (text.empty())
            throw kernels::Error(fmt::format(
                "How large is the {}? Give --{}, such as --{} {}, or {}= in a comment '// gemmscope:' of the file.",
                what, what, what, what[0] == 'g' ? "N/32,M/32" : "32,32", what));
        const std::vector<std::string> parts = split_at_commas(text);
        if (parts.size() > 3)
            throw kernels::Error(
                fmt::format("--{} {} has {} extents, and three are the most.", what, text, parts.size()));
        std::array<uint32_t, 3> extents = {1, 1, 1};
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const int64_t value = evaluate(parts[i], names_, fmt::format("--{}", what));
            if (value < 1 || value > 0x7fffffff)
                throw kernels::Error(fmt::format("--{} {}: {} is {}, which is no number of {}.", what, text, parts[i],
                                                 value, what[0] == 'b' ? "threads" : "blocks"));
            extents[i] = static_cast<uint32_t>(value);
        }
        return {extents[0], extents[1], extents[2]};
    }

    static KernelParameter member_of(const KernelParameter& parameter, const StructMember& member)
    {
        return {.type = member.type,
                .words = fmt::format("Member {} of {}", member.name, parameter.words),
                .bytes = member.bytes};
    }

    // Parses "{K, M, K, A}". The braces of nested structs are optional.
    Argument structure(const KernelParameter& parameter, const std::string& text)
    {
        std::string list;
        for (const StructMember& member : parameter.members)
            list += fmt::format("{}{} {}", list.empty() ? "" : ", ",
                                member.type.base + std::string(static_cast<std::size_t>(member.type.pointers), '*'),
                                member.name);
        if (!text.starts_with('{'))
            throw kernels::Error(fmt::format("{} is a struct. Give its {} members between braces: {{{}}}.",
                                             parameter.words, parameter.members.size(), list));
        std::string flat = text.substr(1, text.rfind('}') - 1);
        std::erase_if(flat, [](char c) { return c == '{' || c == '}'; });
        const std::vector<std::string> values = split_at_commas(flat);
        if (values.size() != parameter.members.size())
            throw kernels::Error(fmt::format("{} has {} members ({}), and {} has {}.", parameter.words,
                                             parameter.members.size(), list, text, values.size()));
        Argument result;
        for (std::size_t i = 0; i < values.size(); ++i)
            result.members.push_back(argument(member_of(parameter, parameter.members[i]), values[i]));
        return result;
    }

    Argument argument(const KernelParameter& parameter, const std::string& text)
    {
        if (!parameter.members.empty() && !text.starts_with("map("))
            return structure(parameter, text);
        if (text.starts_with('{'))
            throw kernels::Error(fmt::format("{} gets {}, and the file declares no such struct whose members are "
                                             "numbers and pointers.",
                                             parameter.words, text));
        if (parameter.type.pointers > 1)
            throw kernels::Error(
                fmt::format("{} is a pointer to pointers, which --args cannot fill.", parameter.words));
        if (parameter.type.pointers == 1)
            return pointer(parameter, text);
        const std::string& type = parameter.type.base;
        if (const auto map = map_in(text, names_, parameter.words)) {
            const TypeName of_elements{.base = map->type, .pointers = 1};
            Argument result = pointer({.type = of_elements, .words = parameter.words, .bytes = 8}, map->buffer);
            result.map = map->box;
            return result;
        }
        if (type.find("CUtensorMap") != std::string::npos)
            throw kernels::Error(fmt::format("{} is a tensor map. Give {}.", parameter.words, map_form));
        const bool is_buffer = matrix_of(text).has_value() || declared(request_, text) != nullptr;
        if (is_buffer)
            throw kernels::Error(
                fmt::format("{} is no pointer, and {} is a buffer. Give a number, or look at the order of --args.",
                            parameter.words, text));
        const bool is_float = type == "float" || type == "double" || type == "half" || type == "__half" ||
                              type.find("bfloat16") != std::string::npos;
        if (!is_float && bytes_of_type(type) == 0 && parameter.bytes > 8)
            throw kernels::Error(
                fmt::format("{} has {} bytes and is no number; --args fills structs that the file itself "
                            "declares, of numbers and pointers.",
                            parameter.words, parameter.bytes));
        if (text == "alpha" || text == "beta") {
            if (!is_float)
                throw kernels::Error(fmt::format("{} is a whole number, and {} is none. Look at the order of --args.",
                                                 parameter.words, text));
            return {static_cast<double>(text == "alpha" ? result_.problem.alpha : result_.problem.beta)};
        }
        if (is_float) {
            double value = 0;
            std::string_view digits = text;
            if (digits.ends_with('f'))
                digits.remove_suffix(1);
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
            if (error == std::errc() && end == digits.data() + digits.size())
                return {value};
            return {static_cast<double>(evaluate(text, names_, parameter.words))};
        }
        return {evaluate(text, names_, parameter.words)};
    }

    Argument pointer(const KernelParameter& parameter, const std::string& text)
    {
        if (text == "null" || text == "nullptr" || text == "0")
            return {int64_t{0}};
        const auto known = std::ranges::find(result_.buffers, text, &Buffer::name);
        if (known != result_.buffers.end())
            return {static_cast<std::size_t>(known - result_.buffers.begin())};
        Buffer buffer{.name = text, .type = parameter.type.base};
        buffer.element_bytes = bytes_of_type(buffer.type);
        if (buffer.element_bytes == 0) { // void*, or a user-defined type
            buffer.type = "float";
            buffer.element_bytes = 4;
        }
        if (const std::string* spec = declared(request_, text))
            make_declared(buffer, *spec);
        else if (const std::optional<Matrix> matrix = matrix_of(text))
            make_matrix(buffer, *matrix);
        else
            throw kernels::Error(fmt::format("{} is a pointer, and {} is no buffer. Give A, B, C (AT, BT, CT where one "
                                             "is stored transposed), or declare it with its bytes, such as "
                                             "--buffer {}=4*N:random",
                                             parameter.words, text, text.empty() ? "NAME" : text));
        result_.buffers.push_back(std::move(buffer));
        return {result_.buffers.size() - 1};
    }

    void make_matrix(Buffer& buffer, const Matrix& matrix)
    {
        const recording::Problem& p = result_.problem;
        buffer.role = matrix.role;
        buffer.name = std::string(1, matrix.role);
        if (matrix.by_columns)
            buffer.name += "T";
        buffer.by_columns = matrix.by_columns;
        buffer.rows = matrix.role == 'B' ? p.K : p.M;
        buffer.cols = matrix.role == 'A' ? p.K : p.N;
        // An element of a vector type is several elements of the matrix.
        const uint32_t bytes = scalar_bytes(buffer.type, buffer.element_bytes);
        buffer.type = buffer.type.substr(0, buffer.type.find_last_not_of("234") + 1) == "float" ? "float" : buffer.type;
        buffer.element_bytes = bytes;
        plan(buffer, uint64_t{buffer.rows} * buffer.cols * bytes,
             [operand = static_cast<uint32_t>(matrix.role - 'A')](Buffer& one) { fill(one, Fill::random, operand); });
    }

    // Plans a buffer. Buffers are allocated and filled when all of them are known to fit in memory together.
    void plan(const Buffer& buffer, uint64_t bytes, std::function<void(Buffer&)> filling)
    {
        if (bytes == 0 || bytes > most_buffer_bytes)
            throw kernels::Error(
                fmt::format("The buffer {} has {} bytes, which is not between 1 and {}. Choose a smaller --size.",
                            buffer.name, bytes, most_buffer_bytes));
        planned_.push_back({bytes, std::move(filling)});
    }

    void make_buffers()
    {
        uint64_t together = 0;
        for (const Planned& one : planned_)
            together += one.bytes;
        if (together > most_bytes_together)
            throw kernels::Error(fmt::format(
                "The {} buffers have {} bytes together, and {} are the most: they are in memory as they are before and "
                "after the launch. Choose a smaller --size or smaller buffers.",
                planned_.size(), together, most_bytes_together));
        for (std::size_t i = 0; i < planned_.size(); ++i) {
            result_.buffers[i].bytes.resize(planned_[i].bytes);
            planned_[i].filling(result_.buffers[i]);
        }
    }

    // Parses "-1.5" or "inf". Integers cannot be "inf".
    static std::optional<double> number_to_fill(const std::string& how, const std::string& type)
    {
        double value = 0;
        const auto [end, error] = std::from_chars(how.data(), how.data() + how.size(), value);
        if (error != std::errc() || end != how.data() + how.size())
            return {};
        if (scalar_of(type) == Scalar::whole && !(std::abs(value) < 0x1p63))
            throw kernels::Error(fmt::format("A buffer of {} cannot be filled with {}.", type, how));
        return value;
    }

    // Parses NAME=BYTES[:zeros|random|iota|NUMBER|FILE].
    void make_declared(Buffer& buffer, const std::string& spec)
    {
        const std::size_t equals = spec.find('='), colon = spec.find(':', equals);
        const std::string size = equals == std::string::npos
                                     ? ""
                                     : spec.substr(equals + 1, colon == std::string::npos ? colon : colon - equals - 1);
        if (size.empty())
            throw kernels::Error(
                fmt::format("--buffer {} has no size; give NAME=BYTES, such as {}=4*M*N:random.", spec, buffer.name));
        const int64_t bytes = evaluate(size, names_, fmt::format("--buffer {}", buffer.name));
        const recording::Problem& p = result_.problem;
        const uint64_t elements = static_cast<uint64_t>(std::max<int64_t>(bytes, 0)) / buffer.element_bytes;
        buffer.rows = 1;
        buffer.cols = static_cast<uint32_t>(std::max<uint64_t>(elements, 1));
        if (elements == uint64_t{p.M} * p.N && p.N > 1)
            buffer.rows = p.M, buffer.cols = p.N;
        const std::string how = colon == std::string::npos ? "zeros" : spec.substr(colon + 1);
        const auto operand = static_cast<uint32_t>(3 + result_.buffers.size());
        const std::optional<double> number = number_to_fill(how, buffer.type);
        plan(buffer, static_cast<uint64_t>(std::max<int64_t>(bytes, 0)), [how, operand, number](Buffer& one) {
            if (number)
                return fill_with(one, *number);
            if (how == "zeros" || how == "random" || how == "iota")
                fill(one, how == "random" ? Fill::random : how == "iota" ? Fill::iota : Fill::zeros, operand);
            else
                fill_from_file(one, how);
        });
    }

    const Request& request_;
    const std::vector<KernelParameter>& parameters_;
    const Names& names_;
    PreparedLaunch result_;
    struct Planned {
        uint64_t bytes = 0;
        std::function<void(Buffer&)> filling;
    };
    std::vector<Planned> planned_; // one per buffer
};

// Returns an example of arguments: a buffer with the parameter's name for a pointer, 1.5 for a float, N otherwise.
std::string example_of_arguments(const WrittenKernel& kernel)
{
    std::string all;
    for (const auto& [type, name] : kernel.parameters) {
        const bool is_float = type.find("float") != std::string::npos || type.find("double") != std::string::npos;
        all += (all.empty() ? "" : ",") + (type.find('*') != std::string::npos ? name : is_float ? "1.5" : "N");
    }
    return all;
}

// Returns the parameters' own names as arguments, if they are names that a launch may use.
std::vector<std::string> arguments_by_name(const Request& request, const WrittenKernel& kernel)
{
    std::vector<std::string> result;
    for (const WrittenParameter& parameter : kernel.parameters) {
        const std::string& name = parameter.name;
        result.push_back(argument_of_name(request, name));
        if (result.back().empty())
            throw kernels::Error(fmt::format("What does '{} {}' of {} get? Give --args with one for each parameter "
                                             "({}): M, N, K, alpha, beta, A, B, C, numbers, "
                                             "or buffers that are declared by --buffer. For example: --args {}",
                                             parameter.type, name, kernel.name, kernel.parameters.size(),
                                             example_of_arguments(kernel)));
    }
    return result;
}

// Returns the text with the bodies of its kernels and device functions replaced by blanks.
std::string without_kernels(const std::string& text)
{
    std::string code = only_code(text);
    for (const std::string_view mark : {"__global__", "__device__"})
        for (std::size_t at = find_word(code, mark); at != std::string::npos; at = find_word(code, mark, at + 1))
            if (const std::size_t body = code.find_first_of("{;", at); body != std::string::npos && code[body] == '{')
                blank(code, body, after_bracket(code, body, "{", "}"));
    return code;
}

} // namespace

std::string argument_of_name(const Request& request, const std::string& name)
{
    std::string upper = name;
    if (name == "m" || name == "n" || name == "k" || name == "a" || name == "b" || name == "c")
        upper[0] = static_cast<char>(upper[0] - 'a' + 'A');
    constexpr std::array known = {"M", "N", "K", "A", "B", "C", "alpha", "beta"};
    if (declared(request, name) != nullptr)
        return name;
    return std::ranges::find(known, upper) != known.end() ? upper : std::string();
}

WrittenKernel find_kernel(const std::string& text, const std::string& named)
{
    const std::vector<WrittenKernel> all = kernels_in(text);
    if (all.empty())
        throw kernels::Error("The file has no kernel: no function in it is marked __global__.");
    std::string list;
    for (const WrittenKernel& kernel : all)
        list += fmt::format(
            "{}{}{}", list.empty() ? "" : ", ", name_among(all, kernel),
            kernel.template_parameters.empty() ? "" : fmt::format("<{}>", fmt::join(kernel.template_parameters, ", ")));
    if (named.empty()) {
        if (all.size() > 1)
            throw kernels::Error(
                fmt::format("The file has {} kernels: {}. Say which with --kernel.", all.size(), list));
        if (!all.front().template_parameters.empty())
            throw kernels::Error(
                fmt::format("The kernel {} is a template; give its arguments, such as --kernel '{}<...>'.", list,
                            all.front().name));
        return all.front();
    }
    const WrittenKernel* const found = kernel_called(all, named);
    if (found == nullptr)
        throw kernels::Error(fmt::format("The file has no kernel {}; it has {}.", named, list));
    const std::string& name = found->name;
    if (!found->template_parameters.empty() && named.find('<') == std::string::npos)
        throw kernels::Error(
            fmt::format("The kernel {} is a template; give its arguments: --kernel '{}<{}>' with values.", name, name,
                        fmt::join(found->template_parameters, ",")));
    return *found;
}

recording::Problem problem_of(const Request& request)
{
    recording::Problem problem =
        kernels::parse_size(request.size.empty() ? "128" : request.size, kernels::Operation::gemm);
    problem.alpha = request.alpha.value_or(1.0f);
    problem.beta = request.beta.value_or(0.0f);
    return problem;
}

// Returns the names that a launch may use, with the values of the file's constants. M, N and K are those of --size,
// unless -D or the file, outside its kernels, defines them. Constants of these names in a kernel mean nothing to a
// launch.
Names names_of(const Request& request, const std::string& text)
{
    const recording::Problem problem = problem_of(request);
    Names own = constants_in(without_kernels(text));
    Names names = constants_in(text, own);
    for (const std::string& define : request.defines)
        if (const std::size_t equals = define.find('='); equals != std::string::npos)
            try {
                names[define.substr(0, equals)] = own[define.substr(0, equals)] =
                    evaluate(define.substr(equals + 1), names, "-D");
            } catch (const kernels::Error&) { // not a number
            }
    for (const auto& [name, extent] : {std::pair("M", problem.M), {"N", problem.N}, {"K", problem.K}})
        if (!own.contains(name))
            names[name] = extent;
    return names;
}

PreparedLaunch prepare(const Request& request, const WrittenKernel& kernel,
                       const std::vector<KernelParameter>& parameters, const Names& names)
{
    Preparer preparer(request, parameters, names);
    const std::vector<std::string> arguments =
        request.arguments.empty() ? arguments_by_name(request, kernel) : request.arguments;
    if (arguments.size() != parameters.size()) {
        std::string list;
        for (const WrittenParameter& parameter : kernel.parameters)
            list += fmt::format("{}{} {}", list.empty() ? "" : ", ", parameter.type, parameter.name);
        const std::string which = arguments.size() < parameters.size()
                                      ? fmt::format("{} has no argument", parameters[arguments.size()].words)
                                      : fmt::format("'{}' is one too many", arguments[parameters.size()]);
        throw kernels::Error(fmt::format("{} has {} parameters ({}), and --args has {}: {}. For example: --args {}",
                                         kernel.name, parameters.size(), list, arguments.size(), which,
                                         example_of_arguments(kernel)));
    }
    return preparer.run(arguments);
}

std::optional<WrittenMap> map_in(const std::string& text, const Names& names, const std::string& words)
{
    if (!text.starts_with("map(") || !text.ends_with(')'))
        return {};
    const std::vector<std::string> parts = split_at_commas(std::string_view(text).substr(4, text.size() - 5));
    if (parts.size() < 3 || parts.size() > 4)
        throw kernels::Error(fmt::format("{} gets {}; a tensor map is written {}.", words, text, map_form));
    const std::size_t colon = parts[0].find(':');
    WrittenMap map{.buffer = parts[0].substr(0, colon),
                   .type = colon == std::string::npos ? "half" : parts[0].substr(colon + 1),
                   .box = {}};
    const auto number = [&](std::size_t i) {
        const int64_t value = evaluate(parts[i], names, words);
        if (value < 0 || value > 256)
            throw kernels::Error(fmt::format("{} gets {}: {} is {}, and a box has 1 to 256 elements along each side.",
                                             words, text, parts[i], value));
        return static_cast<uint32_t>(value);
    };
    map.box = {.rows = number(1), .cols = number(2), .swizzle = parts.size() > 3 ? number(3) : 0};
    if (bytes_of_type(map.type) == 0)
        throw kernels::Error(fmt::format("{} gets {}: {} is no type of elements.", words, text, map.type));
    return map;
}

namespace {

std::vector<float> values_of(const Buffer& buffer) // row by row
{
    std::vector<float> values;
    for (uint64_t row = 0; row < buffer.rows; ++row)
        for (uint64_t col = 0; col < buffer.cols; ++col)
            values.push_back(static_cast<float>(element(buffer, row, col)));
    return values;
}

Type type_of(const Buffer& buffer)
{
    switch (scalar_of(buffer.type)) {
    case Scalar::half: return type_fp16;
    case Scalar::bfloat: return type_bf16;
    default: return type_fp32;
    }
}

} // namespace

Check check_gemm(const Request& request, const PreparedLaunch& launch, std::span<const Buffer> all_after,
                 const std::stop_token& stop)
{
    std::vector<float> matrices[3];
    const Buffer* result = nullptr;
    for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
        const Buffer& buffer = launch.buffers[i];
        if (buffer.role == '\0')
            continue;
        matrices[buffer.role - 'A'] = values_of(buffer);
        if (buffer.role == 'C')
            result = &buffer;
    }
    const Buffer& after = all_after[static_cast<std::size_t>(result - launch.buffers.data())];
    const std::vector<float> values = values_of(after);
    recording::Problem problem = launch.problem;
    const auto given = [&](const char* name) {
        return std::ranges::find(request.arguments, name) != request.arguments.end();
    };
    if (!request.arguments.empty() && !given("alpha"))
        problem.alpha = 1;
    if (!request.arguments.empty() && !given("beta"))
        problem.beta = 0;
    const kernels::Operands operands{std::move(matrices[0]), std::move(matrices[1]), std::move(matrices[2])};
    const std::vector<double> reference = kernels::cpu_reference(kernels::Operation::gemm, problem, operands, stop);
    const Type type = type_of(after);
    Check check{.error = kernels::relative_error(std::span<const float>(values), reference)};
    check.tolerance = kernels::tolerance(kernels::Operation::gemm, problem, type);
    if (type != type_fp32) // the result itself is rounded, too
        check.tolerance = std::max(check.tolerance, type == type_fp16 ? 0x1p-10 : 0x1p-7);
    check.ok = check.error <= check.tolerance;
    return check;
}

} // namespace traced
