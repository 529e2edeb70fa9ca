// VTK's XML files: one rectilinear (.vtr) or, on mapped grids and in spheres, structured (.vts) picture for each time,
// and the collection (.pvd) that lists them. Numbers are stored as VTK's inline binary: base64 of their length in bytes
// (64 bits) and the numbers themselves, little-endian.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "core/errors.hpp"
#include "output/export.hpp"
#include "output/export_grid.hpp"

namespace gwrm {
namespace {

static_assert(std::endian::native == std::endian::little, "the files say byte_order=LittleEndian");

std::string base64(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= n ? digits[group >> (18 - 6 * k) & 63u] : '=';
  }
  return text;
}

std::string data_array(const std::string& name, const std::vector<double>& values, int components = 1) {
  const std::uint64_t n_bytes = values.size() * sizeof(double);
  std::string bytes(sizeof n_bytes + n_bytes, '\0');
  std::memcpy(bytes.data(), &n_bytes, sizeof n_bytes);
  std::memcpy(bytes.data() + sizeof n_bytes, values.data(), n_bytes);
  return fmt::format(R"(<DataArray type="Float64" Name="{}" NumberOfComponents="{}" format="binary">{}</DataArray>)"
                     "\n",
                     xml_text(name), components, base64(bytes));
}

std::string mapped_points(const Pictures& pictures, std::size_t time) {
  const std::vector<double> x = pictures.values(*pictures.find("x"), time),
                            y = pictures.values(*pictures.find("y"), time);
  std::vector<double> points;
  for (std::size_t i = 0; i < x.size(); ++i) points.insert(points.end(), {x[i], y[i], 0.0});
  return "<Points>\n" + data_array("points", points, 3) + "</Points>\n";
}

// The index along r runs fastest in a sphere, then theta, then phi: a right-handed system.
std::vector<double> right_handed(const Pictures& pictures, const std::vector<double>& values) {
  const Index n_phi = pictures.count(0), n_theta = pictures.count(1), n_r = pictures.count(2);
  std::vector<double> result;
  result.reserve(values.size());
  for (Index k = 0; k < n_phi; ++k)
    for (Index j = 0; j < n_theta; ++j)
      for (Index i = 0; i < n_r; ++i) result.push_back(values[static_cast<std::size_t>((i * n_theta + j) * n_phi + k)]);
  return result;
}

std::vector<double> triples(const Pictures& pictures, const std::array<std::vector<double>, 3>& components) {
  std::vector<double> result;
  const std::array ordered = {right_handed(pictures, components[0]), right_handed(pictures, components[1]),
                              right_handed(pictures, components[2])};
  for (std::size_t i = 0; i < ordered[0].size(); ++i)
    result.insert(result.end(), {ordered[0][i], ordered[1][i], ordered[2][i]});
  return result;
}

std::string coordinates(const Pictures& pictures) {
  std::string text = "<Coordinates>\n";
  for (const int direction : {0, 1, 2})
    text += data_array(std::string(1, static_cast<char>('x' + direction)), pictures.coordinates(direction));
  return text + "</Coordinates>\n";
}

std::string picture(const Pictures& pictures, std::size_t time) {
  const bool sphere = pictures.spherical;
  const std::string kind = pictures.mapped || sphere ? "StructuredGrid" : "RectilinearGrid";
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", pictures.count(sphere ? 2 : 0) - 1, pictures.count(1) - 1,
                                         pictures.count(sphere ? 0 : 2) - 1);
  std::string text = "<?xml version=\"1.0\"?>\n";
  text += fmt::format(R"(<VTKFile type="{}" version="1.0" byte_order="LittleEndian" header_type="UInt64">)"
                      "\n"
                      R"(<{} WholeExtent="{}">)"
                      "\n",
                      kind, kind, extent);
  text +=
      fmt::format(R"(<FieldData><DataArray type="Float64" Name="TimeValue" NumberOfTuples="1" format="ascii">{:.17g})"
                  "</DataArray></FieldData>\n",
                  pictures.times[time]);
  text += fmt::format(R"(<Piece Extent="{}">)"
                      "\n",
                      extent);
  text += "<PointData>\n";
  for (const PictureField& field : pictures.fields) {
    const std::vector<double> values = pictures.values(field, time);
    text += data_array(field.field->name, sphere ? right_handed(pictures, values) : values);
  }
  for (const PictureVector& vector : pictures.vectors())
    text += data_array(vector.name, triples(pictures, pictures.cartesian(vector, time)), 3);
  text += "</PointData>\n";
  if (sphere)
    text += "<Points>\n" + data_array("points", triples(pictures, pictures.sphere_points()), 3) + "</Points>\n";
  else
    text += pictures.mapped ? mapped_points(pictures, time) : coordinates(pictures);
  return text + fmt::format("</Piece>\n</{}>\n</VTKFile>\n", kind);
}

}  // namespace

ExportResult export_vtk(const ExportRequest& request) {
  const Pictures pictures = read_pictures(request);
  ExportResult result;
  result.notes = pictures.notes;
  const std::filesystem::path stem(request.stem);
  const std::string folder = stem.filename().string() + "_vtk", collection = request.stem + ".pvd";
  check_output_path(collection, request.overwrite);
  std::error_code error;
  std::filesystem::create_directories(stem.parent_path() / folder, error);
  if (error) throw OutputError((stem.parent_path() / folder).string() + ": cannot be made: " + error.message());
  std::string list;
  result.files.push_back(collection);
  for (std::size_t time = 0; time < pictures.times.size(); ++time) {
    const std::string name = fmt::format("{}/{}_{:04d}.{}", folder, stem.filename().string(), time,
                                         pictures.mapped || pictures.spherical ? "vts" : "vtr");
    result.files.push_back((stem.parent_path() / name).string());
    write_text_file(result.files.back(), picture(pictures, time), request.overwrite);
    list += fmt::format(R"(<DataSet timestep="{:.17g}" part="0" file="{}"/>)"
                        "\n",
                        pictures.times[time], xml_text(name));
  }
  write_text_file(collection,
                  "<?xml version=\"1.0\"?>\n"
                  R"(<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">)"
                  "\n<Collection>\n" +
                      list + "</Collection>\n</VTKFile>\n",
                  request.overwrite);
  return result;
}

}  // namespace gwrm
