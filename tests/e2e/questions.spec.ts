import { callAs, newEmail, newPassword } from './support/accounts.ts'
import { inspect } from './support/inspect.ts'
import { test } from './support/own-server.ts'
import { expect, toasts } from './support/test.ts'

test.describe.configure({ timeout: 240_000 })

test('A bakery asks in its own words, and a reader finds them at sign-up, in the order of the portal and in search', async ({
  page,
  browser,
  baseURL,
  login,
  admin,
  request,
}) => {
  const owner = await admin()
  await login(owner)

  await test.step('The owner renames, adds and retires options, and is told who chose them', async () => {
    await page.goto('/admin/settings/fields')
    await page.getByRole('button', { name: 'Edit Focus areas' }).click()
    const form = page.getByRole('form', { name: 'Edit Focus areas' })
    await form.getByLabel('Question', { exact: true }).fill('What do you bake?')
    await form.getByLabel('Name', { exact: true }).fill('Doughs')
    await form.getByLabel('Option 1', { exact: true }).fill('Sourdough')
    await form.getByLabel('Description of option 1', { exact: true }).fill('Starters, proofing, crust')
    await form.getByLabel('Option 2', { exact: true }).fill('sourdough')
    await form.getByRole('button', { name: 'Remove option 4' }).click()
    const retired = form.getByRole('list', { name: 'Retired options' })
    await expect(retired).toContainText(/Technology, \d+ members?, \d+ texts?/)
    await form.getByRole('button', { name: 'Save question' }).click()
    await expect(form.getByText('The option “sourdough” is there twice.')).toBeVisible()
    await form.getByLabel('Option 2', { exact: true }).fill('Rye')
    await form.getByRole('button', { name: 'Add option' }).click()
    await form.getByLabel('Option 6', { exact: true }).fill('Gluten-free')
    await form.getByRole('button', { name: 'Move option 6 up' }).click()
    await inspect(page, 'settings-question-form')
    await form.getByRole('button', { name: 'Save question' }).click()
    const row = page.getByRole('list', { name: 'Questions' }).getByRole('listitem').filter({ hasText: 'Doughs' })
    await expect(row).toContainText('Sourdough, Rye, Sales, Customer Service, Gluten-free, Finance')
    await expect(row).toContainText('1 retired')
    await inspect(page, 'settings-questions')
  })

  const context = await browser.newContext({ baseURL })
  const reader = await context.newPage()
  const email = newEmail()

  await test.step('A reader sees them at sign-up', async () => {
    await reader.goto('/auth?mode=sign-up')
    await reader.getByLabel('Email').fill(email)
    await reader.getByLabel('Password', { exact: true }).fill(newPassword)
    await reader.getByRole('button', { name: 'Sign Up', exact: true }).click()
    const areas = reader.getByRole('group', { name: 'What do you bake?' })
    await expect(areas.getByRole('checkbox')).toHaveCount(6)
    await expect(reader.getByRole('checkbox', { name: 'Technology' })).toHaveCount(0)
    await areas.getByRole('checkbox', { name: 'Gluten-free' }).check()
    await areas.getByRole('checkbox', { name: 'Rye' }).check()
    await expect(toasts(reader)).toHaveCount(0)
    await inspect(reader, 'onboarding-own-options')
    await reader.getByRole('button', { name: 'Continue', exact: true }).click()
    await reader.getByRole('radio', { name: 'Beginner' }).check()
    await reader.getByRole('button', { name: 'Continue', exact: true }).click()
    await expect(reader.getByText('Step 3 of 3')).toBeVisible()
  })

  await test.step('An option that is retired meanwhile is refused with a sentence, and the reader chooses again', async () => {
    const { items } = await callAs<{ items: { question: string; options: { retired: boolean; label: string }[] }[] }>(
      request,
      owner,
      'admin-questions',
    )
    const question = items.find((item) => item.question === 'focusAreas')
    const options = question?.options.filter(({ retired, label }) => !retired && label !== 'Gluten-free')
    await callAs(request, owner, 'admin-save-question', { ...question, options })
    await reader.getByRole('button', { name: 'Finish', exact: true }).click()
    const refusal = '“Gluten-free” is no longer offered. Choose again: What do you bake?'
    await expect(toasts(reader).filter({ hasText: refusal })).toBeVisible()
    await reader.getByRole('checkbox', { name: 'Gluten-free' }).uncheck()
    await reader.getByRole('button', { name: 'Continue', exact: true }).click()
    await reader.getByRole('button', { name: 'Continue', exact: true }).click()
    const saved = reader.waitForResponse('**/functions/v1/onboarding-welcome')
    await reader.getByRole('button', { name: 'Finish', exact: true }).click()
    expect((await (await saved).json()).preferences.focusAreas).toEqual(['Marketing'])
  })

  await test.step('The portal is in the reader’s order, with the bakery’s words', async () => {
    const users = await callAs<{ users: { id: string; email: string }[] }>(request, owner, 'admin-users', {
      search: email,
    })
    await callAs(request, owner, 'admin-grant-access', {
      userId: users.users[0]?.id,
      until: new Date(Date.now() + 365 * 86_400_000).toISOString(),
      note: '',
    })
    await reader.goto('/portal/weekly-drops')
    await expect(reader.getByRole('region', { name: 'Recommended for You' })).toContainText('Rye first')
    const earlier = reader.getByRole('list', { name: 'Tags' })
    // After the newest drop, those about Rye come first.
    await expect(earlier.nth(1)).toContainText('Rye')
    await expect(reader.getByRole('main')).not.toContainText('Marketing')
    await expect(reader.getByRole('main')).not.toContainText('Operations')
    await inspect(reader, 'portal-own-options')
    await reader.goto('/portal/archive?tag=Marketing')
    await expect(reader.getByRole('button', { name: /^Rye/ })).toHaveAttribute('aria-pressed', 'true')
    await reader.goto('/portal/search?q=review')
    await reader.getByText('More filters').click()
    await expect(reader.getByRole('group', { name: 'Doughs' }).getByRole('button')).toHaveText([
      ...['Sourdough', 'Rye', 'Sales', 'Customer Service', 'Finance'],
    ])
  })

  await test.step('Visitors find the drops under the new word, and the former address still answers', async () => {
    await reader.goto('/drops/tag/rye')
    await expect(reader.getByRole('heading', { level: 1 })).toContainText('Rye')
    await reader.goto('/drops/tag/marketing')
    await expect(reader.getByRole('heading', { level: 1 })).toContainText('Rye')
  })
  await context.close()
})
