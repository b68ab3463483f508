import { type ReactNode, Suspense } from "react";
import { PaneSeparator } from "./pane-separator.tsx";
import { useStoredNumber } from "./use-stored-number.ts";

/** In percent of the page. */
const sideShare = { initial: 45, min: 25, max: 70 };

/** The place of a side pane: next to the conversation, with a separator, or instead of it on a narrow screen. */
export function SidePaneFrame({ id, children }: { id: string; children: ReactNode }) {
  const [share, setShare] = useStoredNumber("skein.side-share", sideShare.initial, sideShare);
  return (
    <>
      <PaneSeparator
        controls={id}
        max={sideShare.max}
        min={sideShare.min}
        onChange={setShare}
        onReset={() => setShare(sideShare.initial)}
        value={share}
      />
      <div className="min-w-0 max-lg:basis-full! lg:shrink-0" style={{ flexBasis: `${share}%` }}>
        <Suspense>{children}</Suspense>
      </div>
    </>
  );
}
