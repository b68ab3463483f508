export type ComposerAction = "send" | "steer" | "stop" | "leave" | "none";

/** Enter sends and Shift+Enter breaks the line; Ctrl or Cmd with Enter sends too, past the queue while the agent works. Enter that ends an input method's word does neither. Escape stops the agent; while it waits for an answer, Escape leaves the field, so that the answer's keys work. */
export function composerAction(
  event: { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; isComposing: boolean },
  { isExecuting, isAsked }: { isExecuting: boolean; isAsked: boolean },
): ComposerAction {
  if (event.isComposing) return "none";
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return isExecuting ? "steer" : "send";
  if (event.key === "Enter" && !event.shiftKey) return "send";
  if (event.key !== "Escape" || !isExecuting) return "none";
  return isAsked ? "leave" : "stop";
}
