import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { type BounceCause, bounceCauses } from './mailing-report.ts'
import { deliveryCauseSchema, deliveryStatuses } from './newsletter.ts'

/** Which deliveries of a mailing to list; without any filter, all of them. */
export const deliveryFilterSchema = z.object({
  status: z.enum(deliveryStatuses).nullish(),
  cause: deliveryCauseSchema.nullish(),
  /** A bounce, complaint, open or click, instead of a status. */
  feedback: z
    .enum([
      'delivered',
      'bounced',
      'hard_bounce',
      'soft_bounce',
      'complaint',
      'unsubscribed',
      'opened',
      'clicked',
      'bot_opened',
      'bot_clicked',
    ])
    .nullish(),
  /** Returned emails with this cause. */
  bounceCause: z.enum(Object.keys(bounceCauses) as [BounceCause, ...BounceCause[]]).nullish(),
  /** Readers who clicked this link. */
  link: z.string().max(500).nullish(),
})
export type DeliveryFilter = z.infer<typeof deliveryFilterSchema>

export const adminDeliveriesCall = defineAdminCall({
  name: 'admin-deliveries',
  roles: ['owner', 'support'],
  input: deliveryFilterSchema.extend({
    mailingId: z.uuid(),
    cursor: z.string().max(200).nullish(),
    limit: z.number().int().min(1).max(200).optional(),
  }),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        userId: z.uuid(),
        /** Null after the account is deleted. */
        email: z.string().nullable(),
        status: z.enum(deliveryStatuses),
        cause: deliveryCauseSchema.nullable(),
        attempts: z.number().int().nonnegative(),
        response: z.string().nullable(),
        changedAt: z.iso.datetime().nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
})
export type DeliveriesPage = z.infer<typeof adminDeliveriesCall.output>
export type DeliveryItem = DeliveriesPage['items'][number]

/** A link that downloads the whole list as CSV. It expires after a few minutes. */
export const adminExportDeliveriesCall = defineAdminCall({
  name: 'admin-export-deliveries',
  roles: ['owner'],
  stepUp: true,
  input: deliveryFilterSchema.extend({ mailingId: z.uuid() }),
  output: z.object({ url: z.string() }),
})

/** Sends again to readers who may already have the email. Recorded in the staff log. */
export const adminResendUnknownCall = defineAdminCall({
  name: 'admin-resend-unknown',
  roles: ['owner', 'support'],
  stepUp: true,
  invalidates: ['admin-deliveries'],
  input: z.object({
    mailingId: z.uuid(),
    deliveryIds: z
      .array(z.string().regex(/^\d{1,18}$/))
      .min(1)
      .max(500),
  }),
  output: z.object({ resent: z.number().int().nonnegative() }),
})
