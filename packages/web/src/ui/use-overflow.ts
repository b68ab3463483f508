import { type RefObject, useCallback, useEffect, useState } from "react";

export interface Overflow {
  /** Something is hidden before, or behind, what is in view. */
  start: boolean;
  end: boolean;
  update(): void;
}

/**
 * On which sides a row that scrolls sideways continues; `update` is for its scroll events. `content` names what is in the row, if that
 * changes: the row is measured again.
 */
export function useOverflow(element: RefObject<HTMLElement | null>, content = ""): Overflow {
  const [sides, setSides] = useState({ start: false, end: false });
  const update = useCallback(() => {
    if (element.current === null) return;
    const { scrollLeft, scrollWidth, clientWidth } = element.current;
    const start = scrollLeft > 1;
    const end = scrollWidth - clientWidth - scrollLeft > 1;
    setSides((known) => (known.start === start && known.end === end ? known : { start, end }));
  }, [element]);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(update);
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, update]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row keeps its size when its content changes
  useEffect(update, [update, content]);
  return { ...sides, update };
}
