# SPDX-License-Identifier: Apache-2.0
"""A page of a chip under traffic is cheap: a picture changes what is drawn, and builds nothing
anew. `smooth.py` measures the frames."""

from __future__ import annotations

from tests.gdbstub.pages.web.chips import chip_page
from tests.gdbstub.pages.web.smooth import of_trace
from tests.gdbstub.pages.web.visit import ARROWS, Visit, chromium
from tests.patience import HANG_MS

# The elements that are new after so many pictures of traffic.
COUNT = """(pictures) => new Promise((done) => {
  let [seen, added] = [0, 0];
  new MutationObserver((all) => {
    const nodes = all.flatMap((one) => [...one.addedNodes]);
    added += nodes.filter((each) => each.nodeType === 1).length;
  }).observe(document.getElementById('floor'), { childList: true, subtree: true });
  new MutationObserver(() => {
    seen += 1;
    if (seen === pictures) done(added);
  }).observe(document.getElementById('cycle'), { characterData: true, subtree: true });
})"""

NARROW = "Object.assign(document.querySelector('.layers').style, { width: '150px', minWidth: 0 })"
# True if the drawing is narrow now, and its corners have the colour of the page.
CORNERS = """() => {
  const drawn = document.querySelector('.layers canvas');
  const pen = new OffscreenCanvas(drawn.width, drawn.height).getContext('2d');
  pen.drawImage(drawn, 0, 0);
  const at = (x, y) => pen.getImageData(x, y, 1, 1).data.slice(0, 3).join();
  const [right, bottom] = [drawn.width - 1, drawn.height - 1];
  const ends = [[0, 0], [right, 0], [0, bottom], [right, bottom]];
  const page = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).join();
  return drawn.width === 150 && ends.every((end) => at(...end) === page);
}"""


def test_a_picture_builds_nothing_anew() -> None:
    with chip_page() as (address, _), chromium() as browser:
        visit = Visit(browser, address, "desk", "light", "#tile-1-2")
        visit.tab.click("#continue")
        visit.waits_for("driven by the page")
        visit.tab.wait_for_function(ARROWS, timeout=HANG_MS)
        assert visit.tab.evaluate(COUNT, 10) == 0
        visit.tab.hover("#tile-1-2")
        visit.waits_for("tile 1-2", "#tip")
        visit.is_good()
        visit.tab.click("#theme")
        visit.tab.evaluate(NARROW)
        visit.tab.wait_for_function(CORNERS, timeout=HANG_MS)


def test_the_work_of_a_trace() -> None:
    """Parts of a part are counted once, by the processor's time; other threads are no work of the
    page."""
    name = {"name": "thread_name", "pid": 1, "args": {"name": "CrRendererMain"}}
    part = {"ph": "X", "pid": 1, "tid": 1}
    events = [
        {**name, "tid": 1},
        {**part, "name": "RunTask", "ts": 0, "dur": 9000, "tdur": 7000},
        {**part, "name": "FunctionCall", "ts": 100, "dur": 5000, "tdur": 3000},
        {**part, "name": "FunctionCall", "ts": 200, "dur": 1000, "tdur": 1000},
        {**part, "name": "Layout", "ts": 6000, "dur": 500, "tdur": 400},
        {**part, "name": "RasterTask", "ts": 0, "dur": 2000, "tid": 2},
        {**part, "name": "Layout", "ts": 0, "dur": 2000, "tid": 2},
    ]
    work, longest, drawing = of_trace(events)
    assert (work["scripts"], work["layout"], work["styles"]) == (3.0, 0.4, 0.0)
    assert (longest, drawing) == (7.0, 2.0)
