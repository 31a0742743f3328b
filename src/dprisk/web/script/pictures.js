/* Elements, tables and drawings; text is always text, never markup. */
"use strict";

const pictures = (() => {
  const { say, chance, given, scale } = words;
  const SVG = "http://www.w3.org/2000/svg";

  function made(name, attributes = {}, ...children) {
    const one = name.startsWith("svg:")
      ? document.createElementNS(SVG, name.slice(4))
      : document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => one.setAttribute(key, value));
    one.append(...children);
    return one;
  }

  function table(caption, head, rows) {
    const row = (cells, isHead) => made("tr", {}, ...cells.map((cell, i) =>
      (isHead || i === 0 ? made("th", { scope: isHead ? "col" : "row" }, cell) : made("td", {}, cell))));
    return made("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      made("table", {}, made("caption", {}, caption), made("thead", {}, row(head, true)),
        made("tbody", {}, ...rows.map((cells) => row(cells, false)))));
  }

  /** So many icons in 100, or in the scale's number; part of one where none would be false. */
  function icons(value, isUpper, of, text) {
    const all = of === 100 ? 100 : 1000;
    const across = all === 100 ? 10 : 40;
    const part = value * all;
    const isPart = (part > 0 && part < 1) || (isUpper && part > all - 1);
    const count = isPart ? Math.floor(Math.min(part, all - 1)) : isUpper ? Math.ceil(part - 1e-9) : Math.floor(part + 1e-9);
    const place = (i) => [(i % across) * 10 + 5, Math.floor(i / across) * 10 + 5];
    const drawing = made("svg:svg", {
      viewBox: `0 0 ${across * 10} ${(all / across) * 10}`, role: "img", "aria-label": text,
    });
    for (let i = 0; i < all; i += 1) {
      const [cx, cy] = place(i);
      drawing.append(made("svg:circle", { cx, cy, r: 3.8, class: i < count ? "filled" : "empty" }));
    }
    if (isPart) {
      const [cx, cy] = place(count);
      drawing.append(made("svg:path", { class: "filled", d: `M${cx},${cy - 3.8}a3.8,3.8 0 0,0 0,7.6z` }));
    }
    return made("figure", {}, drawing, made("figcaption", {}, text));
  }

  // --- a square with both axes from 0 to 100 ------------------------------------------------------

  const across = (p) => 34 + 250 * p;
  const above = (p) => 264 - 250 * p;
  const point = ([p, q]) => `${across(p).toFixed(1)},${above(q).toFixed(1)}`;

  function square(alt, xName, yName, ...inside) {
    const ticks = [0, 50, 100].flatMap((tick) => [
      made("svg:text", { x: across(tick / 100), y: 278, "text-anchor": "middle" }, String(tick)),
      made("svg:text", { x: 30, y: above(tick / 100) + 4, "text-anchor": "end" }, String(tick)),
    ]);
    return made("svg:svg", { viewBox: "0 0 296 300", role: "img", "aria-label": alt },
      made("svg:path", { class: "axis", d: `M${across(0)},${above(1)}V${above(0)}H${across(1)}M${across(0)},${above(0)}L${across(1)},${above(1)}` }),
      ...inside,
      made("svg:text", { x: 159, y: 294, "text-anchor": "middle" }, say("axis", { name: xName })),
      made("svg:text", { x: 10, y: 139, "text-anchor": "middle", transform: "rotate(-90 10 139)" },
        say("axis", { name: yName })),
      ...ticks);
  }

  const framed = (title, drawing, kind = "", caption = "") =>
    made("div", { class: `band ${kind}` }, made("h3", {}, title), drawing,
      ...(caption ? [made("p", { class: "why" }, caption)] : []));

  /** Where the chance can end up, for every start; with marks, these can be drawn. */
  function band(loss, prior, marks, title = say("band")) {
    const at = (p) => engine.beliefs(loss, p).posterior;
    const steps = Array.from({ length: 101 }, (_, i) => i / 100);
    const highest = steps.flatMap((p) => [[p, at(p)[1]], [at(p)[0], p]]) // close along both axes
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const area = [...highest, ...highest.map(([p, q]) => [q, p]).reverse()].map(point).join(" ");
    const [low, high] = at(prior);
    const of = scale(prior, low, high);
    const alt = say("band.alt", {
      before: given(prior, of), low: chance(low, false, of), high: chance(high, true, of),
    });
    const drawn = marks ? marks.map(([p, q]) =>
      made("svg:circle", { class: "mark", cx: across(p), cy: above(q), r: 5 }))
      : [made("svg:path", { class: "handle", d: `M${across(prior)},${above(low)}V${above(high)}` })];
    return framed(title, square(alt, say("band.x"), say("band.y"),
      made("svg:polygon", { class: "area", points: area }), ...drawn), marks && "draws");
  }

  /** Where a belief in both can end up for every prior, below the line of a profile; or at one prior. */
  function risen(points, cap, ratio) {
    const line = Array.from({ length: 101 }, (_, i) => i / 100).concat(cap / ratio, 1 / ratio)
      .sort((a, b) => a - b).map((p) => [p, Math.min(1, Math.max(cap, ratio * p))]);
    const shown = points.length > 1
      ? made("svg:polygon", { class: "area", points: [...points, [points.at(-1)[0], 0]].map(point).join(" ") })
      : made("svg:circle", { class: "mark", cx: across(points[0][0]), cy: above(points[0][1]), r: 5 });
    return framed(say("risen"), square(say("risen.alt"), say("band.x"), say("band.y"), shown,
      made("svg:polyline", { class: "limit", points: line.map(point).join(" ") })), "", say("risen.alt"));
  }

  /** The power of the best test at every level, from points of it. */
  function curve(powers, advantage) {
    const near = powers.find(([level]) => level === 0.05)[1];
    const middle = [(1 - advantage) / 2, (1 + advantage) / 2];
    const known = [[0, 0], middle, ...powers];
    const swapped = known.map(([level, power]) => [1 - power, 1 - level]); // the two worlds
    const corners = [...known, ...swapped].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const left = Math.min(Math.max(across(middle[0]) + 6, 68), 140);
    const label = (text, down) =>
      made("svg:text", { x: left, y: Math.min(313 - left, 246) + down }, text);
    const gained = advantage === 0 ? [] : [
      made("svg:path", { class: "handle", d: `M${point([middle[0], middle[0]])}V${above(middle[1])}` }),
      label(say("curve.advantage"), 0), label(chance(advantage, true, 100), 15)];
    const alt = say("curve.alt", { power: chance(near, true, 100) });
    return framed(say("curve"), square(alt, say("curve.x"), say("curve.y"),
      made("svg:text", { class: "aside", x: 222, y: 92 }, say("curve.guessing")), ...gained,
      made("svg:polyline", { class: "line", points: corners.map(point).join(" ") })), "", alt);
  }

  /** Where on a square somebody points: both from 0 to 1. */
  function pointed(drawing, event) {
    const box = drawing.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 296;
    const y = ((event.clientY - box.top) / box.height) * 300;
    return [(x - 34) / 250, (264 - y) / 250];
  }

  return { made, table, icons, band, curve, risen, pointed };
})();
