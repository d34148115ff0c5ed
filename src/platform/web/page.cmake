# The page: the program as WebAssembly, with its data beside it, and the files that a server hands out.
set(page ${PROJECT_SOURCE_DIR}/build/web)
set(here ${PROJECT_SOURCE_DIR}/src/platform/web)
add_executable(page src/page.c)
target_link_libraries(page PRIVATE platform)
set_target_properties(page PROPERTIES OUTPUT_NAME lanescope SUFFIX .js RUNTIME_OUTPUT_DIRECTORY ${page})
set(handed_out index.html style.css page.js draw.js)
foreach(file ${handed_out})
  configure_file(${here}/${file} ${page}/${file} COPYONLY)
endforeach()
set(packed)
set(depends ${here}/library.js)
foreach(folder kernels lessons assets/ptx assets/recordings assets/glossary assets/gpus assets/samples)
  list(APPEND packed "SHELL:--preload-file ${PROJECT_SOURCE_DIR}/${folder}@/data/${folder}")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*)
  list(APPEND depends ${files})
endforeach()
foreach(file assets/chapters.yaml assets/compute_capabilities.yaml)
  list(APPEND packed "SHELL:--preload-file ${PROJECT_SOURCE_DIR}/${file}@/data/${file}")
  list(APPEND depends ${PROJECT_SOURCE_DIR}/${file})
endforeach()
set_target_properties(page PROPERTIES LINK_DEPENDS "${depends};${compiled_catalogues}")
target_link_options(page PRIVATE -O2 -fexceptions --no-entry "SHELL:--js-library ${here}/library.js"
  "SHELL:--preload-file ${PROJECT_BINARY_DIR}/locale@/locale" ${packed}
  "SHELL:-s MODULARIZE=1" "SHELL:-s EXPORT_NAME=lanescope" "SHELL:-s ENVIRONMENT=web" "SHELL:-s ALLOW_MEMORY_GROWTH=1"
  "SHELL:-s INITIAL_MEMORY=67108864" "SHELL:-s TOTAL_STACK=4194304" "SHELL:-s DYNAMIC_EXECUTION=0"
  "SHELL:-s EXPORTED_RUNTIME_METHODS=FS,ENV,ccall,UTF8ToString" "SHELL:-s LLD_REPORT_UNDEFINED=1")
add_dependencies(page locale)
# Debian's emscripten needs Debian's modules of node, which another node does not look for.
set_property(TARGET page PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")

# The service worker keeps one version of all files: its name is their hash.
list(APPEND handed_out lanescope.js lanescope.wasm lanescope.data)
list(TRANSFORM handed_out PREPEND ${page}/ OUTPUT_VARIABLE outputs)
list(FILTER outputs EXCLUDE REGEX "/lanescope\\.(wasm|data)$") # beside lanescope.js, made with it
add_custom_command(OUTPUT ${page}/worker.js DEPENDS page ${outputs} ${here}/worker.js ${here}/worker.cmake
  COMMAND ${CMAKE_COMMAND} "-DFILES=${handed_out}" -DPAGE=${page} -DHERE=${here} -P ${here}/worker.cmake VERBATIM)
add_custom_target(web DEPENDS ${page}/worker.js)
