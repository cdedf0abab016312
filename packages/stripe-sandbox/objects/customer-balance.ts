import { invalid } from '../http/errors.ts'
import { build } from '../schema/build-object.ts'
import { newId } from '../store/ids.ts'
import { change, type Tx } from '../tx.ts'
import type { BalanceTransaction, Customer, Metadata } from '../types.ts'

type Entry = {
  /** Cents. Negative is a credit. */
  amount: number
  currency: string
  type: BalanceTransaction['type']
  invoice?: string
  description?: string | null
  metadata?: Metadata
}

const maxBalance = 99_999_999

/** Records why a balance has changed. Transactions have no events. */
export function recordBalanceTransaction(tx: Tx, customer: Customer, entry: Entry): BalanceTransaction {
  const transaction = build<BalanceTransaction>('customer_balance_transaction', {
    id: newId('cbtxn'),
    amount: entry.amount,
    created: tx.at,
    currency: entry.currency,
    customer: customer.id,
    description: entry.description ?? null,
    ending_balance: customer.balance,
    invoice: entry.invoice ?? null,
    metadata: entry.metadata ?? {},
    type: entry.type,
  })
  tx.store.put(transaction)
  return transaction
}

/** Changes the customer's balance. @throws ApiError 400 if it would be too large */
export function addToBalance(tx: Tx, customer: Customer, entry: Entry): BalanceTransaction {
  const balance = customer.balance + entry.amount
  if (Math.abs(balance) > maxBalance) throw invalid('The resulting balance is too large.', 'amount')
  const changed = change(tx, 'customer.updated', customer, { ...customer, balance })
  return recordBalanceTransaction(tx, changed, entry)
}
