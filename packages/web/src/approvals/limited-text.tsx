import { useState } from "react";
import { revealSizes } from "./reveal-size.ts";
import { ShownText } from "./shown-text.tsx";

/** A text that the user bases a decision on: nothing in it can hide, and more of a long one is shown on request. */
export function LimitedText({ text }: { text: string }) {
  const [step, setStep] = useState(0);
  const size = revealSizes[Math.min(step, revealSizes.length - 1)] ?? revealSizes[0];
  return <ShownText onShowAll={() => setStep(step + 1)} size={size} text={text} />;
}
