/* The melody of a song, played on a plucked string that is computed here: no file, no request.
 *
 * The notes come as numbers from song/jianpu.py: pitch in MIDI, start and length in quarters, line, syllable.
 */

(() => {
  "use strict";

  const { add, make, button, randomFrom } = globalThis.edukitSong;

  /** A plucked string (Karplus and Strong): a noise that goes round in a loop as long as one period.
   *
   * The mean of two neighbours takes half a sample, what is left of the period is interpolated, so that
   * high notes are in tune too.
   */
  const pluck = (frequency, seconds, rate) => {
    const sound = new Float32Array(Math.ceil(seconds * rate));
    const period = rate / frequency - 0.5;
    const whole = Math.floor(period);
    const part = period - whole;
    const random = randomFrom(7);
    let before = 0;
    for (let at = 0; at <= whole && at < sound.length; at += 1) {
      before = 0.5 * (before + 2 * random() - 1); // a finger is softer than a needle
      sound[at] = before;
    }
    const loss = 0.5 * 0.001 ** (1 / (frequency * 2.5)); // quiet after two and a half seconds
    for (let at = whole + 3; at < sound.length; at += 1) {
      const [a, b, c] = [sound[at - whole], sound[at - whole - 1], sound[at - whole - 2]];
      sound[at] = loss * ((1 - part) * (a + b) + part * (b + c));
    }
    return sound;
  };

  const frequencyOf = (pitch) => 440 * 2 ** ((pitch - 69) / 12);

  add((song) => {
    const { data, t } = song;
    const { melody } = data;
    if (!melody || !song.singing) {
      return;
    }
    const AudioContext = globalThis.AudioContext ?? globalThis.webkitAudioContext;
    if (!AudioContext) {
      return;
    }
    const strings = new Map();
    let playing = null;

    const stop = () => {
      playing?.sources.forEach((source) => source.stop());
      playing = null;
      play.textContent = t("play");
      song.light(-1);
    };

    const start = (context, when, samples, seconds, volume) => {
      const source = context.createBufferSource();
      const gain = context.createGain();
      source.buffer = samples;
      gain.gain.setValueAtTime(volume, when);
      gain.gain.setValueAtTime(volume, when + seconds * 0.9);
      gain.gain.linearRampToValueAtTime(0, when + seconds);
      source.connect(gain).connect(context.destination);
      source.start(when);
      source.stop(when + seconds);
      return source;
    };

    const stringOf = (context, pitch) => {
      if (!strings.has(pitch)) {
        const sound = pluck(frequencyOf(pitch), 4, context.sampleRate);
        const buffer = context.createBuffer(1, sound.length, context.sampleRate);
        buffer.getChannelData(0).set(sound);
        strings.set(pitch, buffer);
      }
      return strings.get(pitch);
    };

    let context = null;
    const from = (first, last, counted) => {
      stop();
      song.audio?.pause();
      context ??= new AudioContext();
      context.resume();
      const quarter = 60 / Number(tempo.value);
      const counts = counted ? Math.ceil(melody.bar) + (melody.upbeat ? Math.ceil(melody.bar - melody.upbeat) : 0) : 0;
      const zero = context.currentTime + 0.15 + counts * quarter;
      const sources = [];
      for (let beat = 0; beat < counts; beat += 1) {
        const low = beat % Math.ceil(melody.bar) === 0 ? 96 : 91;
        sources.push(start(context, zero - (counts - beat) * quarter, stringOf(context, low), 0.08, 0.4));
      }
      const notes = melody.notes.filter(([, begin]) => begin >= first && begin < last);
      for (const [pitch, begin, beats] of notes) {
        const when = zero + (begin - first) * quarter;
        sources.push(start(context, when, stringOf(context, pitch), beats * quarter, 0.8));
      }
      const end = Math.min(last, Math.max(...notes.map(([, begin, beats]) => begin + beats)));
      const now = { sources };
      playing = now;
      play.textContent = t("stop");
      const follow = () => {
        if (playing !== now) {
          return;
        }
        const beat = first + (context.currentTime - zero) / quarter;
        if (beat >= end) {
          stop();
          return;
        }
        const note = notes.findLast(([, begin]) => begin <= beat);
        if (note && note[3] !== null) {
          const part = data.lines[note[3]].parts?.[note[4]];
          song.light(note[3], part?.[0], part?.[1]);
        }
        setTimeout(follow, 30);
      };
      follow();
    };

    const tempo = make("input", {
      type: "range",
      min: Math.round(melody.tempo / 2),
      max: Math.round(melody.tempo * 1.5),
    });
    tempo.value = melody.tempo;
    const count = make("input", { type: "checkbox", checked: true });
    const play = button(t("play"), () => (playing ? stop() : from(0, Infinity, count.checked)));
    song.singing.prepend(
      make(
        "div",
        { className: "edukit-song-row" },
        play,
        make("label", { className: "edukit-song-choice" }, make("span", {}, t("tempo")), tempo),
        make("label", { className: "edukit-song-box" }, count, t("countIn")),
      ),
    );
    song.stopMelody = () => playing && stop();
    song.hearMelody = (number) => {
      const sung = melody.notes.filter((note) => note[3] === number);
      if (sung.length) {
        const last = sung.at(-1);
        from(sung[0][1], last[1] + last[2], false);
      }
    };
    song.letHear();
  });

  Object.assign(globalThis.edukitSong, { pluck, frequencyOf });
})();
