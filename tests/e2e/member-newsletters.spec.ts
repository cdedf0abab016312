import { storageOf } from './support/accounts.ts'
import { unsubscribeLink } from './support/email-links.ts'
import { inspectState } from './support/inspect.ts'
import { test } from './support/own-server.ts'
import { expect, toast } from './support/test.ts'

test('Staff turn off a newsletter for a member, and turn it on only with the member’s word', async ({
  page,
  login,
  admin,
  signUpConfirmed,
}) => {
  const member = await signUpConfirmed()
  await login(await admin())
  await page.goto(`/admin/members/${member.session.user.id}`)
  const newsletters = page.getByRole('region', { name: 'Newsletters', exact: true })
  const news = newsletters.getByRole('listitem').filter({ hasText: 'Product news' })
  await expect(news).toContainText('On.')
  await news.getByRole('button', { name: 'Turn off Product news' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await expect(toast(page, 'Newsletter changed')).toBeVisible()
  await expect(news).toContainText('turned it off.')

  await news.getByRole('button', { name: 'Turn on Product news' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn on “Product news”?' })
  await inspectState(page, 'member-newsletter-dialog')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'They asked me to turn it on' }).check()
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(news).toContainText('turned it on.')
  await inspectState(page, 'member-newsletters')

  await page.goto('/admin/settings/log?event=member_newsletter_changed')
  await expect(page.getByText('The member asked for it')).toBeVisible()
})

test('Staff see that a member unsubscribed and when before they turn the newsletter on', async ({
  page,
  browser,
  baseURL,
  login,
  admin,
  signUpConfirmed,
}) => {
  const member = await signUpConfirmed()
  const reader = await browser.newContext({ baseURL, storageState: storageOf(member.session, baseURL) })
  const account = await reader.newPage()
  await account.goto(unsubscribeLink(member.session.user.id, 'news'))
  await account.getByRole('button', { name: 'Stop receiving product news' }).click()
  await expect(account.getByRole('status')).toContainText('unsubscribed')
  await reader.close()

  await login(await admin())
  await page.goto(`/admin/members/${member.session.user.id}`)
  const news = page
    .getByRole('region', { name: 'Newsletters', exact: true })
    .getByRole('listitem')
    .filter({ hasText: 'Product news' })
  await expect(news).toContainText(/Off since today.*: they unsubscribed themselves\./)
  await news.getByRole('button', { name: 'Turn on Product news' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('they unsubscribed themselves. Turn it on again only if they asked you to.')
  await inspectState(page, 'member-newsletter-unsubscribed')
})
