"""What other programs connect to: sockets and the wall clock around protocol machines."""
