# What `cmake --install` puts where: the command line, the headers, both libraries, and the files by
# which pkg-config and CMake find them. All of it may be moved together: no path is written down.
include(CMakePackageConfigHelpers)

install(TARGETS cobloc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# One man page a command, printed by the program itself from the tables that its --help uses.
set(cobloc_man_dir ${PROJECT_BINARY_DIR}/man)
install(CODE "execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/scripts/man-pages\" \"$<TARGET_FILE:cobloc>\" \"${cobloc_man_dir}\" COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${cobloc_man_dir}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# Completions, from the same tables.
set(cobloc_completions ${PROJECT_BINARY_DIR}/completions)
install(CODE "execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/scripts/completions\" \"$<TARGET_FILE:cobloc>\" \"${cobloc_completions}\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${cobloc_completions}/cobloc DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${cobloc_completions}/_cobloc DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${cobloc_completions}/cobloc.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# Hidden visibility does not reach what the compiler makes by itself, such as the locks of OpenMP.
if(UNIX AND NOT APPLE)
  target_link_options(cobloc_shared PRIVATE
    LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
endif()

# Each library in a set of its own, since the static one alone asks for cobloc's dependencies.
set(cobloc_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cobloc)
set_target_properties(cobloc_shared PROPERTIES EXPORT_NAME cobloc)
foreach(kind IN ITEMS shared static)
  install(TARGETS cobloc_${kind} EXPORT cobloc-${kind}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT cobloc-${kind} NAMESPACE cobloc:: DESTINATION ${cobloc_cmake_dir})
endforeach()

if(TARGET cobloc_mpi)
  install(TARGETS cobloc_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES bindings/mpi/cobloc_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()

configure_package_config_file(cmake/coblocConfig.cmake.in cmake/coblocConfig.cmake
  INSTALL_DESTINATION ${cobloc_cmake_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/coblocConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/coblocConfig.cmake
              ${PROJECT_BINARY_DIR}/cmake/coblocConfigVersion.cmake
  DESTINATION ${cobloc_cmake_dir})

file(RELATIVE_PATH cobloc_pc_to_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" cobloc_pc_to_prefix "${cobloc_pc_to_prefix}")
configure_file(packaging/cobloc.pc.in packaging/cobloc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/packaging/cobloc.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
