import { storageOf } from './support/accounts.ts'
import { inspect } from './support/inspect.ts'
import { pasteMarkdown } from './support/markdown-field.ts'
import { test } from './support/own-server.ts'
import { expect } from './support/test.ts'

test.describe.configure({ timeout: 240_000 })

test('A bakery gets pages, navigation, tabs and an announcement of its own', async ({
  page,
  browser,
  baseURL,
  login,
  admin,
}) => {
  const owner = await admin()
  await login(owner)

  await test.step('The owner writes a page; an address of the application is refused', async () => {
    await page.goto('/admin/settings/pages')
    await page.getByRole('link', { name: 'New page' }).click()
    await page.getByLabel('Title').fill('Opening hours')
    await page.getByLabel('Address', { exact: true }).fill('/admin')
    await pasteMarkdown(page.getByRole('textbox', { name: 'Text' }), 'We open at **seven**, even on Sunday.')
    await page.getByLabel('State').selectOption('Published')
    await page.getByRole('button', { name: 'Save page' }).click()
    await expect(page.getByText('The application uses the address /admin itself.')).toBeVisible()
    await page.getByLabel('Address', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Save page' }).click()
    await expect(page.getByRole('link', { name: 'View page' })).toHaveAttribute('href', '/opening-hours')
    await inspect(page, 'admin-site-page')
  })

  await test.step('Navigation leads to it; a script isn’t an address', async () => {
    await page.goto('/admin/settings/navigation')
    await page.getByRole('button', { name: 'Add link: Header for visitors' }).click()
    await page.getByLabel('Header for visitors, link 5: page').selectOption('Opening hours')
    await page.getByRole('button', { name: 'Remove: Tabs of the portal, link 2' }).click()
    await page.getByLabel('Tabs of the portal, link 1: name').fill('Recipes of the week')
    await page.getByRole('button', { name: 'Move up: Tabs of the portal, link 2' }).click()
    await page.getByLabel('Button for visitors').fill('Join the bakery')
    await page.getByRole('group', { name: 'Footer for members' }).getByLabel('link 1: page').selectOption('other')
    await page.getByLabel('Footer for members, link 1: address').fill('javascript:alert(1)')
    await page.getByLabel('Text', { exact: true }).fill('Closed on Christmas Day')
    await page.getByLabel('Link', { exact: true }).fill('/opening-hours')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page.getByText('“javascript:alert(1)” isn’t an address for a link.')).toBeVisible()
    await page.getByLabel('Footer for members, link 1: address').fill('https://bakery.example.com/shop')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page.getByText('Settings saved')).toBeVisible()
    await inspect(page, 'admin-navigation')
  })

  await test.step('Visitors see header, button and announcement, and dismiss it', async () => {
    const context = await browser.newContext({ baseURL })
    const visitor = await context.newPage()
    await expect(async () => {
      await visitor.goto('/')
      await expect(visitor.getByRole('link', { name: 'Join the bakery' }).first()).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await inspect(visitor, 'landing-with-navigation')
    await visitor.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Opening hours' }).click()
    await expect(visitor.getByRole('heading', { level: 1, name: 'Opening hours' })).toBeVisible()
    await inspect(visitor, 'own-page')
    await visitor.getByRole('button', { name: 'Dismiss announcement' }).click()
    await expect(visitor.getByRole('complementary', { name: 'Announcement' })).toHaveCount(0)
    await expect(visitor).toHaveURL('/opening-hours')
    await visitor.goto('/')
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(visitor.getByRole('complementary', { name: 'Announcement' })).toHaveCount(0)
    await context.close()
  })

  await test.step('Members find the tabs in their order, and read the page in the portal', async () => {
    const context = await browser.newContext({ baseURL, storageState: storageOf(owner.session, baseURL) })
    const member = await context.newPage()
    await member.goto('/portal')
    await expect(member).toHaveURL('/portal/guides')
    const tabs = member.getByRole('navigation', { name: 'Portal' }).getByRole('link')
    await expect(tabs).toHaveText(['Guides', 'Recipes of the week', 'Tools'])
    await tabs.nth(1).click()
    await expect(member.getByRole('heading', { level: 1, name: 'Recipes of the week' })).toBeVisible()
    await expect(member).toHaveTitle(/^Recipes of the week · /)
    await member.getByRole('button', { name: 'Dismiss announcement' }).click()
    await expect(member.getByRole('complementary', { name: 'Announcement' })).toHaveCount(0)
    await member.goto('/portal/prompt-packs')
    await expect(member.getByRole('heading', { level: 1, name: 'Prompt Packs' })).toBeVisible()
    await member.goto('/portal/pages/opening-hours')
    await expect(member.getByText('even on Sunday')).toBeVisible()
    await inspect(member, 'portal-own-page')
    await context.close()
  })
})
