import { day } from '../billing/billing-periods.ts'
import type { CardBehavior } from '../billing/cards.ts'
import { build } from '../schema/build-object.ts'
import { newId } from '../store/ids.ts'
import { create, inTimeOfCustomer, type Tx } from '../tx.ts'
import type { Invoice, InvoiceNotes, PaymentMethod } from '../types.ts'
import { collect } from './collect-invoice.ts'
import { intentOf } from './payments.ts'
import { settle } from './subscription-status.ts'

type TestAccount = { label: string; behavior: CardBehavior }

/** The accounts that the invoice's page offers. */
export const bankAccounts: Readonly<Record<string, TestAccount>> = {
  '000123456789': { label: 'Account that pays', behavior: 'succeeds' },
  '000222222227': { label: 'Account without funds', behavior: 'insufficient_funds' },
}

const settleDays = 4

/** Asks the payer's bank for an open invoice. The payment is processing until the bank answers. */
export function startDebit(given: Tx, invoice: Invoice, account: string): void {
  const tx = inTimeOfCustomer(given, invoice.customer)
  const last4 = account.slice(-4)
  const method = build<PaymentMethod>('payment_method', {
    id: newId('pm'),
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    created: tx.at,
    type: 'us_bank_account',
    us_bank_account: { account_type: 'checking', bank_name: 'STRIPE TEST BANK', last4, routing_number: '110000000' },
  })
  tx.store.put(method, { behavior: bankAccounts[account]?.behavior ?? 'succeeds' })
  create(tx, 'payment_intent.processing', { ...intentOf(tx, invoice), payment_method: method.id, status: 'processing' })
  const notes = tx.store.notes<InvoiceNotes>(invoice.id)
  tx.store.put(invoice, { ...notes, debit: { method: method.id, settlesAt: tx.at + settleDays * day } })
}

/** The bank answers: the invoice is paid, or stays open. */
export function settleDebit(tx: Tx, invoice: Invoice): void {
  const notes = tx.store.notes<InvoiceNotes>(invoice.id)
  const method = tx.store.find<PaymentMethod>('payment_method', notes.debit?.method ?? '')
  tx.store.put(invoice, { ...notes, debit: null })
  const { invoice: answered } = collect(tx, invoice, { method, automatic: false })
  settle(tx, answered)
}
