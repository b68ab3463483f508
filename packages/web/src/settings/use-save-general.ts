import type { UpdateGeneralSettings } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { putSettings, settingsApi } from "../api/shell-api.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";

/** Saves general settings, and shows them at once. */
export function useSaveGeneral(): { error: string | null; save(changes: UpdateGeneralSettings): Promise<void> } {
  const client = useQueryClient();
  const { saved } = useSettingsText().shell.settings.conversations;
  const { error, run } = useAction();
  const save = (changes: UpdateGeneralSettings) =>
    run(async () => {
      const general = await settingsApi.setGeneral(changes);
      putSettings(client, (known) => ({ ...known, general }));
      showToast({ text: saved, tone: "plain" });
    });
  return { error, save };
}
