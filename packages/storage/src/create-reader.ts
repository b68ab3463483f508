import type { StorageReader } from "@skein/engine";
import { readActivities } from "./queries/activities.ts";
import { readAgentStarts } from "./queries/agent-starts.ts";
import { readApprovals } from "./queries/approvals.ts";
import { readAttempts } from "./queries/attempts.ts";
import { readAuditEntries } from "./queries/audit-entries.ts";
import { readAutomations } from "./queries/automations.ts";
import { readBudgets } from "./queries/budgets.ts";
import { readCommands } from "./queries/commands.ts";
import { readCompressions } from "./queries/compressions.ts";
import { readConversationMessages } from "./queries/conversation-messages.ts";
import { readDeletions } from "./queries/deletions.ts";
import { readEvents } from "./queries/events.ts";
import { readExecutions } from "./queries/executions.ts";
import { readFinds } from "./queries/find-in-conversation.ts";
import { readGrants } from "./queries/grants.ts";
import { readHosts } from "./queries/hosts.ts";
import { readImportedSessions } from "./queries/imported-sessions.ts";
import { readInboxItems } from "./queries/inbox-items.ts";
import { readInstance } from "./queries/instance.ts";
import { readJobs } from "./queries/jobs.ts";
import { readLandings } from "./queries/landings.ts";
import { readLocations } from "./queries/locate-projects.ts";
import { readMessages } from "./queries/messages.ts";
import { readProjects } from "./queries/projects.ts";
import { readPullRequests } from "./queries/pull-requests.ts";
import { readQueuedMessages } from "./queries/queued-messages.ts";
import { readReviews } from "./queries/reviews.ts";
import { readSearch } from "./queries/search.ts";
import { readSignIns } from "./queries/sign-ins.ts";
import { readStorageOwners } from "./queries/storage-owners.ts";
import { readTasks } from "./queries/tasks.ts";
import { readUsage } from "./queries/usage.ts";
import { readUsers } from "./queries/users.ts";
import type { QueryContext } from "./query-context.ts";

export function createReader(context: QueryContext): StorageReader {
  return {
    ...readInstance(context),
    ...readProjects(context),
    ...readTasks(context),
    ...readAttempts(context),
    ...readActivities(context),
    ...readExecutions(context),
    ...readMessages(context),
    ...readConversationMessages(context),
    ...readFinds(context),
    ...readQueuedMessages(context),
    ...readApprovals(context),
    ...readInboxItems(context),
    ...readReviews(context),
    ...readHosts(context),
    ...readLandings(context),
    ...readPullRequests(context),
    ...readAgentStarts(context),
    ...readBudgets(context),
    ...readImportedSessions(context),
    ...readJobs(context),
    ...readGrants(context),
    ...readAutomations(context),
    ...readCommands(context),
    ...readCompressions(context),
    ...readDeletions(context),
    ...readEvents(context),
    ...readSearch(context),
    ...readStorageOwners(context),
    ...readUsage(context),
    ...readUsers(context),
    ...readSignIns(context),
    ...readAuditEntries(context),
    ...readLocations(context),
  };
}
