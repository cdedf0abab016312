import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { queryRows } from '#server/db/database.ts'
import {
  contentItems,
  issueSections,
  issues,
  recording,
  sitePage,
  taskAnswer,
  taskPhoto,
  teamAssignment,
  textFile,
} from '#server/db/schema/index.ts'
import { rejectUnstorableText } from '#server/http/read-json.ts'
import { photoKey } from '#server/media/object-key.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import { buildOwner, createTeamApp, seat } from '#tests/integration/teams/support.ts'
import { allCalls } from '#tests/support/all-calls.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const calls = (await allCalls()).filter(({ audience }) => audience === 'subscriber')
const server = openForTests(() => createTeamApp())
let owner: TestUser
let inputs: Record<string, object>

beforeAll(async () => {
  await seedContent(server.deps)
  owner = await buildOwner(server)
  const member = await buildUser(server, { subscription: 'active' })
  await seat(server, owner, member)
  const { db } = server.database
  const [prompt] = await db.select({ id: contentItems.id }).from(contentItems).where(sql`kind = 'prompt'`).limit(1)
  const [section] = await db.select().from(issueSections).limit(1)
  const now = server.clock.now
  const page = { id: crypto.randomUUID(), path: 'opening-hours', title: 'Opening hours', body: 'From 7.' }
  await db.insert(sitePage).values({ ...page, audience: 'members', version: 1, publishedAt: now, updatedAt: now })
  const poll = { question: 'Fine?', pollQuestion: 'Twice?', pollAnswers: ['Yes', 'No'] }
  await db
    .update(issues)
    .set({ ...poll, publishedAt: now })
    .where(eq(issues.id, section?.issueId ?? ''))
  await addTaskPhoto(now)
  const talk = { id: crypto.randomUUID(), issueId: section?.issueId ?? '', originalName: 'talk.mp3', format: 'mp3' }
  const file = { status: 'current', bytes: 1_000, seconds: 60, changedAt: now, createdAt: now }
  await db.insert(recording).values({ ...talk, ...file })
  const paper = { hash: 'a'.repeat(64), name: 'a.pdf', contentType: 'application/pdf', bytes: 8 }
  await db.insert(textFile).values({ ...paper, createdAt: now })
  inputs = completeInputs(prompt?.id ?? '', section ?? { id: '', issueId: '' }, member.id)
})

const answerId = crypto.randomUUID()
const inTenDays = () => new Date(server.clock.now.getTime() + 10 * 86_400_000).toISOString().slice(0, 10)

/** A photo that someone without an account sent with a task. */
async function addTaskPhoto(now: Date) {
  const { db } = server.database
  const [assignmentId, photoId] = [crypto.randomUUID(), crypto.randomUUID()]
  const task = { title: 'Wipe the hood', note: '', assignedTo: 'person', assigneeId: owner.id, createdAt: now } as const
  await db.insert(teamAssignment).values({ id: assignmentId, ownerId: owner.id, ...task })
  await db.insert(taskPhoto).values({ id: photoId, createdAt: now })
  await db.insert(taskAnswer).values({ id: answerId, assignmentId, kind: 'done', name: 'Luis', photoId, at: now })
  await server.deps.store.put(photoKey(photoId), new Uint8Array([0xff, 0xd8]), 'image/jpeg')
}

/** An input with every field for each call, in an order in which all of them succeed. */
function completeInputs(promptId: string, { id: sectionId, issueId }: { id: string; issueId: string }, userId: string) {
  const at = server.clock.now.toISOString()
  const deadlineId = crypto.randomUUID()
  const prompt = { kind: 'prompt', id: promptId }
  const section = { kind: 'section', id: sectionId }
  const guide = { kind: 'guide', id: 'ai-use-policy' }
  const [locationId, collectionId, assignmentId, linkId, assignedId] = Array.from({ length: 5 }, () =>
    crypto.randomUUID(),
  )
  const filters = { kinds: ['prompt'], focusAreas: ['Sales'], levels: ['beginner'], verticals: ['food'] }
  return {
    'weekly-drops': {},
    'weekly-drop': { slug: issueId },
    'prompt-packs': {},
    'prompt-samples': {},
    guides: {},
    'download-guide': { id: guide.id },
    tools: {},
    'download-test-sheet': { id: 'chatgpt' },
    'open-text-file': { path: `/files/${'a'.repeat(64)}.pdf` },
    glossary: {},
    'site-page': { path: 'opening-hours' },
    'start-here': {},
    search: { query: 'customer', ...filters, saved: false, tried: false, isTyping: true, limit: 5, cursor: null },
    archive: { month: '2026-11', tag: 'Sales' },
    'business-profile': {},
    'save-business-profile': { changes: { brand: { from: '', to: 'Ember' } } },
    'save-location': {
      id: locationId,
      name: { from: '', to: 'Harbor Street' },
      changes: { city: { from: '', to: 'Dayton' } },
      shared: true,
    },
    'save-store-money': {
      storeId: locationId,
      month: '2026-05',
      source: 'royalty',
      cents: 100,
      note: 'line 12',
    },
    'save-deadline': {
      ...{ id: deadlineId, kind: 'renewal', title: 'Renewal', locationId: null },
      ...{ dueOn: '2027-03-20', leadDays: 60, yearly: false, done: false },
    },
    deadlines: {},
    podcast: {},
    recording: { issueId },
    'save-listening': { issueId, seconds: 12, at },
    'push-device': {
      endpoint: 'https://push.example.com/device',
      save: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22), kinds: ['drop'], quiet: true },
    },
    'remember-answers': { promptId, at, answers: { role: 'cook' } },
    'save-item': { ...prompt, saved: true, at },
    'save-collection': { id: collectionId, name: 'Hiring', at, ifNameTaken: 'number' },
    'collect-item': { ...guide, collectionId, member: true, at },
    collections: {},
    'item-collections': prompt,
    'saved-items': { collectionId, kind: 'guide', cursor: null, limit: 5 },
    'mark-read': { items: [section, { kind: 'issue', id: issueId }], at },
    'save-position': { issueId, sectionId, readSections: [sectionId], finished: false, at },
    'record-first-week': { event: 'start-page', at },
    'start-try': { ...prompt, at },
    'record-try': { ...prompt, at, outcome: 'worked', minutesPerWeek: 20, note: 'Fine.', shared: true },
    'read-try': prompt,
    'drop-feedback': { issueId },
    'vote-in-poll': { issueId, answer: 'Yes' },
    'answer-question': { issueId, text: 'Fine.' },
    'offer-case': { tried: 'A list.', numbers: 'Ten minutes.', failed: 'Fridays.', mayPublish: false },
    'rate-item': { kind: 'issue', id: issueId, useful: true, why: 'Fine.' },
    'own-guide-votes': {},
    'save-wage': { cents: 2_500, at },
    'reader-value': { year: 2026 },
    'store-receipt': { month: '2026-05' },
    'franchisor-rules': {},
    'set-franchisor-rule': { topic: 'manual', rule: 'ask-first', note: 'By email.', saidOn: '2026-11-02', at },
    'record-item-use': { ...prompt, use: 'copied', at },
    'dismiss-change': { ...prompt, version: 1 },
    'item-changes': prompt,
    'share-item': { ...section, showsBusiness: true },
    'share-links': {},
    'member-feed': { replace: true },
    'tie-seat': { userId, locationIds: [locationId] },
    assign: { assignmentId, item: prompt, to: { userId }, dueOn: '2026-11-30', note: 'Before Friday.' },
    'assign-to-several': {
      item: prompt,
      title: 'Walk the site at night',
      to: [{ assignmentId: assignedId, to: { userId }, text: 'Bring a flashlight.' }],
      dueOn: '2026-11-30',
      note: 'Before Friday.',
    },
    'make-task-links': { assignmentIds: [assignmentId], crew: 'Closing crew', language: 'es', validUntil: inTenDays() },
    'task-sheets': { assignmentIds: [assignmentId] },
    'task-links': {},
    'end-task-links': { assignmentIds: [assignmentId] },
    'task-photo': { answerId },
    'save-time-zone': { timeZone: 'America/Chicago' },
    'edit-assignment': { assignmentId, to: { userId }, dueOn: '2026-12-01', note: 'Before Saturday.', at },
    'check-off': { assignmentId, done: true, at },
    'team-collect': { ...prompt, member: true, at },
    'team-assignments': {},
    'item-marks': { scope: { kind: 'issue', slug: issueId } },
    'offline-library': { known: { 'weekly-drops []': 'x' } },
    'end-share-link': { linkId },
    'remove-assignment': { assignmentId, removed: true, at },
    'remove-try': { ...prompt, at },
    'delete-collection': { id: collectionId, at },
    'delete-deadline': { id: deadlineId },
    'delete-location': { id: locationId },
  }
}

const ask = (name: string, input: unknown) => call(server, name, input, owner.token)

const wrongTypes: unknown[] = ['x', 7, null, [], { toString: 1 }]
const unstorable = ['a\0b', '\ud800']
const odd = ['', ' ', '\u202e<b>%00\'"--', 'x'.repeat(20_000), '__proto__']
const oddTimes = ['0000-01-01T00:00:00Z', '0000-01-01', '9999-12-31T23:59:59.999Z', '2026-02-30']
const oddNumbers = [-1, 0, 0.5, 2 ** 31, 2 ** 53, 1e308]

function replacements(value: unknown): unknown[] {
  if (typeof value === 'number') return [...wrongTypes, ...oddNumbers]
  if (typeof value === 'boolean') return wrongTypes
  if (Array.isArray(value)) return [...wrongTypes, unstorable, Array.from({ length: 3_000 }, () => value[0] ?? 'x')]
  if (typeof value === 'object' && value !== null) {
    const keys = ['\0', '\ud800', '__proto__', 'x'.repeat(5_000)]
    return [...wrongTypes, ...keys.map((key) => ({ ...value, ...JSON.parse(`{${JSON.stringify(key)}:"x"}`) }))]
  }
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
  return [...wrongTypes, ...unstorable, ...odd, ...(isTime ? oddTimes : [])]
}

/** The value with one part replaced by something hostile or missing, for every part of it. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* replacements(value)
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    const put = (other: unknown) => (Array.isArray(value) ? [other] : { ...value, [key]: other })
    if (!Array.isArray(value)) yield put(undefined)
    for (const other of spoiled(part)) yield put(other)
  }
}

function isRefused(schema: z.ZodType, input: unknown): boolean {
  const parsed = schema.safeParse(JSON.parse(JSON.stringify(input)) ?? {})
  if (!parsed.success) return true
  try {
    rejectUnstorableText(parsed.data)
    return false
  } catch {
    return true
  }
}

/** A fingerprint of each table. */
async function readTables() {
  const { db } = server.database
  const tables = await queryRows<{ name: string }>(
    db,
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'auth')`,
  )
  const each = tables.map(
    ({ name }) => `select '${name}' as name, md5(string_agg(t::text, '' order by t::text)) as rows
    from ${name} t`,
  )
  return queryRows(db, sql.raw(`${each.join(' union all ')} order by name`))
}

const brief = (name: string, input: unknown) => `${name} ${JSON.stringify(input)?.slice(0, 300)}`

test('every call for readers is listed with a complete input that it accepts', async () => {
  expect(Object.keys(inputs).toSorted()).toEqual(calls.map(({ name }) => name).toSorted())
  for (const { name, input } of calls) {
    const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
    expect([name, Object.keys(inputs[name] ?? {})]).toEqual([name, expect.arrayContaining(Object.keys(properties))])
  }
  for (const [name, input] of Object.entries(inputs)) {
    const { status, body } = await ask(name, input)
    expect([name, status, body.code]).toEqual([name, 200, undefined])
  }
})

test('what a call’s contract refuses is a 400 in the client’s shape and changes nothing', async () => {
  const before = await readTables()
  for (const { name, input: schema } of calls) {
    const refused = [...spoiled(inputs[name])].filter((input) => isRefused(schema, input))
    await Promise.all(
      refused.map(async (input) => {
        const { status, body } = await ask(name, input)
        expect([status, body], brief(name, input)).toEqual([
          400,
          { error: expect.any(String), code: 'validation_failed' },
        ])
      }),
    )
  }
  expect(await readTables()).toEqual(before)
})

test('what a contract accepts is never a server error, and every page still answers afterwards', async () => {
  const failures: string[] = []
  for (const [name, complete] of Object.entries(inputs)) {
    const schema = calls.find((one) => one.name === name)?.input ?? z.never()
    for (const input of spoiled(complete)) {
      if (isRefused(schema, input)) continue
      const { status, body } = await ask(name, input)
      const isClear = status === 200 || (status < 500 && Boolean(body.error) && Boolean(body.code))
      if (!isClear) failures.push(`${status} ${brief(name, input)}`)
    }
  }
  expect(failures).toEqual([])
  for (const name of ['collections', 'business-profile', 'saved-items', 'team-assignments', 'franchisor-rules']) {
    expect([name, (await ask(name, {})).status]).toEqual([name, 200])
  }
})
