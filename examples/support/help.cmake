# cmake -DTOOL= -P help.cmake
#
# The help of a tool says how it is used, in lines that fit a terminal.
include("${CMAKE_CURRENT_LIST_DIR}/refuses.cmake")
helps("Usage: " "--help")
