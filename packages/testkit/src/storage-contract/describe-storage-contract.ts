import { describe } from "vitest";
import { describeActivities } from "./activity-rules.ts";
import { describeAutomations } from "./automation-rules.ts";
import { describeBudgets } from "./budget-rules.ts";
import { describeCommands } from "./command-rules.ts";
import { describeConstraints } from "./constraint-rules.ts";
import type { StorageContract } from "./contract-fixture.ts";
import { describeConversationProperties } from "./conversation-properties.ts";
import { describeDeletion } from "./deletion-rules.ts";
import { describeEvents } from "./event-rules.ts";
import { describeHosts } from "./host-rules.ts";
import { describeImports } from "./import-rules.ts";
import { describeInbox } from "./inbox-rules.ts";
import { describeInstance } from "./instance-rules.ts";
import { describeJobs } from "./job-rules.ts";
import { describeMessages } from "./message-rules.ts";
import { describePullRequests } from "./pull-request-rules.ts";
import { describeRaces } from "./race-rules.ts";
import { describeReviews } from "./review-rules.ts";
import { describeSearch } from "./search-rules.ts";
import { describeTeam } from "./team-rules.ts";
import { describeTransactions } from "./transaction-rules.ts";
import { describeUsage } from "./usage-rules.ts";
import { describeWaits } from "./wait-rules.ts";

/** The contract of every `Storage`, whatever the database. */
export function describeStorageContract(contract: StorageContract): void {
  describe(`the storage contract on ${contract.name}`, () => {
    describeInstance(contract);
    describeJobs(contract);
    describeAutomations(contract);
    describeConstraints(contract);
    describeActivities(contract);
    describeTransactions(contract);
    describeEvents(contract);
    describeMessages(contract);
    describeConversationProperties(contract);
    describeCommands(contract);
    describeHosts(contract);
    describeInbox(contract);
    describeReviews(contract);
    describeImports(contract);
    describePullRequests(contract);
    describeDeletion(contract);
    describeSearch(contract);
    describeUsage(contract);
    describeTeam(contract);
    describeWaits(contract);
    describeBudgets(contract);
    describeRaces(contract);
  });
}
