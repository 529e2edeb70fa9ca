# `cpack` in a build folder: Debian packages for the release that it runs on, `gwrm` with the program and `libgwrm-dev` with
# the library (docs/installing.md). What they depend on is what the program was linked to (dpkg-shlibdeps).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gwrm)
set(CPACK_PACKAGE_VENDOR "the gwrm authors")
set(CPACK_PACKAGE_CONTACT "the gwrm authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "differential equations written in YAML, solved and verified")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_COMPONENTS_GROUPING IGNORE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# 0.12.0-1+deb12: packages of two releases have two names.
cmake_host_system_information(RESULT distribution QUERY DISTRIB_INFO)
set(CPACK_DEBIAN_PACKAGE_RELEASE "1+${distribution_ID}${distribution_VERSION_ID}")
string(REPLACE "+debian" "+deb" CPACK_DEBIAN_PACKAGE_RELEASE "${CPACK_DEBIAN_PACKAGE_RELEASE}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME gwrm)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
# What `gwrm plot` and `gwrm serve` need; installed by apt unless it is told --no-install-recommends. ffmpeg: films as .mp4.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "python3-h5netcdf, python3-h5py, python3-matplotlib, python3-numpy, python3-xarray")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS ffmpeg)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
    ${PROJECT_SOURCE_DIR}/packaging/debian/prerm)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "Solves partial and ordinary differential equations that stand in a YAML file by\\nChebyshev series in time, space and parameters, and verifies the answer.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libgwrm-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "g++, libyaml-cpp-dev, libfmt-dev, libspdlog-dev, zlib1g-dev, libhdf5-dev, libopenblas-dev, liblapacke-dev")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The solver of gwrm as a C++ library: archive, header and CMake package.")
include(CPack)
