/* Sheets for a class: the words on one page of A4, worksheets for two who help each other, and their key.
 *
 * The sheets are the same each time, so that they can be copied, and the key fits those that were copied.
 */

(() => {
  "use strict";

  const { add, make, button, randomFrom, gaps, linesOf } = globalThis.edukitSong;

  const share = 0.35; // of the words: half of them are missing on A, the other half on B

  /** Every gap belongs to A or to B in turn. */
  const divided = (song) => {
    let number = 0;
    return gaps(linesOf(song, song.isChinese), share, randomFrom(1)).map(({ item, gaps: words }) => ({
      item,
      words: words.map((word) => ({ ...word, number: (number += 1), of: number % 2 ? "A" : "B" })),
    }));
  };

  const blank = (word) =>
    make(
      "span",
      { className: "edukit-song-blank" },
      make("span", {}, `${word.number}`),
      "\u2007".repeat(Math.max(6, (word.reading ?? word.text).length + 2)),
    );

  const withGaps = (lines, of) =>
    lines.map(({ item, words }) => {
      const text = make("p", { className: "edukit-song-original", lang: item.lang });
      let end = 0;
      for (const word of words) {
        const shown = of === "key" ? make("b", {}, `${word.number} ${word.of}: ${word.text}`) : blank(word);
        if (of === "key" || word.of === of) {
          text.append(item.text.slice(end, word.start), of === "key" ? "[" : "", shown, of === "key" ? "]" : "");
          end = word.stop;
        }
      }
      text.append(item.text.slice(end));
      const hint = item.hint?.text ? [make("p", { className: "edukit-song-translation", lang: item.hint.lang }, item.hint.text)] : [];
      return make("li", { value: item.number }, text, ...hint);
    });

  const ofSong = (song) =>
    song.items.map((item, at) => {
      const texts = item.querySelector(".edukit-song-texts").cloneNode(true);
      texts.querySelectorAll(".edukit-song-lit").forEach((one) => one.classList.remove("edukit-song-lit"));
      return make("li", { value: at + 1 }, ...texts.childNodes);
    });

  /** Make the letters as large as one page allows. */
  const fit = (sheet, list) => {
    const millimetre = sheet.offsetWidth / 180;
    for (let size = 14; size >= 5; size -= 0.5) {
      list.style.columnCount = size > 11 ? 1 : 2;
      sheet.style.fontSize = `${size}pt`;
      if (sheet.scrollHeight <= 262 * millimetre && list.scrollWidth <= list.clientWidth + 1) {
        return;
      }
    }
  };

  const print = (song, title, items, named) => {
    const { data, t } = song;
    const list = make("ol", {}, ...items);
    const name = named ? [make("p", { className: "edukit-song-name" }, `${t("name")}: ${"_".repeat(24)}`)] : [];
    const sheet = make(
      "div",
      { className: ["edukit-song-sheet", ...[...song.root.classList].filter((one) => one !== "edukit-song")].join(" ") },
      make("style", {}, "@page { size: A4; margin: 15mm; }"),
      make("h1", {}, [data.title, title].filter(Boolean).join(" · ")),
      ...name,
      list,
      make("p", { className: "edukit-song-credit" }, song.root.querySelector(".edukit-song-credit")?.textContent ?? ""),
    );
    document.body.append(sheet);
    fit(sheet, list);
    const clear = () => {
      sheet.remove();
      removeEventListener("afterprint", clear);
    };
    addEventListener("afterprint", clear);
    globalThis.print();
  };

  add((song) => {
    const { data, t } = song;
    if (!data.lines.length) {
      return;
    }
    const panel = song.panel("class");
    const row = make("div", { className: "edukit-song-row" });
    row.append(button(t("sheet"), () => print(song, "", ofSong(song), false)));
    for (const [key, of] of [
      ["worksheetA", "A"],
      ["worksheetB", "B"],
      ["key", "key"],
    ]) {
      row.append(button(t(key), () => print(song, t(key), withGaps(divided(song), of), of !== "key")));
    }
    panel.append(row, make("p", { className: "edukit-song-hint" }, t("classUse")));
  });
})();
