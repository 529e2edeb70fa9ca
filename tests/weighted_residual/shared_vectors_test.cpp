// Vectors whose columns the ranks of the launcher share: places by their definition, sums against one rank alone.
#include "weighted_residual/window/shared_vectors.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "core/ranks_of_launcher.hpp"

namespace gwrm::shared_vectors_test {
namespace {

// Many blocks and one, lines of one number, a ragged end, nothing.
const std::vector<SharedVectors::Part> kParts = {{6, 500}, {4, 7}, {3, 64}, {9, 1}, {0, 40}, {5, 333}};

std::vector<double> random_numbers(Index n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(static_cast<std::size_t>(n));
  for (double& number : numbers) number = normal(random);
  return numbers;
}

std::vector<double> own_part(const SharedVectors& vectors, int rank, const std::vector<double>& whole) {
  std::vector<double> own(static_cast<std::size_t>(vectors.size_of(rank)));
  vectors.take(rank, whole, own);
  return own;
}

TEST(SharedVectors, HoldEveryNumberOnce) {
  for (const int n_ranks : {1, 2, 3, 4, 9}) {
    const SharedVectors vectors(kParts, n_ranks);
    std::vector<double> whole(static_cast<std::size_t>(vectors.size())), held;
    std::iota(whole.begin(), whole.end(), 0.0);
    for (int rank = 0; rank < n_ranks; ++rank) {
      const std::vector<double> own = own_part(vectors, rank, whole);
      held.insert(held.end(), own.begin(), own.end());
    }
    std::sort(held.begin(), held.end());
    EXPECT_EQ(held, whole);
  }
}

TEST(SharedVectors, AreGatheredAsTheyWereTaken) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  const SharedVectors vectors(kParts, ranks->size());
  const std::vector<double> whole = random_numbers(vectors.size(), 1);
  std::vector<double> gathered(whole.size(), -1.0);
  vectors.gather(*ranks, own_part(vectors, ranks->rank(), whole), gathered);
  EXPECT_EQ(gathered, whole);
}

TEST(SharedVectors, GoFromRankZeroToAllAndBack) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  const SharedVectors vectors(kParts, ranks->size());
  const std::vector<double> all = random_numbers(vectors.size(), 1), wanted = own_part(vectors, ranks->rank(), all);
  std::vector<double> own(wanted.size(), -1.0), whole, back;
  if (ranks->rank() == 0) {
    whole = all;
    back.assign(all.size(), -1.0);
  }
  vectors.hand_out(*ranks, whole, own);
  EXPECT_EQ(own, wanted);
  vectors.collect(*ranks, own, back);
  EXPECT_EQ(back, whole);
}

TEST(SharedVectors, HaveSumsWithTheBitsOfOneRank) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator(), alone = Communicator::alone();
  for (unsigned seed = 2; seed < 30; seed += 3) {
    std::vector<std::vector<double>> wanted;
    for (Communicator* all : {alone.get(), ranks.get()}) {
      const SharedVectors vectors(kParts, all->size());
      const std::vector<double> whole_a = random_numbers(vectors.size(), seed),
                                whole_b = random_numbers(vectors.size(), seed + 1);
      const std::vector<double> a = own_part(vectors, all->rank(), whole_a),
                                b = own_part(vectors, all->rank(), whole_b);
      const double* both[] = {a.data(), b.data()};
      wanted.push_back(vectors.dots(*all, both, b));
      const double size = std::inner_product(whole_b.begin(), whole_b.end(), whole_b.begin(), 0.0);
      // Rounding of some thousand terms.
      EXPECT_NEAR(wanted.back()[0], std::inner_product(whole_a.begin(), whole_a.end(), whole_b.begin(), 0.0),
                  1e-12 * size);
      EXPECT_NEAR(wanted.back()[1], size, 1e-12 * size);
    }
    EXPECT_EQ(wanted[1], wanted[0]);
  }
}

TEST(SharedVectors, SquaresAreThoseOfThePartsAndAddUp) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator(), alone = Communicator::alone();
  const SharedVectors vectors(kParts, ranks->size()), whole_vectors(kParts, 1);
  const std::vector<double> whole = random_numbers(vectors.size(), 40), own = own_part(vectors, ranks->rank(), whole);
  const std::vector<double> squares = vectors.squares(*ranks, own);
  ASSERT_EQ(squares.size(), kParts.size());
  Index first = 0;
  double sum = 0.0;
  for (std::size_t p = 0; p < kParts.size(); ++p) {
    const Index n = kParts[p].n_lines * kParts[p].n_columns;
    const double wanted =
        std::inner_product(whole.begin() + first, whole.begin() + first + n, whole.begin() + first, 0.0);
    EXPECT_NEAR(squares[p], wanted, 1e-13 * wanted);
    first += n;
    sum += squares[p];
  }
  const double* one = own.data();
  EXPECT_EQ(vectors.dots(*ranks, {&one, 1}, own).front(), sum);
  EXPECT_EQ(whole_vectors.squares(*alone, own_part(whole_vectors, 0, whole)), squares);
}

}  // namespace
}  // namespace gwrm::shared_vectors_test
