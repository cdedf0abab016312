import { beforeEach, expect, test } from 'vitest'
import { forgetSessionEnded, noteSession, noteSessionEnded, sessionHasEnded } from './session-ending.ts'

const session = { access_token: 'access-1', refresh_token: 'refresh-1' }

beforeEach(forgetSessionEnded)

test('A session that nobody refused has not ended', () => {
  noteSession(session)
  expect(sessionHasEnded()).toBe(false)
})

test.each(['access-1', 'refresh-1'])('A session heard of once more after its %s was refused stays ended', (token) => {
  noteSessionEnded(token)
  noteSession(session)
  expect(sessionHasEnded()).toBe(true)
})

test('Another session begins with nothing behind it', () => {
  noteSessionEnded('access-1')
  noteSession({ access_token: 'access-2', refresh_token: 'refresh-2' })
  expect(sessionHasEnded()).toBe(false)
})

test('Signing out here is no ending', () => {
  noteSessionEnded('access-1')
  forgetSessionEnded()
  expect(sessionHasEnded()).toBe(false)
})
