/* Files to take away in CSV and JSON, made here from the columns that bench_lib.sphinx_ext.downloads packed. */
(function () {
  "use strict";
  const TYPES = { csv: "text/csv", json: "application/json" };

  const quoted = (text) => (/[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);

  /* Cells are what the command prints as CSV; JSON has their values. */
  const VALUES = {
    text: (cell) => cell,
    number: (cell) => (cell === "" || /inf|nan/i.test(cell) ? null : Number(cell)),
    boolean: (cell) => (cell === "" ? null : cell === "True"),
    date: (cell) => (cell === "" ? null : cell.replace(" ", "T")),
  };

  const columnsOf = (table) =>
    table.columns.map((column) => (Array.isArray(column) ? column : self.benchLib.numbers(column).map((i) => table.texts[i])));

  const FORMS = {
    csv: (table, columns) => {
      const rows = Array.from({ length: table.count }, (_, i) => columns.map((column) => column[i]));
      return [table.names, ...rows].map((row) => row.map(quoted).join(",") + "\n").join("");
    },
    json: (table, columns) => {
      const rows = Array.from({ length: table.count }, (_, i) =>
        Object.fromEntries(columns.map((column, c) => [table.names[c], VALUES[table.kinds[c]](column[i])])),
      );
      return JSON.stringify(rows, null, 1) + "\n";
    },
  };

  const load = (source, then) => {
    if (self.benchLibData?.downloads) return then();
    const script = document.createElement("script");
    script.src = source;
    script.onload = then;
    document.head.append(script);
  };

  for (const button of document.querySelectorAll("button[data-download-form]")) {
    const { downloadForm: form, downloadTable: name, downloadFrom: source } = button.dataset;
    button.hidden = false;
    button.addEventListener("click", () =>
      load(source, () => {
        const table = self.benchLibData.downloads[name];
        const address = URL.createObjectURL(new Blob([FORMS[form](table, columnsOf(table))], { type: TYPES[form] }));
        const link = document.createElement("a");
        link.href = address;
        link.download = `${name}.${form}`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(address), 10_000);
      }),
    );
  }
})();
