import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { securityEventNames } from '#shared/domain/security-events.ts'

const instant = z.iso.datetime()
/** Tokens of the session that replaces the current one, named as supabase-js expects them. */
const replacedSessionSchema = z.object({ access_token: z.string(), refresh_token: z.string() })

/** Ways to confirm one's identity before a sensitive change. */
export const stepUpMethods = ['password', 'factor', 'passkey', 'email-code'] as const
export type StepUpMethod = (typeof stepUpMethods)[number]

/** Security settings that the auth protocol doesn't list itself. */
export const securityOverviewCall = defineCall({
  name: 'security-overview',
  audience: 'user',
  duringSecondStep: true,
  input: z.object({}).nullish(),
  output: z.object({
    hasPassword: z.boolean(),
    /** True if this session still has to pass its second factor. Until then it may do nothing else. */
    awaitsSecondFactor: z.boolean(),
    /** The time until which sensitive settings stay unlocked, and how to unlock them again. */
    stepUp: z.object({ validUntil: instant.nullable(), methods: z.array(z.enum(stepUpMethods)) }),
    backupCodes: z.object({ left: z.number().int(), createdAt: instant.nullable() }),
    /** Devices on which a password signs in without the second factor. */
    trustedDevices: z.array(z.object({ id: z.uuid(), device: z.string(), until: instant })),
    phoneFactorOffered: z.boolean(),
    /** True if an email change needs confirmation from the current address as well. */
    secureEmailChange: z.boolean(),
    /** The user is an admin without a second factor, and the configuration requires one. */
    mfaRequired: z.boolean(),
    recentEvents: z.array(
      z.object({ id: z.uuid(), at: instant, event: z.enum(securityEventNames), device: z.string(), ip: z.string() }),
    ),
  }),
})

/** Unlocks sensitive settings. A second factor does so over the auth protocol instead: challenge and verify. */
export const confirmIdentityCall = defineCall({
  name: 'confirm-identity',
  audience: 'user',
  input: z.discriminatedUnion('method', [
    z.object({ method: z.literal('password'), password: z.string().min(1).max(200) }),
    /** Six digits from the email that `GET /auth/v1/reauthenticate` sends. */
    z.object({ method: z.literal('email-code'), code: z.string().trim().min(6).max(10) }),
    /** Response to the options from `POST /auth/v1/passkeys/authentication/options`. */
    z.object({
      method: z.literal('passkey'),
      challengeId: z.uuid(),
      credential: z.record(z.string(), z.unknown()),
    }),
  ]),
  output: z.object({ validUntil: instant }),
})

/** Sessions of the account: the current one first, then by last use. */
export const listSessionsCall = defineCall({
  name: 'list-sessions',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({
    sessions: z.array(
      z.object({
        id: z.uuid(),
        current: z.boolean(),
        /** Display name, such as "Firefox on Windows". */
        device: z.string(),
        ip: z.string(),
        startedAt: instant,
        lastUsedAt: instant,
        secondFactor: z.boolean(),
      }),
    ),
  }),
})

/** Ends another session of the account. Unknown ids, other users' ids and the current session are ignored. */
export const endSessionCall = defineCall({
  name: 'end-session',
  audience: 'user',
  invalidates: ['security', 'passkeys'],
  input: z.object({ id: z.uuid() }),
  output: z.object({ ended: z.boolean() }),
})

/** Ends the trust in a device and the sessions that rely on it. Unknown ids and other users' ids are ignored. */
export const endDeviceTrustCall = defineCall({
  name: 'end-device-trust',
  audience: 'user',
  invalidates: ['security', 'passkeys'],
  input: z.object({ id: z.uuid() }),
  output: z.object({ ended: z.boolean() }),
})

/** Returns ten new codes, once; earlier codes stop working. Requires a second factor. */
export const createBackupCodesCall = defineCall({
  name: 'create-backup-codes',
  audience: 'user',
  stepUp: true,
  invalidates: ['security', 'passkeys'],
  input: z.object({}).nullish(),
  output: z.object({ codes: z.array(z.string()).length(10) }),
})

/** Completes two-step verification at sign-in with a backup code. Each code works once. */
export const useBackupCodeCall = defineCall({
  name: 'use-backup-code',
  audience: 'user',
  duringSecondStep: true,
  input: z.object({ code: z.string().trim().min(8).max(32) }),
  output: z.object({ session: replacedSessionSchema, left: z.number().int() }),
})

/** A file to save. */
export const accountDataSchema = z.object({ fileName: z.string(), data: z.record(z.string(), z.unknown()) })

/** Everything stored about the account, as one JSON document. Requires step-up. */
export const exportDataCall = defineCall({
  name: 'export-data',
  audience: 'user',
  input: z.object({}).nullish(),
  output: accountDataSchema,
})

/** Lists what deleting the account would end. */
export const deletionPreviewCall = defineCall({
  name: 'deletion-preview',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({
    /** The current subscription, which is canceled at once; null if there is none. */
    subscription: z.object({ planName: z.string(), paidUntil: instant.nullable() }).nullable(),
    /** Number of members who lose their team seat. */
    teamMembers: z.number().int(),
  }),
})

/** Deletes the account and cancels its subscription at once. Requires step-up and the typed email address. */
export const deleteAccountCall = defineCall({
  name: 'delete-account',
  audience: 'user',
  input: z.object({ email: z.string().trim().max(320) }),
  output: z.object({ deleted: z.literal(true) }),
})

/** Rules for a sign-up form: the checks, and what it sends. */
export const signUpRulesCall = defineCall({
  name: 'sign-up-rules',
  audience: 'public',
  input: z.object({}).nullish(),
  output: z.object({
    open: z.boolean(),
    passwordMinLength: z.number().int(),
    refuseWeakPasswords: z.boolean(),
    /** Signed by the server and valid for a few minutes; null if proof of work is off. */
    proofOfWork: z.object({ challenge: z.string(), bits: z.number().int() }).nullable(),
    /** Address that links and codes come from. */
    sender: z.string(),
  }),
})
