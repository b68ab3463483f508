import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import { completeBySchema } from "./complete-by-schema.ts";

interface Operation {
  method: string;
  path: string;
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  body: { properties?: Record<string, unknown> } | null;
  responses: Record<string, object | null>;
}

interface Description {
  operations: Operation[];
  definitions: Record<string, object>;
}

export interface DescribedOperation {
  path: string;
  /** Of the path. */
  parameters: Record<string, string>;
  /** What the description does not allow. */
  checkRequest(query: URLSearchParams, body: unknown): string[];
  checkAnswer(status: number, body: unknown): string[];
}

const description = JSON.parse(readFileSync(new URL("./github-description.json", import.meta.url), "utf8")) as Description;

/** A whole answer, from the fields that matter. */
export function completeGithubAnswer(definition: string, known: object): unknown {
  return completeBySchema({ $ref: `#/definitions/${definition}` }, known, description.definitions);
}

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
/** Shared by all servers of a process: to compile one takes up to a tenth of a second. */
const compiled = new Map<object, ValidateFunction>();

function check(schema: object, value: unknown, what: string): string[] {
  const validate = compiled.get(schema) ?? ajv.compile({ ...schema, definitions: description.definitions });
  compiled.set(schema, validate);
  return validate(value) ? [] : [`${what}: ${ajv.errorsText(validate.errors)}`];
}

/** GitHub's own description of its API, as far as the scripted server offers it. */
export function openGithubDescription(): { find(method: string, path: string): DescribedOperation | undefined } {
  const known = description.operations.map((operation) => {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    return { operation, names, pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, "([^/]+)")}$`) };
  });
  return {
    find(method, path) {
      for (const { operation, names, pattern } of known) {
        const match = operation.method === method ? pattern.exec(path) : null;
        if (match === null) continue;
        const name = `${method} ${operation.path}`;
        return {
          path: operation.path,
          parameters: Object.fromEntries(names.map((one, index) => [one, decodeURIComponent(match[index + 1] ?? "")])),
          checkRequest(query, body) {
            const unknown = [...query.keys()].filter((key) => !operation.parameters.some((one) => one.in === "query" && one.name === key));
            const fields = Object.keys(body ?? {}).filter((key) => operation.body?.properties?.[key] === undefined);
            return [
              ...[...unknown, ...fields].map((field) => `${name}: unknown field ${field}`),
              ...(operation.body === null ? [] : check(operation.body, body, `${name} body`)),
            ];
          },
          checkAnswer(status, answer) {
            const schema = operation.responses[status];
            if (schema === undefined) return status >= 400 ? [] : [`${name}: the status ${status} is not described`];
            return schema === null ? [] : check(schema, answer, `${name} ${status}`);
          },
        };
      }
      return undefined;
    },
  };
}
