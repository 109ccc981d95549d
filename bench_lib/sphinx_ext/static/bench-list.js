/* Filters a list of benchmarks as one types; the words are kept in the address. */
(function () {
  "use strict";
  for (const list of document.querySelectorAll(".bench-list")) {
    const input = list.querySelector("input");
    const status = list.querySelector("[role=status]");
    const rows = [...list.querySelectorAll("tr[data-words]")];
    const total = status.textContent;
    const read = () => (location.hash.includes("=") ? new URLSearchParams(location.hash.slice(1)).get("q") || "" : "");
    const filter = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const row of rows) {
        row.hidden = !words.every((word) => row.dataset.words.includes(word));
        if (!row.hidden) count++;
      }
      for (const family of list.querySelectorAll("tbody[data-family]")) family.hidden = !family.querySelector("tr[data-words]:not([hidden])");
      status.textContent = words.length ? count + " of " + total : total;
    };
    input.hidden = false;
    input.value = read();
    input.addEventListener("input", () => {
      filter();
      history.replaceState(null, "", input.value ? "#" + new URLSearchParams({ q: input.value }) : location.pathname + location.search);
    });
    addEventListener("hashchange", () => {
      input.value = read();
      filter();
    });
    filter();
  }
})();
