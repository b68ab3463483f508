import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useImperativeHandle, useRef } from "react";
import { useFindMarks } from "../conversation/use-find-marks.ts";

export interface RowsHandle {
  reveal(index: number): void;
}

export interface VirtualRowsProps {
  label: string;
  count: number;
  keyOf(index: number): string;
  heightOf(index: number): number;
  draw(index: number): ReactNode;
  /** Marked where it is drawn. */
  findText: string;
  /** The row that was found. */
  current: number | null;
  handle: RefObject<RowsHandle | null>;
}

/** Draws only the rows near the view, and all of them to be printed, as far as a printer takes them. */
export function VirtualRows({ label, count, keyOf, heightOf, draw, findText, current, handle }: VirtualRowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    estimateSize: heightOf,
    overscan: 12,
    paddingStart: 16,
    paddingEnd: 32,
    initialRect: { width: innerWidth, height: innerHeight },
  });
  useImperativeHandle(handle, () => ({ reveal: (index) => virtualizer.scrollToIndex(index, { align: "center" }) }), [virtualizer]);
  const items = virtualizer.getVirtualItems();
  const totalSize = virtualizer.getTotalSize();
  useFindMarks(scroller, findText, items.map(({ key }) => key).join() + totalSize);
  useEffect(() => scroller.current?.focus({ preventScroll: true }), []);
  return (
    <section
      aria-label={label}
      className="scroll-quiet h-full overflow-y-auto overflow-x-hidden focus-visible:outline-offset-[-2px]"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reachable by keyboard
      tabIndex={0}
    >
      <div className="relative mx-auto flow-root w-full max-w-3xl" data-count={count} style={{ height: totalSize }}>
        {items.map((item, at) => (
          <div
            className="relative flow-root px-3 sm:px-6"
            data-current={item.index === current || undefined}
            data-index={item.index}
            key={item.key}
            ref={virtualizer.measureElement}
            style={{ marginTop: item.start - (items[at - 1]?.end ?? 0) }}
          >
            <div className={item.index === current ? "rounded-lg outline-2 outline-accent/50 outline-offset-2" : ""}>
              {draw(item.index)}
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}
