import {
  apiTokenSchema,
  auditPageSchema,
  createdApiTokenSchema,
  createdInvitationSchema,
  invitationSchema,
  listedSessionSchema,
  memberSchema,
  meSchema,
  oidcStartedSchema,
  ownedKeySchema,
  shownInvitationSchema,
  signInOptionsSchema,
  userReferenceSchema,
  userSchema,
} from "@skein/contracts";
import { z } from "zod";

/** Answers about users, in a chunk that only team mode loads. Their names begin with `team`. Import types only, or `loadAnswerSchema`. */
export const teamAnswerSchemas = {
  teamAudit: auditPageSchema,
  teamCreatedInvitation: createdInvitationSchema,
  teamCreatedToken: createdApiTokenSchema,
  teamInvitation: shownInvitationSchema,
  teamInvitations: z.array(invitationSchema),
  teamKey: ownedKeySchema,
  teamKeys: z.array(ownedKeySchema),
  teamMe: meSchema,
  teamMembers: z.array(memberSchema),
  teamProviderPage: oidcStartedSchema,
  teamReferences: z.array(userReferenceSchema),
  teamSessions: z.array(listedSessionSchema),
  teamSignIn: signInOptionsSchema,
  teamTokens: z.array(apiTokenSchema),
  teamUser: userSchema,
  teamUsers: z.array(userSchema),
} as const;
