"""Public records: filings, cases, series and trials."""
