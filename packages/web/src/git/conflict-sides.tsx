import type { ConflictSides } from "@skein/contracts";
import { useMemo, useState } from "react";
import { CodeLineText } from "../highlight/code-line-text.tsx";
import { languageOfPath } from "../highlight/language-of.ts";
import { useHighlight } from "../highlight/use-highlight.ts";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { useGitText } from "./use-git-text.ts";

const sides = ["ours", "base", "theirs"] as const;
type Side = (typeof sides)[number];

/** The file before both changes and on either side: next to each other where there is room, else one of them. */
export function ConflictSidesView({ file, nameOf }: { file: ConflictSides; nameOf(side: "ours" | "theirs"): string }) {
  const words = useGitText().conflict;
  const [shown, setShown] = useState<Side>("ours");
  const titleOf = (side: Side) => (side === "base" ? words.sides.base : `${words.sides[side]} (${nameOf(side)})`);
  const known = useMemo(() => (file.base === null ? null : new Set(file.base.split("\n"))), [file.base]);
  return (
    <div>
      <div className="mb-2 md:hidden">
        <ChoiceGroup<Side>
          choices={sides.map((value) => ({ value, label: words.sides[value] }))}
          label={words.shownSide}
          onChange={setShown}
          value={shown}
        />
      </div>
      <div className="grid gap-2 md:grid-cols-3">
        {sides.map((side) => (
          <figure className={`min-w-0 ${side === shown ? "" : "max-md:hidden"}`} data-side={side} key={side}>
            <figcaption className="mb-1 truncate font-medium text-ink-soft text-xs" title={titleOf(side)}>
              {titleOf(side)}
            </figcaption>
            <SideText isMarked={side !== "base"} kind={file.kinds[side]} known={known} path={file.path} text={file[side]} />
          </figure>
        ))}
      </div>
    </div>
  );
}

interface SideTextProps {
  kind: ConflictSides["kinds"]["base"];
  path: string;
  text: string | null;
  /** Lines of the base; null where it has no text. */
  known: ReadonlySet<string> | null;
  /** Lines that the base does not have get a colour. */
  isMarked: boolean;
}

function SideText({ kind, path, text, known, isMarked }: SideTextProps) {
  const words = useGitText().conflict;
  const shown = text?.replace(/\n$/, "") ?? "";
  const colors = useHighlight(shown, kind === "text" ? languageOfPath(path) : null);
  const lines = useMemo(() => shown.split("\n"), [shown]);
  const boxClass = "scroll-quiet h-48 overflow-auto rounded-md bg-code p-2 text-xs";
  if (text === null || kind !== "text")
    return <p className={`${boxClass} text-ink-faint`}>{words.kindsOfSide[kind === "text" ? "none" : kind]}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={boxClass} dir="ltr" tabIndex={0}>
      {lines.map((line, index) => {
        const isNew = isMarked && known !== null && !known.has(line);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their places
          <span className={isNew ? "-mx-2 block min-w-max bg-accent-wash px-2" : "block"} key={index}>
            {line === "" ? "\n" : <CodeLineText line={colors?.[index]} text={line} />}
          </span>
        );
      })}
    </pre>
  );
}
