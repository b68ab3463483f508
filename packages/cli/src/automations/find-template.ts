import { type ProjectId, type Template, templateSchema } from "@skein/contracts";
import { fillTemplate, listVariables } from "@skein/engine";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { exitCode } from "../exit-code.ts";

/** The template with this name, or the beginning of its id. `projectId`: only of this project. */
export async function findTemplate(client: ApiClient, text: string, projectId?: ProjectId): Promise<Template> {
  const all = await client.get("/api/templates", templateSchema.array());
  const near = all.filter((template) => projectId === undefined || template.projectId === projectId);
  const found = near.filter(({ id, name }) => name === text || id === text || (text.length >= 8 && id.startsWith(text)));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
    const hint = near.length === 0 ? "Create one: skein templates add" : `There are: ${near.map(({ name }) => name).join(", ")}`;
    throw new CliError(`There is no template “${text}”${projectId === undefined ? "" : " in this project"}.`, {
      hint,
      exitCode: exitCode.usage,
    });
  }
  throw new CliError(`Several templates are named “${text}”. Use an id.`, {
    hint: found.map(({ id }) => id).join("\n"),
    exitCode: exitCode.usage,
  });
}

/** `--set name=value`, several times. */
export function parseValues(pairs: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1) throw new CliError(`“${pair}” is not a value. Write --set name=value.`, { exitCode: exitCode.usage });
    values.set(pair.slice(0, at).trim(), pair.slice(at + 1));
  }
  return values;
}

/** The prompt and the title with their values. Throws a usage error for variables without a value, and values without a variable. */
export function fillForm({ name, prompt, title }: Template, values: ReadonlyMap<string, string>): { prompt: string; title: string | null } {
  const variables = listVariables(prompt, title);
  const missing = variables.filter((variable) => !values.get(variable)?.trim());
  if (missing.length > 0) {
    throw new CliError(`The template “${name}” needs values: ${missing.join(", ")}.`, {
      hint: missing.map((variable) => `--set ${variable}=…`).join(" "),
      exitCode: exitCode.usage,
    });
  }
  const unknown = [...values.keys()].filter((variable) => !variables.includes(variable));
  if (unknown.length > 0) {
    const hint = variables.length === 0 ? "It has no variables." : `Its variables: ${variables.join(", ")}`;
    throw new CliError(`The template “${name}” has no variable ${unknown.join(", ")}.`, { hint, exitCode: exitCode.usage });
  }
  return { prompt: fillTemplate(prompt, values), title: title === null ? null : fillTemplate(title, values).slice(0, 500) };
}
