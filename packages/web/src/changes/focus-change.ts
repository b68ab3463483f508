/** Scrolls to the next or previous group of changed lines and marks it; at the end it stays. */
export function focusChange(scroller: HTMLElement, direction: "next" | "previous"): void {
  const changes = [...scroller.querySelectorAll<HTMLElement>("[data-hunk]")];
  const at = changes.findIndex((change) => change.dataset.focused === "true");
  const middle = scroller.getBoundingClientRect().top + scroller.clientHeight / 2;
  // Where none was chosen yet, from what is in view.
  const inView = changes.findIndex((change) => change.getBoundingClientRect().top >= scroller.getBoundingClientRect().top);
  const start =
    at === -1 ? (direction === "next" ? inView : changes.findLastIndex((change) => change.getBoundingClientRect().top < middle)) : at;
  const next = changes[at === -1 ? start : start + (direction === "next" ? 1 : -1)];
  if (!next) return;
  for (const change of changes) delete change.dataset.focused;
  next.dataset.focused = "true";
  next.scrollIntoView({ block: "center" });
}
