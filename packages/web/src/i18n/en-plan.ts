/** Planning before acting: the permission mode, and the card of a plan. */
export const planEn = {
  mode: "Plan first",
  modeUnavailable: "Plan first (this agent has no plan mode)",
  hints: {
    enforced: "The agent can only read until you have approved its plan. You can edit the plan, or answer it.",
    own: "The agent works in its own plan mode until you have approved its plan. You can edit the plan, or answer it.",
    "if-offered": "If this agent offers a plan mode, it plans until you have approved its plan. If it does not, nothing is sent.",
    none: "This agent has no plan mode.",
  },
  agentMode: "Agent's mode",
  agentModeHint: "Modes that this agent offers",
  agentModeDefault: "By permissions",
  card: {
    title: "A plan to review",
    edit: "Edit",
    editing: "The plan, in Markdown",
    discard: "Discard my edits",
    continueWith: "After approval",
    approve: "Approve plan",
    approveEdited: "Approve edited plan",
    reply: "Send back",
    replyLabel: "Feedback on the plan",
    replyPlaceholder: "What should be different?",
    send: "Send feedback",
  },
};
