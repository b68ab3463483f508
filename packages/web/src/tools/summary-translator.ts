import { type ToolSummaries, toolSummariesEn } from "../i18n/en-tool-summaries.ts";

type Hole = "{}" | "{n}" | "{status}";
type Templates = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Form {
  pattern: RegExp;
  /** What the groups of the pattern hold, in order. */
  kinds: Hole[];
  /** More words of its own weigh more: such a form tells more of what it is about. */
  weight: number;
  template: string;
}

const holes = /\{(?:n|status)?\}/g;

/**
 * Says the summaries that the engine wrote in another language. Names, paths and commands stay as they are, and so does
 * every summary of a form that the engine does not write.
 */
export function createSummaryTranslator(words: ToolSummaries): (summary: string) => string {
  // `Running subagent: x` is no command, but `Ran x failed` is one, whatever its last word is.
  const forms = [
    ...pairForms(toolSummariesEn.forms, words.forms).toSorted((a, b) => b.weight - a.weight),
    ...pairForms({ endings: toolSummariesEn.endings }, { endings: words.endings }),
  ];
  return (summary) => {
    for (const { pattern, kinds, template } of forms) {
      const found = pattern.exec(summary)?.slice(1);
      if (found) return fill({ template, found, kinds, statuses: words.statuses });
    }
    return summary;
  };
}

function pairForms(read: Templates, said: Templates): Form[] {
  return Object.entries(read).flatMap(([group, templates]) =>
    Object.entries(templates).map(([name, template]) => toForm(template, said[group]?.[name] ?? template)),
  );
}

function toForm(read: string, template: string): Form {
  const texts = read.split(holes);
  const kinds = (read.match(holes) ?? []) as Hole[];
  const source = texts.map((text, index) => escapeText(text) + toGroup(kinds[index])).join("");
  return { pattern: new RegExp(`^${source}$`, "s"), kinds, weight: texts.join("").length, template };
}

function toGroup(hole: Hole | undefined): string {
  switch (hole) {
    case undefined:
      return "";
    case "{}":
      return "(.*)";
    case "{n}":
      return "(\\d+)";
    case "{status}":
      return `(${Object.keys(toolSummariesEn.statuses).join("|")})`;
  }
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Each kind of hole is filled in its order: a language may put the number before or after the name. */
function fill({
  template,
  found,
  kinds,
  statuses,
}: {
  template: string;
  found: string[];
  kinds: Hole[];
  statuses: Record<string, string>;
}) {
  const left: Record<Hole, string[]> = { "{}": [], "{n}": [], "{status}": [] };
  for (const [index, kind] of kinds.entries()) left[kind].push(found[index] ?? "");
  return template.replace(holes, (hole) => {
    const value = left[hole as Hole].shift() ?? "";
    return hole === "{status}" ? (statuses[value] ?? value) : value;
  });
}
