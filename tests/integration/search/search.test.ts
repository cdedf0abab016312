import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Document, Packer, Paragraph } from 'docx'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { guideFile, savedItems, tries } from '#server/db/schema/index.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import { readMissingGuideTexts } from '#server/features/publishing/documents/guide-files.ts'
import { itemRefSchema } from '#shared/contracts/library/content-items.ts'
import type { Archive, SearchAnswer } from '#shared/contracts/library/search.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { aiLevels, focusAreas } from '#shared/domain/preferences.ts'
import { verticals } from '#shared/domain/verticals.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { call } from '#tests/support/client-for.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { drop, openAdmin, section } from '../publishing/support.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin()
  return { ...opened, close: () => opened.server.close() }
})

const search = (query: string, more: object = {}) => admin.get<SearchAnswer>('search', { query, ...more }, admin.reader)
const found = async (query: string, more?: object) =>
  (await search(query, more)).items.map(({ kind, id }) => `${kind} ${id}`)
const create = (kind: string, title: string) => admin.get<StoredDocument>('admin-create-document', { kind, title })
const saveAndPublish = async (stored: Pick<StoredDocument, 'kind' | 'id' | 'version'>, document: object) => {
  const { body } = await admin.save(stored, document)
  return admin.get<StoredDocument>('admin-publish-document', {
    kind: stored.kind,
    id: stored.id,
    version: (body as unknown as StoredDocument).version,
  })
}

test('at least 54 of 60 owners’ questions have their item among the first three results', {
  timeout: 120_000,
}, async () => {
  const questions = z
    .array(z.object({ ask: z.string(), expected: z.array(z.object({ kind: z.string(), id: z.string() })).min(1) }))
    .length(60)
    .parse(parse(readFileSync(new URL('owner-questions.yaml', import.meta.url), 'utf8')))
  const missed: string[] = []
  for (const { ask, expected } of questions) {
    const first = (await search(ask)).items.slice(0, 3)
    const isExpected = ({ kind, id }: (typeof first)[number]) =>
      expected.some((item) => item.kind === kind && item.id === id)
    if (!first.some(isExpected)) missed.push(ask)
  }
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(6)
})

test('owners’ questions about rules, terms, pages and joined words have their item among the first three results', {
  timeout: 120_000,
}, async () => {
  const text = readFileSync(new URL('questions-on-pages.yaml', import.meta.url), 'utf8')
  const missed: string[] = []
  for (const { ask, expected } of z
    .array(z.object({ ask: z.string(), expected: z.array(z.string()) }))
    .parse(parse(text))) {
    const first = (await found(ask)).slice(0, 3)
    if (!first.some((item) => expected.includes(item))) missed.push(`${ask}: ${first.join(', ')}`)
  }
  expect(missed).toEqual([])
})

test('a page of the publisher is found while it is published, for members only as well, and never by visitors', async () => {
  const page = {
    id: randomUUID(),
    path: 'opening-times',
    title: 'Opening times',
    audience: 'members',
    body: 'Ask for quinces.',
  }
  const save = (version: number, isPublished: boolean, body = page.body) =>
    admin.get('admin-save-site-page', { ...page, body, version, isPublished })
  await save(0, false)
  expect(await found('quinces')).toEqual([])
  await save(1, true)
  const { items } = await search('quinces')
  expect(items.map(({ kind, id, path }) => [kind, id, path])).toEqual([
    ['page', page.id, '/portal/pages/opening-times'],
  ])
  expect((await call(admin.server, 'search', { query: 'quinces' })).status).toBe(401)
  await save(2, true, 'Ask for medlars.')
  expect([await found('quinces'), await found('medlars')]).toEqual([[], [`page ${page.id}`]])
  await save(3, false, 'Ask for medlars.')
  expect(await found('medlars')).toEqual([])
  await save(4, true)
  await admin.get('admin-delete-site-page', { id: page.id })
  expect(await found('quinces')).toEqual([])
})

test('visitors and readers without a plan get neither results nor a count', async () => {
  const { server } = admin
  const without = await buildUser(server)
  const ended = await buildUser(server, { subscription: 'canceled' })
  for (const name of ['search', 'archive']) {
    const signedOut = await call(server, name, { query: 'review' })
    expect([signedOut.status, Object.keys(signedOut.body)]).toEqual([401, ['error', 'code']])
    for (const { token } of [without, ended]) {
      const refused = await call(server, name, { query: 'review' }, token)
      expect([refused.status, Object.keys(refused.body)]).toEqual([403, ['error', 'code']])
    }
  }
})

test('a typo and another form of a word find the same, and the answer says what was read', async () => {
  const [first] = await found('royalty')
  expect(await found('royaltis')).toContain(first)
  const answer = await search('reveiws')
  expect(answer.corrections).toEqual([{ from: 'reveiws', to: 'reviews' }])
  expect(answer.items[0]?.title.text).toMatch(/review/i)
  expect(await found('answering reviewers')).toContain('issue a-week-of-reviews')
})

test('what a thing is like counts less than what it is', async () => {
  // The example in the empty search box.
  expect((await found('answer a bad review')).slice(0, 3)).toContain('issue a-week-of-reviews')
  expect((await found('reply to a bad review')).slice(0, 1)).toEqual(['prompt marketing-review-reply'])
})

test('while typing, the last word may be incomplete', async () => {
  expect(await found('cater', { isTyping: true })).toContain('prompt sales-catering-outreach')
  expect((await search('cateri', { isTyping: true })).corrections).toEqual([])
})

test('matches are ranges of plain text, in title and excerpt', async () => {
  const { items } = await search('red list')
  const marked = items.flatMap(({ title, excerpt }) =>
    [title, excerpt].flatMap(({ text, marks }) => marks.map(([start, end]) => text.slice(start, end).toLowerCase())),
  )
  expect(new Set(marked).size).toBeGreaterThan(0)
  expect([...new Set(marked)].filter((word) => !['red', 'list', 'lists', 'listed', 'listing'].includes(word))).toEqual(
    [],
  )
})

test('filters narrow the results, and an empty query lists what they allow', async () => {
  expect((await search('review', { kinds: ['tool'] })).items.every(({ kind }) => kind === 'tool')).toBe(true)
  const { items } = await search('', { levels: ['advanced'], limit: 50 })
  expect(items.length).toBeGreaterThan(0)
  expect(items.every(({ level }) => level === 'advanced')).toBe(true)
  for (const filter of [
    ...focusAreas.map((area) => ({ focusAreas: [area] })),
    ...aiLevels.map((level) => ({ levels: [level] })),
    ...verticals.map((vertical) => ({ verticals: [vertical] })),
  ]) {
    const all = new Set(await found('customer', { limit: 50 }))
    const some = await found('customer', { ...filter, limit: 50 })
    expect(some.length, JSON.stringify(filter)).toBeGreaterThan(0)
    expect(some.length).toBeLessThanOrEqual(all.size)
  }
  expect(await search('')).toMatchObject({ items: [], counts: {} })
})

test('“saved” finds only what this reader has saved', async () => {
  const { db } = admin.server.database
  const [first, second] = itemRefSchema
    .array()
    .parse((await search('customer', { kinds: ['prompt', 'section'] })).items)
  if (!first || !second) throw new Error('nothing found')
  const at = new Date()
  await db.insert(savedItems).values([
    { userId: admin.reader.id, kind: first.kind, itemId: first.id, saved: true, at },
    { userId: admin.reader.id, kind: second.kind, itemId: second.id, saved: false, at },
    { userId: admin.ann.id, kind: second.kind, itemId: second.id, saved: true, at },
  ])
  expect(await found('customer', { saved: true })).toEqual([`${first.kind} ${first.id}`])
  expect(await found('', { saved: true })).toEqual([`${first.kind} ${first.id}`])
})

test('“tried” finds only what this reader has answered', async () => {
  const { db } = admin.server.database
  const [first, second] = (await search('customer', { kinds: ['section'] })).items
  if (!first || !second) throw new Error('nothing found')
  const row = { userId: admin.reader.id, kind: 'section' as const, startedAt: new Date() }
  await db.insert(tries).values([
    { ...row, itemId: first.id, outcome: 'worked', answeredAt: new Date() },
    { ...row, itemId: second.id },
  ])
  expect(await found('customer', { tried: true })).toEqual([`section ${first.id}`])
})

test('the text inside a guide’s file is found: of ours, and of an uploaded one once it is published', async () => {
  expect(await found('opening week shift log stop rules')).toContain('guide opening-week-playbook')
  const file = await Packer.toBuffer(
    new Document({ sections: [{ children: [new Paragraph('Polish the samovar on Thursdays & Fridays.')] }] }),
  )
  const uploaded = await admin.upload('admin-upload-guide-file', { id: 'ai-use-policy', name: 'New.docx' }, file)
  expect(uploaded.status).toBe(200)
  expect(await found('samovar')).toEqual([])
  const stored = await admin.read('guide', 'ai-use-policy')
  await saveAndPublish(stored, { ...stored.document, fileVersion: 1 })
  const { items } = await search('samovar')
  expect(items.map(({ kind, id, excerpt }) => [kind, id, excerpt.text])).toEqual([
    ['guide', 'ai-use-policy', 'Polish the samovar on Thursdays & Fridays.'],
  ])
})

test('the file of an earlier upload is read later', async () => {
  const { db } = admin.server.database
  await db.update(guideFile).set({ text: null })
  await syncContentItems(db as unknown as Tx, new Date(), { kind: 'guide', id: 'ai-use-policy' })
  expect(await found('samovar')).toEqual([])
  await readMissingGuideTexts(admin.server.deps)
  expect(await found('samovar')).toEqual(['guide ai-use-policy'])
})

test('pages follow each other without a gap or a repetition, and counts are those of all pages', async () => {
  const all: string[] = []
  let cursor: string | null = null
  let counts: SearchAnswer['counts']
  do {
    const page: SearchAnswer = await search('customer', { limit: 7, cursor })
    all.push(...page.items.map(({ kind, id }) => `${kind} ${id}`))
    counts = page.counts
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(new Set(all).size).toBe(all.length)
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(all.length)
})

test('a drop is found as soon as it is published, and no longer as soon as it is not', async () => {
  const made = await create('issue', 'Marmalade rota')
  const document = drop({
    slug: made.id,
    title: 'Marmalade rota',
    sections: [section({ id: 'marmalade-jars', heading: 'Count the marmalade jars' })],
  })
  const { body: saved } = await admin.save(made, document)
  expect(await found('marmalade')).toEqual([])
  const published = await saveAndPublish(saved as unknown as StoredDocument, document)
  expect(await found('marmalade')).toEqual(['section marmalade-jars', `issue ${made.id}`])
  expect(await found('marmelade'), 'its words are known for typos').toContain('section marmalade-jars')

  await admin.save(published, { ...document, title: 'Zabaglione rota' })
  expect(await found('zabaglione'), 'a draft is not found').toEqual([])
  const drafted = await admin.read('issue', made.id)
  await admin.get('admin-schedule-document', {
    kind: 'issue',
    id: made.id,
    version: drafted.version,
    at: new Date(admin.server.clock.now.getTime() + 3_600_000).toISOString(),
  })
  expect(await found('zabaglione'), 'a scheduled version is not found').toEqual([])

  await admin.get('admin-unpublish-document', { kind: 'issue', id: made.id })
  expect(await search('marmalade')).toMatchObject({ items: [], counts: {}, corrections: [] })
  expect((await search('marmelade')).corrections, 'nor are its words').toEqual([])
})

test('a removed section and the old text of a changed one are not found', async () => {
  const made = await create('issue', 'Gooseberries')
  const document = drop({
    slug: made.id,
    title: 'Gooseberries',
    sections: [
      section({ id: 'goose-1', heading: 'Tangerine' }),
      section({ id: 'goose-2', heading: 'Elderflower', body: 'Rhubarb is in the text.' }),
    ],
  })
  const first = await saveAndPublish(made, document)
  expect(await found('rhubarb')).toEqual(['section goose-2'])
  await saveAndPublish(first, { ...document, sections: [section({ id: 'goose-2', heading: 'Elderflower' })] })
  expect([await found('tangerine'), await found('rhubarb')]).toEqual([[], []])
})

test('a reusable block is searched in the drops that use it, with its current text', async () => {
  await admin.get('admin-save-block', { id: 'search-block', version: 0, title: 'Block', body: 'Persimmon first.' })
  const made = await create('issue', 'Blocks')
  await saveAndPublish(
    made,
    drop({
      slug: made.id,
      title: 'Blocks',
      sections: [section({ id: 'with-block', body: 'Before {{block:search-block}}' })],
    }),
  )
  expect(await found('persimmon')).toEqual(['section with-block'])
  await admin.get('admin-save-block', { id: 'search-block', version: 1, title: 'Block', body: 'Kumquat first.' })
  expect([await found('persimmon'), await found('kumquat')]).toEqual([[], ['section with-block']])
})

test('quotes ask for the exact words, and a minus leaves a word out', async () => {
  const document = (await admin.read('issue', 'a-week-of-reviews')).document as IssueDraft
  expect(document.sections.map(({ heading }) => heading)).toContain('Sort by hand before you write')
  expect((await found('"sort by hand"'))[0]).toBe('section a-week-of-reviews--sort-by-hand')
  expect(await found('"hand by sort"')).toEqual([])
  const withAll = await found('reviews', { limit: 50 })
  const without = await found('reviews -google', { limit: 50 })
  expect(without.length).toBeLessThan(withAll.length)
})

test('quotes match hyphens, prices and plurals, and a minus excludes words with accents', async () => {
  expect(await found('"follow-up email"')).toContain('section follow-up-open-estimates--three-messages')
  expect(await found('“$5.50”')).toContain('prompt marketing-review-reply')
  const [first] = await found('catering')
  expect(first).toBe('prompt sales-catering-outreach')
  expect(await found('catering -caterîng')).not.toContain(first)
})

test.each([
  ['no-shows', 'section delivery-commission-audit--collect-one-week'],
  ['no shows', 'section delivery-commission-audit--collect-one-week'],
  ['no-show fee', 'section royalty-and-ad-fund-check--list-what-counts'],
  ['angry customer', 'prompt marketing-review-reply'],
  ['how do I answer an angry customer?', 'prompt marketing-review-reply'],
  ['upset customers', 'prompt marketing-review-reply'],
  ['food cost', 'prompt operations-waste-log-review'],
  ['follow-up email', 'prompt sales-quote-follow-up'],
])('an owner’s words %j have their answer among the first three', async (words, expected) => {
  expect((await found(words)).slice(0, 3)).toContain(expected)
})

test('“no-shows” finds only what names them, and joined words that nothing has are searched one by one', async () => {
  expect((await found('no-shows', { limit: 50 })).length).toBeLessThan(5)
  expect((await found('up-reviews', { limit: 50 })).length).toBeGreaterThan(5)
})

test('any text gets an answer and no error', { timeout: 180_000 }, async () => {
  const hostile = [
    ...[
      '',
      ' ',
      'the of and',
      '& | ! <-> ( ) : *',
      "'",
      '"',
      '-',
      '"-"',
      '\\',
      '%_%',
      "a' | 'b",
      ':*',
      '!!!',
      '--',
      '"a',
    ],
    ...[
      'review:*',
      'a & !b',
      '<mark>',
      '\u202e\u0000',
      '\ud800',
      'é'.repeat(500),
      '👩‍🍳 café',
      '第一',
      '1e999',
      '-1',
      '$1',
    ],
    ...[
      'x'.repeat(10_000),
      'review '.repeat(1_428),
      '" '.repeat(5_000),
      'r'.repeat(41),
      '\u0301'.repeat(100),
      'ﷺ'.repeat(500),
    ],
  ]
  for (const query of hostile) {
    for (const isTyping of [true, false]) {
      const { status } = await admin.ask('search', { query, isTyping }, admin.reader)
      const isStorable = query.isWellFormed() && !query.includes('\0')
      expect(status, JSON.stringify(query.slice(0, 40))).toBe(isStorable ? 200 : 400)
    }
  }
  expect((await admin.ask('search', { query: 'x'.repeat(10_001) }, admin.reader)).status).toBe(400)
  for (const input of [
    {},
    { query: 1 },
    { query: 'a', kinds: ['x'] },
    { query: 'a', limit: 0 },
    { query: 'a', cursor: 1 },
  ]) {
    expect((await admin.ask('search', input, admin.reader)).status).toBe(400)
  }
  for (const cursor of ['-5', 'x', '99999999', '1.5', '']) {
    expect((await admin.ask('search', { query: 'review', cursor }, admin.reader)).status).toBe(200)
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), fc.boolean(), async (query, isTyping) => {
      const { status } = await admin.ask('search', { query, isTyping }, admin.reader)
      expect([200, 400]).toContain(status)
    }),
    { numRuns: caseCount(20, 60) },
  )
})

test('the archive lists published drops by month and tag, the newest first', async () => {
  const archive = (input: object) => admin.get<Archive>('archive', input, admin.reader)
  const all = await archive({})
  const { issues } = await admin.get<{ issues: { id: string; date: string; tags: string[] }[] }>(
    'weekly-drops',
    {},
    admin.reader,
  )
  expect(all.issues.map(({ id }) => id).toSorted()).toEqual(issues.map(({ id }) => id).toSorted())
  expect(all.issues.map(({ date }) => date)).toEqual(
    issues
      .map(({ date }) => date)
      .toSorted()
      .toReversed(),
  )
  const [month] = all.months
  const ofMonth = await archive({ month: month?.month })
  expect(ofMonth.issues.every(({ date }) => date.startsWith(month?.month ?? '-'))).toBe(true)
  expect(ofMonth.issues).toHaveLength(month?.count ?? -1)
  const tagged = await archive({ month: month?.month, tag: ofMonth.tags[0]?.tag })
  expect(tagged.issues).toHaveLength(ofMonth.tags[0]?.count ?? -1)
  await admin.get('admin-unpublish-document', { kind: 'issue', id: 'holiday-hiring' })
  expect((await archive({})).issues.map(({ id }) => id)).not.toContain('holiday-hiring')
  expect((await admin.ask('archive', { month: '2026-13' }, admin.reader)).status).toBe(400)
})
