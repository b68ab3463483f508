import type { LineContext } from "../lines/json-line-decoder.ts";

export function showOutputLimit({ ids, at, emit }: LineContext): void {
  emit({ type: "notice", messageId: ids.next(), text: { code: "output-limit" }, code: "output-limit", at });
}
