// XDMF 2: a description of the pictures in XML; the numbers stay in the result file, of which HyperSlabs are taken.
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "output/array_file.hpp"
#include "output/export.hpp"
#include "output/export_grid.hpp"

namespace gwrm {
namespace {

template <class Numbers>
std::string joined(const Numbers& numbers) {
  std::string text;
  for (const auto& number : numbers) text += fmt::format("{}{}", text.empty() ? "" : " ", number);
  return text;
}

class Writer {
 public:
  // `points`: the file of the points and vectors of a sphere.
  Writer(const Pictures& pictures, const std::string& file, const std::string& points)
      : pictures_(pictures), file_(xml_text(file)), points_(xml_text(points)) {}

  std::string run() const {
    std::string text =
        "<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"2.2\">\n<Domain>\n";
    text += fmt::format(R"(<Grid Name="{}" GridType="Collection" CollectionType="Temporal">)"
                        "\n",
                        xml_text(pictures_.title.empty() ? pictures_.name : pictures_.title));
    for (std::size_t time = 0; time < pictures_.times.size(); ++time) text += grid(time);
    return text + "</Grid>\n</Domain>\n</Xdmf>\n";
  }

 private:
  std::string hdf(const std::string& dataset, const Shape& shape) const { return hdf(file_, dataset, shape); }
  static std::string hdf(const std::string& file, const std::string& dataset, const Shape& shape) {
    return fmt::format(R"(<DataItem Dimensions="{}" NumberType="Float" Precision="8" Format="HDF">{}:/{}</DataItem>)"
                       "\n",
                       joined(shape), file, xml_text(dataset));
  }

  // The part of a field's dataset that is its picture at a time: start, stride and count in every dimension.
  std::string slab(const PictureField& picture, std::size_t time) const {
    const SampledField& field = *picture.field;
    const Shape& shape = field.values.shape;
    Shape start, count, stride(shape.size(), 1);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const bool is_time = picture.time == static_cast<int>(d), is_parameter = picture.parameters[d] >= 0;
      start.push_back(is_time ? static_cast<Index>(time) : is_parameter ? picture.parameters[d] : 0);
      count.push_back(is_time || is_parameter ? 1 : shape[d]);
    }
    // ParaView's reader wants data of the rank of the mesh, whatever that of the dataset.
    const Shape picture_shape = pictures_.mapped ? Shape{pictures_.count(1), pictures_.count(0)}
                                                 : Shape{pictures_.count(2), pictures_.count(1), pictures_.count(0)};
    return fmt::format(R"(<DataItem ItemType="HyperSlab" Dimensions="{}" Type="HyperSlab">)"
                       "\n"
                       R"(<DataItem Dimensions="3 {}" Format="XML">{} {} {}</DataItem>)"
                       "\n{}</DataItem>\n",
                       joined(picture_shape), shape.size(), joined(start), joined(stride), joined(count),
                       hdf(field.name, shape));
  }

  std::string rectilinear() const {
    std::string text = fmt::format(R"(<Topology TopologyType="3DRectMesh" Dimensions="{} {} {}"/>)"
                                   "\n<Geometry GeometryType=\"VXVYVZ\">\n",
                                   pictures_.count(2), pictures_.count(1), pictures_.count(0));
    for (const int direction : {0, 1, 2}) {
      const int axis = pictures_.space[direction];
      text += axis < 0 ? "<DataItem Dimensions=\"1\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">0</DataItem>\n"
                       : hdf(pictures_.samples.axes[axis].name, {pictures_.count(direction)});
    }
    return text + "</Geometry>\n";
  }

  std::string mapped(std::size_t time) const {
    return fmt::format(R"(<Topology TopologyType="2DSMesh" Dimensions="{} {}"/>)"
                       "\n<Geometry GeometryType=\"X_Y\">\n{}{}</Geometry>\n",
                       pictures_.count(1), pictures_.count(0), slab(*pictures_.find("x"), time),
                       slab(*pictures_.find("y"), time));
  }

  Shape sphere_shape() const { return {pictures_.count(2), pictures_.count(1), pictures_.count(0)}; }

  std::string sphere() const {
    std::string text = fmt::format(R"(<Topology TopologyType="3DSMesh" Dimensions="{}"/>)"
                                   "\n<Geometry GeometryType=\"X_Y_Z\">\n",
                                   joined(sphere_shape()));
    for (const char* coordinate : {"x", "y", "z"}) text += hdf(points_, coordinate, sphere_shape());
    return text + "</Geometry>\n";
  }

  // [time][r][theta][phi][component] of the file of points.
  std::string vector(const PictureVector& vector, std::size_t time) const {
    Shape all = {static_cast<Index>(pictures_.times.size())}, one = {1};
    for (Index n : sphere_shape()) all.push_back(n), one.push_back(n);
    all.push_back(3), one.push_back(3);
    Shape picture = sphere_shape();
    picture.push_back(3);
    return fmt::format(R"(<Attribute Name="{}" AttributeType="Vector" Center="Node">)"
                       "\n"
                       R"(<DataItem ItemType="HyperSlab" Dimensions="{}" Type="HyperSlab">)"
                       "\n"
                       R"(<DataItem Dimensions="3 5" Format="XML">{} 0 0 0 0 1 1 1 1 1 {}</DataItem>)"
                       "\n{}</DataItem>\n</Attribute>\n",
                       xml_text(vector.name), joined(picture), time, joined(one), hdf(points_, vector.name, all));
  }

  std::string grid(std::size_t time) const {
    const double t = pictures_.times[time];
    std::string text = fmt::format("<Grid Name=\"{}\" GridType=\"Uniform\">\n<Time Value=\"{:.17g}\"/>\n", time, t);
    text += pictures_.spherical ? sphere() : pictures_.mapped ? mapped(time) : rectilinear();
    for (const PictureField& field : pictures_.fields)
      text += fmt::format("<Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Node\">\n{}</Attribute>\n",
                          xml_text(field.field->name), slab(field, time));
    for (const PictureVector& one : pictures_.vectors()) text += vector(one, time);
    return text + "</Grid>\n";
  }

  const Pictures& pictures_;
  std::string file_, points_;
};

// Points and vectors of a sphere in Cartesian components, which the result file does not have.
void write_sphere(const Pictures& pictures, const std::string& path, bool overwrite) {
  ArrayFile file{pictures.title, "points and vectors of " + pictures.name, {}, {}, {}};
  const std::vector<double> radii = pictures.coordinates(2), polar = pictures.coordinates(1),
                            azimuth = pictures.coordinates(0);
  file.scales = {{"t", pictures.times, pictures.times.size()},
                 {"r", radii, radii.size()},
                 {"theta", polar, polar.size()},
                 {"phi", azimuth, azimuth.size()},
                 {"component", {}, 3}};
  const std::array points = pictures.sphere_points();
  for (const std::size_t k : {0u, 1u, 2u})
    file.arrays.push_back(
        {std::string(1, static_cast<char>('x' + k)), "Cartesian coordinate", {"r", "theta", "phi"}, points[k]});
  for (const PictureVector& vector : pictures.vectors()) {
    WrittenArray array{vector.name, "Cartesian components", {"t", "r", "theta", "phi", "component"}, {}};
    for (std::size_t time = 0; time < pictures.times.size(); ++time) {
      const std::array components = pictures.cartesian(vector, time);
      for (std::size_t i = 0; i < components[0].size(); ++i)
        array.values.insert(array.values.end(), {components[0][i], components[1][i], components[2][i]});
    }
    file.arrays.push_back(std::move(array));
  }
  write_arrays(path, file, overwrite);
}

}  // namespace

ExportResult export_xdmf(const ExportRequest& request) {
  const Pictures pictures = read_pictures(request);
  const std::string path = request.stem + ".xdmf";
  // Readers look for the HDF5 file beside the XML.
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  const std::string file = std::filesystem::absolute(request.source).lexically_relative(folder).string();
  const std::string points = request.stem + "_points.h5";
  if (pictures.spherical) write_sphere(pictures, points, request.overwrite);
  const std::string points_name = std::filesystem::path(points).filename().string();
  write_text_file(path, Writer(pictures, file, points_name).run(), request.overwrite);
  if (pictures.spherical) return {{path, points}, pictures.notes};
  return {{path}, pictures.notes};
}

}  // namespace gwrm
