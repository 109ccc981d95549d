/* The page of a benchmark: which series are shown and how, kept in the address so that it can be shared. */
(function () {
  "use strict";
  const bench = (self.benchLib = self.benchLib || {});
  const { element } = bench;
  /** Lines that one chart draws; more of them cannot be told apart. */
  const MAX_LINES = 48;
  const ROWS_AT_ONCE = 100;
  /** Columns of the files beside those of parameters. */
  const COLUMNS = new Set("benchmark machine environment commit date value low high unit version status reason origin".split(" "));

  /** Whether an address leads to a part of the page; "%" alone is a fragment, and no encoded text. */
  const isPart = (fragment) => {
    try {
      return Boolean(document.getElementById(decodeURIComponent(fragment)));
    } catch {
      return false;
    }
  };

  /** What a chart block shows. `root` holds the block's data, and takes its state from the address if it `isPage`. */
  class Block {
    constructor(root, page, isPage) {
      this.root = root;
      this.page = page;
      this.isPage = isPage;
      this.commits = bench.commits();
      this.unpacked = new Map();
      this.facets = this.readFacets();
      this.choice = null;
      this.hidden = new Set();
      this.options = { axis: "commits", log: false, zero: false, intervals: true, samples: false };
      this.options.log = this.isSpread();
      Object.assign(this.options, this.page.view);
      this.defaults = { ...this.options };
      this.lost = [];
      this.build();
      this.readAddress();
      this.refresh();
      if (isPage) addEventListener("hashchange", () => this.followAddress());
    }

    readFacets() {
      const { page } = this;
      const facets = [
        { key: "machine", title: "Machine", values: page.machines, at: 0 },
        { key: "environment", title: "Environment", values: page.environments, at: 1 },
        ...page.axes.map((axis, i) => ({ key: "p." + axis.name, title: axis.name, values: axis.values, at: 3 + i })),
      ];
      this.stride = 3 + page.axes.length;
      this.count = page.series.length / this.stride;
      return facets;
    }

    /** Whether lines shown first lie so far apart that a linear axis would flatten most of them. */
    isSpread() {
      const shown = this.page.first.map((n) => this.unpack(n)).filter((s) => s && s.value.length);
      const levels = shown.map((s) => s.value.slice().sort((a, b) => a - b)[s.value.length >> 1]);
      return shown.length > 1 && shown.every((s) => s.value.every((v) => v > 0)) && Math.max(...levels) > 20 * Math.min(...levels);
    }

    fact(number, at) {
      return this.page.series[number * this.stride + at];
    }

    chosen() {
      if (!this.choice) return this.page.first;
      const sets = this.facets.map((f) => this.choice[f.key] && new Set(this.choice[f.key]));
      const found = [];
      for (let n = 0; n < this.count; n++) {
        if (this.facets.every((f, i) => !sets[i] || sets[i].has(this.fact(n, f.at)))) found.push(n);
      }
      return found;
    }

    /** Loads what is not in the page yet, by a script: a page opened from disk may not fetch. */
    load(numbers, then) {
      const wanted = [...new Set(numbers.map((n) => this.fact(n, 2)))].filter((c) => c && !this.chunk(c));
      if (!wanted.length) return then();
      let left = wanted.length;
      const done = () => --left || then();
      for (const c of wanted) {
        const script = element("script", { src: this.page.base.replace("*", c) });
        script.onload = done;
        script.onerror = () => {
          this.note.textContent = "A part of the values could not be loaded: " + script.src;
          done();
        };
        document.head.append(script);
      }
    }

    chunk(c) {
      return c === 0 ? this.page.figures : (self.benchLibData || {})[this.page.file + "-" + c];
    }

    unpack(n) {
      if (!this.unpacked.has(n)) {
        const figures = (this.chunk(this.fact(n, 2)) || {})[n];
        if (!figures) return null;
        const p = this.page.axes.map((_, i) => [i, this.fact(n, 3 + i)]).filter(([, v]) => v >= 0);
        this.unpacked.set(n, bench.unpack(this.page, { ...figures, m: this.fact(n, 0), e: this.fact(n, 1), p }, n));
      }
      return this.unpacked.get(n);
    }

    build() {
      const { page } = this;
      const host = element("div", { class: "bench-chart-host" });
      this.note = element("p", { class: "bench-note", role: "status" });
      this.table = element("div", { class: "bench-scroll" });
      this.values = element("details", { class: "bench-values", ontoggle: () => this.fillValues() }, element("summary", {}, "All values as a table"));
      this.tools = element("div", { class: "bench-chart-tools", role: "toolbar", "aria-label": "Chart" });
      this.picker = element("div", { class: "bench-picker" });
      const inner = [this.tools, host, this.note];
      if (page.help !== false) inner.push(element("p", { class: "bench-hint" }, "Drag to zoom, double-click for all. Keys: arrows move, [ and ] go to changes, + and − zoom, Enter keeps a point."));
      this.root.replaceChildren(...inner, this.table, this.picker, this.values);
      this.chart = new bench.Chart(host, {
        unit: page.unit,
        metric: page.title,
        better: page.better,
        commits: this.commits,
        url: page.url,
        label: "Chart of " + page.name + " over commits. Arrow keys move over its values.",
      });
      this.chart.onView = () => this.writeAddress();
      this.chart.onPin = () => this.writeAddress();
      // What is drawn, not what was asked for: a value of zero or less has no logarithm.
      this.chart.onScale = (canLog, isLog) => {
        for (const [input, value] of this.inputs.log) {
          input.checked = value === isLog;
          input.disabled = value && !canLog;
        }
      };
      this.buildTools();
      this.buildPicker();
    }

    buildTools() {
      const segmented = (name, label, choices) =>
        element(
          "fieldset",
          { class: "bench-segmented" },
          element("legend", { class: "bench-sr" }, label),
          ...choices.map(([value, text]) => {
            const input = element("input", { type: "radio", name: this.page.file + name, value: String(value), onchange: () => this.setOption(name, value) });
            this.inputs[name] = [...(this.inputs[name] || []), [input, value]];
            return element("label", {}, input, element("span", {}, text));
          }),
        );
      const check = (name, text) => {
        const input = element("input", { type: "checkbox", onchange: () => this.setOption(name, input.checked) });
        this.inputs[name] = [[input, true]];
        return element("label", { class: "bench-check" }, input, text);
      };
      this.inputs = {};
      this.zoomed = element("button", { type: "button", hidden: true, onclick: () => this.chart.reset() }, "Show all commits");
      this.tools.append(
        segmented("axis", "Horizontal axis", [["commits", "Commits"], ["date", "Dates"]]),
        segmented("log", "Vertical axis", [[false, "Linear"], [true, "Log"]]),
        check("zero", "From zero"),
        check("intervals", "99 % intervals"),
      );
      if (this.page.samples) this.tools.append(check("samples", "Samples"));
      this.tools.append(
        this.zoomed,
        element("span", { class: "bench-space" }),
        element("button", { type: "button", onclick: () => this.download("csv") }, "CSV"),
        element("button", { type: "button", onclick: () => this.download("json") }, "JSON"),
      );
      if (this.isPage) {
        const copy = element("button", { type: "button", onclick: () => this.copyLink(copy) }, "Copy link");
        this.tools.append(copy);
      }
    }

    buildPicker() {
      this.boxes = [];
      const shown = this.facets.filter((f) => f.values.length > 1);
      if (!shown.length) return;
      const sets = shown.map((facet) => {
        const boxes = facet.values.map((text, which) => {
          const input = element("input", { type: "checkbox", onchange: () => this.pick(facet) });
          const label = element("label", { class: "bench-check" }, input, element("span", {}, text || "(empty)"));
          const kind = facet.key === "machine" ? this.page.kinds[which] : "";
          if (kind === "software") label.append(" ", element("span", { class: "bench-origin" }, "software device"));
          return { input, which, label, text };
        });
        this.boxes.push({ facet, boxes });
        const all = element("button", { type: "button", onclick: () => this.pickAll(facet, boxes, true) }, "all");
        const none = element("button", { type: "button", onclick: () => this.pickAll(facet, boxes, false) }, "none");
        const list = element("div", { class: "bench-options" }, ...boxes.map((b) => b.label));
        const made = element("fieldset", { class: "bench-facet" }, element("legend", {}, facet.title, " ", all, none));
        if (boxes.length > 12) {
          const filter = element("input", {
            type: "search",
            placeholder: "find among " + boxes.length,
            "aria-label": "Find a value of " + facet.title,
            oninput: () => boxes.forEach((b) => (b.label.hidden = !b.text.toLowerCase().includes(filter.value.toLowerCase()))),
          });
          made.append(filter);
        }
        made.append(list);
        return made;
      });
      this.back = element("button", { type: "button", hidden: true, onclick: () => this.choose(null) }, "Back to the first selection");
      this.picker.append(element("h2", {}, "Series"), element("p", { class: "bench-note" }, this.count + " series. ", this.back), element("div", { class: "bench-facets" }, ...sets));
    }

    setOption(name, value) {
      this.options[name] = value;
      this.refresh();
      this.writeAddress();
    }

    startChoice() {
      if (this.choice) return;
      this.choice = {};
      for (const f of this.facets) this.choice[f.key] = [...new Set(this.page.first.map((n) => this.fact(n, f.at)))];
    }

    pick(facet) {
      this.startChoice();
      const { boxes } = this.boxes.find((b) => b.facet === facet);
      this.choice[facet.key] = boxes.filter((b) => b.input.checked).map((b) => b.which);
      this.choose(this.choice);
    }

    pickAll(facet, boxes, isChecked) {
      for (const b of boxes) if (!b.label.hidden) b.input.checked = isChecked;
      this.pick(facet);
    }

    choose(choice) {
      this.choice = choice;
      this.refresh();
      this.writeAddress();
    }

    refresh() {
      const all = this.chosen();
      const numbers = all.slice(0, MAX_LINES);
      this.load(numbers, () => this.show(numbers, all.length));
    }

    show(numbers, total) {
      const shown = numbers.map((n) => this.unpack(n)).filter(Boolean);
      const labels = bench.labels(shown);
      this.shown = shown;
      this.labels = labels;
      for (const [name, inputs] of Object.entries(this.inputs)) {
        if (name !== "log") for (const [input, value] of inputs) input.checked = this.options[name] === value;
      }
      for (const { facet, boxes } of this.boxes) {
        const on = new Set(this.choice ? this.choice[facet.key] || facet.values.map((_, i) => i) : this.page.first.map((n) => this.fact(n, facet.at)));
        for (const b of boxes) b.input.checked = on.has(b.which);
      }
      if (this.back) this.back.hidden = !this.choice;
      const notes = [...this.lost];
      if (total > numbers.length) notes.push("Showing the first " + numbers.length + " of " + total + " series: choose fewer below.");
      if (!shown.length) notes.push("No series has all that was chosen: choose more below.");
      this.note.textContent = notes.join(" ");
      this.chart.set({ shown, labels, hidden: this.hidden, axis: this.options.axis, log: this.options.log, zero: this.options.zero, intervals: this.options.intervals });
      this.fillTable();
      this.values.open && this.fillValues();
      this.toggleSamples();
      this.applyView();
      this.zoomed.hidden = !this.chart.view;
    }

    toggleSamples() {
      if (!this.options.samples || !this.page.samples) {
        if (this.chart.samples) {
          this.chart.samples = null;
          this.chart.rebuild();
        }
        return;
      }
      const name = this.page.file + "-samples";
      const put = () => {
        this.chart.samples = self.benchLibData[name] || {};
        this.chart.rebuild();
      };
      if ((self.benchLibData || {})[name]) return put();
      const script = element("script", { src: this.page.base.replace("*", "samples") });
      script.onload = put;
      document.head.append(script);
    }

    fillTable() {
      const { unit, url } = this.page;
      const head = ["Series", "Newest value", "99 % interval", "Commit", "Newest change"];
      const rows = this.shown.map((s, i) => {
        const k = s.x.length - 1;
        const gap = s.gaps.length && (k < 0 || s.gaps[s.gaps.length - 1].x > s.x[k]) ? s.gaps[s.gaps.length - 1] : null;
        const place = gap ? gap.x : s.x[k];
        const label = this.labels[i];
        const box = element("input", {
          type: "checkbox",
          checked: !this.hidden.has(label),
          onchange: () => {
            this.hidden[box.checked ? "delete" : "add"](label);
            this.chart.set({ hidden: this.hidden });
            this.writeAddress();
          },
        });
        const style = "background:var(--bench-" + ((i % 8) + 1) + ")";
        const name = element("label", { class: "bench-check" }, box, element("span", { class: "bench-swatch", style }), element("span", {}, label));
        if (s.kind === "software") name.append(" ", element("span", { class: "bench-origin" }, "software device"));
        if (k >= 0 && s.origin(k) !== "measured") name.append(" ", element("span", { class: "bench-origin" }, s.origin(k)));
        const value = gap
          ? element("td", {}, element("strong", {}, gap.status.replace("_", " ")), ": " + gap.reason)
          : element("td", { class: "bench-number" }, k < 0 ? "–" : bench.value(s.value[k], unit, 5));
        const interval = !gap && k >= 0 && s.low ? bench.interval(s.value[k], s.low[k], s.high[k], unit) : "";
        const change = s.changes[s.changes.length - 1];
        const address = place === undefined ? "" : this.commits.url(url, place);
        const commit = place === undefined ? "" : this.commits.short(place);
        return element(
          "tr",
          {},
          element("th", { scope: "row" }, name),
          value,
          element("td", { class: "bench-number" }, interval),
          element("td", {}, address ? element("a", { href: address, rel: "noopener" }, commit) : element("code", {}, commit), " ", place === undefined ? "" : bench.date(this.commits.dates[place])),
          change
            ? element("td", { class: "bench-effect-" + change.effect }, bench.percent(change.ratio) + " " + change.kind + " " + change.effect + ", " + bench.date(this.commits.dates[change.x]))
            : element("td", {}, "none found"),
        );
      });
      this.table.replaceChildren(
        element(
          "table",
          { class: "bench-table bench-series" },
          element("caption", { class: "bench-sr" }, "Series in the chart, with their newest values"),
          element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
          element("tbody", {}, ...rows),
        ),
      );
    }

    /** A row a commit, the newest first; more of them when asked for. */
    fillValues() {
      if (!this.values.open) return;
      const summary = this.values.firstChild;
      const maps = this.shown.map((s) => new Map(s.x.map((x, k) => [x, k])));
      const gaps = this.shown.map((s) => new Map(s.gaps.map((g) => [g.x, g])));
      const places = [...new Set(this.shown.flatMap((s) => [...s.x, ...s.gaps.map((g) => g.x)]))].sort((a, b) => b - a);
      const body = element("tbody", {});
      let next = 0;
      const more = element("button", { type: "button", onclick: () => add() }, "");
      const add = () => {
        for (const place of places.slice(next, next + ROWS_AT_ONCE)) {
          const cells = this.shown.map((s, i) => {
            const k = maps[i].get(place);
            const gap = gaps[i].get(place);
            if (k !== undefined) return element("td", { class: "bench-number", title: s.low ? bench.interval(s.value[k], s.low[k], s.high[k], this.page.unit) : "" }, bench.value(s.value[k], this.page.unit, 5));
            return element("td", {}, gap ? gap.status.replace("_", " ") + ": " + gap.reason : "");
          });
          const address = this.commits.url(this.page.url, place);
          const name = this.commits.short(place);
          body.append(element("tr", {}, element("th", { scope: "row" }, address ? element("a", { href: address, rel: "noopener" }, name) : name), element("td", {}, bench.date(this.commits.dates[place])), ...cells));
        }
        next += ROWS_AT_ONCE;
        more.hidden = next >= places.length;
        more.textContent = "Show more: " + Math.max(places.length - next, 0) + " older commits";
      };
      add();
      const head = ["Commit", "Date", ...this.labels].map((text) => element("th", { scope: "col" }, text));
      const table = element("table", { class: "bench-table" }, element("caption", { class: "bench-sr" }, "Values by commit"), element("thead", {}, element("tr", {}, ...head)), body);
      this.values.replaceChildren(summary, element("div", { class: "bench-scroll" }, table), more);
    }

    rows() {
      return this.shown.flatMap((s) =>
        s.x
          .map((x, k) => ({
            benchmark: this.page.name,
            machine: s.machine,
            environment: s.environment,
            ...this.parameterCells(s),
            commit: this.commits.hash(x),
            date: this.commits.dates[x] === null ? "" : new Date(this.commits.dates[x] * 1000).toISOString(),
            value: Number(s.value[k].toPrecision(7)),
            low: s.low && s.low[k] !== null ? Number(s.low[k].toPrecision(7)) : null,
            high: s.high && s.high[k] !== null ? Number(s.high[k].toPrecision(7)) : null,
            unit: this.page.unit,
            version: s.version(k),
            status: "ok",
            reason: "",
            origin: s.origin(k),
          }))
          .concat(
            s.gaps.map((g) => ({
              benchmark: this.page.name,
              machine: s.machine,
              environment: s.environment,
              ...this.parameterCells(s),
              commit: this.commits.hash(g.x),
              date: this.commits.dates[g.x] === null ? "" : new Date(this.commits.dates[g.x] * 1000).toISOString(),
              value: null,
              low: null,
              high: null,
              unit: this.page.unit,
              version: "",
              status: g.status,
              reason: g.reason,
              origin: "",
            })),
          ),
      );
    }

    download(form) {
      const rows = this.rows();
      if (form === "json") return bench.save(this.page.file + ".json", "application/json", JSON.stringify(rows, null, 1) + "\n");
      const names = Object.keys(rows[0] || { benchmark: "" });
      // Texts as they are, also those that a spreadsheet may take for formulas: "-5" is a value.
      const cell = (v) => {
        const text = v === null ? "" : String(v);
        return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
      };
      const lines = [names, ...rows.map((row) => names.map((n) => row[n]))].map((row) => row.map(cell).join(","));
      bench.save(this.page.file + ".csv", "text/csv", lines.join("\r\n") + "\r\n");
    }

    /** A cell for each parameter, under its name or, where that is another column's, a name of its own. */
    parameterCells(s) {
      const taken = new Set([...COLUMNS, ...this.page.axes.map((axis) => axis.name)]);
      const cells = this.page.axes.map(({ name }) => {
        let column = name;
        while (COLUMNS.has(name) && taken.has(column)) column += " (parameter)";
        taken.add(column);
        return [column, (s.parameters.find(([n]) => n === name) || ["", ""])[1]];
      });
      return Object.fromEntries(cells);
    }

    copyLink(button) {
      const done = (text) => {
        button.textContent = text;
        setTimeout(() => (button.textContent = "Copy link"), 1500);
      };
      // Pages from disk and from plain http may not write to the clipboard: then the address bar has it.
      if (!navigator.clipboard) return done("It is in the address bar");
      navigator.clipboard.writeText(location.href).then(() => done("Copied"), () => done("It is in the address bar"));
    }

    writeAddress() {
      this.zoomed.hidden = !this.chart.view;
      if (!this.isPage) return;
      const state = new URLSearchParams();
      if (this.choice) {
        for (const f of this.facets) {
          if (f.values.length < 2 || !this.choice[f.key]) continue;
          // Where a value is empty, its name and no name would be the same.
          if (!this.choice[f.key].length) state.append(f.values.includes("") ? "none" : f.key, f.values.includes("") ? f.key : "");
          for (const which of this.choice[f.key]) state.append(f.key, f.values[which]);
        }
      }
      for (const [name, value] of Object.entries(this.options)) if (value !== this.defaults[name]) state.set(name, String(value));
      for (const label of this.hidden) state.append("hide", label);
      const range = this.chart.range();
      if (range) {
        state.set("from", this.commits.address(range[0]));
        state.set("to", this.commits.address(range[1]));
      }
      const { point } = this.chart;
      if (point && this.chart.isPinned && point.gap === undefined) {
        state.set("at", this.commits.address(this.shown[point.series].x[point.index]));
        if (this.shown.length > 1) state.set("of", this.labels[point.series]);
      }
      const text = state.toString();
      if (text === this.written) return;
      this.written = text;
      history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
    }

    followAddress() {
      if (location.hash.slice(1) === this.written || isPart(location.hash.slice(1))) return;
      this.choice = null;
      this.hidden.clear();
      this.chart.view = null;
      Object.assign(this.options, this.defaults);
      this.readAddress();
      this.refresh();
    }

    readAddress() {
      this.lost = [];
      if (!this.isPage || !location.hash.includes("=")) return;
      const state = new URLSearchParams(location.hash.slice(1));
      this.written = state.toString();
      const choice = {};
      for (const f of this.facets) {
        if (!state.has(f.key) && !state.getAll("none").includes(f.key)) continue;
        const texts = state.getAll(f.key).filter((t) => t || f.values.includes(""));
        choice[f.key] = texts.map((t) => f.values.indexOf(t)).filter((i) => i >= 0);
        for (const t of texts) if (!f.values.includes(t)) this.lost.push(f.title + " " + t + " is not in these results.");
      }
      if (Object.keys(choice).length) this.choice = choice;
      for (const name of Object.keys(this.options)) {
        const value = state.get(name);
        if (value === null) continue;
        if (name === "axis") this.options.axis = value === "date" ? "date" : "commits";
        else this.options[name] = value === "true";
      }
      for (const label of state.getAll("hide")) this.hidden.add(label);
      const places = ["from", "to"].map((key) => this.commits.find(state.get(key)));
      if (state.has("from")) {
        if (places.every((p) => p >= 0) && places[0] <= places[1]) this.wantedView = places;
        else this.lost.push("The range of commits in the address is not in these results.");
      }
      if (state.has("at")) this.wantedPoint = [this.commits.find(state.get("at")), state.get("of")];
    }

    /** Zoom and point of the address, once the series they refer to are there. */
    applyView() {
      if (this.wantedView) {
        this.chart.zoom(this.wantedView);
        this.wantedView = null;
      }
      if (this.wantedPoint) {
        const [place, label] = this.wantedPoint;
        this.wantedPoint = null;
        const series = label ? this.labels.indexOf(label) : 0;
        const index = series < 0 ? -1 : this.shown[series].x.indexOf(place);
        if (index >= 0) this.chart.pin({ series, index });
      }
    }
  }

  const start = () => {
    for (const root of document.querySelectorAll("[data-bench-chart]")) {
      const data = document.getElementById(root.dataset.benchChart);
      if (!data || root.dataset.started) continue;
      root.dataset.started = "true";
      const page = { ...JSON.parse(data.textContent), base: root.dataset.base };
      root.benchBlock = new Block(root, page, "benchPage" in root.dataset);
    }
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
  else start();
})();
