import { useCallback, useSyncExternalStore } from "react";

/** A phone or a tablet: keys are not mentioned there. */
export const touchOnly = "(pointer: coarse)";

/** Whether a media query matches, for what style sheets cannot do: different content, not a different style. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
