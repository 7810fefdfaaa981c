"""Language models: optional, behind one small port."""
