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

/** Templates as they are read, and as they are said: the same names in the same groups. */
export interface FormLayer {
  read: Templates;
  said: Templates;
}

/** No form is that long; patterns of several `{}` take time that grows with the square of the length. */
const maxLength = 4000;

const holes = /\{(?:n|status)?\}/g;

/**
 * Says texts of known forms in other words: `{}` of a form stands for anything, `{n}` for a number, `{status}` for one of the
 * `statuses`, which have words of their own. Of the first layer that knows a text the form with most words of its own is
 * taken; a text of an unknown form stays as it is.
 */
export function createFormTranslator(layers: readonly FormLayer[], statuses: Readonly<Record<string, string>> = {}) {
  const forms = layers.flatMap((layer) => pairForms(layer, Object.keys(statuses)).toSorted((a, b) => b.weight - a.weight));
  return (text: string): string => {
    if (text.length > maxLength) return text;
    for (const { pattern, kinds, template } of forms) {
      const found = pattern.exec(text)?.slice(1);
      if (found) return fill({ template, found, kinds, statuses });
    }
    return text;
  };
}

function pairForms({ read, said }: FormLayer, statuses: readonly string[]): Form[] {
  return Object.entries(read).flatMap(([group, templates]) =>
    Object.entries(templates).map(([name, template]) => toForm(template, said[group]?.[name] ?? template, statuses)),
  );
}

function toForm(read: string, template: string, statuses: readonly string[]): Form {
  const texts = read.split(holes);
  const kinds = (read.match(holes) ?? []) as Hole[];
  const groups: Record<Hole, string> = { "{}": "(.*)", "{n}": "(\\d+)", "{status}": `(${statuses.map(escapeText).join("|")})` };
  const source = texts.map((text, index) => escapeText(text) + (kinds[index] === undefined ? "" : groups[kinds[index]])).join("");
  return { pattern: new RegExp(`^${source}$`, "s"), kinds, weight: texts.join("").length, template };
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
