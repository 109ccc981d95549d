/* A chart of values over commits or a parameter, drawn by uPlot; hover, zoom and keyboard; colours from the style sheet. */
(function () {
  "use strict";
  const bench = (self.benchLib = self.benchLib || {});
  const { element } = bench;
  const NUM_COLOURS = 8;
  const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
  /** A gap of more than this many times the usual distance between values is no line. */
  const FAR = 12;
  const REACH_PX = 48;

  const niceStep = (span, count) => {
    const raw = span / Math.max(count, 1);
    const size = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 2.5, 5, 10].map((f) => f * size).find((step) => step >= raw * 0.999) || raw;
  };

  const linearTicks = (min, max, count) => {
    const step = niceStep(max - min, count);
    const ticks = [];
    for (let i = Math.ceil(min / step - 1e-9); i * step <= max + step * 1e-9; i++) ticks.push(Number((i * step).toPrecision(12)));
    return ticks;
  };

  const logTicks = (min, max, count) => {
    if (max / min < 8) return linearTicks(min, max, count).filter((t) => t > 0);
    const ticks = [];
    const decades = Math.log10(max / min);
    const steps = decades > count ? [1] : decades > 2 ? [1, 3] : [1, 2, 5];
    const every = Math.max(1, Math.ceil(decades / count));
    for (let e = Math.floor(Math.log10(min)); e <= Math.log10(max); e++) {
      if (e % every === 0) for (const s of steps) ticks.push(Number((s * 10 ** e).toPrecision(3)));
    }
    return ticks.filter((t) => t >= min && t <= max);
  };

  bench.ticks = { linear: linearTicks, log: logTicks };

  const median = (numbers) => numbers.slice().sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

  /**
   * A chart in `host`. `about`: unit, name, metric, better, commits, url (what a commit's hash is appended to).
   * `onView(range)` is told of zoom, `onPin(point)` of a point that was chosen; both may be null. `onScale(canLog, isLog)`
   * is told whether the vertical axis can be logarithmic, and is.
   */
  bench.Chart = class {
    constructor(host, about) {
      this.host = host;
      this.about = about;
      this.state = { shown: [], labels: [], hidden: new Set(), axis: "commits", parameter: null, log: false, zero: false, intervals: true };
      this.view = null;
      /** Numbers of the first and last commit that were in view when it was chosen. */
      this.ends = null;
      this.point = null;
      this.isPinned = false;
      this.plot = null;
      this.tip = element("div", { class: "bench-tip", role: "presentation", hidden: true });
      this.live = element("p", { class: "bench-sr", "aria-live": "polite" });
      this.area = element("div", {
        class: "bench-plot",
        tabindex: "0",
        role: "application",
        "aria-roledescription": "chart",
        onkeydown: (event) => this.key(event),
        onblur: () => this.isPinned || this.show(null),
      });
      host.replaceChildren(this.area, this.live);
      new ResizeObserver(() => this.resize()).observe(host);
      const redraw = () => this.rebuild();
      const watch = new MutationObserver(redraw);
      for (const root of [document.body, document.documentElement]) {
        watch.observe(root, { attributes: true, attributeFilter: ["data-theme", "data-mode", "class"] });
      }
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
      addEventListener("beforeprint", () => this.print(true));
      addEventListener("afterprint", () => this.print(false));
    }

    set(changes) {
      const { axis, parameter } = this.state;
      Object.assign(this.state, changes);
      const scale = (p) => (p ? p.scale : "");
      if (scale(parameter) !== scale(this.state.parameter)) {
        this.view = this.ends = this.point = null;
        this.isPinned = false;
      } else if (parameter && this.ends) {
        // A place is the number of a value of the parameter, which is another one among other values.
        const ends = this.ends.map((p) => this.state.parameter.find(parameter.texts[p]));
        this.ends = ends.includes(-1) ? null : ends;
      }
      const over = this.state.parameter ? this.state.parameter.name : "commits";
      this.area.setAttribute("aria-label", "Chart of " + this.about.name + " over " + over + ". Arrow keys move over its values.");
      if (this.state.axis !== axis && this.view) {
        if (this.ends) return this.zoom(this.ends);
        this.view = this.view.map((v) => this.otherAxis(v));
      }
      this.rebuild();
    }

    /** Shows places from number `from` to number `to`; null: all. */
    zoom(range) {
      if (range) {
        const [from, to] = range.map((place) => this.position(place));
        const { parameter } = this.state;
        const pad = parameter ? parameter.pad(from, to) : (to - from) * 0.01 || (this.state.axis === "date" ? 43200 : 0.5);
        this.view = [from - pad, to + pad];
      } else {
        this.view = null;
      }
      this.ends = range;
      this.rebuild();
    }

    /** The numbers of the first and last place in view; null: all. */
    range() {
      if (!this.view) return null;
      // Not what the view holds: its margin may reach over further commits, and an address would widen each time.
      if (this.ends) return this.ends;
      const places = this.places.filter((p) => this.position(p) >= this.view[0] && this.position(p) <= this.view[1]);
      return places.length ? [places[0], places[places.length - 1]] : null;
    }

    /** Where on the axis a place is: a number of a commit, or of a value of the parameter. */
    position(place) {
      if (this.state.parameter) return this.state.parameter.positions[place];
      return this.state.axis === "date" ? this.about.commits.times[place] : place;
    }

    otherAxis(value) {
      const { times } = this.about.commits;
      if (this.state.axis === "date") return times[Math.min(times.length - 1, Math.max(0, Math.round(value)))];
      const after = times.findIndex((t) => t >= value);
      return after < 0 ? times.length - 1 : after;
    }

    visible() {
      return this.state.shown.map((s, i) => i).filter((i) => !this.state.hidden.has(this.state.labels[i]));
    }

    colour(i) {
      return this.palette[i % NUM_COLOURS];
    }

    readStyle() {
      const style = getComputedStyle(this.area);
      const get = (name) => style.getPropertyValue(name).trim();
      this.palette = Array.from({ length: NUM_COLOURS }, (_, i) => get("--bench-" + (i + 1)));
      this.ink = get("--bench-ink");
      this.faint = get("--bench-faint");
      this.grid = get("--bench-grid");
      this.ground = get("--bench-ground");
      this.effects = { regression: get("--bench-worse"), improvement: get("--bench-better"), change: get("--bench-ink") };
      this.font = "12px " + style.fontFamily;
    }

    rebuild() {
      this.readStyle();
      const shown = this.state.shown;
      const visible = this.visible();
      const all = new Set();
      for (const i of visible) {
        for (const x of shown[i].x) all.add(x);
        for (const gap of shown[i].gaps) all.add(gap.x);
      }
      this.places = [...all].sort((a, b) => a - b);
      this.row = new Map(this.places.map((place, i) => [place, i]));
      const sizes = visible.flatMap((i) => shown[i].value).filter((v) => v !== 0 && v !== null).map(Math.abs);
      const [factor, unit] = bench.scale(sizes.length ? median(sizes) : 0, this.about.unit);
      this.factor = factor;
      this.unitName = unit;
      const canLog = visible.every((i) => shown[i].value.every((v) => v > 0));
      const isLog = this.state.log && canLog;
      this.isLog = isLog;
      if (this.onScale) this.onScale(canLog, isLog);
      let count = 0;
      const columns = shown.map((s, i) => {
        const column = new Array(this.places.length).fill(undefined);
        if (!visible.includes(i)) return column;
        for (const gap of s.gaps) column[this.row.get(gap.x)] = null;
        s.x.forEach((x, k) => {
          column[this.row.get(x)] = s.value[k] / factor;
          count++;
        });
        return column;
      });
      this.data = [this.places.map((p) => this.position(p)), ...columns];
      this.host.dataset.points = count;
      this.host.dataset.series = visible.length;
      this.host.dataset.unit = unit;
      this.host.dataset.log = isLog;
      const width = Math.max(this.host.clientWidth, 200);
      const options = this.options(width, isLog);
      if (this.plot) this.plot.destroy();
      this.area.replaceChildren();
      if (!self.uPlot) {
        this.area.append(element("p", { class: "bench-missing" }, "This site was built without the library that draws charts; the tables below have every value."));
        return;
      }
      this.plot = new self.uPlot(options, this.data, this.area);
      this.plot.over.append(this.tip);
      this.host.dataset.drawn = "true";
      this.show(this.point, this.isPinned);
    }

    options(width, isLog) {
      const isDate = this.state.axis === "date";
      const { parameter } = this.state;
      const narrow = width < 520;
      const axis = { stroke: this.faint, grid: { stroke: this.grid, width: 1 }, ticks: { stroke: this.grid, width: 1, size: 4 }, font: this.font, labelFont: this.font };
      const title = this.about.metric + (this.unitName ? " [" + this.unitName + "]" : "") + (isLog ? ", log" : "");
      // Room for the vertical axis and the padding is not known before it is drawn.
      const ticks = parameter && parameter.ticks(this.xRange(), width - (narrow ? 90 : 110), this.font);
      const extra = ticks ? ticks.size - 6 : 0;
      return {
        width,
        height: Math.round(Math.min(440, Math.max(260, width * 0.46))) + extra,
        padding: [12, narrow ? 26 : 34, 0, 0],
        legend: { show: false },
        scales: {
          x: { time: isDate, range: () => this.xRange() },
          y: { distr: isLog ? 3 : 1, range: () => this.yRange() },
        },
        tzDate: (seconds) => self.uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
        axes: [
          {
            ...axis,
            space: narrow ? 80 : 100,
            ...(ticks
              ? {
                  label: bench.shorten(parameter.name, narrow ? 30 : 80) + (parameter.isLog ? ", log" : ""),
                  labelSize: 20,
                  size: ticks.size,
                  rotate: ticks.rotate,
                  splits: () => ticks.at,
                  filter: (u, splits) => splits,
                  values: () => ticks.labels,
                }
              : !isDate && {
                  incrs: [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10000, 20000, 50000, 100000],
                  values: (u, splits) => splits.map((i) => (Number.isInteger(i) && i >= 0 && i < this.about.commits.count ? bench.date(this.about.commits.dates[i]) : "")),
                }),
          },
          {
            ...axis,
            label: title,
            labelSize: 20,
            size: (u, values) => 14 + 7 * Math.max(3, ...(values || []).map((v) => String(v).length)),
            splits: (u, which, min, max) => (isLog ? logTicks : linearTicks)(min, max, Math.max(2, Math.round(u.bbox.height / devicePixelRatio / 55))),
            filter: (u, splits) => splits,
            values: (u, splits) => splits.map((v) => bench.number(v, 5)),
          },
        ],
        series: [
          {},
          ...this.state.shown.map((s, i) => ({
            label: this.state.labels[i],
            show: !this.state.hidden.has(this.state.labels[i]),
            stroke: this.colour(i),
            width: 1.5,
            dash: DASHES[Math.floor(i / NUM_COLOURS) % DASHES.length],
            points: { size: 5, width: 1, fill: this.colour(i), ...(parameter && { show: true }) },
            gaps: (u, si, idx0, idx1, gaps) => this.gaps(u, si, gaps),
          })),
        ],
        cursor: {
          drag: { x: true, y: false, dist: 5 },
          focus: { prox: 24 },
          points: { size: 9, width: 2, stroke: (u, i) => this.colour(i - 1), fill: () => this.ground },
          dataIdx: (u, si, idx) => this.nearestRow(u, si, idx),
        },
        focus: { alpha: this.state.shown.length > 1 ? 0.35 : 1 },
        hooks: {
          drawAxes: [(u) => this.drawTags(u), (u) => this.state.intervals && this.drawIntervals(u), (u) => this.samples && this.drawSamples(u)],
          draw: [(u) => this.drawMarks(u)],
          setCursor: [(u) => this.hover(u)],
          setSelect: [(u) => this.select(u)],
          ready: [(u) => this.listen(u)],
        },
      };
    }

    xRange() {
      if (this.view) return this.view;
      if (!this.places.length) return [0, 1];
      const [min, max] = [this.places[0], this.places[this.places.length - 1]].map((p) => this.position(p));
      const { parameter } = this.state;
      const pad = parameter ? parameter.pad(min, max) : (max - min) * 0.015 || (this.state.axis === "date" ? 86400 : 1);
      return [min - pad, max + pad];
    }

    yRange() {
      const [from, to] = this.xRange();
      const values = [Infinity, -Infinity];
      const bounds = [Infinity, -Infinity];
      const take = (range, v) => {
        if (v === null || !Number.isFinite(v) || (this.isLog && v <= 0)) return;
        range[0] = Math.min(range[0], v / this.factor);
        range[1] = Math.max(range[1], v / this.factor);
      };
      for (const i of this.visible()) {
        const s = this.state.shown[i];
        s.x.forEach((x, k) => {
          const at = this.position(x);
          if (at < from || at > to) return;
          take(values, s.value[k]);
          if (this.state.intervals && s.low) {
            take(bounds, s.low[k]);
            take(bounds, s.high[k]);
          }
        });
      }
      let [low, high] = values;
      if (low > high) return this.isLog ? [1, 10] : [0, 1];
      if (this.isLog) {
        const pad = Math.max((high / low) ** 0.08, 1.02);
        return [Math.max(Math.min(low, bounds[0]), low / pad ** 4) / pad, Math.min(Math.max(high, bounds[1]), high * pad ** 4) * pad];
      }
      // One interval of a noisy run must not flatten all lines: it may leave the picture.
      const reach = (high - low) * 0.4 || Math.abs(high) * 0.1;
      low = Math.max(Math.min(low, bounds[0]), low - reach);
      high = Math.min(Math.max(high, bounds[1]), high + reach);
      if (this.state.zero) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
      const pad = (high - low) * 0.08 || Math.abs(high) * 0.1 || 1;
      return [this.state.zero && low === 0 ? 0 : low - pad, high + pad];
    }

    nearestRow(u, si, idx) {
      const column = u.data[si];
      if (si === 0 || idx === null || (column[idx] !== null && column[idx] !== undefined)) return idx;
      const base = u.valToPos(u.data[0][idx], "x");
      for (let step = 1; step < column.length; step++) {
        const rows = [idx - step, idx + step].filter((r) => r >= 0 && r < column.length && Math.abs(u.valToPos(u.data[0][r], "x") - base) <= REACH_PX);
        if (!rows.length) return null;
        const found = rows.find((r) => column[r] !== null && column[r] !== undefined);
        if (found !== undefined) return found;
      }
      return null;
    }

    /** Where a line must not be drawn: failed and skipped runs, new versions, and long pauses between commits. */
    gaps(u, si, gaps) {
      const s = this.state.shown[si - 1];
      // A plot draws once more after another has taken its place.
      if (!s) return gaps;
      const found = [...gaps];
      const starts = new Set(s.versionStarts);
      const at = s.x.map((x) => this.position(x));
      const steps = at.slice(1).map((v, k) => v - at[k]);
      const far = steps.length > 4 && !this.state.parameter ? FAR * Math.max(median(steps), this.state.axis === "date" ? 86400 * 3 : 1) : Infinity;
      steps.forEach((step, k) => {
        if (step > far || starts.has(k + 1)) {
          found.push([u.valToPos(at[k], "x", true), u.valToPos(at[k + 1], "x", true)]);
        }
      });
      return found.sort((a, b) => a[0] - b[0]);
    }

    inPlot(u, draw) {
      const { ctx, bbox } = u;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      draw(ctx, devicePixelRatio);
      ctx.restore();
    }

    drawIntervals(u) {
      this.inPlot(u, (ctx, ratio) => {
        for (const i of this.visible()) {
          const s = this.state.shown[i];
          if (!s.low) continue;
          const px = s.x.map((x) => u.valToPos(this.position(x), "x", true));
          const inside = px.filter((p) => p >= u.bbox.left && p <= u.bbox.left + u.bbox.width).length;
          const y = (v) => u.valToPos(this.isLog ? Math.max(v / this.factor, 1e-300) : v / this.factor, "y", true);
          ctx.fillStyle = ctx.strokeStyle = this.colour(i);
          if (u.bbox.width / Math.max(inside, 1) > 14 * ratio) {
            ctx.globalAlpha = 0.6;
            ctx.lineWidth = ratio;
            ctx.beginPath();
            s.x.forEach((_, k) => {
              if (s.low[k] === null || s.high[k] === null) return;
              const [a, b, c] = [y(s.low[k]), y(s.high[k]), 3 * ratio];
              ctx.moveTo(px[k], a);
              ctx.lineTo(px[k], b);
              ctx.moveTo(px[k] - c, a);
              ctx.lineTo(px[k] + c, a);
              ctx.moveTo(px[k] - c, b);
              ctx.lineTo(px[k] + c, b);
            });
            ctx.stroke();
          } else {
            ctx.globalAlpha = 0.18;
            let run = [];
            const starts = new Set(s.versionStarts);
            const fill = () => {
              if (run.length > 1) {
                ctx.beginPath();
                run.forEach((k, n) => ctx[n ? "lineTo" : "moveTo"](px[k], y(s.high[k])));
                run.slice().reverse().forEach((k) => ctx.lineTo(px[k], y(s.low[k])));
                ctx.fill();
              }
              run = [];
            };
            s.x.forEach((_, k) => {
              if (starts.has(k)) fill();
              if (s.low[k] === null || s.high[k] === null) fill();
              else run.push(k);
            });
            fill();
          }
        }
      });
    }

    drawSamples(u) {
      this.inPlot(u, (ctx, ratio) => {
        ctx.globalAlpha = 0.5;
        for (const i of this.visible()) {
          const s = this.state.shown[i];
          const found = s.members ? s.members.flatMap((m) => this.samplesOf(m)) : this.samples[s.number];
          if (!found) continue;
          ctx.fillStyle = this.colour(i);
          for (const [place, values] of found) {
            const x = u.valToPos(this.position(place), "x", true);
            for (const v of values) {
              if (this.isLog && v <= 0) continue;
              ctx.fillRect(x - ratio, u.valToPos(v / this.factor, "y", true) - ratio, 2 * ratio, 2 * ratio);
            }
          }
        }
      });
    }

    /** What a line over a parameter shows of one series: its samples at one commit. */
    samplesOf({ place, series, index }) {
      const found = (this.samples[series.number] || []).find(([commit]) => commit === series.x[index]);
      return found ? [[place, found[1]]] : [];
    }

    /** A line where a tag is, and its name where there is room for it. */
    drawTags(u) {
      const { tags } = this.about.commits;
      if (!tags.size || this.state.parameter) return;
      let [drawn, end] = [0, -Infinity];
      this.inPlot(u, (ctx, ratio) => {
        ctx.font = 10 * ratio + "px " + this.font.replace(/^\S+ /, "");
        ctx.textAlign = "left";
        ctx.textBaseline = "alphabetic";
        ctx.fillStyle = this.faint;
        ctx.strokeStyle = this.faint;
        ctx.lineWidth = ratio;
        ctx.setLineDash([ratio, 3 * ratio]);
        for (const [place, names] of [...tags].sort((a, b) => a[0] - b[0])) {
          const x = u.valToPos(this.position(place), "x", true);
          if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
          ctx.beginPath();
          ctx.moveTo(x, u.bbox.top);
          ctx.lineTo(x, u.bbox.top + u.bbox.height);
          ctx.stroke();
          drawn++;
          const name = names[names.length - 1].replace(/^after /, "");
          const text = name.length > 16 ? name.slice(0, 15) + "…" : name;
          if (x <= end) continue;
          ctx.fillText(text, x + 2 * ratio, u.bbox.top + 10 * ratio);
          end = x + ctx.measureText(text).width + 8 * ratio;
        }
      });
      this.host.dataset.tags = drawn;
    }

    drawMarks(u) {
      this.inPlot(u, (ctx, ratio) => {
        const bottom = u.bbox.top + u.bbox.height;
        for (const i of this.visible()) {
          const s = this.state.shown[i];
          for (const gap of s.gaps) {
            const x = u.valToPos(this.position(gap.x), "x", true);
            const r = 3.5 * ratio;
            const y = bottom - 7 * ratio;
            ctx.strokeStyle = gap.status === "skipped" ? this.faint : this.effects.regression;
            ctx.lineWidth = 1.5 * ratio;
            ctx.beginPath();
            if (gap.status === "skipped") {
              ctx.arc(x, y, r * 0.8, 0, 2 * Math.PI);
            } else {
              ctx.moveTo(x - r, y - r);
              ctx.lineTo(x + r, y + r);
              ctx.moveTo(x - r, y + r);
              ctx.lineTo(x + r, y - r);
            }
            ctx.stroke();
          }
          for (const start of s.versionStarts) {
            const x = (u.valToPos(this.position(s.x[start - 1]), "x", true) + u.valToPos(this.position(s.x[start]), "x", true)) / 2;
            ctx.strokeStyle = this.faint;
            ctx.lineWidth = ratio;
            ctx.setLineDash([3 * ratio, 3 * ratio]);
            ctx.beginPath();
            ctx.moveTo(x, u.bbox.top);
            ctx.lineTo(x, bottom);
            ctx.stroke();
            ctx.setLineDash([]);
          }
        }
        for (const i of this.visible()) for (const change of this.state.shown[i].changes) this.drawChange(u, ctx, ratio, i, change);
      });
    }

    drawChange(u, ctx, ratio, i, change) {
      const s = this.state.shown[i];
      const k = s.x.indexOf(change.x);
      if (k < 0) return;
      const x = u.valToPos(this.position(change.x), "x", true);
      const colour = this.effects[change.effect];
      const rises = change.to > change.from;
      const level = u.valToPos(change.to / this.factor, "y", true);
      const before = u.valToPos(change.from / this.factor, "y", true);
      ctx.lineWidth = 1.5 * ratio;
      ctx.strokeStyle = ctx.fillStyle = colour;
      // The step itself, and on it a mark that points the way it went.
      ctx.globalAlpha = change.kind === "confirmed" ? 0.9 : 0.6;
      ctx.beginPath();
      ctx.moveTo(x, before);
      ctx.lineTo(x, level);
      ctx.stroke();
      const size = 6 * ratio;
      const tip = Math.min(Math.max(level, u.bbox.top + 2 * size), u.bbox.top + u.bbox.height - 2 * size) + (rises ? -1 : 1) * 3 * size;
      const foot = tip + (rises ? 1 : -1) * 1.6 * size;
      ctx.globalAlpha = 1;
      ctx.beginPath();
      ctx.moveTo(x, tip);
      ctx.lineTo(x - size, foot);
      ctx.lineTo(x + size, foot);
      ctx.closePath();
      if (change.kind === "confirmed") {
        ctx.fill();
      } else {
        ctx.fillStyle = this.ground;
        ctx.fill();
        ctx.stroke();
      }
    }

    listen(u) {
      let down = null;
      u.over.addEventListener("mousedown", (event) => (down = [event.clientX, event.clientY]));
      u.over.addEventListener("click", (event) => {
        if (this.tip.contains(event.target) || !down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
        if (this.isPinned) this.pin(null);
        else if (this.point) this.pin(this.point);
      });
      u.over.addEventListener("mouseleave", () => this.isPinned || this.show(null));
      u.over.addEventListener("dblclick", () => this.reset());
    }

    select(u) {
      const { left, width } = u.select;
      if (width < 5) return;
      const [from, to] = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
      u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      this.setView([from, to]);
    }

    setView(view) {
      this.view = view;
      this.ends = null;
      this.rebuild();
      this.ends = this.range();
      if (this.onView) this.onView(this.range());
    }

    reset() {
      this.setView(null);
    }

    hover(u) {
      if (this.isPinned || u.cursor.left < 0) return;
      let best = null;
      for (const i of this.visible()) {
        const row = u.cursor.idxs[i + 1];
        const v = row === null || row === undefined ? null : u.data[i + 1][row];
        if (v === null || v === undefined) continue;
        const away = Math.hypot(u.valToPos(u.data[0][row], "x") - u.cursor.left, (u.valToPos(v, "y") - u.cursor.top) * 0.7);
        if (!best || away < best.away) best = { away, series: i, index: this.state.shown[i].x.indexOf(this.places[row]) };
      }
      for (const i of this.visible()) {
        this.state.shown[i].gaps.forEach((gap, g) => {
          const away = Math.hypot(u.valToPos(this.position(gap.x), "x") - u.cursor.left, u.over.clientHeight - 7 - u.cursor.top);
          if (away < 10 && (!best || away < best.away)) best = { away, series: i, gap: g };
        });
      }
      this.show(best && best.away < 160 ? best : null);
    }

    pin(point) {
      this.isPinned = Boolean(point);
      this.show(point, this.isPinned);
      if (this.onPin) this.onPin(point);
    }

    /** Shows what is known of one point; null: nothing. */
    show(point, isPinned = false) {
      this.point = point;
      const u = this.plot;
      const s = point && this.state.shown[point.series];
      if (!u || !s || this.state.hidden.has(this.state.labels[point.series])) {
        this.tip.hidden = true;
        return;
      }
      this.tip.classList.toggle("bench-pinned", isPinned);
      this.tip.replaceChildren(...this.describe(point, isPinned));
      this.tip.hidden = false;
      const place = point.gap === undefined ? s.x[point.index] : s.gaps[point.gap].x;
      const x = u.valToPos(this.position(place), "x");
      const y = point.gap === undefined ? u.valToPos(s.value[point.index] / this.factor, "y") : u.over.clientHeight - 14;
      const [w, h] = [this.tip.offsetWidth, this.tip.offsetHeight];
      const left = x + 14 + w > u.over.clientWidth ? x - 14 - w : x + 14;
      this.tip.style.left = Math.max(Math.min(left, u.over.clientWidth - w), -u.over.offsetLeft) + "px";
      const isBeside = x + 14 + w <= u.over.clientWidth || x - 14 - w >= -u.over.offsetLeft;
      const middle = Math.min(Math.max(y - h / 2, 0), Math.max(u.over.clientHeight - h, 0));
      // On a narrow screen it lies under or over its point, not on it.
      this.tip.style.top = (isBeside ? middle : y < u.over.clientHeight / 2 ? y + 14 : y - 14 - h) + "px";
    }

    describe(point, withLinks) {
      const { commits, url, unit } = this.about;
      const s = this.state.shown[point.series];
      const place = point.gap === undefined ? s.x[point.index] : s.gaps[point.gap].x;
      const { parameter } = this.state;
      const commit = !parameter ? place : point.gap === undefined ? s.commits[point.index] : s.gaps[point.gap].commit;
      const address = withLinks ? commits.url(url, commit) : "";
      const swatch = element("span", { class: "bench-swatch", style: "background:" + this.colour(point.series) });
      const made = [element("p", { class: "bench-tip-head" }, swatch, this.state.labels[point.series])];
      if (parameter) made.push(element("p", {}, parameter.name + " = " + parameter.texts[place]));
      if (point.gap === undefined) {
        const k = point.index;
        const interval = s.low ? bench.interval(s.value[k], s.low[k], s.high[k], unit) : "";
        made.push(element("p", { class: "bench-tip-value" }, bench.value(s.value[k], unit, 5)));
        if (interval) made.push(element("p", {}, "99 % " + interval));
        const facts = [];
        if (s.samples(k)) facts.push(s.samples(k) + (s.samples(k) === 1 ? " sample" : " samples"));
        if (k && !parameter && !s.versionStarts.includes(k) && s.value[k - 1] > 0) facts.push(bench.percent(s.value[k] / s.value[k - 1]) + " to the value before");
        if (facts.length) made.push(element("p", {}, facts.join(" · ")));
        if (s.origin(k) !== "measured") made.push(element("p", {}, element("span", { class: "bench-origin" }, s.origin(k)), " not measured"));
        if (s.versionStarts.includes(k)) made.push(element("p", {}, parameter ? "another version of the benchmark than the value before" : "new version of the benchmark"));
        const change = s.changes.find((c) => c.x === place);
        if (change) made.push(element("p", { class: "bench-effect-" + change.effect }, change.kind + " " + change.effect + " " + bench.percent(change.ratio)));
      } else {
        const gap = s.gaps[point.gap];
        made.push(element("p", { class: "bench-tip-value" }, gap.status.replace("_", " ")), element("p", {}, gap.reason));
      }
      const name = commits.short(commit);
      made.push(
        element("p", {}, address ? element("a", { href: address, rel: "noopener" }, name) : element("code", {}, name), " ", bench.dateTime(commits.dates[commit])),
      );
      if (commits.tags.has(commit)) made.push(element("p", {}, commits.tags.get(commit).join(", ")));
      if (!withLinks) made.push(element("p", { class: "bench-tip-hint" }, "click to keep"));
      return made;
    }

    say(point) {
      const s = this.state.shown[point.series];
      const text = this.describe(point, true).slice(1).map((p) => p.textContent).join(", ");
      this.live.textContent = (this.visible().length > 1 ? this.state.labels[point.series] + ": " : "") + text + ", " + (point.index + 1) + " of " + s.x.length;
    }

    key(event) {
      const visible = this.visible().filter((i) => this.state.shown[i].x.length);
      if (!visible.length || event.ctrlKey || event.metaKey || event.altKey) return;
      const now = this.point && this.point.gap === undefined ? this.point : null;
      const series = now ? now.series : visible[0];
      const { x } = this.state.shown[series];
      const index = now ? now.index : x.length;
      const move = (i, k) => {
        const length = this.state.shown[i].x.length;
        const point = { series: i, index: Math.min(Math.max(k, 0), length - 1) };
        this.show(point, this.isPinned);
        this.say(point);
      };
      const across = (step) => {
        const next = visible[(visible.indexOf(series) + step + visible.length) % visible.length];
        const place = now ? x[now.index] : Infinity;
        const other = this.state.shown[next].x;
        let k = other.findIndex((p) => p >= place);
        if (k < 0) k = other.length - 1;
        move(next, k);
      };
      const nextChange = (step) => {
        const s = this.state.shown[series];
        const places = s.changes.map((c) => c.x).sort((a, b) => a - b);
        const here = now ? x[now.index] : Infinity;
        const found = step > 0 ? places.find((p) => p > here) : places.reverse().find((p) => p < here);
        if (found !== undefined) move(series, s.x.indexOf(found));
      };
      const zoomBy = (factor) => {
        const [min, max] = [this.plot.scales.x.min, this.plot.scales.x.max];
        const center = now ? this.position(x[now.index]) : (min + max) / 2;
        this.setView([center - (center - min) * factor, center + (max - center) * factor]);
      };
      const actions = {
        ArrowLeft: () => move(series, index - 1),
        ArrowRight: () => move(series, now ? index + 1 : 0),
        PageUp: () => move(series, index - 10),
        PageDown: () => move(series, now ? index + 10 : 0),
        Home: () => move(series, 0),
        End: () => move(series, x.length - 1),
        ArrowUp: () => across(-1),
        ArrowDown: () => across(1),
        "[": () => nextChange(-1),
        "]": () => nextChange(1),
        "+": () => zoomBy(0.5),
        "-": () => zoomBy(2),
        0: () => this.reset(),
        Enter: () => now && this.pin(this.isPinned ? null : now),
        Escape: () => (this.pin(null), this.show(null)),
      };
      if (actions[event.key] && this.plot) {
        event.preventDefault();
        actions[event.key]();
      }
    }

    resize() {
      const width = Math.max(this.host.clientWidth, 200);
      if (this.plot && Math.abs(width - this.plot.width) > 1) this.rebuild();
    }

    print(isPrinting) {
      // Paper is white, whatever the screen is.
      this.area.classList.toggle("bench-on-paper", isPrinting);
      this.rebuild();
    }
  };
})();
