import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { moneySources } from '#shared/domain/store-receipt.ts'
import { noteText } from './note-text.ts'

const count = z.number().int().nonnegative()
export const receiptMonth = z.string().regex(/^2\d{3}-(?:0[1-9]|1[0-2])$/, 'Choose a month')
export const maxMoneyCents = 100_000_000
export const maxMoneyNote = 200

const money = z.object({ source: z.enum(moneySources), cents: count, note: z.string() })

const receiptSchema = z.object({
  month: receiptMonth,
  /** From the account's first month to the present one. */
  firstMonth: receiptMonth,
  thisMonth: receiptMonth,
  currency: z.string(),
  /** What an hour costs, as the caller entered it; null if it wasn't. */
  wageCents: count.nullable(),
  rows: z.array(
    z.object({
      /** Null for what isn't of one store. */
      storeId: z.uuid().nullable(),
      name: z.string().nullable(),
      minutes: count,
      timeCents: count,
      money: z.array(money),
      moneyCents: count,
      due: count,
      onTime: count,
    }),
  ),
  minutes: count,
  timeCents: count,
  moneyCents: count,
  costCents: count,
  /** A free month before the renewal, which the caller can take; null without one. */
  freeMonth: z.object({ cents: count, currency: z.string() }).nullable(),
})
export type StoreReceipt = z.infer<typeof receiptSchema>

/** The receipt of the caller's own business. Of a team's members it has the minutes of each store, never what they tried. */
export const storeReceiptCall = defineCall({
  name: 'store-receipt',
  audience: 'subscriber',
  input: z.object({ month: receiptMonth }),
  output: receiptSchema,
})

/** Notes money that was found: one amount for each store, month and source, so that it counts once. 0 removes it. */
export const saveStoreMoneyCall = defineCall({
  name: 'save-store-money',
  audience: 'subscriber',
  invalidates: ['store-receipt'],
  input: z.object({
    storeId: z.uuid(),
    month: receiptMonth,
    source: z.enum(moneySources),
    cents: count.max(maxMoneyCents),
    note: noteText(maxMoneyNote),
  }),
  output: z.object({ saved: z.literal(true) }),
})

/** Takes the free month that the renewal email offered, once. It goes to the caller's own balance, so it needs no step-up. Fails with `not_found` without an open offer. */
export const takeFreeMonthCall = defineCall({
  name: 'take-free-month',
  audience: 'user',
  invalidates: ['store-receipt', 'billing-overview'],
  input: z.object({}),
  output: z.object({ cents: count, currency: z.string() }),
})
