/* What was searched for, marked in the page that opens. Also what the search page needs for the same
 * work: the text of a page in blocks, as a reader sees it, and marks in it.
 *
 * Takes the place of Sphinx's file of this name, which marks each word by itself and none that is
 * interrupted by markup.
 */
"use strict";

const SPHINX_HIGHLIGHT_ENABLED = true;

const PageText = (() => {
  // The same characters as in words.py.
  const HAN = "\\u3005\\u3007\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
  const WORD = new RegExp(`(?:(?![${HAN}])[\\p{L}\\p{N}_])+`, "gu");
  const WORD_BEFORE = /([\p{L}\p{N}_]+)[\s'’-]{1,2}$/u;
  const WORD_BEHIND = /^[\s'’-]{1,2}([\p{L}\p{N}_]+)/u;
  // What may stand between two characters of a word and is not seen: a broken line of the source, or
  // a sign that tells where a line may break.
  const GAP = "(?:[\\u00ad\\u200b-\\u200d\\u2060\\ufeff]|[ \\t]*\\n[ \\t]*)*";

  const SKIPPED =
    "script, style, noscript, template, rt, rp, nav, button, select, textarea, .headerlink, .no-search, " +
    '.translated-copy, [hidden]:not([hidden="until-found" i])';
  const INLINE = new Set(
    (
      "a abbr b bdi bdo cite code data dfn em font i img input ins kbd label mark q rb ruby s samp small span " +
      "strong sub sup time tt u var wbr"
    ).split(" "),
  );

  const fold = (text) =>
    text
      .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, "")
      .replace(/[\uff01-\uff5e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
      .toLowerCase();

  /* An expression for a text as it stands in a page, in ASCII letters of either width. */
  const literal = (text) => {
    const signs = [...text].map((c) => {
      const wide = /[!-~]/.test(c) ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : "";
      return `[${c.replace(/[\\\]^-]/, "\\$&")}${wide}]`;
    });
    const edge = (c, look) => (/\d/.test(c) ? `(?${look}(?![${HAN}])[\\p{L}\\p{N}_])` : "");
    return new RegExp(edge(text[0], "<!") + signs.join(GAP) + edge(text.at(-1), "!"), "giu");
  };

  /* The blocks of text in an element: a paragraph, a cell, a line of code. The parts of a block tell
   * which text nodes it is made of; a formula is text that no mark can be put into. */
  const blocksOf = (root) => {
    const blocks = [];
    let block = null;
    const add = (text, node, offset) => {
      if (!block) blocks.push((block = { text: "", parts: [], heading: false, formula: true }));
      block.parts.push({ node, offset, start: block.text.length, end: block.text.length + text.length });
      block.text += text;
      block.formula &&= !node;
    };
    const visit = (node, code, heading) => {
      if (node.nodeType === Node.TEXT_NODE) {
        if (!code) return add(node.data, node, 0);
        let offset = 0;
        for (const line of node.data.split("\n")) {
          if (offset) block = null;
          if (line) add(line, node, offset);
          offset += line.length + 1;
        }
      } else if (node.nodeType === Node.ELEMENT_NODE && !node.matches(SKIPPED)) {
        if (node.localName === "math") {
          return add((node.querySelector("annotation") ?? node).textContent, null, 0);
        }
        if (node.localName === "svg") {
          return add(node.getAttribute("aria-label") ?? node.querySelector("title")?.textContent ?? "", null, 0);
        }
        const inline = INLINE.has(node.localName);
        if (!inline) block = null;
        const title = heading || /^h[1-6]$/.test(node.localName);
        for (const child of node.childNodes) visit(child, code || node.localName === "pre", title);
        if (block) block.heading = title;
        if (!inline) block = null;
      }
    };
    visit(root, false, false);
    return blocks;
  };

  /* Where in a text is what is looked for: literals anywhere, words where `isWord` returns what they are
   * a form of. Different parts of a query that follow each other are one piece, with the signs between
   * them, and with the words of the query that are not looked for. */
  const find = (text, { literals, isWord, skipped = new Set() }) => {
    const joins = (between) =>
      between.length < 30 &&
      !/[.。]\s|[!?;！？；]/.test(between) &&
      (between.match(WORD) ?? []).every((word) => skipped.has(fold(word))) &&
      between.split(WORD).every((signs) => /^[^\p{L}\p{N}]{0,3}$/u.test(signs));
    const found = [];
    literals.forEach((expression, which) => {
      for (const match of text.matchAll(expression)) found.push([match.index, match.index + match[0].length, which]);
    });
    if (isWord) {
      for (const match of text.matchAll(WORD)) {
        const which = isWord(fold(match[0]));
        if (which) found.push([match.index, match.index + match[0].length, which]);
      }
    }
    found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    const pieces = [];
    for (const [start, end, which] of found) {
      const last = pieces.at(-1);
      const follows = last && !last.which.has(which) && joins(text.slice(last.end, start));
      if (last && (start < last.end || follows)) {
        last.end = Math.max(last.end, end);
        last.which.add(which);
      } else {
        pieces.push({ start, end, which: new Set([which]) });
      }
    }
    // Words that are not looked for begin or end a piece as well.
    if (skipped.size) {
      const isSkipped = (match) => match && skipped.has(fold(match[1]));
      for (const piece of pieces) {
        for (let match; isSkipped((match = text.slice(0, piece.start).slice(-40).match(WORD_BEFORE))); ) {
          piece.start -= match[0].length;
        }
        for (let match; isSkipped((match = text.slice(piece.end).match(WORD_BEHIND))); ) {
          piece.end += match[0].length;
        }
      }
    }
    return pieces;
  };

  const marked = (text) => {
    const span = document.createElement("span");
    span.className = "highlighted";
    span.textContent = text;
    return span;
  };

  /* Put marks around pieces of a block. From its end to its start, so that places before stay right. */
  const mark = (block, pieces) => {
    const marks = [];
    for (const { node, offset, start, end } of [...block.parts].reverse()) {
      if (!node || node.parentElement.namespaceURI !== document.documentElement.namespaceURI) continue;
      for (const piece of [...pieces].reverse()) {
        const from = Math.max(piece.start, start);
        const to = Math.min(piece.end, end);
        if (from >= to) continue;
        const rest = node.splitText(from - start + offset);
        rest.splitText(to - from);
        const span = marked(rest.data);
        rest.replaceWith(span);
        marks.unshift(span);
      }
    }
    return marks;
  };

  /* The part of a page that the index knows; themes call it by different names. */
  const content = (page) =>
    ['[itemprop="articleBody"]', "article", '[role="main"]', "main", ".body", "body"]
      .map((place) => page.querySelector(place))
      .find(Boolean);

  return { HAN, WORD, fold, literal, blocksOf, find, mark, marked, content };
})();

const SphinxHighlight = {
  KEY: "sphinx_highlight_terms",

  /* Remember for the page that opens next what to mark in it; whether that was possible. */
  remember: (sought) => {
    try {
      localStorage.setItem(SphinxHighlight.KEY, JSON.stringify(sought));
      return true;
    } catch {
      return false; // a private window, or a reader of local files
    }
  },

  /* What to mark, from the search page or from ?highlight= in the address. */
  _sought: () => {
    const address = new URL(location);
    const typed = address.searchParams.get("highlight");
    if (typed !== null) {
      address.searchParams.delete("highlight");
      history.replaceState(history.state, "", address);
    }
    try {
      const kept = localStorage.getItem(SphinxHighlight.KEY);
      localStorage.removeItem(SphinxHighlight.KEY);
      const sought = kept && JSON.parse(kept);
      if (sought?.literals && sought.words) return sought;
    } catch {
      /* nothing is kept, or not by this script */
    }
    if (!typed) return null;
    const text = PageText.fold(typed);
    return {
      literals: text.match(new RegExp(`[${PageText.HAN}]+`, "gu")) ?? [],
      words: (text.match(PageText.WORD) ?? []).map((word) => ({ forms: [word], beginnings: [] })),
    };
  },

  highlightSearchWords: () => {
    const sought = SphinxHighlight._sought();
    if (!sought) return;
    const words = sought.words.map(({ forms = [], beginnings = [] }) => ({ forms: new Set(forms), beginnings }));
    const look = {
      literals: sought.literals.map(PageText.literal),
      skipped: new Set(sought.skipped),
      isWord: (word) =>
        words.find(({ forms, beginnings }) => forms.has(word) || beginnings.some((one) => word.startsWith(one))),
    };
    const marks = PageText.blocksOf(PageText.content(document)).flatMap((block) =>
      PageText.mark(block, PageText.find(block.text, look)),
    );
    if (!marks.length) return;
    if (!location.hash) marks[0].scrollIntoView({ block: "center" });
    const box = document.getElementById("searchbox");
    if (!box) return;
    const line = document.createElement("p");
    line.className = "highlight-link";
    const link = document.createElement("a");
    link.href = "#";
    link.setAttribute("role", "button");
    link.textContent = _("Hide Search Matches");
    link.addEventListener("click", (event) => {
      event.preventDefault();
      SphinxHighlight.hideSearchWords();
    });
    line.append(link);
    box.append(line);
  },

  hideSearchWords: () => {
    document.querySelectorAll("#searchbox .highlight-link").forEach((line) => line.remove());
    document.querySelectorAll("span.highlighted").forEach((span) => {
      const parent = span.parentNode;
      span.replaceWith(...span.childNodes);
      parent.normalize();
    });
  },

  initEscapeListener: () => {
    if (!DOCUMENTATION_OPTIONS.ENABLE_SEARCH_SHORTCUTS) return;
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
      if (BLACKLISTED_KEY_CONTROL_ELEMENTS.has(document.activeElement.tagName)) return;
      SphinxHighlight.hideSearchWords();
    });
  },
};

_ready(() => {
  // Results are marked by the search itself.
  if (!document.getElementById("search-results")) SphinxHighlight.highlightSearchWords();
  SphinxHighlight.initEscapeListener();
});
