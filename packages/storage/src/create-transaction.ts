import type { SequencedEvent } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";
import { createReader } from "./create-reader.ts";
import { writeAgentStarts } from "./queries/agent-starts.ts";
import { writeApprovals } from "./queries/approvals.ts";
import { writeAttempts } from "./queries/attempts.ts";
import { writeAuditEntries } from "./queries/audit-entries.ts";
import { writeAutomations } from "./queries/automations.ts";
import { writeBudgets } from "./queries/budgets.ts";
import { writeCommands } from "./queries/commands.ts";
import { writeCompressions } from "./queries/compressions.ts";
import { writeConversationMessages } from "./queries/conversation-messages.ts";
import { writeDeletions } from "./queries/deletions.ts";
import { createAppendEvents, writeEvents } from "./queries/events.ts";
import { writeExecutions } from "./queries/executions.ts";
import { writeGrants } from "./queries/grants.ts";
import { writeHosts } from "./queries/hosts.ts";
import { writeImportedSessions } from "./queries/imported-sessions.ts";
import { writeInboxItems } from "./queries/inbox-items.ts";
import { writeInstance } from "./queries/instance.ts";
import { writeJobs } from "./queries/jobs.ts";
import { writeLandings } from "./queries/landings.ts";
import { writeMessages } from "./queries/messages.ts";
import { writeProjects } from "./queries/projects.ts";
import { writePullRequests } from "./queries/pull-requests.ts";
import { writeQueuedMessages } from "./queries/queued-messages.ts";
import { writeReviews } from "./queries/reviews.ts";
import { writeSearchBacklog } from "./queries/search-backlog.ts";
import { writeSignIns } from "./queries/sign-ins.ts";
import { writeTasks } from "./queries/tasks.ts";
import { writeUsers } from "./queries/users.ts";
import type { QueryContext } from "./query-context.ts";

/** `appended` is called with every event that the transaction appends, in order. */
export function createTransaction(context: QueryContext, appended: (event: SequencedEvent) => void): StorageTransaction {
  const appendEvents = createAppendEvents(context, appended);
  return {
    ...createReader(context),
    ...writeInstance(context),
    ...writeProjects(context),
    ...writeTasks(context),
    ...writeAttempts(context),
    ...writeExecutions(context),
    ...writeMessages(context),
    ...writeConversationMessages(context, appendEvents),
    ...writeQueuedMessages(context),
    ...writeApprovals(context),
    ...writeInboxItems(context),
    ...writeReviews(context),
    ...writeHosts(context),
    ...writeLandings(context),
    ...writePullRequests(context),
    ...writeImportedSessions(context),
    ...writeGrants(context),
    ...writeAutomations(context),
    ...writeJobs(context),
    ...writeAgentStarts(context),
    ...writeBudgets(context),
    ...writeCommands(context),
    ...writeCompressions(context),
    ...writeDeletions(context),
    ...writeSearchBacklog(context),
    ...writeEvents(appendEvents),
    ...writeUsers(context),
    ...writeSignIns(context),
    ...writeAuditEntries(context),
  };
}
