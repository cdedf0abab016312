import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

const instant = z.iso.datetime()
const count = z.number().int().nonnegative()

/** Something that doesn't work or is late, in plain words. */
export const problemSchema = z.object({
  kind: z.enum([
    'email-hold',
    'backup',
    'drop',
    'mailings',
    'documents',
    'shared-feed',
    'stripe',
    'stripe-events',
    'jobs-late',
    'series-late',
    'queue',
    'mail-server',
    'disk',
    'migrations',
    'versions',
    'backfill',
  ]),
  /** The problem. */
  title: z.string(),
  /** Its meaning, and what to do. */
  detail: z.string(),
  since: instant.nullable(),
  /** The page of the admin that settles it; null if only the server's operator can. */
  path: z.string().nullable(),
})
export type Problem = z.infer<typeof problemSchema>

/** Reports what runs, what waits and what is late. */
export const adminStatusCall = defineAdminCall({
  name: 'admin-status',
  roles: ['owner', 'editor'],
  input: z.object({}),
  output: z.object({
    checkedAt: instant,
    problems: z.array(problemSchema),
    running: z.array(z.object({ name: z.string(), state: z.string(), isOk: z.boolean(), at: instant.nullable() })),
    waiting: z.object({
      /** Newsletter email that hasn't been sent. */
      deliveries: count,
      /** Members whose next step of a series is due; they move on each minute. */
      seriesSteps: count,
      /** Background jobs by what they do. */
      jobs: z.array(z.object({ name: z.string(), count, since: instant })),
      nextDrop: z.object({ id: z.string(), title: z.string(), at: instant }).nullable(),
      nextMailing: z.object({ id: z.uuid(), subject: z.string(), at: instant }).nullable(),
    }),
  }),
})
export type AdminStatus = z.infer<typeof adminStatusCall.output>
