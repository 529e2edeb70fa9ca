// A result file seen as pictures over time: what XDMF and VTK have in common.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "output/export.hpp"
#include "output/stored_samples.hpp"

namespace gwrm {

struct PictureField {
  const SampledField* field = nullptr;
  int time = -1;                  // which of its dimensions is time; -1: the same at all times
  std::vector<Index> parameters;  // per dimension of the field: the sample taken, or -1 for time and space
};

// A vector field whose components along r, theta, phi are fields called NAME_r, NAME_theta, NAME_phi.
struct PictureVector {
  std::string name;
  std::array<const PictureField*, 3> components;
};

struct Pictures {
  StoredSamples samples;
  std::string title, name;    // name: of the result file, without folder and extension
  std::vector<double> times;  // {0} of a steady result
  bool has_time = false;
  std::array<int, 3> space = {-1, -1,
                              -1};   // axes in `samples` that run along the picture's x, y, z; -1: a single plane
  bool mapped = false;               // the points are those of the fields x and y
  bool spherical = false;            // r, theta, phi run along z, y, x; the points are those of a sphere
  std::vector<PictureField> fields;  // those over all dimensions of space
  std::vector<PictureVector> vectors() const;  // of a sphere
  std::vector<std::string> notes;

  Index count(int direction) const;  // points along x, y, z; 1 for a single plane
  Index n_points() const { return count(0) * count(1) * count(2); }
  std::vector<double> coordinates(int direction) const;  // {0} for a single plane
  // Of a field at a time: x runs fastest, then y, then z.
  std::vector<double> values(const PictureField& field, std::size_t time) const;
  const PictureField* find(const std::string& field) const;
  // Of a sphere, in the order of values(): x, y and z of the points; the Cartesian components of a vector.
  std::array<std::vector<double>, 3> sphere_points() const;
  std::array<std::vector<double>, 3> cartesian(const PictureVector& vector, std::size_t time) const;
};

Pictures read_pictures(const ExportRequest& request);

std::string xml_text(const std::string& text);  // & < > " replaced

// Atomic, as all files of this layer.
void write_text_file(const std::string& path, const std::string& text, bool overwrite);

}  // namespace gwrm
