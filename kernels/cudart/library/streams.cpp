// Streams, events and graphs. The work of a stream is done at once and in order. While the stream is captured, the work
// is kept in a graph and done when the graph is launched. Events know whether they were recorded, but have no times,
// because no kernel runs on a GPU.
#include "cudart/library/runtime.h"

#include <cmath>
#include <cstring>
#include <set>

// NOLINTBEGIN(readability-identifier-naming): the functions' names are CUDA's.

namespace cudart {

namespace {

struct Stream {
    unsigned flags = 0;
    int priority = 0;
};

struct Graph {
    std::vector<Work> work;
};

struct Event {
    bool recorded = false;
    std::shared_ptr<Graph> captured; // the graph that captured the event's stream
};

struct Captures {
    std::mutex mutex;
    std::map<void*, std::shared_ptr<Graph>> of_stream; // graphs of streams that are being captured
};

Captures& captures()
{
    static Captures* const all = new Captures;
    return *all;
}

std::shared_ptr<Graph> capture_of(void* stream)
{
    const std::lock_guard lock(captures().mutex);
    const auto found = captures().of_stream.find(stream);
    return found == captures().of_stream.end() ? nullptr : found->second;
}

template <class T>
Error create(void** to, T* value)
{
    *to = value;
    return good();
}

} // namespace

Error submit(void* stream, Work work)
{
    if (const std::shared_ptr<Graph> graph = capture_of(stream)) {
        graph->work.push_back(std::move(work));
        return good();
    }
    Runtime& runtime = Runtime::get();
    if (runtime.sticky() != success)
        return runtime.result(success); // returns the sticky error
    const Error error = work();
    if (error == success && runtime.sticky() != success)
        return success; // the launch itself succeeded; later calls report the fault
    return runtime.result(error);
}

Error add_node(void** node, void* graph, const std::function<Error(void* stream)>& work)
{
    const std::shared_ptr<Graph> borrowed(static_cast<Graph*>(graph), [](Graph*) {});
    {
        const std::lock_guard lock(captures().mutex);
        captures().of_stream[graph] = borrowed; // handles the graph as a stream that is being captured
    }
    const Error error = work(graph);
    const std::lock_guard lock(captures().mutex);
    captures().of_stream.erase(graph);
    *node = &borrowed->work.back();
    return error;
}

} // namespace cudart

using namespace cudart;

CUDART_API Error cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority)
{
    return create(stream, new Stream{flags, priority});
}
CUDART_API Error cudaStreamCreateWithFlags(void** stream, unsigned flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
CUDART_API Error cudaStreamCreate(void** stream)
{
    return cudaStreamCreateWithPriority(stream, 0, 0);
}
CUDART_API Error cudaStreamDestroy(void* stream)
{
    delete static_cast<Stream*>(stream);
    return good();
}
CUDART_API Error cudaStreamGetFlags(void* stream, unsigned* flags)
{
    *flags = stream != nullptr ? static_cast<Stream*>(stream)->flags : 0;
    return good();
}
CUDART_API Error cudaStreamGetPriority(void* stream, int* priority)
{
    *priority = stream != nullptr ? static_cast<Stream*>(stream)->priority : 0;
    return good();
}
CUDART_API Error cudaStreamWaitEvent(void* stream, void* event, unsigned)
{
    if (const std::shared_ptr<Graph> graph = static_cast<Event*>(event)->captured) { // the stream joins that capture
        const std::lock_guard lock(captures().mutex);
        captures().of_stream.emplace(stream, graph);
    }
    return good();
}
CUDART_API Error cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data)
{
    return submit(stream, [=] {
        function(data);
        return success;
    });
}
CUDART_API Error cudaStreamAddCallback(void* stream, void (*function)(void*, Error, void*), void* data, unsigned)
{
    return submit(stream, [=] {
        function(stream, success, data);
        return success;
    });
}
CUDART_API Error cudaEventCreateWithFlags(void** event, unsigned)
{
    return create(event, new Event);
}
CUDART_API Error cudaEventCreate(void** event)
{
    return cudaEventCreateWithFlags(event, 0);
}
CUDART_API Error cudaEventDestroy(void* event)
{
    delete static_cast<Event*>(event);
    return good();
}
CUDART_API Error cudaEventRecord(void* event, void* stream)
{
    static_cast<Event*>(event)->recorded = true;
    static_cast<Event*>(event)->captured = capture_of(stream);
    return good();
}
CUDART_API Error cudaEventRecordWithFlags(void* event, void* stream, unsigned)
{
    return cudaEventRecord(event, stream);
}
CUDART_API Error cudaEventElapsedTime(float* milliseconds, void* start, void* end)
{
    if (!static_cast<Event*>(start)->recorded || !static_cast<Event*>(end)->recorded)
        return Runtime::get().result(invalid_handle);
    *milliseconds = std::nanf("");
    Runtime::get().tell_once("No kernel runs on a GPU, so events have no time: the program is given nan.");
    return good();
}
CUDART_API Error cudaEventElapsedTime_v2(float* milliseconds, void* start, void* end)
{
    return cudaEventElapsedTime(milliseconds, start, end);
}

CUDART_API Error cudaStreamBeginCapture(void* stream, int)
{
    if (stream == nullptr)
        return Runtime::get().result(900); // cudaErrorStreamCaptureUnsupported
    const std::lock_guard lock(captures().mutex);
    captures().of_stream[stream] = std::make_shared<Graph>();
    return good();
}
CUDART_API Error cudaStreamEndCapture(void* stream, void** graph)
{
    const std::shared_ptr<Graph> captured = capture_of(stream);
    if (captured == nullptr)
        return Runtime::get().result(capture_unmatched);
    const std::lock_guard lock(captures().mutex);
    std::erase_if(captures().of_stream, [&](const auto& one) { return one.second == captured; });
    return create(graph, new Graph(*captured));
}
CUDART_API Error cudaStreamIsCapturing(void* stream, int* state)
{
    *state = capture_of(stream) != nullptr ? 1 : 0;
    return good();
}

CUDART_API Error cudaGraphCreate(void** graph, unsigned)
{
    return create(graph, new Graph);
}
CUDART_API Error cudaGraphDestroy(void* graph)
{
    delete static_cast<Graph*>(graph);
    return good();
}
CUDART_API Error cudaGraphInstantiate(void** executable, void* graph, unsigned long long)
{
    return create(executable, new Graph(*static_cast<Graph*>(graph)));
}
CUDART_API Error cudaGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long)
{
    return cudaGraphInstantiate(executable, graph, 0);
}
CUDART_API Error cudaGraphExecDestroy(void* executable)
{
    return cudaGraphDestroy(executable);
}
CUDART_API Error cudaGraphLaunch(void* executable, void* stream)
{
    for (const Work& work : static_cast<Graph*>(executable)->work)
        if (const Error error = submit(stream, work); error != success)
            return error;
    return good();
}
CUDART_API Error cudaGraphGetNodes(void* graph, void** nodes, std::size_t* count)
{
    if (nodes != nullptr)
        return not_served("cudaGraphGetNodes with a list to fill");
    *count = static_cast<Graph*>(graph)->work.size();
    return good();
}
CUDART_API Error cudaGraphAddHostNode(void** node, void* graph, const void*, std::size_t, void (*const* what)(void*))
{
    void* const data = reinterpret_cast<void* const*>(what)[1]; // the second member of the node's parameters
    return add_node(node, graph, [&](void* stream) { return cudaLaunchHostFunc(stream, what[0], data); });
}
CUDART_API Error cudaGraphAddEmptyNode(void** node, void* graph, const void*, std::size_t)
{
    return add_node(node, graph, [](void* stream) { return submit(stream, [] { return success; }); });
}

// NOLINTEND(readability-identifier-naming)
