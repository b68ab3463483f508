import type { Violation } from "../violation.ts";
import type { GeminiRequest } from "./request.ts";

const NAME = /^[a-zA-Z_][\w.-]{0,63}$/;
const REASON =
  "Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.";

/** G5: names of functions where they are declared, called and answered. */
export function checkNames(request: GeminiRequest): Violation[] {
  const declared = (request.tools ?? []).flatMap((tool, index) =>
    (tool.functionDeclarations ?? []).map(({ name }, at) => ({ name, path: `tools[${index}].function_declarations[${at}].name` })),
  );
  const used = request.contents.flatMap((content, index) =>
    content.parts.flatMap(({ functionCall, functionResponse }, at) => {
      const path = `contents[${index}].parts[${at}]`;
      if (functionCall !== undefined) return [{ name: functionCall.name, path: `${path}.function_call.name` }];
      return functionResponse === undefined ? [] : [{ name: functionResponse.name, path: `${path}.function_response.name` }];
    }),
  );
  const invalid = [...declared, ...used].filter(({ name }) => !NAME.test(name));
  const violations: Violation[] = invalid.map(({ path }) => ({
    rule: "G5",
    path,
    message: `* GenerateContentRequest.${path}: ${REASON}\n`,
  }));
  const names = declared.map(({ name }) => name);
  for (const name of new Set(names.filter((found, at) => names.indexOf(found) !== at))) {
    violations.push({ rule: "G5", path: "tools", message: `Duplicate function declaration found: ${name}` });
  }
  return violations;
}
