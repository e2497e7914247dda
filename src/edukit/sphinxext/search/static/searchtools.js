/* The search page: takes a query apart, finds pages in the index, shows them with the text around the hit.
 *
 * Takes the place of Sphinx's file of this name and keeps its names for themes: `Search.init`,
 * `performSearch`, `setIndex`, and the elements that the results are made of. The stemmer and the stop
 * words come from Sphinx's language_data.js, PageText from sphinx_highlight.js.
 */
"use strict";

const Search = (() => {
  // -- the index ------------------------------------------------------------------------------------

  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const VALUES = new Map([...LETTERS].map((letter, value) => [letter, value]));

  let index = null;
  let waiting = null; // a query that came before the index

  /* The numbers of pages, which index.py wrote as gaps. */
  const decode = (letters) => {
    const numbers = [];
    let last = -1;
    let gap = 0;
    let shift = 0;
    for (const letter of letters) {
      const value = VALUES.get(letter);
      gap += (value % 32) << shift;
      shift += 5;
      if (value < 32) {
        last += gap + 1;
        numbers.push(last);
        gap = shift = 0;
      }
    }
    return numbers;
  };

  const pagesOf = (table, keys) => {
    const pages = new Set();
    for (const key of keys) {
      if (Object.hasOwn(table, key)) decode(table[key]).forEach((page) => pages.add(page));
    }
    return pages;
  };

  const inAll = (sets) => {
    const [smallest, ...others] = sets.sort((a, b) => a.size - b.size);
    return new Set([...smallest].filter((page) => others.every((set) => set.has(page))));
  };

  /* Titles and names as they are compared, made ready once. */
  const folded = new Map();
  const fold = (text) => {
    let known = folded.get(text);
    if (known === undefined) folded.set(text, (known = PageText.fold(text)));
    return known;
  };

  // -- the query ------------------------------------------------------------------------------------

  const WORDLY = `(?![${PageText.HAN}])[\\p{L}\\p{N}_]`;
  const NUMBER = new RegExp(`(?<!${WORDLY})\\d+(?:[.,:/]\\d+)+(?!${WORDLY})`, "gu"); // 3.14 is one, not two

  let stemmer = null;
  const stems = new Map();
  const stem = (word) => {
    stemmer ??= new Stemmer();
    if (!stems.has(word)) stems.set(word, stemmer.stemWord(word).toLowerCase());
    return stems.get(word);
  };

  /* Take a query apart. All of its tokens must be found:
   *   { text, pages, literal }  Chinese characters or a number, which must stand in one piece
   *   { text, pages, stems }    a word, found by any of the stems */
  const parse = (query) => {
    const text = PageText.fold(query);
    const tokens = [];
    const add = (text, pages) => tokens.push({ text, literal: PageText.literal(text), pages });
    for (const run of new Set(text.match(new RegExp(`[${PageText.HAN}]+`, "gu")) ?? [])) add(run, pagesOfRun(run));
    for (const number of new Set(text.match(NUMBER) ?? [])) add(number, pagesOfNumber(number));
    const words = [...new Set(text.replace(NUMBER, " ").match(PageText.WORD) ?? [])];
    for (const word of words) if (!stopwords.has(word)) tokens.push(wordToken(word));
    // Nothing but stop words, which no text is found by: it can still be the title of a song.
    const onlyTitles = !tokens.length;
    if (onlyTitles) for (const word of words) tokens.push(titleToken(word));
    const skipped = words.filter((word) => stopwords.has(word));
    return { tokens, onlyTitles, skipped };
  };

  const titleToken = (word) => ({
    text: word,
    stems: new Set([word]),
    beginnings: [word],
    pages: new Set(index.docnames.keys()),
  });

  /* index.chinese has the text of every page, written in signs: so is what is looked for in it. */
  let signs = null;
  const pagesOfRun = (run) => {
    if (!signs) {
      const written = [...index.signs];
      signs = new Map([...index.characters].map((character, at) => [character, written[at]]));
    }
    const sought = [...run].map((character) => signs.get(character) ?? character).join("");
    const pages = new Set();
    index.chinese.forEach((text, page) => text.includes(sought) && pages.add(page));
    return pages;
  };

  /* A number may be a part of a longer one, such as a ratio, but no digits are cut off. */
  const pagesOfNumber = (number) => {
    const expression = PageText.literal(number);
    return pagesOf(index.terms, Object.keys(index.terms).filter((term) => term.search(expression) >= 0));
  };

  /* As in Sphinx: a word is found by its stem, and as a part of others where no page has it. */
  const wordToken = (word) => {
    const own = stem(word);
    const found = Object.hasOwn(index.terms, own)
      ? [own]
      : Object.hasOwn(index.terms, word)
        ? [word]
        : own.length > 2
          ? Object.keys(index.terms).filter((term) => term.includes(own))
          : [];
    const stems = new Set([own, ...found]);
    const beginnings = [...new Set([...stems].map((one) => one.slice(0, 2)))];
    return { text: word, stems, beginnings, pages: pagesOf(index.terms, found) };
  };

  const isOf = (token, word) => word === token.text || token.stems.has(stem(word)) || token.stems.has(word);

  /* Whether a title or a name has every token. Stemming is slow: only what begins alike is stemmed. */
  const matches = (title, tokens) => {
    const text = fold(title);
    return tokens.every((token) => {
      if (token.literal) return text.includes(token.text) && text.search(token.literal) >= 0;
      if (!token.beginnings.some((beginning) => text.includes(beginning))) return false;
      return (text.match(PageText.WORD) ?? []).some(
        (word) =>
          word === token.text ||
          (token.beginnings.some((beginning) => word.startsWith(beginning)) && isOf(token, word)),
      );
    });
  };

  /* What PageText.find looks for. */
  const look = ({ tokens, skipped }) => ({
    skipped: new Set(skipped),
    literals: tokens.filter((token) => token.literal).map((token) => token.literal),
    isWord: (word) => tokens.find((token) => token.stems && isOf(token, word)),
  });

  // -- what is found --------------------------------------------------------------------------------

  // Titles come first. Within a kind, the more of a title a query is, the better.
  const RANK = { title: 500, section: 400, entry: 300, object: 200, otherEntry: 100, text: 0 };

  const resultOf = (query, page, rank, anchor, title, kind, { name = title, share, ...more } = {}) => {
    share ??= Math.min(1, query.trim().length / name.length);
    let score = rank + Math.round(99 * share);
    if (typeof Scorer !== "undefined" && Scorer.score) {
      // The hook that Sphinx documents for html_search_scorer.
      score = Scorer.score([index.docnames[page], title, anchor, more.description ?? null, score, "", kind]);
    }
    return { page, title, anchor, kind, score, ...more };
  };

  const findAll = (query) => {
    const asked = parse(query);
    const { tokens } = asked;
    if (!tokens.length) return { asked, results: [] };
    const results = [];
    const add = (...more) => results.push(resultOf(query, ...more));

    const pages = inAll(tokens.map((token) => token.pages));
    for (const [title, places] of Object.entries(index.alltitles)) {
      // A title is text of its page.
      const candidates = places.filter(([page]) => pages.has(page));
      if (!candidates.length || !matches(title, tokens)) continue;
      for (const [page, id] of candidates) {
        const own = id === null;
        const shown = own || title === index.titles[page] ? title : `${index.titles[page]} > ${title}`;
        add(page, own ? RANK.title : RANK.section, own ? "" : `#${id}`, shown, "title", { name: title });
      }
    }
    for (const [text, places] of Object.entries(index.indexentries)) {
      if (!matches(text, tokens)) continue;
      for (const [page, id, main] of places) {
        const description = index.texts.entry.replace("{title}", index.titles[page]);
        add(page, main ? RANK.entry : RANK.otherEntry, id ? `#${id}` : "", text, "index", { description });
      }
    }
    for (const result of objectsFor(tokens)) add(...result);

    const better = new Map();
    for (const result of results) {
      const place = `${result.page} ${result.anchor}`;
      if (!better.has(place) || better.get(place).score < result.score) better.set(place, result);
    }
    const shown = [...better.values()];
    const named = new Set(shown.map((result) => result.page));
    for (const page of asked.onlyTitles ? [] : pages) {
      if (named.has(page)) continue;
      const title = index.titles[page];
      const inTitle = tokens.filter((token) => matches(title, [token])).length / tokens.length;
      shown.push(resultOf(query, page, RANK.text, "", title, "text", { share: inTitle }));
    }
    // Those of one score by their titles as they are written: a browser's rules for a language take it
    // longer to load than all the rest of an answer.
    const inOrder = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    shown.sort((a, b) => b.score - a.score || inOrder(fold(a.title), fold(b.title)) || a.page - b.page);
    return { asked, results: shown };
  };

  /* Objects, such as functions: their full name holds a part of what is typed, the rest may stand in the
   * title of the page or in what kind of object it is. */
  const objectsFor = (tokens) => {
    const found = [];
    for (const [prefix, objects] of Object.entries(index.objects)) {
      for (const [page, type, , shortAnchor, name] of objects) {
        const fullname = prefix ? `${prefix}.${name}` : name;
        const lower = fullname.toLowerCase();
        const parts = lower.split(/[^\p{L}\p{N}_]+/u);
        const has = ({ text }) => ([...text].length > 2 || /\P{ASCII}/u.test(text) ? lower.includes(text) : parts.includes(text));
        if (!tokens.some(has)) continue;
        const [, kind, kindName] = index.objnames[type];
        const about = `${kindName} ${index.titles[page]}`;
        if (!tokens.every((token) => has(token) || matches(about, [token]))) continue;
        const anchor = shortAnchor === "" ? fullname : shortAnchor === "-" ? `${kind}-${fullname}` : shortAnchor;
        const description = index.texts.in.replace("{kind}", kindName).replace("{title}", index.titles[page]);
        const exact = tokens.some(({ text }) => lower === text || parts.at(-1) === text);
        found.push([page, RANK.object + (exact ? 100 : 0), `#${anchor}`, fullname, "object", { name, description }]);
      }
    }
    return found;
  };

  // -- the text of pages ----------------------------------------------------------------------------

  const addressOf = (docname) => {
    if (DOCUMENTATION_OPTIONS.BUILDER === "dirhtml") {
      return document.documentElement.dataset.content_root + `${docname}/`.replace(/(^|\/)index\/$/, "$1");
    }
    return docname + DOCUMENTATION_OPTIONS.LINK_SUFFIX;
  };

  // A page that was opened from a folder may not read other files: there, results have no summary.
  const mayRead = location.protocol !== "file:";
  const read = new Map();

  /* A page as a document, or null where it cannot be had. */
  const pageText = (page) => {
    if (!read.has(page)) read.set(page, load(index.docnames[page]));
    return read.get(page);
  };

  const load = async (docname) => {
    const { BUILDER, FILE_SUFFIX } = DOCUMENTATION_OPTIONS;
    const root = document.documentElement.dataset.content_root ?? "";
    const address = BUILDER === "dirhtml" ? addressOf(docname) : root + docname + FILE_SUFFIX;
    try {
      const answer = await fetch(address);
      if (!answer.ok) return null;
      return new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      return null;
    }
  };

  const SUMMARY = 180;

  /* The words around the best hit, with the hit marked, and the forms in which words were found. */
  const summarise = async (result, asked) => {
    const page = await pageText(result.page);
    if (!page) return null;
    const sought = look(asked);
    const all = PageText.content(page);
    let place = result.anchor && page.getElementById(decodeURIComponent(result.anchor.slice(1)));
    if (place?.localName === "dt") place = place.parentElement;
    const blocks = PageText.blocksOf(place && place.textContent.trim() ? place : all);
    const squeezed = (text) =>
      text
        .replace(new RegExp(`([${PageText.HAN}，。、；：？！])[ \\t]*\\n[ \\t]*(?=[${PageText.HAN}])`, "gu"), "$1")
        .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, "")
        .replace(/\s+/g, " ")
        .trim();
    const texts = blocks.map((block) => ({ ...block, text: squeezed(block.text) })).filter(({ text }) => text);
    let best = 0;
    let most = 0;
    texts.forEach(({ text, heading }, at) => {
      const found = new Set(PageText.find(text, sought).flatMap((piece) => [...piece.which]));
      const worth = found.size - (heading ? 0.5 : 0);
      if (worth > most) [best, most] = [at, worth];
    });
    if (!texts.length) return null;

    const [first] = PageText.find(texts[best].text, sought);
    const hit = first?.start ?? 0;
    let start = Math.max(0, hit - 60);
    // Begin with a word, not within one.
    while (start && start < hit && /^[\p{L}\p{N}]{2}/u.test(texts[best].text.slice(start - 1)) && /[^\u3000-\uffff]/.test(texts[best].text[start])) start++;
    let text = (start ? "… " : "") + texts[best].text.slice(start).trimStart();
    for (const more of texts.slice(best + 1)) {
      if (text.length > SUMMARY / 2) break;
      // What goes on after a short block; a formula in LaTeX tells a reader little.
      if (!more.formula) text += ` · ${more.text}`;
    }
    if (text.length > SUMMARY) text = `${text.slice(0, SUMMARY).replace(/[A-Za-z]+$/, "").trimEnd()} …`;
    const forms = new Map(asked.tokens.map((token) => [token, new Set()]));
    for (const block of PageText.blocksOf(all)) {
      for (const word of (block.text.match(PageText.WORD) ?? []).map(PageText.fold)) {
        forms.get(sought.isWord(word))?.add(word);
      }
    }
    return { text, forms };
  };

  // -- the results ----------------------------------------------------------------------------------

  const BATCH = 20; // results that are shown at once
  const AHEAD = 4; // pages that are fetched at the same time

  const element = (name, className, text = "") => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.textContent = text;
    return made;
  };

  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

  const withMarks = (target, text, sought) => {
    let end = 0;
    for (const piece of PageText.find(text, sought)) {
      target.append(text.slice(end, piece.start), PageText.marked(text.slice(piece.start, piece.end)));
      end = piece.end;
    }
    target.append(text.slice(end));
    return target;
  };

  const itemOf = (result, asked, list) => {
    const { tokens, skipped } = asked;
    const sought = look(asked);
    const item = element("li", `kind-${result.kind}`);
    const link = withMarks(element("a"), result.title, sought);
    link.href = addressOf(index.docnames[result.page]) + result.anchor;
    link.dataset.score = result.score;
    item.append(link);
    if (result.description) item.append(withMarks(element("span"), ` (${result.description})`, sought));

    const words = tokens.filter((token) => token.stems);
    const kept = {
      skipped,
      literals: tokens.filter((token) => token.literal).map((token) => token.text),
      // Until the page has been read, the forms of a word are guessed by their beginning.
      words: words.map(({ text, stems }) => ({
        forms: [text],
        beginnings: [...stems].filter((one) => one.length > 2),
      })),
    };
    const remember = () => {
      if (SphinxHighlight.remember(kept)) return;
      const address = new URL(link.href);
      address.searchParams.set("highlight", tokens.map(({ text }) => text).join(" "));
      link.href = address;
    };
    link.addEventListener("click", remember);
    link.addEventListener("auxclick", remember);

    const addSummary = async () => {
      const found = await summarise(result, asked);
      if (!found) return;
      kept.words = words.map((token) => ({ forms: [...found.forms.get(token)], beginnings: [] }));
      item.append(withMarks(element("p", "context"), found.text, sought));
    };
    list.append(item);
    return { link, addSummary };
  };

  /* Once the results are on the screen: from the first to the last, a few pages at a time. */
  const addSummaries = async (items, list) => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    const next = async () => {
      const item = list.isConnected && items.shift();
      if (!item) return;
      await item.addSummary();
      await next();
    };
    for (let at = 0; at < AHEAD; at++) next();
  };

  const run = (query) => {
    const { output: list, status } = Search;
    const { asked, results } = findAll(query);
    const show = () => {
      const items = results.splice(0, BATCH).map((result) => itemOf(result, asked, list));
      const [first] = items;
      if (mayRead && DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY) addSummaries(items, list);
      return first?.link;
    };

    const text = results.length > 1 ? "many" : results.length ? "one" : "none";
    Search.title.textContent = _("Search Results");
    status.textContent = fill(index.texts[text], { count: results.length, query: query.trim() });
    show();
    if (!results.length) return;
    const button = element("button", "search-more", index.texts.more);
    button.type = "button";
    button.addEventListener("click", () => {
      show().focus();
      if (!results.length) button.remove();
    });
    list.after(button);
  };

  /* The same search in the other languages: their search pages are what this page names as its
   * alternates, in a switcher for readers or else for search engines. */
  const others = (query, place) => {
    const found = new Map();
    for (const link of document.querySelectorAll("a[hreflang], link[rel~='alternate'][hreflang]")) {
      const tag = link.hreflang;
      if (tag === "x-default" || tag === document.documentElement.lang || found.has(tag)) continue;
      const address = new URL(link.href);
      if (!/\/search(\.\w+|\/)?$/.test(address.pathname)) continue;
      address.search = new URLSearchParams({ q: query });
      address.hash = "";
      found.set(tag, address);
      const base = tag.split("-")[0];
      const name = link.textContent.trim() || new Intl.DisplayNames([tag], { type: "language" }).of(base);
      const line = element("p", "search-other");
      const other = element("a", "", fill(index.texts.other, { query: query.trim(), language: name }));
      other.href = address;
      other.hreflang = tag;
      line.append(other);
      place.append(line);
    }
  };

  return {
    init: () => {
      const query = new URLSearchParams(location.search).get("q");
      document.querySelectorAll('input[name="q"]').forEach((input) => (input.value = query ?? ""));
      if (query?.trim()) Search.performSearch(query);
    },

    loadIndex: (url) => (document.body.appendChild(document.createElement("script")).src = url),

    setIndex: (data) => {
      index = data;
      if (waiting === null) return;
      const query = waiting;
      waiting = null;
      Search.query(query);
    },

    hasIndex: () => index !== null,

    deferQuery: (query) => (waiting = query),

    /* Build what results go into, then search, at once or when the index has come. */
    performSearch: (query) => {
      const place = document.getElementById("search-results");
      place.replaceChildren();
      Search.title = element("h2", "", _("Searching"));
      Search.status = element("p", "search-summary");
      // Read out when it changes: it has to be there, and empty, a moment before.
      Search.status.setAttribute("role", "status");
      Search.output = element("ul", "search");
      Search.output.setAttribute("role", "list");
      place.append(Search.title, Search.status, Search.output);
      const { status } = Search;
      setTimeout(() => {
        if (!status.isConnected) return; // another query has come
        if (Search.hasIndex()) Search.query(query);
        else Search.deferQuery(query);
      }, 20);
    },

    query: (query) => {
      others(query, document.getElementById("search-results"));
      return run(query);
    },

    /* For tests and measurements: what the index alone says. */
    find: (query) => findAll(query).results,
  };
})();

_ready(Search.init);
