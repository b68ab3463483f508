import { revealInvisible } from "../text/reveal-invisible.ts";

/** Text in which no character hides: each one that cannot be seen is shown by its number. */
export function RevealedText({ text }: { text: string }) {
  return revealInvisible(text).map((run, index) =>
    run.hidden === undefined ? (
      // Isolated and left to right: letters of other scripts must not reorder the command around them.
      // biome-ignore lint/suspicious/noArrayIndexKey: runs have no identity of their own
      <bdo dir="ltr" key={index}>
        {run.text}
      </bdo>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: runs have no identity of their own
      <mark className="mx-px rounded bg-bad px-1 font-sans text-[0.7em] text-canvas" key={index}>
        {run.hidden}
      </mark>
    ),
  );
}
