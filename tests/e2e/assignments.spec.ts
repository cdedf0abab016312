import { callAs, signUp } from './support/accounts.ts'
import { confirmEmail, emailsTo, waitForEmail } from './support/emails.ts'
import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

test.describe.configure({ timeout: 120_000 })

test('An owner assigns a prompt by keyboard alone; a member checks it off on a phone', async ({
  page,
  request,
  login,
  signUpSubscriber,
  baseURL,
}) => {
  const owner = await signUpSubscriber('team_monthly')
  await confirmEmail(request, owner.email)
  const member = await signUp(baseURL ?? '')
  await callAs(request, owner, 'invite-member', { email: member.email })
  const { text } = await waitForEmail(request, member.email, /^You’re invited to a/)
  const code = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0]
  await callAs(request, member, 'join-team', { email: member.email, code })
  await callAs(request, owner, 'save-location', {
    id: crypto.randomUUID(),
    name: { from: '', to: 'Oak Avenue' },
    changes: { city: { from: '', to: 'Dayton' } },
  })

  await test.step('the owner assigns by keyboard', async () => {
    await login(owner)
    await page.goto('/portal/prompt-packs#operations-closing-handover')
    await page.getByRole('button', { name: 'More: Closing handover note' }).press('Enter')
    await page.getByRole('button', { name: 'Assign: Closing handover note' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Assign' })
    const target = dialog.getByRole('combobox', { name: 'For' })
    await expect(target).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(target).toHaveValue(`person/${member.session.user.id}`)
    await page.keyboard.press('Tab')
    await page.keyboard.type('12312026')
    await dialog.getByRole('textbox', { name: 'Note (optional)' }).focus()
    await page.keyboard.type('Before the holidays')
    await page.keyboard.press('Tab')
    await expect(dialog.getByRole('button', { name: 'Assign', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Assign: Closing handover note' })).toBeFocused()
  })

  await test.step('ties the member to a location, and keeps a section for the team', async () => {
    await page.goto('/portal/weekly-drops/a-week-of-reviews')
    await page
      .getByRole('button', { name: /^More: / })
      .nth(1)
      .click()
    await page.getByRole('button', { name: /^Assign: / }).click()
    const dialog = page.getByRole('dialog', { name: 'Assign' })
    await dialog.getByRole('combobox', { name: 'For' }).selectOption('Oak Avenue')
    const kept = dialog.getByRole('checkbox', { name: 'In the team’s collection' })
    const collected = page.waitForResponse('**/team-collect')
    await kept.click()
    await collected
    await expect(kept).toBeChecked()
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await page.goto('/portal/assignments')
    const team = page.getByRole('list', { name: 'For the team' })
    await expect(team.getByRole('listitem')).toHaveCount(2)
    await expect(team).toContainText(`For ${member.email}`)
    await expect(team).toContainText('For Oak Avenue')
    await expect(page.getByRole('list', { name: 'Team collection' }).getByRole('listitem')).toHaveCount(1)
    const tie = page.getByRole('group', { name: member.email }).getByRole('checkbox', { name: 'Oak Avenue' })
    await tie.click()
    await expect(tie).toBeChecked()
    await inspect(page, 'assignments')
  })

  await test.step('edits the first by keyboard, and takes back removing it', async () => {
    const row = page.getByRole('list', { name: 'For the team' }).getByRole('listitem').filter({ hasText: 'Closing' })
    const edit = row.getByRole('button', { name: 'Edit Closing handover note' })
    await edit.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Edit assignment' })
    await expect(dialog.getByRole('combobox', { name: 'For' })).toBeFocused()
    await expect(dialog.getByRole('combobox', { name: 'For' })).toHaveValue(`person/${member.session.user.id}`)
    const note = dialog.getByRole('textbox', { name: 'Note (optional)' })
    await note.focus()
    await page.keyboard.press('End')
    await page.keyboard.type(', at both stores')
    await page.keyboard.press('Tab')
    const edited = page.waitForResponse('**/edit-assignment')
    await page.keyboard.press('Enter')
    await edited
    await expect(dialog).toHaveCount(0)
    await expect(row).toContainText('Before the holidays, at both stores')
    await expect(edit).toBeFocused()
    await page.keyboard.press('Tab')
    for (const name of ['Undo removing Closing handover note', 'Remove Closing handover note']) {
      const changed = page.waitForResponse('**/remove-assignment')
      await page.keyboard.press('Enter')
      await changed
      await expect(row.getByRole('button', { name })).toBeFocused()
    }
  })

  await test.step('the member finds both and checks one off', async () => {
    await login(member)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/portal/prompt-packs#operations-closing-handover')
    await page.getByRole('link', { name: 'Assigned to you' }).click()
    const mine = page.getByRole('list', { name: 'For you' })
    await expect(mine.getByRole('listitem')).toHaveCount(2)
    await expect(mine).toContainText('Before the holidays, at both stores')
    await expect(mine).toContainText('Due Dec 31, 2026')
    const box = mine.getByRole('checkbox', { name: 'Done: Closing handover note' })
    const sent = page.waitForResponse('**/check-off')
    await box.focus()
    await page.keyboard.press('Space')
    await sent
    await expect(box).toBeChecked()
    await expect(box).toBeFocused()
    await page.reload()
    await expect(mine.getByRole('listitem')).toHaveCount(1)
    await expect(page.getByText('Show 1 done')).toBeVisible()
  })

  await test.step('and leaves; what was open stays with the owner, marked', async () => {
    await callAs(request, owner, 'remove-member', { userId: member.session.user.id })
    await page.goto('/portal/assignments')
    await expect(page).not.toHaveURL('/portal/assignments')
    await login(owner)
    await page.goto('/portal/assignments')
    await page.getByText('Show 1 done').click()
    const done = page.getByRole('list', { name: 'Done' })
    await expect(done).toContainText('Left the team')
    await expect(done).toContainText(`Done by ${member.email}`)
  })
})

test('What is assigned arrives by email and on the first page, until it is done', async ({
  page,
  request,
  login,
  signUpSubscriber,
  baseURL,
}) => {
  const owner = await signUpSubscriber('team_monthly')
  await confirmEmail(request, owner.email)
  const member = await signUp(baseURL ?? '')
  await callAs(request, owner, 'invite-member', { email: member.email })
  const { text } = await waitForEmail(request, member.email, /^You’re invited to a/)
  const code = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0]
  await callAs(request, member, 'join-team', { email: member.email, code })
  // Due in two days, in every time zone at least one.
  const dueOn = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  await callAs(request, owner, 'assign', {
    assignmentId: crypto.randomUUID(),
    item: { kind: 'prompt', id: 'operations-closing-handover' },
    to: { userId: member.session.user.id },
    dueOn,
    note: 'Try it at Oak Avenue',
  })

  const assigned = await waitForEmail(request, member.email, /^Assigned to you: Closing handover note$/)
  expect(assigned.text).toContain('Note: Try it at Oak Avenue')
  expect(assigned.text).toContain(`${owner.email} assigned one thing to you.`)

  await page.setViewportSize({ width: 390, height: 844 })
  await login(member)
  // By any page of the portal once it is idle, or by the list of assignments.
  const zoneSaved = page.waitForResponse('**/save-time-zone', { timeout: 60_000 })
  await page.goto('/portal/weekly-drops')
  const line = page.getByRole('link', { name: /^For you, due \w+: Closing handover note$/ })
  const dot = page.getByRole('img', { name: '1 open assignment for you' })
  await expect(line).toBeVisible()
  await expect(dot).toBeVisible()
  await inspect(page, 'weekly-drops-assignment')
  await line.click()
  expect((await zoneSaved).status()).toBe(200)

  const sent = page.waitForResponse('**/check-off')
  await page.getByRole('checkbox', { name: 'Done: Closing handover note' }).click()
  await sent
  await expect(dot).toHaveCount(0)
  await page.goto('/portal/weekly-drops')
  await expect(page.getByRole('heading', { name: 'Weekly Drops' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Archive by month and tag' })).toBeVisible()
  await expect(line).toHaveCount(0)
  await expect(dot).toHaveCount(0)
  const subjects = (await emailsTo(request, member.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => /^(Assigned|Reminder)/.test(subject))).toHaveLength(1)

  await login(owner)
  await page.goto('/portal/assignments')
  const overview = page.getByRole('list', { name: 'Progress' })
  await expect(overview.getByRole('listitem')).toHaveText(`${member.email}0 open, 1 done`)
  await page.goto('/account/email')
  await page.getByRole('checkbox', { name: 'Email me about assignments and deadlines' }).uncheck()
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await expect
    .poll(() => callAs<{ assignments: boolean }>(request, owner, 'email-preferences'))
    .toMatchObject({ assignments: false, drops: 'weekly' })
})
