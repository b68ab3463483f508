import { useMemo } from "react";
import { CodeText } from "../../highlight/code-text.tsx";
import { useFormats } from "../../i18n/locale.tsx";
import { useTaskText } from "../../i18n/task-text.ts";
import { capMarks } from "../../text/cap-marks.ts";
import { firstLine } from "../../text/first-line.ts";
import { stripAnsi } from "../../text/parse-ansi.ts";
import { takePart } from "../../text/take-part.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { useShownParts } from "../../ui/disclosure.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { ShowAllButton } from "../../ui/show-all-button.tsx";
import { useShownItems } from "../../ui/use-shown-items.tsx";
import type { DetailsData } from "./details-data.ts";
import { OutputText } from "./output-text.tsx";
import { Panel } from "./panel.tsx";

/** Of the command above its output. */
const commandPart = { characters: 4000, lines: 60 };

export function CommandDetails({ id, data }: { id: string; data: DetailsData<"commandOutput"> }) {
  const text = useTaskText();
  const failed = data.exitCode !== null && data.exitCode !== 0;
  return (
    <Panel
      aside={
        <>
          {data.exitCode !== null && (
            <span className={`shrink-0 ${failed ? "font-medium text-bad" : "text-ink-faint"}`}>{text.tool.exitCode(data.exitCode)}</span>
          )}
          <CopyButton className="-me-1.5 size-6!" text={() => stripAnsi([data.stdout, data.stderr].filter(Boolean).join("\n"))} />
        </>
      }
      title={
        <code className="whitespace-pre-wrap font-mono text-ink">
          <span aria-hidden="true" className="select-none text-ink-faint">
            ${" "}
          </span>
          <LongText id={`${id}:command`} part={commandPart} text={data.command} />
        </code>
      }
    >
      {data.stdout === "" && data.stderr === "" && <p className="px-3 py-2 text-ink-faint text-sm">{text.tool.noOutput}</p>}
      {data.stdout !== "" && <OutputText id={`${id}:out`} text={data.stdout} />}
      {data.stderr !== "" && (
        <section aria-label={text.tool.stderr} className={data.stdout === "" ? "" : "border-line border-t"}>
          <p className="px-3 pt-1.5 font-medium text-ink-faint text-xs">{text.tool.stderr}</p>
          <OutputText id={`${id}:err`} text={data.stderr} />
        </section>
      )}
    </Panel>
  );
}

/** Of one line of a list. */
const itemPart = { characters: 1000, lines: 20 };
const firstItems = 40;

export function FileListDetails({ id, data }: { id: string; data: DetailsData<"fileList"> }) {
  const text = useTaskText();
  const { shown, more } = useShownItems(data, { id, first: firstItems });
  return (
    <Panel title={text.tool.files(data.length)}>
      <ScrollBox className="max-h-[60vh] px-3 py-2 font-mono text-[0.8rem]">
        <ul>
          {shown.map((path, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list may name a path twice
            <li className="[overflow-wrap:anywhere]" key={index}>
              <LongText id={`${id}:${index}`} part={itemPart} text={path} />
            </li>
          ))}
        </ul>
      </ScrollBox>
      {more}
    </Panel>
  );
}

export function SearchDetails({ id, data }: { id: string; data: DetailsData<"searchResults"> }) {
  const text = useTaskText();
  const { shown, more } = useShownItems(data.matches, { id, first: firstItems });
  const groups = Map.groupBy(shown, (match) => match.filePath);
  const notSent = data.total - data.matches.length;
  return (
    <Panel
      aside={<span className="text-ink-faint">{text.tool.matches(data.total)}</span>}
      title={<code className="font-mono text-ink">{firstLine(data.pattern, 1000)}</code>}
    >
      <ScrollBox className="max-h-[60vh] space-y-2 px-3 py-2 font-mono text-[0.8rem]">
        {[...groups].map(([path, matches]) => (
          <div key={path}>
            <p className="text-ink-soft [overflow-wrap:anywhere]">{firstLine(path, 1000)}</p>
            {matches.map(
              (match, index) =>
                match.text !== undefined && (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line may match twice
                  <p className="flex gap-3 ps-2" key={index}>
                    <span className="w-10 shrink-0 select-none text-end text-ink-faint tabular-nums">{match.line ?? ""}</span>
                    <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
                      <LongText id={`${id}:${path}:${index}`} part={itemPart} text={match.text} />
                    </span>
                  </p>
                ),
            )}
          </div>
        ))}
      </ScrollBox>
      {more}
      {notSent > 0 && <p className="border-line border-t px-3 py-1.5 text-ink-faint text-xs">{text.tool.moreMatches(notSent)}</p>}
    </Panel>
  );
}

const firstPart = { characters: 8000, lines: 45 };

export function FileContentDetails({ id, data }: { id: string; data: DetailsData<"fileContent"> }) {
  const text = useTaskText();
  const format = useFormats();
  const [parts, showMore] = useShownParts(id);
  const content = data.content.replace(/\n$/, "");
  const shown = useMemo(
    () => capMarks(takePart(content, parts === 1 ? firstPart : { characters: 50_000 * parts, lines: 1000 * parts })),
    [content, parts],
  );
  const lines = shown.replace(/\n$/, "").split("\n");
  const lineCount = useMemo(() => content.split("\n").length, [content]);
  const last = data.startLine + lineCount - 1;
  const isCut = shown.length < content.length;
  const whole = data.startLine === 1 && (data.totalLines === undefined || last >= data.totalLines);
  return (
    <Panel
      aside={
        <span className="shrink-0 text-ink-faint">
          {whole ? text.tool.lines(last) : text.tool.linesOf(`${data.startLine}–${last}`, String(data.totalLines ?? "?"))}
        </span>
      }
      title={<span className="font-mono">{firstLine(data.filePath, 1000)}</span>}
    >
      <ScrollBox className="flex max-h-[60vh] py-2 font-mono text-[0.8rem] leading-[1.55]" dir="ltr">
        <pre aria-hidden="true" className="shrink-0 select-none px-3 text-end text-ink-faint tabular-nums">
          {lines.map((_, index) => data.startLine + index).join("\n")}
        </pre>
        <CodeText className="min-w-0 flex-1 pe-3" code={lines.join("\n")} path={data.filePath} />
      </ScrollBox>
      {isCut && (
        <ShowAllButton onClick={showMore}>{text.conversation.showMore(format.number(content.length - shown.length))}</ShowAllButton>
      )}
    </Panel>
  );
}
