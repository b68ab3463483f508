/*
 * Reports when an element moves on the screen without the user: because something above it was removed, added or grew.
 * Scrolling does not count.
 */

interface Watched {
  element: HTMLElement;
  place: { x: number; y: number };
  onMoved(): void;
}

const watched = new Set<Watched>();
const tolerance = 2;

function readPlace(element: HTMLElement): Watched["place"] {
  const { left, top } = element.getBoundingClientRect();
  return { x: left, y: top };
}

function checkAll(): void {
  for (const one of watched) {
    const { x, y } = one.place;
    one.place = readPlace(one.element);
    if (Math.abs(one.place.x - x) > tolerance || Math.abs(one.place.y - y) > tolerance) one.onMoved();
  }
}

function keepPlaces(): void {
  for (const one of watched) one.place = readPlace(one.element);
}

/** A card that comes or goes may leave the size of every box as it was, so each of them looks at all the others. */
export function watchMoves(element: HTMLElement, onMoved: () => void): () => void {
  const one: Watched = { element, place: readPlace(element), onMoved };
  if (watched.size === 0) {
    document.addEventListener("scroll", keepPlaces, { capture: true, passive: true });
    window.addEventListener("resize", keepPlaces);
  }
  watched.add(one);
  const sizes = new ResizeObserver(checkAll);
  for (let box = element.parentElement; box; box = box.parentElement) sizes.observe(box);
  queueMicrotask(checkAll);
  return () => {
    sizes.disconnect();
    watched.delete(one);
    if (watched.size === 0) {
      document.removeEventListener("scroll", keepPlaces, { capture: true });
      window.removeEventListener("resize", keepPlaces);
    }
    queueMicrotask(checkAll);
  };
}
