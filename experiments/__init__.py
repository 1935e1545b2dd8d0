"""What the models reach on real data, with the settings that reach it; each figure can be run again."""
