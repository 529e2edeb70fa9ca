// XDMF 2: a description of the pictures in XML; the numbers stay in the result file, of which HyperSlabs are taken.
#include <fmt/format.h>

#include <filesystem>

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
  Writer(const Pictures& pictures, const std::string& file) : pictures_(pictures), file_(xml_text(file)) {}

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
  std::string hdf(const std::string& dataset, const Shape& shape) const {
    return fmt::format(R"(<DataItem Dimensions="{}" NumberType="Float" Precision="8" Format="HDF">{}:/{}</DataItem>)"
                       "\n",
                       joined(shape), file_, xml_text(dataset));
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

  std::string grid(std::size_t time) const {
    const double t = pictures_.times[time];
    std::string text = fmt::format("<Grid Name=\"{}\" GridType=\"Uniform\">\n<Time Value=\"{:.17g}\"/>\n", time, t);
    text += pictures_.mapped ? mapped(time) : rectilinear();
    for (const PictureField& field : pictures_.fields)
      text += fmt::format("<Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Node\">\n{}</Attribute>\n",
                          xml_text(field.field->name), slab(field, time));
    return text + "</Grid>\n";
  }

  const Pictures& pictures_;
  std::string file_;
};

}  // namespace

ExportResult export_xdmf(const ExportRequest& request) {
  const Pictures pictures = read_pictures(request);
  const std::string path = request.stem + ".xdmf";
  // Readers look for the HDF5 file beside the XML.
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  const std::string file = std::filesystem::absolute(request.source).lexically_relative(folder).string();
  write_text_file(path, Writer(pictures, file).run(), request.overwrite);
  return {{path}, pictures.notes};
}

}  // namespace gwrm
