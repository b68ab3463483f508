export interface ScrollPosition {
  top: number;
  height: number;
  viewport: number;
}

/** As near to the end as counts as being there. */
const endThreshold = 48;

/**
 * Whether the list follows its end, after a scroll event. Only a user who scrolls up stops it: content that grows, or rows that
 * turn out taller than estimated, move the end away too, and must not.
 */
export function followsEnd(followed: boolean, before: ScrollPosition, now: ScrollPosition): boolean {
  if (isAtEnd(now)) return true;
  return followed && now.top >= before.top;
}

export function isAtEnd({ top, height, viewport }: ScrollPosition): boolean {
  return height - top - viewport <= endThreshold;
}
