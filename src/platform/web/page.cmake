# The page: the program as WebAssembly, its data as an archive beside it, and the files that a server hands out.
set(page ${PROJECT_SOURCE_DIR}/build/web)
set(here ${PROJECT_SOURCE_DIR}/src/platform/web)
add_executable(page src/page.c)
target_link_libraries(page PRIVATE platform)
set_target_properties(page PROPERTIES OUTPUT_NAME lanescope SUFFIX .js RUNTIME_OUTPUT_DIRECTORY ${page}
  LINK_DEPENDS ${here}/library.js)
target_link_options(page PRIVATE -O2 -fexceptions --no-entry "SHELL:--js-library ${here}/library.js"
  "SHELL:-s MODULARIZE=1" "SHELL:-s EXPORT_NAME=lanescope" "SHELL:-s ENVIRONMENT=worker" "SHELL:-s ALLOW_MEMORY_GROWTH=1"
  "SHELL:-s INITIAL_MEMORY=67108864" "SHELL:-s TOTAL_STACK=4194304" "SHELL:-s DYNAMIC_EXECUTION=0"
  "SHELL:-s FORCE_FILESYSTEM=1" "SHELL:-s EXPORTED_RUNTIME_METHODS=FS,ENV,ccall,UTF8ToString"
  "SHELL:-s LLD_REPORT_UNDEFINED=1")
# Debian's emscripten needs Debian's modules of node, which another node does not look for.
set_property(TARGET page PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")

set(handed_out index.html style.css page.js draw.js work.js)
foreach(file ${handed_out})
  configure_file(${here}/${file} ${page}/${file} COPYONLY)
endforeach()

# Reads the lessons while the page is built, and writes what the list says of them into lanescope.tar. Node runs it.
add_executable(lesson_list src/lesson_list.c)
target_link_libraries(lesson_list PRIVATE lesson)
target_link_options(lesson_list PRIVATE -O2 -fexceptions "SHELL:-s ENVIRONMENT=node" "SHELL:-s NODERAWFS=1"
  "SHELL:-s SINGLE_FILE=1" "SHELL:-s ALLOW_MEMORY_GROWTH=1" "SHELL:-s TOTAL_STACK=4194304" "SHELL:-s EXIT_RUNTIME=1"
  "SHELL:-s LLD_REPORT_UNDEFINED=1")
set_property(TARGET lesson_list PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
find_program(NODE NAMES node nodejs REQUIRED NO_CMAKE_FIND_ROOT_PATH)

# lanescope.tar has what every visit needs; the recordings of a lesson are fetched when it opens (work.js).
set(depends)
foreach(folder kernels lessons assets)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*)
  list(APPEND depends ${files})
endforeach()
add_custom_command(OUTPUT ${page}/lanescope.tar DEPENDS ${depends} ${compiled_catalogues} ${here}/pack.cmake
  lesson_list
  COMMAND ${CMAKE_COMMAND} -DNODE=${NODE} -DLIST=$<TARGET_FILE:lesson_list> -DFROM=${PROJECT_SOURCE_DIR} -DBUILD=${PROJECT_BINARY_DIR} -DPAGE=${page} -P ${here}/pack.cmake
  VERBATIM)
add_custom_target(page_data DEPENDS ${page}/lanescope.tar)
add_dependencies(page_data locale)

# What `export` puts into a report. Python is there: emscripten is written in it.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
list(TRANSFORM handed_out PREPEND ${here}/ OUTPUT_VARIABLE scripts)
add_custom_command(OUTPUT ${page}/report.part DEPENDS page page_data ${page}/lanescope.tar ${scripts} ${here}/bundle.py
  COMMAND Python3::Interpreter ${here}/bundle.py ${page} VERBATIM)

# The service worker keeps one version of all files: its name is their hash.
list(APPEND handed_out lanescope.js lanescope.wasm lanescope.tar)
add_custom_command(OUTPUT ${page}/worker.js DEPENDS page page_data ${page}/report.part ${here}/worker.js ${here}/worker.cmake
  COMMAND ${CMAKE_COMMAND} "-DFILES=${handed_out}" -DPAGE=${page} -DHERE=${here} -P ${here}/worker.cmake VERBATIM)
add_custom_target(web DEPENDS ${page}/worker.js)

# The emulator alone, run by node: tests/page/rate.c says what it measures.
add_executable(emulator_rate EXCLUDE_FROM_ALL tests/page/rate.c)
target_link_libraries(emulator_rate PRIVATE emulator)
target_link_options(emulator_rate PRIVATE -O2 "SHELL:-s ENVIRONMENT=node" "SHELL:-s ALLOW_MEMORY_GROWTH=1"
  "SHELL:-s INITIAL_MEMORY=67108864" "SHELL:-s TOTAL_STACK=4194304" "SHELL:-s EXIT_RUNTIME=1")
set_property(TARGET emulator_rate PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
