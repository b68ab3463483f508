import type { ImportProblem } from "@skein/contracts";
import { useImportText } from "./use-import-text.ts";

/** Parts that were left out, and why. */
export function ImportProblems({ problems, further = 0 }: { problems: readonly ImportProblem[]; further?: number }) {
  const words = useImportText();
  if (problems.length === 0) return null;
  return (
    <details className="mt-1 text-sm">
      <summary className="min-h-6 cursor-pointer text-warn">{words.problems(problems.length + further)}</summary>
      <ul className="mt-1 space-y-1 text-ink-soft">
        {problems.map((problem) => {
          const { code, file, line, count = 1, detail } = problem;
          const place = line === undefined ? undefined : words.line(String(line), count);
          return (
            <li className="[overflow-wrap:anywhere]" key={`${file} ${code} ${line ?? ""} ${detail ?? ""}`}>
              <code className="text-ink">{file}</code>
              {words.at(place, words.problem(code))}
              {detail !== undefined && <span className="block text-ink-faint text-xs">{detail}</span>}
            </li>
          );
        })}
        {further > 0 && <li>{words.more(further)}</li>}
      </ul>
    </details>
  );
}
