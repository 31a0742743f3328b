/* What is asked: read from the address, and written back to it. */
"use strict";

const asking = (() => {
  const START = {
    way: "promise", lang: "en", kind: "pure", epsilon: 1, delta: 1e-6, rho: 0.5, mu: 1,
    neighbors: "add-remove", unit: "person", secret: "membership", count: 1,
    kind2: "pure", epsilon2: 2, delta2: 1e-6, rho2: 0.5, mu2: 1, neighbors2: "add-remove",
    published: document.getElementById("published").options[0].value, prior: 10, confidence: 99, points: "10:20",
    rule: "points", cap: 25, ratio: 3, covered: "every", included: 5, valued: 10,
  };
  const RANGES = {
    epsilon: [0, 1e4], delta: [0, 0.999999], rho: [0, 1e4], mu: [0, 1e3], count: [1, 1e9],
    prior: [0, 100], confidence: [0.0001, 99.9999999999],
    cap: [0, 100], ratio: [1, 1e6], included: [1e-6, 100], valued: [1e-6, 100],
  };
  const PARAMETERS = {
    pure: ["epsilon"], approximate: ["epsilon", "delta"], concentrated: ["rho"], gaussian: ["mu"],
  };
  const SYMBOLS = { epsilon: "ε", delta: "δ", rho: "ρ", mu: "μ" };
  const ELSEWHERE = { // what only another way asks
    promise: ["published", "points"], release: ["points", "count"], budget: ["published", "prior", "unit", "kind"],
    compare: ["published", "points"],
  };
  const PROFILE = ["cap", "ratio", "covered", "included", "valued"]; // what a risk profile asks, and nothing else
  const MOST_POINTS = 20;
  const range = (name) => RANGES[name.replace("2", "")];
  const isIn = (number, [low, high]) => number >= low && number <= high;

  /** Whether somewhere one record is replaced: then nobody is in or out. */
  const isReplaced = ({ way, neighbors, neighbors2 }) => way !== "release"
    && (neighbors === "replace-one" || (way === "compare" && neighbors2 === "replace-one"));

  /** Pairs of a chance before and the highest chance after, in 100; null if they are no such pairs. */
  function pointsIn(text) {
    const found = text.split(",").map((pair) => (/^[\d.e-]+:[\d.e-]+$/.test(pair) ? pair.split(":").map(Number) : [NaN, NaN]));
    const isGood = found.length <= MOST_POINTS && found.flat().every((each) => isIn(each, [0, 100]));
    return isGood ? found : null;
  }

  const parts = (address) => [...new URLSearchParams(address.replace(/^#/, ""))];

  function isGood(name, value) {
    if (!Object.hasOwn(START, name)) return false;
    if (typeof START[name] === "number") {
      const number = Number(value);
      return value.trim() !== "" && isIn(number, range(name)) && (name !== "count" || Number.isInteger(number));
    }
    if (name === "points") return pointsIn(value) !== null;
    if (["way", "lang"].includes(name)) return document.querySelector(`[data-${name}="${CSS.escape(value)}"]`) !== null;
    return [...document.getElementById(name).options].some((one) => one.value === value);
  }

  /** The parts of an address that nobody can have meant, or that stand there twice. */
  const unread = (address) => parts(address).filter(([name, value], i, all) =>
    !isGood(name, value) || all.findIndex(([other]) => other === name) !== i).map((pair) => pair.join("="));

  const hasProfile = ({ way, rule }) => way === "budget" && rule === "profile";

  /** What a profile covers where one record is replaced: then everybody is in. */
  const INSIDE = { membership: "every", both: "value" };

  /** What does not count beside a way of tolerating risk. */
  function idle(state) {
    if (state.way !== "budget") return ["rule", ...PROFILE];
    if (!hasProfile(state)) return PROFILE;
    const hasBoth = (name) => [name, "both"].includes(state.covered);
    return ["points", "secret", ...(hasBoth("membership") ? [] : ["included"]), ...(hasBoth("value") ? [] : ["valued"])];
  }

  /** Whether everything that is asked about holds with certainty. */
  const isCertain = ({ way, rule, kind, kind2, published }) => (way === "release"
    ? view.PUBLISHED[published].losses[0][0] === null
    : hasProfile({ way, rule }) || (kind === "pure" && (way === "promise" || (way === "compare" && kind2 === "pure"))));

  /** The names of what changes nothing in a state: it belongs to another way, or kind of promise. */
  function moot(state) {
    const { way } = state;
    if (!(way in ELSEWHERE)) return new Set(Object.keys(START).filter((name) => !["way", "lang"].includes(name)));
    const others = (mark) => Object.keys(SYMBOLS).filter((name) =>
      way === "budget" || !PARAMETERS[state[`kind${mark}`]].includes(name)).map((name) => name + mark);
    const second = way === "compare" ? others("2") : Object.keys(START).filter((name) => name.endsWith("2"));
    const alike = way === "release" && state.secret === "membership"; // one step, whatever the neighbors
    return new Set([...others(""), ...second, ...ELSEWHERE[way], ...idle(state), ...(isCertain(state) ? ["confidence"] : []),
      ...(alike ? ["neighbors"] : [])]);
  }

  /** The parts of an address that its answer would not depend on. */
  function unused(address) {
    const state = read(address);
    const names = moot(state);
    return parts(address).filter(([name, value]) => names.has(name) || (["secret", "covered"].includes(name) && value !== state[name]))
      .map((pair) => pair.join("="));
  }

  /** The first kind of promise that takes all the parameters that an address gives; null for none. */
  function kindOf(given, mark) {
    const names = Object.keys(SYMBOLS).filter((name) => given.has(name + mark));
    if (names.length === 0) return null;
    return Object.keys(PARAMETERS).find((kind) => names.every((name) => PARAMETERS[kind].includes(name))) ?? null;
  }

  /** What an address says; what it does not say, or says wrongly, is as at the start. */
  function read(address) {
    const state = { ...START };
    const given = new Set(parts(address).map(([name]) => name));
    for (const mark of ["", "2"]) {
      state[`kind${mark}`] = kindOf(given, mark) ?? state[`kind${mark}`];
    }
    for (const [name, value] of parts(address)) {
      if (isGood(name, value)) state[name] = typeof START[name] === "number" ? Number(value) : value;
    }
    if (isReplaced(state)) {
      state.secret = "attribute";
      state.covered = INSIDE[state.covered] ?? state.covered;
    }
    return state;
  }

  function address(state) {
    const names = moot(state);
    return "#" + new URLSearchParams(Object.entries(state).filter(([name, value]) =>
      name === "way" || (value !== START[name] && !names.has(name)))).toString();
  }

  const parameters = (state, mark = "") =>
    Object.fromEntries(PARAMETERS[state[`kind${mark}`]].map((name) => [name, state[name + mark]]));

  /** A promise as it is written, such as ε = 1. */
  const named = (state, mark = "") => Object.entries(parameters(state, mark)).map(
    ([name, value]) => `${SYMBOLS[name]}\u00a0=\u00a0${words.local(words.plain(value))}`).join(state.lang === "de" ? "; " : ", ");

  /** One release, over two steps where the secret takes two. */
  function single(kind, values, neighbors, secret) {
    const one = engine.guarantee(kind, values);
    return neighbors === "add-remove" && secret === "attribute" ? one.twice() : one;
  }

  /** The promise that counts: of all releases. */
  const promised = (state, mark = "", count = state.count) =>
    single(state[`kind${mark}`], parameters(state, mark), state[`neighbors${mark}`], state.secret)
      .repeated(count);

  const lossOf = (promise, state) =>
    promise.loss(promise.certain ? 0 : engine.failure(state.confidence));

  return {
    START, PARAMETERS, SYMBOLS, PROFILE, INSIDE, MOST_POINTS, range, isIn, isReplaced, hasProfile, pointsIn, read, unread, unused, moot, isCertain, address,
    parameters, named,
    single, promised, lossOf,
  };
})();
