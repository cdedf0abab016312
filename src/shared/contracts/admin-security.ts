import { z } from 'zod'
import { auditObjectKinds, securityEventNames } from '../domain/security-events.ts'
import { defineCall } from './define-call.ts'

/** Security events, newest first, keyset pages: `cursor` is the `next_cursor` of the page before. */
export const adminAuditLogCall = defineCall({
  name: 'admin-audit-log',
  audience: 'admin',
  input: z
    .object({
      /** Whole address of one account: what happened to it and, for an admin, what they did. */
      email: z.string().trim().max(320).nullish(),
      event: z.enum(securityEventNames).nullish(),
      cursor: z.string().max(200).nullish(),
      limit: z.number().int().min(1).max(200).optional(),
    })
    .nullish(),
  output: z.object({
    events: z.array(
      z.object({
        id: z.uuid(),
        at: z.iso.datetime(),
        event: z.enum(securityEventNames),
        /** Of the account that it is about; what the account was called then. */
        email: z.string(),
        user_id: z.uuid().nullable(),
        /** Who did it, where that is somebody else. */
        by: z.string().nullable(),
        device: z.string(),
        ip: z.string(),
        note: z.string().nullable(),
        /** What was changed, where that is no account, and what it was called then. */
        object: z.object({ kind: z.enum(auditObjectKinds), id: z.string(), name: z.string() }).nullable(),
        changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
      }),
    ),
    next_cursor: z.string().nullable(),
  }),
})
export type AuditLogPage = z.infer<typeof adminAuditLogCall.output>

/** Disabling ends all sessions at once and keeps everything else. Needs a fresh proof of identity. */
export const adminSetDisabledCall = defineCall({
  name: 'admin-set-disabled',
  audience: 'admin',
  input: z.object({ user_id: z.uuid(), disabled: z.boolean(), reason: z.string().trim().max(300).nullish() }),
  output: z.object({ user_id: z.uuid(), disabled: z.boolean() }),
})

/** One account in full, for the page that explains it. */
export const adminUserCall = defineCall({
  name: 'admin-user',
  audience: 'admin',
  input: z.object({ user_id: z.uuid() }),
  output: z.object({
    id: z.uuid(),
    email: z.string(),
    created_at: z.iso.datetime(),
    last_sign_in_at: z.iso.datetime().nullable(),
    email_confirmed: z.boolean(),
    is_admin: z.boolean(),
    disabled: z.boolean(),
    factors: z.array(z.enum(['totp', 'webauthn', 'phone'])),
    passkeys: z.number().int(),
    sessions: z.number().int(),
  }),
})
