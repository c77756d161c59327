// SPDX-License-Identifier: BSL-1.0
#include "least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace bench {
namespace {

constexpr double near = 0.15, floor_weight = 0.1, width = 0.1, common = 0.4, strength = 20;

/// x of L L^T x = given.
std::vector<double> solved(std::vector<double> const& l, std::vector<double> x) {
  std::size_t const n = x.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      x[i] -= l[i * n + k] * x[k];
    }
    x[i] /= l[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) {
      x[i] -= l[k * n + i] * x[k];
    }
    x[i] /= l[i * n + i];
  }
  return x;
}

}  // namespace

least_squares::least_squares(std::vector<observation> rows) : rows_(std::move(rows)) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (i == 0 || rows_[i].product != rows_[i - 1].product) {
      begins_.push_back(i);
    }
  }
  begins_.push_back(rows_.size());
  weigh();
}

std::size_t least_squares::add(double start, double spread) {
  parameters_.push_back({std::log(start), std::log(start), spread});
  return parameters_.size() - 1;
}

double least_squares::value(std::size_t rate, double otherwise) const {
  return rate == none ? otherwise : std::exp(parameters_[rate].at);
}

void least_squares::solve(int steps) {
  std::vector<double> error = errors();
  double cost = cost_of(error), damping = 1e-2;
  bool done = false;
  for (int i = 0; i < steps && !done; ++i) {
    linearise(error);
    if (!step(error, cost, damping, done)) {
      break;
    }
  }
  find_certainty(error);
}

/// A step that lowers the cost, if one is found. `done`: it is worth nothing.
bool least_squares::step(std::vector<double>& error, double& cost, double& damping, bool& done) {
  std::vector<parameter> const before = parameters_;
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::vector<double> const change = solution_of(damping);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      parameters_[i].at = before[i].at + std::clamp(change[i], -1.0, 1.0);
    }
    keep_within();
    std::vector<double> now = errors();
    double const now_cost = cost_of(now);
    if (now_cost < cost) {
      done = cost - now_cost < 5e-5 * cost;
      error = std::move(now);
      cost = now_cost;
      damping = std::max(damping / 5, 1e-6);
      return true;
    }
    damping *= 5;
    parameters_ = before;
  }
  return false;
}

double least_squares::error() const {
  double sum = 0, squares = 0, count = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].beyond < std::log(1.1)) {
      double const error = std::log(price(i) / rows_[i].seconds);
      sum += error;
      squares += error * error;
      ++count;
    }
  }
  return count > 0 ? std::sqrt(std::max(squares / count - sum * sum / count / count, 0.0)) : 0;
}

/// Plans near a product's fastest count more, and products alike.
void least_squares::weigh() {
  for (std::size_t q = 0; q + 1 < begins_.size(); ++q) {
    double sum = 0;
    for (std::size_t i = begins_[q]; i < begins_[q + 1]; ++i) {
      rows_[i].weight = floor_weight + std::exp(-rows_[i].beyond / near);
      sum += rows_[i].weight;
    }
    for (std::size_t i = begins_[q]; i < begins_[q + 1]; ++i) {
      rows_[i].weight /= sum;
    }
  }
}

std::vector<double> least_squares::errors() const {
  std::vector<double> result(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    result[i] = std::log(price(i) / rows_[i].seconds);
  }
  return result;
}

/// The error that all plans of a product have in common counts less: it changes no choice.
std::vector<double> least_squares::centred(std::vector<double> values) const {
  for (std::size_t q = 0; q + 1 < begins_.size(); ++q) {
    double mean = 0;
    for (std::size_t i = begins_[q]; i < begins_[q + 1]; ++i) {
      mean += rows_[i].weight * values[i];
    }
    for (std::size_t i = begins_[q]; i < begins_[q + 1]; ++i) {
      values[i] -= (1 - common) * mean;
    }
  }
  return values;
}

double least_squares::cost_of(std::vector<double> const& error) const {
  std::vector<double> const c = centred(error);
  double sum = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    sum += strength * rows_[i].weight * 2 * (std::sqrt(1 + c[i] * c[i] / (width * width)) - 1);
  }
  for (parameter const& p : parameters_) {
    double const off = (p.at - p.start) / p.spread;
    sum += off * off;
  }
  return sum;
}

/// Half of the cost's second and first derivatives.
void least_squares::linearise(std::vector<double> const& error) {
  constexpr double difference = 1e-4;
  std::size_t const n = parameters_.size();
  hessian_.assign(n * n, 0);
  gradient_.assign(n, 0);
  std::vector<double> const c = centred(error);
  std::vector<double> jacobian, mean(n);
  for (std::size_t q = 0; q + 1 < begins_.size(); ++q) {
    std::size_t const begin = begins_[q], count = begins_[q + 1] - begin;
    jacobian.assign(count * n, 0);
    mean.assign(n, 0);
    for (std::size_t i = 0; i < count; ++i) {
      observation const& r = rows_[begin + i];
      for (std::size_t const j : rates_of(begin + i)) {
        double const at = parameters_[j].at;
        parameters_[j].at += difference;
        jacobian[i * n + j] = (std::log(price(begin + i) / r.seconds) - error[begin + i]) / difference;
        parameters_[j].at = at;
        mean[j] += r.weight * jacobian[i * n + j];
      }
    }
    add_derivatives(q, jacobian, mean, c);
  }
  for (std::size_t j = 0; j < n; ++j) {
    parameter const& p = parameters_[j];
    hessian_[j * n + j] += 1 / (p.spread * p.spread);
    gradient_[j] += (p.at - p.start) / (p.spread * p.spread);
  }
}

/// Those of one product's observations.
void least_squares::add_derivatives(std::size_t product, std::vector<double>& jacobian, std::vector<double> const& mean,
                                    std::vector<double> const& centred_error) {
  std::size_t const n = parameters_.size(), begin = begins_[product];
  std::vector<std::size_t> used;
  for (std::size_t j = 0; j < n; ++j) {
    if (mean[j] != 0) {
      used.push_back(j);
    }
  }
  for (std::size_t i = 0; begin + i < begins_[product + 1]; ++i) {
    double* const of = &jacobian[i * n];
    double const e = centred_error[begin + i];
    double const robust = strength * rows_[begin + i].weight / std::sqrt(1 + e * e / (width * width)) / (width * width);
    for (std::size_t const j : used) {
      of[j] -= (1 - common) * mean[j];
    }
    for (std::size_t const j : used) {
      gradient_[j] += robust * e * of[j];
      for (std::size_t const l : used) {
        if (l > j) {
          break;
        }
        hessian_[j * n + l] += robust * of[j] * of[l];
      }
    }
  }
}

/// The lower triangle of Cholesky's factor of the second derivatives, whose diagonal is so much larger.
std::vector<double> least_squares::factor(double damping) const {
  std::size_t const n = parameters_.size();
  std::vector<double> l = hessian_;
  for (std::size_t j = 0; j < n; ++j) {
    l[j * n + j] *= 1 + damping;
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = l[i * n + j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= l[i * n + k] * l[j * n + k];
      }
      l[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / l[j * n + j];
    }
  }
  return l;
}

std::vector<double> least_squares::solution_of(double damping) const {
  std::vector<double> right = gradient_;
  for (double& x : right) {
    x = -x;
  }
  return solved(factor(damping), std::move(right));
}

/// What is left of each parameter's variance, by the second derivatives at the solution.
void least_squares::find_certainty(std::vector<double> const& error) {
  linearise(error);
  std::vector<double> const l = factor(0);
  std::size_t const n = parameters_.size();
  certainty_.assign(n, 1);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> unit(n);
    unit[j] = 1;
    certainty_[j] = solved(l, std::move(unit))[j] / (parameters_[j].spread * parameters_[j].spread);
  }
}

}  // namespace bench
