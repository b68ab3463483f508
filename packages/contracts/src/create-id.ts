import type {
  ApiTokenId,
  ApprovalId,
  AttemptId,
  CheckRunId,
  CommentId,
  ExecutionId,
  GrantId,
  HostId,
  IncomingHookId,
  InvitationId,
  JobId,
  MessageId,
  NodeId,
  OutgoingHookId,
  ProjectId,
  QueuedMessageId,
  RaceId,
  ScheduleId,
  SummaryId,
  TaskId,
  TemplateId,
  TerminalId,
  UserId,
  UserSessionId,
} from "./ids.ts";

interface IdByPrefix {
  prj: ProjectId;
  tsk: TaskId;
  att: AttemptId;
  exe: ExecutionId;
  msg: MessageId;
  apr: ApprovalId;
  que: QueuedMessageId;
  sum: SummaryId;
  rul: GrantId;
  cmt: CommentId;
  usr: UserId;
  ses: UserSessionId;
  tok: ApiTokenId;
  inv: InvitationId;
  hst: HostId;
  nod: NodeId;
  job: JobId;
  chk: CheckRunId;
  rac: RaceId;
  trm: TerminalId;
  tpl: TemplateId;
  sch: ScheduleId;
  hok: IncomingHookId;
  out: OutgoingHookId;
}

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A prefixed id that sorts by creation time: 10 characters of epoch milliseconds, 16 random ones (80 bits). Ids of the same millisecond
 * are unordered: where order matters, use a position or a sequence number.
 */
export function createId<Prefix extends keyof IdByPrefix>(prefix: Prefix, now: number = Date.now()): IdByPrefix[Prefix] {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++) {
    time = crockford.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let random = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) random += crockford.charAt(byte % 32);
  return `${prefix}_${time}${random}` as IdByPrefix[Prefix];
}
