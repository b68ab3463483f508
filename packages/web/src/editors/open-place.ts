import type { Attempt } from "@skein/contracts";
import { editorNames } from "@skein/engine";
import { useTaskText } from "../i18n/task-text.ts";
import { usePreference } from "../preferences/preference.ts";
import { showToast } from "../ui/toast.ts";
import { editorPreference, toAddress } from "./editor-preference.ts";

/** What opens a place in the chosen editor, and its name: “Open in VS Code”. What cannot be opened from here is copied: its path. */
export function useOpenPlace() {
  const { editor: text } = useTaskText().taskPage;
  const [editor] = usePreference(editorPreference);
  return {
    label: text.openIn(editor === "custom" ? text.yours : editorNames[editor]),
    open(
      { directory, hostId }: Pick<Attempt, "directory" | "hostId">,
      place: { path?: string | undefined; line?: number | undefined } = {},
    ) {
      const address = toAddress(editor, { directory, ...place, isOnWorker: Boolean(hostId) });
      if (address !== undefined) return location.assign(address);
      const path = place.path === undefined ? directory : `${directory}/${place.path}`;
      const report = () => showToast({ text: text.copied(path), tone: "plain" });
      void navigator.clipboard?.writeText(path).then(report, () => {});
    },
  };
}
