/* Coming and going: the form follows the address, and the address the form. */
"use strict";

(() => {
  const { say, said, plain, local, whole, given, speak } = words;
  const { made, pointed } = pictures;
  const {
    START, PARAMETERS, SYMBOLS, PROFILE, INSIDE, MOST_POINTS, range, isIn, isReplaced, hasProfile, pointsIn, read, unread, unused, moot, isCertain,
    address,
  } = asking;
  const LOGARITHMIC = new Set(["epsilon", "delta", "rho", "mu", "count", "ratio"]);
  const HIDDEN = { // what a way does not ask
    promise: [], release: ["secret"], budget: ["prior", "unit", "kind"], compare: [],
  };
  const $ = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const base = (name) => name.replace("2", "");
  const isLogarithmic = (name) => LOGARITHMIC.has(base(name));

  // --- from the address into the form -------------------------------------------------------------

  /** Everything that stands on the page in the language of the address. */
  function translate(state) {
    speak(state.lang);
    document.title = say("title");
    all("[data-say]").forEach((one) => { one.textContent = say(one.dataset.say); });
    all("[data-label]").forEach((one) =>
      one.setAttribute(one.matches("optgroup") ? "label" : "aria-label", say(one.dataset.label)));
    all("[data-for] > label").forEach((one) => { one.textContent = say(`ask.${base(one.htmlFor)}`); });
    all("[data-for] > select:not(#published) option").forEach((one) => {
      one.textContent = say(`${base(one.parentElement.id)}.${one.value}`);
    });
    all("[data-slides]").forEach((one) => one.setAttribute("aria-label",
      say("slider", { name: $(one.dataset.slides).labels[0].textContent })));
    all("[data-row]").forEach((row) => {
      const { promise, fact, about, losses } = view.PUBLISHED[row.dataset.row];
      if (about) row.querySelector(".about").textContent = said(about);
      const [, loss] = losses.find(([sure]) => sure === 0.99) ?? losses[0];
      row.querySelector(".said").textContent = said(fact ?? promise).replaceAll(" = ", "\u00a0=\u00a0");
      row.querySelector(".after").textContent = view.raised(loss, 0.1);
    });
    all("#published option").forEach((one) => {
      const { fact } = view.PUBLISHED[one.value];
      if (fact) one.textContent = said(fact);
    });
    all(".headed").forEach((one) => { one.textContent = say("table.from", { before: given(0.1, 100) }); });
    document.querySelector(".skip").textContent = say("skip");
    const [footer] = all("footer p");
    footer.textContent = say("footer", footer.dataset);
  }

  /** One row of the table of points for each of them; what is being typed in is left alone. */
  function fillPoints(points) {
    const body = $("points");
    const input = (name, index) => made("input", {
      type: "number", min: "0", max: "100", step: "any", inputmode: "decimal", "data-point": index, "data-end": name,
    });
    while (body.rows.length > points.length) body.rows[body.rows.length - 1].remove();
    while (body.rows.length < points.length) {
      const index = body.rows.length;
      body.append(made("tr", {}, made("td", {}, input("start", index)), made("td", {}, input("limit", index)),
        made("td", {}, made("button", { type: "button", "data-remove": index }, "×"))));
    }
    points.forEach((point, index) => {
      const number = index + 1;
      const row = body.rows[index];
      row.querySelectorAll("input").forEach((field, end) => {
        put(field, point[end]);
        field.setAttribute("aria-label", say(`ask.point.${field.dataset.end}`, { number }));
      });
      const remove = row.querySelector("button");
      remove.setAttribute("aria-label", say("ask.point.remove", { number }));
      remove.hidden = points.length === 1;
    });
    $("add-point").disabled = points.length >= MOST_POINTS;
  }

  /** One's own promise, as a row of the table of published releases. */
  function fillOwn(state) {
    const row = $("own");
    const loss = asking.lossOf(asking.promised(state, "", 1), { ...state, confidence: 99 });
    row.querySelector(".after").textContent = view.raised(loss, 0.1);
    row.querySelector(".said").textContent = asking.named(state);
    row.querySelector(".unit").textContent = say(`unit.${state.unit}`);
    row.hidden = false;
  }

  /** A field as it should be; what is being typed in is left alone. */
  function put(field, value) {
    if (field === document.activeElement) return;
    field.value = value;
    field.setCustomValidity("");
    field.removeAttribute("aria-invalid");
  }

  function fill(state) {
    for (const [name, value] of Object.entries(state)) {
      const field = $(name);
      if (field && "value" in field) put(field, typeof value === "number" ? plain(value) : value);
      const slider = document.querySelector(`[data-slides="${name}"]`);
      if (slider && slider !== document.activeElement) {
        slider.value = isLogarithmic(name) ? Math.log10(Math.max(value, 1e-300)) : value;
      }
    }
    const wanted = ["", "2"].flatMap((mark) => PARAMETERS[state[`kind${mark}`]].map((name) => name + mark));
    const idle = moot(state);
    all("[data-for]").forEach((field) => {
      const name = field.dataset.for;
      const isParameter = base(name) in SYMBOLS;
      field.hidden = (name !== "confidence" && HIDDEN[state.way]?.includes(name))
        || (name === "confidence" && isCertain(state))
        || (PROFILE.includes(name) && idle.has(name)) || (name === "secret" && hasProfile(state))
        || (isParameter && (state.way === "budget" || !wanted.includes(name)));
    });
    all("[data-ways]").forEach((one) => { one.hidden = !one.dataset.ways.split(" ").includes(state.way); });
    all("[data-rule]").forEach((one) => { one.hidden = one.dataset.rule !== state.rule; });
    if (hasProfile(state)) $("reader").hidden = true; // it has nothing to ask
    ["asked", "result", "shown"].forEach((id) => { $(id).hidden = !(state.way in HIDDEN); });
    for (const name of ["way", "lang"]) {
      all(`[data-${name}]`).forEach((link) => {
        link.href = address({ ...state, [name]: link.dataset[name] });
        if (link.dataset[name] === state[name]) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      });
    }
    $("secret").querySelector("[value=membership]").disabled = isReplaced(state);
    Object.keys(INSIDE).forEach((name) => { $("covered").querySelector(`[value=${name}]`).disabled = isReplaced(state); });
    fillPoints(pointsIn(state.points));
    if (state.way === "release") fillOwn(state);
  }

  /** Why there is no answer: what was asked is not all known, or not all of it would count. */
  const refusal = (state, key, wrong) => [
    made("p", {}, say(key, { parts: wrong.map((part) => say("quoted", { what: part.slice(0, 60) })).join(", ") })),
    made("p", { class: "more" }, made("a", { href: address(state) }, say("unread.form"))),
  ];

  let kept = START;

  /** Everything in the form: what the address says, and what it says nothing of because another way has it. */
  function now() {
    const state = read(location.hash);
    moot(state).forEach((name) => { state[name] = kept[name]; });
    return state;
  }

  function show() {
    const state = now();
    kept = { ...state, secret: isReplaced(state) ? kept.secret : state.secret };
    translate(state);
    fill(state);
    const wrong = unread(location.hash);
    const idle = wrong.length ? [] : unused(location.hash);
    if (!(state.way in HIDDEN)) return; // a server answers
    const isAnswered = wrong.length + idle.length === 0;
    const [head, shown] = isAnswered ? view.answer(state)
      : [wrong.length ? refusal(state, "unread", wrong) : refusal(state, "unread.moot", idle), []];
    $("headline").classList.toggle("problem", !isAnswered);
    $("headline").replaceChildren(...head);
    const open = all("#shown details").map((one) => one.open);
    $("shown").replaceChildren(...shown);
    all("#shown details").forEach((one, i) => { one.open = open[i] ?? false; });
  }

  // --- from the form into the address -------------------------------------------------------------

  let isMoving = false;

  /** What moves makes one step back, however far it moves. */
  function go(state, isStep) {
    const where = address(state);
    if (where !== location.hash) {
      history[isMoving ? "replaceState" : "pushState"](null, "", where);
      isMoving = true;
    }
    if (isStep) isMoving = false;
    show();
  }

  /** The number in a field, or null where it is none that can be meant. */
  function numberIn(field, ends, isDone) {
    const number = Number(field.value);
    const isGood = field.value.trim() !== "" && isIn(number, ends);
    const [low, high] = ends.map((end) => (end < 1 ? local(plain(end)) : whole(end)));
    field.setCustomValidity(isGood ? "" : say("ask.range", { low, high }));
    field.setAttribute("aria-invalid", String(!isGood));
    if (!isGood && isDone) field.reportValidity();
    return isGood ? number : null;
  }

  function changed(event) {
    const field = event.target;
    const state = { ...now(), secret: kept.secret };
    const name = field.dataset.slides || field.name;
    const isDone = event.type === "change";
    if (field.dataset.point) {
      const number = numberIn(field, [0, 100], isDone);
      if (number === null) return;
      const points = pointsIn(state.points);
      points[field.dataset.point][field.dataset.end === "start" ? 0 : 1] = number;
      state.points = written(points);
    } else if (!Object.hasOwn(START, name)) return;
    else if (field.dataset.slides) {
      const value = isLogarithmic(name) ? +(10 ** field.value).toPrecision(3) : +field.value;
      state[name] = name === "count" ? Math.round(value) : value;
    } else if (typeof START[name] === "number") {
      const number = numberIn(field, range(name), isDone);
      if (number === null) return;
      state[name] = number;
    } else state[name] = field.value;
    go(state, isDone);
  }

  /** A decimal comma is a point; some browsers would leave it out, and make 12 of 1,2. */
  function typed(event) {
    const { target, data } = event;
    if (target.type !== "number" || target.name === "count" || !data?.includes(",")) return;
    event.preventDefault();
    document.execCommand("insertText", false, data.replace(",", "."));
  }

  const written = (points) => points.map((pair) => pair.join(":")).join(",");

  function clicked(event) {
    const state = now();
    const points = pointsIn(state.points);
    const { remove } = event.target.dataset;
    if (event.target.id === "add-point") points.push([50, 80]);
    else if (remove !== undefined) points.splice(remove, 1);
    else return;
    state.points = written(points);
    go(state, true);
    $("points").rows[Math.min(remove ?? Infinity, points.length - 1)].querySelector("input").focus();
  }

  /** A point is taken up, or made, and follows the pointer. */
  function draws(event) {
    const drawing = event.target.closest(".draws svg");
    if (!drawing || event.button !== 0) return;
    event.preventDefault();
    const at = (where) => pointed(document.querySelector(".draws svg"), where)
      .map((each) => Math.min(99, Math.max(1, Math.round(100 * each))));
    const points = pointsIn(now().points);
    const [x, y] = at(event);
    const far = points.map(([start, limit]) => Math.hypot(start - x, limit - y));
    const nearest = far.indexOf(Math.min(...far));
    const index = far[nearest] < 8 || points.length >= MOST_POINTS ? nearest : points.length;
    if (index === points.length && y <= x) return; // no limit
    const move = (where) => {
      points[index] = at(where);
      go({ ...now(), points: written(points) }, false);
    };
    const ended = () => {
      removeEventListener("pointermove", move);
      isMoving = false;
    };
    addEventListener("pointermove", move);
    ["pointerup", "pointercancel"].forEach((name) => addEventListener(name, ended, { once: true }));
    move(event);
  }

  $("asked").addEventListener("beforeinput", typed);
  $("asked").addEventListener("input", changed);
  $("asked").addEventListener("change", changed);
  $("asked").addEventListener("click", clicked);
  $("asked").addEventListener("submit", (event) => event.preventDefault());
  $("shown").addEventListener("pointerdown", draws);
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // its place would be taken for an address
    $("main").tabIndex = -1;
    $("main").focus();
  });
  addEventListener("hashchange", show);
  addEventListener("popstate", show);
  $("more").open = matchMedia("(min-width: 38rem)").matches;
  show();
})();
