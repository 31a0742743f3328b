/* What is shown: the form and the address in, sentences, pictures and tables out. */
"use strict";

(() => {
  const data = (id) => JSON.parse(document.getElementById(id).textContent);
  const TEXTS = data("texts");
  const PUBLISHED = data("published-releases");
  const $ = (id) => document.getElementById(id);
  const say = (key, words = {}) =>
    TEXTS[`page.${key}`].replace(/\{(\w+)\}/g, (gap, name) => (name in words ? words[name] : gap));

  // --- numbers in words: to the safe side, never to none or all ---------------------------------

  /** A chance in so many, as the reports write it. */
  function chance(value, isUpper, of) {
    let share = value * of;
    const nearest = Math.round(share);
    if (nearest < of && Math.abs(nearest - share) <= 1e-12 * share) share = nearest;
    const say1 = (key, count) =>
      say(key, { number: say("say.of", { count: count.toLocaleString("en"), of: of.toLocaleString("en") }) });
    if (share > 0 && share < 1) return say1("say.under", 1);
    if (share < of && share > of - 1) return say1("say.over", of - 1);
    const rare = Math.min(share, of - share);
    const unit = of === 1e6 ? 10 ** Math.max(Math.floor(Math.log10(Math.max(rare, 1))) - 1, 0) : 1;
    const isRare = rare === share;
    const few = (isUpper === isRare ? Math.ceil(rare / unit) : Math.floor(rare / unit)) * unit;
    return say1(isUpper ? "say.at-most" : "say.at-least", isRare ? few : of - few);
  }

  const inHundred = (value) => +(100 * value).toPrecision(12);
  const given = (prior, of) =>
    say("say.of", { count: (+(prior * of).toPrecision(12)).toLocaleString("en"), of: of.toLocaleString("en") });

  /** Out of how many: a small start or a small change keeps its size. */
  const scale = (prior, change) =>
    [100, 1000].find((of) => prior * of >= 1 && change * of >= 1) || 1e6;

  /** With so many digits, to the safe side. */
  function digits(value, count, isUpper = true) {
    if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
    if (value === 0) return "0";
    const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - count + 1);
    const nearest = Math.round(value / step);
    const isNear = Math.abs(nearest - value / step) <= 1e-9 * Math.abs(nearest);
    const whole = isNear ? nearest : (isUpper ? Math.ceil : Math.floor)(value / step);
    const found = +(whole * step).toPrecision(count);
    // nearly certain is not certain
    return found === 1 && value < 1 && count < 16 ? digits(value, count + 1, isUpper) : String(found);
  }

  // --- the state: what the address says --------------------------------------------------------

  const START = {
    way: "promise", kind: "pure", epsilon: 1, delta: 1e-6, rho: 0.5, mu: 1, neighbors: "add-remove",
    secret: "membership", count: 1, kind2: "pure", epsilon2: 2, delta2: 1e-6, rho2: 0.5, mu2: 1,
    neighbors2: "add-remove", published: "0", prior: 10, confidence: 99, limit: 20,
  };
  const LOGARITHMIC = new Set([
    "epsilon", "delta", "rho", "mu", "count", "epsilon2", "delta2", "rho2", "mu2",
  ]);
  const RANGES = {
    epsilon: [0, 1e4], delta: [0, 0.999999], rho: [0, 1e4], mu: [0, 1e3], count: [1, 1e9],
    prior: [0, 100], confidence: [0.0001, 99.9999999999], limit: [0, 100],
  };
  const PARAMETERS = {
    pure: ["epsilon"], approximate: ["epsilon", "delta"], concentrated: ["rho"], gaussian: ["mu"],
  };
  const range = (name) => RANGES[name.replace("2", "")];

  /** What an address says; what it does not say, or says wrongly, is as at the start. */
  function read(address) {
    const asked = new URLSearchParams(address.replace(/^#/, ""));
    const state = { ...START };
    for (const [name, value] of asked) {
      if (!Object.hasOwn(START, name)) continue;
      const field = $(name);
      if (typeof START[name] === "number") {
        const number = Number(value);
        const [low, high] = range(name);
        if (value.trim() && number >= low && number <= high) state[name] = number;
      } else if (name === "way" ? document.querySelector(`[data-way="${CSS.escape(value)}"]`)
        : [...field.options].some((one) => one.value === value)) {
        state[name] = value;
      }
    }
    state.count = Math.round(state.count);
    return state;
  }

  const address = (state) =>
    "#" + new URLSearchParams(Object.entries(state).filter(([name, value]) =>
      name === "way" || value !== START[name])).toString();

  // --- what is asked ----------------------------------------------------------------------------

  const parametersOf = (state, mark = "") =>
    Object.fromEntries(PARAMETERS[state[`kind${mark}`]].map((name) => [name, state[name + mark]]));

  /** The promise that counts: composed, and over two steps where the secret takes two. */
  function promised(state, mark = "", count = state.count) {
    const kind = state[`kind${mark}`];
    const single = engine.guarantee(kind, parametersOf(state, mark)).repeated(count);
    const isReplaced = state[`neighbors${mark}`] === "replace-one";
    return !isReplaced && state.secret === "attribute" ? single.twice() : single;
  }

  const failure = (state) => 1 - state.confidence / 100;
  const lossOf = (promise, state) => promise.loss(promise.certain ? 0 : failure(state));

  const symbols = { epsilon: "ε", delta: "δ", rho: "ρ", mu: "μ" };
  const named = (state, mark = "") =>
    PARAMETERS[state[`kind${mark}`]].map((name) => `${symbols[name]} = ${state[name + mark]}`).join(", ");

  // --- pieces of the page -----------------------------------------------------------------------

  const SVG = "http://www.w3.org/2000/svg";

  /** An element; text is always text, never markup. */
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
  function icons(value, isUpper, of, words) {
    const all = of === 100 ? 100 : 1000;
    const across = all === 100 ? 10 : 40;
    const share = value * all;
    const filled = isUpper ? Math.ceil(share - 1e-9) : Math.floor(share + 1e-9);
    const count = share > 0 && filled === all && value < 1 ? all - 1 : filled;
    const drawing = made("svg:svg", {
      viewBox: `0 0 ${across * 10} ${(all / across) * 10}`, role: "img", "aria-label": words,
    });
    for (let i = 0; i < all; i += 1) {
      drawing.append(made("svg:circle", {
        cx: (i % across) * 10 + 5, cy: Math.floor(i / across) * 10 + 5, r: 3.8,
        class: i < count ? "filled" : "empty",
      }));
    }
    return made("figure", {}, drawing, made("figcaption", {}, words));
  }

  /** Where the chance can end up, for every start. */
  function band(loss, prior) {
    const at = (p) => engine.beliefs(loss, p).posterior;
    const steps = Array.from({ length: 101 }, (_, i) => i / 100);
    const x = (p) => 34 + 250 * p;
    const y = (p) => 264 - 250 * p;
    const path = [
      ...steps.map((p) => [p, at(p)[1]]), ...steps.reverse().map((p) => [p, at(p)[0]]),
    ].map(([p, q]) => `${x(p).toFixed(1)},${y(q).toFixed(1)}`).join(" ");
    const [low, high] = at(prior);
    const of = scale(prior, high - prior);
    const alt = say("band.alt", {
      before: given(prior, of), low: chance(low, false, of), high: chance(high, true, of),
    });
    const ticks = [0, 50, 100].flatMap((tick) => [
      made("svg:text", { x: x(tick / 100), y: 278, "text-anchor": "middle" }, String(tick)),
      made("svg:text", { x: 30, y: y(tick / 100) + 4, "text-anchor": "end" }, String(tick)),
    ]);
    const drawing = made("svg:svg", { viewBox: "0 0 296 300", role: "img", "aria-label": alt },
      made("svg:path", { class: "axis", d: `M${x(0)},${y(1)}V${y(0)}H${x(1)}M${x(0)},${y(0)}L${x(1)},${y(1)}` }),
      made("svg:polygon", { class: "area", points: path }),
      made("svg:path", { class: "handle", d: `M${x(prior)},${y(low)}V${y(high)}` }),
      made("svg:text", { x: 159, y: 294, "text-anchor": "middle" }, `${say("band.x")} (100)`),
      made("svg:text", { x: 10, y: 139, "text-anchor": "middle", transform: "rotate(-90 10 139)" },
        `${say("band.y")} (100)`),
      ...ticks);
    return made("div", { class: "band" }, made("h3", {}, say("band")), drawing);
  }

  const paragraph = (text, extra = "") => made("p", extra ? { class: extra } : {}, text);

  /** The sentences about one start. */
  function sentences(state, loss, isCertain) {
    const prior = state.prior / 100;
    const { posterior: [, most] } = engine.beliefs(loss, prior);
    const of = scale(prior, most - prior);
    const after = chance(most, true, of);
    const what = say(`what.${state.secret}`);
    return [
      paragraph(say("say.suppose", { before: given(prior, of), what })),
      paragraph(say(most > 0.99 && prior < 0.9 ? "say.almost" : "say.most", { after })),
      paragraph(isCertain ? say("say.always")
        : say("say.mostly", { sure: digits(state.confidence, 12, false) }), "more"),
    ];
  }

  function pictures(state, loss) {
    const prior = state.prior / 100;
    const [, most] = engine.beliefs(loss, prior).posterior;
    const of = Math.min(scale(prior, most - prior), 1000);
    const cases = made("div", { class: "cases" },
      icons(prior, true, of, say("before", { chance: given(prior, of) })),
      icons(most, true, of, say("after", { chance: chance(most, true, of) })));
    return made("div", { class: "pictures" },
      made("div", {}, made("h3", {}, say("picture")), cases), band(loss, prior));
  }

  function beliefsTable(loss) {
    const rows = [0.01, 0.1, 0.5].map((prior) => {
      const { posterior: [low, high], difference: [fall, rise] } = engine.beliefs(loss, prior);
      return [digits(prior, 3), digits(low, 3, false), digits(high, 3),
        digits(Math.max(rise, -fall), 3)];
    });
    const { anywhere, worst } = engine.beliefs(loss, 0.5);
    rows.push([say("table.any"), "", "", `${digits(anywhere, 3)} (${digits(worst, 3)})`]);
    return table(say("table.beliefs"),
      ["before", "least", "most", "change"].map((key) => say(`table.${key}`)), rows);
  }

  const testsTable = (promise) =>
    table(say("table.tests"), [say("table.level"), say("table.power")],
      [0.01, 0.05, 0.1].map((level) => [String(level), digits(promise.power(level), 3)]));

  function repeatedTable(state) {
    const prior = state.prior / 100;
    const counts = [1, 2, 5, 10, 50, 365].map((more) => more * state.count);
    return table(say("table.repeated"), [say("table.count"), say("table.after")],
      counts.map((count) => {
        const loss = lossOf(promised(state, "", count), state);
        const [, most] = engine.beliefs(loss, prior).posterior;
        return [count.toLocaleString("en"), chance(most, true, scale(prior, most - prior))];
      }));
  }

  function details(title, ...lines) {
    return made("details", {}, made("summary", {}, title), ...lines);
  }

  function again(state) {
    const flags = Object.entries(parametersOf(state)).map(([name, value]) => `--${name} ${value}`);
    const command = ["dprisk assess", ...flags, `--neighbors ${state.neighbors}`,
      `--secret ${state.secret}`, `--prior ${+(state.prior / 100).toPrecision(12)}`,
      state.kind === "pure" ? "" : `--confidence ${+(state.confidence / 100).toPrecision(12)}`]
      .filter(Boolean).join(" ");
    const names = { pure: "PureDP", approximate: "ApproxDP", concentrated: "ZeroConcentratedDP", gaussian: "GaussianDP" };
    const values = Object.values(parametersOf(state)).join(", ");
    const sure = state.kind === "pure" ? "" : `confidence=${+(state.confidence / 100).toPrecision(12)}, `;
    const python = `from dprisk import ${names[state.kind]}, disclosure\n\n` +
      `promise = ${names[state.kind]}(${values}, neighbors="${state.neighbors}")\n` +
      `disclosure(promise, ${sure}secret="${state.secret}").posterior(${+(state.prior / 100).toPrecision(12)})`;
    return [made("h3", {}, say("again")), made("pre", { tabindex: "0" }, command),
      made("h3", {}, say("again.python")), made("pre", { tabindex: "0" }, python)];
  }

  function computed(state, promise, loss) {
    const lines = [
      say("computed.loss", { loss: digits(loss, 6), factor: digits(Math.exp(loss), 4) }),
      say(`computed.${state.kind}`),
    ];
    if (state.kind !== "pure") {
      lines.push(say("computed.epsilon", { epsilon: digits(promise.epsilon(1e-6), 6) }));
    }
    if (state.count > 1) lines.push(say("computed.repeated"));
    return details(say("computed"), ...[...lines, say("computed.rounding")].map((one) => paragraph(one)));
  }

  const assumed = (neighbors) => details(say("assumed"), made("ul", {},
    ...[say("assumed.knows"), say("assumed.neighbors", { neighbors: say(`neighbors.${neighbors}`) }),
      say("assumed.processed"), say("assumed.worst")].map((one) => made("li", {}, one))));

  // --- the four ways ----------------------------------------------------------------------------

  function unlimited(state, delta) {
    return [[paragraph(say("say.none", {
      cases: digits(1 / delta, 3, false), most: digits(100 * (1 - delta), 12, false),
    }))], []];
  }

  const WAYS = {
    promise(state) {
      if (state.secret === "membership" && state.neighbors === "replace-one") {
        return [[paragraph(say("say.meaningless"))], []];
      }
      const promise = promised(state);
      const loss = lossOf(promise, state);
      if (loss === Infinity && state.kind === "approximate") {
        return unlimited(state, promise.delta(1e6));
      }
      const head = sentences(state, loss, promise.certain);
      if (state.secret === "attribute" && state.neighbors === "add-remove") {
        head.push(paragraph(say("say.impossible"), "more"));
      }
      return [head, [pictures(state, loss),
        made("div", { class: "tables" }, beliefsTable(loss), testsTable(promise), repeatedTable(state)),
        computed(state, promise, loss), assumed(state.neighbors), ...again(state)]];
    },

    release(state) {
      const one = PUBLISHED[Number(state.published)];
      const asked = { ...state, secret: one.secret, confidence: 100 * (one.confidence || 0.99) };
      const head = sentences(asked, one.loss, one.confidence === null);
      return [[...head, paragraph(say("say.published", one), "more")], [
        pictures(asked, one.loss), made("div", { class: "tables" }, beliefsTable(one.loss),
          table(say("table.tests"), [say("table.level"), say("table.power")],
            one.powers.map(([level, power]) => [String(level), digits(power, 3)]))),
        assumed(one.neighbors)]];
    },

    budget(state) {
      const [prior, limit] = [state.prior / 100, state.limit / 100];
      if (!(limit > prior) || prior === 0) return [[paragraph(say("say.budget.none"))], []];
      const most = Math.log(limit) - Math.log1p(-limit) - Math.log(prior) + Math.log1p(-prior);
      const releases = state.count === 1 ? say("say.releases.one")
        : say("say.releases", { count: state.count.toLocaleString("en") });
      const two = state.secret === "attribute" && state.neighbors === "add-remove";
      /** The largest value that keeps the limit, rounded down. */
      function largest(kind, name) {
        const keeps = (value) => {
          const one = engine.guarantee(kind, { [name]: value }).repeated(state.count);
          return lossOf(two ? one.twice() : one, state) <= most;
        };
        let [low, high] = [-30, 12];
        for (let turn = 0; turn < 60; turn += 1) {
          const middle = (low + high) / 2;
          if (keeps(Math.exp(middle))) low = middle;
          else high = middle;
        }
        return Math.exp(low);
      }
      const epsilon = most === Infinity ? Infinity : largest("pure", "epsilon");
      const of = scale(prior, limit - prior);
      const head = paragraph(say("say.budget", {
        before: given(prior, of), limit: given(limit, of), releases,
      }));
      const rows = [["pure", "epsilon", epsilon],
        ["concentrated", "rho", largest("concentrated", "rho")],
        ["gaussian", "mu", largest("gaussian", "mu")]];
      const off = Math.ceil(Math.log(20) / epsilon);
      return [[head, ...rows.map(([kind, name, value]) =>
        paragraph(say(`say.budget.${kind}`, {
          value: digits(value, 4, false), sure: digits(state.confidence, 12, false),
        }), kind === "pure" ? "" : "more")),
      paragraph(say("say.noise", { off: off.toLocaleString("en") }), "more")],
      [assumed(state.neighbors)]];
    },

    compare(state) {
      const prior = state.prior / 100;
      const marks = ["", "2"];
      const both = marks.map((mark) => promised(state, mark));
      const losses = both.map((one) => lossOf(one, state));
      const most = losses.map((loss) => engine.beliefs(loss, prior).posterior[1]);
      const of = scale(prior, Math.min(...most) - prior);
      const head = [paragraph(say("say.compare", {
        before: given(prior, of), first: chance(most[0], true, of), second: chance(most[1], true, of),
      }))];
      if (state.neighbors !== state.neighbors2) head.push(paragraph(say("say.compare.unlike"), "more"));
      const row = (key, find) => [say(`question.${key}`), ...both.map((one, i) => digits(find(one, i), 3))];
      return [head, [
        made("div", { class: "cases" }, ...most.map((value, i) =>
          icons(value, true, Math.min(of, 1000), `${named(state, marks[i])}: ${chance(value, true, of)}`))),
        table(say("way.compare"),
          [say("table.question"), `${say("table.first")}: ${named(state)}`, `${say("table.second")}: ${named(state, "2")}`],
          [row("posterior", (one, i) => most[i]), row("power", (one) => one.power(0.05)),
            row("epsilon", (one) => one.epsilon(1e-6))])]];
    },
  };

  // --- coming and going ---------------------------------------------------------------------------

  const HIDDEN = {
    promise: ["limit"], release: ["confidence", "limit"], budget: [], compare: ["limit"],
  };

  function fill(state) {
    for (const [name, value] of Object.entries(state)) {
      const field = $(name);
      if (field && field !== document.activeElement) field.value = value;
      const slider = document.querySelector(`[data-slides="${name}"]`);
      if (slider && slider !== document.activeElement) {
        slider.value = LOGARITHMIC.has(name) ? Math.log10(Math.max(value, 1e-300)) : value;
      }
    }
    const wanted = new Set(["", "2"].flatMap((mark) =>
      PARAMETERS[state[`kind${mark}`]].map((name) => name + mark)));
    const isBudget = state.way === "budget";
    document.querySelectorAll("[data-for]").forEach((field) => {
      const name = field.dataset.for;
      const isParameter = name.replace("2", "") in symbols;
      const isCertain = name === "confidence" && state.way === "promise" && state.kind === "pure";
      field.hidden = isCertain || HIDDEN[state.way].includes(name) || (isParameter && (isBudget || !wanted.has(name)))
        || (isBudget && name === "kind");
    });
    document.querySelectorAll("[data-ways]").forEach((set) => {
      set.hidden = !set.dataset.ways.split(" ").includes(state.way);
    });
    document.querySelectorAll("[data-way]").forEach((link) => {
      link.href = address({ ...state, way: link.dataset.way });
      if (link.dataset.way === state.way) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
  }

  function show() {
    const state = read(location.hash);
    fill(state);
    const [head, shown] = WAYS[state.way](state);
    $("headline").replaceChildren(...head);
    $("shown").replaceChildren(...shown);
  }

  /** A change in the form becomes an address; a slider that moves adds no step back. */
  function changed(event) {
    const field = event.target;
    const state = read(location.hash);
    const name = field.dataset.slides || field.name;
    if (!Object.hasOwn(START, name)) return;
    if (field.dataset.slides) {
      const value = LOGARITHMIC.has(name) ? +(10 ** field.value).toPrecision(3) : +field.value;
      state[name] = name === "count" ? Math.round(value) : value;
    } else if (typeof START[name] === "number") {
      const number = Number(field.value);
      const [low, high] = range(name);
      const isGood = field.value.trim() !== "" && number >= low && number <= high;
      field.setCustomValidity(isGood ? "" : `${low} – ${high}`);
      field.setAttribute("aria-invalid", String(!isGood));
      if (!isGood) return;
      state[name] = number;
    } else state[name] = field.value;
    if (name === "neighbors" && state.neighbors === "replace-one") state.secret = "attribute";
    const isStep = event.type === "change";
    history[isStep ? "pushState" : "replaceState"](null, "", address(state));
    show();
  }

  $("asked").addEventListener("input", changed);
  $("asked").addEventListener("change", changed);
  $("asked").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", show);
  addEventListener("popstate", show);
  show();
})();
