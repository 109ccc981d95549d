/* Tables of kernel launches sort and filter. Without this script they are there, in their first order. */
"use strict";

for (const table of document.querySelectorAll("table.bench-launches")) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];

  // What a cell sorts by: a number, a text, or null for what is unknown.
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    const mark = cell.querySelector("[data-key]");
    if (!mark) return cell.textContent.trim().toLowerCase();
    return mark.dataset.key === "" ? null : Number(mark.dataset.key);
  };

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent.trim();
    button.title = "Sort";
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      rows.sort((one, two) => {
        const a = keyOf(one, column);
        const b = keyOf(two, column);
        // The unknown comes last in both directions: it is neither small nor large.
        if (a === null || b === null) return (a === null) - (b === null);
        return (a < b ? -1 : a > b ? 1 : 0) * (up ? 1 : -1);
      });
      body.append(...rows);
    });
  });

  const texts = new Map(rows.map((row) => [row, [
    row.textContent,
    ...[...row.querySelectorAll("[title]")].map((mark) => mark.title),
  ].join(" ").toLowerCase()]));
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "kernel, class, GPU, file";
  const label = document.createElement("label");
  label.append("Filter ", field);
  const count = document.createElement("output");
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !words.every((word) => texts.get(row).includes(word));
      shown += !row.hidden;
    }
    count.textContent = `${shown} of ${rows.length} launches`;
  };
  field.addEventListener("input", show);
  show();
  const tools = document.createElement("div");
  tools.className = "bench-table-tools";
  tools.append(label, count);
  (table.closest(".table-wrapper") ?? table).before(tools);
}
