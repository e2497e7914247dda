/* Lyric files read in the page: text and LRC, by the rules of edukit/lyrics (text.py, lrc.py, entries.py,
 * separators.py, rows.py); the cases in tests/lyrics/cases hold both readers together.
 *
 * A row still knows where each of its signs stood, so that what is noticed is told with line and column.
 */

(() => {
  "use strict";

  const { pinyin } = globalThis.edukitSong;

  const mostBytes = 1_000_000;
  const mostRows = 60_000;
  const mostColumns = 1000;
  const mostLines = 30_000;

  /** What a file cannot be read for; the key names the words for it. */
  class Unreadable extends Error {
    constructor(key, line = 1) {
      super(key);
      this.key = key;
      this.line = line;
    }
  }

  const hasHan = (text) => pinyin.han.test(text);
  const hasLetters = (text) => /\p{L}/u.test(text);
  const tones = /[\u0300\u0301\u0304\u0306\u030cāáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ]|[a-z][1-5](?![\p{L}\p{N}_])/iu;
  const ipaSigns = /^\/.*\/$|[ˈˌːəɪʊæʌθðŋʃʒɔɛɜ]/u;
  const ipaRow = /^\/.*\/$/u;
  const whole = (pattern, text) => new RegExp(`^(?:${pattern})$`, "iu").exec(text);
  const count = (items, test) => items.filter(test).length;

  // -- rows -----------------------------------------------------------------------------------------------

  const part = (row, start, stop = row.text.length) => {
    const cut = row.text.slice(start, stop);
    const from = start + cut.length - cut.trimStart().length;
    const text = cut.trim();
    return { number: row.number, text, columns: row.columns.slice(from, from + text.length + 1) };
  };

  const told = (findings, code, row) => findings.push({ code, line: row.number, column: row.columns[0] });

  const rowsOf = (text, findings) => {
    const raws = text.split(/\r\n|\n|\r/u);
    if (raws.length > mostRows) {
      throw new Unreadable("tooLong");
    }
    return raws.map((raw, at) => {
      const signs = [...raw];
      if (signs.length > mostColumns) {
        throw new Unreadable("tooLong", at + 1);
      }
      const row = { number: at + 1, text: "", columns: [] };
      let removed = 0;
      signs.forEach((sign, place) => {
        if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/u.test(sign)) {
          removed ||= place + 1;
        } else if (!/[\ufeff\u200b\u2060]/u.test(sign)) {
          row.text += /[\u3000\u00a0\t]/u.test(sign) ? " " : sign;
          row.columns.push(...Array(sign.length).fill(place + 1));
        }
      });
      row.columns.push(signs.length + 1);
      if (removed) {
        findings.push({ code: "control-character", line: at + 1, column: removed });
      }
      return row;
    });
  };

  // -- a line and its translation in one row ------------------------------------------------------------

  const semicolon = /[;；]/gu;
  const inline = [/ [/／] /gu, / [|｜] /gu, /\^/gu];
  const marked = /[[［【]\s*(?:tr|译|譯|翻译|翻譯|译文|譯文)(?:[:：][\p{L}\p{N}_-]*)?\s*[\]］】]/u;

  /** Whether a sign separates two languages in these rows, or is one of text. */
  const separates = (sign, texts) => {
    let [rows, withSign, apart] = [0, 0, 0];
    for (const text of texts) {
      rows += hasLetters(text);
      const parts = text.split(sign).filter(hasLetters);
      if (parts.length > 1) {
        withSign += 1;
        apart += new Set(parts.map(hasHan)).size === 2;
      }
    }
    return apart > 0 && apart * 2 >= withSign && apart * 4 >= rows;
  };

  const split = (row, sign, findings) => {
    const mark = marked.exec(row.text);
    if (mark) {
      return [part(row, 0, mark.index), part(row, mark.index + mark[0].length)];
    }
    const found = sign ? [...row.text.matchAll(sign)] : [];
    if (found.length > 1) {
      told(findings, "separators", part(row, found[1].index));
    }
    if (found.length !== 1) {
      return [part(row, 0), null];
    }
    const right = part(row, found[0].index + found[0][0].length);
    return [part(row, 0, found[0].index), right.text ? right : null];
  };

  // -- what belongs together ------------------------------------------------------------------------------

  const languages = {
    zh_CN: "zh zho chi cmn zh-cn zh-sg zh-hans zh-hans-cn cmn-hans 汉语 中文 简体 简体中文 chinese",
    zh_TW: "zh-tw zh-hk zh-hant zh-hant-tw cmn-hant 繁体 繁體 繁体中文 繁體中文",
    en: "en eng en-gb en-us 英语 英文 english",
  };
  const languageOf = (name) => {
    const wanted = name.trim().toLowerCase().replaceAll("_", "-");
    return Object.keys(languages).find((key) => languages[key].split(" ").includes(wanted)) ?? null;
  };

  const isLikePinyin = (text) => {
    const share = hasHan(text) ? 0 : pinyin.pinyinShare(text);
    return share > 0.8 || (share > 0.5 && tones.test(text));
  };
  const fits = (text, reading) => pinyin.misfit(text, reading) === null;

  let kinds = null;
  /** Characters of Big5 alone count as 1, those of GB2312 alone as -1. */
  const kindOf = (sign) => {
    if (!kinds) {
      kinds = new Map();
      const add = (name, first, last, trails, value) => {
        const decoder = new TextDecoder(name);
        for (let lead = first; lead <= last; lead += 1) {
          for (const trail of trails) {
            const text = decoder.decode(new Uint8Array([lead, trail]));
            if (hasHan(text)) {
              kinds.set(text, (kinds.get(text) ?? 0) + value);
            }
          }
        }
      };
      const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
      add("gb2312", 0xb0, 0xf7, range(0xa1, 0xfe), -1);
      add("big5", 0xa4, 0xf9, [...range(0x40, 0x7e), ...range(0xa1, 0xfe)], 1);
    }
    return kinds.get(sign) ?? 0;
  };

  const guessLanguage = (groups, findings) => {
    let [chinese, english, certain] = [0, 0, 0];
    for (const group of groups) {
      const free = group.filter((entry) => !entry.role);
      const unmarked = free.length ? free : group;
      const han = unmarked.find((entry) => hasHan(entry.text));
      const isReading = (entry) =>
        entry !== han && entry.role !== "translation" && (entry.role === "reading" || fits(han.text, entry.text));
      if (han && group.some(isReading)) {
        chinese += 2;
        certain += 1;
      } else if (unmarked[0] === han) {
        chinese += 1;
      } else if (hasLetters(unmarked[0].text)) {
        english += 1;
      }
    }
    let language = english > chinese ? "en" : "zh_CN";
    const byPlace = groups.every((group) => group.length === 1 || group.some((entry) => entry.role));
    const scripts = groups.flat().filter((entry) => hasLetters(entry.text));
    const mixed = new Set(scripts.map((entry) => hasHan(entry.text))).size === 2;
    if (language !== "en") {
      const sum = groups.flatMap((group) => [...group[0].text]).reduce((all, sign) => all + Math.sign(kindOf(sign)), 0);
      language = sum > 0 ? "zh_TW" : language;
    }
    const sure = certain * 2 > groups.length || (byPlace && groups.some((group) => group.length > 1));
    if (mixed && !sure) {
      findings.push({ code: "language", line: 1, column: 1, language });
    }
    return language;
  };

  const without = (entries, ...others) => entries.filter((entry) => !others.flat().includes(entry));

  const assign = (originals, readings, translations, found) => {
    const [first, ...others] = originals;
    others.forEach((entry) => found("same-stamp", entry));
    [...readings.slice(1), ...translations.slice(1)].forEach((entry) => found("not-used", entry));
    return [
      { original: first, reading: readings[0], translation: translations[0] },
      ...others.map((original) => ({ original })),
    ];
  };

  const pairEnglish = (groups, found) =>
    groups.flatMap((group) => {
      const translations = group.filter((e) => e.role === "translation" || (!e.role && hasHan(e.text)));
      const readings = without(group, translations).filter((e) => e.role === "reading" || ipaSigns.test(e.text));
      let originals = without(group, translations, readings);
      if (!originals.length) {
        const unmarked = group.filter((entry) => !entry.role);
        const free = unmarked.filter((entry) => !hasHan(entry.text));
        originals = [free, unmarked, group.slice(0, 1)].find((one) => one.length);
      }
      return assign(originals, without(readings, originals), without(translations, originals), found);
    });

  /** How likely a text is the pinyin of a line, 0 (not at all) to 3. */
  const likelihood = (original, text, toned) => {
    const fitting = fits(original, text);
    if (toned && !tones.test(text)) {
      return fitting ? 1 : 0;
    }
    return fitting ? 3 : pinyin.pinyinShare(text) > (toned ? 0.6 : 0.8) ? 2 : 0;
  };

  const sortedOut = (group, toned) => {
    const free = group.filter((entry) => !entry.role);
    const unmarked = free.length ? free : group.slice(0, 1);
    const han = unmarked.filter((entry) => hasHan(entry.text));
    const originals = han.length ? han : unmarked.slice(0, 1);
    const rest = without(group, originals);
    const readings = rest.filter((entry) => entry.role === "reading");
    const likely = new Map(
      rest.map((one) => [one, one.role || readings.length ? 0 : likelihood(originals[0].text, one.text, toned)]),
    );
    const best = Math.max(0, ...likely.values());
    const candidates = rest.filter((entry) => best && likely.get(entry) === best);
    const unclear = candidates.length > 1 || best === 1;
    const parts = { originals, either: unclear ? candidates : [], readings };
    parts.readings = unclear || readings.length ? readings : candidates;
    parts.translations = without(rest, parts.either, parts.readings);
    const [reading, translation] = [parts.readings[0], parts.translations[0]];
    parts.readingFirst = reading && translation ? reading.row.number < translation.row.number : null;
    return parts;
  };

  const pairChinese = (groups, found) => {
    const toned = groups
      .flat()
      .some((one) => !hasHan(one.text) && tones.test(one.text) && pinyin.pinyinShare(one.text) > 0.8);
    const sorted = groups.map((group) => sortedOut(group, toned));
    const clear = sorted.map((parts) => parts.readingFirst).filter((first) => first !== null);
    const readingFirst = count(clear, Boolean) * 2 >= clear.length;
    return sorted.flatMap(({ originals, readings, translations, either }) => {
      const [sounds, meanings] = [[...readings], [...translations]];
      for (const entry of either) {
        const wanting = !sounds.length && (readingFirst || meanings.length || either.length === 1);
        (wanting ? sounds : meanings).push(entry);
      }
      if (either.length) {
        found("role-unclear", either[0]);
      }
      return assign(originals, sounds, meanings, found);
    });
  };

  const songLines = (all, named, findings) => {
    const groups = all.filter((group) => group.length);
    const language = named ?? guessLanguage(groups, findings);
    const seen = new Set();
    const found = (code, { row }) => {
      if (!seen.has(code + row.number)) {
        seen.add(code + row.number);
        told(findings, code, row);
      }
    };
    const lines = (language === "en" ? pairEnglish : pairChinese)(groups, found);
    const misfits = new Set();
    for (const { original, reading } of lines) {
      const fault = language !== "en" && reading && !misfits.has(reading.row.number) && pinyin.misfit(original.text, reading.text);
      if (fault) {
        misfits.add(reading.row.number);
        findings.push({ code: fault.code, line: reading.row.number, column: reading.row.columns[fault.at] });
      }
    }
    return {
      language,
      lines: lines.map(({ original, reading, translation }) => ({
        text: original.text,
        translation: translation?.text ?? null,
        reading: reading?.text ?? null,
        start: original.start ?? null,
        end: original.end ?? null,
        words: original.words ?? [],
        section: original.section ?? null,
      })),
    };
  };

  // -- LRC -------------------------------------------------------------------------------------------------

  const time = "([0-9]{1,3})[:：]([0-5]?[0-9])(?:[.:．：]([0-9]{1,3}))?";
  const stamp = new RegExp(`\\s*[[［]\\s*${time}\\s*[\\]］]`, "uy");
  const wordStamp = new RegExp(`[[［<＜]\\s*${time}\\s*[\\]］>＞]`, "gu");
  const brokenStamp = /^[[［]\s*[0-9]+\s*(?:[:：.]|$)/u;
  const tag = "[[［]\\s*([A-Za-z]+)\\s*[:：](.*)[\\]］]";
  const sectionForm = "[[［【]\\s*([^[\\]［］【】:：]+?)\\s*[\\]］】]";
  const roles = { ar: "artist", au: "author", by: "file" };
  const toldTags = ["ti", "al", "la", "rights", "offset", ...Object.keys(roles)];
  const ignoredTags = "length re ve tool id hash sign qq total encoding version".split(" ");

  const milliseconds = (match) =>
    (Number(match[1]) * 60 + Number(match[2])) * 1000 + Number((match[3] ?? "0").padEnd(3, "0"));

  const takeStamps = (row) => {
    const stamps = [];
    let at = 0;
    for (;;) {
      stamp.lastIndex = at;
      const match = stamp.exec(row.text);
      if (!match) {
        return [stamps, part(row, at)];
      }
      stamps.push(milliseconds(match));
      at += match[0].length;
    }
  };

  const isLrc = (rows) =>
    rows.some((row) => {
      const match = whole(tag, row.text.trim());
      return takeStamps(row)[0].length || (match && toldTags.includes(match[1].toLowerCase()));
    });

  /* An end, unless it comes before the beginning: then nobody knows it. */
  const notBefore = (begin, end) => (end == null || (begin != null && end < begin) ? null : end);

  const takeWords = (row, start) => {
    const found = [...row.text.matchAll(wordStamp)];
    if (!found.length) {
      return [row, []];
    }
    const times = [start, ...found.map(milliseconds)];
    const begins = [0, ...found.map((match) => match.index + match[0].length)];
    const ends = [...found.map((match) => match.index), row.text.length];
    const words = begins
      .map((begin, at) => [row.text.slice(begin, ends[at]).trim(), times[at], notBefore(times[at], times[at + 1])])
      .filter(([text]) => text);
    const bare = { number: row.number, text: "", columns: [] };
    begins.forEach((begin, number) => {
      for (let at = begin; at < ends[number]; at += 1) {
        // The spaces on both sides of a mark are one.
        if (!(row.text[at] === " " && bare.text.endsWith(" "))) {
          bare.text += row.text[at];
          bare.columns.push(row.columns[at]);
        }
      }
    });
    bare.columns.push(row.columns.at(-1));
    return [part(bare, 0), words];
  };

  const later = (value, by) => (value === null || value === undefined ? value : Math.max(0, value + by));
  const moved = (entry, by) => ({
    ...entry,
    start: later(entry.start, by),
    end: later(entry.end, by),
    words: entry.words.map(([text, start, end]) => [text, later(start, by), later(end, by)]),
  });

  const takeApart = (rows, findings) => {
    const tags = [];
    const timed = [];
    const unstamped = [];
    let section = null;
    let total = 0;
    for (const row of rows) {
      let body = part(row, 0);
      if (!body.text || body.text.startsWith("#")) {
        continue;
      }
      let stamps;
      [stamps, body] = takeStamps(body);
      const named = whole(sectionForm, body.text);
      const tagged = !named && !stamps.length && whole(tag, body.text);
      if (named) {
        section = named[1];
        body = part(body, body.text.length);
      } else if (tagged && marked.exec(body.text)?.index !== 0) {
        const from = tagged[0].lastIndexOf(tagged[2], tagged[0].length - 1);
        tags.push([tagged[1].toLowerCase(), part(body, from, from + tagged[2].length)]);
        continue;
      } else if (brokenStamp.test(body.text)) {
        told(findings, "stamp", body);
        continue;
      } else if (!stamps.length) {
        unstamped.push({ stamps, row: body, section });
        continue;
      }
      if (body.text === "//") {
        body = part(body, body.text.length);
      }
      if (stamps.length) {
        timed.push({ stamps, row: body, section });
      }
      total += stamps.length;
      if (total > mostLines) {
        throw new Unreadable("tooLong", row.number);
      }
    }
    if (!timed.length) {
      if (unstamped.length) {
        told(findings, "no-stamps", unstamped[0].row);
      }
      return [tags, unstamped];
    }
    unstamped.forEach((one) => told(findings, "no-stamp", one.row));
    const rowsAt = new Map();
    timed.forEach((one) => new Set(one.stamps).forEach((at) => rowsAt.set(at, (rowsAt.get(at) ?? 0) + 1)));
    let before = 0;
    for (const { stamps, row } of timed.filter((one) => one.stamps.length === 1)) {
      if (stamps[0] < before && rowsAt.get(stamps[0]) === 1) {
        told(findings, "stamp-order", row);
      }
      [before] = stamps;
    }
    return [tags, timed];
  };

  const entriesOf = (one, sign, findings) => {
    const [line, translation] = split(one.row, sign, findings);
    const start = one.stamps[0] ?? null;
    const [row, words] = takeWords(line, start);
    const entries = row.text ? [{ row, text: row.text, start, end: null, words, section: one.section }] : [];
    const meaning = translation && takeWords(translation, start)[0];
    if (meaning?.text) {
      entries.push({ row: meaning, text: meaning.text, start, end: null, words: [], section: one.section, role: "translation" });
    }
    return entries;
  };

  const grouped = (timed, findings) => {
    const bare = timed.map((one) => one.row.text.replace(wordStamp, ""));
    const sign = inline.find((each) => separates(each, bare)) ?? null;
    const groups = [];
    const entries = [];
    for (const one of timed) {
      const parts = entriesOf(one, sign, findings);
      if (!one.stamps.length) {
        groups.push(parts);
      }
      for (const at of one.stamps) {
        entries.push(...parts.map((entry) => moved(entry, at - one.stamps[0])));
      }
    }
    entries.sort((one, other) => one.start - other.start);
    const begins = [...new Set(timed.flatMap((one) => one.stamps))].sort((one, other) => one - other);
    const following = new Map(begins.slice(1).map((next, at) => [begins[at], next]));
    let time = null;
    for (const entry of entries) {
      if (entry.start !== time) {
        groups.push([]);
        time = entry.start;
      }
      groups.at(-1).push({ ...entry, end: following.get(time) ?? notBefore(entry.start, entry.words.at(-1)?.[2]) });
    }
    return groups;
  };

  const readLrc = (rows, findings) => {
    const [tags, timed] = takeApart(rows, findings);
    const song = { people: [] };
    let [language, offset] = [null, 0];
    for (const [name, value] of tags) {
      if (roles[name]) {
        song.people.push(...(value.text ? [[roles[name], value.text]] : []));
      } else if (["ti", "al", "rights"].includes(name)) {
        song[name] ??= value.text;
      } else if (name === "la") {
        language = languageOf(value.text);
        if (!language) {
          told(findings, "language", value);
        }
      } else if (name === "offset") {
        if (/^[+-]?[0-9]{1,7}$/u.test(value.text)) {
          offset = Number(value.text);
        } else {
          told(findings, "offset", value);
        }
      } else if (!ignoredTags.includes(name)) {
        told(findings, "unknown-tag", value);
      }
    }
    const groups = grouped(timed, findings).map((group) => group.map((entry) => (offset ? moved(entry, -offset) : entry)));
    const read = songLines(groups, language, findings);
    return { title: song.ti, people: song.people, source: song.al ?? "", rights: song.rights ?? "", ...read };
  };

  // -- text ------------------------------------------------------------------------------------------------

  const keys = {
    title: "title 标题 標題 歌名 曲名",
    language: "language 语言 語言",
    artist: "artist singer 演唱 歌手",
    author: "author words lyrics 作词 作詞",
    file: "file 整理",
    source: "source album 来源 來源 专辑 專輯",
    rights: "rights 版权 版權",
    encoding: "encoding 编码 編碼",
    format: "format 格式",
  };
  const keyOf = (word) => Object.keys(keys).find((key) => keys[key].split(" ").includes(word.toLowerCase()));
  const header = `(${Object.values(keys).join(" ").split(" ").join("|")})\\s*[:：]\\s*(.*)`;
  const forms = ["pairs", "bullets", "plain"];
  const bullets = "•●▪◦‣∙・";
  const bullet = new RegExp(`^(?:[${bullets}]\\s*|[-*·]\\s+)`, "u");
  const bulletAtEnd = new RegExp(`\\s*[${bullets}·]$`, "u");
  const bulletAfter = new RegExp(`\\s*[${bullets}]$`, "u");

  /** How many rows at the top are the header; below an empty one a line may look like one. */
  const headerSize = (texts) => {
    let size = 0;
    for (const [at, text] of texts.entries()) {
      if (text && whole(header, text)) {
        size = at + 1;
      } else if (text || size) {
        break;
      }
    }
    return size;
  };

  const ofSong = (texts) => texts.slice(headerSize(texts)).filter((text) => text && !whole(sectionForm, text));

  const hasBullets = (texts) => {
    const found = texts.map((text) => bullet.exec(text)?.[0].trim()).filter((one) => one !== undefined);
    const clear = count(found, (one) => bullets.includes(one));
    return (clear > 0 && clear * 2 >= texts.length - 2) || (found.length > 2 && found.length >= texts.length - 2);
  };

  const alternate = (texts) =>
    texts.length >= 4 && texts.length % 2 === 0 && texts.every((text, at) => !at || hasHan(text) !== hasHan(texts[at - 1]));

  const formOf = (rows) => {
    const texts = rows.map((row) => row.text.trim());
    for (const text of texts.slice(0, headerSize(texts))) {
      const match = whole(header, text);
      if (match && keyOf(match[1]) === "format" && forms.includes(match[2].toLowerCase())) {
        return match[2].toLowerCase();
      }
    }
    const sung = ofSong(texts);
    return separates(semicolon, sung) ? "pairs" : hasBullets(sung) || alternate(sung) ? "bullets" : "plain";
  };

  /** Whether a row has an empty one after it, and then at least two that follow each other. */
  const standsAlone = (rows, at) => {
    const below = rows.slice(at + 1, at + 8).map((row) => row.text.trim());
    return below.length > 0 && !below[0] && below.some((text, place) => text && below[place + 1]);
  };

  const leadsChinese = (texts, language) => {
    if (language) {
      return language !== "en";
    }
    const below = texts.filter((text, at) => at && hasHan(texts[at - 1]) && !hasHan(text));
    return (below.length > 0 && count(below, isLikePinyin) * 2 > below.length) || hasHan(texts[0]);
  };

  const inTurn = (lines, language) => {
    const texts = lines.map(([row]) => row.text);
    const leads = leadsChinese(texts, language);
    const begins = texts.map((text) => hasHan(text) === leads && !ipaRow.test(text));
    const found = begins.flatMap((isNext, at) => (isNext ? [at] : []));
    const starts = found.length ? found : [0];
    const between = starts.slice(1).map((next, at) => next - starts[at]);
    const gaps = [0, 0, 0, 0];
    (between.length ? between : [texts.length - starts[0]]).forEach((gap) => gap <= 3 && (gaps[gap] += 1));
    const most = Math.max(...gaps);
    const size = most ? gaps.indexOf(most) : 2;
    const together = [];
    lines.forEach((rows, at) => {
      if (!together.length || begins[at] || rows.length > 1 || together.at(-1).length >= size) {
        together.push([...rows]);
      } else {
        together.at(-1).push(...rows);
      }
    });
    return together;
  };

  const rolesOf = (rows, readsAloud) => {
    const others = rows.slice(1);
    let reading = others.find((row) => ipaRow.test(row.text));
    if (!reading && (readsAloud || others.length > 1)) {
      reading = others.find((row) => isLikePinyin(row.text));
      if (!reading && others.length && readsAloud && !hasHan(others[0].text)) {
        [reading] = others; // typed by hand, a reading may be anything
      }
    }
    return others.map((row) => ({ row, text: row.text, words: [], role: row === reading ? "reading" : "translation" }));
  };

  const readText = (rows, findings, form) => {
    const song = { title: "", people: [], source: "", rights: "" };
    const texts = rows.map((row) => row.text.trim());
    const size = headerSize(texts);
    const bulleted = form !== "plain" && hasBullets(ofSong(texts));
    const lines = [];
    const sections = new Map();
    let [language, section, begun] = [null, null, false];
    const keep = (parts) => {
      const full = parts.filter((one) => one?.text);
      if (full.length) {
        lines.push(full);
        sections.set(full[0], section);
      }
    };
    const takeHeader = (word, value) => {
      const key = keyOf(word);
      if (!value.text) {
        return;
      }
      if (["artist", "author", "file"].includes(key)) {
        song.people.push([key, value.text]);
      } else if (["title", "source", "rights"].includes(key)) {
        song[key] ||= value.text;
      } else if (key === "language") {
        language = languageOf(value.text);
        if (!language) {
          told(findings, "language", value);
        }
      }
    };
    rows.forEach((row, at) => {
      let first = part(row, 0);
      if (!first.text) {
        return;
      }
      const head = at < size && whole(header, first.text);
      if (head) {
        takeHeader(head[1], part(first, first.text.length - head[2].length));
        return;
      }
      const named = whole(sectionForm, first.text);
      if (named) {
        section = named[1];
        begun = true;
        return;
      }
      if (!begun && !song.title && !bullet.test(first.text)) {
        const end = form !== "plain" && bulletAtEnd.exec(first.text);
        if (end) {
          song.title = first.text.slice(0, end.index);
          return;
        }
        if (standsAlone(rows, at) && !/[;；]/u.test(first.text)) {
          song.title = first.text;
          told(findings, "title", first);
          return;
        }
      }
      begun = true;
      if (bulleted) {
        first = part(first, bullet.exec(first.text)?.[0].length ?? 0);
        const end = bulletAfter.exec(first.text)?.index;
        first = end ? part(first, 0, end) : first;
      }
      keep(form === "pairs" ? split(first, semicolon, findings) : [first]);
    });
    if (lines.length > mostLines) {
      throw new Unreadable("tooLong", lines[mostLines][0].number);
    }
    if (!lines.length) {
      throw new Unreadable("empty");
    }
    const together = form === "bullets" ? inTurn(lines, language) : lines;
    const seconds = together.filter((one) => one.length > 1 && hasHan(one[0].text)).map((one) => one[1].text);
    const readsAloud = count(seconds, isLikePinyin) * 2 > seconds.length;
    const groups = together.map((rows) => [
      { row: rows[0], text: rows[0].text, words: [], section: sections.get(rows[0]) ?? null },
      ...rolesOf(rows, readsAloud),
    ]);
    return { ...song, ...songLines(groups, language, findings) };
  };

  // -- files -----------------------------------------------------------------------------------------------

  const decode = (bytes, findings) => {
    if (bytes.length > mostBytes) {
      throw new Unreadable("tooLong");
    }
    const begins = (...wanted) => wanted.every((byte, at) => bytes[at] === byte);
    const as = (label) => {
      try {
        return new TextDecoder(label, { fatal: true }).decode(bytes);
      } catch {
        return null;
      }
    };
    if (begins(0x50, 0x4b, 3, 4) || begins(0x25, 0x50, 0x44, 0x46) || begins(0xd0, 0xcf) || begins(0x49, 0x44, 0x33)) {
      throw new Unreadable("notText");
    }
    const utf16 = begins(0xff, 0xfe) ? "utf-16le" : begins(0xfe, 0xff) ? "utf-16be" : null;
    if (!utf16 && bytes.includes(0)) {
      throw new Unreadable("notText");
    }
    const start = new TextDecoder("latin1").decode(bytes.slice(0, 4096));
    const said = /^[ \t]*\[?[ \t]*(?:encoding|ç¼–ç )[ \t]*(?::|ï¼š)[ \t]*([\w.-]{2,20})[ \t]*\]?[ \t]*\r?$/imu.exec(start);
    const named = utf16 ?? (said && !begins(0xef, 0xbb, 0xbf) ? said[1] : null);
    let text = as(named ?? "utf-8");
    if (text === null && named === null) {
      text = as("gb18030");
      findings.push({ code: "encoding", line: 1, column: 1 });
    }
    if (text === null) {
      throw new Unreadable("encoding");
    }
    return text;
  };

  /** Read a song from its text; ``name`` gives the title where the file does not. */
  const readSong = (text, name, findings = []) => {
    if (!text.trim()) {
      throw new Unreadable("empty");
    }
    if (/^\s*(?:<\?xml|<tt\b|WEBVTT\b)|-->/u.test(text.slice(0, 2000))) {
      throw new Unreadable("notRead");
    }
    // Control characters in great number are a file of another kind.
    const controls = text.match(/[\u0000-\u0008\u000e-\u001f\u007f]/gu) ?? [];
    if (controls.length * 10 > [...text].length) {
      throw new Unreadable("notText");
    }
    const rows = rowsOf(text, findings);
    const format = isLrc(rows) ? "lrc" : formOf(rows);
    const song = format === "lrc" ? readLrc(rows, findings) : readText(rows, findings, format);
    findings.sort((one, other) => one.line - other.line || one.column - other.column);
    const title = (song.title || name).split(/[\r\n]/u).map((one) => rowsOf(one, [])[0].text.trim()).join("");
    return { format, ...song, title: title || "?", findings };
  };

  const readBytes = (bytes, name) => {
    const findings = [];
    return readSong(decode(bytes, findings), name, findings);
  };

  Object.assign(globalThis.edukitSong, { readSong, readBytes, Unreadable });
})();
