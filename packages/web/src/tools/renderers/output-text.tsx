import { memo, useMemo } from "react";
import { useTaskText } from "../../i18n/task-text.ts";
import { capMarks } from "../../text/cap-marks.ts";
import { clampText } from "../../text/clamp-text.ts";
import { type AnsiSpan, parseAnsi } from "../../text/parse-ansi.ts";
import { useDisclosure } from "../../ui/disclosure.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { ShowAllButton } from "../../ui/show-all-button.tsx";

/** What is drawn at once after “show all”, and with each further click. */
const allPart = { characters: 60_000, lines: 1500 };
/** Each is an element of the page; text behind so many changes of colour is shown without colours. */
const maxSpans = 3000;

/** Printed text with its colours: beginning and end until the user wants all of it. */
export function OutputText({ id, text: output, tone }: { id: string; text: string; tone?: "bad" }) {
  const text = useTaskText();
  const [all, setAll] = useDisclosure(`${id}:all`);
  const clamped = useMemo(() => clampText(trimLineEnds(output), { headLines: 24, tailLines: 12 }), [output]);
  const { head, tail, hiddenLines } = clamped;
  return (
    <ScrollBox className={`max-h-[60vh] font-mono text-[0.8rem] leading-[1.5] ${tone === "bad" ? "text-bad" : ""}`}>
      {all ? (
        <LongText id={id} part={allPart} text={trimLineEnds(output)}>
          {(shown) => <AnsiText text={shown} />}
        </LongText>
      ) : (
        <>
          <AnsiText text={head} />
          {hiddenLines > 0 && <ShowAllButton onClick={() => setAll(true)}>{text.conversation.showAll(hiddenLines)}</ShowAllButton>}
          {tail !== "" && <AnsiText text={tail} />}
        </>
      )}
    </ScrollBox>
  );
}

const AnsiText = memo(function AnsiText({ text }: { text: string }) {
  return (
    <pre className="whitespace-pre-wrap px-3 py-2 [overflow-wrap:anywhere]" dir="ltr">
      {parseAnsi(capMarks(text), { maxSpans }).map((span, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity of their own
        <Span key={index} span={span} />
      ))}
    </pre>
  );
});

/** Not by a regular expression: one with `\n+$` takes time that grows with the square of the number of line ends. */
function trimLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 10) end--;
  return end === text.length ? text : text.slice(0, end);
}

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
