import { type GeminiPart, parseGeminiRequest } from "../../provider-rules/gemini/request.ts";
import type { Violation } from "../../provider-rules/violation.ts";

/** The documented signature for calls that no Gemini model made: they are accepted unchecked. */
const DUMMIES = new Set(["context_engineering_is_the_way_to_go", "skip_thought_signature_validator"]);

/** G4, the part that only the issuer can check: a signature is bound to its model and to its part. */
export class IssuedSignatures {
  readonly #issued = new Map<string, { model: string; signed: string }>();

  record({ model, parts }: { model: string; parts: GeminiPart[] }): void {
    for (const part of parts) {
      if (part.thoughtSignature !== undefined) this.#issued.set(part.thoughtSignature, { model, signed: signedOf(part) });
    }
  }

  check(body: unknown, model: string): Violation[] {
    const parsed = parseGeminiRequest(body);
    if (!parsed.ok) return [];
    return parsed.request.contents.flatMap((content, index) =>
      content.parts.flatMap((part, at): Violation[] => {
        const signature = part.thoughtSignature;
        if (signature === undefined || DUMMIES.has(signature)) return [];
        const issued = this.#issued.get(signature);
        if (issued?.model === model && issued.signed === signedOf(part)) return [];
        return [{ rule: "G4", path: `contents[${index}].parts[${at}]`, message: "Corrupted thought signature." }];
      }),
    );
  }
}

// The text around a signature may be joined from several chunks; a call is one part and has to be the same call.
function signedOf({ functionCall }: GeminiPart): string {
  return functionCall === undefined ? "text" : canonicalJson([functionCall.name, functionCall.args ?? {}]);
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, found: unknown) => {
    if (typeof found !== "object" || found === null || Array.isArray(found)) return found;
    return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
