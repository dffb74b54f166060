// What every page does before WebAssembly runs, and where it never does. The
// listeners on the document go on working after the application has taken the
// page over; those on single elements end with the elements it replaces, and
// what they did is its work from then on.
(() => {
  "use strict";

  const { start: startWhen, loader } = document.currentScript.dataset;
  const root = document.documentElement;
  const byID = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const data = JSON.parse(byID("page-data").textContent);

  // Starting the application.

  let started = false;
  function startApplication() {
    if (started || startWhen === "never") return;
    started = true;
    waiting(true);
    for (const address of ["{{runtime}}", loader]) {
      const script = document.createElement("script");
      script.src = address;
      script.async = false;
      script.onerror = failed;
      document.head.append(script);
    }
    // The loader writes percentages here, and what went wrong; it takes the
    // element away once the application runs.
    const label = byID("app-wasm-loader-label");
    const watch = new MutationObserver(() => {
      if (!label.isConnected) waiting(false);
      else if (!/^\d*(NaN)?%?$/.test(label.textContent)) failed();
      else return;
      watch.disconnect();
    });
    watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  }
  function waiting(on) {
    if (on) byID("loading").dataset.waiting = "";
    else delete byID("loading").dataset.waiting;
  }
  function failed() {
    waiting(false);
    const problem = byID("problem");
    if (problem) problem.textContent = "This page's program could not be loaded. Check your connection and load the page again.";
  }
  const running = () => root.dataset.application === "running";

  const saveData = navigator.connection && navigator.connection.saveData;
  if (startWhen === "now" && !saveData) {
    const soon = window.requestIdleCallback || ((f) => setTimeout(f, 200));
    addEventListener("load", () => soon(startApplication, { timeout: 1000 }));
  }
  for (const sign of ["pointerover", "focusin"]) {
    addEventListener(sign, (event) => {
      if (event.target.closest && event.target.closest(".Header-nav a, .Header-find, .Find, .Controls, .Ways, .Prospects")) startApplication();
    }, { passive: true });
  }

  // The application asks for a moment at which replacing the document loses
  // neither a click nor half a composed character.
  let busy = false;
  let calm = [];
  const hold = () => { busy = true; };
  const release = () => {
    busy = false;
    setTimeout(() => {
      if (!busy) for (const go of calm.splice(0)) go();
    });
  };
  for (const name of ["pointerdown", "compositionstart"]) addEventListener(name, hold, true);
  for (const name of ["pointerup", "pointercancel", "compositionend", "blur"]) addEventListener(name, release, true);
  window.pageCalm = () => busy ? new Promise((go) => calm.push(go)) : Promise.resolve();

  // Saying something to those who do not see the page.

  function say(text) {
    const said = byID("said");
    said.textContent = "";
    requestAnimationFrame(() => { said.textContent = text; });
  }

  // Buttons that every page may have.

  async function copy(button) {
    const source = button.dataset.copyFrom ? byID(button.dataset.copyFrom) : button.previousElementSibling;
    const line = button.dataset.copy || source.textContent;
    try {
      await navigator.clipboard.writeText(line);
    } catch {
      // No clipboard without a secure connection: select the line instead.
      getSelection().selectAllChildren(source);
      if (!document.execCommand("copy")) {
        say("Selected. Copy it with your keyboard.");
        return;
      }
    }
    button.dataset.done = "";
    say("Copied");
    setTimeout(() => delete button.dataset.done, 2000);
  }

  function nextTheme() {
    const next = { undefined: "light", light: "dark" }[root.dataset.theme];
    if (next) root.dataset.theme = next;
    else delete root.dataset.theme;
    try {
      if (next) localStorage.setItem("theme", next);
      else localStorage.removeItem("theme");
    } catch {
      // Not remembered where the browser keeps nothing.
    }
    say(next ? `Colours: ${next}` : "Colours: as the system has them");
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.starting) ask(button);
    if (button.dataset.copy || button.dataset.copyFrom) copy(button);
    if (button.dataset.themeSwitch) nextTheme();
  });

  // Keys.

  const titles = () => all(".Row:not([hidden]) .Row-title").filter((a) => a.offsetParent);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey && event.key !== "/" || event.isComposing) return;
    const at = event.target;
    const box = byID("find");
    if (event.key === "/" && !at.closest("input, textarea, select, [contenteditable]")) {
      event.preventDefault();
      startApplication();
      if (!box) {
        byID("find-link").click();
        return;
      }
      box.focus();
      box.select();
      return;
    }
    const down = event.key === "ArrowDown";
    if (!down && event.key !== "ArrowUp") return;
    const links = titles();
    const place = at === box ? -1 : links.indexOf(at);
    if (place < 0 && !(at === box && down)) return;
    const next = place + (down ? 1 : -1);
    const to = next < 0 ? box : links[next];
    if (!to) return;
    event.preventDefault();
    to.focus();
  });

  // What is asked for before the program runs is noted, and done by it.

  function ask(element) {
    if (running()) return;
    for (const other of all("[data-asked]")) delete other.dataset.asked;
    element.dataset.asked = "";
    byID("status").textContent = element.dataset.starting;
    startApplication();
  }

  document.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target.dataset.starting) ask(event.target);
    if (!event.target.matches(".Find")) return;
    const [first] = titles();
    if (first && byID("find").value.trim()) first.click();
  });

  if (location.hash === "#find" && byID("find")) byID("find").focus();

  // A folder dropped beside its place, or too early, must not make the browser
  // leave the page.
  if (data.upgrade) {
    for (const name of ["dragover", "drop"]) {
      document.addEventListener(name, (event) => {
        event.preventDefault();
        if (name === "drop" && !running()) {
          byID("status").textContent = "Still loading. Drop the folder again in a moment.";
          startApplication();
        }
      });
    }
  }

  // The contents list shows where the reader is.

  let drawing = false;
  function showPlace() {
    drawing = false;
    let here = "";
    const links = all("[data-spy] a");
    for (const link of links) {
      const heading = byID(decoded(link.hash.slice(1)));
      if (heading && heading.getBoundingClientRect().top < 120) here = link.hash;
    }
    for (const link of links) {
      if (link.hash === here) link.dataset.here = "";
      else delete link.dataset.here;
    }
  }
  addEventListener("scroll", () => {
    if (!drawing) requestAnimationFrame(showPlace);
    drawing = true;
  }, { passive: true });

  // Addresses: the same queries that the application reads and writes.

  const query = new URLSearchParams(location.search);
  const ownPath = location.pathname;
  let writing = 0;
  // The address follows once typing pauses: browsers refuse to change it with
  // every letter.
  function setQuery(name, value) {
    if (value) query.set(name, value);
    else query.delete(name);
    clearTimeout(writing);
    writing = setTimeout(writeQuery, 300);
  }
  function writeQuery() {
    const text = query.toString();
    if (running() || location.pathname !== ownPath) return;
    try {
      history.replaceState(history.state, "", ownPath + (text ? "?" + text : ""));
    } catch {
      // The address stays behind; what is shown does not.
    }
  }
  function markCurrent(links, current) {
    for (const link of links) {
      if (link === current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  // The catalog: words filter, in catalog order; nothing is ranked.

  function catalog({ cards, categories }) {
    const box = byID("find");
    const groups = all(".Group");
    const rows = all(".Row").map((element, i) => {
      const c = cards[i];
      const words = [c.name, c.title, c.description, c.old || "", c.headings || ""];
      return { element, card: c, home: element.parentNode, words: words.join(" ").toLowerCase() };
    });
    const shelves = all(".Shelf");
    const sorts = all(".Order-links a");
    const orders = {
      name: ["By name", (a, b) => a.card.name < b.card.name ? -1 : 1],
      updated: ["Newest change first", (a, b) => b.card.day.localeCompare(a.card.day) || (a.card.name < b.card.name ? -1 : 1)],
    };
    const chosen = () => categories.find((c) => c.id === query.get("category"));

    function show() {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      const category = chosen();
      const order = orders[query.get("sort")];
      let count = 0;
      for (const row of rows) {
        const fits = (!category || row.card.shelf === category.id) && words.every((w) => row.words.includes(w));
        row.element.hidden = !fits;
        if (fits) count++;
      }
      const sorted = order ? rows.toSorted(order[1]) : rows;
      for (const row of sorted) (order ? groups[0].querySelector(".Rows") : row.home).append(row.element);
      for (const group of groups) {
        group.hidden = !group.querySelector(".Row:not([hidden])");
        const title = group.querySelector(".Group-title");
        title.classList.toggle("Hidden", Boolean(order));
        title.textContent = order ? "Skills" : categories.find((c) => c.id === group.dataset.shelf).name;
      }
      byID("order").textContent = order ? order[0] : "By category";
      byID("count").textContent = count === 0 ? "No skill" : count === 1 ? "1 skill" : `${count} skills`;
      sorts[0].textContent = words.length ? "match" : "category";
      byID("empty").hidden = count > 0;
      const asked = [...box.value.trim()];
      const short = asked.length > 60 ? asked.slice(0, 60).join("") + "…" : asked.join("");
      byID("empty-text").textContent = "Nothing matches" + (short ? ` “${short}”` : "") + (category ? ` in ${category.name}` : "") + ".";
      markCurrent(shelves, shelves.find((s) => s.dataset.category === (category ? category.id : "all")));
      markCurrent(sorts, sorts.find((s) => (new URL(s.href).searchParams.get("sort") || "") === (order ? query.get("sort") : "")));
    }

    box.value = query.get("q") || box.value;
    box.addEventListener("input", () => {
      setQuery("q", box.value.trim());
      show();
    });
    for (const [links, name] of [[shelves, "category"], [sorts, "sort"]]) {
      for (const link of links) {
        link.addEventListener("click", (event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          setQuery(name, new URL(link.href).searchParams.get(name));
          writeQuery();
          show();
        });
      }
    }
    show();
  }

  // The changelog: what is newer than a version, what is about a skill.

  function changelog({ releases, skills }) {
    const sections = all(".Release");
    const marks = all(".Timeline-release");
    const controls = [byID("since"), byID("skill")];

    function show() {
      const since = releases.findIndex((r) => r.name === query.get("since"));
      const skill = skills.includes(query.get("skill")) ? query.get("skill") : "";
      let shown = 0;
      let breaking = 0;
      releases.forEach((release, i) => {
        const about = release.items.map((item) => !skill || (item.skills || []).includes(skill));
        const fits = (since < 0 || i < since) && about.includes(true);
        [...sections[i].querySelectorAll(".Release-items > li")].forEach((li, j) => { li.hidden = !about[j]; });
        sections[i].hidden = !fits;
        marks[i].classList.toggle("Timeline-release--past", !fits);
        if (fits) shown++;
        if (fits && release.breaking) breaking++;
      });
      const unknown = [];
      if (query.get("since") && since < 0) unknown.push(`“${query.get("since")}” is not a release. `);
      if (query.get("skill") && !skill) unknown.push(`There is no skill “${query.get("skill")}”. `);
      const what = (skill ? ` about ${skill}` : "") + (since >= 0 ? ` newer than ${releases[since].name}` : "");
      let sentence = `${shown} of ${releases.length} releases${what}, ${["none breaking", "one of them breaking"][breaking] || `${breaking} of them breaking`}.`;
      if (!what) sentence = `${releases.length} releases.`;
      else if (!shown) sentence = since >= 0 && !skill ? "You have the newest release." : `No release${what}.`;
      byID("summary").textContent = unknown.join("") + sentence;
      controls[0].value = since >= 0 ? query.get("since") : "all";
      controls[1].value = skill || "all";
    }

    for (const control of controls) {
      control.addEventListener("change", () => {
        setQuery(control.name, control.value === "all" ? "" : control.value);
        writeQuery();
        show();
      });
    }
    if (query.has("since") || query.has("skill")) show();
  }

  // An unknown address: the name most like its last part, by shared pairs of
  // letters.

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  function missing({ names }) {
    const pairs = (s) => new Set([...s].slice(1).map((c, i) => s[i] + c));
    const asked = decoded(location.pathname).toLowerCase().split("/").filter((p) => p && p !== "index.html").pop() || "";
    const mine = pairs(asked);
    let best = null;
    let score = 0;
    for (const name of names) {
      const theirs = pairs(name.text);
      const shared = [...mine].filter((p) => theirs.has(p)).length;
      const likeness = 2 * shared / (mine.size + theirs.size);
      if (likeness > score) [best, score] = [name, likeness];
    }
    if (!best || score < 0.5) return;
    const link = document.createElement("a");
    link.href = best.href;
    link.textContent = best.note || best.text;
    const sentence = best.note && score === 1 ? `${best.text} is now ` : "Did you mean ";
    byID("nearest").append(sentence, link, best.note && score === 1 ? "." : "?");
  }

  try {
    if (data.catalog) catalog(data.catalog);
    if (data.changelog) changelog(data.changelog);
    if (data.missing) missing(data.missing);
  } finally {
    root.classList.remove("filtering");
    showPlace();
  }
})();
