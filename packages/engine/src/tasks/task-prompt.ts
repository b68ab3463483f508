import type { Task } from "@skein/contracts";

/** The prompt for a task: its title and description, or only the description if the title was derived from it. */
export function toTaskPrompt({ title, description }: Pick<Task, "title" | "description">): string {
  const text = description.trim();
  if (text === "") return title;
  const start = title.endsWith("…") ? title.slice(0, -1) : title;
  return text.startsWith(start) ? text : `${title}\n\n${text}`;
}
