// SPDX-License-Identifier: Apache-2.0
// A host in C++ that has tt-metal alone: a kernel adds up words of DRAM, and the host reads the sum.
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
    const uint32_t l1 = get_arg_val<uint32_t>(0);
    const uint64_t page = get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(1));
    const uint32_t count = get_arg_val<uint32_t>(2);
    volatile tt_l1_ptr uint32_t *words = (volatile tt_l1_ptr uint32_t *)l1;
    noc_async_read(page, l1, count * sizeof(uint32_t));
    noc_async_read_barrier();
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        sum += words[i];
    }
    words[0] = sum;
    noc_async_write(l1, page, count * sizeof(uint32_t));
    noc_async_write_barrier();
}
)";
static constexpr uint32_t COUNT = 64;

int main() {
    auto device = mesh::MeshDevice::create_unit_mesh(0);
    auto &queue = device->mesh_command_queue();
    const uint32_t bytes = COUNT * sizeof(uint32_t);
    const mesh::ReplicatedBufferConfig size{.size = bytes};
    const mesh::DeviceLocalBufferConfig in_dram{.page_size = bytes, .buffer_type = metal::BufferType::DRAM};
    const mesh::DeviceLocalBufferConfig in_l1{.page_size = bytes, .buffer_type = metal::BufferType::L1};
    auto buffer = mesh::MeshBuffer::create(size, in_dram, device.get());
    // Its address is free on every tile; its page is on one that tt-metal chooses.
    auto room = mesh::MeshBuffer::create(size, in_l1, device.get());
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
    const auto l1 = static_cast<uint32_t>(room->address());
    const auto page = static_cast<uint32_t>(buffer->address());
    metal::SetRuntimeArgs(program, kernel, core, {l1, page, COUNT});
    mesh::MeshWorkload work;
    work.add_program(mesh::MeshCoordinateRange(device->shape()), std::move(program));
    mesh::EnqueueMeshWorkload(queue, work, false);

    std::vector<uint32_t> result;
    mesh::EnqueueReadMeshBuffer(queue, result, buffer, true);
    device->close();
    std::printf("the sum of 1 to %u is %u\n", COUNT, result.at(0));
    return result.at(0) == COUNT * (COUNT + 1) / 2 ? 0 : 1;
}
