"""The pages against the program: tables that are written from it, examples, promises and figures."""
