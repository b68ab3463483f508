import { startTransition, useEffect, useState } from "react";

/** A page in the background draws no frames. */
const longestMs = 300;

/** False until what was rendered first is on the screen: what may come a moment later is mounted then, in slices. */
export function usePainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => afterPaint(() => startTransition(() => setPainted(true))), []);
  return isPainted;
}

/** Runs `work` after the next frame. Returns a function that cancels it. */
function afterPaint(work: () => void): () => void {
  let timer = setTimeout(work, longestMs);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    // a frame is drawn after its callbacks
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
