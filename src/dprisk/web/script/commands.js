/* The same question on the command line and in Python, ready to run. */
"use strict";

const commands = (() => {
  const CLASSES = {
    pure: "PureDP", approximate: "ApproxDP", concentrated: "ZeroConcentratedDP", gaussian: "GaussianDP",
  };
  const part = (hundredths) => +(hundredths / 100).toPrecision(12);
  const joined = (...words) => words.filter(Boolean).join(" ");
  const sure = (state, isCertain) => (isCertain ? "" : `--confidence ${part(state.confidence)}`);
  const often = (state) => (state.count > 1 ? `--releases ${state.count}` : "");

  /** What is promised; where a fact takes two steps in each release, as a promise for one step. */
  function stepped(state, mark) {
    const values = asking.parameters(state, mark);
    const neighbors = state[`neighbors${mark}`];
    const isTwice = neighbors === "add-remove" && state.secret === "attribute";
    if (!isTwice || !("delta" in values) || state.count === 1) return [values, neighbors];
    const { epsilon, delta } = values;
    const twice = delta && Math.min(1, (1 + Math.exp(epsilon)) * delta * (1 + 1e-15));
    return [{ epsilon: 2 * epsilon, delta: twice }, "replace-one"];
  }

  function assess(state, mark = "") {
    const [values, neighbors] = stepped(state, mark);
    return joined("dprisk assess", ...Object.entries(values).map(([name, value]) => `--${name} ${words.plain(value)}`),
      `--neighbors ${neighbors}`, `--unit ${state.unit}`, `--secret ${state.secret}`,
      `--prior ${part(state.prior)}`, sure(state, state[`kind${mark}`] === "pure"), often(state));
  }

  function disclosure(state, mark = "") {
    const kind = state[`kind${mark}`];
    const [values, neighbors] = stepped(state, mark);
    const confidence = kind === "pure" ? "" : `confidence=${part(state.confidence)}, `;
    const isOne = state.count === 1;
    return [`from dprisk import ${CLASSES[kind]}, disclosure`,
      ...(isOne ? [] : ["from dprisk.composition import compose"]), "",
      `promise = ${CLASSES[kind]}(${Object.values(values).map(words.plain).join(", ")}, neighbors="${neighbors}")`,
      ...(isOne ? [] : [`promise = compose([promise], [${state.count}]).guarantee`]),
      `disclosure(promise, ${confidence}secret="${state.secret}").posterior(${part(state.prior)}).upper`,
    ].join("\n");
  }

  function budget(state, [start, limit]) {
    const asked = joined("dprisk budget", `--limit posterior=${part(limit)}`, `--prior ${part(start)}`,
      `--neighbors ${state.neighbors}`, `--secret ${state.secret}`, often(state));
    return [`${asked} --definition pure`,
      `${asked} --confidence ${part(state.confidence)} --definition concentrated --definition gaussian`,
    ].join("\n");
  }

  function largest(state, [start, limit]) {
    const often = state.count > 1 ? `, releases=${state.count}` : "";
    return ["from dprisk.budget import InformedLimit, largest_budget", "",
      `limit = InformedLimit("posterior", ${part(limit)}, prior=${part(start)}, secret="${state.secret}")`,
      `largest_budget(limit, "pure", neighbors="${state.neighbors}"${often}).value`].join("\n");
  }

  /** The priors that a profile holds at, where not everywhere. */
  function priors(state) {
    const isReplaced = asking.isReplaced(state);
    const hasBoth = (name) => [name, "both"].includes(state.covered);
    return [...(isReplaced ? [["membership_prior", 1]] : hasBoth("membership") ? [["membership_prior", part(state.included)]] : []),
      ...(hasBoth("value") ? [["value_prior", part(state.valued)]] : [])];
  }

  function written(state) {
    const limit = (name, value) => `    - {${[[name, value], ...priors(state)].map((pair) => pair.join(": ")).join(", ")}}`;
    return ["dprisk: 1", "profile:", "  any_of:", limit("posterior", part(state.cap)), limit("ratio", state.ratio)].join("\n");
  }

  const profile = (state) => joined("dprisk budget profile.yaml --definition pure",
    `--neighbors ${state.neighbors}`, often(state));

  function solved(state) {
    const where = priors(state).map((pair) => `, ${pair.join("=")}`).join("");
    const often = state.count > 1 ? `, releases=${state.count}` : "";
    return ["from dprisk.budget import ProfileLimit, largest_budget, ratio_or_posterior", "",
      `profile = ratio_or_posterior(${state.ratio}, ${part(state.cap)}${where})`,
      `largest_budget(ProfileLimit(profile), "pure", neighbors="${state.neighbors}"${often}).value`].join("\n");
  }

  function published(state, one) {
    const adversary = joined(`secret="${one.secret}",`, `priors=(${part(state.prior)},)`);
    return ["from dprisk import Adversary, assess", "from dprisk.releases import deployments", "",
      `release = next(each for each in deployments() if each.name == ${JSON.stringify(one.name)})`,
      `assess(release, Adversary(${adversary}))`].join("\n");
  }

  const census = (state, one, confidence) => joined("dprisk allocation census2020",
    ...one.concerns.map((each) => `--concern "${each}"`), `--prior ${part(state.prior)}`,
    `--confidence ${confidence}`);

  return { assess, disclosure, budget, largest, written, profile, solved, published, census };
})();
