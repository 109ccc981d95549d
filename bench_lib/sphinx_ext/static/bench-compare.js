/* Devices against a baseline. The rules, and the texts, are those of bench_lib.results.compare: a test holds both
   to the same figures. Each device's values lie in a file of their own, loaded when the device is chosen. */
"use strict";

const benchFormat = (() => {
  const TIME = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];
  const BINARY = [[1024 ** 4, "TiB"], [1024 ** 3, "GiB"], [1024 ** 2, "MiB"], [1024, "KiB"], [1, "B"]];
  const DECIMAL = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];
  const UNITS = new Set(["s", "B", "FLOP", "FLOP/s", "B/s", "token/s", "1"]);

  /* Digits and exponent of a number, ties to even, as Python rounds. */
  const rounded = (value, digits) => {
    const [mantissa, exponent] = Math.abs(value).toExponential(digits - 1).split("e");
    const exact = Math.abs(value).toExponential(Math.min(digits + 40, 100)).split("e");
    const tail = exact[0].replace(".", "").slice(digits);
    const kept = exact[0].replace(".", "").slice(0, digits);
    const isTie = /^50*$/.test(tail) && Number(kept.at(-1)) % 2 === 0;
    const text = isTie ? kept : mantissa.replace(".", "");
    return { text, exponent: Number(isTie ? exact[1] : exponent), sign: value < 0 || Object.is(value, -0) ? "-" : "" };
  };

  /* As Python's "%.<digits>g". */
  const general = (value, digits = 4) => {
    if (Number.isNaN(value)) return "nan";
    if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
    if (value === 0) return Object.is(value, -0) ? "-0" : "0";
    const { text, exponent, sign } = rounded(value, digits);
    const trim = (number) => (number.includes(".") ? number.replace(/\.?0*$/, "") : number);
    if (exponent < -4 || exponent >= digits) {
      const power = `${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
      return `${sign}${trim(text.length > 1 ? `${text[0]}.${text.slice(1)}` : text)}e${power}`;
    }
    if (exponent < 0) return `${sign}${trim(`0.${"0".repeat(-exponent - 1)}${text}`)}`;
    return `${sign}${trim(`${text.slice(0, exponent + 1)}.${text.slice(exponent + 1)}`)}`;
  };

  /* As Python's "%.<decimals>f". */
  const fixed = (value, decimals) => {
    const exact = Math.abs(value).toFixed(Math.min(decimals + 40, 100));
    const place = exact.indexOf(".") + 1 + decimals;
    const isTie = /^50*$/.test(exact.slice(place)) && Number(exact.slice(0, place).replace(".", "").at(-1)) % 2 === 0;
    return isTie ? `${value < 0 ? "-" : ""}${exact.slice(0, place)}` : value.toFixed(decimals);
  };

  const scale = (value, unit) => {
    if (unit === "1" || !Number.isFinite(value)) return [1, unit === "1" ? "" : unit];
    const size = Math.abs(Number(general(value)));
    const table = unit === "s" ? TIME : unit === "B" ? BINARY : DECIMAL.map(([f, prefix]) => [f, prefix + unit]);
    if (size === 0) return [1, unit];
    return table.find(([factor]) => size >= factor) ?? table.at(-1);
  };

  const readable = (value, unit) => {
    if (Number.isNaN(value)) return "unknown";
    if (!UNITS.has(unit)) return `${general(value)} ${unit}`.trimEnd();
    const [factor, name] = scale(value, unit);
    let number = general(value / factor);
    if (number.includes("e+") && Math.abs(value / factor) < 1e9) number = Math.round(Number(number)).toLocaleString("en-US");
    return `${number} ${name}`.trimEnd();
  };
  return { general, fixed, readable };
})();
window.benchFormat = benchFormat;

const benchCompare = (() => {
  const number = (value) => (value === null ? NaN : value === "inf" ? Infinity : value === "-inf" ? -Infinity : value);
  const key = (row) => JSON.stringify([row.benchmark, row.parameters]);
  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  /* Rows of a device by benchmark and parameters; of several environments the first, which is the newest. */
  const rowsOf = (data) => {
    const found = new Map();
    const { of, at, numbers } = data;
    const count = at.benchmark.length;
    for (let i = 0; i < count; i += 1) {
      const row = {};
      for (const name of Object.keys(at)) row[name] = of[name][at[name][i]];
      [row.benchmark, row.better, row.page] = row.benchmark;
      for (const name of Object.keys(numbers)) row[name] = number(numbers[name][i]);
      const id = key(row);
      if (!found.has(id)) found.set(id, row);
    }
    return found;
  };

  /* Whether two rows may have a ratio, and what a reader should know of them. */
  const note = (one, two, kinds) => {
    const lacking = [];
    for (const [row, side] of [[one, "baseline"], [two, "candidate"]]) {
      if (!row) lacking.push(`missing in the ${side}`);
      else if (row.status !== "ok") lacking.push(`${row.status.replaceAll("_", " ")} in the ${side}${row.reason ? `: ${row.reason}` : ""}`);
    }
    if (lacking.length) return [false, lacking.join("; ")];
    if (one.unit !== two.unit) return [false, `unlike units: ${one.unit} and ${two.unit}`];
    if (one.version && two.version && one.version !== two.version) return [false, "unlike versions of the benchmark"];
    if (kinds.includes("software") && kinds.includes("gpu")) return [false, "a device emulated on a CPU against a GPU"];
    const marks = [];
    if (one.origin !== two.origin || two.origin !== "measured") marks.push(`${one.origin} against ${two.origin}`);
    if (one.environment !== two.environment) marks.push(`environments ${one.environment} and ${two.environment}`);
    return [true, marks.join("; ")];
  };

  const verdict = (ratio, { isRelevant, isKnown, isSignificant, better }) => {
    if (Number.isNaN(ratio)) return "not compared";
    if (!isRelevant) return "same";
    if (!isKnown) return "unknown";
    if (!isSignificant) return "undecided";
    if (better === "neither") return "different";
    return (ratio > 1) === (better === "lower") ? "worse" : "better";
  };

  const judge = (one, two, kinds, relevant) => {
    const [may, text] = note(one, two, kinds);
    const [old, now] = [one?.value ?? NaN, two?.value ?? NaN];
    const ratio = may && old > 0 && now > 0 ? now / old : NaN;
    let [low, high] = [NaN, NaN];
    if (!Number.isNaN(ratio)) {
      const floor = (bound) => (bound === -Infinity ? 0 : bound);
      low = Number.isFinite(one.high) ? floor(two.low) / one.high : 0;
      high = floor(one.low) > 0 ? two.high / floor(one.low) : Infinity;
    }
    const isKnown = !Number.isNaN(low) && !Number.isNaN(high);
    const isSignificant = low > 1 || high < 1;
    const isRelevant = Math.max(ratio, 1 / ratio) - 1 >= relevant;
    const facts = { isKnown, isSignificant, isRelevant, better: (two ?? one).better };
    return { ratio, low, high, note: text, verdict: verdict(ratio, facts), ...facts };
  };

  /* Rows that no candidate has a ratio in come last. */
  const isLast = ({ against }) => against.every((one) => !one || Number.isNaN(one.ratio));

  /* Every benchmark of the baseline or a candidate, with what each candidate makes of it. */
  const compare = (baseline, candidates, relevant) => {
    const rows = new Map();
    for (const side of [baseline, ...candidates]) for (const [id, row] of side.rows) if (!rows.has(id)) rows.set(id, row);
    return [...rows.entries()]
      .map(([id, about]) => ({
        about,
        baseline: baseline.rows.get(id),
        against: candidates.map((side) => {
          const two = side.rows.get(id);
          const one = baseline.rows.get(id);
          if (!one && !two) return null;
          return { row: two, ...judge(one, two, [baseline.kind, side.kind], relevant) };
        }),
      }))
      .sort((a, b) => isLast(a) - isLast(b) || order(a.about.benchmark, b.about.benchmark) || order(a.about.parameters, b.about.parameters));
  };

  const means = (rows, candidates) => {
    const groups = new Map();
    for (const { about, against } of rows) {
      against.forEach((one, i) => {
        if (!one) return;
        const id = JSON.stringify([about.benchmark.split(".")[0], about.metric, candidates[i].name]);
        if (!groups.has(id)) groups.set(id, { logs: [], left: 0 });
        if (Number.isNaN(one.ratio)) groups.get(id).left += 1;
        else groups.get(id).logs.push(Math.log(one.ratio));
      });
    }
    return [...groups.entries()].map(([id, { logs, left }]) => {
      const [family, metric, candidate] = JSON.parse(id);
      const mean = logs.length ? Math.exp(logs.reduce((a, b) => a + b, 0) / logs.length) : NaN;
      return { family, metric, candidate, mean, count: logs.length, left };
    }).sort((a, b) => order(a.family, b.family) || order(a.metric, b.metric) || order(a.candidate, b.candidate));
  };
  return { rowsOf, compare, means };
})();
window.benchCompare = benchCompare;

/* The page: choose, load, show. */
(() => {
  const root = document.getElementById("bench-compare");
  const { make } = window.benchTable;
  const { fixed, readable } = benchFormat;
  if (!root) return;
  const about = JSON.parse(document.getElementById("bench-compare-devices").textContent);
  const devices = new Map(about.devices.map(([id, name, kind, file]) => [id, { id, name, kind, file }]));
  const folder = root.dataset.folder;
  const loads = new Map();

  const load = (device) => {
    if (!loads.has(device.id)) {
      loads.set(device.id, new Promise((done, fail) => {
        const script = make("script", { src: folder.replace("FILE0", device.file) });
        script.onload = () => {
          device.rows = benchCompare.rowsOf(self.benchLibData[`compare:${device.id}`]);
          done(device);
        };
        script.onerror = () => { loads.delete(device.id); fail(new Error(`The values of ${device.name} could not be loaded.`)); };
        document.head.append(script);
      }));
    }
    return loads.get(device.id);
  };

  /* Of a small ratio three decimals would leave nothing. */
  const plainRatio = (ratio) => (ratio !== 0 && Math.abs(ratio) < 0.01 ? general(ratio) : fixed(ratio, 3));
  const ratioText = (one) => (Number.isNaN(one.ratio) ? "" : plainRatio(one.ratio));
  const intervalText = (one) => {
    if (!one.isKnown) return Number.isNaN(one.ratio) ? "" : "unknown";
    return Number.isFinite(one.high) ? `${plainRatio(one.low)} to ${plainRatio(one.high)}` : "too few samples";
  };
  const valueCell = (row) => {
    if (!row) return ["missing", null, "", "", "bench-quiet"];
    if (row.status !== "ok") return [row.status.replaceAll("_", " "), null, "", row.reason, "bench-bad"];
    return [readable(row.value, row.unit), row.value, "", `${row.environment}, commit ${row.commit}`, ""];
  };
  const MARKS = { better: "bench-better", worse: "bench-worse", "not compared": "bench-quiet" };

  const table = (id, caption, columns, cells, filters) => {
    const heads = columns.map(([name, title, kind]) => make("th", {
      scope: "col", class: kind === "number" ? "head bench-number" : "head", "data-column": name,
      "data-kind": kind ?? "text", "data-long": ["benchmark", "parameters", "note"].includes(name) ? "yes" : null, "data-filter": filters?.includes(name) ? "values" : null,
    }, title));
    const element = make("table", { id, class: "bench-table bench-site-table", "data-download": true },
      make("caption", {}, caption), make("thead", {}, make("tr", {}, ...heads)), make("tbody"));
    const holder = make("div", {}, make("div", { class: "bench-scroll" }, element));
    return { element, holder, columns: columns.map((_, i) => ({ cells: cells.map((row) => row[i]) })) };
  };

  const show = (baseline, candidates, relevant) => {
    const rows = benchCompare.compare(baseline, candidates, relevant);
    const isSingle = candidates.length === 1;
    const columns = [["benchmark", "Benchmark"], ["parameters", "Parameters"], ["family", "Family"], ["metric", "Metric"],
      ["baseline", baseline.name, "number"]];
    candidates.forEach((side, i) => {
      const end = isSingle ? "" : `-${i + 1}`;
      columns.push([`value${end}`, side.name, "number"], [`ratio${end}`, "Ratio", "number"], [`interval${end}`, "99 % interval"],
        [`verdict${end}`, "Verdict"]);
      if (isSingle) columns.push(["significant", "Significant"], ["relevant", "Relevant"]);
    });
    columns.push(["note", "Note"]);
    const words = (known, is) => (known ? (is ? "yes" : "no") : "unknown");
    const cells = rows.map(({ about: row, baseline: one, against }) => [
      [row.benchmark, null, row.page ? `page:${row.page}` : ""], row.parameters, row.benchmark.split(".")[0], row.metric, valueCell(one),
      ...against.flatMap((other) => {
        if (!other) return [["", null], ["", null], "", ""];
        const made = [valueCell(other.row), [ratioText(other), Number.isNaN(other.ratio) ? null : other.ratio], intervalText(other),
          [other.verdict, null, "", other.note, MARKS[other.verdict] ?? ""]];
        const has = !Number.isNaN(other.ratio);
        if (isSingle) made.push(has ? words(other.isKnown, other.isSignificant) : "", has ? words(true, other.isRelevant) : "");
        return made;
      }),
      [...new Set(against.filter((other) => other?.note).map((other) => other.note))].join("; "),
    ]);
    const filters = ["family", "metric", ...columns.map(([name]) => name).filter((name) => name.startsWith("verdict"))];
    const main = table("compare", `Against ${baseline.name}`, columns, cells, filters);
    const averages = table("means", "Geometric means of the ratios, by family",
      [["family", "Family"], ["metric", "Metric"], ["against", "Against"], ["mean", "Geometric mean", "number"], ["rows", "Rows", "number"], ["left_out", "Left out", "number"]],
      benchCompare.means(rows, candidates).map((m) => [m.family, m.metric, m.candidate,
        [Number.isNaN(m.mean) ? "none" : plainRatio(m.mean), Number.isNaN(m.mean) ? null : m.mean], [String(m.count), m.count], [String(m.left), m.left]]));
    root.querySelector(".bench-compare-tables").replaceChildren(averages.holder, main.holder);
    for (const one of [averages, main]) {
      one.element.dataset.page = root.dataset.page;
      window.benchTable.start(one.element, one.columns);
    }
    const counts = new Map();
    for (const { against } of rows) for (const other of against) if (other) counts.set(other.verdict, (counts.get(other.verdict) ?? 0) + 1);
    const said = ["better", "worse", "different", "same", "undecided", "unknown", "not compared"].filter((word) => counts.has(word));
    status.textContent = `${rows.length} rows: ${said.map((word) => `${counts.get(word)} ${word}`).join(", ")}.`;
  };

  const base = make("select");
  const add = make("select");
  const limit = make("input", { type: "number", min: 0, step: "any", value: "5", inputmode: "decimal" });
  const chips = make("ul", { class: "bench-picks", "aria-label": "Compared with the baseline" });
  const status = make("p", { class: "bench-compare-status", role: "status" });
  for (const device of devices.values()) base.append(make("option", { value: device.id }, device.name));
  const label = (text, control) => make("label", { class: "bench-tool" }, make("span", {}, text), control);
  root.querySelector(".bench-compare-tools").replaceChildren(label("Baseline", base), label("Against", add), chips, label("Relevant from %", limit));

  const ids = (text) => [...new Set(text.split(",").filter((id) => devices.has(id)))];
  const chosen = () => {
    const one = ids(benchState.get("base"))[0] ?? about.base;
    const others = ids(benchState.get("with")).filter((id) => id !== one);
    const first = about.with.filter((id) => id !== one);
    const rest = [...devices.keys()].filter((id) => id !== one).slice(0, 1);
    return [one, others.length ? others : first.length ? first : rest];
  };

  const DEFAULT_RELEVANT = 5;
  /* The share in percent that a text asks for; that of the command where it asks for none. */
  const relevantOf = (text) => {
    const share = text.trim() === "" ? NaN : Number(text);
    return Number.isFinite(share) && share >= 0 ? share : DEFAULT_RELEVANT;
  };

  let asked = "";
  const update = async () => {
    const [one, others] = chosen();
    const relevant = relevantOf(benchState.get("relevant"));
    const now = JSON.stringify([one, others, relevant]);
    if (now === asked) return;
    asked = now;
    base.value = one;
    limit.value = String(relevant);
    const put = (list) => { benchState.set({ with: list.join(",") }); update(); };
    add.replaceChildren(make("option", { value: "" }, "add a device …"), ...[...devices.values()]
      .filter(({ id }) => id !== one && !others.includes(id)).map(({ id, name }) => make("option", { value: id }, name)));
    add.disabled = add.options.length < 2;
    add.onchange = () => { if (add.value) put([...others, add.value]); };
    chips.replaceChildren(...others.map((id) => {
      const { name } = devices.get(id);
      const button = make("button", { type: "button", "aria-label": `Leave out ${name}` }, name, make("span", { "aria-hidden": "true" }, " ×"));
      button.disabled = others.length < 2;
      button.onclick = () => { put(others.filter((other) => other !== id)); add.focus(); };
      return make("li", {}, button);
    }));
    status.textContent = "Loading …";
    try {
      const loaded = await Promise.all([one, ...others].map((id) => load(devices.get(id))));
      if (asked === now) show(loaded[0], loaded.slice(1), relevant / 100);
    } catch (error) {
      asked = "";
      status.textContent = error.message;
    }
  };
  root.querySelector(".bench-compare-tables").before(status);
  base.addEventListener("change", () => { benchState.set({ base: base.value }); update(); });
  limit.addEventListener("change", () => {
    const relevant = relevantOf(limit.value);
    limit.value = String(relevant);
    benchState.set({ relevant: relevant === DEFAULT_RELEVANT ? "" : limit.value });
    update();
  });
  benchState.listen(update);
  window.addEventListener("popstate", update);
  update();
})();
