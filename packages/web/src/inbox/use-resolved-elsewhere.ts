import type { Approval } from "@skein/contracts";
import { useEffect, useState } from "react";
import { answeredHere } from "../approvals/answered-here.ts";
import { eventStream } from "../live/live.ts";

const kept = 5;

/** Approvals that were answered in another window while this one showed them, newest first. A card that just disappears would leave doubt. */
export function useResolvedElsewhere(): readonly Approval[] {
  const [resolved, setResolved] = useState<readonly Approval[]>([]);
  useEffect(
    () =>
      eventStream.subscribe(({ event }) => {
        if (event.type !== "approval:resolved" || answeredHere.has(event.approval.id)) return;
        const { approval } = event;
        setResolved((known) => [approval, ...known.filter(({ id }) => id !== approval.id)].slice(0, kept));
      }),
    [],
  );
  return resolved;
}
