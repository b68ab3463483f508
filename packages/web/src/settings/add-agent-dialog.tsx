import { useState } from "react";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { CatalogueList } from "./catalogue-list.tsx";
import { CustomAgentForm } from "./custom-agent-form.tsx";
import { useAgentsText } from "./use-agents-text.ts";

const sources = ["catalogue", "custom"] as const;

/** `search` is what is looked for first. */
export function AddAgentDialog({ search, onClose }: { search: string; onClose(): void }) {
  const words = useAgentsText();
  const [from, setFrom] = useState<(typeof sources)[number]>("catalogue");
  return (
    <Dialog description={words.risk} onOpenChange={(open) => !open && onClose()} open title={words.title} width="wide">
      <div className="space-y-4">
        <ChoiceGroup
          choices={sources.map((value) => ({ value, label: words.sources[value] }))}
          label={words.from}
          onChange={(value) => setFrom(value)}
          value={from}
        />
        {from === "catalogue" ? (
          <CatalogueList initialSearch={search} onCustom={() => setFrom("custom")} />
        ) : (
          <CustomAgentForm onDone={onClose} />
        )}
      </div>
    </Dialog>
  );
}
