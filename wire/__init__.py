"""Between contract, plain data and engine: reading, writing, and input errors that name the field."""
