import {
  emptyDraft,
  emptySection,
  type IssueDraft,
  type IssueSectionDraft,
} from '#shared/contracts/publishing/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '#tests/support/create-test-app.ts'
import { seedFirstDrops } from '#tests/support/seed-first-drops.ts'

export type Answer = Awaited<ReturnType<typeof call>>

/** An admin with the sample content, two editors and a reader. `now` sets the clock before they sign in. */
export async function openAdmin({ now, ...options }: TestAppOptions & { now?: Date } = {}) {
  const server = await createTestApp(options)
  if (now) server.clock.now = now
  await seedFirstDrops(server.deps)
  const ann = await buildUser(server, { email: 'ann@example.test', admin: true })
  const ben = await buildUser(server, { email: 'ben@example.test', admin: true })
  const reader = await buildUser(server, { subscription: 'active', preferences: { focusAreas: ['Finance'] } })
  return { server, ann, ben, reader, ...actions(server, ann) }
}

function actions(server: TestApp, ann: TestUser) {
  const ask = (name: string, body: unknown, who: TestUser = ann) => call(server, name, body, who.token)
  /** The same, and expects success. */
  const get = async <Body = Record<string, unknown>>(name: string, body: unknown, who: TestUser = ann) => {
    const answer = await ask(name, body, who)
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as Body
  }
  const read = (kind: string, id: string) => get<StoredDocument>('admin-read-document', { kind, id })
  const save = (stored: Pick<StoredDocument, 'kind' | 'id' | 'version'>, document: object, who?: TestUser) =>
    ask('admin-save-document', { kind: stored.kind, id: stored.id, version: stored.version, document }, who)
  const publish = ({ kind, id, version }: Pick<StoredDocument, 'kind' | 'id' | 'version'>) =>
    ask('admin-publish-document', { kind, id, version })
  /** Sends a file as the body of a call, as the browser does. */
  const upload = async (name: string, query: Record<string, string>, file: Uint8Array, who: TestUser = ann) => {
    const answer = await server.request(`/functions/v1/${name}?${new URLSearchParams(query)}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${who.token}`, 'Content-Length': String(file.byteLength) },
      body: new Uint8Array(file),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  return { ask, get, read, save, publish, upload }
}

export const section = (given: Partial<IssueSectionDraft> = {}): IssueSectionDraft => ({
  ...emptySection(crypto.randomUUID()),
  heading: 'Count the till twice',
  summary: 'Two counts, one sheet.',
  focusAreas: ['Finance'],
  aiLevel: 'beginner',
  minutes: 10,
  body: 'Count it once before the rush.',
  ...given,
})

export const drop = (given: Partial<IssueDraft> = {}): IssueDraft => ({
  ...(emptyDraft('issue', 'Till counts') as IssueDraft),
  date: '2026-11-17',
  preview: 'A short sheet for the end of the day.',
  tags: ['Finance'],
  intro: 'Most differences are slips.',
  sections: [section()],
  ...given,
})
