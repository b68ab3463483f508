export const sideViews = ["changes", "context", "files", "terminal", "shell", "preview", "timeline"] as const;

/** A pane next to the conversation. */
export type SideView = (typeof sideViews)[number];

/** What the page of a task shows, as in its address: `?view=changes`. */
export type TaskView = "conversation" | SideView;
