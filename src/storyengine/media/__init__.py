"""Pictures and clips as values: derivation, decoding, sampling, technical checks, encoding. Knows no stories."""
