export type ComposerAction = "send" | "stop" | "none";

/** Enter sends and Shift+Enter breaks the line; Ctrl or Cmd with Enter sends too. Enter that ends an input method's word does neither. */
export function composerAction(
  event: { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; isComposing: boolean },
  { isExecuting }: { isExecuting: boolean },
): ComposerAction {
  if (event.isComposing) return "none";
  if (event.key === "Enter" && (!event.shiftKey || event.ctrlKey || event.metaKey)) return "send";
  return event.key === "Escape" && isExecuting ? "stop" : "none";
}
