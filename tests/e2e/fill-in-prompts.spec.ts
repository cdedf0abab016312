import type { Locator, Page } from '@playwright/test'
import { inspect, inspectState } from './support/inspect.ts'
import { isUncovered } from './support/layout.ts'
import { expect, test } from './support/test.ts'

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const handover = 'Closing handover note'
const promptNamed = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: title, exact: true }) })
const lineHeight = (blank: Locator) =>
  blank.evaluate((element) => Number.parseFloat(getComputedStyle(element).lineHeight))

/** How high the outline of a blank or of something in it is on one line. */
const ringHeight = (blank: Locator) =>
  blank.evaluate((element) => {
    const ringed = [element, ...element.querySelectorAll('*')].find(
      (each) => getComputedStyle(each).outlineStyle === 'solid',
    )
    if (!ringed) return Number.NaN
    const { outlineWidth, outlineOffset } = getComputedStyle(ringed)
    const [line] = ringed.getClientRects()
    return (line?.height ?? Number.NaN) + 2 * (Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset))
  })

test('Blanks are filled in, remembered and saved by keyboard alone; a location then fills them on a phone', async ({
  page,
  context,
  login,
  signUpSubscriber,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await login(await signUpSubscriber())
  await page.goto('/portal/prompt-packs#operations-closing-handover')
  const prompt = promptNamed(page, handover)
  await expect(prompt).toContainText('3 blanks to fill in')

  await test.step('by keyboard', async () => {
    await prompt.getByRole('button', { name: 'Fill in Store name' }).focus()
    await page.keyboard.press('Enter')
    await expect(prompt.getByRole('textbox', { name: 'Store name' })).toBeFocused()
    await page.keyboard.type('Harbor <b>[city]</b> store')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(prompt.getByRole('button', { name: 'Save to my profile' })).toBeFocused()
    await page.keyboard.press('Enter')
    // The next blank is open; Enter goes on.
    const date = prompt.getByRole('textbox', { name: 'Date: day and shift' })
    await expect(date).toBeFocused()
    await page.keyboard.type('Friday late')
    const remembered = page.waitForResponse('**/remember-answers')
    await page.keyboard.press('Enter')
    await remembered
    await page.keyboard.press('Escape')
    await expect(prompt).toContainText('1 of 3 blanks left')
    await prompt.getByRole('button', { name: `Copy: ${handover}` }).focus()
    await page.keyboard.press('Enter')
    await expect(prompt.getByRole('status')).toContainText('Copied with one empty blank')
    const copied = await clipboard(page)
    expect(copied).toContain('I am closing Harbor <b>[city]</b> store on Friday late.')
    expect(copied).toMatch(/\[[^\]]+\]/)
  })

  await test.step('after a reload, from the profile and from memory', async () => {
    await page.reload()
    await expect(
      prompt.getByRole('button', { name: /^Store name: Harbor .*, from your profile\. Change$/ }),
    ).toBeVisible()
    await expect(prompt.getByRole('button', { name: /Friday late, your last answer\. Change$/ })).toBeVisible()
  })

  await test.step('a location is added on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/account/business')
    await expect(page.getByRole('textbox', { name: 'Store name' })).toHaveValue('Harbor <b>[city]</b> store')
    expect(await isUncovered(page.getByRole('button', { name: 'Save profile' }))).toBe(true)
    await page.getByRole('textbox', { name: 'City' }).fill('Akron')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await expect(page.getByText('Your profile was saved')).toBeVisible()
    await page.getByRole('button', { name: 'Add a location' }).click()
    const form = page.getByRole('region', { name: 'New location' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Oak Avenue')
    await expect(form.getByText('Your profile says: Akron')).toBeVisible()
    await form.getByRole('textbox', { name: 'City' }).fill('Dayton')
    await page.getByRole('main').getByRole('link', { name: 'Account', exact: true }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Keep' }).click()
    await form.getByRole('button', { name: 'Save location' }).click()
    await expect(page.getByRole('list', { name: 'Locations' })).toContainText('Oak Avenue')
    await expect(page.getByRole('button', { name: 'Add a location' })).toBeFocused()
    await page.getByRole('button', { name: 'Edit Oak Avenue' }).click()
    await inspect(page, 'account-business')
  })

  await test.step('and fills the prompts that it is chosen for', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/portal/prompt-packs#operations-closing-handover')
    await prompt.getByRole('combobox', { name: 'Fill in for' }).selectOption('Oak Avenue')
    await expect(
      prompt.getByRole('button', { name: 'Store name: Oak Avenue, from the location. Change' }),
    ).toBeVisible()
    await inspectState(page, 'prompt-filled-in')
    await prompt.getByRole('button', { name: 'Reset to blanks' }).click()
    await expect(prompt).toContainText('3 blanks to fill in')
    await prompt.getByRole('button', { name: `Copy: ${handover}` }).click()
    await expect(prompt.getByRole('status')).toContainText('Copied with 3 empty blanks')
    expect(await isUncovered(prompt.getByRole('status'))).toBe(true)
  })

  await test.step('what is typed is kept when another blank opens, when the prompt is copied and when the page is left', async () => {
    await prompt.getByRole('button', { name: 'Fill in Store name' }).click()
    await prompt.getByRole('textbox', { name: 'Store name' }).fill('Elm Street')
    await prompt.getByRole('button', { name: /^Fill in Date/ }).click()
    await prompt.getByRole('textbox', { name: /^Date/ }).fill('Saturday early')
    await prompt.getByRole('button', { name: `Copy: ${handover}` }).click()
    await expect(prompt.getByRole('status')).toContainText('Copied with one empty blank')
    expect(await clipboard(page)).toContain('I am closing Elm Street on Saturday early.')
    const open = prompt.getByRole('button', { name: /^Date.*Saturday early/ })
    expect(await ringHeight(open)).toBeLessThanOrEqual(await lineHeight(open))
    await page.getByRole('link', { name: 'Guides' }).click()
    // Going back before that would leave from the page before the prompts.
    await expect(page).toHaveURL('/portal/guides')
    await page.goBack()
    await expect(prompt.getByRole('button', { name: /Saturday early, your last answer\. Change$/ })).toBeVisible()
  })
})

test('A prompt in a drop is filled in and opened in an assistant; a data agreement is asked for first', async ({
  page,
  context,
  login,
  signUpSubscriber,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await login(await signUpSubscriber())
  await context.route('https://chatgpt.com/**', (route) => route.fulfill({ body: 'A new chat' }))
  await page.goto('/portal/weekly-drops/a-week-of-reviews')
  const quoted = page.getByRole('blockquote').filter({ hasText: 'Draft a public reply to a review' })
  await quoted.getByRole('button', { name: 'Fill in Type of business' }).click()
  await quoted.getByRole('textbox', { name: 'Type of business' }).fill('gutter cleaner')
  await page.keyboard.press('Enter')
  await expect(quoted.getByRole('textbox', { name: 'Voice sheet' })).toBeFocused()
  await quoted.getByRole('textbox', { name: 'Voice sheet' }).fill('Short.\nPlain.')
  await quoted.getByRole('button', { name: 'Save to my profile' }).click()
  await quoted.getByRole('button', { name: 'Close' }).click()
  await quoted.getByRole('button', { name: 'Open in …' }).click()
  const [chat] = await Promise.all([
    context.waitForEvent('page'),
    quoted.getByRole('button', { name: 'ChatGPT' }).click(),
  ])
  expect(chat.url()).toBe('https://chatgpt.com/')
  expect(await chat.evaluate(() => [document.referrer, window.opener])).toEqual(['', null])
  await chat.close()
  expect(await clipboard(page)).toMatch(
    /^Draft a public reply to a review of a gutter cleaner\.[\s\S]*VOICE: Short\.\nPlain\.\n/,
  )

  await page.goto('/portal/prompt-packs#operations-meeting-notes')
  const notes = promptNamed(page, 'Meeting notes into decisions and tasks')
  await expect(notes.getByRole('link', { name: 'Only with a data agreement' })).toBeVisible()
  await notes.getByRole('button', { name: /^Fill in Topic/ }).click()
  await expect(notes.getByText('your answers stay on this page')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.evaluate(() => navigator.clipboard.writeText('untouched'))
  await notes.getByRole('button', { name: 'Copy: Meeting notes' }).click()
  const question = notes.getByRole('region', { name: 'Only with a data agreement' })
  await expect(question.getByRole('button', { name: 'I have an agreement' })).toBeFocused()
  expect(await clipboard(page)).toBe('untouched')
  await page.keyboard.press('Enter')
  await expect(notes.getByRole('status')).toContainText('Copied with')
  expect(await clipboard(page)).toContain('Turn these notes into a follow-up message.')
})
