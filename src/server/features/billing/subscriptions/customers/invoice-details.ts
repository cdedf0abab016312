import Stripe from 'stripe'
import type { Principal } from '#server/http/principal.ts'
import {
  type InvoiceDetails,
  type InvoiceDetailsInput,
  taxIdStatuses,
} from '#shared/contracts/billing/invoice-details.ts'
import { taxIdLabel } from '#shared/domain/tax-ids.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { isMissing, withStripeErrors } from '../stripe/stripe-errors.ts'
import { withLease } from '../sync/lease.ts'
import { fetchCustomer, findCustomerId } from './stripe-customer-ids.ts'

/** The name of the customer's field at Stripe, as printed. */
const poField = 'PO number'
const maxFields = 4

/** Read from Stripe each time, since its Dashboard and checkout change them too. */
export async function readInvoiceDetails(deps: BillingDeps, userId: string): Promise<InvoiceDetails | null> {
  const id = await findCustomerId(deps.database.db, userId)
  if (!id) return null
  return withStripeErrors(deps, 'invoice-details', async () => {
    const customer = await fetchCustomer(deps, id)
    if (!customer) return null
    const { data: taxIds } = await deps.stripe.customers.listTaxIds(id, { limit: 20 })
    const fields = customer.invoice_settings.custom_fields ?? []
    return {
      companyName: customer.name ?? '',
      poNumber: fields.find(({ name }) => name === poField)?.value ?? '',
      taxIds: taxIds.map(({ id: taxId, type, value, verification }) => ({
        id: taxId,
        type,
        value,
        status: taxIdStatuses.find((status) => status === verification?.status) ?? 'unavailable',
      })),
    }
  })
}

/**
 * Saves what the customer's next invoices print. The tax id first: Stripe refuses nothing else.
 * @throws AppError no_billing_account, tax_id_invalid, validation_failed if four fields of the publisher leave no room
 */
export function saveInvoiceDetails(
  deps: BillingDeps,
  { userId }: Pick<Principal, 'userId'>,
  input: InvoiceDetailsInput,
): Promise<{ saved: true }> {
  return withLease(deps, `billing:${userId}`, async () => {
    const id = await findCustomerId(deps.database.db, userId)
    if (!id) throw new AppError('no_billing_account')
    return withStripeErrors(deps, 'save-invoice-details', () => saveForCustomer(deps, id, input))
  })
}

export async function saveForCustomer(
  deps: BillingDeps,
  id: string,
  { companyName, poNumber, taxId, replaces }: InvoiceDetailsInput,
): Promise<{ saved: true }> {
  const customer = await fetchCustomer(deps, id)
  if (!customer) throw new AppError('no_billing_account')
  const others = (customer.invoice_settings.custom_fields ?? []).filter(({ name }) => name !== poField)
  if (poNumber && others.length >= maxFields) {
    throw new AppError('validation_failed', {
      message: 'Your invoices have no room for a PO number. Reply to one of our emails and we’ll make some.',
    })
  }
  const { data: known } = await deps.stripe.customers.listTaxIds(id, { limit: 20 })
  const kept = known.find(({ type, value }) => type === taxId?.type && value === taxId.value)
  if (taxId && !kept) await addTaxId(deps, id, taxId)
  const fields = poNumber ? [...others, { name: poField, value: poNumber }] : others
  await deps.stripe.customers.update(id, {
    name: companyName,
    invoice_settings: { custom_fields: fields.length > 0 ? fields : '' },
  })
  const replaced = known.find((one) => one.id === replaces && one !== kept)
  if (replaced) {
    await deps.stripe.customers.deleteTaxId(id, replaced.id).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  }
  return { saved: true }
}

async function addTaxId(deps: BillingDeps, id: string, { type, value }: { type: string; value: string }) {
  try {
    await deps.stripe.customers.createTaxId(id, { type: type as Stripe.TaxIdCreateParams.Type, value })
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || isMissing(error)) throw error
    throw new AppError('tax_id_invalid', {
      message: `Stripe doesn’t accept this number for ${taxIdLabel(type)}. Check the number and its country.`,
    })
  }
}
