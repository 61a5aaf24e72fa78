// What is defined here is a command to a shell, and only nvcc compiles the file: NVRTC has no EDOM for a kernel.
// gemmscope: grid=1 block=32 args=out buffer=out=128 define='UNUSED=$(touch${IFS}made_by_a_define)' define='SEVEN=7'
// gemmscope: include='$(touch made_by_an_include)'
#include <cerrno>
#include <vector>

__global__ void k(int* out)
{
    out[threadIdx.x] = SEVEN + EDOM;
}

int main()
{
    std::vector<int> host(32);
    k<<<1, 32>>>(nullptr);
    return host[0];
}
