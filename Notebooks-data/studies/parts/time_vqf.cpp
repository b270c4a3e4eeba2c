// Times VQF's C++ over one recording, once per input line; the counterpart of the program TimeFilters.
// usage: time_vqf COLUMNS RATE      COLUMNS: doubles in rows of rate x, y, z (rad/s), force (m/s^2), field
// Compiled by the study flagship against the sources in the package `vqf`. Answers each line of standard input, `online`
// or `offline`, with the nanoseconds per row of one run: nine axes in, an attitude out for each row.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "offline_vqf.hpp"
#include "vqf.hpp"

int main(int count, char **arguments) {
  if (count != 3) return 2;
  std::ifstream file(arguments[1], std::ios::binary | std::ios::ate);
  std::vector<double> rows(static_cast<size_t>(file.tellg()) / sizeof(double));
  file.seekg(0);
  file.read(reinterpret_cast<char *>(rows.data()), static_cast<std::streamsize>(rows.size() * sizeof(double)));
  const double period = 1 / std::atof(arguments[2]);
  const size_t n = rows.size() / 9;
  std::vector<double> rates, forces, fields, attitudes(4 * n);
  for (size_t i = 0; i < n; ++i) {
    const double *row = &rows[9 * i];
    rates.insert(rates.end(), row, row + 3);
    forces.insert(forces.end(), row + 3, row + 6);
    fields.insert(fields.end(), row + 6, row + 9);
  }
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto start = std::chrono::steady_clock::now();
    if (line == "offline") {
      offlineVQF(
          rates.data(), forces.data(), fields.data(), n, period, VQFParams(), nullptr, attitudes.data(), nullptr,
          nullptr, nullptr, nullptr, nullptr);
    } else {
      VQF filter(period);
      for (size_t i = 0; i < n; ++i) {
        filter.update(&rates[3 * i], &forces[3 * i], &fields[3 * i]);
        filter.getQuat9D(&attitudes[4 * i]);
      }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%.3f\n", seconds.count() / static_cast<double>(n) * 1e9);
    std::fflush(stdout);
  }
  return attitudes.back() == 2 ? 1 : 0;
}
