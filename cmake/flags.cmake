# Warnings and sanitizers, for every target of ours.
add_library(cobloc_flags INTERFACE)
target_compile_options(cobloc_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
  -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef)
# The same numbers on every processor: no multiplication is fused with an addition.
target_compile_options(cobloc_flags INTERFACE -ffp-contract=off)
if(NOT OpenMP_C_FOUND)
  target_compile_options(cobloc_flags INTERFACE -Wno-unknown-pragmas)
endif()
if(COBLOC_WERROR)
  target_compile_options(cobloc_flags INTERFACE -Werror)
endif()
if(COBLOC_SANITIZE)
  target_compile_options(cobloc_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(cobloc_flags INTERFACE -fsanitize=address,undefined)
endif()
if(COBLOC_THREAD_SANITIZE)
  target_compile_options(cobloc_flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(cobloc_flags INTERFACE -fsanitize=thread)
endif()
if(COBLOC_FUZZ)
  target_compile_options(cobloc_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
