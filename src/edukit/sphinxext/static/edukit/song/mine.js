/* A song of the reader's own: opened or pasted, shown like the songs of the page, and sent nowhere.
 *
 * Every text of the file becomes text on the page. A file that edukit lyrics prepare has made brings
 * sounds and meanings along; it comes from outside like any other, so that each value is looked at.
 */

(() => {
  "use strict";

  const { add, make, button, start, isChinese, readBytes, readSong, pinyin, Unreadable } = globalThis.edukitSong;

  const languages = ["zh_CN", "zh_TW", "en"];

  // -- what may come in --------------------------------------------------------------------------------

  const text = (value) => (typeof value === "string" ? value.slice(0, 2000) : "");
  const list = (value) => (Array.isArray(value) ? value.slice(0, 30_000) : []);
  const time = (value) => (Number.isInteger(value) && value >= 0 ? value : undefined);

  const cleanParts = (parts, of) => {
    let end = 0;
    const clean = [];
    for (const part of list(parts)) {
      const [from, to, sound, tone, zhuyin, group] = list(part);
      if (!Number.isInteger(from) || !Number.isInteger(to) || from < end || to <= from || to > of.length) {
        return [];
      }
      clean.push([from, to, text(sound) || null, [1, 2, 3, 4, 5].includes(tone) ? tone : null, text(zhuyin) || null, Number(group)]);
      end = to;
    }
    return clean;
  };

  const cleanLine = (line) => {
    const own = text(line?.text);
    const translation = text(line?.translation);
    const other = text(line?.other);
    return {
      text: own,
      translation,
      reading: text(line?.reading) || undefined,
      section: text(line?.section) || undefined,
      start: time(line?.start),
      end: time(line?.end),
      words: list(line?.words).map((word) => [text(word?.[0]), time(word?.[1]) ?? null, time(word?.[2]) ?? null]),
      parts: cleanParts(line?.parts, own),
      translationParts: cleanParts(line?.translationParts, translation),
      spoken: list(line?.spoken).map((one) => ["", "", "", "", list(one)[4] === true]),
      other: other.length === own.length && other !== "" ? other : undefined,
    };
  };

  const cleanSong = (data, name) => {
    const lines = list(data?.lines).map(cleanLine).filter((line) => line.text);
    if (!lines.length) {
      throw new Unreadable("empty");
    }
    return {
      title: text(data.title) || name,
      language: languages.includes(data.language) ? data.language : isChinese(lines[0].text) ? "zh_CN" : "en",
      people: list(data.people).map((person) => [text(person?.[0]), text(person?.[1])]),
      source: text(data.source),
      rights: text(data.rights),
      lines,
      vocabulary: list(data.vocabulary).map((entry) => list(entry).map(text)),
      attribution: text(data.attribution),
    };
  };

  /** A song that was read here, with the sounds that were typed for it laid under its characters. */
  const withSounds = (read) => {
    const lines = read.lines.map((line) => ({
      ...line,
      parts: read.language !== "en" && line.reading ? pinyin.partsOf(line.text, line.reading) : [],
    }));
    return cleanSong({ ...read, lines }, read.title);
  };

  const asJson = (content, name) => {
    try {
      return cleanSong(JSON.parse(content), name);
    } catch (error) {
      throw error instanceof Unreadable ? error : new Unreadable("notRead");
    }
  };

  const openFile = async (file) => {
    if (file.size > 5_000_000) {
      throw new Unreadable("tooLong");
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    const name = file.name.replace(/(?:\.song)?\.[^.]*$/u, "");
    if (/\.json$/iu.test(file.name)) {
      return { data: asJson(new TextDecoder().decode(bytes), name), findings: [] };
    }
    const read = readBytes(bytes, name);
    return { data: withSounds(read), findings: read.findings };
  };

  const openText = (content) => {
    if (/^\s*\{/u.test(content)) {
      return { data: asJson(content, ""), findings: [] };
    }
    const read = readSong(content, "");
    return { data: withSounds(read), findings: read.findings };
  };

  // -- the same elements as song/nodes.py writes ----------------------------------------------------------

  const langOf = (of) => (isChinese(of) ? "zh-Hans" : "en");

  const sectionOf = (song, name) => {
    const [, word, number] = /^(.*?)\s*(\d*)$/u.exec(name);
    const known = {
      verse: "Verse",
      主歌: "Verse",
      refrain: "Refrain",
      chorus: "Refrain",
      副歌: "Refrain",
      bridge: "Bridge",
      intro: "Intro",
      前奏: "Intro",
      outro: "Outro",
      尾声: "Outro",
    }[word.toLowerCase()];
    return !known ? name : number ? song.t(`${known} {number}`, { number }) : song.t(known);
  };

  const built = (song, data, prefix) => {
    const lang = { zh_CN: "zh-Hans", zh_TW: "zh-Hant" }[data.language] ?? "en";
    const titleId = `${prefix}song-title`;
    const title = make("p", { className: "edukit-song-title", id: titleId, tabIndex: -1 });
    data.title.split(" / ").forEach((part, at) => title.append(at ? " " : "", make("span", { lang: langOf(part) }, part)));
    const roles = { author: "Words: {name}", artist: "Sung by: {name}", file: "Lyric file: {name}" };
    const credits = data.people.filter(([role]) => roles[role]).map(([role, name]) => song.t(roles[role], { name }));
    credits.push(...(data.source ? [song.t("From: {source}", { source: data.source })] : []));
    const lines = make("div", { className: "edukit-song-lines" });
    let section = null;
    let stanza = null;
    data.lines.forEach((line, at) => {
      if (!stanza || (line.section ?? "") !== section) {
        section = line.section ?? "";
        stanza = make("ol", { role: "list", start: at + 1 });
        lines.append(
          ...(section ? [make("p", { className: "edukit-song-section" }, sectionOf(song, section))] : []),
          stanza,
        );
      }
      const id = `${prefix}line-${at + 1}`;
      const label = song.t("line", { number: at + 1 });
      const texts = make("div", { className: "edukit-song-texts" }, make("p", { className: "edukit-song-original", lang }, line.text));
      if (line.translation) {
        texts.append(make("p", { className: "edukit-song-translation", lang: langOf(line.translation) }, line.translation));
      }
      const number = make("a", { className: "edukit-song-number", href: `#${id}`, "aria-label": label }, String(at + 1));
      stanza.append(make("li", { id }, number, texts));
    });
    return make(
      "div",
      { className: "edukit-song", role: "group", "aria-labelledby": titleId },
      title,
      ...(credits.length ? [make("p", { className: "edukit-song-credit" }, credits.join(" · "))] : []),
      lines,
    );
  };

  // -- the place to open it ---------------------------------------------------------------------------------

  add((song) => {
    const { data, t, root, texts } = song;
    if (data.lines.length || root.querySelector(".edukit-song-lines")) {
      return;
    }
    const prefix = `${data.prefix ?? ""}opened-`;
    const note = root.querySelector(".edukit-song-note");
    const file = make("input", { type: "file", accept: ".lrc,.txt,.json,text/plain,application/json" });
    const field = make("textarea", { rows: 5, spellcheck: false });
    const said = make("div", { role: "status" });
    let opened = null;

    const show = (data, findings) => {
      opened?.remove();
      opened = built(song, data, prefix);
      said.replaceChildren();
      if (findings.length) {
        const told = findings.slice(0, 50).map((one) =>
          make("li", {}, t("atLine", { line: one.line, column: one.column, message: texts[`found-${one.code}`] ?? one.code })),
        );
        said.append(make("details", {}, make("summary", {}, `${t("told")} (${findings.length})`), make("ul", {}, ...told)));
      }
      root.after(opened);
      start(opened, data, texts);
      opened.querySelector(".edukit-song-title").focus();
      for (const about of root.querySelectorAll(".edukit-song-about[data-line]")) {
        const label = about.querySelector(".edukit-song-about-line").firstChild;
        const link = make("a", { href: `#${prefix}line-${about.dataset.line}` }, label.textContent);
        label.replaceWith(link);
      }
    };
    const open = async (read) => {
      try {
        const { data: song, findings } = await read();
        show(song, findings);
      } catch (error) {
        if (!(error instanceof Unreadable)) {
          throw error;
        }
        said.textContent = t("unreadable", { message: texts[`bad-${error.key}`], line: error.line });
      }
    };
    file.addEventListener("change", () => file.files[0] && open(() => openFile(file.files[0])));
    const label = (key, control) => make("label", { className: "edukit-song-choice edukit-song-wide" }, make("span", {}, t(key)), control);
    const opener = make(
      "div",
      { className: "edukit-song-panel edukit-song-opener" },
      label("open", file),
      make("p", { className: "edukit-song-hint" }, t("openUse")),
      label("paste", field),
      make(
        "p",
        { className: "edukit-song-row" },
        button(t("show"), () =>
          field.value.trim() ? open(() => openText(field.value)) : (said.textContent = t("noFile")),
        ),
      ),
      said,
    );
    if (data.title === undefined) {
      note.replaceWith(opener); // it told what is needed, and that is there
    } else {
      note.after(opener);
    }
  });

  Object.assign(globalThis.edukitSong, { openText });
})();
