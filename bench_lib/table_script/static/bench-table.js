/* Every table of figures: sort, filter, download, state in the address, and a cue where it scrolls sideways.

   Without this script a table is there with its first rows. Nothing from data becomes markup: texts only.
   The address holds the state behind "#", as name=value pairs, so that it works from disk and needs no server. */
"use strict";

const benchState = window.benchState ?? (() => {
  const listeners = [];
  // On a chart's page the address is the chart's: tables there keep their state to themselves.
  const own = document.querySelector("[data-bench-page]") ? new URLSearchParams() : null;
  const read = () => own ?? new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
  const tell = () => listeners.forEach((listener) => listener());
  window.addEventListener("hashchange", tell);
  return {
    get: (name) => read().get(name) ?? "",
    /* Values that are empty leave the address. A step that a reader may want to undo is pushed. */
    set(values, { push = true } = {}) {
      const all = read();
      for (const [name, value] of Object.entries(values)) {
        if (value === "" || value === null) all.delete(name);
        else all.set(name, value);
      }
      const text = all.toString();
      if (own) return;
      if (`#${text}` === location.hash || (!text && !location.hash)) return;
      history[push ? "pushState" : "replaceState"](null, "", text ? `#${text}` : location.href.split("#")[0]);
    },
    listen: (listener) => listeners.push(listener),
  };
})();
window.benchState = benchState;

const benchTable = (() => {
  const CHUNK = 100;
  const MAX_CHOICES = 1000;
  const words = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const FACTORS = {
    s: 1, ms: 1e-3, "µs": 1e-6, us: 1e-6, ns: 1e-9, min: 60, h: 3600,
    B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4,
    k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, "%": 0.01,
  };

  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children);
    return element;
  };

  /* Addresses in data may lead to a page, never run anything. */
  const isSafe = (address) => /^https?:\/\//i.test(address) || !/^[\s\u0000-\u001f]*[a-z][a-z0-9+.-]*:/i.test(address);

  /* "12.3 ms", "1.2 GB/s" and "45 %" in base units; NaN for what is no quantity. */
  const quantity = (text) => {
    const found = /^([+\-−]?[\d,]*\.?\d+(?:e[+-]?\d+)?)\s*(\S*)$/i.exec(text.trim());
    if (!found) return NaN;
    const number = Number(found[1].replaceAll(",", "").replace("−", "-"));
    const unit = found[2].split("/")[0];
    if (unit in FACTORS) return number * FACTORS[unit];
    const prefixed = /^([kMGTP])(?=[A-Za-z])/.exec(unit);
    return prefixed ? number * FACTORS[prefixed[1]] : number;
  };

  /* A text with places where a browser may break a long name. */
  const breakable = (text) => text.split(/(?<=[._/,])/).flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part]));

  const UNKNOWN = new Set(["", "–", "-", "unknown", "missing"]);

  /* One cell: its text, and what it sorts by (number, text, or null for what is unknown). */
  const cellOf = (td) => {
    const mark = td?.hasAttribute("data-key") ? td : td?.querySelector("[data-key]");
    const text = td?.textContent.trim().replace(/\s+/g, " ") ?? "";
    if (!mark) return { text, key: undefined };
    const key = mark.dataset.key;
    return { text, key: key === "" ? null : Number.isNaN(Number(key)) ? key : Number(key) };
  };

  const NUMBERS = (text) => self.benchLib.numbers(text);

  const hashesOf = (text) => {
    const bytes = [...atob(text)].map((one) => one.charCodeAt(0).toString(16).padStart(2, "0"));
    return Array.from({ length: bytes.length / 20 }, (_, i) => bytes.slice(20 * i, 20 * i + 20).join(""));
  };

  /* The cells of a column, as bench_lib.sphinx_ext.table_columns packed them. */
  const cellsOf = ({ cells, of, at, parts, dates, commits, base }) => {
    if (dates) {
      return NUMBERS(dates).map((second) => {
        if (second === null) return "unknown";
        const time = new Date(second * 1000).toISOString();
        return [time.slice(0, 10), `${time.slice(0, 19)}+00:00`, "", `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`];
      });
    }
    if (commits) return hashesOf(commits).map((hash) => [hash.slice(0, 8), null, base && base + hash, hash, "bench-code"]);
    const whole = (cell) => {
      if (!parts || !Array.isArray(cell) || !cell[2]) return cell;
      const href = cell[2].replace(/\{(\d*)\}/g, (_, i) => (i === "" ? cell[0].toLowerCase() : parts[i]));
      return [cell[0], cell[1], href, ...cell.slice(3)];
    };
    const different = (cells ?? of).map(whole);
    return cells ? different : NUMBERS(at).map((i) => different[i]);
  };

  class Table {
    constructor(element, id) {
      this.element = element;
      this.id = id;
      this.body = element.tBodies[0];
      this.heads = [...element.tHead.rows[element.tHead.rows.length - 1].cells];
      this.names = this.heads.map((head, i) => head.dataset.column || this.slug(head.textContent, i));
      this.titles = this.heads.map((head) => head.textContent.trim().replace(/\s+/g, " "));
      this.rows = [...this.body.rows].map((row) => ({ row }));
      // A table whose rows span columns has an order of its own, and that of a chart changes with the chart.
      const isOthers = element.tBodies.length > 1 || element.closest("[data-bench-chart], .bench-list, .bench-plain");
      this.canSort = !isOthers && this.rows.length > 1 && !this.rows.some(({ row }) => row.querySelector("[colspan]"));
      this.shown = this.rows;
      this.filters = [];
      this.sort = "";
    }

    slug(text, i) {
      return text.trim().toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || `column${i + 1}`;
    }

    /* Rows from data, in place of those in the page, which are the first of them. */
    take(columns) {
      const cells = columns.map(cellsOf);
      const count = cells[0]?.length ?? 0;
      this.rows = Array.from({ length: count }, (_, i) => ({ data: cells.map((column) => column[i]) }));
      this.canSort = count > 1;
      this.hasData = true;
      this.shown = this.rows;
    }

    cells(entry) {
      entry.cells ??= entry.data
        ? entry.data.map((cell, i) => {
          const [text, key] = Array.isArray(cell) ? cell : [cell];
          return { text: String(text), key: key ?? (this.numeric(i) ? null : undefined) };
        })
        : [...entry.row.cells].map(cellOf);
      return entry.cells;
    }

    numeric(column) {
      return this.heads[column]?.dataset.kind === "number";
    }

    text(entry) {
      if (entry.text === undefined) {
        const hovers = entry.data
          ? entry.data.filter(Array.isArray).map((cell) => cell[3] ?? "")
          : [...entry.row.querySelectorAll("[title]")].map((mark) => mark.title);
        entry.text = [...this.cells(entry).map((cell) => cell.text), ...hovers].join(" ").toLowerCase();
      }
      return entry.text;
    }

    /* The keys of a column. Where no cell has one, quantities are read from the texts, if all are such. */
    keys(column) {
      const cells = this.rows.map((entry) => this.cells(entry)[column] ?? { text: "", key: null });
      if (cells.some((cell) => cell.key !== undefined)) return cells.map((c) => (c.key === undefined ? c.text || null : c.key));
      const texts = cells.map((cell) => (UNKNOWN.has(cell.text.toLowerCase()) ? null : cell.text));
      const numbers = texts.map((text) => (text === null ? null : quantity(text)));
      const isQuantity = numbers.some((n) => n !== null) && numbers.every((n) => n === null || !Number.isNaN(n));
      return isQuantity ? numbers : texts;
    }

    /* Names of pages of this site become addresses by the pattern that the page brings. */
    address(href) {
      const page = /^page:([a-z0-9._/-]+)(#.*)?$/s.exec(href);
      if (page) return this.element.dataset.page ? this.element.dataset.page.replace("PAGE0", page[1]) + (page[2] ?? "") : "";
      return isSafe(href) ? href : "";
    }

    build(entry, index) {
      if (!entry.row) {
        entry.row = make("tr");
        entry.data.forEach((cell, i) => {
          const [text, key, href, hover, mark] = Array.isArray(cell) ? cell : [cell];
          const holder = make(i === 0 ? "th" : "td", i === 0 ? { scope: "row", class: "stub" } : {});
          if (this.numeric(i)) holder.classList.add("bench-number");
          if (key !== undefined && key !== null) holder.dataset.key = key;
          if (mark) holder.classList.add(mark);
          if (hover) holder.title = hover;
          const address = this.address(href ?? "");
          const isLong = Boolean(this.heads[i].dataset.long);
          const words = isLong ? breakable(String(text)) : [String(text)];
          const shown = address ? [make("a", { href: address, class: "reference" }, ...words)] : words;
          holder.append(...(isLong && text ? [make("div", { class: "bench-wrap" }, ...shown)] : shown));
          entry.row.append(holder);
        });
      }
      if (this.shown.length > CHUNK || this.isPartial) entry.row.setAttribute("aria-rowindex", index + 2);
      return entry.row;
    }

    start() {
      this.box = this.frame();
      new ResizeObserver(() => this.measure()).observe(this.box);
      this.box.addEventListener("scroll", () => this.measure(), { passive: true });
      if (!this.canSort && !this.hasData) return this.measure();
      if (this.canSort) this.heads.forEach((head, column) => this.sortable(head, column));
      const asksFor = this.heads.some((head) => head.dataset.filter) || this.element.classList.contains("bench-filtered");
      if (this.canSort && (this.rows.length > 8 || asksFor)) this.addTools();
      this.more = make("button", { type: "button", class: "bench-more", hidden: true });
      this.more.addEventListener("click", () => this.append(CHUNK));
      this.box.append(this.more);
      new IntersectionObserver((seen) => {
        if (seen.some((one) => one.isIntersecting) && !this.more.hidden) this.append(CHUNK);
      }, { rootMargin: "600px" }).observe(this.more);
      window.addEventListener("beforeprint", () => this.append(Infinity));
      benchState.listen(() => this.restore());
      window.addEventListener("popstate", () => this.restore());
      this.restore();
    }

    frame() {
      let box = this.element.closest(".table-wrapper, .bench-scroll, .pst-scrollable-table-container");
      if (!box) {
        box = make("div", { class: "bench-scroll" });
        this.element.replaceWith(box);
        box.append(this.element);
      }
      box.classList.add("bench-box");
      const frame = make("div", { class: "bench-frame" });
      box.replaceWith(frame);
      this.hint = make("p", { class: "bench-scroll-hint", "aria-hidden": "true", hidden: true }, "Scroll sideways for more columns →");
      frame.append(this.hint, box);
      this.outer = frame;
      return box;
    }

    /* Whether the table fits, and which edges hide columns. */
    measure() {
      const { box, element } = this;
      const isWide = element.offsetWidth > box.clientWidth + 1;
      this.outer.classList.toggle("is-wide", isWide);
      this.outer.classList.toggle("is-cut-right", isWide && box.scrollLeft + box.clientWidth < element.offsetWidth - 2);
      this.outer.classList.toggle("is-cut-left", isWide && box.scrollLeft > 2);
      this.hint.hidden = !isWide;
      if (isWide) {
        box.tabIndex = 0;
        box.setAttribute("role", "region");
        box.setAttribute("aria-label", `${this.name()}, scrolls sideways`);
      } else {
        for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
      }
      const bar = [...document.querySelectorAll(".mobile-header, .bd-header")].find((one) => one.offsetParent || one.offsetHeight);
      const sticks = bar && ["sticky", "fixed"].includes(getComputedStyle(bar).position);
      this.outer.style.setProperty("--bench-top", sticks ? `${bar.offsetHeight}px` : "0px");
    }

    name() {
      return this.element.caption?.textContent.trim() || this.element.dataset.name || this.titles[0] || "table";
    }

    sortable(head, column) {
      // A heading that explains itself keeps its words, and its help on hover.
      const button = make("button", { type: "button", class: "bench-sort", title: head.title || null });
      // One child: a heading of two lines keeps them.
      button.append(make("span", {}, ...head.childNodes));
      head.append(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const next = now === "ascending" ? `-${this.names[column]}` : now === "descending" ? "" : this.names[column];
        benchState.set({ [`${this.id}.sort`]: next });
        this.restore();
      });
    }

    addTools() {
      this.tools = make("div", { class: "bench-tools", role: "group", "aria-label": `Filter: ${this.name()}` });
      this.field = make("input", { type: "search", placeholder: "words or \"a phrase\"", autocomplete: "off", spellcheck: "false" });
      this.tools.append(make("label", { class: "bench-tool" }, make("span", {}, "Filter"), this.field));
      let timer = 0;
      this.field.addEventListener("input", () => {
        this.update();
        // Browsers refuse too many changes of the address in a short time.
        clearTimeout(timer);
        timer = setTimeout(() => benchState.set({ [`${this.id}.q`]: this.field.value.trim() }, { push: false }), 250);
      });
      this.chooser = make("div");
      this.heads.forEach((head, column) => {
        const kind = head.dataset.filter || (head.dataset.column ? "" : this.suggested(column));
        if (kind) this.addFilter(kind, column);
      });
      if (this.filters.length) {
        const wide = matchMedia("(min-width: 46.01em)");
        const holder = make("details", { class: "bench-filters" }, make("summary", {}, "More filters"), this.chooser);
        const active = () => this.filters.some((f) => f.names.some((name) => benchState.get(`${this.id}.${name}`)));
        const fold = () => { holder.open = wide.matches || active(); };
        wide.addEventListener("change", fold);
        fold();
        this.tools.append(holder);
      }
      this.count = make("output", { class: "bench-count", "aria-live": "polite" });
      const reset = make("button", { type: "button", class: "bench-reset" }, "Reset");
      reset.addEventListener("click", () => {
        const names = ["q", "sort", ...this.filters.flatMap((f) => f.names)].map((name) => [`${this.id}.${name}`, ""]);
        benchState.set(Object.fromEntries(names));
        this.restore();
        this.field.focus();
      });
      this.reset = reset;
      const end = make("span", { class: "bench-tools-end" }, this.count, reset);
      if (this.element.dataset.download !== undefined) end.append(...this.downloads());
      this.tools.append(end);
      this.outer.before(this.tools);
    }

    /* In a table that says nothing of filters: columns of few texts that repeat are worth choosing by. */
    suggested(column) {
      const cells = this.rows.map((entry) => this.cells(entry)[column]);
      if (!this.element.classList.contains("bench-filtered") || cells.some((cell) => cell?.key !== undefined)) return "";
      const different = new Set(cells.map((cell) => cell?.text ?? "")).size;
      return different > 1 && different <= 16 && 2 * different <= cells.length ? "values" : "";
    }

    /* Ways to keep rows by one column: its values, a range of dates, or a least size. */
    addFilter(kind, column) {
      const name = this.names[column];
      const label = (title, control) => this.chooser.append(make("label", { class: "bench-tool" }, make("span", {}, title), control));
      const change = (control, key) => control.addEventListener("change", () => {
        benchState.set({ [`${this.id}.${key}`]: control.value });
        this.restore();
      });
      if (kind === "date") {
        const [since, until] = ["since", "until"].map((key) => {
          const control = make("input", { type: "date" });
          change(control, key);
          label(key === "since" ? "Since" : "Until", control);
          return control;
        });
        this.filters.push({
          names: ["since", "until"], controls: [since, until],
          keeps: (entry) => {
            const day = this.cells(entry)[column].text.slice(0, 10);
            return (!since.value || day >= since.value) && (!until.value || day <= until.value);
          },
        });
      } else if (kind === "size") {
        const control = make("input", { type: "number", min: 0, step: "any", inputmode: "decimal", placeholder: "0" });
        change(control, `min-${name}`);
        label(`${this.titles[column]} at least`, control);
        const scale = Number(this.heads[column].dataset.scale || 1);
        this.filters.push({
          names: [`min-${name}`], controls: [control],
          keeps: (entry) => !control.value || Math.abs(this.cells(entry)[column].key) * scale >= Number(control.value),
        });
      } else {
        const counts = new Map();
        for (const entry of this.rows) {
          const text = this.cells(entry)[column]?.text ?? "";
          counts.set(text, (counts.get(text) ?? 0) + 1);
        }
        if (counts.size < 2 || counts.size > MAX_CHOICES) return;
        const control = make("select", {}, make("option", { value: "" }, "all"));
        for (const text of [...counts.keys()].sort(words.compare)) {
          control.append(make("option", { value: text || "(empty)" }, `${text || "(empty)"} (${counts.get(text)})`));
        }
        change(control, name);
        label(this.titles[column], control);
        this.filters.push({
          names: [name], controls: [control],
          keeps: (entry) => !control.value || (this.cells(entry)[column]?.text || "(empty)") === control.value,
        });
      }
    }

    /* Show what the address says. */
    restore() {
      if (!this.element.isConnected) return;
      const get = (name) => benchState.get(`${this.id}.${name}`);
      if (this.field) {
        if (this.field.value.trim() !== get("q")) this.field.value = get("q");
        for (const filter of this.filters) filter.controls.forEach((control, i) => { control.value = get(filter.names[i]); });
      }
      this.sort = get("sort");
      this.update();
    }

    /* Show what the controls say. */
    update() {
      // Words in any order; what is quoted, as it stands.
      const asked = ((this.field?.value ?? "").toLowerCase().match(/"[^"]+"|[^\s"]+/g) ?? []).map((word) => word.replaceAll('"', ""));
      const active = this.filters.filter((f) => f.controls.some((control) => control.value));
      this.shown = this.rows.filter((entry) => active.every((f) => f.keeps(entry)) && asked.every((word) => this.text(entry).includes(word)));
      const column = this.canSort ? this.names.indexOf(this.sort.replace(/^-/, "")) : -1;
      const isDown = this.sort.startsWith("-");
      this.heads.forEach((head, i) => {
        if (i === column) head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      if (column >= 0) this.order(column, isDown);
      if (this.count) {
        const all = this.rows.length;
        this.count.textContent = this.shown.length === all ? `${all} rows` : `${this.shown.length} of ${all} rows`;
        this.reset.hidden = !(column >= 0 || asked.length || active.length);
      }
      this.render();
    }

    order(column, isDown) {
      const keys = this.keys(column);
      const at = new Map(this.rows.map((entry, i) => [entry, keys[i]]));
      this.shown = [...this.shown].sort((one, two) => {
        const [a, b] = [at.get(one), at.get(two)];
        // The unknown comes last in both directions: it is neither small nor large.
        if (a === null || b === null) return (a === null) - (b === null);
        const way = typeof a === "number" && typeof b === "number" ? a - b : words.compare(String(a), String(b));
        return isDown ? -way : way;
      });
    }

    render() {
      this.body.replaceChildren();
      this.isPartial = this.shown.length > CHUNK;
      this.element.toggleAttribute("aria-rowcount", this.isPartial);
      if (this.isPartial) this.element.setAttribute("aria-rowcount", this.shown.length + 1);
      if (!this.shown.length) {
        this.body.append(make("tr", { class: "bench-none" }, make("td", { colspan: this.heads.length }, "No row matches.")));
      }
      this.append(CHUNK);
    }

    append(number) {
      const from = this.shown.length ? this.body.rows.length : 0;
      const part = this.shown.slice(from, from + number);
      this.body.append(...part.map((entry, i) => this.build(entry, from + i)));
      const left = this.shown.length - from - part.length;
      this.more.hidden = left <= 0;
      this.more.textContent = `Show ${Math.min(left, CHUNK)} more of ${this.shown.length} rows`;
      this.measure();
    }

    /* The rows that are shown, as files: numbers in base units and in full. */
    downloads() {
      const records = () => this.shown.map((entry) => this.cells(entry).map((cell, i) => {
        const isNumber = typeof cell.key === "number" && this.heads[i].dataset.kind === "number";
        return isNumber ? cell.key : cell.key === null && this.heads[i].dataset.kind === "number" ? null : cell.text;
      }));
      const quoted = (value) => {
        const text = value === null ? "" : String(value);
        return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      };
      const forms = {
        CSV: () => [this.names, ...records()].map((row) => row.map(quoted).join(",")).join("\n") + "\n",
        JSON: () => JSON.stringify(records().map((row) => Object.fromEntries(row.map((v, i) => [this.names[i], v]))), null, 1) + "\n",
      };
      return Object.entries(forms).map(([form, text]) => {
        const button = make("button", { type: "button", title: `The rows that are shown, as ${form}` }, form);
        button.addEventListener("click", () => {
          const address = URL.createObjectURL(new Blob([text()], { type: form === "CSV" ? "text/csv" : "application/json" }));
          make("a", { href: address, download: `${this.id}.${form.toLowerCase()}` }).click();
          setTimeout(() => URL.revokeObjectURL(address), 10_000);
        });
        return button;
      });
    }
  }

  const tables = new Map();
  const start = (element, columns) => {
    if (!element?.tHead || !element.tBodies.length || tables.has(element)) return;
    const table = new Table(element, element.id || `table${tables.size + 1}`);
    tables.set(element, table);
    if (columns) table.take(columns);
    table.start();
  };
  return { start, make, isSafe, quantity, tables };
})();
window.benchTable = benchTable;

/* Data files loaded before this script leave the rows of long tables. */
for (const table of document.querySelectorAll("article table, main table, table.bench-table")) {
  if (!table.closest(".bench-late, table.highlighttable")) benchTable.start(table, self.benchLibData?.[`table:${table.id}`]);
}
