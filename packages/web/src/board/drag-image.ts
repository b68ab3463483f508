import type { Point } from "./card-place.ts";

/** What follows the pointer: the card as it looks, and how many more come with it. */
export function createDragImage(card: HTMLElement, start: Point, count: number): { moveTo(at: Point): void; remove(): void } {
  const box = card.getBoundingClientRect();
  const image = document.createElement("div");
  image.setAttribute("aria-hidden", "true");
  image.className = "drag-image";
  image.style.width = `${box.width}px`;
  const copy = card.cloneNode(true) as HTMLElement;
  // A second element of the same id would be found as a place to drop on.
  copy.removeAttribute("data-task-id");
  copy.removeAttribute("href");
  image.append(copy);
  if (count > 1) {
    const badge = document.createElement("span");
    badge.textContent = String(count);
    image.append(badge);
  }
  const moveTo = ({ x, y }: Point) => {
    image.style.transform = `translate(${box.left + x - start.x}px, ${box.top + y - start.y}px) rotate(1.5deg)`;
  };
  moveTo(start);
  document.body.append(image);
  return { moveTo, remove: () => image.remove() };
}
