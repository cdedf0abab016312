import type { Page } from '@playwright/test'
import { callAs, signUp } from './support/accounts.ts'
import { confirmEmail, waitForEmail } from './support/emails.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

test.describe.configure({ timeout: 120_000 })

const handover = 'Closing handover note'
const promptPage = '/portal/prompt-packs#operations-closing-handover'
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test('Before a prompt is copied, names and numbers get stand-ins on the device, also offline', async ({
  page,
  context,
  login,
  request,
  signUpSubscriber,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const reader = await signUpSubscriber()
  const changes = { private_words: { from: '', to: 'Acme Supply\nBlue Door' } }
  await callAs(request, reader, 'save-business-profile', { changes })
  await login(reader)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(promptPage)
  const prompt = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: handover }) })
  const question = prompt.getByRole('region', { name: 'Before you paste it' })
  const copy = prompt.getByRole('button', { name: `Copy: ${handover}` })

  await prompt.getByRole('button', { name: 'Fill in Store name' }).click()
  await prompt.getByRole('textbox', { name: 'Store name' }).fill('Harbor')
  await copy.click()
  await expect(prompt.getByRole('status')).toContainText('Copied with')
  await expect(question).toHaveCount(0)

  await prompt.getByRole('button', { name: /^Fill in Date/ }).click()
  await prompt
    .getByRole('textbox', { name: /^Date/ })
    .fill('Friday. Maria Lopez (415-555-0100) waited for acme supply; Maria was calm')
  await copy.click()
  await expect(question.getByRole('checkbox')).toHaveCount(3)
  await expect(question).toContainText('It doesn’t find everything')
  await inspectState(page, 'paste-guard')
  const calls: string[] = []
  page.on('request', (call) => calls.push(call.url()))
  await context.setOffline(true)
  await question.getByRole('checkbox', { name: /acme supply/ }).uncheck()
  await question.getByRole('button', { name: 'Replace and go on' }).click()
  await expect(question).toHaveCount(0)
  expect(await clipboard(page)).toContain('Friday. [guest 1] ([phone 1]) waited for acme supply; [guest 1] was calm')
  await copy.click()
  await question.getByRole('button', { name: 'Leave as it is' }).click()
  expect(await clipboard(page)).toContain('Maria Lopez (415-555-0100)')
  expect(calls.filter((url) => url.includes('/functions/'))).toEqual([])
  await context.setOffline(false)
})

test('An owner fills in a prompt for three stores, sees what got old, and what it brought', async ({
  page,
  request,
  login,
  signUpSubscriber,
}) => {
  const owner = await signUpSubscriber('team_monthly')
  const stores = ['Harbor Street', 'Oak Avenue', 'Elm Square']
  const ids = stores.map(() => crypto.randomUUID())
  for (const [index, name] of stores.entries()) {
    const changes = { city: { from: '', to: `City ${index}` } }
    await callAs(request, owner, 'save-location', { id: ids[index], name: { from: '', to: name }, changes })
  }
  await login(owner)

  await test.step('in two taps', async () => {
    await page.goto(promptPage)
    await page.getByRole('button', { name: 'Fill in for all 3 stores' }).click()
    const dialog = page.getByRole('dialog', { name: 'Fill in for all stores' })
    await expect(dialog.getByRole('textbox', { name: 'Store name: Oak Avenue' })).toHaveValue('Oak Avenue')
    await dialog.getByRole('textbox', { name: /^Date.*: Elm Square$/ }).fill('Sunday late')
    await inspectState(page, 'fill-for-stores')
    await dialog.getByRole('button', { name: 'Assign to 3 stores' }).dblclick()
    await expect(dialog.getByRole('img', { name: /^QR code for/ })).toHaveCount(3)
    await page.goto('/portal/assignments')
    const team = page.getByRole('list', { name: 'For the team' })
    await expect(team.getByRole('listitem')).toHaveCount(3)
    const elm = team.getByRole('listitem').filter({ hasText: 'For Elm Square' })
    await elm.getByText('Filled-in text').click()
    await expect(elm).toContainText('I am closing Elm Square on Sunday late.')
  })

  await test.step('a change of a store’s facts marks what was filled in with the old ones', async () => {
    await callAs(request, owner, 'save-location', { id: ids[1], name: { from: 'Oak Avenue', to: 'Oak and Fifth' } })
    await page.reload()
    const oak = page.getByRole('listitem').filter({ hasText: 'For Oak and Fifth' })
    await expect(oak).toContainText('Store name was “Oak Avenue”, now “Oak and Fifth”')
    await expect(page.getByText('Filled in with older details')).toHaveCount(1)
    await inspect(page, 'assignments-filled')
  })

  await test.step('the receipt, in one tap from the year', async () => {
    await callAs(request, owner, 'save-wage', { cents: 2_000, at: new Date().toISOString() })
    await page.goto('/portal/value')
    await page.getByRole('link', { name: 'By store and month' }).click()
    const list = page.getByRole('table', { name: 'By store' })
    await expect(list.getByRole('rowheader')).toHaveCount(3)
    await page.getByText('Add money that was found').click()
    await page.getByRole('combobox', { name: 'Store', exact: true }).selectOption('Harbor Street')
    await page.getByRole('spinbutton', { name: 'Amount in dollars' }).fill('120')
    await page.getByRole('textbox', { name: 'Source' }).fill('statement of May 4, line 12')
    await page.getByRole('button', { name: 'Save amount' }).click()
    await expect(list).toContainText('Royalty found: $120.00 (statement of May 4, line 12)')
    await inspect(page, 'store-receipt')
  })

  await test.step('is shared with a partner by a link', async () => {
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /^Share this receipt/ })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const url = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
    await page.context().clearCookies()
    await page.goto(url)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Receipt of')
    await expect(page.getByRole('main')).toContainText('Royalty found: $120.00')
    await inspectState(page, 'shared-receipt')
  })
})

test('An owner lets a manager go: open work, links and sessions in one confirmed step', async ({
  page,
  request,
  login,
  signUpSubscriber,
  baseURL,
}) => {
  const owner = await signUpSubscriber('team_monthly')
  await confirmEmail(request, owner.email)
  const join = async () => {
    const member = await signUp(baseURL ?? '')
    await callAs(request, owner, 'invite-member', { email: member.email })
    const { text } = await waitForEmail(request, member.email, /^You’re invited to a/)
    const code = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0]
    await callAs(request, member, 'join-team', { email: member.email, code })
    return member
  }
  const [manager, successor] = [await join(), await join()]
  await callAs(request, owner, 'assign', {
    assignmentId: crypto.randomUUID(),
    item: { kind: 'prompt', id: 'operations-closing-handover' },
    ...{ to: { userId: manager.session.user.id }, dueOn: '2030-12-31', note: '' },
  })
  await login(owner)
  await page.goto('/account/team')
  await page.getByRole('link', { name: `Remove ${manager.email}` }).click()
  await expect(page.getByRole('list', { name: 'Open for them' })).toContainText(handover)
  await expect(page.getByText('1 signed-in device')).toBeVisible()
  await page.getByRole('combobox', { name: 'Hand over to' }).selectOption(successor.email)
  await inspect(page, 'someone-leaves')
  await page.getByRole('button', { name: `Remove ${manager.email}` }).click()
  await expect(page).toHaveURL('/account/team')
  await expect(page.getByText('2 of 3 taken')).toBeVisible()
  await waitForEmail(request, manager.email, /You were removed from/)
  await waitForEmail(request, owner.email, /left your team/)
  await page.goto('/portal/assignments')
  await expect(page.getByRole('list', { name: 'For the team' })).toContainText(`For ${successor.email}`)
})
