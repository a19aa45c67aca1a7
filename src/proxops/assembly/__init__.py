"""From a scenario to the stages of the loop: the only room that knows both."""
