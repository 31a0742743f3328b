/* Texts in the language of the reader, and numbers in words, rounded to the safe side. */
"use strict";

const words = (() => {
  const TEXTS = JSON.parse(document.getElementById("texts").textContent);
  let spoken = "en";

  /** From now on in another language. */
  function speak(language) {
    spoken = language;
    document.documentElement.lang = language;
  }

  const say = (key, gaps = {}) =>
    (TEXTS[spoken][`page.${key}`] ?? TEXTS.en[`page.${key}`]).replace(/\{(\w+)\}/g,
      (gap, name) => (name in gaps ? gaps[name] : gap));

  /** What is there once for each language. */
  const said = (texts) => texts[spoken] ?? texts.en;

  /** As people write it: 1e-6 where decimals would hide it. */
  const plain = (number) => (number !== 0 && Math.abs(number) < 1e-4 ? number.toExponential() : String(number));

  const local = (number) => (spoken === "de" ? number.replace(".", ",") : number);
  const whole = (number) => number.toLocaleString(spoken);
  const share = (count, of) => say("say.of", { count, of: whole(of) });

  /** A bound on a chance in so many, as the reports write it: never none, never all. */
  function chance(value, isUpper, of) {
    let part = value * of;
    const nearest = Math.round(part);
    if (nearest < of && Math.abs(nearest - part) <= 1e-12 * part) part = nearest;
    const put = (kind, count) => {
      const shown = share(whole(count), of);
      return say(`${isUpper ? "most" : "least"}.${kind}`, { chances: shown, edge: shown });
    };
    if (part < 1) return put("bottom", 1);
    if (part > of - 1) return put("top", of - 1);
    const rare = Math.min(part, of - part);
    const unit = of === 1e6 ? 10 ** Math.max(Math.floor(Math.log10(Math.max(rare, 1))) - 1, 0) : 1;
    const isRare = rare === part;
    const few = (isUpper === isRare ? Math.ceil(rare / unit) : Math.floor(rare / unit)) * unit;
    return put("number", isRare ? few : of - few);
  }

  /** A chance that was given. */
  const given = (prior, of) =>
    share((+(prior * of).toPrecision(12)).toLocaleString(spoken, { maximumFractionDigits: 12 }), of);

  /** Out of how many, as the reports count: a small start or a small change keeps its size. */
  function scale(start, ...ends) {
    const rare = Math.min(start, 1 - start);
    const change = Math.max(...ends.map((end) => Math.abs(end - start)));
    if (rare === 0 || change < 1e-12 || (rare > 0.01 && change >= 0.01)) return 100;
    return rare >= (change < 0.01 ? 0.01 : 0.001) ? 1000 : 1e6;
  }

  /** With so many digits, to the safe side. */
  function rounded(value, count, isUpper) {
    if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
    if (value === 0) return "0";
    const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - count + 1);
    const nearest = Math.round(value / step);
    const isNear = Math.abs(nearest - value / step) <= 1e-9 * Math.abs(nearest);
    const most = isNear ? nearest : (isUpper ? Math.ceil : Math.floor)(value / step);
    const found = +(most * step).toPrecision(count);
    // nearly certain is not certain
    return found === 1 && value < 1 && count < 16 ? rounded(value, count + 1, isUpper) : plain(found);
  }

  const digits = (value, count, isUpper = true) => local(rounded(value, count, isUpper));

  return { speak, say, said, plain, local, whole, chance, given, scale, digits };
})();
