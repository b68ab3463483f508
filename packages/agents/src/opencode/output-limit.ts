import type { LineContext } from "../lines/json-line-decoder.ts";

export function showOutputLimit({ ids, at, emit }: LineContext): void {
  const text = "The model reached its output limit: the answer above is not complete.";
  emit({ type: "notice", messageId: ids.next(), text, code: "output-limit", at });
}
