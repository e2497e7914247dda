/* Practice with a song: gaps, the order of lines, pairs, tones, stress; each ends with a result.
 *
 * An exercise is drawn by lot from a number that counts the attempts, so that the first one is the same
 * for everybody in a class and the next one is another.
 */

(() => {
  "use strict";

  const { add, make, button, choice, randomFrom, shuffled, isChinese } = globalThis.edukitSong;

  // -- what counts as right ------------------------------------------------------------------------------

  const toneOfMark = { "\u0304": 1, "\u0301": 2, "\u030c": 3, "\u0306": 3, "\u0300": 4 };

  /** The letters of some pinyin and its tones, whether they are marks or numbers; neutral ones do not count. */
  const pinyin = (text) => {
    let letters = "";
    let tones = "";
    for (const sign of text.toLowerCase().replaceAll("u:", "ü").normalize("NFD")) {
      if (toneOfMark[sign]) {
        tones += toneOfMark[sign];
      } else if (/[1-4]/u.test(sign)) {
        tones += sign;
      } else if (sign === "\u0308") {
        letters = letters.replace(/u$/u, "ü");
      } else if (/\p{L}/u.test(sign)) {
        letters += { v: "ü", ɑ: "a", ɡ: "g" }[sign] ?? sign;
      }
    }
    return { letters: letters.replace(/([jqxy])ü/gu, "$1u").replace(/([nl])ue/gu, "$1üe"), tones };
  };

  const plain = (text) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[‘’ʼ`]/gu, "'")
      .replace(/[^\p{L}\p{N}' -]/gu, "")
      .replace(/[\s-]+/gu, " ")
      .trim();

  /** What a typed answer is: "right", "tones" where only they are missing or wrong, or "wrong". */
  const judge = (typed, word) => {
    if ([word.text, word.other].some((one) => one && plain(one) === plain(typed))) {
      return "right";
    }
    if (!word.reading || !word.chinese) {
      return "wrong";
    }
    const given = pinyin(typed);
    const wanted = pinyin(word.reading);
    if (given.letters !== wanted.letters) {
      return "wrong";
    }
    return given.tones === wanted.tones ? "right" : "tones";
  };

  // -- the words of a line --------------------------------------------------------------------------------

  const wordsOf = (item) => {
    if (item.chinese && item.parts.length) {
      return globalThis.edukitSong.runsOf(item.parts, true).map((run) => ({
        start: run[0][0],
        stop: run.at(-1)[1],
        text: item.text.slice(run[0][0], run.at(-1)[1]),
        other: item.other?.slice(run[0][0], run.at(-1)[1]),
        reading: run.map((part) => part[2] ?? "").join(""),
        chinese: true,
      }));
    }
    const found = item.chinese ? /[\u3400-\u9fff]/gu : /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
    return [...item.text.matchAll(found)].map((match) => ({
      start: match.index,
      stop: match.index + match[0].length,
      text: match[0],
      chinese: item.chinese,
    }));
  };

  /** The lines of one language, repeats left out. */
  const linesOf = (song, chinese) => {
    const seen = new Set();
    return song.data.lines.flatMap((line, number) => {
      const both = [song.original(line), song.translation(line)];
      const item = both.find((one) => one.text && one.chinese === chinese);
      if (!item || seen.has(item.text)) {
        return [];
      }
      seen.add(item.text);
      return [{ ...item, number: number + 1, section: line.section, hint: both.find((one) => one !== item) }];
    });
  };

  /** A share of all words, rounded up; each line with the words of it that are left out. */
  const gaps = (lines, share, random) => {
    const all = lines.flatMap((item, at) => wordsOf(item).map((word) => ({ at, word })));
    const taken = new Set(shuffled(all, random).slice(0, Math.ceil(all.length * share)));
    const result = lines.map((item) => ({ item, gaps: [] }));
    all.filter((one) => taken.has(one)).forEach(({ at, word }) => result[at].gaps.push(word));
    return result;
  };

  // -- the pieces of an exercise ------------------------------------------------------------------------

  /** The result at the end: how many were right, and another try. */
  const finish = (exercise, marks, after = []) => {
    const right = marks.filter(Boolean).length;
    const result = make(
      "p",
      { className: "edukit-song-result", tabIndex: -1 },
      exercise.song.t("result", { right, all: marks.length }),
    );
    exercise.area.append(
      make("div", { className: "edukit-song-end" }, result, ...after, button(exercise.song.t("again"), exercise.again)),
    );
    result.focus();
    result.scrollIntoView({ block: "nearest" });
  };

  const verdict = (song, right, answer) =>
    make(
      "span",
      { className: `edukit-song-verdict ${right ? "edukit-song-right" : "edukit-song-wrong"}` },
      right ? song.t("isRight") : song.t("isWrong", { answer }),
    );

  /** The button that ends an exercise, and what keeps it from ending with nothing done. */
  const checking = (exercise, isEmpty, settle) => {
    const { song, area } = exercise;
    const said = make("span", { role: "status" });
    const form = make("form", {}, ...exercise.content);
    const row = make("p", { className: "edukit-song-row" }, make("button", { type: "submit" }, song.t("check")), said);
    form.append(row);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (isEmpty()) {
        said.textContent = song.t("nothingTyped");
        return;
      }
      row.remove();
      const marks = settle();
      form.querySelectorAll("input, select, button").forEach((control) => (control.disabled = true));
      finish(exercise, marks);
    });
    area.append(form);
  };

  // -- the exercises ------------------------------------------------------------------------------------

  const fillGaps = (exercise) => {
    const { song, random, options } = exercise;
    const chinese = options.text === "chinese";
    const lines = gaps(linesOf(song, chinese), Number(options.share) / 100, random);
    const pool = [...new Set(lines.flatMap((line) => line.gaps.map((word) => word.text)))];
    const fields = [];
    const list = make("ol", { className: "edukit-song-gaps", role: "list" });
    for (const { item, gaps: left } of lines) {
      const text = make("p", { lang: item.lang });
      let end = 0;
      left.forEach((word, at) => {
        const label = song.t("gap", { number: item.number, gap: at + 1 });
        const picked = options.answers === "picked";
        // Three others that look like an answer; drawn one by one, for a song may be long.
        const others = new Set();
        for (let tries = 0; picked && tries < 30 && others.size < 3; tries += 1) {
          others.add(pool[Math.floor(random() * pool.length)]);
          others.delete(word.text);
        }
        const field = picked
          ? make(
              "select",
              { "aria-label": label },
              make("option", { value: "" }, song.t("choose")),
              ...shuffled([word.text, ...others], random).map((one) => make("option", { value: one }, one)),
            )
          : make("input", {
              type: "text",
              autocomplete: "off",
              autocapitalize: "off",
              spellcheck: false,
              "aria-label": label,
              size: Math.max(4, (word.reading ?? word.text).length),
            });
        fields.push({ field, word });
        text.append(item.text.slice(end, word.start), field);
        end = word.stop;
      });
      text.append(item.text.slice(end));
      const number = make("span", { className: "edukit-song-of-line" }, String(item.number));
      const hint = item.hint?.text
        ? [make("p", { className: "edukit-song-hint", lang: item.hint.lang }, item.hint.text)]
        : [];
      list.append(make("li", {}, number, make("div", {}, text, ...hint)));
    }
    const typed = options.answers === "typed";
    exercise.content = [
      ...(typed && chinese ? [make("p", { className: "edukit-song-hint" }, song.t("gapsHint"))] : []),
      list,
    ];
    checking(
      exercise,
      () => fields.every(({ field }) => !field.value.trim()),
      () =>
        fields.map(({ field, word }) => {
          const found = judge(field.value, word);
          const said = verdict(song, found === "right", [word.text, word.reading].filter(Boolean).join(" "));
          if (found === "tones") {
            said.append(` ${song.t("tonesMissing")}`);
          }
          field.after(said);
          return found === "right";
        }),
    );
  };

  const orderLines = (exercise) => {
    const { song, random } = exercise;
    const lines = linesOf(song, song.isChinese);
    const most = Math.min(6, lines.length);
    const first = Math.floor(random() * (lines.length - most + 1));
    const wanted = lines.slice(first, first + most);
    let mixed = shuffled(wanted, random);
    if (mixed.every((item, at) => item === wanted[at])) {
      mixed = [...mixed.slice(1), mixed[0]];
    }
    const list = make("ol", { className: "edukit-song-order" });
    const said = make("p", { role: "status", className: "edukit-song-hint" });
    const move = (row, step, pressed) => {
      const rows = [...list.children];
      const to = rows.indexOf(row) + step;
      if (!rows[to]) {
        return;
      }
      rows[to][step < 0 ? "before" : "after"](row);
      pressed.focus(); // moving an element takes the focus away
      const name = row.querySelector("span[lang]").textContent;
      said.textContent = song.t("moved", { item: name, number: to + 1 });
    };
    const items = new Map();
    for (const item of mixed) {
      const row = make("li", {}, make("span", { lang: item.lang }, item.text));
      const moves = [
        ["up", -1, "↑"],
        ["down", 1, "↓"],
      ].map(([key, step, arrow]) => {
        const pressed = button(arrow, () => move(row, step, pressed), { "aria-label": `${song.t(key)}: ${item.text}` });
        return pressed;
      });
      row.prepend(make("span", { className: "edukit-song-moves" }, ...moves));
      items.set(row, item);
      list.append(row);
    }
    exercise.content = [make("p", { className: "edukit-song-hint" }, song.t("orderHint")), list, said];
    checking(
      exercise,
      () => false,
      () =>
        [...list.children].map((row, at) => {
          const right = items.get(row) === wanted[at];
          row.append(verdict(song, right, String(wanted.indexOf(items.get(row)) + 1)));
          return right;
        }),
    );
  };

  /** Pairs that belong together: words with their meaning, else lines with their translation. */
  const pairsOf = (song) => {
    const known = (song.data.vocabulary ?? []).map(([word, , gloss]) => [word, gloss]);
    const pairs = known.length > 3 ? known : song.data.lines.map((line) => [line.text, line.translation]);
    const [left, right] = [new Set(), new Set()];
    return pairs.filter(([one, other]) => {
      const fresh = one && other && !left.has(one) && !right.has(other);
      left.add(one);
      right.add(other);
      return fresh;
    });
  };

  const match = (exercise) => {
    const { song, random } = exercise;
    const pairs = shuffled(pairsOf(song), random).slice(0, 6);
    const meanings = shuffled(pairs, random).map((pair) => pair[1]);
    const lang = (text) => (isChinese(text) ? "zh-Hans" : "en");
    const list = make("ul", { className: "edukit-song-pairs", role: "list" });
    const fields = pairs.map(([one, other]) => {
      const { element, select } = choice(one, [["", song.t("choose")], ...meanings.map((each) => [each, each])], "");
      element.firstChild.lang = lang(one);
      select.lang = lang(other);
      list.append(make("li", {}, element));
      return { select, element, other };
    });
    const source = song.data.attribution ? [make("p", { className: "edukit-song-hint" }, song.data.attribution)] : [];
    exercise.content = [make("p", { className: "edukit-song-hint" }, song.t("matchHint")), list, ...source];
    checking(
      exercise,
      () => fields.every(({ select }) => !select.value),
      () =>
        fields.map(({ select, element, other }) => {
          element.after(verdict(song, select.value === other, other));
          return select.value === other;
        }),
    );
  };

  /** Questions one after the other, each answered by a button. */
  const drill = (exercise, questions) => {
    const { song, area } = exercise;
    const marks = [];
    const ask = () => {
      const one = questions[marks.length];
      const title = make("p", { className: "edukit-song-question", tabIndex: -1 }, ...one.title);
      const said = make("p", { role: "status" });
      const answers = one.answers.map((text, at) =>
        button(text, () => {
          const right = at === one.right;
          marks.push(right);
          answers.forEach((other) => (other.disabled = true));
          answers[one.right].classList.add("edukit-song-right");
          said.textContent = right ? song.t("right") : song.t("notRight", { answer: one.told });
          said.className = right ? "edukit-song-right" : "edukit-song-wrong";
          if (marks.length === questions.length) {
            finish(exercise, marks);
            return;
          }
          const next = button(song.t("next"), ask);
          said.after(next);
          next.focus();
        }),
      );
      const count = `${marks.length + 1} / ${questions.length}`;
      area.replaceChildren(
        make("p", { className: "edukit-song-hint" }, count),
        title,
        make("p", { className: "edukit-song-row" }, ...answers),
        said,
      );
      title.focus();
    };
    ask();
  };

  const withText = (song, key, text, lang) => {
    const [before, after] = song.texts[key].split("{text}");
    return [before, make("b", { lang }, text), after];
  };

  const distinct = (items, name) => [...new Map(items.map((item) => [name(item), item])).values()];

  const syllablesOf = (song) =>
    distinct(
      song.data.lines.flatMap((line) => {
        const item = song.isChinese ? song.original(line) : song.translation(line);
        return item.chinese
          ? item.parts
              .filter((part) => part[2] && part[3])
              .map((part) => ({ text: item.text.slice(part[0], part[1]), reading: part[2], tone: part[3], lang: item.lang }))
          : [];
      }),
      (one) => one.text + one.reading,
    );

  const toneDrill = (exercise) => {
    const { song, random } = exercise;
    const questions = shuffled(syllablesOf(song), random)
      .slice(0, 10)
      .map((one) => ({
        title: withText(song, "toneQuestion", one.text, one.lang),
        answers: [1, 2, 3, 4, 5].map((tone) => `${"ˉˊˇˋ·"[tone - 1]} ${song.t(`tone${tone}`)}`),
        right: one.tone - 1,
        told: one.reading,
      }));
    drill(exercise, questions);
  };

  const nucleus = /(?:aɪ|aʊ|eɪ|oʊ|əʊ|ɔɪ|[aeiouæɑɒɔəɛɜɝɚɪʊʌɐ]ː?|[lmn]\u0329)/gu;

  /** English words of more than one syllable, with the number of the one that is stressed. */
  const stressedOf = (song) =>
    distinct(
      song.data.lines.flatMap((line) => {
        const item = song.isChinese ? song.translation(line) : song.original(line);
        return item.chinese
          ? []
          : item.parts.flatMap((part) => {
              const sounds = (part[2] ?? "").normalize("NFC");
              const count = (sounds.match(nucleus) ?? []).length;
              const at = sounds.indexOf("ˈ");
              const text = item.text.slice(part[0], part[1]).toLowerCase();
              const stress = (sounds.slice(0, Math.max(at, 0)).match(nucleus) ?? []).length;
              return count > 1 && at >= 0 ? [{ text, sounds, count, stress }] : [];
            });
      }),
      (one) => one.text,
    );

  const stressDrill = (exercise) => {
    const { song, random } = exercise;
    const questions = shuffled(stressedOf(song), random)
      .slice(0, 10)
      .map((one) => ({
        title: withText(song, "stressQuestion", one.text, "en"),
        answers: Array.from({ length: one.count }, (_, at) => String(at + 1)),
        right: one.stress,
        told: `/${one.sounds}/`,
      }));
    drill(exercise, questions);
  };

  // -- the panel ------------------------------------------------------------------------------------------

  add((song) => {
    const { data, t, root } = song;
    if (!data.lines.length) {
      return;
    }
    const panel = song.panel("practice");
    const area = make("div", { className: "edukit-song-exercise" });
    const languages = [true, false].filter((chinese) => linesOf(song, chinese).length);
    const options = {
      share: "25",
      text: languages.includes(song.isChinese) && song.isChinese ? "chinese" : "english",
      answers: "typed",
    };
    const choose = make("div", { className: "edukit-song-row" });
    for (const [name, label, values] of [
      ["share", "share", ["25", "50", "100"].map((share) => [share, `${share} %`])],
      ["text", "text", languages.map((chinese) => (chinese ? "chinese" : "english")).map((key) => [key, t(key)])],
      ["answers", "answers", ["typed", "picked"].map((key) => [key, t(key)])],
    ]) {
      choose.append(choice(t(label), values, options[name], (value) => (options[name] = value)).element);
    }
    let attempts = 0;
    const close = button(t("close"), () => {
      area.replaceChildren();
      root.classList.remove("edukit-song-practising");
      close.hidden = true;
    });
    close.hidden = true;
    const run = (exercise) => {
      attempts += 1;
      root.classList.add("edukit-song-practising");
      close.hidden = false;
      area.replaceChildren();
      exercise({ song, area, options, random: randomFrom(attempts), again: () => run(exercise) });
      if (!area.contains(document.activeElement)) {
        area.querySelector("input, select, button")?.focus();
      }
    };
    const exercises = make("div", { className: "edukit-song-row" });
    for (const [key, exercise, possible] of [
      ["gaps", fillGaps, true],
      ["order", orderLines, linesOf(song, song.isChinese).length > 2],
      ["match", match, pairsOf(song).length > 2],
      ["toneDrill", toneDrill, syllablesOf(song).length > 2],
      ["stressDrill", stressDrill, stressedOf(song).length > 1],
    ]) {
      if (possible) {
        exercises.append(button(t(key), () => run(exercise)));
      }
    }
    panel.append(choose, exercises, area, make("p", { className: "edukit-song-row" }, close));
    panel.parentElement.addEventListener("toggle", () => panel.parentElement.open || close.click());
  });

  Object.assign(globalThis.edukitSong, { judge, gaps, linesOf, wordsOf });
})();
