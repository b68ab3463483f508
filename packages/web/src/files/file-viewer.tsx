import type { AttemptId, FileContent } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fileQuery } from "../api/attempt-api.ts";
import { OpenInEditor } from "../editors/open-in-editor.tsx";
import { CodeText } from "../highlight/code-text.tsx";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { capMarks } from "../text/cap-marks.ts";
import { takePart } from "../text/take-part.ts";
import { BoundedImage } from "../ui/bounded-image.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { DisclosureProvider, useShownParts } from "../ui/disclosure.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { PathText } from "../ui/path-text.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { ShowAllButton } from "../ui/show-all-button.tsx";

export function FileViewer({ attemptId, path }: { attemptId: AttemptId; path: string }) {
  const { files: text } = useTaskText().taskPage;
  const describe = useErrorText();
  const format = useFormats();
  const { data: file, error } = useQuery(fileQuery(attemptId, path));
  return (
    <section aria-label={path} className="flex h-full min-w-0 flex-col">
      <header className="flex min-h-9 shrink-0 items-center gap-2 border-line border-b px-3 text-sm">
        <PathText className="flex-1 font-mono text-[0.8rem]" text={path} />
        {file && <span className="shrink-0 text-ink-faint text-xs tabular-nums">{text.bytes(format.compact(file.size))}</span>}
        <OpenInEditor path={path} />
        {file?.kind === "text" && <CopyButton text={file.content} />}
      </header>
      {error && (
        <div className="p-3">
          <ErrorText>{describe(error)}</ErrorText>
        </div>
      )}
      {!file && !error && <Spinner className="m-4 text-ink-faint" />}
      {file && (
        <DisclosureProvider>
          <Content file={file} />
        </DisclosureProvider>
      )}
    </section>
  );
}

function Content({ file }: { file: FileContent }) {
  const { files: text } = useTaskText().taskPage;
  if (file.kind === "binary") return <p className="p-6 text-center text-ink-faint text-sm">{text.binary}</p>;
  if (file.kind === "image") {
    return (
      <ScrollBox className="min-h-0 flex-1 p-4">
        <BoundedImage alt={file.path} className="h-auto max-w-full rounded border border-line bg-code" image={file} />
      </ScrollBox>
    );
  }
  return (
    <>
      {file.truncated && <p className="bg-warn-wash px-3 py-1.5 text-sm text-warn">{text.truncated}</p>}
      <Text content={file.content} path={file.path} />
    </>
  );
}

function Text({ content, path }: { content: string; path: string }) {
  const { files: text } = useTaskText().taskPage;
  const { conversation } = useTaskText();
  const format = useFormats();
  const [parts, showMore] = useShownParts(path);
  const whole = useMemo(() => content.replace(/\n$/, ""), [content]);
  const code = useMemo(() => capMarks(takePart(whole, { characters: 200_000 * parts, lines: 5000 * parts })), [whole, parts]);
  const numbers = useMemo(() => {
    const count = code.split("\n").length;
    return Array.from({ length: count }, (_, index) => index + 1).join("\n");
  }, [code]);
  if (content === "") return <p className="p-6 text-center text-ink-faint text-sm">{text.emptyFile}</p>;
  return (
    <>
      <ScrollBox className="flex min-h-0 flex-1 bg-code py-2 font-mono text-[0.8rem] leading-[1.55]" dir="ltr">
        <pre aria-hidden="true" className="sticky start-0 h-max shrink-0 select-none bg-code px-3 text-end text-ink-faint tabular-nums">
          {numbers}
        </pre>
        <CodeText className="h-max flex-1 pe-4" code={code} path={path} />
      </ScrollBox>
      {code.length < whole.length && (
        <ShowAllButton onClick={showMore}>{conversation.showMore(format.number(whole.length - code.length))}</ShowAllButton>
      )}
    </>
  );
}
