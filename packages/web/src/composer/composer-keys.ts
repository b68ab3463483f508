export type ComposerAction = "send" | "steer" | "stop" | "leave" | "none";

/**
 * Enter sends and Shift+Enter breaks the line; Ctrl or Cmd with Enter sends too, past the queue while the agent works. Enter that ends
 * an input method's word does neither. Escape stops an agent that works; otherwise it leaves the field, so that the page's keys work:
 * those of an answer, for example.
 */
export function composerAction(
  event: { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; isComposing: boolean },
  { isExecuting, isAsked }: { isExecuting: boolean; isAsked: boolean },
): ComposerAction {
  if (event.isComposing) return "none";
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return isExecuting ? "steer" : "send";
  if (event.key === "Enter" && !event.shiftKey) return "send";
  if (event.key !== "Escape") return "none";
  return isExecuting && !isAsked ? "stop" : "leave";
}
