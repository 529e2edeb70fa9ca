# Unity builds (GWRM_UNITY_BUILD; on in the presets release and cuda): the compiler reads neighbouring files as one, and
# the headers that they share once. CMake's own batches would cross folders and move with every new file; here a unit
# holds at most GWRM_UNITY_SIZE files of one folder, so that names need to be unique within a folder only
# (tests/layers_test.py). Files with compile options of their own are compiled alone, as are programs and all files of
# the presets debug and asan.
option(GWRM_UNITY_BUILD "Compile the files of a folder together: half the time for a whole build" OFF)
set(GWRM_UNITY_SIZE 20 CACHE STRING "Unity builds: the largest number of files of a unit")

# gwrm_group_sources(TARGET): assigns the C++ files of a target to units.
function(gwrm_group_sources TARGET)
  if(NOT GWRM_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${TARGET} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    list(APPEND folders ${folder})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    set(files ${sources})
    list(FILTER files INCLUDE REGEX "^${folder}/[^/]+$")
    list(LENGTH files n_files)
    math(EXPR n_units "(${n_files} + ${GWRM_UNITY_SIZE} - 1) / ${GWRM_UNITY_SIZE}")
    file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER ${room} room)
    set(i 0)
    foreach(file ${files})
      math(EXPR unit "${i} * ${n_units} / ${n_files}")  # units of equal size
      # Alone: what differs with and without CUDA, so that a compiler cache has the units for both.
      file(STRINGS ${file} asks_for_cuda REGEX "^#include \"core/have_cuda.hpp\"")
      if(NOT asks_for_cuda)
        set_source_files_properties(${file} TARGET_DIRECTORY ${TARGET} PROPERTIES UNITY_GROUP ${room}_${unit})
      endif()
      math(EXPR i "${i} + 1")
    endforeach()
  endforeach()
endfunction()
