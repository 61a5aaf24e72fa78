// Chooses the order in which diverged lanes run, so that they reconverge where their paths meet. It is a weak
// topological order of basic blocks (Bourdoncle 1993). A block comes after all blocks that lead to it, and the code
// after a loop comes after the whole loop. So lanes that have left a loop wait there for the others.
#include "ptx/decode.h"

#include <algorithm>

namespace ptx {

namespace {

struct Blocks {
    std::vector<uint32_t> first;                   // the first instruction of each block
    std::vector<uint32_t> of;                      // the block of each instruction
    std::vector<std::vector<uint32_t>> successors; // the blocks that follow each block
};

Blocks blocks_of(const Program& program)
{
    const std::vector<Instruction>& all = program.instructions;
    std::vector<bool> leads(all.size() + 1);
    leads[0] = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!ends_block(all[i]))
            continue;
        leads[i + 1] = true;
        if (all[i].kind == Kind::branch)
            leads[all[i].target] = true;
        for (const uint32_t target : all[i].targets)
            leads[target] = true;
    }
    Blocks blocks;
    for (uint32_t i = 0; i < all.size(); ++i) {
        if (leads[i])
            blocks.first.push_back(i);
        blocks.of.push_back(static_cast<uint32_t>(blocks.first.size() - 1));
    }
    blocks.successors.resize(blocks.first.size());
    for (std::size_t block = 0; block < blocks.first.size(); ++block) {
        const uint32_t end =
            block + 1 < blocks.first.size() ? blocks.first[block + 1] : static_cast<uint32_t>(all.size());
        const Instruction& last = all[end - 1];
        std::vector<uint32_t>& next = blocks.successors[block];
        const auto lead_to = [&](uint32_t instruction) {
            if (instruction < all.size())
                next.push_back(blocks.of[instruction]);
        };
        if (last.kind == Kind::branch)
            lead_to(last.target);
        for (const uint32_t target : last.targets)
            lead_to(target);
        const bool always = last.guard == no_register;
        if (!ends_block(last) || !always)
            lead_to(end);
    }
    return blocks;
}

class Order {
public:
    explicit Order(const Blocks& blocks) : blocks_(blocks), number_(blocks.first.size()) {}

    std::vector<uint32_t> run()
    {
        std::vector<uint32_t> order;
        visit(0, order, 0);
        std::ranges::reverse(order);
        return order;
    }

private:
    static constexpr uint32_t done = ~0u;
    static constexpr int deepest = 20000;

    uint32_t visit(uint32_t block, std::vector<uint32_t>& order, int depth)
    {
        stack_.push_back(block);
        uint32_t head = number_[block] = ++count_;
        bool is_loop = false;
        for (const uint32_t next : blocks_.successors[block]) {
            const uint32_t least = number_[next] == 0 && depth < deepest ? visit(next, order, depth + 1)
                                   : number_[next] == 0                  ? done
                                                                         : number_[next];
            if (least <= head)
                head = least, is_loop = true;
        }
        if (head != number_[block])
            return head;
        number_[block] = done;
        uint32_t other = pop();
        if (is_loop) {
            for (; other != block; other = pop())
                number_[other] = 0;
            std::vector<uint32_t> inside;
            for (const uint32_t next : blocks_.successors[block])
                if (number_[next] == 0 && depth < deepest)
                    visit(next, inside, depth + 1);
            order.insert(order.end(), inside.begin(), inside.end());
        }
        order.push_back(block);
        return head;
    }

    uint32_t pop()
    {
        const uint32_t block = stack_.back();
        stack_.pop_back();
        return block;
    }

    const Blocks& blocks_;
    std::vector<uint32_t> number_, stack_;
    uint32_t count_ = 0;
};

} // namespace

void order_blocks(Program& program)
{
    const Blocks blocks = blocks_of(program);
    const std::vector<uint32_t> order = Order(blocks).run();
    std::vector<uint32_t> start(blocks.first.size(), ~0u);
    uint32_t place = 0;
    const auto end_of = [&](uint32_t block) {
        return block + 1 < blocks.first.size() ? blocks.first[block + 1]
                                               : static_cast<uint32_t>(program.instructions.size());
    };
    for (const uint32_t block : order) {
        start[block] = place;
        place += end_of(block) - blocks.first[block];
    }
    program.place.resize(program.instructions.size());
    program.starts_block.assign(program.instructions.size() + 1, false);
    for (uint32_t block = 0; block < blocks.first.size(); ++block) {
        if (start[block] == ~0u) { // no block leads to it
            start[block] = place;
            place += end_of(block) - blocks.first[block];
        }
        program.starts_block[blocks.first[block]] = true;
        for (uint32_t i = blocks.first[block]; i < end_of(block); ++i)
            program.place[i] = start[block] + i - blocks.first[block];
    }
}

} // namespace ptx
