#include "own/copy.h"

#include "kernel_sources.h"
#include "traced/source_text.h"
#include "traced/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace kernels {

namespace {

using traced::is_word;

// Replaces whole words outside comments.
std::string renamed(std::string_view text, std::string_view from, std::string_view to)
{
    const auto joins = [](char c) { return is_word(c) || c == '/'; }; // "device/wmma.h" is a different name
    std::string result;
    bool comment = false;
    for (std::size_t i = 0; i < text.size();) {
        comment = (comment || text.substr(i, 2) == "//") && text[i] != '\n';
        const bool whole = text.substr(i, from.size()) == from && (i == 0 || !joins(text[i - 1])) &&
                           (i + from.size() >= text.size() || !is_word(text[i + from.size()]));
        const bool of_another = i >= 2 && text.substr(i - 2, 2) == "::"; // a name of another namespace: nvcuda::wmma
        const bool own = !of_another || (i >= 2 + from.size() && text.substr(i - 2 - from.size(), from.size()) == from);
        if (whole && own && !comment) {
            result += to;
            i += from.size();
        } else {
            result += text[i++];
        }
    }
    return result;
}

// Replaces the quoted text after `field`.
void set_field(std::string& text, std::string_view field, std::string_view value)
{
    const std::size_t at = text.rfind(field); // the stage's own description is the last one
    if (at == std::string::npos)
        return;
    const std::size_t open = text.find('"', at), close = text.find('"', open + 1);
    if (close != std::string::npos)
        text.replace(open + 1, close - open - 1, value);
}

void erase_line_with(std::string& text, std::string_view words)
{
    const std::size_t at = text.rfind(words);
    if (at == std::string::npos)
        return;
    const std::size_t begin = text.rfind('\n', at) + 1, end = text.find('\n', at);
    text.erase(begin, end + 1 - begin);
}

void replace_all(std::string& text, std::string_view from, std::string_view to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

// Replaces the includes that lead to `body` by the files' text.
std::string with_body(std::string_view file, std::string_view body)
{
    std::string text(kernel_sources::file(file));
    replace_all(text, fmt::format("\"{}\"", file), "\"OWN\""); // names the file that defines its layouts
    if (file == body)
        return text;
    constexpr std::string_view directive = "#include \"stages/";
    const std::size_t at = text.find(directive);
    if (at == std::string::npos)
        return text;
    const std::size_t name = at + directive.size() - 7, end = text.find('"', name);
    const std::string included = with_body(text.substr(name, end - name), body);
    text.replace(at, end + 1 - at, included);
    return text;
}

constexpr std::string_view heading = R"(// {0}: a stage of your own, begun as a copy of {1}.
//
// Change what you like and save: it is compiled, checked against float64 and recorded, and the window shows what became
// of it beside the version before. In the window, Ctrl+Enter in the source does the same.
//
// Parameters    the tile's sizes; the first of `variants` below is what runs when nothing else is chosen
// layout_...    which address an element of a shared tile has: RowMajor, Padded, ... (gemmscope's device/layouts.h)
// {0}(...)      the kernel. It reads and writes memory through views, A(row, col) and As.store(row, col, value): so the
//               recording knows each access and the line that made it. __syncthreads is block.sync().
// info()        what the host needs to know, below: how many blocks, why parameters are refused, the shared tiles
//
// gemmscope verify {0} | record {0} -o x.gscope | bench {0} | info x.gscope; the file must stay called {0}.cu, and
// its namespace and its kernel {0}.
//
)";

} // namespace

std::string why_no_name(const std::vector<Stage>& ladder, std::string_view name)
{
    static const std::set<std::string_view> words = {
        "auto",   "bool",     "break",  "case",  "char",    "class", "const",    "default", "delete",   "do",
        "double", "else",     "enum",   "float", "for",     "goto",  "if",       "inline",  "int",      "long",
        "new",    "operator", "return", "short", "sizeof",  "std",   "struct",   "switch",  "template", "this",
        "union",  "using",    "void",   "while", "kernels", "cpu",   "recording"};
    const auto lower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
    if (name.empty() || name.size() > 40 || !lower(name.front()) || !std::ranges::all_of(name, is_word) ||
        words.contains(name))
        return fmt::format("'{}' cannot be a stage's name; give one such as my_tile: a small letter, then letters, "
                           "digits and underscores.",
                           name);
    for (const Stage& stage : ladder)
        if (stage.slug == name)
            return fmt::format("There is a stage {} already; give another name.", name);
    return "";
}

std::string copied_stage(const Stage& stage, const std::string& name)
{
    const std::string base(stage.slug);
    std::string text = renamed(with_body(stage.file, stage.body_file), base, name);
    set_field(text, ".slug = ", name);
    set_field(text, ".builds_on = ", base);
    erase_line_with(text, ".body_file = ");
    replace_all(text, "\"OWN\"", fmt::format("\"{}.cu\"", name));
    return fmt::format(heading, name, base) + text;
}

} // namespace kernels

namespace own {

namespace {

std::size_t closing_bracket(std::string_view code, std::size_t open)
{
    return traced::closing_bracket(code, open, "{([", "})]");
}

// Returns where the body of the function declared at `at` begins; npos if it has none.
std::size_t body_of(std::string_view code, std::size_t at)
{
    bool parameters = false;
    for (std::size_t i = at; i < code.size();) {
        if (code[i] == ';')
            return std::string_view::npos;
        if (code[i] == '{')
            return parameters ? i : std::string_view::npos;
        if (code[i] == '(') {
            const std::size_t close = closing_bracket(code, i);
            if (close == std::string_view::npos)
                return close;
            parameters = true;
            i = close + 1;
        } else {
            ++i;
        }
    }
    return std::string_view::npos;
}

} // namespace

std::string without_device_bodies(std::string_view text)
{
    std::string result(text);
    const std::string code = traced::only_code(text);
    for (const std::string_view word : {"__global__", "__device__"}) {
        for (std::size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + word.size())) {
            const std::size_t line = code.rfind('\n', at) + 1;
            const bool shared = code.substr(line, at - line).find("__host__") != std::string::npos ||
                                std::string_view(code).substr(at + word.size()).starts_with(" __host__");
            const std::size_t body = shared ? std::string::npos : body_of(code, at + word.size());
            const std::size_t close = body == std::string::npos ? body : closing_bracket(code, body);
            if (close != std::string::npos)
                traced::blank(result, body + 1, close);
        }
    }
    return result;
}

} // namespace own

namespace kernels {

namespace {

constexpr std::string_view transpose =
    R"(// A transpose through shared memory. Change COLUMNS to 33,
// save, and see what becomes of its reads.
//
// The next lines say how it is launched: grid and block
// (expressions of M, N, K and of constants below), what each
// parameter gets, and the buffers with their bytes and what
// they are filled with: zeros, random or iota (0, 1, 2, ...).
// gemmscope: kernel=transpose grid=N/32,M/32 block=32,8
// gemmscope: args=in,out,M,N size=64
// gemmscope: buffer=in=4*M*N:iota buffer=out=4*M*N

constexpr int COLUMNS = 32;

__global__ void transpose(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[32][COLUMNS];
    const int row = blockIdx.y * 32, col = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        tile[i][threadIdx.x] = in[(row + i) * cols + col + threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += 8) {
        const float value = tile[threadIdx.x][i];
        out[(col + i) * rows + row + threadIdx.x] = value;
    }
}
)";

constexpr std::string_view reduction =
    R"(// The sum of an array: each block adds up 512 numbers in
// shared memory, half as many threads in every round. Try it
// the other way round: step = 128, 64, ..., and thread < step.
//
// The next lines say how it is launched: grid and block, what
// each parameter gets, and the buffers with their bytes and
// what they are filled with: zeros, random or iota (0, 1, ...).
// gemmscope: kernel=reduction grid=8 block=256 args=in,sums
// gemmscope: buffer=in=4*8*512:iota buffer=sums=4*8

__global__ void reduction(const float* in, float* sums)
{
    __shared__ float part[256];
    const int first = blockIdx.x * 512 + threadIdx.x;
    part[threadIdx.x] = in[first] + in[first + 256];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        const int i = 2 * step * threadIdx.x;
        if (i < 256)
            part[i] += part[i + step];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}
)";

constexpr std::string_view product = R"(// A matrix product, C = A B, with a tile of A and of B in
// shared memory.
//
// The next lines say how it is launched: grid and block
// (expressions of M, N, K and of constants below) and what
// each parameter gets. A, B and C are there already;
// check=gemm compares C with float64.
// gemmscope: kernel=product grid=N/TILE,M/TILE
// gemmscope: block=TILE,TILE args=A,B,C,N,K check=gemm

constexpr int TILE = 16;

__global__ void product(const float* A, const float* B, float* C, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < K; k += TILE) {
        As[threadIdx.y][threadIdx.x] = A[row * K + k + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * N + col];
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
)";

constexpr std::array all = {Sample{"transpose", "a transpose through shared memory", transpose},
                            Sample{"reduction", "a sum in shared memory", reduction},
                            Sample{"product", "a matrix product in plain CUDA", product}};

} // namespace

std::span<const Sample> samples()
{
    return all;
}

} // namespace kernels
