import { expect, test } from 'vitest'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { InvoiceDetails } from '#shared/contracts/billing/invoice-details.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { dayMs, openBilling, startClock, subscribe, travel } from './support.ts'

const billing = openForTests(() => openBilling())

const read = async (user: TestUser) =>
  (await billing.call('invoice-details', {}, user)).body.details as InvoiceDetails | null

const empty = { companyName: '', poNumber: '', taxId: null, replaces: null }
const save = (user: TestUser, details: object) => billing.call('save-invoice-details', { ...empty, ...details }, user)

async function customer() {
  const user = await billing.user()
  await billing.checkout(user)
  return { user, id: await billing.customerOf(user) }
}

const ein = (value: string) => ({ type: 'us_ein', value })

test('company, PO number and tax id are on invoices from then on, and not on earlier ones', async () => {
  const { user, id } = await customer()
  await subscribe(billing.api, id, billing.priceOf('pro_monthly'))
  const clock = await startClock(billing.api, id)
  const details = { companyName: 'Fern Cafe LLC', poNumber: 'PO-7', taxId: ein('12-3456789') }
  expect(await save(user, details)).toMatchObject({ status: 200, body: { saved: true } })
  expect(await read(user)).toMatchObject({
    companyName: 'Fern Cafe LLC',
    poNumber: 'PO-7',
    taxIds: [{ type: 'us_ein', value: '12-3456789', status: 'unavailable' }],
  })
  await travel(billing.api, clock.id, new Date(Date.now() + 33 * dayMs))
  const [next, first] = (await billing.api.invoices.list({ customer: id })).data
  expect(next).toMatchObject({
    customer_name: 'Fern Cafe LLC',
    custom_fields: [{ name: 'PO number', value: 'PO-7' }],
    customer_tax_ids: [{ type: 'us_ein', value: '12-3456789' }],
  })
  expect(first).toMatchObject({ customer_name: null, custom_fields: null, customer_tax_ids: [] })
  const page = await (await fetch(String(next?.hosted_invoice_url))).text()
  for (const printed of ['Fern Cafe LLC', 'PO number: PO-7', '12-3456789']) expect(page).toContain(printed)
})

test('a tax id that Stripe refuses is said at the field, and nothing is saved', async () => {
  const { user } = await customer()
  await save(user, { companyName: 'Fern Cafe LLC', poNumber: 'PO-1' })
  const { status, body } = await save(user, { companyName: 'Other', taxId: { type: 'eu_vat', value: 'ZZ12' } })
  expect([status, body.code, body.error]).toEqual([
    400,
    'tax_id_invalid',
    'Stripe doesn’t accept this number for European Union: VAT. Check the number and its country.',
  ])
  expect(await read(user)).toEqual({ companyName: 'Fern Cafe LLC', poNumber: 'PO-1', taxIds: [] })
})

test('the tax office’s answer is shown once it is there', async () => {
  const { user } = await customer()
  const ids = { found: 'DE000000000', missing: 'DE111111111', silent: 'DE222222222' }
  for (const value of Object.values(ids)) await save(user, { taxId: { type: 'eu_vat', value } })
  const statuses = async () =>
    Object.fromEntries((await read(user))?.taxIds.map(({ value, status }) => [value, status]) ?? [])
  expect(await statuses()).toMatchObject({ [ids.silent]: 'pending' })
  await expect
    .poll(statuses, { timeout: 20_000 })
    .toEqual({ [ids.found]: 'verified', [ids.missing]: 'unverified', [ids.silent]: 'pending' })
})

test('a new tax id replaces the one on the page and no other, and saving twice changes nothing', async () => {
  const { user, id } = await customer()
  await billing.api.customers.createTaxId(id, { type: 'ca_bn', value: '123456789' })
  await save(user, { taxId: ein('12-3456789') })
  const replaces = (await read(user))?.taxIds[0]?.id
  const values = async () => (await read(user))?.taxIds.map(({ value }) => value)
  for (let time = 0; time < 2; time += 1) {
    await save(user, { taxId: ein('98-7654321'), replaces })
    expect(await values()).toEqual(['98-7654321', '123456789'])
  }
  await save(user, { taxId: null, replaces: (await read(user))?.taxIds[0]?.id })
  expect(await values()).toEqual(['123456789'])
})

test('fields that the publisher set at Stripe stay, and leave a PO number no room only if there are four', async () => {
  const { user, id } = await customer()
  const fields = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `F${index}`, value: 'x' }))
  const settings = (count: number) =>
    billing.api.customers.update(id, { invoice_settings: { custom_fields: fields(count) } })
  await settings(3)
  await save(user, { poNumber: 'PO-9' })
  await save(user, { poNumber: '' })
  await settings(4)
  expect(await save(user, { poNumber: 'PO-9' })).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  await save(user, { companyName: 'Fern' })
  const stored = await billing.api.customers.retrieve(id)
  expect(stored).toMatchObject({ name: 'Fern', invoice_settings: { custom_fields: fields(4) } })
})

test.each([
  ['a long PO number', { poNumber: 'x'.repeat(141) }],
  ['two lines', { companyName: 'Fern\nCafe' }],
  ['an unknown type', { taxId: { type: 'xx_tin', value: '1' } }],
  ['a type without a number', { taxId: { type: 'us_ein', value: ' ' } }],
])('%s is refused and changes nothing', async (_what, details) => {
  const { user } = await customer()
  expect(await save(user, details)).toMatchObject({ status: 400 })
  expect(await read(user)).toEqual({ companyName: '', poNumber: '', taxIds: [] })
})

test('someone without a billing account has no details, nor has the customer of someone who was deleted at Stripe', async () => {
  const nobody = await billing.user()
  expect(await read(nobody)).toBeNull()
  expect(await save(nobody, {})).toMatchObject({ status: 409, body: { code: 'no_billing_account' } })
  const { user, id } = await customer()
  await billing.api.customers.del(id)
  expect(await read(user)).toBeNull()
  await syncCustomer(billing.deps, id)
  expect(await save(user, {})).toMatchObject({ status: 409 })
})
