#include "problems/ball/device/device_terms.cuh"

#include <algorithm>

namespace gwrm::cuda {
namespace {

constexpr int kThreads = 128;

// Block y of the links, which have targets of their own, node z.
__global__ void __launch_bounds__(kThreads)
    links_kernel(const DeviceSphere::Link* __restrict__ links, const double* __restrict__ bands, long long n_unknowns,
                 const double* __restrict__ v, double* __restrict__ rates) {
  const DeviceSphere::Link link = links[blockIdx.y];
  const int e = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (e >= link.n_to * link.n_orders) return;
  const int order = e / link.n_to, i = e % link.n_to;
  const double* const row = bands + link.bands + 5 * i;
  const double* const x = v + blockIdx.z * n_unknowns + link.from + static_cast<long long>(order) * link.n_from;
  double sum = 0.0;
  for (int d = 0; d < 5; ++d) {
    const int j = i + d - 2;
    if (j >= 0 && j < link.n_from) sum += row[d] * x[j];
  }
  rates[blockIdx.z * n_unknowns + link.to + e] += sum;
}

}  // namespace

DeviceSphere::DeviceSphere(DeviceTools& tools, const ball::BallModel& model, const ball::BallSpace& space,
                           const ball::BallTerms& terms, const ball::EvolvingTerms& evolving, Index n_together)
    : tools_(tools),
      matrices_(tools.profile, tools.pool),
      space_(space),
      n_nodes_(space.degrees().t),
      n_unknowns_(space.unknowns().size()),
      diffusion_(tools, matrices_, space) {
  const double radius = model.section().radius;
  GridRoomSizes sizes;
  const auto add = [&](const ball::GridProducts& products, std::vector<std::unique_ptr<DeviceGrid>>& grids) {
    if (!products.any()) return;
    grids.push_back(std::make_unique<DeviceGrid>(tools, matrices_, space, radius, products, n_together));
    grids.back()->enlarge(sizes);
  };
  add(terms.products(), linear_);
  add(evolving.products(), evolving_);
  add_links(terms, matrices_);
  matrices_.send();
  if (sizes.all() > 0)
    room_ = {tools.pool.take(sizes.stage), tools.pool.take(sizes.rows), tools.pool.take(sizes.values)};
  rates_ = tools.pool.take(size());
}

void DeviceSphere::set_length(double window_length) {
  if (diffusion_.window_length() == window_length) return;
  const HostClock clock;
  diffusion_.set_length(window_length);
  tools_.profile.add_host(DevicePart::factorisation, clock.seconds());
}

// <phi_i, psi_j> of the functions of the two parts, times the factor.
void DeviceSphere::add_links(const ball::BallTerms& terms, DeviceMatrices& matrices) {
  std::vector<Link> links;
  std::vector<double> bands;
  const ball::Layout& layout = space_.unknowns();
  const auto energies = [&](std::size_t part, Index l) {  // functions x E_n
    const ball::RadialBasis& basis = space_.basis(part, l);
    Matrix all = Matrix::Zero(basis.n_functions(), space_.degrees().r + 1);
    std::vector<double> unit(static_cast<std::size_t>(basis.n_functions()), 0.0);
    for (Index k = 0; k < all.rows(); ++k) {
      unit[static_cast<std::size_t>(k)] = 1.0;
      basis.to_series(unit.data(), all.row(k).data());
      unit[static_cast<std::size_t>(k)] = 0.0;
    }
    return all;
  };
  for (const ball::BallTerms::Link& link : terms.links()) {
    LinkGroup group{static_cast<unsigned>(links.size()), 0, 0};
    for (Index l = std::max(space_.parts()[link.from].first_l(), space_.parts()[link.to].first_l());
         l <= space_.degrees().l; ++l) {
      const double factor = link.factor * (link.weighted ? static_cast<double>(l * (l + 1)) : 1.0);
      const Matrix products = factor * (energies(link.to, l) * energies(link.from, l).transpose());
      links.push_back({static_cast<std::int64_t>(bands.size()), layout.place(link.from, l), layout.place(link.to, l),
                       static_cast<std::int32_t>(products.cols()), static_cast<std::int32_t>(products.rows()),
                       static_cast<std::int32_t>(layout.n_orders(l))});
      group.largest = std::max(group.largest, links.back().n_to * links.back().n_orders);
      for (Index i = 0; i < products.rows(); ++i)
        for (Index j = i - 2; j <= i + 2; ++j) bands.push_back(j >= 0 && j < products.cols() ? products(i, j) : 0.0);
    }
    group.count = static_cast<unsigned>(links.size()) - group.first;
    if (group.count > 0) link_groups_.push_back(group);
  }
  if (links.empty()) return;
  links_ = matrices.add(links.data(), links.size());
  link_bands_ = matrices.add(bands.data(), bands.size());
}

DeviceArray& DeviceSphere::zero_rates() {
  GWRM_DEVICE(cudaMemsetAsync(rates_.data(), 0, size() * sizeof(double), tools_.handles.stream));
  return rates_;
}

void DeviceSphere::add_linear(const double* v, double* rates) {
  for (const auto& grid : linear_) grid->add_products(room_, v, rates);
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::pointwise);
  for (const LinkGroup& group : link_groups_) {
    const dim3 grid(static_cast<unsigned>((group.largest + kThreads - 1) / kThreads), group.count,
                    static_cast<unsigned>(n_nodes_));
    links_kernel<<<grid, kThreads, 0, tools_.handles.stream>>>(links_ + group.first, link_bands_, n_unknowns_, v,
                                                               rates);
    GWRM_LAUNCHED(links_kernel);
  }
}

void DeviceSphere::residual(const double* x, const double* state, const double* sources, double* f) {
  double* const rates = rates_.data();
  if (sources != nullptr)
    GWRM_DEVICE(
        cudaMemcpyAsync(rates, sources, size() * sizeof(double), cudaMemcpyDeviceToDevice, tools_.handles.stream));
  else
    zero_rates();
  add_linear(x, rates);
  for (const auto& grid : evolving_) grid->add_products(room_, x, rates);
  diffusion_.assemble(x, state, rates, f);
}

void DeviceSphere::linearise(const double* x) {
  for (const auto& grid : evolving_) grid->linearise(room_, x);
}

void DeviceSphere::apply(const double* v, double* y) {
  double* const rates = zero_rates().data();
  add_linear(v, rates);
  for (const auto& grid : evolving_) grid->add_derivative(room_, v, rates);
  diffusion_.assemble(v, nullptr, rates, y);
}

}  // namespace gwrm::cuda
