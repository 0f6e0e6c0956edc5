# Turns the source of the device's kernels into a C file. Run as a script with PARTS (the files)
# and TO (the C file).
set(source "")
foreach(part IN LISTS PARTS)
  file(READ ${part} text HEX)
  string(APPEND source "${text}")
endforeach()
string(REGEX REPLACE "(..)" "0x\\1," bytes "${source}00")
string(REGEX REPLACE "(....................................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${TO} "/* Made of src/base/exponential.h, src/device/kernels.h, and the .cu files there by cmake/kernels.cmake. */
#include \"device/compile.h\"

const unsigned char cob_kernel_source[] = {
${bytes}};
const size_t cob_kernel_source_size = sizeof cob_kernel_source - 1;
")
