/* The same pages without a click: the form becomes an address, and the server's answer is put in. */
"use strict";

(() => {
  const LONGEST = 6000; // letters of an address
  const LATE = 500; // milliseconds until it is said that something is still computed
  const OLD = 1000; // milliseconds after which a new question ends the one before
  const AGAIN = 5000; // milliseconds until the rest is asked for again, if it did not come
  const WHOLE = ["count", "sensitivity"]; // in which a comma parts thousands
  const REST = 250; // milliseconds without a move until the rest of the page is asked for
  const [LEFT, TOP, SIDE, WIDTH, HEIGHT] = [34, 14, 250, 296, 300]; // of the square

  const $ = (id) => document.getElementById(id);
  const words = $("say").dataset;
  const form = $("asked");

  // --- the form ---------------------------------------------------------------------------------

  const isLog = (slider) => "log" in slider.dataset;

  /** Sliders go where their boxes are. */
  function slide() {
    document.querySelectorAll("[data-slides]").forEach((slider) => {
      const value = Number($(slider.dataset.slides).value);
      if (slider !== document.activeElement) {
        slider.value = isLog(slider) ? Math.log10(Math.max(value, 1e-300)) : value;
      }
    });
  }

  function put(name, value) {
    const box = form.elements[name];
    if (box) box.value = String(value);
  }

  function slid(slider) {
    const { slides } = slider.dataset;
    const value = isLog(slider) ? +(10 ** slider.value).toPrecision(3) : +slider.value;
    put(slides, slides === "count" ? Math.round(value) : value);
  }

  const isGood = () => [...form.elements].every((field) => {
    const { valid } = field.validity;
    if (field.name) field.setAttribute("aria-invalid", String(!valid));
    return valid;
  });

  /** The address of what is in the form; what is too long for one is posted. */
  function question() {
    const given = new FormData(form);
    given.delete("upload");
    const address = `${form.getAttribute("action")}?${new URLSearchParams(given)}`;
    return address.length > LONGEST ? { address: form.action, body: given } : { address };
  }

  /** The form is as the server has it; what somebody is typing in stays. */
  function agree(other, isWhole) {
    const names = (one) => [...one.elements].map((field) => field.name).join();
    if (names(form) !== names(other)) {
      const at = document.activeElement.id;
      form.replaceChildren(...other.childNodes);
      if (at) $(at)?.focus();
      return;
    }
    [...other.elements].forEach((field) => {
      const own = field.name && form.elements[field.name];
      if (!own || own.type === "file") return;
      own.disabled = field.disabled;
      own.closest(".field")?.toggleAttribute("hidden", Boolean(field.closest("[hidden]")));
      [...(own.options || [])].forEach((option, i) => { option.disabled = field.options[i].disabled; });
      if (isWhole || own !== document.activeElement) own.value = field.value;
    });
  }

  // --- the answer -------------------------------------------------------------------------------

  /** Put an answer in the place of the last one. */
  function show(found, { isBack, body, isWhole }) {
    if (!isWhole) keepRest(found);
    const open = [...document.querySelectorAll("#shown details[open]")].map((one) => one.id);
    ["result-title", "headline", "shown"].forEach((id) => {
      const [own, other] = [$(id), found.getElementById(id)];
      own.className = other.className;
      own.lang = other.lang;
      own.replaceChildren(...other.childNodes);
    });
    open.forEach((id) => { if ($(id)) $(id).open = true; });
    found.querySelectorAll("[data-link]").forEach((link) => {
      document.querySelector(`[data-link="${link.dataset.link}"]`).href = link.getAttribute("href");
    });
    if (!next) agree(found.getElementById("asked"), isBack && !isWhole); // when the rest comes, somebody may type again
    slide();
    const { address } = found.getElementById("result").dataset;
    if (!isBack && !body && address !== location.pathname + location.search) {
      history[isMoving ? "replaceState" : "pushState"](null, "", address);
      isMoving = true;
    }
  }

  /** What a brief page lacks stays where it is, unseen until it is right again. */
  function keepRest(found) {
    found.querySelectorAll("[data-rest]").forEach((part) => {
      const own = $(part.id);
      own?.setAttribute("aria-busy", "true");
      if (own) part.replaceWith(own);
    });
  }

  function say(text) {
    const line = document.createElement("p");
    line.textContent = text;
    $("headline").replaceChildren(line);
    $("shown").replaceChildren();
  }

  function wait(isOn, isOld = false) {
    $("waiting").hidden = !isOn;
    $("result").classList.toggle("waiting", isOld);
    $("result").setAttribute("aria-busy", String(isOld));
    $("waiting").querySelector("span").textContent = isOn ? words.busy : "";
    $("waiting").querySelector("progress").removeAttribute("value");
  }

  /** How far a question is, as long as it is asked. */
  async function follow(mine) {
    wait(true, !mine.isWhole);
    while (running === mine) {
      const reply = await fetch(`/progress/${mine.name}`).then((one) => one.json(), () => null);
      if (reply?.total && running === mine) {
        $("waiting").querySelector("progress").value = reply.done / reply.total;
        $("waiting").querySelector("span").textContent =
          words.far.replace("{stage}", reply.stage).replace("{done}", reply.done).replace("{total}", reply.total);
      }
      await new Promise((done) => { setTimeout(done, LATE); });
    }
  }

  // --- one question at a time: what is asked meanwhile waits, and only the last of it ------------
  // First what is on top; when nothing has moved for a while, the whole page.

  let next = null;
  let running = null;
  let later = 0;
  let isMoving = false; // what moves makes one step in the history

  function ask(what) {
    clearTimeout(later);
    const isAsked = running && !what.body && running.address === what.address
      && running.isWhole === what.isWhole; // as a change is after its input
    next = isAsked ? null : what;
    if (isAsked) running.isStep ||= what.isStep;
    else if (!running) turn();
    else if (running.isWhole || performance.now() - running.since > OLD) running.stop.abort();
  }

  async function turn() {
    while (next) {
      const now = next;
      next = null;
      running = {
        stop: new AbortController(), since: performance.now(), name: Math.random().toString(36).slice(2),
        address: now.address, isWhole: now.isWhole, isStep: now.isStep,
      };
      const late = setTimeout(follow, LATE, running);
      try {
        const reply = await fetch(now.address, {
          method: now.body ? "POST" : "GET", body: now.body, signal: running.stop.signal,
          headers: { "X-Question": running.name, ...(now.isWhole ? {} : { "X-Brief": "1" }) },
        });
        const text = await reply.text();
        if (now.isWhole && reply.status === 503) later = setTimeout(ask, AGAIN, now);
        else if (!reply.headers.get("content-type").startsWith("text/html")) say(JSON.parse(text).detail);
        else show(new DOMParser().parseFromString(text, "text/html"), now);
        if (running.isStep) isMoving = false;
        if (!next && !now.isWhole && document.querySelector("[data-rest]")) {
          later = setTimeout(ask, REST, { ...now, isWhole: true });
        }
      } catch (error) {
        if (!next && !now.isWhole) say(error.name === "AbortError" ? words.cancelled : words.lost);
      } finally {
        clearTimeout(late);
        running = null;
        wait(false);
      }
    }
  }

  function changed(event) {
    const field = event.target;
    if (field.dataset.slides) slid(field);
    if (field.name === "published") put("text", "");
    if (field.name === "upload") return void read(field.files[0]);
    const isStep = event.type === "change";
    if (isGood()) ask({ ...question(), isStep });
    else if (isStep) form.reportValidity();
    slide();
  }

  /** A decimal comma is a point; some browsers would leave it out, and make 12 of 1,2. */
  function typed(event) {
    const { target, data } = event;
    if (target.type !== "number" || WHOLE.includes(target.name) || !data?.includes(",")) return;
    event.preventDefault();
    document.execCommand("insertText", false, data.replace(",", "."));
  }

  async function read(file) {
    if (!file) return;
    put("text", await file.text());
    $("upload").value = ""; // a document is asked of one of the two
    ask({ ...question(), isStep: true });
  }

  // --- points that can be dragged ---------------------------------------------------------------

  let dragged = null;

  function drag(event) {
    const box = $("square").getBoundingClientRect();
    const at = (place, start, length, whole, from) =>
      Math.round(100 * Math.min(1, Math.max(0, ((place - start) / length * whole - from) / SIDE)));
    put(dragged.drags, at(event.clientX, box.left, box.width, WIDTH, LEFT));
    if (dragged.dragsUp) {
      put(dragged.dragsUp, 100 - at(event.clientY, box.top, box.height, HEIGHT, TOP));
    }
    slide();
    ask({ ...question(), isStep: event.type === "pointerup" });
  }

  addEventListener("pointerdown", (event) => {
    const square = event.target.closest?.("#square");
    const grip = event.target.closest?.("[data-drags]") ?? square?.querySelector('[data-drags="prior"]');
    if (!grip) return;
    dragged = { ...grip.dataset };
    event.preventDefault();
    drag(event);
  });
  addEventListener("pointermove", (event) => { if (dragged) drag(event); });
  ["pointerup", "pointercancel"].forEach((name) => addEventListener(name, (event) => {
    if (dragged && name === "pointerup") drag(event);
    dragged = null;
  }));

  form.addEventListener("beforeinput", typed);
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  form.addEventListener("submit", (event) => {
    if (event.submitter?.hasAttribute("formaction")) return; // a document
    event.preventDefault();
    ask({ ...question(), isStep: true });
  });
  $("waiting").querySelector("button").addEventListener("click", () => {
    next = null;
    clearTimeout(later);
    running?.stop.abort();
  });
  addEventListener("popstate", () => ask({ address: location.href, isBack: true, isStep: true }));
  document.body.classList.add("scripted");
  slide();
})();
