import { readStored, writeStored } from "./stored-value.ts";

const key = "skein.project";

export const lastProject = {
  read: (): string | null => readStored(key),
  write: (projectId: string): void => writeStored(key, projectId),
};
