/** How to find an element again when its page is drawn anew; undefined for one that cannot be named. */
export function toFocusSelector(element: Element | null): string | undefined {
  const taskId = element?.getAttribute("data-task-id");
  if (taskId) return `[data-task-id="${CSS.escape(taskId)}"]`;
  const href = element?.localName === "a" ? element.getAttribute("href") : null;
  if (href) return `a[href="${CSS.escape(href)}"]`;
  return element?.id === "content" ? "#content" : undefined;
}

/** The element to focus on a page: the one that had the focus when the user left, else the heading, else the whole region. */
export function findFocusTarget(page: ParentNode, remembered: string | undefined): HTMLElement | null {
  const known = remembered === undefined ? null : page.querySelector<HTMLElement>(remembered);
  return known ?? page.querySelector<HTMLElement>("#content h1") ?? page.querySelector<HTMLElement>("#content");
}
