/* Two languages on one page: which are shown, which comes first, and the practice of reading one of them.
 *
 * The page holds both sides of every block, the source hidden; bilingual-view.js has read from storage how
 * they are to be shown. Style sheets do the showing. Without scripts a link does it, see bilingual-sides.css.
 */
(() => {
  "use strict";

  const KEY = "bilingual-view";
  const ANCHOR = "#bilingual-both";
  const root = document.documentElement;
  const state = root.dataset;
  const tools = document.querySelector(".bilingual-tools");
  const control = (name) => tools?.querySelector(`[data-sets="${name}"]`);

  const remember = () => {
    try {
      const { bilingualView: view, bilingualFirst: first, bilingualCover: cover } = state;
      localStorage.setItem(KEY, JSON.stringify({ view, first, cover: cover === "on" }));
    } catch {
      /* then each page begins anew */
    }
  };

  // What stands at the top of the window stays there while the page grows or shrinks around it.
  const keepPlace = (change) => {
    const shown = [...document.querySelectorAll(".bilingual-side")].filter((side) => side.getClientRects().length);
    const anchor = shown.find((side) => side.getBoundingClientRect().bottom > innerHeight / 8);
    const block = anchor?.parentElement;
    const before = block?.getBoundingClientRect().top;
    change();
    if (block && scrollY > 0) scrollBy({ top: block.getBoundingClientRect().top - before, behavior: "instant" });
  };

  // -- the order: as they are seen, so they are read aloud and copied --------------------------------------

  const order = () => {
    const source = state.bilingualFirst === "source" && state.bilingualView === "both";
    for (const copy of document.querySelectorAll(".translated-copy")) {
      const other = source ? copy.previousElementSibling : copy.nextElementSibling;
      if (!other?.classList.contains("bilingual-side")) continue;
      if (source) copy.after(other);
      else copy.before(other);
    }
    state.bilingualOrdered = source ? "source" : "translation";
  };

  // -- covered until it is tapped ----------------------------------------------------------------------------

  const second = () => (state.bilingualFirst === "source" ? "translation" : "source");

  const uncover = (side, shown) => {
    side.classList.toggle("bilingual-shown", shown);
    const button = side.querySelector(":scope > .bilingual-cover");
    button.setAttribute("aria-expanded", String(shown));
    button.textContent = tools.dataset[`${shown ? "hide" : "show"}${second() === "source" ? "Source" : "Translation"}`];
  };

  const coverAll = () => {
    document.querySelectorAll(".bilingual-cover").forEach((button) => button.remove());
    document.querySelectorAll(".bilingual-shown").forEach((side) => side.classList.remove("bilingual-shown"));
    if (!tools || state.bilingualView !== "both" || state.bilingualCover !== "on") return;
    const sides = second() === "source" ? ".translated-copy" : ".bilingual-side:not(.translated-copy)";
    for (const side of document.querySelectorAll(sides)) {
      // A button within something that is pressed itself would be neither; and where the other side is
      // missing there is nothing to cover.
      const pair = side.parentElement.querySelectorAll(":scope > .bilingual-side").length === 2;
      if (!pair || side.closest("a, button, label, summary")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "bilingual-cover";
      button.lang = tools.lang || root.lang;
      button.dir = tools.dir || root.dir;
      side.append(button);
      uncover(side, false);
    }
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".bilingual-cover");
    if (!button) return;
    event.preventDefault();
    uncover(button.parentElement, button.getAttribute("aria-expanded") !== "true");
    say();
  });

  // -- the switch and the controls ---------------------------------------------------------------------------

  const say = () => {
    const both = state.bilingualView === "both";
    for (const [selector, current] of [[".bilingual-one", !both], [".bilingual-both", both]]) {
      for (const link of document.querySelectorAll(`.bilingual-switcher ${selector}`)) {
        if (current) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    }
    if (!tools) return;
    const cover = control("cover");
    control("first").setAttribute("aria-pressed", String(state.bilingualFirst === "source"));
    cover.setAttribute("aria-pressed", String(state.bilingualCover === "on"));
    cover.textContent = cover.dataset[second()];
    const all = control("all");
    all.hidden = state.bilingualCover !== "on";
    all.textContent = document.querySelector('.bilingual-cover[aria-expanded="false"]') ? all.dataset.show : all.dataset.hide;
  };

  const show = () => {
    order();
    coverAll();
    say();
  };

  const set = (name, value) => {
    keepPlace(() => {
      state[name] = value;
      show();
    });
    remember();
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(".bilingual-switcher :is(.bilingual-one, .bilingual-both)");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const both = link.classList.contains("bilingual-both");
    if (!both && location.hash.startsWith(ANCHOR)) history.replaceState(null, "", location.pathname + location.search);
    set("bilingualView", both ? "both" : "one");
  });

  tools?.addEventListener("click", (event) => {
    const sets = event.target.closest("button")?.dataset.sets;
    if (sets === "first") set("bilingualFirst", state.bilingualFirst === "source" ? "translation" : "source");
    if (sets === "cover") set("bilingualCover", state.bilingualCover === "on" ? "off" : "on");
    if (sets === "all") {
      const covered = document.querySelector('.bilingual-cover[aria-expanded="false"]');
      document.querySelectorAll(".bilingual-cover").forEach((button) => uncover(button.parentElement, !!covered));
      say();
    }
  });

  state.bilingualReady = "yes";
  show();
  // Other scripts may make labels and buttons of what is covered.
  document.addEventListener("DOMContentLoaded", () => {
    if (state.bilingualCover === "on") show();
  });
  // From the other language's page one comes to a heading of this one: #bilingual-both:its-id.
  const arrive = () => {
    if (!location.hash.startsWith(ANCHOR)) return;
    if (state.bilingualView === "both") remember();
    else set("bilingualView", "both");
    const id = location.hash.slice(ANCHOR.length + 1);
    if (!id) return;
    history.replaceState(null, "", `#${id}`);
    try {
      document.getElementById(decodeURIComponent(id))?.scrollIntoView();
    } catch {
      /* a stray % in the address */
    }
  };
  arrive();
  addEventListener("hashchange", arrive);

  // -- the search of a site that has Sphinx's own: its summaries are of the page's own text ------------------

  if (typeof Search === "object" && typeof Search.htmlToText === "function") {
    const stock = Search.htmlToText;
    Search.htmlToText = (html, ...more) => {
      const page = new DOMParser().parseFromString(html, "text/html");
      page.querySelectorAll(".translated-copy, .bilingual-tools").forEach((copy) => copy.remove());
      return stock(page.documentElement.outerHTML, ...more);
    };
  }
})();
