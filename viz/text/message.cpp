#include "viz/text/message.h"

#include "viz/origin.h"

namespace viz {

Value::Value(Message message) : content(Nested{std::move(message)}) {}

Value::Value(Nested messages) : content(std::move(messages)) {}

bool operator==(const Value& a, const Value& b)
{
    return a.meaning == b.meaning && a.content == b.content;
}

} // namespace viz
