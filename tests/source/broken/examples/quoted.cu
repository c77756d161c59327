// example-begin
int x = 2;
// example-end
