// The news: what is about a channel, holds where somebody sells, or is known to a
// skill. The browser calls the element whenever it comes into the document, with
// the page or by the application.
(() => {
  "use strict";

  customElements.define("fact-filter", class extends HTMLElement {
    connectedCallback() {
      const query = new URLSearchParams(location.search);
      this.selects = [...this.querySelectorAll("select")];
      for (const select of this.selects) {
        const asked = query.get(select.name);
        if ([...select.options].some((o) => o.value === asked)) select.value = asked;
      }
      this.addEventListener("change", () => {
        this.show();
        this.write();
      });
      this.show();
    }

    show() {
      const chosen = this.selects.filter((s) => s.value);
      const facts = [...document.querySelectorAll(".Chapter .Fact")];
      for (const fact of facts) {
        fact.hidden = !chosen.every((s) => fact.dataset[s.name].split(" ").includes(s.value));
      }
      for (const chapter of document.querySelectorAll(".Chapter")) {
        chapter.hidden = !chapter.querySelector(".Fact:not([hidden])");
        const link = document.querySelector(`.Contents a[href="#${chapter.firstElementChild.id}"]`);
        if (link) link.parentElement.hidden = chapter.hidden;
      }
      const shown = facts.filter((f) => !f.hidden).length;
      document.getElementById("summary").textContent = !chosen.length ? `${facts.length} facts`
        : shown ? `${shown} of ${facts.length} facts` : "No fact is about all of these. Choose fewer filters.";
    }

    write() {
      const query = new URLSearchParams(location.search);
      for (const { name, value } of this.selects) {
        if (value) query.set(name, value);
        else query.delete(name);
      }
      const text = query.toString();
      history.replaceState(history.state, "", location.pathname + (text ? "?" + text : "") + location.hash);
    }
  });
})();
