// SPDX-License-Identifier: Apache-2.0
// A host in C++ that has tt-metal alone: a kernel adds up words in L1, and the host reads the sum.
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include <tt-metalium/device.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>

namespace metal = tt::tt_metal;
namespace mesh = tt::tt_metal::distributed;

static const std::string KERNEL = R"(
#include <cstdint>
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    volatile tt_l1_ptr uint32_t *words = (volatile tt_l1_ptr uint32_t *)get_arg_val<uint32_t>(0);
    const uint32_t count = get_arg_val<uint32_t>(1);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        sum += words[i];
    }
    words[0] = sum;
}
)";
static constexpr uint32_t COUNT = 64;

int main() {
    auto device = mesh::MeshDevice::create_unit_mesh(0);
    auto &queue = device->mesh_command_queue();
    const uint32_t bytes = COUNT * sizeof(uint32_t);
    const mesh::DeviceLocalBufferConfig in_l1{.page_size = bytes, .buffer_type = metal::BufferType::L1};
    auto buffer = mesh::MeshBuffer::create(
        mesh::ReplicatedBufferConfig{.size = bytes}, in_l1, device.get());
    std::vector<uint32_t> words(COUNT);
    std::iota(words.begin(), words.end(), 1);
    mesh::EnqueueWriteMeshBuffer(queue, buffer, words, true);

    metal::Program program = metal::CreateProgram();
    const metal::CoreCoord core{0, 0};
    const auto kernel = metal::CreateKernelFromString(
        program, KERNEL, core,
        metal::DataMovementConfig{
            .processor = metal::DataMovementProcessor::RISCV_0,
            .noc = metal::NOC::RISCV_0_default});
    metal::SetRuntimeArgs(program, kernel, core, {static_cast<uint32_t>(buffer->address()), COUNT});
    mesh::MeshWorkload work;
    work.add_program(mesh::MeshCoordinateRange(device->shape()), std::move(program));
    mesh::EnqueueMeshWorkload(queue, work, false);

    std::vector<uint32_t> result;
    mesh::EnqueueReadMeshBuffer(queue, result, buffer, true);
    device->close();
    std::printf("the sum of 1 to %u is %u\n", COUNT, result.at(0));
    return result.at(0) == COUNT * (COUNT + 1) / 2 ? 0 : 1;
}
