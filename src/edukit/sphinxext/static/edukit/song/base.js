/* What the scripts of a song's page share: its words, its data, its elements, what the device keeps.
 *
 * Without these scripts the page is whole. Each of the others adds one thing that a reader can do with a
 * song: it calls edukitSong.add with a function that is given every song of the page, also one that the
 * reader opens. Text from a file gets into the page as text and never as markup.
 */

(() => {
  "use strict";

  const features = [];

  const make = (tag, properties = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name.startsWith("on")) {
        element.addEventListener(name.slice(2), value);
      } else if (name in element && name !== "list") {
        element[name] = value;
      } else {
        element.setAttribute(name, value);
      }
    }
    element.append(...children);
    return element;
  };

  const button = (text, onclick, more = {}) => make("button", { type: "button", onclick, ...more }, text);

  /** A select with its name above it; options are pairs of value and text. */
  const choice = (label, options, value, onchange) => {
    const select = make(
      "select",
      {},
      ...options.map(([of, text]) => make("option", { value: of, selected: of === value }, text)),
    );
    select.addEventListener("change", () => onchange?.(select.value));
    const element = make("label", { className: "edukit-song-choice" }, make("span", {}, label), select);
    return { element, select };
  };

  // Both languages of the page and every way to open the site share what is kept.
  const recall = (key) => {
    try {
      const kept = JSON.parse(localStorage.getItem(`edukit-song:${key}`));
      return kept !== null && typeof kept === "object" ? kept : {};
    } catch {
      return {}; // no storage here, or something else in it
    }
  };

  const remember = (key, value) => {
    try {
      localStorage.setItem(`edukit-song:${key}`, JSON.stringify(value));
    } catch {
      // Private windows and full devices: everything works, and is forgotten.
    }
  };

  /** Numbers from 0 to 1 that are the same each time for the same seed. */
  const randomFrom = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  const shuffled = (items, random) => {
    const result = [...items];
    for (let last = result.length - 1; last > 0; last -= 1) {
      const at = Math.floor(random() * (last + 1));
      [result[last], result[at]] = [result[at], result[last]];
    }
    return result;
  };

  const han = /[\u3400-\u4dbf\u4e00-\u9fff]/u;
  const isChinese = (text) => han.test(text);

  const download = (name, text) => {
    const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };

  /** A song on the page, with what the features ask of it. */
  const start = (root, data, texts) => {
    const listeners = {};
    const song = {
      root,
      data,
      texts,
      t: (key, values = {}) =>
        Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), texts[key]),
      on: (event, listener) => (listeners[event] ??= []).push(listener),
      tell: (event, ...values) => (listeners[event] ?? []).forEach((listener) => listener(...values)),
      items: [...root.querySelectorAll(".edukit-song-lines li")],
      tools: make("div", { className: "edukit-song-tools" }),
    };
    const language = data.language ?? "en";
    song.isChinese = language.startsWith("zh");
    song.lang = { zh_CN: "zh-Hans", zh_TW: "zh-Hant" }[language] ?? "en";
    song.original = (line) => ({
      text: line.text,
      other: line.other,
      parts: line.parts ?? [],
      reading: line.reading,
      links: (line.spoken ?? []).map((one) => one[4] === true),
      lang: song.lang,
      chinese: song.isChinese,
    });
    song.translation = (line) => ({
      text: line.translation ?? "",
      parts: line.translationParts ?? [],
      lang: isChinese(line.translation ?? "") ? "zh-Hans" : "en",
      chinese: isChinese(line.translation ?? ""),
    });
    /** A part of the tools that is folded away until it is wanted. */
    song.panel = (key) => {
      const body = make("div", { className: "edukit-song-panel" });
      const details = make("details", { className: `edukit-song-${key}` }, make("summary", {}, texts[key]), body);
      song.tools.append(details);
      return body;
    };
    /** Light the line that is sung now, and in it what stands from one place to another. */
    song.light = (number, from = 0, to = 0) => {
      song.items.forEach((item, at) => {
        const now = at === number;
        if (now && !item.classList.contains("edukit-song-now")) {
          item.scrollIntoView({ block: "nearest" });
        }
        item.classList.toggle("edukit-song-now", now);
        item[now ? "setAttribute" : "removeAttribute"]("aria-current", "true");
        for (const unit of item.querySelectorAll(".edukit-song-original [data-at]")) {
          const lit = now && Number(unit.dataset.at) < to && Number(unit.dataset.to) > from;
          unit.classList.toggle("edukit-song-lit", lit);
        }
      });
      if (song.lit !== number) {
        song.lit = number;
        song.tell("line", number);
      }
    };
    const before = root.querySelector(".edukit-song-switch, .edukit-song-note, .edukit-song-lines");
    root.insertBefore(song.tools, before);
    for (const feature of features) {
      feature(song);
    }
    if (!song.tools.childElementCount) {
      song.tools.remove();
    }
    return song;
  };

  const main = () => {
    const kept = document.querySelector(".edukit-song-interface");
    const texts = kept ? JSON.parse(kept.textContent) : {};
    for (const element of document.querySelectorAll(".edukit-song-data")) {
      start(element.parentElement, { lines: [], ...JSON.parse(element.textContent) }, texts);
    }
  };

  globalThis.edukitSong = {
    add: (feature) => features.push(feature),
    make,
    button,
    choice,
    recall,
    remember,
    randomFrom,
    shuffled,
    isChinese,
    download,
    start,
  };

  // The other scripts come after this one and add to it before the page is complete.
  document.addEventListener("DOMContentLoaded", main);
})();
