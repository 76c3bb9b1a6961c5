"""The numbers behind a figure, read back from what was drawn."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from reproduction.pages.figure_data import figure_panels
from reproduction.pages.figures import curve, figure_html, new_figure


def panels_of(figure):
    """Lay a figure out, as saving does, and read it back."""
    figure.draw_without_rendering()
    return figure_panels(figure)


def test_curves_come_back_with_their_names(rng):
    figure, axes = new_figure(1, 2, sharey=True)
    rows = pd.DataFrame({"x": np.repeat([1, 10, 100], 4), "value": rng.normal(size=12)})
    curve(axes[0], rows, "x", label="a method")
    axes[0].set_xscale("log")
    axes[0].set(title="left", xlabel="$\\lambda$", ylabel="accuracy")
    axes[0].axvline(3)  # a guide is no data
    axes[1].plot([0, 1], [2, np.nan])
    left, right = panels_of(figure)
    assert (left["title"], left["x"], left["y"]) == ("left", "lambda", "accuracy")
    assert left["log"] == [True, False]
    (series,) = left["series"]
    assert series["name"] == "a method"
    assert series["x"] == [1, 10, 100]
    means = rows.groupby("x")["value"].mean()
    np.testing.assert_allclose(series["y"], means, rtol=1e-5)
    assert right["y"] == "accuracy"  # the shared axis is named once
    assert right["x"] == ""
    assert right["series"][0]["y"] == [2, None]


def test_bars_points_and_grids(rng):
    figure, axes = new_figure(2, 2)
    heights = rng.uniform(1, 2, size=3)
    axes[0, 0].bar(["Cora", "WebKB", "Leaves"], heights)
    axes[0, 1].barh([0, 1, 2], heights)
    axes[0, 1].set_yticks([0, 1, 2], ["one", "two", "three"])
    axes[1, 0].scatter(heights, -heights, label="points")
    grid = rng.normal(size=(2, 3))
    axes[1, 1].pcolormesh([0, 1, 2], [0, 1], grid)
    standing, lying, points, mesh = panels_of(figure)
    assert standing["names"][0] == {"0": "Cora", "1": "WebKB", "2": "Leaves"}
    assert standing["series"][0]["x"] == [0, 1, 2]
    np.testing.assert_allclose(standing["series"][0]["y"], heights, rtol=1e-5)
    assert lying["names"][1] == {"0": "one", "1": "two", "2": "three"}
    assert lying["series"][0]["y"] == [0, 1, 2]
    np.testing.assert_allclose(lying["series"][0]["x"], heights, rtol=1e-5)
    assert points["series"][0]["name"] == "points"
    np.testing.assert_allclose(points["series"][0]["y"], -heights, rtol=1e-5)
    np.testing.assert_allclose(mesh["series"][0]["value"], grid.ravel(), rtol=1e-5)
    assert mesh["series"][0]["x"] == [0, 1, 2, 0, 1, 2]


def test_a_shared_legend_names_the_curves_of_every_panel():
    figure, axes = new_figure(1, 2)
    (line,) = axes[0].plot([1, 2], label="sum")
    axes[1].plot([3, 4], color=line.get_color())
    axes[1].plot([3, 5], color="black")
    figure.legend(handles=[line])
    names = [[series["name"] for series in panel["series"]] for panel in panels_of(figure)]
    assert names == [["sum"], ["sum", ""]]


def test_a_place_in_the_picture_is_the_place_of_the_value():
    """What the page's script computes lies where the plotting library drew it."""
    figure, axes = new_figure()
    axes.plot([1.0, 4.0, 9.0], [10.0, 100.0, 1000.0])
    axes.set_yscale("log")
    (panel,) = panels_of(figure)
    left, bottom, right, top = panel["box"]
    x0, x1, y0, y1 = panel["limits"]
    across = left + (4 - x0) / (x1 - x0) * (right - left)
    up = bottom + np.log(100 / y0) / np.log(y1 / y0) * (top - bottom)
    drawn = figure.transFigure.inverted().transform(axes.transData.transform((4.0, 100.0)))
    assert (across, up) == pytest.approx(tuple(drawn), abs=1e-4)


def test_the_block_is_data_and_cannot_end_early():
    figure, axes = new_figure()
    axes.plot([1, 2], [3, 4], label="</script><b>")
    text = figure_html(figure, "one", "a line")
    (block,) = re.findall(r'<script type="application/json" class="plot-data">(.*?)</script>', text)
    assert json.loads(block)[0]["series"][0]["name"] == "</script><b>"
    empty, _ = new_figure()
    assert "plot-data" not in figure_html(empty, "none", "nothing")


@pytest.mark.browser
@pytest.mark.xdist_group("report")
def test_a_reader_points_walks_enlarges_and_takes_the_data_home(reports, open_page):
    page = open_page(reports / "mvplsa.html", "desktop")
    box = page.locator("#figure-curve .plot-box")
    panels = json.loads(page.locator("#figure-curve script.plot-data").text_content())
    (panel,) = panels
    series = panel["series"][0]
    note = page.locator("#figure-curve .plot-note")
    assert not note.is_visible()
    box.focus()
    page.keyboard.press("ArrowRight")
    assert f"{series['y'][0]:.4g}" in note.inner_text()
    ring = page.locator("#figure-curve .plot-ring").bounding_box()
    page.keyboard.press("Escape")
    assert not note.is_visible()
    # the pointer at the same place tells the same value
    page.mouse.move(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
    assert f"{series['y'][0]:.4g}" in note.inner_text()
    before = box.locator("svg").bounding_box()["width"]
    page.get_by_role("button", name="Figure curve: larger").click()
    assert box.locator("svg").bounding_box()["width"] > 1.3 * before
    page.get_by_role("button", name="Figure curve: smaller").click()
    assert box.locator("svg").bounding_box()["width"] == pytest.approx(before, abs=1)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Figure curve: data as CSV").click()
    rows = pd.read_csv(saved.value.path())
    assert saved.value.suggested_filename == "curve.csv"
    np.testing.assert_allclose(rows["y"], series["y"])
    with page.expect_download() as saved:
        page.get_by_role("button", name="Figure curve: picture as SVG").click()
    picture = saved.value.path().read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert "var(" not in picture
    assert page.problems == []
