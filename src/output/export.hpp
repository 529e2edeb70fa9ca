// A result file for other programs: CSV for every one, XDMF and VTK for ParaView and VisIt (docs/export.md).
//
// What is exported are the sampled fields. Pictures have time and up to three dimensions of space: a parameter is taken
// at one of its samples; a field that lacks a dimension of space stands in the CSV files only. On a mapped grid (fields
// x and y over dimensions of other names) the points are those of the map, in a sphere (dimensions r, theta, phi) those
// of the sphere, with the Cartesian components of vectors whose fields are called B_r, B_theta, B_phi.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gwrm {

struct ExportRequest {
  std::string source;                              // the result file
  std::string stem;                                // of the files written, with their folder: "out/burgers"
  std::vector<std::pair<std::string, double>> at;  // parameters: the nearest sample; default: the middle one
  bool overwrite = false;
};

struct ExportResult {
  std::vector<std::string> files;  // the first is the one to open
  std::vector<std::string> notes;  // what was chosen or left out
};

// OutputError for a file that cannot be read or written; CaseError for a parameter that the file does not have, and for
// pictures of a result without space.
ExportResult export_csv(const ExportRequest& request);  // stem.csv, and stem_<axes>.csv of fields on fewer axes
// Of the result of a sweep, which export_csv hands on: stem.csv with a line a run, stem_<axes>.csv of the fields.
ExportResult export_sweep_csv(const ExportRequest& request);
// stem.pvd and stem_vtk/<name>_<number>.vtr (mapped, sphere: .vts)
ExportResult export_vtk(const ExportRequest& request);
// stem.xdmf, which refers to the result file itself; of a sphere stem_points.h5, too: points and vectors
ExportResult export_xdmf(const ExportRequest& request);

}  // namespace gwrm
