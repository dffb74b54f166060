// The search that opens over every page: skills, tasks, references, news, tools and
// the site's own pages. It filters until the program and its indexes are there,
// which then rank.
(() => {
  "use strict";

  const { base } = JSON.parse(document.getElementById("page-data").textContent);
  const kinds = { page: ["Page", 3], skill: ["Skill", 5], task: ["Task", 2], reference: ["Reference", 5], news: ["News", 4], tool: ["Tool", 4] };
  const element = (name, properties, ...inside) => {
    const e = Object.assign(document.createElement(name), properties);
    e.append(...inside);
    return e;
  };

  let list; // what there is to find, by kind
  let dialog, box, rows, said;
  let active = -1;
  let ranking = false; // the program and all indexes are there

  function build() {
    box = element("input", { type: "text", enterKeyHint: "search", id: "search-box", className: "Search-box", autocomplete: "off", spellcheck: false, maxLength: 256, placeholder: "Task, skill, tool, news or page" });
    for (const [name, value] of Object.entries({ role: "combobox", "aria-label": "Search everything", "aria-controls": "search-rows", "aria-expanded": "true", "aria-autocomplete": "list" })) {
      box.setAttribute(name, value);
    }
    rows = element("div", { id: "search-rows", className: "Search-rows" });
    rows.setAttribute("role", "listbox");
    rows.setAttribute("aria-label", "Results");
    said = element("output", { className: "Search-said" });
    const close = element("button", { type: "button", className: "Search-close" }, "Close");
    dialog = element("dialog", { className: "Search" }, element("div", { className: "Search-line" }, box, close), said, rows);
    dialog.setAttribute("aria-label", "Search");
    document.body.append(dialog);

    box.addEventListener("input", draw);
    box.addEventListener("keydown", key);
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => {
      const row = event.target.closest(".Search-row");
      if (row) follow(row, event);
      else if (event.target === dialog) dialog.close();
    });
  }

  async function open() {
    if (!dialog) build();
    if (!dialog.open) dialog.showModal();
    box.select();
    draw();
    if (list) return;
    try {
      const response = await fetch("{{list}}");
      if (!response.ok) throw new Error(response.statusText);
      list = await response.json();
      for (const entries of Object.values(list.entries)) {
        for (const e of entries) e.all = fold([e.title, e.about, e.where, e.words].join(" "));
      }
      askForRanking();
      draw();
    } catch {
      said.textContent = "The search could not be loaded. Check your connection and open it again.";
    }
  }

  const fold = (text) => text.toLowerCase().replace(/[\s-]+/g, " ").trim();

  // The positions of what is found of a kind, best first.
  function places(kind, words) {
    const entries = list.entries[kind];
    const index = list.indexes[kind];
    if (index && ranking) return window.rankSearch(index, words).filter((place) => entries[place]);
    const parts = words.split(" ");
    const rank = (e) => fold(e.title).startsWith(words) ? 0 : fold(e.title).includes(words) ? 1 : 2;
    const found = [...entries.keys()].filter((i) => parts.every((p) => entries[i].all.includes(p)));
    return found.sort((a, b) => rank(entries[a]) - rank(entries[b]) || a - b);
  }

  // A name leads to what has it: one that begins with the words, or of a page,
  // with which they begin. Of skills and tools only title and folder are
  // names; their other words are about many things.
  function named(kind, entry, words) {
    if (!entry || words.length < 3) return false;
    const others = entry.words.split("\n");
    const names = [entry.title, ...(kind === "page" ? others : others.slice(0, 1))].map(fold);
    return names.some((name, i) => name.startsWith(words) && (i === 0 || words.includes(" ")) ||
      kind === "page" && name.includes(" ") && words.startsWith(name + " "));
  }

  function found(words) {
    const of = {};
    for (const [kind, [, most]] of Object.entries(kinds)) {
      const all = list.entries[kind];
      of[kind] = kind === "page" ? all.filter((e) => named("page", e, words) || words.length > 2 && words.split(" ").every((w) => e.all.includes(w)))
        : places(kind, words).slice(0, most).map((place) => all[place]);
    }
    of.page = [...of.page.filter((e) => named("page", e, words)), ...of.page.filter((e) => !named("page", e, words))].slice(0, kinds.page[1]);
    const first = ["skill", "page", "tool"].filter((kind) => named(kind, of[kind][0], words));
    const rows = [...new Set([...first, "skill", "reference", "news", "tool", "page"])].flatMap((kind) => of[kind].map((e) => ({ kind, ...e })));
    // Who asks for a job gets what does it without scrolling, and the skill all the same.
    rows.splice(2, 0, ...of.task.map((e) => ({ kind: "task", ...e })));
    return rows;
  }

  function recent() {
    try {
      const kept = JSON.parse(localStorage.getItem("recent")) || [];
      return kept.map(({ kind, path }) => ({ kind, ...list.entries[kind]?.find((e) => e.path === path) })).filter((e) => e.title);
    } catch {
      return [];
    }
  }

  function remember({ kind, path }) {
    try {
      const others = (JSON.parse(localStorage.getItem("recent")) || []).filter((e) => e.path !== path);
      localStorage.setItem("recent", JSON.stringify([{ kind, path }, ...others].slice(0, 5)));
    } catch {
      // Not remembered where the browser keeps nothing.
    }
  }

  let shown = [];
  function draw() {
    if (!list) {
      said.textContent = "Loading.";
      return;
    }
    const words = fold(box.value);
    const before = words ? [] : recent();
    const pages = list.entries.page.map((e) => ({ kind: "page", ...e }));
    shown = words ? found(words) : [...before, ...pages.filter((e) => !before.some((r) => r.path === e.path))];
    rows.replaceChildren(...shown.map((entry, i) => {
      const what = [i < before.length ? "Recent" : kinds[entry.kind][0], entry.where].filter(Boolean).join(" · ");
      const row = element("a", { id: "search-row-" + i, className: "Search-row", href: base + entry.path, tabIndex: -1 },
        element("span", { className: "Search-title" }, ...marked(entry.title, words)),
        element("span", { className: "Search-where" }, what),
        element("span", { className: "Search-about" }, ...marked(entry.about, words)));
      row.setAttribute("role", "option");
      row.dataset.arrives = "here";
      return row;
    }));
    rows.hidden = shown.length === 0;
    said.textContent = !words ? "" : shown.length === 0 ? `Nothing matches “${[...box.value.trim()].slice(0, 60).join("")}”. Try other words.`
      : shown.length === 1 ? "1 result" : `${shown.length} results`;
    activate(words && shown.length ? 0 : -1);
  }

  // What begins with a word that was typed, for the eye.
  function marked(text, words) {
    const starts = words.split(" ").filter((w) => w.length > 1).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    if (!starts.length) return [text];
    const pieces = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${starts.join("|")})`, "giu"));
    return pieces.map((piece, i) => i % 2 ? element("mark", {}, piece) : piece);
  }

  function activate(place) {
    active = place;
    [...rows.children].forEach((row, i) => row.setAttribute("aria-selected", String(i === active)));
    const row = rows.children[active];
    if (!row) {
      box.removeAttribute("aria-activedescendant");
      return;
    }
    box.setAttribute("aria-activedescendant", row.id);
    row.scrollIntoView({ block: "nearest" });
  }

  function key(event) {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && shown.length) {
      event.preventDefault();
      activate(active < 0 ? (step > 0 ? 0 : shown.length - 1) : (active + step + shown.length) % shown.length);
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      rows.children[active].click();
    }
  }

  // A click on a link goes on to the document, where the program follows it.
  function follow(row, event) {
    remember(shown[[...rows.children].indexOf(row)]);
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    box.value = "";
    dialog.close();
  }

  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (dialog && dialog.open) dialog.close();
    else open();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#find-link") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  }, true);

  // The program has come, or an index: what is listed stays until the next key,
  // unless it is nothing.
  function askForRanking() {
    if (!list || !window.rankSearch) return;
    const here = Object.values(list.indexes).map((index) => window.rankSearch(index, ""));
    ranking = !here.includes(null);
    if (ranking && !shown.length) draw();
  }
  document.addEventListener("ranking", askForRanking);
})();
