// Measures the overhead of the probes on this machine's GPU. It times `vectorized` with each of its probes and the same
// kernel written by hand without views; the runs are interleaved. Not a test.
//   build/bench/instrumentation tests/gpu/vectorized_by_hand.cu
#include "goals.h"

#include "arguments.h"
#include "cuda/compiler.h"
#include "cuda/instruments.h"
#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

namespace {

using kernels::ProbeKind;

template <class T>
std::span<const std::byte> bytes_of(const T& value)
{
    return std::as_bytes(std::span(&value, 1));
}

std::string text_of(const char* path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (text.str().empty())
        throw kernels::Error(fmt::format("{} cannot be read.", path));
    return text.str();
}

cuda::Buffer random_matrix(const cuda::Context& context, std::size_t elements)
{
    std::mt19937 generator(1);
    std::uniform_real_distribution<float> distribution(-1, 1);
    std::vector<float> values(elements);
    std::ranges::generate(values, [&] { return distribution(generator); });
    cuda::Buffer buffer(context, elements * sizeof(float));
    context.upload(buffer, values.data(), buffer.bytes());
    return buffer;
}

struct Subject {
    std::string name;
    std::function<void()> launch;
    std::vector<double> milliseconds;
};

class Bench {
public:
    explicit Bench(std::string by_hand_text)
        : compiler_(cuda::Nvrtc(context_.cuda_version() / 1000),
                    static_cast<int>(context_.device().compute_capability)),
          by_hand_text_(std::move(by_hand_text)), ladder_(kernels::make_ladder()),
          stage_(kernels::find_stage(ladder_, "vectorized"))
    {
        context_.enter();
    }

    void run(int size)
    {
        const recording::Problem problem{.M = uint32_t(size), .N = uint32_t(size), .K = uint32_t(size)};
        const kernels::ParameterValues parameters = stage_.standard_parameters();
        const recording::Launch launch = stage_.launch(parameters, problem);
        const std::size_t elements = std::size_t(size) * size;
        const cuda::Buffer A = random_matrix(context_, elements), B = random_matrix(context_, elements);
        const cuda::Buffer C(context_, elements * sizeof(float));
        const std::vector<std::byte> gemm =
            stage_.arguments(parameters, problem, {A.as<void>(), B.as<void>(), C.as<float>(), nullptr, nullptr});

        const cuda::Compiled compiled = compiler_.compile({.text = by_hand_text_, .headers = {}}, "vectorized_by_hand");
        const cuda::Kernel by_hand(context_, compiled.image, compiled.lowered_name, 0);
        const cuda::Kernel plain = with_probe(ProbeKind::none), counting = with_probe(ProbeKind::count),
                           recording = with_probe(ProbeKind::record);
        const recording::Index3 first{0, 0, 0};
        const cuda::ChosenBlocks chosen(context_, launch, {&first, 1});
        const cuda::Counter counter(context_, launch, chosen, 1000);
        const CountState count_state = counter.state();
        const auto queue = [&](const cuda::Kernel& kernel, std::span<const std::byte> probe) {
            const std::array<std::span<const std::byte>, 2> both = {gemm, probe};
            kernel.launch(launch, std::span(both).first(probe.empty() ? 1 : 2));
        };
        queue(counting, bytes_of(count_state));
        context_.synchronize("counting");
        const cuda::Recorder recorder(context_, launch, chosen, counter.steps(),
                                      kernels::device_shapes(stage_.operation, type_fp32, problem).C);
        const RecordState record_state = recorder.state();
        constexpr std::array<std::byte, 1> nothing{};

        std::vector<Subject> subjects;
        subjects.push_back({"by hand, without views", [&] { queue(by_hand, {}); }, {}});
        subjects.push_back({"vectorized, NoProbe", [&] { queue(plain, nothing); }, {}});
        subjects.push_back({"vectorized, CountProbe", [&] { queue(counting, bytes_of(count_state)); }, {}});
        subjects.push_back(
            {"vectorized, RecordProbe, one block", [&] { queue(recording, bytes_of(record_state)); }, {}});
        time(subjects);
        print(size, subjects);
    }

private:
    cuda::Kernel with_probe(ProbeKind probe) const
    {
        const cuda::KernelName name = cuda::kernels_for(stage_, stage_.standard_parameters(), probe).at(0);
        const cuda::Compiled compiled = compiler_.compile(stage_, name);
        return {context_, compiled.image, compiled.lowered_name, name.dynamic_shared};
    }

    void time(std::vector<Subject>& subjects) const
    {
        constexpr int warm_up = 3, samples = 31;
        for (int i = 0; i < warm_up + samples; ++i)
            for (Subject& subject : subjects) {
                const cuda::Event start(context_), end(context_);
                start.record();
                subject.launch();
                end.record();
                const double milliseconds = end.milliseconds_since(start);
                if (i >= warm_up)
                    subject.milliseconds.push_back(milliseconds);
            }
        context_.synchronize("timing");
    }

    void print(int size, const std::vector<Subject>& subjects) const
    {
        const double by_hand = bench::median(subjects.front().milliseconds);
        fmt::print("{}^3 on {}, medians of {} runs in turns, with the fastest and the slowest\n", size,
                   context_.device().name, subjects.front().milliseconds.size());
        for (const Subject& subject : subjects) {
            const auto [least, most] = std::ranges::minmax(subject.milliseconds);
            const double middle = bench::median(subject.milliseconds);
            fmt::print("  {:<36} {:9.4f} ms ({:.4f} to {:.4f})  {:6.3f} x\n", subject.name, middle, least, most,
                       middle / by_hand);
        }
    }

    cuda::Context context_{0};
    cuda::Compiler compiler_;
    std::string by_hand_text_;
    std::vector<kernels::Stage> ladder_;
    const kernels::Stage& stage_;
};

} // namespace

int main(int argc, char** argv)
try {
    if (argc != 2)
        throw kernels::Error("Give the kernel that is written by hand: tests/gpu/vectorized_by_hand.cu.");
    Bench bench(text_of(argv[1]));
    for (const int size : {1024, 4096})
        bench.run(size);
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "instrumentation: {}\n", error.what());
    return 1;
}
