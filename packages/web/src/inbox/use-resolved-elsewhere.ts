import type { Approval } from "@skein/contracts";
import { useEffect, useState } from "react";
import { answeredHere } from "../approvals/answered-here.ts";
import { eventStream } from "../live/live.ts";

const kept = 5;

/** What was answered from another window while this one showed it, the newest first; a card that just goes away leaves doubt. */
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
