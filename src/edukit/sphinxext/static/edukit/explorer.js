/* The explorer of position encodings: sliders, the table, one pair that turns, scores by offset.
 *
 * Everything is computed here, as edukit.posenc computes it; a test compares the two.
 */

(() => {
  "use strict";

  const POSITIONS = 64;
  const REACH = 32; // offsets are shown from -32 to 32
  const PACE = 500; // milliseconds that a walk takes for one position

  // -- the mathematics ------------------------------------------------------------------------------------

  const frequency = (pair, { width, base }) => base ** ((-2 * pair) / width);

  const frequencies = (setting) =>
    Array.from({ length: setting.width / 2 }, (_, pair) => frequency(pair, setting));

  /** Return the columns of the sine and the cosine of a pair. */
  const columns = (pair, { width, layout }) =>
    layout === "interleaved" ? [2 * pair, 2 * pair + 1] : [pair, pair + width / 2];

  const row = (position, setting) => {
    const cells = new Float64Array(setting.width);
    frequencies(setting).forEach((omega, pair) => {
      const [sine, cosine] = columns(pair, setting);
      cells[sine] = Math.sin(position * omega);
      cells[cosine] = Math.cos(position * omega);
    });
    return cells;
  };

  /** The dot product of two rows that are `offset` apart: the sum of the cosines of all turns. */
  const dot = (offset, setting) =>
    frequencies(setting).reduce((sum, omega) => sum + Math.cos(offset * omega), 0);

  /** The rotary score, as a share: query and key are alike but for `angle` degrees in every pair. */
  const rotary = (offset, setting) => {
    const phase = (setting.angle * Math.PI) / 180;
    const omegas = frequencies(setting);
    return omegas.reduce((sum, omega) => sum + Math.cos(offset * omega + phase), 0) / omegas.length;
  };

  /** What the head of eight that was chosen adds to a score. */
  const alibi = (offset, setting) => -(2 ** -setting.head) * Math.abs(offset);

  // -- elements ---------------------------------------------------------------------------------------------

  const SVG = "http://www.w3.org/2000/svg";

  const make = (tag, attributes = {}, ...children) => {
    const isPicture = ["svg", "path", "line", "circle", "text", "g"].includes(tag);
    const element = isPicture ? document.createElementNS(SVG, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  };

  const short = (value) => {
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
      return value.toExponential(3).replace("-", "−").replace("e+", "e");
    }
    return value.toFixed(size >= 100 ? 1 : 4).replace("-", "−");
  };

  // -- the explorer -------------------------------------------------------------------------------------------

  const start = (place) => {
    const texts = JSON.parse(place.dataset.texts);
    const setting = { width: 32, base: 10000, layout: "interleaved", position: 5, offset: 8, pair: 2, angle: 0, head: 3 };
    const sliders = {};

    const slider = (name, min, max, step, { read = Number, write = Number, say = String } = {}) => {
      const id = `explorer-${name}`;
      const input = make("input", { type: "range", id, min, max, step });
      const output = make("span", { "aria-hidden": "true" }); // the slider itself says its value
      const show = () => {
        input.value = write(setting[name]);
        output.textContent = say(setting[name]);
        input.setAttribute("aria-valuetext", output.textContent);
      };
      input.addEventListener("input", () => {
        if (name === "position") {
          stopWalk();
        }
        setting[name] = read(input.value);
        update();
      });
      sliders[name] = { input, show };
      return make("div", { class: "edukit-explorer-control" }, make("label", { for: id }, texts[name]), output, input);
    };

    const choice = () => {
      const group = make("fieldset", { class: "edukit-explorer-control" }, make("legend", {}, texts.layout));
      for (const layout of ["interleaved", "halves"]) {
        const input = make("input", { type: "radio", name: "explorer-layout", value: layout });
        input.checked = setting.layout === layout;
        input.addEventListener("change", () => {
          setting.layout = layout;
          update();
        });
        group.append(make("label", {}, input, ` ${texts[layout]}`));
      }
      return group;
    };

    const controls = make(
      "div",
      { class: "edukit-explorer-controls" },
      slider("width", 4, 128, 2),
      // Even steps on a scale of powers, because that is how the base acts.
      slider("base", 1, 6, 0.25, {
        read: (value) => Math.round(10 ** Number(value)),
        write: Math.log10,
        say: (value) => value.toLocaleString("en"),
      }),
      choice(),
      slider("position", 0, POSITIONS - 1, 1),
      slider("offset", -REACH, REACH, 1, { say: (value) => String(value).replace("-", "−") }),
      slider("pair", 0, 15, 1),
      slider("angle", -180, 180, 5, { say: (value) => `${String(value).replace("-", "−")}°` }),
      slider("head", 1, 8, 1),
    );

    // -- the table

    const canvas = make("canvas", { role: "img", width: 512, height: 256 });
    const tableText = make("figcaption");

    const drawTable = () => {
      const { width, position, offset, pair } = setting;
      const image = new ImageData(width, POSITIONS);
      for (let y = 0; y < POSITIONS; y += 1) {
        row(y, setting).forEach((value, x) => {
          // Blue below zero, white at zero, orange above: as in the figures of the course.
          const end = value < 0 ? [0, 80, 150] : [200, 80, 0];
          const share = Math.abs(value);
          const at = 4 * (y * width + x);
          for (let part = 0; part < 3; part += 1) {
            image.data[at + part] = 253 + share * (end[part] - 253);
          }
          image.data[at + 3] = 255;
        });
      }
      const small = make("canvas", { width, height: POSITIONS });
      small.getContext("2d").putImageData(image, 0, 0);
      const pen = canvas.getContext("2d");
      pen.imageSmoothingEnabled = false;
      pen.drawImage(small, 0, 0, canvas.width, canvas.height);
      const [cellWidth, cellHeight] = [canvas.width / width, canvas.height / POSITIONS];
      pen.strokeStyle = "#1f2328";
      pen.lineWidth = 2;
      for (const y of [position, position + offset]) {
        if (y >= 0 && y < POSITIONS) {
          pen.strokeRect(0, y * cellHeight, canvas.width, cellHeight);
        }
      }
      for (const x of columns(pair, setting)) {
        pen.strokeRect(x * cellWidth, 0, cellWidth, canvas.height);
      }
      tableText.textContent = texts.tableText.replace("{last}", POSITIONS - 1).replace("{width}", width);
      canvas.setAttribute("aria-label", tableText.textContent);
    };

    // -- one pair

    const dial = make("svg", { viewBox: "-120 -120 240 240", role: "img" });
    const dialText = make("figcaption");

    const hand = (angle, name, label) => {
      // Zero points up and the hand goes clockwise, as on a clock: the sine is how far it is to the right.
      const [x, y] = [Math.sin(angle), -Math.cos(angle)];
      return [
        make("line", { class: name, x1: 0, y1: 0, x2: 90 * x, y2: 90 * y }),
        make("circle", { class: name, cx: 90 * x, cy: 90 * y, r: 6 }),
        make("text", { x: 107 * x, y: 107 * y + 5, "text-anchor": "middle" }, label),
      ];
    };

    /** Draw both hands, on a walk also between two positions. */
    const drawHands = (position) => {
      const omega = frequency(setting.pair, setting);
      const from = position * omega;
      const to = (position + setting.offset) * omega;
      const turn = setting.offset * omega;
      const parts = [make("circle", { class: "edukit-explorer-rim", cx: 0, cy: 0, r: 90 })];
      if (Math.abs(turn) < 2 * Math.PI && turn !== 0) {
        const tip = (angle) => `${45 * Math.sin(angle)} ${-45 * Math.cos(angle)}`;
        const large = Math.abs(turn) > Math.PI ? 1 : 0;
        const path = `M ${tip(from)} A 45 45 0 ${large} ${turn > 0 ? 1 : 0} ${tip(to)}`;
        parts.push(make("path", { class: "edukit-explorer-arc", d: path }));
      }
      parts.push(...hand(from, "edukit-explorer-first", "p"), ...hand(to, "edukit-explorer-second", "p+k"));
      dial.replaceChildren(...parts);
    };

    const drawDial = () => {
      drawHands(setting.position);
      const degrees = (setting.offset * frequency(setting.pair, setting) * 180) / Math.PI;
      dialText.textContent = texts.pairText
        .replace("{pair}", setting.pair)
        .replace("{degrees}", degrees.toFixed(1).replace("-", "−"));
      dial.setAttribute("aria-label", dialText.textContent);
    };

    // -- a walk: the position moves on by itself, until the reader stops it or the last one is reached

    const walk = make("button", { type: "button", class: "edukit-explorer-walk" }, texts.walk);
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    let walking = null; // where the walk began, and when; null while nobody walks

    const stopWalk = () => {
      walking = null;
      walk.textContent = texts.walk;
    };

    const step = (now) => {
      if (!walking) {
        return;
      }
      walking.since ??= now;
      const position = Math.min(walking.from + (now - walking.since) / PACE, POSITIONS - 1);
      if (Math.floor(position) !== setting.position) {
        setting.position = Math.floor(position);
        update();
      }
      if (position === POSITIONS - 1) {
        stopWalk();
        return;
      }
      if (!calm.matches) {
        drawHands(position); // whoever asked for less motion sees whole positions only
      }
      requestAnimationFrame(step);
    };

    walk.addEventListener("click", () => {
      if (walking) {
        stopWalk();
        update();
        return;
      }
      walking = { from: setting.position === POSITIONS - 1 ? 0 : setting.position };
      walk.textContent = texts.stop;
      requestAnimationFrame(step);
    });

    // -- scores by offset

    const chart = make("svg", { viewBox: "0 0 360 220", role: "img" });
    const chartText = make("figcaption");

    const drawChart = () => {
      const largest = setting.width / 2;
      const x = (offset) => 34 + ((offset + REACH) / (2 * REACH)) * 318;
      const y = (value) => 14 + ((1 - value) / 2) * 180;
      const curve = (name, values) => {
        const points = values.map((value, place) => `${x(place - REACH).toFixed(2)} ${y(value).toFixed(2)}`);
        return make("path", { class: `edukit-explorer-${name}`, d: `M ${points.join(" L ")}` });
      };
      const offsets = Array.from({ length: 2 * REACH + 1 }, (_, place) => place - REACH);
      const parts = [];
      for (const value of [-1, 0, 1]) {
        parts.push(
          make("line", { class: "edukit-explorer-grid", x1: 34, x2: 352, y1: y(value), y2: y(value) }),
          make("text", { x: 28, y: y(value) + 4, "text-anchor": "end" }, String(value).replace("-", "−")),
        );
      }
      for (const offset of [-REACH, 0, REACH]) {
        parts.push(
          make("text", { x: x(offset), y: 212, "text-anchor": "middle" }, String(offset).replace("-", "−")),
        );
      }
      parts.push(
        make("line", { class: "edukit-explorer-here", x1: x(setting.offset), x2: x(setting.offset), y1: 14, y2: 194 }),
        curve("alibi", offsets.map((offset) => Math.exp(alibi(offset, setting)))),
        curve("rotary", offsets.map((offset) => rotary(offset, setting))),
        curve("sinusoid", offsets.map((offset) => dot(offset, setting) / largest)),
      );
      chart.replaceChildren(...parts);
      chartText.replaceChildren(
        texts.curveText.replace("{first}", `−${REACH}`).replace("{last}", REACH),
        make(
          "span",
          { class: "edukit-explorer-legend" },
          ...["sinusoid", "rotary", "alibi"].map((name) =>
            make("span", { class: `edukit-explorer-key-${name}` }, texts[name]),
          ),
        ),
      );
      chart.setAttribute("aria-label", chartText.firstChild.textContent);
    };

    // -- the numbers

    const readout = make("dl", { class: "edukit-explorer-numbers" });
    const live = make("p", { class: "edukit-explorer-spoken", role: "status" });
    let speaking = 0;

    const numbers = () => {
      const omega = frequency(setting.pair, setting);
      return {
        frequency: omega,
        wavelength: (2 * Math.PI) / omega,
        sine: Math.sin(setting.position * omega),
        cosine: Math.cos(setting.position * omega),
        dot: dot(setting.offset, setting),
        rotaryScore: rotary(setting.offset, setting),
        bias: alibi(setting.offset, setting),
        factor: Math.exp(alibi(setting.offset, setting)),
      };
    };

    const drawNumbers = () => {
      const entries = Object.entries(numbers());
      readout.replaceChildren(
        ...entries.map(([name, value]) =>
          make(
            "div",
            {},
            make("dt", {}, texts[name]),
            make("dd", { "data-name": name, "data-value": String(value) }, short(value)),
          ),
        ),
      );
      // A slider that is being moved would talk without end: only where it stops is said.
      clearTimeout(speaking);
      speaking = setTimeout(() => {
        const said = ["dot", "rotaryScore", "bias"].map((name) => `${texts[name]}: ${short(numbers()[name])}`);
        live.textContent = `${dialText.textContent} ${said.join(". ")}.`;
      }, 600);
    };

    const update = () => {
      sliders.pair.input.max = setting.width / 2 - 1;
      setting.pair = Math.min(setting.pair, setting.width / 2 - 1);
      for (const { show } of Object.values(sliders)) {
        show();
      }
      drawTable();
      drawDial();
      drawChart();
      drawNumbers();
    };

    const figure = (title, ...parts) =>
      make("figure", {}, make("p", { class: "edukit-explorer-title" }, title), ...parts);

    place.replaceChildren(
      controls,
      make(
        "div",
        { class: "edukit-explorer-pictures" },
        figure(texts.tableTitle, canvas, tableText),
        figure(texts.pairTitle, dial, dialText, walk),
        figure(texts.curveTitle, chart, chartText),
        make("div", {}, make("p", { class: "edukit-explorer-title" }, texts.readout), readout),
      ),
      live,
    );
    update();
    place.explorer = { setting, row: (position) => Array.from(row(position, setting)) };
  };

  const main = () => document.querySelectorAll(".edukit-explorer").forEach(start);

  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", main);
  } else {
    main();
  }
})();
