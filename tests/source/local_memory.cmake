# To be included. check_local_memory(TEXT LEAST): of what ptxas -v says, at least so many kernels, and that none uses
# local memory, neither for spills nor for arrays.
function(check_local_memory text least)
  string(REGEX MATCHALL "Function properties for [^ \n]+\n[^\n]*spill loads" _kernels "${text}")
  list(LENGTH _kernels _count)
  if(_count LESS least)
    message(FATAL_ERROR "  only ${_count} kernels found in what ptxas says")
  endif()
  foreach(_kernel IN LISTS _kernels)
    if(NOT _kernel MATCHES " 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads")
      message(SEND_ERROR "  local memory is used: ${_kernel}")
    endif()
  endforeach()
endfunction()
