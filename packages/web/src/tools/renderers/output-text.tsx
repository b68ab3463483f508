import { memo } from "react";
import { useText } from "../../i18n/locale.tsx";
import { clampText } from "../../text/clamp-text.ts";
import { type AnsiSpan, parseAnsi } from "../../text/parse-ansi.ts";
import { useDisclosure } from "../../ui/disclosure.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { ShowAllButton } from "./panel.tsx";

/** Printed text: colours as printed, bounded until a person wants all of it. */
export function OutputText({ id, text: output, tone }: { id: string; text: string; tone?: "bad" }) {
  const text = useText();
  const [all, setAll] = useDisclosure(`${id}:all`);
  const trimmed = output.replace(/\n+$/, "");
  const { head, tail, hiddenLines } = all
    ? { head: trimmed, tail: "", hiddenLines: 0 }
    : clampText(trimmed, { headLines: 24, tailLines: 12 });
  return (
    <ScrollBox className={`max-h-[60vh] font-mono text-[0.8rem] leading-[1.5] ${tone === "bad" ? "text-bad" : ""}`}>
      <AnsiText text={head} />
      {hiddenLines > 0 && <ShowAllButton onClick={() => setAll(true)}>{text.conversation.showAll(hiddenLines)}</ShowAllButton>}
      {tail !== "" && <AnsiText text={tail} />}
    </ScrollBox>
  );
}

const AnsiText = memo(function AnsiText({ text }: { text: string }) {
  return (
    <pre className="whitespace-pre-wrap px-3 py-2 [overflow-wrap:anywhere]" dir="ltr">
      {parseAnsi(text).map((span, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity of their own
        <Span key={index} span={span} />
      ))}
    </pre>
  );
});

function Span({ span }: { span: AnsiSpan }) {
  const { text, color, background, ...flags } = span;
  if (color === undefined && background === undefined && Object.keys(flags).length === 0) return text;
  const classes = [
    typeof color === "number" ? `ansi-${paletteClass(color)}` : "",
    flags.bold ? "font-semibold" : "",
    flags.dim ? "opacity-70" : "",
    flags.italic ? "italic" : "",
    flags.underline ? "underline" : "",
    flags.strike ? "line-through" : "",
    flags.inverse || typeof background === "number" ? "rounded-xs bg-active" : "",
  ];
  const style = {
    ...(typeof color === "string" ? { color } : {}),
    ...(typeof background === "string" ? { backgroundColor: background } : {}),
  };
  return (
    <span className={classes.filter(Boolean).join(" ")} style={style}>
      {text}
    </span>
  );
}

/** Black and white are the page's own ink; bright colours are the plain ones: both are readable in each theme. */
function paletteClass(color: number): number {
  if (color === 0 || color === 15) return 7;
  return color > 8 ? color - 8 : color;
}
