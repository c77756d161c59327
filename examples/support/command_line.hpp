// SPDX-License-Identifier: BSL-1.0
//! @file
//! The dialect of all tools, on CLI11: --name VALUE or --name=VALUE, the last one of several counts; --help exits with
//! 0; what is wrong is `refused` in one sentence, with the nearest name.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.hpp"

namespace tools {

/// An option whose text action(text) takes, or refuses.
template <class Action>
CLI::Option* add_text(CLI::App& app, std::string const& name, char const* kind, std::string const& help,
                      Action action) {
  CLI::callback_t const take = [action](CLI::results_t const& values) {
    action(values.back());
    return true;
  };
  return app.add_option(name, take, help)->type_name(kind)->take_last();
}

/// An option that may be repeated: all of its texts, in their order.
inline CLI::Option* add_list(CLI::App& app, std::string const& name, char const* kind, std::string const& help,
                             std::vector<std::string>& to) {
  CLI::callback_t const take = [&to](CLI::results_t const& values) {
    to = values;
    return true;
  };
  return app.add_option(name, take, help)->type_name(kind)->take_all();
}

template <class Number>
CLI::Option* add_number(CLI::App& app, std::string const& name, Number& to, Number least, Number most,
                        std::string const& help) {
  return add_text(app, name, "NUMBER", help,
                  [=, &to](std::string const& text) { to = parse_number<Number>(name, text, least, most); });
}

/// One of the names `allowed`. Where these are many, `listing` is the option that prints them: a refusal then names the
/// near ones alone.
inline CLI::Option* add_choice(CLI::App& app, std::string const& name, std::string& to,
                               std::vector<std::string> const& allowed, std::string const& help,
                               std::string const& listing = "") {
  return add_text(app, name, "NAME", help, [=, &to](std::string const& text) {
    if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
      std::string all;
      for (std::string const& one : allowed) {
        all += (all.empty() ? "" : ", ") + one;
      }
      std::string const near = listing.empty() ? suggestion(text, allowed) : suggestion(text, allowed, 3);
      throw refused(name + " is \"" + text + "\", needs one of " +
                    (listing.empty() ? all : "the names that " + listing + " prints") + near);
    }
    to = text;
  });
}

/// The storage of A and B; `help` is what the tool adds to it.
inline CLI::Option* add_storage(CLI::App& app, std::string& to, std::string const& help = "") {
  return add_choice(app, "--storage", to, {"nn", "nt", "tn", "tt"},
                    "of A and B: n row-major, t transposed: nn, nt, tn or tt (nn)" + help);
}

/// Whether the argument is to be passed on, as Google Benchmark's are.
inline bool passed_on(std::string_view argument) {
  return argument.starts_with("--benchmark_") || argument.starts_with("--v=");
}

/// Parses the arguments behind the program's name. False where --help was among them: it has been printed, and there is
/// nothing to do. `others`, where there is one, gets what is passed on, in its order, as --name=VALUE.
inline bool parse(CLI::App& app, std::vector<std::string> const& arguments,
                  std::vector<std::string>* others = nullptr) {
  auto const is_option = [](std::string const& argument) { return argument.size() > 2 && argument.starts_with("--"); };
  std::vector<std::string> own;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string argument = arguments[i];
    if (others == nullptr || !passed_on(argument)) {
      own.push_back(std::move(argument));
      continue;
    }
    if (argument.find('=') == argument.npos && i + 1 < arguments.size() && !is_option(arguments[i + 1])) {
      argument += "=" + arguments[++i];  // Google Benchmark knows no other form
    }
    others->push_back(std::move(argument));
  }
  // CLI11 takes what comes next for a missing value, options as well.
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::size_t const equals = std::min(own[i].find('='), own[i].size());
    CLI::Option const* const option = is_option(own[i]) ? app.get_option_no_throw(own[i].substr(0, equals)) : nullptr;
    if (option == nullptr) {
      continue;
    }
    bool const has_value = equals < own[i].size();
    if (option->get_items_expected_min() == 0) {
      if (has_value) {
        throw refused(own[i].substr(0, equals) + " takes no value");
      }
    } else if (has_value ? equals + 1 == own[i].size() : i + 1 == own.size() || is_option(own[i + 1])) {
      throw refused(own[i].substr(0, equals) + " needs a value");
    }
  }
  app.set_help_flag("-h,--help", "prints this");
  try {
    std::reverse(own.begin(), own.end());  // as CLI11 wants them
    app.parse(std::move(own));
  } catch (CLI::CallForHelp const&) {
    std::fputs(wrapped(app.help()).c_str(), stdout);
    return false;
  } catch (CLI::ExtrasError const&) {
    std::vector<std::string> const extras = app.remaining(), names = [&] {
      std::vector<std::string> result;
      for (CLI::Option const* const option : app.get_options()) {
        for (std::string const& name : option->get_lnames()) {
          result.push_back("--" + name);
        }
      }
      return result;
    }();
    auto const unknown = std::find_if(extras.begin(), extras.end(), is_option);
    std::string const& first = unknown != extras.end() ? *unknown : extras.front();
    std::string const name = first.substr(0, first.find('='));
    throw refused("\"" + first + "\" is not an option" + suggestion(name, names));
  } catch (CLI::ParseError const& error) {
    throw refused(error.what());
  }
  return true;
}

inline bool parse(CLI::App& app, int count, char** arguments, std::vector<std::string>* others = nullptr) {
  return parse(app, std::vector<std::string>(arguments + 1, arguments + count), others);
}

}  // namespace tools
