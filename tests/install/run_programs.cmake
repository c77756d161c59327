# cmake -DPROGRAMS=<program>,<program> -P run_programs.cmake: runs them, one after the other.
string(REPLACE "," ";" _programs "${PROGRAMS}")
foreach(_program IN LISTS _programs)
  execute_process(COMMAND "${_program}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
