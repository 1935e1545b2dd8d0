"""Pictures of data, models and comparisons, and the HTML report that holds them."""
