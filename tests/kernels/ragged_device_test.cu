// Matrix products of different shapes on the device, in one launch.
#include "kernels/transform/device_ragged_products.cuh"
//
#include <gtest/gtest.h>

#include "device_array_test.hpp"
#include "ragged_lists.hpp"

namespace gwrm::cuda {
namespace {

class RaggedProductsDevice : public test::DeviceArrayTest {};

TEST_F(RaggedProductsDevice, AreTheSumsOfTheirDefinitionAndTheSameBitsTwice) {
  DeviceProfile profile(handles());
  for (const bool add : {false, true}) {
    const test::RaggedSample sample(11);
    DeviceMatrices matrices(profile, pool_);
    const DeviceRaggedProducts products(sample.products, matrices);
    matrices.send();
    const DeviceArray a = send(sample.a), b = send(sample.b), once = send(sample.c), again = send(sample.c);
    products.apply(handles(), a.data(), b.data(), add, once.data());
    products.apply(handles(), a.data(), b.data(), add, again.data());
    const std::vector<double> result = fetch(once);
    sample.expect(result, add);
    const std::vector<double> other = fetch(again);
    for (std::size_t i = 0; i < result.size(); ++i)
      ASSERT_TRUE(result[i] == other[i] || (std::isnan(result[i]) && std::isnan(other[i])));
  }
}

}  // namespace
}  // namespace gwrm::cuda
