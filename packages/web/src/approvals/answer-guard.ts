/** How long a question must have been on the screen before it can be answered. */
export const seenMs = 400;

/** The title says what is asked; the actions are what is answered with. A card may be taller than the screen. */
export type GuardedPart = "title" | "actions";

export interface AnswerGuard {
  isReady(): boolean;
  show(part: GuardedPart, visible: boolean): void;
  showPage(visible: boolean): void;
  /** What is asked has changed, or has moved: it counts as new. */
  restart(): void;
  stop(): void;
}

/**
 * Whether what is about to be answered has been seen: since the last restart the title was visible for `seenMs` at some time, and
 * the actions have been visible for `seenMs` until now. Time counts only while the page is visible.
 */
export function createAnswerGuard(onChange: (isReady: boolean) => void): AnswerGuard {
  const visible: Record<GuardedPart, boolean> = { title: false, actions: false };
  const seen: Record<GuardedPart, boolean> = { title: false, actions: false };
  const timers: Partial<Record<GuardedPart, ReturnType<typeof setTimeout>>> = {};
  let isPageVisible = true;
  let told = false;

  const isReady = () => isPageVisible && visible.actions && seen.title && seen.actions;
  const tell = () => {
    if (isReady() === told) return;
    told = !told;
    onChange(told);
  };
  /** Begins to count anew where the part can be seen. */
  const count = (part: GuardedPart) => {
    clearTimeout(timers[part]);
    if (!isPageVisible || !visible[part] || seen[part]) return;
    timers[part] = setTimeout(() => {
      seen[part] = true;
      tell();
    }, seenMs);
  };
  const countBoth = () => {
    count("title");
    count("actions");
    tell();
  };
  return {
    isReady,
    show(part, isVisible) {
      if (visible[part] === isVisible) return;
      visible[part] = isVisible;
      if (!isVisible && part === "actions") seen.actions = false;
      count(part);
      tell();
    },
    showPage(isVisible) {
      isPageVisible = isVisible;
      if (!isVisible) seen.actions = false;
      countBoth();
    },
    restart() {
      seen.title = false;
      seen.actions = false;
      countBoth();
    },
    stop() {
      for (const timer of Object.values(timers)) clearTimeout(timer);
    },
  };
}
