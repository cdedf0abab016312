import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { calendarDaySchema } from '#shared/domain/calendar-day.ts'
import { auditObjectKinds, securityEventNames } from '#shared/domain/security-events.ts'

const logFilterSchema = z.object({
  /** Full email address: what happened to that account and, for staff, what they did. */
  email: z.string().trim().max(320).nullish(),
  event: z.enum(securityEventNames).nullish(),
  /** Kind of the changed object. */
  object: z.enum(auditObjectKinds).nullish(),
  /** First and last day, in UTC. */
  from: calendarDaySchema.nullish(),
  until: calendarDaySchema.nullish(),
})

/** Security events, newest first, in keyset pages: `cursor` is the `nextCursor` of the previous page. */
export const adminStaffLogCall = defineAdminCall({
  name: 'admin-audit-log',
  roles: ['owner'],
  input: logFilterSchema
    .extend({
      cursor: z.string().max(200).nullish(),
      limit: z.number().int().min(1).max(200).optional(),
    })
    .nullish(),
  output: z.object({
    items: z.array(
      z.object({
        id: z.uuid(),
        at: z.iso.datetime(),
        event: z.enum(securityEventNames),
        /** Email address of the account at that time. */
        email: z.string(),
        userId: z.uuid().nullable(),
        /** Email address of the admin who did it; null if the account did it itself. */
        by: z.string().nullable(),
        device: z.string(),
        ip: z.string(),
        note: z.string().nullable(),
        /** The object that changed, with its name at that time; null if the event is about an account. */
        object: z.object({ kind: z.enum(auditObjectKinds), id: z.string(), name: z.string() }).nullable(),
        changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
})
export type StaffLogPage = z.infer<typeof adminStaffLogCall.output>

/** The newest matching entries as CSV, up to `maxExportedEntries`. Recorded in the log itself. */
export const adminExportLogCall = defineAdminCall({
  name: 'admin-export-log',
  roles: ['owner'],
  invalidates: ['admin-audit-log'],
  input: logFilterSchema,
  output: z.object({ fileName: z.string(), csv: z.string(), entries: z.number().int().nonnegative() }),
})
