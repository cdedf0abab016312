import { demoEmail, demoPassword, signIn, storageOf } from './support/accounts.ts'
import { cards, payWith } from './support/checkout.ts'
import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

test.describe.configure({ timeout: 180_000 })

test('An owner prices a pack; a reader without a plan buys it in two taps and opens it, and not the portal', async ({
  page,
  browser,
  baseURL,
  login,
  signUp,
}) => {
  await login(await signIn(baseURL ?? '', demoEmail('admin'), demoPassword))
  await page.goto('/admin/content/prompt-packs')
  await page.getByRole('main').getByRole('link', { name: 'Marketing' }).first().click()
  const form = page.getByRole('form', { name: 'Sold on its own' })
  await form.getByLabel('Price on its own').fill('0.20')
  await form.getByRole('button', { name: 'Save price' }).click()
  await expect(form.getByText('Enter an amount from $0.50')).toBeVisible()
  await form.getByLabel('Price on its own').fill('19')
  await form.getByRole('button', { name: 'Save price' }).click()
  const path = (await form.getByRole('link').textContent()) ?? ''
  expect(path).toMatch(/^\/items\/prompt-pack\//)

  const visitor = await (await browser.newContext({ baseURL })).newPage()
  await visitor.goto(path)
  await expect(visitor.getByText('$19 once. Yours for good, without a plan.')).toBeVisible()
  await expect(visitor.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await inspect(visitor, 'item-for-visitors')
  await visitor.getByRole('button', { name: 'Buy this pack' }).click()
  await expect(visitor).toHaveURL(/\/auth/)
  await visitor.context().close()

  const account = await signUp()
  const context = await browser.newContext({ baseURL, storageState: storageOf(account.session, baseURL) })
  const reader = await context.newPage()
  await reader.goto('/account/billing')
  let taps = 0
  const tap = async (control: ReturnType<typeof reader.getByRole>) => {
    await control.click()
    taps += 1
  }
  await tap(reader.getByRole('list', { name: 'Single items' }).getByRole('link'))
  await tap(reader.getByRole('button', { name: 'Buy this pack' }))
  await payWith(reader, cards.works)
  await expect(reader).toHaveURL(/\/items\/prompt-pack\/.*bought=/)
  await expect(reader.getByRole('button', { name: /^Copy/ }).first()).toBeVisible()
  expect(taps).toBe(2)
  await inspect(reader, 'item-bought')
  await reader.goto('/account/billing')
  await inspect(reader, 'billing-single-item')
  await reader.getByRole('list', { name: 'One-time purchases' }).getByRole('link', { name: 'Open' }).click()
  await expect(reader.getByRole('button', { name: /^Copy/ }).first()).toBeVisible()
  await reader.goto('/portal/prompt-packs')
  await expect(reader).toHaveURL(/\/$/)
  await context.close()

  await page.reload()
  await form.getByLabel('Price on its own').fill('')
  await form.getByRole('button', { name: 'Save price' }).click()
  await expect(form.getByRole('link')).toHaveCount(0)
})
