# What is installed beside the program, and the two packages that `./run package` makes of it: docs/install.md.
option(LANESCOPE_BUNDLE "Install the libraries and fonts that the program uses beside it, for the archive that runs in place"
  OFF)

# Pages of the manual and completions come from the program itself, so that they tell of this very version.
install(CODE "
  function(from_program path)
    set(whole \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${path}\")
    get_filename_component(folder \"\${whole}\" DIRECTORY)
    file(MAKE_DIRECTORY \"\${folder}\")
    execute_process(COMMAND \"$<TARGET_FILE:lanescope>\" \${ARGN} OUTPUT_FILE \"\${whole}\" COMMAND_ERROR_IS_FATAL ANY)
    if(path MATCHES \"/man/\")
      execute_process(COMMAND gzip -9nf \"\${whole}\" COMMAND_ERROR_IS_FATAL ANY)
      set(whole \"\${whole}.gz\")
    endif()
    file(CHMOD \"\${whole}\" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  endfunction()
  from_program(${CMAKE_INSTALL_MANDIR}/man1/lanescope.1 manual --lang en)
  from_program(${CMAKE_INSTALL_MANDIR}/ko/man1/lanescope.1 manual --lang ko)
  from_program(${CMAKE_INSTALL_DATADIR}/bash-completion/completions/lanescope complete bash)
  from_program(${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions/_lanescope complete zsh)
  from_program(${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/lanescope.fish complete fish)")
install(FILES packaging/lanescope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES packaging/lanescope.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES packaging/lanescope-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME lanescope.xml)
install(FILES packaging/lanescope.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)

set(CPACK_PACKAGE_NAME lanescope)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "The Lanescope developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "visual simulator of CUDA kernels and GPU memory")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
if(LANESCOPE_BUNDLE)
  set(CPACK_GENERATOR TXZ)
  set(CPACK_ARCHIVE_THREADS 0)
  set(CPACK_PACKAGE_FILE_NAME lanescope-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
  # DT_RPATH, not DT_RUNPATH: it also finds the libraries of libraries.
  set(bundle ${CMAKE_INSTALL_LIBDIR}/lanescope/bundle)
  target_link_options(lanescope PRIVATE -Wl,--disable-new-dtags)
  set_target_properties(lanescope PROPERTIES INSTALL_RPATH "$ORIGIN/../${bundle}")
  target_link_options(lanescope_cudart PRIVATE -Wl,--disable-new-dtags)
  set_target_properties(lanescope_cudart PROPERTIES INSTALL_RPATH "$ORIGIN/bundle:$ORIGIN/../bundle") # also from compatible/
  target_link_options(lanescope_embed PRIVATE -Wl,--disable-new-dtags)
  set_target_properties(lanescope_embed PROPERTIES INSTALL_RPATH "$ORIGIN/lanescope/bundle")
  # Left to the machine: glibc with its parts, and libstdc++ with its runtime, which a library of the machine (a driver of
  # the display) may need in its own, newer version.
  find_program(PATCHELF patchelf REQUIRED)
  find_program(PYTHON3 python3 REQUIRED)
  find_library(EXPAT_ARCHIVE libexpat.a REQUIRED)
  add_library(bundled_expat SHARED packaging/expat.c)
  set_target_properties(bundled_expat PROPERTIES OUTPUT_NAME expat SOVERSION 1 LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/expat)
  target_link_options(bundled_expat PRIVATE -Wl,-Bsymbolic)
  target_link_libraries(bundled_expat PRIVATE -Wl,--whole-archive ${EXPAT_ARCHIVE} -Wl,--no-whole-archive)
  install(TARGETS bundled_expat LIBRARY DESTINATION ${bundle} NAMELINK_SKIP)
  # A library that names a folder of its own would not look into ours.
  install(CODE "
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES \"$<TARGET_FILE:lanescope>\" LIBRARIES \"$<TARGET_FILE:lanescope_cudart>\"
        \"$<TARGET_FILE:lanescope_embed>\"
      RESOLVED_DEPENDENCIES_VAR used CONFLICTING_DEPENDENCIES_PREFIX doubled
      PRE_EXCLUDE_REGEXES
        \"^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|gcc_s|stdc\\\\+\\\\+|expat))\\\\.so.*\" \"liblanescope.*\")
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${bundle}\")
    foreach(library IN LISTS used)
      get_filename_component(name \"\${library}\" NAME)
      get_filename_component(real \"\${library}\" REALPATH)
      file(COPY_FILE \"\${real}\" \"\${folder}/\${name}\")
      execute_process(COMMAND ${PATCHELF} --remove-rpath \"\${folder}/\${name}\" COMMAND_ERROR_IS_FATAL ANY)
      if(name MATCHES \"^libcairo\")
        execute_process(COMMAND ${PYTHON3} \"${PROJECT_SOURCE_DIR}/packaging/older.py\" \"\${folder}/\${name}\" hypot
          COMMAND_ERROR_IS_FATAL ANY)
      endif()
    endforeach()")
  # Debian's packages that fonts/README.md names; their licence lets them be passed on with its text.
  set(font_folders /usr/share/fonts/truetype/noto /usr/share/fonts/truetype/jetbrains-mono /usr/share/fonts/truetype/nanum)
  foreach(font text:NotoSans-Regular bold:NotoSans-Bold code:JetBrainsMono-Regular korean:NanumGothic
      korean-bold:NanumGothicBold)
    string(REPLACE ":" ";" font ${font})
    list(GET font 0 role)
    list(GET font 1 file)
    find_file(font_${role} ${file}.ttf PATHS ${font_folders} NO_DEFAULT_PATH REQUIRED)
    install(FILES ${font_${role}} DESTINATION ${CMAKE_INSTALL_DATADIR}/lanescope/fonts RENAME ${role}.ttf)
  endforeach()
  foreach(package fonts-noto-core fonts-jetbrains-mono fonts-nanum)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/lanescope/fonts
      RENAME ${package}.copyright)
  endforeach()
  install(FILES LICENSE CHANGELOG.md DESTINATION .)
else()
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Lanescope developers <lanescope@users.noreply.github.com>")
  set(CPACK_DEBIAN_PACKAGE_SECTION education)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
  # liblanescope.so.0 is for other programs, too.
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  file(WRITE ${PROJECT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/triggers)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-noto-core | fonts-dejavu-core, fonts-jetbrains-mono | fonts-noto-mono | fonts-dejavu-core")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang, libstdc++-12-dev | libstdc++-dev, fonts-nanum | fonts-noto-cjk")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg")
  set(CPACK_PACKAGE_DESCRIPTION
"Lanescope runs a CUDA kernel, or a whole CUDA program, on a GPU or on its own
emulator where there is none. It records every access of every lane and
animates the record: lanes, banks of shared memory, chunks of 128 bytes with
their sectors, and rows of DRAM. Twenty lessons in English and Korean teach
how kernels use memory.")
  install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
  # Debian's form of the list of changes; what changed stands in CHANGELOG.md.
  execute_process(COMMAND date -R -d "@$ENV{SOURCE_DATE_EPOCH}" OUTPUT_VARIABLE now ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT "$ENV{SOURCE_DATE_EPOCH}")
    execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} log -1 --format=%cD OUTPUT_VARIABLE now ERROR_QUIET
      OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  if(NOT now)
    execute_process(COMMAND date -R OUTPUT_VARIABLE now OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  file(WRITE ${PROJECT_BINARY_DIR}/changelog "lanescope (${PROJECT_VERSION}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}; CHANGELOG.md of the source says what is new.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${now}
")
  execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/changelog)
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
include(CPack)
