import { z } from 'zod'
import { securityEventNames } from '../domain/security-events.ts'
import { defineCall } from './define-call.ts'

const instant = z.iso.datetime()
/** Tokens of a session that takes the place of the one in hand; the browser's client keeps them from here on. */
const replacedSessionSchema = z.object({ access_token: z.string(), refresh_token: z.string() })

/** Another way to say who one is, beside the factors that the wire protocol knows. */
export const proofMethods = ['password', 'factor', 'passkey', 'mailed-code'] as const
export type ProofMethod = (typeof proofMethods)[number]

/** What the security page shows beside the factors and passkeys that the wire protocol lists. */
export const securityOverviewCall = defineCall({
  name: 'security-overview',
  audience: 'user',
  duringSecondStep: true,
  input: z.object({}).nullish(),
  output: z.object({
    hasPassword: z.boolean(),
    /** Whether this session still has to show its second factor; until then it may do nothing else. */
    awaitsSecondFactor: z.boolean(),
    /** Until when sensitive settings stay open, and how to open them again. */
    stepUp: z.object({ validUntil: instant.nullable(), methods: z.array(z.enum(proofMethods)) }),
    backupCodes: z.object({ left: z.number().int(), createdAt: instant.nullable() }),
    phoneFactorOffered: z.boolean(),
    /** Whether a confirmed address has to agree before another takes its place. */
    secureEmailChange: z.boolean(),
    /** An admin without a second factor where the operator demands one. */
    secondFactorDemanded: z.boolean(),
    recentEvents: z.array(
      z.object({ id: z.uuid(), at: instant, event: z.enum(securityEventNames), device: z.string(), ip: z.string() }),
    ),
  }),
})

/** Confirms who is in front of the screen. A factor confirms over the wire protocol instead: challenge and verify. */
export const confirmIdentityCall = defineCall({
  name: 'confirm-identity',
  audience: 'user',
  input: z.discriminatedUnion('method', [
    z.object({ method: z.literal('password'), password: z.string().min(1).max(200) }),
    /** Six digits from the mail that `GET /auth/v1/reauthenticate` sends. */
    z.object({ method: z.literal('mailed-code'), code: z.string().trim().min(6).max(10) }),
    /** Answer to the options of `POST /auth/v1/passkeys/authentication/options`. */
    z.object({
      method: z.literal('passkey'),
      challengeId: z.uuid(),
      credential: z.record(z.string(), z.unknown()),
    }),
  ]),
  output: z.object({ validUntil: instant }),
})

/** Sessions of the account, this one first, then by last use. */
export const listSessionsCall = defineCall({
  name: 'list-sessions',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({
    sessions: z.array(
      z.object({
        id: z.uuid(),
        current: z.boolean(),
        /** For people: "Firefox on Windows". */
        device: z.string(),
        ip: z.string(),
        startedAt: instant,
        lastUsedAt: instant,
        secondFactor: z.boolean(),
      }),
    ),
  }),
})

/** Ends one session of the account. An id that is gone already, or somebody else's, changes nothing. */
export const endSessionCall = defineCall({
  name: 'end-session',
  audience: 'user',
  input: z.object({ id: z.uuid() }),
  output: z.object({ ended: z.boolean() }),
})

/** Ten new codes, shown this once; older ones stop working. Needs a fresh proof of identity and a second factor. */
export const createBackupCodesCall = defineCall({
  name: 'create-backup-codes',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({ codes: z.array(z.string()).length(10) }),
})

/** The second step at sign-in with a code from the list; each works once. */
export const useBackupCodeCall = defineCall({
  name: 'use-backup-code',
  audience: 'user',
  duringSecondStep: true,
  input: z.object({ code: z.string().trim().min(8).max(32) }),
  output: z.object({ session: replacedSessionSchema, left: z.number().int() }),
})

/** Everything that is held about the account, as one document. Needs a fresh proof of identity. */
export const exportDataCall = defineCall({
  name: 'export-data',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({ fileName: z.string(), data: z.record(z.string(), z.unknown()) }),
})

/** What leaving would mean, for the page to say before it asks. */
export const deletionPreviewCall = defineCall({
  name: 'deletion-preview',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({
    /** The running subscription, which ends at once with the account; null when there is none. */
    subscription: z.object({ planName: z.string(), paidUntil: instant.nullable() }).nullable(),
    /** People whose seats end with it. */
    teamMembers: z.number().int(),
  }),
})

/** Deletes the account and cancels the subscription at once. Needs a fresh proof of identity and the address typed. */
export const deleteAccountCall = defineCall({
  name: 'delete-account',
  audience: 'user',
  input: z.object({ email: z.string().trim().max(320) }),
  output: z.object({ deleted: z.literal(true) }),
})

/** What a sign-up form needs: advice, and the work that the operator may ask for. */
export const signUpRulesCall = defineCall({
  name: 'sign-up-rules',
  audience: 'public',
  input: z.object({}).nullish(),
  output: z.object({
    open: z.boolean(),
    passwordMinLength: z.number().int(),
    refuseWeakPasswords: z.boolean(),
    /** Sealed by the server and good for some minutes; null when no work is asked for. */
    proofOfWork: z.object({ challenge: z.string(), bits: z.number().int() }).nullable(),
  }),
})
