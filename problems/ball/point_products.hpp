// The products of fields at one point, on both sides: the CPU's loops (vector_fields.hpp) and the device's kernel.
//
// Included by device code as well, which says what marks a function of both sides (GWRM_BOTH_SIDES).
#pragma once

#ifndef GWRM_BOTH_SIDES
#define GWRM_BOTH_SIDES
#endif

namespace gwrm::ball {

// Components r, theta, phi.
struct PointVector {
  double r = 0.0, theta = 0.0, phi = 0.0;
};

GWRM_BOTH_SIDES inline PointVector cross(const PointVector& a, const PointVector& b) {
  return {a.theta * b.phi - a.phi * b.theta, a.phi * b.r - a.r * b.phi, a.r * b.theta - a.theta * b.r};
}
GWRM_BOTH_SIDES inline PointVector operator*(double factor, const PointVector& a) {
  return {factor * a.r, factor * a.theta, factor * a.phi};
}
GWRM_BOTH_SIDES inline PointVector operator+(const PointVector& a, const PointVector& b) {
  return {a.r + b.r, a.theta + b.theta, a.phi + b.phi};
}
// -rotation e_z at the polar angle theta: the Coriolis force on u is the cross product of this with u.
GWRM_BOTH_SIDES inline PointVector coriolis_axis(double rotation, double cosine, double sine) {
  return {-rotation * cosine, rotation * sine, 0.0};
}

}  // namespace gwrm::ball
