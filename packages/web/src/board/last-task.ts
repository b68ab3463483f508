let lastTaskId: string | null = null;

/** The task that was open last: on the board the arrow keys start from it. */
export const lastTask = {
  read: (): string | null => lastTaskId,
  write(taskId: string): void {
    lastTaskId = taskId;
  },
};
