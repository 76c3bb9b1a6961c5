"use strict";
// Tables sort by a click on a column's head, filter as you type, and never run out of their box.
for (const box of document.querySelectorAll(".table-box")) {
  const table = box.querySelector("table.data");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const original = rows.slice();
  const heads = Array.from(table.tHead.rows[0].cells);
  const count = box.querySelector(".count");
  const field = box.querySelector("input[type=search]");

  const key = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.sort !== undefined ? cell.dataset.sort : cell.textContent.trim();
    const value = text === "" ? NaN : Number(text);
    return { text, value, empty: text === "" };
  };
  const compare = (a, b) => {
    if (a.empty || b.empty) return a.empty - b.empty;
    if (!Number.isNaN(a.value) && !Number.isNaN(b.value)) return a.value - b.value;
    return a.text.localeCompare(b.text, "en", { numeric: true });
  };
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      let sorted = original.slice();
      if (before !== "descending") {
        const down = before === "ascending";
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const keyed = sorted.map((row, place) => ({ row, place, key: key(row, column) }));
        keyed.sort((a, b) => {
          const order = compare(a.key, b.key);
          // empty cells stay last either way; equal rows keep the paper's order
          return (down && !a.key.empty && !b.key.empty ? -order : order) || a.place - b.place;
        });
        sorted = keyed.map((entry) => entry.row);
      }
      body.append(...sorted);
    });
  });
  if (!field) continue; // few rows need no filter
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = texts.get(row);
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = words.length ? `${shown} of ${rows.length} rows` : `${rows.length} rows`;
  });
}

// A turned choice shows what the same cells and claims are under another reading that was run.
for (const box of document.querySelectorAll(".switch")) {
  const readings = JSON.parse(box.querySelector("script").textContent);
  const marks = JSON.parse(box.dataset.marks);
  const cells = Array.from(document.querySelectorAll("td.cell[title]"), (cell) => ({
    cell,
    id: cell.title.split("\n")[0],
    before: [cell.innerHTML, cell.className, cell.title],
  }));
  const claims = Array.from(document.querySelectorAll("li.claim"), ({ id, firstElementChild: card }) => {
    const mark = card.querySelector(".claim-row .mark:last-child");
    return { id, mark, before: [mark.innerHTML, mark.className] };
  });
  const main = box.dataset.main.split(" ").filter(Boolean);
  box.querySelector("select").addEventListener("change", ({ target }) => {
    const { cells: found, claims: words } = readings[target.value] ?? {};
    const counts = {};
    for (const { id, mark, before } of claims) {
      [mark.innerHTML, mark.className] = before;
      if (!words) continue;
      const word = words[id] ?? "not run";
      mark.className = `mark v-${word.replaceAll(" ", "-")}`;
      mark.firstElementChild.textContent = marks[word];
      mark.lastElementChild.textContent = `by this choice: ${word}. `;
    }
    for (const { cell, id, before } of cells) {
      [cell.innerHTML, cell.className, cell.title] = before;
      if (!found) continue;
      cell.classList.toggle("unturned", !found[id]);
      if (!found[id]) continue;
      const [ours, word, runs] = found[id];
      cell.className = `cell v-${word.replaceAll(" ", "-")}`;
      cell.title = `${id}\n${runs}\n${word}`;
      cell.querySelector(".ours").textContent = ours;
      cell.querySelector(".mark").textContent = marks[word];
      counts[word] = (counts[word] ?? 0) + 1;
    }
    const said = Object.keys(marks).filter((word) => counts[word]).map((word) => `${counts[word]} ${word}`);
    const ran = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const held = main.map((id) => words?.[id]).filter(Boolean);
    const claimed = held.length ? ` Main claim${held.length > 1 ? "s" : ""}: ${held.join(", ")}.` : "";
    box.querySelector("span").textContent = found
      ? `${ran} numbers were run this way: ${said.join(", ")}. Grey ones were not.${claimed} The sentences in the appendix change too; captions, counts and figures do not.`
      : "";
  });
}

// Rows that become cards need the word of the column's head in each cell.
const nameCells = (table) => {
  if (!table.tHead || table.dataset.named) return;
  table.dataset.named = "yes";
  const words = Array.from(table.tHead.rows[0].cells, (head) => head.textContent.trim());
  for (const row of table.tBodies[0].rows) {
    for (const cell of row.cells) cell.dataset.l = words[cell.cellIndex];
  }
};

// A table that is too wide is drawn tighter; if that is not enough, its rows become cards.
const fitTables = (parts = [document]) => {
  // all are changed, then all are measured: one layout a step, whatever the number of tables
  let wide = parts.flatMap((part) => Array.from(part.querySelectorAll("table.data, table.prose, .plain-output table")));
  wide = wide.filter((table) => !table.closest("details:not([open])")); // fitted when it opens
  for (const table of wide) table.classList.remove("tight", "stacked");
  for (const step of ["tight", "stacked"]) {
    wide = wide.filter(({ parentElement: box }) => box.scrollWidth > box.clientWidth + 1);
    for (const table of wide) table.classList.add(step);
    if (step === "stacked") wide.forEach(nameCells);
  }
};
// A formula that is wider than its line scrolls, so the keyboard must reach it; no other needs that.
const reachFormulas = () => {
  for (const box of document.querySelectorAll(".math-box")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
let shownWidth = 0;
const fitAgain = () => {
  if (innerWidth === shownWidth) return; // a phone's bar that hides changes the height alone
  shownWidth = innerWidth;
  document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`); // heads of tables stop below it
  fitTables();
  reachFormulas();
};

// A link into a folded part opens it and what it lies in; paper shows every part.
const folded = Array.from(document.querySelectorAll("details.appendix"));
const showTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const parts = folded.filter((part) => target && part.contains(target));
  parts.push(...(target?.querySelectorAll(":scope > details") ?? []));
  const shut = parts.filter((part) => !part.open);
  if (!shut.length) return;
  for (const part of shut) part.open = true;
  fitTables(shut);
  target.scrollIntoView();
};
// parts that open together are fitted together
let opening = [];
const fitOpened = () => {
  fitTables(opening);
  opening = [];
};
for (const part of folded) {
  part.addEventListener("toggle", () => {
    if (part.open && opening.push(part) === 1) setTimeout(fitOpened);
  });
}
addEventListener("hashchange", showTarget);
document.addEventListener("click", (event) => {
  if (event.target.closest?.('a[href^="#"]')) setTimeout(showTarget);
});
let closed = [];
addEventListener("beforeprint", () => {
  closed = folded.filter((part) => !part.open);
  for (const part of closed) part.open = true;
  fitTables();
});
addEventListener("afterprint", () => closed.forEach((part) => (part.open = false)));

// Beside the text the contents stand open and mark where the reader is; above it they are folded.
const contents = document.querySelector(".contents");
if (contents) {
  const wide = matchMedia("(min-width: 75rem)");
  const follow = () => (contents.open = wide.matches);
  follow();
  wide.addEventListener("change", follow);
  const links = new Map(Array.from(contents.querySelectorAll("a"), (link) => [link.hash.slice(1), link]));
  const headings = Array.from(links.keys(), (id) => document.getElementById(id));
  let marked = null;
  const mark = () => {
    // the last heading above a quarter of the screen; those of folded parts have no place
    const seen = headings.filter((heading) => heading.getClientRects().length);
    const above = seen.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 4);
    const here = links.get(above.at(-1)?.id);
    if (here === marked) return;
    marked?.removeAttribute("aria-current");
    here?.setAttribute("aria-current", "true");
    marked = here;
  };
  let asked = false;
  const markSoon = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      mark();
    });
  };
  addEventListener("scroll", markSoon, { passive: true });
  addEventListener("toggle", markSoon, true);
  markSoon();
}
// The bar of pages shows the one that is open, also where it is wider than the screen.
const bar = document.querySelector(".bar");
const current = bar.querySelector("[aria-current]");
if (current) bar.scrollLeft = current.offsetLeft - (bar.clientWidth - current.offsetWidth) / 2;
fitAgain();
showTarget();
addEventListener("resize", fitAgain);
