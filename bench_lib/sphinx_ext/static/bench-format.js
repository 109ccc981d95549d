/* Numbers, units, dates and commits for readers: the scaling of bench_lib.units, in the browser. */
(function () {
  "use strict";
  const bench = (self.benchLib = self.benchLib || {});
  const TIME = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];
  const BINARY = [[1024 ** 4, "Ti"], [1024 ** 3, "Gi"], [1024 ** 2, "Mi"], [1024, "Ki"], [1, ""]];
  const DECIMAL = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];
  const SCALED = new Set(["FLOP", "FLOP/s", "B/s", "token/s"]);

  /** What values near `value` are divided by, and the name of the scaled unit. */
  bench.scale = (value, unit) => {
    const size = Math.abs(Number(value.toPrecision(4)));
    if (!Number.isFinite(size) || size === 0) return [1, unit === "1" ? "" : unit];
    const pick = (table) => table.find(([factor]) => size >= factor) || table[table.length - 1];
    if (unit === "s") return pick(TIME);
    if (unit === "B" || SCALED.has(unit)) {
      const [factor, prefix] = pick(unit === "B" ? BINARY : DECIMAL);
      return [factor, prefix + unit];
    }
    return [1, unit === "1" ? "" : unit];
  };

  /** A number with `digits` significant digits, without an exponent where it can be read without. */
  bench.number = (x, digits = 4) => {
    if (x === null || !Number.isFinite(x)) return "unknown";
    if (x === 0) return "0";
    const size = Math.abs(x);
    if (size >= 1e9 || size < 1e-6) return x.toExponential(digits - 1).replace(/\.?0+e/, "e");
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
    const text = x.toFixed(Math.min(decimals, 12));
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  };

  bench.value = (value, unit, digits = 4) => {
    if (value === null || !Number.isFinite(value)) return "unknown";
    const [factor, name] = bench.scale(value, unit);
    return (bench.number(value / factor, digits) + " " + name).trim();
  };

  /** An interval in the unit that `value` is shown in. */
  bench.interval = (value, low, high, unit) => {
    if (low === null || high === null) return "";
    const [factor] = bench.scale(value, unit);
    const size = Math.abs(value / factor) || 1;
    const decimals = Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(size))));
    return "[" + (low / factor).toFixed(decimals) + ", " + (high / factor).toFixed(decimals) + "]";
  };

  bench.percent = (ratio) => {
    if (ratio === null) return "";
    const change = (ratio - 1) * 100;
    if (ratio >= 3) return "× " + bench.number(ratio, 3);
    if (ratio > 0 && ratio <= 1 / 3) return "÷ " + bench.number(1 / ratio, 3);
    return (change > 0 ? "+" : change < 0 ? "−" : "") + bench.number(Math.abs(change), 3) + " %";
  };

  bench.date = (seconds) => (seconds === null ? "no date" : new Date(seconds * 1000).toISOString().slice(0, 10));
  bench.dateTime = (seconds) =>
    seconds === null ? "no date" : new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ") + " UTC";

  bench.shorten = (text, length) => (text.length > length ? text.slice(0, length - 1) + "…" : text);

  /** An element; `children` are elements or text, never markup. */
  bench.element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "class") made.className = value;
      else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };

  /** A file for the reader, made here. */
  bench.save = (name, type, text) => {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = bench.element("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
})();
