/* What only a server answers: files, mechanisms, documents and ledgers, asked of the API. */
"use strict";

(() => {
  const { say } = words;
  const { made } = pictures;
  const LATE = 500; // milliseconds until it is said that something is still computed
  const $ = (id) => document.getElementById(id);
  const form = $("question");
  const names = {}; // of the files that were chosen, by field

  // --- the form ---------------------------------------------------------------------------------

  const way = () => asking.read(location.hash).way;
  const asked = () => (way() === "ledger" ? "ledger" : $("question-name").value);

  /** Only the fields of the question are there. */
  function choose() {
    const name = asked();
    form.querySelectorAll("[data-question]").forEach((one) => {
      one.disabled = one.hidden = one.dataset.question !== name;
    });
    form.querySelector("[data-asks]").hidden = way() === "ledger";
  }

  const split = (text, between) => text.split(between).map((one) => one.trim()).filter(Boolean);

  /** What a field says, as the API takes it. */
  function value(field) {
    const text = field.value.trim();
    const { kind } = field.dataset;
    if (field.type === "checkbox") return field.checked || null;
    if (text === "") return null;
    if (kind === "file") return names[field.id] ? { file: names[field.id], text } : text;
    if (kind === "limits") return split(text, /[\s,;]+/);
    return "many" in field.dataset ? split(text, /[,;]/) : text;
  }

  function body() {
    const fields = [...form.querySelector("fieldset:not([hidden])").elements].filter((one) => one.name);
    return Object.fromEntries(fields.map((one) => [one.name, value(one)]).filter(([, one]) => one !== null));
  }

  // --- the answer -------------------------------------------------------------------------------

  let running = null;

  function show(...children) {
    $("answer").replaceChildren(...children);
  }

  function wait(isOn, text = "") {
    $("waiting").hidden = !isOn;
    $("waiting").querySelector("span").textContent = text;
    $("waiting").querySelector("progress").removeAttribute("value");
  }

  /** How far a question is, as long as it is asked. */
  async function follow(mine) {
    if (running !== mine) return;
    wait(true, say("panel.busy"));
    while (running === mine) {
      const step = await fetch(`/progress/${mine.name}`).then((one) => one.json(), () => null);
      if (step?.total && running === mine) {
        $("waiting").querySelector("progress").value = step.done / step.total;
        $("waiting").querySelector("span").textContent = say("panel.far", step);
      }
      await new Promise((done) => { setTimeout(done, LATE); });
    }
  }

  /** Send a question; a new one ends the one before. */
  async function ask(address, use) {
    running?.stop.abort();
    const mine = { stop: new AbortController(), name: Math.random().toString(36).slice(2) };
    running = mine;
    setTimeout(follow, LATE, mine);
    try {
      const reply = await fetch(address, {
        method: "POST", body: JSON.stringify(body()), signal: mine.stop.signal,
        headers: { "Content-Type": "application/json", "X-Question": mine.name, Accept: "*/*" },
      });
      if (reply.ok) await use(reply);
      else show(made("p", { class: "problem" }, (await reply.json()).detail));
    } catch (error) {
      if (running === mine) show(made("p", {}, say(error.name === "AbortError" ? "panel.cancelled" : "panel.lost")));
    }
    if (running !== mine) return;
    running = null;
    wait(false);
  }

  const shown = async (reply) => {
    const found = new DOMParser().parseFromString(await reply.text(), "text/html");
    show(...found.body.childNodes);
  };

  const kept = (name) => async (reply) => {
    const link = made("a", { href: URL.createObjectURL(await reply.blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    show(made("p", {}, name));
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(`/answer/${asked()}`, shown);
  });
  form.addEventListener("change", async ({ target }) => {
    if (target.id === "question-name") choose();
    const { fills } = target.dataset;
    if (!fills || !target.files[0]) return;
    names[fills] = target.files[0].name;
    $(fills).value = await target.files[0].text();
  });
  form.addEventListener("input", ({ target }) => { if (target.dataset.kind === "file") delete names[target.id]; });
  form.addEventListener("click", ({ target }) => {
    const name = target.dataset.document;
    if (name) ask(`/document/${name}`, kept(name));
  });
  $("waiting").querySelector("button").addEventListener("click", () => running?.stop.abort());
  ["hashchange", "popstate"].forEach((name) => addEventListener(name, choose));
  choose();
})();
