"""Colours that people tell apart, whatever their eyes and the light in the room.

Both palettes keep the order of Okabe and Ito's (blue, vermilion, green, purple, ...), darkened for
white paper and lightened for a dark screen until each has a contrast of at least 3 to the ground.
"""

GROUND = {"light": "#ffffff", "dark": "#171c22"}
PALETTE = {
    "light": (
        "#0067a6", "#d14f00", "#00795a", "#a6468f", "#8a6d00", "#2f8fbf", "#8b1a1a", "#5b5f66",
    ),
    "dark": (
        "#5fb3ee", "#ff8f4a", "#35c79d", "#e394cf", "#e8d44d", "#9fdcff", "#ff7d7d", "#b4bac2",
    ),
}  # fmt: skip
COLOURS = len(PALETTE["light"])
