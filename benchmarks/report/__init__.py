"""What tournaments come to: tables, files, pages."""
