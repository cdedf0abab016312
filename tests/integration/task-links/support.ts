import { expect } from 'vitest'
import type { TaskLink, TaskSheet } from '#shared/contracts/reader/task-links.ts'
import { as } from '#tests/integration/teams/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'

export type Opened = { status: number; text: string; headers: Headers }

/** A visitor without an account. */
export const visitorOf = (server: TestApp) => {
  const answerOf = async (response: Response): Promise<Opened> => ({
    status: response.status,
    text: await response.text(),
    headers: response.headers,
  })
  const tokenOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''
  const html = { Accept: 'text/html' }
  return {
    tokenOf,
    open: async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
      const { pathname, search } = new URL(url)
      return answerOf(await server.request(pathname + search, { method, headers: { ...html, ...headers } }))
    },
    send: async (url: string, fields: Record<string, string | File>, headers: Record<string, string> = {}) => {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.append(name, value)
      const path = `/t/answer?t=${tokenOf(url)}&lang=en`
      return answerOf(await server.request(path, { method: 'POST', body, headers: { ...html, ...headers } }))
    },
    touch: async (url: string, name = '') => {
      const body = new URLSearchParams({ name })
      return (await server.request(`/t/open?t=${tokenOf(url)}`, { method: 'POST', body })).status
    },
  }
}

export type Visitor = ReturnType<typeof visitorOf>

export async function addStore(server: TestApp, owner: TestUser, name: string, values: Record<string, string> = {}) {
  const id = crypto.randomUUID()
  const changes = Object.fromEntries(Object.entries(values).map(([key, to]) => [key, { from: '', to }]))
  const { status } = await as(server, owner)('save-location', { id, name: { from: '', to: name }, changes })
  expect(status).toBe(200)
  return id
}

export type TaskOptions = {
  item?: { kind: string; id: string } | null
  title?: string
  text?: string
  locationIds: string[]
  dueOn?: string | null
  note?: string
  crew?: string
  language?: 'en' | 'es' | null
  validUntil?: string
}

/** Assigns to each store and makes a link to each assignment, as the dialog does. */
export async function makeTasks(server: TestApp, who: TestUser, options: TaskOptions): Promise<TaskSheet[]> {
  const { item = null, title = '', text = '', locationIds, dueOn = null, note = '' } = options
  const to = locationIds.map((locationId) => ({ assignmentId: crypto.randomUUID(), to: { locationId }, text }))
  const assigned = await as(server, who)('assign-to-several', { item, title, to, dueOn, note })
  expect([assigned.status, assigned.body.code]).toEqual([200, undefined])
  const { crew = '', language = null, validUntil = '2026-12-06' } = options
  const assignmentIds = to.map(({ assignmentId }) => assignmentId)
  const made = await as(server, who)('make-task-links', { assignmentIds, crew, language, validUntil })
  expect([made.status, made.body.code]).toEqual([200, undefined])
  return (made.body as { sheets: TaskSheet[] }).sheets
}

export const linksOf = async (server: TestApp, who: TestUser): Promise<TaskLink[]> =>
  ((await as(server, who)('task-links')).body as { links: TaskLink[] }).links
