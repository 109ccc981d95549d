/* A parameter as a chart's horizontal axis: its values in order, a line over them at a newest commit, and both in words. */
(function () {
  "use strict";
  const bench = (self.benchLib = self.benchLib || {});
  const { element } = bench;
  /** Numbers as Python writes them, also those of NumPy. */
  const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
  const NUMPY = /^np\.\w+\((.+)\)$/;
  /** A scale is logarithmic where values span as many times the smallest. */
  const WIDE = 100;
  /** The largest power of ten of a numeric axis: further away, what ticks are computed from would overflow. */
  const FAR = 300;
  /** A view that is narrower beside its numbers has no room for ticks between floats. */
  const NARROW = 1e-9;
  const SLANT = 40;
  const NAMED = 3;

  const toNumber = (text) => {
    const inner = text.replace(NUMPY, "$1");
    return NUMBER.test(inner) ? Number(inner) : NaN;
  };

  const short = bench.shorten;
  const list = (texts) => texts.slice(0, NAMED).map((t) => short(t, 40)).join(", ") + (texts.length > NAMED ? " and " + (texts.length - NAMED) + " more" : "");

  /** The values `which` of a parameter, in the order of the axis; places on it are numbers in that order. */
  class Axis {
    constructor(facet, which) {
      this.key = facet.key;
      this.name = facet.title;
      const text = (w) => facet.values[w];
      const number = new Map(which.map((w) => [w, toNumber(text(w))]));
      this.isNumeric = which.every((w) => Math.abs(number.get(w)) < 10 ** FAR);
      const natural = new Intl.Collator("en", { numeric: true }).compare;
      this.which = which.slice().sort((a, b) => (this.isNumeric ? number.get(a) - number.get(b) : natural(text(a), text(b))) || a - b);
      this.texts = this.which.map(text);
      const numbers = this.which.map((w) => number.get(w));
      this.isLog = this.isNumeric && numbers[0] > 0 && numbers[numbers.length - 1] >= WIDE * numbers[0];
      this.positions = this.isLog ? numbers.map(Math.log10) : this.isNumeric ? numbers : numbers.map((_, i) => i);
      // A range of positions means something else once this differs.
      this.scale = this.key + " " + this.isLog + (this.isNumeric ? "" : this.which.join());
    }

    find(text) {
      return this.texts.indexOf(text);
    }

    /** What lies to both sides of the first and last of `span` positions. */
    pad(from, to) {
      if (!this.isNumeric) return 0.5;
      return (to - from) * 0.03 || (this.isLog ? 0.2 : Math.abs(from) * 0.1 || 1);
    }

    /** Positions of ticks and what they say, for uPlot; labels that do not fit side by side slant. */
    ticks([min, max], width, font) {
      const ink = (this.ink = this.ink || document.createElement("canvas").getContext("2d"));
      ink.font = font;
      const wide = (text) => ink.measureText(text).width;
      const inView = this.positions.map((p, i) => i).filter((i) => this.positions[i] >= min && this.positions[i] <= max);
      const px = width / (max - min || 1);
      if (!this.isNumeric) {
        const every = Math.max(1, Math.ceil(16 / px));
        const shown = inView.filter((i) => i % every === 0);
        const longest = Math.max(0, ...shown.map((i) => wide(short(this.texts[i], 24))));
        if (longest <= px * every - 8) return { at: shown, labels: shown.map((i) => short(this.texts[i], 24)), rotate: 0, size: 26 };
        const angle = (SLANT * Math.PI) / 180;
        // The first label must not leave the picture at its left.
        const room = Math.min(130, (50 + (shown[0] - min) * px) / Math.cos(angle));
        const labels = shown.map((i) => {
          const text = this.texts[i];
          let length = Math.min(text.length, 40);
          while (length > 2 && wide(short(text, length)) > room) length--;
          return short(text, length);
        });
        return { at: shown, labels, rotate: SLANT, size: 22 + Math.ceil(Math.max(0, ...labels.map(wide)) * Math.sin(angle)) };
      }
      const label = (p) => bench.number(this.isLog ? 10 ** p : p, 5);
      const fits = (positions) => positions.every((p, i) => !i || (p - positions[i - 1]) * px >= (wide(label(p)) + wide(label(positions[i - 1]))) / 2 + 8);
      let at = [...new Set(inView.map((i) => this.positions[i]))];
      const [low, high] = this.isLog ? [Math.max(min, -FAR), Math.min(max, FAR)] : [min, max];
      if (!(high - low > NARROW * Math.max(Math.abs(low), Math.abs(high), this.isLog ? 1 : 0))) {
        at = at.slice(0, 1);
      } else if (!at.length || at.length > 16 || !fits(at)) {
        for (let count = Math.max(2, Math.floor(width / 60)); count; count--) {
          at = this.isLog ? bench.ticks.log(10 ** low, 10 ** high, count).map(Math.log10) : bench.ticks.linear(low, high, count);
          if (fits(at)) break;
        }
      }
      return { at, labels: at.map(label), rotate: 0, size: 26 };
    }
  }

  /** The newest commit with a value of each of `series`; -1: there is none. */
  const newestOfAll = (series) => {
    const [first, ...others] = series.map((s) => s.x);
    const sets = others.map((x) => new Set(x));
    for (let i = (first || []).length - 1; i >= 0; i--) if (sets.every((set) => set.has(first[i]))) return first[i];
    return -1;
  };

  /** One line: of each of `members`, [place on the axis, series], the value at one commit, where there is such a commit. */
  const makeLine = (axis, members) => {
    members.sort((a, b) => a[0] - b[0]);
    const measured = members.filter(([, s]) => s.x.length);
    const common = newestOfAll(measured.map(([, s]) => s));
    const taken = measured.map(([place, s]) => ({ place, series: s, index: common < 0 ? s.x.length - 1 : s.x.indexOf(common) }));
    const latest = Math.max(-1, ...measured.map(([, s]) => s.x[s.x.length - 1]));
    const get = (name) => taken.map(({ series, index }) => (series[name] ? series[name][index] : null));
    const version = (k) => taken[k].series.version(taken[k].index);
    const [{ machine, environment, kind, parameters }] = members.map(([, s]) => s);
    const hasInterval = taken.some(({ series }) => series.low);
    return {
      machine,
      environment,
      kind,
      parameters: parameters.filter(([name]) => name !== axis.name),
      x: taken.map((t) => t.place),
      value: get("value"),
      low: hasInterval ? get("low") : null,
      high: hasInterval ? get("high") : null,
      commits: taken.map(({ series, index }) => series.x[index]),
      members: taken,
      samples: (k) => taken[k].series.samples(taken[k].index),
      origin: (k) => taken[k].series.origin(taken[k].index),
      version,
      versionStarts: taken.map((_, k) => k).filter((k) => k && version(k) !== version(k - 1)),
      gaps: members
        .filter(([, s]) => !s.x.length && s.gaps.length)
        .map(([place, s]) => ({ ...s.gaps[s.gaps.length - 1], x: place, commit: s.gaps[s.gaps.length - 1].x, series: s })),
      changes: [],
      // Values that keep the line from a newer commit.
      lacking: common >= 0 && latest > common ? measured.filter(([, s]) => !s.x.includes(latest)).map(([place]) => axis.texts[place]) : [],
      latest,
    };
  };

  /**
   * The axis of the parameter `facet`, and lines over it, from `series` with what `which` value of it each has.
   * Series with the same machine, environment and other parameters, told by `group`, are one line.
   */
  bench.linesOver = (facet, series) => {
    const axis = new Axis(facet, [...new Set(series.map((s) => s.which))]);
    const place = new Map(axis.which.map((w, i) => [w, i]));
    const groups = new Map();
    for (const { which, group, unpacked } of series) {
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push([place.get(which), unpacked]);
    }
    return { axis, lines: [...groups.values()].map((members) => makeLine(axis, members)) };
  };

  const commitText = (commits, place) => commits.short(place) + " of " + bench.date(commits.dates[place]);

  const span = (commits, places) => {
    const each = [...new Set(places)];
    const [from, to] = [Math.min(...each), Math.max(...each)];
    return from === to ? commitText(commits, from) : commitText(commits, from) + " to " + commitText(commits, to);
  };

  /** Which commits the points of `lines` are of. */
  bench.linesNote = (lines, labels, axis, commits) => {
    const drawn = lines.filter((l) => l.x.length);
    if (!drawn.length) return ["No value of " + short(axis.name, 40) + " that is chosen was measured."];
    const mixed = labels.filter((_, i) => new Set(lines[i].commits).size > 1);
    const notes = [];
    const whole = drawn.filter((l) => new Set(l.commits).size === 1);
    if (whole.length) {
      const places = whole.map((l) => l.commits[0]);
      const isOne = new Set(places).size === 1;
      notes.push(isOne ? "Values at commit " + span(commits, places) + "." : "Each line is at the newest commit with all its values: " + span(commits, places) + ".");
      const lacking = [...new Set(whole.flatMap((l) => l.lacking))];
      if (lacking.length) notes.push("There are newer values up to " + commitText(commits, Math.max(...whole.map((l) => l.latest))) + ", but none there of " + short(axis.name, 40) + "=" + list(lacking) + ".");
    }
    if (mixed.length) {
      const places = drawn.filter((l) => !whole.includes(l)).flatMap((l) => l.commits);
      const of = mixed.length === drawn.length ? "Points of one line" : "Points of " + list(mixed);
      notes.push(of + " are of different commits, " + span(commits, places) + ": no commit has all.");
    }
    if (drawn.some((l) => l.versionStarts.length)) notes.push("Lines stop where the version of the benchmark differs.");
    return notes;
  };

  const cell = (text) => element("td", { class: "bench-number" }, text);
  const head = (texts) => element("thead", {}, element("tr", {}, ...texts.map((text) => element("th", { scope: "col" }, text))));

  /** A row a line: how many values, the range they lie in, and their commits. `name(i)` is the cell of its name. */
  bench.linesTable = (lines, { unit, url, commits, name }) => {
    const rows = lines.map((line, i) => {
      const places = [...new Set(line.commits)];
      const address = places.length === 1 ? commits.url(url, places[0]) : "";
      const text = places.length > 1 ? span(commits, places) : places.length ? commits.short(places[0]) : "–";
      const [low, high] = [Math.min(...line.value), Math.max(...line.value)];
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, name(i)),
        cell(line.x.length + (line.gaps.length ? ", " + line.gaps.length + " without a value" : "")),
        cell(line.x.length ? bench.value(low, unit, 5) : "–"),
        cell(line.x.length ? bench.value(high, unit, 5) : "–"),
        element("td", {}, address ? element("a", { href: address, rel: "noopener" }, text) : places.length > 1 ? text : element("code", {}, text), places.length === 1 ? " " + bench.date(commits.dates[places[0]]) : ""),
      );
    });
    return element(
      "table",
      { class: "bench-table bench-series" },
      element("caption", { class: "bench-sr" }, "Lines in the chart"),
      head(["Line", "Values", "Smallest", "Largest", "Commit"]),
      element("tbody", {}, ...rows),
    );
  };

  /** A row a value of the parameter, a column a line. */
  bench.linesValues = (lines, labels, axis, { unit, commits }) => {
    const maps = lines.map((line) => new Map(line.x.map((x, k) => [x, k])));
    const rows = axis.texts.map((text, place) => {
      const cells = lines.map((line, i) => {
        const k = maps[i].get(place);
        if (k === undefined) {
          const gap = line.gaps.find((g) => g.x === place);
          return element("td", {}, gap ? gap.status.replace("_", " ") + ": " + gap.reason : "");
        }
        const interval = line.low ? bench.interval(line.value[k], line.low[k], line.high[k], unit) : "";
        return element("td", { class: "bench-number", title: (interval && interval + ", ") + commitText(commits, line.commits[k]) }, bench.value(line.value[k], unit, 5));
      });
      return element("tr", {}, element("th", { scope: "row" }, text), ...cells);
    });
    return element("table", { class: "bench-table" }, element("caption", { class: "bench-sr" }, "Values by " + axis.name), head([axis.name, ...labels]), element("tbody", {}, ...rows));
  };
})();
