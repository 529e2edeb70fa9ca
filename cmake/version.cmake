# What the program says of itself (src/core/version.hpp): the revision is that of the tree at configure time,
# which comes again with every commit that is made or taken.
find_package(Git QUIET)
set(GWRM_GIT_REVISION "unknown")
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE revision RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(status EQUAL 0 AND revision)
    set(GWRM_GIT_REVISION "${revision}")
  endif()
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --git-path logs/HEAD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE history OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(history "${history}" ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  if(EXISTS "${history}" AND NOT IS_DIRECTORY "${history}")
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${history}")
  endif()
endif()
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/version.cpp PROPERTIES COMPILE_DEFINITIONS
  "GWRM_VERSION=\"${PROJECT_VERSION}\";GWRM_GIT_REVISION=\"${GWRM_GIT_REVISION}\";GWRM_BUILD=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}\"")
