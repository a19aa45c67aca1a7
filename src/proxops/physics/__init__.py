"""Laws of nature as pure compiled functions: no state, no files, no clock, no randomness."""
