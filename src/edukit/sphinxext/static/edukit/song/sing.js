/* Singing along: a recording from this device, lines that light up, one heard again and again, times
 * tapped and saved, and large lines for a whole class.
 *
 * The recording is opened by the browser where it lies; nothing is sent. Times are milliseconds.
 */

(() => {
  "use strict";

  const { add, make, button, choice, download } = globalThis.edukitSong;

  // -- times ---------------------------------------------------------------------------------------------

  const clock = (time) => {
    const [minutes, seconds] = [Math.floor(time / 60_000), Math.floor(time / 1000) % 60];
    const rest = time % 10 ? String(time % 1000).padStart(3, "0") : String((time % 1000) / 10).padStart(2, "0");
    return `${String(minutes).padStart(2, "0")}:${String(seconds).padStart(2, "0")}.${rest}`;
  };

  const readClock = (text) => {
    const match = /^\s*(\d{1,3})[:：]([0-5]?\d)(?:[.:．：](\d{1,3}))?\s*$/u.exec(text);
    return match ? (Number(match[1]) * 60 + Number(match[2])) * 1000 + Number((match[3] ?? "").padEnd(3, "0")) : null;
  };

  /** A song as an LRC file: a stamp, and the line, its sounds and its translation under it. */
  const lrcOf = (data) => {
    const tag = { zh_CN: "zh-Hans", zh_TW: "zh-Hant" }[data.language] ?? "en";
    const roles = { artist: "ar", author: "au", file: "by" };
    const rows = [`[ti:${data.title}]`, `[la:${tag}]`];
    for (const [role, name] of data.people ?? []) {
      rows.push(...(roles[role] ? [`[${roles[role]}:${name}]`] : []));
    }
    rows.push(...(data.source ? [`[al:${data.source}]`] : []), ...(data.rights ? [`[rights:${data.rights}]`] : []));
    let section;
    let ended = null;
    for (const line of data.lines) {
      if (ended !== null && ended !== line.start) {
        rows.push(`[${clock(ended)}]`);
      }
      if (line.section && line.section !== section) {
        rows.push("", `[${line.section}]`);
      }
      section = line.section;
      const stamp = `[${clock(line.start ?? 0)}]`;
      const sung = line.words?.length
        ? line.words.map(([text, start]) => (start === null ? text : `<${clock(start)}>${text}`)).join(" ")
        : line.text;
      rows.push(stamp + sung);
      rows.push(...[line.reading, line.translation].filter(Boolean).map((text) => stamp + text));
      ended = line.end ?? null;
    }
    return `${[...rows, ...(ended === null ? [] : [`[${clock(ended)}]`])].join("\n")}\n`;
  };

  /** Where each timed word stands in its line. */
  const placesOf = (line) => {
    let at = 0;
    return (line.words ?? []).map(([text, start, end]) => {
      const from = Math.max(line.text.indexOf(text, at), at);
      at = from + text.length;
      return { from, to: at, start, end };
    });
  };

  const lineAt = (lines, now) =>
    lines.findLastIndex((line) => (line.start ?? Infinity) <= now && now < (line.end ?? Infinity));

  // -- the recording ---------------------------------------------------------------------------------

  const recording = (song, panel) => {
    const { t, data } = song;
    const { lines } = data;
    const audio = make("audio", { controls: true, hidden: true });
    const said = make("p", { role: "status" });
    const controls = make("div", { className: "edukit-song-row", hidden: true });
    let loop = null; // what is heard again and again
    let until = null; // where a line that was asked for ends
    let marked = null;

    const follow = () => {
      let now = audio.currentTime * 1000;
      if (loop && now >= loop[1]) {
        [now] = loop;
        audio.currentTime = now / 1000;
      }
      if (until !== null && now >= until) {
        now = until - 1; // the line that was asked for stays lit, not the one after it
        until = null;
        audio.pause();
        audio.currentTime = now / 1000;
      }
      const number = lineAt(lines, now);
      const word = number < 0 ? null : placesOf(lines[number]).findLast((one) => one.start !== null && one.start <= now);
      song.light(number, word?.from, word?.to);
    };
    const frame = () => {
      if (!audio.paused) {
        follow();
        requestAnimationFrame(frame);
      }
    };
    audio.addEventListener("play", () => {
      song.stopMelody?.();
      frame();
    });
    audio.addEventListener("timeupdate", follow); // also where no frames are drawn
    audio.addEventListener("error", () => {
      said.textContent = t("audioBad");
    });
    const now = () => Math.round(audio.currentTime * 100) * 10;
    const loopTo = (to) => {
      loop = to > marked ? [marked, to] : null;
      said.textContent = loop ? t("loop", { from: clock(loop[0]), to: clock(loop[1]) }) : "";
    };
    controls.append(
      choice(
        t("speed"),
        [
          ["1", t("normal")],
          ["0.75", t("threeQuarters")],
          ["0.5", t("half")],
        ],
        "1",
        (value) => {
          audio.playbackRate = audio.defaultPlaybackRate = Number(value); // the pitch stays as it is
        },
      ).element,
      button(t("from"), () => {
        marked = now();
        loop = null;
        said.textContent = clock(marked);
      }),
      button(t("to"), () => loopTo(now())),
      button(t("noLoop"), () => loopTo((marked = null))),
    );
    let url = null;
    const file = make("input", { type: "file", accept: "audio/*,video/mp4" });
    file.addEventListener("change", () => {
      if (!file.files[0]) {
        return;
      }
      URL.revokeObjectURL(url);
      url = URL.createObjectURL(file.files[0]);
      said.textContent = "";
      loop = until = marked = null;
      audio.src = url;
      audio.hidden = controls.hidden = false;
      song.tell("audio");
      song.audio = audio;
    });
    panel.append(
      make("label", { className: "edukit-song-choice edukit-song-wide" }, make("span", {}, t("audioFile")), file),
      make("p", { className: "edukit-song-hint" }, t("audioUse")),
      audio,
      controls,
      said,
    );
    song.hearAudio = (number) => {
      const line = lines[number];
      if (line.start !== undefined) {
        audio.currentTime = line.start / 1000;
        until = line.end ?? null;
        audio.play();
      }
    };
    return audio;
  };

  // -- tap to time -------------------------------------------------------------------------------------

  const tapping = (song, panel, audio) => {
    const { t, data } = song;
    const { lines } = data;
    const list = make("ol", { className: "edukit-song-times", role: "list" });
    const fields = [];
    const set = (number, time) => {
      const line = lines[number];
      if (time !== line.start) {
        line.start = time;
        delete line.words; // they belonged to the time before
      }
      fields[number].value = clock(time);
      if (number && lines[number - 1].start !== undefined) {
        lines[number - 1].end = Math.max(time, lines[number - 1].start);
      }
      if (line.end !== undefined && line.end <= time) {
        delete line.end;
      }
    };
    lines.forEach((line, number) => {
      const field = make("input", {
        type: "text",
        value: line.start === undefined ? "" : clock(line.start),
        inputMode: "decimal",
        "aria-label": t("time", { number: number + 1 }),
      });
      fields.push(field);
      field.addEventListener("change", () => {
        const time = readClock(field.value);
        if (time === null) {
          field.value = line.start === undefined ? "" : clock(line.start);
        } else {
          set(number, time);
        }
      });
      const nudge = (key, step, sign) =>
        button(sign, () => line.start !== undefined && set(number, Math.max(0, line.start + step)), {
          "aria-label": `${t("time", { number: number + 1 })}: ${t(key)}`,
        });
      list.append(
        make(
          "li",
          {},
          nudge("earlier", -100, "−"),
          field,
          nudge("later", 100, "+"),
          make("span", { lang: song.lang }, `${number + 1} ${line.text}`),
        ),
      );
    });
    let next = 0;
    const tap = make("button", { type: "button", className: "edukit-song-tap", hidden: true });
    const said = make("p", { role: "status" });
    const name = () => {
      tap.textContent = `${t("line", { number: next + 1 })}: ${lines[next].text}`;
      tap.setAttribute("aria-label", t("tap", { number: next + 1 }));
    };
    tap.addEventListener("click", () => {
      set(next, Math.round(audio.currentTime * 100) * 10);
      next += 1;
      if (next < lines.length) {
        name();
      } else {
        tap.hidden = true;
        said.textContent = t("tapDone");
        save.focus();
      }
    });
    const begin = button(t("tapTimes"), () => {
      next = 0;
      tap.hidden = false;
      said.textContent = "";
      name();
      audio.currentTime = 0;
      audio.play();
      tap.focus();
    });
    begin.hidden = true;
    song.on("audio", () => (begin.hidden = false));
    const save = button(t("saveLrc"), () => download(`${data.title || "song"}.lrc`, lrcOf(data)));
    panel.append(
      ...(lines.some((line) => line.start !== undefined) ? [] : [make("p", { className: "edukit-song-hint" }, t("noTimes"))]),
      make("div", { className: "edukit-song-row" }, begin, tap),
      said,
      make("details", {}, make("summary", {}, t("times")), list, save),
    );
  };

  // -- large lines ---------------------------------------------------------------------------------------

  const projector = (song) => {
    const { t, items } = song;
    let at = 0;
    const shown = make("div", { className: "edukit-song-projected" });
    const copyOf = (number) => {
      const copy = items[number]?.querySelector(".edukit-song-texts").cloneNode(true);
      copy?.querySelectorAll(".edukit-song-lit").forEach((one) => one.classList.remove("edukit-song-lit"));
      return copy ?? "";
    };
    const show = (number) => {
      at = Math.min(Math.max(number, 0), items.length - 1);
      const after = make("div", { "aria-hidden": "true", lang: song.lang });
      after.append(...(items[at + 1]?.querySelector(".edukit-song-original").cloneNode(true).childNodes ?? []));
      shown.replaceChildren(copyOf(at), after);
    };
    const dialog = make(
      "dialog",
      { "aria-label": t("projector") },
      shown,
      make(
        "p",
        { className: "edukit-song-row" },
        button(t("previous"), () => show(at - 1)),
        button(t("nextLine"), () => show(at + 1)),
        button(t("close"), () => dialog.close()),
      ),
    );
    shown.setAttribute("aria-live", "polite");
    dialog.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        show(at + step);
      }
    });
    dialog.addEventListener("close", () => dialog.remove());
    song.on("line", (number) => dialog.open && number >= 0 && show(number));
    return () => {
      const chosen = [...song.root.classList].filter((name) => name.startsWith("edukit-song-"));
      dialog.className = ["edukit-song-projector", ...chosen].join(" ");
      document.body.append(dialog);
      show(Math.max(song.lit ?? 0, 0));
      dialog.showModal();
    };
  };

  add((song) => {
    const { data, t, items } = song;
    if (!data.lines.length) {
      return;
    }
    const panel = song.panel("sing");
    panel.append(make("div", { className: "edukit-song-row" }, button(t("projector"), projector(song))));
    song.singing = panel;
    const audio = recording(song, panel);
    tapping(song, panel, audio);

    const hear = (number) => (song.audio ? song.hearAudio(number) : song.hearMelody?.(number));
    /** Let each line be heard, now that there is something to hear. */
    song.letHear = () => {
      if (song.root.classList.contains("edukit-song-hearing")) {
        return;
      }
      song.root.classList.add("edukit-song-hearing");
      items.forEach((item, number) => {
        const label = t("hear", { number: number + 1 });
        item.append(button("▶", () => hear(number), { className: "edukit-song-hear", "aria-label": label }));
        item.querySelector(".edukit-song-texts").addEventListener("click", () => {
          if (panel.parentElement.open && getSelection().isCollapsed) {
            hear(number);
          }
        });
      });
    };
    song.on("audio", song.letHear);
  });

  Object.assign(globalThis.edukitSong, { lrcOf });
})();
