/* What is shown: for each way in, the sentences on top and what stands below. */
"use strict";

const view = (() => {
  const { say, said, whole, chance, given, scale, digits, local, plain } = words;
  const { made, table, icons, band, curve, risen } = pictures;
  const { SYMBOLS, pointsIn, promised, lossOf, named } = asking;
  const PUBLISHED = Object.fromEntries(
    JSON.parse(document.getElementById("published-releases").textContent).map((one) => [one.key, one]));

  const GROWTH = { pure: (count) => count, concentrated: (count) => count, gaussian: Math.sqrt };
  const LEVELS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5];

  // --- pieces of an answer ------------------------------------------------------------------------

  const paragraph = (text, extra = "") => made("p", extra ? { class: extra } : {}, text);
  const tables = (...several) => made("div", { class: "tables" }, ...several);
  const details = (title, ...lines) => made("details", {}, made("summary", {}, title),
    ...lines.map((one) => paragraph(one)));
  const mostFrom = (loss, prior) => engine.beliefs(loss, prior).posterior[1];
  const raised = (loss, prior) => {
    const most = mostFrom(loss, prior);
    return chance(most, true, scale(prior, most));
  };

  /** The headline about one start, in the words of the command line. */
  function sentences(prior, known, claim, loss, confidence) {
    const [low, high] = engine.beliefs(loss, prior).posterior;
    const of = scale(prior, low, high);
    const before = say("headline.before", { observer: say("someone"), known, before: given(prior, of), claim });
    const Sure = confidence === null ? say("start.always")
      : say("start.mostly", { confidence: digits(confidence, 12, false) });
    return [paragraph(before), paragraph(loss === 0 ? say("headline.same", { Sure }) : afterwards(prior, low, high, of, Sure))];
  }

  /** Where a belief can end up; an end beyond the last count is left out where the other says something. */
  function afterwards(prior, low, high, of, Sure) {
    if (prior === 0 || prior === 1) return say("headline.same", { Sure });
    const [isLow, isHigh] = [low < 1 / of, high > (of - 1) / of];
    const [least, most] = [chance(low, false, of), chance(high, true, of)];
    if (isHigh && (prior < (of - 1) / of || isLow)) {
      return say("headline.nearly-all", { open: say(isLow ? "open.both" : "open.most", { least, most }) });
    }
    const ends = isHigh ? least : isLow ? most : say("ends", { least, most });
    return say("headline.after", { Sure, ends });
  }

  function beforeAndAfter(prior, loss) {
    const most = mostFrom(loss, prior);
    const of = Math.min(scale(prior, most), 1000);
    const cases = made("div", { class: "cases" },
      icons(prior, true, of, say("before", { chance: given(prior, of) })),
      icons(most, true, of, say("after", { chance: chance(most, true, of) })));
    return made("div", {}, made("h3", {}, say("picture")), cases);
  }

  function beliefsTable(loss) {
    const rows = [0.01, 0.1, 0.5].map((prior) => {
      const { posterior: [low, high], difference: [fall, rise] } = engine.beliefs(loss, prior);
      return [digits(prior, 3), digits(low, 3, false), digits(high, 3),
        digits(Math.max(rise, -fall), 3)];
    });
    const { anywhere, worst } = engine.beliefs(loss, 0.5);
    rows.push([say("table.any"), "", "", say("table.worst", { change: digits(anywhere, 3), prior: local(plain(+worst.toPrecision(3))) })]);
    return table(say("table.beliefs"),
      ["before", "least", "most", "change"].map((key) => say(`table.${key}`)), rows);
  }

  const testsTable = (powers) =>
    table(say("table.tests"), [say("table.level"), say("table.power")],
      powers.map(([level, power]) => [digits(level, 3), digits(power, 3)]));

  function repeatedTable(state) {
    const prior = state.prior / 100;
    const counts = [...new Set([1, 2, 5, 10, 50, 365, state.count])].sort((a, b) => a - b);
    const losses = counts.map((count) => lossOf(promised(state, "", count), state));
    const enough = losses.findIndex((loss, i) => counts[i] >= state.count && mostFrom(loss, prior) > 0.99);
    const rows = counts.map((count, i) => [whole(count), raised(losses[i], prior)]);
    return table(say("table.repeated"), [say("table.count"), say("table.after")],
      enough < 0 ? rows : rows.slice(0, enough + 1));
  }

  const noiseTable = (rows) => table(say("table.noise"),
    [say("table.kind"), say("table.width"), say("table.off")],
    rows.map(({ kind, width, off }) => [say(`noise.${kind}`), digits(width, 4), digits(off, 3)]));

  function again(command, python, file = "") {
    const whole = (text) => text.split(/(\s+)/).map((word) => // a line breaks between words only
      (word.trim() ? made("span", { class: "word" }, word) : word));
    const shown = (key, text) =>
      (text ? [made("h3", {}, say(key)), made("pre", { tabindex: "0" }, ...whole(text))] : []);
    return made("div", {}, ...shown("again.file", file), ...shown("again", command), ...shown("again.python", python));
  }

  function computed(state, promise, loss) {
    const lines = [
      say("computed.loss", { loss: digits(loss, 6), factor: digits(Math.exp(loss), 4) }),
      say(`computed.${state.kind}`),
    ];
    if (state.kind !== "pure") {
      lines.push(say("computed.epsilon", { epsilon: digits(promise.epsilon(1e-6), 6) }));
    }
    if (state.count > 1) lines.push(say(state.kind === "pure" ? "computed.certain" : "computed.repeated"));
    return details(say("computed"), ...lines, say("computed.noise"), say("computed.rounding"));
  }

  const lower = (text) => text[0].toLowerCase() + text.slice(1);
  const assumed = (neighbors) => made("div", {}, made("h3", {}, say("assumed")), made("ul", {},
    ...[say("assumed.knows"), ...[neighbors].flat().map((one) => say("assumed.neighbors", { neighbors: lower(say(`neighbors.${one}`)) })),
      say("assumed.processed"), say("assumed.worst")].map((one) => made("li", {}, one))));

  /** What was promised, for whom, and how often. */
  function promiseLine(state) {
    const line = say(state.count === 1 ? "say.promised.one" : "say.promised", {
      promise: named(state), unit: say(`one.${state.unit}`), changed: say(`changed.${state.neighbors}`),
      count: whole(state.count),
    });
    return paragraph(state.count > 1 && state.kind in GROWTH ? `${line} ${together(state)}` : line, "more");
  }

  /** What all releases promise together. */
  function together(state) {
    const [[name, value]] = Object.entries(asking.parameters(state));
    const total = digits(value * GROWTH[state.kind](state.count), 6);
    return say("say.together", { promise: `${SYMBOLS[name]}\u00a0=\u00a0${total}` });
  }

  const releases = ({ count }) =>
    (count === 1 ? say("say.releases.one") : say("say.releases", { count: whole(count) }));
  const costTable = (costs) => table(say("table.noise"),
    ["promise", "kind", "width", "off"].map((key) => say(`table.${key}`)),
    costs.map(({ promise, kind, width, off }) => [promise, say(`noise.${kind}`), digits(width, 4), digits(off, 3)]));
  const costLine = ([{ kind, off }]) =>
    paragraph(say("say.noise", { noise: say(`noise.${kind}`), off: digits(off, 3) }), "more");

  /** The largest epsilon that keeps a risk profile. */
  function byProfile(state) {
    const isReplaced = asking.isReplaced(state);
    const { epsilon, p, both } = profiles.solve(state, isReplaced);
    const each = epsilon / state.count;
    const [included, valued] = [state.included, state.valued].map((one) => given(one / 100, 100));
    const where = say(`profile.${isReplaced ? "inside." : ""}${state.covered}`, { included, valued });
    const head = [paragraph(say("say.profile", {
      cap: given(state.cap / 100, 100), ratio: local(plain(state.ratio)), releases: releases(state), where,
    }))];
    if (epsilon === Infinity) return [[...head, paragraph(say("say.profile.free"))], []];
    const value = digits(each, 4, false);
    head.push(paragraph(each === 0 ? say("say.profile.zero")
      : say("say.budget.pure", { each: state.count === 1 ? "" : say("say.each"), value })));
    const near = (share) => say("say.of", { count: digits(100 * share, 3, false), of: 100 });
    head.push(paragraph(say(`say.profile.binds${isReplaced ? ".inside" : ""}`,
      { included: near(p), valued: near(p && both / p) }), "more"));
    const costs = noise("pure", { epsilon: each }).map((one) => ({ ...one, promise: `ε = ${value}` }));
    if (costs.length) head.push(costLine(costs));
    head.push(paragraph(say("say.profile.others"), "more"));
    return [head, [risen(profiles.reached(state, isReplaced, epsilon), state.cap / 100, state.ratio),
      costTable(costs), made("div", {}, made("h3", {}, say("assumed")), made("ul", {},
        ...[say("assumed.independent"), say("assumed.mechanism"),
          say("assumed.neighbors", { neighbors: lower(say(`neighbors.${state.neighbors}`)) }),
          say("assumed.processed"), say("assumed.worst")].map((one) => made("li", {}, one)))),
      details(say("computed"), say("computed.profile"), say("computed.noise"), say("computed.rounding")),
      again(commands.profile(state), commands.solved(state), commands.written(state))]];
  }

  // --- the four ways ----------------------------------------------------------------------------

  const WAYS = {
    promise(state) {
      const line = promiseLine(state);
      const promise = promised(state);
      const loss = lossOf(promise, state);
      if (loss === Infinity && "delta" in asking.parameters(state)) {
        const open = promise.delta(1e9);
        return [[paragraph(say("say.none", {
          cases: digits(1 / open, 3, false), most: digits(100 * (1 - open), 12, false),
        })), line], []];
      }
      const prior = state.prior / 100;
      const often = state.count > 1 ? "several" : "one";
      const head = sentences(prior, say(`known.${state.unit}.${often}`), say(`claim.${state.secret}.${state.unit}.${often}`),
        loss, promise.certain ? null : state.confidence);
      head.push(line);
      if (state.secret === "attribute" && state.neighbors === "add-remove") {
        head.push(paragraph(say("say.impossible"), "more"));
      }
      if (["user-day", "event"].includes(state.unit)) head.push(paragraph(say("say.part"), "more"));
      const powers = LEVELS.map((level) => [level, promise.power(level)]);
      return [head, [
        made("div", { class: "pictures" }, beforeAndAfter(prior, loss), band(loss, prior)),
        tables(beliefsTable(loss), repeatedTable(state)),
        tables(curve(powers, promise.delta(0)), testsTable(powers)),
        noiseTable(noise(state.kind, asking.parameters(state))),
        assumed(state.neighbors), computed(state, promise, loss),
        again(commands.assess(state), commands.disclosure(state))]];
    },

    release(state) {
      const one = PUBLISHED[state.published];
      const prior = state.prior / 100;
      const [confidence, loss] = one.losses.find(([sure]) => sure === null || sure * 100 >= state.confidence)
        ?? one.losses.at(-1);
      const { amount, total } = one;
      const claim = amount ? say("what.guess", { fact: said(one.fact) }) : said(one.claim);
      const head = sentences(prior, said(one.known), claim, loss, confidence && +(confidence * 100).toPrecision(12));
      if (one.apart) head.push(paragraph(said(one.apart), "more"));
      head.push(paragraph(amount ? say("say.census", { amount: local(amount), total: local(total) })
        : say("say.certified", { ...one, promise: said(one.promise) }), "more"));
      return [head, [
        made("div", { class: "pictures" }, beforeAndAfter(prior, loss), band(loss, prior)),
        beliefsTable(loss), tables(curve(one.powers, one.advantage), testsTable(one.powers)),
        assumed(one.neighbors),
        details(say("computed"), say("computed.published"), say("computed.rounding")),
        amount ? again(commands.census(state, one, confidence))
          : again("", commands.published(state, one))]];
    },

    budget(state) {
      if (state.rule === "profile") return byProfile(state);
      const points = pointsIn(state.points).map(([start, limit]) => [start / 100, limit / 100]);
      const drawing = (loss) => band(loss, points[0][0], points, say("band.points"));
      if (points.some(([start, limit]) => !(limit > start) || start === 0 || limit === 1)) {
        return [[paragraph(say("say.budget.none"))], [drawing(0)]];
      }
      const logit = (p) => Math.log(p) - Math.log1p(-p);
      const losses = points.map(([start, limit]) => logit(limit) - logit(start));
      const most = Math.min(...losses);
      const binding = losses.indexOf(most);
      const [start, limit] = points[binding];
      /** The largest value that keeps the limit, rounded down. */
      function largest(kind, name) {
        const keeps = (value) => lossOf(asking.single(kind, { [name]: value }, state.neighbors, state.secret)
          .repeated(state.count), state) <= most;
        let [low, high] = [-30, 12];
        for (let turn = 0; turn < 60; turn += 1) {
          const middle = (low + high) / 2;
          if (keeps(Math.exp(middle))) low = middle;
          else high = middle;
        }
        return Math.exp(low);
      }
      const rows = [["pure", "epsilon"], ["concentrated", "rho"], ["gaussian", "mu"]].map(([kind, name]) =>
        [kind, name, largest(kind, name)]);
      const of = scale(start, limit);
      const head = [paragraph(say("say.budget", {
        before: given(start, of), limit: given(limit, of),
        releases: releases(state),
      })), ...(points.length > 1 ? [paragraph(say("say.budget.several", { count: points.length }), "more")] : []),
      ...rows.map(([kind, , value]) => paragraph(say(`say.budget.${kind}`, {
        each: state.count === 1 ? "" : say("say.each"), value: digits(value, 4, false), sure: digits(state.confidence, 12, false),
      }), kind === "pure" ? "" : "more"))];
      const costs = rows.flatMap(([kind, name, value]) =>
        noise(kind, { [name]: value }).map((one) => ({ ...one, promise: `${SYMBOLS[name]} = ${digits(value, 4, false)}` })));
      if (costs.length) head.push(costLine(costs));
      const asked = pointsIn(state.points)[binding];
      return [head, [drawing(most), tables(costTable(costs)),
      assumed(state.neighbors), details(say("computed"), say("computed.noise"), say("computed.rounding")),
      again(commands.budget(state, asked), commands.largest(state, asked))]];
    },

    compare(state) {
      const prior = state.prior / 100;
      const marks = ["", "2"];
      const both = marks.map((mark) => promised(state, mark));
      const losses = both.map((one) => lossOf(one, state));
      const most = losses.map((loss) => mostFrom(loss, prior));
      const of = scale(prior, Math.min(...most));
      const names = marks.map((mark) => named(state, mark));
      const head = [paragraph(say("say.compare", {
        before: given(prior, of), first: chance(most[0], true, of), second: chance(most[1], true, of),
        one: names[0], two: names[1],
      }))];
      if (!both.every((one) => one.certain)) {
        head.push(paragraph(say("say.mostly", { sure: digits(state.confidence, 12, false) }), "more"));
      }
      if (state.neighbors !== state.neighbors2) head.push(paragraph(say("say.compare.unlike"), "more"));
      const row = (key, find) => [say(`question.${key}`), ...both.map((one, i) => digits(find(one, i), 3))];
      return [head, [
        made("div", { class: "cases" }, ...most.map((value, i) =>
          icons(value, true, Math.min(of, 1000), `${names[i]}: ${chance(value, true, of)}`))),
        table(say("table.compare"),
          [say("table.question"), `${say("table.first")}: ${names[0]}`, `${say("table.second")}: ${names[1]}`],
          [row("posterior", (one, i) => most[i]), row("power", (one) => one.power(0.05)),
            row("epsilon", (one) => one.epsilon(1e-6))]),
        assumed([...new Set([state.neighbors, state.neighbors2])]),
        again(marks.map((mark) => commands.assess(state, mark)).join("\n"))]];
    },
  };

  /** What stands on top, and what below. */
  function answer(state) {
    const [head, shown] = WAYS[state.way](state);
    if (asking.isReplaced(state)) head.push(paragraph(say("say.replaced"), "more"));
    return [head, shown];
  }

  return { answer, raised, PUBLISHED };
})();
