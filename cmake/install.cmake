# The library for other programs: all layers below the command line as one archive, with one public header; and
# `cmake --install`, after which find_package(gwrm) gives the target gwrm::gwrm (docs/library.md).
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY GWRM_LAYERS)
list(REMOVE_ITEM layers cli bench)
set(objects "")
foreach(layer ${layers})
  list(APPEND objects $<TARGET_OBJECTS:gwrm_${layer}>)
endforeach()
add_library(gwrm_library STATIC ${objects})
add_library(gwrm::gwrm ALIAS gwrm_library)
set_target_properties(gwrm_library PROPERTIES OUTPUT_NAME gwrm EXPORT_NAME gwrm LINKER_LANGUAGE CXX)
target_compile_features(gwrm_library INTERFACE cxx_std_20)
configure_file(${PROJECT_SOURCE_DIR}/src/api/gwrm.hpp ${GWRM_GENERATED}/public/gwrm/gwrm.hpp COPYONLY)
target_include_directories(gwrm_library INTERFACE $<BUILD_INTERFACE:${GWRM_GENERATED}/public>
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# To be linked to, not seen: no header of theirs is needed.
target_link_libraries(gwrm_library PRIVATE yaml-cpp spdlog::spdlog fmt::fmt ${HDF5_HL_LIBRARIES} ${HDF5_LIBRARIES}
                      ZLIB::ZLIB ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES} OpenMP::OpenMP_CXX ${GWRM_CUDA_LIBRARIES}
                      ${CMAKE_DL_LIBS})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/gwrm)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gwrm-config.cmake.in ${CMAKE_BINARY_DIR}/gwrm-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/gwrm-config-version.cmake COMPATIBILITY SameMinorVersion)

# What the program says of itself: a manual page, and what shells complete.
set(pages ${CMAKE_BINARY_DIR}/pages)
add_custom_command(TARGET gwrm POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E make_directory ${pages}
  COMMAND $<TARGET_FILE:gwrm> --manual-page > ${pages}/gwrm.1
  COMMAND $<TARGET_FILE:gwrm> --completions bash > ${pages}/gwrm
  COMMAND $<TARGET_FILE:gwrm> --completions zsh > ${pages}/_gwrm
  COMMAND $<TARGET_FILE:gwrm> --completions fish > ${pages}/gwrm.fish)

# Component `program`: what a user needs; `library`: what other programs are built with (cmake/packages.cmake).
install(TARGETS gwrm RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
if(GWRM_MPI)
  install(TARGETS gwrm_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT program)
endif()
install(FILES ${pages}/gwrm.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${pages}/gwrm DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${pages}/_gwrm DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
install(FILES ${pages}/gwrm.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(DIRECTORY inputs DESTINATION ${CMAKE_INSTALL_DATADIR}/gwrm COMPONENT program)
# The figures and `gwrm serve`, where src/cli/python_program.cpp looks for them.
install(DIRECTORY postprocess/gwrm_post DESTINATION ${CMAKE_INSTALL_DATADIR}/gwrm/postprocess COMPONENT program
        PATTERN __pycache__ EXCLUDE)
set_source_files_properties(src/cli/python_program.cpp PROPERTIES COMPILE_DEFINITIONS
  "GWRM_INSTALL_DATADIR=\"${CMAKE_INSTALL_DATADIR}\"")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gwrm RENAME copyright COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libgwrm-dev RENAME copyright COMPONENT library)
install(TARGETS gwrm_library EXPORT gwrm ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(FILES src/api/gwrm.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gwrm COMPONENT library)
install(EXPORT gwrm NAMESPACE gwrm:: FILE gwrm-targets.cmake DESTINATION ${package} COMPONENT library)
install(FILES ${CMAKE_BINARY_DIR}/gwrm-config.cmake ${CMAKE_BINARY_DIR}/gwrm-config-version.cmake DESTINATION ${package}
        COMPONENT library)
