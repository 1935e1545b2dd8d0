"""The documentation: `python -m docs` makes it, in docs/site."""
