import { CommandLine } from "./command-line.tsx";
import { ErrorText } from "./error-text.tsx";

/** Why something failed or cannot be done, and the command that removes the cause. */
export interface Failure {
  text: string;
  command?: string | undefined;
  /** The hook of the repository that refused it, and what it printed. */
  refusal?: { hook: string; output: string } | undefined;
}

export function FailureText({ text, command }: Failure) {
  return (
    <div>
      <ErrorText>{text}</ErrorText>
      {command !== undefined && <CommandLine command={command} />}
    </div>
  );
}
