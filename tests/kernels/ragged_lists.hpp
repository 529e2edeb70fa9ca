// A list of products of different shapes, with what they are by their definition.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/transform/ragged_products.hpp"

namespace gwrm::test {

// Shapes around those of tiles (32 x 64, pieces of 16), rows in batches of three that lie apart, terms of different
// inner extents (none and one too). Numbers that no task should read are NaN; what none should write stays.
class RaggedSample {
 public:
  explicit RaggedSample(unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    const auto room = [&](std::vector<double>& array, std::size_t count) {
      const std::size_t place = array.size() + 3;  // a gap before
      array.resize(place + count, std::nan(""));
      return static_cast<std::int64_t>(place);
    };
    std::vector<RaggedTask> tasks;
    std::vector<RaggedTerm> terms;
    for (const int m : {1, 2, 31, 32, 33, 67})
      for (const int n : {1, 7, 63, 64, 65, 130})
        for (const int n_terms : {0, 1, 3}) {
          RaggedTask task;
          task.m = m;
          task.n = n;
          task.b_stride = n + 2;
          // Row i of A is `inner` behind the one before within a batch.
          task.a_rows = {3, 3 * 50 + 5, 50};
          task.c_rows = {2, 2 * (n + 1) + 4, n + 1};
          task.first_term = static_cast<std::int32_t>(terms.size());
          task.n_terms = n_terms;
          for (int s = 0; s < n_terms; ++s) {
            const int k = std::vector<int>{0, 1, 4, 15, 16, 17, 48}[(tasks.size() + static_cast<std::size_t>(s)) % 7];
            RaggedTerm term{room(a, static_cast<std::size_t>(task.a_rows.place(m - 1) + 50)),
                            room(b, static_cast<std::size_t>(task.b_stride * k + 1)), k};
            for (int i = 0; i < m; ++i)
              for (int j = 0; j < k; ++j)
                a[static_cast<std::size_t>(term.a + task.a_rows.place(i) + j)] = number(random);
            for (int i = 0; i < k; ++i)
              for (int j = 0; j < n; ++j) b[static_cast<std::size_t>(term.b + i * task.b_stride + j)] = number(random);
            terms.push_back(term);
          }
          task.c = room(c, static_cast<std::size_t>(task.c_rows.place(m - 1) + n + 1));
          for (std::size_t i = static_cast<std::size_t>(task.c); i < c.size(); ++i) c[i] = number(random);
          tasks.push_back(task);
        }
    products = RaggedProducts(tasks, terms);
  }

  std::vector<double> a, b, c;
  RaggedProducts products;

  // What became of c. Sums of at most 3 x 48 products below one.
  void expect(const std::vector<double>& result, bool add) const {
    std::vector<bool> written(c.size(), false);
    for (const RaggedTask& task : products.tasks())
      for (int i = 0; i < task.m; ++i)
        for (int j = 0; j < task.n; ++j) {
          const auto at = static_cast<std::size_t>(task.c + task.c_rows.place(i) + j);
          __float128 sum = add ? c[at] : 0.0;
          for (int s = 0; s < task.n_terms; ++s) {
            const RaggedTerm& term = products.terms()[static_cast<std::size_t>(task.first_term + s)];
            for (int k = 0; k < term.n; ++k)
              sum += static_cast<__float128>(a[static_cast<std::size_t>(term.a + task.a_rows.place(i) + k)]) *
                     b[static_cast<std::size_t>(term.b + k * task.b_stride + j)];
          }
          ASSERT_LE(std::abs(result[at] - static_cast<double>(sum)), 1e-14)
              << task.m << " x " << task.n << ", " << task.n_terms << " terms";
          written[at] = true;
        }
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (written[i]) continue;
      ASSERT_TRUE(result[i] == c[i] || (std::isnan(result[i]) && std::isnan(c[i]))) << i;
    }
  }
};

}  // namespace gwrm::test
