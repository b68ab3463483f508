import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useState } from "react";
import type { ConversationListHandle } from "../conversation/use-jump.ts";

/** Scrolls to the message that the address names. Returns whether there is no such message. */
export function useLinkedMessage(list: RefObject<ConversationListHandle | null>, isLoaded: boolean): boolean {
  const hash = useLocation({ select: (location) => location.hash });
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    if (hash === "" || !isLoaded) return;
    setMissing(false);
    let frame = 0;
    // the list may be drawn a moment after the conversation is loaded
    const reveal = (): void => {
      if (list.current) list.current.reveal(hash).catch(() => setMissing(true));
      else frame = requestAnimationFrame(reveal);
    };
    reveal();
    return () => cancelAnimationFrame(frame);
  }, [hash, isLoaded, list]);
  return isMissing;
}
