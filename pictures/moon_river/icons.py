"""The drawn parts of Moon River: its colours, and the shapes of every landscape and icon.

Landscapes differ in lightness and motif as well as in colour, so that nobody has to tell them by colour alone.
"""

from dataclasses import dataclass

from pictures.themes import DARK, LIGHT

CELL = 72  # a landscape's width and height: a tile of 68 with its margin and shadow
INK = "#3a2a20"  # the outline of every icon


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a ranch in one theme."""

    river: str
    foam: str
    landscapes: dict[str, tuple[str, str, str]]  # ground, dark and bright parts of the motif


PALETTES = {
    LIGHT: Palette(
        "#6fb3cf", "#bfe2ee",
        {
            "desert": ("#f1dfae", "#dcc384", "#fbf0cf"), "corn": ("#f3c548", "#b98a14", "#fbe08a"),
            "farm": ("#b9a9cf", "#8d79ab", "#d3c8e2"), "canyon": ("#cd7440", "#a3532a", "#e49a66"),
            "meadow": ("#acd47a", "#7fae4c", "#d3ecac"), "forest": ("#4c8a63", "#2c6145", "#74ad85"),
        },
    ),
    DARK: Palette(
        "#3f7f9f", "#79b4cc",
        {
            "desert": ("#d8c28a", "#bb9f62", "#ecdcae"), "corn": ("#d9a92f", "#94690c", "#f0cc6a"),
            "farm": ("#9585b0", "#6b5a8a", "#b5a8ca"), "canyon": ("#b0602f", "#83401d", "#cb8552"),
            "meadow": ("#86b257", "#5e8b35", "#b0d483"), "forest": ("#386e4d", "#1f4a34", "#5b9270"),
        },
    ),
}  # fmt: skip

# Motifs over the ground; D is the dark part's colour, B the bright one's.
MOTIFS = {
    "desert": """
<path fill="D" opacity=".55" d="M2 52Q17 40 33 49T70 45V60a10 10 0 0 1-10 10H12A10 10 0 0 1 2 60z"/>
<path fill="none" stroke="D" stroke-width="1.6" stroke-linecap="round" d="M9 24q6-4 12 0t12 0M38 34q6-4 12 0t12
0"/>
<path fill="none" stroke="#7d9a5e" stroke-width="4" stroke-linecap="round" d="M59 28V11M59 23h-4.5v-5M59
20h5v-5"/>
<circle fill="B" cx="14" cy="13" r="5.5"/>""",
    "corn": """
<path fill="none" stroke="D" stroke-width="1.8" stroke-linecap="round" opacity=".75" d="M14 66V8M28 66V8M44
66V8M58 66V8"/>
<path fill="none" stroke="#7f8f2c" stroke-width="2.2" stroke-linecap="round" opacity=".75" d="M14 24q-7-1-8-8m8
8q6-1 7-8M28 36q-6-1-7-8m7 8q6-1 7-8M44 24q-6-1-7-8m7 8q6-1 7-8M58 36q-6-1-7-8m7 8q6-1 7-8 M14 54q-7-1-8-8m8
8q6-1 7-8M28 64q-6-1-7-8m7 8q6-1 7-8M44 54q-6-1-7-8m7 8q6-1 7-8M58 64q-6-1-7-8m7 8q6-1 7-8"/>""",
    "farm": """
<path fill="none" stroke="D" stroke-width="2.2" opacity=".7" d="M4 40Q24 33 68 34M3 49Q26 41 69 43M3 58Q28 49 69
53M8 67Q34 57 69 63"/>
<path fill="none" stroke="B" stroke-width="1.4" d="M3 44Q26 36 69 38M3 53Q26 45 69 48M5 62Q30 53 69 58"/>
<path fill="#a8483f" d="M9 31V18l4-6h8l4 6v13z"/>
<path fill="none" stroke="#f5e6d3" stroke-width="1.3" d="M8 18l4.5-6.5h9L26 18M13.5 31v-8h7v8zl7-8m0 8l-7-8"/>""",
    "canyon": """
<path fill="B" d="M2 34V21h9l3-9h11l3 9h11l2-5h12l3 5h14v13z" opacity=".85"/>
<path fill="D" opacity=".75" d="M2 33q18-4 34 0t34-1v6q-17 4-34 1T2 40z"/>
<path fill="D" opacity=".5" d="M2 47q18-4 34 0t34-1v5q-17 4-34 1T2 53z"/>
<path fill="D" opacity=".8" d="M2 58q18 4 34 1t34 2a10 10 0 0 1-10 9H12A10 10 0 0 1 2 60z"/>""",
    "meadow": """
<path fill="B" opacity=".5" d="M2 42Q20 34 36 38T70 37V44Q52 47 36 45T2 50z"/>
<path fill="none" stroke="D" stroke-width="2.2" stroke-linecap="round" d="M10 24l-3-7m3 7v-9m0 9l3-7 M38
16l-3-6m3 6V9m0 7l3-6M62 32l-3-7m3 7v-9m0 9l3-7M12 62l-3-7m3 7v-9m0 9l3-7M34 46l-3-6m3 6v-7m0 7l3-6 M56
64l-3-7m3 7v-9m0 9l3-7"/>
<g fill="#fff">
<circle cx="22" cy="34" r="2.6"/>
<circle cx="54" cy="14" r="2.6"/>
<circle cx="40" cy="62" r="2.6"/>
<circle cx="64" cy="48" r="2.6"/>
</g>
<g fill="#f2b632">
<circle cx="22" cy="34" r="1.1"/>
<circle cx="54" cy="14" r="1.1"/>
<circle cx="40" cy="62" r="1.1"/>
<circle cx="64" cy="48" r="1.1"/>
</g>""",
    "forest": """
<path fill="B" opacity=".35" d="M2 30Q22 22 38 28T70 24V60a10 10 0 0 1-10 10H12A10 10 0 0 1 2 60z"/>
<path fill="D" d="M16 8l9 13h-5l7 11h-8v5h-6v-5H5l7-11H7zM54 6l10 14h-5.5l8 12h-9.5v5h-6v-5h-9.5l8-12H44zM36
32l8 12 h-4.5l6.5 10h-7.5v6h-5v-6H26l6.5-10H28zM12 44l7 10h-4l6 9H4l5-9H5zM61 42l7 11h-4l4 9H54l5-9h-4z"/>""",
}

# Every shape is outlined in ink, unless it says otherwise.
ICONS = {
    "cow": """
<path d="M26 13q4 0 4 5l-1 5" fill="none"/>
<path fill="#fffdf8" d="M9 11h14q5 0 5 5.5V27h-4.5v-5H15v5 h-4.5v-6Q8 19 8 15z"/>
<path fill="#8a5433" stroke="none" d="M14 11.7h6q1.5 4-2 5.3-4 1-4-5.3zM22.5 15q4-.5 4.5 2v3.5q-4.5
0-4.5-5.5z"/>
<path fill="#8a5433" d="M3.5 8.5l2.5 1h5l2.5-1-.8 3.5-1.2.5-1 6.5h-5l-1 -6.5-1.2-.5z"/>
<path fill="#f0b7a8" d="M5 16.5h7q1.3 4-3.5 4t-3.5-4z"/>
<path d="M5 8.5q-2-1-1.5-3.5M12 8.5q2-1 1.5-3.5" fill="none" stroke-width="1.7"/>
<g fill="#20140d" stroke="none">
<circle cx="6.9" cy="12.8" r=".95"/>
<circle cx="10.1" cy="12.8" r=".95"/>
</g>""",
    "nugget": """
<path fill="#f7c52d" d="M6 21l2-8 7-6 7 1 6 7-1 8-8 4.5-9-1z"/>
<path fill="#fff0a3" stroke="none" d="M9 14l6-5.5 3 5.5-4.5 4z"/>
<path fill="#d2920f" stroke="none" d="M13.5 18l4.5-4 9 1.5-1 7-7 4z"/>
<path fill="#fff" stroke="none" d="M24.5 2l1 3 3 1-3 1-1 3-1-3-3-1 3-1z"/>""",
    "beaver": """
<path fill="#6b4a33" d="M20 22q2-5 6-6 5 0 5 6t-4 6q-5 0-8-3z"/>
<path fill="none" stroke-width=".8" d="M23 19l6 7M27 17l4 5M24 25l6-6"/>
<path fill="#a9703f" d="M5 27q-1-5 2-8-4-2-4-7Q3 5 10 5q6 0 7.5 5 7 3 7 11 0 4-2.5 7H7q-2 0-2-1z"/>
<path fill="#c99362" stroke="none" d="M8 26.5q0-6 4-7 4 1 4 7z"/>
<circle cx="14.5" cy="6" r="2.3" fill="#a9703f"/>
<path fill="#fff" stroke-width=".9" d="M4.5 14.5h3.5v3.5H4.5z"/>
<circle cx="4" cy="11.6" r="1.7" fill="#20140d" stroke="none"/>
<circle cx="9" cy="9.5" r="1.3" fill="#20140d" stroke="none"/>""",
    "cob": """
<path fill="#ffe066" d="M16 2q6 4 6 13t-6 14q-6-5-6-14T16 2z"/>
<path fill="none" stroke="#b8860b" stroke-width="1" d="M13.2 5.5v18M16 3v22M18.8 5.5v18M11 9h10M10.3
12.5h11.4M10.3 16h11.4M10.5 19.5h11"/>
<path fill="#6fa03c" d="M15.5 30Q4 28 5.5 13q6 4 10 17z"/>
<path fill="#8fbe56" d="M16.5 30Q28 28 26.5 13q-6 4-10 17z"/>""",
    "skull": """
<path fill="none" stroke-width="4.6" stroke-linecap="round" d="M8 11Q2 10 3 4M24 11q6-1 5-7"/>
<path fill="none" stroke="#fffdf6" stroke-width="2.4" stroke-linecap="round" d="M8 11Q2 10 3 4M24 11q6-1 5-7"/>
<path fill="#fffdf6" d="M9 8h14l1.5 5-3.5 6-1 8.5q-4 3-8 0L11 19l-3.5-6z"/>
<path fill="#4a3528" stroke="none" d="M10 12.5l4.5 1.5-1 3.5-2.5-1zM22 12.5l-4.5 1.5 1 3.5 2.5-1zM14
23.5h1.3v3H14zM16.7 23.5H18v3h-1.3z"/>""",
    "circle": """
<circle cx="16" cy="16" r="13.5" fill="#fff" fill-opacity=".6" stroke-width="1.8" stroke-dasharray="4.2 2.86"/>
<path fill="#fff" fill-opacity=".85" stroke-width="1" d="M16 6.5l2.6 5.7 6.2.7-4.6 4.2 1.3 6.1L16 20.1l-5.5
3.1 1.3-6.1-4.6-4.2 6.2-.7z"/>""",
    "desperado": """
<circle cx="16" cy="16" r="14.5" fill="#7c2230"/>
<path fill="#e9b98f" stroke="none" d="M9.5 13h13v5 h-13z"/>
<path fill="#20140d" stroke="none" d="M11.5 14.8h3v1.7h-3zM17.5 14.8h3v1.7h-3z"/>
<path fill="#f3ece0" stroke-width="1" d="M8.8 18h14.4l-1.7 5-5.5 5-5.5-5z"/>
<path fill="#cb452c" stroke="none" d="M12 20.5a1 1 0 1 0 .01 0 zM16 23a1 1 0 1 0 .01 0zM20 20.5a1 1 0 1 0 .01
0z"/>
<path fill="#2b211c" stroke="#f3ece0" stroke-width=".7" d="M4.5 12.5q5 1.5 11.5 1.5t11.5-1.5q-.5-3-5-2.3L20.5
5q-4.5 1.7-9 0l-2 5.2q-4.5-.7-5 2.3z"/>""",
    "cattle_thief": """
<circle cx="16" cy="16" r="14.5" fill="#4f3f78"/>
<path fill="none" stroke="#f4ead6" stroke-width="2.6" stroke-linecap="round" d="M10 11Q5 10 5.8 6.5M22 11q5-1
4.2-4.5"/>
<path fill="#c98f5e" d="M9.5 9.5h13 l1.5 4-3 5-1 7q-4 3-8 0l-1-7-3-5z"/>
<path fill="#f0b7a8" stroke-width="1" d="M11.7 21h8.6q.7 6-4.3 6t-4.3-6z"/>
<path fill="#1d1714" stroke="none" d="M6.5 12.5q5-1.5 9.5-.3 4.5-1.2 9.5.3 0 5.5-5 5.5-3 0-4.5-2.3-1.5 2.3-4.5
2.3-5 0-5-5.5z"/>
<path fill="#fff" stroke="none" d="M10 13.8q2-.8 4 .6-.7 1.9-2.2 1.9T10 13.8zM22 13.8q-2-.8-4 .6.7 1.9 2.2
1.9t1.8-2.5z"/>""",
    "gold_digger": """
<circle cx="16" cy="16" r="14.5" fill="#a86f12"/>
<path fill="none" stroke-width="4.4" stroke-linecap="round" d="M9.5 25L20.5 11"/>
<path fill="none" stroke="#e2b27a" stroke-width="2.4" stroke-linecap="round" d="M9.5 25L20.5 11"/>
<path fill="#dfe4e8" d="M10 6.5Q20 4.5 26.5 18q-3.5-3.5-6.5-5.7T10 6.5z"/>
<path fill="#f7c52d" d="M16.5 26.5l1.5-4 4-1.5 3 2.5-.7 3.3-3.8 1.7z"/>""",
    "trapper": """
<circle cx="16" cy="16" r="14.5" fill="#2f6470"/>
<path fill="#9b6b43" d="M20.5 14q5.5 1 5.5 8 0 4-2 5-3-1-3-5.5 0-4-2-5z"/>
<path fill="none" stroke="#3a2a20" stroke-width="1.8" d="M22.5 18.5l3.2-1.2M22 22.5h4M22.5 25.5l 2.5-.5"/>
<path fill="#b98455" d="M6 15Q6 5.5 14 5.5t8 9.5z"/>
<path fill="#7c5232" d="M5 14.5q9-3 18 0v4.5q-9-3-18 0z"/>
<path fill="none" stroke="#7c5232" d="M10 7.5l-1 5M14 6v6M18 7.5l1 5"/>""",
    "farmer": """
<circle cx="16" cy="16" r="14.5" fill="#4c7a34"/>
<path fill="none" stroke-width="4.2" stroke-linecap="round" d="M16 27V15M10.5 5.5v5q0 4.5 5.5 4.5t5.5-4.5v-5M16
5.5v10"/>
<path fill="none" stroke="#e2b27a" stroke-width="2.4" stroke-linecap="round" d="M16 27V15"/>
<path fill="none" stroke="#e8edf0" stroke-width="2.2" stroke-linecap="round" d="M10.5 5.5v5q0 4.5 5.5
4.5t5.5-4.5v-5M16 5.5v9"/>""",
    "cowboy": """
<circle cx="16" cy="16" r="14.5" fill="#e7d3ac"/>
<path fill="#8b5a2b" d="M3.8 19q1-3 3.7-2 8.5 3 17 0 2.7-1 3.7 2-4 5.5-12.2 5.5T3.8 19z"/>
<path fill="#a9703f" d="M9 19q0-9 2.5-11.5 2.3-1 4.5 1 2.2-2 4.5-1Q23 10 23 19 q-7 2.3-14 0z"/>
<path fill="#5e3a1a" stroke="none" d="M9.3 15.5q6.7 2 13.4 0l.3 3q-7 2.3-14 0z"/>""",
    # A ranchero: its colour is that of the place where it is used.
    "ranchero": """
<path fill="currentColor" stroke="#fff" stroke-width="4" stroke-linejoin="round" d="M16 14q8 1 9 7l1.5 9 h-21L7
21q1-6 9-7zM11 9q0-6 2.5-6.5L16 3.5l2.5-1Q21 3 21 9l5.5 1q-3 3.5-10.5 3.5T5.5 10z"/>
<path fill="currentColor" stroke-width="1.2" d="M16 13q8 1 9 8l1.5 9h-21L7 21q1-7 9-8z"/>
<path fill="currentColor" stroke-width="1.2" d="M11 9q0-6 2.5-6.5L16 3.5l2.5-1Q21 3 21 9l5.5 1q-3 3.5-10.5
3.5T5.5 10z"/>""",
    "bridge": """
<path fill="#b07d4b" d="M4 3h24v26H4z"/>
<path fill="none" stroke-width="1" d="M4 8h24M4 13.3h24M4 18.6h24 M4 24h24"/>
<path fill="#7c5232" d="M2.5 1.5h4v29h-4zM25.5 1.5h4v29h-4z"/>""",
    "camp": """
<path fill="none" stroke-linecap="round" stroke-width="1.8" d="M14.5 5L16 7.5 17.5 5"/>
<path fill="currentColor" d="M16 7L29 27H3z"/>
<path fill="#fff" fill-opacity=".35" stroke="none" d="M16 7l5 20h8z"/>
<path fill="#3a2a20" d="M16 14l5 13H11z"/>""",
    "trophy": """
<path fill="none" stroke-width="2" d="M9 7H4q0 8 7 9M23 7h5q0 8-7 9"/>
<path fill="#f7c52d" d="M8 4h16q0 15-8 16 T8 4z"/>
<path fill="#d2920f" d="M14.5 20h3v4h4.5v4h-12v-4h4.5z"/>""",
}
