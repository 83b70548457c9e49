"""The drawn parts of Goldgräber: its colours, and the shapes of every ground and piece.

Grounds differ in texture as well as in colour, and seats have numbers, so that nobody has to tell them by colour alone.
"""

from dataclasses import dataclass

from pictures.themes import DARK, LIGHT

WIDE, HIGH = 60, 68  # a hex; its upper and lower corners are a quarter of the height off the sides
HEX = "m0-34 30 17v34l-30 17-30-17v-34z"  # around its middle
INK = "#33261c"  # the outline of every piece


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of the map in one theme. Every ground has its own and that of its texture."""

    base: str  # under the hexes
    rim: str  # around it
    line: str  # between hexes
    grounds: dict[str, tuple[str, str]]
    bank: str  # where land meets a lake
    quay: str  # where nobody steps between land and lake
    foam: str
    ballast: str
    sleeper: str
    steel: str
    halo: str  # around what can be chosen


PALETTES = {
    LIGHT: Palette(
        "#c9b48a", "#a58a5b", "#7a6138",
        {
            "grass": ("#d9d59b", "#a9ab5f"), "scrub": ("#ded69f", "#a3a25a"), "stones": ("#dcd4a0", "#b3a273"),
            "dig": ("#e9cf9c", "#bf9a5f"), "street": ("#d6cbbd", "#b3a594"), "yard": ("#b9cb8f", "#8ea763"),
            "shore": ("#8fcbdc", "#c6e7ef"), "water": ("#5ba6c6", "#8cc5da"), "rock": ("#c2b094", "#7f6d57"),
            "block": ("#bcaf9f", "#8a6a50"),
        },
        "#f0dfae", "#8e8272", "#e4f5f8", "#c3b08d", "#6d4a2c", "#54565c", "#ffffff",
    ),
    DARK: Palette(
        "#3b3527", "#5d5138", "#14120c",
        {
            "grass": ("#6f7047", "#959560"), "scrub": ("#74724a", "#989459"), "stones": ("#726f4b", "#988d68"),
            "dig": ("#8a7249", "#5f4b2c"), "street": ("#6a655f", "#858079"), "yard": ("#566a40", "#789058"),
            "shore": ("#4488a0", "#74adc0"), "water": ("#275f7e", "#4a86a3"), "rock": ("#565047", "#8a8072"),
            "block": ("#57524c", "#8d7663"),
        },
        "#a8935f", "#3f3a35", "#8fc0cf", "#4f4636", "#2b1d12", "#b3b6bd", "#fff6e0",
    ),
}  # fmt: skip

# Textures around the middle of a hex; D is the colour of the ground's texture.
TEXTURES = {
    "grass": """
<path fill="none" stroke="D" stroke-width="1.6" stroke-linecap="round" d="M-14-8l-2-5m2 5v-6m0 6l2-5M12-16l-2-4m2
4v-5m0 5l2-4M15 10l-2-5m2 5v-6m0 6l2-5M-8 18l-2-4m2 4v-5m0 5l2-4"/>""",
    "scrub": """
<path fill="none" stroke="D" stroke-width="1.6" stroke-linecap="round" d="M-4-17l-2-4m2 4v-5m0 5l2-4M-17 9l-2-5m2
5v-6m0 6l2-5M10 20l-2-4m2 4v-5m0 5l2-4"/>
<path fill="none" stroke="#6f9a5c" stroke-width="4" stroke-linecap="round" d="M14 4V-9M14 0h-5v-4M14-2h5v-4"/>""",
    "stones": """
<path fill="D" opacity=".75" d="M-18-6q2-5 6-4t4 4zM9-13q1-4 4-3.5t3 3.5zM8 15q2-6 7-5t5 5zM-12 17q1-3 3.5-3t3.5
3z"/>
<path fill="none" stroke="D" stroke-width="1.4" stroke-linecap="round" opacity=".8" d="M-6 3q5-3 10 0t8
0M-8-20q4-2 8 0"/>""",
    "dig": """
<ellipse cx="0" cy="4" rx="19" ry="13" fill="D" opacity=".6"/>
<ellipse cx="0" cy="4" rx="14.5" ry="9.5" fill="#3a2817"/>
<path fill="#5e4327" d="M-14.3 5.5q3-10.5 14.3-10.5T14.3 5.5Q11-1 0-1T-14.3 5.5z"/>
<path fill="D" d="M-20-12q2-3 4.5-1.5zM14-17q2-3 5 0zM-6 23q2-3 5 0zM15 17q1-2.5 3.5-1z"/>""",
    "street": """
<path fill="none" stroke="D" stroke-width="1.5" stroke-linecap="round" d="M-21-12q6-4 11-1M-4-15q6-4 11-1M12-11q4-3
9 0M-13-2q6-4 11-1M5-3q6-4 11-1M-22 8q6-4 11-1M-5 8q6-4 11-1M12 8q4-3 9 0M-13 19q6-4 11-1M4 19q6-4 11-1M-4-25q4-3 8
0"/>""",
    "yard": """
<path fill="none" stroke="D" stroke-width="1.5" stroke-linecap="round" d="M-20-8l-2-4m2 4v-5m0 5l2-4M19 14l-2-4m2
4v-5m0 5l2-4M-16 18l-2-4m2 4v-5m0 5l2-4"/>""",
    "shore": """
<path fill="none" stroke="D" stroke-width="1.8" stroke-linecap="round" d="M-16-7q4-3.5 8 0t8 0M0 13q4-3.5 8 0t8 0"/>
""",
    "water": """
<path fill="none" stroke="D" stroke-width="1.8" stroke-linecap="round" d="M-19-9q4-4 8 0t8 0 8 0M-6 3q4-4 8 0t8 0 8
0M-18 15q4-4 8 0t8 0"/>""",
    "rock": """
<path fill="D" stroke="#0003" d="M-22 14l7-19 7 5 8-19 9 14 5-3 10 22-8 6H-15z"/>
<path fill="#fff" opacity=".3" d="M0-19l-7 17 4 6zM-15-5l-5 14 6 2zM14-8l-3 9 5 8z"/>""",
    "block": """
<path fill="D" stroke="#0004" d="M-21-12H-1V2h-20zM3-17h17v15H3zM-19 6h16v14h-16zM1 2h20v13H1z"/>
<path fill="none" stroke="#fff" stroke-opacity=".3" stroke-width="1.3" d="M-21-5H-1M3-9.5h17M-19 13h16M1 8.5h20"/>""",
}

# Every shape is outlined in ink, unless it says otherwise.
PIECES = {
    "back": """
<circle cx="16" cy="16.8" r="13.5" fill="#0005" stroke="none"/>
<circle cx="16" cy="16" r="13.2" fill="#8a5a33"/>
<circle cx="16" cy="16" r="10.3" fill="none" stroke="#d9a566" stroke-width="1" stroke-dasharray="2.5 1.9"/>
<path fill="none" stroke="#5b371b" stroke-width="2.4" stroke-linecap="round" d="M11 21.5L20 11M21 21.5L12 11"/>
<path fill="none" stroke="#e8c795" stroke-width="2" stroke-linecap="round" d="M9.5 12.5q1.5-3.5 5-4M22.5
12.5q-1.5-3.5-5-4"/>""",
    "gold": """
<circle cx="16" cy="16.8" r="13.5" fill="#0005" stroke="none"/>
<circle cx="16" cy="16" r="13.2" fill="#f5c02c"/>
<circle cx="16" cy="16" r="10.5" fill="#ffdb63" stroke="#c98d12" stroke-width="1.2"/>
<path fill="#fff3b8" stroke="none" d="M8 14q1-6.5 8-7.5-5 2-6 7.5z"/>""",
    "robber": """
<circle cx="16" cy="16.8" r="13.5" fill="#0005" stroke="none"/>
<circle cx="16" cy="16" r="13.2" fill="#8e2634"/>
<path fill="#e9b98f" stroke="none" d="M10 13.5h12v6H10z"/>
<path fill="#20140d" stroke="none" d="M11.8 15.3h3v1.7h-3zM17.3 15.3h3v1.7h-3z"/>
<path fill="#f3ece0" stroke-width=".9" d="M9.5 18.5h13l-1.5 4.5-5 4-5-4z"/>
<path fill="#2b211c" stroke="#f3ece0" stroke-width=".6" d="M5.5 13q5 1.5 10.5 1.5t10.5-1.5q-.5-2.8-4.5-2.2L20
6q-4 1.5-8 0l-2 4.8q-4-.6-4.5 2.2z"/>""",
    # Diggers and houses: their colour is that of the place where they are used.
    "digger": """
<path fill="currentColor" stroke="#fff" stroke-width="4" stroke-linejoin="round" d="M9.5 8.5h13L22 10q-1 2.5-2.5
3.3 7.5 2 8 5.7.2 2-4 1.8-1.8 0-3.2-.4 2.2 4 3.6 8.1.2 1.5-1.4 1.5H17l-1-3-1 3H9.5q-1.6 0-1.4-1.5 1.4-4.1
3.6-8.1-1.4.4-3.2.4-4.2.2-4-1.8.5-3.7 8-5.7Q11 12.5 10 10z"/>
<path fill="currentColor" stroke-width="1.2" d="M12.5 13.3Q11 12.5 10 9h12q-1 3.5-2.5 4.3 7.5 2 8 5.7.2 2-4
1.8-1.8 0-3.2-.4 2.2 4 3.6 8.1.2 1.5-1.4 1.5H17l-1-3-1 3H9.5q-1.6 0-1.4-1.5
1.4-4.1 3.6-8.1-1.4.4-3.2.4-4.2.2-4-1.8.5-3.7 8-5.7z"/>
<path fill="#f0c79c" stroke="none" d="M11.3 9.5h9.4q-.7 3.8-4.7 3.8t-4.7-3.8z"/>
<path fill="#5a3b22" stroke="#fff" stroke-width=".6" d="M6.5 8.6q1-1.5 4-1.1Q10.5 2.5 13 2.3q1.6.9 3 .9t3-.9q2.5.2
2.5 5.2 3-.4 4 1.1-3 2.2-9.5 2.2t-9.5-2.2z"/>""",
    "house": """
<path fill="#f4e6cd" d="M6 14h20v14H6z"/>
<path fill="currentColor" d="M1.5 16L16 3.5 30.5 16l-2.5 2.5L16 8 4 18.5z"/>
<path fill="currentColor" d="M12.5 28v-9.5q3.5-2.5 7 0V28z"/>
<circle cx="17.8" cy="23.5" r=".9" fill="#fff" stroke="none"/>
<path fill="#9cc7d8" stroke-width=".9" d="M7.5 19.5h3.5v4H7.5zM21 19.5h3.5v4H21z"/>
<path fill="#8a5a3d" d="M22 4.5h3.5v6L22 7.5z"/>""",
    "closed": """
<path fill="#b9ad9c" d="M6 14h20v14H6z"/>
<path fill="#8a8078" d="M1.5 16L16 3.5 30.5 16l-2.5 2.5L16 8 4 18.5z"/>
<path fill="#6f665d" d="M12.5 28v-9.5q3.5-2.5 7 0V28z"/>
<path fill="none" stroke="#4e3620" stroke-width="2.4" stroke-linecap="round" d="M11 19.5l10 6M21 19.5l-10 6"/>""",
    "raft": """
<path fill="#0003" stroke="none" d="M1 24q15 7 30 0v3q-15 5-30 0z"/>
<path fill="#c08a52" d="M3 11.5h26a2.2 2.2 0 0 1 0 4.4H3a2.2 2.2 0 0 1 0-4.4zM3 15.9h26a2.2 2.2 0 0 1 0
4.4H3a2.2 2.2 0 0 1 0-4.4zM3 20.3h26a2.2 2.2 0 0 1 0 4.4H3a2.2 2.2 0 0 1 0-4.4z"/>
<path fill="none" stroke="#8a5a2e" d="M5 13.7h9M18 18h8M7 22.5h10"/>
<path fill="#f0e2c2" stroke-width=".9" d="M7.5 11h2.6v14.2H7.5zM22 11h2.6v14.2H22z"/>""",
    "locomotive": """
<path fill="#e9edf0" stroke="none" opacity=".85" d="M6 4.5q-3-1-3.5-3 3-1.5 5 .2 3-2 5 .6-1 2.6-3.5 1.8Q8 5.5 6 4.5z"/>
<path fill="#2f333b" d="M5 6h5v7H5zM4 4.8h7V7H4z"/>
<path fill="#3d434d" d="M2.5 12.5H20V22H2.5z"/>
<path fill="#c0392b" d="M19 7h10v15H19zM17.5 4.5h13V7.5h-13z"/>
<path fill="#bfe0ee" d="M21.5 10h5v5h-5z"/>
<path fill="#f2c230" stroke-width=".9" d="M13 10q2.5-2 5 0v2.5h-5zM2 14.5h2.5V19H2z"/>
<path fill="#c0392b" d="M.8 27l3.7-6H30v3.5H8z"/>
<g fill="#596070">
<circle cx="9" cy="25.5" r="3.6"/>
<circle cx="17" cy="25.5" r="3.6"/>
<circle cx="25.5" cy="25.5" r="3.6"/>
</g>
<path fill="none" stroke="#f2c230" stroke-width="1.5" d="M9 25.5h16.5"/>""",
    "tunnel": """
<path fill="#8a7d6c" d="M1 31V17Q1 2 16 2t15 15v14z"/>
<path fill="none" stroke="#0004" d="M1 17h6M25 17h6M4 8l5 4M28 8l-5 4M16 2v5M1 24h5M26 24h5"/>
<path fill="#15110d" d="M6.5 31V17.5Q6.5 7 16 7t9.5 10.5V31z"/>
<path fill="none" stroke="#6b5a46" stroke-width="1.6" d="M10 31l3.5-9M22 31l-3.5-9M9.5 29.5h13M12 25h8"/>""",
    "station": """
<path fill="#d8a64a" d="M3 17h26v12H3z"/>
<path fill="#7d3b2c" d="M.8 17.5L7 9h18l6.2 8.5z"/>
<path fill="#fff" stroke-width=".9" d="M10.5 2.5h11v7.5h-11z"/>
<circle cx="16" cy="6.2" r="2.6" fill="none"/>
<path fill="none" d="M16 4.8v1.5l1.2.8"/>
<path fill="#4a3424" d="M13 29v-8.5h6V29zM5.5 20.5h4.5v4H5.5zM22 20.5h4.5v4H22z"/>""",
    "eye": """
<path fill="#fff" stroke-width="1.8" d="M2 16q14-17 28 0-14 17-28 0z"/>
<circle cx="16" cy="16" r="5.6" fill="#2f7f8f"/>
<circle cx="16" cy="16" r="2.4" fill="#14100c" stroke="none"/>
<circle cx="18" cy="13.8" r="1.5" fill="#fff" stroke="none"/>""",
    "swords": """
<circle cx="16" cy="16" r="15" fill="#fff6e0"/>
<path fill="none" stroke="#5a3b22" stroke-width="3" stroke-linecap="round" d="M5.5 26.5l5-5M26.5 26.5l-5-5"/>
<path fill="#d5dbe0" d="M10 22.5L24.5 5.5 27 5l-.5 2.5L12 24zM22 22.5L7.5 5.5 5 5l.5 2.5L20 24z"/>
<path fill="none" stroke="#b08a2e" stroke-width="2.6" stroke-linecap="round" d="M7.5 19.5l6 6M24.5 19.5l-6 6"/>""",
    "trophy": """
<path fill="none" stroke-width="2" d="M9 7H4q0 8 7 9M23 7h5q0 8-7 9"/>
<path fill="#f7c52d" d="M8 4h16q0 15-8 16T8 4z"/>
<path fill="#d2920f" d="M14.5 20h3v4h4.5v4h-12v-4h4.5z"/>""",
}

# Around the fields that can be chosen, by the dashes of their edge.
RINGS = {"target": 'stroke-dasharray="9 4"', "look": 'stroke-dasharray=".1 7" stroke-linecap="round"'}
