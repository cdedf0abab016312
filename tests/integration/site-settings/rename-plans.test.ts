import { expect, test } from 'vitest'
import { renamePlans } from '#server/features/publishing/site-settings/rename-plans.ts'
import { renamePlansJob } from '#server/features/publishing/site-settings/rename-plans-job.ts'
import type { SettingsPage } from '#shared/contracts/publishing/site-settings.ts'
import { openBilling } from '#tests/integration/billing/support.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const billing = openForTests(() => openBilling())

test('a renamed plan has its new name at checkout, and its old one again after a reset', async () => {
  const owner = await billing.user({ admin: true })
  const nameAtStripe = async () => (await billing.api.products.retrieve(billing.productOf('pro_monthly'))).name
  const team = await billing.api.products.retrieve(billing.productOf('team_monthly'))
  const save = async (values: Record<string, string>) => {
    const page = (await billing.call('admin-publication-settings', {}, owner)).body as unknown as SettingsPage
    const saved = await billing.call('admin-publication-settings', { save: { version: page.version, values } }, owner)
    expect(saved, JSON.stringify(saved.body)).toMatchObject({ status: 200 })
    for (const { name, payload } of billing.server.jobs.splice(0)) {
      if (name === renamePlansJob.name) await renamePlans(billing.deps, renamePlansJob.payload.parse(payload))
    }
  }
  const before = await nameAtStripe()
  await save({ 'plan.pro_monthly': 'Solo' })
  expect(await nameAtStripe()).toBe('Solo')
  await save({})
  expect(await nameAtStripe()).toBe(before)
  // Names that didn't change are left alone, as the operator may have chosen others at Stripe.
  expect(await billing.api.products.retrieve(billing.productOf('team_monthly'))).toEqual(team)
})
