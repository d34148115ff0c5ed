# The libraries of the browser build, compiled from source under the names that pkg-config gives them elsewhere.
# libraries.sh fetches the sources.
set(LANESCOPE_WEB_LIBRARIES ${PROJECT_SOURCE_DIR}/build/web-libraries CACHE PATH "Sources of the libraries, NAME/ each")
set(from ${LANESCOPE_WEB_LIBRARIES})
foreach(name jansson libyaml libcyaml md4c muparser libzstd xxhash)
  if(NOT IS_DIRECTORY ${from}/${name})
    message(FATAL_ERROR "The source of ${name} is missing: run src/platform/web/libraries.sh ${from}")
  endif()
endforeach()
set(made ${PROJECT_BINARY_DIR}/libraries)

# C is compiled by emscripten's clang itself: emcc, which only adds these flags, takes a quarter of a second more for a file.
execute_process(COMMAND ${CMAKE_C_COMPILER} --cflags OUTPUT_VARIABLE emscripten_flags OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND em-config LLVM_ROOT OUTPUT_VARIABLE emscripten_clang OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
set(CMAKE_C_COMPILE_OBJECT
  "${emscripten_clang}/clang ${emscripten_flags} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")

function(lanescope_library name include)
  file(GLOB sources ${ARGN})
  add_library(library_${name} STATIC ${sources})
  target_include_directories(library_${name} SYSTEM PUBLIC ${include})
  target_compile_options(library_${name} PRIVATE -w)
  add_library(PkgConfig::${name} ALIAS library_${name})
endfunction()

# jansson's configure would find the same.
set(json_inline inline)
set(json_have_long_long 1)
set(json_have_localeconv 0)
set(json_have_atomic_builtins 1)
set(json_have_sync_builtins 1)
file(WRITE ${made}/jansson/jansson_private_config.h "")
configure_file(${from}/jansson/src/jansson_config.h.in ${made}/jansson/jansson_config.h @ONLY)
lanescope_library(JANSSON "${from}/jansson/src;${made}/jansson" ${from}/jansson/src/*.c)
target_compile_definitions(library_JANSSON PRIVATE HAVE_STDINT_H HAVE_UNISTD_H HAVE_SYS_TYPES_H)
lanescope_library(YAML ${from}/libyaml/include ${from}/libyaml/src/*.c)
target_compile_definitions(library_YAML PRIVATE YAML_DECLARE_STATIC YAML_VERSION_MAJOR=0 YAML_VERSION_MINOR=2
  YAML_VERSION_PATCH=5 YAML_VERSION_STRING="0.2.5")
lanescope_library(CYAML ${from}/libcyaml/include ${from}/libcyaml/src/*.c)
target_compile_definitions(library_CYAML PRIVATE VERSION_MAJOR=1 VERSION_MINOR=4 VERSION_PATCH=2 VERSION_DEVEL=0)
target_link_libraries(library_CYAML PUBLIC PkgConfig::YAML)
lanescope_library(MD4C ${from}/md4c/src ${from}/md4c/src/md4c.c)
lanescope_library(ZSTD ${from}/libzstd/lib ${from}/libzstd/lib/common/*.c ${from}/libzstd/lib/compress/*.c
  ${from}/libzstd/lib/decompress/*.c)
target_compile_definitions(library_ZSTD PRIVATE ZSTD_DISABLE_ASM ZSTD_LEGACY_SUPPORT=0)
lanescope_library(XXHASH ${from}/xxhash ${from}/xxhash/xxhash.c)
enable_language(CXX)
lanescope_library(MUPARSER ${from}/muparser/include ${from}/muparser/src/muParser*.cpp)
target_compile_definitions(library_MUPARSER PRIVATE MUPARSER_DLL MUPARSERLIB_EXPORTS)
target_compile_options(library_MUPARSER PRIVATE -fexceptions)
target_link_options(library_MUPARSER PUBLIC -fexceptions)

# What a browser has not, or has in its own way.
foreach(name Intl::Intl PkgConfig::DW)
  add_library(${name} INTERFACE IMPORTED)
endforeach()
# cglm consists of headers: a link to them leaves out all others of this machine.
find_path(CGLM_HOST cglm/cglm.h PATHS /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
file(MAKE_DIRECTORY ${made}/include)
file(CREATE_LINK ${CGLM_HOST}/cglm ${made}/include/cglm SYMBOLIC)
set(CGLM_INCLUDE ${made}/include)
