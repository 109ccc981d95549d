/* The series of a page: what bench_lib.sphinx_ext.benchmark_data packed, unpacked. */
(function () {
  "use strict";
  const bench = (self.benchLib = self.benchLib || {});

  /** All commits of the site: hashes and dates (seconds), by number. */
  bench.commits = () => {
    const packed = self.benchLibData.commits;
    const dates = [];
    let at = 0;
    for (const step of bench.numbers(packed.d)) dates.push(step === null ? null : (at += step));
    const hash = (i) => packed.odd[i] || packed.h.slice(i * packed.n, (i + 1) * packed.n);
    const begins = new Map();
    const begin = (i) => hash(i).slice(0, 10);
    // Commits without a date stand where their neighbours do.
    const times = dates.slice();
    for (let i = 1; i < times.length; i++) if (times[i] === null) times[i] = times[i - 1];
    for (let i = times.length - 2; i >= 0; i--) if (times[i] === null) times[i] = times[i + 1];
    const tags = new Map();
    for (const [place, name, isOwn] of packed.t || []) tags.set(place, [...(tags.get(place) || []), isOwn ? name : "after " + name]);
    return {
      tags,
      count: dates.length,
      dates,
      times,
      hash,
      short: (i) => hash(i).slice(0, 10) + (packed.odd[i] && packed.odd[i].length > 10 ? "…" : ""),
      url: (base, i) => (base && !packed.odd[i] ? base + hash(i) : ""),
      /** What an address calls a commit, as commit_list.address_of does: its first signs, or its whole name where others begin so. */
      address: (i) => {
        if (!begins.size) for (let k = 0; k < dates.length; k++) begins.set(begin(k), (begins.get(begin(k)) || 0) + 1);
        return begins.get(begin(i)) > 1 ? hash(i) : begin(i);
      },
      /** The commit that an address means; -1 where there is none, or several begin so. */
      find: (text) => {
        if (!text) return -1;
        // Addresses of old say that a name goes on.
        const start = text.replace(/…$/, "");
        const isHex = /^[0-9a-f]+$/.test(text);
        let [count, found, longest] = [0, -1, -1];
        for (let i = 0; i < dates.length; i++) {
          const own = hash(i);
          if (own === text) return i;
          if (start.length >= 7 && own.startsWith(start)) [count, found] = [count + 1, i];
          // A page has as many digits of a hash as tell it from others: an address may have more.
          if (own.length >= 7 && isHex && text.startsWith(own) && (longest < 0 || own.length > hash(longest).length)) longest = i;
        }
        return longest >= 0 ? longest : count === 1 ? found : -1;
      },
    };
  };

  const unpackRuns = (runs) => {
    const x = [];
    let next = 0;
    for (let i = 0; i < runs.length; i += 2) {
      next += runs[i];
      for (let k = 0; k < runs[i + 1]; k++) x.push(next++);
    }
    return x;
  };

  const at = (changing, i) => {
    let found = 0;
    for (const [from, number] of changing) if (from <= i) found = number;
    return found;
  };

  /** One series: numbers in the benchmark's unit, and its place among machines, environments, parameters. */
  bench.unpack = (page, packed, number) => {
    const x = unpackRuns(bench.numbers(packed.x));
    const whole = bench.numbers(packed.v);
    const counts = bench.numbers(packed.n);
    const scaled = (values, quantum) =>
      values ? values.map((v) => (v === null ? null : quantum === null ? v : v * quantum)) : null;
    const value = scaled(packed.b ? whole.map((v) => v + packed.b) : whole, packed.q);
    const down = scaled(bench.numbers(packed.l), packed.r);
    const up = scaled(bench.numbers(packed.h || packed.l), packed.r);
    const parameters = packed.p.map(([axis, which]) => [page.axes[axis].name, page.axes[axis].values[which]]);
    return {
      number,
      x,
      value,
      low: down && down.map((d, i) => (d === null ? null : value[i] - d)),
      high: up && up.map((d, i) => (d === null ? null : value[i] + d)),
      machine: page.machines[packed.m],
      environment: page.environments[packed.e],
      kind: page.kinds[packed.m],
      parameters,
      samples: (i) => (typeof counts === "number" ? counts : counts ? counts[i] : 0),
      version: (i) => page.versions[at(packed.w, i)],
      versionStarts: packed.w.slice(1).map(([from]) => from),
      origin: (i) => page.origins[at(packed.o, i)],
      gaps: (packed.g || []).map(([place, status, reason]) => ({
        x: place,
        status: page.statuses[status],
        reason: page.reasons[reason],
      })),
      changes: (packed.c || []).map((c) => ({
        before: c[0],
        x: c[1],
        earliest: c[2],
        latest: c[3],
        kind: ["possible", "confirmed"][c[4]],
        effect: ["regression", "improvement", "change"][c[5]],
        from: c[6],
        to: c[7],
        ratio: c[8],
        low: c[9],
        high: c[10],
      })),
    };
  };

  /** Words for a series, with only the facts in which those shown differ. */
  bench.labels = (shown) => {
    const differs = (get) => new Set(shown.map(get)).size > 1;
    const names = new Set(shown.flatMap((s) => s.parameters.map(([name]) => name)));
    const get = (name) => (s) => (s.parameters.find(([n]) => n === name) || ["", "–"])[1];
    const parts = [...names].filter((n) => differs(get(n))).map((n) => (s) => n + "=" + get(n)(s));
    if (differs((s) => s.machine)) parts.push((s) => s.machine);
    if (differs((s) => s.environment)) parts.push((s) => s.environment);
    if (!parts.length) parts.push((s) => s.machine);
    return shown.map((s) => parts.map((part) => part(s)).join(" · "));
  };
})();
