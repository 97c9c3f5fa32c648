// Colors of the palette: `/palette.css`, from the table of the library, has them and says how many there are of each kind.

/** The color of that name, as the theme has it. */
export const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/**
 * The colors of a kind that are numbered from 0, such as `level`.
 * @param {string} kind
 */
export function numbered(kind) {
  const style = getComputedStyle(document.documentElement);
  const all = [];
  for (let next = "0"; next; ) {
    next = style.getPropertyValue(`--${kind}-${all.length}`).trim();
    if (next) all.push(next);
  }
  return all;
}

/** A color of a kind by its number, which follows the theme; they start again after the last. */
export const themed = (kind, number) => `var(--${kind}-${number % numbered(kind).length})`;

/** The color of a load, for a part of 1, of those from calm to busy. */
export const heat = (part, loads = numbered("load")) =>
  loads[Math.min(loads.length - 1, Math.floor(Math.max(0, part) * loads.length))];
