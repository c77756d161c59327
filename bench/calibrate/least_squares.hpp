// SPDX-License-Identifier: BSL-1.0
//! @file
//! Robust least squares of log(price / measured), by Levenberg and Marquardt, every rate held near where it begins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace bench {

/// A time to be explained.
struct observation {
  std::size_t product = 0;
  double seconds = 0;
  double beyond = 0;  ///< its logarithm over the product's fastest
  double weight = 1;  ///< set by least_squares
};

/// Sorts rows, each with an observation `seen`, by product, and fills in how far each is beyond its product's fastest.
template <class Row>
void compare_within_products(std::vector<Row>& rows, std::size_t products) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](Row const& x, Row const& y) { return x.seen.product < y.seen.product; });
  std::vector<double> fastest(products, std::numeric_limits<double>::infinity());
  for (Row const& r : rows) {
    fastest[r.seen.product] = std::min(fastest[r.seen.product], r.seen.seconds);
  }
  for (Row& r : rows) {
    r.seen.beyond = std::log(r.seen.seconds / fastest[r.seen.product]);
  }
}

template <class Row>
std::vector<observation> observations_of(std::vector<Row> const& rows) {
  std::vector<observation> result;
  for (Row const& r : rows) {
    result.push_back(r.seen);
  }
  return result;
}

struct regret {
  double mean = 1, worst = 1;
};

/// The time of what is cheapest by a price over that of the fastest, of rows in the order of their products.
template <class Row, class Price>
regret regret_of(std::vector<Row> const& rows, Price price) {
  double sum = 0, worst = 0;
  std::size_t products = 0;
  for (std::size_t i = 0; i < rows.size(); ++products) {
    double least = std::numeric_limits<double>::infinity(), beyond = 0;
    for (std::size_t const product = rows[i].seen.product; i < rows.size() && rows[i].seen.product == product; ++i) {
      double const predicted = price(rows[i]);
      if (predicted < least) {
        least = predicted;
        beyond = rows[i].seen.beyond;
      }
    }
    sum += beyond;
    worst = std::max(worst, beyond);
  }
  return products > 0 ? regret{std::exp(sum / static_cast<double>(products)), std::exp(worst)} : regret{};
}

/// A model's rates: logarithms that are solved for.
class least_squares {
 public:
  /// Of no rate: what nothing measured has.
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  virtual ~least_squares() = default;
  least_squares(least_squares const&) = delete;
  least_squares& operator=(least_squares const&) = delete;

  /// Until a step is worth nothing, or as many steps.
  void solve(int steps);

  /// Whether the measurements have made a rate at least 1.4 times as certain as it began.
  bool told(std::size_t rate) const { return certainty_[rate] < 0.5; }

  /// The standard deviation of log(price / measured), of observations within 10 % of their products' fastest.
  double error() const;

 protected:
  /// Observations in the order of their products.
  explicit least_squares(std::vector<observation> rows);

  /// A rate that begins so, and how far from there its logarithm is unlikely; returns its number.
  std::size_t add(double start, double spread);
  double value(std::size_t rate, double otherwise) const;
  /// The logarithm, for keep_within().
  double& logarithm(std::size_t rate) { return parameters_[rate].at; }

 private:
  /// The price of an observation by the rates as they are.
  virtual double price(std::size_t row) const = 0;
  /// The rates that it depends on, in ascending order or not.
  virtual std::vector<std::size_t> rates_of(std::size_t row) const = 0;
  /// Mends rates that are beyond what can be.
  virtual void keep_within() {}

  struct parameter {
    double at = 0, start = 0, spread = 1;
  };

  void weigh();
  std::vector<double> errors() const;
  std::vector<double> centred(std::vector<double> values) const;
  double cost_of(std::vector<double> const& error) const;
  void linearise(std::vector<double> const& error);
  void add_derivatives(std::size_t product, std::vector<double>& jacobian, std::vector<double> const& mean,
                       std::vector<double> const& centred_error);
  bool step(std::vector<double>& error, double& cost, double& damping, bool& done);
  std::vector<double> factor(double damping) const;
  std::vector<double> solution_of(double damping) const;
  void find_certainty(std::vector<double> const& error);

  std::vector<observation> rows_;
  std::vector<std::size_t> begins_;  // of a product's rows
  std::vector<parameter> parameters_;
  std::vector<double> hessian_, gradient_, certainty_;
};

}  // namespace bench
