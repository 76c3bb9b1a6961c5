// The explorer: filters the rows, keeps the choice in the address, draws the scatter, opens cards.
{
  const data = JSON.parse(document.getElementById("cells-data").textContent);
  const element = (id) => document.getElementById(id);
  const list = element("cells");
  const rows = Array.from(list.children);
  const ids = rows.map((row) => row.id.slice("cell/".length));
  const facets = Object.keys(data.facets);
  const wordOf = (name, i) => data.facets[name].words[data.facets[name].at[i]];
  const labelOf = (name, value) => {
    const facet = data.facets[name];
    return facet.labels ? facet.labels[facet.words.indexOf(value)] : value;
  };
  const textOf = (name, i) => data.texts[name].words[data.texts[name].at[i]];
  const settingOf = (i) => data.setting.words[data.setting.at[i]];
  const numberOf = (name, i) => data.numbers[name][i];
  const make = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const draw = (tag, attributes = {}, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };

  // ---- words: a name means what bears it, any other word is looked for in all names ----
  const squeeze = (text) => text.normalize("NFKD").toLowerCase().replace(/[^a-z0-9%=.+]+/g, "");
  const NAMED = ["agreement", "data", "protocol", "method", "dataset", "metric", "paper"];
  const haystacks = rows.map((row, i) => {
    const paper = data.facets.paper;
    const names = [
      ids[i], paper.labels[paper.at[i]], paper.titles[paper.at[i]], settingOf(i),
      ...["method", "dataset", "table", "agreement", "data", "protocol"].map((n) => wordOf(n, i)),
      labelOf("metric", wordOf("metric", i)), textOf("data_key", i), textOf("also", i),
      data.shown.published[i], data.shown.ours[i], numberOf("published", i), numberOf("ours", i),
    ].join(" ").toLowerCase();
    const words = names.split(/[\s/;,_=()-]+/);
    return new Set([...words, ...names.split(/[\s/;,]+/)].map(squeeze).filter(Boolean));
  });
  const readings = new Map();
  const reading = (word) => {
    if (!readings.has(word)) {
      const wanted = squeeze(word);
      const named = NAMED.map((name) => ({
        name,
        values: data.facets[name].words.filter(
          (value) => squeeze(value) === wanted || squeeze(labelOf(name, value)) === wanted),
      })).find((entry) => entry.values.length);
      readings.set(word, named || { word: wanted });
    }
    return readings.get(word);
  };
  const wordsOf = (query) => {
    // two words that together bear a name, such as "other features" or "table 3", stay together
    const pieces = query.trim().split(/\s+/).filter(Boolean);
    const found = [];
    for (let i = 0; i < pieces.length; i += 1) {
      const pair = i + 1 < pieces.length ? `${pieces[i]} ${pieces[i + 1]}` : "";
      const table = pair && /^table \S+$/i.test(pair);
      if (table) { found.push({ table: squeeze(pieces[i + 1]) }); i += 1; }
      else if (pair && reading(pair).name) { found.push(reading(pair)); i += 1; }
      else found.push(reading(pieces[i]));
    }
    return found;
  };
  const tableOf = (i) => squeeze(wordOf("table", i).split(", ").pop().replace(/^Table /, ""));
  const fits = (piece, i) => {
    if (piece.table !== undefined) return tableOf(i) === piece.table;
    if (piece.name) return piece.values.includes(wordOf(piece.name, i));
    for (const word of haystacks[i]) if (word.startsWith(piece.word)) return true;
    return false;
  };

  // ---- state, kept in the address ----
  const fresh = () => ({ q: "", sort: "", unit: "", box: null, cell: "", chosen: {} });
  let state = fresh();
  const decode = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  const readAddress = () => {
    const found = fresh();
    let rest = location.hash.slice(1);
    if (rest.startsWith("cell/")) {
      const [cell, more = ""] = rest.slice("cell/".length).split("?");
      found.cell = decode(cell);
      rest = more;
    }
    for (const [name, value] of new URLSearchParams(rest)) {
      if (facets.includes(name)) found.chosen[name] = value.split("|");
      else if (name === "box") {
        const numbers = value.split(",").map(Number);
        if (numbers.length === 4 && numbers.every(Number.isFinite)) found.box = numbers;
      } else if (["q", "sort", "unit"].includes(name)) found[name] = value;
    }
    return found;
  };
  const encode = (cell) => encodeURIComponent(cell).replace(/%(2F|3D|2B)/g, (c) => decode(c));
  const address = () => {
    const parts = new URLSearchParams();
    if (state.q) parts.set("q", state.q);
    for (const name of facets) {
      if (state.chosen[name]) parts.set(name, state.chosen[name].join("|"));
    }
    if (state.unit) parts.set("unit", state.unit);
    if (state.box) parts.set("box", state.box.join(","));
    if (state.sort) parts.set("sort", state.sort);
    const query = parts.toString();
    if (!state.cell) return query ? `#${query}` : "#";
    return `#cell/${encode(state.cell)}${query ? `?${query}` : ""}`;
  };
  const remember = (visit) => {
    const next = address();
    if (next === (location.hash || "#")) return;
    history[visit ? "pushState" : "replaceState"](null, "", next);
  };

  // ---- what is chosen ----
  const inBox = (i) => {
    if (!state.box) return true;
    const [x0, x1, y0, y1] = state.box;
    const x = numberOf("published", i);
    const y = numberOf("ours", i);
    const unit = textOf("unit", i) === state.unit;
    return unit && y !== null && x >= x0 && x <= x1 && y >= y0 && y <= y1;
  };
  const select = (without = "") => {
    const pieces = wordsOf(state.q);
    return ids.map((_, i) => i).filter((i) =>
      pieces.every((piece) => fits(piece, i)) && inBox(i) &&
      facets.every((name) => name === without || !state.chosen[name] ||
        state.chosen[name].includes(wordOf(name, i))));
  };
  const distance = (i) => {
    const size = numberOf("difference", i);
    return size === null ? -1 : Math.abs(size) / numberOf("margin", i);
  };
  const SORTS = {
    distance,
    published: (i) => numberOf("published", i),
    ours: (i) => numberOf("ours", i) ?? -Infinity,
  };

  // ---- facets ----
  const OPEN = ["agreement", "data", "paper"];
  const boxes = {};
  for (const name of facets) {
    const facet = data.facets[name];
    const choices = facet.words.map((value) => {
      const input = make("input", { type: "checkbox", value });
      const count = make("span", { class: "n" });
      input.addEventListener("change", () => {
        const chosen = boxes[name].filter((b) => b.input.checked).map((b) => b.value);
        if (chosen.length) state.chosen[name] = chosen; else delete state.chosen[name];
        update(true);
      });
      const label = make("label", {}, input, make("span", {}, labelOf(name, value) || "(none)"), count);
      return { input, count, value, label };
    });
    boxes[name] = choices;
    const details = make("details", {},
      make("summary", {}, facet.title),
      make("div", { class: "values", role: "group", "aria-label": facet.title },
        ...choices.map((c) => c.label)));
    details.open = OPEN.includes(name);
    element("cells-facets").append(details);
  }
  const updateFacets = () => {
    for (const name of facets) {
      const counts = new Map();
      for (const i of select(name)) {
        const value = wordOf(name, i);
        counts.set(value, (counts.get(value) || 0) + 1);
      }
      for (const box of boxes[name]) {
        const number = counts.get(box.value) || 0;
        box.input.checked = (state.chosen[name] || []).includes(box.value);
        box.count.textContent = number;
        box.label.classList.toggle("empty", !number && !box.input.checked);
      }
    }
  };

  // ---- chips: what narrows the list, each with a way to drop it ----
  const chip = (text, drop) => {
    const made = make("button", { type: "button", class: "chip", "aria-label": `Drop ${text}` },
      `${text} ×`);
    made.addEventListener("click", () => { drop(); update(true); element("cells-query").focus(); });
    return made;
  };
  const updateChips = () => {
    const chips = [];
    if (state.q) chips.push(chip(`“${state.q}”`, () => { state.q = ""; }));
    for (const name of facets) {
      for (const value of state.chosen[name] || []) {
        chips.push(chip(`${data.facets[name].title}: ${labelOf(name, value)}`, () => {
          state.chosen[name] = state.chosen[name].filter((other) => other !== value);
          if (!state.chosen[name].length) delete state.chosen[name];
        }));
      }
    }
    if (state.box) chips.push(chip("inside the box", () => { state.box = null; }));
    element("cells-chips").replaceChildren(...chips);
    const read = wordsOf(state.q).map((piece) => {
      if (piece.table !== undefined) return `table ${piece.table}`;
      if (piece.name) return `${data.facets[piece.name].title.toLowerCase()} ${labelOf(piece.name, piece.values[0])}`;
      return `“${piece.word}” in any name`;
    });
    element("cells-read").textContent = read.length ? `Read as: ${read.join(", and ")}.` : "";
  };

  // ---- scatter ----
  const figure = element("cells-figure");
  const unitField = element("cells-unit");
  const units = Array.from(new Set(data.texts.unit.words)).filter(Boolean);
  const nameOf = (unit) => unit.replaceAll("_", " ");
  for (const unit of units) unitField.append(make("option", { value: unit }, nameOf(unit)));
  // drawn at the width it is shown with, so that its text keeps its size on a phone
  const SIZE = { width: 0, height: 0, left: 46, right: 10, top: 10, bottom: 38 };
  const fit = () => {
    SIZE.width = Math.round(Math.min(700, Math.max(300, element("cells-figure").parentElement.clientWidth)));
    SIZE.height = Math.round(Math.max(280, SIZE.width * 0.62));
  };
  const SHAPES = {
    equivalent: "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
    compatible: "M-3.6,-3.6h7.2v7.2h-7.2z",
    near: "M0,-4.6L4.4,3.4H-4.4z",
    different: "M-4.2,-2.4L-2.4,-4.2L0,-1.8L2.4,-4.2L4.2,-2.4L1.8,0L4.2,2.4L2.4,4.2L0,1.8L-2.4,4.2L-4.2,2.4L-1.8,0z",
  };
  const DOT = "M-2.4,0a2.4,2.4 0 1,0 4.8,0a2.4,2.4 0 1,0 -4.8,0z";
  const ticks = (low, high) => {
    const step = 10 ** Math.floor(Math.log10((high - low) / 4));
    const size = [1, 2, 5, 10].map((m) => m * step).find((s) => (high - low) / s <= 7);
    const found = [];
    for (let t = Math.ceil(low / size - 1e-9) * size; t <= high + size * 1e-9; t += size) {
      found.push(Number(t.toPrecision(12)));
    }
    return found;
  };
  const marks = new Map();
  let scale = null;
  const common = (shown) => {
    const counts = new Map();
    for (const i of shown) {
      if (numberOf("ours", i) !== null) counts.set(textOf("unit", i), (counts.get(textOf("unit", i)) || 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1]).map(([unit]) => unit);
  };
  const updateScatter = (shown) => {
    const there = common(shown);
    const unit = there.includes(state.unit) ? state.unit : there[0];
    figure.hidden = !unit;
    marks.clear();
    fit();
    if (!unit) return;
    unitField.value = unit;
    const log = data.log_units.includes(unit);
    const place = (value) => (log ? Math.log10(Math.max(value, 1e-6)) : value);
    const all = ids.map((_, i) => i).filter((i) => textOf("unit", i) === unit && numberOf("ours", i) !== null);
    const own = new Set(shown);
    const inside = all.filter((i) => own.has(i));
    const values = inside.flatMap((i) => [place(numberOf("published", i)), place(numberOf("ours", i))]);
    let low = Math.min(...values);
    let high = Math.max(...values);
    const margin = numberOf("margin", inside[0]);
    const pad = Math.max((high - low) * 0.05, margin);
    low -= pad;
    high += pad;
    if (unit === "percentage" && low >= -pad && low < 0 && Math.min(...values) >= 0) low = 0;
    if (unit === "percentage" && Math.max(...values) <= 100) high = Math.min(high, 100);
    const { width, height, left, right, top, bottom } = SIZE;
    const x = (v) => left + (v - low) / (high - low) * (width - left - right);
    const y = (v) => height - bottom - (v - low) / (high - low) * (height - top - bottom);
    scale = { low, high, unit, log,
      back: (px, py) => [
        low + (px - left) / (width - left - right) * (high - low),
        low + (height - bottom - py) / (height - top - bottom) * (high - low)] };
    const clip = (v) => Math.min(high, Math.max(low, v));
    const corner = (a, b) => `${x(a)},${y(b)}`;
    const band = [
      [low, clip(low + margin)], [clip(high - margin), high], [high, high],
      [high, clip(high - margin)], [clip(low + margin), low], [low, low],
    ].map(([a, b]) => corner(a, b)).join(" ");
    const label = (t) => String(log ? Number((10 ** t).toPrecision(1)) : t);
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": `Published against ours: ${inside.length} cells in ${nameOf(unit)}. The list below has the same cells.` });
    svg.append(draw("polygon", { points: band, class: "band" }));
    for (const t of ticks(low, high)) {
      svg.append(
        draw("path", { d: `M${x(t)},${top}V${height - bottom}M${left},${y(t)}H${width - right}`, class: "grid" }),
        draw("text", { x: x(t), y: height - bottom + 14, "text-anchor": "middle" }, label(t)),
        draw("text", { x: left - 6, y: y(t) + 4, "text-anchor": "end" }, label(t)));
    }
    svg.append(
      draw("path", { d: `M${corner(low, low)}L${corner(high, high)}`, class: "even" }),
      draw("text", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, `published (${nameOf(unit)})`),
      draw("text", { x: 12, y: (top + height - bottom) / 2, "text-anchor": "middle",
        transform: `rotate(-90 12 ${(top + height - bottom) / 2})` }, "ours"));
    for (const i of inside) {
      const word = wordOf("agreement", i);
      const mark = draw("path", {
        d: SHAPES[word] || DOT, class: `p-${word.replaceAll(" ", "-")}`, "data-i": i,
        transform: `translate(${x(place(numberOf("published", i))).toFixed(1)},${y(place(numberOf("ours", i))).toFixed(1)})`,
      }, draw("title", {}, `${wordOf("method", i)}, ${wordOf("dataset", i)} ${settingOf(i)}: published ${data.shown.published[i]}, ours ${data.shown.ours[i]}, ${word}`));
      marks.set(i, mark);
      svg.append(mark);
    }
    svg.append(draw("rect", { class: "box", id: "cells-box", hidden: "" }));
    element("cells-scatter").replaceChildren(svg);
  };
  unitField.addEventListener("change", () => {
    state.unit = unitField.value;
    state.box = null;
    update(true);
  });
  let from = null;
  const placeIn = (svg, event) => {
    const area = svg.getBoundingClientRect();
    return [(event.clientX - area.left) * SIZE.width / area.width,
      (event.clientY - area.top) * SIZE.height / area.height];
  };
  const scatter = element("cells-scatter");
  scatter.addEventListener("pointerdown", (event) => {
    const svg = scatter.querySelector("svg");
    if (event.pointerType === "touch" || !svg) return; // a finger scrolls the page
    from = placeIn(svg, event);
  });
  scatter.addEventListener("pointermove", (event) => {
    if (!from) return;
    const [px, py] = placeIn(scatter.querySelector("svg"), event);
    const box = element("cells-box");
    box.removeAttribute("hidden");
    for (const [name, value] of Object.entries({
      x: Math.min(px, from[0]), y: Math.min(py, from[1]),
      width: Math.abs(px - from[0]), height: Math.abs(py - from[1]) })) box.setAttribute(name, value);
  });
  addEventListener("pointerup", (event) => {
    if (!from) return;
    const svg = scatter.querySelector("svg");
    const start = from;
    from = null;
    const end = placeIn(svg, event);
    if (Math.hypot(end[0] - start[0], end[1] - start[1]) < 6) {
      element("cells-box").setAttribute("hidden", "");
      return;
    }
    const [a, b] = [scale.back(...start), scale.back(...end)];
    const value = (v) => Number((scale.log ? 10 ** v : v).toPrecision(4));
    state.unit = scale.unit;
    state.box = [Math.min(a[0], b[0]), Math.max(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[1], b[1])].map(value);
    update(true);
  });
  scatter.addEventListener("click", (event) => {
    const mark = event.target.closest("[data-i]");
    if (mark) open(Number(mark.dataset.i), true);
  });
  const light = (i, on) => marks.get(i)?.classList.toggle("lit", on);

  // ---- cards ----
  const fixed = (i, value) => value.toFixed(data.decimals[wordOf("metric", i)]);
  const strip = (i) => {
    const ours = numberOf("ours", i);
    const metric = wordOf("metric", i);
    const log = data.log_units.includes(textOf("unit", i));
    if (ours === null || log) return null;
    const published = numberOf("published", i);
    const margin = numberOf("margin", i);
    const text = numberOf("text_ours", i);
    const readings = data.counts.n_readings[i] > 1
      ? [numberOf("readings_low", i), numberOf("readings_high", i)] : [];
    const interval = [published + numberOf("low", i), published + numberOf("high", i)];
    const values = [published - margin, published + margin, ours, ...interval, ...readings,
      ...(text === null ? [] : [text])];
    const low = Math.min(...values);
    const high = Math.max(...values);
    const width = Math.round(Math.min(600, Math.max(280, list.clientWidth - 40)));
    const x = (v) => 96 + (v - low) / (high - low || 1) * (width - 112);
    const lines = [
      ["published", 20], ["ours, 95 %", 44], ...(readings.length || text !== null ? [["readings", 66]] : []),
    ];
    const height = lines.at(-1)[1] + 34;
    const at = Object.fromEntries(lines);
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "strip", role: "img",
      "aria-label": `Published ${data.shown.published[i]}, ours ${data.shown.ours[i]}, 95 % interval ${fixed(i, interval[0])} to ${fixed(i, interval[1])}` });
    svg.append(draw("rect", { x: x(published - margin), y: 6, width: x(published + margin) - x(published - margin),
      height: height - 30, class: "band" }));
    svg.append(draw("path", { d: `M${x(published)},6V${height - 24}`, class: "even" }));
    for (const [name, y] of lines) svg.append(draw("text", { x: 86, y: y + 4, "text-anchor": "end" }, name));
    svg.append(draw("path", { d: "M0,-5L5,0L0,5L-5,0z", class: "m-published", transform: `translate(${x(published)},20)` }));
    svg.append(draw("path", { d: `M${x(interval[0])},44H${x(interval[1])}`, class: "whisker" }));
    svg.append(draw("circle", { cx: x(ours), cy: 44, r: 5, class: "m-ours" }));
    if (at.readings) {
      const y = at.readings;
      if (readings.length) svg.append(draw("path", { d: `M${x(readings[0])},${y}H${x(readings[1])}`, class: "range" }));
      if (text !== null) {
        svg.append(draw("path", { d: `M${x(text)},${y - 6}V${y + 6}`, class: "m-text" }, draw("title", {}, "text reading")));
      }
    }
    for (const t of ticks(low, high)) {
      svg.append(draw("text", { x: x(t), y: height - 6, "text-anchor": "middle" }, String(t)));
    }
    return make("figure", {}, svg, make("figcaption", {},
      "Diamond: published; band: the margin around it. Dot and line: ours, with the 95 % interval of the difference. Last line: lowest to highest reading, with a bar at the text reading."));
  };
  const SEEN = { printed: "as printed", confirmed: "confirmed by a second source", quoted: "quoted by others, not seen in the paper" };
  const card = (i) => {
    const word = wordOf("agreement", i);
    const metric = labelOf("metric", wordOf("metric", i));
    const rowsOf = [];
    const say = (term, ...value) => rowsOf.push(make("div", {}, make("dt", {}, term), make("dd", {}, ...value)));
    const badge = (name) => make("span", { class: `badge v-${name.replace(" ", "-")}` }, `${data.marks[name]} ${name}`);
    const runs = data.counts.runs[i];
    const printed = data.counts.published_runs[i];
    const plural = (n) => `${n} run${n === 1 ? "" : "s"}`;
    const seen = textOf("seen", i);
    say("Published", `${data.shown.published[i]}${printed ? `, taken as the mean of ${plural(printed)}` : ""}${seen ? `; ${SEEN[seen] || seen}` : ""}. `,
      make("a", { href: data.table_at[i] }, "Its table"));
    const whole = (v) => `${v > 0 ? "+" : ""}${Number(v.toPrecision(3))}`;
    if (runs) {
      const log = data.log_units.includes(textOf("unit", i)) ? " powers of ten" : "";
      say("Ours", `${data.shown.ours[i]} over ${plural(runs)}`);
      say("Difference", `${whole(numberOf("difference", i))}${log}, 95 % interval ${whole(numberOf("low", i))} to ${whole(numberOf("high", i))}; margin ±${numberOf("margin", i)}`);
      if (!log) say("Expected", `If print is right, our mean lies between ${fixed(i, numberOf("prediction_low", i))} and ${fixed(i, numberOf("prediction_high", i))} in 95 of 100 repetitions`);
    }
    const stable = numberOf("stable", i);
    say("Agreement", badge(word), stable !== null && runs
      ? ` ${Math.round(stable * 100)} % of resampled runs give the same word${stable < data.stable ? ": it may change with other seeds" : ""}` : "");
    if (data.counts.text_runs[i]) {
      say("Text reading", `${data.shown.text[i]} over ${plural(data.counts.text_runs[i])} `, badge(wordOf("text_agreement", i)),
        ` (${textOf("text_protocol", i)})`);
    } else if (runs) say("Text reading", "was not run");
    if (data.counts.n_readings[i] > 1) {
      say("All readings", `${data.counts.n_readings[i]} were run, from ${fixed(i, numberOf("readings_low", i))} to ${fixed(i, numberOf("readings_high", i))}`);
    }
    if (wordOf("data", i)) {
      say("Data", `${wordOf("data", i)}: `, make("a", { href: "data.html" }, textOf("data_key", i)), ` from ${textOf("data_source", i)}`);
    }
    if (wordOf("protocol", i)) say("Protocol", wordOf("protocol", i));
    if (textOf("reason", i)) say("Reason", textOf("reason", i));
    if (textOf("repeats", i)) {
      say("Repeats", "The same number as ", make("a", { href: `#cell/${encode(textOf("repeats", i))}` }, textOf("repeats", i)), ", which counts");
    }
    if (textOf("seed", i)) say("Seeds", textOf("seed", i));
    if (textOf("source", i)) say("Single runs", make("code", {}, textOf("source", i)), ` (code ${textOf("code", i)})`);
    const command = [textOf("rerun", i), `python -m reproduction explain ${ids[i]}`].filter(Boolean).join("\n");
    say("Rerun", make("pre", { tabindex: "0" }, command));
    const close = make("button", { type: "button", class: "close" }, "Close");
    close.addEventListener("click", () => { shut(); remember(true); rows[i].firstElementChild.focus(); });
    const picture = strip(i);
    return make("article", { class: "card", "aria-label": `Cell ${ids[i]}` },
      make("header", {},
        make("h2", {}, `${wordOf("method", i)} on ${wordOf("dataset", i)}${settingOf(i) ? `, ${settingOf(i)}` : ""}: ${metric}`), close),
      make("p", {}, make("a", { href: `#cell/${encode(ids[i])}` }, make("code", {}, ids[i]))),
      ...(picture ? [picture] : []),
      make("dl", {}, ...rowsOf));
  };
  let opened = -1;
  const shut = () => {
    if (opened < 0) return;
    rows[opened].querySelector(".card")?.remove();
    rows[opened].classList.remove("open");
    rows[opened].firstElementChild.removeAttribute("aria-expanded");
    light(opened, false);
    opened = -1;
    state.cell = "";
  };
  const open = (i, visit) => {
    if (opened !== i) {
      shut();
      opened = i;
      rows[i].append(card(i));
      rows[i].classList.add("open");
      rows[i].firstElementChild.setAttribute("aria-expanded", "true");
    }
    state.cell = ids[i];
    light(i, true);
    rove(i);
    if (visit) {
      remember(true);
      rows[i].scrollIntoView({ block: "nearest" });
      rows[i].firstElementChild.focus({ preventScroll: true });
    }
  };

  // ---- keyboard: one stop for the list, arrows move in it ----
  const asPrinted = ids.map((_, i) => i);
  let shownRows = asPrinted;
  let stop = -1;
  const rove = (i) => {
    if (stop >= 0) rows[stop].firstElementChild.tabIndex = -1;
    stop = i;
    if (i >= 0) rows[i].firstElementChild.tabIndex = 0;
  };
  rows.forEach((row, i) => {
    const link = row.firstElementChild;
    link.tabIndex = -1;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      if (opened === i) { shut(); remember(true); } else open(i, true);
    });
    link.addEventListener("focus", () => { rove(i); light(i, true); });
    link.addEventListener("blur", () => { if (opened !== i) light(i, false); });
    row.addEventListener("pointerenter", () => light(i, true));
    row.addEventListener("pointerleave", () => { if (opened !== i) light(i, false); });
  });
  list.addEventListener("keydown", (event) => {
    const at = shownRows.indexOf(stop);
    if (event.key === "Escape" && opened >= 0) {
      const before = opened;
      shut();
      remember(true);
      rows[before].firstElementChild.focus();
      return;
    }
    if (!event.target.matches(".cells > li > a")) return;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: shownRows.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const target = shownRows[Math.min(Math.max(next, 0), shownRows.length - 1)];
    if (target !== undefined) rows[target].firstElementChild.focus();
  });

  // ---- all together ----
  let laid = asPrinted; // the order in which the rows stand: moving them lays the list out anew
  const lay = (order) => {
    if (order.length === laid.length && order.every((i, place) => i === laid[place])) return;
    list.append(...order.map((i) => rows[i]));
    laid = order;
  };
  const update = (visit = false) => {
    const kept = select();
    const shown = new Set(kept);
    rows.forEach((row, i) => { row.hidden = !shown.has(i); });
    const order = SORTS[state.sort];
    shownRows = order ? kept.slice().sort((a, b) => order(b) - order(a) || a - b) : kept;
    lay(order ? shownRows : asPrinted);
    element("cells-count").textContent = kept.length === ids.length ? `${ids.length} cells` : `${kept.length} of ${ids.length} cells`;
    element("cells-none").hidden = kept.length > 0;
    if (opened >= 0 && !shown.has(opened)) shut();
    if (!shown.has(stop)) rove(shownRows.length ? shownRows[0] : -1);
    element("cells-query").value = state.q;
    element("cells-sort").value = state.sort;
    updateFacets();
    updateChips();
    updateScatter(kept);
    if (opened >= 0) light(opened, true);
    if (visit !== null) remember(visit);
  };
  element("cells-query").addEventListener("input", (event) => {
    state.q = event.target.value.trim() ? event.target.value : "";
    const place = event.target.selectionStart;
    update(false);
    event.target.setSelectionRange(place, place);
  });
  document.querySelector(".finder").addEventListener("submit", (event) => {
    event.preventDefault();
    if (shownRows.length) rows[shownRows[0]].firstElementChild.focus();
  });
  element("cells-sort").addEventListener("change", (event) => {
    state.sort = event.target.value;
    update(true);
  });
  element("cells-clear").addEventListener("click", () => {
    shut();
    state = fresh();
    update(true);
    element("cells-query").focus();
  });
  const follow = () => {
    shut();
    state = readAddress();
    const place = ids.indexOf(state.cell);
    if (place >= 0 && !select().includes(place)) {
      state = { ...fresh(), cell: state.cell }; // a link to a cell shows it, whatever was chosen
    }
    const cell = state.cell;
    update(null);
    if (place >= 0) {
      open(ids.indexOf(cell), false);
      rows[place].scrollIntoView({ block: "start" });
    }
  };
  if (matchMedia("(max-width: 60rem)").matches) document.querySelector(".choices").open = false;
  let across = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === across) return; // a phone's bar that hides changes the height alone
    across = innerWidth;
    updateScatter(select());
  });
  addEventListener("hashchange", follow);
  const early = { q: element("cells-query").value, sort: element("cells-sort").value };
  follow();
  if (early.q.trim() && !state.q) { // typed before this script ran: not lost
    state.q = early.q;
    if (early.sort) state.sort = early.sort;
    update(false);
  }
}
