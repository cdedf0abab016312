import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  contentItems,
  contentPages,
  subscriptionState,
  taskLink,
  taskPhoto,
  teamAssignment,
  users,
} from '#server/db/schema/index.ts'
import { translationsId } from '#server/features/library/content/translations.ts'
import { sendTaskQuestion } from '#server/features/publishing/assignment-emails/send-task-question.ts'
import { taskQuestionJob } from '#server/features/reader/task-links/answer-task.ts'
import { deleteTaskPhotos } from '#server/features/reader/task-links/delete-task-photos.ts'
import { endTaskLinksOf } from '#server/features/reader/task-links/task-links.ts'
import { photoKey } from '#server/media/object-key.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { Assignment, TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { maxTaskQuestions } from '#shared/domain/task-links.ts'
import { findPaid, paidSentences } from '#tests/integration/content/paid-sentences.ts'
import { as, buildOwner, createTeamApp, dayMs, seat } from '#tests/integration/teams/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { addStore, linksOf, makeTasks, type TaskOptions, type Visitor, visitorOf } from './support.ts'

const server = openForTests(() => createTeamApp())
const prompt = { kind: 'prompt', id: 'operations-closing-handover' }
const section = { kind: 'section', id: 'ten-minutes-in-your-close--sort-the-tasks' }
let visitor: Visitor
let sentences: string[]
let owner: TestUser
let store: string

beforeAll(async () => {
  await seedContent(server.deps)
  sentences = await paidSentences()
  visitor = visitorOf(server)
})
beforeEach(async () => {
  server.clock.now = new Date('2026-11-22T16:00:00Z')
  server.jobs.length = 0
  owner = await buildOwner(server, { subscriptionFacts: { currentPeriodEnd: new Date('2028-01-01T00:00:00Z') } })
  store = await addStore(server, owner, 'Harbor Street')
})

const make = async (options: Partial<TaskOptions> = {}, who = owner) => {
  const [sheet] = await makeTasks(server, who, { item: prompt, locationIds: [store], ...options })
  if (!sheet) throw new Error('no link was made')
  return sheet
}
const assignmentOf = async (assignmentId: string, who = owner): Promise<Assignment> => {
  const { team } = (await as(server, who)('team-assignments')).body as { team: TeamAssignments }
  const found = team.assignments.find((each) => each.assignmentId === assignmentId)
  if (!found) throw new Error('the assignment is gone')
  return found
}
const linkOf = async (assignmentId: string, who = owner) => {
  const found = (await linksOf(server, who)).find((each) => each.assignmentId === assignmentId)
  if (!found) throw new Error('the link is gone')
  return found
}
const done = (fields: Record<string, string | File> = {}) => ({ action: 'done', name: 'Maria', number: '', ...fields })
const fileOf = (bytes: Uint8Array, name = 'photo.jpg') => new File([new Uint8Array(bytes)], name)

/** A photo with a place, as phones make them. */
const photo = (size = 3_000) =>
  sharp({ create: { width: size, height: size, channels: 3, background: '#886644' } })
    .withExif({ IFD0: { Model: 'Phone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '39/1 45/1 0/1' } })
    .jpeg()
    .toBuffer()

describe('a task link', () => {
  test('shows its item without an account, filled in for the store, and nothing else', async () => {
    const sheet = await make({ crew: 'Closing crew', note: 'Before you lock', dueOn: '2026-11-30' })
    expect(sheet).toMatchObject({ title: 'Closing handover note', toName: 'Harbor Street', crew: 'Closing crew' })
    expect(sheet.url).toMatch(/\/t\/[\w-]{43}$/)
    expect(decodeURIComponent(sheet.qr)).toContain('<svg')
    const page = await visitor.open(sheet.url)
    expect(page.status).toBe(200)
    for (const text of ['Harbor Street · Closing crew', 'Closing handover note', 'Before you lock', 'Due Nov 30, 2026'])
      expect(page.text).toContain(text)
    expect(page.text).toContain('<mark class="filled">Harbor Street</mark>')
    expect(page.text).toContain('<mark data-blank="date: day and shift">')
    expect(page.text).not.toContain('href="/portal')
    expect(page.text).not.toContain(owner.email)
    const others = sentences.filter((sentence) => page.text.includes(sentence))
    const body = (await server.deps.database.db.execute(
      sql`select body || "when" || checks::text as text from prompts where id = ${prompt.id}`,
    )) as unknown as { rows: { text: string }[] }
    expect(others.filter((sentence) => !body.rows[0]?.text.includes(sentence))).toEqual([])
  })

  test('of a section shows that section, with its quoted prompt to fill in', async () => {
    const { url } = await make({ item: section })
    const { text } = await visitor.open(url)
    expect(text).toContain('Have the tasks sorted inside your rules')
    expect(text).toContain('<mark data-blank="tasks: your two lists, one task per line, with minutes">')
    expect(text).not.toContain('Time three closes before you change anything')
    expect(text).not.toContain('<blockquote')
    expect(text).not.toContain('href="/portal')
  })

  test('shows what the owner wrote or filled in, and markup as text', async () => {
    const own = await make({ item: null, title: 'Clean <b>the</b> fryer', text: '1. Drain\n2. <script>scrub</script>' })
    const page = await visitor.open(own.url)
    expect(page.text).toContain('<h1>Clean &lt;b&gt;the&lt;/b&gt; fryer</h1>')
    expect(page.text).toContain('2. &lt;script&gt;scrub&lt;/script&gt;')
    expect(await assignmentOf(own.assignmentId)).toMatchObject({ kind: null, id: null, path: null, parentTitle: '' })
    const filled = await make({ text: 'I am closing Harbor Street on [date: day and shift].' })
    expect((await visitor.open(filled.url)).text).toMatch(/<pre[^>]*>I am closing Harbor Street on <mark/)
    const step = await make({ item: { kind: 'guide', id: 'opening-week-playbook' }, title: 'Walk the site at night' })
    expect((await visitor.open(step.url)).text).toContain('<h1>Walk the site at night</h1>')
    expect(await assignmentOf(step.assignmentId)).toMatchObject({ parentTitle: 'Opening Week AI Playbook' })
  })

  test('needs a title where there is no item', async () => {
    const to = [{ assignmentId: crypto.randomUUID(), to: { locationId: store } }]
    const answer = await as(server, owner)('assign-to-several', { item: null, to, dueOn: null, note: '' })
    expect([answer.status, answer.body.error]).toEqual([400, 'Enter what to do'])
  })

  test('is never indexed, cached or changed by reading it, also by a scanner', async () => {
    const { url, assignmentId } = await make()
    const before = await server.database.db.select().from(taskLink)
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers } = await visitor.open(url, {}, method)
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-robots-tag')).toContain('noindex')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    expect((await visitor.open(url.replace('/t/', '/t/open?t='))).status).toBe(404)
    expect(await server.database.db.select().from(taskLink)).toEqual(before)
    expect(JSON.stringify(before), 'only a hash is stored').not.toContain(visitor.tokenOf(url))
    expect((await linkOf(assignmentId)).opened).toEqual([])
  })

  test('can be shown and printed again, and repeating the request changes nothing', async () => {
    const { url, assignmentId } = await make({ language: 'es' })
    const again = await as(server, owner)('task-sheets', { assignmentIds: [assignmentId] })
    expect(again.body).toMatchObject({ sheets: [{ url, scan: [{ language: 'es' }] }] })
    const repeated = { assignmentIds: [assignmentId], crew: 'Openers', language: 'es', validUntil: '2026-12-06' }
    const renewed = await as(server, owner)('make-task-links', repeated)
    expect(renewed.body).toMatchObject({ sheets: [{ url, crew: 'Openers' }] })
  })

  test('is made until a day within half a year, only for what one may edit', async () => {
    const { assignmentId } = await make()
    const input = { assignmentIds: [assignmentId], crew: '', language: null }
    const tryUntil = async (validUntil: string, who = owner) =>
      (await as(server, who)('make-task-links', { ...input, validUntil })).status
    expect([await tryUntil('2026-11-21'), await tryUntil('2027-06-30'), await tryUntil('2026-11-22')]).toEqual([
      400, 400, 200,
    ])
    const stranger = await buildOwner(server)
    expect(await tryUntil('2026-12-01', stranger)).toBe(404)
    expect(await linksOf(server, stranger)).toEqual([])
    const member = await buildUser(server, { subscription: 'active' })
    await seat(server, owner, member)
    expect(await tryUntil('2026-12-01', member)).toBe(404)
    expect((await as(server, member)('end-task-links', { assignmentIds: [assignmentId] })).status).toBe(404)
    expect(await linksOf(server, member)).toEqual([])
  })
})

describe('opening', () => {
  test('is recorded by a touch of the page, with the names that were entered', async () => {
    const { url, assignmentId } = await make()
    expect([await visitor.touch(url), await visitor.touch(url, ' Maria '), await visitor.touch(url, 'Maria')]).toEqual([
      204, 204, 204,
    ])
    const { opened } = await linkOf(assignmentId)
    expect(opened.map(({ name }) => name)).toEqual(['', 'Maria'])
    for (let index = 0; index < 80; index += 1) await visitor.touch(url, `Name ${index}`)
    expect((await linkOf(assignmentId)).opened.length).toBe(50)
  })
})

describe('checking off', () => {
  test('tells the owner by whom, with a number and a photo that only the owner sees', async () => {
    const { url, assignmentId } = await make()
    const answer = await visitor.send(url, done({ number: '41 °F', photo: fileOf(await photo()) }))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/t\/.*lang=en$/)])
    expect((await visitor.open(url)).text).toContain('Checked off by Maria, Nov 22, 11:00')
    expect(await assignmentOf(assignmentId)).toMatchObject({ done: true, doneBy: 'Maria' })
    const [sent] = (await linkOf(assignmentId)).answers
    expect(sent).toMatchObject({ kind: 'done', name: 'Maria', number: '41 °F', photo: 'kept' })
    const { image } = (await as(server, owner)('task-photo', { answerId: sent?.answerId })).body as { image: string }
    const bytes = Buffer.from(image.split(',')[1] ?? '', 'base64')
    const { width, exif, format } = await sharp(bytes).metadata()
    expect([width, exif, format]).toEqual([1_280, undefined, 'jpeg'])
    const member = await buildUser(server, { subscription: 'active' })
    await seat(server, owner, member)
    for (const who of [member, await buildOwner(server)]) {
      expect((await as(server, who)('task-photo', { answerId: sent?.answerId })).status).toBe(404)
    }
  })

  test('twice keeps the first and shows the second who that was; the owner can reopen it', async () => {
    const { url, assignmentId } = await make()
    const [first, second] = await Promise.all([
      visitor.send(url, done({ name: 'Maria', photo: fileOf(await photo(50)) })),
      visitor.send(url, done({ name: 'Luis', photo: fileOf(await photo(50)) })),
    ])
    expect([first.status, second.status]).toEqual([303, 303])
    const { answers } = await linkOf(assignmentId)
    expect(answers.length).toBe(1)
    const name = answers[0]?.name ?? ''
    expect((await visitor.open(url)).text).toContain(`Checked off by ${name}, `)
    expect(await assignmentOf(assignmentId)).toMatchObject({ doneBy: name })
    server.clock.advance(60_000)
    await as(server, owner)('check-off', { assignmentId, done: false, at: server.clock.now.toISOString() })
    expect(await assignmentOf(assignmentId)).toMatchObject({ done: false, doneBy: '' })
    expect((await visitor.send(url, done({ name: 'Luis' }))).status).toBe(303)
    expect(await assignmentOf(assignmentId)).toMatchObject({ done: true, doneBy: 'Luis' })
    expect((await linkOf(assignmentId)).answers.length).toBe(2)
  })

  test('a thousand times is refused after a few, without a second answer', async () => {
    const { url, assignmentId } = await make()
    const statuses: number[] = []
    for (let index = 0; index < 1_000; index += 1) statuses.push((await visitor.send(url, done())).status)
    expect(statuses.filter((status) => status === 303).length).toBe(60)
    expect(statuses.filter((status) => status === 429).length).toBe(940)
    expect((await linkOf(assignmentId)).answers.length).toBe(1)
    server.clock.advance(3_600_001)
    expect((await visitor.send(url, done())).status).toBe(303)
  })

  test('refuses what isn’t a photo, keeps the form, and stores nothing', async () => {
    const { url, assignmentId } = await make()
    const bomb = await sharp({
      create: { width: 12_000, height: 12_000, channels: 3, background: '#fff' },
      limitInputPixels: false,
    })
      .png()
      .toBuffer()
    const files: [string, File, number][] = [
      ['a text', fileOf(Buffer.from('not a photo'), 'photo.jpg'), 415],
      ['an SVG', fileOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'photo.svg'), 415],
      ['half a photo', fileOf((await photo(500)).subarray(0, 700)), 422],
      ['a bomb of pixels', fileOf(bomb), 422],
      ['13 MB', fileOf(Buffer.alloc(13 * 1024 * 1024, 0xff)), 413],
    ]
    for (const [what, file, status] of files) {
      const answer = await visitor.send(url, done({ photo: file }))
      expect([what, answer.status]).toEqual([what, status])
      expect(answer.text).toContain('role="alert"')
      expect(answer.text).toContain('name="action" value="done"')
    }
    const declared = await visitor.send(url, done(), { 'content-length': String(40 * 1024 * 1024) })
    expect(declared.status).toBe(413)
    expect(declared.text).toContain('larger than 12 MB')
    expect((await linkOf(assignmentId)).answers).toEqual([])
    expect(await server.database.db.$count(taskPhoto)).toBeGreaterThanOrEqual(0)
    expect(await assignmentOf(assignmentId)).toMatchObject({ done: false })
  })

  test('needs a name, and no control characters or long texts', async () => {
    const { url } = await make()
    const refused: Record<string, string>[] = [
      { name: '' },
      { name: 'x'.repeat(61) },
      { name: 'Ma\u0000ria' },
      { number: '9'.repeat(41) },
      { action: 'drop' },
    ]
    for (const fields of refused) {
      expect((await visitor.send(url, done(fields))).status).toBe(400)
    }
    expect((await visitor.send(url, done({ name: 'Ana\n María' }))).status).toBe(303)
    expect((await visitor.open(url)).text).toContain('Checked off by Ana María')
  })

  test('deletes photos after 90 days, and those of the second, of deleted assignments and of deleted accounts', async () => {
    const { url, assignmentId } = await make({ validUntil: '2027-05-01' })
    await visitor.send(url, done({ photo: fileOf(await photo(60)) }))
    const [kept] = await server.database.db.select().from(taskPhoto).orderBy(sql`created_at desc`)
    const orphan = crypto.randomUUID()
    await server.deps.store.put(photoKey(orphan), new Uint8Array([1]), 'image/jpeg')
    await server.database.db.insert(taskPhoto).values({ id: orphan, createdAt: server.clock.now })
    const has = async (id: string | undefined) => (await server.deps.store.get(photoKey(id ?? ''))) !== null
    await deleteTaskPhotos(server.deps)
    expect([await has(kept?.id), await has(orphan)]).toEqual([true, true])
    server.clock.advance(2 * 3_600_000)
    await deleteTaskPhotos(server.deps)
    expect([await has(kept?.id), await has(orphan)]).toEqual([true, false])
    server.clock.advance(90 * dayMs)
    await deleteTaskPhotos(server.deps)
    expect([await has(kept?.id), (await linkOf(assignmentId)).answers[0]?.photo]).toEqual([false, 'deleted'])

    const other = await make({ validUntil: '2027-03-30' })
    await visitor.send(other.url, done({ photo: fileOf(await photo(60)) }))
    const [last] = await server.database.db.select().from(taskPhoto).orderBy(sql`created_at desc`)
    await server.database.db.delete(users).where(eq(users.id, owner.id))
    server.clock.advance(2 * 3_600_000)
    await deleteTaskPhotos(server.deps)
    expect(await has(last?.id)).toBe(false)
  })
})

describe('a question', () => {
  test('reaches the owner by email once, and in the list', async () => {
    const { url, assignmentId } = await make({ crew: 'Closers' })
    const question = 'Which <b>drawer</b> do we count first?'
    const answer = await visitor.send(url, { action: 'question', name: 'Luis', question })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringContaining('sent=question')])
    expect((await visitor.open(`${url}?sent=question`)).text).toContain('Your question is on its way.')
    const queued = server.jobs.filter(({ name }) => name === taskQuestionJob.name)
    expect(queued.length).toBe(1)
    const { answerId } = taskQuestionJob.payload.parse(queued[0]?.payload)
    await sendTaskQuestion(server.deps, answerId)
    const [email] = server.outbox.list(owner.email)
    expect(email?.subject).toBe('Question about Closing handover note')
    expect(email?.text).toContain('Luis asks about “Closing handover note”:')
    expect(email?.text).toContain(question)
    expect(email?.html).toContain('&#60;b&#62;drawer')
    expect((await linkOf(assignmentId)).answers).toMatchObject([{ kind: 'question', name: 'Luis', text: question }])
    expect(await assignmentOf(assignmentId)).toMatchObject({ done: false })
  })

  test('is asked at most twenty times', async () => {
    const { url, assignmentId } = await make()
    const statuses: number[] = []
    for (let index = 0; index <= maxTaskQuestions; index += 1)
      statuses.push((await visitor.send(url, { action: 'question', name: 'Luis', question: `${index}?` })).status)
    expect(statuses.filter((status) => status === 303).length).toBe(maxTaskQuestions)
    expect(statuses.at(-1)).toBe(429)
    expect((await linkOf(assignmentId)).answers.length).toBe(maxTaskQuestions)
    expect((await visitor.send(url, { action: 'question', name: 'Luis', question: ' ' })).status).toBe(400)
  })
})

describe('a link that doesn’t work', () => {
  const gone = async (url: string) => {
    const page = await visitor.open(url)
    expect(findPaid(page.text, sentences)).toEqual([])
    const sent = await visitor.send(url, done())
    return [page.status, /This link doesn’t work/.test(page.text), sent.status]
  }

  test('says the same for guessed, cut, ended, old and removed ones', async () => {
    const { url, assignmentId } = await make()
    const answers = [
      await gone('http://localhost:3000/t/AAAA'),
      await gone(url.slice(0, -1)),
      await gone(`${url.slice(0, -1)}~`),
    ]
    expect((await as(server, owner)('end-task-links', { assignmentIds: [assignmentId] })).body).toEqual({ ended: 1 })
    answers.push(await gone(url))
    const old = await make({ validUntil: '2026-11-24' })
    server.clock.now = new Date('2026-11-25T04:59:59Z')
    expect((await visitor.open(old.url)).status).toBe(200)
    server.clock.now = new Date('2026-11-25T05:00:00Z')
    answers.push(await gone(old.url))
    const removed = await make()
    const at = server.clock.now.toISOString()
    await as(server, owner)('remove-assignment', { assignmentId: removed.assignmentId, removed: true, at })
    answers.push(await gone(removed.url))
    for (const answer of answers) expect(answer).toEqual([404, true, 404])
    expect((await linkOf(assignmentId)).works).toBe(false)
  })

  test('gets a new address after it ended, and the old one stays closed', async () => {
    const { url, assignmentId } = await make()
    await as(server, owner)('end-task-links', { assignmentIds: [assignmentId] })
    const input = { assignmentIds: [assignmentId], crew: '', language: null, validUntil: '2026-12-01' }
    const { sheets } = (await as(server, owner)('make-task-links', input)).body as { sheets: { url: string }[] }
    const renewed = sheets[0]?.url ?? ''
    expect(renewed).not.toBe(url)
    expect([(await visitor.open(url)).status, (await visitor.open(renewed)).status]).toEqual([404, 200])
  })

  test('ends with its item, and with the account or a ban of the owner', async () => {
    const { url } = await make()
    const { db } = server.database
    const setRemoved = (removedAt: Date | null) =>
      db.update(contentItems).set({ removedAt }).where(eq(contentItems.id, prompt.id))
    await setRemoved(server.clock.now)
    expect(await gone(url)).toEqual([404, true, 404])
    await setRemoved(null)
    await db
      .update(users)
      .set({ bannedUntil: new Date(server.clock.now.getTime() + dayMs) })
      .where(eq(users.id, owner.id))
    expect(await gone(url)).toEqual([404, true, 404])
    await db.delete(users).where(eq(users.id, owner.id))
    expect(await gone(url)).toEqual([404, true, 404])
  })

  test('says politely that the plan has ended or the store was deleted, and keeps what was done', async () => {
    const { url, assignmentId } = await make()
    const open = await make()
    await visitor.send(url, done())
    const setStatus = (status: 'canceled' | 'active') =>
      server.database.db.update(subscriptionState).set({ status }).where(eq(subscriptionState.userId, owner.id))
    await setStatus('canceled')
    const paused = await visitor.open(url)
    expect(paused.text).toContain('The plan behind this task has ended')
    expect(paused.text).toContain('Checked off by Maria')
    expect(findPaid(paused.text, sentences)).toEqual([])
    expect((await visitor.send(open.url, done())).text).toContain('The plan behind this task has ended')
    await setStatus('active')
    await as(server, owner)('delete-location', { id: store })
    const deleted = await visitor.open(url)
    expect(deleted.text).toContain('This store was removed')
    expect(deleted.text).toContain('Checked off by Maria')
    expect(findPaid(deleted.text, sentences)).toEqual([])
    await visitor.send(open.url, done())
    expect(await assignmentOf(open.assignmentId)).toMatchObject({ done: false, toName: '' })
    expect(await assignmentOf(assignmentId)).toMatchObject({ done: true, doneBy: 'Maria' })
  })

  test('ends for a person who leaves: those that they made, and those to what was assigned to them', async () => {
    const member = await buildUser(server, { subscription: 'active' })
    await seat(server, owner, member)
    await as(server, owner)('save-location', { id: store, changes: {}, shared: true })
    const [byOwner, byMember] = [await make(), await make({}, member)]
    expect((await linksOf(server, member)).map(({ assignmentId }) => assignmentId)).toEqual([byMember.assignmentId])
    const who = { ownerId: owner.id, userId: member.id, now: server.clock.now }
    expect(await server.database.db.transaction((tx) => endTaskLinksOf(tx, who))).toBe(1)
    expect(await server.database.db.transaction((tx) => endTaskLinksOf(tx, who))).toBe(0)
    expect((await visitor.open(byOwner.url)).status).toBe(200)
    expect((await visitor.open(byMember.url)).status).toBe(404)
  })
})

describe('the language', () => {
  test('is the one chosen on the page, else the link’s, else the phone’s', async () => {
    const { url } = await make()
    const langOf = async (address: string, accepted = '') => {
      const page = await visitor.open(address, { 'accept-language': accepted })
      return /<html lang="(\w+)"/.exec(page.text)?.[1]
    }
    expect(await langOf(url)).toBe('en')
    expect(await langOf(url, 'es-MX,es;q=0.9,en;q=0.8')).toBe('es')
    expect(await langOf(url, 'fr,en;q=0.5,es;q=0.9')).toBe('es')
    expect(await langOf(`${url}?lang=en`, 'es')).toBe('en')
    const spanish = await make({ language: 'es' })
    expect(await langOf(spanish.url, 'en-US')).toBe('es')
    expect(await langOf(`${spanish.url}?lang=en`, 'es')).toBe('en')
    expect(await langOf(`${spanish.url}?lang=xx`)).toBe('es')
  })

  test('Spanish shows the Spanish version with its translator, and marks one that is out of date', async () => {
    const { url } = await make({ language: 'es' })
    const page = await visitor.open(url)
    expect(page.text).toContain('Nota de entrega al cerrar')
    expect(page.text).toContain('Traducción: la redacción de Front Counter')
    expect(page.text).toContain('Responde en español')
    expect(page.text).not.toContain('ha cambiado desde entonces')
    const { db } = server.database
    await db.execute(sql`update prompts set body = body || ' More.' where id = ${prompt.id}`)
    expect((await visitor.open(url)).text).toContain('El texto en inglés ha cambiado desde entonces.')
    await db.execute(sql`update prompts set body = left(body, -6) where id = ${prompt.id}`)
    expect((await visitor.open(url)).text).not.toContain('ha cambiado desde entonces')
  })

  test('without a Spanish version is English text that asks for a Spanish answer', async () => {
    const { url } = await make({ item: section, language: 'es' })
    const page = await visitor.open(url)
    expect(page.text).toContain('Este texto solo está en inglés.')
    expect(page.text).toContain('<div class="prose" lang="en">')
    expect(page.text).toContain('Responde en español')
    expect((await visitor.open(`${url}?lang=en`)).text).not.toContain('Responde en español')
    await server.database.db.delete(contentPages).where(eq(contentPages.id, translationsId))
    expect((await visitor.open(url)).status).toBe(200)
  })

  test('of a shared item follows the phone, too', async () => {
    const share = { ...prompt, showsBusiness: false }
    const { url } = (await as(server, owner)('share-item', share)).body as { url: string }
    const page = await visitor.open(url, { 'accept-language': 'es' })
    expect(page.text).toContain('compartió contigo este prompt')
    expect((await visitor.open(`${url}?lang=en`, { 'accept-language': 'es' })).text).toContain('shared this prompt')
  })
})

test('the owner’s download has the links with what crews entered, and the crew’s answers go with the account', async () => {
  const { url } = await make({ crew: 'Closers' })
  await visitor.send(url, done({ number: '12' }))
  const answer = await as(server, owner)('export-data')
  expect(answer.body.data).toMatchObject({
    taskLinks: [{ crew: 'Closers', openings: [{ name: 'Maria' }], answers: [{ name: 'Maria', number: '12' }] }],
  })
  expect(JSON.stringify(answer.body)).not.toContain(visitor.tokenOf(url))
  await server.database.db.delete(users).where(eq(users.id, owner.id))
  expect(await server.database.db.$count(teamAssignment, eq(teamAssignment.ownerId, owner.id))).toBe(0)
})
