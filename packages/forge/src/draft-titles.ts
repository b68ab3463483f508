import type { PullRequestChanges } from "./forge.ts";

/** Titles on a forge that marks drafts by the beginning of their titles. */
export interface DraftTitles {
  /** The title to send. */
  mark(title: string, isDraft: boolean): string;
  /** The title without a mark. */
  strip(title: string): string;
  /** The title to send for changes; undefined if it stays. Reads the pull request if the changes leave out title or draft. */
  change(changes: PullRequestChanges, read: () => Promise<{ title: string; draft?: boolean | undefined }>): Promise<string | undefined>;
}

export function createDraftTitles({ prefix, marks }: { prefix: string; marks: RegExp }): DraftTitles {
  const mark = (title: string, isDraft: boolean): string => (isDraft ? prefix + title : title);
  const strip = (title: string): string => title.replace(marks, "");
  return {
    mark,
    strip,
    async change({ title, draft }, read) {
      if (title === undefined && draft === undefined) return undefined;
      if (title !== undefined && draft !== undefined) return mark(title, draft);
      const known = await read();
      return mark(title ?? strip(known.title), draft ?? known.draft ?? false);
    },
  };
}
