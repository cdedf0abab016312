import { readFile } from 'node:fs/promises'
import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

test('A publisher checks a file of members, imports it, and downloads the refused lines', async ({ page, loginAs }) => {
  const unique = `${process.pid}${Date.now().toString(36)}`
  const file = `id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers
1,ana-${unique}@moved.test,Ana Alvarez,Met in Denver,true,false,,2021-01-02T03:04:05.000Z,,"VIP,Denver",Gold
2,ben-${unique}@moved.test,Ben Bright,,false,false,,2021-01-02T03:04:05.000Z,,,
3,nobody,Cleo,,true,false,,2021-01-02T03:04:05.000Z,,,
`
  await loginAs('admin')
  await page.goto('/admin/settings/import')
  await expect(page.getByRole('button', { name: 'Choose CSV file' })).toBeVisible()
  await page
    .getByLabel('CSV file', { exact: true })
    .setInputFiles({ name: 'ghost-members.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })

  await expect(page.getByLabel('The file comes from')).toHaveValue('ghost')
  await expect(page.getByLabel('Meaning of labels')).toHaveValue('tags')
  await inspect(page, 'member-import-columns')
  await page.getByLabel('Meaning of note').selectOption('Leave out')
  await page.getByRole('button', { name: 'Check the file' }).click()

  await expect(page.getByText('The check is done. Nothing has changed and no email was sent.')).toBeVisible()
  await expect(page.getByText('1 subscribed · 1 unsubscribed', { exact: true })).toBeVisible()
  const gets = '1 get it once they confirm their address by signing in · 1 don’t: unsubscribed'
  await expect(page.getByRole('definition').filter({ hasText: gets })).toHaveCount(2)
  await expect(page.getByRole('listitem').filter({ hasText: 'This is not an email address.' })).toContainText('Line 4')
  await inspect(page, 'member-import-checked')
  await page.setViewportSize({ width: 360, height: 780 })
  await page.getByRole('button', { name: 'Import 2 members' }).click()

  await expect(page.getByText('The import is done. The uploaded file was deleted.')).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  const errors = await readFile(await (await downloading).path(), 'utf8')
  expect(errors).toContain('"4","nobody","This is not an email address."')

  await page.getByRole('button', { name: 'Import another file' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'ghost-members.csv' }).first()).toContainText('2 new')

  // The sandbox's subscriptions belong to members already, so no one is adopted.
  await page.getByRole('button', { name: 'List subscriptions' }).click()
  await expect(page.getByText('subscriptions found. Nothing has changed yet.')).toBeVisible()
  await expect(
    page.getByRole('button', { name: 'Adopt' }).or(page.getByRole('button', { name: 'No one to adopt' })),
  ).toBeVisible()
  await inspect(page, 'stripe-adoption')
  const adoption = page.getByRole('region', { name: 'Paying members at Stripe' })
  await adoption.getByRole('button', { name: 'Cancel' }).click()
  await expect(adoption.getByRole('button', { name: 'List subscriptions' })).toBeVisible()

  await page.getByRole('link', { name: 'Members', exact: true }).first().click()
  await page.getByRole('searchbox').first().fill(`ana-${unique}`)
  await expect(page.getByRole('link', { name: `ana-${unique}@moved.test` })).toBeVisible()
})
