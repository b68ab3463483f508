export type ComposerAction = "send" | "steer" | "stop" | "none";

/** Enter sends and Shift+Enter breaks the line; Ctrl or Cmd with Enter sends too, past the queue while the agent works. Enter that ends an input method's word does neither. */
export function composerAction(
  event: { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; isComposing: boolean },
  { isExecuting }: { isExecuting: boolean },
): ComposerAction {
  if (event.isComposing) return "none";
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return isExecuting ? "steer" : "send";
  if (event.key === "Enter" && !event.shiftKey) return "send";
  return event.key === "Escape" && isExecuting ? "stop" : "none";
}
