import { beforeEach, expect, test } from 'vitest'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { choicesOf, deliver, pathOf } from './support.ts'

const server = openForTests(() => createTestApp())
let user: TestUser

beforeEach(async () => {
  await server.database.truncate()
  user = await buildUser(server)
})

const urlencoded = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
const multipart = () => {
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  return form
}
const post = (path: string, body: URLSearchParams | FormData | string) => server.request(path, { method: 'POST', body })

test.each([
  ['urlencoded', () => urlencoded],
  ['multipart', multipart],
])(
  'A %s POST without cookies unsubscribes at once, without a redirect, however often it is repeated',
  async (_, body) => {
    const { links, to } = await deliver(server, user)
    for (const _again of [1, 2]) {
      const answer = await post(pathOf(links.oneClick(to)), body())
      expect(answer.status).toBe(200)
      expect(answer.headers.get('location')).toBeNull()
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(await choicesOf(server, user.id)).toEqual({
        drops: 'off',
        news: true,
        followUps: true,
        assignments: true,
        replies: 'at-once',
        allowsTracking: false,
      })
    }
  },
)

test('Each email unsubscribes from its own stream', async () => {
  const { links, to } = await deliver(server, user, { kind: 'news' })
  await post(pathOf(links.oneClick(to)), urlencoded)
  expect(await choicesOf(server, user.id)).toMatchObject({ drops: 'weekly', news: false })
  const digest = await deliver(server, user, { kind: 'digest' })
  await post(pathOf(digest.links.oneClick(digest.to)), urlencoded)
  expect(await choicesOf(server, user.id)).toMatchObject({ drops: 'off', news: false })
})

test('GET and HEAD change nothing and lead to the confirmation page', async () => {
  const { links, to } = await deliver(server, user)
  for (const method of ['GET', 'HEAD']) {
    const answer = await server.request(pathOf(links.oneClick(to)), { method })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(pathOf(links.unsubscribePage(to)))
  }
  expect(await choicesOf(server, user.id)).toBeNull()
})

test.each<[string, string, Record<string, string>]>([
  ['no body', '', {}],
  ['an empty form', '', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['a body without a content type', 'List-Unsubscribe=One-Click', { 'Content-Type': '' }],
  [
    'a form that ends in a line break',
    'List-Unsubscribe=One-Click\r\n',
    { 'Content-Type': 'application/x-www-form-urlencoded' },
  ],
  ['plain text', 'List-Unsubscribe=One-Click', { 'Content-Type': 'text/plain; charset=utf-8' }],
  ['a multipart body without its boundary', '--x', { 'Content-Type': 'multipart/form-data' }],
  ['JSON', '{"List-Unsubscribe":"One-Click"}', { 'Content-Type': 'application/json' }],
])('A POST with %s unsubscribes', async (_, body, headers) => {
  const { links, to } = await deliver(server, user)
  const answer = await server.request(pathOf(links.oneClick(to)), { method: 'POST', body, headers })
  expect(answer.status).toBe(200)
  expect(await choicesOf(server, user.id)).toMatchObject({ drops: 'off' })
})

test('An invalid link returns 404 without details', async () => {
  const { links, to } = await deliver(server, user)
  const token = pathOf(links.oneClick(to)).split('/').at(-1) ?? ''
  for (const wrong of ['test', `${token}x`, token.slice(1), `x.${token.split('.')[1]}`]) {
    const answer = await post(`/unsubscribe/one-click/${wrong}`, urlencoded)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ error: 'Not found', code: 'not_found', message: 'Not found' })
  }
  expect(await choicesOf(server, user.id)).toBeNull()
})

test('A browser gets an HTML page, for an invalid link too', async () => {
  const { links, to } = await deliver(server, user)
  const headers = { Accept: 'text/html' }
  const shown = async (path: string) => {
    const answer = await server.request(path, { method: 'POST', body: urlencoded, headers })
    return { status: answer.status, page: await answer.text() }
  }
  const done = await shown(pathOf(links.oneClick(to)))
  expect(done).toMatchObject({ status: 200, page: expect.stringContaining('<h1>You’re unsubscribed</h1>') })
  expect(done.page).toContain(`href="${pathOf(links.unsubscribePage(to))}"`)
  expect(await choicesOf(server, user.id)).toMatchObject({ drops: 'off' })
  expect(await shown('/unsubscribe/one-click/broken')).toMatchObject({
    status: 404,
    page: expect.stringContaining('<h1>This link doesn’t work</h1>'),
  })
})

test('The link of a deleted account still returns 200', async () => {
  const { links, to } = await deliver(server, { id: crypto.randomUUID(), email: 'gone@example.test' })
  expect((await post(pathOf(links.oneClick(to)), urlencoded)).status).toBe(200)
})

test('A hundred concurrent requests leave one row', async () => {
  const { links, to } = await deliver(server, user)
  const answers = await Promise.all(Array.from({ length: 100 }, () => post(pathOf(links.oneClick(to)), urlencoded)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(await choicesOf(server, user.id)).toMatchObject({ drops: 'off' })
})
