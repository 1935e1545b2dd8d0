"use strict";
// A click on a heading sorts by its column, a second one the other way round; empty cells stay last.
function compare(one, other) {
  if (one === other) return 0;
  if (one === "") return 1;
  if (other === "") return -1;
  const numbers = [Number(one), Number(other)];
  return numbers.some(Number.isNaN) ? one.localeCompare(other) : numbers[0] - numbers[1];
}
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const heading = button.parentElement, body = heading.closest("table").tBodies[0];
    const column = heading.cellIndex;
    const falling = heading.getAttribute("aria-sort") === "ascending";
    for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const value = (row) => row.cells[column].dataset.value;
    const sign = (row, other) => (falling && value(row) !== "" && value(other) !== "" ? -1 : 1);
    const rows = [...body.rows].sort((row, other) => sign(row, other) * compare(value(row), value(other)));
    body.append(...rows);
  });
}
