"""Web archive formats: WARC 1.1 records, CDXJ indexes, and the ZIP container of WACZ 1.1.1."""
