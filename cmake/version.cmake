# What the program says of itself (src/core/version.hpp): the revision is that of the tree at configure time.
find_package(Git QUIET)
set(GWRM_GIT_REVISION "unknown")
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE revision RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(status EQUAL 0 AND revision)
    set(GWRM_GIT_REVISION "${revision}")
  endif()
endif()
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/version.cpp PROPERTIES COMPILE_DEFINITIONS
  "GWRM_VERSION=\"${PROJECT_VERSION}\";GWRM_GIT_REVISION=\"${GWRM_GIT_REVISION}\";GWRM_BUILD=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}\"")
