import { ScrollBox } from "../ui/scroll-box.tsx";

/** A text exactly as the model gets it: nothing in it is formatted. */
export function PlainText({ text, tone }: { text: string; tone?: "faint" }) {
  return (
    <ScrollBox className="max-h-[50vh] rounded-md bg-code">
      <pre
        className={`whitespace-pre-wrap px-3 py-2 font-mono text-[0.8rem] leading-[1.5] [overflow-wrap:anywhere] ${tone === "faint" ? "text-ink-soft" : ""}`}
        dir="auto"
      >
        {text}
      </pre>
    </ScrollBox>
  );
}
