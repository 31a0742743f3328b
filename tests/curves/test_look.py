"""Lines are told apart by everybody: colour-blind, in grey, against white paper."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matplotlib import colormaps

from dprisk.curves.budgets import MAP
from dprisk.curves.look import GREY, INK, STYLES

# G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, A physiologically-based model for simulation
# of color vision deficiency, 2009: severity 1, on linear RGB
EYES = {
    "usual": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
COLORS = sorted({style.color for style in STYLES})


def linear(color):
    """Linear RGB of a hexadecimal colour."""
    c = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """CIELAB, in which distances are about what is seen."""
    xyz = XYZ @ np.clip(rgb, 0.0, 1.0) / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def closest(colors, eyes):
    """The two colours that are most alike to such eyes, and how far apart they are."""
    seen = {color: lab(np.array(EYES[eyes]) @ linear(color)) for color in colors}
    return min((float(np.linalg.norm(seen[a] - seen[b])), a, b) for a, b in combinations(colors, 2))


@pytest.mark.parametrize("eyes", EYES)
def test_colors_differ_to_all_eyes(eyes):
    assert closest(COLORS, eyes)[0] > 15.0


def test_red_and_green_would_be_caught():
    assert closest(["#c03030", "#5a7a20"], "deuteranopia")[0] < 15.0


def test_dashes_differ_without_colors():
    assert len({str(style.dashes) for style in STYLES[:6]}) == 6


def test_no_style_comes_twice():
    assert len(set(map(str, STYLES))) == len(STYLES)


def luminance(color):
    return float(XYZ[1] @ linear(color))


@pytest.mark.parametrize(("color", "least"), [*((c, 3.0) for c in COLORS), (INK, 7.0), (GREY, 4.5)])
def test_contrast_with_paper(color, least):
    """Lines as WCAG 2.1 asks of graphics (1.4.11), words as it asks of text."""
    assert 1.05 / (luminance(color) + 0.05) >= least


def test_map_is_ordered_in_grey():
    grey = [
        float(XYZ[1] @ np.asarray(colormaps[MAP](share))[:3]) for share in np.linspace(0, 1, 65)
    ]
    assert np.all(np.diff(grey) > 0.0)
