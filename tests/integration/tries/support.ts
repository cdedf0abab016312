import { contentItems } from '#server/db/schema/index.ts'
import type { TriedItem, TryAnswer, TryState } from '#shared/contracts/reader/tries.ts'
import { buildUser, type TestUser, type UserOptions } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'

export const prompt: TriedItem = { kind: 'prompt', id: 'ops-shift-handover' }
export const section: TriedItem = { kind: 'section', id: 'a-week-of-reviews--sort-by-hand' }

export const now = new Date('2026-11-22T15:00:00.000Z')

/** Empties the database, sets the clock and adds a prompt and a section. */
export async function startOver(server: TestApp) {
  await server.database.truncate()
  server.clock.now = now
  await addItem(server, prompt, 'A prompt')
  await addItem(server, section, 'A section')
}

export async function addItem(server: TestApp, { kind, id }: TriedItem, title = `About ${id}`) {
  const then = new Date('2024-01-01T00:00:00Z')
  await server.database.db.insert(contentItems).values({
    kind,
    id,
    title,
    path: kind === 'prompt' ? `/portal/prompt-packs#${id}` : `/portal/weekly-drops/drop#${id}`,
    publishedAt: then,
    changedAt: then,
  })
}

/** A subscriber since 2024, so that answers of earlier years count. */
export const subscriber = (server: TestApp, options: UserOptions = {}) =>
  buildUser(server, { subscription: 'active', createdAt: new Date('2024-01-02T00:00:00Z'), ...options })

type Answer = Partial<TryAnswer> & { at?: Date }

export async function record(
  server: TestApp,
  { token }: Pick<TestUser, 'token'>,
  item: TriedItem,
  { at = server.clock.now, ...answer }: Answer = {},
): Promise<TryState> {
  const input = { outcome: 'worked', minutesPerWeek: null, note: '', shared: false, ...answer }
  const { body } = await call(server, 'record-try', { ...item, at: at.toISOString(), ...input }, token)
  return body as TryState
}

export const remove = async (server: TestApp, { token }: Pick<TestUser, 'token'>, item: TriedItem, at: Date) =>
  call(server, 'remove-try', { ...item, at: at.toISOString() }, token)

export const start = async (server: TestApp, { token }: Pick<TestUser, 'token'>, item: TriedItem, at?: Date) =>
  call(server, 'start-try', { ...item, at: (at ?? server.clock.now).toISOString() }, token)
