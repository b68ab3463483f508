import type { Violation } from "../violation.ts";
import { callsOf, type GeminiRequest, roleOf } from "./request.ts";

/** G2 and G3: the order of roles. */
export function checkTurns(request: GeminiRequest): Violation[] {
  const { contents } = request;
  const violations: Violation[] = [];
  contents.forEach((content, index) => {
    const path = `contents[${index}]`;
    const role = roleOf(content);
    if (role !== "user" && role !== "model")
      violations.push({ rule: "G3", path: `${path}.role`, message: "Please use a valid role: user, model." });
    if (callsOf(content).length > 0 && (index === 0 || roleOf(contents[index - 1]) === "model" || role !== "model")) {
      const message = "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
      violations.push({ rule: "G2", path, message });
    }
  });
  if (roleOf(contents.at(-1)) === "model") {
    const message =
      contents.length === 1
        ? "Please ensure that single turn requests end with a user role or the role field is empty."
        : "Please ensure that multiturn requests ends with a user role or a function response.";
    violations.push({ rule: "G3", path: `contents[${contents.length - 1}]`, message });
  }
  return violations;
}
