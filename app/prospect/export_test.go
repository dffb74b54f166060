package prospect

// Causes is for the test that each of them happens.
var Causes = causes
