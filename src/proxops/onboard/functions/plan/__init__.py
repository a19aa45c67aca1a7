"""The mode manager: the mission as legs, each of which ends by conditions on estimates."""
