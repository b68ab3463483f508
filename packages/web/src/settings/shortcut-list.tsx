import { usePaletteText } from "../i18n/palette-text.ts";

/** Every keyboard shortcut, by where it works. */
export function ShortcutList() {
  const {
    shortcuts,
    taskPage: { keys },
  } = usePaletteText();
  const groups: [string, [string[], string][]][] = [
    [
      shortcuts.general,
      [
        [["Ctrl / ⌘", "K"], shortcuts.search],
        [["C"], shortcuts.newTask],
        [["B"], shortcuts.goBoard],
        [["I"], shortcuts.goInbox],
        [["U"], shortcuts.goAutomations],
        [[","], shortcuts.goSettings],
        [["?"], shortcuts.help],
      ],
    ],
    [
      shortcuts.board,
      [
        [["/"], shortcuts.filter],
        [["V"], shortcuts.toggleView],
        [["J", "K", "H", "L"], shortcuts.move],
        [["Shift", "← →"], shortcuts.moveCard],
        [["Shift", "↑ ↓"], shortcuts.reorder],
        [["Enter"], shortcuts.open],
        [["1", "…", "5"], shortcuts.setStatus],
        [["S"], shortcuts.start],
        [["X"], shortcuts.select],
        [["E"], shortcuts.archive],
        [["Delete"], shortcuts.deleteTask],
        [["Ctrl / ⌘", "Z"], shortcuts.undo],
      ],
    ],
    [
      shortcuts.inbox,
      [
        [["A"], shortcuts.allow],
        [["Shift", "A"], shortcuts.allowAlways],
        [["D"], shortcuts.deny],
        [["J", "K"], shortcuts.nextEntry],
        [["Enter"], shortcuts.open],
        [["S"], shortcuts.sendFeedback],
        [["E"], shortcuts.dismiss],
      ],
    ],
    [
      shortcuts.task,
      [
        [["M"], shortcuts.focusComposer],
        [["Enter"], shortcuts.send],
        [["Ctrl / ⌘", "Enter"], shortcuts.sendNow],
        [["Shift", "Enter"], shortcuts.newline],
        [["Esc"], shortcuts.stop],
        [["N"], shortcuts.newAttempt],
        [["A", "D"], shortcuts.answer],
        [["D", "X", "F", "T", "L"], keys.panes],
        [["Ctrl / ⌘", "F"], keys.find],
        [["K", "J"], keys.prompt],
        [["E", "Shift E"], keys.error],
        [["@", "/"], keys.complete],
        [["↑"], keys.history],
        [["Enter"], shortcuts.toggleCard],
      ],
    ],
  ];
  return (
    <div className="space-y-4">
      {groups.map(([title, rows]) => (
        <section key={title}>
          <h3 className="mb-1.5 font-medium text-ink-faint text-xs">{title}</h3>
          <dl className="space-y-1.5">
            {rows.map(([keys, label]) => (
              <div className="flex items-center justify-between gap-4 text-sm" key={label}>
                <dt>{label}</dt>
                <dd className="flex shrink-0 gap-1">
                  {keys.map((key) => (
                    <kbd
                      className="min-w-6 whitespace-nowrap rounded border border-line-strong bg-sunken px-1.5 text-center font-sans text-ink-soft text-xs leading-5"
                      key={key}
                    >
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
