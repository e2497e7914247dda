/* Play here: a project of the page in a frame of its own, when the reader asks for it.
 *
 * Before the click there is a button and nothing else: no frame, no player, no project. The frame may run
 * scripts and nothing more (edukit/sphinxext/scratch/frame.html); what is said on its stage is written below it, for
 * those who cannot see it. It stops when it is scrolled away, and when another one begins.
 */

(() => {
  "use strict";

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  const KEPT_LINES = 30;
  const running = new Set();

  /** Load a script that hands something over: a page that was opened as a file may not fetch. */
  const load = (address, name) =>
    new Promise((resolve, reject) => {
      const script = make("script", { src: address });
      window[name] = resolve;
      script.onerror = () => reject(new Error(address));
      script.onload = () => script.remove();
      document.head.append(script);
    });

  const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

  let player = null;

  const start = (place) => {
    const texts = JSON.parse(place.dataset.texts);
    const button = (text, action, className = "") => {
      const made = make("button", { type: "button", className }, text);
      made.addEventListener("click", action);
      return made;
    };

    let frame = null;
    let seen = true;

    const status = make("p", { className: "sb-status" });
    status.setAttribute("role", "status");
    const said = make("div", { className: "sb-said", hidden: true, tabIndex: 0 });
    said.setAttribute("role", "log");
    said.setAttribute("aria-label", texts.said);
    const stage = make("div", { className: "sb-frame" });
    const bar = make("div", { className: "sb-bar" });
    const keys = make("div", { className: "sb-keys" });
    const board = make("div", { className: "sb-board", hidden: true }, bar, stage, keys);
    const send = (kind, more = {}) => frame?.contentWindow.postMessage({ kind, ...more }, "*");

    const write = (name, text) => {
      said.hidden = false;
      said.append(make("p", {}, name ? make("b", {}, `${name}${texts.colon}`) : "", text));
      while (said.children.length > KEPT_LINES) {
        said.firstElementChild.remove();
      }
      said.scrollTop = said.scrollHeight;
    };

    const hears = {
      ready: async () => {
        try {
          const project = bytes(await load(place.dataset.project, "edukitScratchProject"));
          const language = document.documentElement.lang;
          const more = { project, language, accent: "#2a62b8", box: texts.question + texts.colon };
          send("load", { player: (await player).player, ...more });
        } catch {
          status.textContent = texts.failed;
        }
      },
      loaded: () => {
        status.textContent = texts.playing;
        frame.focus();
      },
      run: () => running.add(stop),
      stop: () => running.delete(stop),
      say: ({ name, text }) => write(name, text),
      ask: ({ text }) => write(texts.question, text),
      error: () => {
        status.textContent = texts.failed;
      },
    };

    addEventListener("message", ({ source, data }) => {
      if (frame && source === frame.contentWindow && data && Object.hasOwn(hears, data.kind)) {
        hears[data.kind](data);
      }
    });

    const stopOthers = () => {
      for (const other of running) {
        if (other !== stop) {
          other();
        }
      }
    };

    function stop(why = "") {
      if (frame) {
        send("stop");
        running.delete(stop);
        status.textContent = why || texts.stopped;
      }
    }

    const again = () => {
      stopOthers();
      said.replaceChildren();
      send("start");
      status.textContent = frame ? texts.playing : texts.loading;
      frame?.focus();
    };

    const open = async () => {
      stopOthers();
      play.hidden = true;
      board.hidden = false;
      status.textContent = texts.loading;
      bar.firstElementChild.focus();
      try {
        player ??= load(place.dataset.player, "edukitScratchPlayer");
        const { frame: srcdoc } = await player;
        if (board.hidden) {
          return; // closed meanwhile
        }
        frame = make("iframe", { title: texts.title, srcdoc });
      } catch {
        player = null; // to be tried again
        status.textContent = texts.failed;
        return;
      }
      frame.setAttribute("sandbox", "allow-scripts");
      frame.setAttribute("allow", "autoplay");
      stage.replaceChildren(frame);
      running.add(stop);
      watcher.observe(stage);
    };

    const close = () => {
      watcher.unobserve(stage);
      running.delete(stop);
      leaveFull();
      frame = null;
      stage.replaceChildren();
      said.replaceChildren();
      said.hidden = true;
      board.hidden = true;
      play.hidden = false;
      status.textContent = "";
      play.focus();
    };

    // -- full screen; a phone that has none for a part of a page gets the whole window

    const isFull = () => document.fullscreenElement === board || board.classList.contains("sb-full");
    const leaveFull = () => {
      board.classList.remove("sb-full");
      if (document.fullscreenElement === board) {
        document.exitFullscreen();
      }
      full.textContent = texts.full;
    };
    const enterFull = async () => {
      try {
        await board.requestFullscreen();
      } catch {
        board.classList.add("sb-full");
      }
      full.textContent = texts.small;
    };
    const full = button(texts.full, () => (isFull() ? leaveFull() : enterFull()));
    document.addEventListener("fullscreenchange", () => {
      full.textContent = isFull() ? texts.small : texts.full;
    });
    board.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && board.classList.contains("sb-full")) {
        leaveFull();
        full.focus();
      }
    });

    // -- keys on the screen, for those who have no others

    for (const [key, label] of JSON.parse(place.dataset.keys)) {
      const made = make("button", { type: "button" }, label);
      const press = (down) => send("key", { key, down });
      made.addEventListener("pointerdown", (event) => {
        made.setPointerCapture(event.pointerId);
        press(true);
      });
      for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) {
        made.addEventListener(kind, () => press(false));
      }
      made.addEventListener("click", (event) => {
        if (event.detail === 0) {
          press(true);
          setTimeout(press, 100, false);
        }
      });
      keys.append(made);
    }
    keys.setAttribute("role", "group");
    keys.setAttribute("aria-label", texts.keys);
    keys.hidden = !keys.childElementCount;

    const watcher = new IntersectionObserver((entries) => {
      const now = entries.at(-1).isIntersecting;
      if (seen && !now && running.has(stop)) {
        stop(texts.away);
      }
      seen = now;
    });

    const play = button(texts.play, open, "sb-download sb-operators");
    bar.append(button(texts.flag, again), button(texts.halt, () => stop()), full, button(texts.close, close));
    place.prepend(play, board, status, said);
    place.hidden = false;
  };

  const main = () => {
    for (const place of document.querySelectorAll(".sb-play")) {
      start(place);
    }
  };

  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", main);
  } else {
    main();
  }
})();
