import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { maxPlanSeats } from '#shared/domain/plan-problem.ts'
import { taxIdTypes } from '#shared/domain/tax-ids.ts'

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Use at most ${max} characters`)
    .regex(/^\P{Cc}*$/u, 'Use one line')

const taxIdSchema = z.object({ type: z.enum(taxIdTypes as [string, ...string[]]), value: line(100).min(1) })

/** What Stripe found out about the number. `unavailable`: there is no register that it could ask. */
export const taxIdStatuses = ['pending', 'verified', 'unverified', 'unavailable'] as const

/** What is printed on the user's next invoices. Null without a billing account. */
export const invoiceDetailsCall = defineCall({
  name: 'invoice-details',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({
    details: z
      .object({
        companyName: z.string(),
        poNumber: z.string(),
        /** Newest first. The page changes the first one; others came from a checkout or from the publisher. */
        taxIds: z.array(
          z.object({ id: z.string(), type: z.string(), value: z.string(), status: z.enum(taxIdStatuses) }),
        ),
      })
      .nullable(),
  }),
})
export type InvoiceDetails = NonNullable<z.infer<typeof invoiceDetailsCall.output>['details']>

const details = {
  companyName: line(150),
  poNumber: line(140),
  taxId: taxIdSchema.nullable(),
  /** The tax id that the form showed. It is deleted unless `taxId` is the same. */
  replaces: z.string().max(255).nullable(),
}

/** Invoices that exist stay as they are. Fails with `tax_id_invalid` if Stripe refuses the number, and saves nothing. */
export const saveInvoiceDetailsCall = defineCall({
  name: 'save-invoice-details',
  audience: 'user',
  stepUp: true,
  invalidates: ['invoice-details'],
  input: z.object(details),
  output: z.object({ saved: z.literal(true) }),
})
export type InvoiceDetailsInput = z.output<typeof saveInvoiceDetailsCall.input>

/**
 * Starts a team plan that is paid by invoice, and sends the first one. Fails with `tax_id_invalid`, with `invoice_open` while
 * another invoice isn't paid, and as `create-checkout` does.
 */
export const startInvoicedPlanCall = defineCall({
  name: 'start-invoiced-plan',
  audience: 'user',
  stepUp: true,
  invalidates: ['subscription', 'billing-overview', 'invoice-details', 'team'],
  input: z.object({
    ...details,
    companyName: details.companyName.min(1, 'Enter your company’s name'),
    priceId: z.string().min(1).max(255),
    seats: z.number().int().min(1).max(maxPlanSeats).nullish(),
    agreed: z.string().max(2000).nullish(),
  }),
  output: z.object({ url: z.url().nullable(), dueAt: z.iso.datetime() }),
})
export type InvoicedPlanInput = z.output<typeof startInvoicedPlanCall.input>
