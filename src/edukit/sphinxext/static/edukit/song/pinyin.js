/* The pinyin of a line, laid under its characters; the rules are those of edukit/lyrics/pinyin.py and of the
 * alignment beside it, and the tests hold the two together.
 *
 * All ways of cutting what was typed into syllables are followed at once, and the one that gives each
 * character its syllable by the rules of spelling wins; where none does, or two do equally well, this is
 * said and nothing is guessed.
 */

(() => {
  "use strict";

  // Every syllable of the standard language: an initial, and what can follow it; "-" stands for none.
  const table = `
    - a ai an ang ao e ei en eng er o ou
    b a ai an ang ao ei en eng i ian iao ie in ing o u
    c a ai an ang ao e en eng i ong ou u uan ui un uo
    ch a ai an ang ao e en eng i ong ou u ua uai uan uang ui un uo
    d a ai an ang ao e ei en eng i ia ian iao ie ing iu ong ou u uan ui un uo
    f a an ang ei en eng o ou u
    g a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo
    h a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo
    j i ia ian iang iao ie in ing iong iu u uan ue un
    k a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo
    l a ai an ang ao e ei eng i ia ian iang iao ie in ing iu o ong ou u uan un uo ü üe
    m a ai an ang ao e ei en eng i ian iao ie in ing iu o ou u
    n a ai an ang ao e ei en eng i ian iang iao ie in ing iu ong ou u uan un uo ü üe
    p a ai an ang ao ei en eng i ian iao ie in ing o ou u
    q i ia ian iang iao ie in ing iong iu u uan ue un
    r an ang ao e en eng i ong ou u ua uan ui un uo
    s a ai an ang ao e en eng i ong ou u uan ui un uo
    sh a ai an ang ao e ei en eng i ou u ua uai uan uang ui un uo
    t a ai an ang ao e ei eng i ian iao ie ing ong ou u uan ui un uo
    w a ai an ang ei en eng o u
    x i ia ian iang iao ie in ing iong iu u uan ue un
    y a an ang ao e i in ing o ong ou u uan ue un
    z a ai an ang ao e ei en eng i ong ou u uan ui un uo
    zh a ai an ang ao e ei en eng i ong ou u ua uai uan uang ui un uo`;
  const syllables = new Set(
    table
      .trim()
      .split("\n")
      .flatMap((row) => {
        const [initial, ...finals] = row.trim().split(" ");
        return finals.map((final) => (initial === "-" ? "" : initial) + final);
      }),
  );
  const longest = 8; // "zhuang" with a tone number, and one for the r of 儿
  const mostPaths = 16;

  const marks = ["", "\u0304", "\u0301", "\u030c", "\u0300"];
  // Many keyboards offer the breve where the caron is meant.
  const toneOfMark = { "\u0304": 1, "\u0301": 2, "\u030c": 3, "\u0300": 4, "\u0306": 3 };
  // School books print a and g in shapes that have code points of their own.
  const letterOf = { v: "ü", ɑ: "a", ɡ: "g" };

  const remembered = (make) => {
    const known = new Map();
    return (text) => {
      if (!known.has(text)) {
        if (known.size > 10_000) {
          known.clear(); // a file made to keep us busy
        }
        known.set(text, make(text));
      }
      return known.get(text);
    };
  };

  /** The index of the vowel that carries the mark: a, e, the o of ou, or else the last one. */
  const markedVowel = (syllable) => {
    const first = ["a", "e", "ou"].map((vowel) => syllable.indexOf(vowel)).find((at) => at >= 0);
    return first ?? Math.max(...["i", "o", "u", "ü"].map((vowel) => syllable.lastIndexOf(vowel)));
  };

  const withMark = (syllable, tone) => {
    const at = markedVowel(syllable) + 1;
    return (syllable.slice(0, at) + (marks[tone] ?? "") + syllable.slice(at)).normalize("NFC");
  };

  /** One typed syllable without its tone, and the tone: null where none was typed. Null if it is none. */
  const spell = remembered((typed) => {
    let tone = null;
    let markedAt = null;
    const letters = [];
    for (const sign of typed.toLowerCase().normalize("NFD")) {
      if (toneOfMark[sign]) {
        if (tone !== null || !letters.length) {
          return null;
        }
        [tone, markedAt] = [toneOfMark[sign], letters.length - 1];
      } else if (sign === "\u0308" && letters.at(-1) === "u") {
        letters[letters.length - 1] = "ü";
      } else {
        letters.push(sign);
      }
    }
    if (/^[0-5]$/u.test(letters.at(-1) ?? "")) {
      if (tone !== null) {
        return null;
      }
      tone = Number(letters.pop()) || 5;
    }
    let plain = letters.map((letter) => letterOf[letter] ?? letter).join("");
    plain = { nue: "nüe", lue: "lüe" }[plain] ?? plain;
    if (/^[jqxy]/u.test(plain)) {
      plain = plain.replaceAll("ü", "u");
    }
    if (!syllables.has(plain) || (markedAt !== null && markedAt !== markedVowel(plain))) {
      return null;
    }
    return { plain, tone };
  });

  /** What one piece of typing can be: a syllable, or one with the r of 儿 at its end. */
  const cuts = remembered((typed) => {
    const found = [];
    const whole = spell(typed);
    if (whole) {
      found.push({ ...whole, erhua: false });
    }
    const match = /^(.+)r([0-5]?)$/isu.exec(typed);
    const bare = match && spell(match[1] + match[2]);
    if (bare && bare.plain !== "er") {
      found.push({ ...bare, erhua: true });
    }
    return found;
  });

  const hanClass = "\\u3005-\\u3007\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{323af}";
  const han = new RegExp(`[${hanClass}]`, "u");
  const letter = "[\\p{L}\\p{Nl}\\p{No}]";
  const unitForm = new RegExp(`[${hanClass}]|\\p{Nd}|(?:(?![${hanClass}])${letter})+(?:['’ʼ‘]${letter}+)*`, "gu");
  const typedPart = `${letter}[\\p{L}\\p{N}]*(?:[\\u0300-\\u036f]+[\\p{L}\\p{N}]*)*`;
  const typedForm = new RegExp(`${typedPart}(?:['’ʼ‘‐‑-]${typedPart})*|\\p{Nd}`, "gu");
  const within = /['’ʼ‘‐‑-]/u;

  const unitsOf = (text) =>
    [...text.matchAll(unitForm)].map((match) => ({
      text: match[0],
      start: match.index,
      stop: match.index + match[0].length,
      isHan: han.test(match[0]),
      takesSyllable: han.test(match[0]) || /^\p{Nd}$/u.test(match[0]),
    }));

  /** Keep the better of two paths to one place, and remember when they are equally good. */
  const keep = (paths, at, path) => {
    const known = paths.get(at);
    if (!known || path.cost < known.cost) {
      paths.set(at, path);
    } else if (path.cost === known.cost) {
      paths.set(at, { ...known, tied: true });
    }
  };

  const step = (path, reading, cost) => ({ cost: path.cost + cost, tied: path.tied, chain: [reading, path.chain] });
  const same = (left, right) => left.toLowerCase().replace(/[’ʼ‘]/gu, "'") === right.toLowerCase().replace(/[’ʼ‘]/gu, "'");

  const hasTone = (part) => {
    for (let begin = 0; begin < part.length; begin += 1) {
      for (let end = begin + 1; end <= Math.min(begin + longest, part.length); end += 1) {
        if (spell(part.slice(begin, end))?.tone) {
          return true;
        }
      }
    }
    return false;
  };

  /** Whether a syllable can follow another with no apostrophe between them. */
  const mayBeginWithin = (cut, path) =>
    !/^[aeo]/u.test(cut.plain) || cut.plain === "er" || (cut.tone !== null && path.chain !== null && path.chain[0].tone !== null);

  const readPart = (part, number, units, paths) => {
    const toned = hasTone(part);
    const reached = Array.from({ length: part.length + 1 }, () => new Map());
    reached[0] = paths;
    for (let begin = 0; begin < part.length; begin += 1) {
      const here = reached[begin];
      if (here.size > mostPaths) {
        return new Map();
      }
      const found = [];
      for (let end = begin + 1; here.size && end <= Math.min(begin + longest + 2, part.length); end += 1) {
        found.push(...cuts(part.slice(begin, end)).map((cut) => ({ ...cut, end })));
      }
      for (const [at, path] of here) {
        if (at === units.length || !units[at].takesSyllable) {
          continue;
        }
        const after = units[at + 1];
        const isErhua = after && /^[儿兒]$/u.test(after.text) && after.start === units[at].stop;
        for (const cut of found) {
          if ((cut.erhua && !isErhua) || (begin && !mayBeginWithin(cut, path))) {
            continue;
          }
          const last = at + (cut.erhua ? 1 : 0);
          // As much for an r of its own as for a missing apostrophe; the first syllable is never neutral.
          const cost =
            (begin > 0 && /^[aeo]/u.test(cut.plain) ? 1 : 0) +
            (cut.erhua ? 1 : 0) +
            (begin === 0 && toned && cut.tone === null ? 1 : 0);
          const reading = { start: units[at].start, stop: units[last].stop, plain: cut.plain, erhua: cut.erhua, tone: cut.tone, word: number };
          keep(reached[cut.end], last + 1, step(path, reading, cost));
        }
      }
    }
    return reached[part.length];
  };

  const readWord = (word, number, units, paths) => {
    const after = new Map();
    // A Latin word of the line is typed as it is, whether or not it happens to look like pinyin.
    for (const [at, path] of paths) {
      if (at < units.length && !units[at].isHan && same(word, units[at].text)) {
        const { start, stop } = units[at];
        keep(after, at + 1, step(path, { start, stop, plain: null, erhua: false, tone: null, word: number }, 0));
      }
    }
    for (const part of word.split(within)) {
      paths = readPart(part, number, units, paths);
    }
    for (const [at, path] of paths) {
      keep(after, at, path);
    }
    return after;
  };

  /** The least number of syllables that a typed word can be cut into, null if it cannot. */
  const least = remembered((word) => {
    let total = 0;
    for (const part of word.split(within)) {
      const fewest = [0];
      for (let end = 1; end <= part.length; end += 1) {
        let best = null;
        for (let begin = Math.max(0, end - longest - 2); begin < end; begin += 1) {
          const before = fewest[begin];
          if (before !== null && cuts(part.slice(begin, end)).length && (best === null || before + 1 < best)) {
            best = before + 1;
          }
        }
        fewest.push(best);
      }
      if (fewest.at(-1) === null) {
        return null;
      }
      total += fewest.at(-1);
    }
    return total;
  });

  const whyNot = (units, words) => {
    let count = 0;
    for (const word of words) {
      if (units.some((unit) => !unit.isHan && same(word[0], unit.text))) {
        count += 1;
        continue;
      }
      const fewest = least(word[0]);
      if (fewest === null) {
        return { misfit: { code: "reading-syllable", at: word.index } };
      }
      count += fewest;
    }
    return { misfit: { code: count === units.length ? "reading-unclear" : "reading-count", at: 0 } };
  };

  /** The readings of a line, or why what was typed does not fit it. */
  const align = (text, reading) => {
    const units = unitsOf(text);
    const words = [...reading.matchAll(typedForm)];
    let paths = new Map([[0, { cost: 0, tied: false, chain: null }]]);
    for (const [number, word] of words.entries()) {
      paths = readWord(word[0], number, units, paths);
      if (!paths.size) {
        return whyNot(units, words);
      }
    }
    const path = paths.get(units.length);
    if (!path) {
      return whyNot(units, words);
    }
    if (path.tied) {
      return { misfit: { code: "reading-unclear", at: 0 } };
    }
    const readings = [];
    for (let chain = path.chain; chain; chain = chain[1]) {
      readings.unshift(chain[0]);
    }
    return { readings };
  };

  /** The parts of a line as its page takes them, none where the reading does not fit. */
  const partsOf = (text, reading) => {
    const { readings = [] } = align(text, reading);
    // An unmarked syllable is a neutral one only beside marked ones: else the typist left all tones out.
    const marked = readings.some((one) => one.tone !== null);
    let group = -1;
    return readings.map((one, at) => {
      const before = readings[at - 1];
      group += before && before.word === one.word && before.stop === one.start ? 0 : 1;
      const tone = one.plain === null ? null : (one.tone ?? (marked ? 5 : null));
      const pinyin = one.plain === null ? null : withMark(one.plain, tone ?? 5) + (one.erhua ? "r" : "");
      return [one.start, one.stop, pinyin, tone, null, group];
    });
  };

  const pinyinShare = (text) => {
    const words = text.match(typedForm) ?? [];
    return words.length ? words.filter((word) => least(word) !== null).length / words.length : 0;
  };

  Object.assign(globalThis.edukitSong, {
    pinyin: { misfit: (text, reading) => align(text, reading).misfit ?? null, partsOf, pinyinShare, han },
  });
})();
