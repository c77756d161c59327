#!/bin/sed -Ef
# For Doxygen: of a policy's template, and of a named policy, the name and its comment. Its members are for kernels; those
# that all policies have are at the concept `policy`.
/^struct .*\{$/,/^\};$/{
  /^struct /{
    s/^(struct [a-z0-9_]+)( :.*)? \{$/\1 {};/
    b
  }
  s/.*//
}
