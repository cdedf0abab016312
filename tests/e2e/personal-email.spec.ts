import { waitForEmail } from './support/emails.ts'
import { inspectState } from './support/inspect.ts'
import { test } from './support/own-server.ts'
import { expect, toast } from './support/test.ts'

test('A publisher writes one member an email, looks at it and sends it', async ({
  page,
  request,
  login,
  admin,
  signUpConfirmed,
}) => {
  const member = await signUpConfirmed()
  await login(await admin())
  await page.goto(`/admin/members/${member.session.user.id}`)
  const personal = page.getByRole('region', { name: 'Personal emails' })
  await personal.getByRole('button', { name: 'Write an email' }).click()
  await personal.getByLabel('Subject').fill('About your question')
  await personal.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello, we looked into it. It works again.')
  await personal.getByRole('button', { name: 'Preview' }).click()
  await expect(
    page
      .frameLocator('iframe[title="Preview of the personal email"]')
      .getByRole('paragraph')
      .filter({ hasText: 'It works again.' }),
  ).toBeVisible()
  await inspectState(page, 'admin-personal-email')
  await personal.getByRole('button', { name: 'Send to this member' }).click()
  await expect(toast(page, 'The email is on its way')).toBeVisible()
  const sent = personal.getByRole('listitem').filter({ hasText: 'About your question' })
  await expect(sent).toContainText('Accepted')
  const email = await waitForEmail(request, member.email, /^About your question$/)
  expect(email.text).toContain('To answer, reply to it.')
})
