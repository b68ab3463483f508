import type { Approval } from "@skein/contracts";
import { useTaskText } from "../i18n/task-text.ts";
import { revealLine } from "../text/reveal-line.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { ApprovalFields } from "./approval-fields.tsx";
import { ApprovalFrame } from "./approval-frame.tsx";
import { cutRows } from "./approval-parts.ts";
import { ChangePreview } from "./change-preview.tsx";
import { RevealedText } from "./revealed-text.tsx";
import { ShowAllMark, ShownText } from "./shown-text.tsx";
import { TamperingWarning } from "./tampering-warning.tsx";
import { type Permission, usePermission } from "./use-permission.ts";

/** Asks to use a tool: its complete input, the reason for asking, and the answers. */
export function PermissionCard({ approval, active }: { approval: Approval; active: boolean }) {
  const { approval: words } = useTaskText();
  const permission = usePermission(approval, active);
  return (
    <ApprovalFrame
      active={active}
      aside={
        <span className="ms-auto max-w-[40%] shrink-0 truncate font-mono text-xs" title={words.tool}>
          <span className="sr-only">{words.tool}: </span>
          {revealLine(approval.toolName)}
        </span>
      }
      icon="shield"
      id={approval.id}
      takesKeys={permission.takesKeys}
      title={permission.title}
      tone="warn"
    >
      <div className="space-y-2 px-3 py-3">
        <TamperingWarning approval={approval} />
        <Warning approval={approval} />
        <Input permission={permission} />
        {permission.error && <ErrorText>{permission.error}</ErrorText>}
        {permission.isDenying && <DenyReason permission={permission} />}
        <Answers permission={permission} />
      </div>
    </ApprovalFrame>
  );
}

function Warning({ approval }: { approval: Approval }) {
  const text = useTaskText();
  if (!approval.reason) return null;
  return (
    <p className="flex items-start gap-2 rounded-lg border border-warn/40 bg-warn-wash px-3 py-2 font-medium text-sm text-warn">
      <Icon className="mt-0.5" name="warning" size={15} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <RevealedText text={text.coded(approval.reasonText, approval.reason)} />
      </span>
    </p>
  );
}

/** The command, the change and the other input, with everything that could hide named. */
function Input({ permission: { command, change, fields, size, showMore, hidden, mustRead } }: { permission: Permission }) {
  const { approval: words } = useTaskText();
  const shownFields = cutRows(fields, size);
  return (
    <>
      {command !== null && (
        <pre className="whitespace-pre-wrap rounded-lg border border-line bg-code px-3 py-2 font-mono text-[0.8rem] [overflow-wrap:anywhere]">
          <ShownText onShowAll={showMore} size={size} text={command} />
        </pre>
      )}
      {change && <ChangePreview change={change} onShowAll={showMore} size={size} />}
      {fields.length > 0 && (
        <>
          <ApprovalFields fields={shownFields.head} onShowAll={showMore} size={size} />
          {shownFields.hidden > 0 && <ShowAllMark onClick={showMore}>{words.cutRows(shownFields.hidden)}</ShowAllMark>}
          <ApprovalFields fields={shownFields.tail} onShowAll={showMore} size={size} />
        </>
      )}
      {hidden.count > 0 && (
        <ErrorText>
          {words.hidden(hidden.count, [...hidden.codePoints.slice(0, 5), ...(hidden.codePoints.length > 5 ? ["…"] : [])].join(", "))}
        </ErrorText>
      )}
      {mustRead && <p className="text-sm text-warn">{words.mustRead}</p>}
    </>
  );
}

function DenyReason({ permission: { reason, setReason, deny, cancelDenying } }: { permission: Permission }) {
  const { approval: words } = useTaskText();
  return (
    <input
      aria-label={words.reason}
      // biome-ignore lint/a11y/noAutofocus: it appears because the user asked for it
      autoFocus
      className="h-9 w-full rounded-md border border-line-strong bg-canvas px-2.5 text-sm placeholder:text-ink-faint"
      maxLength={10_000}
      onChange={(event) => setReason(event.target.value)}
      onKeyDown={(event) => {
        // the key that opened the field may still be held
        if (event.repeat && reason === "") event.preventDefault();
        else if (event.key === "Enter" && !event.nativeEvent.isComposing) deny();
        if (event.key === "Escape") cancelDenying();
      }}
      placeholder={words.reasonPlaceholder}
      value={reason}
    />
  );
}

function Answers({ permission }: { permission: Permission }) {
  const { app, approval: words } = useTaskText();
  const { always, isBusy, isDenying, isReady, mustRead, showsKeys } = permission;
  const byClick = (act: () => void) => () => isReady && act();
  const button = { "aria-disabled": !isReady, disabled: isBusy };
  return (
    <div className="flex flex-wrap gap-2 pt-1" ref={permission.actions}>
      {!isDenying && (
        <Button {...button} look="primary" onClick={byClick(permission.allow)} ref={permission.allowButton}>
          {mustRead ? words.showAll : words.allow}
          {showsKeys && <KeyHint keys="A" />}
        </Button>
      )}
      <Button {...button} look="danger" onClick={byClick(isDenying ? permission.deny : permission.startDenying)}>
        {words.deny}
        {showsKeys && !isDenying && <KeyHint keys="D" />}
      </Button>
      {isDenying && (
        <Button disabled={isBusy} look="quiet" onClick={permission.cancelDenying}>
          {app.cancel}
        </Button>
      )}
      {always && !mustRead && !isDenying && (
        // Never cut: what is allowed permanently must be readable in full.
        <Button
          {...button}
          className="h-auto! min-h-8 pointer-coarse:min-h-11 whitespace-normal! py-1 text-start [overflow-wrap:anywhere]"
          onClick={byClick(permission.allowAlways)}
        >
          {words.always(always)}
          {showsKeys && <KeyHint keys="⇧A" />}
        </Button>
      )}
    </div>
  );
}
