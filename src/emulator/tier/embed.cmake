# Writes the bytes of TEXT as the array tier_unit of a C file, SOURCE.
file(READ ${TEXT} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${SOURCE} "extern const char tier_unit[];\nconst char tier_unit[] = {\n${bytes}0};\n")
