import type { Page } from '@playwright/test'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { callAs, demoEmail, demoPassword, signIn } from './support/accounts.ts'
import { inspectState } from './support/inspect.ts'
import { settle } from './support/layout.ts'
import { paste } from './support/markdown-field.ts'
import { test as base, expect } from './support/test.ts'

type Section = [id: string, heading: string, body: string]

/** A drop of its own with these sections, with the editor open. Reads them as they are stored. */
const test = base.extend<{ openDrop: (...sections: Section[]) => Promise<() => Promise<Section[]>> }>({
  openDrop: async ({ page, baseURL, request, login }, use) => {
    await use(async (...sections) => {
      const admin = await signIn(baseURL ?? '', demoEmail('admin'), demoPassword)
      await login(admin)
      const title = `Sections ${process.pid}${Date.now().toString(36).slice(-5)}`
      const made = await callAs<StoredDocument>(request, admin, 'admin-create-document', { kind: 'issue', title })
      const draft = made.document as IssueDraft
      const [empty] = draft.sections
      const changed = {
        ...draft,
        sections: sections.map(([id, heading, body]) => ({ ...empty, id: `${made.id}-${id}`, heading, body })),
      }
      const { id, version } = made
      await callAs(request, admin, 'admin-save-document', { kind: 'issue', id, version, document: changed })
      await page.goto(`/admin/content/drops/${id}`)
      await expect(text(page)).toBeVisible()
      return async () => {
        const stored = await callAs<StoredDocument>(request, admin, 'admin-read-document', { kind: 'issue', id })
        const { sections: saved } = stored.document as IssueDraft
        return saved.map((section) => [section.id.replace(`${id}-`, ''), section.heading, section.body])
      }
    })
  },
})

const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const fresh = expect.stringMatching(/^[0-9a-f-]{36}$/)

test('A heading that is typed begins a section, Backspace joins it again, and each is one undo', async ({
  page,
  openDrop,
}) => {
  const stored = await openDrop(['text', '', 'Hello.\n\nThe rest of it is longer.'], ['last', 'Last', 'The end.'])
  await text(page).getByText('Hello.').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('## Count it twice')
  await expect(text(page).getByRole('heading', { level: 2, name: 'Count it twice' })).toBeVisible()
  // The caret stays where the writer is, and Enter begins the text.
  await page.keyboard.type(', always')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Once is never enough.')
  const split = [
    [fresh, '', 'Hello.'],
    ['text', 'Count it twice, always', 'Once is never enough.\n\nThe rest of it is longer.'],
    ['last', 'Last', 'The end.'],
  ]
  await expect.poll(stored).toEqual(split)
  const settings = text(page).getByText(/^For members · 1 min$/)
  await expect(settings).toHaveCount(2)

  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  // The browser reports the moved caret after the key; no one presses the next one within a millisecond.
  await settle(page)
  await page.keyboard.press('Backspace')
  await expect.poll(stored).toEqual([
    ['text', '', 'Hello.\n\nCount it twice, always\n\nOnce is never enough.\n\nThe rest of it is longer.'],
    ['last', 'Last', 'The end.'],
  ])
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(stored).toEqual(split)

  // The arrow keys go from one section to the next.
  await text(page).getByText('The rest of it is longer.').click()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.type(' one')
  await expect(text(page).getByRole('heading', { level: 2, name: 'Last one' })).toBeVisible()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(async () => (await stored()).map(([id]) => id)).toEqual([fresh, 'last', 'text'])
})

test('The settings of a section are beside its heading, and the toolbar and a paste begin sections too', async ({
  page,
  openDrop,
}) => {
  const stored = await openDrop(['text', '', 'Hello.'])
  await text(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Enter')
  await paste(text(page), { 'text/plain': '## Cash\n\nCount it.\n\n## Cards\n\n- Slips\n\n### Late ones' })
  await expect.poll(stored).toEqual([
    ['text', '', 'Hello.'],
    [fresh, 'Cash', 'Count it.'],
    [fresh, 'Cards', '- Slips\n\n### Late ones'],
  ])
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Checks')
  await page.getByRole('toolbar', { name: 'Format: Text' }).getByRole('button', { name: 'Heading' }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/head')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Change')
  await expect
    .poll(async () => (await stored()).map(([, heading]) => heading))
    .toEqual(['', 'Cash', 'Cards', 'Checks', 'Change'])

  const cash = text(page).locator('.section-heading').filter({ hasText: 'Cash' })
  await cash.getByText('For members · 1 min').click()
  await cash.getByLabel('Who can read it').selectOption('Everyone')
  await cash.getByRole('group', { name: 'Focus areas' }).getByRole('checkbox', { name: 'Finance' }).check()
  await cash.getByLabel('Summary').fill('Two counts.')
  await expect(cash.getByText('Open to everyone · 1 min · Finance')).toBeVisible()
  await inspectState(page, 'publishing-sections')
  await cash.getByRole('button', { name: 'Move section down: Cash' }).click()
  await expect
    .poll(async () => (await stored()).map(([, heading]) => heading))
    .toEqual(['', 'Cards', 'Cash', 'Checks', 'Change'])
  await expect(cash.getByText('Open to everyone · 1 min · Finance')).toBeVisible()
  await cash.getByRole('button', { name: 'Remove section: Cash' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(cash).toHaveCount(0)
  await text(page).focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cash.getByText('Open to everyone · 1 min · Finance')).toBeVisible()

  // A problem’s link goes to the text of its section.
  await page.getByText(/^Still missing/).click()
  await page.getByRole('button', { name: /Section 4.*text is missing/i }).click()
  await expect(text(page)).toBeFocused()
  await page.keyboard.type('Not a single one.')
  await expect.poll(async () => (await stored()).map(([, , body]) => body)).toContain('Not a single one.')
})

test('In the source, a line with ## begins a section and keeps the ids', async ({ page, openDrop }) => {
  const stored = await openDrop(['text', '', 'Hello.'], ['last', 'Last', 'The end.\n\nIt is a long one.'])
  await page.getByRole('group', { name: 'Show: Text' }).getByRole('button', { name: 'Source' }).click()
  await expect(text(page)).toHaveValue('Hello.\n\n## Last\n\nThe end.\n\nIt is a long one.')
  await text(page).focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('End')
  await page.keyboard.type('\n\n## Between\nSome text.')
  await expect.poll(stored).toEqual([
    ['text', '', 'Hello.'],
    [fresh, 'Between', 'Some text.'],
    ['last', 'Last', 'The end.\n\nIt is a long one.'],
  ])
  await expect(text(page)).toHaveValue('Hello.\n\n## Between\nSome text.\n\n## Last\n\nThe end.\n\nIt is a long one.')
  await page.getByRole('listitem').filter({ hasText: 'Between' }).getByText('For members · 1 min').click()
  await page.getByRole('listitem').filter({ hasText: 'Between' }).getByLabel('Summary').fill('Short.')
  await inspectState(page, 'publishing-sections-source')
  await page.getByRole('group', { name: 'Show: Text' }).getByRole('button', { name: 'Text' }).click()
  await expect(text(page).getByRole('heading', { level: 2, name: 'Between' })).toBeVisible()
  await expect.poll(async () => (await stored()).map(([id]) => id)).toEqual(['text', fresh, 'last'])
})
