#include "output/journal_format.hpp"

#include <utility>

namespace gwrm::journal {

Bytes encode_start(const JournalHeader& header) {
  Encoder payload;
  payload.text(header.case_text);
  payload.text(header.version);
  payload.text(header.git_revision);
  payload.texts(header.axes);
  payload.texts(header.fields);
  payload.texts(header.bases);
  payload.integer(header.n_repeats);
  payload.numbers({header.tightening});
  Encoder file;
  file.mark(kFileMark);
  file.word(kFormat);
  file.block(kHeaderMark, payload.take());
  return file.take();
}

std::optional<JournalHeader> decode_header(std::span<const unsigned char> payload, std::uint64_t format) {
  Decoder in(payload);
  JournalHeader header;
  header.case_text = in.text();
  header.version = in.text();
  header.git_revision = in.text();
  header.axes = in.texts();
  header.fields = in.texts();
  header.bases = format > 1 ? in.texts() : std::vector<std::string>(header.axes.size(), kChebyshev);
  if (format > 2) {
    header.n_repeats = in.integer();
    header.tightening = in.number();
  }
  return in.complete() ? std::optional(std::move(header)) : std::nullopt;
}

Encoder encode_window(const JournalWindow& window, std::span<const ArrayView> fields, std::size_t number) {
  Encoder payload;
  payload.begin_block(kWindowMark, kWord * (64 + 8 * window.newton.size() + 8 * fields.size()));
  payload.word(number);
  payload.integer(window.parameter_point);
  payload.numbers({window.start, window.end, window.next_step});
  payload.integer(window.n_factorisations);
  payload.numbers({window.reciprocal_condition, window.wall_seconds});
  payload.word(window.subdomains.size());
  for (const AxisDescription& subdomains : window.subdomains) {
    payload.integer(subdomains.degree);
    payload.word(subdomains.edges.size());
    payload.numbers(subdomains.edges);
  }
  payload.word(fields.size());
  for (const ArrayView& field : fields) payload.array_in_place(field);
  payload.word(window.newton.size());
  for (const NewtonRecord& record : window.newton) {
    for (const int value : {record.window, record.parameter_point, record.iteration, record.linear_iterations})
      payload.integer(value);
    payload.numbers({record.residual, record.correction, record.damping});
  }
  payload.end_block();
  return payload;
}

std::optional<JournalWindow> decode_window(std::span<const unsigned char> payload, std::size_t number) {
  Decoder in(payload);
  if (in.word() != number) return std::nullopt;
  JournalWindow window;
  window.parameter_point = in.integer();
  window.start = in.number();
  window.end = in.number();
  window.next_step = in.number();
  window.n_factorisations = in.integer();
  window.reciprocal_condition = in.number();
  window.wall_seconds = in.number();
  window.subdomains.resize(in.count(2));
  for (AxisDescription& subdomains : window.subdomains) {
    subdomains.degree = in.integer();
    subdomains.edges = in.numbers(in.count(1));
  }
  window.fields.resize(in.count(1));
  for (Array& field : window.fields) field = in.array();
  window.newton.resize(in.count(7));
  for (NewtonRecord& record : window.newton) {
    record.window = in.integer();
    record.parameter_point = in.integer();
    record.iteration = in.integer();
    record.linear_iterations = in.integer();
    record.residual = in.number();
    record.correction = in.number();
    record.damping = in.number();
  }
  return in.complete() ? std::optional(std::move(window)) : std::nullopt;
}

}  // namespace gwrm::journal
