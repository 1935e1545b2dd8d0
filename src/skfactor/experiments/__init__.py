"""The papers' tables, runs that resume, and what can be said of many methods on many data sets."""
