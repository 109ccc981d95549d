/* Whole numbers from text: what bench_lib.sphinx_ext.number_text made. */
(function () {
  "use strict";
  const bench = (self.benchLib = self.benchLib || {});

  /** The numbers of a text that bench_lib.sphinx_ext.number_text made; an array is what it is. */
  const OTHERS = '"\\<>&';
  const DIGITS = new Map();
  for (let code = 32; code < 127; code++) if (!OTHERS.includes(String.fromCharCode(code))) DIGITS.set(code, DIGITS.size);
  bench.numbers = (text) => {
    if (typeof text !== "string") return text;
    const base = DIGITS.size;
    const digit = (i) => DIGITS.get(text.charCodeAt(i));
    const kind = digit(0);
    const short = [0, 24, 48, 72, 80][kind % 5];
    const two = short + (84 - short) * base;
    const three = two + 3 * base * base;
    const found = [];
    let before = 0;
    for (let i = 1; i < text.length; i++) {
      const first = digit(i);
      let n = first;
      if (first === 89) {
        found.push(null);
        continue;
      }
      if (first === 88) {
        const end = text.indexOf(text[i], i + 1);
        n = Number(text.slice(i + 1, end));
        i = end;
      } else if (first >= 87) {
        n = three + ((first - 87) * base * base + digit(++i) * base + digit(++i)) * base + digit(++i);
      } else if (first >= 84) {
        n = two + ((first - 84) * base + digit(++i)) * base + digit(++i);
      } else if (first >= short) {
        n = short + (first - short) * base + digit(++i);
      }
      if (kind < 10) n = n % 2 ? -(n + 1) / 2 : n / 2;
      if (kind >= 5 && kind < 10) n = before += n;
      found.push(n);
    }
    return found;
  };
})();
