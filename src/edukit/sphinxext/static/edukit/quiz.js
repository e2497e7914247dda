/* Questions that are answered in the page.
 *
 * The page holds each question as text with its answer folded away (quiz.py). This script puts controls
 * in the place of the plain list, says at once whether an answer is right and why, and keeps it on this
 * device. What is typed is compared as edukit/quiz.py compares it, and codes are made as it reads them.
 */

(() => {
  "use strict";

  // -- what counts as the same (edukit/quiz.py: fold, read_number, read_tolerance) ---------------------

  const trimmed = /^[ "'.,;:!?。，；：！？、]+|[ "'.,;:!?。，；：！？、]+$/gu;

  const fold = (text) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/ß/gu, "ss")
      .replace(/[“”]/gu, '"')
      .replace(/[‘’]/gu, "'")
      .replace(/\s+/gu, " ")
      .replace(trimmed, "");

  const plainNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/u;

  const readNumber = (typed) => {
    let text = typed.normalize("NFKC").toLowerCase().replaceAll("−", "-").replace(/\s+/gu, "");
    if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?%?$/u.test(text)) {
      text = text.replaceAll(",", "");
    }
    const power = /^(?:(.+)[×x*]10\^?|10\^|10(?=[+-]))([+-]?\d+)$/u.exec(text);
    if (power) {
      text = `${power[1] ?? 1}e${power[2]}`;
    }
    const percent = text.endsWith("%");
    const parts = (percent ? text.slice(0, -1) : text).split("/");
    if (parts.length > 2 || !parts.every((part) => plainNumber.test(part))) {
      return null;
    }
    let value = Number(parts[0]);
    if (parts.length === 2) {
      value /= Number(parts[1]);
    }
    value = percent ? value / 100 : value;
    return Number.isFinite(value) ? value : null;
  };

  const sameNumber = (number, accepted) => {
    const [value, tolerance] = accepted.split("±");
    const wanted = readNumber(value);
    const within = tolerance === undefined ? 0 : readNumber(tolerance);
    const slack = 1e-9 * Math.max(Math.abs(wanted), within, 1e-300);
    return Math.abs(number - wanted) <= within + slack;
  };

  // -- codes (edukit/quiz.py: encode) -------------------------------------------------------------------

  const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  const crc32 = (text) => {
    let crc = ~0;
    for (const sign of text) {
      crc ^= sign.charCodeAt(0);
      for (let bit = 0; bit < 8; bit += 1) {
        crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
      }
    }
    return ~crc >>> 0;
  };

  const binary = (number, length) => number.toString(2).padStart(length, "0");

  const encode = (page, marks) => {
    let bits = binary(page, 20) + binary(marks.length, 6) + marks.map((mark) => binary(mark, 2)).join("");
    bits += binary(crc32(bits) & 0x3fff, 14);
    bits = bits.padEnd(Math.ceil(bits.length / 5) * 5, "0");
    const signs = bits.match(/.{5}/gu).map((five) => digits[parseInt(five, 2)]);
    return signs.join("").match(/.{1,4}/gu).join("-");
  };

  // For tests, and for whoever makes questions of another kind.
  globalThis.edukitQuiz = { fold, readNumber, sameNumber, encode };

  const OPEN = 0;
  const WRONG = 1;
  const RIGHT = 2;
  const AT_ONCE = 3;

  // -- what is kept on this device -----------------------------------------------------------------------

  // Not by the address: both languages and every way to open the site share what was answered.
  const keyOf = (page, name) => `edukit-quiz:${page}:${name}`;

  const recall = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? {};
    } catch {
      return {}; // no storage here, or something else in it
    }
  };

  const remember = (key, state) => {
    try {
      localStorage.setItem(key, JSON.stringify(state));
    } catch {
      // Private windows and full devices: the quiz works, it only forgets.
    }
  };

  const forget = (key) => {
    try {
      localStorage.removeItem(key);
    } catch {
      // as above
    }
  };

  // -- elements -------------------------------------------------------------------------------------------

  const make = (tag, properties = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name in element) {
        element[name] = value;
      } else {
        element.setAttribute(name, value);
      }
    }
    element.append(...children);
    return element;
  };

  const letter = (number, first) => String.fromCharCode(first.charCodeAt(0) + number);

  // -- the kinds of questions: each shows controls, and gives and takes an answer -----------------------

  /** One or several of the options: an answer is the list of those that are chosen. */
  const choices = (quiz) => {
    const type = quiz.data.kind === "one" ? "radio" : "checkbox";
    const inputs = [...quiz.options.children].map((item) => {
      const input = make("input", { type, name: quiz.key });
      const label = make("label", {}, input, make("span", {}, ...item.childNodes));
      item.replaceChildren(label);
      return input;
    });
    return {
      answer: () => inputs.flatMap((input, number) => (input.checked ? [number] : [])),
      isEmpty: (chosen) => chosen.length === 0,
      show: (chosen) => inputs.forEach((input, number) => (input.checked = chosen.includes(number))),
      judge: (chosen) => {
        const wanted = quiz.data.right;
        const hits = chosen.filter((number) => wanted.includes(number)).length;
        return {
          right: hits === wanted.length && hits === chosen.length,
          partly: hits > 0,
          reasons: chosen,
        };
      },
      mark: (chosen) =>
        inputs.forEach((input, number) => {
          const isRight = quiz.data.right.includes(number);
          quiz.mark(input.closest("li"), chosen?.includes(number) ? isRight : null);
        }),
    };
  };

  /** A number or a text: an answer is what was typed. */
  const typed = (quiz) => {
    const isNumber = quiz.data.kind === "number";
    const input = make("input", {
      type: "text",
      autocomplete: "off",
      spellcheck: false,
      "aria-labelledby": quiz.questionId,
      placeholder: quiz.texts.yourAnswer,
    });
    input.setAttribute("autocapitalize", "off");
    if (isNumber) {
      input.inputMode = "text"; // the keyboards for decimals of many phones have neither minus nor slash
    }
    quiz.controls.append(input);
    const accepts = (text, accepted) =>
      isNumber ? sameNumber(readNumber(text), accepted) : fold(text) === fold(accepted);
    return {
      answer: () => input.value,
      isEmpty: (text) => fold(text) === "",
      complaint: (text) => (isNumber && readNumber(text) === null ? quiz.texts.notNumber : ""),
      show: (text) => (input.value = text),
      judge: (text) => {
        const found = quiz.data.texts.flatMap((accepted, number) => (accepts(text, accepted) ? [number] : []));
        const right = found.filter((number) => quiz.data.right.includes(number));
        return { right: right.length > 0, partly: false, reasons: right.length > 0 ? right : found };
      },
      mark: () => {},
    };
  };

  /** Pairs: an answer is the letter chosen for each term, by its number. */
  const matching = (quiz) => {
    const selects = [...quiz.element.querySelectorAll(".edukit-quiz-terms > li")].map((item, number) => {
      const id = `${quiz.element.id}-term-${number}`;
      item.firstElementChild.id = id;
      const select = make(
        "select",
        { "aria-labelledby": id },
        make("option", { value: "" }, quiz.texts.choose),
        ...quiz.data.right.map((_, place) => make("option", { value: place }, letter(place, "A"))),
      );
      item.append(select);
      return select;
    });
    return {
      answer: () => selects.map((select) => select.value),
      isEmpty: (chosen) => chosen.every((value) => value === ""),
      show: (chosen) => selects.forEach((select, number) => (select.value = chosen[number] ?? "")),
      judge: (chosen) => {
        const hits = chosen.filter((value, number) => value === String(quiz.data.right[number])).length;
        return { right: hits === selects.length, partly: hits > 0, reasons: [] };
      },
      mark: (chosen) =>
        selects.forEach((select, number) => {
          const given = chosen?.[number] ?? "";
          quiz.mark(select.closest("li"), given === "" ? null : given === String(quiz.data.right[number]));
        }),
    };
  };

  /** The text of an element in the language of the page; a copy in another language may stand beside it. */
  const ownText = (element) => {
    const copy = element.cloneNode(true);
    copy.querySelectorAll(".translated-copy, .bilingual-cover").forEach((part) => part.remove());
    return copy.textContent.trim();
  };

  /** An order: an answer is the list of the items as they stand. */
  const ordering = (quiz) => {
    const items = [...quiz.options.children];
    const standing = () => [...quiz.options.children].map((item) => items.indexOf(item));
    const move = (item, step, button) => {
      const list = [...quiz.options.children];
      const place = list.indexOf(item) + step;
      if (place < 0 || place >= list.length) {
        return;
      }
      if (step < 0) {
        list[place].before(item);
      } else {
        list[place].after(item);
      }
      button.focus(); // moving an element takes the focus away
      const name = ownText(item.querySelector(".edukit-quiz-item"));
      quiz.say(quiz.texts.moved.replace("{item}", name).replace("{number}", place + 1));
    };
    for (const item of items) {
      const name = make("span", { className: "edukit-quiz-item" }, ...item.childNodes);
      const buttons = [
        ["up", -1, "↑"],
        ["down", 1, "↓"],
      ].map(([text, step, arrow]) => {
        const button = make("button", { type: "button" }, arrow);
        button.setAttribute("aria-label", `${quiz.texts[text]}: ${ownText(name)}`);
        button.addEventListener("click", () => move(item, step, button));
        return button;
      });
      item.replaceChildren(make("span", { className: "edukit-quiz-moves" }, ...buttons), name);
    }
    return {
      answer: standing,
      isEmpty: () => false,
      show: (order) => quiz.options.append(...order.map((number) => items[number])),
      judge: (order) => {
        const hits = order.filter((number, place) => number === quiz.data.right[place]).length;
        return { right: hits === items.length, partly: hits > 0, reasons: [] };
      },
      mark: (order) =>
        items.forEach((item, number) => {
          const place = order?.indexOf(number);
          quiz.mark(item, order ? number === quiz.data.right[place] : null);
        }),
    };
  };

  const kinds = { one: choices, several: choices, number: typed, text: typed, match: matching, order: ordering };

  // -- a question ------------------------------------------------------------------------------------------

  const start = (element, result) => {
    const data = JSON.parse(element.dataset.quiz);
    const key = keyOf(result.page, data.name);
    const controls = make("form", { className: "edukit-quiz-controls" });
    const feedback = make("div", { className: "edukit-quiz-feedback", role: "status" });
    const details = element.querySelector("details");
    const question = element.querySelector(".edukit-quiz-question");
    question.id = `${element.id}-question`;
    const quiz = {
      element,
      data,
      key,
      controls,
      texts: result.texts,
      questionId: question.id,
      options: element.querySelector("ol.edukit-quiz-options"),
      say: (text) => (feedback.textContent = text),
      mark: (item, isRight) => {
        item.classList.toggle("edukit-quiz-is-right", isRight === true);
        item.classList.toggle("edukit-quiz-is-wrong", isRight === false);
        item.querySelector(":scope > .edukit-quiz-spoken")?.remove();
        if (isRight !== null) {
          const text = isRight ? result.texts.isRight : result.texts.isWrong;
          item.append(make("span", { className: "edukit-quiz-spoken" }, ` (${text})`));
        }
      },
    };

    for (const part of element.querySelectorAll(":scope > ul, :scope > ol")) {
      controls.append(part);
    }
    controls.setAttribute("aria-labelledby", question.id);
    question.after(controls);
    const kind = kinds[data.kind](quiz);
    const untouched = kind.answer();
    controls.append(make("button", { type: "submit" }, result.texts.check), feedback);

    let state = { mark: OPEN };

    const reveal = (judged) => {
      feedback.replaceChildren(
        make(
          "p",
          { className: judged.right ? "edukit-quiz-is-right" : "edukit-quiz-is-wrong" },
          judged.right ? result.texts.right : judged.partly ? result.texts.partly : result.texts.wrong,
        ),
      );
      // The reasons for what was answered; when it is right, what is said of the answer as a whole too.
      const wanted = judged.right ? [...judged.reasons, -1] : judged.reasons;
      for (const reason of details.querySelectorAll(".edukit-quiz-reason")) {
        if (wanted.includes(Number(reason.dataset.option))) {
          const copy = reason.cloneNode(true);
          copy.querySelector(".edukit-quiz-head")?.remove();
          copy.querySelector(".edukit-quiz-accepted")?.remove();
          for (const part of copy.querySelectorAll("[id]")) {
            part.removeAttribute("id");
          }
          if (copy.textContent.trim()) {
            feedback.append(copy);
          }
        }
      }
    };

    const settle = (answer) => {
      const judged = kind.judge(answer);
      const first = state.mark === OPEN;
      const mark = judged.right ? (first ? AT_ONCE : Math.max(state.mark, RIGHT)) : state.mark;
      // Who has been right once stays so, whatever is tried afterwards.
      state = { answer, mark: mark === OPEN ? WRONG : mark };
      remember(key, state);
      kind.mark(answer);
      reveal(judged);
    };

    controls.addEventListener("submit", (event) => {
      event.preventDefault();
      const answer = kind.answer();
      const complaint = kind.isEmpty(answer) ? result.texts.nothing : (kind.complaint?.(answer) ?? "");
      if (complaint) {
        quiz.say(complaint);
        return;
      }
      settle(answer);
      result.update();
    });

    return {
      get mark() {
        return state.mark;
      },
      restore: () => {
        const kept = recall(key);
        if (kept.answer !== undefined && [WRONG, RIGHT, AT_ONCE].includes(kept.mark)) {
          try {
            kind.show(kept.answer);
            kind.mark(kept.answer);
            reveal(kind.judge(kept.answer));
            state = kept;
          } catch {
            forget(key); // the question has another form than when it was answered
            kind.show(untouched);
          }
        }
      },
      reset: () => {
        forget(key);
        state = { mark: OPEN };
        kind.show(untouched);
        kind.mark(null);
        feedback.replaceChildren();
        details.open = false;
      },
    };
  };

  // -- the result --------------------------------------------------------------------------------------------

  const main = () => {
    const place = document.querySelector(".edukit-quiz-result");
    if (!place) {
      return;
    }
    const texts = JSON.parse(place.dataset.texts);
    const page = Number(place.dataset.page);
    const questions = [];
    const tally = make("p", { role: "status" });
    const code = make("code");
    const note = make("span", { role: "status", className: "edukit-quiz-copied" });
    const copy = make("button", { type: "button" }, texts.copy);
    const again = make("button", { type: "button" }, texts.again);
    const handIn = make("p", {}, `${texts.code}: `, code, " ", copy, " ", note);
    const use = make("p", { className: "edukit-quiz-use" }, texts.codeUse);

    const update = () => {
      const marks = questions.map((question) => question.mark);
      const begun = marks.some((mark) => mark !== OPEN);
      place.hidden = !begun;
      if (!begun) {
        return;
      }
      tally.textContent = texts.progress
        .replace("{right}", marks.filter((mark) => mark >= RIGHT).length)
        .replace("{all}", marks.length)
        .replace("{atOnce}", marks.filter((mark) => mark === AT_ONCE).length);
      code.textContent = encode(page, marks);
      note.textContent = "";
    };

    for (const element of document.querySelectorAll(".edukit-quiz")) {
      questions.push(start(element, { texts, page, update }));
    }
    for (const question of questions) {
      question.restore();
    }
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        note.textContent = texts.copied;
      } catch {
        getSelection().selectAllChildren(code); // to be copied by hand
      }
    });
    again.addEventListener("click", () => {
      for (const question of questions) {
        question.reset();
      }
      update();
      document.querySelector(".edukit-quiz :is(input, select, button)")?.focus();
    });
    place.append(tally, handIn, use, again);
    update();
  };

  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", main);
  } else {
    main();
  }
})();
