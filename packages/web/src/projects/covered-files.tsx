import type { TrustedFileChange } from "@skein/contracts";
import { RevealedText } from "../approvals/revealed-text.tsx";
import { useSettingsText } from "../i18n/settings-text.ts";

/** The files that trust covers, and how they differ from what was trusted: what a user agrees to when they trust it again. */
export function CoveredFiles({ files, changes }: { files: readonly string[]; changes: readonly TrustedFileChange[] }) {
  const { trust: words } = useSettingsText().shell;
  if (files.length === 0) return null;
  return (
    <div className="mt-1.5 space-y-1.5">
      {changes.map((change) => (
        <Change change={change} key={change.path} />
      ))}
      <details>
        <summary className="cursor-pointer text-ink-faint text-xs">{words.runs(files.length)}</summary>
        <pre className="scroll-quiet mt-1 max-h-48 overflow-auto whitespace-pre-wrap rounded-md bg-code px-2 py-1.5 font-mono text-[0.8rem] [overflow-wrap:anywhere]">
          <RevealedText text={files.join("\n")} />
        </pre>
      </details>
    </div>
  );
}

function Change({ change: { path, change, patch } }: { change: TrustedFileChange }) {
  const { trust: words } = useSettingsText().shell;
  return (
    <section aria-label={path}>
      <p className="text-xs">
        <span className="font-mono [overflow-wrap:anywhere]">
          <RevealedText text={path} />
        </span>{" "}
        <span className="text-warn">{words.change[change]}</span>
      </p>
      {patch === null ? (
        <p className="text-ink-faint text-xs">{words.noPatch}</p>
      ) : (
        <pre className="scroll-quiet mt-1 max-h-64 overflow-auto whitespace-pre-wrap rounded-md bg-code py-1.5 font-mono text-[0.8rem] [overflow-wrap:anywhere]">
          {toLines(patch).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are in fixed order
            <div className={`px-2 ${lineLook(line)}`} key={index}>
              <RevealedText text={line} />
            </div>
          ))}
        </pre>
      )}
    </section>
  );
}

/** From the first hunk on: the file's name is above. */
function toLines(patch: string): string[] {
  const lines = patch.replace(/\n$/, "").split("\n");
  return lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => line.startsWith("@@")),
    ),
  );
}

function lineLook(line: string): string {
  if (line.startsWith("+")) return "bg-good-wash";
  if (line.startsWith("-")) return "bg-bad-wash";
  return line.startsWith("@@") ? "text-ink-faint" : "";
}
