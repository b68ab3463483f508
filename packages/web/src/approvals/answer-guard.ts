/** How long a question must have been on the screen before it can be answered. */
export const seenMs = 400;

export interface AnswerGuard {
  /** Whether the buttons are on the screen: they are at the end of the card, which may be taller than the screen. */
  show(visible: boolean): void;
  showPage(visible: boolean): void;
  /** The question has changed or moved: it counts as new. */
  restart(): void;
  stop(): void;
}

/** Reports when a question has been visible for `seenMs`, in a visible page, and when it no longer is. */
export function createAnswerGuard(onChange: (isReady: boolean) => void): AnswerGuard {
  let isVisible = false;
  let isPageVisible = true;
  let isReady = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const report = (ready: boolean) => {
    if (ready === isReady) return;
    isReady = ready;
    onChange(ready);
  };
  const restart = () => {
    clearTimeout(timer);
    report(false);
    if (isVisible && isPageVisible) timer = setTimeout(() => report(true), seenMs);
  };
  return {
    restart,
    show(visible) {
      if (visible === isVisible) return;
      isVisible = visible;
      restart();
    },
    showPage(visible) {
      if (visible === isPageVisible) return;
      isPageVisible = visible;
      restart();
    },
    stop: () => clearTimeout(timer),
  };
}
