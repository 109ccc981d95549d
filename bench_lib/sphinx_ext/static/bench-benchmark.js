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
      /** Values of the parameter on the axis, by number, that are left out. */
      this.without = new Set();
      this.parameter = null;
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
      /** Parameters that can be the horizontal axis, by what the address calls them. */
      this.axes = new Map((page.over || []).map((i) => [facets[2 + i].key, facets[2 + i]]));
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

    /** Series as they are chosen; of a facet `but`, all. */
    chosen(but = null) {
      if (!this.choice) return this.page.first;
      const sets = this.facets.map((f) => f !== but && this.choice[f.key] && new Set(this.choice[f.key]));
      const found = [];
      for (let n = 0; n < this.count; n++) {
        if (this.facets.every((f, i) => !sets[i] || sets[i].has(this.fact(n, f.at)))) found.push(n);
      }
      return found;
    }

    /** What a series has in common with those that are one line with it over the parameter `facet`. */
    group(number, facet) {
      return this.facets.filter((f) => f !== facet).map((f) => this.fact(number, f.at)).join();
    }

    /** Numbers of the series of each line over the parameter `facet`: all its values, with the rest as it is chosen. */
    groups(facet) {
      const found = new Map(this.chosen(facet).map((n) => [this.group(n, facet), []]));
      for (let n = 0; n < this.count; n++) {
        const which = this.fact(n, facet.at);
        const numbers = which >= 0 && !this.without.has(which) && found.get(this.group(n, facet));
        if (numbers) numbers.push(n);
      }
      return [...found.values()].filter((numbers) => numbers.length);
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
        name: page.name,
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
            return element("label", { title: text.length > 20 && text }, input, element("span", {}, text));
          }),
        );
      const check = (name, text) => {
        const input = element("input", { type: "checkbox", onchange: () => this.setOption(name, input.checked) });
        this.inputs[name] = [[input, true]];
        return element("label", { class: "bench-check" }, input, text);
      };
      this.inputs = {};
      this.zoomed = element("button", { type: "button", hidden: true, onclick: () => this.chart.reset() });
      this.tools.append(
        segmented("axis", "Horizontal axis", [["commits", "Commits"], ["date", "Dates"], ...[...this.axes].map(([key, facet]) => [key, facet.title])]),
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
      this.back = element("button", { type: "button", hidden: true, onclick: () => (this.without.clear(), this.choose(null)) }, "Back to the first selection");
      this.picker.append(element("h2", {}, "Series"), element("p", { class: "bench-note" }, this.count + " series. ", this.back), element("div", { class: "bench-facets" }, ...sets));
    }

    setOption(name, value) {
      this.options[name] = value;
      if (name === "axis") this.without.clear();
      this.refresh();
      this.writeAddress();
    }

    startChoice() {
      if (this.choice) return;
      this.choice = {};
      for (const f of this.facets) this.choice[f.key] = [...new Set(this.page.first.map((n) => this.fact(n, f.at)))];
    }

    pick(facet) {
      const { boxes } = this.boxes.find((b) => b.facet === facet);
      if (this.axes.get(this.options.axis) === facet) {
        this.without = new Set(boxes.filter((b) => !b.input.checked).map((b) => b.which));
        return this.choose(this.choice);
      }
      this.startChoice();
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
      const facet = this.axes.get(this.options.axis);
      const all = facet ? this.groups(facet) : this.chosen();
      const numbers = all.slice(0, MAX_LINES).flat();
      // What was chosen while values were loading counts.
      const wanted = (this.wanted = {});
      this.load(numbers, () => this.wanted === wanted && this.show(numbers, all.length, facet));
    }

    /** Draws the series `numbers`, as lines over the parameter `along` if it is one. */
    show(numbers, total, along) {
      const series = numbers.map((n) => this.unpack(n)).filter(Boolean);
      const over = along && bench.linesOver(along, series.map((s) => ({ which: this.fact(s.number, along.at), group: this.group(s.number, along), unpacked: s })));
      const shown = over ? over.lines : series;
      const labels = bench.labels(shown);
      this.parameter = over ? over.axis : null;
      this.shown = shown;
      this.labels = labels;
      for (const [name, inputs] of Object.entries(this.inputs)) {
        if (name !== "log") for (const [input, value] of inputs) input.checked = this.options[name] === value;
      }
      for (const { facet, boxes } of this.boxes) {
        const on = new Set(this.choice ? this.choice[facet.key] || facet.values.map((_, i) => i) : this.page.first.map((n) => this.fact(n, facet.at)));
        for (const b of boxes) b.input.checked = facet === along ? !this.without.has(b.which) : on.has(b.which);
      }
      if (this.back) this.back.hidden = !this.choice && !this.without.size;
      const notes = [...this.lost];
      if (total > MAX_LINES) notes.push("Showing the first " + MAX_LINES + " of " + total + (over ? " lines" : " series") + ": choose fewer below.");
      if (!shown.length) notes.push("No series has all that was chosen: choose more below.");
      else if (over) notes.push(...bench.linesNote(shown, labels, over.axis, this.commits));
      this.note.textContent = notes.join(" ");
      this.zoomed.textContent = over ? "Show all values" : "Show all commits";
      this.chart.set({ shown, labels, hidden: this.hidden, axis: this.options.axis, parameter: this.parameter, log: this.options.log, zero: this.options.zero, intervals: this.options.intervals });
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

    /** The name of line `i`, to show it or not, and marks of what it is. */
    nameOf(i) {
      const s = this.shown[i];
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
      const origins = s.x.map((_, k) => s.origin(k)).slice(this.parameter ? 0 : -1);
      const marks = [...(s.kind === "software" ? ["software device"] : []), ...new Set(origins.filter((o) => o !== "measured"))];
      for (const mark of marks) name.append(" ", element("span", { class: "bench-origin" }, mark));
      return name;
    }

    fillTable() {
      const { unit, url } = this.page;
      if (this.parameter) {
        this.table.replaceChildren(bench.linesTable(this.shown, { unit, url, commits: this.commits, name: (i) => this.nameOf(i) }));
        return;
      }
      const head = ["Series", "Newest value", "99 % interval", "Commit", "Newest change"];
      const rows = this.shown.map((s, i) => {
        const k = s.x.length - 1;
        const gap = s.gaps.length && (k < 0 || s.gaps[s.gaps.length - 1].x > s.x[k]) ? s.gaps[s.gaps.length - 1] : null;
        const place = gap ? gap.x : s.x[k];
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
          element("th", { scope: "row" }, this.nameOf(i)),
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

    /** A row a commit, the newest first, and more of them when asked for; or a row a value of the parameter. */
    fillValues() {
      if (!this.values.open) return;
      const summary = this.values.firstChild;
      if (this.parameter) {
        const table = bench.linesValues(this.shown, this.labels, this.parameter, { unit: this.page.unit, commits: this.commits });
        this.values.replaceChildren(summary, element("div", { class: "bench-scroll" }, table));
        return;
      }
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
      const row = (s, place, k, gap) => ({
        benchmark: this.page.name,
        machine: s.machine,
        environment: s.environment,
        ...this.parameterCells(s),
        commit: this.commits.hash(place),
        date: this.commits.dates[place] === null ? "" : new Date(this.commits.dates[place] * 1000).toISOString(),
        value: gap ? null : Number(s.value[k].toPrecision(7)),
        low: !gap && s.low && s.low[k] !== null ? Number(s.low[k].toPrecision(7)) : null,
        high: !gap && s.high && s.high[k] !== null ? Number(s.high[k].toPrecision(7)) : null,
        unit: this.page.unit,
        version: gap ? "" : s.version(k),
        status: gap ? gap.status : "ok",
        reason: gap ? gap.reason : "",
        origin: gap ? "" : s.origin(k),
      });
      return this.shown.flatMap((s) =>
        s.members
          ? [...s.members.map(({ series, index }) => row(series, series.x[index], index)), ...s.gaps.map((g) => row(g.series, g.commit, -1, g))]
          : [...s.x.map((x, k) => row(s, x, k)), ...s.gaps.map((g) => row(s, g.x, -1, g))],
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

    /** What the address calls a place on the axis. */
    placeName(place) {
      return this.parameter ? this.parameter.texts[place] : this.commits.address(place);
    }

    findPlace(name) {
      return this.parameter ? this.parameter.find(name) : this.commits.find(name);
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
      const along = this.axes.get(this.options.axis);
      for (const which of along ? this.without : []) state.append("without", along.values[which]);
      for (const label of this.hidden) state.append("hide", label);
      const range = this.chart.range();
      if (range) {
        state.set("from", this.placeName(range[0]));
        state.set("to", this.placeName(range[1]));
      }
      const { point } = this.chart;
      if (point && this.chart.isPinned && point.gap === undefined) {
        state.set("at", this.placeName(this.shown[point.series].x[point.index]));
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
      this.without.clear();
      this.chart.view = this.chart.point = null;
      this.chart.isPinned = false;
      this.written = "";
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
        if (name === "axis") {
          const isKnown = ["commits", "date"].includes(value) || this.axes.has(value);
          this.options.axis = isKnown ? value : "commits";
          if (!isKnown) this.lost.push("The axis " + value.replace(/^p\./, "") + " is not in these results.");
        } else this.options[name] = value === "true";
      }
      for (const label of state.getAll("hide")) this.hidden.add(label);
      const along = this.axes.get(this.options.axis);
      if (along) for (const text of state.getAll("without")) if (along.values.includes(text)) this.without.add(along.values.indexOf(text));
      this.wantedView = state.has("from") ? [state.get("from"), state.get("to")] : null;
      this.wantedPoint = state.has("at") ? [state.get("at"), state.get("of")] : null;
    }

    /** Zoom and point of the address, once the series they refer to are there. */
    applyView() {
      if (this.wantedView) {
        const places = this.wantedView.map((name) => this.findPlace(name));
        this.wantedView = null;
        if (places.every((p) => p >= 0) && places[0] <= places[1]) this.chart.zoom(places);
        else this.note.append(" The range of " + (this.parameter ? "values" : "commits") + " in the address is not in these results.");
      }
      if (this.wantedPoint) {
        const [name, label] = this.wantedPoint;
        const place = this.findPlace(name);
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
