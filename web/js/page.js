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
  const query = new URLSearchParams(location.search);

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
    reloadOnce().catch(() => {
      const problem = byID("problem");
      if (problem) problem.textContent = "This page could not finish loading. Check your connection and reload the page.";
    });
  }
  // A page that was kept may belong to an earlier release, whose program is
  // gone from the server. Then there is a newer page, and it is loaded once.
  async function reloadOnce() {
    const mark = "reloaded " + data.build;
    if (sessionStorage.getItem(mark)) throw new Error("reloaded already");
    const response = await fetch(location.href, { cache: "reload", headers: { accept: "text/html" } });
    const newer = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("page-data");
    if (!response.ok || !newer || JSON.parse(newer.textContent).build === data.build) throw new Error("there is no newer page");
    sessionStorage.setItem(mark, "yes");
    location.reload();
  }
  const running = () => root.dataset.application === "running";

  // The program is more than a megabyte, and while it starts a phone answers
  // nothing for a second. So a page that reads complete waits for a sign that
  // the visitor wants more; a query in the URL is one.
  const saveData = navigator.connection && navigator.connection.saveData;
  if (startWhen === "now" && !saveData || startWhen === "intent" && query.has("q")) {
    const soon = window.requestIdleCallback || ((f) => setTimeout(f, 200));
    addEventListener("load", () => soon(startApplication, { timeout: 1000 }));
  }
  // A finger that touches the list follows a link; a mouse over it looks around.
  const looksAround = !saveData && !(navigator.deviceMemory <= 2) && !matchMedia("(pointer: coarse)").matches;
  const controls = ".Header-nav a, .Header-find, .Find, .Shelves, .Order-links, .Filters, .Controls, .Ways, .Prospects, .Search" +
    (looksAround ? ", .List, .Tasks" : "");
  for (const sign of ["pointerover", "focusin", "keydown"]) {
    addEventListener(sign, (event) => {
      if (event.target.closest && event.target.closest(controls)) startApplication();
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

  // The words of an element in their lines, without those of the buttons in it.
  function written(element) {
    element.dataset.copying = "";
    const words = element.innerText;
    delete element.dataset.copying;
    return words;
  }

  async function copy(button) {
    const source = button.dataset.copyFrom ? byID(button.dataset.copyFrom) : button.previousElementSibling;
    const line = button.dataset.copy || written(source);
    try {
      await navigator.clipboard.writeText(line);
    } catch {
      // No clipboard without a secure connection: select the line instead.
      getSelection().selectAllChildren(source);
      if (!document.execCommand("copy")) {
        say("Selected. Press Ctrl+C (Mac: Cmd+C) to copy.");
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
    say(next ? `Theme: ${next}` : "Theme: auto");
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.starting) ask(button);
    if ("copy" in button.dataset || button.dataset.copyFrom) copy(button);
    if (button.dataset.themeSwitch) nextTheme();
    if (button.dataset.keepEverything) keepEverything();
  });

  // Reading without a connection: the service worker keeps what was read, and
  // everything when asked to or in the installed application.

  // Registering asks the server for the worker once more, which browsers do by
  // themselves now and then.
  async function worker() {
    if (!navigator.serviceWorker.controller) await navigator.serviceWorker.register(data.base + "app-worker.js");
    return (await navigator.serviceWorker.ready).active;
  }
  async function keepThisPage() {
    const used = performance.getEntriesByType("resource").map((e) => new URL(e.name));
    const paths = used.filter((u) => u.origin === location.origin).map((u) => u.pathname);
    const keeper = await worker();
    keeper.postMessage({ keep: [location.pathname, data.base, ...paths] });
    if (matchMedia("(display-mode: standalone)").matches) keeper.postMessage({ everything: true });
  }
  // Saving goes on in the worker, whatever page is open: the button stops it
  // and has it go on.
  let saving = false;
  async function keepEverything() {
    try {
      const keeper = await worker();
      keeper.postMessage(saving ? { stop: true } : { everything: true });
      if (!saving) byID("offline-status").textContent = "Starting.";
    } catch {
      byID("offline-status").textContent = "This browser cannot save pages for offline use.";
    }
  }
  function showSaving({ done, failed, total, ended }) {
    saving = !ended;
    const button = document.querySelector("[data-keep-everything]");
    button.dataset.label ||= button.textContent;
    button.textContent = saving ? "Stop saving" : done < total ? "Resume saving" : button.dataset.label;
    byID("offline-status").textContent = done < total ? `Saved ${done - failed} of ${total} files${ended ? ", then stopped" : ""}.`
      : failed ? `${total - failed} of ${total} files are saved. The others could not be loaded or saved. Try again later.`
      : "All pages are saved for offline use.";
  }
  if ("serviceWorker" in navigator) {
    // Where nothing can be kept, everything else works all the same.
    addEventListener("load", () => keepThisPage().catch(() => {}));
    navigator.serviceWorker.addEventListener("message", (event) => showSaving(event.data));
  }

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
    if (event.target.matches(".Missing-search")) return;
    event.preventDefault();
    if (event.target.dataset.starting) ask(event.target);
    if (!event.target.matches(".Find")) return;
    const [first] = titles();
    if (first && byID("find").value.trim()) first.click();
  });

  if (location.hash === "#find" && byID("find")) byID("find").focus();

  // A folder dropped beside its place, or too early, must not make the browser
  // leave the page.
  if (data.kind === "upgrade") {
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

  // A catalog, of skills or of tools and their tasks: words filter, in catalog
  // order; nothing is ranked.

  // The rules are those of app/pages/catalog, and one list of queries is tried on
  // both: only the letters A to Z are the same as a to z.
  const lower = (text) => text.replace(/[A-Z]/g, (c) => c.toLowerCase());

  function catalog({ noun, cards, categories, ways, skills, tasks }) {
    const box = byID("find");
    const groups = all(".Group");
    const pictures = new Map(groups.map((g) => [g, [...g.querySelectorAll(".Group-title svg")]]));
    const rows = all(".Row").map((element, i) => {
      const c = cards[i];
      const words = [c.name, c.title, c.description, c.old || "", c.words || ""];
      return { element, card: c, home: element.parentNode, words: lower(words.join(" ")) };
    });
    const listed = (tasks || []).flatMap((g) => g.tasks);
    const jobs = all(".Task").map((element, i) => {
      return { element, tools: listed[i].tools || [], words: " " + lower(listed[i].name + " " + listed[i].words) };
    });
    const shelves = all(".Shelf[data-category]");
    const groupLinks = all("#groups .Shelf");
    const sorts = all(".Order-links a");
    const choices = all(".Filters select");
    const offered = { way: ways || [], skill: skills || [] };
    const choice = (name) => offered[name].includes(query.get(name)) ? query.get(name) : "";
    const byName = (a, b) => a.card.name < b.card.name ? -1 : 1;
    const orders = new Map([
      ["name", ["By name", byName]],
      ["updated", ["Recently updated first", (a, b) => b.card.day.localeCompare(a.card.day) || byName(a, b)]],
    ]);
    const plural = noun + "s";
    const chosen = () => categories.find((c) => c.id === query.get("category"));

    // Of the tasks, those are shown that have most of the words.
    function showTasks(words, filtered, passes) {
      const long = words.filter((w) => [...w].length > 2);
      const wanted = long.length ? long : words;
      const allowed = new Set(rows.filter(passes).map((row) => row.card.name));
      const counts = jobs.map((job) => filtered && !job.tools.some((t) => allowed.has(t)) ? 0
        : wanted.length ? wanted.filter((w) => job.words.includes(" " + w)).length : 1);
      const most = Math.max(1, ...counts);
      jobs.forEach((job, i) => { job.element.hidden = counts[i] < most; });
      all(".Tasks-group").forEach((table, i) => {
        const n = table.querySelectorAll(".Task:not([hidden])").length;
        table.hidden = groupLinks[i].parentNode.hidden = !n;
        groupLinks[i].querySelector(".Shelf-count").textContent = n;
      });
      const shown = jobs.filter((job) => !job.element.hidden);
      byID("tasks").hidden = byID("groups").hidden = !shown.length;
      return shown;
    }

    function show() {
      const words = lower(box.value).split(/[\s\u0085]+/).filter(Boolean);
      const category = chosen();
      const order = sorts.length > 2 || query.get("sort") === "name" ? orders.get(query.get("sort")) : undefined;
      const [way, skill] = [choice("way"), choice("skill")];
      const passes = (row) => (!category || row.card.category === category.id) &&
        (!way || (row.card.ways || []).includes(way)) && (!skill || (row.card.skills || []).includes(skill));
      const found = showTasks(words, category || way || skill, passes);
      let has = (row) => words.every((w) => row.words.includes(w));
      if (!rows.some((row) => has(row) && passes(row))) has = (row) => found.some((job) => job.tools.includes(row.card.name));
      let count = 0;
      for (const row of rows) {
        row.element.hidden = !(has(row) && passes(row));
        if (!row.element.hidden) count++;
      }
      const sorted = order ? rows.toSorted(order[1]) : rows;
      for (const row of sorted) (order ? groups[0].querySelector(".Rows") : row.home).append(row.element);
      for (const group of groups) {
        group.hidden = !group.querySelector(".Row:not([hidden])");
        const title = group.querySelector(".Group-title");
        title.classList.toggle("Hidden", Boolean(order));
        const advice = group.querySelector(".Group-advice");
        if (advice) advice.hidden = Boolean(order);
        title.replaceChildren(...(order ? [plural[0].toUpperCase() + plural.slice(1)]
          : [...pictures.get(group), categories.find((c) => c.id === group.dataset.shelf).name]));
      }
      if (sorts.length > 2) byID("list").dataset.sort = order ? query.get("sort") : "category";
      byID("order").textContent = order ? order[0] : "By category";
      const counted = (n, one) => n === 1 ? `1 ${one}` : `${n} ${one}s`;
      byID("count").textContent = [found.length && counted(found.length, "task"), count && counted(count, noun)].filter(Boolean).join(", ") || `No ${plural}`;
      sorts[0].textContent = words.length ? "Best match" : "Category";
      byID("empty").hidden = count > 0;
      const asked = [...box.value.trim()];
      const short = asked.length > 60 ? asked.slice(0, 60).join("") + "…" : asked.join("");
      byID("empty-text").textContent = `No ${plural}` + (short ? ` match “${short}”` : "") + (category ? ` in ${category.name}` : "") +
        (way ? ` with ${way}` : "") + (skill ? ` for ${skill}` : "") + (short ? ". Try other words." : ". Choose other filters.");
      for (const select of choices) {
        select.value = choice(select.name) || "all";
        if (!choice(select.name)) query.delete(select.name);
      }
      markCurrent(shelves, shelves.find((s) => s.dataset.category === (category ? category.id : "all")));
      markCurrent(sorts, sorts.find((s) => (new URL(s.href).searchParams.get("sort") || "") === (order ? query.get("sort") : "")));
    }

    box.value = query.get("q") || box.value;
    box.addEventListener("input", () => {
      setQuery("q", box.value.trim());
      show();
    });
    for (const select of choices) {
      select.addEventListener("change", () => {
        setQuery(select.name, select.value === "all" ? "" : select.value);
        writeQuery();
        show();
      });
    }
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

    const counted = (n) => n === 1 ? "1 release" : `${n} releases`;
    function sentence(since, skill, shown, breaking, unknown) {
      if (!since && !skill) return unknown ? `All ${counted(releases.length)} are shown.` : `${counted(releases.length)}.`;
      if (!shown && !skill) return "You have the latest release.";
      if (!shown) return `No ${since ? "newer " : ""}release has changes to ${skill}.`;
      const what = [skill && `changes to ${skill}`, since && `newer than ${since}`].filter(Boolean).join(", ");
      const broken = ["No breaking changes.", "1 has breaking changes."][breaking] || `${breaking} have breaking changes.`;
      return `${shown} of ${counted(releases.length)}${skill ? " with" : ""} ${what}. ${broken}`;
    }
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
      if (query.get("since") && since < 0) unknown.push(`There is no release “${query.get("since")}”.`);
      if (query.get("skill") && !skill) unknown.push(`The changelog has no skill “${query.get("skill")}”.`);
      byID("pinned").hidden = skill !== "" || !breaking;
      byID("summary").textContent = [...unknown, sentence(since < 0 ? "" : releases[since].name, skill, shown, breaking, unknown.length > 0)].join(" ");
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

  // An unknown address: the pages that have its last part in their names. What
  // is only like them is the business of the search, which is a link away.

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  function missing({ names }) {
    const asked = decoded(location.pathname).toLowerCase().split("/").filter((p) => p && p !== "index.html").pop();
    if (!asked) return;
    byID("missing-search").value = asked.replace(/[-_.]+/g, " ").slice(0, 60);
    const link = (href, text) => {
      const a = document.createElement("a");
      a.href = href;
      a.textContent = text;
      return a;
    };
    const meant = byID("meant");
    const exact = names.find((n) => n.text === asked);
    if (exact && exact.skill) {
      meant.append(`${asked} was ${exact.change} `, link(exact.href, exact.skill), ` in ${exact.release}.`);
      return;
    }
    const found = new Map();
    for (const n of exact ? [exact] : names) {
      if (n.text.includes(asked) && found.size < 5) found.set(n.href, n.skill || n.text);
    }
    [...found].forEach(([href, text], i) => {
      meant.append(i === 0 ? "Did you mean " : i === found.size - 1 ? " or " : ", ", link(href, text));
    });
    if (found.size) meant.append("?");
    else meant.append(link(data.base + "?q=" + encodeURIComponent(asked), `Search for “${[...asked].slice(0, 60).join("")}”`));
  }

  try {
    if (data.kind === "catalog" || data.kind === "tools") catalog(data.content);
    if (data.kind === "changelog") changelog(data.content);
    if (data.kind === "missing") missing(data.content);
  } finally {
    root.classList.remove("filtering");
    showPlace();
  }
})();
