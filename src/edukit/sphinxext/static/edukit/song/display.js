/* How a song is shown: sounds above or below, zhuyin, tones, translation, characters; what is shown is kept.
 *
 * Lines are laid out by the rules of song/content.py: a word and the punctuation that may not be parted
 * from it are one unit, and the sounds stand above it as ruby.
 */

(() => {
  "use strict";

  const { add, make, button, choice, recall, remember } = globalThis.edukitSong;

  // -- laying out a text ------------------------------------------------------------------------------

  const opens = /[\p{Ps}\p{Pi}]/u;

  /** Part what stands between two words: what belongs to the first, a space, what to the second. */
  const parted = (text, first) => {
    let at = 0;
    while (at < text.length && !first && !/\s/u.test(text[at]) && !opens.test(text[at])) {
      at += 1;
    }
    return [text.slice(0, at), /\s/u.test(text[at] ?? ""), text.slice(at).trimStart()];
  };

  const runsOf = (parts, byWord) => {
    const runs = [];
    for (const part of parts) {
      if (byWord && runs.length && runs.at(-1)[0][5] === part[5]) {
        runs.at(-1).push(part);
      } else {
        runs.push([part]);
      }
    }
    return runs;
  };

  /** An apostrophe tells where a syllable begins that has no consonant to tell it: xī’ān. */
  const joined = (readings) =>
    readings.map((one, at) => (at && /^[aeo]/u.test(one.normalize("NFD")) ? `’${one}` : one)).join("");

  const ruby = (base, reading, lang, readingLang, more = {}) =>
    make(
      "ruby",
      { lang, ...more },
      ...base,
      make("rp", {}, "("),
      make("rt", { lang: readingLang }, reading),
      make("rp", {}, ")"),
    );

  const baseOf = (item, run, shown) => {
    const text = (part) => shown.slice(part[0], part[1]);
    const toned = (part) =>
      part[3] ? make("span", { className: `edukit-tone-${part[3]}` }, text(part)) : text(part);
    if (item.zhuyin && !item.bare) {
      return run.map((part) =>
        part[4]
          ? ruby([toned(part)], part[4], item.lang, "zh-Bopo", { className: "edukit-song-zhuyin" })
          : text(part),
      );
    }
    // Below the line the sounds are read as a whole, and the characters still show their tones.
    const bases = run.flatMap((part, at) => [at ? shown.slice(run[at - 1][1], part[0]) : "", toned(part)]);
    const readings = item.bare ? [] : run.map((part) => part[2]).filter(Boolean);
    const readingLang = item.chinese ? "zh-Latn-pinyin" : "en-fonipa";
    return readings.length
      ? [ruby(bases.filter(Boolean), joined(readings), item.lang, readingLang)]
      : bases.filter(Boolean);
  };

  /** The nodes of a text with its sounds above it. */
  const laidOut = (item, byWord) => {
    const shown = item.shown ?? item.text;
    const nodes = [];
    let end = 0;
    let unit = null;
    for (const run of runsOf(item.parts, byWord)) {
      const [after, space, before] = parted(shown.slice(end, run[0][0]), unit === null);
      if (unit) {
        unit.append(after);
        nodes.push(...(space ? [" "] : []));
      }
      end = run.at(-1)[1];
      unit = make("span", { className: "edukit-song-unit" }, before, ...baseOf(item, run, shown));
      unit.dataset.at = run[0][0];
      unit.dataset.to = end;
      nodes.push(unit);
    }
    unit?.append(shown.slice(end));
    return nodes;
  };

  /** Words of a line without known sounds, so that they can light up one by one. */
  const words = (text) =>
    [...text.matchAll(/[\u3400-\u9fff]|[^\s\u3400-\u9fff]+|\s+/gu)].map((match) => {
      if (!match[0].trim()) {
        return match[0];
      }
      const word = make("span", {}, match[0]);
      word.dataset.at = match.index;
      word.dataset.to = match.index + match[0].length;
      return word;
    });

  /** All the sounds of a text in one row. */
  const inOneRow = (item) => {
    if (item.reading && !item.zhuyin) {
      return item.reading;
    }
    const runs = runsOf(item.parts, true).map((run) => {
      const readings = run.map((part) => part[item.zhuyin ? 4 : 2]).filter(Boolean);
      const own = item.text.slice(run[0][0], run.at(-1)[1]);
      return readings.length ? (item.zhuyin ? readings.join(" ") : joined(readings)) : own;
    });
    if (item.chinese || !runs.length) {
      return runs.join(" ");
    }
    // A tie where a word is said as one with the word after it.
    const tied = runs.map((sound, at) => (at ? (item.links?.[at - 1] ? "‿" : " ") : "") + sound);
    return `/${tied.join("")}/`;
  };

  const fill = (place, item, mode) => {
    place.lang = item.lang;
    const text = item.shown ?? item.text;
    const above = item.parts.length && mode !== "below";
    const silent = item.whole && mode === "hidden";
    item.bare = !above;
    if (silent) {
      place.replaceChildren(text);
    } else {
      place.replaceChildren(...(item.parts.length ? laidOut(item, mode !== "character") : words(text)));
    }
    place.classList.toggle("edukit-song-unread", mode === "hidden");
    const reading = above ? "" : inOneRow(item);
    return reading && !silent
      ? make(
          "p",
          {
            className: `edukit-song-reading${mode === "hidden" ? " edukit-song-unread" : ""}`,
            lang: item.zhuyin ? "zh-Bopo" : item.chinese ? "zh-Latn-pinyin" : "en-fonipa",
          },
          reading,
        )
      : null;
  };

  // -- the choices --------------------------------------------------------------------------------------

  const defaults = (song) => ({
    pinyin: song.isChinese ? (song.data.ruby ?? "word") : "hidden",
    ipa: song.isChinese ? "hidden" : song.data.lines.some((line) => line.reading) ? "below" : "word",
    notation: "pinyin",
    translation: "beside",
    script: song.lang,
    tones: false,
  });

  const show = (song, settings) => {
    const { root, data } = song;
    data.lines.forEach((line, number) => {
      const texts = song.items[number].querySelector(".edukit-song-texts");
      texts.querySelectorAll(".edukit-song-reading").forEach((one) => one.remove());
      for (const [kind, whole] of [
        ["original", false],
        ["translation", true],
      ]) {
        const place = texts.querySelector(`.edukit-song-${kind}`);
        if (!place) {
          continue;
        }
        const item = { ...song[kind](line), whole };
        item.zhuyin = item.chinese && settings.notation === "zhuyin" && item.parts.some((part) => part[4]);
        if (item.other && settings.script !== song.lang) {
          item.shown = item.other;
          item.lang = settings.script;
        }
        const reading = fill(place, item, item.chinese ? settings.pinyin : settings.ipa);
        if (reading) {
          place.after(reading);
          reading.classList.toggle("edukit-song-of-translation", whole);
        }
      }
    });
    root.classList.toggle("edukit-song-under", settings.translation === "under");
    root.classList.toggle("edukit-song-untranslated", settings.translation === "hidden");
    root.classList.toggle("edukit-song-toned", settings.tones);
    song.tell("shown");
  };

  const wordsOf = (song, settings) =>
    song.data.lines
      .flatMap((line) => [
        settings.script === song.lang ? line.text : (line.other ?? line.text),
        ...(settings.translation === "hidden" || !line.translation ? [] : [line.translation]),
      ])
      .join("\n");

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // From a folder, or where it is not allowed: by a field that holds the text for a moment.
      const field = make("textarea", { value: text });
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
  };

  const places = (song) => [
    ["character", song.t("aboveCharacter")],
    ["word", song.t("aboveWord")],
    ["below", song.t("below")],
    ["hidden", song.t("hidden")],
  ];

  add((song) => {
    const { data, t } = song;
    if (!data.lines.length) {
      return;
    }
    const key = `display:${song.isChinese ? "zh" : "en"}`;
    const offered = defaults(song);
    const settings = { ...offered };
    const kept = recall(key);
    const panel = song.panel("display");
    const changed = (name) => (value) => {
      settings[name] = value;
      remember(key, settings);
      show(song, settings);
    };
    const offer = (name, label, options) => {
      if (options.some(([value]) => value === kept[name])) {
        settings[name] = kept[name];
      }
      panel.append(choice(label, options, settings[name], changed(name)).element);
    };
    const texts = data.lines.flatMap((line) => [song.original(line), song.translation(line)]);
    const sounding = (chinese) =>
      texts.filter((item) => item.chinese === chinese && (item.parts.length || item.reading));
    if (sounding(true).length) {
      offer("pinyin", t("pinyin"), places(song));
    }
    if (sounding(false).length) {
      offer("ipa", t("ipa"), places(song).slice(1));
    }
    if (texts.some((item) => item.parts.some((part) => part[4]))) {
      offer("notation", t("notation"), [
        ["pinyin", t("pinyin")],
        ["zhuyin", t("zhuyin")],
      ]);
    }
    if (data.lines.some((line) => line.translation)) {
      offer("translation", t("translation"), [
        ["beside", t("beside")],
        ["under", t("under")],
        ["hidden", t("hidden")],
      ]);
    }
    if (data.lines.some((line) => line.other)) {
      offer("script", t("script"), [
        ["zh-Hans", t("simplified")],
        ["zh-Hant", t("traditional")],
      ]);
    }
    if (texts.some((item) => item.parts.some((part) => part[3]))) {
      settings.tones = kept.tones === true;
      const box = make("input", { type: "checkbox", checked: settings.tones });
      box.addEventListener("change", () => changed("tones")(box.checked));
      const legend = make("ul", { className: "edukit-song-legend edukit-song-toned" });
      for (const tone of [1, 2, 3, 4, 5]) {
        legend.append(make("li", {}, make("span", { className: `edukit-tone-${tone}` }, t(`tone${tone}`))));
      }
      panel.append(make("label", { className: "edukit-song-box" }, box, t("tones")), legend);
    }
    const said = make("span", { role: "status" });
    panel.append(
      make(
        "p",
        { className: "edukit-song-row" },
        button(t("copyWords"), async () => {
          await copy(wordsOf(song, settings));
          said.textContent = t("copied");
        }),
        said,
      ),
    );
    song.root.querySelectorAll(".edukit-song-switch, .edukit-song-switch + label").forEach((one) => one.remove());
    show(song, settings);
  });

  globalThis.edukitSong.runsOf = runsOf;
})();
