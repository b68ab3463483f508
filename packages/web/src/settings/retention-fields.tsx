import type { RetentionSettings } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { putSettings, settingsApi, settingsQuery } from "../api/shell-api.ts";
import { ErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { NumberSetting } from "./setting-fields.tsx";
import { useCleanText } from "./use-clean-text.ts";

const mostDays = 3650;
const fields = ["worktreeDays", "sandboxHomeDays", "executionLogDays"] as const satisfies (keyof RetentionSettings)[];

/** What the server removes by itself, and when. */
export function RetentionFields() {
  const words = useCleanText();
  const client = useQueryClient();
  const { data: settings } = useQuery(settingsQuery);
  const { error, run } = useAction();
  if (settings === undefined) return null;
  const save = (changes: Partial<RetentionSettings>) =>
    void run(async () => {
      const general = await settingsApi.setGeneral({ retention: changes });
      putSettings(client, (known) => ({ ...known, general }));
      showToast({ text: words.saved, tone: "plain" });
    });
  return (
    <section aria-labelledby="retention" className="mt-8 max-w-xl space-y-3">
      <h3 className="font-semibold" id="retention">
        {words.retention}
      </h3>
      <p className="text-ink-soft text-sm">{words.aboutRetention}</p>
      {error && <ErrorText>{error}</ErrorText>}
      {fields.map((field) => (
        <NumberSetting
          key={field}
          label={words.retentionFields[field]}
          max={mostDays}
          min={0}
          note={null}
          onChange={(value) => save({ [field]: value ?? 0 })}
          value={settings.general.retention[field]}
        />
      ))}
    </section>
  );
}
