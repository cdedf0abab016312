import { inspect, inspectState } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

test('a reader records rules, sees what to do at each item, copies a message, and hides what is forbidden', async ({
  page,
  context,
  signUpSubscriber,
  login,
}) => {
  test.setTimeout(150_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await login(await signUpSubscriber())
  await page.setViewportSize({ width: 360, height: 780 })

  await page.goto('/account/business')
  const tools = page.getByRole('group', { name: 'AI tools' })
  await expect(page.getByText('0 of 5 answered')).toBeVisible()
  await tools.getByRole('radio', { name: 'Ask first' }).click()
  await expect(tools.getByRole('radio', { name: 'Ask first' })).toBeChecked()
  await tools.getByText('Add what they said, and when').click()
  await tools.getByLabel('What they said').fill('Only the business plan of one assistant.')
  const isStored = page.waitForResponse(
    (response) =>
      response.url().endsWith('/set-franchisor-rule') &&
      (response.request().postData()?.includes('2026-09-16') ?? false) &&
      response.ok(),
  )
  await tools.getByLabel('Said on').fill('2026-09-16')
  await isStored
  const data = page.getByRole('group', { name: 'Customer data' })
  await data.getByRole('radio', { name: 'Forbidden' }).press('Space')
  await expect(page.getByText('2 of 5 answered')).toBeVisible()
  await inspect(page, 'franchisor-rules')
  await page.setViewportSize({ width: 360, height: 780 })

  await page.reload()
  await expect(data.getByRole('radio', { name: 'Forbidden' })).toBeChecked()
  await tools.getByText('What they said, and when').click()
  await expect(tools.getByLabel('What they said')).toHaveValue(/business plan/)
  await expect(tools.getByLabel('Said on')).toHaveValue('2026-09-16')

  await page.goto('/portal/weekly-drops/follow-up-open-estimates')
  const messages = page.getByRole('region', { name: 'Step 1: Write the three messages once' })
  await messages.getByRole('button', { name: /^Ask your franchisor first: AI tools/ }).click()
  await expect(messages.getByText('Only the business plan of one assistant.')).toBeVisible()
  await messages.getByRole('button', { name: /^Copy: May we use “Write the three messages once”/ }).click()
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(readClipboard).toContain('Subject: May we use “Write the three messages once” at our location?')
  expect(await readClipboard()).toContain('Which AI tool and plan may we use for it?')
  await expect(page.getByRole('button', { name: /^Forbidden by your rules: customer data/ })).toHaveCount(3)
  await inspectState(page, 'drop-with-rules')

  // Hidden sections keep their place and can be shown one by one, by keyboard too.
  await page.getByRole('checkbox', { name: 'Hide what my rules forbid (3)' }).press('Space')
  const sheet = page.getByRole('region', { name: 'Step 2: Build a sheet that says who is due' })
  await expect(sheet.getByText('Hidden by your rules')).toBeVisible()
  await sheet.getByRole('button', { name: /^Show/ }).press('Enter')
  await expect(sheet.getByText('Eight columns and one formula')).toBeVisible()

  await page.goto('/portal/prompt-packs')
  const hidden = page.getByText(/^\d+ hidden by your rules$/)
  await expect(hidden).toHaveText('9 hidden by your rules')
  await expect(page.getByText('24 prompts')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Weekly pipeline review in twenty minutes' })).toHaveCount(0)
  await inspectState(page, 'packs-with-rules')

  await page.goto('/portal/tools')
  await expect(hidden).toHaveText('5 hidden by your rules')
  await expect(page.getByRole('heading', { name: 'Jobber', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: /^Show what your rules forbid/ }).click()
  await expect(page.getByRole('heading', { name: 'Jobber', exact: true })).toBeVisible()
  await page.goto('/portal/prompt-packs')
  await expect(page.getByRole('checkbox', { name: 'Hide what my rules forbid (9)' })).not.toBeChecked()
})
