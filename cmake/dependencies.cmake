# Everything gwrm links comes from the system's packages; nothing is downloaded.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(yaml-cpp 0.7 REQUIRED)  # Debian exports the target `yaml-cpp`, without a namespace
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
# For our own programs GCC's OpenMP library from its archive, if there is one: it is then set up after
# src/cli/process_settings.cpp, which it has to heed.
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.a OUTPUT_VARIABLE GWRM_LIBGOMP
                OUTPUT_STRIP_TRAILING_WHITESPACE)
add_library(gwrm_openmp INTERFACE)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND IS_ABSOLUTE "${GWRM_LIBGOMP}")
  target_compile_options(gwrm_openmp INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${OpenMP_CXX_FLAGS}>)
  target_link_libraries(gwrm_openmp INTERFACE ${GWRM_LIBGOMP} ${CMAKE_DL_LIBS} pthread)
else()
  target_link_libraries(gwrm_openmp INTERFACE OpenMP::OpenMP_CXX)
endif()
# The archive of HDF5, if there is one, and nothing that no symbol is taken from: Debian's shared library brings 25 others
# along (libcurl for files in clouds), whose loading took a third of a short run.
set(HDF5_USE_STATIC_LIBRARIES ON)
find_package(HDF5 REQUIRED COMPONENTS C HL)
add_library(gwrm_hdf5 INTERFACE)
target_include_directories(gwrm_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
target_link_libraries(gwrm_hdf5 INTERFACE ${HDF5_HL_LIBRARIES} ${HDF5_LIBRARIES})
# One interface from 1.10 (Debian 12, Ubuntu 24.04) to 1.14 (Debian 13), whose own gives other functions the same names.
target_compile_definitions(gwrm_hdf5 INTERFACE H5_USE_110_API)
add_link_options(LINKER:--as-needed)
find_package(ZLIB REQUIRED)
set(BLA_VENDOR OpenBLAS)
find_package(BLAS REQUIRED)
find_package(LAPACK REQUIRED)
find_library(LAPACKE_LIBRARY NAMES liblapacke.a lapacke REQUIRED)
set(LAPACK_LIBRARIES ${LAPACKE_LIBRARY} ${LAPACK_LIBRARIES})

set(GWRM_CUDA_LIBRARIES "")
if(GWRM_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80 90)
  endif()
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know nvcc's own C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  find_package(CUDAToolkit REQUIRED)
  set(GWRM_CUDA_LIBRARIES CUDA::cudart_static CUDA::cublas CUDA::cusolver CUDA::cufft)
endif()
