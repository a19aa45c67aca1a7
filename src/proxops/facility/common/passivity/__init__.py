"""What lateness does to contact: energy from nowhere, when it begins, how it is kept out."""
