export type ChangeDirection = "next" | "previous";

/**
 * Scrolls to the next or previous group of changed lines and marks it; at the end it stays. A file that shows no lines, because it is
 * closed or not drawn yet, counts as one: `open` is called with its path and has to draw it before it returns.
 */
export function focusChange(scroller: HTMLElement, direction: ChangeDirection, open: (path: string) => void): void {
  const stops = [...scroller.querySelectorAll<HTMLElement>("[data-hunk], [data-file]:not(:has([data-hunk]))")];
  const at = stops.findIndex((stop) => stop.dataset.focused === "true");
  const next = at === -1 ? fromView(scroller, stops, direction) : stops[at + (direction === "next" ? 1 : -1)];
  if (!next) return;
  for (const stop of stops) delete stop.dataset.focused;
  const chosen = next.dataset.file === undefined ? next : enterFile(next, next.dataset.file, direction, open);
  chosen.dataset.focused = "true";
  chosen.scrollIntoView({ block: chosen === next && next.dataset.file !== undefined ? "start" : "center" });
}

/** If none was chosen yet: the first in view, or the last above its middle. */
function fromView(scroller: HTMLElement, stops: readonly HTMLElement[], direction: ChangeDirection): HTMLElement | undefined {
  const box = scroller.getBoundingClientRect();
  // on a short screen, an element around it scrolls
  const top = Math.max(box.top, 0);
  const middle = (top + Math.min(box.bottom, innerHeight)) / 2;
  if (direction === "next") return stops.find((stop) => stop.getBoundingClientRect().top >= top);
  return stops.findLast((stop) => stop.getBoundingClientRect().top < middle);
}

/** Its first or last change; the file itself where it has none: an image, a mode. */
function enterFile(file: HTMLElement, path: string, direction: ChangeDirection, open: (path: string) => void): HTMLElement {
  open(path);
  const changes = [...file.querySelectorAll<HTMLElement>("[data-hunk]")];
  return changes.at(direction === "next" ? 0 : -1) ?? file;
}
