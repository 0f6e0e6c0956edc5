# The libraries that cobloc stands on, all of them Debian packages (see scripts/install-packages).
find_package(PkgConfig REQUIRED)
find_package(OpenMP COMPONENTS C)
find_package(ZLIB REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip) # the headers of these two: they are loaded when needed
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo cairo-svg cairo-pdf cairo-png)
find_library(UNISTRING_LIBRARY unistring REQUIRED) # neither comes with a file for pkg-config
find_library(STEMMER_LIBRARY stemmer REQUIRED)
find_package(Threads REQUIRED)

set(COBLOC_STATIC_LIBS ZLIB::ZLIB PkgConfig::JANSSON unistring stemmer
    Threads::Threads m ${CMAKE_DL_LIBS})
if(OpenMP_C_FOUND)
  list(APPEND COBLOC_STATIC_LIBS OpenMP::OpenMP_C)
endif()
add_library(cobloc_dependencies INTERFACE)
target_link_libraries(cobloc_dependencies INTERFACE ${COBLOC_STATIC_LIBS})
target_include_directories(cobloc_dependencies SYSTEM INTERFACE ${RANDOM123_INCLUDE_DIR} ${CAIRO_INCLUDE_DIRS} ${LIBZIP_INCLUDE_DIRS})
