// Evaluates a stage's description on one thread of the PTX machine and writes the results in the order in which
// own/own_stage.cpp reads them. DESCRIBED is the stage's namespace.

#include "describe.h"

namespace own {

class Answer {
public:
    explicit Answer(char* at) : at_(at) {}

    void number(long long value)
    {
        *reinterpret_cast<long long*>(at_) = value;
        at_ += sizeof(value);
    }
    void text(std::string_view words)
    {
        number(words.size());
        for (std::size_t i = 0; i < words.size(); ++i)
            at_[i] = words[i];
        at_ += (words.size() + 7) / 8 * 8;
    }
    void words(const std::vector<uint32_t>& values)
    {
        number(values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            reinterpret_cast<uint32_t*>(at_)[i] = values[i];
        at_ += (values.size() + 1) / 2 * 8;
    }

private:
    char* at_;
};

// Returns the index of a kernel's arguments in Kinds of own/own_stage.cpp.
template <class Arguments>
constexpr int kind_of()
{
    return std::is_same_v<Arguments, Gemm>          ? 0
           : std::is_same_v<Arguments, GemmColumns> ? 1
           : std::is_same_v<Arguments, Vectors>     ? 2
           : std::is_same_v<Arguments, Coordinates> ? 3
           : std::is_same_v<Arguments, SplitGemm>   ? 4
           : std::is_same_v<Arguments, TensorGemm>  ? 5
                                                    : 6;
}

template <class Parameters, class Arguments>
class Asked {
public:
    Asked(const StageInfo<Parameters, Arguments>& info, Answer answer) : info_(info), answer_(answer) {}

    void facts()
    {
        for (const std::string_view words : {info_.slug, info_.idea, info_.builds_on, info_.body_file})
            answer_.text(words);
        answer_.number(kind_of<Arguments>());
        answer_.number(info_.refusal != nullptr && info_.launch != nullptr);
        answer_.number(info_.parameters.size());
        for (const auto& field : info_.parameters) {
            answer_.text(field.name);
            answer_.text(field.meaning);
        }
        answer_.number(info_.variants.size());
        for (const Parameters& variant : info_.variants)
            values(variant);
        answer_.number(info_.layouts.size());
        for (const kernels::LayoutSource& layout : info_.layouts)
            for (const std::string_view words : {layout.array, layout.name, layout.file})
                answer_.text(words);
        answer_.number(bool(info_.second));
        if (info_.second)
            answer_.text(info_.second->name);
        candidates();
        answer_.number(info_.worth_trying != nullptr);
        answer_.number(info_.suited != nullptr);
        answer_.number(info_.boxes != nullptr);
        answer_.number(info_.only_compute_capability);
        answer_.number(bool(info_.tiny));
        if (info_.tiny) {
            values(info_.tiny->parameters);
            for (const int side : {info_.tiny->M, info_.tiny->N, info_.tiny->K})
                answer_.number(side);
            answer_.text(info_.tiny->limit);
        }
    }

    void launch(const Parameters& p, const Problem& problem)
    {
        const std::string refusal = info_.refusal(p);
        answer_.text(refusal);
        if (!refusal.empty())
            return;
        extent(info_.launch(p, problem));
        answer_.number(info_.dynamic_shared != nullptr ? info_.dynamic_shared(p) : 0);
        answer_.number(info_.type != nullptr ? info_.type(p) : type_fp32);
        answer_.number(info_.type_of_c != nullptr ? info_.type_of_c(p) : type_fp32);
        answer_.number(info_.worth_trying == nullptr || info_.worth_trying(p));
        if (info_.boxes != nullptr)
            for (const kernels::TensorBox& box : info_.boxes(p)) {
                answer_.number(box.rows);
                answer_.number(box.cols);
            }
        if (info_.second) {
            extent(info_.second->launch(p, problem));
            array(info_.second->workspace(p, problem));
        }
    }

    void tiles(const Parameters& p)
    {
        const std::vector<Array> all = info_.tiles != nullptr ? info_.tiles(p) : std::vector<Array>();
        answer_.number(all.size());
        for (const Array& one : all)
            array(one);
    }

    void suited(const Problem& problem, int sm_count) { values(info_.suited(problem, sm_count)); }

    Parameters parameters_of(const int* values) const
    {
        Parameters result{};
        for (const auto& field : info_.parameters)
            result.*field.member = *values++;
        return result;
    }

private:
    void values(const Parameters& parameters)
    {
        for (const auto& field : info_.parameters)
            answer_.number(parameters.*field.member);
    }

    // Writes the candidates of each parameter. The only candidate of a parameter without any is its default. Writes
    // nothing if no parameter has candidates.
    void candidates()
    {
        answer_.number(!info_.candidates.empty());
        if (info_.candidates.empty())
            return;
        for (const auto& field : info_.parameters) {
            std::vector<int> values = {info_.variants.front().*field.member};
            for (const auto& own : info_.candidates)
                if (own.member == field.member)
                    values = own.values;
            answer_.number(values.size());
            for (const int value : values)
                answer_.number(value);
        }
    }

    void extent(const Launch& launch)
    {
        for (const int value : {launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y})
            answer_.number(value);
    }

    void array(const Array& one)
    {
        answer_.text(one.name);
        for (const uint64_t value :
             {uint64_t(one.space), uint64_t(one.rows), uint64_t(one.cols), uint64_t(one.element_bytes), one.bytes})
            answer_.number(value);
        answer_.words(one.layout);
    }

    const StageInfo<Parameters, Arguments>& info_;
    Answer answer_;
};

} // namespace own

// `what` is an own::What.
extern "C" __global__ void describe(char* answer, char* room, const int* values, Problem problem, int what,
                                    int sm_count)
{
    own::arena = room;
    const auto info = DESCRIBED::info();
    own::Asked asked(info, own::Answer(answer));
    switch (what) {
    case 0: return asked.facts();
    case 1: return asked.launch(asked.parameters_of(values), problem);
    case 2: return asked.tiles(asked.parameters_of(values));
    default:
        if (info.suited != nullptr)
            asked.suited(problem, sm_count);
    }
}
