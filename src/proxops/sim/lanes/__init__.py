"""Several cases of one mission flown at once, a case in each lane."""
