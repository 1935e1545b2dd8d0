// What the tests ask of the page. Each function returns plain values.
const probes = {
  // Elements whose text is wider than they are, and may not be scrolled to.
  cut: () =>
    [...document.querySelectorAll("body *:not(svg *)")]
      .filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1)
      .filter((e) => !e.closest(".scroll"))
      .map((e) => e.outerHTML.slice(0, 99)),

  // Texts of pictures that reach beyond them.
  beyond: () =>
    [...document.querySelectorAll("figure svg")].flatMap((svg) => {
      const frame = svg.getBoundingClientRect();
      const within = (box) =>
        box.left >= frame.left - 1 && box.right <= frame.right + 1 &&
        box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
      const texts = [...svg.querySelectorAll("text")];
      return texts.filter((text) => !within(text.getBoundingClientRect())).map((text) => text.textContent);
    }),

  // Of each picture, the share of its area that its marks span.
  spanned: () =>
    [...document.querySelectorAll("figure svg")].map((svg) => {
      const frame = svg.getBoundingClientRect();
      const painted = (e) => ["fill", "stroke"].some((part) => getComputedStyle(e)[part] !== "none");
      const marks = [...svg.querySelectorAll("path, use, text")].filter(painted);
      const boxes = marks.map((e) => e.getBoundingClientRect()).filter((box) => box.width + box.height > 0);
      const width = Math.max(...boxes.map((b) => b.right)) - Math.min(...boxes.map((b) => b.left));
      const height = Math.max(...boxes.map((b) => b.bottom)) - Math.min(...boxes.map((b) => b.top));
      return boxes.length < 5 ? 0 : (width * height) / frame.width / frame.height;
    }),

  // Sizes in pixels of the texts of pictures.
  sizes: () =>
    [...document.querySelectorAll("figure svg text")].map(
      (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a
    ),

  // The values of a column after one click on its heading, and after two.
  sorted: (marker, name) => {
    const tables = [...document.querySelectorAll("table")];
    const table = tables.find((one) => one.rows[0].textContent.includes(marker));
    const heading = [...table.rows[0].cells].find((cell) => cell.textContent.trim() === name);
    const values = () => [...table.tBodies[0].rows].map((row) => Number(row.cells[heading.cellIndex].dataset.value));
    const after = () => {
      heading.querySelector("button").click();
      return { values: values(), order: heading.getAttribute("aria-sort") };
    };
    return [after(), after()];
  },

  // How light the ground is, and the least contrast of texts against it.
  contrast: () => {
    const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const light = (text) => {
      const [r, g, b] = text.match(/[\d.]+/g).map((c) => linear(c / 255));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = light(getComputedStyle(document.querySelector("section")).backgroundColor);
    const names = ["section p", "figure text", "td", ".hit", ".wrong", ".missed", "h2", "nav a", "summary"];
    const contrasts = names.map((name) => document.querySelector(name)).filter(Boolean).map((e) => {
      const style = getComputedStyle(e);
      const ink = light(e.closest("svg") ? style.fill : style.color);
      return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    });
    return { ground, least: Math.min(...contrasts) };
  },
};
