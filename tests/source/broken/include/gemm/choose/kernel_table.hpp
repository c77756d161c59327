kernel_row<one_8x8, of_float>
