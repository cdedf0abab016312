import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contentDirectory } from '#server/seed/read-content-directory.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { FullIssue } from '#shared/contracts/library/issues.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { drop, openAdmin } from './support.ts'

let admin: Awaited<ReturnType<typeof openAdmin>>
let directory: string
beforeAll(async () => {
  admin = await openAdmin()
})
afterAll(() => admin.server.close())
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'content-'))
  cpSync(contentDirectory, directory, { recursive: true, filter: (path) => !/guides\/./.test(path) })
  return () => rmSync(directory, { recursive: true })
})

const edit = (file: string, change: (text: string) => string) => {
  const path = join(directory, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}
const seed = () => seedContent(admin.server.deps, directory)
const shown = async (slug: string) => admin.ask('weekly-drop', { slug }, admin.reader)
const tools = async () =>
  (await admin.get<{ tools: { id: string; category: string }[] }>('tools', {}, admin.reader)).tools

test('a changed file updates unedited documents and never edited ones', async () => {
  const stored = await admin.read('issue', 'a-week-of-reviews')
  const { body } = await admin.save(stored, { ...stored.document, title: 'Edited here' })
  await admin.publish(body as unknown as StoredDocument)
  edit('drops/a-week-of-reviews.yaml', (text) => text.replace(/^title: .*$/m, 'title: From the file'))
  edit('drops/ten-minutes-in-your-close.yaml', (text) => text.replace(/^title: .*$/m, 'title: From the file'))
  expect(await seed()).toBe(true)
  expect((await shown('a-week-of-reviews')).body).toMatchObject({ issue: { title: 'Edited here' } })
  expect((await shown('ten-minutes-in-your-close')).body).toMatchObject({ issue: { title: 'From the file' } })
  expect(await admin.read('issue', 'ten-minutes-in-your-close')).toMatchObject({
    document: { title: 'From the file' },
    version: 2,
    publishedVersion: 2,
    updatedBy: null,
  })
})

test('the seed neither republishes documents nor deletes those created in the admin', async () => {
  await admin.get('admin-unpublish-document', { kind: 'tool', id: 'canva' })
  const pack = await admin.get<StoredDocument>('admin-create-document', { kind: 'prompt-pack', title: 'Own pack' })
  const prompt = {
    id: 'own-1',
    title: 'Own',
    when: 'Now',
    level: 'beginner',
    dataLabel: 'none',
    checks: ['Read it aloud.'],
    body: 'Write.',
  }
  const filled = await admin.save(pack, { title: 'Own pack', summary: 'Ours.', prompts: [prompt] })
  await admin.publish(filled.body as unknown as StoredDocument)
  edit('tools.yaml', (text) =>
    text.replace('category: Design', 'category: Pictures').replace('category: Writing', 'category: Words'),
  )
  await seed()
  const shown = await tools()
  expect(shown).toHaveLength(13)
  expect(shown.slice(0, 3).map(({ id, category }) => [id, category])).toEqual([
    ['chatgpt', 'Words'],
    ['zapier', 'Automation'],
    ['notebooklm', expect.any(String)],
  ])
  const { categories } = await admin.get<{ categories: { id: string }[] }>('prompt-packs', {}, admin.reader)
  expect(categories.map(({ id }) => id)).toEqual(['operations', 'marketing', 'sales', 'own-pack'])
})

test('a custom order stays, whatever the order of the files', async () => {
  const ids = (await admin.get<{ items: { id: string }[] }>('admin-content', { kind: 'tool' })).items.map(
    ({ id }) => id,
  )
  await admin.get('admin-order-content', { kind: 'tool', ids: ids.toReversed() })
  edit('tools.yaml', (text) => text.replace('category: Automation', 'category: Wiring'))
  await seed()
  const list = await tools()
  expect(list.map(({ id }) => id)).toEqual(ids.filter((id) => id !== 'canva').toReversed())
  expect(list.find(({ id }) => id === 'zapier')?.category).toBe('Wiring')
})

test('a file whose slug is taken by a drop from the admin is skipped', async () => {
  const made = await admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title: 'Made here' })
  const { body } = await admin.save(made, drop({ slug: 'taken', title: 'Made here' }))
  await admin.publish(body as unknown as StoredDocument)
  const text = readFileSync(join(directory, 'drops/a-week-of-reviews.yaml'), 'utf8')
  writeFileSync(join(directory, 'drops/taken.yaml'), text.replace(/^slug: .*$/m, 'slug: taken'))
  expect(await seed()).toBe(true)
  const answer = await shown('taken')
  expect((answer.body as unknown as { issue: FullIssue }).issue.title).toBe('Made here')
})
