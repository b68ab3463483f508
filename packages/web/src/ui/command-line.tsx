import { useText } from "../i18n/locale.tsx";
import { CopyButton } from "./copy-button.tsx";

/** A command that the user can run in a terminal. */
export function CommandLine({ command }: { command: string }) {
  const { app } = useText();
  return (
    <div className="mt-1 flex items-start gap-1 rounded-md bg-code ps-2 text-xs" dir="ltr">
      <code className="min-w-0 flex-1 py-1.5 [overflow-wrap:anywhere]">{command}</code>
      <CopyButton label={app.copyCommand} text={command} />
    </div>
  );
}
