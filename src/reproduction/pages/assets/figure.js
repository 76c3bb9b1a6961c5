"use strict";
// Figures: the value under the pointer, the same by arrow keys, a larger view, data and picture to keep.
{
  const readable = (value) => (value === null ? "–" : String(Number(value.toPrecision(4))));

  // marks of one row stand a little apart: the name of the nearest whole place is theirs
  const nameOf = (panel, value, axis) => {
    const names = panel.names[axis];
    return names[String(value)] ?? (value === null ? undefined : names[String(Math.round(value))]);
  };

  const pointsOf = (panels) => {
    const points = [];
    panels.forEach((panel) => {
      const place = (value, axis) => {
        const [low, high] = panel.limits.slice(2 * axis, 2 * axis + 2);
        const scale = panel.log[axis] ? Math.log : Number;
        return (scale(value) - scale(low)) / (scale(high) - scale(low));
      };
      const named = (value, axis) => nameOf(panel, value, axis) || readable(value);
      panel.series.forEach((series) => {
        series.x.forEach((x, i) => {
          const y = series.y[i];
          if (x === null || y === null) return;
          const [across, up] = [place(x, 0), place(y, 1)];
          if (!(across >= -0.001 && across <= 1.001 && up >= -0.001 && up <= 1.001)) return;
          const [left, bottom, right, top] = panel.box;
          const words = [`${panel.x || "x"}: ${named(x, 0)}`, panel.y || !nameOf(panel, y, 1) ? `${panel.y || "y"}: ${named(y, 1)}` : named(y, 1)];
          if (series.value) words.push(readable(series.value[i]));
          points.push({
            left: left + across * (right - left),
            top: 1 - bottom - up * (top - bottom),
            text: [panel.title, series.name, ...words].filter(Boolean).join("\n"),
          });
        });
      });
    });
    return points;
  };

  const csvOf = (panels) => {
    const quote = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
    const rows = [["panel", "series", "x_name", "x", "y_name", "y", "value"]];
    for (const panel of panels) {
      for (const series of panel.series) {
        series.x.forEach((x, i) => {
          const value = series.value ? series.value[i] : "";
          const named = [x, series.y[i]].map((at, axis) => nameOf(panel, at, axis) ?? at ?? "");
          rows.push([panel.title, series.name, panel.x, named[0], panel.y, named[1], value ?? ""]);
        });
      }
    }
    return rows.map((row) => row.map((value) => quote(String(value))).join(",")).join("\n") + "\n";
  };

  const save = (name, kind, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: kind }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  const pictureOf = (drawing) => {
    const copy = drawing.cloneNode(true);
    const look = getComputedStyle(drawing);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("style", `color:${look.color};font-family:sans-serif`);
    const grid = look.getPropertyValue("--grid").trim() || "#80808055";
    return new XMLSerializer().serializeToString(copy).replaceAll(/var\(--grid,[^)]*\)/g, grid);
  };

  const button = (label, act) => {
    const element = document.createElement("button");
    element.type = "button";
    element.textContent = label;
    element.addEventListener("click", act);
    return element;
  };

  for (const figure of document.querySelectorAll("figure.plot")) {
    const box = figure.querySelector(".plot-box");
    const drawing = box && box.querySelector("svg");
    const block = figure.querySelector("script.plot-data");
    if (!drawing || !block) continue;
    const name = figure.id.replace(/^figure-/, "");
    const panels = JSON.parse(block.textContent);
    let points = null; // made when somebody looks: a page has dozens of figures
    let at = -1;
    const note = document.createElement("div");
    note.className = "plot-note";
    note.setAttribute("role", "status");
    note.hidden = true;
    const ring = document.createElement("div");
    ring.className = "plot-ring";
    ring.hidden = true;
    box.append(ring, note);

    const show = (index) => {
      at = index;
      note.hidden = ring.hidden = at < 0;
      if (at < 0) return;
      const [inner, outer] = [drawing.getBoundingClientRect(), box.getBoundingClientRect()];
      const left = inner.left - outer.left + box.scrollLeft + points[at].left * inner.width;
      const top = inner.top - outer.top + points[at].top * inner.height;
      ring.style.left = `${left}px`;
      ring.style.top = `${top}px`;
      note.textContent = points[at].text;
      const room = note.offsetWidth + 14;
      const beside = left - box.scrollLeft + room > box.clientWidth ? left - room : left + 14;
      note.style.left = `${Math.max(box.scrollLeft, beside)}px`;
      note.style.top = `${Math.max(0, Math.min(top + 10, box.clientHeight - note.offsetHeight))}px`;
    };
    const look = () => (points ??= pointsOf(panels));
    const nearest = (event) => {
      const inner = drawing.getBoundingClientRect();
      let best = -1;
      let least = 24 * 24; // pixels
      look().forEach((point, i) => {
        const across = inner.left + point.left * inner.width - event.clientX;
        const down = inner.top + point.top * inner.height - event.clientY;
        const far = across * across + down * down;
        if (far < least) [best, least] = [i, far];
      });
      return best;
    };
    box.addEventListener("pointermove", (event) => show(nearest(event)));
    box.addEventListener("pointerdown", (event) => show(nearest(event)));
    box.addEventListener("pointerleave", () => show(-1));
    box.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === "Escape" && at >= 0) show(-1);
      else if (step && look().length) {
        event.preventDefault();
        show((at + step + points.length + (at < 0 && step < 0 ? 1 : 0)) % points.length);
      }
    });

    const tools = document.createElement("div");
    tools.className = "plot-tools";
    let size = 1;
    const resize = (factor) => {
      size = factor === 0 ? 1 : Math.min(6, Math.max(1, size * factor));
      show(-1);
      drawing.style.width = size === 1 ? "" : `${100 * size}%`;
      drawing.style.maxWidth = size === 1 ? drawing.dataset.most : "none";
      box.classList.toggle("large", size > 1);
    };
    drawing.dataset.most = drawing.style.maxWidth;
    tools.append(
      button("Larger", () => resize(1.5)),
      button("Smaller", () => resize(1 / 1.5)),
      button("Data", () => save(`${name}.csv`, "text/csv", csvOf(panels))),
      button("Picture", () => save(`${name}.svg`, "image/svg+xml", pictureOf(drawing))),
    );
    const labels = ["larger", "smaller", "data as CSV", "picture as SVG"];
    Array.from(tools.children).forEach((child, i) => {
      child.setAttribute("aria-label", `Figure ${name}: ${labels[i]}`);
    });
    const more = document.createElement("span");
    more.className = "plot-more";
    more.textContent = "Wider than the screen: scroll it sideways.";
    tools.prepend(more);
    const tellMore = () => (more.hidden = box.scrollWidth <= box.clientWidth + 1);
    new ResizeObserver(tellMore).observe(box);
    box.after(tools);
  }
}
