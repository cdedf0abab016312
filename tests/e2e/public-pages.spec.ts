import { newEmail } from './support/accounts.ts'
import { waitForEmail } from './support/emails.ts'
import { inspect } from './support/inspect.ts'
import { takeover, watchTakeover } from './support/takeover.ts'
import { expect, test } from './support/test.ts'

test.describe('Without a script', () => {
  test.use({ javaScriptEnabled: false })

  test('a visitor finds a drop in the archive, reads what is open, and is told what members read', async ({ page }) => {
    await page.goto('/drops')
    await page.getByRole('link', { name: 'Marketing' }).click()
    await page.getByRole('link', { name: 'A week of reviews, answered in one sitting' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('A week of reviews, answered in one sitting')
    await expect(page.getByRole('heading', { name: 'Sort by hand before you write' })).toBeVisible()
    const members = page.getByRole('complementary', { name: 'Members also read' })
    await expect(members.getByText('Give it facts and a list of limits')).toBeVisible()
    await expect(page.getByText('Start a new chat for each review')).toBeHidden()
    await members.getByRole('link', { name: 'Get Access' }).click()
    await expect(page).toHaveURL('/#pricing')
  })
})

test('a visitor gets the free edition with an address and one link', async ({ page, request }) => {
  const email = newEmail()
  await page.goto('/drops/a-week-of-reviews')
  await page.getByRole('main').getByRole('link', { name: 'Get the free edition' }).click()
  await inspect(page, 'free')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Get the free edition' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your inbox')
  await inspect(page, 'free-check-inbox')
  const { text } = await waitForEmail(request, email, /Confirm your free edition/)
  await page.goto(/\/free\/confirm\?token=\S+/.exec(text)?.[0] ?? '')
  await inspect(page, 'free-confirm')
  await page.getByRole('button', { name: 'Get the free edition' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re in')
  await inspect(page, 'free-confirmed')
  await page.getByRole('link', { name: 'Read the drops' }).click()
  await expect(page).toHaveURL('/drops')
})

test('a visitor reads a whole drop on the landing page, then on its own page, and its glossary', async ({ page }) => {
  await watchTakeover(page)
  await page.goto('/')
  await takeover(page)
  await page.getByRole('link', { name: 'Read the whole drop' }).click()
  const drop = page.getByRole('region', { name: 'Find ten minutes in your close, then prove it in payroll' })
  await expect(drop.getByRole('heading').first()).toBeVisible()
  await expect(drop).toBeFocused()
  await inspect(page, 'landing-drop')
  await drop.getByRole('link', { name: 'Open it on its own page' }).click()
  await expect(page).toHaveURL('/drops/ten-minutes-in-your-close')
  await expect(page.getByRole('heading', { name: 'One drop like this each week' })).toBeVisible()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Glossary' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Glossary')
})

for (const [name, path] of [
  ['drops', '/drops'],
  ['drop', '/drops/a-week-of-reviews'],
  ['drop-whole', '/drops/ten-minutes-in-your-close'],
  ['glossary', '/glossary'],
  ['safety', '/safety'],
  ['method', '/method'],
  ['about', '/about'],
] as const) {
  test(`Accessible and without overflow: ${path}`, async ({ page }) => {
    await page.goto(path)
    await inspect(page, `public-${name}`)
  })
}
