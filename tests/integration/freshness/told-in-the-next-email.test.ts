import { sql } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import type { PromptPackDraft } from '#shared/contracts/publishing/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import {
  addMailing,
  sendingDeps,
  smtpNewsletterMailer,
  statusOf,
  until,
} from '#tests/integration/mailings/sending/support.ts'
import { openAdmin } from '#tests/integration/publishing/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { type Behavior, startSmtpServer } from '#tests/support/smtp-server.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin()
  return { ...opened, close: () => opened.server.close() }
})
const answers = new Map<string, Behavior>()
const smtp = openForTests(() => startSmtpServer({ behave: (to) => answers.get(to) ?? 'accept' }))

/** Drops that no reader has received. */
const drops: string[] = []
let prompt = { kind: 'prompt', id: '', title: '' }
beforeAll(async () => {
  const { issues } = await admin.get<{ issues: { id: string }[] }>('weekly-drops', {}, admin.reader)
  drops.push(...issues.map(({ id }) => id))
  const { document } = await admin.read('prompt-pack', 'operations')
  const [first] = (document as PromptPackDraft).prompts
  prompt = { kind: 'prompt', id: first?.id ?? '', title: first?.title ?? '' }
})
beforeEach(() => answers.clear())

const tick = () => admin.server.clock.advance(60_000)
const newReader = () => buildUser(admin.server, { subscription: 'active' })
const keep = async (name: string, input: object, who: TestUser) => {
  tick()
  await admin.get(name, input, who)
}
const now = () => admin.server.clock.now.toISOString()
const save = (item: { kind: string; id: string }, who: TestUser) =>
  keep('save-item', { kind: item.kind, id: item.id, saved: true, at: now() }, who)

async function publish(kind: string, id: string, change: (document: StoredDocument['document']) => object) {
  tick()
  const stored = await admin.read(kind, id)
  const saved = await admin.save(stored, change(stored.document))
  expect((await admin.publish(saved.body as unknown as StoredDocument)).status).toBe(200)
}

const publishPrompt = (note: string) =>
  publish('prompt-pack', 'operations', (document) => ({
    ...document,
    prompts: (document as PromptPackDraft).prompts.map((each) =>
      each.id === prompt.id ? { ...each, body: `${each.body}\n${note}`, changeNote: note } : each,
    ),
  }))

/** Sends a drop to all readers and returns what each email says has changed. */
async function sendDrop(): Promise<Record<string, string>> {
  tick()
  const { server } = admin
  const deps = sendingDeps(server.database, smtpNewsletterMailer(smtp.url), () => server.clock.now)
  const mailing = await addMailing(server.database, { issueId: drops.pop() ?? '', createdAt: server.clock.now })
  const before = smtp.heard.length
  const sender = await startSender(deps, { idleMs: 20, retryPausesMs: [0] })
  await until(async () => (await statusOf(server.database, mailing)) === 'sent')
  await sender.stop(1_000)
  await deps.newsletterMailer.close()
  const parsed = await Promise.all(
    smtp.heard.slice(before).map(async ({ to, raw }) => [to, await simpleParser(raw)] as const),
  )
  return Object.fromEntries(
    parsed.map(([to, { text = '' }]) => [
      to,
      /CHANGES TO WHAT YOU SAVED, COPIED, OR DOWNLOADED\n+((?:[- ] .*\n)+)/.exec(text)?.[1] ?? '',
    ]),
  )
}

test('a changed prompt, guide and tool are in the next drop of those who saved, copied or downloaded them, once', async () => {
  const [saver, copier, downloader, ended] = [
    await newReader(),
    await newReader(),
    await newReader(),
    await newReader(),
  ]
  await save(prompt, saver)
  await save(prompt, ended)
  await keep('record-item-use', { kind: 'prompt', id: prompt.id, use: 'copied', at: now() }, copier)
  await keep('download-guide', { id: 'ai-use-policy' }, downloader)
  await keep('download-test-sheet', { id: 'canva' }, downloader)
  await admin.server.database.db.execute(
    sql`update subscription_state set status = 'canceled' where user_id = ${ended.id}::uuid`,
  )
  await publishPrompt('It asks for the shift now.')
  await publish('guide', 'ai-use-policy', (document) => ({
    ...document,
    description: 'Another description.',
    changeNote: 'Page 2 names the approver.',
  }))
  await publish('tool', 'canva', (document) => ({
    ...document,
    verdict: 'Another verdict.',
    changeNote: 'Prices moved.',
  }))

  const told = await sendDrop()
  const { publicUrl } = admin.server.deps.config
  expect(told[saver.email]).toBe(
    `- ${prompt.title}: It asks for the shift now.\n  ${publicUrl}/portal/prompt-packs#${prompt.id}\n`,
  )
  expect(told[copier.email]).toBe(told[saver.email])
  expect(told[downloader.email]).toMatch(/^- Canva.*: Prices moved\.\n.*\n- .*: Page 2 names the approver\.\n/)
  expect(told[admin.reader.email]).toBe('')
  expect(Object.keys(told)).not.toContain(ended.email)
  expect(new Set(Object.values(await sendDrop()))).toEqual(new Set(['']))
})

test('two changes before the next drop are one line with both notes', async () => {
  const [both, late] = [await newReader(), await newReader()]
  await save(prompt, both)
  await publishPrompt('One more check.')
  await save(prompt, late)
  await publishPrompt('A shorter answer.')
  const told = await sendDrop()
  expect(told[both.email]).toContain(`- ${prompt.title}: One more check. A shorter answer.\n`)
  expect(told[late.email]).toContain(`- ${prompt.title}: A shorter answer.\n`)
})

test('a crash while the drop is prepared or sent repeats nothing, and an email that never arrived is made up for', async () => {
  const [arrived, lost, refused] = [await newReader(), await newReader(), await newReader()]
  for (const reader of [arrived, lost, refused]) await save(prompt, reader)
  await publishPrompt('No names in it.')
  // The connection ends after the text was sent, so no one knows whether it arrived.
  answers.set(lost.email, 'hang up after data')
  answers.set(refused.email, { refuse: 451 })
  const { db } = admin.server.database
  await db.execute(sql`create sequence tries_to_prepare`)
  await db.execute(sql`create function crash_once() returns trigger language plpgsql as $$ begin
    if nextval('tries_to_prepare') = 1 then raise exception 'crash'; end if; return new; end $$`)
  // After the changes are announced, the last statement of the preparation.
  await db.execute(sql`create trigger crash_once before update on mailings for each row
    when (old.status = 'preparing' and new.status = 'sending') execute function crash_once()`)
  const told = await sendDrop()
  await db.execute(sql`drop trigger crash_once on mailings`)
  await db.execute(sql`drop function crash_once`)
  await db.execute(sql`drop sequence tries_to_prepare`)
  expect([told[arrived.email], told[lost.email]]).toEqual(Array(2).fill(expect.stringContaining('No names in it.')))
  expect(told[refused.email]).toBeUndefined()

  answers.clear()
  await publishPrompt('And no addresses.')
  const next = await sendDrop()
  expect(next[arrived.email]).toContain(`- ${prompt.title}: And no addresses.\n`)
  expect(next[lost.email]).toBe(next[arrived.email])
  expect(next[refused.email]).toContain(`- ${prompt.title}: No names in it. And no addresses.\n`)
  expect(new Set(Object.values(await sendDrop()))).toEqual(new Set(['']))
})
